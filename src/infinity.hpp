#pragma once

#include <limits>

namespace asperity {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace asperity
