#include "asperity/integrate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <complex>
#include <numbers>
#include <utility>

#include "methods.hpp"

namespace asperity {
namespace {

constexpr int most_crawling = 2000;
constexpr int most_corners = 16;  // of several inputs, at one time

/// What is no step at t.
double shortest(double t) { return 512 * std::numeric_limits<double>::epsilon() * std::abs(t) + 1e-25; }

}  // namespace

NonFinite::NonFinite(double t, std::size_t entry, bool rate)
    : IntegrationFailure(fmt::format("entry {} of the {} is not finite at t = {:g} s", entry, rate ? "rate" : "state", t), t),
      index(entry),
      of_rate(rate) {}

StepCollapse::StepCollapse(std::string_view method, double t, double h, std::size_t entry)
    : IntegrationFailure(fmt::format("{}: the step collapsed to {:g} s at t = {:g} s: the tolerance is out of reach", method, h, t),
                         t),
      step(h),
      index(entry) {}
NoConvergence::NoConvergence(std::string_view method, double t, double h, std::size_t entry)
    : IntegrationFailure(
          fmt::format("{}: Newton's method does not converge at t = {:g} s, nor with a step of {:.2g} s", method, t, h), t),
      index(entry) {}

void Integrator::start(double t, std::span<const double> x) {
  if (const std::size_t bad = detail::first_non_finite(x); bad != x.size()) throw NonFinite(t, bad, false);
  x_.assign(x.begin(), x.end());
  unsettled_ = x_;
  t_ = t_before_ = t;
  statistics_ = {};
  guard_.reset();
  first_ = -std::numeric_limits<double>::infinity();
  last_ = std::numeric_limits<double>::infinity();
  crawling_ = 0;
  begin();
}

void Integrator::step(double t_stop) {
  if (reached(t_stop)) return;
  const double before = t_;
  take_step(t_stop);
  ++statistics_.steps;
  const double h = t_ - before;
  crawling_ = h <= 1e3 * std::numeric_limits<double>::epsilon() * std::abs(t_) ? crawling_ + 1 : 0;
  if (crawling_ == most_crawling) throw StepCollapse(method(), t_, h);
}

StepGuard* Integrator::guard() {
  if (!guard_ && options_.guard) guard_ = options_.guard();
  return guard_.get();
}

bool Integrator::pass_corner() {
  const double last = std::exchange(last_, std::numeric_limits<double>::infinity());
  if (!guard()) return false;
  // An input that jumps a rounding error later jumps here.
  for (int i = 0; i < most_corners; ++i) {
    const double from = std::max(t_, first_);
    const Corner corner = guard_->corner(from, t_ + shortest(t_));
    if (!std::isfinite(corner.after)) break;
    if (corner.before < corner.after) first_ = corner.after;
    else break;
  }
  return t_ > last || first_ > t_;
}

double Integrator::latest_end(double h, double t_stop, std::span<const double> rate) {
  last_ = std::numeric_limits<double>::infinity();
  if (!guard()) return std::min(t_stop, t_ + h);
  const double from = std::max(t_, first_);
  double end = std::min(t_stop, t_ + h);
  const Corner corner = guard_->corner(from, end);
  const bool jumps = corner.after <= end && corner.before < corner.after;
  if (corner.after < end) end = corner.after;
  const double until = jumps ? corner.before : end, latest = guard_->latest_end(from, x_, rate, until);
  // Not so short that it is no step.
  if (latest < until) end = std::min(end, std::max(latest, t_ + shortest(t_)));
  if (jumps && corner.after <= end) last_ = corner.before;
  return end;
}

double Integrator::first_event(double t, const StepGuard::Dense& at) {
  if (!guard()) return std::numeric_limits<double>::infinity();
  const double event = guard_->first_event(t_, t, at);
  const double earliest = t_ + shortest(t_);
  return event < t && earliest < t ? std::max(event, earliest) : std::numeric_limits<double>::infinity();
}

double Integrator::slack(double t) const noexcept {
  return std::isfinite(t) ? 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(t_)) : 0;
}

double Integrator::tolerance(double entry) const noexcept { return options_.atol + options_.rtol * std::abs(entry); }

bool Integrator::tidy() {
  if (!options_.between_steps) return false;
  unsettled_ = x_;
  options_.between_steps(t_, x_);
  if (const std::size_t bad = detail::first_non_finite(x_); bad != x_.size()) {
    x_ = unsettled_;
    throw NonFinite(t_, bad, false);
  }
  return true;
}

double Integrator::settle() {
  if (!tidy()) return 0;
  double moved = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) moved = std::max(moved, std::abs(x_[i] - unsettled_[i]) / tolerance(x_[i]));
  return moved;
}

namespace {

using Complex = std::complex<double>;
Complex forward_euler(Complex z) { return 1.0 + z; }
Complex classical(Complex z) { return 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))); }
Complex backward_euler(Complex z) { return 1.0 / (1.0 - z); }
Complex two_stages(Complex z) {
  const double gamma = 1 - 1 / std::numbers::sqrt2;
  return (1.0 + (1 - 2 * gamma) * z) / ((1.0 - gamma * z) * (1.0 - gamma * z));
}

}  // namespace

std::span<const AboutMethod> integration_methods() {
  static const std::array methods{
      AboutMethod{"euler", "forward Euler, fixed step, order 1", false, true, 1, false, Method::euler, 0, forward_euler},
      AboutMethod{"step", "Euler, every element implicit in closed form, fixed step, order 1", false, true, 1, false, Method::step,
                  1, forward_euler},
      AboutMethod{"rk4", "classical Runge-Kutta, fixed step, order 4", false, true, 4, false, Method::rk4, 0, classical},
      AboutMethod{"rk4-lookahead", "Runge-Kutta with look-ahead elements, fixed step, order 1", false, true, 1, false,
                  Method::rk4_lookahead, 0.75, classical},
      AboutMethod{"implicit",
                  "implicit Euler of bodies and elements together, fixed step, order 1, for any stiffness",
                  false,
                  true,
                  1,
                  true,
                  {},
                  0,
                  backward_euler},
      AboutMethod{
          "implicit2", "the same in two stages, fixed step, order 2, for any stiffness", false, true, 2, true, {}, 0, two_stages},
      AboutMethod{"dopri5", "Dormand-Prince 5(4), adaptive (Boost.odeint)", true, true, 5},
      AboutMethod{"cvode", "backward differentiation, adaptive, for stiff systems (SUNDIALS CVODE)", true, detail::has_cvode, 5},
      AboutMethod{"auto", "dopri5, and cvode while the system is stiff", true, true, 5},
  };
  return methods;
}

const AboutMethod* find_method(std::string_view name) noexcept {
  const auto methods = integration_methods();
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const AboutMethod& m) { return m.name == name; });
  return found == methods.end() ? nullptr : &*found;
}
bool is_adaptive(std::string_view method) noexcept {
  const AboutMethod* about = find_method(method);
  return about && about->adaptive;
}
bool is_implicit(std::string_view method) noexcept {
  const AboutMethod* about = find_method(method);
  return about && about->implicit;
}

namespace {

void check(const IntegratorOptions& options) {
  std::string problems;
  const auto require = [&](bool fine, std::string_view name, double value, std::string_view bound) {
    if (!fine) problems += fmt::format("{}{} = {:g}: must be {}", problems.empty() ? "" : "; ", name, value, bound);
  };
  require(options.step > 0 && std::isfinite(options.step), "step", options.step, "> 0");
  require(options.rtol >= 1e-14 && options.rtol < 1, "rtol", options.rtol, "at least 1e-14 and below 1");
  require(options.atol > 0 && std::isfinite(options.atol), "atol", options.atol, "> 0");
  require(options.max_step > 0, "max_step", options.max_step, "> 0");
  require(options.bandwidth >= -1, "bandwidth", options.bandwidth, ">= -1");
  if (!problems.empty()) throw std::invalid_argument(problems);
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(std::string_view method, RateFunction rate, IntegratorOptions options) {
  check(options);
  const AboutMethod* about = find_method(method);
  if (about && about->tableau) return detail::make_fixed_step(*about->tableau, std::move(rate), std::move(options));
  if (about && about->implicit) return detail::make_implicit(about->order, std::move(rate), std::move(options));
  if (method == "dopri5") return detail::make_dopri5(std::move(rate), std::move(options));
  if (method == "cvode") return detail::make_cvode(std::move(rate), std::move(options));
  if (method == "auto") return detail::make_auto(std::move(rate), std::move(options));
  std::string names;
  for (const AboutMethod& known : integration_methods()) names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  throw std::invalid_argument(fmt::format("unknown integration method '{}': must be one of {}", method, names));
}

}  // namespace asperity
