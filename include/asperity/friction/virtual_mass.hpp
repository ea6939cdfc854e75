#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// Sliding friction phi(s) = g(s) + D s of a proxy: solves G s + phi(s) = y for the speed s >= 0. Any g will do that has
/// limit(speed), highest() = limit(0) and lowest(), like Coulomb and Stribeck.
template <class S, template <class> class Limit>
struct SlidingFriction : Limit<S> {
  S D = S(0.0);

  /// Closed form for Coulomb friction; otherwise a bracketed search (Illinois), which needs no derivative and cannot diverge, in a
  /// fixed number of rounds. The last line is one secant step so short that derivatives (Jets) pass through it correctly.
  constexpr S speed(const S& y, const S& G, const S& load) const noexcept {
    const S slope = G + D;
    const S coulomb = max(S(0.0), (y - this->highest() * load) / slope);
    if constexpr (std::is_same_v<Limit<S>, Coulomb<S>>) {
      return coulomb;
    } else {
      const auto excess = [&](const S& s) { return slope * s + this->limit(s) * load - y; };
      S low = coulomb, high = max(coulomb, (y - this->lowest() * load) / slope);
      S at_low = excess(low), at_high = excess(high);
      for (int round = 0; round < 24; ++round) {
        const S middle = high - ratio(at_high * (high - low), at_high - at_low);
        const S at_middle = excess(middle);
        const S low_moves = select(at_middle < S(0.0), S(1.0), S(0.0));
        const S kept_low = S(0.5) * at_low, kept_high = S(0.5) * at_high;
        low = select(low_moves > S(0.0), middle, low);
        at_low = select(low_moves > S(0.0), at_middle, kept_low);
        high = select(low_moves > S(0.0), high, middle);
        at_high = select(low_moves > S(0.0), kept_high, at_middle);
      }
      const S s = select(abs(excess(low)) < abs(excess(high)), low, high);
      const S near = s + S(1e-7) * (y / slope);
      const S found = s - ratio(excess(s) * (near - s), excess(near) - excess(s));
      return select(y > this->highest() * load, max(S(0.0), found), S(0.0));
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
      .equation = "y = K a + (B + h K) v + (M/h) w,   G = M/h + B + h K\n"
                  "w+ = 0 if |y| <= g(0), else y/|y| s with G s + g(s) + D s = |y|\n"
                  "adot = v - w+,  f = K (a + h adot) + B adot\ng(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)",
      .source = "kikuuwe_fujimoto (8)-(19)",
      .deviation = "written with a = -e and the proxy velocity w instead of two past samples; equal to rounding",
      .step = "implicit Euler of the set-valued law, closed form for Coulomb friction, a bracketed search for other phi(v)",
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

  constexpr S energy(const State& z, const Input&) const noexcept {
    return S(0.5) * (K * dot(z.a, z.a) + M * dot(z.w, z.w));
  }

  /// |g| <= phi, and f = g + M wdot.
  constexpr S bound(const State& z, const Input& slip, const S& tau) const noexcept {
    const Vec<S, Dim> wdot = react(z, slip, tau).rate.w;
    return this->highest() * slip.load + this->D * magnitude(z.w + tau * wdot) + M * magnitude(wdot);
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    field("D", this->D, "N s/m", nonnegative, "viscous friction of the proxy");
    field("M", M, "kg", nonnegative, "virtual mass of the proxy");
    field("B", B, "N s/m", nonnegative, "damping of the spring");
    field("K", K, "N/m", positive, "stiffness of the spring");
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
