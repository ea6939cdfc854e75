#pragma once

#include "asperity/friction/element.hpp"
#include "asperity/friction/limit.hpp"

namespace asperity {

/// Dry friction that holds still: an elastic asperity behind a Coulomb slider.
///   f in F Sgn(v - adot),   f = K (a+ + beta adot),   a+ = a + tau adot      [xiong2013 (3.8), kikuuwe_yamamoto (17)]
/// By Theorem 1 of xiong2013 the inclusion is one saturation, in both time worlds: the look-ahead just adds to beta.
/// With a limit of the speed, F -> g(v) [xiong2013 (4.7), (3.40)]: SingleState<S, D, Stribeck>, SingleState<S, D, Falling>.
template <class S = double, int D = 1, template <class> class Limit = Coulomb>
struct SingleState;

template <bool coulomb, bool falling>
inline constexpr About about_single_state{
    .name = coulomb   ? "single_state"
            : falling ? "single_state_falling"
                      : "single_state_stribeck",
    .kind = Kind::friction,
    .title = coulomb   ? "an elastic asperity behind a Coulomb slider: dry friction that holds still"
             : falling ? "the single state with a limit that falls for ever: holds still, and a belt can keep it swinging"
                       : "the single state with a Stribeck limit: holds still, breaks away, stick-slips",
    .equation = coulomb   ? "b = beta + tau\nf = K sat(F/K, a + b v)\nadot = (f/K - a)/b"
                : falling ? "b = beta + tau\nf = K sat(g(v)/K, a + b v)\nadot = (f/K - a)/b\ng(v) = F_s/(1 + |v|/V)"
                          : "b = beta + tau\nf = K sat(g(v)/K, a + b v)\nadot = (f/K - a)/b\n"
                            "g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)",
    .source = coulomb   ? "xiong2013 (3.9), (4.5); kikuuwe_yamamoto (14), (19)"
              : falling ? "xiong2013 (3.38), (3.40)"
                        : "xiong2013 (4.6), (4.7)",
    .step = "implicit Euler of the set-valued law in closed form (kikuuwe_yamamoto (14))",
    .use = coulomb   ? "the default: blocks, grasps, joints, anything that has to hold under load and vibration"
           : falling ? "self-excited vibration on belts and discs, whose literature has this curve"
                     : "stick-slip with a higher breakaway force",
    .avoid = falling ? "friction that stays at high speed (use single_state_stribeck)"
                     : "presliding hysteresis is to be fitted (use multistate)",
    .cannot = coulomb ? "Stribeck effect, curved presliding, frictional lag" : "curved presliding, frictional lag",
};

/// The equations, for every limit.
struct SingleStateEquations {
  template <class Law, class S>
  static constexpr auto react(const Law& law, const typename Law::State& z, const typename Law::Input& slip, const S& tau) noexcept
      -> Reaction<typename Law::Force, typename Law::State> {
    const auto r = asperity_element(law.limit(magnitude(slip.v)) * slip.load, law.K, law.K * (law.beta + tau), z.a, slip.v);
    return {r.f, {r.rate}};
  }
  template <class Law>
  static constexpr auto energy(const Law& law, const typename Law::State& z) noexcept {
    using S = typename Law::Scalar;
    return S(0.5) * law.K * dot(z.a, z.a);
  }
  template <class Law>
  static constexpr auto bound(const Law& law, const typename Law::Input& slip) noexcept {
    return law.limit(magnitude(slip.v)) * slip.load;
  }
  template <class Law, class Field>
  static constexpr void describe(Law& law, Field& field) {
    field("K", law.K, "N/m", Role::stiffness | positive, "asperity stiffness");
    field("beta", law.beta, "s", Role::damping | positive, "asperity damping time (the damping is K beta)");
  }
};

template <class S, int D, template <class> class Limit>
struct SingleState : Limit<S> {
  static constexpr About about = about_single_state<false, std::is_same_v<Limit<S>, Falling<S>>>;
  using Scalar = S;
  using Input = Slip<S, D>;
  using Force = Vec<S, D>;
  struct State {
    Vec<S, D> a{};
  };
  static constexpr int dimension = D;

  S K = S(1e5);
  S beta = S(1e-3);

  constexpr State start() const noexcept { return {}; }
  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    return SingleStateEquations::react(*this, z, slip, tau);
  }
  constexpr S energy(const State& z, const Input&) const noexcept { return SingleStateEquations::energy(*this, z); }
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return SingleStateEquations::bound(*this, slip); }

  template <class Field>
  constexpr void describe(Field&& field) {
    this->describe_limit(field);
    SingleStateEquations::describe(*this, field);
  }
  template <class Relation>
  constexpr void relations(Relation&& relation) const {
    this->limit_relations(relation);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "asperity deflection", z.a...);
  }
};

/// The default has its limit as a member of its own, so that SingleState<>{.F = 2, .K = 5e3} compiles.
template <class S, int D>
struct SingleState<S, D, Coulomb> {
  static constexpr About about = about_single_state<true, false>;
  using Scalar = S;
  using Input = Slip<S, D>;
  using Force = Vec<S, D>;
  struct State {
    Vec<S, D> a{};
  };
  static constexpr int dimension = D;

  S F = Coulomb<S>{}.F;
  S K = S(1e5);
  S beta = S(1e-3);

  constexpr S limit(const S& speed) const noexcept { return Coulomb<S>{F}.limit(speed); }
  constexpr S highest() const noexcept { return Coulomb<S>{F}.highest(); }
  constexpr S lowest() const noexcept { return Coulomb<S>{F}.lowest(); }

  constexpr State start() const noexcept { return {}; }
  constexpr Reaction<Force, State> react(const State& z, const Input& slip, const S& tau) const noexcept {
    return SingleStateEquations::react(*this, z, slip, tau);
  }
  constexpr S energy(const State& z, const Input&) const noexcept { return SingleStateEquations::energy(*this, z); }
  constexpr S bound(const State&, const Input& slip, const S&) const noexcept { return SingleStateEquations::bound(*this, slip); }

  template <class Field>
  constexpr void describe(Field&& field) {
    Coulomb<S>::describe(F, field);
    SingleStateEquations::describe(*this, field);
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("a", "m", "asperity deflection", z.a...);
  }
};

}  // namespace asperity
