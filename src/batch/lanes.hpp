// The scalar of the kernels: xsimd::batch with an instruction set of our own name, and the transcendental words of the laws.
//
// This header is compiled once for each instruction set. The tag (Baseline, Avx2, Avx512) is in the name of everything that is
// instantiated here, so that no function compiled for AVX can take the place of one that any machine must run.
//
// The words are found by argument-dependent lookup, through the tag, ahead of those of xsimd 8.1, which go lane by lane through
// integers on SSE2 and AVX2, differ between instruction sets (with and without FMA), and compile inline functions on plain
// doubles for AVX. These use only + - * / and bits, so that every instruction set gives the same numbers.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
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
using Bits = xsimd::batch<std::uint64_t, ASPERITY_ARCH>;

inline Bits bits(const Lanes& x) noexcept { return xsimd::bitwise_cast<Bits>(x); }
inline Lanes number(const Bits& x) noexcept { return xsimd::bitwise_cast<Lanes>(x); }

/// c[0] + c[1] x + c[2] x^2 + ..., neighbours first (Estrin): few operations wait for each other.
template <std::size_t N>
inline Lanes polynomial(const std::array<Lanes, N>& c, const Lanes& x) noexcept {
  if constexpr (N == 1) {
    return c[0];
  } else {
    std::array<Lanes, (N + 1) / 2> pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = 2 * i + 1 < N ? c[2 * i] + c[2 * i + 1] * x : c[2 * i];
    return polynomial(pairs, x * x);
  }
}

/// A power series by its rule; the number of terms is chosen so that the next one is below 1e-17 of the first.
template <std::size_t terms, class Rule>
inline Lanes series(const Lanes& x, Rule) noexcept {
  static constexpr auto numbers = [] {
    std::array<double, terms> list{};
    for (std::size_t i = 0; i < terms; ++i) list[i] = Rule{}(static_cast<int>(i));
    return list;
  }();
  std::array<Lanes, terms> c;
  for (std::size_t i = 0; i < terms; ++i) c[i] = Lanes(numbers[i]);
  return polynomial(c, x);
}

static constexpr double inverse_factorial(int n) noexcept {
  double product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return 1 / product;
}

// ln 2 and pi in parts of so few bits that their products with whole numbers are exact.
inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
inline constexpr double pi_high = 0x1.921fb544p+1, pi_middle = 0x1.0b4611a6p-33, pi_low = 0x1.3198a2e037073p-68;
/// Adding it rounds to a whole number and leaves that number in the lowest bits.
inline constexpr double whole = 0x1.8p52;

/// e^x = power + power rest, power = 2^k
struct Exponential {
  Lanes power, rest;
};
inline Exponential exponential(const Lanes& x) noexcept {
  const Lanes shifted = x * Lanes(1.4426950408889634) + Lanes(whole);
  const Lanes k = shifted - Lanes(whole);
  const Lanes r = (x - k * Lanes(ln2_high)) - k * Lanes(ln2_low);
  return {number((bits(shifted) + Bits(1023)) << 52), r + r * r * series<12>(r, [](int i) { return inverse_factorial(i + 2); })};
}

/// Below e^-708 it is 0, above e^709 infinity.
inline Lanes exp(const Lanes& x) noexcept {
  const Exponential e = exponential(x);
  const Lanes inside = xsimd::select(x > Lanes(709.0), Lanes(std::numeric_limits<double>::infinity()), e.power + e.power * e.rest);
  return xsimd::select(x < Lanes(-708.0), Lanes(0.0), inside);
}

/// (e^2|x| - 1)/(e^2|x| + 1), with the sign of x; beyond 20 it is 1.
inline Lanes tanh(const Lanes& x) noexcept {
  const Lanes size = xsimd::abs(x);
  const Exponential e = exponential(Lanes(2.0) * xsimd::select(size > Lanes(20.0), Lanes(20.0), size));
  const Lanes less_one = (e.power - Lanes(1.0)) + e.power * e.rest;
  const Lanes t = less_one / (less_one + Lanes(2.0));
  return xsimd::select(x < Lanes(0.0), -t, t);
}

/// Of a positive, finite x:  ln x = k ln 2 + 2 atanh(s),  x = 2^k m,  s = (m - 1)/(m + 1),  m within sqrt(1/2) and sqrt(2)
inline Lanes log(const Lanes& x) noexcept {
  const auto subnormal = x < Lanes(0x1p-1022);
  const Lanes normal = xsimd::select(subnormal, x * Lanes(0x1p54), x);
  const Bits biased = bits(normal) + Bits(0x3ff0000000000000 - 0x3fe6a09e667f3bcd);  // the exponent field is k + 1023
  const Bits exponent = biased >> 52;
  const Lanes k =
      (number(exponent | Bits(0x4330000000000000)) - Lanes(0x1p52 + 1023)) - xsimd::select(subnormal, Lanes(54.0), Lanes(0.0));
  const Lanes m = number(bits(normal) - (exponent << 52) + Bits(0x3ff0000000000000));
  const Lanes s = (m - Lanes(1.0)) / (m + Lanes(1.0)), s2 = s * s;
  const Lanes rest = s2 * series<10>(s2, [](int i) { return 2.0 / (2 * i + 3); });
  return k * Lanes(ln2_high) + (s * rest + k * Lanes(ln2_low) + Lanes(2.0) * s);
}

/// For x >= 0 and y > 0, as laws use it; a negative x gives NaN.
inline Lanes pow(const Lanes& x, const Lanes& y) noexcept {
  const auto inside = x > Lanes(0.0) && x < Lanes(std::numeric_limits<double>::infinity());
  const Lanes outside = xsimd::select(x >= Lanes(0.0), x, Lanes(std::numeric_limits<double>::quiet_NaN()));
  return xsimd::select(inside, exp(y * log(x)), outside);
}

/// Where reducing by pi in three parts is not exact enough, the C library takes over.
inline Lanes sin(const Lanes& x) noexcept {
  if (xsimd::any(!(xsimd::abs(x) < Lanes(1e6)))) {
    alignas(Lanes) double each[Lanes::size];
    x.store_aligned(each);
    for (double& one : each) one = std::sin(one);
    return Lanes::load_aligned(each);
  }
  const Lanes shifted = x * Lanes(0.31830988618379067) + Lanes(whole);
  const Lanes k = shifted - Lanes(whole);
  const Lanes r = ((x - k * Lanes(pi_high)) - k * Lanes(pi_middle)) - k * Lanes(pi_low), r2 = r * r;
  const Lanes s = r + r * r2 * series<10>(r2, [](int i) { return (i % 2 ? 1 : -1) * inverse_factorial(2 * i + 3); });
  return number(bits(s) ^ (bits(shifted) << 63));  // odd k change the sign
}

}  // namespace asperity::simd
