// Explicit one-step methods for a rate(t, x, tau, xdot), all from one tableau: the look-ahead tau belongs to the method.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace asperity {

enum class Method { euler, step, rk4, rk4_lookahead };

/// The vector arithmetic of a step. Whoever has wide registers or threads brings another with the same numbers.
struct PlainSums {
  void move(std::size_t n, double h, const double* k, double* x) const {
    for (std::size_t i = 0; i < n; ++i) x[i] += h * k[i];
  }
  void first(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) const {
    for (std::size_t i = 0; i < n; ++i) sum[i] = k[i], stage[i] = x[i] + ahead * k[i];
  }
  void next(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) const {
    for (std::size_t i = 0; i < n; ++i) sum[i] += 2 * k[i], stage[i] = x[i] + ahead * k[i];
  }
  void last(std::size_t n, double weight, const double* k, const double* sum, double* x) const {
    for (std::size_t i = 0; i < n; ++i) x[i] += weight * (sum[i] + k[i]);
  }
};

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

  template <class Rate, class Sums = PlainSums>
  void step(Rate&& rate, double t, double h, std::span<double> x, const Sums& sums = {}) {
    const std::size_t n = x.size();
    const bool ahead = method_ == Method::rk4_lookahead;
    double *const k = k_.data(), *const sum = sum_.data(), *const stage = stage_.data();
    const std::span<const double> at_stage(stage, n);
    const std::span<double> xdot(k, n);
    rate(t, std::span<const double>(x), first_tau(method_, h), xdot);
    if (method_ == Method::euler || method_ == Method::step) return sums.move(n, h, k, x.data());
    sums.first(n, h / 2, x.data(), k, sum, stage);
    rate(t + h / 2, at_stage, ahead ? h / 2 : 0.0, xdot);
    sums.next(n, h / 2, x.data(), k, sum, stage);
    rate(t + h / 2, at_stage, ahead ? h : 0.0, xdot);
    sums.next(n, h, x.data(), k, sum, stage);
    rate(t + h, at_stage, ahead ? h : 0.0, xdot);
    sums.last(n, h / 6, k, sum, x.data());
  }

 private:
  Method method_;
  std::vector<double> stage_, k_, sum_;
};

}  // namespace asperity
