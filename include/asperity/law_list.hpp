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

/// What a law of the list has to be. What is missing is said in words, at the law that is wrong.
template <class L>
constexpr bool admitted() {
  using namespace law_parts;
  static_assert(has_types<L>, "a law has the types Scalar, Input, Force and State");
  if constexpr (has_types<L>) {
    static_assert(says_what_it_is<L>, "a law has a static constexpr About about, and an int dimension of at least 1");
    static_assert(starts<L>, "a law has State start() const noexcept");
    static_assert(reacts<L>, "a law has Reaction<Force, State> react(const State&, const Input&, const S& tau) const noexcept");
    static_assert(stores_and_is_bounded<L>,
                  "a law has S energy(state, input) const noexcept and a bound(state, input, tau) of its force");
    static_assert(describes_its_parameters<L>,
                  "a law has describe(field): field(name, value, unit, role | range, meaning) for each parameter");
    static_assert(names_its_states<L>,
                  "a law has static states(field, z...): field(name, unit, meaning, z.member...) for each state");
  }
  if constexpr (Law<L>) {
    static_assert(fully_described<L>, "a parameter is missing from describe(), or one is described twice");
    static_assert(every_role_is_said<L>(), "a parameter of describe() has no role: Role::limit | positive");
    return relations_are_sound<L>();
  }
  return Law<L>;
}
template <class List>
constexpr bool all_admitted() {
  bool all = true;
  List::each([&]<class L>() { all = all && admitted<L>(); });
  return all;
}

}  // namespace asperity
