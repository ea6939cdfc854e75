// Measurements are not part of the project: tests that need them say where they are published, and pass on. Their synthetic twins
// (twin_test.cpp) always run.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

inline std::string data_folder() {
  const char* given = std::getenv("ASPERITY_DATA");
  return given ? given : ASPERITY_DATA;
}

inline std::string published(const std::string& file) {
  if (file.starts_with("emps/")) return "the nonlinear benchmark EMPS (Janot, Gautier, Brunot 2019), nonlinearbenchmark.org";
  if (file.starts_with("micro_tribometer/"))
    return "FrictionModels.jl, examples/test_data_2.txt, github.com/jchristopherson/FrictionModels.jl";
  return "data_raw of github.com/npusteln/stickslip (Colas et al. 2019)";
}

#define NEEDS(file)                                                                    \
  if (data_folder().empty() || !std::filesystem::exists(data_folder() + "/" + (file))) \
  GTEST_SKIP() << (file) << " is not in ASPERITY_DATA (\"" << data_folder() << "\"); published as " << published(file)
