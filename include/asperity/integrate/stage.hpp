#pragma once

#include <numbers>

namespace asperity {

/// The length of a stage of implicit2, of the step: L-stable and of order 2.   [alexander1977]
inline constexpr double implicit2_stage = 1 - 1 / std::numbers::sqrt2;

}  // namespace asperity
