// A revolute joint between two rigid bodies: stiff in all but its axis. The law between them sees the rate about the axis.
#pragma once

#include "asperity/statics.hpp"
#include "asperity/system/connection.hpp"

namespace asperity {

/// The anchors are drawn together by K and B_pull, the axes by K_turn and B_turn; about the axis acts a friction law.
///   d = p_a + R_a anchor_a - p_b - R_b anchor_b,   F = K d + B ddot          stored K d^2/2
///   axes u_a, u_b of length 1:  moment K_turn u_a x u_b on a                  stored K_turn (1 - u_a . u_b)
///   friction moment -f u_a on a with slip u_a . (w_a - w_b)                   [kikuuwe_yamamoto, Simulation III, in space]
template <class S>
struct Revolute {
  using Scalar = S;
  using Vector = VecN<S, 3>;
  using A = Frame<S>;
  using B = Frame<S>;
  using Forces = EndForces<Wrench<S>, Wrench<S>>;
  struct Relative {
    S v{};
  };

  Vector anchor_a{}, anchor_b{};  // m, in the bodies
  Vector axis_a{{S(0.0), S(0.0), S(1.0)}}, axis_b{{S(0.0), S(0.0), S(1.0)}};
  S K = S(1e6), B_pull = S(1e2);       // N/m, N s/m
  S K_turn = S(1e4), B_turn = S(1.0);  // N m, N m s

  constexpr Relative motion(const A& a, const B& b) const noexcept { return {dot(rotate(a.q, axis_a), a.w - b.w)}; }
  constexpr Forces forces(const A& a, const B& b, const S& friction) const noexcept {
    const Place at = place(a, b);
    const Own v = relative(a, b);
    return push(a, b, {K * at.d + B_pull * v.pull, B_turn * v.turn - K_turn * cross(at.u_a, rotate(b.q, axis_b))}, friction);
  }

  /// The pull acts at one point, halfway between the anchors, so that no moment is made where they are apart.
  struct Place {
    Vector d, arm_a, arm_b, u_a;
  };
  constexpr Place place(const A& a, const B& b) const noexcept {
    const Vector r_a = rotate(a.q, anchor_a), r_b = rotate(b.q, anchor_b), d = a.p + r_a - b.p - r_b;
    return {d, r_a - S(0.5) * d, r_b + S(0.5) * d, rotate(a.q, axis_a)};
  }

  /// What the joint itself does, or the velocities conjugate to it; the part of `turn` about the axis counts for nothing.
  struct Own {
    Vector pull, turn;

    template <class F>
    constexpr void each(F&& f) {
      each_number(f, pull);
      each_number(f, turn);
    }
  };
  constexpr Forces push(const A& a, const B& b, const Own& own, const S& friction) const noexcept {
    const Place at = place(a, b);
    const Vector moment = own.turn - dot(at.u_a, own.turn) * at.u_a + friction * at.u_a;
    return {{-own.pull, -moment - cross(at.arm_a, own.pull)}, {own.pull, cross(at.arm_b, own.pull) + moment}};
  }
  constexpr Own relative(const A& a, const B& b) const noexcept {
    const Place at = place(a, b);
    const Vector w = a.w - b.w;
    return {a.v + cross(a.w, at.arm_a) - b.v - cross(b.w, at.arm_b), w - dot(at.u_a, w) * at.u_a};
  }
  std::vector<Stiffness> stiffness() const {
    using enum Stiffness::Kind;
    return {{.kind = spring, .K = K, .B = B_pull, .part = "anchor", .count = 3, .joint = true},
            {.kind = spring, .K = K_turn, .B = B_turn, .part = "axis", .first = 3, .count = 3, .joint = true, .turns = true}};
  }
  constexpr S stored(const A& a, const B& b) const noexcept {
    const Vector d = a.p + rotate(a.q, anchor_a) - b.p - rotate(b.q, anchor_b);
    return S(0.5) * K * dot(d, d) + K_turn * (S(1.0) - dot(rotate(a.q, axis_a), rotate(b.q, axis_b)));
  }

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
  }
};

}  // namespace asperity
