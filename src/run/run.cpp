#include "asperity/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "asperity/pools/kernels.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/setup/preload.hpp"
#include "companion.hpp"
#include "pools/threads.hpp"
#include "setup/connected.hpp"
#include "step_check.hpp"

namespace asperity {
namespace {

/// The look-ahead with which the forces of a method are read: its own, or the mean over its stages.
double look_ahead(std::string_view method, double h) {
  const AboutMethod* about = find_method(method);
  return about ? about->look_ahead * h : 0.0;
}

/// So that there are places to save where saving changes nothing; for cvode a few percent of its work.
constexpr int steps_until_afresh = 2000;

/// The closing error, of the largest energy in the account, from which on it is named; and from which on the run has failed.
constexpr double noted_energy = 1e-3, failed_energy = 0.05;
/// Up to this one it is no reason to doubt a motion that does not change with half the step.
constexpr double harmless_energy = 0.01;
/// Rounding of an account: a sum of so many parts of the last digit, at least.
constexpr double rounding_of_energy = 1e4 * std::numeric_limits<double>::epsilon();

/// A touch or a release is worth a name at once if it is not slower than this share of the fastest one.
constexpr double slowest_impact = 1e-7;

/// How long an adaptive method will take is judged by so many steps.
constexpr long steps_of_a_stretch = 10000;
/// It is too slow if the steps to come are this share of all that are allowed, and more than so many for each step of a fixed-step
/// run: such a method is there to take fewer. A burst passes: so many stretches on end stop it.
constexpr double too_many = 0.01, too_many_for_a_step = 100;
constexpr long patience = 10;
/// While it takes back so many steps for each that it keeps, the motion is too stiff for it; then the share alone decides, at once.
constexpr double many_rejected = 0.3;

/// An adaptive method with a larger tolerance is looked at: its errors may add up to more than they are. Of a smaller one nothing
/// finer is left than rounding.
constexpr double tightest_rtol = 1e-12;

/// Of the range of a motion: where half the step differs by so much, errors of steps that add up to more are no exaggeration.
constexpr double hopeless_difference = 0.25;

/// Elements of a pool that are worth a second thread to watch.
constexpr std::size_t watched_together = 2048;

/// Looks at the energy of all elements this often in a run; in one of many elements, not at every step.
constexpr int audits = 1000;
constexpr std::size_t many_elements = 256;
constexpr double steps_to_an_audit = 16;

/// The numbers of the state that an element sees: its own, and those of its bodies.
std::vector<std::size_t> entries_of(const Readings::Item& item) {
  std::vector<std::size_t> list;
  for (std::size_t c = 0; c < item.pool->state_numbers(); ++c) list.push_back(item.pool->state.at(c, item.index));
  for (const End* end : {&item.pool->a, &item.pool->b})
    for (std::size_t c = 0; end->bodies && !end->bodies->is_given && c < end->bodies->motion_numbers(); ++c)
      list.push_back(end->bodies->motion.at(c, end->index[item.index]));
  return list;
}

std::shared_ptr<const KernelMaker> kernels_of(int threads) {
  if (threads < 0) throw std::invalid_argument(fmt::format("threads = {}: must be >= 0", threads));
  return lane_kernels({.threads = threads_of(threads), .same_bits = true});
}

bool finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace

bool is_multiple(double time, double step) noexcept {
  const double n = std::round(time / step);
  return n >= 1 && std::abs(time - n * step) <= 1e-6 * step;
}

std::string_view to_text(Finding::Severity severity) noexcept {
  return std::array<std::string_view, 3>{"remark", "note", "failure"}[std::size_t(severity)];
}
std::string_view to_text(Finding::Kind kind) noexcept {
  return std::array<std::string_view, 5>{"energy", "dissipation", "error", "missed", "verify"}[std::size_t(kind)];
}
std::string_view to_text(Verdict verdict) noexcept {
  return std::array<std::string_view, 3>{"fine", "doubtful", "failed"}[std::size_t(verdict)];
}
Verdict verdict_of(std::span<const Finding> findings) noexcept {
  Verdict verdict = Verdict::fine;
  for (const Finding& finding : findings) verdict = std::max(verdict, Verdict(finding.severity));  // a level for each
  return verdict;
}

std::string_view to_text(Event::Kind kind) noexcept {
  return std::array<std::string_view, 4>{"touch", "release", "slip", "stick"}[std::size_t(kind)];
}

Run::Run(const World& world, RunOptions options)
    : world_(world),
      options_(std::move(options)),
      kernels_(kernels_of(options_.threads)),
      work_(world, kernels_),
      start_(world.start()),
      readings_(world),
      adaptive_(is_adaptive(options_.method)),
      tau_(look_ahead(options_.method, options_.step)) {
  std::vector<std::string> problems;
  const Record& record = options_.record;
  if (!options_.start.empty()) {
    if (options_.start.size() == start_.size()) start_ = options_.start;
    else problems.push_back(fmt::format("start has {} numbers: must be {}", options_.start.size(), start_.size()));
  }
  const auto on_grid = [&](std::string_view name, double value) {
    if (!(value > 0) || !std::isfinite(value)) problems.push_back(fmt::format("{} = {:g} s: must be > 0", name, value));
    else if (!adaptive_ && options_.step > 0 && !is_multiple(value, options_.step))
      problems.push_back(fmt::format("{} = {:g} s: must be a multiple of the step, {:g} s; use a step of {:.17g} s", name, value,
                                     options_.step, value / std::ceil(value / options_.step)));
  };
  on_grid("duration", options_.duration);
  if (record.every != 0) on_grid("record.every", record.every);
  if (!(options_.max_steps >= 1)) problems.push_back(fmt::format("max_steps = {:g}: must be >= 1", options_.max_steps));
  const auto affordable = [&](std::string_view name, double length, std::string_view what) {
    if (length > 0 && options_.duration > options_.max_steps * length)
      problems.push_back(fmt::format("{} = {:g} s: {:.3g} {} in {:g} s: must be <= max_steps = {:g}; raise it to run for so long",
                                     name, length, options_.duration / length, what, options_.duration, options_.max_steps));
  };
  for (const Controller& one : world_.controllers()) {
    const std::string name = fmt::format("controller of {}: ", one.law.body.pool->names[one.law.body.index]);
    if (adaptive_) problems.push_back(fmt::format("{}method = {}: must be one with a fixed step", name, options_.method));
    on_grid(name + "every", one.every);
    if (one.delay > 0) on_grid(name + "delay", one.delay);
  }
  affordable(adaptive_ ? "max_step" : "step", adaptive_ ? options_.max_step : options_.step, "steps");
  if (adaptive_) affordable("record.every", record.every, "rows");
  if (!record.columns.empty() && !record.sink) problems.emplace_back("record.sink: must be given to record columns");
  if (is_implicit(options_.method) && readings_.knows_energy()) by_parts_ = std::make_unique<ByParts>();
  try {
    std::function<void(const StepPart&)> on_part;
    if (by_parts_) on_part = [this](const StepPart& part) { take(part); };
    integrator_ = make_integrator(options_.method, world_,
                                  {.step = options_.step,
                                   .rtol = options_.rtol,
                                   .atol = options_.atol,
                                   .max_step = options_.max_step,
                                   .subdivide = options_.subdivide,
                                   .on_part = std::move(on_part),
                                   .say = options_.say,
                                   .kernels = kernels_});
  } catch (const std::invalid_argument& error) {
    problems.emplace_back(error.what());
  }
  columns_.push_back({"time", "s"});
  sources_.emplace_back();
  std::unordered_set<std::string> taken, asked;  // each once, where it is named first
  for (const std::string& name : record.columns) {
    if (!asked.insert(name).second) continue;
    try {
      for (auto& [quantity, source] : readings_.find(name)) {
        if (source.of == Source::Of::time || !taken.insert(quantity.name).second) continue;
        columns_.push_back(std::move(quantity));
        sources_.push_back(source);
      }
    } catch (const std::invalid_argument& error) {
      problems.push_back(std::string("record: ") + error.what());
    }
  }
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "\n")));
  std::vector<Warning> notes;
  if (options_.preload) {
    notes = preload(world_, start_).notes;
    world_.first_samples(start_);
  }
  warnings_ = check(world_, start_,
                    {.step = options_.step,
                     .method = options_.method,
                     .duration = options_.duration,
                     .strict = options_.strict,
                     .subdivide = options_.subdivide,
                     .preloaded = options_.preload});
  warnings_.insert(warnings_.end(), notes.begin(), notes.end());
  std::vector<Warning> obstacles;
  std::copy_if(warnings_.begin(), warnings_.end(), std::back_inserter(obstacles), [](const Warning& w) { return w.prevents; });
  if (!obstacles.empty()) throw SetUpError(std::move(obstacles));

  const std::size_t elements = readings_.elements().size();
  scratch_.resize(start_.size());
  row_.resize(sources_.size());
  heat_.resize(elements);
  flow_.resize(elements);
  rubbed_.resize(readings_.bodies().size());
  for (std::size_t b = 0; b < rubbed_.size(); ++b) {
    if (readings_.bodies()[b].pool->is_given) given_.push_back(b);
    if (readings_.bodies()[b].pool->rubs()) rubbing_.push_back(b);
  }
  if (by_parts_) {
    by_parts_->watch.resize(elements);
    for (const Readings::Item& item : readings_.elements()) {
      std::size_t entry = start_.size();
      for (const End* end : {&item.pool->a, &item.pool->b})
        if (end->bodies && !end->bodies->is_given) entry = end->bodies->motion.at(0, end->index[item.index]);
      by_parts_->body.push_back(entry);
    }
  }
  contacts_.resize(elements);
  watch_.resize(elements);
  middle_.resize(elements);
  end_.resize(elements);
  for (std::size_t i = 0; i < start_.size(); ++i)
    if (!std::isfinite(start_[i]))
      throw std::invalid_argument(fmt::format("{} = {} at the start{}: must be a finite number", readings_.name_in_state(i),
                                              start_[i], options_.preload ? ", preloaded" : ""));
  integrator_->start(0, start_);
  find_islands();
  watch_all(now(), watch_);
  input_power(0, start_, power_end_);
  for (std::size_t k = 0; k < islands_.size(); ++k) islands_[k].power_in = power_end_[k];
  for (std::size_t e = 0; e < elements; ++e)
    if (watch_[e].mode != Mode::none && watch_[e].mode != Mode::open) contacts_[e] = {0, -1, 0, 1};
  const auto sampled = [](const auto& item) { return item.pool->about().discrete; };
  const auto& items = readings_.elements();
  if (!adaptive_ && rubbing_.empty() && std::none_of(items.begin(), items.end(), sampled)) {
    step_check_ = std::make_unique<StepCheck>(world_, readings_, options_, kernels_);
    step_check_->follow(0, start_);
  }
  if (step_check_ || (adaptive_ && options_.rtol > tightest_rtol))
    companion_ = std::make_unique<Companion>(world_, readings_, options_, kernels_, start_);
  audit();
}

Run::~Run() = default;

double Run::time() const noexcept { return integrator_->time(); }
std::span<const double> Run::state() const noexcept { return integrator_->state(); }
Instant Run::now() const { return work_.instant(time(), state()); }

void Run::begin() {
  if (options_.record.sink) {
    options_.record.sink->start(columns_, rows_);
    if (rows_ == 0) put_row();
  }
  begun_ = true;
}

bool Run::go() {
  while (step()) {
  }
  if (options_.record.sink && begun_) options_.record.sink->close();
  return !failure_;
}

bool Run::step() {
  if (!begun_) begin();
  const double t0 = time();
  const double slack = adaptive_ ? 1e-14 * options_.duration : 1e-6 * options_.step;  // a rest that no step can take
  if (failure_ || t0 >= options_.duration - slack) return false;
  const double every = options_.record.every;
  const bool rows = bool(options_.record.sink);
  const double next_row = double(rows_) * every;
  last_.assign(state().begin(), state().end());
  if (by_parts_) by_parts_->before = {islands_, heat_, flow_};
  // What an implicit step wrote before it failed is taken back.
  const auto undo = [&] {
    if (by_parts_) std::tie(islands_, heat_, flow_) = by_parts_->before;
  };
  try {
    integrator_->step(rows && every > 0 ? std::min(next_row, options_.duration) : options_.duration);
    if (auto bad = bad_input(t0, time())) {
      // A law may have made numbers of it: what stands is the state before.
      before_ = statistics();
      integrator_->start(t0, last_);
      undo();
      failure_ = std::move(bad);
      if (rows) options_.record.sink->flush();
      return false;
    }
    if (adaptive_) check_headway();
    account(t0, time());
    if (step_check_ && step_check_->wants(std::uint64_t(statistics().steps), !found_.empty()))
      step_check_->look(t0, last_, time(), state(), !found_.empty());
    if (companion_) companion_->follow(time(), state());
    const auto counts = [](const Island& island) { return std::isfinite(island.work_in); };
    if (!std::all_of(islands_.begin(), islands_.end(), counts) || !finite(heat_)) throw NonFinite(time(), 0, true);
  } catch (const IntegrationFailure& failure) {
    undo();
    fail(failure, t0);
    return false;
  }
  const double t1 = time();
  if (rows && (every == 0 || t1 >= next_row - 1e-6 * every)) put_row();
  if (adaptive_ && ++since_afresh_ == steps_until_afresh) start_afresh();
  return true;
}

void Run::inputs_changed() {
  // What the integrators remember of the rate at this time was that of the old inputs.
  const std::vector<double> x(state().begin(), state().end());
  before_ = statistics();
  integrator_->start(time(), x);
  if (companion_) companion_->start_afresh(time());
  input_power(time(), state(), power_end_);
  for (std::size_t k = 0; k < islands_.size(); ++k) islands_[k].power_in = power_end_[k];
}

/// Steps that would take too long: the run stops while somebody is still watching.
void Run::check_headway() {
  const auto stop = [&](const std::string& why) {
    throw IntegrationFailure(fmt::format("{} makes no progress at t = {:g} s: {}: try another method (implicit2 takes any "
                                         "stiffness), a shorter run, or raise max_steps = {:g}",
                                         options_.method, time(), why, options_.max_steps),
                             time());
  };
  const Statistics all = statistics();
  if (double(all.steps) >= options_.max_steps && time() < options_.duration) stop(fmt::format("{} steps are taken", all.steps));
  if (++stretch_.steps < steps_of_a_stretch) return;
  const double gone = time() - stretch_.start, mean_step = gone / steps_of_a_stretch;
  const double left = (options_.duration - time()) / mean_step;
  const double rejected = double(all.rejected - stretch_.rejected_at_start) / steps_of_a_stretch;
  const double share = too_many * options_.max_steps;
  const bool stiff = rejected > many_rejected && left > share;
  const bool slow = left > std::max(share, too_many_for_a_step * options_.duration / options_.step);
  stretch_ = {time(), 0, all.rejected, slow ? stretch_.slow + 1 : 0};
  if (left > options_.max_steps || stiff || stretch_.slow == patience)
    stop(fmt::format("its last {} steps took it {} further, {:.2g} rejected for each; {:.2g} more would be needed",
                     steps_of_a_stretch, quantity_text(gone, "s"), rejected, left));
}

void Run::start_afresh() {
  if (!adaptive_) return;  // it has no history; and starting anew would give its bounds on work anew
  const std::vector<double> x(state().begin(), state().end());
  before_ = statistics();
  integrator_->start(time(), x);
  if (companion_) companion_->start_afresh(time());
  since_afresh_ = 0;
}

Statistics Run::statistics() const {
  Statistics all = before_;
  const Statistics& more = integrator_->statistics();
  all.steps += more.steps;
  all.rejected += more.rejected;
  all.evaluations += more.evaluations;
  all.jacobians += more.jacobians;
  all.restarts += more.restarts;
  all.iterations += more.iterations;
  all.retries += more.retries;
  all.substeps += more.substeps;
  all.absorbed += more.absorbed;
  all.switches += more.switches;
  return all;
}

/// The energy of a part of an implicit step, at its stages: there the forces acted, and there the laws hold. What the bodies lose
/// besides, M |dv|^2/2 of one stage over dv, is the damping of the method, and is left to the closing error.
void Run::take(const StepPart& part) {
  ByParts& by = *by_parts_;
  for (const StepPart::Stage& stage : part.stages) {
    input_power(stage.t, stage.x, power_end_, &stage);
    for (std::size_t k = 0; k < islands_.size(); ++k) {
      const double pushed = stage.weight * power_end_[k];
      islands_[k].work_in += pushed;
      islands_[k].work_gross += std::abs(pushed);
    }
    const Instant at = work_.instant(stage.t, stage.x);
    std::size_t next = 0;
    world_.pools().each_element_pool([&](const ElementPool& pool) {
      pool.watch(at, stage.tau, 0, pool.count(), by.watch.data() + next);
      next += pool.count();
    });
    for (std::size_t e = 0; e < by.watch.size(); ++e) {
      if (!stage.moved(by.body[e])) continue;
      const Watch& seen = by.watch[e];
      heat_[e] += stage.weight * seen.heat;
      flow_[e].through += stage.weight * std::abs(seen.power);
      Island& island = islands_[island_of_element_[e]];
      island.work_in += stage.weight * seen.by_course;
      island.work_gross += stage.weight * std::abs(seen.by_course);
    }
  }
}

/// Energy and events of the last step, piece by piece of the dense output, or in four parts of a step that may be long. Simpson's
/// rule over them is of the order of the best method; an implicit method says itself what it did.
void Run::account(double t0, double t1) {
  const std::span<const double> knots = integrator_->knots();
  const std::size_t pieces = adaptive_ ? 4 : knots.size() + 1;
  const double seen = integrator_->seen(t1);  // before a jump of an input at t1
  found_.clear();
  double to = t0;
  for (std::size_t i = 1; i <= pieces; ++i) {
    const double from = std::exchange(to, i == pieces ? t1
                                          : adaptive_ ? t0 + (t1 - t0) * double(i) / double(pieces)
                                                      : knots[i - 1]);
    const double middle = from + (to - from) / 2;
    // Between the ends of an implicit step there is nothing to see: a stiffness that it steps over makes forces of any
    // interpolation.
    if (!by_parts_) look(middle, middle_, power_middle_);
    if (to == t1) {
      watch_all(work_.instant(seen, state()), end_);
      input_power(seen, state(), power_end_);
    } else {
      look(to, end_, power_end_);
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
      const bool steady = watch_[e].mode == middle_[e].mode && middle_[e].mode == end_[e].mode;
      heat_[e] += steady ? sixth * (watch_[e].heat + 4 * middle_[e].heat + end_[e].heat)
                         : sixth * (watch_[e].power + 4 * middle_[e].power + end_[e].power) - stored_between(e, from, to);
    }
    if (by_parts_) find_events(from, to);
    else find_events(from, middle, to);
    if (!adaptive_) look_for_missed_touches(from, to);
    watch_.swap(end_);
  }
  if (seen != t1) {
    watch_all(now(), watch_);
    input_power(t1, state(), power_end_);
    for (std::size_t k = 0; k < islands_.size(); ++k) islands_[k].power_in = power_end_[k];
  }
  // Elements that came to stand for other points after the step: what they stored before, and do not store now, is dissipated.
  std::size_t first = 0;
  world_.pools().each_element_pool([&](const ElementPool& pool) {
    const std::size_t begin = std::exchange(first, first + pool.count());
    if (!pool.hands_over()) return;
    integrator_->interpolate(t1, scratch_);
    for (std::size_t i = 0; i < pool.count(); ++i) {
      bool changed = false;
      for (std::size_t c = 0; c < pool.state_numbers(); ++c)
        changed = changed || scratch_[pool.state.at(c, i)] != state()[pool.state.at(c, i)];
      if (changed) heat_[begin + i] += pool.energy(work_.instant(t1, scratch_), i) - pool.energy(work_.instant(t1, state()), i);
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

/// A contact that is open at both ends of a step and came nearer before it went away: bodies may have passed through each other.
/// Adaptive methods are kept from that by their guard.
void Run::look_for_missed_touches(double from, double to) {
  for (std::size_t e = 0; e < watch_.size(); ++e) {
    const Watch &before = watch_[e], &after = end_[e];
    if (before.mode != Mode::open || after.mode != Mode::open || !(before.gap_rate < 0) || !(after.gap_rate > 0)) continue;
    const Readings::Item& item = readings_.elements()[e];
    const auto entries = entries_of(item);
    // Along the straight way: what was thrown back stays outside on it.
    std::vector<double> first(scratch_.size());
    integrator_->interpolate(from, entries, first);
    integrator_->interpolate(to, entries, scratch_);
    const std::vector<double> last = scratch_;
    double low = 0, high = 1, gap = 0;
    for (int round = 0; round < 30 && gap >= 0; ++round) {  // to where it is nearest
      const double share = low + (high - low) / 2;
      for (const std::size_t i : entries) scratch_[i] = first[i] + share * (last[i] - first[i]);
      const auto now = work_.instant(from + share * (to - from), scratch_);
      gap = item.pool->gap(now, item.index);
      (item.pool->watch(now, tau_, item.index).gap_rate < 0 ? low : high) = share;
    }
    if (gap >= 0) continue;
    if (missed_.count++ == 0) missed_ = {1, e, from, -gap, -before.gap_rate};
  }
}

std::optional<Finding> Run::missed_finding() const {
  if (missed_.count == 0) return std::nullopt;
  const std::string name = readings_.elements()[missed_.element].name();
  const std::string more = missed_.count > 1 ? fmt::format(" (and {} more times)", missed_.count - 1) : "";
  return Finding{
      Finding::Severity::failure,
      Finding::Kind::missed,
      name,
      missed_.speed * options_.step,
      missed_.depth,
      fmt::format("{}: closed by {} at {} and opened again within the step at t = {:.4g} s{}: no force was felt, the bodies "
                  "passed through each other; use step <= {}, or an adaptive method",
                  name, quantity_text(missed_.depth, "m"), quantity_text(missed_.speed, "m/s"), missed_.time, more,
                  quantity_text(missed_.depth / missed_.speed / 4, "s"))};
}

/// A passive element dissipates more and more: what it has dissipated falls only if it stores less than it says, or if the
/// integration feeds it.
void Run::audit() {
  next_audit_ = (std::floor(time() / options_.duration * audits) + 1) / audits * options_.duration;
  if (!adaptive_ && flow_.size() >= many_elements)
    next_audit_ = std::max(next_audit_, time() + (steps_to_an_audit - 0.5) * options_.step);
  for (std::size_t e = 0; e < flow_.size(); ++e) {
    if (!readings_.elements()[e].pool->about().stores) continue;
    flow_[e].most = std::max(flow_[e].most, heat_[e]);
    flow_[e].fallen = std::max(flow_[e].fallen, flow_[e].most - heat_[e]);
  }
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
  last_audit_ = time();
}

double Run::closing_error(const Island& island, const Energies& now) {
  return island.work_in - (now.kinetic + now.potential + now.stored - island.start) - now.dissipated;
}

/// The energy below which a method resolves nothing. Of an adaptive one, what its tolerance makes: of the state, and of a velocity
/// against the forces, over time. Of one that looks ahead, the fall of one step, M (g h)^2: what rests on something settles by
/// fractions of it.
void Run::note_resolution(const std::vector<Energies>& now) {
  if (!adaptive_ && ((!by_parts_ && tau_ == 0) || readings_.elements().empty())) return;
  // Potential and stored energy for themselves: at rest their sum changes by nothing.
  const auto change = [&](const Energies& moved, const Energies& of) {
    return std::abs(moved.kinetic - of.kinetic) + std::abs(moved.potential - of.potential) + std::abs(moved.stored - of.stored);
  };
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

/// Of the island with the largest share.
std::optional<Finding> Run::energy_finding() const {
  using Severity = Finding::Severity;
  if (!readings_.knows_energy()) return std::nullopt;
  const auto now = energies(time(), state());
  std::optional<std::size_t> of;
  double share = noted_energy, error = 0, when = 0;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    const Island& island = islands_[k];
    const double at_end = closing_error(island, now[k]);
    if (failure_ && !std::isfinite(at_end)) continue;  // it says enough
    const bool ends_worst = !(std::abs(at_end) < std::abs(island.closing_error));
    const double worst = ends_worst ? at_end : island.closing_error;
    const double offsets = std::max({std::abs(island.potential_low), std::abs(island.potential_high), std::abs(island.stored_low),
                                     std::abs(island.stored_high), now[k].through, island.work_gross});
    const double scale =
        std::max({island.kinetic, now[k].kinetic, island.potential_high - island.potential_low,
                  island.stored_high - island.stored_low, island.work_gross, now[k].dissipated, island.unresolved + island.drift});
    const double here = worst == 0 ? 0 : std::abs(worst) / std::max(scale, rounding_of_energy * offsets / noted_energy);
    if (!(here <= share)) share = here, of = k, error = worst, when = ends_worst ? time() : island.closing_error_time;
    if (!std::isfinite(share)) break;
  }
  if (!of) return std::nullopt;
  const bool wrong = !(share <= failed_energy);
  const auto jump =
      std::find_if(warnings_.begin(), warnings_.end(), [](const Warning& w) { return w.kind == Warning::Kind::jump; });
  const bool jumps = jump != warnings_.end();
  const bool harmless = share <= harmless_energy && companion_ && companion_->complete() && !companion_->finding();
  const std::string advice =
      harmless     ? fmt::format("{} gives the same motion", adaptive_ ? "a smaller tolerance" : "half the step")
      : jumps      ? fmt::format("the position of {} jumps, and the work of that is not in the account", jump->component)
      : failure_   ? std::string(detail::until_it_stopped)
      : !adaptive_ ? fmt::format("the step, {}, is too long for this motion; use a shorter one", quantity_text(options_.step, "s"))
      : options_.rtol > tightest_rtol ? fmt::format("lower rtol, {:g}, and atol, {:g}", options_.rtol, options_.atol)
                                      : fmt::format("rtol, {:g}, cannot be much lower; try implicit2", options_.rtol);
  const std::string by = when == time() ? "" : fmt::format(" by t = {:.4g} s", when);
  const bool one_of_many = islands_.size() > 1;
  const std::string how_much = !std::isfinite(share)
                                   ? std::string("has energies beyond all numbers")
                                   : fmt::format("{} {}{}, {:.2g} % of the largest energy of {}", error < 0 ? "made" : "lost",
                                                 quantity_text(std::abs(error), "J"), by, 100 * share,
                                                 one_of_many ? island_names_[*of] + " and what is connected to it" : "the run");
  return Finding{harmless                                   ? Severity::remark
                 : wrong && options_.judge_energy && !jumps ? Severity::failure
                                                            : Severity::note,
                 Finding::Kind::energy,
                 one_of_many ? island_names_[*of] : "",
                 share,
                 wrong ? failed_energy : noted_energy,
                 fmt::format("energy: {} {}: {}", options_.method, how_much, advice)};
}

std::vector<Finding> Run::findings() const {
  using Severity = Finding::Severity;
  std::vector<Finding> list;
  if (auto found = energy_finding()) list.push_back(std::move(*found));
  if (auto found = missed_finding()) list.push_back(std::move(*found));
  const double error = std::abs(energy().closing_error);
  for (std::size_t e = 0; e < flow_.size(); ++e) {
    const Flow& flow = flow_[e];
    const auto& item = readings_.elements()[e];
    const Island& island = islands_[island_of_element_[e]];
    const double rounding =
        rounding_of_energy * std::max({island.kinetic, std::abs(island.potential_low), std::abs(island.potential_high),
                                       std::abs(island.stored_low), std::abs(island.stored_high)});
    if (flow.fallen > 0.02 * flow.through && flow.fallen > 10 * error && flow.fallen > rounding)
      list.push_back({Severity::note, Finding::Kind::dissipation, item.name(), flow.fallen / flow.through, 0.02,
                      fmt::format("{}: gave back {:.3g} J more than it had left of {:.3g} J: the stored energy of {} is wrong, or "
                                  "the step too long",
                                  item.name(), flow.fallen, flow.through, item.pool->about().name)});
  }
  // The sum of the local errors takes them all for lasting. The companion knows better what is left of them, as far as it went
  // along; but not whether a motion that differs from its own is only sensitive.
  std::optional<Finding> found = step_check_ ? step_check_->finding(failure_.has_value()) : std::nullopt;
  if (companion_) {
    auto other = companion_->finding(failure_.has_value());
    const bool hopeless = found && found->severity == Severity::failure;
    const bool so_says_the_other = other && other->value > hopeless_difference;
    if (!(hopeless && so_says_the_other) && (other || companion_->complete())) found = std::move(other);
    else if (hopeless && !other && companion_->was_too_long()) found->severity = Severity::note;
  }
  if (found) list.push_back(std::move(*found));
  else if (companion_ && !companion_->complete() && !failure_)
    list.push_back(
        {Severity::remark, Finding::Kind::error, "", companion_->until(), time(),
         fmt::format("compared with {} until t = {:.4g} s only: the rest would take long; verify the run to compare it all",
                     adaptive_ ? "a hundredth of the tolerance" : "half the step", companion_->until())});
  return list;
}

Verdict Run::verdict() const { return failure_ ? Verdict::failed : verdict_of(findings()); }

/// Watches the elements at a time within the last step, and the power of the pushes.
void Run::look(double t, std::vector<Watch>& into, std::vector<double>& power) {
  integrator_->interpolate(t, scratch_);
  watch_all(work_.instant(t, scratch_), into);
  input_power(t, scratch_, power);
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
  if (speed > 0 && speed < slowest_impact * fastest_contact_ + free_speed_)
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

void Run::put_row() {
  read(sources_, row_);
  options_.record.sink->row(row_);
  ++rows_;
}

void Run::read(std::span<const Source> sources, std::span<double> into) const {
  const Instant at = now();
  std::optional<EnergyAccount> account;
  std::vector<double> values;
  const Readings::Item* read = nullptr;  // whose values these are
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    if (source.of == Source::Of::time) {
      into[i] = time();
    } else if (source.of == Source::Of::energy) {
      if (!account) account = energy();
      into[i] = std::array{account->work_in, account->kinetic,    account->potential,
                           account->stored,  account->dissipated, account->closing_error}[source.number];
    } else if (source.of == Source::Of::body) {
      const Readings::Body& body = readings_.bodies()[source.item];
      into[i] = body.pool->motions(at)[body.pool->motion.at(source.number, body.index)];
    } else if (source.of == Source::Of::body_dissipated) {
      into[i] = rubbed_[source.item];
    } else if (source.of == Source::Of::dissipated) {
      into[i] = heat_[source.item];
    } else {
      const Readings::Item& item = readings_.elements()[source.item];
      if (read != &item) item.pool->read(at, tau_, item.index, values);
      read = &item;
      into[i] = values[source.number];
    }
  }
}

std::vector<std::pair<std::string, double>> Run::dissipated() const {
  std::vector<std::pair<std::string, double>> list;
  if (!readings_.knows_energy()) return list;
  for (std::size_t e = 0; e < heat_.size(); ++e) list.emplace_back(readings_.elements()[e].name(), heat_[e]);
  for (const std::size_t b : rubbing_) list.emplace_back(readings_.bodies()[b].name(), rubbed_[b]);
  return list;
}

std::vector<double> Run::values() const {
  std::vector<double> row(sources_.size());
  read(sources_, row);
  return row;
}

double Run::value(std::string_view name) const {
  const auto found = readings_.find(name);
  if (found.size() != 1) throw std::invalid_argument(std::string(name) + " names more than one number");
  double number = 0;
  read({&found.front().second, 1}, {&number, 1});
  return number;
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

/// Bodies that elements connect, directly or through others that move. The ground and bodies on a given course connect nothing. An
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

/// The first input between two times that is not a number. Inputs are looked at where the run looks at the elements; then the time
/// is bracketed until the bracket is 1e-12 of it.
std::optional<Failure> Run::bad_input(double from, double to) const {
  struct Bad {
    std::string component, cause;
  };
  const auto bad_at = [&](double t) -> std::optional<Bad> {
    std::optional<Bad> bad;
    world_.each_push(t, work_.instant(t, state()), [&](const BodyId& body, std::size_t, double force) {
      if (!bad && !std::isfinite(force)) bad = {body.pool->names[body.index], fmt::format("its push is {} N", force)};
    });
    if (given_.empty()) return bad;
    const Instant at = work_.instant(t, state());
    for (const std::size_t b : given_) {
      const Readings::Body& body = readings_.bodies()[b];
      for (std::size_t c = 0; !bad && c < body.pool->motion_numbers(); ++c)
        if (const double number = at.given[body.pool->motion.at(c, body.index)]; !std::isfinite(number))
          bad = {body.name(), fmt::format("its given {} is {}", body.pool->quantities()[c].name, number)};
    }
    return bad;
  };
  const int parts = adaptive_ ? 8 : 2;
  double good = from;
  for (int i = 0; i <= parts; ++i) {
    double t = i == parts ? to : from + (to - from) * i / parts;
    auto bad = bad_at(t);
    if (!bad) {
      good = t;
      continue;
    }
    for (double middle = good + (t - good) / 2; t - good > 1e-12 * t; middle = good + (t - good) / 2) {
      if (auto earlier = bad_at(middle)) t = middle, bad = std::move(earlier);
      else good = middle;
    }
    return Failure{t, bad->component,
                   fmt::format("{}: not a finite number from t = {:.9g} s on: {}", bad->component, t, bad->cause)};
  }
  return std::nullopt;
}

/// Looks for the first cause: an input, a law, a body; else what grew without bound.
void Run::fail(const IntegrationFailure& failure, double t) {
  if (options_.record.sink) options_.record.sink->flush();
  // Where the method was when it gave up: in this step, or, if it chose ever shorter ones, right ahead.
  const double tried = adaptive_ ? t - integrator_->time_before() + 1e-9 * (1 + t) : options_.step;
  failure_ = bad_input(t, std::max(failure.time, t + tried));
  if (failure_) return;
  const auto blame = [&](const std::string& component, const std::string& cause) {
    failure_ = Failure{t, component, fmt::format("{}: not a finite number after t = {:.9g} s: {}", component, t, cause)};
  };
  const std::vector<double> x(state().begin(), state().end());
  std::vector<double> rate(x.size());
  work_.rate(t, x, tau_, rate);
  const auto largest_of = [](const std::vector<double>& list) {
    double most = 0;
    for (const double number : list) most = std::max(most, std::abs(number));
    return most;
  };
  // A law that fails: here, or where the step was going, as long as that is a motion at all.
  const Readings::Item* strongest = nullptr;
  double most = 0;
  std::vector<double> values;
  for (const double ahead : {0.0, tried / 2, tried}) {
    std::vector<double> there = x;
    for (std::size_t i = 0; i < x.size() && ahead > 0; ++i) there[i] += ahead * rate[i];
    if (ahead > 0 && (!finite(there) || largest_of(there) > 1e100)) break;
    const Instant at = work_.instant(t + ahead, there);
    for (const Readings::Item& item : readings_.elements()) {
      item.pool->read(at, tau_, item.index, values);
      const double power = std::abs(item.pool->watch(at, tau_, item.index).power);
      if (ahead == 0 && !(most >= power)) most = power, strongest = &item;
      if (readings_.knows_energy()) values.resize(values.size() - 2);  // power and stored may overflow before anything else does
      if (!failure_ && !finite(values)) blame(item.name(), "its law fails at a finite motion; are its parameters in range?");
    }
  }
  if (failure_) return;
  // What a method did not find is the state of an element, or the motion of a body: of the elements on it, the one with the largest
  // power.
  const auto* lost = dynamic_cast<const NoConvergence*>(&failure);
  const auto* collapse = dynamic_cast<const StepCollapse*>(&failure);
  const std::size_t entry = lost ? lost->index : collapse ? collapse->index : StepCollapse::none;
  if (entry < x.size()) {
    const std::string part = readings_.name_in_state(entry);
    const Instant at = work_.instant(t, x);
    most = -1;
    for (const Readings::Item& item : readings_.elements()) {
      for (std::size_t c = 0; c < item.pool->state_numbers(); ++c)
        if (item.pool->state.at(c, item.index) == entry) most = std::numeric_limits<double>::infinity(), strongest = &item;
      for (const End* end : {&item.pool->a, &item.pool->b}) {
        if (!end->bodies || !part.starts_with(end->bodies->names[end->index[item.index]] + ".")) continue;
        const double power = std::abs(item.pool->watch(at, tau_, item.index).power);
        if (power > most) most = power, strongest = &item;
      }
    }
  }
  if (dynamic_cast<const NonFinite*>(&failure) == nullptr) {
    const std::string name = strongest ? strongest->name() : "";
    failure_ = Failure{t, name, name.empty() ? failure.what() : name + ": " + failure.what()};
    return;
  }
  const double largest = largest_of(x);
  const auto bad = std::find_if(rate.begin(), rate.end(), [](double number) { return !std::isfinite(number); });
  if (!readings_.knows_energy() && largest < 1e100) {  // equations, not bodies
    blame(readings_.name_in_state(dynamic_cast<const NonFinite&>(failure).index), "its rate is no finite number");
  } else if (bad != rate.end() && largest < 1e100) {
    const std::string name = readings_.name_in_state(std::size_t(bad - rate.begin()));
    blame(name.substr(0, name.rfind('.')), "it cannot be accelerated; are its mass and inertia > 0?");
  } else if (strongest != nullptr) {
    blame(strongest->name(),
          adaptive_
              ? std::string("the motion grew without bound")
              : fmt::format("the motion grew without bound; the step, {:g} s, may be too long for its stiffness", options_.step));
  } else {
    const std::string name = readings_.name_in_state(dynamic_cast<const NonFinite&>(failure).index);
    blame(name.substr(0, name.rfind('.')), "the motion grew without bound");
  }
}

}  // namespace asperity
