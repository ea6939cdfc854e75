// Measurements are not part of the project: tests that need them say so and pass on.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

inline std::string data_folder() {
  const char* given = std::getenv("ASPERITY_DATA");
  return given ? given : ASPERITY_DATA;
}

#define NEEDS(file)                                           \
  if (!std::filesystem::exists(data_folder() + "/" + (file))) \
  GTEST_SKIP() << (file) << " is not in " << data_folder() << ": measured data are not part of the project"
