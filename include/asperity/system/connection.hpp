// Connections: how an element sees the motion of two bodies, and how its force comes back to them.
//   Phi: motion(a, b) -> relative position x and velocity v        Psi: forces(...) -> force on a and on b
// Psi = -Phi^T: for every force phi conjugate to v,  F_a . v_a + F_b . v_b + phi . v = 0; what a connection takes from the bodies
// it gives to the element. Nobody writes matrices or minus signs but here, and a test holds every connection to it.
#pragma once

#include "asperity/bodies/port.hpp"
#include "asperity/bodies/rigid.hpp"
#include "asperity/law.hpp"

namespace asperity {

/// What a connection brings back: one force for each end.
template <class ForceA, class ForceB>
struct EndForces {
  ForceA a;
  ForceB b;
};

/// Along the line of two one-dimensional bodies:  x = p_a - p_b - offset.
template <class S>
struct Line {
  using Scalar = S;
  using A = Port<S, 1>;
  using B = Port<S, 1>;
  struct Relative {
    S x{}, v{};
  };

  S offset = S(0.0);

  constexpr Relative motion(const A& a, const B& b) const noexcept { return {a.p - b.p - offset, a.v - b.v}; }
  constexpr EndForces<S, S> forces(const A&, const B&, const S& phi) const noexcept { return {-phi, phi}; }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("offset", offset, "m", Range{}, "position of a relative to b at which the element is at rest");
  }
};

/// Along one direction between two bodies that move in D dimensions:  x = n . (p_a - p_b) - offset.
template <class S, int D>
struct Axis {
  using Scalar = S;
  using A = Port<S, D>;
  using B = Port<S, D>;
  struct Relative {
    S x{}, v{};
  };

  Vec<S, D> direction = first_axis();
  S offset = S(0.0);

  constexpr Relative motion(const A& a, const B& b) const noexcept {
    return {dot(direction, a.p - b.p) - offset, dot(direction, a.v - b.v)};
  }
  constexpr EndForces<Vec<S, D>, Vec<S, D>> forces(const A&, const B&, const S& phi) const noexcept {
    return {-phi * direction, phi * direction};
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("direction", direction, "1", between(-1, 1), "direction that the element sees, of length 1");
    field("offset", offset, "m", Range{}, "distance at which the element is at rest");
  }

 private:
  static constexpr Vec<S, D> first_axis() noexcept {
    Vec<S, D> n{};
    n[0] = S(1.0);
    return n;
  }
};

/// All directions at once, for friction between bodies that slide on each other in a plane or in space:  v = v_a - v_b.
template <class S, int D>
struct Surface {
  using Scalar = S;
  using A = Port<S, D>;
  using B = Port<S, D>;
  struct Relative {
    Vec<S, D> v{};
  };

  constexpr Relative motion(const A& a, const B& b) const noexcept { return {a.v - b.v}; }
  constexpr EndForces<Vec<S, D>, Vec<S, D>> forces(const A&, const B&, const Vec<S, D>& phi) const noexcept { return {-phi, phi}; }

  template <class Field>
  constexpr void describe(Field&&) {}
};

/// A point of a and a plane that moves with b: gap along the normal, slip across it.
///   gap = n . (p_a - p_b) - offset,   slip = v - n (n . v),   v = v_a - v_b
template <class S, int D>
struct PointPlane {
  using Scalar = S;
  using A = Port<S, D>;
  using B = Port<S, D>;
  using Vector = Vec<S, D>;
  struct Relative {
    S gap{}, rate{};
    Vector slip{};
  };

  Vector normal = last_axis();
  S offset = S(0.0);

  constexpr Relative motion(const A& a, const B& b) const noexcept {
    const Vector v = a.v - b.v;
    const S rate = dot(normal, v);
    return {dot(normal, a.p - b.p) - offset, rate, v - rate * normal};
  }
  /// N pushes apart along the normal, f resists the slip.
  constexpr EndForces<Vector, Vector> forces(const A&, const B&, const S& N, const Vector& f) const noexcept {
    const Vector on_a = N * normal - (f - dot(normal, f) * normal);
    return {on_a, -on_a};
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("normal", normal, "1", between(-1, 1), "direction in which the plane pushes a, of length 1");
    field("offset", offset, "m", Range{}, "distance of the plane from the origin of b");
  }

 private:
  static constexpr Vector last_axis() noexcept {
    Vector n{};
    n[D - 1] = S(1.0);
    return n;
  }
};

/// A ball fixed to a rigid body and a plane that moves with b. Radius 0 is a corner; a sphere has its ball at the centre, a capsule
/// one at each end, a box a corner ball of radius 0 at each corner.
///   centre = p_a + R c,  gap = n . (centre - p_b) - radius,  the force acts at the contact point centre - radius n
template <class S, bool Centred = false>
struct BallPlane {
  using Scalar = S;
  using A = Frame<S>;
  using B = Port<S, 3>;
  using Vector = VecN<S, 3>;
  struct Relative {
    S gap{}, rate{};
    Vector slip{};
  };

  Vector normal{{S(0.0), S(0.0), S(1.0)}};
  S offset = S(0.0);
  S radius = S(0.0);
  Vector centre{};  // in the body; not used by a centred ball

  /// From the centre of mass to the contact point, in the world.
  constexpr Vector arm(const A& a) const noexcept {
    if constexpr (Centred) return -radius * normal;
    else return rotate(a.q, centre) - radius * normal;
  }
  constexpr Relative motion(const A& a, const B& b) const noexcept {
    const Vector r = arm(a);
    const Vector v = a.v + cross(a.w, r) - b.v;
    const S rate = dot(normal, v);
    return {dot(normal, a.p + r - b.p) - offset, rate, v - rate * normal};
  }
  constexpr EndForces<Wrench<S>, Vector> forces(const A& a, const B&, const S& N, const Vector& f) const noexcept {
    const Vector on_a = N * normal - (f - dot(normal, f) * normal);
    return {{on_a, cross(arm(a), on_a)}, -on_a};
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("normal", normal, "1", between(-1, 1), "direction in which the plane pushes a, of length 1");
    field("offset", offset, "m", Range{}, "distance of the plane from the origin of b");
    field("radius", radius, "m", nonnegative, "radius of the ball; 0 is a point");
    field("centre", centre, "m", Range{}, "centre of the ball in the body");
  }
};

/// Two balls, each fixed to a rigid body at its centre of mass. The force acts at one point, halfway between the two surfaces, so
/// that no moment is made or lost where they overlap.
///   n = (p_a - p_b)/|p_a - p_b|,  gap = |p_a - p_b| - r_a - r_b,  slip of the two bodies at that point
template <class S>
struct BallBall {
  using Scalar = S;
  using A = Frame<S>;
  using B = Frame<S>;
  using Vector = VecN<S, 3>;
  struct Relative {
    S gap{}, rate{};
    Vector slip{};
  };

  S radius_a = S(0.0);
  S radius_b = S(0.0);

  struct Place {
    S gap;
    Vector normal, arm_a, arm_b;  // from the centres to the point
  };
  constexpr Place place(const A& a, const B& b) const noexcept {
    const Vector d = a.p - b.p;
    const S distance = magnitude(d), gap = distance - radius_a - radius_b;
    const Vector n = ratio(d, distance);
    return {gap, n, -(radius_a + S(0.5) * gap) * n, (radius_b + S(0.5) * gap) * n};
  }
  constexpr Relative motion(const A& a, const B& b) const noexcept {
    const Place at = place(a, b);
    const Vector v = a.v + cross(a.w, at.arm_a) - b.v - cross(b.w, at.arm_b);
    const S rate = dot(at.normal, v);
    return {at.gap, rate, v - rate * at.normal};
  }
  constexpr EndForces<Wrench<S>, Wrench<S>> forces(const A& a, const B& b, const S& N, const Vector& f) const noexcept {
    const Place at = place(a, b);
    const Vector on_a = N * at.normal - (f - dot(at.normal, f) * at.normal);
    return {{on_a, cross(at.arm_a, on_a)}, {-on_a, -cross(at.arm_b, on_a)}};
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("radius_a", radius_a, "m", positive, "radius of the ball of a");
    field("radius_b", radius_b, "m", positive, "radius of the ball of b");
  }
};

/// The distance of two points, each fixed to a rigid body: where a spring or a strut is hung up.
///   d = p_a + R_a point_a - p_b - R_b point_b,   x = |d| - offset
template <class S>
struct PointPoint {
  using Scalar = S;
  using A = Frame<S>;
  using B = Frame<S>;
  using Vector = VecN<S, 3>;
  struct Relative {
    S x{}, v{};
  };

  Vector point_a{}, point_b{};
  S offset = S(0.0);

  struct Place {
    Vector arm_a, arm_b, direction;
    S distance;
  };
  constexpr Place place(const A& a, const B& b) const noexcept {
    const Vector r_a = rotate(a.q, point_a), r_b = rotate(b.q, point_b), d = a.p + r_a - b.p - r_b;
    const S distance = magnitude(d);
    return {r_a, r_b, ratio(d, distance), distance};
  }
  constexpr Relative motion(const A& a, const B& b) const noexcept {
    const Place at = place(a, b);
    return {at.distance - offset, dot(at.direction, a.v + cross(a.w, at.arm_a) - b.v - cross(b.w, at.arm_b))};
  }
  constexpr EndForces<Wrench<S>, Wrench<S>> forces(const A& a, const B& b, const S& phi) const noexcept {
    const Place at = place(a, b);
    const Vector on_a = -phi * at.direction;
    return {{on_a, cross(at.arm_a, on_a)}, {-on_a, -cross(at.arm_b, on_a)}};
  }

  template <class Field>
  constexpr void describe(Field&& field) {
    field("point_a", point_a, "m", Range{}, "point in body a");
    field("point_b", point_b, "m", Range{}, "point in body b");
    field("offset", offset, "m", Range{}, "distance at which the element is at rest");
  }
};

/// The balls that stand for a capsule of this radius and length of tube, its axis z, on a plane: one at each end.
constexpr std::array<BallPlane<double>, 2> capsule_on(BallPlane<double> plane, double radius, double length) noexcept {
  plane.radius = radius;
  std::array<BallPlane<double>, 2> ends{plane, plane};
  ends[0].centre[2] = -length / 2;
  ends[1].centre[2] = length / 2;
  return ends;
}

/// The corners that stand for a box of sides a, b, c along its x, y, z on a plane.
constexpr std::array<BallPlane<double>, 8> box_on(BallPlane<double> plane, double a, double b, double c) noexcept {
  std::array<BallPlane<double>, 8> corners{};
  for (std::size_t i = 0; i < 8; ++i) {
    plane.centre = {{(i & 1 ? a : -a) / 2, (i & 2 ? b : -b) / 2, (i & 4 ? c : -c) / 2}};
    corners[i] = plane;
  }
  return corners;
}

}  // namespace asperity
