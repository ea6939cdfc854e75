// Friction limits: how much a sliding surface resists at a given speed. Shared by every law that needs one.
#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// Coulomb: g = F.
template <class S>
struct Coulomb {
  S F = S(1.0);

  constexpr S limit(const S& /*speed*/) const noexcept { return F; }
  constexpr S highest() const noexcept { return F; }
  constexpr S lowest() const noexcept { return F; }

  template <class Field>
  static constexpr void describe(S& F, Field&& field) {
    field("F", F, "N", Role::limit | positive, "sliding friction");
  }
  template <class Field>
  constexpr void describe_limit(Field&& field) {
    describe(F, field);
  }
  template <class Relation>
  constexpr void limit_relations(Relation&&) const {}
};

/// Stribeck: g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)      [xiong2013 (4.2)]. With F_s = F_c it is Coulomb friction.
template <class S>
struct Stribeck {
  S F_c = S(1.0);
  S F_s = S(1.5);
  S v_s = S(1e-3);
  S alpha = S(2.0);

  constexpr S limit(const S& speed) const noexcept { return F_c + (F_s - F_c) * exp(-pow((S(1.0) / v_s) * speed, alpha)); }
  constexpr S highest() const noexcept { return F_s; }
  constexpr S lowest() const noexcept { return F_c; }

  template <class Field>
  constexpr void describe_limit(Field&& field) {
    field("F_c", F_c, "N", Role::limit | positive, "kinetic friction, the limit at high speed");
    field("F_s", F_s, "N", Role::limit | positive, "static friction, the limit at rest");
    field("v_s", v_s, "m/s", Role::speed | positive, "Stribeck velocity: how fast the limit falls from F_s to F_c");
    field("alpha", alpha, "1", Role::exponent | between(0.1, 10), "Stribeck exponent");
  }
  template <class Relation>
  constexpr void limit_relations(Relation&& relation) const {
    relation("F_s", F_s, ">=", "F_c", F_c);
  }
};

/// Falling: g(v) = F_s/(1 + |v|/V)      [xiong2013 (3.38), which writes F/(V + |v|) with F = F_s V in N m/s].
template <class S>
struct Falling {
  S F_s = S(1.0);
  S V = S(0.1);

  constexpr S limit(const S& speed) const noexcept { return F_s / (S(1.0) + speed / V); }
  constexpr S highest() const noexcept { return F_s; }
  constexpr S lowest() const noexcept { return S(0.0); }

  template <class Field>
  constexpr void describe_limit(Field&& field) {
    field("F_s", F_s, "N", Role::limit | positive, "static friction, the limit at rest");
    field("V", V, "m/s", Role::speed | positive, "the speed at which the limit has fallen to half of F_s");
  }
  template <class Relation>
  constexpr void limit_relations(Relation&&) const {}
};

}  // namespace asperity
