// A list of laws as a type.
#pragma once

#include <cstddef>
#include <tuple>

#include "asperity/law.hpp"

namespace asperity {

template <class... Laws>
struct LawList {
  /// Calls visit.template operator()<Law>() for each.
  template <class Visit>
  static constexpr void each(Visit&& visit) {
    (visit.template operator()<Laws>(), ...);
  }
  static constexpr std::size_t size = sizeof...(Laws);
  template <std::size_t I>
  using at = std::tuple_element_t<I, std::tuple<Laws...>>;
};

/// What a law of the list has to be. Each is an error of its own, at the law that is wrong.
template <Law L>
constexpr bool admitted() {
  static_assert(fully_described<L>, "a parameter is missing from describe(), or one is described twice");
  static_assert(every_role_is_said<L>(), "a parameter of describe() has no role: Role::limit | positive");
  return relations_are_sound<L>();
}
template <class List>
constexpr bool all_admitted() {
  bool all = true;
  List::each([&]<class L>() { all = all && admitted<L>(); });
  return all;
}

}  // namespace asperity
