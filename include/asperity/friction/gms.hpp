#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// Generalised Maxwell slip, with its switches:
///   stick: adot_i = v                                                    until |kappa_i a_i| = lambda_i g(v)
///   slip:  adot_i = s_i (C lambda_i/kappa_i) (1 - s_i kappa_i a_i/(lambda_i g(v)))        until v changes sign
///   f = sum kappa_i a_i + sigma_i adot_i                                               [xiong2013 (4.3)]
/// The mode s_i (0 stick, +1 or -1 the direction of slip) is part of the state and changes between steps, in transit(). Within a
/// step the mode that is due acts already, so that a step that passes a limit does not stretch an element beyond it.
template <class S = double, int N = default_elements>
struct Gms : Stribeck<S> {
  static constexpr About about{
      .name = "gms",
      .kind = Kind::friction,
      .title = "generalised Maxwell slip: N elements that switch between stick and slip",
      .equation =
          "stick: adot_i = v   until |kappa_i a_i| = lambda_i g(v)\n"
          "slip:  adot_i = s_i (C lambda_i/kappa_i)(1 - s_i kappa_i a_i/(lambda_i g(v)))   until v changes sign\n"
          "f = sum kappa_i a_i + sigma_i adot_i\ng(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)",
      .source = "xiong2013 (4.3); albender2005",
      .deviation = "limit floor as in lugre; the mode is stored between steps",
      .step = "implicit Euler in closed form within each mode, up to the limit at which it switches",
      .use = "comparison with the literature",
      .avoid = "gradient-based identification: it switches",
      .cannot =
          "give a continuous force when sigma > 0; certify passivity: a slipping element stretches at the rate C even at rest",
      .quirks = Quirk::jumps,
      .quirk_note = "the force jumps by about sigma_i |v| each time an element starts to slip, whatever the step",
      .implicit = false,
      .stores = false,
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  struct State {
    Elements<S, N> a{};
    Elements<S, N> s{};
  };
  static constexpr int dimension = 1;

  S C = S(62.0);
  Elements<S, N> kappa{}, sigma{}, lambda{};

  /// The parameters of xiong2013 Fig. 4.11, for any number of elements.
  constexpr explicit Gms(int n = N == dynamic ? default_elements : N)
      : Stribeck<S>{S(1.0), S(2.5), S(5e-6), S(2.0)},
        kappa(elements<S, N>(n, [](int i) { return S(5e6 / i); })),
        sigma(elements<S, N>(n, [](int) { return S(1e3); })),
        lambda(elements<S, N>(n, [n](int) { return S(1.0 / n); })) {}

  constexpr State start() const noexcept {
    const auto zero = elements<S, N>(static_cast<int>(kappa.size()), [](int) { return S(0.0); });
    return {zero, zero};
  }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    Reaction<Force, State> r{S(0.0), z};
    const S g = this->limit(abs(slip.v)) * slip.load;
    for (std::size_t i = 0; i < kappa.size(); ++i) {
      const S s = mode(z, slip.v, g, i), most = ratio(lambda[i] * g, kappa[i]);
      // An element that has passed its limit and not been told yet pulls no more than the limit.
      const S a = select(z.s[i] == S(0.0), select(s == S(0.0), z.a[i], sat(most, z.a[i])), z.a[i]);
      const S support = max(g, S(1e-6) * ratio(kappa[i] * abs(a), lambda[i]));
      const S relax = ratio(C * (lambda[i] * support * s - kappa[i] * a), kappa[i] * (support + tau * C));
      // One that reaches its limit within tau stops there.
      const S ahead = a + tau * slip.v;
      const S stop = select(slip.v > S(0.0), min(ahead, most), select(slip.v < S(0.0), max(ahead, -most), ahead));
      const S stuck = select(stop == ahead, slip.v, ratio(stop - a, tau));
      const S adot = select(s == S(0.0), stuck, relax);
      r.f = r.f + kappa[i] * (a + tau * adot) + sigma[i] * adot;
      r.rate.a[i] = adot;
      r.rate.s[i] = S(0.0);
    }
    return r;
  }

  /// The state that has the force f: all elements were displaced alike.
  State holding(const Force& f, const S& load) const {
    State z = start();
    hold_by_elements(z.a, kappa, lambda, this->highest(), load, f);
    return z;
  }

  /// The limit that all elements share, over F_c ...
  constexpr S shared_limit(const State&, const State& /*rate*/, const Input& slip, const S& /*tau*/) const noexcept {
    return this->limit(abs(slip.v)) / this->F_c;
  }
  /// ... and one of them alone, with that limit as its load: they do not know of each other.
  constexpr auto alone(const S& F, const S& K, const S& beta) const noexcept {
    Gms<S, 1> law;
    law.F_c = law.F_s = F;
    law.C = C / this->F_c * F;
    law.kappa[0] = K, law.sigma[0] = beta * K, law.lambda[0] = S(1.0);
    return law;
  }

  /// The switches, at the end of a step. An element that begins to slip does so at its limit.
  constexpr void transit(State& z, const Input& slip) const noexcept {
    const S g = this->limit(abs(slip.v)) * slip.load;
    for (std::size_t i = 0; i < kappa.size(); ++i) {
      const S s = mode(z, slip.v, g, i);
      const S limited = sat(ratio(lambda[i] * g, kappa[i]), z.a[i]);
      z.a[i] = select(z.s[i] == S(0.0), select(s == S(0.0), z.a[i], limited), z.a[i]);
      z.s[i] = s;
    }
  }

  /// Of the springs; not a certificate of passivity, because a slipping element stretches by itself.
  constexpr S energy(const State& z, const Input&) const noexcept {
    S sum = S(0.0);
    for (std::size_t i = 0; i < kappa.size(); ++i) sum = sum + S(0.5) * kappa[i] * z.a[i] * z.a[i];
    return sum;
  }

  /// Elastic forces, at most the limit once they slip, and the micro-damping of sticking and of relaxing elements.
  constexpr S bound(const State& z, const Input& slip, const S& tau) const noexcept {
    const auto rate = react(z, slip, tau).rate;
    S sum = S(0.0);
    for (std::size_t i = 0; i < kappa.size(); ++i)
      sum = sum + max(lambda[i] * this->F_s * slip.load, kappa[i] * abs(z.a[i])) + (sigma[i] + tau * kappa[i]) * abs(rate.a[i]);
    return sum;
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("C", C, "N/s", Role::time | positive, "how fast a slipping element approaches its limit");
    field("kappa", kappa, "N/m", Role::stiffness | positive, "stiffness of each element");
    field("sigma", sigma, "N s/m", Role::damping | nonnegative, "micro-damping of each element");
    field("lambda", lambda, "1", Role::weight | nonnegative, "share of the limit carried by each element");
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
    field("a", "m", "deflection of each element", z.a...);
    field("s", "1", "mode of each element: 0 sticks, +1 or -1 slips that way", z.s...);
  }

 private:
  /// The mode that is due: an element at its limit slips, and one that slips goes on, until the velocity changes its sign. The
  /// limit that a step has stopped at is met but for rounding.
  constexpr S mode(const State& z, const S& v, const S& g, std::size_t i) const noexcept {
    const S met = S(1.0 - 1e-12) * lambda[i] * g;
    const S yields = select(abs(kappa[i] * z.a[i]) >= met, sign(z.a[i]), S(0.0));
    return select(max(yields * v, z.s[i] * v) > S(0.0), sign(v), S(0.0));
  }
};

}  // namespace asperity
