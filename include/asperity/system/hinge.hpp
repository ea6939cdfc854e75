// A revolute joint between two rigid bodies: stiff in all but its axis, with friction about the axis.
#pragma once

#include "asperity/contact/defaults.hpp"
#include "asperity/nested_name.hpp"
#include "asperity/statics.hpp"
#include "asperity/system/connection.hpp"

namespace asperity {

/// The anchors are drawn together by K and B, the axes by K_turn and B_turn; about the axis acts a friction law.
///   d = p_a + R_a anchor_a - p_b - R_b anchor_b,   F = K d + B ddot          stored K d^2/2
///   axes u_a, u_b of length 1:  moment K_turn u_a x u_b on a                  stored K_turn (1 - u_a . u_b)
///   friction moment -f u_a on a with slip u_a . (w_a - w_b)                   [kikuuwe_yamamoto, Simulation III, in space]
template <class Friction = DefaultFriction<double>>
struct Hinge {
  using Law = Friction;
  using Scalar = typename Friction::Scalar;
  using S = Scalar;
  using Vector = VecN<S, 3>;
  using A = Frame<S>;
  using B = Frame<S>;
  using State = typename Friction::State;

  Friction law{};
  Vector anchor_a{}, anchor_b{};  // m, in the bodies
  Vector axis_a{{S(0.0), S(0.0), S(1.0)}}, axis_b{{S(0.0), S(0.0), S(1.0)}};
  S K = S(1e6), B_pull = S(1e2);       // N/m, N s/m
  S K_turn = S(1e4), B_turn = S(1.0);  // N m, N m s

  struct Answer {
    EndForces<Wrench<S>, Wrench<S>> on;
    State rate;
    S force;  // friction moment about the axis
  };

  constexpr typename Friction::Input input(const A& a, const B& b) const noexcept {
    return {dot(rotate(a.q, axis_a), a.w - b.w), S(1.0)};
  }

  constexpr Answer react(const State& z, const A& a, const B& b, const S& tau) const noexcept {
    const Place at = place(a, b);
    const Push v = relative(a, b);
    const auto friction = law.react(z, input(a, b), tau);
    return {push(a, b, {K * at.d + B_pull * v.pull, B_turn * v.turn - K_turn * cross(at.u_a, rotate(b.q, axis_b)), friction.f}),
            friction.rate, friction.f};
  }

  /// The pull acts at one point, halfway between the anchors, so that no moment is made where they are apart.
  struct Place {
    Vector d, arm_a, arm_b, u_a;
  };
  constexpr Place place(const A& a, const B& b) const noexcept {
    const Vector r_a = rotate(a.q, anchor_a), r_b = rotate(b.q, anchor_b), d = a.p + r_a - b.p - r_b;
    return {d, r_a - S(0.5) * d, r_b + S(0.5) * d, rotate(a.q, axis_a)};
  }

  /// A force of its parts, each against its own motion; the part of `turn` about the axis counts for nothing.
  struct Push {
    Vector pull, turn;
    S friction;
  };
  constexpr EndForces<Wrench<S>, Wrench<S>> push(const A& a, const B& b, const Push& p) const noexcept {
    const Place at = place(a, b);
    const Vector moment = p.turn - dot(at.u_a, p.turn) * at.u_a + p.friction * at.u_a;
    return {{-p.pull, -moment - cross(at.arm_a, p.pull)}, {p.pull, cross(at.arm_b, p.pull) + moment}};
  }
  /// The velocities conjugate to them.
  constexpr Push relative(const A& a, const B& b) const noexcept {
    const Place at = place(a, b);
    const Vector w = a.w - b.w;
    return {a.v + cross(a.w, at.arm_a) - b.v - cross(b.w, at.arm_b), w - dot(at.u_a, w) * at.u_a, dot(at.u_a, w)};
  }
  std::vector<Stiffness> stiffness([[maybe_unused]] const A& a, [[maybe_unused]] const B& b) const {
    using enum Stiffness::Kind;
    std::vector<Stiffness> parts{
        {.kind = spring, .K = K, .B = B_pull, .part = "anchor", .count = 3, .joint = true},
        {.kind = spring, .K = K_turn, .B = B_turn, .part = "axis", .first = 3, .count = 3, .joint = true, .turns = true}};
    if constexpr (Static<Friction>) {
      parts.push_back(statics::at_speed(law, 1.0, magnitude(input(a, b).v)));
      parts.back().part = "friction";
      parts.back().first = 6;
      parts.back().turns = true;
    }
    return parts;
  }
  State resting(const A&, const B&, const Push& p) const { return statics::holding(law, p.friction, 1.0); }

  constexpr S energy(const State& z, const A& a, const B& b) const noexcept {
    const Vector d = a.p + rotate(a.q, anchor_a) - b.p - rotate(b.q, anchor_b);
    return S(0.5) * K * dot(d, d) + K_turn * (S(1.0) - dot(rotate(a.q, axis_a), rotate(b.q, axis_b))) + law.energy(z, input(a, b));
  }

  constexpr State start() const noexcept { return law.start(); }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    Friction::states(field, z...);
  }
  /// The friction law acts on an angle: its forces are moments, its lengths angles.
  template <class Field>
  constexpr void describe(Field&& field) {
    field("K", K, "N/m", positive, "stiffness that draws the anchors together");
    field("B_pull", B_pull, "N s/m", nonnegative, "damping between the anchors");
    field("K_turn", K_turn, "N m/rad", positive, "stiffness that draws the axes together");
    field("B_turn", B_turn, "N m s/rad", nonnegative, "damping of turning across the axis");
    field("anchor_a", anchor_a, "m", Range{}, "where the axis is in body a");
    field("anchor_b", anchor_b, "m", Range{}, "where the axis is in body b");
    field("axis_a", axis_a, "1", between(-1, 1), "direction of the axis in body a, of length 1");
    field("axis_b", axis_b, "1", between(-1, 1), "direction of the axis in body b, of length 1");
    law.describe([&](std::string_view name, auto& value, std::string_view unit, const Range& range, std::string_view meaning) {
      field(NestedName("friction", name).view(), value, unit, range, meaning);
    });
  }
};

}  // namespace asperity
