// A world: bodies, elements between them, inputs; one flat state, bodies first; and its rate of change.
//
// A world is built, then constant. Whatever changes while it moves is the state, and the scratch numbers of a Workspace: any number
// of threads can run the same world, each with a state and a workspace of its own.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "asperity/system/arm.hpp"
#include "asperity/system/hinge.hpp"
#include "asperity/system/outline.hpp"
#include "asperity/system/pattern.hpp"
#include "asperity/system/pool.hpp"

namespace asperity {

/// A body of a world. The default is the ground, which stands still.
struct BodyId {
  BodyPool* pool = nullptr;
  std::uint32_t index = 0;
};
inline constexpr BodyId ground{};

/// A number of a body's motion: the column of BodyPool::quantities().
struct Sensed {
  BodyId body;
  std::size_t column = 0;
};

/// A force that depends on time and on motions: a controller without a clock.
struct Feedback {
  static constexpr std::size_t most_sensed = 64;

  BodyId body;
  std::size_t coordinate = 0;
  std::vector<Sensed> of;
  std::function<double(double t, std::span<const double> seen)> force;
  std::function<Dual8(double t, std::span<const Dual8> seen)> slopes;  // the same with derivatives; may be missing
  std::string jumps{};                                                 // the part of it that jumps with the motion, if any
  /// ValueRange of the force while everything that it sees stays within bounds; may be missing.
  std::function<ValueRange(ValueRange t, std::span<const ValueRange> seen)> bounds{};

  double operator()(double t, std::span<const double> seen) const { return force(t, seen); }
  Dual8 operator()(double t, std::span<const Dual8> seen) const { return slopes(t, seen); }
  /// At an instant.
  template <class S>
  S at(double t, const InstantOf<S>& now) const {
    std::array<S, most_sensed> seen;
    for (std::size_t i = 0; i < of.size(); ++i) {
      const BodyPool& pool = *of[i].body.pool;
      seen[i] = pool.motions(now)[pool.motion.at(of[i].column, of[i].body.index)];
    }
    return (*this)(t, std::span<const S>(seen.data(), of.size()));
  }
};

/// A force on a body, or a part of the rate of a state, that depends on the motion: it may act in a place that a step passes over.
struct OfMotion {
  std::string name;  // of the body or the state
  BodyId body;
  std::size_t coordinate = 0;
  std::vector<Sensed> of{};
  std::function<double(double t, std::span<const double> seen)> value{};
  std::function<ValueRange(ValueRange t, std::span<const ValueRange> seen)> bounds{};  // may be missing
};

/// A feedback with a clock: it looks at the motion every `every` seconds, and its force holds from `delay` later until the next one
/// does. What it remembers is part of the flat state, so that a step can be taken again. For methods with a fixed step.
struct Controller {
  Feedback law;
  static constexpr double most_waiting = 1000;

  double every = 1e-3, delay = 0;  // s
  /// Positions are read by an encoder with lines so far apart, and velocities are their differences over `every`. 0: as they are.
  double resolution = 0;
  std::size_t first = 0;  // in the flat state: its force, the last sample, forces to come, positions read before

  std::size_t waiting() const noexcept { return std::size_t(std::ceil(delay / every - 1e-6)); }
  std::size_t numbers() const noexcept { return 2 + waiting() + (resolution > 0 ? law.of.size() : 0); }
  /// Between steps: whatever is due at time t.
  void look(double t, const Instant& now, double* x) const;
};

struct ElementId {
  ElementPool* pool = nullptr;
  std::uint32_t index = 0;
};

/// Finds the kernel for a pool that has been laid out; none: the pool goes item by item.
class KernelMaker {
 public:
  virtual ~KernelMaker() = default;
  virtual std::shared_ptr<const BodyKernel> kernel_of(const BodyPool& pool) const = 0;
  virtual std::shared_ptr<const ElementKernel> kernel_of(const ElementPool& pool) const = 0;
};

/// The two ends of an element: what happens to a relative to b.
struct Between {
  BodyId a, b;
};
constexpr Between between(BodyId a, BodyId b) noexcept { return {a, b}; }

/// Pools of any kind, made when first needed; elements of one kind share a pool if their ends are in the same pools.
class Pools {
 public:
  template <class Pool>
  Pool& body_pool() {
    for (const auto& pool : bodies_)
      if (auto* same = dynamic_cast<Pool*>(pool.get())) return *same;
    return static_cast<Pool&>(*bodies_.emplace_back(std::make_unique<Pool>()));
  }
  /// A pool of its own, for a body that is one: an arm.
  template <class Pool>
  Pool& new_body_pool(Pool pool) {
    return static_cast<Pool&>(*bodies_.emplace_back(std::make_unique<Pool>(std::move(pool))));
  }
  template <class Law, class Connection>
  JoinedPool& element_pool(BodyPool* a, BodyPool* b, int states) {
    for (const auto& pool : elements_)
      if (auto* joined = dynamic_cast<JoinedPool*>(pool.get()))
        if (joined->a.bodies == a && joined->b.bodies == b && int(joined->state_numbers()) == states &&
            dynamic_cast<LawsOf<Law>*>(&joined->laws()) && dynamic_cast<ConnectionsOf<Connection>*>(&joined->connections()))
          return *joined;
    auto laws = std::make_unique<LawsOf<Law>>();
    laws->seen_numbers = seen_numbers<Connection>();
    auto pool = std::make_unique<JoinedPool>(std::move(laws), std::make_unique<ConnectionsOf<Connection>>());
    pool->a.bodies = a;
    pool->b.bodies = b;
    return static_cast<JoinedPool&>(*elements_.emplace_back(std::move(pool)));
  }
  BodyPool& adopt(std::unique_ptr<BodyPool> pool) { return *bodies_.emplace_back(std::move(pool)); }
  ElementPool& adopt(std::unique_ptr<ElementPool> pool) { return *elements_.emplace_back(std::move(pool)); }
  template <class F>
  void each_body_pool(F&& f) const {
    for (const auto& pool : bodies_) f(std::as_const(*pool));
  }
  template <class F>
  void each_element_pool(F&& f) const {
    for (const auto& pool : elements_) f(std::as_const(*pool));
  }
  template <class F>
  void each_body_pool(F&& f) {
    for (const auto& pool : bodies_) f(*pool);
  }
  template <class F>
  void each_element_pool(F&& f) {
    for (const auto& pool : elements_) f(*pool);
  }

 private:
  std::vector<std::unique_ptr<BodyPool>> bodies_;
  std::vector<std::unique_ptr<ElementPool>> elements_;
};

class World {
 public:
  World() = default;
  /// Of pools that have been filled already.
  explicit World(Pools pools) : pools_(std::move(pools)) { lay_out(); }

  /// Acts on every body that has none of its own, whenever it was added; a body on a line does not feel a gravity of the plane or
  /// of space.
  void set_gravity(std::vector<double> gravity);

  template <class Body>
  BodyId add(std::string name, Body body, const typename Body::State& start = {}) {
    auto& pool = pools_.body_pool<Bodies<Body>>();
    pool.names.push_back(std::move(name));
    pool.items.push_back(body);
    pool.start.push_back(start);
    pool.own_gravity.push_back(any_gravity(body.gravity));
    pool.feel(gravity_, pool.count() - 1);
    lay_out();
    return {&pool, static_cast<std::uint32_t>(pool.items.size() - 1)};
  }

  /// An arm of rods; its joints are bodies, found by joint(). Start: angle and rate of each. Its plane may stand anyhow in space:
  /// it feels a gravity of its own, or one of the world that has two components.
  BodyId add_arm(const std::string& name, const std::vector<Rod>& rods, const std::vector<Port<double, 1>>& start,
                 std::array<double, 2> gravity = {});
  static BodyId joint(BodyId arm, std::uint32_t number) noexcept { return {arm.pool, number - 1}; }

  /// A body that follows a course, whatever pulls at it. Without outlines its corners are found by samples.
  template <int D>
  BodyId add_given(std::string name, std::function<Port<double, D>(double)> course,
                   std::optional<std::vector<Outline>> outlines = {}) {
    return add_course(std::move(name), std::move(course), std::move(outlines));
  }
  /// The same for a body that turns, too: its rotation has to be of length 1, its spin the one that belongs to it.
  BodyId add_given_pose(std::string name, std::function<Frame<double>(double)> course,
                        std::optional<std::vector<Outline>> outlines = {}) {
    return add_course(std::move(name), std::move(course), std::move(outlines));
  }

  /// An element between two bodies; the connection says what it sees of them.
  template <class Law, class Connection>
  ElementId add(std::string name, const Law& law, const Connection& connection, BodyId a, BodyId b, double load = 1.0) {
    static_assert(fits<Law, Connection>(), "this law does not see what it needs through this connection");
    check_end(name, "a", a, parts<typename Connection::A>());
    check_end(name, "b", b, parts<typename Connection::B>());
    auto& pool = pools_.element_pool<Law, Connection>(a.pool, b.pool, state_size(law));
    auto& laws = static_cast<LawsOf<Law>&>(pool.laws());
    laws.items.push_back(law);
    laws.loads.push_back(load);
    static_cast<ConnectionsOf<Connection>&>(pool.connections()).items.push_back(connection);
    pool.names.push_back(std::move(name));
    pool.a.index.push_back(a.index);
    pool.b.index.push_back(b.index);
    lay_out();
    return {&pool, static_cast<std::uint32_t>(pool.count() - 1)};
  }

  /// Elements of a kind of their own, in a pool that has been filled.
  ElementPool& add(std::unique_ptr<ElementPool> filled) {
    ElementPool& pool = pools_.adopt(std::move(filled));
    lay_out();
    return pool;
  }

  /// The same where nothing more needs to be said: along the line, or in all directions of a law of the plane or of space.
  template <class Law>
  requires requires { Law::about; }
  ElementId add(std::string name, const Law& law, Between ends, double load = 1.0) {
    using S = typename Law::Scalar;
    using Connection = std::conditional_t<Law::dimension == 1, Line<S>, Surface<S, Law::dimension == 1 ? 2 : Law::dimension>>;
    return add(std::move(name), law, Connection{}, ends.a, ends.b, load);
  }

  /// A joint with friction about its axis.
  template <class Friction>
  ElementId add(std::string name, const Hinge<Friction>& hinge, BodyId a, BodyId b) {
    return add(std::move(name), hinge.law, static_cast<const Revolute<typename Friction::Scalar>&>(hinge), a, b);
  }

  /// A force on one coordinate of a body, as a function of time. Without an outline its corners are found by samples.
  void push(BodyId body, std::size_t coordinate, std::function<double(double)> force, std::optional<Outline> outline = {});

  /// A force on one coordinate of a body, as a function of time and of numbers of the motion of any bodies: force(t, seen). If it
  /// takes numbers of any kind (`auto`), implicit methods know its derivatives. No event is located where it jumps with the motion.
  template <class F>
  void push(BodyId body, std::size_t coordinate, std::vector<Sensed> of, F force, Outline outline = {}) {
    Feedback feedback{body, coordinate, std::move(of), force, {}, {}};
    if constexpr (std::is_invocable_r_v<Dual8, F, double, std::span<const Dual8>>) feedback.slopes = std::move(force);
    push(std::move(feedback), std::move(outline));
  }
  void push(Feedback feedback, Outline outline);
  const std::vector<Feedback>& feedbacks() const noexcept { return feedbacks_; }

  /// A sampled one.
  void push(Controller controller);
  const std::vector<Controller>& controllers() const noexcept { return controllers_; }

  /// What depends on time.
  void note(std::string name, Outline outline, bool exact = true) {
    if (outline.corner) timed_.push_back({std::move(name), std::move(outline), exact});
  }
  const std::vector<Timed>& timed() const noexcept { return timed_; }
  /// What depends on the motion other than by an element.
  void note(OfMotion one) { of_motion_.push_back(std::move(one)); }
  const std::vector<OfMotion>& of_motion() const noexcept { return of_motion_; }

  /// Numbers of the state; of the prescribed motions; of the forces on bodies.
  std::size_t size() const noexcept { return size_; }
  std::size_t given_numbers() const noexcept { return given_numbers_; }
  std::size_t force_numbers() const noexcept { return force_numbers_; }
  /// The flat state, bodies first, as it starts.
  std::vector<double> start() const;
  /// What controllers see at the start: of one that was changed.
  void first_samples(std::span<double> x) const;

  /// The rates of the positions alone.
  template <class S>
  void kinematics(std::span<const S> x, std::span<S> xdot) const {
    pools_.each_body_pool([&](auto& pool) { pool.kinematics(x.data(), xdot.data()); });
  }
  /// Every part is written over any scalar.
  bool has_derivatives() const;

  /// Which numbers of the rate may depend on which of the state: a body's on its own, an element's on its own and on the motion of
  /// its two bodies, and the velocities of these on all of them.
  Pattern coupling() const;

  double kinetic(std::span<const double> x) const;
  double potential(std::span<const double> x) const;

  /// Calls f(body, coordinate, force) for every push at an instant: those of time, then the feedbacks, then the controllers.
  template <class S, class F>
  void each_push(double t, const InstantOf<S>& now, F&& f) const {
    for (const Push& push : pushes_) f(push.body, push.coordinate, S(push.force(t)));
    for (const Feedback& one : feedbacks_) f(one.body, one.coordinate, one.at(t, now));
    for (const Controller& one : controllers_) f(one.law.body, one.law.coordinate, now.state[one.first]);
  }

  /// Calls f(body, coordinate, force) with the force of every push that depends on time alone.
  template <class F>
  void each_push_function(F&& f) const {
    for (const Push& push : pushes_) f(push.body, push.coordinate, push.force);
  }

  const Pools& pools() const noexcept { return pools_; }

 private:
  template <class Motion>
  BodyId add_course(std::string name, std::function<Motion(double)> course, std::optional<std::vector<Outline>> outlines) {
    auto& pool = pools_.body_pool<GivenBodies<Motion>>();
    if (outlines) {
      for (Outline& one : *outlines) note(name, std::move(one));
    } else {
      for (std::size_t c = 0; c < pool.motion_numbers(); ++c)
        note(name, outline::sampled([course, c](double t) {
               std::array<double, parts<Motion>()> numbers{};
               store(numbers.data(), Columns{0, 1}, 0, course(t));
               return numbers[c];
             }),
             false);
    }
    pool.names.push_back(std::move(name));
    pool.courses.push_back(std::move(course));
    lay_out();
    return {&pool, static_cast<std::uint32_t>(pool.courses.size() - 1)};
  }
  static void check_feedback(const Feedback& feedback);
  /// Places of all pools in the state.
  void lay_out();
  static void check_end(const std::string& name, const char* end, const BodyId& body, std::size_t numbers);

  struct Push {
    BodyId body;
    std::size_t coordinate;
    std::function<double(double)> force;
  };

  Pools pools_;
  std::vector<Push> pushes_;
  std::vector<Feedback> feedbacks_;
  std::vector<Controller> controllers_;
  std::vector<Timed> timed_;
  std::vector<OfMotion> of_motion_;
  std::vector<double> gravity_;
  std::size_t size_ = 0, given_numbers_ = 0, force_numbers_ = 0;
};

/// A world at work: the scratch numbers of one thread, and kernels for its large pools. The world has to outlive it, and must not
/// be added to.
class Workspace {
 public:
  explicit Workspace(const World& world, std::shared_ptr<const KernelMaker> kernels = {});

  const World& world() const noexcept { return *world_; }
  /// Pools that have a kernel.
  std::size_t kernels() const noexcept;

  /// The flat state together with where the given bodies are; until the next call.
  Instant instant(double t, std::span<const double> x);
  /// The pass: motions -> Phi -> react -> Psi -> rates. A body's motion never depends on the force of the same instant, so no loop
  /// can form.
  void rate(double t, std::span<const double> x, double tau, std::span<double> xdot);
  /// The same with derivatives by what the state depends on; only where has_derivatives().
  void rate(double t, std::span<const Dual8> x, double tau, std::span<Dual8> xdot);
  /// The same without elements: what gravity and the pushes do.
  void free_rate(double t, std::span<const double> x, std::span<double> xdot);
  /// Rotations back to length 1.
  void tidy(std::span<double> x) const;
  void tidy(std::span<Dual8> x) const;
  /// What happens between steps: rotations back to length 1, switches of hybrid laws, samples of controllers.
  void between_steps(double t, std::span<double> x);
  double stored(double t, std::span<const double> x);

 private:
  template <class S>
  void push(double t, const InstantOf<S>& now, std::vector<S>& force) const;
  template <class S>
  void hold(std::span<S> xdot) const;

  const World* world_;
  std::shared_ptr<const KernelMaker> maker_;
  std::vector<std::shared_ptr<const BodyKernel>> body_kernels_;        // of each pool; none: item by item
  std::vector<std::shared_ptr<const ElementKernel>> element_kernels_;  // of each pool
  std::vector<double> force_, given_;
  std::vector<Dual8> dual_force_, dual_given_;
};

}  // namespace asperity
