// Numbers to pixels: ranges, ticks, prefixes.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "asperity/plot.hpp"

namespace asperity::plot {

struct Scale {
  double low, high;           // in the unit of the data
  double factor;              // shown number = data number * factor
  std::string label;          // "position [µm]"
  std::vector<double> ticks;  // in the unit of the data
  std::vector<std::string> tick_labels;
  bool log = false;

  double fraction(double value) const { return log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low); }
};

/// A scale for all values of one axis.
Scale scale_of(const Axis& axis, const std::vector<const std::vector<double>*>& data, int tick_count);

}  // namespace asperity::plot
