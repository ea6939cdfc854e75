#include "law_scale.hpp"

#include <algorithm>
#include <cmath>

namespace asperity {
namespace {

struct Span {
  double least = 0, most = 0;
};

/// Smallest and largest value among the parameters with this unit; zero if there is none.
Span span_of(const AnyLaw& law, std::string_view unit) {
  Span span;
  for (const Parameter& p : law.parameters()) {
    if (p.unit != unit || (law.about().kind == Kind::composite && p.name.starts_with("normal."))) continue;
    for (const double v : p.values) {
      span.most = std::max(span.most, v);
      span.least = span.least == 0 ? v : std::min(span.least, v);
    }
  }
  return span;
}

/// Largest number of values in one parameter: the number of elements.
double element_count(const AnyLaw& law) {
  std::size_t count = 1;
  for (const Parameter& p : law.parameters()) count = std::max(count, p.values.size());
  return static_cast<double>(count);
}

/// Force of a contact held at an indentation until nothing moves any more.
double resting_force(const AnyLaw& law, double depth) {
  std::vector<double> state = law.start(), rate(state.size());
  double force = 0;
  for (int i = 0; i < 100; ++i) {
    force = law.react(state, {.gap = -depth}, 1.0, rate).normal;
    for (std::size_t j = 0; j < state.size(); ++j) state[j] += rate[j];
  }
  return force;
}

}  // namespace

FrictionScale friction_scale(const AnyLaw& law, double load) {
  const double limit = law.about().kind == Kind::composite ? span_of(law, "1").most * load : span_of(law, "N").most;
  const double force = limit / element_count(law);
  const Span stiffness = span_of(law, "N/m"), velocity = span_of(law, "m/s"), time = span_of(law, "s"), mass = span_of(law, "kg");
  if (stiffness.most == 0) {
    const double give = velocity.most * (time.most > 0 ? time.most : 0.1);
    return {give, give, 6 * velocity.most};
  }
  const double give = force / stiffness.least;
  double sliding = velocity.most > 0 ? 6 * velocity.most : give / (time.most > 0 ? time.most : 1e-3);
  // With inertia it stick-slips up to a speed of this order.
  if (mass.most > 0) sliding = std::max(sliding, force / std::sqrt(stiffness.least * mass.most));
  return {give, force / stiffness.most, sliding};
}

ContactScale contact_scale(const AnyLaw& law, double force) {
  double low = 1e-12, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (resting_force(law, middle) < force ? low : high) = middle;
  }
  const double stiffness = span_of(law, "N/m").most;
  const double damping = stiffness > 0 ? span_of(law, "N s/m").most / stiffness : 0;
  const double time = std::max({span_of(law, "s").most, damping, span_of(law, "s/m").most * high});
  return {high, time > 0 ? time : 1e-2};
}

}  // namespace asperity
