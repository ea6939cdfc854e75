#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"
#include "asperity/friction/single_state.hpp"

namespace asperity {

/// N asperities side by side, each yielding at its own share of a lagged Stribeck limit:
///   gammadot = (g(v) - gamma)/tau_d
///   f_i = sat(lambda_i gamma, kappa_i a_i + G_i v),  adot_i = (f_i - kappa_i a_i)/G_i,  G_i = sigma_i + tau kappa_i
///   f = sum f_i                                                                       [xiong2013 (4.13)]
/// With look-ahead gamma too is the one at the end of the step, gamma+ = gamma + tau gammadot.
template <class S = double, int N = default_elements, int D = 1>
struct Multistate : Stribeck<S> {
  static constexpr About about{
      .name = "multistate",
      .kind = Kind::friction,
      .title = "N asperities side by side: presliding hysteresis, Stribeck effect and lag, without drift or jumps",
      .equation =
          "gammadot = (g(v) - gamma)/tau_d\nf_i = sat(lambda_i gamma, kappa_i a_i + G_i v)\n"
          "adot_i = (f_i - kappa_i a_i)/G_i,  G_i = sigma_i + tau kappa_i\nf = sum f_i\n"
          "g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)",
      .source = "xiong2013 (4.12), (4.13)",
      .step = "implicit Euler of the set-valued law in closed form",
      .use = "measured presliding hysteresis, micro-positioning, frictional lag",
      .avoid = "only hold and slide matter (single_state has three parameters instead of thirty)",
      .cannot = "contact ageing; strict rate independence (7 % at ten times the speed with the parameters of the thesis)",
  };
  using Scalar = S;
  using Input = Slip<S, D>;
  using Force = Vec<S, D>;
  struct State {
    Elements<Vec<S, D>, N> a{};
    S gamma{};
  };
  static constexpr int dimension = D;

  S tau_d = S(2e-2);
  Elements<S, N> kappa{}, sigma{}, lambda{};

  /// The parameters of xiong2013 Fig. 4.4, for any number of elements.
  constexpr explicit Multistate(int n = N == dynamic ? default_elements : N)
      : Stribeck<S>{S(1.0), S(2.5), S(5e-6), S(2.0)},
        kappa(elements<S, N>(n, [](int i) { return S(5e6 / i); })),
        sigma(elements<S, N>(n, [](int) { return S(2e4); })),
        lambda(elements<S, N>(n, [n](int) { return S(1.0 / n); })) {}

  constexpr State start() const noexcept {
    return {elements<Vec<S, D>, N>(static_cast<int>(kappa.size()), [](int) { return Vec<S, D>{}; }), this->limit(S(0.0))};
  }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    Reaction<Force, State> r{Force{}, z};
    r.rate.gamma = (S(1.0) / (tau_d + tau)) * (this->limit(magnitude(slip.v)) - z.gamma);
    const S limit = (z.gamma + tau * r.rate.gamma) * slip.load;
    for (std::size_t i = 0; i < kappa.size(); ++i) {
      const auto e = asperity_element(lambda[i] * limit, kappa[i], sigma[i] + tau * kappa[i], z.a[i], slip.v);
      r.f = r.f + e.f;
      r.rate.a[i] = e.rate;
    }
    return r;
  }

  /// The state that has the force f: all elements were displaced alike.
  State holding(const Force& f, const S& load) const {
    State z = start();
    hold_by_elements(z.a, kappa, lambda, this->highest(), load, f);
    return z;
  }

  /// The limit that all asperities share, over F_c, after a look-ahead ...
  constexpr S shared_limit(const State& z, const State& rate, const Input&, const S& tau) const noexcept {
    return (z.gamma + tau * rate.gamma) / this->F_c;
  }
  /// ... and one of them alone, with that limit as its load: they do not know of each other.
  static constexpr auto alone(const S& F, const S& K, const S& beta) noexcept {
    SingleState<S> law;
    law.F = F, law.K = K, law.beta = beta;
    return law;
  }

  /// The most that one of the asperities could still carry, in N: 0 when all of them slide.
  constexpr S left(const State& z, const State& rate, const Input& slip, const S& tau) const noexcept {
    const S limit = (z.gamma + tau * rate.gamma) * slip.load;
    S most = S(0.0);
    for (std::size_t i = 0; i < kappa.size(); ++i)
      most = max(most, lambda[i] * limit - magnitude(kappa[i] * z.a[i] + (sigma[i] + tau * kappa[i]) * rate.a[i]));
    return most;
  }

  constexpr S energy(const State& z, const Input&) const noexcept {
    S sum = S(0.0);
    for (std::size_t i = 0; i < kappa.size(); ++i) sum = sum + S(0.5) * kappa[i] * dot(z.a[i], z.a[i]);
    return sum;
  }
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return this->F_s * slip.load; }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("tau_d", tau_d, "s", Role::time | positive, "time by which the friction limit lags behind the velocity");
    field("kappa", kappa, "N/m", Role::stiffness | positive, "stiffness of each asperity");
    field("sigma", sigma, "N s/m", Role::damping | positive, "damping of each asperity");
    field("lambda", lambda, "1", Role::weight | nonnegative, "share of the limit carried by each asperity");
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
    field("a", "m", "deflection of each asperity", z.a...);
    field("gamma", "N", "lagged friction limit", z.gamma...);
  }
};

}  // namespace asperity
