// The fixed-step methods: all from the tableau of RungeKutta, on the grid t = k h.
#include <array>

#include "methods.hpp"

namespace asperity::detail {
namespace {

class FixedStep final : public Integrator {
 public:
  FixedStep(Method method, RateFunction rate, IntegratorOptions options)
      : Integrator(std::move(rate), std::move(options)), method_(method), tableau_(method, 0) {}

  std::string_view method() const noexcept override {
    return std::array{"euler", "step", "rk4", "rk4-lookahead"}[std::size_t(method_)];
  }

  /// Cubic, from the states and the rates at both ends of the step.
  void interpolate(double t, std::span<double> x) override {
    const double h = t_ - t_before_;
    if (h == 0) return void(std::copy(x_.begin(), x_.end(), x.begin()));
    const std::vector<double>& end = options_.between_steps ? unsettled_ : x_;
    if (!have_end_rates_) {
      const double tau = RungeKutta::first_tau(method_, h);
      evaluate(t_before_, before_, tau, rate_before_);
      evaluate(t_, end, tau, rate_end_);
      have_end_rates_ = true;
    }
    const double s = (t - t_before_) / h, r = 1 - s;
    const double from_before = r * r * (1 + 2 * s), from_end = s * s * (1 + 2 * r);
    const double slope_before = h * s * r * r, slope_end = -h * s * s * r;
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = from_before * before_[i] + slope_before * rate_before_[i] + from_end * end[i] + slope_end * rate_end_[i];
  }

 protected:
  /// A start on the grid k h stays on it, so that a run continued from its middle sees the same times.
  void begin() override {
    const double nearest = std::round(t_ / options_.step);
    origin_ = nearest * options_.step == t_ && std::abs(nearest) < 1e15 ? 0 : t_;
    k_ = origin_ == t_ ? 0 : static_cast<long>(nearest);
    tableau_ = RungeKutta(method_, x_.size());
    before_ = x_;
    rate_before_.resize(x_.size());
    rate_end_.resize(x_.size());
    have_end_rates_ = false;
  }

  void take_step(double t_stop) override {
    const double next = origin_ + double(k_ + 1) * options_.step;
    const bool on_grid = next <= t_stop + slack(t_stop);
    const double h = on_grid ? options_.step : t_stop - t_;
    before_ = x_;
    have_end_rates_ = false;
    tableau_.step([this](double t, std::span<const double> x, double tau, std::span<double> xdot) { evaluate(t, x, tau, xdot); },
                  t_, h, x_);
    if (const std::size_t bad = first_non_finite(x_); bad != x_.size()) {
      x_ = before_;
      // The stages have spread it over the state: look where it came from.
      evaluate(t_, x_, RungeKutta::first_tau(method_, h), rate_before_);
      if (const std::size_t cause = first_non_finite(rate_before_); cause != x_.size()) throw NonFinite(t_, cause, true);
      throw NonFinite(t_ + h, bad, false);
    }
    t_before_ = t_;
    if (on_grid) {
      t_ = next;
      ++k_;
    } else {
      t_ = origin_ = t_stop;
      k_ = 0;
    }
    settle();
  }

  /// A stop that misses the grid by a millionth of a step is meant to be on it.
  double slack(double t) const noexcept override { return std::max(1e-6 * options_.step, Integrator::slack(t)); }

 private:
  Method method_;
  RungeKutta tableau_;
  double origin_ = 0;
  long k_ = 0;
  std::vector<double> before_, rate_before_, rate_end_;
  bool have_end_rates_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_fixed_step(Method method, RateFunction rate, IntegratorOptions options) {
  return std::make_unique<FixedStep>(method, std::move(rate), std::move(options));
}

}  // namespace asperity::detail
