// Numbers with units as people read them: 5.12 mm.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>

namespace asperity {

/// So many significant digits, with a prefix where the unit takes one: "5.12 mm", "1.6 kg", "0 N", "3e-17 J".
std::string quantity_text(double value, std::string_view unit, int digits = 4);
/// Components of one vector, all with the prefix of the largest: "77.17, 12.23, 0 mm".
std::string quantity_text(std::span<const double> values, std::string_view unit, int digits = 4);

/// So many significant digits, to one side: advice that has to stay below or above a limit.
inline double rounded_down(double x, int digits = 2) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - (digits - 1));
  return std::floor(x / unit * (1 + 1e-12)) * unit;
}
inline double rounded_up(double x, int digits = 2) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - (digits - 1));
  return std::ceil(x / unit * (1 - 1e-12)) * unit;
}

}  // namespace asperity
