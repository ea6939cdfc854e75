#pragma once

#include "asperity/friction/smooth_static.hpp"

namespace asperity {

/// A static curve behind a low-pass filter whose bandwidth vanishes with the velocity:
///   fdot = (1 - exp(-(v/v_0)^2))/T_1 (Fs(v) - f)                                     [specker2014 (17)]
/// The look-ahead makes it implicit: fdot = k (Fs - f)/(1 + tau k).
template <class S = double>
struct Specker : SmoothStatic<S> {
  static constexpr About about{
      .name = "specker",
      .kind = Kind::friction,
      .title = "static curve behind a velocity-dependent low-pass filter",
      .equation = "fdot = (1 - exp(-(v/v_0)^2))/T_1 (Fs(v) - f),   Fs as in smooth_static",
      .source = "specker2014 (17)",
      .deviation = "F_D of the static curve is clipped at zero (see smooth_static)",
      .step = "implicit Euler in closed form",
      .use = "observers and simulation with a fixed, coarse step: the force changes only while it moves",
      .avoid = "holding a load; presliding displacement matters",
      .cannot = "hold a load for ever; store energy (it has no presliding spring)",
      .quirks = Quirk::creeps | Quirk::drifts,
      .quirk_note = "holds its force exactly at v = 0, but creeps under a load P at the velocity where Fs(v) = P",
      .stores = false,
  };
  using Scalar = S;
  using Input = Slip<S, 1>;
  using Force = S;
  struct State {
    S f{};
  };
  static constexpr int dimension = 1;

  S v_0 = S(1e-2);
  S T_1 = S(3e-2);

  constexpr State start() const noexcept { return {}; }

  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    const S x = slip.v / v_0;
    const S bandwidth = (S(1.0) - exp(-x * x)) / T_1;
    const S rate = bandwidth * (this->curve(slip.v, slip.load) - z.f) / (S(1.0) + tau * bandwidth);
    return {z.f + tau * rate, {rate}};
  }

  /// The force of steady sliding.
  constexpr S steady(const S& v, const S& load) const noexcept { return this->curve(v, load); }
  /// The state that has the force f: at rest the filter is closed and keeps it.
  constexpr State holding(const Force& f, const S& /*load*/) const noexcept { return {f}; }

  /// None is declared: the filter has no spring.
  constexpr S energy(const State&, const Input&) const noexcept { return S(0.0); }

  constexpr S bound(const State& z, const Input& slip, const S&) const noexcept {
    return max(abs(z.f), abs(this->curve(slip.v, slip.load)));
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    SmoothStatic<S>::describe(field);
    field("v_0", v_0, "m/s", Role::speed | positive, "velocity below which the filter closes");
    field("T_1", T_1, "s", Role::time | positive, "time constant of the open filter");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("f", "N", "filtered friction force", z.f...);
  }
};

}  // namespace asperity
