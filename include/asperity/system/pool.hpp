// Pools: all bodies of one kind, all elements of one kind. The state of a pool is a block of the flat state, held column by column
// (structure of arrays): number c of item i stands at first + c * count + i. One call a pool, whatever its size.
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
#include "asperity/over.hpp"
#include "asperity/scalar/dual.hpp"
#include "asperity/system/element.hpp"
#include "asperity/system/reading.hpp"

namespace asperity {

/// Where the numbers of a pool stand in a flat array.
struct Columns {
  std::size_t first = 0;
  std::size_t count = 0;

  constexpr std::size_t at(std::size_t column, std::size_t item) const noexcept { return first + column * count + item; }
};

/// Every number of a port motion or of a force, in the order of the columns.
template <class F, class S>
constexpr void each_part(F&& f, S& number) requires(
    !requires { number.p; } && !requires { number.f; } && !requires { number.x; }) {
  f(number);
}
template <class F, class V>
constexpr void each_part(F&& f, V& vector) requires requires {
  vector.x;
}
{
  for (auto& number : vector.x) f(number);
}
template <class F, class M>
constexpr void each_part(F&& f, M& motion) requires requires {
  motion.p;
}
{
  each_part(f, motion.p);
  if constexpr (requires { motion.q; }) {
    f(motion.q.w);
    each_part(f, motion.q.u);
  }
  each_part(f, motion.v);
  if constexpr (requires { motion.w; }) each_part(f, motion.w);
}
template <class F, class W>
constexpr void each_part(F&& f, W& wrench) requires requires {
  wrench.f;
  wrench.m;
}
{
  each_part(f, wrench.f);
  each_part(f, wrench.m);
}

template <class T>
constexpr std::size_t parts() {
  std::size_t n = 0;
  T value{};
  each_part([&](auto&) { ++n; }, value);
  return n;
}

template <class T, class S>
constexpr T load(const S* numbers, const Columns& columns, std::size_t item) noexcept {
  T value{};
  std::size_t c = 0;
  each_part([&](S& x) { x = numbers[columns.at(c++, item)]; }, value);
  return value;
}
template <class T, class S>
constexpr void store(S* numbers, const Columns& columns, std::size_t item, const T& value) noexcept {
  std::size_t c = 0;
  each_part([&](const S& x) { numbers[columns.at(c++, item)] = x; }, value);
}
template <class T, class S>
constexpr void add(S* numbers, const Columns& columns, std::size_t item, const T& value) noexcept {
  std::size_t c = 0;
  each_part([&](const S& x) { numbers[columns.at(c++, item)] += x; }, value);
}

/// The scalar over which the pass gives its derivatives, eight directions at a time.
using Dual8 = Dual<8>;

/// The numbers of one instant: the flat state, and the motion of the bodies that follow a given course.
template <class S>
struct InstantOf {
  const S* state;
  const S* given;
};
using Instant = InstantOf<double>;

/// The work of a whole pool, done in another way than item by item, with the same numbers. A Workspace has them; see kernels.hpp.
class BodyKernel {
 public:
  virtual ~BodyKernel() = default;
  virtual void rate(const double* x, const double* force, double* xdot) const noexcept = 0;
  virtual void tidy(double* x) const noexcept = 0;
};
class ElementKernel {
 public:
  virtual ~ElementKernel() = default;
  virtual void react(const Instant& now, double tau, double* force, double* xdot) const noexcept = 0;
};

/// Bodies of one kind. The motion that elements see stands in the flat state, or, for bodies on a given course, in an array of its
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
  /// Where the bodies on a given course are at time t.
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
  void rate(const double* x, const double* f, double* xdot) const noexcept override {
    for (std::size_t i = 0; i < items.size(); ++i) rate_of(items[i], i, x, f, xdot);
  }
  void rate(const Dual8* x, const Dual8* f, Dual8* xdot) const override {
    if constexpr (HasOver<Body, Dual8>)
      for (std::size_t i = 0; i < items.size(); ++i) rate_of(over<Dual8>(items[i]), i, x, f, xdot);
  }
  bool has_derivatives() const noexcept override { return HasOver<Body, Dual8>; }
  void rate_of(std::size_t i, const double* x, const double* f, double* xdot) const noexcept override {
    rate_of(items[i], i, x, f, xdot);
  }
  double kinetic_of(std::size_t i, const double* x) const noexcept override {
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
  void tidy(double* x) const noexcept override {
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

/// Bodies that follow a given course whatever pulls at them: a conveyor, a shaker, a hand.
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

/// One end of the elements of a pool: which body of which pool. No pool is the ground, which stands still.
struct End {
  const BodyPool* bodies = nullptr;
  std::vector<std::uint32_t> index;
};

/// Elements of one kind between bodies of one kind each.
class ElementPool {
 public:
  virtual ~ElementPool() = default;
  virtual std::size_t count() const noexcept = 0;
  virtual std::size_t state_numbers() const noexcept = 0;
  virtual void write_start(double* x) const noexcept = 0;
  /// Forces on both ends are added to `force`, the rates of the own states are set.
  virtual void react(const Instant& now, double tau, double* force, double* xdot) const noexcept = 0;
  /// The same with derivatives; only where has_derivatives().
  virtual void react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8* xdot) const = 0;
  virtual bool has_derivatives() const noexcept = 0;
  /// The switches of hybrid laws, between steps; and whether there are any.
  virtual bool switches() const noexcept { return false; }
  virtual void transit(const Instant& now, double* x) const noexcept = 0;
  virtual double energy(const Instant& now) const noexcept = 0;
  /// Power that flows into the elements.
  virtual double power(const Instant& now) const noexcept = 0;
  /// The same of one element.
  virtual double energy(const Instant& now, std::size_t i) const noexcept = 0;
  virtual Watch watch(const Instant& now, double tau, std::size_t i) const noexcept = 0;
  /// Of all of them.
  virtual void watch(const Instant& now, double tau, Watch* all) const noexcept = 0;
  /// What can be read of element i by name, and its values.
  virtual std::vector<Quantity> quantities(std::size_t i) const = 0;
  virtual void read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const = 0;

  // Statics, number by number of an element's force: what it does to the bodies, and the velocity conjugate to it.
  virtual const About& about() const noexcept = 0;
  virtual std::size_t force_numbers() const noexcept = 0;
  virtual void push(const Instant& now, std::size_t i, const double* f, double* force) const noexcept = 0;
  virtual void relative(const Instant& now, std::size_t i, double* v) const noexcept = 0;
  virtual std::vector<Stiffness> stiffness(const Instant& now, std::size_t i) const = 0;
  /// Of a contact: its gap, the indentation that carries N, what it carries at a depth, what it would carry as it is now.
  virtual double gap(const Instant& now, std::size_t i) const noexcept = 0;
  virtual double indentation(std::size_t i, double N) const = 0;
  virtual double carried(std::size_t /*i*/, double /*depth*/) const noexcept { return 0; }
  virtual double resting_force(const Instant& now, std::size_t i) const noexcept = 0;
  /// Of a contact that is struck with an energy under a load: how deep it goes at most, and how stiff it is there.
  virtual double strike_depth(std::size_t /*i*/, double /*energy*/, double /*load*/) const { return 0; }
  virtual Stiffness struck_stiffness(std::size_t /*i*/, double /*depth*/) const { return {}; }
  /// How much friction there is now.
  virtual double friction_force(const Instant& now, std::size_t i) const noexcept = 0;
  /// Sets the state in which the element, at rest, has the force f.
  virtual void rest(const Instant& now, std::size_t i, const double* f, double* x) const = 0;
  /// Calls f on every constant of the elements.
  virtual void each_constant(const std::function<void(double)>& f) const = 0;
  /// A pool of some of the elements, their ends still to be set.
  virtual std::unique_ptr<ElementPool> pick(std::span<const std::uint32_t> elements) const = 0;

  std::vector<std::string> names;
  Columns state;
  End a, b;
};

template <class ElementT>
class ElementsOf final : public ElementPool {
 public:
  std::vector<ElementT> items;
  using State = typename ElementT::State;

  std::size_t count() const noexcept override { return items.size(); }
  std::size_t state_numbers() const noexcept override { return items.empty() ? 0 : std::size_t(state_size(items[0])); }
  void write_start(double* x) const noexcept override {
    for (std::size_t i = 0; i < items.size(); ++i) set_state(x, i, items[i].start());
  }

  State state_of(const double* x, std::size_t i) const noexcept {
    State z = items[i].start();
    std::size_t c = 0;
    each_state<ElementT>([&](double& number) { number = x[state.at(c++, i)]; }, z);
    return z;
  }
  void set_state(double* x, std::size_t i, const State& z) const noexcept {
    std::size_t c = 0;
    each_state<ElementT>([&](const double& number) { x[state.at(c++, i)] = number; }, z);
  }
  typename ElementT::A motion_a(const Instant& now, std::size_t i) const noexcept {
    return motion<typename ElementT::A>(a, now, i);
  }
  typename ElementT::B motion_b(const Instant& now, std::size_t i) const noexcept {
    return motion<typename ElementT::B>(b, now, i);
  }
  typename ElementT::Answer answer(const Instant& now, std::size_t i, double tau) const noexcept {
    return answer(items[i], now, i, tau);
  }

  std::unique_ptr<ElementPool> pick(std::span<const std::uint32_t> elements) const override {
    auto some = std::make_unique<ElementsOf>();
    for (const std::uint32_t i : elements) some->items.push_back(items[i]);
    return some;
  }
  void react(const Instant& now, double tau, double* force, double* xdot) const noexcept override {
    for (std::size_t i = 0; i < items.size(); ++i) react(items[i], now, i, tau, force, xdot);
  }
  void react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8* xdot) const override {
    if constexpr (HasOver<ElementT, Dual8>)
      for (std::size_t i = 0; i < items.size(); ++i) react(over<Dual8>(items[i]), now, i, Dual8(tau), force, xdot);
  }
  bool has_derivatives() const noexcept override { return HasOver<ElementT, Dual8>; }
  bool switches() const noexcept override { return Hybrid<typename ElementT::Law>; }
  void transit(const Instant& now, double* x) const noexcept override {
    if constexpr (Hybrid<typename ElementT::Law>) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        State z = state_of(x, i);
        items[i].law.transit(z, items[i].input(motion_a(now, i), motion_b(now, i)));
        set_state(x, i, z);
      }
    }
  }
  double energy(const Instant& now) const noexcept override {
    double sum = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
      sum += items[i].energy(state_of(now.state, i), motion_a(now, i), motion_b(now, i));
    return sum;
  }
  double power(const Instant& now) const noexcept override {
    double sum = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto r = answer(now, i, 0.0);
      sum -= power_of(r.on.a, motion_a(now, i)) + power_of(r.on.b, motion_b(now, i));
    }
    return sum;
  }
  double energy(const Instant& now, std::size_t i) const noexcept override {
    return items[i].energy(state_of(now.state, i), motion_a(now, i), motion_b(now, i));
  }
  Watch watch(const Instant& now, double tau, std::size_t i) const noexcept override {
    const State z = state_of(now.state, i);
    const auto at_a = motion_a(now, i);
    const auto at_b = motion_b(now, i);
    const auto r = items[i].react(z, at_a, at_b, tau);
    const auto in = items[i].input(at_a, at_b);
    Watch seen = flow_of(r.on, at_a, at_b);
    seen.mode = mode_of(items[i].law, z, in, r.force, r.rate, tau);
    if constexpr (requires { in.gap; }) seen.gap_rate = in.rate;
    seen.heat = seen.power - energy_rate(items[i], z, r.rate, at_a, at_b, tau);
    return seen;
  }
  void watch(const Instant& now, double tau, Watch* all) const noexcept override {
    for (std::size_t i = 0; i < items.size(); ++i) all[i] = watch(now, tau, i);
  }
  std::vector<Quantity> quantities(std::size_t i) const override {
    const bool turns = (a.bodies && a.bodies->turns) || (b.bodies && b.bodies->turns);
    const auto unit_of = [&](const std::string& unit) -> std::string {
      if (!turns) return unit;
      return unit == "m" ? "rad" : unit == "N" ? "N m" : unit == "m/s" ? "rad/s" : unit;
    };
    std::vector<Quantity> list;
    const auto z = items[i].start();
    const typename ElementT::A at_a{};
    const typename ElementT::B at_b{};
    const auto collect = [&](const std::string& name, const std::string& unit, const auto& value) {
      each_component(name, value, [&](const std::string& full, double) { list.push_back({full, unit_of(unit)}); });
    };
    each_quantity<typename ElementT::Law>(z, items[i].input(at_a, at_b), decltype(items[i].react(z, at_a, at_b, 0.0).force){},
                                          Mode::none, collect);
    list.push_back({"power", "W"});
    list.push_back({"stored", "J"});
    return list;
  }
  void read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const override {
    const State z = state_of(now.state, i);
    const auto force = answer(now, i, tau).force;
    const Watch seen = watch(now, tau, i);
    const auto collect = [&](const auto&, const auto&, const auto& value) {
      each_number([&](double number) { values.push_back(number); }, value);
    };
    values.clear();
    each_quantity<typename ElementT::Law>(z, items[i].input(motion_a(now, i), motion_b(now, i)), force, seen.mode, collect);
    values.push_back(seen.power);
    values.push_back(energy(now, i));
  }

  void each_constant(const std::function<void(double)>& f) const override {
    for (const ElementT& element : items) each_constant_of(element, f);
  }
  const About& about() const noexcept override { return ElementT::Law::about; }
  std::size_t force_numbers() const noexcept override {
    std::size_t n = 0;
    typename ElementT::Push f{};
    each_push([&](double&) { ++n; }, f);
    return n;
  }
  void push(const Instant& now, std::size_t i, const double* f, double* force) const noexcept override {
    const auto on = items[i].push(motion_a(now, i), motion_b(now, i), push_of(f));
    if (a.bodies) add(force, a.bodies->force, a.index[i], on.a);
    if (b.bodies) add(force, b.bodies->force, b.index[i], on.b);
  }
  void relative(const Instant& now, std::size_t i, double* v) const noexcept override {
    const auto seen = items[i].relative(motion_a(now, i), motion_b(now, i));
    each_push([&](const double& number) { *v++ = number; }, seen);
  }
  std::vector<Stiffness> stiffness(const Instant& now, std::size_t i) const override {
    return items[i].stiffness(motion_a(now, i), motion_b(now, i));
  }
  double gap(const Instant& now, std::size_t i) const noexcept override {
    if constexpr (requires { items[i].gap(motion_a(now, i), motion_b(now, i)); })
      return items[i].gap(motion_a(now, i), motion_b(now, i));
    else return std::numeric_limits<double>::infinity();
  }
  double indentation(std::size_t i, double N) const override {
    if constexpr (requires { items[i].indentation(N); }) return items[i].indentation(N);
    else return 0;
  }
  double carried(std::size_t i, double depth) const noexcept override {
    if constexpr (requires { items[i].carried(depth); }) return items[i].carried(depth);
    else return 0;
  }
  double resting_force(const Instant& now, std::size_t i) const noexcept override {
    if constexpr (requires { items[i].resting_force(motion_a(now, i), motion_b(now, i)); })
      return items[i].resting_force(motion_a(now, i), motion_b(now, i));
    else return 0;
  }
  double strike_depth(std::size_t i, double energy_in, double load_on) const override {
    if constexpr (requires { items[i].strike_depth(energy_in, load_on); }) return items[i].strike_depth(energy_in, load_on);
    else return 0;
  }
  Stiffness struck_stiffness(std::size_t i, double depth) const override {
    if constexpr (requires { items[i].struck_stiffness(depth); }) return items[i].struck_stiffness(depth);
    else return {};
  }
  double friction_force(const Instant& now, std::size_t i) const noexcept override {
    const auto f = answer(now, i, 0.0).force;
    if constexpr (requires { f.tangential; }) return magnitude(f.tangential);
    else if constexpr (ElementT::Law::about.kind == Kind::friction) return magnitude(f);
    else return 0;
  }
  void rest(const Instant& now, std::size_t i, const double* f, double* x) const override {
    set_state(x, i, items[i].resting(motion_a(now, i), motion_b(now, i), push_of(f)));
  }

 private:
  /// One element over any scalar.
  template <class E, class S>
  typename E::Answer answer(const E& element, const InstantOf<S>& now, std::size_t i, const S& tau) const noexcept {
    typename E::State z = element.start();
    std::size_t c = 0;
    each_state<E>([&](S& number) { number = now.state[state.at(c++, i)]; }, z);
    return element.react(z, motion<typename E::A>(a, now, i), motion<typename E::B>(b, now, i), tau);
  }
  template <class E, class S>
  void react(const E& element, const InstantOf<S>& now, std::size_t i, const S& tau, S* force, S* xdot) const noexcept {
    const auto r = answer(element, now, i, tau);
    std::size_t c = 0;
    each_state<E>([&](const S& number) { xdot[state.at(c++, i)] = number; }, r.rate);
    if (a.bodies) add(force, a.bodies->force, a.index[i], r.on.a);
    if (b.bodies) add(force, b.bodies->force, b.index[i], r.on.b);
  }

  /// The rate of the stored energy where a look-ahead takes the law, at z + tau zdot: by a central difference, which is exact for
  /// the quadratic energies that most laws have. A contact is followed for a thousandth of its depth only: its energy has a kink.
  static double energy_rate(const ElementT& element, const State& z, const State& rate, const typename ElementT::A& at_a,
                            const typename ElementT::B& at_b, double tau) noexcept {
    const auto in = element.input(at_a, at_b);
    double s = tau > 0 ? std::min(1e-6, 1e-3 * tau) : 1e-6;
    if constexpr (requires { in.gap; })
      if (in.gap != 0 && std::abs(in.gap) < s * 1e3 * std::abs(in.rate)) s = 1e-3 * std::abs(in.gap / in.rate);
    const auto energy_at = [&](double ahead) {
      State there = z;
      each_state<ElementT>([&](double& number, const double& slope) { number += (tau + ahead) * slope; }, there, rate);
      auto moving = in;
      if constexpr (requires { in.gap; }) moving.gap += ahead * in.rate;
      else if constexpr (requires { in.x; }) moving.x += ahead * in.v;
      // A hinge stores more than its law does, in its anchors.
      if constexpr (requires {
                      element.law.energy(there, moving);
                      element.connection;
                    })
        return element.law.energy(there, moving);
      else return element.energy(there, moved(at_a, ahead), moved(at_b, ahead));
    };
    return (energy_at(s) - energy_at(-s)) / (2 * s);
  }
  /// Where a motion leads in a short time.
  template <class Motion>
  static Motion moved(Motion m, double time) noexcept {
    m.p = m.p + time * m.v;
    if constexpr (requires { m.q; }) {
      const auto turn = RigidBody<double>::turning(m);
      m.q.w += time * turn.w;
      m.q.u = m.q.u + time * turn.u;
    }
    return m;
  }

  template <class Forces, class A, class B>
  Watch flow_of(const Forces& on, const A& at_a, const B& at_b) const noexcept {
    const double by_a = -power_of(on.a, at_a), by_b = -power_of(on.b, at_b);
    Watch seen{Mode::none, by_a + by_b, 0, 0};
    if (a.bodies && a.bodies->is_given) seen.by_course += by_a;
    if (b.bodies && b.bodies->is_given) seen.by_course += by_b;
    return seen;
  }
  static typename ElementT::Push push_of(const double* numbers) noexcept {
    typename ElementT::Push f{};
    each_push([&](double& number) { number = *numbers++; }, f);
    return f;
  }
  template <class Motion, class S>
  static Motion motion(const End& end, const InstantOf<S>& now, std::size_t i) noexcept {
    return end.bodies ? load<Motion>(end.bodies->motions(now), end.bodies->motion, end.index[i]) : Motion{};
  }
  template <class Force, class Motion>
  static double power_of(const Force& f, const Motion& m) noexcept {
    if constexpr (requires { f.m; }) return dot(f.f, m.v) + dot(f.m, m.w);
    else return dot(f, m.v);
  }
};

}  // namespace asperity
