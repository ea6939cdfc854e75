// The scalar of the kernels: xsimd::batch with an instruction set of our own name, and the transcendental words of the laws.
//
// This header is compiled once for each instruction set. The tag (Baseline, Avx2, Avx512) is in the name of everything that is
// instantiated here, so that no function compiled for AVX can take the place of one that any machine must run.
//
// The words are found by argument-dependent lookup, through the tag, ahead of those of xsimd 8.1, which go lane by lane through
// integers on SSE2 and AVX2 and compile inline functions on plain doubles for AVX. A law waits for its exp(-pow(x, y)) before it
// can do anything else, so what counts here is not how many operations there are but how many of them wait for each other.
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

/// As scalar/words.hpp has them, to the sign of a zero: x where they are equal. (The instruction gives its second operand there.)
inline Lanes min(const Lanes& x, const Lanes& y) noexcept { return xsimd::min(y, x); }
inline Lanes max(const Lanes& x, const Lanes& y) noexcept { return xsimd::max(y, x); }

/// a b + c, in one operation where there is one (xsimd 8.1 has none for AVX-512).
inline Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) noexcept {
#ifdef __AVX512F__
  return Lanes(_mm512_fmadd_pd(a, b, c));
#else
  return xsimd::fma(a, b, c);
#endif
}

/// c[0] + c[1] x + c[2] x^2 + ..., neighbours first (Estrin).
template <std::size_t N>
inline Lanes polynomial(const std::array<Lanes, N>& c, const Lanes& x) noexcept {
  if constexpr (N == 1) {
    return c[0];
  } else {
    std::array<Lanes, (N + 1) / 2> pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = 2 * i + 1 < N ? fma(c[2 * i + 1], x, c[2 * i]) : c[2 * i];
    return polynomial(pairs, x * x);
  }
}

/// A power series by its rule; as many terms as it takes for the next one to be below 1e-17 of the first.
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
static constexpr double power(double x, int n) noexcept {
  double product = 1;
  for (int i = 0; i < n; ++i) product *= x;
  return product;
}

inline constexpr double ln2 = 0.6931471805599453, log2e = 1.4426950408889634, inverse_pi = 0.31830988618379067;
// ln 2 and pi in parts of so few bits that their products with whole numbers are exact.
inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
inline constexpr double pi_high = 0x1.921fb544p+1, pi_middle = 0x1.0b4611a6p-33, pi_low = 0x1.3198a2e037073p-68;
/// Adding it rounds to a whole number and leaves that number in the lowest bits.
inline constexpr double whole = 0x1.8p52;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// x 2^k, where k are the lowest bits of `shifted`
inline Lanes scaled(const Lanes& x, const Lanes& shifted) noexcept { return number(bits(x) + (bits(shifted) << 52)); }

/// Below e^-708 it is 0, above e^709 infinity.
inline Lanes exp(const Lanes& x) noexcept {
  const Lanes shifted = fma(x, Lanes(log2e), Lanes(whole)), k = shifted - Lanes(whole);
  const Lanes r = fma(k, Lanes(-ln2_low), fma(k, Lanes(-ln2_high), x));
  // The 1 comes last: near zero, where laws subtract it again, the result is as good as rounding allows.
  const Lanes less_one = fma(r * r, series<12>(r, [](int i) { return inverse_factorial(i + 2); }), r);
  const Lanes beyond = xsimd::select(x < Lanes(0.0), Lanes(0.0), x * Lanes(infinity));
  return xsimd::select(x >= Lanes(-708.0) && x <= Lanes(709.0), scaled(Lanes(1.0) + less_one, shifted), beyond);
}

/// (e^2|x| - 1)/(e^2|x| + 1), with the sign of x; beyond 20 it is 1.
inline Lanes tanh(const Lanes& x) noexcept {
  const Lanes size = xsimd::abs(x), y = Lanes(2.0) * xsimd::select(size > Lanes(20.0), Lanes(20.0), size);
  const Lanes shifted = fma(y, Lanes(log2e), Lanes(whole)), k = shifted - Lanes(whole);
  const Lanes r = fma(k, Lanes(-ln2_low), fma(k, Lanes(-ln2_high), y));
  const Lanes two_to_k = scaled(Lanes(1.0), shifted);
  const Lanes less_one = (two_to_k - Lanes(1.0)) + two_to_k * (r * series<13>(r, [](int i) { return inverse_factorial(i + 1); }));
  const Lanes t = less_one / (less_one + Lanes(2.0));
  return xsimd::select(x < Lanes(0.0), -t, t);
}

/// Of a positive, normal, finite x:  log2 x = k + 2 atanh(s)/ln 2,  x = 2^k m,  s = (m - 1)/(m + 1),  m from sqrt(1/2) to sqrt(2)
inline Lanes log2(const Lanes& x) noexcept {
  const Bits exponent = (bits(x) + Bits(0x3ff0000000000000 - 0x3fe6a09e667f3bcd)) >> 52;  // k + 1023
  const Lanes k = number(exponent | Bits(0x4330000000000000)) - Lanes(0x1p52 + 1023);
  const Lanes m = number(bits(x) + Bits(0x3ff0000000000000) - (exponent << 52));
  const Lanes s = (m - Lanes(1.0)) / (m + Lanes(1.0));
  // 2 atanh(s)/(s ln 2) in s^2, interpolated at the Chebyshev nodes of its range: 1e-18 with eight terms, where its series needs
  // eleven, and eight are one wait less.
  static constexpr double terms[] = {2.8853900817779268, 0.9617966939259898,  0.577078016345514,   0.4121985858422942,
                                     0.3205985347650481, 0.26233436060329546, 0.22091286734180157, 0.21366122502798326};
  std::array<Lanes, 8> c;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = Lanes(terms[i]);
  return fma(s, polynomial(c, s * s), k);
}

/// For x >= 0 and y > 0, as laws use it; a negative x gives NaN. What is below 2^-1021 counts as 0, above 2^1023 as infinity.
inline Lanes general_pow(const Lanes& x, const Lanes& y) noexcept {
  const auto normal = x >= Lanes(0x1p-1022) && x < Lanes(infinity);
  const Lanes exponent = y * log2(x);
  const Lanes shifted = exponent + Lanes(whole), r = exponent - (shifted - Lanes(whole));
  const Lanes two_to_r = series<14>(r, [](int i) { return power(ln2, i) * inverse_factorial(i); });
  // What the result is if 2^exponent is not: none of it has to wait for the series.
  const Lanes beyond = xsimd::select(exponent < Lanes(0.0), Lanes(0.0), exponent * Lanes(infinity));
  const Lanes abnormal = xsimd::select(x < Lanes(0.0), Lanes(std::numeric_limits<double>::quiet_NaN()), x);
  return xsimd::select(normal && exponent >= Lanes(-1021.0) && exponent <= Lanes(1023.0), scaled(two_to_r, shifted),
                       xsimd::select(normal, beyond, abnormal));
}

/// The same short cuts as scalar/words.hpp has; a lane's number does not depend on the exponents of its neighbours.
inline Lanes pow(const Lanes& x, const Lanes& y) noexcept {
  const auto is_2 = y == Lanes(2.0), is_1_5 = y == Lanes(1.5), is_1 = y == Lanes(1.0);
  if (xsimd::all(is_2)) return x * x;
  if (xsimd::all(is_1_5)) return x * xsimd::sqrt(x);
  if (xsimd::all(is_1)) return x;
  const Lanes other = general_pow(x, y);
  return xsimd::select(is_2, x * x, xsimd::select(is_1_5, x * xsimd::sqrt(x), xsimd::select(is_1, x, other)));
}

/// Where reducing by pi in three parts is not exact enough, the C library takes over.
inline Lanes sin(const Lanes& x) noexcept {
  if (xsimd::any(!(xsimd::abs(x) < Lanes(1e6)))) {
    alignas(Lanes) double each[Lanes::size];
    x.store_aligned(each);
    for (double& one : each) one = std::sin(one);
    return Lanes::load_aligned(each);
  }
  const Lanes shifted = fma(x, Lanes(inverse_pi), Lanes(whole)), k = shifted - Lanes(whole);
  const Lanes r = fma(k, Lanes(-pi_low), fma(k, Lanes(-pi_middle), fma(k, Lanes(-pi_high), x))), r2 = r * r;
  const Lanes s = fma(r * r2, series<10>(r2, [](int i) { return (i % 2 ? 1 : -1) * inverse_factorial(2 * i + 3); }), r);
  return number(bits(s) ^ (bits(shifted) << 63));  // odd k change the sign
}

}  // namespace asperity::simd
