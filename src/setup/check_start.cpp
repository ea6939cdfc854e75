// Loads, impacts and unknown energies at the start of a run.
#include <cmath>

#include "check_rules.hpp"
#include "check_words.hpp"
#include "outlook.hpp"

namespace asperity {

using namespace words;

/// Curved contacts are as stiff as they are deep: those that an impact will load, as deep as that goes. From where it starts, a
/// contact closes with v^2 + 2 a gap, and the mass that it feels brings that energy; what presses on it then presses all the way.
void look_at_strikes(Network& network, std::vector<Warning>& list) {
  const std::vector<double> motion = first_accelerations(network);
  std::vector<double> speed, acceleration;
  for (Part& part : network.parts) {
    if (!part.curved || !part.unilateral || part.mass == infinity) continue;
    speed.assign(part.pool->force_numbers(), 0.0);
    acceleration = speed;
    part.pool->relative(network.moving(), part.index, speed.data());
    part.pool->relative(network.seen(motion), part.index, acceleration.data());
    const double gap = part.pool->gap(network.still(), part.index), v = speed[part.first], a = acceleration[part.first];
    const double squared = v * v + 2 * a * std::max(gap, 0.0);
    if (gap > 0 && (squared <= 0 || (v <= 0 && a <= 0))) {
      list.push_back(
          note({part.name(), Warning::Kind::accuracy, gap, 0,
                fmt::format("{}: not checked: it is open, nothing closes it at the start, and it is the stiffer the deeper "
                            "it is hit",
                            part.name())}));
      continue;
    }
    // What the contact has taken up already is in a; only a strike, or a load that it does not carry yet, goes deeper.
    const double depth = part.pool->strike_depth(part.index, part.mass * squared / 2, part.mass * std::max(a, 0.0));
    if (depth <= std::max(-gap, 0.0)) continue;
    const Stiffness struck = part.pool->struck_stiffness(part.index, depth);
    part.K = struck.K;
    part.alpha = struck.alpha;
    part.beta = struck.beta;
    part.depth = depth;
  }
}

/// A law of a user's own that does not say how stiff it is.
void say_what_is_unchecked(const Network& network, std::vector<Warning>& list) {
  for (const ElementPool* pool : network.elements)
    for (std::size_t i = 0; i < pool->count() && pool->stiffness(network.still(), i).empty(); ++i)
      list.push_back(
          note({pool->names[i], Warning::Kind::accuracy, 0, 0,
                fmt::format("{}: not checked: its law, {}, does not say how stiff it is", pool->names[i], pool->about().name)}));
}

/// The normal force under a part of a contact; 1 for friction with a load of its own.
double load_on(const Part& part, const Network& network) {
  return part.under_normal ? part.pool->resting_force(network.still(), part.index) : 1;
}

/// A loaded element at rest that does not carry its load oscillates at F/sqrt(K M) and may slip below its limit.     [reference
/// rules]
void check_preload(Network& network, bool preloaded, std::vector<Warning>& list) {
  const std::vector<double> motion = first_accelerations(network);
  // What rolls on a plate that starts to move is in balance relative to it. A jump is no acceleration.
  std::vector<double> courses = network.given_accelerations(0, 1e-5);
  const std::vector<double> later = network.given_accelerations(0, 2e-5);
  for (std::size_t i = 0; i < courses.size(); ++i)
    if (!(std::abs(courses[i] - later[i]) <= 0.1 * std::abs(courses[i]))) courses[i] = network.still().given[i];
  std::vector<double> speed, acceleration;
  double fastest = 0;  // m/s^2
  for (const BodyPool* pool : network.bodies)
    for (std::size_t c = pool->velocity_column(0); !pool->is_given && c < pool->motion_numbers(); ++c)
      for (std::size_t i = 0; i < pool->count(); ++i) fastest = std::max(fastest, std::abs(motion[pool->motion.at(c, i)]));
  for (const Part& part : network.parts) {
    if (part.pool->about().discrete || part.mass == infinity || part.K <= 0) continue;
    if (part.kind == Stiffness::Kind::spring && !part.unilateral) continue;
    speed.assign(part.pool->force_numbers(), 0.0);
    acceleration = speed;
    part.pool->relative(network.moving(), part.index, speed.data());
    part.pool->relative({motion.data(), courses.data()}, part.index, acceleration.data());
    double v = 0, missing = 0;
    for (std::size_t k = part.first; k < part.first + part.count; ++k)
      v = std::max(v, std::abs(speed[k])), missing = std::hypot(missing, acceleration[k]);
    missing *= part.mass;
    if (v > 0 || !(missing > 1e-7 * part.mass * fastest)) continue;  // rounding
    const std::string swing = speed_text(part, missing / std::sqrt(part.K * part.mass));
    if (part.unilateral) {
      // Near touch only: a ball in the air is meant to fall. What presses too much is found by check_depths.
      const double gap = part.pool->gap(network.still(), part.index);
      const double press = part.mass * acceleration[0] + part.pool->resting_force(network.still(), part.index);
      if (!(acceleration[0] > 0) || !(press > 0) || gap > part.pool->indentation(part.index, press) || missing <= 1e-3 * press)
        continue;
      std::string advice = "preload";
      if (preloaded) advice = "preload has not found its balance: is there one?";
      // A law with memory starts without it, and would push back beta/alpha times too hard.
      else if (part.kind == Stiffness::Kind::spring)
        advice += fmt::format(", or start it {} m deep", plain(part.pool->indentation(part.index, press), 3));
      list.push_back({part.name(), Warning::Kind::preload, missing, 0,
                      fmt::format("{}: starts {} short of the load on it and will oscillate at about {}; {}", part.name(),
                                  force_text(part, missing), swing, advice)});
    } else {
      // A normal force that nothing holds against does not last.
      if (part.under_normal && part.mass * -acceleration[0] > 0.5 * load_on(part, network)) continue;
      const double limit = part.hold * load_on(part, network);
      const double carried = part.pool->friction_force(network.moving(), part.index);
      if (missing <= 1e-3 * limit || carried >= limit * (1 - 1e-6)) continue;
      // Far beyond its limit it slides, and where its asperities started is soon forgotten. Up to half of it the swing of a load
      // that comes at once stays below.
      if (missing > 3 * limit) continue;
      const bool slides = missing >= limit, holds = missing + carried <= 0.5 * limit;
      const std::string what =
          slides  ? fmt::format("more than its limit of {}: it slides at once, and starts by bending its asperities",
                                force_text(part, limit))
          : holds ? fmt::format("that its friction does not carry yet: it will oscillate at about {}, and hold: its limit is {}",
                                swing, force_text(part, limit))
                  : fmt::format(
                        "that its friction does not carry yet: it will oscillate at about {} and may slip although "
                        "its limit is {}",
                        swing, force_text(part, limit));
      if (slides && preloaded) continue;
      list.push_back({part.name(), Warning::Kind::preload, missing, limit,
                      fmt::format("{}: starts with {}{} {}; {}", part.name(), force_text(part, missing), slides ? "," : "", what,
                                  preloaded ? "preload has not found its balance: is there one?" : "preload")});
      list.back().note = slides || holds;
    }
  }
}

}  // namespace asperity
