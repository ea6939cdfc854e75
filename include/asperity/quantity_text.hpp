// Numbers with units as people read them: 5.12 mm.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace asperity {

/// So many significant digits, with a prefix where the unit takes one: "5.12 mm", "1.6 kg", "0 N", "3e-17 J".
std::string quantity_text(double value, std::string_view unit, int digits = 4);
/// Components of one vector, all with the prefix of the largest: "77.17, 12.23, 0 mm".
std::string quantity_text(std::span<const double> values, std::string_view unit, int digits = 4);

}  // namespace asperity
