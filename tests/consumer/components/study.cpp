// A mass that is thrown with v = 0, 1, 2 m/s is at v t after one second.
#include <asperity/study/study.hpp>
#include <cmath>
#include <cstdio>

int main() {
  using namespace asperity::study;
  const char* text =
      "[let]\nv = 1\n[run]\nduration = 1\nstep = 1e-2\n[[body]]\nname = \"m\"\nkind = \"mass\"\nmass = 1\nvelocity = \"v\"\n";
  std::vector<std::string> problems;
  const auto plan = plan_of(text, "thrown.toml", {.vary = {"let.v=0:2:3"}, .measure = {"end=last(m.position)"}}, problems);
  for (const std::string& problem : problems) std::puts(problem.c_str());
  if (!plan) return 1;
  const StudyOutcome done = run_study(*plan);
  if (done.end != StudyOutcome::End::finished || done.results.size() != 3) return 1;
  for (int i = 0; i < 3; ++i)
    if (!(std::abs(done.results[static_cast<std::size_t>(i)].measures[0] - i) < 1e-9)) return 1;
  return 0;
}
