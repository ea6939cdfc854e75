// The words a law may use. A law is written over a scalar S and says only these: + - * / comparisons select min max abs
// exp pow sqrt sin tanh sign ratio sat. They work for double and float here; every other scalar (ceres::Jet,
// xsimd::batch, the test scalars) brings its own by argument-dependent lookup, and gets the rest from `select`.
#pragma once

#include <cmath>
#include <concepts>

namespace asperity {

using std::abs;
using std::exp;
using std::sin;
using std::sqrt;
using std::tanh;

/// x^y. The exponents that laws have are no matter for the library's pow, which takes longer than the rest of a law: 1, 3/2
/// (spheres that touch), 2 (the Stribeck curve).
template <std::floating_point S>
S pow(S x, S y) noexcept {
  if (y == S(2.0)) return x * x;
  if (y == S(1.5)) return x * std::sqrt(x);
  return y == S(1.0) ? x : std::pow(x, y);
}

/// One of two numbers, never a branch on a number: a scalar whose comparisons are masks brings its own.
template <class S>
constexpr S select(bool condition, const S& yes, const S& no) noexcept {
  return condition ? yes : no;
}

template <class S>
constexpr S min(const S& x, const S& y) noexcept {
  return select(y < x, y, x);
}

template <class S>
constexpr S max(const S& x, const S& y) noexcept {
  return select(x < y, y, x);
}

/// -1, 0 or 1: the single-valued choice, zero at zero.
template <class S>
constexpr S sign(const S& x) noexcept {
  return select(x > S(0.0), S(1.0), select(x < S(0.0), S(-1.0), S(0.0)));
}

/// x/y, and 0 where y = 0: for limits that vanish together with the load.
template <class S>
constexpr S ratio(const S& x, const S& y) noexcept {
  return select(y == S(0.0), S(0.0), x / y);
}

/// sat(Z, x): x within [-Z, Z], else the nearer end. y in Z sgn(x - y) <=> y = sat(Z, x)  [xiong2013 Theorem 1]
template <class S>
constexpr S sat(const S& Z, const S& x) noexcept {
  return max(-Z, min(Z, x));
}

/// A constant with a unit: a scalar that carries units brings its own.
template <class S>
constexpr S seconds(double value) noexcept {
  return S(value);
}

}  // namespace asperity
