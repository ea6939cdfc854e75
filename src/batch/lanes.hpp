// The scalar of the kernels: xsimd::batch with an instruction set of our own name, and the words that xsimd lacks.
//
// This header is compiled once for each instruction set. The tag (Baseline, Avx2, Avx512) is in the name of everything that is
// instantiated here, so that no function compiled for AVX can take the place of one that any machine must run.
#pragma once

#include <cmath>
#include <xsimd/xsimd.hpp>

namespace asperity::simd {

struct ASPERITY_ARCH : ASPERITY_XSIMD_ARCH {};

}  // namespace asperity::simd

namespace xsimd::types {

XSIMD_DECLARE_SIMD_REGISTER_ALIAS(asperity::simd::ASPERITY_ARCH, ASPERITY_XSIMD_ARCH);
template <class T>
struct get_bool_simd_register<T, asperity::simd::ASPERITY_ARCH> : get_bool_simd_register<T, ASPERITY_XSIMD_ARCH> {};

}  // namespace xsimd::types

namespace asperity::simd {

using Lanes = xsimd::batch<double, ASPERITY_ARCH>;

// Words found by argument-dependent lookup, through the tag, ahead of those of xsimd.

/// xsimd reduces large arguments by inline functions on plain doubles, which must not be compiled for AVX (see above). Here the
/// argument is reduced by pi in three parts, the first two of 32 bits; where this is not exact enough the C library takes over.
inline Lanes sin(const Lanes& x) noexcept {
  if (xsimd::any(!(xsimd::abs(x) < Lanes(1e6)))) {
    alignas(Lanes) double each[Lanes::size];
    x.store_aligned(each);
    for (double& one : each) one = std::sin(one);
    return Lanes::load_aligned(each);
  }
  const Lanes turns = xsimd::nearbyint(x * Lanes(0.31830988618379067));
  const Lanes r = ((x - turns * Lanes(0x1.921fb544p+1)) - turns * Lanes(0x1.0b4611a6p-33)) - turns * Lanes(0x1.3198a2e037073p-68);
  const Lanes r2 = r * r;
  Lanes series(1.0);  // 1 - r^2/(2 3) (1 - r^2/(4 5) (1 - ...)): the next term is below 1e-18
  for (int k = 20; k > 0; k -= 2) series = xsimd::fma(series, r2 * Lanes(-1.0 / (k * (k + 1))), Lanes(1.0));
  const Lanes half_turns = Lanes(0.5) * turns;
  return xsimd::select(half_turns == xsimd::floor(half_turns), r * series, -r * series);
}

}  // namespace asperity::simd
