// A scene as text, run in memory: a mass falls freely for one second.
#include <asperity/job/job.hpp>
#include <cmath>
#include <cstdio>

int main() {
  using namespace asperity;
  const char* text = "[run]\nduration = 1\nstep = 1e-3\n[[body]]\nname = \"m\"\nkind = \"mass\"\nmass = 1\ngravity = -9.81\n";
  std::vector<SceneProblem> problems;
  const auto scene = read_scene(text, "falls.toml", {}, problems);
  if (!scene) return 1;
  const JobOutcome done = run_job(*scene);
  for (const std::string& problem : done.problems) std::puts(problem.c_str());
  const Table::Column* velocity = done.data.find("m.velocity");
  return done.ok() && velocity && std::abs(velocity->values.back() + 9.81) < 1e-9 ? 0 : 1;
}
