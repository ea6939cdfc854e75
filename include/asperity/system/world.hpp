// A world: bodies, elements between them, inputs; one flat state, bodies first; and its rate of change.
//
// Two paths, one pass. `World` collects its parts at run time: one virtual call a pool. `System<Pools...>` knows its kinds at
// compile time: the same pools, called directly. Both are WorldOf<...>, so that they share every line and give equal numbers.
#pragma once

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <tuple>

#include "asperity/bodies/arm.hpp"
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
    return std::get<Pool>(pools_) = std::move(pool);
  }
  template <class Pool>
  Pool& element_pool(BodyPool* a, BodyPool* b, int) {
    Pool& pool = std::get<Pool>(pools_);
    assert(pool.count() == 0 || (pool.a.bodies == a && pool.b.bodies == b));
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

  /// Acts on every body added from now on that has none of its own; a body on a line does not feel a gravity of the plane or of
  /// space.
  void set_gravity(std::vector<double> gravity) { gravity_ = std::move(gravity); }

  template <class Body>
  BodyId add(std::string name, Body body, const typename Body::State& start = {}) {
    feel_gravity(body.gravity, name);
    auto& pool = pools_.template body_pool<Bodies<Body>>();
    pool.names.push_back(std::move(name));
    pool.items.push_back(body);
    pool.start.push_back(start);
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
    if (gravity_.size() == 2) feel_gravity(arm.gravity, name);
    arm.turns = true;
    for (std::size_t i = 1; i <= rods.size(); ++i) arm.names.push_back(name + ".joint" + std::to_string(i));
    return {&pools_.new_body_pool(std::move(arm)), 0};
  }
  static BodyId joint(BodyId arm, std::uint32_t number) noexcept { return {arm.pool, number - 1}; }

  /// A body that follows a course, whatever pulls at it.
  template <int D>
  BodyId add_given(std::string name, std::function<Port<double, D>(double)> course) {
    auto& pool = pools_.template body_pool<GivenBodies<Port<double, D>>>();
    pool.names.push_back(std::move(name));
    pool.courses.push_back(std::move(course));
    return {&pool, static_cast<std::uint32_t>(pool.courses.size() - 1)};
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

  /// A force on one coordinate of a body, as a function of time.
  void push(BodyId body, std::size_t coordinate, std::function<double(double)> force) {
    if (!body.pool) throw std::invalid_argument("push: the ground cannot be pushed");
    if (coordinate >= body.pool->force_numbers())
      throw std::invalid_argument("push: coordinate " + std::to_string(coordinate) + " of " + body.pool->names[body.index] +
                                  ": must be < " + std::to_string(body.pool->force_numbers()));
    pushes_.push_back({body, coordinate, std::move(force), 0});
  }

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
  void rate(double t, std::span<const double> x, double tau, std::span<double> xdot) {
    const Instant now = instant(t, x);
    std::fill(force_.begin(), force_.end(), 0.0);
    for (const Push& push : pushes_) force_[push.at] += push.force(t);
    pools_.each_element_pool([&](auto& pool) { pool.react(now, tau, force_.data(), xdot.data()); });
    pools_.each_body_pool([&](auto& pool) { pool.rate(x.data(), force_.data(), xdot.data()); });
  }

  /// What happens between steps: rotations back to length 1, switches of hybrid laws.
  void between_steps(double t, std::span<double> x) {
    pools_.each_body_pool([&](auto& pool) { pool.tidy(x.data()); });
    const Instant now = instant(t, x);
    pools_.each_element_pool([&](auto& pool) { pool.transit(now, x.data()); });
  }

  /// The flat state together with where the given bodies are.
  Instant instant(double t, std::span<const double> x) {
    if (!given_.empty()) pools_.each_body_pool([&](auto& pool) { pool.place(t, given_.data()); });
    return {x.data(), given_.data()};
  }

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
  template <class Vector>
  void feel_gravity(Vector& own, const std::string& name) const {
    if (gravity_.empty()) return;
    std::size_t components = 0;
    bool has_own = false;
    each_number(
        [&](const double& g) {
          ++components;
          has_own = has_own || g != 0;
        },
        own);
    if (has_own || (components == 1 && gravity_.size() > 1)) return;
    if (components != gravity_.size())
      throw std::invalid_argument(name + " moves in " + std::to_string(components) + " dimensions: gravity has " +
                                  std::to_string(gravity_.size()) + " components");
    std::size_t i = 0;
    each_number([&](double& g) { g = gravity_[i++]; }, own);
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
  std::vector<double> gravity_;
  std::vector<double> force_, given_;
};

using World = WorldOf<DynamicPools>;

template <class... Pools>
using System = WorldOf<StaticPools<Pools...>>;

}  // namespace asperity
