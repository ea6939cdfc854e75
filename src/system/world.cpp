#include "asperity/system/world.hpp"

namespace asperity {

void World::set_gravity(std::vector<double> gravity) {
  gravity_ = std::move(gravity);
  pools_.each_body_pool([&](BodyPool& pool) {
    for (std::size_t i = 0; i < pool.count(); ++i) pool.feel(gravity_, i);
  });
}

BodyId World::add_arm(const std::string& name, const std::vector<Rod>& rods, const std::vector<Port<double, 1>>& start,
                      std::array<double, 2> gravity) {
  Arm arm;
  arm.rods = rods;
  arm.start = start;
  arm.gravity = gravity;
  arm.own_gravity = any_gravity(gravity);
  if (!rods.empty()) arm.feel(gravity_, 0);
  arm.turns = true;
  for (std::size_t i = 1; i <= rods.size(); ++i) arm.names.push_back(name + ".joint" + std::to_string(i));
  BodyPool& pool = pools_.new_body_pool(std::move(arm));
  lay_out();
  return {&pool, 0};
}

void World::check_end(const std::string& name, const char* end, const BodyId& body, std::size_t numbers) {
  if (body.pool && body.pool->motion_numbers() != numbers)
    throw std::invalid_argument(name + ": its end " + end + ", " + body.pool->names[body.index] + ", moves with " +
                                std::to_string(body.pool->motion_numbers()) + " numbers: must be " + std::to_string(numbers) +
                                " for this connection");
}

void World::push(BodyId body, std::size_t coordinate, std::function<double(double)> force, std::optional<Outline> outline) {
  if (!body.pool) throw std::invalid_argument("push: the ground cannot be pushed");
  if (coordinate >= body.pool->force_numbers())
    throw std::invalid_argument("push: coordinate " + std::to_string(coordinate) + " of " + body.pool->names[body.index] +
                                ": must be < " + std::to_string(body.pool->force_numbers()));
  note(body.pool->names[body.index], outline ? std::move(*outline) : outline::sampled(force), outline.has_value());
  pushes_.push_back({body, coordinate, std::move(force)});
}

void World::lay_out() {
  size_ = given_numbers_ = force_numbers_ = 0;
  pools_.each_body_pool([&](BodyPool& pool) {
    std::size_t& place = pool.is_given ? given_numbers_ : size_;
    pool.motion = {place, pool.count()};
    place += pool.motion_numbers() * pool.count();
    pool.force = {force_numbers_, pool.count()};
    force_numbers_ += pool.force_numbers() * pool.count();
  });
  pools_.each_element_pool([&](ElementPool& pool) {
    pool.state = {size_, pool.count()};
    size_ += pool.state_numbers() * pool.count();
  });
}

std::vector<double> World::start() const {
  std::vector<double> x(size_);
  pools_.each_body_pool([&](const BodyPool& pool) { pool.write_start(x.data()); });
  pools_.each_element_pool([&](const ElementPool& pool) { pool.write_start(x.data()); });
  return x;
}

bool World::has_derivatives() const {
  bool all = true;
  pools_.each_body_pool([&](const BodyPool& pool) { all = all && pool.has_derivatives(); });
  pools_.each_element_pool([&](const ElementPool& pool) { all = all && pool.has_derivatives(); });
  return all;
}

Pattern World::coupling() const {
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

double World::kinetic(std::span<const double> x) const {
  double sum = 0;
  pools_.each_body_pool([&](const BodyPool& pool) { sum += pool.kinetic(x.data()); });
  return sum;
}

double World::potential(std::span<const double> x) const {
  double sum = 0;
  pools_.each_body_pool([&](const BodyPool& pool) { sum += pool.potential(x.data()); });
  return sum;
}

Workspace::Workspace(const World& world, std::shared_ptr<const KernelMaker> kernels)
    : world_(&world), maker_(std::move(kernels)), force_(world.force_numbers()), given_(world.given_numbers()) {
  world.pools().each_body_pool([&](const BodyPool& pool) { body_kernels_.push_back(maker_ ? maker_->kernel_of(pool) : nullptr); });
  world.pools().each_element_pool(
      [&](const ElementPool& pool) { element_kernels_.push_back(maker_ ? maker_->kernel_of(pool) : nullptr); });
}

std::size_t Workspace::kernels() const noexcept {
  const auto is_there = [](const auto& kernel) { return kernel != nullptr; };
  return std::size_t(std::count_if(body_kernels_.begin(), body_kernels_.end(), is_there) +
                     std::count_if(element_kernels_.begin(), element_kernels_.end(), is_there));
}

template <class S>
void Workspace::push(double t, std::vector<S>& force) const {
  std::fill(force.begin(), force.end(), S(0.0));
  world_->each_push(
      t, [&](const BodyId& body, std::size_t coordinate, double by) { force[body.pool->force.at(coordinate, body.index)] += by; });
}

Instant Workspace::instant(double t, std::span<const double> x) {
  if (!given_.empty()) world_->pools().each_body_pool([&](const BodyPool& pool) { pool.place(t, given_.data()); });
  return {x.data(), given_.data()};
}

void Workspace::rate(double t, std::span<const double> x, double tau, std::span<double> xdot) {
  const Instant now = instant(t, x);
  push(t, force_);
  auto element_kernel = element_kernels_.begin();
  world_->pools().each_element_pool([&](const ElementPool& pool) {
    if (const auto& kernel = *element_kernel++) kernel->react(now, tau, force_.data(), xdot.data());
    else pool.react(now, tau, force_.data(), xdot.data());
  });
  auto body_kernel = body_kernels_.begin();
  world_->pools().each_body_pool([&](const BodyPool& pool) {
    if (const auto& kernel = *body_kernel++) kernel->rate(x.data(), force_.data(), xdot.data());
    else pool.rate(x.data(), force_.data(), xdot.data());
  });
}

void Workspace::rate(double t, std::span<const Dual8> x, double tau, std::span<Dual8> xdot) {
  instant(t, {});
  dual_given_.assign(given_.begin(), given_.end());
  dual_force_.resize(force_.size());
  const InstantOf<Dual8> now{x.data(), dual_given_.data()};
  push(t, dual_force_);
  world_->pools().each_element_pool([&](const ElementPool& pool) { pool.react(now, tau, dual_force_.data(), xdot.data()); });
  world_->pools().each_body_pool([&](const BodyPool& pool) { pool.rate(x.data(), dual_force_.data(), xdot.data()); });
}

void Workspace::free_rate(double t, std::span<const double> x, std::span<double> xdot) {
  push(t, force_);
  auto body_kernel = body_kernels_.begin();
  world_->pools().each_body_pool([&](const BodyPool& pool) {
    if (const auto& kernel = *body_kernel++) kernel->rate(x.data(), force_.data(), xdot.data());
    else pool.rate(x.data(), force_.data(), xdot.data());
  });
}

void Workspace::tidy(std::span<double> x) const {
  auto body_kernel = body_kernels_.begin();
  world_->pools().each_body_pool([&](const BodyPool& pool) {
    if (const auto& kernel = *body_kernel++) kernel->tidy(x.data());
    else pool.tidy(x.data());
  });
}

void Workspace::tidy(std::span<Dual8> x) const {
  world_->pools().each_body_pool([&](const BodyPool& pool) { pool.tidy(x.data()); });
}

void Workspace::between_steps(double t, std::span<double> x) {
  tidy(x);
  const Instant now = instant(t, x);
  world_->pools().each_element_pool([&](const ElementPool& pool) { pool.transit(now, x.data()); });
}

double Workspace::stored(double t, std::span<const double> x) {
  const Instant now = instant(t, x);
  double sum = 0;
  world_->pools().each_element_pool([&](const ElementPool& pool) {
    double of_pool = 0;
    for (std::size_t i = 0; i < pool.count(); ++i) of_pool += pool.energy(now, i);
    sum += of_pool;
  });
  return sum;
}

}  // namespace asperity
