#include "step_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/quantity_text.hpp"
#include "asperity/run/run.hpp"

namespace asperity {
namespace {

constexpr double least_share = 0.01;  // of the steps
constexpr double least_looks = 30;    // in a run
constexpr double noted = 0.05, failed = 0.5;

/// Fractions spread evenly over 0 to 1, so that no period of the motion coincides with the choice of steps.
double spread(std::uint64_t k) {
  const double golden = 0.6180339887498949 * double(k % (1U << 24U));
  return golden - std::floor(golden);
}

}  // namespace

StepCheck::StepCheck(World& world, const Readings& readings, const RunOptions& options)
    : world_(world),
      step_(options.step),
      share_(std::clamp(least_looks * options.step / options.duration, least_share, 1.0)),
      can_rest_(!readings.elements().empty()) {
  const AboutMethod* about = find_method(options.method);
  const int order = about ? about->order : 1;
  factor_ = 1 / (1 - std::pow(0.5, order));
  half_ = make_integrator(options.method, world, {.step = options.step / 2, .subdivide = options.subdivide});
  bool in_equations = false;  // of an inclusion, which has no masses
  for (const Readings::Body& body : readings.bodies())
    in_equations = in_equations || (!body.pool->is_given && body.pool->velocity_column(0) == 0);
  std::vector<double> masses;
  if (!in_equations) masses = WorldStepModel<World>(world).masses;
  std::size_t next = 0;
  for (const Readings::Body& body : readings.bodies()) {
    if (body.pool->is_given) continue;
    const auto quantities = body.pool->quantities();
    if (!in_equations) groups_.push_back({body.name(), {}, {}, true});
    for (std::size_t c = body.pool->velocity_column(0); c < body.pool->motion_numbers(); ++c) {
      if (in_equations) groups_.push_back({quantities[c].name, {}, {}, false});
      groups_.back().entries.push_back(body.pool->motion.at(c, body.index));
      groups_.back().masses.push_back(in_equations ? 1 : masses[next++]);
    }
  }
}

StepCheck::~StepCheck() = default;

double StepCheck::size(const Group& group, std::span<const double> x) const {
  if (!group.is_speed) return x[group.entries.front()];
  double sum = 0;
  for (std::size_t k = 0; k < group.entries.size(); ++k) sum += group.masses[k] * x[group.entries[k]] * x[group.entries[k]];
  return std::sqrt(sum);
}

void StepCheck::follow(double t, std::span<const double> x) {
  free_.assign(x.size(), 0.0);
  world_.free_rate(t, x, free_);
  for (Group& group : groups_) {
    const double now = size(group, x);
    group.low = started_ ? std::min(group.low, now) : group.is_speed ? 0 : now;
    group.high = started_ ? std::max(group.high, now) : now;
    if (group.is_speed && can_rest_) group.floor = std::max(group.floor, step_ * size(group, free_));
  }
  started_ = true;
}

bool StepCheck::wants(std::uint64_t k, bool eventful) {
  if (!eventful) return spread(k) < share_;
  ++events_;
  return events_seen_ < least_looks + least_share * double(k);
}

void StepCheck::look(double t0, std::span<const double> x0, double t1, std::span<const double> x1, bool eventful) {
  try {
    half_->start(t0, x0);
    half_->advance(t1);
  } catch (const IntegrationFailure&) {
    return;  // half the step does not get there: nothing to compare with
  }
  const std::span<const double> finer = half_->state();
  for (Group& group : groups_) {
    double sum = 0;
    for (std::size_t k = 0; k < group.entries.size(); ++k) {
      const double off = x1[group.entries[k]] - finer[group.entries[k]];
      sum += group.masses[k] * off * off;
    }
    (eventful ? group.eventful : group.quiet) += factor_ * std::sqrt(sum) / (eventful ? 1 : share_);
  }
  if (eventful) ++events_seen_;
  follow(t1, x1);
}

std::optional<Finding> StepCheck::finding() const {
  const Group* worst = nullptr;
  double most = 0;
  for (const Group& group : groups_) {
    const double error = group.quiet + group.eventful * (events_seen_ > 0 ? events_ / events_seen_ : 1);
    const double scale =
        std::max({group.high - group.low, group.floor, 1e-12 * std::max(std::abs(group.high), std::abs(group.low))});
    if (error > noted * scale && error / scale > most) most = error / scale, worst = &group;
  }
  if (!worst) return std::nullopt;
  const bool hopeless = most > failed;
  return Finding{hopeless ? Finding::Severity::failure : Finding::Severity::note,
                 Finding::Kind::error,
                 worst->name,
                 most,
                 noted,
                 fmt::format("{}: the errors of its steps add up to {} {}: the step, {}, is too long for this motion; "
                             "use a shorter step, or verify the run",
                             worst->name, most > 1 ? fmt::format("{:.2g} times", most) : fmt::format("{:.2g} % of", 100 * most),
                             worst->is_speed ? "its highest speed" : "its range", quantity_text(step_, "s"))};
}

}  // namespace asperity
