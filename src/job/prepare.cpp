#include "prepare.hpp"

#include <fmt/format.h>

#include <sstream>

#include "asperity/inclusion/world.hpp"

namespace asperity::job {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::unique_ptr<Run> make_run(const Scene& scene, const RunOptions& options, std::vector<std::string>& problems) {
  try {
    return std::make_unique<Run>(scene.world, options);
  } catch (const std::invalid_argument& error) {
    for (const std::string& line : lines_of(error.what())) problems.push_back(fmt::format("{}: {}", scene.file, line));
  } catch (const SetUpError& error) {
    for (const Warning& warning : error.warnings) problems.push_back(fmt::format("{}: {}", scene.file, warning.text));
  }
  return nullptr;
}

std::unique_ptr<Verifying> verify(const Scene& scene, const std::shared_ptr<Sink>& sink, const RunOptions& options,
                                  std::vector<std::string>& problems) {
  std::vector<SceneProblem> found;
  auto both = std::make_unique<Verifying>();
  both->again = read_scene(scene.resolved, scene.file, {}, found);
  for (const SceneProblem& problem : found) problems.push_back(to_text(problem));
  if (!both->again) return nullptr;
  if (scene.finer) both->again->world = make_world(scene.finer);  // relaxed as half the step would have it
  try {
    both->sink = std::make_shared<VerifyingSink>(sink, both->again->world, options);
  } catch (const std::exception& error) {
    for (const std::string& line : lines_of(error.what())) problems.push_back(fmt::format("{}: verify: {}", scene.file, line));
    return nullptr;
  }
  return both;
}

}  // namespace asperity::job
