// The outline of a formula of time, from its tree: min, max, abs, sign, step, floor, ceil, mod, sat, comparisons and choices switch
// where their arguments do, and intervals show that nothing has been overlooked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "asperity/formula/formula.hpp"
#include "asperity/system/outline.hpp"

namespace asperity {

/// Of a formula whose only name is `t`; of one that has others, of those parts that depend on nothing but t. Not found: the bends
/// of sqrt, hypot, asin, acos, atan2 and of powers, which do not jump; and a condition that holds at single times only (t == 2).
Outline outline_of(const Formula& formula);

/// ValueRange of a formula while each of its names stays within bounds, in the order of its names.
ValueRange bounds_of(const Formula& formula, std::span<const ValueRange> names);

/// The summands of a formula in which no other names than these and t occur, and one of these at least.
std::vector<Formula> summands_of(const Formula& formula, std::span<const std::string> names);

}  // namespace asperity
