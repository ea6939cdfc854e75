#include "asperity/setup/network.hpp"

#include <array>
#include <cassert>
#include <cmath>

namespace asperity {
namespace {

/// Velocities of all bodies of a pool set to zero.
void stop(const BodyPool& pool, double* x) {
  for (std::size_t c = pool.velocity_column(0); c < pool.motion_numbers(); ++c)
    for (std::size_t i = 0; i < pool.count(); ++i) x[pool.motion.at(c, i)] = 0;
}

}  // namespace

Network::Network(const World& world, std::span<const double> x)
    : timed(world.timed()), state(x.begin(), x.end()), force_numbers(world.force_numbers()) {
  world.pools().each_body_pool([&](const BodyPool& pool) { bodies.push_back(&pool); });
  world.pools().each_element_pool([&](const ElementPool& pool) { elements.push_back(&pool); });
  world.each_push_function([&](BodyId body, std::size_t k, const auto& force) { pushes.push_back({body, k, force}); });
  Workspace work(world);
  const Instant now = work.instant(0, x);
  given.assign(now.given, now.given + world.given_numbers());
  // What feedback does at the start.
  for (const Feedback& one : world.feedbacks()) {
    feedbacks.push_back(&one);
    std::vector<double> seen;
    for (const Sensed& sensed : one.of)
      seen.push_back(sensed.body.pool->motions(now)[sensed.body.pool->motion.at(sensed.column, sensed.body.index)]);
    pushes.push_back({one.body, one.coordinate, [&one, seen](double t) { return one(t, std::span<const double>(seen)); }});
  }
  for (const Controller& one : world.controllers())
    pushes.push_back({one.law.body, one.law.coordinate, [force = x[one.first]](double) { return force; }});
  set_up();
}

void Network::set_up() {
  still_ = state;
  still_given_ = given;
  for (const BodyPool* pool : bodies) stop(*pool, pool->is_given ? still_given_.data() : still_.data());
  xdot_.assign(state.size(), 0.0);
  force_.assign(force_numbers, 0.0);
  for (const BodyPool* pool : bodies) pool->rate(still_.data(), force_.data(), xdot_.data());
  idle_ = xdot_;
  motion_ = still_;
  parts.clear();
  numbers = 0;
  for (const ElementPool* pool : elements)
    for (std::size_t i = 0; i < pool->count(); ++i) {
      for (const Stiffness& stiff : pool->stiffness(still(), i)) {
        parts.push_back({stiff, pool, i, numbers + stiff.first, 0});
        parts.back().turns = stiff.turns || (pool->a.bodies && pool->a.bodies->turns) || (pool->b.bodies && pool->b.bodies->turns);
        parts.back().mass = mass_of(parts.back());
      }
      numbers += pool->force_numbers();
    }
}

void Network::store_accelerations(const BodyPool& pool, std::size_t i, std::vector<double>& motion) const {
  const std::size_t velocity = pool.velocity_column(0);
  for (std::size_t c = velocity; c < pool.motion_numbers(); ++c) motion[pool.motion.at(c, i)] = xdot_[pool.motion.at(c, i)];
}

void Network::accelerate(std::span<const double> force, std::vector<double>& motion) {
  for (const BodyPool* pool : bodies) {
    if (pool->is_given) continue;
    pool->rate(still_.data(), force.data(), xdot_.data());
    for (std::size_t i = 0; i < pool->count(); ++i) store_accelerations(*pool, i, motion);
  }
}

void Network::accelerate_ends(const ElementPool& pool, std::size_t i, std::span<const double> force, std::vector<double>& motion) {
  for (const End* end : {&pool.a, &pool.b}) {
    if (!end->bodies || end->bodies->is_given) continue;
    end->bodies->rate_of(end->index[i], still_.data(), force.data(), xdot_.data());
    store_accelerations(*end->bodies, end->index[i], motion);
  }
}

void Network::subtract_idle(std::vector<double>& motion) const {
  for (const BodyPool* pool : bodies) {
    if (pool->is_given) continue;
    for (std::size_t c = pool->velocity_column(0); c < pool->motion_numbers(); ++c)
      for (std::size_t i = 0; i < pool->count(); ++i) motion[pool->motion.at(c, i)] -= idle_[pool->motion.at(c, i)];
  }
}

void Network::add_pushes(double t, std::vector<double>& force) const {
  for (const Push& push : pushes) force[push.body.pool->force.at(push.coordinate, push.body.index)] += push.force(t);
}

std::vector<double> Network::given_accelerations(double from, double to) const {
  std::vector<double> before = still_given_, after = still_given_, motion = still_given_;
  for (const BodyPool* pool : bodies) {
    if (!pool->is_given) continue;
    pool->place(from, before.data());
    pool->place(to, after.data());
    for (std::size_t c = pool->velocity_column(0); c < pool->motion_numbers(); ++c)
      for (std::size_t i = 0; i < pool->count(); ++i) {
        const std::size_t at = pool->motion.at(c, i);
        motion[at] = (after[at] - before[at]) / (to - from);
      }
  }
  return motion;
}

void Network::apply(std::span<const double> f, std::span<double> out) {
  std::fill(force_.begin(), force_.end(), 0.0);
  std::size_t first = 0;
  for (const ElementPool* pool : elements)
    for (std::size_t i = 0; i < pool->count(); ++i, first += pool->force_numbers())
      pool->push(still(), i, &f[first], force_.data());
  accelerate(force_, motion_);
  subtract_idle(motion_);
  first = 0;
  for (const ElementPool* pool : elements)
    for (std::size_t i = 0; i < pool->count(); ++i, first += pool->force_numbers()) pool->relative(seen(motion_), i, &out[first]);
  for (double& number : out) number = -number;  // a force acts against the motion that it is conjugate to
}

/// A contact that is open is looked at as it will be when it touches: one of its bodies is moved along the normal. Distance is no
/// lever arm.
double Network::mass_of(Part& part) {
  const double gap = part.unilateral || part.under_normal ? part.pool->gap(still(), part.index) : 0;
  const End* end = &part.pool->a;
  if (!end->bodies || end->bodies->is_given) end = &part.pool->b;
  if (!(gap > 0) || !std::isfinite(gap) || !end->bodies || end->bodies->is_given || end->bodies->in_one_piece())
    return mass_here(part);
  const BodyPool& pool = *end->bodies;
  const std::size_t i = end->index[part.index];
  std::array<double, 3> place{}, shift{};
  const std::size_t positions = std::min(pool.force_numbers(), place.size());
  push_.assign(part.pool->force_numbers(), 0.0);
  push_[0] = 1;
  part.pool->push(still(), part.index, push_.data(), force_.data());
  for (std::size_t c = 0; c < positions; ++c) {
    place[c] = still_[pool.motion.at(c, i)];
    shift[c] = -gap * force_[pool.force.at(c, i)];
  }
  const double apart = mass_here(part);  // clears the forces
  const auto put = [&](double by) {
    for (std::size_t c = 0; c < positions; ++c)
      still_[pool.motion.at(c, i)] = motion_[pool.motion.at(c, i)] = place[c] + by * shift[c];
  };
  put(1);
  const double mass = mass_here(part);
  put(0);
  part.apart = apart < std::numeric_limits<double>::infinity() ? apart / mass : 1;
  return mass;
}

double Network::mass_here(const Part& part) {
  // The part's own block of J M^-1 J^T, number by number. Pushed so hard that a body that rubs by itself shows its mass.
  constexpr double hard = 1e8;
  constexpr std::size_t most = 3;
  const ElementPool& pool = *part.pool;
  const std::size_t n = part.count;
  assert(n <= most);
  std::array<std::array<double, most>, most> block{};
  push_.assign(pool.force_numbers(), 0.0);
  with_ = without_ = push_;
  const auto clear_ends = [&] {
    for (const End* end : {&pool.a, &pool.b})
      for (std::size_t c = 0; end->bodies && c < end->bodies->force_numbers(); ++c)
        force_[end->bodies->force.at(c, end->index[part.index])] = 0;
  };
  const auto accelerations = [&](std::vector<double>& seen_numbers) {
    clear_ends();
    pool.push(still(), part.index, push_.data(), force_.data());
    accelerate_ends(pool, part.index, force_, motion_);
    pool.relative(seen(motion_), part.index, seen_numbers.data());
  };
  accelerations(without_);
  for (std::size_t k = 0; k < n; ++k) {
    push_[part.first + k] = hard;
    accelerations(with_);
    push_[part.first + k] = 0;
    for (std::size_t j = 0; j < n; ++j) block[j][k] = (without_[part.first + j] - with_[part.first + j]) / hard;
  }
  clear_ends();
  // Positive semidefinite: squared again and again, only its largest eigenvalue is left.
  double log_scale = 0, power = 1;
  for (int round = 0; round < (n > 1 ? 40 : 1); ++round) {
    double size = 0;
    for (std::size_t k = 0; k < n; ++k) size += block[k][k];
    if (!(size > 0)) return std::numeric_limits<double>::infinity();
    const double gained = std::log(size) / power;
    log_scale += gained;
    if (round > 0 && std::abs(gained) < 1e-16) break;
    power *= 2;
    const double scale = 1 / size;
    std::array<std::array<double, most>, most> square{};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) square[i][j] += scale * block[i][k] * (scale * block[k][j]);
    block = square;
  }
  return std::exp(-log_scale);
}

double Network::largest(std::span<const double> weight, std::vector<double>* share, double tolerance) {
  std::vector<double> w(numbers), v(numbers), wv(numbers), next(numbers);
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t k = 0; k < parts[p].count; ++k) w[parts[p].number + k] = weight[p];
  // A start without symmetry, the same on every run.
  for (std::size_t k = 0; k < numbers; ++k) v[k] = w[k] > 0 ? 1 + 0.5 * std::sin(1.0 + 2.3 * double(k)) * (k % 2 ? -1 : 1) : 0;
  double value = 0;
  for (int round = 0; round < 2000; ++round) {
    double norm = 0, energy = 0;
    for (std::size_t k = 0; k < numbers; ++k) norm += w[k] * v[k] * v[k];
    if (!(norm > 0)) return 0;
    const double scale = 1 / std::sqrt(norm);
    for (std::size_t k = 0; k < numbers; ++k) v[k] *= scale, wv[k] = w[k] * v[k];
    apply(wv, next);
    // Rayleigh's quotient in the norm of W, in which J M^-1 J^T W is symmetric.
    for (std::size_t k = 0; k < numbers; ++k) energy += wv[k] * next[k];
    const double before = value;
    value = energy;
    v = next;
    if (std::abs(value - before) <= tolerance * value) break;
  }
  if (share) {
    share->assign(parts.size(), 0.0);
    double total = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (std::size_t k = 0; k < parts[p].count; ++k) (*share)[p] += w[parts[p].number + k] * std::pow(v[parts[p].number + k], 2);
      total += (*share)[p];
    }
    if (total > 0)
      for (double& part : *share) part /= total;
  }
  return value;
}

}  // namespace asperity
