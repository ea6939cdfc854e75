// Dormand-Prince 5(4) of Boost.odeint: adaptive, with dense output of order 4. The last stage is the first of the next step.
#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "methods.hpp"

namespace asperity::detail {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;
using Stepper = odeint::runge_kutta_dopri5<State>;
using Controlled = odeint::controlled_runge_kutta<Stepper>;
using ErrorChecker = odeint::default_error_checker<double, Stepper::algebra_type, Stepper::operations_type>;

constexpr int most_events = 4;  // for which one step is taken again

class Dopri5 final : public Integrator {
 public:
  Dopri5(RateFunction rate, IntegratorOptions options) : Integrator(std::move(rate), std::move(options)) {}

  std::string_view method() const noexcept override { return "dopri5"; }

  using Integrator::interpolate;
  void interpolate(double t, std::span<double> x) override {
    if (t_ == t_before_) return void(std::copy(x_.begin(), x_.end(), x.begin()));
    scratch_.resize(x.size());
    stepper_.stepper().calc_state(t, scratch_, before_, rate_before_, t_before_, x_, rate_end_, t_);
    std::copy(scratch_.begin(), scratch_.end(), x.begin());
  }

 protected:
  void begin() override {
    // The error is measured against atol + rtol |x|, without odeint's share of |h xdot|.
    stepper_ = Controlled(ErrorChecker(options_.atol, options_.rtol, 1.0, 0.0));
    before_ = rate_before_ = rate_end_ = rate_ = next_ = next_rate_ = scratch_ = State(x_.size());
    have_rate_ = false;
    h_ = 0;
  }

  void take_step(double t_stop) override {
    if (pass_corner()) have_rate_ = false;
    if (!have_rate_) {
      evaluate(t_, x_, 0, rate_);
      if (const std::size_t bad = first_non_finite(rate_); bad != rate_.size()) throw NonFinite(t_, bad, true);
      have_rate_ = true;
    }
    if (h_ == 0) h_ = first_step(t_stop);
    std::size_t bad = x_.size();
    double latest = t_stop;
    for (int events = 0;;) {
      double h = std::min(h_, options_.max_step);
      // A step that would stop short of the end by rounding goes there.
      const double end = std::min(latest, latest_end(h + slack(latest), t_stop, rate_));
      const bool to_stop = h >= end - t_ - slack(end);
      if (to_stop) h = end - t_;
      if (h <= std::max(1e-30, 16 * std::numeric_limits<double>::epsilon() * std::abs(t_))) {
        if (bad != x_.size()) throw NonFinite(t_ + h, bad, false);
        throw StepCollapse(method(), t_, h, worst());
      }
      double t = t_, suggested = h;
      const auto result = stepper_.try_step([this](const State& x, State& xdot, double time) { evaluate(time, x, 0, xdot); }, x_,
                                            rate_, t, next_, next_rate_, suggested);
      bad = first_non_finite(next_);
      if (bad == x_.size()) bad = first_non_finite(next_rate_);
      // A trial that leaves the numbers was too long; only if every trial does, the run has failed.
      if (bad != x_.size()) suggested = h / 5;
      if (bad != x_.size() || result == odeint::fail) {
        ++statistics_.rejected;
        h_ = suggested;
        continue;
      }
      if (to_stop) t = end;
      if (events < most_events) {
        const double event = first_event(t, [&](double time, std::span<double> x) {
          stepper_.stepper().calc_state(time, scratch_, x_, rate_, t_, next_, next_rate_, t);
          std::copy(scratch_.begin(), scratch_.end(), x.begin());
        });
        if (event < t) {
          ++statistics_.rejected;
          ++events;
          latest = event;
          continue;
        }
      }
      t_before_ = t_;
      t_ = t;
      // A step cut short to end at t_stop says nothing against the longer one.
      h_ = to_stop ? std::max(h_, suggested) : suggested;
      break;
    }
    before_.swap(x_);
    x_.swap(next_);
    rate_before_.swap(rate_);
    rate_end_ = rate_ = next_rate_;
    // The last stage is the rate of the next step, unless the state or an input has really been changed since.
    if (settle() > 1e-3) have_rate_ = false;
  }

 private:
  /// The entry whose rate changes most over the step that was tried last.
  std::size_t worst() const {
    std::size_t most = 0;
    const auto change = [&](std::size_t i) { return std::abs(next_rate_[i] - rate_[i]) / tolerance(x_[i]); };
    for (std::size_t i = 1; i < x_.size(); ++i)
      if (!(change(i) <= change(most))) most = i;
    return most;
  }

  /// Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4: a step over which an Euler step and the
  /// change of the rate stay small against the tolerance.
  double first_step(double t_stop) {
    const auto norm = [this](const State& v) {
      double largest = 0;
      for (std::size_t i = 0; i < v.size(); ++i) largest = std::max(largest, std::abs(v[i]) / tolerance(x_[i]));
      return largest;
    };
    const double size = norm(x_), speed = norm(rate_);
    const double guess = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
    const double h0 = std::min({guess, options_.max_step, t_stop - t_});
    for (std::size_t i = 0; i < x_.size(); ++i) next_[i] = x_[i] + h0 * rate_[i];
    evaluate(t_ + h0, next_, 0, next_rate_);
    for (std::size_t i = 0; i < x_.size(); ++i) scratch_[i] = (next_rate_[i] - rate_[i]) / h0;
    const double sharpest = std::max(speed, norm(scratch_));
    const double h1 = sharpest <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / sharpest, 0.2);
    return std::isfinite(h1) ? std::min(100 * h0, h1) : h0;
  }

  Controlled stepper_;
  State before_, rate_before_, rate_end_, rate_, next_, next_rate_, scratch_;
  bool have_rate_ = false;
  double h_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_dopri5(RateFunction rate, IntegratorOptions options) {
  return std::make_unique<Dopri5>(std::move(rate), std::move(options));
}

}  // namespace asperity::detail
