// What docs/guides/identify.md says about measured data, to be compared with what is found.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

/// The numbers of the row `| label | ... |` of the tables below `**heading`, in order, whatever stands between them.
inline std::vector<double> guide_row(const std::string& heading, const std::string& label) {
  std::ifstream guide(ASPERITY_GUIDE);
  std::vector<double> numbers;
  bool is_there = false;
  for (std::string line; std::getline(guide, line);) {
    if (line.starts_with("**")) is_there = line.starts_with("**" + heading);
    const std::string start = "| " + label + " |";
    if (!is_there || !line.starts_with(start)) continue;
    for (const char* at = line.c_str() + start.size(); *at;) {
      char* end = nullptr;
      const double number = std::strtod(at, &end);
      if (end != at) numbers.push_back(number);
      at = end != at ? end : at + 1;
    }
  }
  EXPECT_FALSE(numbers.empty()) << heading << ": no row \"" << label << "\" in " << ASPERITY_GUIDE;
  return numbers;
}
