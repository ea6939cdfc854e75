// The events of a run: what touches, lets go, slips and sticks within a step, and what a step never felt.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "asperity/run/run.hpp"
#include "integrate/passed_over.hpp"
#include "system/probe.hpp"

namespace asperity {
namespace {

/// A touch or a release is worth a name at once if it is not slower than this share of the fastest one.
constexpr double slowest_impact = 1e-7;

/// Contacts turn around by rounding all the time; what was slower than this share of the fastest is left to the audits.
constexpr double slowest_turn = 1e-6;

/// The numbers of the state that an element sees: its own, and those of its bodies.
std::vector<std::size_t> entries_of(const Readings::Item& item) {
  std::vector<std::size_t> list;
  for (std::size_t c = 0; c < item.pool->state_numbers(); ++c) list.push_back(item.pool->state.at(c, item.index));
  for (const End* end : {&item.pool->a, &item.pool->b})
    for (std::size_t c = 0; end->bodies && !end->bodies->is_given && c < end->bodies->motion_numbers(); ++c)
      list.push_back(end->bodies->motion.at(c, end->index[item.index]));
  return list;
}

}  // namespace

std::string_view to_text(Event::Kind kind) noexcept {
  return std::array<std::string_view, 4>{"touch", "release", "slip", "stick"}[std::size_t(kind)];
}

void Run::find_events(double from, double middle, double to) {
  for (std::size_t e = 0; e < watch_.size(); ++e) {
    if (watch_[e].mode != middle_[e].mode) follow(e, from, middle, watch_[e].mode, middle_[e]);
    if (middle_[e].mode != end_[e].mode) follow(e, middle, to, middle_[e].mode, end_[e]);
  }
}

void Run::find_events(double from, double to) {
  for (std::size_t e = 0; e < watch_.size(); ++e)
    if (watch_[e].mode != end_[e].mode) follow(e, from, to, watch_[e].mode, end_[e]);
}

void Run::keep_events() {
  std::stable_sort(found_.begin(), found_.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
  event_count_ += found_.size();
  for (Event& event : found_) {
    if (events_.size() >= options_.most_events) break;
    // One that had to last first comes after others that were later.
    const auto later = [](const Event& a, const Event& b) { return a.time < b.time; };
    events_.insert(std::upper_bound(events_.begin(), events_.end(), event, later), std::move(event));
  }
}

/// The changes of an element from one mode to another, each bracketed on the dense output until the bracket is 1e-12 of the time.
void Run::follow(std::size_t element, double from, double to, Mode mode, const Watch& goal) {
  const Readings::Item& item = readings_.elements()[element];
  const auto entries = entries_of(item);
  // A law may pass through several modes within a step; more than these is not motion but rounding.
  for (int changes = 0; changes < 4 && mode != goal.mode; ++changes) {
    double low = from, high = to;
    Watch after = goal;
    const double resolution = 1e-12 * std::max(to, time() - integrator_->time_before());
    while (high - low > resolution) {
      const double t = low + (high - low) / 2;
      integrator_->interpolate(t, entries, scratch_);
      const Watch seen = item.pool->watch(work_.instant(t, scratch_), tau_, item.index);
      if (seen.mode == mode) low = t;
      else high = t, after = seen;
    }
    note(element, high, mode, after);
    mode = after.mode;
    from = high;
  }
  if (mode != goal.mode) note(element, to, mode, goal);
}

void Run::note(std::size_t element, double t, Mode before, const Watch& after) {
  const std::string& name = readings_.elements()[element].name();
  if ((before == Mode::open) != (after.mode == Mode::open)) touch_or_release(element, t, before == Mode::open, after.gap_rate);
  if (contacts_[element].touching == 0 && contacts_[element].pending >= 0) return;  // a touch that is not believed yet
  if (after.mode == Mode::slipping) found_.push_back({t, Event::Kind::slip, name, 0});
  if (before == Mode::slipping && after.mode == Mode::held) found_.push_back({t, Event::Kind::stick, name, 0});
}

/// A contact that carries next to nothing opens and closes by rounding, and with an implicit method by whatever one step cannot
/// resolve. What is slower than that has to last for a whole step before it is believed.
void Run::touch_or_release(std::size_t element, double t, bool touch, double gap_rate) {
  Contact& contact = contacts_[element];
  const double speed = std::abs(gap_rate);
  fastest_contact_ = std::max(fastest_contact_, speed);
  if (touch == (contact.touching != 0)) return void(contact.pending = -1);  // back to what it was
  // Equations of the user's own do not say how fast a gap closes.
  if ((speed > 0 || readings_.knows_energy()) && speed <= slowest_impact * fastest_contact_ + free_speed_)
    return void((contact.pending = t, contact.pending_rate = gap_rate));
  contact.pending = -1;
  contact.touching = touch ? 1 : 0;
  const std::string& name = readings_.elements()[element].name();
  if (touch) {
    contact.since = t;
    contact.speed = -gap_rate;
    found_.push_back({t, Event::Kind::touch, name, contact.speed});
    return;
  }
  found_.push_back({t, Event::Kind::release, name, gap_rate});
  if (contact.speed > 0 && impacts_.size() < options_.most_events)
    impacts_.push_back({name, contact.since, t, contact.speed, gap_rate});
  contact.longest = std::max(contact.longest, t - contact.since);
  contact.since = -1;
}

void Run::believe_what_lasts(double since) {
  for (std::size_t e = 0; e < contacts_.size(); ++e) {
    Contact& contact = contacts_[e];
    if (contact.pending < 0 || contact.pending > since) continue;
    const double t = std::exchange(contact.pending, -1);
    const std::string& name = readings_.elements()[e].name();
    contact.touching = 1 - contact.touching;
    if (contact.touching != 0) {
      contact.since = t;
      contact.speed = 0;  // laid down: no impact
      found_.push_back({t, Event::Kind::touch, name, -contact.pending_rate});
    } else {
      found_.push_back({t, Event::Kind::release, name, contact.pending_rate});
      contact.longest = std::max(contact.longest, t - contact.since);
      contact.since = -1;
    }
  }
}

double Run::longest_contact(std::string_view element) const {
  const auto& elements = readings_.elements();
  for (std::size_t e = 0; e < elements.size(); ++e)
    if (elements[e].name() == element)
      return std::max(contacts_[e].longest, contacts_[e].since >= 0 ? time() - contacts_[e].since : 0.0);
  throw std::invalid_argument("no element is named " + std::string(element));
}

/// What element e stores over a part of the last step in which it touches, lets go, sticks or slips: there the dissipated power
/// jumps, and is no power to be integrated.
double Run::stored_between(std::size_t e, double from, double to) {
  const Readings::Item& item = readings_.elements()[e];
  const auto entries = entries_of(item);
  const auto energy_at = [&](double t) {
    integrator_->interpolate(t, entries, scratch_);
    return item.pool->energy(work_.instant(t, scratch_), item.index);
  };
  const double before = energy_at(from);
  return energy_at(to) - before;
}

/// Whether a prescribed motion bends within a step: then its ends do not show where it went.
bool Run::bends(double from, double to) {
  if (!corners_ || world_.given_numbers() == 0) return false;
  const auto copy = [&](double t, std::vector<double>& numbers) {
    const double* given = work_.instant(t, state()).given;
    numbers.assign(given, given + world_.given_numbers());
  };
  copy(from, given_before_);
  copy(to, given_after_);
  for (const double share : {0.13, 0.29, 0.5, 0.71, 0.83}) {  // of no common period
    const double* given = work_.instant(from + share * (to - from), state()).given;
    bool any = false;
    world_.pools().each_body_pool([&](const BodyPool& pool) {
      if (!pool.is_given || any) return;
      for (std::size_t c = 0; c < pool.velocity_column(0); ++c)
        for (std::size_t i = 0; i < pool.count(); ++i) {
          const std::size_t k = pool.motion.at(c, i);
          const double straight = given_before_[k] + share * (given_after_[k] - given_before_[k]);
          any = any || std::abs(given[k] - straight) > (c < 3 ? 1e-4 : 0.02);  // m, or of a rotation
        }
    });
    if (any) return true;
  }
  return false;
}

/// A contact that is open at both ends of a step and came nearer before it went away: bodies may have passed through each other.
/// Adaptive methods are kept from that by their guard. Where a prescribed motion bends, all of the step is looked at.
void Run::look_for_missed_touches(double from, double to) {
  constexpr int looks = 64;
  std::optional<bool> bent;
  for (std::size_t e = 0; e < watch_.size(); ++e) {
    const Watch &before = watch_[e], &after = end_[e];
    const Readings::Item& item = readings_.elements()[e];
    const auto given = [](const End& end) { return end.bodies && end.bodies->is_given; };
    // One that still touches where the step ends, but is on its way out, may have come from the other side.
    const bool leaves = after.mode != Mode::none && after.mode != Mode::open && after.gap_rate > 0;
    if (before.mode != Mode::open || !(after.mode == Mode::open || leaves)) continue;
    if (!bent && (given(item.pool->a) || given(item.pool->b))) bent = bends(from, to);
    const bool whole = bent.value_or(false) && (given(item.pool->a) || given(item.pool->b));
    if (!whole && (!(before.gap_rate < 0) || !(after.gap_rate > 0))) continue;
    const auto entries = entries_of(item);
    // Along the straight way: what was thrown back stays outside on it.
    std::vector<double> first, last;
    integrator_->interpolate(from, entries, scratch_);
    for (const std::size_t i : entries) first.push_back(scratch_[i]);
    integrator_->interpolate(to, entries, scratch_);
    for (const std::size_t i : entries) last.push_back(scratch_[i]);
    double low = 0, high = 1, gap = 0, fastest = std::abs(before.gap_rate);
    const auto look_at = [&](double share) {
      for (std::size_t k = 0; k < entries.size(); ++k) scratch_[entries[k]] = first[k] + share * (last[k] - first[k]);
      const auto now = work_.instant(from + share * (to - from), scratch_);
      gap = item.pool->gap(now, item.index);
      return item.pool->watch(now, tau_, item.index).gap_rate;
    };
    for (int round = 0; round < 30 && gap >= 0 && !whole; ++round) {  // to where it is nearest
      const double share = low + (high - low) / 2;
      (look_at(share) < 0 ? low : high) = share;
    }
    for (int k = 1; k < looks && gap >= 0 && whole; ++k) {
      const double rate = std::abs(look_at(double(k) / looks));
      if (std::isfinite(rate)) fastest = std::max(fastest, rate);
    }
    if (gap >= 0 || !(fastest > 0)) continue;
    if (leaves) {
      constexpr double much = 10;  // thrown back it is nowhere deeper than at the end
      const double deepest = gap;
      look_at(1);
      if (!(deepest < much * gap)) continue;
      gap = deepest;
    }
    if (missed_.count++ == 0) missed_ = {1, e, from, -gap, fastest};
  }
}

/// A force that depends on the motion and acts in a place that the step passed over. Adaptive methods are kept from that by their
/// guard.
void Run::look_for_unfelt(double from, std::span<const double> before, double to, std::span<const double> after) {
  if (!passed_over_) return;
  constexpr double share = 0.01;  // of a velocity
  const auto found = passed_over_->between(from, before, to, after, share);
  if (!found) return;
  const std::uint64_t of = std::uint64_t(found->of - world_.of_motion().data());
  if (unfelt_.count++ == 0) unfelt_ = {1, of, found->begins, found->force};
}

/// Contacts that turned around in a part of the last step: there they were deepest. Bodies that pass each other turn there, too.
void Run::look_at_turns(double from, double to) {
  const double slow = slowest_turn * fastest_contact_;
  for (std::size_t e = 0; e < watch_.size(); ++e) {
    if (watch_[e].mode == Mode::open || watch_[e].mode == Mode::none) continue;
    if (!(watch_[e].gap_rate < -slow) || !(end_[e].gap_rate >= 0)) continue;
    const Readings::Item& item = readings_.elements()[e];
    const auto entries = entries_of(item);
    double low = from, high = to;
    for (int round = 0; round < 40; ++round) {
      const double t = low + (high - low) / 2;
      integrator_->interpolate(t, entries, scratch_);
      (item.pool->watch(work_.instant(t, scratch_), tau_, item.index).gap_rate < 0 ? low : high) = t;
    }
    integrator_->interpolate(low, entries, scratch_);
    look_at_depth(e, low, scratch_);
  }
}

void Run::look_at_depth(std::size_t e, double t, std::span<const double> x) {
  constexpr double unknown = -1;
  const Readings::Item& item = readings_.elements()[e];
  const Instant at = work_.instant(t, x);
  const double depth = -item.pool->gap(at, item.index);
  if (!(depth > 0) || !std::isfinite(depth)) return;
  thickness_.resize(watch_.size(), unknown);
  if (thickness_[e] == unknown || item.pool->hands_over()) {
    Probe probe(at, x.size(), world_.force_numbers());
    thickness_[e] = probe.thickness(*item.pool, item.index);
    // A probe is as large as the world: it looks at all the contacts that the same audit will ask for.
    const auto& elements = readings_.elements();
    for (std::size_t other = e + 1; x.data() == state().data() && other < elements.size(); ++other) {
      if (thickness_[other] != unknown || watch_[other].mode == Mode::open || watch_[other].mode == Mode::none) continue;
      const double its_depth = -elements[other].pool->gap(at, elements[other].index);
      if (its_depth > 0 && std::isfinite(its_depth))
        thickness_[other] = probe.thickness(*elements[other].pool, elements[other].index);
    }
  }
  const Deep deep{e, t, depth, thickness_[e]};
  if (deep.share() > deep_.share()) deep_ = deep;
}

}  // namespace asperity
