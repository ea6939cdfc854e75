// Charts to choose parameters by: restitution of a linear contact, stable stiffness of friction, stiffness that holds an
// oscillating load.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asperity/plot.hpp"

namespace asperity::design {

struct Chart {
  std::string name;  // "stability"
  plot::Figure figure;
};
std::vector<Chart> charts();

/// NAME.svg for each; the folder is made. Returns the problem, if there is one.
std::optional<std::string> write_charts(const std::vector<Chart>& charts, const std::string& folder);

}  // namespace asperity::design
