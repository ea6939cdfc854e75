#include "asperity/system/rigid_limit.hpp"

#include <map>
#include <numeric>

namespace asperity {
namespace {

/// Bodies that move, by number; an arm is one. Those that elements connect have one representative.
class Connected {
 public:
  explicit Connected(const Network& network) {
    std::size_t count = 0;
    for (const BodyPool* pool : network.bodies) {
      if (pool->is_given) continue;
      first_[pool] = count;
      count += pool->in_one_piece() ? 1 : pool->count();
    }
    above_.resize(count);
    std::iota(above_.begin(), above_.end(), std::size_t(0));
    for (const ElementPool* pool : network.elements)
      for (std::size_t i = 0; i < pool->count() && moves(pool->a) && moves(pool->b); ++i)
        above_[top(pool->a.bodies, pool->a.index[i])] = top(pool->b.bodies, pool->b.index[i]);
  }

  static bool moves(const End& end) { return end.bodies && !end.bodies->is_given; }
  std::size_t size() const { return above_.size(); }
  std::size_t top(const BodyPool* pool, std::size_t i) {
    std::size_t body = first_.at(pool) + (pool->in_one_piece() ? 0 : i);
    while (above_[body] != body) body = above_[body] = above_[above_[body]];
    return body;
  }

 private:
  std::map<const BodyPool*, std::size_t> first_;
  std::vector<std::size_t> above_;
};

/// The force of gravity on body i: the mass that each coordinate feels times its acceleration.
double weight(const Network& network, const BodyPool& pool, std::size_t i, std::vector<double>& force, std::vector<double>& xdot) {
  double square = 0;
  for (std::size_t c = 0; c < pool.force_numbers(); ++c) {
    const std::size_t entry = pool.motion.at(pool.velocity_column(c), i);
    pool.rate_of(i, network.still().state, force.data(), xdot.data());
    const double idle = xdot[entry];
    force[pool.force.at(c, i)] = 1;
    pool.rate_of(i, network.still().state, force.data(), xdot.data());
    force[pool.force.at(c, i)] = 0;
    square += std::pow(idle / (xdot[entry] - idle), 2);
  }
  return std::sqrt(square);
}

double largest(const std::function<double(double)>& push, double duration) {
  constexpr int samples = 1000;
  double most = 0;
  for (int s = 0; s <= samples; ++s) most = std::max(most, std::abs(push(duration * s / samples)));
  return most;
}

}  // namespace

std::vector<double> largest_loads(const Network& network, double duration) {
  Connected connected(network);
  std::vector<double> pressed(connected.size()), force(network.force_numbers), xdot(network.state.size());
  for (const BodyPool* pool : network.bodies)
    for (std::size_t i = 0; i < pool->count() && !pool->is_given; ++i)
      pressed[connected.top(pool, i)] +=
          pool->in_one_piece() ? std::numeric_limits<double>::quiet_NaN() : weight(network, *pool, i, force, xdot);
  for (const Network::Push& push : network.pushes)
    if (push.coordinate < 3) pressed[connected.top(push.body.pool, push.body.index)] += largest(push.force, duration);

  std::vector<double> loads;
  for (const Network::Part& part : network.parts) {
    const End& end = Connected::moves(part.pool->a) ? part.pool->a : part.pool->b;
    const double load = Connected::moves(end) ? pressed[connected.top(end.bodies, end.index[part.index])] : 0;
    if (part.unilateral) loads.push_back(load);
    else if (part.under_normal) loads.push_back(part.hold > 0 ? part.hold * load : load);
    else loads.push_back(part.hold);
  }
  return loads;
}

}  // namespace asperity
