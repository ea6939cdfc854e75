// Quantities as users write them: "5 N/mm", "30 deg", "2 kN". Factors are separated by blanks, * or points; all that follows a
// slash divides, up to the end of the unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asperity {

/// The number in the wanted SI unit: "5 N/mm" in "N/m" is 5000. A number without a unit is in the wanted one. Nothing, and what is
/// wrong without the name of the quantity, if it cannot be: `"5 mm" is a length (m): must be N/m`. Exponents of the wanted unit may
/// have names, as in N/m^lambda; `exponents` has their values.
std::optional<double> read_quantity(std::string_view text, std::string_view wanted_unit, std::string& problem,
                                    const std::vector<std::pair<std::string, double>>& exponents = {});

}  // namespace asperity
