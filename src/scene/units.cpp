#include "asperity/scene/units.hpp"

namespace asperity {

std::optional<double> read_quantity(std::string_view, std::string_view, std::string&,
                                    const std::vector<std::pair<std::string, double>>&) {
  return std::nullopt;
}

}  // namespace asperity
