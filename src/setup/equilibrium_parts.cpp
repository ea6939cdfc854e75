// What takes part in a preload: friction that holds, contacts that rest, joints, springs.
#include <algorithm>
#include <cmath>

#include "equilibrium.hpp"

namespace asperity {
namespace {

using Part = Network::Part;

}  // namespace

double Equilibrium::speed_of_end(const End& end, std::size_t i) const {
  double most = 0;
  if (end.bodies)
    for (std::size_t c = end.bodies->velocity_column(0); c < end.bodies->motion_numbers(); ++c)
      most = std::max(most, std::abs(end.bodies->motions(net_.moving())[end.bodies->motion.at(c, end.index[i])]));
  return most;
}

void Equilibrium::choose() {
  bool any = false;
  for (const Part& part : net_.parts) {
    Role& role = roles_[part.pool];
    role.contact = role.contact || part.unilateral;
    role.holds = role.holds || part.hold > 0;
    any = any || part.hold > 0 || part.joint || (part.unilateral && part.pool->gap(net_.still(), part.index) < infinity);
  }
  if (!any) return;
  courses_ = net_.given_accelerations(0, 1e-5);
  const std::vector<double> later = net_.given_accelerations(0, 2e-5);
  for (std::size_t k = 0; k < courses_.size(); ++k) courses_[k] = 2 * courses_[k] - later[k];
  motion_ = net_.state;
  force_.assign(net_.force_numbers, 0.0);
  act_of_others();
  net_.accelerate(force_, motion_);
  const auto hardest = [&](const End& end, std::size_t i) {
    double most = 0;
    if (end.bodies && !end.bodies->is_given)
      for (std::size_t c = end.bodies->velocity_column(0); c < end.bodies->motion_numbers(); ++c)
        most = std::max(most, std::abs(motion_[end.bodies->motion.at(c, end.index[i])]));
    return most;
  };
  std::vector<double> speed;
  std::size_t contact = 0;
  bool in_touch = true;
  for (std::size_t p = 0; p < net_.parts.size(); ++p) {
    const Part& part = net_.parts[p];
    if (part.mass == infinity) continue;
    Held held;
    held.part_index = p;
    held.net = &net_;
    speed.assign(part.pool->force_numbers(), 0.0);
    part.pool->relative(net_.moving(), part.index, speed.data());
    const double of_ends = std::max(speed_of_end(part.pool->a, part.index), speed_of_end(part.pool->b, part.index));
    if (part.unilateral) {
      const double gap = part.pool->gap(net_.still(), part.index);
      in_touch = false;
      if (!(gap < infinity)) continue;
      held.kind = Held::Kind::contact;
      held.press = part.mass * (hardest(part.pool->a, part.index) + hardest(part.pool->b, part.index));
      if (!(held.press < infinity)) fail_at(part, "the loads on it are no finite numbers");
      const double give = part.pool->indentation(part.index, held.press);
      held.K = give > 0 ? held.press / give : gap < 0 ? part.pool->carried(part.index, -gap) / -gap : part.K;
      held.wanted = gap <= 2 * give;
      // Faster than a hundredth of what would bring it as deep as its load, it is about to strike or to let go.
      const double rate = std::abs(speed[0]);
      if (rate > 1e-9 * of_ends && rate * rate * part.mass > 1e-4 * held.press * give) {
        if (held.wanted) strikes_.push_back(p);
        continue;
      }
      in_touch = true;
      contact = held_.size();
    } else if (part.joint) {
      held.kind = Held::Kind::joint;
      held.K = part.K;
    } else if (part.under_normal ? in_touch : part.hold > 0) {
      held.kind = Held::Kind::friction;
      held.normal = contact;
      double length = 0;
      for (std::size_t k = 0; k < part.count; ++k) length = std::hypot(length, speed[part.first + k]);
      held.slides = length > 1e-9 * of_ends;
      for (std::size_t k = 0; held.slides && k < part.count; ++k) held.way[k] = speed[part.first + k] / length;
      for (const Stiffness& now : part.pool->stiffness(net_.moving(), part.index))
        if (now.part == part.part) held.sliding = now.sliding, held.drag = now.drag;
      if (!held.slides && !(part.hold > 0)) continue;
    } else if (part.kind == Stiffness::Kind::spring && !part.under_normal && part.K > 0) {
      held.kind = Held::Kind::spring;
      held.K = part.K;
    } else {
      continue;
    }
    held_.push_back(held);
  }
  if (std::all_of(held_.begin(), held_.end(), [](const Held& held) { return held.kind == Held::Kind::spring; })) held_.clear();
}

void Equilibrium::act_of_others() {
  std::fill(force_.begin(), force_.end(), 0.0);
  net_.add_pushes(0, force_);
  unloaded_.assign(net_.still().state, net_.still().state + net_.state.size());
  unused_.resize(net_.state.size());
  for (const ElementPool* pool : net_.elements) {
    if (pool->count() == 0 || pool->about().discrete) continue;
    const auto role = roles_.find(pool);
    if (role != roles_.end() && role->second.contact) continue;
    if (role == roles_.end() || !role->second.holds) {
      pool->react(net_.moving(), 0, force_.data(), unused_.data());
      continue;
    }
    pool->write_start(unloaded_.data());
    pool->react({unloaded_.data(), net_.still().given}, 0, force_.data(), unused_.data());
  }
}

}  // namespace asperity
