#include "companion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/quantity_text.hpp"
#include "asperity/run/run.hpp"

namespace asperity {
namespace {

constexpr double noted = 0.01;              // of the range of a motion
constexpr double early_or_late = 1 / 250.;  // of a run: an error of time that does not count
constexpr double most_numbers = 1e6;        // of the state, times steps, of an explicit method: less than a second
constexpr double tolerances = 50;           // that an adaptive method may be off by

constexpr double infinity = std::numeric_limits<double>::infinity();

const AboutMethod& about(std::string_view name) {
  const auto methods = integration_methods();
  return *std::find_if(methods.begin(), methods.end(), [&](const AboutMethod& m) { return m.name == name; });
}

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
  const AboutMethod& method = about(options.method);
  if (method.adaptive) return 1;
  const int order = has_edges(world, options.step, options.duration) ? 1 : method.order;
  return 1 / (1 - std::pow(0.5, order));
}

double rounding_of(const std::string& unit) { return unit == "rad/s" ? 1e-6 : unit == "m/s" || unit == "1" ? 1e-9 : 1e-12; }

}  // namespace

void Companion::Range::clear() {
  std::fill(low.begin(), low.end(), infinity);
  std::fill(high.begin(), high.end(), -infinity);
}
void Companion::Range::take(std::size_t i, double number) {
  low[i] = std::min(low[i], number);
  high[i] = std::max(high[i], number);
}

Companion::Companion(World& world, const Readings& readings, const RunOptions& options, std::span<const double> start)
    : world_(world),
      step_(options.step),
      factor_(factor_of(world, options)),
      bin_(early_or_late * options.duration / factor_),
      can_rest_(!readings.elements().empty()),
      x_(start.begin(), start.end()),
      left_(most_numbers / (options.method.starts_with("implicit") ? 3 : 1)) {
  IntegratorOptions finer{.step = options.step / 2, .max_step = options.max_step, .subdivide = options.subdivide};
  if (about(options.method).adaptive) {
    rtol_ = options.rtol, atol_ = options.atol;
    step_ = 0;
    finer.rtol = std::max(1e-14, options.rtol / 100);
    finer.atol = options.atol / 100;
    remedy_ = fmt::format("rtol, {:g}, is too large for this motion; use a smaller one", options.rtol);
  } else {
    remedy_ = fmt::format("the step, {}, is too long for this motion; use a shorter one", quantity_text(options.step, "s"));
  }
  integrator_ = make_integrator(options.method, world, std::move(finer));
  for (const Readings::Body& body : readings.bodies()) {
    if (body.pool->is_given) continue;
    const auto quantities = body.pool->quantities();
    const bool in_equations = body.pool->velocity_column(0) == 0;  // of an inclusion
    const std::size_t first_group = groups_.size();
    for (std::size_t c = 0; c < body.pool->motion_numbers(); ++c) {
      if (in_equations || c == 0 || quantities[c].unit != quantities[c - 1].unit) {
        const std::string& name = quantities[c].name;
        groups_.push_back({in_equations ? name : body.name() + "." + name.substr(0, name.find('.')), entries_.size(), 0,
                           groups_.size(), rounding_of(quantities[c].unit)});
      }
      ++groups_.back().count;
      entries_.push_back(body.pool->motion.at(c, body.index));
    }
    const std::size_t half = (groups_.size() - first_group) / 2;
    for (std::size_t g = first_group; !in_equations && g < first_group + half; ++g) groups_[g].rate = g + half;
  }
  lowest_.assign(entries_.size(), infinity);
  highest_.assign(entries_.size(), -infinity);
  for (Bin& bin : bins_)
    for (Range* range : {&bin.run, &bin.here}) {
      range->low.resize(entries_.size());
      range->high.resize(entries_.size());
      range->clear();
    }
  start_afresh(0);
  compare(0, start);
}

Companion::~Companion() = default;

void Companion::start_afresh(double t) {
  if (complete()) integrator_->start(t, std::vector<double>(x_));
}

void Companion::follow(double t, std::span<const double> x) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    lowest_[i] = std::min(lowest_[i], x[entries_[i]]);
    highest_[i] = std::max(highest_[i], x[entries_[i]]);
  }
  if (!complete()) return;
  left_ -= double(x.size());
  try {
    if (left_ < 0) throw IntegrationFailure("", t);
    if (step_ > 0) {
      integrator_->advance(t);
      x_.assign(integrator_->state().begin(), integrator_->state().end());
    } else {
      while (integrator_->time() < t) {
        left_ -= double(x.size());  // one step of the run may be a great many here
        if (left_ < 0) throw IntegrationFailure("", t);
        integrator_->step();
      }
      integrator_->interpolate(t, x_);
    }
    compare(t, x);
  } catch (const IntegrationFailure&) {
    with_ = 0;  // it costs too much, or does not get there
  }
}

void Companion::compare(double t, std::span<const double> x) {
  if (const double index = std::floor(t / bin_); index != bins_[0].index) {
    // The one before the last has both its neighbours now.
    for (Group& group : groups_)
      if (const double error = error_of(group, bins_[1]); error > group.error)
        group.error = error, group.time = bins_[1].index * bin_;
    std::rotate(bins_.begin(), bins_.end() - 1, bins_.end());
    bins_[0].index = index;
    bins_[0].run.clear();
    bins_[0].here.clear();
    note_floors(t, x);
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    bins_[0].run.take(i, x[entries_[i]]);
    bins_[0].here.take(i, x_[entries_[i]]);
  }
}

void Companion::note_floors(double t, std::span<const double> x) {
  if (step_ == 0 || !can_rest_) return;
  free_.assign(x.size(), 0.0);
  world_.free_rate(t, x, free_);
  for (Group& group : groups_) {
    const Group& rate = groups_[group.rate];
    if (&rate == &group)
      for (std::size_t i = group.first; i < group.first + group.count; ++i)
        group.floor = std::max(group.floor, step_ * std::abs(free_[entries_[i]]));
  }
  for (Group& group : groups_)
    if (const Group& rate = groups_[group.rate]; &rate != &group) group.floor = std::max(group.floor, step_ * rate.floor);
}

/// How far the run is outside what its companion does around the same time.
double Companion::error_of(const Group& group, const Bin& bin) const {
  double most = 0;
  if (bin.index < 0) return 0;
  for (std::size_t i = group.first; i < group.first + group.count; ++i) {
    double low = infinity, high = -infinity;
    for (const Bin& other : bins_)
      if (std::abs(other.index - bin.index) <= 1) low = std::min(low, other.here.low[i]), high = std::max(high, other.here.high[i]);
    most = std::max({most, low - bin.run.low[i], bin.run.high[i] - high});
  }
  return most;
}

std::optional<Finding> Companion::finding() const {
  const Group* worst = nullptr;
  double most = noted, when = 0;
  for (const Group& group : groups_) {
    double range = group.floor, largest = 0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      range = std::max(range, highest_[i] - lowest_[i]);
      largest = std::max({largest, std::abs(highest_[i]), std::abs(lowest_[i])});
    }
    double error = group.error, time = group.time;
    for (const Bin* bin : {&bins_[0], &bins_[1]})
      if (const double last = error_of(group, *bin); last > error) error = last, time = bin->index * bin_;
    const double allowed = group.rounding + 1e-9 * largest + tolerances * (atol_ + rtol_ * largest);
    const double share = factor_ * error / std::max(range, allowed / noted);
    if (share > most) most = share, worst = &group, when = time;
  }
  if (!worst) return std::nullopt;
  return Finding{Finding::Severity::note,
                 Finding::Kind::error,
                 worst->name,
                 most,
                 noted,
                 fmt::format("{}: differs by {:.2g} % of its range at t = {:.4g} s from what {} gives: {}", worst->name, 100 * most,
                             when, step_ > 0 ? "half the step" : "a hundredth of the tolerance", remedy_)};
}

}  // namespace asperity
