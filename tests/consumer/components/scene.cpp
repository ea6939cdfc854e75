// A scene as text: a mass falls freely for one second.
#include <asperity/scene/scene.hpp>
#include <cmath>
#include <cstdio>
#include <memory>

int main() {
  using namespace asperity;
  const char* text = "[run]\nduration = 1\nstep = 1e-3\n[[body]]\nname = \"m\"\nkind = \"mass\"\nmass = 1\ngravity = -9.81\n";
  std::vector<SceneProblem> problems;
  const auto scene = read_scene(text, "falls.toml", {}, problems);
  for (const SceneProblem& problem : problems) std::puts(to_text(problem).c_str());
  if (!scene) return 1;
  scene->run.record.sink = std::make_shared<MemorySink>();
  Run run(scene->world, scene->run);
  return run.go() && std::abs(run.value("m.velocity") + 9.81) < 1e-9 ? 0 : 1;
}
