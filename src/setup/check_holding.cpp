// Loads that friction is to hold: resonance, drift, creep.
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "asperity/rules/friction.hpp"
#include "check_rules.hpp"
#include "check_words.hpp"

namespace asperity {
namespace {

using namespace words;

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
    why =
        plain(w, 4) != plain(least, 4) && w > least
            ? fmt::format("it holds only because {} rad/s is above sqrt(2) sqrt(K/M) = {} rad/s", plain(w, 4), plain(least, 4))
            : fmt::format("it is at the limit: {} rad/s is the lowest frequency at which it holds, sqrt(2) sqrt(K/M)", plain(w, 4));
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

}  // namespace

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

}  // namespace asperity
