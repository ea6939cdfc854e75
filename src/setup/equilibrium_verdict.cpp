// What a preload leaves over, what it refuses, and what it says of bodies that cannot stand still.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "equilibrium.hpp"

namespace asperity {
namespace {

using Part = Network::Part;
constexpr double rounding = std::numeric_limits<double>::epsilon();
/// A balance is one if no more than this share of the forces on a body is left over.
constexpr double balanced = 1e-8;
/// Bodies may move this many times as far as the contacts under them give way.
constexpr double farthest = 10;

std::string amount(double value, std::string_view unit) { return fmt::format("{:.3g} {}", value, unit); }

}  // namespace

Equilibrium::Left Equilibrium::left_of(const Held& held, std::size_t h) const {
  const Part& part = held.part();
  Left left;
  if (held.kind == Held::Kind::spring || held.slides) return left;
  std::array<double, 3> rel{}, f{};
  double size = 0, length = 0;
  for (std::size_t k = 0; k < part.count; ++k) {
    rel[k] = closing(held.row + k, acceleration_) + held.course[k];
    f[k] = now_.f[held.row + k];
    size = std::hypot(size, rel[k]);
    length = std::hypot(length, f[k]);
  }
  double reach = 0;
  for (std::size_t k = 0; k < part.count; ++k)
    rows_[held.row + k].each([&](std::size_t e) {
      left.load = std::max(left.load, groups_[group_of_unknown_[entries_[e].unknown]].load);
      reach = std::max(reach, std::abs(entries_[e].push));
    });
  double stiff = held.kind == Held::Kind::contact ? now_.K[h] : held.kind == Held::Kind::joint ? held.K : 0;
  for (const End* end : {&part.pool->a, &part.pool->b})
    for (std::size_t c = 0; end->bodies && c < end->bodies->velocity_column(0); ++c)
      reach = std::max(reach, std::abs(end->bodies->motions(net_.still())[end->bodies->motion.at(c, end->index[part.index])]));
  left.bound = balanced * left.load + 64 * rounding * reach * stiff;
  if (held.kind == Held::Kind::contact) {
    if (!held.wanted && held.depth <= 0) return left;
    if (rel[0] < 0) size = std::min(size, now_.N[h] / part.mass);  // one that opens must carry nothing
    left.holds = true;
  } else if (held.kind == Held::Kind::friction) {
    const double most = limit(held, now_);
    if (!(most > 0)) return left;
    left.holds = length < most * (1 - 1e-9);
    if (!left.holds) {
      double along = 0, across = 0;
      for (std::size_t k = 0; k < part.count; ++k) along += rel[k] * f[k] / length;
      for (std::size_t k = 0; k < part.count; ++k) across = std::hypot(across, rel[k] - std::max(0.0, along) * f[k] / length);
      size = across;
    }
  } else {
    left.holds = true;
  }
  left.acceleration = size;
  left.force = size * part.mass;
  return left;
}

double Equilibrium::measure() {
  react({}, false, now_);
  const std::vector<double> forces = total(now_);
  acceleration_ = accelerations(forces);
  for (Group& g : groups_) {
    g.load = g.noise = 0;
    const std::size_t numbers = g.size == 6 && !g.pool->in_one_piece() ? 3 : g.size;
    for (std::size_t i = 0; i < numbers; ++i) {
      // Inputs and springs, and weight: what accelerates it at rest but for these.
      double inertia = 0;
      for (std::size_t j = 0; j < g.size; ++j) inertia += g.mass[i * g.size + j] * acceleration_[g.first + j];
      g.load += std::abs(others_[g.first + i]) + std::abs(inertia - forces[g.first + i]);
    }
  }
  for (const Held& held : held_)
    for (std::size_t k = 0; k < held.part().count; ++k)
      for (const Row::End& end : rows_[held.row + k].ends)
        if (end.group != none) groups_[end.group].load += std::abs(now_.f[held.row + k]);
  double most = 0;
  for (Island& island : islands_) island.left = 0;
  within_ = true;
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const Left left = left_of(held_[h], h);
    if (!std::isfinite(left.force)) return infinity;
    const double share = left.load > 0 ? left.force / left.load : left.force > 0 ? 1 : 0;
    within_ = within_ && left.force <= left.bound;
    islands_[held_[h].island].left = std::max(islands_[held_[h].island].left, share);
    for (const Row::End& end : rows_[held_[h].row].ends)
      if (end.group != none) groups_[end.group].noise += left.bound;
    most = std::max(most, share);
  }
  return most;
}

bool Equilibrium::come_nearer() {
  std::vector<double> sum(islands_.size(), 0.0);
  for (const Group& at : groups_)
    for (std::size_t i = 0; i < at.size; ++i)
      for (std::size_t j = 0; j < at.size; ++j)
        sum[at.island] += acceleration_[at.first + i] * at.mass[i * at.size + j] * acceleration_[at.first + j];
  bool any = false;
  for (std::size_t c = 0; c < islands_.size(); ++c)
    if (sum[c] < 0.5 * islands_[c].moved_by) any = true, islands_[c].moved_by = sum[c];
  return any;
}

[[noreturn]] void Equilibrium::fail(const std::string& component, double value, double bound, const std::string& text) {
  throw SetUpError({{component, Warning::Kind::preload, value, bound, text, {}, true}});
}

[[noreturn]] void Equilibrium::fail_at(const Part& part, std::string_view what) {
  fail(part.name(), 0, 0, fmt::format("{}: cannot be preloaded: {}", part.name(), what));
}

std::string Equilibrium::body_name(const Group& g, std::size_t k) {
  return g.pool->names[g.body + (g.pool->in_one_piece() ? k : 0)];
}

void Equilibrium::verify(Preload& found) const {
  for (const double number : net_.state)
    if (!std::isfinite(number)) fail("preload", number, 0, "preload: the start is no finite number after it");
  const Held* worst = nullptr;
  Left most;
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const Left left = left_of(held_[h], h);
    if (left.holds) found.residual = std::max(found.residual, left.acceleration);
    if (!(left.force <= left.bound) && (!worst || left.force / left.bound > most.force / most.bound))
      worst = &held_[h], most = left;
  }
  if (worst) {
    const Part& part = worst->part();
    std::string body;
    rows_[worst->row].each([&](std::size_t e) {
      const Group& at = groups_[group_of_unknown_[entries_[e].unknown]];
      if (body.empty()) body = body_name(at, entries_[e].unknown - at.first);
    });
    const std::string unit = part.turns ? "N m" : "N";
    fail(part.name(), most.force, most.bound,
         fmt::format("{}: preload found no balance for {}: {} of its force is left over: must be <= {}; start nearer to rest, or "
                     "without preload",
                     part.name(), body, amount(most.force, unit), amount(most.bound, unit)));
  }
  how_far();
}

void Equilibrium::how_far() const {
  std::vector<double> give(islands_.size(), 0.0);
  std::vector<std::size_t> steps(groups_.size(), none), walk;
  std::vector<std::vector<std::size_t>> beside(groups_.size());
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const Held& held = held_[h];
    if (held.kind == Held::Kind::contact) give[held.island] = std::max(give[held.island], now_.N[h] > 0 ? held.depth : 0);
    else if (held.kind == Held::Kind::joint) {
      double length = 0;
      for (std::size_t k = 0; k < held.part().count; ++k) length = std::hypot(length, held.given_way[k]);
      give[held.island] = std::max(give[held.island], length);
    } else continue;
    const auto [one, other] = rows_[held.row].ends;
    if (other.group == none) {
      if (steps[one.group] == none) steps[one.group] = 1, walk.push_back(one.group);
    } else {
      beside[one.group].push_back(other.group), beside[other.group].push_back(one.group);
    }
  }
  for (std::size_t next = 0; next < walk.size(); ++next)
    for (const std::size_t other : beside[walk[next]])
      if (steps[other] == none) steps[other] = steps[walk[next]] + 1, walk.push_back(other);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& at = groups_[g];
    const std::size_t numbers = at.pool->in_one_piece() ? 1 : at.size == 6 ? 3 : at.size;
    for (std::size_t b = 0; b < (at.pool->in_one_piece() ? at.pool->count() : 1); ++b) {
      double moved = 0, reach = 0;
      for (std::size_t c = 0; c < numbers; ++c) {
        const std::size_t x = at.pool->motion.at(c, at.body + b);
        moved = std::hypot(moved, net_.state[x] - start_[x]);
        reach = std::max(reach, std::abs(start_[x]));
      }
      const double hops = steps[g] == none ? double(walk.size() + 1) : double(steps[g]);
      const double bound = farthest * hops * give[at.island] + 16 * rounding * reach;
      if (moved <= bound) continue;
      const std::string unit = at.pool->turns ? "rad" : "m";
      fail(body_name(at, b), moved, bound,
           fmt::format("{}: preload would move it by {}, but its supports deform by {} only: must be <= {}; start it where its "
                       "contacts just touch",
                       body_name(at, b), amount(moved, unit), amount(give[at.island], unit), amount(bound, unit)));
    }
  }
}

void Equilibrium::rest() {
  std::vector<double> f;
  for (std::size_t h = 0; h < held_.size();) {
    const ElementPool* const pool = held_[h].part().pool;
    const std::size_t index = held_[h].part().index;
    f.assign(pool->force_numbers(), 0.0);
    for (; h < held_.size() && held_[h].part().pool == pool && held_[h].part().index == index; ++h) {
      const Held& held = held_[h];
      if (held.kind == Held::Kind::spring || held.kind == Held::Kind::joint) continue;
      for (std::size_t k = 0; k < held.part().count; ++k)
        f[held.part().first + k] = held.slides ? held.sliding * load_on(held) * held.way[k] : now_.f[held.row + k];
    }
    pool->rest(net_.still(), index, f.data(), net_.state.data());
  }
}

double Equilibrium::load_on(const Held& held) const { return held.part().under_normal ? now_.N[held.normal] : 1.0; }

void Equilibrium::say_what_strikes(Preload& found) const {
  std::vector<double> speed;
  for (const std::size_t p : strikes_) {
    const Part& part = net_.parts[p];
    speed.assign(part.pool->force_numbers(), 0.0);
    part.pool->relative(net_.moving(), part.index, speed.data());
    found.notes.push_back({part.name(), Warning::Kind::start, std::abs(speed[0]), 0,
                           fmt::format("{}: {} at {} at the start: not preloaded", part.name(), speed[0] > 0 ? "closes" : "opens",
                                       amount(std::abs(speed[0]), part.turns ? "rad/s" : "m/s"))});
  }
}

void Equilibrium::say_what_moves(Preload& found) const {
  struct Seen {
    bool held = false, slides = false, slips = false;
    double hold = 0;
    std::string_view unit = "N";  // of that
  };
  std::vector<Seen> seen(force_at_.size());
  for (const Held& held : held_) {
    if (held.kind == Held::Kind::spring) continue;
    const Part& part = held.part();
    double length = 0;
    for (std::size_t k = 0; k < part.count; ++k) length = std::hypot(length, now_.f[held.row + k]);
    const bool slips = held.kind == Held::Kind::friction && !held.slides && length >= limit(held, now_) * (1 - 1e-9) &&
                       length > 1e-9 * islands_[held.island].press;
    for (const Row::End& end : rows_[held.row].ends)
      if (end.group != none) {
        Seen& of = seen[body_at(groups_[end.group], end.first)];
        const std::size_t normal = held.kind == Held::Kind::contact ? std::size_t(&held - held_.data()) : held.normal;
        of.held = of.held || (!part.unilateral && !part.under_normal) || now_.N[normal] > 0;
        if (slips) of.unit = part.turns ? "N m" : "N";
        of.slides = of.slides || held.slides;
        of.slips = of.slips || slips;
        of.hold += slips ? length : 0;
      }
  }
  const bool shaken = std::any_of(courses_.begin(), courses_.end(), [](double a) { return a != 0; });
  for (const Group& at : groups_) {
    const bool whole = at.pool->in_one_piece();
    const std::size_t bodies = whole ? at.pool->count() : 1, numbers = at.size / bodies;
    for (std::size_t b = 0; b < bodies; ++b) {
      const Seen& of = seen[at.first + b * numbers];
      if (!of.held || (shaken && !of.slides && !of.slips)) continue;
      double centre = 0, turn = 0;
      for (std::size_t k = 0; k < numbers; ++k) {
        double& to = k < 3 ? centre : turn;
        to = std::hypot(to, acceleration_[at.first + b * numbers + k]);
      }
      // More than what rounding and the balance leave over of the forces on it.
      const double least = 1e-6 * at.load + at.noise, light = at.inverse[b * numbers * (at.size + 1)];
      const bool goes = centre > least * light, turns = turn > least * std::sqrt(light * at.inverse.back());
      if (!goes && !(numbers == 6 && turns)) continue;
      const std::string unit = at.pool->turns ? "rad/s^2" : "m/s^2";
      std::string how = goes ? amount(centre, unit) : "";
      if (numbers == 6 && turns) how += (goes ? " and " : "") + amount(turn, "rad/s^2");
      const std::string name = body_name(at, b);
      std::string text;
      if (of.slides) text = fmt::format("slides at the start: its friction starts at its limit, and it accelerates at {}", how);
      else if (of.slips)
        text = fmt::format("cannot be held: its friction starts at its limit, {}, and it accelerates at {}",
                           amount(of.hold, of.unit), how);
      else text = fmt::format("is not held in every direction: it starts to move at {}", how);
      found.notes.push_back({name, Warning::Kind::start, std::max(centre, turn), 0, fmt::format("{}: {}", name, text)});
    }
  }
}

std::size_t Equilibrium::body_at(const Group& at, std::size_t entry) const {
  const std::size_t numbers = at.pool->in_one_piece() ? at.size / at.pool->count() : at.size;
  return at.first + (entries_[entry].unknown - at.first) / numbers * numbers;
}

}  // namespace asperity
