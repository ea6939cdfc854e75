// Scenes that the tests of jobs run, and a folder for what they leave.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "asperity/job/job.hpp"
#include "in_folder.hpp"

namespace asperity::testing {

inline std::unique_ptr<Scene> scene_named(const std::string& name, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  auto scene = read_scene_file(ASPERITY_SCENES "/" + name + ".toml", settings, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return scene;
}

}  // namespace asperity::testing
