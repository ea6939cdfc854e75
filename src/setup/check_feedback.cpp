// Forces that depend on the motion: stiffness and damping that no element has.
#include <cmath>
#include <map>

#include "asperity/rules/stability.hpp"
#include "check_rules.hpp"
#include "check_words.hpp"

namespace asperity {

using namespace words;

namespace {

/// What pulls a coordinate of a body back to where it is, as a spring and a damper do.
struct Restoring {
  double K = 0, B = 0;
};

/// The slopes of a feedback by the motion of the coordinate that it pushes, at an instant.
Restoring restoring(const Feedback& feedback, const Instant& now) {
  const BodyPool& pool = *feedback.body.pool;
  const std::size_t velocity = pool.velocity_column(feedback.coordinate), velocities = pool.velocity_column(0);
  const std::size_t turns_from = pool.motion_numbers() == parts<Frame<double>>() ? 3 : velocities;  // rotations are no angles
  std::vector<Dual8> seen;
  for (const Sensed& one : feedback.of) {
    const double number = one.body.pool->motions(now)[one.body.pool->motion.at(one.column, one.body.index)];
    const bool own = one.body.pool == &pool && one.body.index == feedback.body.index;
    if (own && one.column == velocity) seen.push_back(Dual8::variable(number, 1));
    else if (own && one.column == feedback.coordinate && one.column < turns_from) seen.push_back(Dual8::variable(number, 0));
    else seen.emplace_back(number);
  }
  const Dual8 force = feedback(0, std::span<const Dual8>(seen));
  return {-force.v[0], -force.v[1]};
}

}  // namespace

void check_feedback(Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  std::map<std::pair<const BodyPool*, std::size_t>, Restoring> all;  // by body and number of its force
  for (const Feedback* feedback : network.feedbacks) {
    const std::string& name = feedback->body.pool->names[feedback->body.index];
    if (!feedback->jumps.empty())
      list.push_back({name, Warning::Kind::input, 0, 0,
                      fmt::format("{}: its push jumps with the motion, in {}, and no method looks for where: the result depends on "
                                  "the step; use a friction law, or a slope such as sat(1, x/width)",
                                  name, feedback->jumps)});
    if (!feedback->slopes) continue;
    const auto [K, B] = restoring(*feedback, network.moving());
    Restoring& sum = all[{feedback->body.pool, feedback->body.pool->force.at(feedback->coordinate, feedback->body.index)}];
    sum.K += K, sum.B += B;
  }
  const auto method = design::fixed_step(options.method);
  if (!method) return;
  for (const Feedback* feedback : network.feedbacks) {
    const BodyPool& pool = *feedback->body.pool;
    const std::size_t number = pool.force.at(feedback->coordinate, feedback->body.index);
    const auto found = all.find({&pool, number});
    if (found == all.end()) continue;
    const Stiffness stiff{
        .kind = Stiffness::Kind::spring, .K = std::max(0.0, found->second.K), .B = std::max(0.0, found->second.B)};
    all.erase(found);
    if (!(stiff.K + stiff.B > 0)) continue;
    std::vector<double> force(network.force_numbers), motion = network.state;
    force[number] = 1;
    network.accelerate(force, motion);
    network.subtract_idle(motion);
    const double mass = 1 / motion[pool.motion.at(pool.velocity_column(feedback->coordinate), feedback->body.index)];
    const double longest = design::largest_step(stiff, mass, *method);
    if (!(mass > 0) || options.step <= longest) continue;
    const bool turns = pool.turns || feedback->coordinate >= 3;
    list.push_back(
        {pool.names[feedback->body.index], Warning::Kind::stability, options.step, longest,
         fmt::format("{}: step {} is too long for its feedback, which is as stiff as {} {} and damps with {} {}, on {} {}; {}",
                     pool.names[feedback->body.index], time_text(options.step, false), plain(stiff.K, 3), turns ? "N m/rad" : "N/m",
                     plain(stiff.B, 3), turns ? "N m s/rad" : "N s/m", plain(mass, 3), turns ? "kg m^2" : "kg",
                     use_step(longest))});
  }
}

}  // namespace asperity
