// A scene, run into a folder; then its facts, read back from there.
#include <asperity/job/job.hpp>
#include <cstdio>

int main() {
  using namespace asperity;
  std::vector<SceneProblem> problems;
  const auto scene = read_scene_file("held_by_friction.toml", {"run.duration=2.35"}, problems);
  for (const SceneProblem& problem : problems) std::puts(to_text(problem).c_str());
  if (!scene) return 2;

  const JobOutcome done = run_job(*scene, {.folder = "out/held"});
  for (const std::string& problem : done.problems) std::puts(problem.c_str());

  std::vector<std::string> unread;
  const auto facts = read_facts("out/held", unread);
  if (!facts) return 1;
  for (const Event& event : facts->events)
    std::printf("%s: %s at %.3f s\n", event.element.c_str(), event.kind == Event::Kind::slip ? "slips" : "sticks", event.time);
  std::printf("dissipated %.2f mJ; its numbers are %s\n", 1e3 * facts->energy.dissipated,
              facts->verdict == Verdict::fine ? "fine" : "doubtful");
}
