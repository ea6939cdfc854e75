#include "asperity/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "asperity/pools/kernels.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/setup/preload.hpp"
#include "companion.hpp"
#include "integrate/methods.hpp"
#include "integrate/passed_over.hpp"
#include "pools/threads.hpp"
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

/// How long an adaptive method will take is judged by so many steps; in a large world, where each takes long, by fewer.
long steps_of_a_stretch(std::size_t numbers) { return std::clamp(200000 / long(std::max<std::size_t>(1, numbers)), 200L, 10000L); }
/// It is too slow if the steps to come are this share of all that are allowed, and more than so many for each step of a fixed-step
/// run: such a method is there to take fewer. A burst passes: so many stretches on end stop it.
constexpr double too_many = 0.01, too_many_for_a_step = 100;
constexpr long patience = 10;
/// While it takes back so many steps for each that it keeps, the motion is too stiff for it; then the share alone decides, at once.
constexpr double many_rejected = 0.3;

std::shared_ptr<const KernelMaker> kernels_of(int threads) {
  if (threads < 0) throw std::invalid_argument(fmt::format("threads = {}: must be >= 0", threads));
  return lane_kernels({.threads = threads_of(threads), .same_bits = true});
}

}  // namespace

bool is_multiple(double time, double step) noexcept {
  const double n = std::round(time / step);
  return n >= 1 && std::abs(time - n * step) <= 1e-6 * step;
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
  find_shape_pairs();
  watch_all(now(), watch_);
  input_power(0, start_, power_end_);
  for (std::size_t k = 0; k < islands_.size(); ++k) islands_[k].power_in = power_end_[k];
  for (std::size_t e = 0; e < elements; ++e)
    if (watch_[e].mode != Mode::none && watch_[e].mode != Mode::open) contacts_[e] = {0, -1, 0, 1};
  if (!adaptive_ && !world_.of_motion().empty()) passed_over_ = std::make_unique<PassedOver>(world_, 1e-12);
  if (!adaptive_ && !world_.timed().empty()) corners_ = guard_of(world_, 1e-12);
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
  if (by_parts_) {
    by_parts_->before = {islands_, heat_, flow_};
    by_parts_->work.assign(heat_.size(), 0.0);
    by_parts_->heat.assign(heat_.size(), 0.0);
  }
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
    if (!std::all_of(islands_.begin(), islands_.end(), counts) || !detail::all_finite(heat_)) throw NonFinite(time(), 0, true);
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
  const long steps = steps_of_a_stretch(state().size());
  if (++stretch_.steps < steps) return;
  const double gone = time() - stretch_.start, mean_step = gone / double(steps);
  const double left = (options_.duration - time()) / mean_step;
  const double rejected = double(all.rejected - stretch_.rejected_at_start) / double(steps);
  const double share = too_many * options_.max_steps;
  const bool stiff = rejected > many_rejected && left > share;
  const bool slow = left > std::max(share, too_many_for_a_step * options_.duration / options_.step);
  stretch_ = {time(), 0, all.rejected, slow ? stretch_.slow + 1 : 0};
  if (left > options_.max_steps || stiff || stretch_.slow == patience)
    stop(fmt::format("its last {} steps took it {} further, {:.2g} rejected for each; {:.2g} more would be needed", steps,
                     quantity_text(gone, "s"), rejected, left));
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

}  // namespace asperity
