// Bodies: force in, motion out. A body says motion(state), which never sees the force, and rate(state, force).
#pragma once

#include "asperity/bodies/port.hpp"
#include "asperity/bodies/rigid.hpp"
#include "asperity/law.hpp"

namespace asperity {

/// A point mass in D dimensions:  pdot = v,  vdot = F/m + g
template <class S, int D = 1>
struct PointMass {
  using Scalar = S;
  using Motion = Port<S, D>;
  using Force = Vec<S, D>;
  using State = Port<S, D>;
  static constexpr std::string_view name = D == 1 ? "mass" : D == 2 ? "mass_2d" : "mass_3d";

  S mass = S(1.0);
  Vec<S, D> gravity{};

  constexpr Motion motion(const State& z) const noexcept { return z; }
  constexpr State rate(const State& z, const Force& force) const noexcept { return {z.v, force / mass + gravity}; }
  constexpr S kinetic(const State& z) const noexcept { return S(0.5) * mass * dot(z.v, z.v); }
  constexpr S potential(const State& z) const noexcept { return -mass * dot(gravity, z.p); }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("mass", mass, "kg", positive, "mass");
    field("gravity", gravity, "m/s^2", Range{}, "acceleration by gravity");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("position", "m", "position", z.p...);
    field("velocity", "m/s", "velocity", z.v...);
  }
};

/// A mass that rubs, the admittance type of kikuuwe_fujimoto (3)-(7): force in, velocity out, exactly zero when it sticks.
///   v+ = v + (T/M)(h - f),  f in F Sgn(v+)   <=>   v+ = (T/M) (y - sat(F, y)),  y = M v/T + h
/// A law of sampled time: it carries its sampling time T, and runs with the methods `euler` and `step` at the step T only.
template <class S, int D = 1>
struct FrictionMass {
  using Scalar = S;
  using Motion = Port<S, D>;
  using Force = Vec<S, D>;
  using State = Port<S, D>;
  static constexpr std::string_view name = "friction_mass";

  S mass = S(1.0);
  S F = S(1.0);
  S T = S(1e-3);
  Vec<S, D> gravity{};

  constexpr Motion motion(const State& z) const noexcept { return z; }
  constexpr State rate(const State& z, const Force& force) const noexcept {
    const Vec<S, D> y = (mass / T) * z.v + force + mass * gravity;
    const Vec<S, D> v = (T / mass) * (y - sat(F, y));
    return {v, (v - z.v) / T};
  }
  /// z + T zdot misses zero by the rounding of the division by T; what one step of friction would stop a million million times over
  /// is rest.
  constexpr State tidy(const State& z) const noexcept {
    return {z.p, select(magnitude(z.v) <= S(1e-12) * F * T / mass, S(0.0), S(1.0)) * z.v};
  }
  /// To its friction, in a step: while it slides, F against the way T v+; while it sticks there is no way.
  constexpr S lost(const State& before, const State& after) const noexcept { return F * magnitude(after.p - before.p); }
  constexpr S kinetic(const State& z) const noexcept { return S(0.5) * mass * dot(z.v, z.v); }
  constexpr S potential(const State& z) const noexcept { return -mass * dot(gravity, z.p); }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("mass", mass, "kg", positive, "mass");
    field("F", F, "N", nonnegative, "sliding friction");
    field("T", T, "s", positive, "sampling time, the step of the run");
    field("gravity", gravity, "m/s^2", Range{}, "acceleration by gravity");
  }
  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("position", "m", "position", z.p...);
    field("velocity", "m/s", "velocity", z.v...);
  }
};

/// A rigid body: centre of mass p, rotation q (unit quaternion, body to world), velocity v, angular velocity w (world).
///   pdot = v,  qdot = 1/2 w q,  vdot = F/m + g,  I wdot_b = M_b - w_b x I w_b  in the body
template <class S>
struct RigidBody {
  using Scalar = S;
  using Motion = Frame<S>;
  using Force = Wrench<S>;
  using State = Frame<S>;
  using Vector = VecN<S, 3>;
  static constexpr std::string_view name = "rigid_body";

  S mass = S(1.0);
  /// Inertia about the centre of mass in the body, and its inverse: xx yy zz xy xz yz.
  std::array<S, 6> inertia{S(1.0), S(1.0), S(1.0), S(0.0), S(0.0), S(0.0)};
  std::array<S, 6> inverse{S(1.0), S(1.0), S(1.0), S(0.0), S(0.0), S(0.0)};
  Vector gravity{};

  /// A body of this inertia, with its inverse worked out.
  static constexpr RigidBody of(const S& mass, const std::array<S, 6>& i) noexcept {
    const S xx = i[1] * i[2] - i[5] * i[5], yy = i[0] * i[2] - i[4] * i[4], zz = i[0] * i[1] - i[3] * i[3];
    const S xy = i[4] * i[5] - i[3] * i[2], xz = i[3] * i[5] - i[4] * i[1], yz = i[3] * i[4] - i[0] * i[5];
    const S det = i[0] * xx + i[3] * xy + i[4] * xz;
    return {mass, i, {xx / det, yy / det, zz / det, xy / det, xz / det, yz / det}, {}};
  }

  constexpr Motion motion(const State& z) const noexcept { return z; }
  constexpr State rate(const State& z, const Force& force) const noexcept {
    const Quaternion<S> back = conjugate(z.q);
    const Vector w = rotate(back, z.w), m = rotate(back, force.m);
    const Vector wdot = apply(inverse, m - cross(w, apply(inertia, w)));
    return {z.v, turning(z), force.f / mass + gravity, rotate(z.q, wdot)};
  }
  /// The rate of the rotation, half of the product of spin and rotation.
  static constexpr Quaternion<S> turning(const State& z) noexcept {
    return {S(-0.5) * dot(z.w, z.q.u), S(0.5) * (z.q.w * z.w + cross(z.w, z.q.u))};
  }
  constexpr S kinetic(const State& z) const noexcept {
    const Vector w = rotate(conjugate(z.q), z.w);
    return S(0.5) * (mass * dot(z.v, z.v) + dot(w, apply(inertia, w)));
  }
  constexpr S potential(const State& z) const noexcept { return -mass * dot(gravity, z.p); }
  constexpr State tidy(const State& z) const noexcept {
    const S length = sqrt(z.q.w * z.q.w + dot(z.q.u, z.q.u));
    return {z.p, {z.q.w / length, z.q.u / length}, z.v, z.w};
  }
  /// Angular momentum about the centre of mass, in the world.
  constexpr Vector spin(const State& z) const noexcept { return rotate(z.q, apply(inertia, rotate(conjugate(z.q), z.w))); }
  /// What is to be added to the rate of w at the end z of an implicit step of length h, so that the step carries the momentum it
  /// started with: (I w)+ = (I w) + h m instead of w+ = w + h wdot+. Seen from the body, which turns about w+, L changes by
  /// d = h w+ x L+ and more across w+, and the energy falls by d I^-1 d/2; the other form gains it.
  constexpr Vector carried(const Vector& momentum, const Vector& w, const State& z, const S& h) const noexcept {
    const bool alike = inertia[0] == inertia[1] && inertia[0] == inertia[2];
    if (alike && inertia[3] == S(0.0) && inertia[4] == S(0.0) && inertia[5] == S(0.0)) return {};
    const Quaternion<S> back = conjugate(z.q);
    const Vector turned = rotate(back, z.w);
    return rotate(z.q, apply(inverse, cross(turned, apply(inertia, turned)) + rotate(back, momentum) / h)) - w / h;
  }

  static constexpr Vector apply(const std::array<S, 6>& i, const Vector& w) noexcept {
    return {{i[0] * w[0] + i[3] * w[1] + i[4] * w[2], i[3] * w[0] + i[1] * w[1] + i[5] * w[2],
             i[4] * w[0] + i[5] * w[1] + i[2] * w[2]}};
  }

  template <class Field, class... Z>
  static constexpr void states(Field&& field, Z&... z) {
    field("position", "m", "centre of mass", z.p...);
    field("rotation_w", "1", "rotation from body to world, scalar part", z.q.w...);
    field("rotation", "1", "rotation from body to world, vector part", z.q.u...);
    field("velocity", "m/s", "velocity of the centre of mass", z.v...);
    field("spin", "1/s", "angular velocity in the world", z.w...);
  }
};

/// Inertias of uniform bodies, xx yy zz xy xz yz; the axis of a capsule and of a cylinder is z.
namespace inertia {

constexpr std::array<double, 6> diagonal(double x, double y, double z) noexcept { return {x, y, z, 0, 0, 0}; }

constexpr std::array<double, 6> sphere(double mass, double radius) noexcept {
  const double i = 0.4 * mass * radius * radius;
  return diagonal(i, i, i);
}
/// Sides a, b, c along x, y, z.
constexpr std::array<double, 6> box(double mass, double a, double b, double c) noexcept {
  return diagonal(mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b));
}
constexpr std::array<double, 6> cylinder(double mass, double radius, double length) noexcept {
  const double across = mass / 12 * (3 * radius * radius + length * length);
  return diagonal(across, across, 0.5 * mass * radius * radius);
}
/// A cylinder of the given length with a half sphere on each end.
constexpr std::array<double, 6> capsule(double mass, double radius, double length) noexcept {
  const double whole = length + 4.0 / 3.0 * radius;  // in volumes of the cylinder's cross-section
  const double tube = mass * length / whole, caps = mass - tube;
  const double reach = length / 2 + 3.0 / 8.0 * radius;  // from the middle to the centre of mass of a half sphere
  const double across = tube * (length * length / 12 + radius * radius / 4) +
                        caps * (0.4 * radius * radius - 9.0 / 64.0 * radius * radius + reach * reach);
  return diagonal(across, across, tube * radius * radius / 2 + caps * 0.4 * radius * radius);
}

}  // namespace inertia

}  // namespace asperity
