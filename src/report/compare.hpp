// In what two runs differ.
#pragma once

#include "panels.hpp"

namespace asperity::report {

/// Where two columns are farthest apart, at the times of a that b covers too; b is read between its rows on a straight line.
struct Farthest {
  double difference = 0, time = 0;
};
Farthest farthest(const std::vector<double>& time_a, const std::vector<double>& a, const std::vector<double>& time_b,
                  const std::vector<double>& b);

/// {"columns": [{"name", "unit", "a", "b", "most", "at"}], "only": [[...], [...]], "parameters": [...], "events": [...],
///  "energy": [...]}
Json differences(const Table& a, const Table& b, const Json& facts_a, const Json& facts_b);

}  // namespace asperity::report
