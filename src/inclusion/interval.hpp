// Between which numbers a formula stays, whatever its names are: enough to see that a friction limit is never negative.
#pragma once

#include <functional>
#include <limits>

#include "asperity/formula/formula.hpp"

namespace asperity {

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// `leaf` knows the names and the functions that formulas do not; of other nodes it may know something, too.
Interval interval_of(const Node& node, const std::function<Interval(const Node&)>& leaf);

/// Whether a formula of continuous leaves cannot be seen to be continuous.
bool may_jump(const Node& node, const std::function<Interval(const Node&)>& leaf);

}  // namespace asperity
