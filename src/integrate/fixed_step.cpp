// The explicit fixed-step methods: all from the tableau of RungeKutta.
#include <array>
#include <utility>

#include "on_grid.hpp"

namespace asperity::detail {
namespace {

class FixedStep final : public OnGrid {
 public:
  FixedStep(Method method, RateFunction rate, IntegratorOptions options)
      : OnGrid(std::move(rate), std::move(options)), method_(method), tableau_(method, 0) {}

  std::string_view method() const noexcept override {
    return std::array{"euler", "step", "rk4", "rk4-lookahead"}[std::size_t(method_)];
  }

  /// Cubic, from the states and the rates at both ends of the step.
  void interpolate(double t, std::span<double> x) override {
    if (t_ == t_before_) return void(std::copy(x_.begin(), x_.end(), x.begin()));
    const Cubic cubic = cubic_at(t);
    // Plain pointers: a loop that g++ vectorizes.
    const double *const before = before_.data(), *const rate_before = rate_before_.data();
    const double *const after = end().data(), *const rate_after = rate_end_.data();
    double *const to = x.data();
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) to[i] = cubic(before[i], rate_before[i], after[i], rate_after[i]);
  }
  void interpolate(double t, std::span<const std::size_t> entries, std::span<double> x) override {
    if (t_ == t_before_) return void(std::copy(x_.begin(), x_.end(), x.begin()));
    const Cubic cubic = cubic_at(t);
    for (const std::size_t i : entries) x[i] = cubic(before_[i], rate_before_[i], end()[i], rate_end_[i]);
  }

 protected:
  Cubic cubic_at(double t) {
    const double h = t_ - t_before_;
    if (!has_end_rate_) {
      evaluate(t_, end(), RungeKutta::first_tau(method_, h_), rate_end_);
      has_end_rate_ = true;
    }
    return Cubic((t - t_before_) / h, h);
  }
  void prepare() override {
    tableau_ = RungeKutta(method_, x_.size());
    rate_before_.resize(x_.size());
    rate_end_.resize(x_.size());
    has_end_rate_ = false;
  }

  void move(double h) override {
    // The rate where the step starts is its first stage; and if nothing happened between the steps, it is that of the last end.
    bool first = true;
    const bool is_known = has_end_rate_ && h == h_ && !changed_between_steps();
    if (is_known) rate_before_.swap(rate_end_);
    has_end_rate_ = false;
    h_ = h;
    tableau_.step(
        [&](double t, std::span<const double> x, double tau, std::span<double> xdot) {
          if (!std::exchange(first, false)) return evaluate(t, x, tau, xdot);
          // It counts in any case: a run that goes on from a file evaluates it again, and has the same statistics.
          if (is_known) ++statistics_.evaluations;
          else evaluate(t, x, tau, rate_before_);
          std::copy(rate_before_.begin(), rate_before_.end(), xdot.begin());
        },
        t_, h, x_);
    if (const std::size_t bad = first_non_finite(x_); bad != x_.size()) {
      // The stages have spread it over the state: look where it came from.
      if (const std::size_t cause = first_non_finite(rate_before_); cause != x_.size()) throw NonFinite(t_, cause, true);
      throw NonFinite(t_ + h, bad, false);
    }
  }

 private:
  Method method_;
  RungeKutta tableau_;
  std::vector<double> rate_before_, rate_end_;
  bool has_end_rate_ = false;
  double h_ = 0;  // of the last step
};

}  // namespace

std::unique_ptr<Integrator> make_fixed_step(Method method, RateFunction rate, IntegratorOptions options) {
  return std::make_unique<FixedStep>(method, std::move(rate), std::move(options));
}

}  // namespace asperity::detail
