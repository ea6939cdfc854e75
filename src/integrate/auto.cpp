// dopri5, and cvode while the system is stiff.
//
// Stiff means: the step is longer than the fastest mode would need to be followed, because that mode has died out; what holds an
// explicit step down is then stability, not accuracy. The region of stability of dopri5 ends between h |lambda| = 2.0 (for modes
// with 2 % of damping) and 3.4, so a mean step with h |lambda|_max above 1.5 is stiff. cvode stays as long as that pays: while its
// steps are longer than those that it replaced. If it never paid (many transitions leave no method long steps), the next trial
// waits longer.
#include <fmt/format.h>

#include "methods.hpp"

namespace asperity::detail {
namespace {

constexpr int window = 60;      // accepted steps between two decisions
constexpr int iterations = 30;  // for an estimate of |lambda|_max: a tenth of the evaluations of a window
constexpr double stiff = 1.5;   // mean step times |lambda|_max
constexpr double worth = 2;     // mean step of cvode over the one that it replaced

class Auto final : public Integrator {
 public:
  Auto(RateFunction rate, IntegratorOptions options) : Integrator(std::move(rate), std::move(options)) {
    const RateFunction counted = [this](double t, std::span<const double> x, double tau, std::span<double> xdot) {
      evaluate(t, x, tau, xdot);
    };
    explicit_ = make_dopri5(counted, options_);
    if (has_cvode) implicit_ = make_cvode(counted, options_);
    active_ = next_ = explicit_.get();
  }

  std::string_view method() const noexcept override { return active_->method(); }
  using Integrator::interpolate;
  void interpolate(double t, std::span<double> x) override { active_->interpolate(t, x); }
  double seen(double t) const noexcept override { return active_->seen(t); }

 protected:
  void begin() override {
    active_ = next_ = explicit_.get();
    active_->start(t_, x_);
    done_ = {};
    told_ = false;
    wait_ = 0;
    patience_ = 1;
    direction_.assign(x_.size(), 1.0);
    rate_here_.resize(x_.size());
    rate_there_.resize(x_.size());
    there_.resize(x_.size());
    open_window();
  }

  void take_step(double t_stop) override {
    if (next_ != active_) {  // only now, so that the last step could still be interpolated
      add(done_, active_->statistics());
      active_ = next_;
      active_->start(t_, x_);
      ++statistics_.switches;
    }
    active_->step(t_stop);
    t_before_ = t_;
    t_ = active_->time();
    std::ranges::copy(active_->state(), x_.begin());
    Statistics all = done_;
    add(all, active_->statistics());
    statistics_.rejected = all.rejected;
    statistics_.jacobians = all.jacobians;
    statistics_.restarts = all.restarts;
    if (++steps_ == window) decide();
  }

 private:
  static void add(Statistics& sum, const Statistics& more) {
    sum.rejected += more.rejected;
    sum.jacobians += more.jacobians;
    sum.restarts += more.restarts;
  }

  void open_window() {
    steps_ = 0;
    window_start_ = t_;
  }

  /// |lambda|_max of the Jacobian by power iterations, with differences of a thousandth of the tolerance, in units of the
  /// tolerance. Position and velocity hand the growth to each other, so that a single factor means nothing; the geometric mean
  /// does.
  double fastest_mode() {
    const double nudge = 1e-3;
    double log_growth = 0;
    evaluate(t_, x_, 0, rate_here_);
    for (int k = 0; k < iterations; ++k) {
      for (std::size_t i = 0; i < x_.size(); ++i) there_[i] = x_[i] + nudge * direction_[i] * tolerance(x_[i]);
      evaluate(t_, there_, 0, rate_there_);
      double growth = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        direction_[i] = (rate_there_[i] - rate_here_[i]) / (nudge * tolerance(x_[i]));
        growth = std::max(growth, std::abs(direction_[i]));
      }
      if (!(growth > 0) || !std::isfinite(growth)) {
        direction_.assign(x_.size(), 1.0);
        return 0;
      }
      for (double& number : direction_) number /= growth;
      log_growth += std::log(growth);
    }
    return std::exp(log_growth / iterations);
  }

  void decide() {
    const double mean_step = (t_ - window_start_) / window;
    if (active_ == explicit_.get()) {
      if (wait_ > 0) --wait_;
      else if (const double fastest = fastest_mode(); mean_step * fastest > stiff) leave_explicit(mean_step, fastest);
    } else if (mean_step < worth * explicit_step_) {
      next_ = explicit_.get();
      wait_ = ++windows_ > 1 ? 0 : (patience_ *= 2);
      say(fmt::format("auto: steps of {:.2g} s at t = {:.6g} s, no longer worth it; dopri5 takes over", mean_step, t_));
    } else {
      ++windows_;
    }
    open_window();
  }

  void leave_explicit(double mean_step, double fastest) {
    if (implicit_) {
      next_ = implicit_.get();
      explicit_step_ = mean_step;
      windows_ = 0;
      say(fmt::format("auto: stiff at t = {:.6g} s: steps of {:.2g} s against a fastest mode of {:.2g} 1/s; cvode takes over", t_,
                      mean_step, fastest));
    } else if (!told_) {
      told_ = true;
      say(fmt::format("auto: stiff at t = {:.6g} s, but cvode is not built in; dopri5 continues with small steps", t_));
    }
  }

  void say(const std::string& text) const {
    if (options_.say) options_.say(text);
  }

  std::unique_ptr<Integrator> explicit_, implicit_;
  Integrator *active_ = nullptr, *next_ = nullptr;
  Statistics done_;
  std::vector<double> direction_, there_, rate_here_, rate_there_;
  double window_start_ = 0;
  double explicit_step_ = 0;     // mean step of dopri5 when cvode took over
  int windows_ = 0;              // that cvode has had since, and has been worth it
  int wait_ = 0, patience_ = 1;  // windows of dopri5 before the next trial
  int steps_ = 0;
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_auto(RateFunction rate, IntegratorOptions options) {
  return std::make_unique<Auto>(std::move(rate), std::move(options));
}

}  // namespace asperity::detail
