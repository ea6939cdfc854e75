// Poses by chance, and what is true of any of them.
#pragma once

#include <random>

#include "asperity/shapes/meet.hpp"

namespace asperity {

using Point = VecN<double, 3>;

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  double number(double low, double high) {
    return low + (high - low) * double(engine_() - engine_.min()) / double(engine_.max() - engine_.min());
  }
  Point point(double size) { return {{number(-size, size), number(-size, size), number(-size, size)}}; }
  Point direction() {
    for (;;)
      if (const Point p = point(1); magnitude(p) > 0.1 && magnitude(p) < 1) return p / magnitude(p);
  }
  Quaternion<double> rotation() { return turned(direction(), number(-3, 3)); }
  Pose<double> pose(double size) { return {point(size), rotation()}; }
  static Quaternion<double> turned(const Point& axis, double angle) { return {std::cos(angle / 2), std::sin(angle / 2) * axis}; }

 private:
  std::mt19937 engine_;
};

inline Shape any_shape(Shape::Kind kind, Chance& chance) {
  switch (kind) {
    case Shape::Kind::sphere:
      return Shape::sphere(chance.number(0.05, 0.2));
    case Shape::Kind::capsule:
      return Shape::capsule(chance.number(0.05, 0.1), chance.number(0.1, 0.3));
    case Shape::Kind::box:
      return Shape::box(chance.number(0.1, 0.4), chance.number(0.1, 0.4), chance.number(0.1, 0.4));
    case Shape::Kind::plane:
      break;
  }
  return Shape::plane();
}

/// The deepest point.
inline const MeetingPoint<double>* deepest(const Meeting<double>& meeting) {
  const MeetingPoint<double>* best = nullptr;
  for (int i = 0; i < meeting.count; ++i)
    if (const auto& one = meeting.points[std::size_t(i)]; one.weight > 0 && (!best || one.gap < best->gap)) best = &one;
  return best;
}

/// Force and moment about the origin of a contact of stiffness 1 on a.
inline Wrench<double> pressed(const Meeting<double>& meeting) {
  Wrench<double> sum;
  for (int i = 0; i < meeting.count; ++i) {
    const auto& one = meeting.points[std::size_t(i)];
    const Point f = one.weight * std::max(0.0, -one.gap) * one.normal;
    sum.f = sum.f + f;
    sum.m = sum.m + cross(one.at, f);
  }
  return sum;
}

}  // namespace asperity
