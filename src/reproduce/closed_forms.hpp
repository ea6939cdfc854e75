// What the facts are held against: the laws of the papers on paper. Nothing here comes from the laws, solvers or design formulas of
// the program, so that a mistake there cannot move the expectation along with the measurement.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "measure.hpp"

namespace asperity::reproduce {

/// Where an increasing function passes through a value.
template <class F>
double where(F&& increasing, double value, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (increasing(middle) < value ? low : high) = middle;
  }
  return (low + high) / 2;
}

// --- Rigid Coulomb friction under (3.11) of xiong2013, M = 1 kg, F = 0.5 N: from 1 s on the push exceeds F by (t - 1)/2, from 1.1
// s on by 0.05 N; after 2 s it is 0.35 N + 0.15 N cos(100 t).

struct Stop {
  double time, position;
};
inline constexpr double rigid_position_at_2s = 0.1 * 0.1 * 0.1 / 12 + 0.0025 * 0.9 + 0.025 * 0.9 * 0.9;
inline Stop rigid_stop() {
  const double v2 = 0.0025 + 0.05 * 0.9;
  const auto slowed = [&](double t) { return 0.15 * (t - 2) - 0.0015 * (std::sin(100 * t) - std::sin(200.0)); };
  const double t = where(slowed, v2, 2, 2.4), s = t - 2;  // slowed() never falls: friction is at least the push
  const double p =
      rigid_position_at_2s + (v2 - 0.0015 * std::sin(200.0)) * s - 0.075 * s * s - 1.5e-5 * (std::cos(100 * t) - std::cos(200.0));
  return {t, p};
}

// --- Friction of the multistate experiments: N, um, s

inline double multistate_limit(double v) { return 1 + 1.5 * std::exp(-(v / 5) * (v / 5)); }  // F_c, F_s - F_c, v_s; um/s

/// Force of the ten asperities, each bent by `bend` um and damped at v um/s, of which the i-th carries a tenth of the limit at
/// most.
inline double multistate_force(double bend, double v, double limit) {
  double f = 0;
  for (int i = 1; i <= 10; ++i) f += std::min(5.0 / i * bend + 0.02 * v, 0.1 * limit);
  return f;
}

// --- Specker: F_c = 1 N, F_s = 1.4 N, d = 0.1 N s/m

inline double smooth_static_force(double v, double v_t = 0.005, double v_sp = 0.01) {
  const double F_D = 1.4 - std::tanh(v_sp / v_t) - 0.1 * v_sp;
  return 0.1 * v + std::tanh(v / v_t) + F_D * v / v_sp * std::exp(0.5 - v * v / (2 * v_sp * v_sp));
}

/// The filter (17) along a given speed:  integral of  r Fs(v) exp(-integral of r),  r = (1 - exp(-(v/v_0)^2))/T_1,  from f(0) = 0,
/// at times that grow. By the midpoint rule.
template <class Speed>
Column filtered(Speed&& speed, double v_0, double T_1, const Column& times) {
  constexpr double step = 5e-6;  // s
  Column forces;
  double t = 0, f = 0;
  for (const double until : times) {
    const long steps = std::lround(std::ceil((until - t) / step));
    const double h = steps > 0 ? (until - t) / double(steps) : 0;
    for (long i = 0; i < steps; ++i) {
      const double v = speed(t + (double(i) + 0.5) * h), share = -std::expm1(h / T_1 * std::expm1(-(v / v_0) * (v / v_0)));
      f += share * (smooth_static_force(v) - f);
    }
    t = until;
    forces.push_back(f);
  }
  return forces;
}

// --- Impacts without gravity

/// Linear compliance: roots s of  r b s^3 + s^2 + b s + 1,  b = sqrt(K/M) beta,  r = alpha/beta; motion and force are sums of
/// exponentials, and the force ends at its first zero.
inline double linear_restitution(double K, double M, double alpha, double beta) {
  using Complex = std::complex<double>;
  const double b = std::sqrt(K / M) * beta, r = alpha / beta;
  const auto cubic = [&](Complex s) { return s * s * s + (s * s + b * s + 1.0) / (r * b); };
  std::array<Complex, 3> roots{Complex(1, 0.3), Complex(-0.4, 0.9), Complex(-0.7, -1.1)};
  for (int i = 0; i < 500; ++i)  // Durand and Kerner
    for (std::size_t k = 0; k < 3; ++k)
      roots[k] -= cubic(roots[k]) / ((roots[k] - roots[(k + 1) % 3]) * (roots[k] - roots[(k + 2) % 3]));
  const auto sum = [&](double t, int power) {
    Complex all = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Complex i = roots[k], j = roots[(k + 1) % 3], l = roots[(k + 2) % 3];
      all += (j + l) / ((i - j) * (i - l)) * std::pow(i, power) * std::exp(i * t);
    }
    return all.real();
  };
  double t = 1e-3;
  const double sign = sum(t, 2);
  while (sum(t, 2) * sign > 0) t += 1e-3;
  const double end = where([&](double at) { return -sum(at, 2) * sign; }, 0, t - 1e-3, t);
  return -sum(end, 1) / sum(0, 1);
}

/// Hunt and Crossley, x = b2 v0:  x - ln(1 + x) = -e x - ln(1 - e x).
inline double hunt_crossley_restitution(double x) {
  return where([&](double e) { return -e * x - std::log1p(-e * x); }, x - std::log1p(x), 0, 1);
}

/// A mass on  f = K d^lambda:  its deepest point, from M v0^2/2 = K d^(lambda + 1)/(lambda + 1), and the time until it leaves
/// again.
inline double hertz_deepest(double M, double v0, double K, double lambda) {
  return std::pow((lambda + 1) * M * v0 * v0 / (2 * K), 1 / (lambda + 1));
}
inline double hertz_contact_time(double M, double v0, double K, double lambda) {
  const double q = 1 / (lambda + 1);
  return 2 * hertz_deepest(M, v0, K, lambda) / v0 * std::sqrt(std::numbers::pi) * q * std::tgamma(q) / std::tgamma(q + 0.5);
}

}  // namespace asperity::reproduce
