// A number and its rate: geometry evaluated on it tells how gaps and normals change while the bodies move.
#pragma once

#include "asperity/shapes/shape.hpp"

namespace asperity {

template <class S>
struct Moving {
  S a{}, rate{};

  constexpr Moving() = default;
  constexpr Moving(double value) noexcept : a(value) {}  // NOLINT(google-explicit-constructor): a constant is a number
  constexpr Moving(const S& value, const S& slope) noexcept : a(value), rate(slope) {}

  friend constexpr Moving operator-(const Moving& x) noexcept { return {-x.a, -x.rate}; }
  friend constexpr Moving operator+(const Moving& x, const Moving& y) noexcept { return {x.a + y.a, x.rate + y.rate}; }
  friend constexpr Moving operator-(const Moving& x, const Moving& y) noexcept { return {x.a - y.a, x.rate - y.rate}; }
  friend constexpr Moving operator*(const Moving& x, const Moving& y) noexcept { return {x.a * y.a, x.rate * y.a + x.a * y.rate}; }
  friend constexpr Moving operator/(const Moving& x, const Moving& y) noexcept {
    const S value = x.a / y.a;
    return {value, (x.rate - value * y.rate) / y.a};
  }
  friend constexpr bool operator<(const Moving& x, const Moving& y) noexcept { return x.a < y.a; }
  friend constexpr bool operator>(const Moving& x, const Moving& y) noexcept { return x.a > y.a; }
  friend constexpr bool operator<=(const Moving& x, const Moving& y) noexcept { return x.a <= y.a; }
  friend constexpr bool operator>=(const Moving& x, const Moving& y) noexcept { return x.a >= y.a; }
  friend constexpr bool operator==(const Moving& x, const Moving& y) noexcept { return x.a == y.a; }
  friend constexpr Moving abs(const Moving& x) noexcept { return x.a < S(0.0) ? -x : x; }
  friend Moving sqrt(const Moving& x) noexcept {
    const S value = sqrt(x.a);
    return {value, S(0.5) * x.rate / value};
  }
};

/// The pose of a body that moves.
template <class S>
constexpr Pose<Moving<S>> moving(const Frame<S>& z, const Quaternion<S>& turning) noexcept {
  const auto vector = [](const VecN<S, 3>& a, const VecN<S, 3>& rate) {
    VecN<Moving<S>, 3> both;
    for (int i = 0; i < 3; ++i) both[i] = {a[i], rate[i]};
    return both;
  };
  return {vector(z.p, z.v), {{z.q.w, turning.w}, vector(z.q.u, turning.u)}};
}

}  // namespace asperity
