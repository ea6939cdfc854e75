// Rotations and what a rigid body shows of itself.
#pragma once

#include "asperity/scalar/vec.hpp"

namespace asperity {

template <class S>
constexpr VecN<S, 3> cross(const VecN<S, 3>& a, const VecN<S, 3>& b) noexcept {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

/// A rotation from the body to the world; of length 1.
template <class S>
struct Quaternion {
  S w = S(1.0);
  VecN<S, 3> u{};
};

/// q r q*, the vector r of the body in the world; for the other way, with the conjugate.
template <class S>
constexpr VecN<S, 3> rotate(const Quaternion<S>& q, const VecN<S, 3>& r) noexcept {
  const VecN<S, 3> t = S(2.0) * cross(q.u, r);
  return r + q.w * t + cross(q.u, t);
}
template <class S>
constexpr Quaternion<S> conjugate(const Quaternion<S>& q) noexcept {
  return {q.w, -q.u};
}

/// Motion of a rigid body: centre of mass, rotation, velocity, angular velocity in the world.
template <class S>
struct Frame {
  VecN<S, 3> p{};
  Quaternion<S> q{};
  VecN<S, 3> v{};
  VecN<S, 3> w{};
};

/// Force, and moment about the centre of mass, in the world.
template <class S>
struct Wrench {
  VecN<S, 3> f{};
  VecN<S, 3> m{};
};

}  // namespace asperity
