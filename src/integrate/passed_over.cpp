#include "passed_over.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace asperity {
namespace {

constexpr int dense_parts = 8;   // of a dense step
constexpr int most_looks = 500;  // at one force in one step
constexpr double shortest = 1e-9;
constexpr double shortest_sample = 1. / 32;  // of a force whose bounds are not known

double outside(const ValueRange& known, double low, double high) {
  const double most = std::max(known.low - low, high - known.high);
  return std::isnan(most) ? std::numeric_limits<double>::infinity() : std::max(0.0, most);
}

}  // namespace

void PassedOver::add_knot(double t, std::span<const double> x) {
  const Instant now = work_.instant(t, x);
  Knot knot{t, {}};
  for (const OfMotion& of : world_.of_motion())
    for (const Sensed& one : of.of)
      knot.seen.push_back(one.body.pool->motions(now)[one.body.pool->motion.at(one.column, one.body.index)]);
  knots_.push_back(std::move(knot));
}

std::optional<PassedOver::Found> PassedOver::between(double from, std::span<const double> before, double to,
                                                     std::span<const double> after, double share) {
  knots_.clear();
  start_.assign(before.begin(), before.end());
  end_.assign(after.begin(), after.end());
  add_knot(from, before);
  add_knot(to, after);
  return first(share, false);
}

std::optional<PassedOver::Found> PassedOver::within(double from, double to, const StepGuard::Dense& at, double share) {
  knots_.clear();
  scratch_.resize(world_.size());
  for (int i = 0; i <= dense_parts; ++i) {
    const double t = from + (to - from) * i / dense_parts;
    at(t, scratch_);
    add_knot(t, scratch_);
    if (i == 0) start_ = scratch_;
    if (i == dense_parts) end_ = scratch_;
  }
  return first(share, true);
}

std::optional<PassedOver::Found> PassedOver::first(double share, bool bends) {
  std::optional<Found> found;
  std::size_t place = 0;
  for (const OfMotion& of : world_.of_motion()) {
    const std::size_t here = std::exchange(place, place + of.of.size());
    if (auto one = search(of, here, share, bends, found ? found->begins : knots_.back().time)) found = one;
  }
  return found;
}

/// What a unit of the force makes of the rate of its body; how fast that moves already, in `speed_`.
double PassedOver::mobility(const OfMotion& of) {
  const BodyPool& pool = *of.body.pool;
  const std::size_t k = of.body.index, first = pool.velocity_column(0);
  const auto fastest = [&](std::size_t entry) { return std::max(std::abs(start_[entry]), std::abs(end_[entry])); };
  if (first == 0) {  // a state of an inclusion
    speed_ = fastest(pool.motion.at(of.coordinate, k));
    return 1;
  }
  force_.assign(world_.force_numbers(), 0.0);
  without_.assign(world_.size(), 0.0);
  with_.assign(world_.size(), 0.0);
  pool.rate_of(k, start_.data(), force_.data(), without_.data());
  force_[pool.force.at(of.coordinate, k)] = 1;
  pool.rate_of(k, start_.data(), force_.data(), with_.data());
  double rate = 0;
  speed_ = 0;
  for (std::size_t c = first; c < pool.motion_numbers(); ++c) {
    const std::size_t entry = pool.motion.at(c, k);
    const double change = with_[entry] - without_[entry];
    rate = std::hypot(rate, change);
    if (change != 0) speed_ = std::hypot(speed_, fastest(entry));
  }
  return rate;
}

std::optional<PassedOver::Found> PassedOver::search(const OfMotion& of, std::size_t place, double share, bool bends, double until) {
  const std::size_t count = of.of.size();
  here_.resize(count);
  around_.resize(count);
  const auto seen = [&](std::size_t knot, std::size_t j) { return knots_[knot].seen[place + j]; };
  const auto time_at = [&](std::size_t knot, double s) {
    return knots_[knot].time + s * (knots_[knot + 1].time - knots_[knot].time);
  };
  const auto number_at = [&](std::size_t knot, double s, std::size_t j) {
    return seen(knot, j) + s * (seen(knot + 1, j) - seen(knot, j));
  };
  const auto value_at = [&](std::size_t knot, double s) {
    for (std::size_t j = 0; j < count; ++j) here_[j] = number_at(knot, s, j);
    return of.value(time_at(knot, s), here_);
  };
  // How far a curved way may be from the straight one between two knots.
  const auto bend = [&](std::size_t knot, std::size_t j) {
    double most = 0;
    for (std::size_t k = std::max<std::size_t>(knot, 1); bends && k <= knot + 1 && k + 1 < knots_.size(); ++k)
      most = std::max(most, std::abs(seen(k + 1, j) - 2 * seen(k, j) + seen(k - 1, j)));
    return most / 4;
  };

  const std::size_t segments = knots_.size() - 1;
  ValueRange known{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const auto show = [&](double value) {
    if (!std::isfinite(value)) return;
    known.low = std::min(known.low, value);
    known.high = std::max(known.high, value);
  };
  for (std::size_t i = 0; i < segments; ++i) show(value_at(i, 0));
  show(value_at(segments - 1, 1));
  if (!bends) show(value_at(0, 0.5));
  if (!(known.low <= known.high)) return std::nullopt;  // the run fails with this

  const double length = knots_.back().time - knots_.front().time;
  double unit = -1, allowed = 0;
  const auto counts = [&](double excess, double time) {
    if (!(excess > 0)) return false;
    if (unit < 0) {
      unit = mobility(of);
      const double most = std::max(std::abs(known.low), std::abs(known.high));
      allowed = share * (speed_ + unit * most * length) + smallest_ / length;
    }
    return unit * excess * time > allowed;
  };
  struct Part {
    double from, to;
  };
  std::vector<Part> waiting;
  int looks = 0;
  for (std::size_t i = 0; i < segments && time_at(i, 0) < until; ++i) {
    const double segment = time_at(i, 1) - time_at(i, 0);
    std::optional<Found> found;
    waiting.assign(1, {0, 1});
    while (!waiting.empty() && ++looks < most_looks) {
      const Part part = waiting.back();
      waiting.pop_back();
      const double middle = part.from + (part.to - part.from) / 2, time = (part.to - part.from) * segment;
      double excess = part.to - part.from > shortest_sample ? std::numeric_limits<double>::infinity() : 0;
      if (of.bounds) {
        for (std::size_t j = 0; j < count; ++j) {
          const double a = number_at(i, part.from, j), b = number_at(i, part.to, j), off = bend(i, j);
          around_[j] = {std::min(a, b) - off, std::max(a, b) + off};
        }
        const ValueRange all = of.bounds({time_at(i, part.from), time_at(i, part.to)}, around_);
        excess = all.low > all.high ? 0 : outside(known, all.low, all.high);
      }
      if (!counts(excess, time) || part.to - part.from < shortest) continue;
      const double value = value_at(i, middle);
      if (counts(outside(known, value, value), time)) {
        // Where it begins; nothing behind that matters, but there may be another one before.
        const double far = outside(known, value, value) / 1000;
        double low = part.from, high = middle;
        for (int round = 0; round < 40; ++round) {
          const double s = low + (high - low) / 2, at = value_at(i, s);
          (outside(known, at, at) > far ? high : low) = s;
        }
        found = Found{&of, time_at(i, high), time_at(i, middle), value};
        waiting.assign(1, {part.from, low});
      } else {
        waiting.push_back({middle, part.to});
        waiting.push_back({part.from, middle});
      }
    }
    if (found) return found->begins < until ? found : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace asperity
