// A number with its derivatives in N directions: a + v[0] e0 + ... with e_i e_j = 0. The words of words.hpp come by
// argument-dependent lookup, so that a law, a connection, a body or a formula runs on it as it stands.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "asperity/scalar/words.hpp"

namespace asperity {

template <int N>
struct Dual {
  double a = 0;
  std::array<double, N> v{};

  constexpr Dual() = default;
  constexpr Dual(double value) noexcept : a(value) {}  // NOLINT(google-explicit-constructor): a constant is a number
  /// The variable of direction i.
  static constexpr Dual variable(double value, std::size_t i) noexcept {
    Dual x(value);
    x.v[i] = 1;
    return x;
  }

  constexpr Dual& operator+=(const Dual& y) noexcept { return *this = *this + y; }
  constexpr Dual& operator-=(const Dual& y) noexcept { return *this = *this - y; }

  friend constexpr Dual operator+(const Dual& x) noexcept { return x; }
  friend constexpr Dual operator-(const Dual& x) noexcept { return chain(x, -x.a, -1); }
  friend constexpr Dual operator+(const Dual& x, const Dual& y) noexcept { return chain(x, y, x.a + y.a, 1, 1); }
  friend constexpr Dual operator-(const Dual& x, const Dual& y) noexcept { return chain(x, y, x.a - y.a, 1, -1); }
  friend constexpr Dual operator*(const Dual& x, const Dual& y) noexcept { return chain(x, y, x.a * y.a, y.a, x.a); }
  friend constexpr Dual operator/(const Dual& x, const Dual& y) noexcept {
    const double value = x.a / y.a;
    return chain(x, y, value, 1 / y.a, -value / y.a);
  }

  friend constexpr bool operator<(const Dual& x, const Dual& y) noexcept { return x.a < y.a; }
  friend constexpr bool operator>(const Dual& x, const Dual& y) noexcept { return x.a > y.a; }
  friend constexpr bool operator<=(const Dual& x, const Dual& y) noexcept { return x.a <= y.a; }
  friend constexpr bool operator>=(const Dual& x, const Dual& y) noexcept { return x.a >= y.a; }
  friend constexpr bool operator==(const Dual& x, const Dual& y) noexcept { return x.a == y.a; }
  friend constexpr bool operator!=(const Dual& x, const Dual& y) noexcept { return x.a != y.a; }

  /// Number by number: a choice that depends on data is no branch to be guessed wrong.
  friend constexpr Dual select(bool condition, const Dual& yes, const Dual& no) noexcept {
    Dual z(condition ? yes.a : no.a);
    for (std::size_t i = 0; i < N; ++i) z.v[i] = condition ? yes.v[i] : no.v[i];
    return z;
  }
  friend Dual abs(const Dual& x) noexcept { return x.a < 0 ? -x : x; }
  friend Dual exp(const Dual& x) noexcept {
    const double value = std::exp(x.a);
    return chain(x, value, value);
  }
  friend Dual log(const Dual& x) noexcept { return chain(x, std::log(x.a), 1 / x.a); }
  friend Dual sqrt(const Dual& x) noexcept {
    const double value = std::sqrt(x.a);
    return chain(x, value, 0.5 / value);
  }
  friend Dual sin(const Dual& x) noexcept { return chain(x, std::sin(x.a), std::cos(x.a)); }
  friend Dual cos(const Dual& x) noexcept { return chain(x, std::cos(x.a), -std::sin(x.a)); }
  friend Dual tanh(const Dual& x) noexcept {
    const double value = std::tanh(x.a);
    return chain(x, value, 1 - value * value);
  }
  friend Dual tan(const Dual& x) noexcept {
    const double value = std::tan(x.a);
    return chain(x, value, 1 + value * value);
  }
  friend Dual asin(const Dual& x) noexcept { return chain(x, std::asin(x.a), 1 / std::sqrt(1 - x.a * x.a)); }
  friend Dual acos(const Dual& x) noexcept { return chain(x, std::acos(x.a), -1 / std::sqrt(1 - x.a * x.a)); }
  friend Dual atan(const Dual& x) noexcept { return chain(x, std::atan(x.a), 1 / (1 + x.a * x.a)); }
  friend Dual atan2(const Dual& y, const Dual& x) noexcept {
    const double square = x.a * x.a + y.a * y.a;
    return chain(y, x, std::atan2(y.a, x.a), x.a / square, -y.a / square);
  }
  friend Dual hypot(const Dual& x, const Dual& y) noexcept {
    const double value = std::hypot(x.a, y.a);
    return value == 0 ? Dual(0.0) : chain(x, y, value, x.a / value, y.a / value);
  }
  friend Dual sinh(const Dual& x) noexcept { return chain(x, std::sinh(x.a), std::cosh(x.a)); }
  friend Dual cosh(const Dual& x) noexcept { return chain(x, std::cosh(x.a), std::sinh(x.a)); }
  friend Dual log10(const Dual& x) noexcept { return chain(x, std::log10(x.a), 1 / (std::numbers::ln10 * x.a)); }
  friend Dual floor(const Dual& x) noexcept { return Dual(std::floor(x.a)); }
  friend Dual ceil(const Dual& x) noexcept { return Dual(std::ceil(x.a)); }
  /// A constant exponent or base leaves no trace of the logarithm or the power that would not be a number there.
  friend Dual pow(const Dual& x, const Dual& y) noexcept {
    const bool fixed = y.is_constant();
    if (fixed && y.a == 2.0) return chain(x, x.a * x.a, 2 * x.a);
    if (fixed && y.a == 1.5) return chain(x, x.a * std::sqrt(x.a), 1.5 * std::sqrt(x.a));
    if (fixed && y.a == 1.0) return x;
    const double value = std::pow(x.a, y.a);
    const double by_y = fixed ? 0 : x.a == 0 ? 0 : value * std::log(x.a);
    return chain(x, y, value, x.is_constant() ? 0 : y.a == 0 ? 0 : y.a * std::pow(x.a, y.a - 1), by_y);
  }

  constexpr bool is_constant() const noexcept {
    for (const double d : v)
      if (d != 0) return false;
    return true;
  }

  /// f(x) and f(x, y) with value f and derivatives by x and y.
  static constexpr Dual chain(const Dual& x, double f, double by_x) noexcept {
    Dual z(f);
    for (std::size_t i = 0; i < N; ++i) z.v[i] = by_x * x.v[i];
    return z;
  }
  static constexpr Dual chain(const Dual& x, const Dual& y, double f, double by_x, double by_y) noexcept {
    Dual z(f);
    for (std::size_t i = 0; i < N; ++i) z.v[i] = by_x * x.v[i] + by_y * y.v[i];
    return z;
  }
};

}  // namespace asperity
