// The energy account of a run: what went in, what each element dissipated, island by island.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "asperity/run/run.hpp"
#include "companion.hpp"
#include "pools/threads.hpp"
#include "setup/connected.hpp"
#include "step_check.hpp"

namespace asperity {
namespace {

/// Elements of a pool that are worth a second thread to watch.
constexpr std::size_t watched_together = 2048;

/// Looks at the energy of all elements this often in a run; in one of many elements, not at every step.
constexpr int audits = 1000;
/// Of these, one in so many looks at rounding.
constexpr std::uint64_t audits_to_rounding = 50;
constexpr std::size_t many_elements = 256;
constexpr double steps_to_an_audit = 16;

}  // namespace

/// The energy of a part of an implicit step, at its stages: there the forces acted, and there the laws hold. What the bodies lose
/// besides, M |dv|^2/2 of one stage over dv, is the damping of the method, and is left to the closing error.
void Run::take(const StepPart& part) {
  ByParts& by = *by_parts_;
  look_for_unfelt(part.from, part.before, part.to, part.after);
  for (const StepPart::Stage& stage : part.stages) {
    input_power(stage.t, stage.x, power_end_, &stage);
    for (std::size_t k = 0; k < islands_.size(); ++k) {
      const double pushed = stage.weight * power_end_[k];
      islands_[k].work_in += pushed;
      islands_[k].work_gross += std::abs(pushed);
    }
    const Corner corner = corner_in(part.from, stage.t);
    const Instant at = work_.instant(std::min(stage.t, corner.before), stage.x);
    std::size_t next = 0;
    world_.pools().each_element_pool([&](const ElementPool& pool) {
      pool.watch(at, stage.tau, 0, pool.count(), by.watch.data() + next);
      next += pool.count();
    });
    for (std::size_t e = 0; e < by.watch.size(); ++e) {
      if (!stage.moved(by.body[e])) continue;
      const Watch& seen = by.watch[e];
      heat_[e] += stage.weight * seen.heat;
      by.work[e] += stage.weight * seen.power;
      by.heat[e] += stage.weight * seen.heat;
      flow_[e].through += stage.weight * std::abs(seen.power);
      Island& island = islands_[island_of_element_[e]];
      island.work_in += stage.weight * seen.by_course;
      island.work_gross += stage.weight * std::abs(seen.by_course);
    }
  }
}

/// The first corner of what depends on time in a step of a fixed method; none: infinite. One at its end counts, one at its start
/// does not, whatever rounding makes of them.
Corner Run::corner_in(double t0, double t1) {
  if (!corners_ || !(t1 > t0)) return {};
  constexpr double window = 64;  // steps that are looked through at once
  const double rounding = 1e-6 * options_.step;
  if (!(next_corner_.after > t0 + rounding) || (!(corners_until_ > t1 + rounding) && std::isinf(next_corner_.after))) {
    corners_until_ = t1 + window * options_.step;
    next_corner_ = corners_->corner(t0 + rounding, corners_until_);
    if (!(next_corner_.before < next_corner_.after)) {  // so far was looked, without one
      corners_until_ = std::min(corners_until_, next_corner_.after);
      next_corner_ = {};
    }
  }
  return next_corner_.after <= t1 + rounding ? next_corner_ : Corner{};
}

void Run::find_shape_pairs() {
  in_shape_pair_.assign(readings_.elements().size(), 0);
  std::size_t first = 0;
  world_.pools().each_element_pool([&](const ElementPool& pool) {
    const std::size_t begin = std::exchange(first, first + pool.count());
    if (!pool.hands_over()) return;
    const auto same = [](const End& end, std::size_t i, std::size_t j) { return !end.bodies || end.index[i] == end.index[j]; };
    for (std::size_t i = 0; i < pool.count(); ++i) {
      in_shape_pair_[begin + i] = 1;
      if (i > 0 && same(pool.a, i - 1, i) && same(pool.b, i - 1, i)) shape_pairs_.back().end = begin + i + 1;
      else shape_pairs_.push_back({begin + i, begin + i + 1});
    }
  });
}

/// Where points of a pair came, went, or changed their way to act: what the pair took in and does not store is dissipated,
/// whichever of its points has it. It goes to the one that stores most.
void Run::book_pair(std::size_t pair, double taken_in, double by_laws, double stored_before, double stored_now) {
  const auto stored = [&](std::size_t e) { return std::max(watch_[e].stored, end_[e].stored); };
  std::size_t most = shape_pairs_[pair].first;
  for (std::size_t e = most; e < shape_pairs_[pair].end; ++e)
    if (stored(e) > stored(most)) most = e;
  heat_[most] += taken_in - (stored_now - stored_before) - by_laws;
}

/// Energy and events of the last step, piece by piece of the dense output, or in four parts of a step that may be long. Simpson's
/// rule over them is of the order of the best method; an implicit method says itself what it did. Where a prescribed velocity
/// jumps, a piece ends with what was before, and the next begins with what is behind.
void Run::account(double t0, double t1) {
  std::vector<Piece>& pieces = pieces_;
  pieces.clear();
  if (adaptive_) {
    for (int i = 1; i <= 4; ++i) pieces.push_back({t0 + (t1 - t0) * i / 4, t0 + (t1 - t0) * i / 4});
    pieces.back() = {t1, integrator_->seen(t1)};
  } else {
    for (const double knot : integrator_->knots()) pieces.push_back({knot, knot});
    pieces.push_back({t1, t1});
    constexpr int most_corners = 4;
    double from = t0;
    for (int i = 0; i < most_corners; ++i) {
      const Corner corner = corner_in(from, t1);
      if (std::isinf(corner.after)) break;
      from = corner.after;
      if (std::abs(corner.after - t1) <= 1e-6 * options_.step) {
        pieces.back() = {std::max(t1, corner.after), corner.before};
        break;
      }
      if (!by_parts_)
        pieces.insert(std::find_if(pieces.begin(), pieces.end(), [&](const Piece& one) { return one.end > corner.after; }),
                      {corner.after, corner.before});
    }
  }
  const bool sampled = !world_.controllers().empty();
  found_.clear();
  double to = t0;
  for (const Piece& piece : pieces) {
    const bool last = &piece == &pieces.back();
    const double from = std::exchange(to, last ? t1 : piece.end);
    const double middle = from + (to - from) / 2;
    // Between the ends of an implicit step there is nothing to see: a stiffness that it steps over makes forces of any
    // interpolation.
    if (!by_parts_) look(middle, middle_, power_middle_);
    if (last) {
      watch_all(work_.instant(piece.seen, state()), end_);
      // Controllers look at the motion after the step: their forces in it were those before.
      if (sampled) integrator_->interpolate(t1, scratch_);
      input_power(adaptive_ ? piece.seen : t1, sampled ? std::span<const double>(scratch_) : state(), power_end_);
    } else {
      look(piece.seen, end_, power_end_);
    }
    const double sixth = by_parts_ ? 0 : (to - from) / 6;
    for (std::size_t k = 0; k < islands_.size(); ++k) {
      Island& island = islands_[k];
      const double before = std::exchange(island.power_in, power_end_[k]);
      if (sixth == 0) continue;
      island.work_in += sixth * (before + 4 * power_middle_[k] + power_end_[k]);
      island.work_gross += sixth * (std::abs(before) + 4 * std::abs(power_middle_[k]) + std::abs(power_end_[k]));
    }
    for (std::size_t e = 0; e < heat_.size() && sixth > 0; ++e) {
      flow_[e].through += sixth * (std::abs(watch_[e].power) + 4 * std::abs(middle_[e].power) + std::abs(end_[e].power));
      Island& island = islands_[island_of_element_[e]];
      island.work_in += sixth * (watch_[e].by_course + 4 * middle_[e].by_course + end_[e].by_course);
      island.work_gross +=
          sixth * (std::abs(watch_[e].by_course) + 4 * std::abs(middle_[e].by_course) + std::abs(end_[e].by_course));
      if (in_shape_pair_[e]) continue;
      // What a law of sampled time makes of its state in a step is its own: it has no rate in between.
      const bool steady =
          watch_[e].mode == middle_[e].mode && middle_[e].mode == end_[e].mode && !readings_.elements()[e].pool->about().discrete;
      heat_[e] += steady ? sixth * (watch_[e].heat + 4 * middle_[e].heat + end_[e].heat)
                         : sixth * (watch_[e].power + 4 * middle_[e].power + end_[e].power) - stored_between(e, from, to);
    }
    for (std::size_t p = 0; p < shape_pairs_.size(); ++p) {
      ShapePair& pair = shape_pairs_[p];
      bool changed = false;
      double before = 0, after = 0, taken_in = 0, by_laws = 0;
      for (std::size_t e = pair.first; e < pair.end; ++e) {
        changed = changed || watch_[e].mode != end_[e].mode || (watch_[e].stored == 0) != (end_[e].stored == 0);
        before += watch_[e].stored;
        after += end_[e].stored;
        if (sixth == 0) continue;
        changed = changed || watch_[e].mode != middle_[e].mode;
        const double heat = sixth * (watch_[e].heat + 4 * middle_[e].heat + end_[e].heat);
        heat_[e] += heat;
        by_laws += heat;
        taken_in += sixth * (watch_[e].power + 4 * middle_[e].power + end_[e].power);
      }
      if (&piece == &pieces.front()) pair.stored = before, pair.changed = false;
      pair.changed = pair.changed || changed;
      if (changed && sixth > 0) book_pair(p, taken_in, by_laws, before, after);
      if (last && by_parts_ && pair.changed) {
        for (std::size_t e = pair.first; e < pair.end; ++e) taken_in += by_parts_->work[e], by_laws += by_parts_->heat[e];
        book_pair(p, taken_in, by_laws, pair.stored, after);
      }
    }
    if (by_parts_) find_events(from, to);
    else find_events(from, middle, to);
    if (!adaptive_) look_for_missed_touches(from, to);
    look_at_turns(from, to);
    watch_.swap(end_);
    if (piece.seen == piece.end && !(last && sampled)) continue;
    if (last) {
      watch_all(work_.instant(piece.end, state()), watch_);
      input_power(piece.end, state(), power_end_);
    } else {
      look(piece.end, watch_, power_end_);
    }
    for (std::size_t k = 0; k < islands_.size(); ++k) islands_[k].power_in = power_end_[k];
  }
  if (!adaptive_ && !by_parts_) look_for_unfelt(t0, last_, t1, state());
  // Elements that came to stand for other points after the step: what they stored before, and do not store now, is dissipated.
  const auto handed = [&](std::size_t e) {
    return std::any_of(shape_pairs_.begin(), shape_pairs_.end(),
                       [&](const ShapePair& pair) { return pair.changed && pair.first <= e && e < pair.end; });
  };
  std::size_t first = 0;
  world_.pools().each_element_pool([&](const ElementPool& pool) {
    const std::size_t begin = std::exchange(first, first + pool.count());
    if (!pool.hands_over()) return;
    integrator_->interpolate(t1, scratch_);
    for (std::size_t i = 0; i < pool.count(); ++i) {
      bool changed = false;
      for (std::size_t c = 0; c < pool.state_numbers(); ++c)
        changed = changed || scratch_[pool.state.at(c, i)] != state()[pool.state.at(c, i)];
      if (changed && !handed(begin + i))
        heat_[begin + i] += pool.energy(work_.instant(t1, scratch_), i) - pool.energy(work_.instant(t1, state()), i);
    }
  });
  believe_what_lasts(t0);
  keep_events();
  for (const std::size_t b : rubbing_) {
    const Readings::Body& body = readings_.bodies()[b];
    rubbed_[b] += body.pool->lost(body.index, last_.data(), state().data());
  }
  if (t1 >= next_audit_) audit();
}

/// A passive element dissipates more and more: what it has dissipated falls only if it stores less than it says, or if the
/// integration feeds it.
void Run::audit() {
  next_audit_ = (std::floor(time() / options_.duration * audits) + 1) / audits * options_.duration;
  if (!adaptive_ && flow_.size() >= many_elements)
    next_audit_ = std::max(next_audit_, time() + (steps_to_an_audit - 0.5) * options_.step);
  for (std::size_t e = 0; e < flow_.size(); ++e) {
    // One that does not say what it stores has stored nothing where it is open.
    if (!readings_.elements()[e].pool->about().stores && watch_[e].mode != Mode::open) continue;
    flow_[e].most = std::max(flow_[e].most, heat_[e]);
    flow_[e].fallen = std::max(flow_[e].fallen, flow_[e].most - heat_[e]);
  }
  for (std::size_t e = 0; e < watch_.size(); ++e)
    if (watch_[e].mode != Mode::open && watch_[e].mode != Mode::none) look_at_depth(e, time(), state());
  if (step_check_) step_check_->follow(time(), state());
  if (!readings_.knows_energy()) return;
  const auto now = energies(time(), state());
  const bool first = time() == 0;
  const auto widen = [&](double number, double& low, double& high) {
    low = first ? number : std::min(low, number);
    high = first ? number : std::max(high, number);
  };
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    Island& island = islands_[k];
    widen(now[k].potential, island.potential_low, island.potential_high);
    widen(now[k].stored, island.stored_low, island.stored_high);
    island.kinetic = std::max(island.kinetic, now[k].kinetic);
    const double error = closing_error(island, now[k]);
    if (!(std::abs(error) <= std::abs(island.closing_error))) island.closing_error = error, island.closing_error_time = time();
  }
  note_resolution(now);
  if (audits_++ % audits_to_rounding == 0) note_rounding(now);
  last_audit_ = time();
}

double Run::closing_error(const Island& island, const Energies& now) {
  return island.work_in - (now.kinetic + now.potential + now.stored - island.start) - now.dissipated;
}

namespace {

/// Potential and stored energy for themselves: at rest their sum changes by nothing.
template <class Energies>
double change(const Energies& moved, const Energies& of) {
  return std::abs(moved.kinetic - of.kinetic) + std::abs(moved.potential - of.potential) + std::abs(moved.stored - of.stored);
}

}  // namespace

/// What rounding makes of the energy: every step rounds every number of the state once, and every gap by the last digit of the
/// positions that it is the difference of. Elements count for themselves: where forces are in balance their sum would hide it.
void Run::note_rounding(const std::vector<Energies>& now) {
  constexpr double digit = std::numeric_limits<double>::epsilon();
  const auto& items = readings_.elements();
  const auto stored = [&](const Instant& at, std::size_t e) {
    return items[e].pool->about().stores ? items[e].pool->energy(at, items[e].index) : 0;
  };
  std::vector<double> before(items.size());
  const Instant here = work_.instant(time(), state());
  for (std::size_t e = 0; e < items.size(); ++e) before[e] = stored(here, e);

  const auto each_position = [&](const Readings::Body& body, auto&& f) {
    for (std::size_t c = 0; c < std::min<std::size_t>(3, body.pool->velocity_column(0)); ++c)  // not the rotation
      f(body.pool->motion.at(c, body.index));
  };
  double farthest = 0;
  for (const Readings::Body& body : readings_.bodies())
    each_position(
        body, [&](std::size_t i) { farthest = std::max(farthest, std::abs(body.pool->is_given ? here.given[i] : here.state[i])); });
  scratch_.assign(state().begin(), state().end());
  for (double& number : scratch_) number += digit * std::abs(number);
  for (const Readings::Body& body : readings_.bodies())
    if (!body.pool->is_given) each_position(body, [&](std::size_t i) { scratch_[i] = state()[i] + digit * farthest; });

  const auto moved = energies(time(), scratch_);
  std::vector<double> of_step(islands_.size());
  for (std::size_t k = 0; k < islands_.size(); ++k) of_step[k] = change(moved[k], now[k]);
  const Instant there = work_.instant(time(), scratch_);
  for (std::size_t e = 0; e < items.size(); ++e) of_step[island_of_element_[e]] += std::abs(stored(there, e) - before[e]);
  for (std::size_t k = 0; k < islands_.size(); ++k)
    if (of_step[k] > islands_[k].rounding_of_step) islands_[k].rounding_of_step = of_step[k];
}

/// The energy below which a method resolves nothing. Of an adaptive one, what its tolerance makes: of the state, and of a velocity
/// against the forces, over time. Of one that looks ahead, the fall of one step, M (g h)^2: what rests on something settles by
/// fractions of it.
void Run::note_resolution(const std::vector<Energies>& now) {
  if (!adaptive_ && ((!by_parts_ && tau_ == 0) || readings_.elements().empty())) return;
  if (adaptive_) {
    std::size_t first_of_elements = state().size();  // bodies come first
    for (const Readings::Item& item : readings_.elements())
      if (item.index == 0 && item.pool->state_numbers() > 0)
        first_of_elements = std::min(first_of_elements, item.pool->state.at(0, 0));
    for (const double passed : {1.0, time() - last_audit_}) {
      scratch_.assign(state().begin(), state().end());
      for (std::size_t i = 0; i < scratch_.size(); ++i) {
        // A deflection below atol is not resolved at all: its own size is what may be wrong, not atol, whose energy may be
        // anything.
        const double size = std::abs(scratch_[i]), atol = std::min(options_.atol, largest_atol);
        scratch_[i] += ((i < first_of_elements ? atol : std::min(atol, size)) + options_.rtol * size) * passed;
      }
      const auto moved = energies(time(), scratch_);
      for (std::size_t k = 0; k < islands_.size(); ++k) {
        if (passed == 1) islands_[k].unresolved = std::max(islands_[k].unresolved, change(moved[k], now[k]));
        else islands_[k].drift += change(moved[k], now[k]);
      }
    }
    return;
  }
  scratch_.assign(state().begin(), state().end());
  for (const std::size_t i : velocities_in(readings_)) scratch_[i] = 0;
  std::vector<double> free(scratch_.size());
  work_.free_rate(time(), scratch_, free);
  for (const Readings::Body& body : readings_.bodies())
    for (std::size_t c = body.pool->velocity_column(0); !body.pool->is_given && c < body.pool->motion_numbers(); ++c) {
      const std::size_t i = body.pool->motion.at(c, body.index);
      scratch_[i] = options_.step * free[i];
      if (by_parts_) free_speed_ = std::max(free_speed_, std::abs(scratch_[i]));
    }
  const auto& bodies = readings_.bodies();
  std::vector<double> falling(islands_.size(), 0.0);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    falling[island_of_body_[b]] += 2 * bodies[b].pool->kinetic_of(bodies[b].index, scratch_.data());
  for (std::size_t k = 0; k < islands_.size(); ++k) islands_[k].unresolved = std::max(islands_[k].unresolved, falling[k]);
}

/// Watches the elements at a time within the last step, and the power of the pushes.
void Run::look(double t, std::vector<Watch>& into, std::vector<double>& power) {
  integrator_->interpolate(t, scratch_);
  watch_all(work_.instant(t, scratch_), into);
  input_power(t, scratch_, power);
}

EnergyAccount Run::energy() const {
  if (!readings_.knows_energy()) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return {unknown, unknown, unknown, unknown, unknown, unknown};
  }
  EnergyAccount account;
  double start = 0;
  for (const Island& island : islands_) account.work_in += island.work_in, start += island.start;
  account.kinetic = world_.kinetic(state());
  account.potential = world_.potential(state());
  account.stored = work_.stored(time(), state());
  for (const double heat : heat_) account.dissipated += heat;
  for (const double rubbed : rubbed_) account.dissipated += rubbed;
  account.closing_error = account.work_in - (account.kinetic + account.potential + account.stored - start) - account.dissipated;
  return account;
}

void Run::input_power(double t, std::span<const double> x, std::vector<double>& power, const StepPart::Stage* stage) const {
  power.assign(islands_.size(), 0.0);
  std::size_t next = 0;
  world_.each_push(t, work_.instant(t, x), [&](const BodyId& body, std::size_t coordinate, double force) {
    const std::size_t island = island_of_push_[next++];
    if (body.pool->is_given) return;
    const std::size_t entry = body.pool->motion.at(body.pool->velocity_column(coordinate), body.index);
    if (!stage || stage->moved(entry)) power[island] += force * x[entry];
  });
}

/// Bodies that elements connect, directly or through others that move. The ground and prescribed bodies connect nothing. An
/// element between two of these goes with the first island.
void Run::find_islands() {
  const Connected connected(world_.pools());
  std::map<std::size_t, std::size_t> known;  // by the body that stands for an island
  const auto island_of = [&](const BodyPool& pool, std::size_t i) {
    const auto [found, is_new] = known.emplace(connected.top(&pool, i), islands_.size());
    if (is_new) islands_.emplace_back(), island_names_.push_back(pool.names[i]);
    return found->second;
  };
  for (const Readings::Body& body : readings_.bodies())
    island_of_body_.push_back(body.pool->is_given ? 0 : island_of(*body.pool, body.index));
  if (islands_.empty()) islands_.emplace_back(), island_names_.emplace_back();
  for (const Readings::Item& item : readings_.elements()) {
    island_of_element_.push_back(0);
    for (const End* end : {&item.pool->a, &item.pool->b})
      if (Connected::moves(*end)) island_of_element_.back() = island_of(*end->bodies, end->index[item.index]);
  }
  const auto remember = [&](const BodyId& body) {
    island_of_push_.push_back(body.pool->is_given ? 0 : island_of(*body.pool, body.index));
  };
  world_.each_push_function([&](const BodyId& body, std::size_t, const auto&) { remember(body); });
  for (const Feedback& one : world_.feedbacks()) remember(one.body);
  for (const Controller& one : world_.controllers()) remember(one.law.body);
  const auto now = energies(0, start_);
  for (std::size_t k = 0; k < islands_.size(); ++k) islands_[k].start = now[k].kinetic + now[k].potential + now[k].stored;
}

std::vector<Run::Energies> Run::energies(double t, std::span<const double> x) const {
  std::vector<Energies> list(islands_.size());
  const Instant at = work_.instant(t, x);
  const auto& bodies = readings_.bodies();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Energies& of = list[island_of_body_[b]];
    of.kinetic += bodies[b].pool->kinetic_of(bodies[b].index, x.data());
    of.potential += bodies[b].pool->potential_of(bodies[b].index, x.data());
    of.dissipated += rubbed_[b];
  }
  const auto& elements = readings_.elements();
  for (std::size_t e = 0; e < elements.size(); ++e) {
    Energies& of = list[island_of_element_[e]];
    of.stored += elements[e].pool->energy(at, elements[e].index);
    of.dissipated += heat_[e];
    of.through += flow_[e].through;
  }
  return list;
}

void Run::watch_all(const Instant& at, std::vector<Watch>& into) const {
  std::size_t next = 0;
  world_.pools().each_element_pool([&](const ElementPool& pool) {
    Watch* const all = into.data() + next;
    if (pool.count() < watched_together) pool.watch(at, tau_, 0, pool.count(), all);
    else
      in_chunks(threads_of(options_.threads), pool.count(), watched_together / 2,
                [&](std::size_t begin, std::size_t end) { pool.watch(at, tau_, begin, end, all + begin); });
    next += pool.count();
  });
}

}  // namespace asperity
