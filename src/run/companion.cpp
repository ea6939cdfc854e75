#include "companion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "asperity/quantity_text.hpp"
#include "asperity/run/run.hpp"
#include "asperity/setup/preload.hpp"

namespace asperity {
namespace {

constexpr double noted = 0.01;              // of the range of a motion
constexpr double early_or_late = 1 / 250.;  // of a run: an error of time that never counts for more
constexpr double most_work = 1e7;           // numbers times evaluations: less than a second
// What an adaptive method may be off by, of its absolute and of its relative tolerance.
constexpr double times_atol = 200, times_rtol = 10;

constexpr double rounding_noted = 0.05;  // of a way
constexpr double smallest_part = 1e-4;   // of a motion in all directions: what less goes in one of them is not looked at
constexpr double most_turned = 20;       // rotations are held against no more than this: 0.4 rad of 40 and more are noted

constexpr double steps_to_a_range = 16;  // from one look at how far a motion ranges to the next, where nothing is compared

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether an input jumps or bends within a step: there every method is of order 1 at best.
bool has_edges(const World& world, double step, double duration) {
  constexpr int most_corners = 100;
  for (const Timed& timed : world.timed()) {
    double t = 0;
    for (int i = 0; i < most_corners && t < duration; ++i) {
      const Corner next = timed.outline.corner(t, duration);
      if (!(next.after <= duration)) break;
      t = next.after;
      if (next.before < next.after && !is_multiple(t, step)) return true;
    }
  }
  return false;
}

double factor_of(const World& world, const RunOptions& options) {
  const AboutMethod* method = find_method(options.method);
  if (options.finer.world) return 2;  // chosen twice as stiff at least: what is left is half as large at most
  if (!method || method->adaptive) return 1;
  const int order = has_edges(world, options.step, options.duration) ? 1 : method->order;
  return 1 / (1 - std::pow(0.5, order));
}

/// As half the step has it; a balance that cannot be found there is left as it is here.
std::vector<double> start_of(const World& finer, bool preloaded, std::span<const double> here) {
  std::vector<double> x = finer.start();
  if (!preloaded) return x;
  try {
    preload(finer, x);
    finer.first_samples(x);
    return x;
  } catch (const SetUpError&) {
    return {here.begin(), here.end()};
  }
}

/// What settling by a depth, a thousandth of a body, makes of a number: the depth, the tilt, and the speeds of a fall that deep.
double settling_in(const std::string& unit, double depth) {
  constexpr double tilt = 1e-3;
  if (!(depth > 0)) return 0;
  const double speed = std::sqrt(2 * 9.81 * depth);
  return unit == "m" ? depth : unit == "m/s" ? speed : unit == "1" ? tilt : unit == "rad/s" ? tilt * speed / depth : 0;
}

double rounding_of(const std::string& unit) { return unit == "rad/s" ? 1e-6 : unit == "m/s" || unit == "1" ? 1e-9 : 1e-12; }

}  // namespace

std::vector<std::size_t> velocities_in(const Readings& readings) {
  std::vector<std::size_t> list;
  for (const Readings::Body& body : readings.bodies())
    if (const std::size_t first = body.pool->velocity_column(0); !body.pool->is_given && first > 0)  // not of an inclusion
      for (std::size_t c = first; c < body.pool->motion_numbers(); ++c) list.push_back(body.pool->motion.at(c, body.index));
  return list;
}

void Companion::Range::clear() {
  std::fill(low.begin(), low.end(), infinity);
  std::fill(high.begin(), high.end(), -infinity);
}
void Companion::Range::take(std::size_t i, double number) {
  low[i] = std::min(low[i], number);
  high[i] = std::max(high[i], number);
}

Companion::Companion(const World& world, const Readings& readings, const RunOptions& options,
                     const std::shared_ptr<const KernelMaker>& kernels, std::span<const double> start)
    : work_(options.finer.world ? *options.finer.world : world, kernels),
      step_(options.step),
      factor_(factor_of(world, options)),
      longest_bin_(early_or_late * options.duration / factor_),
      can_rest_(!readings.elements().empty()),
      x_(start.begin(), start.end()),
      velocities_(velocities_in(readings)),
      left_(most_work) {
  IntegratorOptions finer{
      .step = options.step / 2, .max_step = options.max_step, .subdivide = options.subdivide, .kernels = kernels};
  if (is_adaptive(options.method)) {
    rtol_ = options.rtol, atol_ = options.atol;
    step_ = 0;
    finer.rtol = std::max(1e-14, options.rtol / 100);
    finer.atol = options.atol / 100;
    remedy_ = fmt::format("rtol, {:g}, is too large for this motion; use a smaller one", options.rtol);
  } else {
    remedy_ = fmt::format("the step, {}, is too long for this motion; use a shorter one", quantity_text(options.step, "s"));
  }
  if (const World* other = options.finer.world) {
    remedy_ = options.finer.remedy;
    settles_ = options.finer.settles;
    if (options.start.empty()) x_ = start_of(*other, options.preload, start);
  }
  integrator_ = make_integrator(options.method, work_.world(), std::move(finer));
  add_bodies(readings, options.finer.world != nullptr);
  add_pairs(readings, options.duration);
  if (settles_ > 0) compare_from_the_start(start);
  start_afresh(0);
  compare(0, start);
}

Companion::~Companion() = default;

void Companion::add_group(std::string name, const std::string& unit) {
  groups_.push_back({std::move(name), numbers_.size(), rounding_of(unit) + settling_in(unit, settles_), unit == "1"});
}

void Companion::close_motion(std::size_t first_group) {
  Motion motion{first_group, groups_.size() - first_group, groups_[first_group].first, 0};
  for (std::size_t g = first_group; g < groups_.size(); ++g) {
    groups_[g].count = (g + 1 < groups_.size() ? groups_[g + 1].first : numbers_.size()) - groups_[g].first;
    motion.count += groups_[g].count;
  }
  for (Bin& bin : motion.bins)
    for (Range* range : {&bin.run, &bin.here}) {
      range->low.resize(motion.count);
      range->high.resize(motion.count);
      range->clear();
    }
  motions_.push_back(std::move(motion));
}

/// `relaxed`: with other parameters, so that what the relaxed terms of an inclusion keep is not the same.
void Companion::add_bodies(const Readings& readings, bool relaxed) {
  for (const Readings::Body& body : readings.bodies()) {
    const BodyPool& pool = *body.pool;
    if (pool.is_given) continue;
    const auto quantities = pool.quantities();
    const std::size_t first_group = groups_.size();
    if (pool.velocity_column(0) == 0) {  // equations of an inclusion: they have no velocities
      for (std::size_t c = 0; c < pool.motion_numbers(); ++c) {
        if (relaxed && quantities[c].name.find('.') != std::string::npos) continue;
        add_group(quantities[c].name, quantities[c].unit);
        numbers_.push_back({pool.motion.at(c, body.index)});
      }
      close_motion(first_group);
      continue;
    }
    // Position and velocity, then rotation and spin.
    std::vector<std::pair<std::size_t, std::size_t>> kinds;  // columns of one unit each: first, end
    for (std::size_t c = 0; c < pool.motion_numbers(); ++c)
      if (c > 0 && quantities[c].unit == quantities[c - 1].unit) kinds.back().second = c + 1;
      else kinds.emplace_back(c, c + 1);
    for (std::size_t k = 0; k < kinds.size() / 2; ++k) {
      const std::size_t before = groups_.size();
      for (const auto& [first, end] : {kinds[k], kinds[k + kinds.size() / 2]}) {
        const std::string& name = quantities[first].name;
        add_group(body.name() + "." + name.substr(0, name.find('.')), quantities[first].unit);
        for (std::size_t c = first; c < end; ++c) numbers_.push_back({pool.motion.at(c, body.index)});
      }
      close_motion(before);
    }
  }
}

/// Bodies that an element connects, relative to each other: what is wrong with the motion of a ball in a train is not held against
/// the way of the train.
void Companion::add_pairs(const Readings& readings, double duration) {
  std::set<std::tuple<const BodyPool*, std::size_t, const BodyPool*, std::size_t>> known;
  const auto moves = [&](const BodyPool& pool, std::size_t i) {
    constexpr int looks = 16;
    for (int k = 0; k <= looks; ++k) {
      const Instant at = work_.instant(duration * k / looks, x_);
      for (std::size_t c = pool.velocity_column(0); c < pool.motion_numbers(); ++c)
        if (at.given[pool.motion.at(c, i)] != 0) return true;
    }
    return false;
  };
  for (const Readings::Item& item : readings.elements()) {
    const End *a = &item.pool->a, *b = &item.pool->b;
    if (!a->bodies || !b->bodies) continue;
    if (a->bodies->is_given) std::swap(a, b);
    const BodyPool &one = *a->bodies, &other = *b->bodies;
    const std::size_t i = a->index[item.index], j = b->index[item.index];
    if (one.is_given || one.in_one_piece() || other.in_one_piece() || one.turns != other.turns) continue;
    if (one.velocity_column(0) == 0 || other.motion_numbers() == 0) continue;  // of an inclusion
    const std::size_t D = std::min<std::size_t>(one.force_numbers(), 3);
    if (D != std::min<std::size_t>(other.force_numbers(), 3)) continue;
    if (!known.emplace(&one, i, &other, j).second || (other.is_given && !moves(other, j))) continue;
    const std::string name = fmt::format("{} relative to {}", one.names[i], other.names[j]);
    const std::size_t before = groups_.size();
    const auto quantities = one.quantities();
    for (const bool velocity : {false, true}) {
      const std::size_t from = velocity ? one.velocity_column(0) : 0, other_from = velocity ? other.velocity_column(0) : 0;
      add_group(fmt::format("{}: {}", name, velocity ? "velocity" : "position"), quantities[from].unit);
      for (std::size_t c = 0; c < D; ++c) {
        const std::size_t place = other.motion.at(other_from + c, j);
        numbers_.push_back({one.motion.at(from + c, i), other.is_given ? none : place, other.is_given ? place : none});
      }
    }
    close_motion(before);
  }
}

/// Resting bodies lie a little deeper on softer contacts: what counts is how they move from there.
void Companion::compare_from_the_start(std::span<const double> start) {
  const double* course = work_.instant(0, x_).given;
  for (const Motion& motion : motions_)
    if (motion.groups == 2)
      for (std::size_t i = motion.first; i < motion.first + groups_[motion.first_group].count; ++i)
        numbers_[i].deeper = numbers_[i].of(start, course) - numbers_[i].of(x_, course);
}

void Companion::start_afresh(double t) {
  if (complete()) integrator_->start(t, std::vector<double>(x_));
}

void Companion::follow(double t, std::span<const double> x) {
  ++steps_;
  if (!complete()) {
    // Nothing is compared any more: how far the motion ranges is seen at times.
    if (t >= next_ranges_) note_ranges(t, x), next_ranges_ = t + std::max(longest_bin_, steps_to_a_range * step_);
    return;
  }
  left_ -= double(numbers_.size());
  try {
    if (left_ < 0) throw IntegrationFailure("", t);
    // One step of the run may be a great many here.
    auto pay = [&, before = work()]() mutable {
      left_ -= std::max(1.0, double(x.size())) * (work() - before);
      before = work();
      if (left_ < 0) throw IntegrationFailure("", t);
    };
    if (step_ > 0) {
      integrator_->advance(t);
      pay();
      x_.assign(integrator_->state().begin(), integrator_->state().end());
    } else {
      while (integrator_->time() < t) {
        integrator_->step();
        pay();
      }
      integrator_->interpolate(t, x_);
    }
    compare(t, x);
  } catch (const IntegrationFailure&) {
    with_ = 0;  // it costs too much, or does not get there
  }
}

/// In evaluations of the rates; a matrix of slopes and its factors are worth ten, and so is what an adaptive method looks at ahead
/// of every step: contacts and corners of inputs.
double Companion::work() const {
  const Statistics& all = integrator_->statistics();
  const double ahead = step_ > 0 ? 0 : 10 * double(all.steps);
  return double(all.evaluations) + 10 * double(all.jacobians) + double(all.iterations) + ahead;
}

void Companion::note_ranges(double t, std::span<const double> x) {
  const double* course = work_.instant(t, x).given;
  const double passed = t - std::exchange(last_, t);
  for (Number& number : numbers_) {
    const double value = number.of(x, course), change = std::abs(value - std::exchange(number.last, value));
    if (passed > 0) number.fastest = std::max(number.fastest, change / passed);
    number.low = std::min(number.low, value);
    number.high = std::max(number.high, value);
    number.largest = std::max(number.largest, std::abs(x[number.entry]));
  }
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    if (!groups_[g].turns) continue;
    double spin = 0;
    for (std::size_t i = 0; i < groups_[g + 1].count; ++i) spin = std::hypot(spin, x[numbers_[groups_[g + 1].first + i].entry]);
    groups_[g].turned += passed * spin / 2;
  }
}

/// The time in which the motion goes a hundredth of its way at most: an error of time that long is not noted. States of an
/// inclusion have no velocities; of them the slowest tells, as others jump.
double Companion::bin_length(const Motion& motion) const {
  const auto range = [&](const Group& group) {
    double most = 0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) most = std::max(most, numbers_[i].high - numbers_[i].low);
    return most;
  };
  const Group* const groups = &groups_[motion.first_group];
  double length = 0;
  if (motion.groups == 2) {
    const double speed = range(groups[1]);
    length = speed > 0 ? noted * range(groups[0]) / speed : infinity;
  } else {
    for (std::size_t i = motion.first; i < motion.first + motion.count; ++i)
      if (numbers_[i].fastest > 0) length = std::max(length, noted * (numbers_[i].high - numbers_[i].low) / numbers_[i].fastest);
  }
  return std::min(length, longest_bin_);
}

void Companion::compare(double t, std::span<const double> x) {
  until_ = t;
  note_ranges(t, x);
  const double* course = work_.instant(t, x).given;
  bool floors = false;
  for (Motion& motion : motions_) {
    auto& bins = motion.bins;
    if (!(t < bins[0].to)) {
      // The one before the last has both its neighbours now.
      for (std::size_t i = motion.first; i < motion.first + motion.count; ++i)
        if (const double error = error_of(i, motion, 1); error > numbers_[i].error)
          numbers_[i].error = error, numbers_[i].time = bins[1].to;
      std::rotate(bins.begin(), bins.end() - 1, bins.end());
      bins[0].from = t;
      bins[0].to = t + bin_length(motion);
      bins[0].run.clear();
      bins[0].here.clear();
      floors = true;
    }
    // A position does not jump: where it differs, it is wrong.
    const std::size_t positions = motion.groups == 2 ? groups_[motion.first_group].count : 0;
    for (std::size_t i = 0; i < motion.count; ++i) {
      Number& number = numbers_[motion.first + i];
      const double run = number.of(x, course), here = number.of(x_, course) + number.deeper;
      if (i < positions) {
        if (const double error = std::abs(run - here); error > number.error) number.error = error, number.time = t;
      } else {
        bins[0].run.take(i, run);
        bins[0].here.take(i, here);
      }
    }
  }
  if (floors && t >= next_floors_) note_floors(t, x);
  if (t >= 2 * marks_[2]) {
    marks_ = {marks_[1], marks_[2], t};
    for (Number& number : numbers_) number.marked = {number.marked[1], number.marked[2], number.error};
  }
}

void Companion::note_floors(double t, std::span<const double> x) {
  next_floors_ = t + longest_bin_;
  if (step_ == 0 || !can_rest_) return;
  at_rest_.assign(x.begin(), x.end());
  for (const std::size_t i : velocities_) at_rest_[i] = 0;
  free_.assign(x.size(), 0.0);
  work_.free_rate(t, at_rest_, free_);
  for (const Motion& motion : motions_) {
    Group* const groups = &groups_[motion.first_group];
    Group& fastest = groups[motion.groups - 1];
    for (std::size_t g = motion.groups == 2 ? 1 : 0; g < motion.groups; ++g)
      for (std::size_t i = groups[g].first; i < groups[g].first + groups[g].count; ++i) {
        const Number& number = numbers_[i];
        const double rate = std::max(std::abs(free_[number.entry]), number.other != none ? std::abs(free_[number.other]) : 0);
        groups[g].floor = std::max(groups[g].floor, step_ * rate);
      }
    if (motion.groups == 2) groups[0].floor = std::max(groups[0].floor, step_ * fastest.floor);
  }
}

/// How far a number of the run is outside what its companion does around the same time, in bin b.
double Companion::error_of(std::size_t number, const Motion& motion, std::size_t b) const {
  const Bin& bin = motion.bins[b];
  const std::size_t i = number - motion.first;
  if (bin.from < 0 || (motion.groups == 2 && i < groups_[motion.first_group].count)) return 0;  // positions are compared at once
  double low = infinity, high = -infinity;
  for (std::size_t other = b == 0 ? 0 : b - 1; other <= b + 1 && other < motion.bins.size(); ++other)
    if (motion.bins[other].from >= 0)
      low = std::min(low, motion.bins[other].here.low[i]), high = std::max(high, motion.bins[other].here.high[i]);
  return std::max({0.0, low - bin.run.low[i], bin.run.high[i] - high});
}

/// A position far away that a step changes by less than its last digit.
std::optional<Finding> Companion::rounded() const {
  for (const Motion& motion : motions_) {
    if (motion.groups != 2) continue;
    const Group &position = groups_[motion.first_group], &velocity = groups_[motion.first_group + 1];
    if (position.turns || position.count != velocity.count) continue;
    for (std::size_t i = 0; i < position.count; ++i) {
      const Number &at = numbers_[position.first + i], &going = numbers_[velocity.first + i];
      const double way = std::max(std::abs(going.high), std::abs(going.low)) * last_;
      const double lost = steps_ * std::numeric_limits<double>::epsilon() / 2 * at.largest;
      if (!(way > 1e-9) || !(lost > rounding_noted * way)) continue;
      return Finding{
          Finding::Severity::note,
          Finding::Kind::error,
          position.name,
          lost / way,
          rounding_noted,
          fmt::format("{}: at {:.3g} m a step moves it by no more than the last digits of its position: rounding may add up "
                      "to {:.2g} % of the distance it moves; put the origin closer",
                      position.name, at.largest, 100 * lost / way)};
    }
  }
  return std::nullopt;
}

/// What an error of each number is held against, and allowed to be.
template <class F>
void Companion::each_judged(F&& f) const {
  for (const Motion& motion : motions_)
    for (std::size_t g = motion.first_group; g < motion.first_group + motion.groups; ++g) {
      const Group& group = groups_[g];
      double range = 0, largest = 0, rounding = group.rounding;
      for (std::size_t i = group.first; i < group.first + group.count; ++i) {
        const Number& number = numbers_[i];
        range = std::max(range, number.high - number.low);
        largest = std::max({largest, std::abs(number.high), std::abs(number.low)});
        rounding = std::max(rounding, 1e-12 * number.largest);
      }
      const double allowed = rounding + 1e-9 * largest + times_atol * std::min(atol_, largest_atol) + times_rtol * rtol_ * largest;
      const double floor = std::max({group.floor, std::min(group.turned, most_turned), smallest_part * range, allowed / noted});
      // A component is held against its own motion; a rotation, whose numbers mean nothing alone, against all of it.
      for (std::size_t i = group.first; i < group.first + group.count; ++i)
        f(motion, group, i, std::max(group.turns ? range : numbers_[i].high - numbers_[i].low, floor));
    }
}

std::optional<Finding> Companion::finding(bool stopped) const {
  const Group* worst = nullptr;
  double most = noted, when = 0;
  each_judged([&](const Motion& motion, const Group& group, std::size_t i, double against) {
    double error = numbers_[i].error, time = numbers_[i].time;
    for (const std::size_t b : {0, 1})
      if (const double last = error_of(i, motion, b); last > error) error = last, time = motion.bins[b].to;
    const double share = factor_ * error / against;
    if (share > most) most = share, worst = &group, when = time;
  });
  if (!worst) return rounded();
  return Finding{Finding::Severity::note,
                 Finding::Kind::error,
                 worst->name,
                 most,
                 noted,
                 fmt::format("{}: differs by {:.2g} % of its range at t = {:.4g} s from what {} gives: {}", worst->name, 100 * most,
                             when, step_ > 0 ? "half the step" : "a hundredth of the tolerance",
                             stopped ? std::string(detail::until_it_stopped) : remedy_)};
}

std::optional<Finding> Companion::outlook(double end) const {
  constexpr double grows = 1.3, least = 1e-4;  // of a range: less is no error that one could see growing
  if (complete() || !(marks_[0] > 0) || !(until_ > 0)) return std::nullopt;
  const Group* worst = nullptr;
  double most = noted;
  each_judged([&](const Motion&, const Group& group, std::size_t i, double against) {
    const Number& number = numbers_[i];
    const auto& [first, second, third] = number.marked;
    if (!(second > grows * first) || !(third > grows * second) || !(factor_ * number.error > least * against)) return;
    const double rate = (number.error - second) / (until_ - marks_[1]);
    const double share = factor_ * (number.error + rate * (end - until_)) / against;
    if (share > most) most = share, worst = &group;
  });
  if (!worst) return std::nullopt;
  return Finding{
      Finding::Severity::note,
      Finding::Kind::error,
      worst->name,
      most,
      noted,
      fmt::format("{}: its difference from what {} gives was seen to grow until t = {:.4g} s; if it goes on like that, it "
                  "is {:.2g} % of its range at t = {:.4g} s: {}",
                  worst->name, step_ > 0 ? "half the step" : "a hundredth of the tolerance", until_, 100 * most, end, remedy_)};
}

}  // namespace asperity
