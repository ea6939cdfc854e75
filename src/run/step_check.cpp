#include "step_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/quantity_text.hpp"
#include "asperity/run/run.hpp"
#include "companion.hpp"

namespace asperity {
namespace {

constexpr double least_share = 0.01;  // of the steps
constexpr double least_looks = 30;    // in a run
constexpr double noted_error = 0.05, failed_error = 0.5;

/// Fractions spread evenly over 0 to 1, so that no period of the motion coincides with the choice of steps.
double spread(std::uint64_t k) {
  const double golden = 0.6180339887498949 * double(k % (1U << 24U));
  return golden - std::floor(golden);
}

}  // namespace

StepCheck::StepCheck(const World& world, const Readings& readings, const RunOptions& options,
                     const std::shared_ptr<const KernelMaker>& kernels)
    : work_(world, kernels),
      step_(options.step),
      share_(std::clamp(least_looks * options.step / options.duration, least_share, 1.0)),
      can_rest_(!readings.elements().empty()),
      velocities_(velocities_in(readings)) {
  const AboutMethod* about = find_method(options.method);
  const int order = about ? about->order : 1;
  factor_ = 1 / (1 - std::pow(0.5, order));
  half_ = make_integrator(options.method, world, {.step = options.step / 2, .subdivide = options.subdivide, .kernels = kernels});
  for (const Readings::Body& body : readings.bodies())
    in_equations_ = in_equations_ || (!body.pool->is_given && body.pool->velocity_column(0) == 0);
  std::vector<double> masses;
  if (!in_equations_) masses = step_model_of(world)->masses;
  std::size_t next = 0, bodies = 0;
  for (const Readings::Body& body : readings.bodies()) {
    if (body.pool->is_given) continue;
    const auto quantities = body.pool->quantities();
    const std::size_t first = body.pool->velocity_column(0);
    for (std::size_t c = first; c < body.pool->motion_numbers(); ++c) {
      if (in_equations_) groups_.push_back({quantities[c].name, {}, {}, bodies});
      else if (c == first || quantities[c].unit != quantities[c - 1].unit)
        groups_.push_back({body.name() + "." + quantities[c].name.substr(0, quantities[c].name.find('.')), {}, {}, bodies});
      groups_.back().entries.push_back(body.pool->motion.at(c, body.index));
      groups_.back().masses.push_back(in_equations_ ? 1 : masses[next++]);
    }
    ++bodies;
  }
}

StepCheck::~StepCheck() = default;

double StepCheck::Group::size(std::span<const double> numbers) const {
  double sum = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) sum += masses[k] * numbers[entries[k]] * numbers[entries[k]];
  return std::sqrt(sum);
}

/// Whatever moves along with a body does not change how far its velocity ranges.
double StepCheck::Group::range() const {
  double sum = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) sum += masses[k] * (high[k] - low[k]) * (high[k] - low[k]);
  return std::sqrt(sum);
}

void StepCheck::follow(double t, std::span<const double> x) {
  at_rest_.assign(x.begin(), x.end());
  for (const std::size_t i : velocities_) at_rest_[i] = 0;
  free_.assign(x.size(), 0.0);
  work_.free_rate(t, at_rest_, free_);
  for (Group& group : groups_) {
    group.low.resize(group.entries.size(), std::numeric_limits<double>::infinity());
    group.high.resize(group.entries.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < group.entries.size(); ++k) {
      group.low[k] = std::min(group.low[k], x[group.entries[k]]);
      group.high[k] = std::max(group.high[k], x[group.entries[k]]);
    }
    if (!in_equations_ && can_rest_) group.floor = std::max(group.floor, step_ * group.size(free_));
  }
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

std::optional<Finding> StepCheck::finding(bool stopped) const {
  std::vector<double> floors(groups_.empty() ? 0 : groups_.back().body + 1, 0.0);
  for (const Group& group : groups_) floors[group.body] = std::max(floors[group.body], group.floor);
  const Group* worst = nullptr;
  double most = 0;
  for (const Group& group : groups_) {
    const double error = group.quiet + group.eventful * (events_seen_ > 0 ? events_ / events_seen_ : 1);
    double scale = group.range();
    for (std::size_t k = 0; k < group.entries.size(); ++k)
      scale = std::max(scale, 1e-12 * std::sqrt(group.masses[k]) * std::max(std::abs(group.high[k]), std::abs(group.low[k])));
    scale = std::max(scale, floors[group.body]);
    if (error > noted_error * scale && error / scale > most) most = error / scale, worst = &group;
  }
  if (!worst) return std::nullopt;
  const bool hopeless = most > failed_error;
  return Finding{
      hopeless ? Finding::Severity::failure : Finding::Severity::note,
      Finding::Kind::error,
      worst->name,
      most,
      noted_error,
      fmt::format("{}: the errors of its steps add up to {} its range: {}", worst->name,
                  most > 1e6 ? std::string("more than a million times")
                  : most > 1 ? fmt::format("{:.2g} times", most)
                             : fmt::format("{:.2g} % of", 100 * most),
                  stopped ? std::string(detail::until_it_stopped)
                          : fmt::format("the step, {}, is too long for this motion; use a shorter step, or verify the run",
                                        quantity_text(step_, "s")))};
}

}  // namespace asperity
