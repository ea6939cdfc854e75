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
    else return load_some(column + first, count);
  }
  void store(double* column, const Lanes& numbers) const noexcept {
    if constexpr (whole) numbers.store_unaligned(column + first);
    else store_some(column + first, numbers, count);
  }

 private:
  // The last block of a pool, not inlined: it comes once, and would double the code of every kernel.
  [[gnu::noinline]] static Lanes load_some(const double* from, std::size_t items) noexcept {
    alignas(Lanes) double padded[Lanes::size];
    for (std::size_t i = 0; i < Lanes::size; ++i) padded[i] = from[i < items ? i : items - 1];
    return Lanes::load_aligned(padded);
  }
  [[gnu::noinline]] static void store_some(double* to, const Lanes& numbers, std::size_t items) noexcept {
    alignas(Lanes) double padded[Lanes::size];
    numbers.store_aligned(padded);
    for (std::size_t i = 0; i < items; ++i) to[i] = padded[i];
  }
};

}  // namespace
}  // namespace asperity::simd
