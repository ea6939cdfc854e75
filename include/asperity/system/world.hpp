// A world: bodies, elements between them, inputs; one flat state, bodies first; and its rate of change.
//
// Two paths, one pass. `World` collects its parts at run time: one virtual call a pool. `System<Pools...>` knows its kinds at
// compile time: the same pools, called directly. Both are WorldOf<...>, so that they share every line and give equal numbers.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "asperity/system/arm.hpp"
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
class DynamicPools {
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
  template <class Pool>
  Pool& element_pool(BodyPool* a, BodyPool* b, int states) {
    for (const auto& pool : elements_)
      if (auto* same = dynamic_cast<Pool*>(pool.get()))
        if (same->a.bodies == a && same->b.bodies == b && int(same->state_numbers()) == states) return *same;
    return static_cast<Pool&>(*elements_.emplace_back(std::make_unique<Pool>()));
  }
  BodyPool& adopt(std::unique_ptr<BodyPool> pool) { return *bodies_.emplace_back(std::move(pool)); }
  ElementPool& adopt(std::unique_ptr<ElementPool> pool) { return *elements_.emplace_back(std::move(pool)); }
  template <class F>
  void each_body_pool(F&& f) const {
    for (const auto& pool : bodies_) f(*pool);
  }
  template <class F>
  void each_element_pool(F&& f) const {
    for (const auto& pool : elements_) f(*pool);
  }

 private:
  std::vector<std::unique_ptr<BodyPool>> bodies_;
  std::vector<std::unique_ptr<ElementPool>> elements_;
};

/// A fixed list of pools, called without a virtual call.
template <class... Pools>
class StaticPools {
 public:
  template <class Pool>
  Pool& body_pool() {
    return std::get<Pool>(pools_);
  }
  template <class Pool>
  Pool& new_body_pool(Pool pool) {
    Pool& own = std::get<Pool>(pools_);
    if (own.count() > 0) throw std::invalid_argument(pool.names.front() + ": a System holds one body of this kind; use a World");
    return own = std::move(pool);
  }
  template <class Pool>
  Pool& element_pool(BodyPool* a, BodyPool* b, int) {
    Pool& pool = std::get<Pool>(pools_);
    if (pool.count() > 0 && (pool.a.bodies != a || pool.b.bodies != b))
      throw std::invalid_argument(pool.names.front() +
                                  ": a System holds the elements of one kind between bodies of one kind at each end; use a World");
    return pool;
  }
  template <class F>
  void each_body_pool(F&& f) const {
    each<BodyPool>(f);
  }
  template <class F>
  void each_element_pool(F&& f) const {
    each<ElementPool>(f);
  }

 private:
  template <class Base, class F>
  void each(F& f) const {
    const auto only = [&](auto& pool) {
      if constexpr (std::is_base_of_v<Base, std::remove_reference_t<decltype(pool)>>) f(pool);
    };
    std::apply([&](auto&... pool) { (only(pool), ...); }, pools_);
  }
  mutable std::tuple<Pools...> pools_;
};

template <class Pools>
class WorldOf {
 public:
  WorldOf() = default;
  /// Of pools that have been filled already.
  explicit WorldOf(Pools pools) : pools_(std::move(pools)) {}

  /// Acts on every body that has none of its own, whenever it was added; a body on a line does not feel a gravity of the plane or
  /// of space.
  void set_gravity(std::vector<double> gravity) {
    gravity_ = std::move(gravity);
    pools_.each_body_pool([&](auto& pool) {
      for (std::size_t i = 0; i < pool.count(); ++i) pool.feel(gravity_, i);
    });
  }

  template <class Body>
  BodyId add(std::string name, Body body, const typename Body::State& start = {}) {
    auto& pool = pools_.template body_pool<Bodies<Body>>();
    pool.names.push_back(std::move(name));
    pool.items.push_back(body);
    pool.start.push_back(start);
    pool.own_gravity.push_back(any_gravity(body.gravity));
    pool.feel(gravity_, pool.count() - 1);
    return {&pool, static_cast<std::uint32_t>(pool.items.size() - 1)};
  }

  /// An arm of rods; its joints are bodies, found by joint(). Start: angle and rate of each. Its plane may stand anyhow in space:
  /// it feels a gravity of its own, or one of the world that has two components.
  BodyId add_arm(const std::string& name, const std::vector<Rod>& rods, const std::vector<Port<double, 1>>& start,
                 std::array<double, 2> gravity = {}) {
    Arm arm;
    arm.rods = rods;
    arm.start = start;
    arm.gravity = gravity;
    arm.own_gravity = any_gravity(gravity);
    if (!rods.empty()) arm.feel(gravity_, 0);
    arm.turns = true;
    for (std::size_t i = 1; i <= rods.size(); ++i) arm.names.push_back(name + ".joint" + std::to_string(i));
    return {&pools_.new_body_pool(std::move(arm)), 0};
  }
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
    return add_element(std::move(name), Element<Law, Connection>{law, connection, load}, a, b);
  }

  /// The same where nothing more needs to be said: along the line, or in all directions of a law of the plane or of space.
  template <class Law>
  requires requires { Law::about; }
  ElementId add(std::string name, const Law& law, Between ends, double load = 1.0) {
    using S = typename Law::Scalar;
    using Connection = std::conditional_t<Law::dimension == 1, Line<S>, Surface<S, Law::dimension == 1 ? 2 : Law::dimension>>;
    return add(std::move(name), law, Connection{}, ends.a, ends.b, load);
  }

  /// An element that is its own connection: a hinge.
  template <class ElementT>
  ElementId add_element(std::string name, const ElementT& element, BodyId a, BodyId b) {
    const auto fits = [&](const BodyId& body, std::size_t numbers, const char* end) {
      if (body.pool && body.pool->motion_numbers() != numbers)
        throw std::invalid_argument(name + ": its end " + end + ", " + body.pool->names[body.index] + ", moves with " +
                                    std::to_string(body.pool->motion_numbers()) + " numbers: must be " + std::to_string(numbers) +
                                    " for this connection");
    };
    fits(a, parts<typename ElementT::A>(), "a");
    fits(b, parts<typename ElementT::B>(), "b");
    auto& pool = pools_.template element_pool<ElementsOf<ElementT>>(a.pool, b.pool, state_size(element));
    pool.names.push_back(std::move(name));
    pool.a.bodies = a.pool;
    pool.b.bodies = b.pool;
    pool.items.push_back(element);
    pool.a.index.push_back(a.index);
    pool.b.index.push_back(b.index);
    return {&pool, static_cast<std::uint32_t>(pool.items.size() - 1)};
  }

  /// A force on one coordinate of a body, as a function of time. Without an outline its corners are found by samples.
  void push(BodyId body, std::size_t coordinate, std::function<double(double)> force, std::optional<Outline> outline = {}) {
    if (!body.pool) throw std::invalid_argument("push: the ground cannot be pushed");
    if (coordinate >= body.pool->force_numbers())
      throw std::invalid_argument("push: coordinate " + std::to_string(coordinate) + " of " + body.pool->names[body.index] +
                                  ": must be < " + std::to_string(body.pool->force_numbers()));
    note(body.pool->names[body.index], outline ? std::move(*outline) : outline::sampled(force), outline.has_value());
    pushes_.push_back({body, coordinate, std::move(force), 0});
  }

  /// What depends on time.
  void note(std::string name, Outline outline, bool exact = true) {
    if (outline.corner) timed_.push_back({std::move(name), std::move(outline), exact});
  }
  const std::vector<Timed>& timed() const noexcept { return timed_; }

  /// From the next start() on, large pools are worked on by kernels.
  void use(std::shared_ptr<const KernelMaker> kernels) { kernels_ = std::move(kernels); }

  /// Lays out the flat state, bodies first, and returns it as it starts.
  std::vector<double> start() {
    std::size_t next = 0, next_force = 0, next_given = 0;
    pools_.each_body_pool([&](auto& pool) {
      std::size_t& place = pool.is_given ? next_given : next;
      pool.motion = {place, pool.count()};
      place += pool.motion_numbers() * pool.count();
      pool.force = {next_force, pool.count()};
      next_force += pool.force_numbers() * pool.count();
    });
    pools_.each_element_pool([&](auto& pool) {
      pool.state = {next, pool.count()};
      next += pool.state_numbers() * pool.count();
    });
    force_.assign(next_force, 0.0);
    given_.assign(next_given, 0.0);
    for (Push& push : pushes_) push.at = push.body.pool->force.at(push.coordinate, push.body.index);
    const auto choose = [&](auto& pool) { pool.kernel = kernels_ ? kernels_->kernel_of(pool) : nullptr; };
    pools_.each_body_pool(choose);
    pools_.each_element_pool(choose);
    std::vector<double> x(next);
    pools_.each_body_pool([&](auto& pool) { pool.write_start(x.data()); });
    pools_.each_element_pool([&](auto& pool) { pool.write_start(x.data()); });
    return x;
  }

  /// The pass: motions -> Phi -> react -> Psi -> rates. A body's motion never depends on the force of the same instant, so no loop
  /// can form.
  void rate(double t, std::span<const double> x, double tau, std::span<double> xdot) { pass(t, instant(t, x), tau, force_, xdot); }
  /// The same with derivatives by what the state depends on; only where has_derivatives().
  void rate(double t, std::span<const Dual8> x, double tau, std::span<Dual8> xdot) {
    instant(t, {});
    dual_given_.assign(given_.begin(), given_.end());
    dual_force_.resize(force_.size());
    pass(t, InstantOf<Dual8>{x.data(), dual_given_.data()}, tau, dual_force_, xdot);
  }
  /// The same without elements: what gravity and the pushes do.
  void free_rate(double t, std::span<const double> x, std::span<double> xdot) {
    push(t, force_);
    pools_.each_body_pool([&](auto& pool) { pool.rate(x.data(), force_.data(), xdot.data()); });
  }
  /// The rates of the positions alone; and rotations back to length 1.
  template <class S>
  void kinematics(std::span<const S> x, std::span<S> xdot) const {
    pools_.each_body_pool([&](auto& pool) { pool.kinematics(x.data(), xdot.data()); });
  }
  template <class S>
  void tidy(std::span<S> x) const {
    pools_.each_body_pool([&](auto& pool) { pool.tidy(x.data()); });
  }
  /// Every part is written over any scalar.
  bool has_derivatives() const {
    bool all = true;
    pools_.each_body_pool([&](auto& pool) { all = all && pool.has_derivatives(); });
    pools_.each_element_pool([&](auto& pool) { all = all && pool.has_derivatives(); });
    return all;
  }

  /// Which numbers of the rate may depend on which of the state: a body's on its own, an element's on its own and on the motion of
  /// its two bodies, and the velocities of these on all of them. The world must have been started.
  Pattern coupling() const {
    std::size_t n = 0;
    const auto own = [](const Columns& columns, std::size_t numbers, std::size_t item, std::vector<std::size_t>& list) {
      for (std::size_t c = 0; c < numbers; ++c) list.push_back(columns.at(c, item));
    };
    pools_.each_body_pool([&](auto& pool) { n += pool.is_given ? 0 : pool.motion_numbers() * pool.count(); });
    pools_.each_element_pool([&](auto& pool) { n += pool.state_numbers() * pool.count(); });
    PatternMaker maker(n);
    // The bodies that move with body i, and their numbers from column `first` on.
    const auto piece = [&](const BodyPool& pool, std::size_t i, std::size_t first, std::vector<std::size_t>& list) {
      const bool whole = pool.in_one_piece();
      for (std::size_t k = whole ? 0 : i; k < (whole ? pool.count() : i + 1); ++k)
        for (std::size_t c = first; c < pool.motion_numbers(); ++c) list.push_back(pool.motion.at(c, k));
    };
    std::vector<std::size_t> rows, columns;
    pools_.each_body_pool([&](auto& pool) {
      for (std::size_t i = 0; !pool.is_given && i < (pool.in_one_piece() ? 1 : pool.count()); ++i) {
        rows.clear();
        piece(pool, i, 0, rows);
        maker.add(rows, rows);
      }
    });
    pools_.each_element_pool([&](auto& pool) {
      for (std::size_t i = 0; i < pool.count(); ++i) {
        rows.clear();
        own(pool.state, pool.state_numbers(), i, rows);
        columns = rows;
        for (const End* end : {&pool.a, &pool.b}) {
          if (!end->bodies || end->bodies->is_given) continue;
          own(end->bodies->motion, end->bodies->motion_numbers(), end->index[i], columns);
          piece(*end->bodies, end->index[i], end->bodies->velocity_column(0), rows);
        }
        maker.add(rows, columns);
      }
    });
    return maker.make();
  }

  /// What happens between steps: rotations back to length 1, switches of hybrid laws.
  void between_steps(double t, std::span<double> x) {
    tidy(x);
    const Instant now = instant(t, x);
    pools_.each_element_pool([&](auto& pool) { pool.transit(now, x.data()); });
  }

  /// The flat state together with where the given bodies are.
  Instant instant(double t, std::span<const double> x) {
    if (!given_.empty()) pools_.each_body_pool([&](auto& pool) { pool.place(t, given_.data()); });
    return {x.data(), given_.data()};
  }

  /// Numbers of the motions of given bodies.
  std::size_t given_numbers() const noexcept { return given_.size(); }

  double kinetic(std::span<const double> x) const {
    double sum = 0;
    pools_.each_body_pool([&](auto& pool) { sum += pool.kinetic(x.data()); });
    return sum;
  }
  double potential(std::span<const double> x) const {
    double sum = 0;
    pools_.each_body_pool([&](auto& pool) { sum += pool.potential(x.data()); });
    return sum;
  }
  double stored(double t, std::span<const double> x) {
    const Instant now = instant(t, x);
    double sum = 0;
    pools_.each_element_pool([&](auto& pool) { sum += pool.energy(now); });
    return sum;
  }

  /// Calls f(body, coordinate, force) for every push at time t.
  template <class F>
  void each_push(double t, F&& f) const {
    for (const Push& push : pushes_) f(push.body, push.coordinate, push.force(t));
  }

  /// Calls f(body, coordinate, force) with the force of every push as a function of time.
  template <class F>
  void each_push_function(F&& f) const {
    for (const Push& push : pushes_) f(push.body, push.coordinate, push.force);
  }

  const Pools& pools() const noexcept { return pools_; }

 private:
  template <class Motion>
  BodyId add_course(std::string name, std::function<Motion(double)> course, std::optional<std::vector<Outline>> outlines) {
    auto& pool = pools_.template body_pool<GivenBodies<Motion>>();
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
    return {&pool, static_cast<std::uint32_t>(pool.courses.size() - 1)};
  }
  template <class S>
  void pass(double t, const InstantOf<S>& now, double tau, std::vector<S>& force, std::span<S> xdot) {
    push(t, force);
    pools_.each_element_pool([&](auto& pool) { pool.react(now, tau, force.data(), xdot.data()); });
    pools_.each_body_pool([&](auto& pool) { pool.rate(now.state, force.data(), xdot.data()); });
  }

  template <class S>
  void push(double t, std::vector<S>& force) const {
    std::fill(force.begin(), force.end(), S(0.0));
    for (const Push& push : pushes_) force[push.at] += push.force(t);
  }

  struct Push {
    BodyId body;
    std::size_t coordinate;
    std::function<double(double)> force;
    std::size_t at;
  };

  Pools pools_;
  std::shared_ptr<const KernelMaker> kernels_;
  std::vector<Push> pushes_;
  std::vector<Timed> timed_;
  std::vector<double> gravity_;
  std::vector<double> force_, given_;
  std::vector<Dual8> dual_force_, dual_given_;
};

using World = WorldOf<DynamicPools>;

template <class... Pools>
using System = WorldOf<StaticPools<Pools...>>;

}  // namespace asperity
