#include "probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/bodies/rigid.hpp"
#include "asperity/system/columns.hpp"

namespace asperity {
namespace {

template <class F>
void each_end(const ElementPool& pool, std::size_t i, F&& f) {
  for (const End* end : {&pool.a, &pool.b})
    if (end->bodies && !end->bodies->is_given) f(*end->bodies, end->index[i]);
}

bool is_in_space(const End& end) { return end.bodies && !end.bodies->is_given && asperity::is_in_space(*end.bodies); }

}  // namespace

bool is_in_space(const BodyPool& pool) {
  if (pool.in_one_piece() || pool.force_numbers() < 3) return false;
  const auto quantities = pool.quantities();
  return std::all_of(quantities.begin(), quantities.begin() + 3, [](const Quantity& one) { return one.unit == "m"; });
}

std::vector<double> Probe::push(const ElementPool& pool, std::size_t i, const End& end, std::size_t k) {
  numbers_.assign(pool.force_numbers(), 0.0);
  numbers_[k] = 1;
  each_end(pool, i, [&](const BodyPool& bodies, std::size_t body) {
    for (std::size_t c = 0; c < bodies.force_numbers(); ++c) force_[bodies.force.at(c, body)] = 0;
  });
  pool.push(now_, i, numbers_.data(), force_.data());
  std::vector<double> on(end.bodies->force_numbers());
  for (std::size_t c = 0; c < on.size(); ++c) on[c] = force_[end.bodies->force.at(c, end.index[i])];
  return on;
}

void Probe::put_back(const ElementPool& pool, std::size_t i) {
  each_end(pool, i, [&](const BodyPool& bodies, std::size_t body) {
    for (std::size_t c = 0; c < bodies.motion_numbers(); ++c) x_[bodies.motion.at(c, body)] = now_.state[bodies.motion.at(c, body)];
  });
}

/// Of a rigid body: what a turn about a direction across the normal does to the slip.
double Probe::arm(const ElementPool& pool, std::size_t i, const End& end) {
  if (!is_in_space(end) || end.bodies->motion_numbers() != parts<Frame<double>>() || end.bodies->force_numbers() != 6) return 0;
  const std::vector<double> n = push(pool, i, end, 0);
  const auto least = std::size_t(
      std::min_element(n.begin(), n.begin() + 3, [](double p, double q) { return std::abs(p) < std::abs(q); }) - n.begin());
  // e - n (n . e), e the axis that is farthest from n
  std::array<double, 3> across{};
  for (std::size_t c = 0; c < 3; ++c) across[c] = (c == least ? 1.0 : 0.0) - n[c] * n[least];
  const double length = std::hypot(across[0], across[1], across[2]);
  if (!(length > 0)) return 0;
  std::vector<double> before(pool.force_numbers()), after(pool.force_numbers());
  pool.relative(instant(), i, before.data());
  for (std::size_t c = 0; c < 3; ++c) motion(end, i, end.bodies->velocity_column(3 + c)) += across[c] / length;
  pool.relative(instant(), i, after.data());
  put_back(pool, i);
  double square = 0;
  for (std::size_t k = 1; k < after.size(); ++k) square += (after[k] - before[k]) * (after[k] - before[k]);
  return std::sqrt(square);
}

double Probe::thickness(const ElementPool& pool, std::size_t i) {
  if (!is_in_space(pool.a) || !is_in_space(pool.b)) {
    // Shapes touch halfway in their overlap.
    const double inside = pool.hands_over() ? std::max(0.0, -pool.gap(instant(), i)) / 2 : 0;
    return std::max(arm(pool, i, pool.a), arm(pool, i, pool.b)) + inside;
  }
  // The centres of two bodies are as far apart as their arms and the gap say.
  const std::vector<double> n = push(pool, i, pool.a, 0);
  double apart = 0;
  for (std::size_t c = 0; c < 3; ++c) apart += n[c] * (motion(pool.a, i, c) - motion(pool.b, i, c));
  return std::max(0.0, std::abs(apart) - pool.gap(instant(), i));
}

}  // namespace asperity
