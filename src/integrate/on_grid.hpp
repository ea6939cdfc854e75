// What the methods of a fixed step share: the grid t = k h.
#pragma once

#include <cstring>

#include "methods.hpp"

namespace asperity::detail {

/// The cubic through two values with their rates, at the share s of a step h.
class Cubic {
 public:
  Cubic(double s, double h) : from_(s, h), to_(1 - s, -h) {}
  double operator()(double before, double rate_before, double after, double rate_after) const noexcept {
    return from_.value * before + from_.slope * rate_before + to_.value * after + to_.slope * rate_after;
  }

 private:
  struct Weights {
    double value, slope;
    Weights(double s, double h) : value((1 - s) * (1 - s) * (1 + 2 * s)), slope(h * s * (1 - s) * (1 - s)) {}
  };
  Weights from_, to_;
};

class OnGrid : public Integrator {
 public:
  using Integrator::Integrator;

 protected:
  /// x_ from t_ over h; throws IntegrationFailure.
  virtual void move(double h) = 0;
  /// After the grid has been laid and before_ is x_.
  virtual void prepare() = 0;

  /// A start on the grid k h stays on it, so that a run continued from its middle sees the same times.
  void begin() override {
    const double nearest = std::round(t_ / options_.step);
    origin_ = nearest * options_.step == t_ && std::abs(nearest) < 1e15 ? 0 : t_;
    k_ = origin_ == t_ ? 0 : static_cast<long>(nearest);
    before_ = x_;
    prepare();
  }

  void take_step(double t_stop) override {
    const double next = origin_ + double(k_ + 1) * options_.step;
    const bool on_grid = next <= t_stop + slack(t_stop);
    before_ = x_;
    try {
      move(on_grid ? options_.step : t_stop - t_);
    } catch (const IntegrationFailure&) {
      x_ = before_;
      throw;
    }
    t_before_ = t_;
    if (on_grid) {
      t_ = next;
      ++k_;
    } else {
      t_ = origin_ = t_stop;
      k_ = 0;
    }
    tidy();
  }

  /// A stop that misses the grid by a millionth of a step is meant to be on it.
  double slack(double t) const noexcept override { return std::max(1e-6 * options_.step, Integrator::slack(t)); }

  /// The end of the last step, before what happened after it between steps.
  const std::vector<double>& end() const noexcept { return options_.between_steps ? unsettled_ : x_; }

  /// Whether what happened after the last step between steps has changed a bit of the state.
  bool changed_between_steps() const noexcept {
    return options_.between_steps && !x_.empty() && std::memcmp(x_.data(), unsettled_.data(), x_.size() * sizeof(double)) != 0;
  }

  std::vector<double> before_;  // x_ before the last step

 private:
  double origin_ = 0;
  long k_ = 0;
};

}  // namespace asperity::detail
