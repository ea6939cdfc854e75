// Numbers of elements, as their laws and their connections read and write them.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "asperity/parameters.hpp"
#include "value.hpp"

namespace asperity::scene {

/// A direction of length 1; one of another length is shortened.
inline std::optional<std::vector<double>> direction_of(std::vector<double> v) {
  double square = 0;
  for (const double x : v) square += x * x;
  if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
  if (std::abs(square - 1) > 1e-14)  // so that a resolved scene resolves to itself
    for (double& x : v) x /= std::sqrt(square);
  return v;
}

inline Value written_numbers(const Parameter& parameter, const std::vector<double>& values) {
  return parameter.is_list ? Value(values) : Value(values.at(0));
}

inline bool is_direction(const std::string& parameter) {
  return parameter == "direction" || parameter == "axis_a" || parameter == "axis_b";
}

}  // namespace asperity::scene
