// A planar serial arm of uniform rods: torques in, joint motion out.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "asperity/system/pool.hpp"

namespace asperity {

/// A rod of an arm.
struct Rod {
  double mass = 1;    // kg
  double length = 1;  // m
};

/// H(q) qddot = torque - c(q, w), solved by recursion over the rods (the articulated-body algorithm of Featherstone in the plane),
/// so that n rods cost O(n) and no inertia matrix is ever formed. q are the angles between neighbours, the first one from the x
/// axis.
///
/// For the rest of the world an arm is a pool of n one-dimensional bodies, its joints: joint friction is an element on a Line.
class Arm final : public BodyPool {
 public:
  std::vector<Rod> rods;
  std::vector<Port<double, 1>> start;
  std::array<double, 2> gravity{};
  bool own_gravity = false;

  std::size_t count() const noexcept override { return rods.size(); }
  std::size_t motion_numbers() const noexcept override { return 2; }
  std::size_t force_numbers() const noexcept override { return 1; }
  void write_start(double* x) const noexcept override {
    for (std::size_t i = 0; i < rods.size(); ++i) store(x, motion, i, start[i]);
  }
  /// Of the plane of the arm; that one may stand anyhow in space.
  void feel(std::span<const double> world, std::size_t) override {
    if (!own_gravity && world.size() == 2) gravity = {world[0], world[1]};
  }
  void place(double, double*) const override {}
  void tidy(double*) const noexcept override {}
  std::unique_ptr<BodyPool> pick(std::span<const std::uint32_t>) const override { return std::make_unique<Arm>(*this); }
  bool in_one_piece() const noexcept override { return true; }
  void each_constant(const std::function<void(double)>& f) const override {
    for (const Rod& rod : rods) f(rod.mass), f(rod.length);
    for (const double g : gravity) f(g);
  }

  void rate(const double* x, const double* f, double* xdot) const noexcept override { rate(x, f, xdot, scratch<double>()); }
  void rate(const Dual8* x, const Dual8* f, Dual8* xdot) const override { rate(x, f, xdot, scratch<Dual8>()); }

  double kinetic_of(std::size_t joint, const double* x) const noexcept override {
    if (joint > 0) return 0;
    auto& joints = scratch<double>();
    forward(x, joints);
    double sum = 0, vx = 0, vy = 0;
    for (std::size_t i = 0; i < rods.size(); ++i) {
      const Joint<double>& j = joints[i];
      const double cx = vx - j.w * j.r[1] / 2, cy = vy + j.w * j.r[0] / 2;
      sum += rods[i].mass / 2 * (cx * cx + cy * cy + rods[i].length * rods[i].length / 12 * j.w * j.w);
      vx -= j.w * j.r[1];
      vy += j.w * j.r[0];
    }
    return sum;
  }
  double potential_of(std::size_t joint, const double* x) const noexcept override {
    if (joint > 0) return 0;
    auto& joints = scratch<double>();
    forward(x, joints);
    double sum = 0, px = 0, py = 0;
    for (std::size_t i = 0; i < rods.size(); ++i) {
      const Joint<double>& j = joints[i];
      sum -= rods[i].mass * (gravity[0] * (px + j.r[0] / 2) + gravity[1] * (py + j.r[1] / 2));
      px += j.r[0];
      py += j.r[1];
    }
    return sum;
  }

 private:
  template <class S>
  struct Joint {
    std::array<S, 2> r;                    // from this joint to the next
    S w;                                   // angular velocity of the rod in the world
    std::array<S, 3> column, centripetal;  // turning, x, y, at a joint
    S drive;
  };

  template <class S>
  void rate(const S* x, const S* f, S* xdot, std::vector<Joint<S>>& joints) const {
    using Vector = std::array<S, 3>;
    using Matrix = std::array<S, 9>;
    forward(x, joints);
    // From the tip to the base: the inertia and the bias force that each rod shows at its joint.
    Matrix shown{};
    Vector bias{};
    for (std::size_t i = rods.size(); i-- > 0;) {
      Joint<S>& j = joints[i];
      Matrix inertia = at_joint(i, joints[i].r);
      Vector p{S(0.0), -rods[i].mass * j.w * j.w * j.r[0] / 2, -rods[i].mass * j.w * j.w * j.r[1] / 2};
      if (i + 1 < rods.size()) {
        const Matrix moved = shift(shown, j.r);
        for (std::size_t k = 0; k < 9; ++k) inertia[k] += moved[k];
        const Vector back = shift(bias, j.r);
        for (std::size_t k = 0; k < 3; ++k) p[k] += back[k];
      }
      j.column = {inertia[0], inertia[3], inertia[6]};
      j.drive = f[force.at(0, i)] - p[0];
      const S D = inertia[0];
      shown = inertia;
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) shown[3 * a + b] -= j.column[a] * j.column[b] / D;
      const S w = i > 0 ? joints[i - 1].w : S(0.0);
      const Vector centripetal = i > 0 ? Vector{S(0.0), -w * w * joints[i - 1].r[0], -w * w * joints[i - 1].r[1]} : Vector{};
      j.centripetal = centripetal;
      const Vector from = apply(shown, centripetal);
      for (std::size_t k = 0; k < 3; ++k) bias[k] = p[k] + from[k] + j.column[k] * j.drive / D;
    }
    // From the base to the tip: the accelerations. Gravity is a base that accelerates upwards.
    Vector a{S(0.0), -gravity[0], -gravity[1]};
    for (std::size_t i = 0; i < rods.size(); ++i) {
      const Joint<S>& j = joints[i];
      for (std::size_t k = 0; k < 3; ++k) a[k] += j.centripetal[k];
      const S qddot = (j.drive - (j.column[0] * a[0] + j.column[1] * a[1] + j.column[2] * a[2])) / j.column[0];
      a[0] += qddot;
      xdot[motion.at(0, i)] = x[motion.at(1, i)];
      xdot[motion.at(1, i)] = qddot;
      a = {a[0], a[1] - a[0] * j.r[1], a[2] + a[0] * j.r[0]};
    }
  }

  template <class S>
  void forward(const S* x, std::vector<Joint<S>>& joints) const {
    using std::cos, std::sin;
    joints.resize(rods.size());
    S angle(0.0), w(0.0);
    for (std::size_t i = 0; i < rods.size(); ++i) {
      angle += x[motion.at(0, i)];
      w += x[motion.at(1, i)];
      joints[i].r = {rods[i].length * cos(angle), rods[i].length * sin(angle)};
      joints[i].w = w;
    }
  }
  /// Of a uniform rod about its joint.
  template <class S>
  std::array<S, 9> at_joint(std::size_t i, const std::array<S, 2>& r) const noexcept {
    const double m = rods[i].mass;
    const S cx = r[0] / 2, cy = r[1] / 2;
    return {m * rods[i].length * rods[i].length / 3, -m * cy, m * cx, -m * cy, m, 0, m * cx, 0, m};
  }
  template <class S>
  static std::array<S, 3> apply(const std::array<S, 9>& m, const std::array<S, 3>& v) noexcept {
    return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
            m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
  }
  /// X^T f and X^T M X, with X the motion of a point at r from that of the joint: (w, v) -> (w, v + w x r).
  template <class S>
  static std::array<S, 3> shift(const std::array<S, 3>& f, const std::array<S, 2>& r) noexcept {
    return {f[0] - r[1] * f[1] + r[0] * f[2], f[1], f[2]};
  }
  template <class S>
  static std::array<S, 9> shift(const std::array<S, 9>& m, const std::array<S, 2>& r) noexcept {
    using Vector = std::array<S, 3>;
    std::array<S, 9> left{};
    for (std::size_t b = 0; b < 3; ++b) {
      const Vector column = shift(Vector{m[b], m[3 + b], m[6 + b]}, r);
      for (std::size_t a = 0; a < 3; ++a) left[3 * a + b] = column[a];
    }
    std::array<S, 9> both{};
    for (std::size_t a = 0; a < 3; ++a) {
      const Vector row = shift(Vector{left[3 * a], left[3 * a + 1], left[3 * a + 2]}, r);
      for (std::size_t b = 0; b < 3; ++b) both[3 * a + b] = row[b];
    }
    return both;
  }

  /// One for each thread: an arm may be at work in several.
  template <class S>
  static std::vector<Joint<S>>& scratch() {
    static thread_local std::vector<Joint<S>> joints;
    return joints;
  }
};

}  // namespace asperity
