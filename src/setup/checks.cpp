#include "asperity/setup/checks.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "asperity/integrate/integrator.hpp"
#include "asperity/rules/friction.hpp"
#include "asperity/rules/stability.hpp"
#include "check_words.hpp"
#include "connected.hpp"
#include "outlook.hpp"

namespace asperity {
namespace {

using namespace words;

/// Remembers answers: a hundred thousand equal contacts ask once.
class Limits {
 public:
  explicit Limits(Method method) : method_(method) {}
  double smallest_mass(const Stiffness& part, double step) {
    const auto [found, is_new] = known_.try_emplace({double(int(part.kind)), part.K, part.B, part.alpha, part.beta, step}, 0.0);
    if (is_new) found->second = design::smallest_mass(part, step, method_);
    return found->second;
  }
  bool good(const Part& part, double step) { return step <= reach() * part.memory && smallest_mass(part, step) <= part.mass; }
  double reach() const { return design::reach(method_); }
  Method method() const { return method_; }

 private:
  Method method_;
  std::map<std::array<double, 6>, double> known_;
};

// --- the rules
// --------------------------------------------------------------------------------------------------------------------

/// What sliding, or the memory of a contact, asks of the step.                                                   [reference rules]
void check_memory(const Part& part, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  const bool solid = part.kind == Stiffness::Kind::solid;
  const double memory = solid ? part.alpha : part.memory;
  const std::string& name = part.memory_name;
  if (memory <= 0 || options.step <= limits.reach() * memory) return;
  const double value = memory / options.step, limit = 1 / limits.reach();
  list.push_back(
      {part.name(), Warning::Kind::stability, value, limit,
       fmt::format(
           "{}: step {} is too long for {} = {}: {}/step {}; {} or {} >= {}", part.name(), time_text(options.step, false), name,
           time_text(memory, false), name, compared(value, "<", limit),
           use_step(longest_step(options.step, 60, [&](double T) { return T <= limits.reach() * memory && limits.good(part, T); })),
           name, time_text(rounded_up(options.step * limit), true))});
}

void check_stiffness(const Part& part, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  const double needed = limits.smallest_mass(part, options.step);
  if (needed <= part.mass) return;
  const double kappa_unit = options.step * options.step / part.mass;
  const bool solid = part.kind == Stiffness::Kind::solid;
  if (needed == infinity) {
    // Of a solid the memory has already been named; what is left is a spring that Euler's method makes swing up.
    if (solid || part.K <= 0 || part.pool->about().kind == Kind::spring) return;  // of springs check_swings tells how fast
    const double b = part.B / (part.K * options.step);
    list.push_back({part.name(), Warning::Kind::stability, b, 1,
                    fmt::format("{}: {} lets a spring of K = {} on {} swing up: damping/(K step) {}; use rk4 or damping >= {}",
                                part.name(), options.method, stiffness_text(part, part.K), mass_text(part), compared(b, "<", 1),
                                plain(rounded_up(part.K * options.step), 2) + (part.turns ? " N m s/rad" : " N s/m"))});
    return;
  }
  const std::string advice = use_step(longest_step(options.step, 60, [&](double T) { return limits.good(part, T); }));
  std::string text;
  double value = 0, limit = 0;
  if (part.K > 0) {
    // At an impact a solid is K beta/alpha; the number that the rule is about.
    const bool remembers = solid && part.alpha > 0;  // without a memory the step takes its place
    const double K = remembers ? part.K * part.beta / part.alpha : part.K;
    value = K * kappa_unit;
    limit = value * part.mass / needed;
    text = fmt::format("{}: step {} is too long for K = {}{} on {}: {} {}; {}", part.name(), time_text(options.step, false),
                       stiffness_text(part, part.K), where_text(part), mass_text(part), remembers ? "kappa beta/alpha" : "kappa",
                       compared(value, ">", limit), advice);
    // How deep a curved contact goes depends on its stiffness, too: no advice on that.
    if (!part.curved)
      if (const double K_good = design::largest_stiffness(part, part.mass, options.step, limits.method()); K_good > 0)
        text += " or K <= " + stiffness_text(part, rounded_down(K_good), 2);
  } else {
    value = part.B * options.step / part.mass;
    limit = value * part.mass / needed;
    text = fmt::format("{}: step {} is too long for a damping of {} {} at rest on {}: {}; {}", part.name(),
                       time_text(options.step, false), plain(part.B, 3), part.turns ? "N m s/rad" : "N s/m", mass_text(part),
                       compared(value, ">", limit), advice);
  }
  list.push_back({part.name(), Warning::Kind::stability, value, limit, text});
}

/// The restitution of a contact that nothing strikes yet is right within .004 only if an impact takes many steps. [reference rules]
void check_accuracy(const Part& part, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  if (part.kind != Stiffness::Kind::solid || part.alpha <= 0 || part.mass == infinity || !limits.good(part, options.step)) return;
  const double pace = std::sqrt(part.K * part.beta / (part.alpha * part.mass));
  const double value = pace * options.step, limit = part.curved ? std::sqrt(0.5) : 0.3;
  if (value <= limit) return;
  list.push_back(
      note({part.name(), Warning::Kind::accuracy, value, limit,
            fmt::format("{}: at an impact its restitution may be wrong by more than 0.004: step sqrt(K beta/(alpha M)){} {}; {}",
                        part.name(), where_text(part), compared(value, ">", limit), use_step(limit / pace))}));
}

/// A bristle that slides forgets in F/(K |v|).                                                                    [reference rules]
void check_speed(const Part& part, double load, double speed, const CheckOptions& options, Limits& limits,
                 std::vector<Warning>& list) {
  if (part.kind != Stiffness::Kind::bristle || limits.reach() == infinity || !(load > 0)) return;
  const double limit = limits.reach() * part.slide * load / (part.K * options.step);
  list.push_back(
      {part.name(), Warning::Kind::speed, speed, limit,
       fmt::format(
           "{}: step {} is good for sliding up to {}{}", part.name(), time_text(options.step, false), speed_text(part, limit),
           speed > limit ? fmt::format(", and it starts at {}; {}", speed_text(part, speed), use_step(options.step * limit / speed))
                         : std::string())});
  list.back().note = speed <= limit;
}

/// All elements together: what each needs, weighed by how they share the bodies. With M_i the smallest mass of part i, the step
/// is stable if the largest eigenvalue of J M^-1 J^T diag(M_i) is at most 1; for overdamped asperities this is exact.
void check_coupled(Network& network, const CheckOptions& options, Limits& limits, std::vector<Warning>& list) {
  const auto weights = [&](double step) {
    std::vector<double> needed(network.parts.size());
    for (std::size_t p = 0; p < needed.size(); ++p) {
      needed[p] = network.parts[p].mass < infinity ? limits.smallest_mass(network.parts[p], step) : 0;
      if (needed[p] == infinity) needed[p] = 0;
      needed[p] *= network.parts[p].apart;
    }
    return needed;
  };
  std::vector<double> share;
  const double tolerance = network.numbers > 1000 ? 1e-4 : 1e-9;
  const double value = network.largest(weights(options.step), &share, tolerance);
  if (value <= 1 + 1e-6) return;
  const std::size_t most = std::size_t(std::max_element(share.begin(), share.end()) - share.begin());
  const double longest = longest_step(options.step, network.numbers > 1000 ? 8 : 40,
                                      [&](double T) { return network.largest(weights(T), nullptr, tolerance) <= 1; });
  list.push_back({network.parts[most].name(), Warning::Kind::stability, value, 1,
                  fmt::format("{}: step {} is too long for it and the elements coupled to it: together they need {:.2f} times the "
                              "mass they move; {}",
                              network.parts[most].name(), time_text(options.step, false), value, use_step(longest))});
}

// --- at the start
// -----------------------------------------------------------------------------------------------------------------

/// Curved contacts are as stiff as they are deep: those that will be struck, as deep as that goes. From where it starts, a contact
/// closes with v^2 + 2 a gap, and the mass that it feels brings that energy; what presses on it then presses all the way.
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

/// A loaded element at rest that does not carry its load swings at F/sqrt(K M) and may slip below its limit.     [reference rules]
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
    if (v > 0 || !(missing > 1e-9 * part.mass * fastest)) continue;  // rounding
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
                      fmt::format("{}: starts {} short of the load on it and will swing at about {}; {}", part.name(),
                                  force_text(part, missing), swing, advice)});
    } else {
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
          : holds ? fmt::format("that its friction does not carry yet: it will swing at about {}, and hold: its limit is {}", swing,
                                force_text(part, limit))
                  : fmt::format(
                        "that its friction does not carry yet: it will swing at about {} and may slip although "
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

// --- holding
// ----------------------------------------------------------------------------------------------------------------------

struct Oscillation {
  double mean = 0, amplitude = 0, frequency = 0;  // rad/s
};

/// A steady oscillation of samples dt apart: at least three periods of equal length and height.
std::optional<Oscillation> steady(std::span<const double> f, double dt) {
  const auto [low, high] = std::minmax_element(f.begin(), f.end());
  const double mean = (*low + *high) / 2, amplitude = (*high - *low) / 2;
  if (!(amplitude > 1e-6 * (std::abs(mean) + amplitude))) return std::nullopt;
  std::vector<double> rises, tops;
  double top = -infinity;
  for (std::size_t i = 1; i < f.size(); ++i) {
    top = std::max(top, f[i]);
    if (f[i - 1] < mean && f[i] >= mean) {
      if (!rises.empty()) tops.push_back(top);
      rises.push_back((double(i) - (f[i] - mean) / (f[i] - f[i - 1])) * dt);
      top = -infinity;
    }
  }
  if (rises.size() < 4) return std::nullopt;
  const double period = (rises.back() - rises.front()) / double(rises.size() - 1);
  for (std::size_t i = 0; i + 1 < rises.size(); ++i) {
    if (std::abs(rises[i + 1] - rises[i] - period) > 0.1 * period) return std::nullopt;
    if (std::abs(tops[i] - mean - amplitude) > 0.1 * amplitude) return std::nullopt;
  }
  // What is left of a mean of zero by sampling is none.
  return Oscillation{std::abs(mean) > 1e-6 * amplitude ? mean : 0, amplitude, 2 * std::numbers::pi / period};
}

/// Below resonance a load f_m + A sin(w t) is held from a stiffness on: design/friction.hpp.
std::optional<Warning> not_held(const Part& part, double limit, const Oscillation& load) {
  const double mean = std::abs(load.mean), room = limit - mean;
  if (room <= 0) return std::nullopt;                       // meant to slide
  if (load.amplitude <= 1e-9 * limit) return std::nullopt;  // rounding of a course
  const double w = load.frequency, resonance = std::sqrt(part.K / part.mass);
  // Where the damping is a time, it stays with another stiffness.
  const double beta = part.kind == Stiffness::Kind::asperity && part.memory < infinity ? part.B / part.K : 0;
  const double needed = design::least_holding_stiffness(limit, part.mass, beta, {load.amplitude, w, load.mean});
  if (part.K >= needed) return std::nullopt;
  std::string why;
  if (load.amplitude > 1.001 * room) why = "the load itself passes the limit, it slips in every cycle";
  else if (const double least = std::numbers::sqrt2 * resonance; w >= 0.999 * least)
    why = plain(w, 4) != plain(least, 4) && w > least
              ? fmt::format("it holds only because {} rad/s is above sqrt(2) sqrt(K/M) = {} rad/s", plain(w, 4), plain(least, 4))
              : fmt::format("it holds only just: {} rad/s is the least at which it does, sqrt(2) sqrt(K/M)", plain(w, 4));
  else if (needed < 100 * part.K)
    why = fmt::format("K = {} is too soft; use K >= {}", stiffness_text(part, part.K), stiffness_text(part, rounded_up(needed), 2));
  else why = "no stiffness is enough; lower the load or raise the limit";
  Warning warning{part.name(), Warning::Kind::holding, part.K, needed,
                  fmt::format("{}: holding is not assured under {} +- {} at {} rad/s with a limit of {}: {}", part.name(),
                              force_text(part, mean), force_text(part, load.amplitude), plain(w, 4), force_text(part, limit), why)};
  warning.note = load.amplitude > 1.001 * room;  // perhaps it is meant to
  return warning;
}

/// Laws that slide a little with each cycle of a load that they should hold: (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)], that is by the
/// mean of a load on one side; a law of its kind, no fault of the step.                                                [reference
/// 9]
std::optional<Warning> drifts(const Part& part, double limit, const Oscillation& load, double duration) {
  const double mean = std::abs(load.mean), low = mean - load.amplitude, high = mean + load.amplitude;
  if (!part.keeps && mean > 0 && high < limit)
    return note({part.name(), Warning::Kind::holding, mean, 0,
                 fmt::format("{}: {} creeps under {}, below its limit of {}; laws without the exception `creeps` hold", part.name(),
                             part.pool->about().name, force_text(part, mean), force_text(part, limit))});
  if (!part.yields) return std::nullopt;
  if (!(mean > 0) || high >= limit || !(limit > 0)) return std::nullopt;
  const double cycle = limit / part.K * std::log((limit * limit - low * low) / (limit * limit - high * high));
  const double way = cycle * load.frequency * duration / (2 * std::numbers::pi);
  if (!(way > 0.1 * limit / part.K)) return std::nullopt;
  return note({part.name(), Warning::Kind::holding, way, 0,
               fmt::format("{}: {} drifts under {} +- {} at {} rad/s, below its limit of {}: about {} {} in {}; laws without "
                           "the exception `drifts` hold",
                           part.name(), part.pool->about().name, force_text(part, mean), force_text(part, load.amplitude),
                           plain(load.frequency, 4), force_text(part, limit), plain(way, 2), part.turns ? "rad" : "m",
                           time_text(duration, false))});
}

bool touches(const End& end, std::size_t i, BodyId body) {
  return end.bodies == body.pool && (end.index[i] == body.index || end.bodies->in_one_piece());
}

/// Joints of one arm that hold together: what each carries follows from the accelerations of all that they would have alone,
/// (J M^-1 J^T)^-1.
struct Together {
  std::vector<std::size_t> rows;  // of the loads
  std::vector<double> inverse;
};
std::vector<Together> held_together(Network& network, const std::vector<const Part*>& parts) {
  std::map<const BodyPool*, std::pair<std::vector<const Part*>, Together>> arms;
  std::size_t row = 0;
  for (const Part* part : parts) {
    const auto arm = [](const End& end) { return end.bodies && end.bodies->in_one_piece(); };
    if (part->count == 1 && arm(part->pool->a) != arm(part->pool->b)) {
      auto& [joints, together] = arms[(arm(part->pool->a) ? part->pool->a : part->pool->b).bodies];
      joints.push_back(part);
      together.rows.push_back(row);
    }
    row += part->count;
  }
  std::vector<Together> list;
  for (auto& arm : arms) {
    const std::vector<const Part*>& joints = arm.second.first;
    Together& together = arm.second.second;
    const std::size_t n = joints.size();
    if (n < 2) continue;
    std::vector<double> matrix(n * n), unit(network.numbers), seen(network.numbers);
    const auto number = [&](std::size_t j) { return joints[j]->number + joints[j]->first; };
    for (std::size_t j = 0; j < n; ++j) {
      std::fill(unit.begin(), unit.end(), 0.0);
      unit[number(j)] = 1;
      network.apply(unit, seen);
      for (std::size_t i = 0; i < n; ++i) matrix[i * n + j] = seen[number(i)];
    }
    // Symmetric and positive: without pivots.
    together.inverse.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) together.inverse[i * n + i] = 1;
    bool regular = true;
    for (std::size_t k = 0; k < n && regular; ++k) {
      const double pivot = matrix[k * n + k];
      regular = std::abs(pivot) > 0 && std::isfinite(pivot);
      for (std::size_t j = 0; j < n && regular; ++j) matrix[k * n + j] /= pivot, together.inverse[k * n + j] /= pivot;
      for (std::size_t i = 0; i < n && regular; ++i) {
        if (i == k) continue;
        const double factor = matrix[i * n + k];
        for (std::size_t j = 0; j < n; ++j)
          matrix[i * n + j] -= factor * matrix[k * n + j], together.inverse[i * n + j] -= factor * together.inverse[k * n + j];
      }
    }
    if (regular) list.push_back(std::move(together));
  }
  return list;
}

void check_holding(Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  std::vector<const Part*> pushed;
  for (const Part& part : network.parts) {
    if (!(part.hold > 0) || part.mass == infinity || part.kind == Stiffness::Kind::spring) continue;
    const auto given = [](const End& end) { return end.bodies && end.bodies->is_given; };
    bool moved = given(part.pool->a) || given(part.pool->b);  // shaken: what it feels is its inertia
    for (const Network::Push& push : network.pushes)
      moved = moved || touches(part.pool->a, part.index, push.body) || touches(part.pool->b, part.index, push.body);
    if (moved) pushed.push_back(&part);
  }
  if (pushed.empty()) return;
  const double budget = 2e7 / double(pushed.size());
  const auto samples = std::size_t(std::clamp(options.duration / options.step, 64.0, std::clamp(budget, 64.0, 131072.0)));
  const double dt = options.duration / double(samples);

  std::vector<std::vector<double>> loads;
  for (const Part* part : pushed) loads.insert(loads.end(), part->count, std::vector<double>(samples));
  std::vector<double> normal(pushed.size()), force(network.force_numbers), motion = network.state, seen,
                                                                           accelerations(loads.size());
  const std::vector<Together> together = held_together(network, pushed);
  for (std::size_t s = 0; s < samples; ++s) {
    std::fill(force.begin(), force.end(), 0.0);
    network.add_pushes((double(s) + .5) * dt, force);
    const std::vector<double> given = network.given_accelerations(double(s) * dt, double(s + 1) * dt);
    std::size_t row = 0;
    for (std::size_t p = 0; p < pushed.size(); ++p) {
      const Part& part = *pushed[p];
      network.accelerate_ends(*part.pool, part.index, force, motion);
      seen.resize(part.pool->force_numbers());
      part.pool->relative({motion.data(), given.data()}, part.index, seen.data());
      for (std::size_t k = 0; k < part.count; ++k, ++row) {
        accelerations[row] = seen[part.first + k];
        loads[row][s] = part.mass * accelerations[row];
      }
      // What presses a contact without anything that holds it yet, as the run starts.
      if (s == 0 && part.under_normal) {
        part.pool->relative(network.seen(motion), part.index, seen.data());
        normal[p] = std::max(0.0, seen[0]);
      }
    }
    for (const Together& joints : together)
      for (std::size_t i = 0; i < joints.rows.size(); ++i) {
        double& load = loads[joints.rows[i]][s] = 0;
        for (std::size_t j = 0; j < joints.rows.size(); ++j)
          load += joints.inverse[i * joints.rows.size() + j] * accelerations[joints.rows[j]];
      }
  }
  std::size_t row = 0;
  for (std::size_t p = 0; p < pushed.size(); ++p) {
    const Part& part = *pushed[p];
    double load = load_on(part, network);
    if (part.under_normal && !(load > 0))
      for (const Part& other : network.parts)
        if (other.pool == part.pool && other.index == part.index && other.unilateral) load = other.mass * normal[p];
    std::optional<Warning> worst;
    for (std::size_t k = 0; k < part.count; ++k, ++row)
      for (std::size_t pieces = 1; pieces <= 8; pieces *= 2)
        for (std::size_t piece = 0; piece < pieces; ++piece) {
          const std::size_t from = piece * samples / pieces, to = (piece + 1) * samples / pieces;
          const auto load_now = steady(std::span(loads[row]).subspan(from, to - from), dt);
          if (!load_now) continue;
          auto found = not_held(part, part.hold * load, *load_now);
          if (!found) found = drifts(part, part.hold * load, *load_now, options.duration / double(pieces));
          if (found && (!worst || (worst->note && !found->note) || (worst->note == found->note && found->limit > worst->limit)))
            worst = std::move(found);
        }
    if (worst) list.push_back(*worst);
  }
}

// --- methods
// ----------------------------------------------------------------------------------------------------------------------

template <int D>
void check_friction_mass(const BodyPool& pool, const CheckOptions& options, std::vector<Warning>& list) {
  const auto* masses = dynamic_cast<const Bodies<FrictionMass<double, D>>*>(&pool);
  if (!masses) return;
  const AboutMethod* about = find_method(options.method);
  const bool runs = about && (about->tableau == Method::euler || about->tableau == Method::step);
  for (std::size_t i = 0; i < masses->items.size(); ++i) {
    const double T = masses->items[i].T;
    if (!runs)
      list.push_back({pool.names[i], Warning::Kind::method, 0, 0,
                      fmt::format("{}: friction_mass lives in sampled time and cannot run with {}; use euler or step at step = {}",
                                  pool.names[i], options.method, time_text(T, false))});
    else if (std::abs(options.step - T) > 1e-9 * T)
      list.push_back({pool.names[i], Warning::Kind::method, options.step, T,
                      fmt::format("{}: step {} is not its sampling time {}; make them equal", pool.names[i],
                                  time_text(options.step, false), time_text(T, false))});
  }
}

void check_methods(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  const AboutMethod* about = find_method(options.method);
  const bool looks_ahead = about && about->look_ahead > 0;
  for (const ElementPool* pool : network.elements)
    if (pool->about().discrete && !looks_ahead)
      for (const std::string& name : pool->names)
        list.push_back({.component = name,
                        .kind = Warning::Kind::method,
                        .text = fmt::format("{}: {} lives in sampled time and cannot run with {}; use step", name,
                                            pool->about().name, options.method),
                        .prevents = true});
  for (const BodyPool* pool : network.bodies) {
    check_friction_mass<1>(*pool, options, list);
    check_friction_mass<2>(*pool, options, list);
    check_friction_mass<3>(*pool, options, list);
  }
}

/// What an implicit step makes of an impact that it does not subdivide. Longer than half a swing, pi sqrt(M/K), it absorbs it;
/// longer than a small share of the swing it damps it: with x = omega h implicit Euler turns a swing by atan x in a step and
/// divides its speed by sqrt(1 + x^2), so that half a swing leaves (1 + x^2)^(-pi/(2 atan x)). A struck solid swings with K
/// beta/alpha. implicit2 is implicit on all bodies that are connected to an element whose force jumps.
constexpr double resolved_strike = 0.05;  // omega h: 8 % of the speed
void check_strikes(Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  Connected connected(network);
  const auto body = [&](const ElementPool& pool, std::size_t i) {
    const End& end = Connected::moves(pool.a) ? pool.a : pool.b;
    return Connected::moves(end) ? connected.top(end.bodies, end.index[i]) : connected.size();
  };
  std::map<std::size_t, std::string> jumping;  // the first element that does, of each part of the world
  for (const ElementPool* pool : network.elements)
    for (std::size_t i = 0; i < pool->count() && has(pool->about().quirks, Quirk::jumps); ++i)
      jumping.try_emplace(body(*pool, i), pool->names[i]);
  const AboutMethod* about = find_method(options.method);
  const bool second = about && about->implicit && about->order == 2;
  if (second && options.subdivide && jumping.empty()) return;
  look_at_strikes(network, list);
  for (const Part& part : network.parts) {
    if (!part.unilateral || part.mass == infinity || !(part.K > 0)) continue;
    const auto jumps = jumping.find(body(*part.pool, part.index));
    const bool one_stage = !second || jumps != jumping.end();
    if (!one_stage && options.subdivide) continue;
    const std::string why = jumps == jumping.end() ? "" : fmt::format(" (implicit2 is no better where {} jumps)", jumps->second);
    const double contact = std::numbers::pi * std::sqrt(part.mass / part.K);
    const bool solid = part.kind == Stiffness::Kind::solid && part.alpha > 0;
    const double pace = std::sqrt((solid ? part.K * part.beta / part.alpha : part.K) / part.mass), value = pace * options.step;
    if (contact < options.step)
      list.push_back({part.name(), Warning::Kind::accuracy, options.step, contact,
                      fmt::format("{}: an impact lasts {}, less than the step of {}: it does not bounce; {}", part.name(),
                                  time_text(contact, true), time_text(options.step, false),
                                  why.empty() ? "implicit2 with subdivision does" : use_step(resolved_strike / pace) + why)});
    else if (one_stage && value > resolved_strike)
      list.push_back(
          {part.name(), Warning::Kind::accuracy, value, resolved_strike,
           fmt::format("{}: the method damps bounces, to about {:.2f} of their speed: step sqrt({}/M){} {:.2f} > {}; {}{}",
                       part.name(), std::pow(1 + value * value, -std::numbers::pi / 2 / std::atan(value)),
                       solid ? "K beta/alpha" : "K", where_text(part), value, resolved_strike, use_step(resolved_strike / pace),
                       why.empty() ? ", or implicit2" : why)});
  }
}

/// Laws that a fixed step does not step over in one go: those whose force jumps, and, of an implicit step, those that have no
/// closed form of it. They are as good as the step resolves what happens in them.
void check_closed_forms(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  for (const ElementPool* pool : network.elements) {
    const About& law = pool->about();
    const bool jumps = has(law.quirks, Quirk::jumps), implicit = is_implicit(options.method);
    if (law.discrete || !(jumps || (implicit && !law.implicit))) continue;
    for (const std::string& name : pool->names)
      list.push_back(
          note({name, Warning::Kind::accuracy, options.step, 0,
                fmt::format("{}: {} {}: {} is of order 1 at best, and good only for steps that resolve its transitions; compare "
                            "with a step of {}",
                            name, law.name, jumps ? "jumps" : "has no implicit step in closed form", options.method,
                            time_text(options.step / 10, false))}));
  }
}

/// A prescribed position that jumps: friction, which sees velocities, does not feel it, and a spring takes up an energy that no
/// force at any velocity has brought.
void check_jumps(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  constexpr int most_corners = 1000;
  std::vector<double> low(network.given.size()), high(network.given.size());
  for (const BodyPool* pool : network.bodies)
    for (std::size_t i = 0; pool->is_given && i < pool->names.size(); ++i) {
      bool told = false;
      for (const Timed& timed : network.timed) {
        double t = 0;
        for (int k = 0; timed.name == pool->names[i] && k < most_corners && t < options.duration && !told; ++k) {
          const Corner next = timed.outline.corner(t, options.duration);
          if (!(next.after <= options.duration)) break;
          t = next.after;
          if (next.before == next.after) continue;
          pool->place(next.before, low.data());
          pool->place(next.after, high.data());
          const std::size_t velocities = pool->velocity_column(0);
          double jump = 0, moved = 0, largest = 0;
          for (std::size_t c = 0; c < velocities; ++c) {
            const std::size_t at = pool->motion.at(c, i);
            jump = std::max(jump, std::abs(high[at] - low[at]));
            largest = std::max({largest, std::abs(high[at]), std::abs(low[at])});
          }
          for (std::size_t c = velocities; c < pool->motion_numbers(); ++c)
            for (const auto* numbers : {&low, &high})
              moved = std::max(moved, std::abs((*numbers)[pool->motion.at(c, i)]) * (next.after - next.before));
          if (!(jump > 2 * moved + 1e-9 * largest)) continue;
          told = true;
          list.push_back(
              {timed.name, Warning::Kind::jump, jump, 0,
               fmt::format("{}: its prescribed position jumps by {} {} at t = {:.6g} s: friction does not feel that, and "
                           "the work of it is not in the energy account; give it a ramp",
                           timed.name, plain(jump, 3), pool->turns ? "rad" : "m", next.after)});
        }
      }
    }
}

/// A pulse of an input between the steps of a fixed grid: two corners of it within a step, or a value that none of the steps shows.
void check_pulses(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  constexpr int most_corners = 1000;
  const int most_windows = std::max(100, int(20000 / std::max<std::size_t>(1, network.timed.size())));
  const double step = options.step;
  const auto tell = [&](const std::string& name, double from, double width, const std::string& what) {
    list.push_back(
        {name, Warning::Kind::input, width, step,
         fmt::format("{}: {} at t = {:.6g} s, shorter than the step of {}, which may miss it; use step <= {} or an adaptive "
                     "method",
                     name, what, from, time_text(step, false), time_text(width / 4, true))});
  };
  for (const Timed& timed : network.timed) {
    if (!timed.exact) continue;
    bool told = false;
    double before = -infinity, t = 0;
    for (int i = 0; i < most_corners && t < options.duration && !told; ++i) {
      const Corner next = timed.outline.corner(t, options.duration);
      if (!(next.after <= options.duration)) break;
      t = next.after;
      if (next.before == next.after) continue;
      const double width = t - before;
      told = width < (1 - 1e-6) * step && width > 64 * std::numeric_limits<double>::epsilon() * t;
      if (told)
        tell(timed.name, before, width,
             fmt::format("an input or prescribed motion changes twice within {}", time_text(width, true)));
      before = t;
    }
    for (int i = 0; i < most_windows && i * step < options.duration && !told; ++i) {
      const double from = i * step, to = std::min(options.duration, from + step);
      // A jump between two steps is a corner, not a pulse.
      if (const Corner next = timed.outline.corner(from, to); next.after <= to && next.before != next.after) continue;
      const double stray = timed.outline.stray(from, to);
      told = stray < options.duration;
      if (told) tell(timed.name, stray, step, "an input or prescribed motion has a pulse");
    }
  }
}

/// Of warnings that differ in the component only, the first, which names how many others there are.
std::vector<Warning> gathered(std::vector<Warning> list) {
  const auto said = [](const Warning& w) { return w.text.starts_with(w.component) ? w.text.substr(w.component.size()) : w.text; };
  std::vector<Warning> short_list;
  std::map<std::pair<Warning::Kind, std::string>, std::size_t> known;
  for (Warning& warning : list) {
    const auto [found, is_new] = known.try_emplace({warning.kind, said(warning)}, short_list.size());
    if (is_new) short_list.push_back(std::move(warning));
    else short_list[found->second].alike.push_back(std::move(warning.component));
  }
  for (Warning& warning : short_list)
    if (!warning.alike.empty()) warning.text += fmt::format(" (and {} more like it)", warning.alike.size());
  return short_list;
}

std::string lines(const std::vector<Warning>& list) {
  std::string text;
  for (const Warning& warning : list) text += (text.empty() ? "" : "\n") + warning.text;
  return text;
}

}  // namespace

std::string_view to_text(Warning::Kind kind) {
  return std::array{"stability", "speed", "accuracy", "holding", "preload", "method",
                    "duration",  "depth", "support",  "start",   "input",   "jump"}[static_cast<std::size_t>(kind)];
}

SetUpError::SetUpError(std::vector<Warning> list) : std::runtime_error(lines(list)), warnings(std::move(list)) {}

std::vector<Warning> check(Network& network, const CheckOptions& options) {
  std::vector<Warning> list;
  check_methods(network, options, list);
  std::vector<Warning> loaded;
  check_preload(network, options.preloaded, loaded);
  if (!is_adaptive(options.method)) {
    if (options.step > options.duration)
      list.push_back({"step", Warning::Kind::duration, options.step, options.duration,
                      fmt::format("step {} is longer than the run of {}", time_text(options.step, false),
                                  time_text(options.duration, false))});
    check_pulses(network, options, list);
  }
  if (options.duration < infinity) check_jumps(network, options, list);
  if (const auto method = design::fixed_step(options.method)) {
    Limits limits(*method);
    look_at_strikes(network, list);
    say_what_is_unchecked(network, list);
    std::vector<double> seen;
    const std::size_t before = list.size();
    for (const Part& part : network.parts) {
      if (part.pool->about().discrete && limits.reach() < infinity) continue;  // cannot run: said already
      check_memory(part, options, limits, list);
      if (part.mass == infinity) continue;
      check_stiffness(part, options, limits, list);
    }
    if (list.size() == before) check_coupled(network, options, limits, list);
    const bool stable = list.size() == before;
    const std::set<const Part*> struck = stable ? check_first_strikes(network, *method, options, list) : std::set<const Part*>();
    check_equations(network, *method, options, list);
    for (const Part& part : network.parts) {
      if (!struck.contains(&part)) check_accuracy(part, options, limits, list);
      seen.resize(part.pool->force_numbers());
      part.pool->relative(network.moving(), part.index, seen.data());
      double speed = 0;
      for (std::size_t k = part.first; k < part.first + part.count; ++k) speed = std::hypot(speed, seen[k]);
      check_speed(part, load_on(part, network), speed, options, limits, list);
    }
  }
  if (is_implicit(options.method)) check_strikes(network, options, list);
  if (!is_adaptive(options.method)) {
    check_closed_forms(network, options, list);
    check_swings(network, options, list);
    check_spins(network, options, list);
  }
  list.insert(list.end(), loaded.begin(), loaded.end());
  check_holding(network, options, list);
  check_depths(network, list);
  check_support(network, options, list);
  list = gathered(std::move(list));
  if (options.strict) {
    std::vector<Warning> errors;
    std::copy_if(list.begin(), list.end(), std::back_inserter(errors), [](const Warning& w) { return !w.note; });
    if (!errors.empty()) throw SetUpError(std::move(errors));
  }
  return list;
}

std::vector<Warning> check(const World& world, std::span<const double> x, const CheckOptions& options) {
  Network network(world, x);
  return check(network, options);
}

}  // namespace asperity
