// Quantities as users write them: "5 N/mm", "30 deg", "2 kN", "9.81 m/s^2". Factors of a unit are separated by blanks or *; all
// that follows a slash divides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asperity {

/// The number in the wanted SI unit: "5 N/mm" in "N/m" is 5000. A number without a unit is in the wanted one. Nothing, and why, if
/// it cannot be: `is a length (m): must be N/m`, to stand behind the name and the text. Exponents in a unit may have names, as in
/// N/m^lambda; `exponents` has their values.
std::optional<double> read_quantity(std::string_view text, std::string_view wanted_unit, std::string& problem,
                                    const std::vector<std::pair<std::string, double>>& exponents = {});

/// A number and something like a unit behind it; no formula looks so.
bool is_quantity(std::string_view text);

}  // namespace asperity
