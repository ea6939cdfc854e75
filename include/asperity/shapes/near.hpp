// Which of many shapes are near each other.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "asperity/shapes/shape.hpp"

namespace asperity {

/// Every pair of bounds that meet, the lower number first, in order. Sweep and prune along the axis on which they lie farthest
/// apart: as fast as a bounding-volume tree for bodies of similar size.
std::vector<std::pair<std::uint32_t, std::uint32_t>> near_pairs(std::span<const Bounds> all);

}  // namespace asperity
