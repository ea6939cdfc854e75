#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// A Maxwell-slip hysteresis F_h driven through a yielding coordinate z:
///   zdot = v (1 - sgn(F_h/g) |F_h/g|^n),   g carries the sign of v,   f = F_h + B zdot + D v
///   F_h = sum kappa_i a_i, the a_i driven by zdot and yielding at lambda_i F_s
/// [Lampaert, Swevers, Al-Bender 2002; named in xiong2013 4.1.1]
/// Deviation: the elastoplastic elements are the relaxed asperities of xiong2013 with damping time beta, so that the law is an
/// ODE with a flat state; F_h passes on 1.25 F_s load at most (it is more when the load has fallen). With look-ahead, zdot is
/// linearly implicit and the elements are implicit.
template <class S = double, int N = default_elements>
struct ModifiedLeuven : Stribeck<S> {
  static constexpr About about{
      .name = "modified_leuven",
      .kind = Kind::friction,
      .title = "Maxwell-slip hysteresis behind a yielding coordinate",
      .equation =
          "zdot = v (1 - sgn(F_h/g) |F_h/g|^n),  g = sgn(v) g(|v|)\n"
          "F_h = sum kappa_i a_i,  a_i driven by zdot, yielding at lambda_i F_s\nf = F_h + B zdot + D v\n"
          "g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)",
      .source = "lampaert2002; named in xiong2013 4.1.1",
      .deviation =
          "the elements are relaxed asperities with damping time beta; when the load has fallen so far that |F_h| > 1.25 F_s load, "
          "F_h is cut to that",
      .step = "zdot linearly implicit, the elements implicit in closed form",
      .use = "comparison with the literature on presliding hysteresis",
      .avoid = "anything that must hold under a varying load",
      .cannot = "hold: it drifts, the less the larger n; frictional lag",
      .quirks = Quirk::drifts,
      .quirk_note = "drifts by the integral of 1/(1 - r^n) - 1/(1 + r^n), r = F_h/F_s, over the elastic stroke of each load cycle",
      .implicit = false,
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  struct State {
    Elements<S, N> a{};
  };
  static constexpr int dimension = 1;

  S n = S(2.0);
  S B = S(1e4);
  S D = S(0.0);
  S beta = S(1e-3);
  Elements<S, N> kappa{}, lambda{};

  constexpr explicit ModifiedLeuven(int count = N == dynamic ? default_elements : N)
      : Stribeck<S>{S(1.0), S(2.5), S(5e-6), S(2.0)},
        kappa(elements<S, N>(count, [](int i) { return S(5e6 / i); })),
        lambda(elements<S, N>(count, [count](int) { return S(1.0 / count); })) {}

  constexpr State start() const noexcept {
    return {elements<S, N>(static_cast<int>(kappa.size()), [](int) { return S(0.0); })};
  }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    Reaction<Force, State> r{S(0.0), z};
    S F_h = S(0.0), stiffness = S(0.0);
    for (std::size_t i = 0; i < kappa.size(); ++i) {
      F_h = F_h + kappa[i] * z.a[i];
      stiffness = stiffness + kappa[i];
    }
    const S speed = abs(slip.v), highest = this->F_s * slip.load;
    const S w = borne(highest, abs(F_h));
    const S carried = w * F_h;
    const S yield = pow(abs(ratio(carried, this->limit(speed) * slip.load)), n);
    const S zdot = w * (slip.v - speed * sign(F_h) * yield) / (S(1.0) + tau * speed * n * ratio(yield * stiffness, abs(carried)));
    for (std::size_t i = 0; i < kappa.size(); ++i) {
      const S limit = lambda[i] * this->F_s * slip.load;
      const auto e = asperity_element(limit, kappa[i], kappa[i] * (beta + tau), z.a[i], zdot);
      r.f = r.f + kappa[i] * (z.a[i] + tau * e.rate);
      r.rate.a[i] = e.rate;
    }
    r.f = sat(S(1.25) * highest, r.f) + B * zdot + D * slip.v;
    return r;
  }

  /// The state that has the force f: all elements were displaced alike.
  State holding(const Force& f, const S& load) const {
    State z = start();
    hold_by_elements(z.a, kappa, lambda, this->highest(), load, f);
    return z;
  }

  constexpr S energy(const State& z, const Input&) const noexcept {
    S sum = S(0.0);
    for (std::size_t i = 0; i < kappa.size(); ++i) sum = sum + S(0.5) * kappa[i] * z.a[i] * z.a[i];
    return sum;
  }

  constexpr S bound(const State&, const Input& slip, const S&) const noexcept {
    const S speed = abs(slip.v);
    return S(1.25) * this->F_s * slip.load + (B * (S(1.0) + pow(S(1.25) * this->F_s / this->limit(speed), n)) + D) * speed;
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("n", n, "1", Role::exponent | between(1, 20), "sharpness of the transition to sliding");
    field("B", B, "N s/m", Role::damping | nonnegative, "micro-damping");
    field("D", D, "N s/m", Role::viscosity | nonnegative, "viscous friction");
    field("beta", beta, "s", Role::damping | positive, "damping time of the hysteresis elements");
    field("kappa", kappa, "N/m", Role::stiffness | positive, "stiffness of each hysteresis element");
    field("lambda", lambda, "1", Role::weight | nonnegative, "share of F_s at which each element yields");
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    this->limit_relations(relation);
    S sum = S(0.0);
    for (const S& share : lambda) sum = sum + share;
    relation("sum of lambda", sum, "=", "1", S(1.0));
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "deflection of each hysteresis element", z.a...);
  }
};

}  // namespace asperity
