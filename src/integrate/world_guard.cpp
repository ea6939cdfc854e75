#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/integrate/guard.hpp"
#include "contacts_of.hpp"
#include "passed_over.hpp"
#include "system/probe.hpp"

namespace asperity {
namespace {

class WorldGuard final : public StepGuard {
 public:
  WorldGuard(const World& world, double smallest)
      : world_(world), work_(world), smallest_(smallest), passed_over_(world, smallest) {
    const std::size_t states = world.size();
    std::size_t forces = 0, most_forces = 1;
    world.pools().each_body_pool([&](const auto& pool) { forces += pool.force_numbers() * pool.count(); });
    world.pools().each_element_pool([&](const auto& pool) {
      most_forces = std::max(most_forces, pool.force_numbers());
      switches_ = switches_ || (pool.switches() && pool.count() > 0);
      if (is_contact(pool)) contacts_ += pool.count();
    });
    for (const auto& timed : world.timed()) known_.push_back({&timed, {}, -std::numeric_limits<double>::infinity()});
    for (auto* list : {&x_, &ahead_, &with_, &without_, &transited_}) list->resize(states);
    force_.resize(forces);
    seen_.resize(most_forces);
    unit_.resize(most_forces);
    unit_.front() = 1;
    for (auto* list : {&gap_, &speed_, &gap_before_, &speed_before_, &speed_ahead_}) list->resize(contacts_);
    thickness_.assign(contacts_, -1.0);
  }

  Corner corner(double t, double until) override {
    Corner first;
    for (Known& known : known_) {
      const bool passed = !(known.next.after > t);
      if (t < known.from) known = {known.timed, {}, t};  // the run has gone back
      known.from = t;
      if (passed || std::isinf(known.next.after)) {
        const double from = std::max(t, known.looked);
        if (from < until) {
          // A longer look costs little more where the outline is exact.
          const double to = known.timed->exact ? until + 3 * (until - from) : until;
          known.next = known.timed->outline.corner(from, to);
          known.looked = std::min(known.next.before, to);
        } else {
          known.next = {};
        }
      }
      if (known.next.after <= until && known.next.after < first.after) first = known.next;
    }
    return first;
  }

  double latest_end(double t, std::span<const double> x, std::span<const double> xdot, double until) override {
    double latest = until;
    if (!(until > t)) return until;
    if (contacts_ > 0) latest = latest_for_contacts(t, x, xdot, latest);
    for (const Known& known : known_)
      if (const double stray = known.timed->outline.stray(t, latest); stray > t) latest = std::min(latest, stray);
    return latest;
  }

  double first_event(double from, double to, const Dense& at) override {
    double first = std::numeric_limits<double>::infinity();
    if (switches_) first = first_switch(from, to, at);
    if (contacts_ > 0) first = std::min(first, first_touch(from, to, at));
    if (passed_over_.anything())
      if (const auto found = passed_over_.within(from, to, at, not_felt))
        first = std::min(first, std::max(found->begins, from + 0.1 * (found->acts - from)));
    return first;
  }

 private:
  static constexpr double felt = 0.05;      // of the deepest indentation of an impact: there its force is felt
  static constexpr double thin = 0.1;       // of the way to the centres: beyond them the force is not felt
  static constexpr double not_felt = 1e-3;  // of a velocity: what a force that a step passed over would have made of it
  static constexpr int parts = 8;           // in which a step is looked at
  static constexpr int most_halvings = 5;

  struct Known {
    const Timed* timed;
    Corner next;
    double looked;                                           // up to here, for next
    double from = -std::numeric_limits<double>::infinity();  // the last question
  };

  void look(double t, std::span<const double> x, std::vector<double>& gap, std::vector<double>& speed) {
    const auto now = work_.instant(t, x);
    each_contact(world_, [&](const auto& pool, std::size_t i, std::size_t contact) {
      gap[contact] = pool.gap(now, i);
      pool.relative(now, i, seen_.data());
      speed[contact] = seen_.front();
    });
  }

  /// What a contact feels of the inertia of its bodies along its normal; infinite if neither can move.
  double mass(const ElementPool& pool, std::size_t i, double t, std::span<const double> x) {
    std::fill(force_.begin(), force_.end(), 0.0);
    x_.assign(x.begin(), x.end());
    const auto each_end = [&](auto&& f) {
      for (const auto* end : {&pool.a, &pool.b})
        if (end->bodies && !end->bodies->is_given) f(*end->bodies, std::size_t(end->index[i]));
    };
    each_end([&](const auto& bodies, std::size_t k) { bodies.rate_of(k, x.data(), force_.data(), without_.data()); });
    auto now = work_.instant(t, x);
    pool.push(now, i, unit_.data(), force_.data());
    each_end([&](const auto& bodies, std::size_t k) {
      bodies.rate_of(k, x.data(), force_.data(), with_.data());
      for (std::size_t c = bodies.velocity_column(0); c < bodies.motion_numbers(); ++c) {
        const std::size_t entry = bodies.motion.at(c, k);
        x_[entry] = with_[entry] - without_[entry];
      }
    });
    given_.assign(now.given, now.given + world_.given_numbers());
    world_.pools().each_body_pool([&](const auto& bodies) {
      if (!bodies.is_given) return;
      for (std::size_t c = bodies.velocity_column(0); c < bodies.motion_numbers(); ++c)
        for (std::size_t k = 0; k < bodies.count(); ++k) given_[bodies.motion.at(c, k)] = 0;
    });
    now.state = x_.data();
    now.given = given_.data();
    pool.relative(now, i, seen_.data());
    return 1 / std::abs(seen_.front());
  }
  /// How deep an impact goes at most.
  double depth(const ElementPool& pool, std::size_t i, double t, std::span<const double> x, double speed, double acceleration) {
    const double m = mass(pool, i, t, x);
    if (!std::isfinite(m)) return std::numeric_limits<double>::infinity();
    return pool.strike_depth(i, m * speed * speed / 2, m * std::max(0.0, acceleration));
  }

  /// How far a contact may be compressed in the step in which it touches: so far that its force is felt, and less than the bodies
  /// are thick.
  double way(const ElementPool& pool, std::size_t i, std::size_t contact, double t, std::span<const double> x, double deep) {
    double& thickness = thickness_[contact];
    if (thickness < 0 || pool.hands_over())
      thickness = Probe(work_.instant(t, x), x.size(), world_.force_numbers()).thickness(pool, i);
    return thickness > 0 ? std::min(deep, thin * thickness) : deep;
  }

  double latest_for_contacts(double t, std::span<const double> x, std::span<const double> xdot, double until) {
    const double h = until - t;
    look(t, x, gap_, speed_);
    // The rates at which gaps close change with everything: forces, rotations, prescribed motions.
    const double nudge = 1e-4 * h;
    for (std::size_t i = 0; i < x.size(); ++i) ahead_[i] = x[i] + nudge * xdot[i];
    look(t + nudge, ahead_, gap_before_, speed_ahead_);
    double latest = until;
    each_contact(world_, [&](const auto& pool, std::size_t i, std::size_t k) {
      const double gap = gap_[k], speed = speed_[k];
      if (!std::isfinite(gap) || !std::isfinite(speed)) return;
      const double faster = std::max(0.0, (speed_ahead_[k] - speed) / nudge);
      const double closed = speed * h + faster * h * h / 2;
      if (closed <= std::max(smallest_, std::abs(gap))) return;
      if (gap > 0) {
        const double touch_speed = std::sqrt(speed * speed + 2 * faster * gap);
        const double touch = 2 * gap / (speed + touch_speed);
        const double deep = felt * depth(pool, i, t, x, touch_speed, faster);
        latest = std::min(latest, t + touch + way(pool, i, k, t, x, deep) / touch_speed);
      } else {  // just touched, or about to come back
        const double deep = 4 * felt * depth(pool, i, t, x, std::abs(speed), faster);
        if (!(-gap < deep)) return;
        const double on = way(pool, i, k, t, x, deep);
        if (faster > 0) latest = std::min(latest, t + (std::sqrt(speed * speed + 2 * faster * on) - speed) / faster);
        else if (speed > 0) latest = std::min(latest, t + on / speed);
      }
    });
    return latest;
  }

  /// Contacts that are open where the step starts. Between two looks a gap can only have closed if it was not longer than the way
  /// at the highest speed that was seen; there one looks closer.
  double first_touch(double from, double to, const Dense& at) {
    times_.clear();
    gaps_.clear();
    speeds_.clear();
    const auto add = [&](double t) {
      at(t, x_now());
      look(t, now_, gap_, speed_);
      times_.push_back(t);
      gaps_.insert(gaps_.end(), gap_.begin(), gap_.end());
      speeds_.insert(speeds_.end(), speed_.begin(), speed_.end());
    };
    add(from);
    add(to);
    const auto gap_at = [&](std::size_t look, std::size_t k) { return gaps_[look * contacts_ + k]; };
    const auto speed_at = [&](std::size_t look, std::size_t k) { return std::abs(speeds_[look * contacts_ + k]); };
    const auto near = [&](std::size_t k, std::size_t one, std::size_t other, double fastest) {
      return std::min(gap_at(one, k), gap_at(other, k)) < 1.5 * (times_[other] - times_[one]) * fastest + smallest_;
    };
    bool any = false;
    for (std::size_t k = 0; k < contacts_ && !any; ++k)
      any = gap_at(0, k) > 0 && near(k, 0, 1, std::max(speed_at(0, k), speed_at(1, k)));
    if (!any) return std::numeric_limits<double>::infinity();
    for (int i = 1; i < parts; ++i) add(from + (to - from) * i / parts);
    order_.clear();  // of the looks, by time
    order_.push_back(0);
    for (std::size_t i = 2; i < times_.size(); ++i) order_.push_back(i);
    order_.push_back(1);
    double first = std::numeric_limits<double>::infinity();
    each_contact(world_, [&](const auto& pool, std::size_t i, std::size_t k) {
      if (!(gap_at(0, k) > 0)) return;
      double fastest = 0;
      for (const std::size_t one : order_) fastest = std::max(fastest, speed_at(one, k));
      for (std::size_t n = 0; n + 1 < order_.size(); ++n) {
        if (std::min(gap_at(order_[n], k), gap_at(order_[n + 1], k)) > 1.5 * (to - from) / parts * fastest) continue;
        double low = times_[order_[n]], high = times_[order_[n + 1]];
        if (low >= first) return;
        if (gap_at(order_[n + 1], k) > 0 && !find_closed(pool, i, low, high, fastest, at, most_halvings)) continue;
        for (int round = 0; round < 40; ++round) {
          const double t = low + (high - low) / 2;
          (gap_of(pool, i, t, at) > 0 ? low : high) = t;
        }
        at(high, x_now());
        pool.relative(work_.instant(high, now_), i, seen_.data());
        const double speed = seen_.front();
        if (!(speed * (to - high) > smallest_)) return;
        const double allowed = way(pool, i, k, high, now_, felt * depth(pool, i, high, now_, speed, 0)) / speed;
        if (to - high > 2 * allowed) first = std::min(first, high + allowed);
        return;
      }
    });
    return first;
  }
  double gap_of(const ElementPool& pool, std::size_t i, double t, const Dense& at) {
    at(t, x_now());
    return pool.gap(work_.instant(t, now_), i);
  }
  /// Whether an element that is open at both ends is closed somewhere between them: then `high` is there.
  bool find_closed(const ElementPool& pool, std::size_t i, double low, double& high, double fastest, const Dense& at,
                   int halvings) {
    const double t = low + (high - low) / 2, gap = gap_of(pool, i, t, at);
    if (gap <= 0) {
      high = t;
      return true;
    }
    if (halvings == 0 || gap > 0.75 * (high - low) * fastest) return false;
    double middle = t;
    if (find_closed(pool, i, low, middle, fastest, at, halvings - 1)) {
      high = middle;
      return true;
    }
    return find_closed(pool, i, t, high, fastest, at, halvings - 1);
  }

  bool due(double t, const Dense& at) {
    at(t, x_now());
    transited_ = now_;
    const auto now = work_.instant(t, now_);
    bool any = false;
    world_.pools().each_element_pool([&](const auto& pool) {
      if (any || !pool.switches()) return;
      pool.transit(now, transited_.data());
      for (std::size_t c = 0; c < pool.state_numbers(); ++c)
        for (std::size_t i = 0; i < pool.count(); ++i) any = any || transited_[pool.state.at(c, i)] != now_[pool.state.at(c, i)];
    });
    return any;
  }
  /// The end is early enough if the switch is within a millionth of the step.
  double first_switch(double from, double to, const Dense& at) {
    double low = from;
    for (int i = 1; i <= parts; ++i) {
      double high = from + (to - from) * i / parts;
      if (!due(high, at)) {
        low = high;
        continue;
      }
      for (int round = 0; round < 40; ++round) {
        const double t = low + (high - low) / 2;
        (due(t, at) ? high : low) = t;
      }
      return to - high > 1e-6 * (to - from) ? high + 1e-9 * (to - from) : std::numeric_limits<double>::infinity();
    }
    return std::numeric_limits<double>::infinity();
  }

  std::span<double> x_now() {
    now_.resize(x_.size());
    return now_;
  }

  const World& world_;
  Workspace work_;
  double smallest_;
  PassedOver passed_over_;
  std::vector<double> thickness_;  // of the bodies of each contact, m; -1: not known yet
  bool switches_ = false;
  std::size_t contacts_ = 0;
  std::vector<Known> known_;
  std::vector<double> x_, ahead_, with_, without_, transited_, now_, given_, force_, seen_, unit_;
  std::vector<double> gap_, speed_, gap_before_, speed_before_, speed_ahead_;
  std::vector<double> times_, gaps_, speeds_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::unique_ptr<StepGuard> guard_of(const World& world, double smallest) { return std::make_unique<WorldGuard>(world, smallest); }

}  // namespace asperity
