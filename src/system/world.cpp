#include "asperity/system/world.hpp"

namespace asperity {
namespace {

/// A position, or the velocity of one: no rotation, no spin.
bool is_read_by_an_encoder(const Sensed& sensed) {
  const BodyPool& pool = *sensed.body.pool;
  const std::size_t velocities = pool.velocity_column(0),
                    positions = pool.motion_numbers() == parts<Frame<double>>() ? 3 : velocities;
  return sensed.column < positions || (sensed.column >= velocities && sensed.column < velocities + positions);
}

}  // namespace

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

void World::check_feedback(const Feedback& feedback) {
  const auto name = [](const BodyId& body) { return body.pool->names[body.index]; };
  const BodyId body = feedback.body;
  if (!body.pool) throw std::invalid_argument("push: the ground cannot be pushed");
  if (feedback.coordinate >= body.pool->force_numbers())
    throw std::invalid_argument("push: coordinate " + std::to_string(feedback.coordinate) + " of " + name(body) + ": must be < " +
                                std::to_string(body.pool->force_numbers()));
  if (feedback.of.size() > Feedback::most_sensed)
    throw std::invalid_argument("push: " + name(body) + " is pushed by what depends on " + std::to_string(feedback.of.size()) +
                                " numbers: must be <= " + std::to_string(Feedback::most_sensed));
  for (const Sensed& one : feedback.of) {
    if (!one.body.pool) throw std::invalid_argument("push: the ground does not move: nothing depends on its motion");
    if (one.column >= one.body.pool->motion_numbers())
      throw std::invalid_argument("push: column " + std::to_string(one.column) + " of " + name(one.body) + ": must be < " +
                                  std::to_string(one.body.pool->motion_numbers()));
  }
}

void World::push(Feedback feedback, Outline outline) {
  check_feedback(feedback);
  const std::string& name = feedback.body.pool->names[feedback.body.index];
  note(name, std::move(outline));
  note(OfMotion{name, feedback.body, feedback.coordinate, feedback.of, feedback.force, feedback.bounds});
  feedbacks_.push_back(std::move(feedback));
}

void World::push(Controller controller) {
  check_feedback(controller.law);
  const auto refuse = [&](const char* what, double value, const char* bound) {
    throw std::invalid_argument("controller of " + controller.law.body.pool->names[controller.law.body.index] + ": " + what +
                                " = " + std::to_string(value) + ": must be " + bound);
  };
  if (!(controller.every > 0) || !std::isfinite(controller.every)) refuse("every", controller.every, "> 0");
  if (!(controller.delay >= 0) || !(controller.delay <= Controller::most_waiting * controller.every))
    refuse("delay", controller.delay, "between 0 and 1000 times every");
  if (!(controller.resolution >= 0) || !std::isfinite(controller.resolution)) refuse("resolution", controller.resolution, ">= 0");
  for (const Sensed& one : controller.law.of)
    if (controller.resolution > 0 && !is_read_by_an_encoder(one))
      throw std::invalid_argument("controller: " + one.body.pool->names[one.body.index] + "." +
                                  one.body.pool->quantities()[one.column].name + " is no position of an encoder, nor its velocity");
  controllers_.push_back(std::move(controller));
  lay_out();
}

void Controller::look(double t, const Instant& now, double* x) const {
  double& force = x[first];
  double& last = x[first + 1];
  double* const coming = x + first + 2;
  double* const before = coming + waiting();
  // The number of the sample that is due at a time, if one is.
  const auto due = [&](double at) {
    const double n = std::round(at / every);
    return n >= 0 && std::abs(at - n * every) <= 1e-6 * every ? n : -1.0;
  };
  const std::size_t slots = waiting();
  if (const double n = slots > 0 ? due(t - delay) : -1; n >= 0) force = coming[std::size_t(n) % slots];
  const double n = due(t);
  if (n < 0 || n == last) return;
  std::array<double, Feedback::most_sensed> seen;
  for (std::size_t i = 0; i < law.of.size(); ++i) {
    const BodyPool& pool = *law.of[i].body.pool;
    const double* motions = pool.motions(now);
    const std::size_t column = law.of[i].column, velocities = pool.velocity_column(0);
    seen[i] = motions[pool.motion.at(column, law.of[i].body.index)];
    if (resolution == 0) continue;
    const bool rate = column >= velocities;
    const double read =
        resolution * std::round(motions[pool.motion.at(rate ? column - velocities : column, law.of[i].body.index)] / resolution);
    // The first sample has nothing to compare with: the body is taken for one at rest.
    seen[i] = rate ? (last < 0 ? 0 : (read - before[i]) / every) : read;
    before[i] = read;
  }
  const double found = law(t, std::span<const double>(seen.data(), law.of.size()));
  if (slots > 0) coming[std::size_t(n) % slots] = found;
  else force = found;
  last = n;
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
  for (Controller& one : controllers_) {
    one.first = size_;
    size_ += one.numbers();
  }
}

std::vector<double> World::start() const {
  std::vector<double> x(size_);
  pools_.each_body_pool([&](const BodyPool& pool) { pool.write_start(x.data()); });
  pools_.each_element_pool([&](const ElementPool& pool) { pool.write_start(x.data()); });
  first_samples(x);
  return x;
}

void World::first_samples(std::span<double> x) const {
  if (controllers_.empty()) return;
  std::vector<double> given(given_numbers_);
  pools_.each_body_pool([&](const BodyPool& pool) { pool.place(0, given.data()); });
  for (const Controller& one : controllers_) {
    std::fill_n(x.begin() + std::ptrdiff_t(one.first), one.numbers(), 0.0);
    x[one.first + 1] = -1;  // none before
    one.look(0, {x.data(), given.data()}, x.data());
  }
}

bool World::has_derivatives() const {
  bool all = true;
  pools_.each_body_pool([&](const BodyPool& pool) { all = all && pool.has_derivatives(); });
  pools_.each_element_pool([&](const ElementPool& pool) { all = all && pool.has_derivatives(); });
  for (const Feedback& one : feedbacks_) all = all && one.slopes;
  return all;
}

Pattern World::coupling() const {
  const auto own = [](const Columns& columns, std::size_t numbers, std::size_t item, std::vector<std::size_t>& list) {
    for (std::size_t c = 0; c < numbers; ++c) list.push_back(columns.at(c, item));
  };
  PatternMaker maker(size_);
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
  for (const Feedback& one : feedbacks_) {
    if (one.body.pool->is_given) continue;
    rows.clear(), columns.clear();
    piece(*one.body.pool, one.body.index, one.body.pool->velocity_column(0), rows);
    for (const Sensed& sensed : one.of)
      if (!sensed.body.pool->is_given) columns.push_back(sensed.body.pool->motion.at(sensed.column, sensed.body.index));
    maker.add(rows, columns);
  }
  for (const Controller& one : controllers_) {
    if (one.law.body.pool->is_given) continue;
    rows.clear();
    piece(*one.law.body.pool, one.law.body.index, one.law.body.pool->velocity_column(0), rows);
    maker.add(rows, {one.first});
  }
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
void Workspace::push(double t, const InstantOf<S>& now, std::vector<S>& force) const {
  std::fill(force.begin(), force.end(), S(0.0));
  world_->each_push(t, now, [&](const BodyId& body, std::size_t coordinate, const S& by) {
    force[body.pool->force.at(coordinate, body.index)] += by;
  });
}

/// What controllers remember stays during a step.
template <class S>
void Workspace::hold(std::span<S> xdot) const {
  for (const Controller& one : world_->controllers()) std::fill_n(xdot.begin() + std::ptrdiff_t(one.first), one.numbers(), S(0.0));
}

Instant Workspace::instant(double t, std::span<const double> x) {
  if (!given_.empty()) world_->pools().each_body_pool([&](const BodyPool& pool) { pool.place(t, given_.data()); });
  return {x.data(), given_.data()};
}

void Workspace::rate(double t, std::span<const double> x, double tau, std::span<double> xdot) {
  const Instant now = instant(t, x);
  push(t, now, force_);
  hold(xdot);
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
  push(t, now, dual_force_);
  hold(xdot);
  world_->pools().each_element_pool([&](const ElementPool& pool) { pool.react(now, tau, dual_force_.data(), xdot.data()); });
  world_->pools().each_body_pool([&](const BodyPool& pool) { pool.rate(x.data(), dual_force_.data(), xdot.data()); });
}

void Workspace::free_rate(double t, std::span<const double> x, std::span<double> xdot) {
  push(t, instant(t, x), force_);
  hold(xdot);
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
  for (const Controller& one : world_->controllers()) one.look(t, now, x.data());
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
