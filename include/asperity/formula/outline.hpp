// The outline of a formula of time, from its tree: min, max, abs, sign, step, floor, ceil, mod, sat, comparisons and choices switch
// where their arguments do, and intervals show that nothing has been overlooked.
#pragma once

#include <string>

#include "asperity/formula/formula.hpp"
#include "asperity/system/outline.hpp"

namespace asperity {

/// Of a formula whose only name is `t`; of one that has others, of those parts that depend on nothing but t. Not found: the bends
/// of sqrt, hypot, asin, acos, atan2 and of powers, which do not jump; and a condition that holds at single times only (t == 2).
Outline outline_of(const Formula& formula);

}  // namespace asperity
