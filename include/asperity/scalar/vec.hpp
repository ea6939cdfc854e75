// Small vectors for laws in the plane and in space. Vec<S, 1> is S itself, so that one text of a law serves all dimensions.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "asperity/scalar/words.hpp"

namespace asperity {

template <class S, int D>
struct VecN {
  std::array<S, D> x{};

  constexpr S& operator[](int i) noexcept { return x[static_cast<std::size_t>(i)]; }
  constexpr const S& operator[](int i) const noexcept { return x[static_cast<std::size_t>(i)]; }

  friend constexpr VecN operator+(const VecN& a, const VecN& b) noexcept {
    VecN c;
    for (int i = 0; i < D; ++i) c[i] = a[i] + b[i];
    return c;
  }
  friend constexpr VecN operator-(const VecN& a, const VecN& b) noexcept {
    VecN c;
    for (int i = 0; i < D; ++i) c[i] = a[i] - b[i];
    return c;
  }
  friend constexpr VecN operator-(const VecN& a) noexcept {
    VecN c;
    for (int i = 0; i < D; ++i) c[i] = -a[i];
    return c;
  }
  friend constexpr VecN operator*(const S& s, const VecN& a) noexcept {
    VecN c;
    for (int i = 0; i < D; ++i) c[i] = s * a[i];
    return c;
  }
  friend constexpr VecN operator/(const VecN& a, const S& s) noexcept {
    VecN c;
    for (int i = 0; i < D; ++i) c[i] = a[i] / s;
    return c;
  }
};

template <class S, int D>
using Vec = std::conditional_t<D == 1, S, VecN<S, D>>;

template <class S, int D>
constexpr S dot(const VecN<S, D>& a, const VecN<S, D>& b) noexcept {
  S sum = a[0] * b[0];
  for (int i = 1; i < D; ++i) sum = sum + a[i] * b[i];
  return sum;
}
template <class S>
constexpr S dot(const S& a, const S& b) noexcept {
  return a * b;
}

/// The Euclidean length; in one dimension the absolute value. (Not `norm`, which is the square of it for other scalars.)
template <class S, int D>
constexpr S magnitude(const VecN<S, D>& a) noexcept {
  const S length = sqrt(dot(a, a));
  return select(length == S(0.0), S(0.0), length);  // at zero the derivative is 0, not infinite
}
template <class S>
constexpr S magnitude(const S& a) noexcept {
  return abs(a);
}

/// sat(Z, x) of a vector: x if |x| <= Z, else Z x/|x|. The strict comparison makes sat(0, 0) = 0.
template <class S, int D>
constexpr VecN<S, D> sat(const S& Z, const VecN<S, D>& x) noexcept {
  const S length = magnitude(x);
  return select(length > Z, Z / length, S(1.0)) * x;
}

template <class S, int D>
constexpr VecN<S, D> ratio(const VecN<S, D>& x, const S& y) noexcept {
  VecN<S, D> c;
  for (int i = 0; i < D; ++i) c[i] = ratio(x[i], y);
  return c;
}

}  // namespace asperity
