// Why a run stopped: the first cause, and who it belongs to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/run/run.hpp"
#include "integrate/methods.hpp"

namespace asperity {

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
    if (ahead > 0 && (!detail::all_finite(there) || largest_of(there) > 1e100)) break;
    const Instant at = work_.instant(t + ahead, there);
    for (const Readings::Item& item : readings_.elements()) {
      item.pool->read(at, tau_, item.index, values);
      const double power = std::abs(item.pool->watch(at, tau_, item.index).power);
      if (ahead == 0 && !(most >= power)) most = power, strongest = &item;
      if (readings_.knows_energy()) values.resize(values.size() - 2);  // power and stored may overflow before anything else does
      if (!failure_ && !detail::all_finite(values))
        blame(item.name(), "its law fails at a finite motion; are its parameters in range?");
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
