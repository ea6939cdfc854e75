// Whether a law is made of arithmetic alone: + - * / sqrt, comparisons. Then its numbers in SIMD lanes are those of the plain loop,
// bit for bit. exp, pow and their like have words of their own in lanes (src/batch/lanes.hpp), with other last bits.
#pragma once

#include <type_traits>

#include "asperity/over.hpp"

namespace asperity {

/// A scalar without a value. A law over it is a constant expression unless it needs more than arithmetic.
struct Arithmetic {
  constexpr Arithmetic() = default;
  constexpr explicit Arithmetic(double /*value*/) {}

  friend constexpr Arithmetic operator+(Arithmetic, Arithmetic) noexcept { return {}; }
  friend constexpr Arithmetic operator-(Arithmetic, Arithmetic) noexcept { return {}; }
  friend constexpr Arithmetic operator*(Arithmetic, Arithmetic) noexcept { return {}; }
  friend constexpr Arithmetic operator/(Arithmetic, Arithmetic) noexcept { return {}; }
  friend constexpr Arithmetic operator-(Arithmetic) noexcept { return {}; }
  friend constexpr bool operator<(Arithmetic, Arithmetic) noexcept { return true; }
  friend constexpr bool operator>(Arithmetic, Arithmetic) noexcept { return true; }
  friend constexpr bool operator<=(Arithmetic, Arithmetic) noexcept { return true; }
  friend constexpr bool operator>=(Arithmetic, Arithmetic) noexcept { return true; }
  friend constexpr bool operator==(Arithmetic, Arithmetic) noexcept { return true; }
  friend constexpr Arithmetic abs(Arithmetic) noexcept { return {}; }
  friend constexpr Arithmetic sqrt(Arithmetic) noexcept { return {}; }
  // No constant expressions, and never called.
  friend Arithmetic exp(Arithmetic) noexcept;
  friend Arithmetic pow(Arithmetic, Arithmetic) noexcept;
  friend Arithmetic sin(Arithmetic) noexcept;
  friend Arithmetic tanh(Arithmetic) noexcept;
};

template <class Law>
concept MadeOfArithmetic = requires {
  typename std::bool_constant<(Law{}.react(Law{}.start(), typename Law::Input{}, Arithmetic{}), true)>;
};

/// Of a law over double. One of lists whose length is not known here counts as more.
template <class Law>
inline constexpr bool arithmetic_only = MadeOfArithmetic<Over<Law, Arithmetic>>;

}  // namespace asperity
