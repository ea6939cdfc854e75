#include "asperity/integrate/implicit.hpp"
#include "asperity/system/world.hpp"
#include "contacts_of.hpp"

namespace asperity {
namespace {

class WorldStepModel final : public StepModel {
 public:
  WorldStepModel(const World& world, std::shared_ptr<const KernelMaker> kernels) : world_(world), work_(world, std::move(kernels)) {
    std::vector<const void*> pools;
    std::vector<std::size_t> first;  // group of each pool
    const std::size_t states = world.size();
    std::size_t forces = 0;
    world.pools().each_body_pool([&](const auto& pool) {
      pools.push_back(&pool);
      first.push_back(groups.size());
      forces += pool.force_numbers() * pool.count();
      if (pool.is_given || pool.count() == 0) return;
      const std::size_t velocities = pool.velocity_column(0);
      if (velocities == 0) look_ahead = false;
      for (std::size_t i = 0; i < pool.count(); ++i) {
        if (i == 0 || !pool.in_one_piece()) {
          groups.emplace_back();
          first_position.push_back(positions.size());
        }
        for (std::size_t c = 0; c < velocities; ++c) positions.push_back(pool.motion.at(c, i));
        for (std::size_t c = velocities; c < pool.motion_numbers(); ++c) groups.back().push_back(pool.motion.at(c, i));
      }
    });
    first_position.push_back(positions.size());
    const auto group = [&](const auto& end, std::size_t i) {
      for (std::size_t p = 0; p < pools.size(); ++p)
        if (pools[p] == end.bodies) return first[p] + (end.bodies->in_one_piece() ? 0 : end.index[i]);
      return groups.size();
    };
    const auto moves = [](const auto& end) { return end.bodies && !end.bodies->is_given; };
    world.pools().each_element_pool([&](const auto& pool) {
      if (is_contact(pool)) contacts += pool.count();
      most_forces_ = std::max(most_forces_, pool.force_numbers());
      for (std::size_t i = 0; i < pool.count() && moves(pool.a) && moves(pool.b); ++i)
        if (const std::size_t one = group(pool.a, i), other = group(pool.b, i); one != other) links.push_back({one, other});
    });
    group_of.assign(states, groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const std::size_t i : groups[g]) group_of[i] = g;
      for (std::size_t i = first_position[g]; i < first_position[g + 1]; ++i) group_of[positions[i]] = g;
    }
    world.pools().each_element_pool([&](const auto& pool) {
      for (std::size_t i = 0; i < pool.count(); ++i) {
        const std::size_t one = moves(pool.a) ? group(pool.a, i) : moves(pool.b) ? group(pool.b, i) : groups.size();
        for (std::size_t c = 0; c < pool.state_numbers(); ++c) group_of[pool.state.at(c, i)] = one;
        if (is_contact(pool)) group_of_contact.push_back(one);
        if (has(pool.about().quirks, Quirk::jumps)) jumping.push_back(one);
      }
    });
    find_masses(states, forces);
    knows_energy = look_ahead;
    world.pools().each_body_pool(
        [&](const auto& pool) { knows_energy = knows_energy && pool.knows_energy() && (!pool.is_given || pool.count() == 0); });
    world.pools().each_element_pool(
        [&](const auto& pool) { knows_energy = knows_energy && (pool.about().stores || !is_contact(pool)); });
    seen_.resize(most_forces_);
    moved_.resize(states);
  }

  void rate(double t, std::span<const double> x, double tau, std::span<double> xdot) override { rate_of(t, x, tau, xdot); }
  void rate(double t, std::span<const Dual8> x, double tau, std::span<Dual8> xdot) override { rate_of(t, x, tau, xdot); }
  void carry_from(double h, std::span<const double> x) override { carried_ = h, from_ = x; }
  double energy(double t, std::span<const double> x) override {
    return world_.kinetic(x) + world_.potential(x) + work_.stored(t, x);
  }
  double power_in(double t, std::span<const double> x, std::span<const double> motion) const override {
    double power = 0;
    world_.each_push(t, work_.instant(t, x), [&](const auto& body, std::size_t coordinate, double force) {
      power += force * motion[body.pool->motion.at(body.pool->velocity_column(coordinate), body.index)];
    });
    return power;
  }
  bool has_derivatives() const override { return world_.has_derivatives(); }
  void free_rate(double t, std::span<const double> x, std::span<double> xdot) override { work_.free_rate(t, x, xdot); }
  void kinematics(std::span<const double> x, std::span<double> xdot) const override { world_.kinematics(x, xdot); }
  void kinematics(std::span<const Dual8> x, std::span<Dual8> xdot) const override { world_.kinematics(x, xdot); }
  void tidy(std::span<double> x) const override { work_.tidy(x); }
  void tidy(std::span<Dual8> x) const override { work_.tidy(x); }

  void look_at_contacts(double t, std::span<const double> x, std::span<double> gap, std::span<double> speed) override {
    const auto now = work_.instant(t, x);
    each_contact(world_, [&](const auto& pool, std::size_t i, std::size_t contact) {
      gap[contact] = pool.gap(now, i);
      pool.relative(now, i, seen_.data());
      speed[contact] = seen_.front();
    });
  }
  void project_on_contacts(double t, std::span<const double> x, std::span<const double> motion, std::span<double> speed) override {
    std::copy(x.begin(), x.end(), moved_.begin());
    for (const auto& group : groups)
      for (const std::size_t i : group) moved_[i] = motion[i];
    given_.assign(world_.given_numbers(), 0.0);
    world_.pools().each_body_pool([&](const auto& pool) {
      if (!pool.is_given) return;
      pool.place(t, given_.data());
      for (std::size_t c = pool.velocity_column(0); c < pool.motion_numbers(); ++c)
        for (std::size_t i = 0; i < pool.count(); ++i) given_[pool.motion.at(c, i)] = 0;
    });
    auto now = work_.instant(t, moved_);
    now.given = given_.data();
    each_contact(world_, [&](const auto& pool, std::size_t i, std::size_t contact) {
      pool.relative(now, i, seen_.data());
      speed[contact] = seen_.front();
    });
  }

 private:
  template <class S>
  void rate_of(double t, std::span<const S> x, double tau, std::span<S> xdot) {
    work_.rate(t, x, tau, xdot);
    if (carried_ > 0)
      world_.pools().each_body_pool([&](const auto& pool) {
        if (!pool.is_given) pool.carry(carried_, from_.data(), x.data(), xdot.data());
      });
  }
  /// The mass that a number of the velocity feels: the unit force over what it adds to the acceleration, at the start.
  void find_masses(std::size_t states, std::size_t forces) {
    std::vector<double> x(states), force(forces), without(states), with(states);
    world_.pools().each_body_pool([&](const auto& pool) { pool.write_start(x.data()); });
    world_.pools().each_body_pool([&](const auto& pool) {
      if (pool.is_given) return;
      for (std::size_t i = 0; i < pool.count(); ++i) {
        pool.rate_of(i, x.data(), force.data(), without.data());
        for (std::size_t c = 0; c < pool.force_numbers(); ++c) {
          double& push = force[pool.force.at(c, i)];
          push = 1;
          pool.rate_of(i, x.data(), force.data(), with.data());
          push = 0;
          const std::size_t entry = pool.motion.at(pool.velocity_column(c), i);
          masses.push_back(1 / (with[entry] - without[entry]));
        }
      }
    });
  }

  const World& world_;
  mutable Workspace work_;
  double carried_ = 0;  // the length of the step that carries momenta; 0: none does
  std::span<const double> from_;
  std::size_t most_forces_ = 1;
  std::vector<double> seen_, moved_, given_;
};

}  // namespace

std::unique_ptr<StepModel> step_model_of(const World& world, std::shared_ptr<const KernelMaker> kernels) {
  return std::make_unique<WorldStepModel>(world, std::move(kernels));
}

}  // namespace asperity
