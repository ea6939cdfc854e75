// Numbers in columns (structure of arrays): number c of item i stands at first + c * count + i.
#pragma once

#include <cstddef>

#include "asperity/scalar/dual.hpp"

namespace asperity {

/// Where the numbers of a pool stand in a flat array.
struct Columns {
  std::size_t first = 0;
  std::size_t count = 0;

  constexpr std::size_t at(std::size_t column, std::size_t item) const noexcept { return first + column * count + item; }
};

/// Every number of a port motion or of a force, in the order of the columns.
template <class F, class S>
constexpr void each_part(F&& f, S& number) requires(
    !requires { number.p; } && !requires { number.f; } && !requires { number.x; }) {
  f(number);
}
template <class F, class V>
constexpr void each_part(F&& f, V& vector) requires requires {
  vector.x;
}
{
  for (auto& number : vector.x) f(number);
}
template <class F, class M>
constexpr void each_part(F&& f, M& motion) requires requires {
  motion.p;
}
{
  each_part(f, motion.p);
  if constexpr (requires { motion.q; }) {
    f(motion.q.w);
    each_part(f, motion.q.u);
  }
  each_part(f, motion.v);
  if constexpr (requires { motion.w; }) each_part(f, motion.w);
}
template <class F, class W>
constexpr void each_part(F&& f, W& wrench) requires requires {
  wrench.f;
  wrench.m;
}
{
  each_part(f, wrench.f);
  each_part(f, wrench.m);
}

template <class T>
constexpr std::size_t parts() {
  std::size_t n = 0;
  T value{};
  each_part([&](auto&) { ++n; }, value);
  return n;
}

template <class T, class S>
constexpr T load(const S* numbers, const Columns& columns, std::size_t item) noexcept {
  T value{};
  std::size_t c = 0;
  each_part([&](S& x) { x = numbers[columns.at(c++, item)]; }, value);
  return value;
}
template <class T, class S>
constexpr void store(S* numbers, const Columns& columns, std::size_t item, const T& value) noexcept {
  std::size_t c = 0;
  each_part([&](const S& x) { numbers[columns.at(c++, item)] = x; }, value);
}
template <class T, class S>
constexpr void add(S* numbers, const Columns& columns, std::size_t item, const T& value) noexcept {
  std::size_t c = 0;
  each_part([&](const S& x) { numbers[columns.at(c++, item)] += x; }, value);
}

/// The scalar over which the pass gives its derivatives, eight directions at a time.
using Dual8 = Dual<8>;

/// The numbers of one instant: the flat state, and the motion of the prescribed bodies.
template <class S>
struct InstantOf {
  const S* state;
  const S* given;
};
using Instant = InstantOf<double>;

/// Some items of a pool, one after the other, and how far apart the columns stand in which numbers are handed from one to the next.
struct Slice {
  std::size_t begin, end, stride;

  constexpr std::size_t at(std::size_t column, std::size_t item) const noexcept { return column * stride + item - begin; }
};

}  // namespace asperity
