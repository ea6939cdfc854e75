// A revolute joint between two rigid bodies: stiff in all but its axis, with friction about the axis.
#pragma once

#include "asperity/laws.hpp"
#include "asperity/system/connection.hpp"
#include "asperity/system/statics.hpp"

namespace asperity {

/// The anchors are drawn together by K and B, the axes by K_turn and B_turn; about the axis acts a friction law.
///   d = p_a + R_a anchor_a - p_b - R_b anchor_b,   F = K d + B ddot          stored K d^2/2
///   axes u_a, u_b of length 1:  moment K_turn u_a x u_b on a                  stored K_turn (1 - u_a . u_b)
///   friction moment -f u_a on a with slip u_a . (w_a - w_b)                   [kikuuwe_yamamoto, Simulation III, in space]
template <class Friction = SingleState<double>>
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
    const Vector r_a = rotate(a.q, anchor_a), r_b = rotate(b.q, anchor_b);
    const Vector u_a = rotate(a.q, axis_a), u_b = rotate(b.q, axis_b);
    const Vector d = a.p + r_a - b.p - r_b;
    const Vector ddot = a.v + cross(a.w, r_a) - b.v - cross(b.w, r_b);
    const Vector pull = K * d + B_pull * ddot;
    const Vector w = a.w - b.w;
    const auto friction = law.react(z, input(a, b), tau);
    const Vector turn = B_turn * (w - dot(u_a, w) * u_a) - K_turn * cross(u_a, u_b);
    return {push(a, b, {pull, turn, friction.f}), friction.rate, friction.f};
  }

  /// A force of its parts, each against its own motion; the part of `turn` about the axis counts for nothing.
  struct Push {
    Vector pull, turn;
    S friction;
  };
  constexpr EndForces<Wrench<S>, Wrench<S>> push(const A& a, const B& b, const Push& p) const noexcept {
    const Vector r_a = rotate(a.q, anchor_a), r_b = rotate(b.q, anchor_b), u_a = rotate(a.q, axis_a);
    const Vector moment = p.turn - dot(u_a, p.turn) * u_a + p.friction * u_a;
    return {{-p.pull, -moment - cross(r_a, p.pull)}, {p.pull, cross(r_b, p.pull) + moment}};
  }
  /// The velocities conjugate to them.
  constexpr Push relative(const A& a, const B& b) const noexcept {
    const Vector u_a = rotate(a.q, axis_a), w = a.w - b.w;
    return {a.v + cross(a.w, rotate(a.q, anchor_a)) - b.v - cross(b.w, rotate(b.q, anchor_b)), w - dot(u_a, w) * u_a, dot(u_a, w)};
  }
  std::vector<Stiffness> stiffness(const A&, const B&) const {
    using enum Stiffness::Kind;
    std::vector<Stiffness> parts{{.kind = spring, .K = K, .B = B_pull, .part = "anchor", .count = 3},
                                 {.kind = spring, .K = K_turn, .B = B_turn, .part = "axis", .first = 3, .count = 3, .turns = true}};
    if constexpr (Static<Friction>) {
      parts.push_back(statics::stiffness(law, 1.0));
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
};

}  // namespace asperity
