#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// Nonlinear contact with memory, d = -gap, w = d |d|^(lambda - 1), b(a) = 1/gamma + beta1 + beta2 a:
///   0 in K (a+ + b(a+) adot) - dio(a+ + adot/gamma - w),  a+ = a + tau adot
/// In touch adot = (w - a)/(1/gamma + tau); released, a + (tau + b(a)) adot + tau beta2 adot^2 = 0; the larger rate holds. tau = 0
/// is
///   adot = max(-gamma a/(1 + gamma (beta1 + beta2 a)), gamma (w - a)),  f = K max(0, w + gamma (beta1 + beta2 a)(w - a))
/// [xiong2013 (5.5), (5.6)]
template <class S = double>
struct NonlinearCompliance {
  static constexpr About about{
      .name = "nonlinear_compliance",
      .kind = Kind::contact,
      .title = "Hertz-like contact with memory: restitution falls with speed, no jump, no glue",
      .equation =
          "w = d |d|^(lambda-1),  d = -gap\n"
          "adot = max(-gamma a/(1 + gamma (beta1 + beta2 a)), gamma (w - a))\n"
          "f = K max(0, w + gamma (beta1 + beta2 a)(w - a))",
      .source = "xiong2013 (5.5), (5.6)",
      .step = "implicit Euler of the set-valued law in closed form",
      .use = "impacts whose restitution depends on speed, soft tissue, indentation that recovers slowly",
      .avoid = "a constant restitution (linear_compliance is simpler)",
      .cannot = "have a restitution below 1 at vanishing speed (lambda > 1)",
      .odd = false,
      .stores = false,
  };
  using Scalar = S;
  using Input = Gap<S>;
  using Force = S;
  struct State {
    S a{};
  };
  static constexpr int dimension = 1;

  S K = S(1e4);
  S lambda = S(1.5);
  S beta1 = S(3e-3);
  S beta2 = S(0.1);
  S gamma = S(2e3);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& in, const S& tau) const noexcept {
    const S d = -in.gap;
    const S depth = pow(abs(d), lambda);
    const S w = select(d < S(0.0), -depth, depth);
    const S alpha = S(1.0) / gamma;
    const S b = tau + alpha + beta1 + beta2 * z.a;
    const S touch = (w - z.a) / (alpha + tau);
    const S release = S(-2.0) * z.a / (b + sqrt(max(S(0.0), b * b - S(4.0) * tau * beta2 * z.a)));
    const S f = K * (z.a + b * touch + tau * beta2 * touch * touch);
    return {select(touch > release, max(S(0.0), f), S(0.0)), {max(release, touch)}};
  }

  /// The state of what has been indented by d for long.
  constexpr State resting(const S& d) const noexcept { return {pow(d, lambda)}; }

  /// None is declared: with beta2 > 0 no stored energy certifies passivity. Nor can one: with a memory slower than the impact
  /// (gamma t* below about 0.5) a large beta2 gives more back than went in; see SlowMemoryCanGiveOutEnergy in tests/design.
  constexpr S energy(const State&, const Input&) const noexcept { return S(0.0); }

  constexpr S bound(const State& z, const Input& in, const S&) const noexcept {
    const S w = pow(max(S(0.0), -in.gap), lambda);
    return K * w * (S(1.0) + gamma * (beta1 + beta2 * max(z.a, w)));
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m^lambda", Role::stiffness | positive, "stiffness");
    field("lambda", lambda, "1", Role::exponent | between(1, 5), "exponent: 1 flat, 3/2 spheres");
    field("beta1", beta1, "s", Role::damping | nonnegative, "damping time");
    field("beta2", beta2, "s/m^lambda", Role::shape | nonnegative, "growth of the damping time with the indentation");
    field("gamma", gamma, "1/s", Role::time | positive, "rate at which the indentation is remembered");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m^lambda", "indentation remembered by the material", z.a...);
  }
};

}  // namespace asperity
