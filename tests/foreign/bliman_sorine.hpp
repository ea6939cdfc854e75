#pragma once

#include "asperity/friction/element.hpp"

namespace asperity {

/// Two bristles against each other, the stiff one pulling back: friction with a peak that belongs to the way, not to the speed.
///   dx/ds = A x + B sgn(v),  f = x_1 + x_2,  s = int |v| dt
///   A = diag(-1/(eta eps_f), -1/eps_f),  B = (f_1/(eta eps_f), -f_2/eps_f)
/// [Bliman and Sorine 1995; Olsson, Astrom, Canudas de Wit, Gafvert, Lischinsky 1998, section 3.2]
/// With a_i = x_i/K_i, K_1 = f_1/(eta eps_f), K_2 = f_2/eps_f, these are two of Dahl's bristles: adot_i = v - |v| K_i a_i/f_i.
/// Dragged by s from rest it has f_1 (1 - exp(-s/(eta eps_f))) - f_2 (1 - exp(-s/eps_f)), which ends at f_1 - f_2.
template <class S = double>
struct BlimanSorine {
  static constexpr About about{
      .name = "bliman_sorine",
      .kind = Kind::friction,
      .title = "two bristles against each other: a peak of the way, whatever the speed",
      .equation = "adot_i = v - |v| K_i a_i/f_i,  K_1 = f_1/(eta eps_f),  K_2 = f_2/eps_f\nf = K_1 a_1 - K_2 a_2",
      .source = "Bliman and Sorine 1995; Olsson et al. 1998",
      .deviation = "a falling load as in dahl",
      .step = "implicit Euler in closed form",
      .use = "a higher breakaway force without a Stribeck curve",
      .avoid = "anything that must hold under a varying load",
      .cannot = "hold: it drifts with every cycle of the load; depend on the speed",
      .quirks = Quirk::drifts,
      .quirk_note = "each of its bristles drifts as dahl does",
      .stores = false,
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  struct State {
    S a_1{};
    S a_2{};
  };
  static constexpr int dimension = 1;

  S f_2 = S(1.0);
  S f_1 = S(2.0);
  S eps_f = S(1e-4);
  S eta = S(0.2);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S speed = abs(slip.v), first = f_1 * slip.load, second = f_2 * slip.load;
    const auto pulls = bristle(first, first, f_1 / (eta * eps_f), z.a_1, slip.v, speed, tau);
    const auto pulls_back = bristle(second, second, f_2 / eps_f, z.a_2, slip.v, speed, tau);
    return {pulls.f - pulls_back.f, {pulls.rate, pulls_back.rate}};
  }

  /// None is declared: one of the springs is negative.
  constexpr S energy(const State&, const Input& slip) const noexcept { return S(0.0) * f_1 * slip.load * eps_f; }
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return S(1.25) * (f_1 + f_2) * slip.load; }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("f_2", f_2, "N", Role::limit | positive, "what the soft bristle takes back");
    field("f_1", f_1, "N", Role::limit | positive, "limit of the stiff bristle: the kinetic friction is f_1 - f_2");
    field("eps_f", eps_f, "m", Role::length | positive, "way over which the peak is forgotten");
    field("eta", eta, "1", Role::shape | between(0.01, 0.99), "way to the peak over eps_f");
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    relation("f_2", f_2, "<", "f_1", f_1);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a_1", "m", "deflection of the stiff bristle", z.a_1...);
    field("a_2", "m", "deflection of the soft bristle", z.a_2...);
  }
};

}  // namespace asperity
