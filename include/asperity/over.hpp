// The same body, connection, law or element over another scalar: over<Dual<8>>(item) is the item with every number a constant of
// the new kind. What is made of templates over a scalar can be; what is written for double alone cannot, and says so.
#pragma once

#include <array>
#include <bit>
#include <type_traits>
#include <vector>

#include "asperity/law.hpp"

namespace asperity {

/// T with S in the place of Leaf.
template <class T, class S, class Leaf = double>
struct OverScalar {
  using type = T;
};
template <class S, class Leaf>
struct OverScalar<Leaf, S, Leaf> {
  using type = S;
};
template <template <class...> class T, class... A, class S, class Leaf>
struct OverScalar<T<A...>, S, Leaf> {
  using type = T<typename OverScalar<A, S, Leaf>::type...>;
};
template <template <class, int> class T, class A, int D, class S, class Leaf>
struct OverScalar<T<A, D>, S, Leaf> {
  using type = T<S, D>;
};
template <template <class, int, int> class T, class A, int N, int D, class S, class Leaf>
struct OverScalar<T<A, N, D>, S, Leaf> {
  using type = T<S, N, D>;
};
template <template <class, bool> class T, class A, bool B, class S, class Leaf>
struct OverScalar<T<A, B>, S, Leaf> {
  using type = T<S, B>;
};
template <template <class, int, template <class> class> class T, class A, int D, template <class> class Limit, class S, class Leaf>
struct OverScalar<T<A, D, Limit>, S, Leaf> {
  using type = T<S, D, Limit>;
};

template <class T, class S>
using Over = typename OverScalar<T, S>::type;

/// An item that is nothing but its numbers.
template <class T, class S>
concept MadeOfNumbers =
    std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0 && std::is_trivially_copyable_v<Over<T, S>> &&
    sizeof(Over<T, S>) == sizeof(T) / sizeof(double) * sizeof(S);

template <class T, class S>
concept HasOver = std::is_same_v<typename Over<T, S>::Scalar, S> &&
    (MadeOfNumbers<T, S> || requires(Over<T, S> other) { other.describe([](auto&&...) {}); });

template <class S, class T>
requires HasOver<T, S> Over<T, S> over(const T& item) {
  if constexpr (MadeOfNumbers<T, S>) {
    constexpr std::size_t n = sizeof(T) / sizeof(double);
    const auto from = std::bit_cast<std::array<double, n>>(item);
    std::array<S, n> to;
    for (std::size_t i = 0; i < n; ++i) to[i] = S(from[i]);
    return std::bit_cast<Over<T, S>>(to);
  } else {  // lists of a length known at run time
    std::vector<std::vector<double>> from;
    T copy = item;
    copy.describe([&](std::string_view, auto& value, std::string_view, const Range&, std::string_view) {
      from.emplace_back();
      each_number([&](double number) { from.back().push_back(number); }, value);
    });
    Over<T, S> other{};
    auto next = from.begin();
    other.describe([&](std::string_view, auto& value, std::string_view, const Range&, std::string_view) {
      if constexpr (requires { value.resize(next->size()); }) value.resize(next->size());
      auto number = (next++)->begin();
      each_number([&](S& to) { to = S(*number++); }, value);
    });
    return other;
  }
}

}  // namespace asperity
