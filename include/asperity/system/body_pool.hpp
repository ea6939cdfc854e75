// All bodies of one kind. Their state is a block of the flat state, held in columns. One call a pool, whatever its size.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "asperity/bodies/bodies.hpp"
#include "asperity/inner_loop.hpp"
#include "asperity/over.hpp"
#include "asperity/system/columns.hpp"
#include "asperity/system/reading.hpp"

namespace asperity {

/// The work of a whole pool, done in another way than item by item, with the same numbers. A Workspace has them; see kernels.hpp.
class BodyKernel {
 public:
  virtual ~BodyKernel() = default;
  virtual void rate(const double* x, const double* force, double* xdot) const noexcept = 0;
  virtual void tidy(double* x) const noexcept = 0;
};

/// Bodies of one kind. The motion that elements see stands in the flat state, or, for prescribed bodies, in an array of its
/// own.
class BodyPool {
 public:
  virtual ~BodyPool() = default;
  virtual std::size_t count() const noexcept = 0;
  virtual std::size_t motion_numbers() const noexcept = 0;
  virtual std::size_t force_numbers() const noexcept = 0;
  virtual void write_start(double* x) const noexcept = 0;
  virtual void rate(const double* x, const double* force, double* xdot) const noexcept = 0;
  /// The same with derivatives; only where has_derivatives().
  virtual void rate(const Dual8* x, const Dual8* force, Dual8* xdot) const = 0;
  virtual bool has_derivatives() const noexcept { return true; }
  /// Of one body, with those that move with it.
  virtual void rate_of(std::size_t /*i*/, const double* x, const double* f, double* xdot) const noexcept { rate(x, f, xdot); }
  /// The energies of body i; of bodies in one piece the first has those of all.
  virtual double kinetic_of(std::size_t i, const double* x) const noexcept = 0;
  virtual double potential_of(std::size_t i, const double* x) const noexcept = 0;
  double kinetic(const double* x) const noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += kinetic_of(i, x);
    return sum;
  }
  double potential(const double* x) const noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += potential_of(i, x);
    return sum;
  }
  /// What body i has lost by itself in a step between two states, J; of bodies that rub.
  virtual double lost(std::size_t /*i*/, const double* /*before*/, const double* /*after*/) const noexcept { return 0; }
  virtual bool rubs() const noexcept { return false; }
  /// Whether kinetic() and potential() are all the energy that the bodies have.
  virtual bool knows_energy() const noexcept { return true; }
  /// Back to where rounding let the state drift from: rotations of length 1.
  virtual void tidy(double* x) const noexcept = 0;
  virtual void tidy(Dual8* /*x*/) const {}
  /// The rates of the positions alone: where the bodies go, whatever pulls at them. Positions that are no rotations follow the
  /// velocities number by number.
  virtual void kinematics(const double* x, double* xdot) const noexcept { follow_velocities(x, xdot); }
  virtual void kinematics(const Dual8* x, Dual8* xdot) const { follow_velocities(x, xdot); }
  /// At the end x of an implicit step over h from x0: adds to the rates what carries the angular momenta of bodies that turn.
  virtual void carry(double /*h*/, const double* /*x0*/, const double* /*x*/, double* /*xdot*/) const {}
  virtual void carry(double /*h*/, const double* /*x0*/, const Dual8* /*x*/, Dual8* /*xdot*/) const {}
  /// The gravity of the world, for a body that has none of its own.
  virtual void feel(std::span<const double> /*gravity*/, std::size_t /*i*/) {}
  /// Where the prescribed bodies are at time t.
  virtual void place(double t, double* given) const = 0;
  /// A pool of some of the bodies, for a world that is a part of this one. Bodies in one piece are asked for all together.
  virtual std::unique_ptr<BodyPool> pick(std::span<const std::uint32_t> bodies) const = 0;
  virtual bool in_one_piece() const noexcept { return false; }
  /// Calls f on every constant of the bodies.
  virtual void each_constant(const std::function<void(double)>& f) const = 0;

  template <class S>
  const S* motions(const InstantOf<S>& now) const noexcept {
    return is_given ? now.given : now.state;
  }
  /// The column of the velocity that is conjugate to a number of the force.
  std::size_t velocity_column(std::size_t coordinate) const noexcept { return motion_numbers() - force_numbers() + coordinate; }
  /// Names and units of the columns of a body's motion, in their order.
  virtual std::vector<Quantity> quantities() const {
    std::vector<Quantity> list;
    const auto add = [&](const std::string& name, const std::string& unit, std::size_t numbers) {
      for (std::size_t i = 0; i < numbers; ++i) list.push_back({numbers > 1 ? name + "." + "xyz"[i] : name, unit});
    };
    const std::size_t D = motion_numbers() == parts<Frame<double>>() ? 3 : force_numbers();
    add("position", turns ? "rad" : "m", D);
    if (force_numbers() > D) add("rotation.w", "1", 1), add("rotation", "1", 3);
    add("velocity", turns ? "rad/s" : "m/s", D);
    if (force_numbers() > D) add("spin", "rad/s", 3);
    return list;
  }

  std::vector<std::string> names;
  Columns motion, force;  // in the flat state (or among the given motions), in the force array
  bool is_given = false;
  bool turns = false;  // positions are angles, forces are moments

 private:
  template <class S>
  void follow_velocities(const S* x, S* xdot) const noexcept {
    const std::size_t velocities = velocity_column(0);
    for (std::size_t c = 0; !is_given && c < velocities; ++c)
      for (std::size_t i = 0; i < motion.count; ++i) xdot[motion.at(c, i)] = x[motion.at(velocities + c, i)];
  }
};

/// Calls f on every constant of a body or an element: its parameters, or, of what is nothing but its numbers, all of them.
template <class Item, class F>
void each_constant_of(Item item, F&& f) {
  if constexpr (requires { item.describe([](auto&&...) {}); }) {
    each_parameter(item, [&](double number) { f(number); });
  } else {
    static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) % sizeof(double) == 0, "needs describe()");
    for (const double number : std::bit_cast<std::array<double, sizeof(Item) / sizeof(double)>>(item)) f(number);
  }
}

template <class Vector>
bool any_gravity(const Vector& gravity) {
  bool any = false;
  each_number([&](double g) { any = any || g != 0; }, gravity);
  return any;
}

template <class Body>
class Bodies final : public BodyPool {
 public:
  std::vector<Body> items;
  std::vector<typename Body::State> start;
  std::vector<bool> own_gravity;

  std::size_t count() const noexcept override { return items.size(); }
  std::size_t motion_numbers() const noexcept override { return parts<typename Body::State>(); }
  std::size_t force_numbers() const noexcept override { return parts<typename Body::Force>(); }
  void write_start(double* x) const noexcept override {
    for (std::size_t i = 0; i < items.size(); ++i) store(x, motion, i, start[i]);
  }
  void feel(std::span<const double> gravity, std::size_t i) override {
    constexpr std::size_t dimension = parts<decltype(Body::gravity)>();
    if (gravity.empty() || own_gravity[i] || (dimension == 1 && gravity.size() > 1)) return;
    if (dimension != gravity.size())
      throw std::invalid_argument(names[i] + " moves in " + std::to_string(dimension) + " dimensions: gravity has " +
                                  std::to_string(gravity.size()) + " components");
    std::size_t c = 0;
    each_part([&](double& g) { g = gravity[c++]; }, items[i].gravity);
  }
  void place(double, double*) const override {}
  std::unique_ptr<BodyPool> pick(std::span<const std::uint32_t> bodies) const override {
    auto some = std::make_unique<Bodies>();
    for (const std::uint32_t i : bodies)
      some->items.push_back(items[i]), some->start.push_back(start[i]), some->own_gravity.push_back(true);
    return some;
  }
  ASPERITY_INNER_LOOP void rate(const double* x, const double* f, double* xdot) const noexcept override {
    for (std::size_t i = 0; i < items.size(); ++i) rate_of(items[i], i, x, f, xdot);
  }
  ASPERITY_INNER_LOOP void rate(const Dual8* x, const Dual8* f, Dual8* xdot) const override {
    if constexpr (HasOver<Body, Dual8>)
      for (std::size_t i = 0; i < items.size(); ++i) rate_of(over<Dual8>(items[i]), i, x, f, xdot);
  }
  bool has_derivatives() const noexcept override { return HasOver<Body, Dual8>; }
  void rate_of(std::size_t i, const double* x, const double* f, double* xdot) const noexcept override {
    rate_of(items[i], i, x, f, xdot);
  }
  ASPERITY_INNER_LOOP double kinetic_of(std::size_t i, const double* x) const noexcept override {
    return items[i].kinetic(load<typename Body::State>(x, motion, i));
  }
  double potential_of(std::size_t i, const double* x) const noexcept override {
    return items[i].potential(load<typename Body::State>(x, motion, i));
  }
  static constexpr bool rubbing = requires(const Body& body, const typename Body::State& z) { body.lost(z, z); };
  bool rubs() const noexcept override { return rubbing; }
  double lost(std::size_t i, const double* before, const double* after) const noexcept override {
    if constexpr (rubbing)
      return items[i].lost(load<typename Body::State>(before, motion, i), load<typename Body::State>(after, motion, i));
    else return 0;
  }
  void each_constant(const std::function<void(double)>& f) const override {
    for (const Body& body : items) each_constant_of(body, f);
  }
  ASPERITY_INNER_LOOP void tidy(double* x) const noexcept override {
    if constexpr (requires(Body body, typename Body::State z) { body.tidy(z); }) {
      for (std::size_t i = 0; i < items.size(); ++i) store(x, motion, i, items[i].tidy(load<typename Body::State>(x, motion, i)));
    }
  }
  void tidy(Dual8* x) const override {
    if constexpr (HasOver<Body, Dual8> && turning) {
      const Over<Body, Dual8> any{};  // rotations are tidied alike, whatever the body
      for (std::size_t i = 0; i < items.size(); ++i) store(x, motion, i, any.tidy(load<Frame<Dual8>>(x, motion, i)));
    }
  }
  void kinematics(const double* x, double* xdot) const noexcept override {
    if constexpr (turning) go<Body>(x, xdot);
    else BodyPool::kinematics(x, xdot);
  }
  void kinematics(const Dual8* x, Dual8* xdot) const override {
    if constexpr (turning && HasOver<Body, Dual8>) go<Over<Body, Dual8>>(x, xdot);
    else BodyPool::kinematics(x, xdot);
  }
  void carry(double h, const double* x0, const double* x, double* xdot) const override {
    if constexpr (turning) carry_on<Body>(h, x0, x, xdot);
  }
  void carry(double h, const double* x0, const Dual8* x, Dual8* xdot) const override {
    if constexpr (turning && HasOver<Body, Dual8>) carry_on<Over<Body, Dual8>>(h, x0, x, xdot);
  }

 private:
  static constexpr bool turning = std::is_same_v<typename Body::State, Frame<double>>;
  template <class BodyT, class S>
  void carry_on(double h, const double* x0, const S* x, S* xdot) const noexcept {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto from = load<typename Body::State>(x0, motion, i);
      const auto momentum = items[i].spin(from);
      VecN<S, 3> l, w;
      for (int k = 0; k < 3; ++k) l[k] = S(momentum[k]), w[k] = S(from.w[k]);
      BodyT body;
      if constexpr (std::is_same_v<BodyT, Body>) body = items[i];
      else body = over<S>(items[i]);
      const auto more = body.carried(l, w, load<typename BodyT::State>(x, motion, i), S(h));
      for (int k = 0; k < 3; ++k) {
        S& spin_rate = xdot[motion.at(velocity_column(std::size_t(3 + k)), i)];
        spin_rate = spin_rate + more[k];
      }
    }
  }
  /// Positions and rotations: the same of every body, whatever its inertia.
  template <class BodyT, class S>
  void go(const S* x, S* xdot) const noexcept {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto z = load<typename BodyT::State>(x, motion, i);
      const auto q = BodyT::turning(z);
      std::size_t c = 0;
      const auto put = [&](const S& number) { xdot[motion.at(c++, i)] = number; };
      each_part(put, z.v);
      put(q.w);
      each_part(put, q.u);
    }
  }
  template <class BodyT, class S>
  void rate_of(const BodyT& body, std::size_t i, const S* x, const S* f, S* xdot) const noexcept {
    store(xdot, motion, i, body.rate(load<typename BodyT::State>(x, motion, i), load<typename BodyT::Force>(f, force, i)));
  }
};

/// Bodies whose motion is prescribed, whatever pulls at them: a conveyor, a shaker, a hand.
template <class MotionT>
class GivenBodies final : public BodyPool {
 public:
  using Motion = MotionT;
  std::vector<std::function<Motion(double)>> courses;

  GivenBodies() { is_given = true; }
  std::size_t count() const noexcept override { return courses.size(); }
  std::size_t motion_numbers() const noexcept override { return parts<Motion>(); }
  std::size_t force_numbers() const noexcept override { return parts<Motion>() / 2; }  // felt, and without effect
  void write_start(double*) const noexcept override {}
  void rate(const double*, const double*, double*) const noexcept override {}
  void rate(const Dual8*, const Dual8*, Dual8*) const override {}
  double kinetic_of(std::size_t, const double*) const noexcept override { return 0; }
  double potential_of(std::size_t, const double*) const noexcept override { return 0; }
  void tidy(double*) const noexcept override {}
  void each_constant(const std::function<void(double)>&) const override {}
  void place(double t, double* given) const override {
    for (std::size_t i = 0; i < courses.size(); ++i) store(given, motion, i, courses[i](t));
  }
  std::unique_ptr<BodyPool> pick(std::span<const std::uint32_t> bodies) const override {
    auto some = std::make_unique<GivenBodies>();
    for (const std::uint32_t i : bodies) some->courses.push_back(courses[i]);
    return some;
  }
};

}  // namespace asperity
