#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// Sliding friction phi(s) = g(s) + D s of a proxy: solves G s + phi(s) = y for the speed s >= 0. Any g will do that has
/// limit(speed), highest() = limit(0) and lowest(), like Coulomb and Stribeck.
template <class S, template <class> class Limit>
struct SlidingFriction : Limit<S> {
  S D = S(0.0);

  /// Closed form for Coulomb friction. Otherwise bisection, which cannot diverge, in a fixed number of rounds, and two secant steps
  /// so short that they have the accuracy of Newton's and pass on derivatives (Jets) correctly.
  constexpr S speed(const S& y, const S& G, const S& load) const noexcept {
    const S slope = G + D;
    const S slowest = max(S(0.0), (y - this->highest() * load) / slope);
    if constexpr (std::is_same_v<Limit<S>, Coulomb<S>>) {
      return slowest;
    } else {
      const auto excess = [&](const S& s) { return slope * s + this->limit(s) * load - y; };
      S low = slowest, high = max(slowest, (y - this->lowest() * load) / slope);
      for (int round = 0; round < 20; ++round) {
        const S middle = S(0.5) * (low + high);
        const S too_slow = select(excess(middle) < S(0.0), S(1.0), S(0.0));
        low = select(too_slow > S(0.0), middle, low);
        high = select(too_slow > S(0.0), high, middle);
      }
      S s = S(0.5) * (low + high);
      for (int round = 0; round < 2; ++round) {
        const S beside = s + S(1e-7) * (y / slope);
        s = s - ratio(excess(s) * (beside - s), excess(beside) - excess(s));
      }
      return select(y > this->limit(S(0.0)) * load, max(S(0.0), s), S(0.0));
    }
  }
};

/// The impedance type with a virtual mass: the hand holds a spring-damper (K, B), its other end a mass M that rubs with phi.
///   adot = v - w,  f = K a + B adot,  M wdot = f - g,  g in phi(w) Sgn(w)                  [kikuuwe_fujimoto (8)-(19)]
/// At the end of a step tau (a+ = a + tau adot, w+ = w + tau wdot) this is one saturation:
///   y = K a + (B + tau K) v + (M/tau) w,  G = M/tau + B + tau K,  w+ = (y - g)/G,  g in phi(w+) Sgn(w+)
/// that is (18) with C = tau G, e = -a, force on the hand -f. M = 0 is allowed; M = B = 0 is Hayward and Armstrong's law.
template <class S = double, int Dim = 1, template <class> class Limit = Stribeck>
struct VirtualMass : SlidingFriction<S, Limit> {
  static constexpr About about{
      .name = "virtual_mass",
      .kind = Kind::friction,
      .title = "a spring-damper that drags a rubbing virtual mass: the haptic renderer's law",
      .equation =
          "y = K a + (B + h K) v + (M/h) w,   G = M/h + B + h K\n"
          "w+ = 0 if |y| <= g(0), else y/|y| s with G s + g(s) + D s = |y|\n"
          "adot = v - w+,  f = K (a + h adot) + B adot\ng(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)",
      .source = "kikuuwe_fujimoto (8)-(19)",
      .deviation = "written with a = -e and the proxy velocity w instead of two past samples; equal to rounding",
      .step = "implicit Euler of the set-valued law, closed form for Coulomb friction, a search of fixed length for other phi(v)",
      .use = "haptic displays and other sampled loops; a dragged object with inertia",
      .avoid = "ODE solvers (for M = 0 use single_state, which is the same law)",
      .cannot = "run as an ODE: with M > 0 its friction is set-valued, it lives in sampled time only",
      .discrete = true,
  };
  using Scalar = S;
  using Input = Slip<S, Dim>;
  using Force = Vec<S, Dim>;
  struct State {
    Vec<S, Dim> a{};
    Vec<S, Dim> w{};
  };
  static constexpr int dimension = Dim;

  S M = S(0.1);
  S B = S(10.0);
  S K = S(6e3);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S G = M / tau + B + tau * K;
    const Vec<S, Dim> y = K * z.a + (B + tau * K) * slip.v + (M / tau) * z.w;
    const S pull = magnitude(y);
    const Vec<S, Dim> w = ratio(this->speed(pull, G, slip.load), pull) * y;
    const Vec<S, Dim> adot = slip.v - w;
    return {K * (z.a + tau * adot) + B * adot, {adot, (w - z.w) / tau}};
  }

  /// The state that has the force f: the spring is stretched, the proxy stands.
  constexpr State holding(const Force& f, const S& /*load*/) const noexcept { return {f / K, {}}; }

  constexpr S energy(const State& z, const Input&) const noexcept { return S(0.5) * (K * dot(z.a, z.a) + M * dot(z.w, z.w)); }

  /// |g| <= phi, and f = g + M wdot.
  constexpr S bound(const State& z, const Input& slip, const S& tau) const noexcept {
    const Vec<S, Dim> wdot = react(z, slip, tau).rate.w;
    return this->highest() * slip.load + this->D * magnitude(z.w + tau * wdot) + M * magnitude(wdot);
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("D", this->D, "N s/m", Role::viscosity | nonnegative, "viscous friction of the proxy");
    field("M", M, "kg", Role::inertia | nonnegative, "virtual mass of the proxy");
    field("B", B, "N s/m", Role::damping | nonnegative, "damping of the spring");
    field("K", K, "N/m", Role::stiffness | positive, "stiffness of the spring");
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    this->limit_relations(relation);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "deflection of the spring", z.a...);
    field("w", "m/s", "velocity of the proxy", z.w...);
  }
};

}  // namespace asperity
