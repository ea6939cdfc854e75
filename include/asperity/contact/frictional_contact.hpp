#pragma once

#include "asperity/contact/defaults.hpp"
#include "asperity/nested_name.hpp"

namespace asperity {

/// Motion into a frictional contact: gap along the normal, slip along the surface.
template <class S, int D = 1>
struct Touch {
  S gap{};
  S rate{};
  Vec<S, D> v{};
};

/// Its force: normal pushes apart, tangential resists the slip.
template <class S, int D = 1>
struct TouchForce {
  S normal{};
  Vec<S, D> tangential{};
};

/// A contact with friction: the normal law's force is the tangential law's load, whose limits in N become coefficients.
/// What is open neither slips nor rubs, whatever the law would still give: viscous terms, filtered forces, a dragged mass.
///   N = normal.f,  f_t = K2 sat(mu N/K2, a + beta2 v)              [xiong2013 (3.18)-(3.20), kikuuwe_yamamoto (23)]
template <class Normal = DefaultContact<double>, class Tangential = DefaultFriction<double>>
struct FrictionalContact {
  static constexpr About about{
      .name = "frictional_contact",
      .kind = Kind::composite,
      .title = "a contact law and a friction law in one: the normal force is the friction's load",
      .equation = "N = normal law (gap)\nf_t = tangential law (v) under the load N; 0 if N <= 0",
      .source = "xiong2013 (3.18)-(3.20); xiong2012 (20)-(22); kikuuwe_yamamoto (23)",
      .step = "the steps of its two laws, normal first",
      .use = "anything that touches with friction",
      .avoid = "a constant normal force (the friction law alone, with a load, is cheaper)",
      .cannot = "anything that its two laws cannot",
      .quirks = Normal::about.quirks | Tangential::about.quirks,
      .quirk_note = "those of its two laws",
      .implicit = Normal::about.implicit && Tangential::about.implicit,
      .discrete = Normal::about.discrete || Tangential::about.discrete,
      .odd = false,
      .stores = Normal::about.stores && Tangential::about.stores,
  };
  static constexpr int D = Tangential::dimension;
  using Scalar = typename Normal::Scalar;
  using S = Scalar;
  using Input = Touch<S, D>;
  using Force = TouchForce<S, D>;
  struct State {
    typename Normal::State normal{};
    typename Tangential::State tangential{};
  };
  static constexpr int dimension = D;

  Normal normal{};
  Tangential tangential = [] {
    Tangential law{};
    if constexpr (requires { law.F; }) law.F = S(0.5);
    return law;
  }();

  constexpr State start() const noexcept { return {normal.start(), tangential.start()}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& in, const S& tau) const noexcept {
    const auto n = normal.react(z.normal, {in.gap, in.rate}, tau);
    const S touches = select(n.f > S(0.0), S(1.0), S(0.0));
    const auto t = tangential.react(z.tangential, {touches * in.v, max(S(0.0), n.f)}, tau);
    return {{n.f, touches * t.f}, {n.rate, t.rate}};
  }

  constexpr void transit(State& z, const Input& in) const noexcept requires Hybrid<Tangential> {
    tangential.transit(z.tangential, {in.v, max(S(0.0), normal.react(z.normal, {in.gap, in.rate}, S(0.0)).f)});
  }

  constexpr S energy(const State& z, const Input& in) const noexcept {
    return normal.energy(z.normal, {in.gap, in.rate}) + tangential.energy(z.tangential, {in.v, S(1.0)});
  }
  /// Of the normal force and of the length of the tangential one.
  constexpr TouchForce<S> bound(const State& z, const Input& in, const S& tau) const noexcept {
    const S load = max(S(0.0), normal.react(z.normal, {in.gap, in.rate}, tau).f);
    return {normal.bound(z.normal, {in.gap, in.rate}, tau), tangential.bound(z.tangential, {in.v, load}, tau)};
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    normal.describe([&](std::string_view name, auto& value, std::string_view unit, const Range& range, std::string_view meaning) {
      field(NestedName("normal", name).view(), value, unit, range, meaning);
    });
    tangential.describe(
        [&](std::string_view name, auto& value, std::string_view unit, const Range& range, std::string_view meaning) {
          field(NestedName("tangential", name).view(), value, unit == "N" ? std::string_view("1") : unit, range, meaning);
        });
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    const auto nested = [&](std::string_view part) {
      return [&relation, part](std::string_view name, const S& value, Comparison is, std::string_view other, const S& bound) {
        relation(NestedName(part, name).view(), value, is, NestedName(part, other).view(), bound);
      };
    };
    if constexpr (requires { normal.relations(relation); }) normal.relations(nested("normal"));
    if constexpr (requires { tangential.relations(relation); }) tangential.relations(nested("tangential"));
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    Normal::states(field, z.normal...);
    Tangential::states(field, z.tangential...);
  }
};

}  // namespace asperity
