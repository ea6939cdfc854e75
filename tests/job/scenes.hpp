// Scenes that the tests of jobs run, and a folder for what they leave.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "asperity/job/job.hpp"

namespace asperity::testing {

inline std::unique_ptr<Scene> scene_named(const std::string& name, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  auto scene = read_scene_file(ASPERITY_SCENES "/" + name + ".toml", settings, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return scene;
}

inline std::string text_in(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of its own for each test, removed at the end.
class InFolder : public ::testing::Test {
 protected:
  InFolder()
      : folder_(std::filesystem::temp_directory_path() / ("asperity_job_" + std::to_string(getpid()) + "_" +
                                                          ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~InFolder() override { std::filesystem::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace asperity::testing
