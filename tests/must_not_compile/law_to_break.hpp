// A small law in the dialect, for the tests to break: friction in proportion to speed up to a limit.
#pragma once

#include "asperity/law.hpp"

#if defined(BREAK) && defined(NO_REACT)
#define ANSWER answer
#else
#define ANSWER react
#endif

namespace asperity::testing {

template <class S>
struct LawToBreak {
  static constexpr About about{.name = "to_break", .kind = Kind::friction};
  static constexpr int dimension = 1;
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  using State = NoState;

  S F = S(1.0);
  S D = S(10.0);
#if defined(BREAK) && defined(UNDESCRIBED)
  S forgotten = S(1.0);
#endif

  constexpr State start() const noexcept { return {}; }
  constexpr Reaction<Force, State> ANSWER(const State&, const Input& slip, const S&) const noexcept {
#if defined(BREAK) && defined(BRANCH)
    if (slip.v > F / D) return {F, {}};
#endif
#if defined(BREAK) && defined(BARE)
    const S half = 0.5;
    return {half * D * slip.v, {}};
#endif
#if defined(BREAK) && defined(METRE_PLUS_NEWTON)
    return {F + slip.v, {}};
#endif
    return {sat(F * slip.load, D * slip.v), {}};
  }
  constexpr S energy(const State&, const Input&) const noexcept { return S(0.0); }
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return F * slip.load; }
  template <class Field>
  constexpr void describe(Field&& field) {
    field("F", F, "N", Role::limit | positive, "limit");
#if defined(BREAK) && defined(NO_ROLE)
    field("D", D, "N s/m", positive, "damping");
#else
    field("D", D, "N s/m", Role::viscosity | positive, "damping");
#endif
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
#if defined(BREAK) && defined(RELATION)
    relation("F", F, ">", "0", S(0.0));
#else
    relation("F", F, ">=", "0", S(0.0));
#endif
  }
  template <class Field, class... Z>
  static constexpr void states(Field&&, Z&...) {}
};

}  // namespace asperity::testing
