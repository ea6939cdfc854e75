// Any bytes as a scene: a scene whose resolved text reads back, or problems.
#include <cstdint>
#include <cstdlib>

#include "asperity/scene/scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<asperity::SceneProblem> problems;
  const auto scene = asperity::read_scene(text, "fuzz.toml", {}, problems);
  if (scene ? !problems.empty() : problems.empty()) std::abort();
  if (!scene) return 0;
  const auto again = asperity::read_scene(scene->resolved, "resolved.toml", {}, problems);
  if (!again || again->resolved != scene->resolved) std::abort();
  return 0;
}
