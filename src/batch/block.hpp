// Lanes of columns: the items that a kernel works on together. For kernels only; nothing here leaves the object it is compiled
// into.
#pragma once

#include "batch/lanes.hpp"

// A call inside a kernel throws all lanes out of the registers. (Sanitized code is too large to be put into one function.)
#ifdef __SANITIZE_ADDRESS__
#define ASPERITY_FLATTEN
#else
#define ASPERITY_FLATTEN [[gnu::flatten]]
#endif

namespace asperity::simd {
namespace {

/// Lanes::size items, or the fewer that are left at the end; the lanes that are left over repeat the last item.
template <bool whole>
struct LaneBlock {
  std::size_t first, count;

  Lanes load(const double* column) const noexcept {
    if constexpr (whole) return Lanes::load_unaligned(column + first);
    alignas(Lanes) double padded[Lanes::size];
    for (std::size_t i = 0; i < Lanes::size; ++i) padded[i] = column[first + (i < count ? i : count - 1)];
    return Lanes::load_aligned(padded);
  }
  void store(double* column, const Lanes& numbers) const noexcept {
    if constexpr (whole) return numbers.store_unaligned(column + first);
    alignas(Lanes) double padded[Lanes::size];
    numbers.store_aligned(padded);
    for (std::size_t i = 0; i < count; ++i) column[first + i] = padded[i];
  }
};

}  // namespace
}  // namespace asperity::simd
