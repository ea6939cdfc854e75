#include "prepare.hpp"

#include <fmt/format.h>

#include <sstream>

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

std::shared_ptr<VerifyingSink> verify(const Scene& scene, const std::shared_ptr<Sink>& sink, const RunOptions& options,
                                      std::vector<std::string>& problems) {
  try {
    return std::make_shared<VerifyingSink>(sink, scene.finer_world ? *scene.finer_world : scene.world, options);
  } catch (const std::exception& error) {
    for (const std::string& line : lines_of(error.what())) problems.push_back(fmt::format("{}: verify: {}", scene.file, line));
    return nullptr;
  }
}

}  // namespace asperity::job
