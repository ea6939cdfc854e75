#include "asperity/design/contact.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "asperity/design/impact.hpp"
#include "asperity/parameters.hpp"
#include "asperity/rules/stability.hpp"
#include "infinity.hpp"
#include "zero_between.hpp"

namespace asperity::design {
namespace {

using Nonlinear = NonlinearCompliance<>;
using Problems = std::vector<std::string>;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// How far a design has come. A search may go back to the parameters: what was reached counts.
class Stages {
 public:
  enum Stage { parameters, step, check, count };
  explicit Stages(const Hooks& hooks) : watch_(hooks, count) {}
  /// Before every impact.
  void look(Stage at) {
    reached_ = std::max(reached_, at);
    constexpr std::array<std::string_view, count> names{"parameters", "step", "check"};
    watch_.look(reached_, names[reached_]);
  }

 private:
  StepWatch watch_;
  Stage reached_ = parameters;
};

// --- one impact
// -------------------------------------------------------------------------------------------------------------------

template <class Law>
Rebound stepped(const Law& law, double mass, double speed, double step, double phase) {
  constexpr long most_steps = 2'000'000;
  std::vector<double> x{phase * step * speed, -speed};  // gap, its rate, the state of the law
  typename Law::State z = law.start();
  each_state<Law>([&](double& number) { x.push_back(number); }, z);
  const auto react = [&](std::span<const double> at) {
    std::size_t i = 2;
    each_state<Law>([&](double& number) { number = at[i++]; }, z);
    return law.react(z, {at[0], at[1]}, 0.0);
  };
  const auto rate = [&](double, std::span<const double> at, double, std::span<double> xdot) {
    auto reaction = react(at);
    xdot[0] = at[1];
    xdot[1] = reaction.f / mass;
    std::size_t i = 2;
    each_state<Law>([&](double& number) { xdot[i++] = number; }, reaction.rate);
  };
  RungeKutta method(Method::rk4, x.size());
  Rebound seen{no_number, infinity, 0, 0, 0};
  double force = 0, falls = 0;  // of the last step, the fall of the force in it
  for (long k = 0; k < most_steps && std::isfinite(x[1]); ++k) {
    const double gap_before = x[0];
    method.step(rate, double(k) * step, step, x);
    const double now = react(x).f;
    // A law that pulls releases at the surface.
    if (x[1] > 0 && (now == 0 || x[0] > 0)) {
      const bool inside = x[0] < 0 && falls > 0;
      const double part = inside ? std::min(1.0, force / falls) : gap_before / (gap_before - x[0]);
      seen.restitution = x[1] / speed;
      seen.contact_time = (double(k) + part - phase) * step;
      seen.residual = inside ? -(gap_before + part * (x[0] - gap_before)) : 0;
      return seen;
    }
    falls = force - now;
    force = now;
    seen.deepest = std::max(seen.deepest, -x[0]);
    seen.peak_force = std::max(seen.peak_force, force);
  }
  return seen;
}

template <class Law>
Rebound predicted(const Law& law, double mass, double speed) {
  const auto named = make_law(Law::about.name);
  for (const Parameter& parameter : parameters_of(law)) named->set(parameter.name, parameter.values);
  return rebound(*named, mass, speed);
}

// --- steps
// ------------------------------------------------------------------------------------------------------------------------

/// What a size is asked of.
double size_of(const Rebound& rebound, Scale scale) { return scale == Scale::penetration ? rebound.deepest : rebound.contact_time; }

/// How far an impact is off, in units of what is allowed. No size: only the restitution is asked for.
double error_of(const Rebound& one, double restitution, std::optional<double> size, Scale scale) {
  double error = std::abs(one.restitution - restitution) / restitution_tolerance;
  if (size) error = std::max(error, std::abs(size_of(one, scale) / *size - 1) / size_tolerance);
  return std::isfinite(error) ? error : infinity;
}

/// Of impacts that begin on the grid of the steps and at places between: the one that is farthest off. A force that jumps makes the
/// error jump, too, when a stage of the step passes the touch: more places.
struct Worst {
  Rebound rebound{};
  double error = -1;
};
template <class Law>
Worst worst_of_grid(const Law& law, const ContactWish& wish, std::size_t bounce, double step, double restitution, Stages& stages,
                    Stages::Stage stage) {
  constexpr int places = has(Law::about.quirks, Quirk::jumps_on_touch) ? 32 : 8;
  const auto size = bounce == 0 && wish.scale != Scale::stiffness ? std::optional(wish.size) : std::nullopt;
  Worst worst;
  for (int i = 0; i < places; ++i) {
    stages.look(stage);
    const Rebound one = stepped(law, wish.mass, wish.bounces[bounce].speed, step, double(i) / places);
    const double error = error_of(one, restitution, size, wish.scale);
    if (error > worst.error) worst = {one, error};
  }
  return worst;
}

/// Of a simulated impact: what takes more is refused, or simulated with longer steps that are as good.
constexpr double most_steps_in_contact = 1e5;

/// At most half of the largest stable step, and such that all bounces, and the size that is asked for, are right within the
/// tolerance. 0 if there is none that a simulation would come to the end with.
template <class Law>
double recommended(const Law& law, const ContactWish& wish, const std::vector<double>& restitutions, double largest,
                   double shortest, Stages& stages) {
  double step = largest / 2;
  for (std::size_t i = 0; i < wish.bounces.size(); ++i)
    for (;;) {
      if (!(step >= shortest && step < infinity)) return 0;
      const double error = worst_of_grid(law, wish, i, step, restitutions[i], stages, Stages::step).error;
      if (error <= 1) break;
      // The error is of second order in the step, of first if the force jumps at touch.
      const double less = .8 / error;
      step *=
          std::isfinite(error) ? std::clamp(has(Law::about.quirks, Quirk::jumps_on_touch) ? less : std::sqrt(less), .1, .9) : .5;
    }
  return step;
}

template <class Law>
ContactDesign delivered(const Law& law, const ContactWish& wish, Stages& stages) {
  const Bounce& first = wish.bounces.front();
  ContactDesign design{law, predicted(law, wish.mass, first.speed), {}, {}, infinity, 0, 0};
  for (const Bounce& bounce : wish.bounces) {
    const Rebound rebound = bounce.speed == first.speed ? design.predicted : predicted(law, wish.mass, bounce.speed);
    design.restitutions.push_back(rebound.restitution);
    design.largest_step =
        std::min(design.largest_step, largest_step(statics::stiffness(law, rebound.deepest), wish.mass, Method::rk4));
  }
  design.recommended_step = recommended(law, wish, design.restitutions, design.largest_step,
                                        design.predicted.contact_time / most_steps_in_contact, stages);
  design.step = wish.step.value_or(design.recommended_step);
  return design;
}

// --- the linear laws
// --------------------------------------------------------------------------------------------------------------

/// 1/s, from the impact in units of itself.
double omega_of(const ImpactShape& shape, const ContactWish& wish) {
  switch (wish.scale) {
    case Scale::penetration:
      return shape.deepest * wish.bounces.front().speed / wish.size;
    case Scale::contact_time:
      return shape.contact_time / wish.size;
    default:
      return std::sqrt(wish.size / wish.mass);
  }
}

ContactDesign linear_with(const ContactWish& wish, double r, double b, Stages& stages) {
  const double omega = omega_of(linear_impact(r, b), wish);
  return delivered(LinearCompliance<>{wish.mass * omega * omega, r * b / omega, b / omega}, wish, stages);
}

/// The largest r with which a restitution can be had, less a hundredth. The least restitution of r has from 1.8 to 4 times its odds
/// r/(1 - r).
double largest_ratio(double restitution) {
  const auto with_odds = [](double odds) { return odds / (1 + odds); };
  const double odds = restitution / (1 - restitution);
  const auto off = [&](double r) { return least_linear_restitution(r).restitution - restitution; };
  return .99 * zero_between(off, with_odds(odds / 4), with_odds(odds / 1.8), 12);
}

std::string bounce_text(const Bounce& bounce) {
  return fmt::format("restitution = {:g} at {:g} m/s", bounce.restitution, bounce.speed);
}
/// Rounded inwards: what is said can be had.
std::string range_text(double low, double high) {
  return fmt::format("between {:.4g} and {:.4g}", std::ceil(low * 1e4) / 1e4, std::floor(high * 1e4) / 1e4);
}
/// All times of an impact go with its size: what is too short for a step is long enough if it is as much larger.
std::string step_problem(const ContactWish& wish, double longest, double lambda, std::string_view more) {
  const double larger = 1.001 * *wish.step / longest;
  const std::string size = wish.scale == Scale::penetration ? fmt::format("penetration >= {:.3g} m", wish.size * larger)
                           : wish.scale == Scale::contact_time
                               ? fmt::format("contact time >= {:.3g} s", wish.size * larger)
                               : fmt::format("stiffness <= {:.3g}", wish.size / std::pow(larger, lambda + 1));
  return fmt::format("step = {:g} s: must be <= {:.3g} s{}, or {}", *wish.step, longest, more, size);
}

std::optional<ContactDesign> design_linear(const ContactWish& wish, Problems& problems, Stages& stages) {
  const Bounce& bounce = wish.bounces.front();
  // A ninth of the odds e/(1 - e): the least restitution has from a fifth to two fifths of them, and the memory is no shorter than
  // it has to be.
  const double wise = bounce.restitution / (9 - 8 * bounce.restitution), first = wish.ratio.value_or(wise);
  const auto b = linear_b_of(first, bounce.restitution);
  if (!b) {
    problems.push_back(fmt::format("{}: must be {} with ratio = {:g}; it takes a ratio <= {:.3g}", bounce_text(bounce),
                                   range_text(least_linear_restitution(first).restitution, 1), first,
                                   largest_ratio(bounce.restitution)));
    return std::nullopt;
  }
  auto design = linear_with(wish, first, *b, stages);
  if (!wish.step || *wish.step <= design.recommended_step) return design;
  // A longer step takes a material that is less stiff when struck, K/r: a larger ratio.
  double longest = design.recommended_step;
  if (!wish.ratio) {
    const double last = largest_ratio(bounce.restitution);
    constexpr int tries = 6;
    for (int i = 1; i <= tries; ++i) {
      const double r = wise * std::pow(last / wise, double(i) / tries);
      design = linear_with(wish, r, linear_b_of(r, bounce.restitution).value(), stages);
      if (*wish.step <= design.recommended_step) return design;
      longest = std::max(longest, design.recommended_step);
    }
  }
  problems.push_back(step_problem(wish, longest, 1, wish.ratio ? fmt::format(" with ratio = {:g}", first) : ""));
  return std::nullopt;
}

std::optional<ContactDesign> with_step(const ContactWish& wish, double lambda, ContactDesign design, Problems& problems) {
  if (design.step <= design.recommended_step) return design;
  problems.push_back(step_problem(wish, design.recommended_step, lambda, ""));
  return std::nullopt;
}

std::optional<ContactDesign> design_kelvin_voigt(const ContactWish& wish, Problems& problems, Stages& stages) {
  const double zeta = kelvin_voigt_zeta_of(wish.bounces.front().restitution), omega = omega_of(kelvin_voigt_impact(zeta), wish);
  return with_step(wish, 1, delivered(KelvinVoigtClamped<>{wish.mass * omega * omega, 2 * zeta * wish.mass * omega}, wish, stages),
                   problems);
}

// --- the curved laws
// --------------------------------------------------------------------------------------------------------------

/// L of K: the indentation, but for a factor near 1; L/v0 the time.
double length_of(double K, double lambda, double mass, double speed) {
  return std::pow(mass * speed * speed / K, 1 / (lambda + 1));
}
/// K of an impact that is to be `size` deep or long, if it is `has` deep or long with K = 1: lengths and times go with L.
double scaled_stiffness(double K, double lambda, const Rebound& rebound, const ContactWish& wish) {
  if (wish.scale == Scale::stiffness) return wish.size;
  const double has = wish.scale == Scale::penetration ? rebound.deepest : rebound.contact_time;
  return K * std::pow(has / wish.size, lambda + 1);
}

std::optional<ContactDesign> design_hunt_crossley(const ContactWish& wish, Problems& problems, Stages& stages) {
  const Bounce& bounce = wish.bounces.front();
  HuntCrossley<> law;
  law.lambda = wish.lambda;
  law.b2 = hunt_crossley_D_of(bounce.restitution) / bounce.speed;
  law.K = wish.mass;
  law.K = scaled_stiffness(law.K, law.lambda, predicted(law, wish.mass, bounce.speed), wish);
  return with_step(wish, law.lambda, delivered(law, wish, stages), problems);
}

/// The damping of the nonlinear law, in s and s/m^lambda.
struct Damping {
  double beta1, beta2;
};

/// Restitutions of the nonlinear law for many dampings and speeds at once.
class Restitutions {
 public:
  Restitutions(const Nonlinear& law, double mass, Stages& stages) : law_(law), mass_(mass), stages_(stages) {}

  std::vector<double> operator()(const std::vector<Damping>& dampings, const std::vector<double>& speeds) const {
    stages_.look(Stages::parameters);
    const std::size_t n = dampings.size();
    std::vector<double> K(n, law_.K), lambda(n, law_.lambda), gamma(n, law_.gamma), mass(n, mass_), beta1, beta2, e(n);
    for (const Damping& damping : dampings) beta1.push_back(damping.beta1), beta2.push_back(damping.beta2);
    const std::array<const double*, 5> columns{K.data(), lambda.data(), beta1.data(), beta2.data(), gamma.data()};
    simulate_impacts(Nonlinear::about.name, n, columns, mass.data(), speeds.data(), {e.data()}, {.tolerance = 1e-9});
    return e;
  }
  double operator()(const Damping& damping, double speed) const {
    return (*this)(std::vector{damping}, std::vector{speed}).front();
  }

  /// t* and t*/L^lambda: what beta1 and beta2 are measured in.
  Damping units(double speed) const {
    const double L = length_of(law_.K, law_.lambda, mass_, speed), t = L / speed;
    return {t, t / std::pow(L, law_.lambda)};
  }
  const Nonlinear& law() const { return law_; }

 private:
  Nonlinear law_;
  double mass_;
  Stages& stages_;
};

/// Along base + x direction, x >= 0, restitution falls and then rises again. The first x at which it has come down to the wish, or
/// none; and the least that was seen on the way.
struct Fall {
  std::optional<double> x;
  double least = 1;
  bool failed = false;  // an impact on the way did not come to an end
};
Fall falling_to(const Restitutions& restitutions, const Bounce& wish, const Damping& base, const Damping& direction) {
  constexpr std::size_t lanes = 8;
  const auto at = [&](double x) { return Damping{base.beta1 + x * direction.beta1, base.beta2 + x * direction.beta2}; };
  const auto many = [&](const std::vector<double>& x) {
    std::vector<Damping> dampings;
    for (const double one : x) dampings.push_back(at(one));
    return restitutions(dampings, std::vector(x.size(), wish.speed));
  };
  const double start = restitutions(base, wish.speed);
  Fall fall{std::nullopt, start, !std::isfinite(start)};
  if (fall.failed || start < wish.restitution) return fall;

  double before = 0, before_that = 0, high = 0;
  for (double next = 1e-3; next < 1e6 && high == 0;) {
    std::vector<double> x;
    for (std::size_t i = 0; i < lanes; ++i) x.push_back(next), next *= 1.6;
    const auto e = many(x);
    for (std::size_t i = 0; i < lanes && high == 0; ++i) {
      fall.failed = !std::isfinite(e[i]);
      if (fall.failed) return fall;
      if (e[i] <= wish.restitution || e[i] > fall.least) high = x[i];
      else before_that = before, before = x[i], fall.least = e[i];
    }
  }
  if (high == 0) return fall;
  if (restitutions(at(high), wish.speed) > wish.restitution) {
    // It rose again: the least lies between the neighbours of the least seen.
    double low = before_that;
    for (int round = 0; round < 6; ++round) {
      std::vector<double> x;
      for (std::size_t i = 0; i <= lanes; ++i) x.push_back(low + (high - low) * double(i) / lanes);
      const auto e = many(x);
      fall.failed = !std::all_of(e.begin(), e.end(), [](double one) { return std::isfinite(one); });
      if (fall.failed) return fall;
      const auto i = std::size_t(std::min_element(e.begin(), e.end()) - e.begin());
      fall.least = std::min(fall.least, e[i]);
      if (e[i] <= wish.restitution) {
        before = low, high = x[i];
        break;
      }
      low = x[i > 0 ? i - 1 : 0], high = x[std::min(i + 1, lanes)];
    }
    if (fall.least > wish.restitution) return fall;
  }
  const auto off = [&](double x) { return restitutions(at(x), wish.speed) - wish.restitution; };
  // Where the integration is not fine enough to see the difference, either end will do.
  fall.x = off(before) * off(high) < 0 ? zero_between(off, before, high, 34) : high;
  fall.least = std::min(fall.least, wish.restitution);
  return fall;
}

/// Least squares in (beta1, beta2) >= 0 of the restitutions at several speeds: Gauss and Newton's method with Levenberg's damping.
/// With two bounces that can be had it is Newton's method. `model` gives the restitutions of many dampings at many speeds.
template <class Model>
Damping fitted(const Model& model, const std::vector<Bounce>& bounces, const Damping& unit, Damping start) {
  const std::size_t n = bounces.size();
  constexpr double difference = 1e-4;
  double x[2] = {start.beta1 / unit.beta1, start.beta2 / unit.beta2}, damping = 0;
  const auto evaluate = [&](const double(&point)[2]) {  // at the point, and a little beside it in both directions
    std::vector<Damping> dampings;
    std::vector<double> speeds;
    for (int beside = 0; beside < 3; ++beside)
      for (const Bounce& bounce : bounces) {
        dampings.push_back(
            {(point[0] + (beside == 1) * difference) * unit.beta1, (point[1] + (beside == 2) * difference) * unit.beta2});
        speeds.push_back(bounce.speed);
      }
    return model(dampings, speeds);
  };
  const auto cost = [&](const std::vector<double>& e) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (e[i] - bounces[i].restitution) * (e[i] - bounces[i].restitution);
    return std::isfinite(sum) ? sum : infinity;
  };
  auto e = evaluate(x);
  double now = cost(e);
  for (int round = 0; round < 100 && now > 1e-17; ++round) {
    double A[2][2] = {}, g[2] = {};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t p = 0; p < 2; ++p) {
        const auto slope = [&](std::size_t q) { return (e[(q + 1) * n + i] - e[i]) / difference; };
        g[p] += slope(p) * (e[i] - bounces[i].restitution);
        for (std::size_t q = 0; q < 2; ++q) A[p][q] += slope(p) * slope(q);
      }
    // What lies at its bound and would go beyond stays there.
    const bool held[2] = {x[0] <= 0 && g[0] > 0, x[1] <= 0 && g[1] > 0};
    for (std::size_t p = 0; p < 2; ++p) {
      A[p][p] *= 1 + damping;
      if (held[p]) A[p][p] = 1, A[p][1 - p] = A[1 - p][p] = g[p] = 0;
    }
    const double determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    const double move[2] = {-(A[1][1] * g[0] - A[0][1] * g[1]) / determinant, -(A[0][0] * g[1] - A[1][0] * g[0]) / determinant};
    const double tried[2] = {std::max(0.0, x[0] + move[0]), std::max(0.0, x[1] + move[1])};
    const auto e_tried = evaluate(tried);
    if (const double next = cost(e_tried); next < now) {
      const double moved = std::max(std::abs(tried[0] - x[0]), std::abs(tried[1] - x[1]));
      x[0] = tried[0], x[1] = tried[1], e = e_tried, now = next;
      damping = damping < 1e-6 ? 0 : damping / 10;
      if (moved < 1e-12 * (1 + x[0] + x[1])) break;
    } else {
      if (damping > 1e8) break;
      damping = std::max(1e-4, damping * 10);
    }
  }
  return {x[0] * unit.beta1, x[1] * unit.beta2};
}

/// The start: a fit of the restitution for lambda 1.5 and large gamma, within .003.
Damping start_of(const Restitutions& restitutions, const std::vector<Bounce>& bounces) {
  const auto fit = [&](const std::vector<Damping>& dampings, const std::vector<double>& speeds) {
    std::vector<double> e;
    for (std::size_t i = 0; i < dampings.size(); ++i) {
      const Damping unit = restitutions.units(speeds[i]);
      const double B1 = dampings[i].beta1 / unit.beta1, B2 = dampings[i].beta2 / unit.beta2;
      e.push_back(1 / (1 + B1 * (1.7644 + .7975 * B1) + B2 * (.7976 - .0328 * std::min(B2, 10.)) + .4303 * B1 * B2));
    }
    return e;
  };
  const Damping unit = restitutions.units(bounces.front().speed);
  return fitted(fit, bounces, unit, {.1 * unit.beta1, .1 * unit.beta2});
}

/// Why there is no damping for a wish. A memory that is too slow loses too little: then a larger gamma helps.
struct Refusal {
  Problems problems;
  bool too_slow = false;
};

/// The damping for one or more bounces, for a given K and gamma.
std::optional<Damping> damping_for(const Restitutions& restitutions, const std::vector<Bounce>& bounces, Refusal& refusal) {
  refusal = {};
  const auto unit_of = [&](const Bounce& bounce) { return restitutions.units(bounce.speed); };
  const Bounce &first = bounces.front(), &last = bounces.back();
  const Damping unit = unit_of(first);
  Damping flat{};  // of the first bounce with beta2 = 0
  for (const Bounce& bounce : bounces) {
    const Fall fall = falling_to(restitutions, bounce, {0, 0}, {unit_of(bounce).beta1, 0});
    if (&bounce == &first) flat.beta1 = fall.x.value_or(0) * unit.beta1;
    if (fall.x) continue;
    if (fall.failed) {
      refusal = {{fmt::format("{}: an impact with gamma = {:.4g} 1/s could not be simulated; use a smaller gamma",
                              bounce_text(bounce), restitutions.law().gamma)}};
      return std::nullopt;
    }
    refusal.too_slow = true;
    refusal.problems.push_back(fmt::format("{}: must be {} with gamma = {:.4g} 1/s; a larger gamma allows less",
                                           bounce_text(bounce), range_text(fall.least, 1), restitutions.law().gamma));
  }
  if (refusal.too_slow) return std::nullopt;
  if (bounces.size() == 1) return flat;

  const Damping found = fitted(restitutions, bounces, unit, start_of(restitutions, bounces));
  if (bounces.size() > 2) return found;
  const auto met = [&](const Damping& damping) {
    return std::all_of(bounces.begin(), bounces.end(), [&](const Bounce& bounce) {
      return std::abs(restitutions(damping, bounce.speed) - bounce.restitution) <= 1e-6;
    });
  };
  if (met(found)) return found;
  // What the first leaves to the second: between beta2 = 0 and beta1 = 0.
  const auto with_beta1 = [&](double beta1) {
    const auto x = falling_to(restitutions, first, {beta1, 0}, {0, unit.beta2}).x;
    return Damping{beta1, x ? *x * unit.beta2 : no_number};
  };
  const Damping growing = with_beta1(0);
  const double one = restitutions(flat, last.speed);
  const double other = std::isfinite(growing.beta2) ? restitutions(growing, last.speed) : no_number;
  if ((one - last.restitution) * (other - last.restitution) < 0) {
    // Newton's method was led astray, where restitution begins to rise again: along the curve on which the first has its wish.
    const auto off = [&](double beta1) { return restitutions(with_beta1(beta1), last.speed) - last.restitution; };
    const Damping along = with_beta1(zero_between(off, 0, .999999 * flat.beta1, 30));
    if (met(along)) return along;
  } else if (std::isfinite(other)) {
    refusal.problems.push_back(fmt::format("{}: must be {} if it is {:g} at {:g} m/s", bounce_text(last),
                                           range_text(std::min(one, other), std::max(one, other)), first.restitution, first.speed));
    return std::nullopt;
  }
  refusal.too_slow = true;
  refusal.problems.push_back(
      fmt::format("{}: infeasible together with {:g} at {:g} m/s with gamma = {:.4g} 1/s; try a larger gamma", bounce_text(last),
                  first.restitution, first.speed, restitutions.law().gamma));
  return std::nullopt;
}

/// With a given gamma t* of the first bounce, or the gamma that was asked for.
std::optional<Nonlinear> nonlinear_with(const ContactWish& wish, double pace, Refusal& refusal, Stages& stages) {
  const double speed = wish.bounces.front().speed;
  // As if it lost nothing: deepest and contact time are not far from that.
  const Rebound lossless{1, hertz_contact_time(wish.lambda) / speed, hertz_deepest(wish.lambda), 0, 0};
  Nonlinear law{scaled_stiffness(wish.mass * speed * speed, wish.lambda, lossless, wish), wish.lambda, 0, 0, 0};
  for (int round = 0; round < 50; ++round) {
    law.gamma = wish.gamma.value_or(pace * speed / length_of(law.K, law.lambda, wish.mass, speed));
    const auto damping = damping_for(Restitutions(law, wish.mass, stages), wish.bounces, refusal);
    if (!damping) return std::nullopt;
    law.beta1 = damping->beta1, law.beta2 = damping->beta2;
    const double K = scaled_stiffness(law.K, law.lambda, predicted(law, wish.mass, speed), wish);
    if (std::abs(K / law.K - 1) < 1e-7) break;
    law.K = K;
  }
  return law;
}

std::optional<ContactDesign> design_nonlinear(const ContactWish& wish, Problems& problems, Stages& stages) {
  // As fast as 50/t*, restitution hardly depends on gamma; for less than a thirtieth it takes more.
  double pace = 50;
  Refusal refusal;
  auto law = nonlinear_with(wish, pace, refusal, stages);
  while (!law && refusal.too_slow && !wish.gamma && pace < 1e3) law = nonlinear_with(wish, pace *= 2, refusal, stages);
  if (!law) {
    problems.insert(problems.end(), refusal.problems.begin(), refusal.problems.end());
    return std::nullopt;
  }
  auto design = delivered(*law, wish, stages);
  double longest = design.recommended_step;
  // A longer step takes a slower memory.
  while (wish.step && *wish.step > design.recommended_step && !wish.gamma && pace > 1) {
    const auto slower = nonlinear_with(wish, pace /= 1.5, refusal, stages);
    if (!slower) break;
    design = delivered(*slower, wish, stages);
    longest = std::max(longest, design.recommended_step);
  }
  if (!wish.step || *wish.step <= design.recommended_step) return design;
  problems.push_back(
      step_problem(wish, longest, wish.lambda, wish.gamma ? fmt::format(" with gamma = {:g} 1/s", *wish.gamma) : ""));
  return std::nullopt;
}

// --- what is asked for
// ------------------------------------------------------------------------------------------------------------

template <class Law>
constexpr bool is_named(const std::string& name) {
  return name == Law::about.name;
}

std::optional<ContactDesign> found_design(const ContactWish& wish, Problems& problems, Stages& stages) {
  stages.look(Stages::parameters);
  auto design = is_named<LinearCompliance<>>(wish.law) ? design_linear(wish, problems, stages)
                : is_named<Nonlinear>(wish.law)        ? design_nonlinear(wish, problems, stages)
                : is_named<HuntCrossley<>>(wish.law)   ? design_hunt_crossley(wish, problems, stages)
                                                       : design_kelvin_voigt(wish, problems, stages);
  if (!design) return design;
  if (!(design->recommended_step > 0)) {
    problems.push_back(fmt::format("{}: an impact of {:g} s could not be simulated in {:g} steps; use other sizes or another law",
                                   wish.law, design->predicted.contact_time, most_steps_in_contact));
    return std::nullopt;
  }
  design->step = std::max(design->step, std::min(design->recommended_step, design->predicted.contact_time / most_steps_in_contact));
  design->simulated = std::visit(
      [&](const auto& law) {
        return worst_of_grid(law, wish, 0, design->step, design->restitutions.front(), stages, Stages::check).rebound;
      },
      design->law);
  return design;
}

}  // namespace

std::vector<std::string> problems_of(const ContactWish& wish) {
  Problems problems;
  const auto check = [&](std::string_view name, double value, std::string_view unit, const Range& range) {
    for (std::string& line : range_problems({std::string(name), std::string(unit), "", range, false, {value}}))
      problems.push_back(std::move(line));
  };
  const auto check_size = [&](std::string_view name, double value, std::string_view unit) {
    check(name, value, unit, value > 0 ? impact_size : positive);
  };
  const auto laws = contact_design_laws();
  const bool known = std::find(laws.begin(), laws.end(), wish.law) != laws.end();
  if (!known) {
    const auto meant = nearest(wish.law, laws);
    problems.push_back(fmt::format("law \"{}\" cannot be designed; {}", wish.law,
                                   meant ? "did you mean " + *meant + "?" : fmt::format("known: {}", fmt::join(laws, ", "))));
  }
  const bool nonlinear = is_named<Nonlinear>(wish.law), linear = is_named<LinearCompliance<>>(wish.law);
  const bool curved = is_curved(wish.law);
  check_size("mass", wish.mass, "kg");
  if (wish.bounces.empty()) problems.push_back("no restitution given");
  for (const Bounce& bounce : wish.bounces) {
    check_size("speed", bounce.speed, "m/s");
    if (!(bounce.restitution > 0 && bounce.restitution < 1))
      problems.push_back(fmt::format("restitution = {:g}: must be > 0 and < 1", bounce.restitution));
    else check("restitution", bounce.restitution, "1", between(1e-6, 1 - 1e-6));
  }
  switch (wish.scale) {
    case Scale::penetration:
      check_size("penetration", wish.size, "m");
      break;
    case Scale::contact_time:
      check_size("contact time", wish.size, "s");
      break;
    case Scale::stiffness:
      check_size("stiffness", wish.size, curved ? "N/m^lambda" : "N/m");
  }
  if (wish.step) check("step", *wish.step, "s", positive);
  if (curved) check("lambda", wish.lambda, "1", between(1, 5));
  if (wish.ratio && !(*wish.ratio > 0 && *wish.ratio < 1))
    problems.push_back(fmt::format("ratio = {:g}: must be > 0 and < 1", *wish.ratio));
  else if (wish.ratio) check("ratio", *wish.ratio, "1", between(1e-8, 1));
  if (wish.ratio && known && !linear) problems.push_back(fmt::format("ratio = {:g}: {} has none", *wish.ratio, wish.law));
  if (wish.gamma) check("gamma", *wish.gamma, "1/s", positive);
  if (wish.gamma && known && !nonlinear) problems.push_back(fmt::format("gamma = {:g} 1/s: {} has none", *wish.gamma, wish.law));
  if (wish.bounces.size() > 1 && known && !nonlinear)
    problems.push_back(
        fmt::format("{} bounces: {} takes one; several speeds take nonlinear_compliance", wish.bounces.size(), wish.law));
  for (std::size_t i = 0; i < wish.bounces.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (wish.bounces[i].speed == wish.bounces[k].speed)
        problems.push_back(fmt::format("speed = {:g} m/s: given twice", wish.bounces[i].speed));
  return problems;
}

bool is_curved(std::string_view name) {
  const auto law = make_law(name);
  if (!law || law->about().kind != Kind::contact) return false;
  const auto parameters = law->parameters();
  return std::any_of(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.range.role == Role::exponent; });
}

std::vector<std::string> contact_design_laws() {
  std::vector<std::string> names;
  [&]<class... Law>(const std::variant<Law...>*) { (names.emplace_back(Law::about.name), ...); }(static_cast<ContactLaw*>(nullptr));
  return names;
}

std::optional<ContactDesign> design_contact(const ContactWish& wish, std::vector<std::string>& problems, const Hooks& hooks) {
  if (auto found = problems_of(wish); !found.empty()) {
    problems.insert(problems.end(), found.begin(), found.end());
    return std::nullopt;
  }
  try {
    Stages stages(hooks);
    return found_design(wish, problems, stages);
  } catch (const Stopped& stopped) {
    problems.emplace_back(stopped.what());
    return std::nullopt;
  }
}

std::optional<ContactWish> sized_by_step(ContactWish wish, std::vector<std::string>& problems, const Hooks& hooks) {
  if (!wish.step) {
    problems.emplace_back("no step given: the size of the contact follows from it");
    return std::nullopt;
  }
  wish.scale = Scale::contact_time;
  wish.size = 20 * *wish.step;
  ContactWish free = wish;
  free.step.reset();
  // An impact that is twice as long is the same one, slower: steps go with it.
  constexpr int most_rounds = 20;
  const Ticker clock;
  for (int i = 0; i < most_rounds; ++i) {
    const auto design = design_contact(free, problems, part_of(hooks, clock, i, i + 1, most_rounds));
    if (!design) return std::nullopt;
    const double ratio = *wish.step / design->recommended_step;
    if (ratio <= 1 && ratio > 0.99) break;
    free.size *= 1.001 * ratio;
  }
  wish.size = free.size;
  return wish;
}

Rebound stepped_rebound(const ContactLaw& law, double mass, double speed, double step, double phase) {
  return std::visit([&](const auto& one) { return stepped(one, mass, speed, step, phase); }, law);
}

}  // namespace asperity::design
