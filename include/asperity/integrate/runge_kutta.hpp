// Explicit one-step methods for a rate(t, x, tau, xdot), all from one tableau: the look-ahead tau belongs to the method.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace asperity {

enum class Method { euler, step, rk4, rk4_lookahead };

/// One step of length h from t. The rate is any functor (t, x, tau, xdot).
///   euler          x + h k1, tau = 0
///   step           x + h k1, tau = h: every element takes the implicit step that step(law, ...) takes in a control loop
///   rk4            the classical one, tau = 0                                           [kikuuwe_yamamoto (13)]
///   rk4_lookahead  the same stages, each seeing tau = T/2, T/2, T, T                      [kikuuwe_yamamoto (21), (22)]
class RungeKutta {
 public:
  RungeKutta(Method method, std::size_t size) : method_(method), stage_(size), k_(size), sum_(size) {}

  /// The look-ahead of the first stage: what the method takes for the rate at the start of a step.
  static constexpr double first_tau(Method method, double h) noexcept {
    return method == Method::step ? h : method == Method::rk4_lookahead ? h / 2 : 0.0;
  }

  template <class Rate>
  void step(Rate&& rate, double t, double h, std::span<double> x) {
    const std::size_t n = x.size();
    const bool ahead = method_ == Method::rk4_lookahead;
    rate(t, std::span<const double>(x), first_tau(method_, h), std::span<double>(k_));
    if (method_ == Method::euler || method_ == Method::step) {
      for (std::size_t i = 0; i < n; ++i) x[i] += h * k_[i];
      return;
    }
    for (std::size_t i = 0; i < n; ++i) sum_[i] = k_[i], stage_[i] = x[i] + h / 2 * k_[i];
    rate(t + h / 2, std::span<const double>(stage_), ahead ? h / 2 : 0.0, std::span<double>(k_));
    for (std::size_t i = 0; i < n; ++i) sum_[i] += 2 * k_[i], stage_[i] = x[i] + h / 2 * k_[i];
    rate(t + h / 2, std::span<const double>(stage_), ahead ? h : 0.0, std::span<double>(k_));
    for (std::size_t i = 0; i < n; ++i) sum_[i] += 2 * k_[i], stage_[i] = x[i] + h * k_[i];
    rate(t + h, std::span<const double>(stage_), ahead ? h : 0.0, std::span<double>(k_));
    for (std::size_t i = 0; i < n; ++i) x[i] += h / 6 * (sum_[i] + k_[i]);
  }

 private:
  Method method_;
  std::vector<double> stage_, k_, sum_;
};

}  // namespace asperity
