// Shapes of bodies: sphere, capsule, box, plane.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "asperity/bodies/rigid.hpp"

namespace asperity {

/// Where something is and how it is turned.
template <class S>
struct Pose {
  VecN<S, 3> p{};
  Quaternion<S> q{};
};

/// The product of two rotations: first `b`, then `a`.
template <class S>
constexpr Quaternion<S> operator*(const Quaternion<S>& a, const Quaternion<S>& b) noexcept {
  return {a.w * b.w - dot(a.u, b.u), a.w * b.u + b.w * a.u + cross(a.u, b.u)};
}
/// A pose that is given in another one.
template <class S>
constexpr Pose<S> operator*(const Pose<S>& outer, const Pose<S>& inner) noexcept {
  return {outer.p + rotate(outer.q, inner.p), outer.q * inner.q};
}

/// A number, or a vector of numbers, as constants of another scalar.
template <class S>
constexpr VecN<S, 3> constant(const VecN<double, 3>& v) noexcept {
  return {{S(v[0]), S(v[1]), S(v[2])}};
}
template <class S>
constexpr Pose<S> constant(const Pose<double>& pose) noexcept {
  return {constant<S>(pose.p), {S(pose.q.w), constant<S>(pose.q.u)}};
}

/// A shape in a body. A sphere has its centre, a box and a capsule their middle at the origin of `at`; the axis of a capsule is z;
/// a plane is all that is below z = 0.
struct Shape {
  enum class Kind { sphere, capsule, box, plane };

  Kind kind = Kind::sphere;
  VecN<double, 3> half{};  // of a box: half of its sides
  double radius = 0;       // of a sphere and of a capsule
  double reach = 0;        // of a capsule: from its middle to the centres of its ends
  Pose<double> at{};       // in the body

  static constexpr Shape sphere(double radius) noexcept { return {Kind::sphere, {}, radius, 0, {}}; }
  /// A tube of this length with a half sphere on each end.
  static constexpr Shape capsule(double radius, double length) noexcept { return {Kind::capsule, {}, radius, length / 2, {}}; }
  static constexpr Shape box(double a, double b, double c) noexcept { return {Kind::box, {{a / 2, b / 2, c / 2}}, 0, 0, {}}; }
  static constexpr Shape plane() noexcept { return {Kind::plane, {}, 0, 0, {}}; }
  constexpr Shape placed(const Pose<double>& where) const noexcept {
    Shape moved = *this;
    moved.at = where;
    return moved;
  }

  /// Of the ball around the origin of `at` that holds all of it.
  double outer() const noexcept {
    if (kind == Kind::plane) return std::numeric_limits<double>::infinity();
    return kind == Kind::box ? magnitude(half) : radius + reach;
  }
  /// How far something can enter before it is beyond the middle: half of the smallest extent.
  double inner() const noexcept {
    if (kind == Kind::plane) return std::numeric_limits<double>::infinity();
    return kind == Kind::box ? std::min({half[0], half[1], half[2]}) : radius;
  }
};

/// An upright box in the world that holds a shape.
struct Bounds {
  VecN<double, 3> low, high;

  bool meets(const Bounds& other) const noexcept {
    for (int i = 0; i < 3; ++i)
      if (low[i] > other.high[i] || other.low[i] > high[i]) return false;
    return true;
  }
};
/// Of a shape at a pose, with a margin around it.
inline Bounds bounds(const Shape& shape, const Pose<double>& at, double margin = 0) noexcept {
  VecN<double, 3> extent{};
  for (int i = 0; i < 3; ++i) {
    VecN<double, 3> axis{};
    axis[i] = 1;
    const VecN<double, 3> in = rotate(conjugate(at.q), axis);  // the axis of the world in the shape
    switch (shape.kind) {
      case Shape::Kind::sphere:
        extent[i] = shape.radius;
        break;
      case Shape::Kind::capsule:
        extent[i] = shape.radius + shape.reach * std::abs(in[2]);
        break;
      case Shape::Kind::box:
        extent[i] = shape.half[0] * std::abs(in[0]) + shape.half[1] * std::abs(in[1]) + shape.half[2] * std::abs(in[2]);
        break;
      case Shape::Kind::plane:
        extent[i] = std::numeric_limits<double>::infinity();
        break;
    }
    extent[i] += margin;
  }
  return {at.p - extent, at.p + extent};
}

}  // namespace asperity
