// What an engineer would write by hand for one law in one dimension: the measure of the library's cost. The only place where an
// equation of a law is written a second time; asperity_bench compares the answers before it compares the times.
#pragma once

#include <algorithm>
#include <cmath>

namespace handwritten {

struct SingleState {
  double F, K, beta;

  double react(double a, double v, double load, double tau, double& adot) const {
    const double b = beta + tau;
    const double f = std::clamp(K * a + K * b * v, -F * load, F * load);
    adot = (1 / (K * b)) * (f - K * a);  // the reciprocal is the same for the whole loop
    return f;
  }
  double step(double& a, double v, double load, double h) const {
    double adot;
    const double f = react(a, v, load, h, adot);
    a += h * adot;
    return f;
  }
};

inline double stribeck(double F_c, double F_s, double v_s, double alpha, double v) {
  return F_c + (F_s - F_c) * std::exp(-std::pow((1 / v_s) * std::abs(v), alpha));
}

struct LuGre {
  double F_c, F_s, v_s, alpha, K, B, D;

  double react(double a, double v, double load, double tau, double& adot) const {
    const double g = std::max(stribeck(F_c, F_s, v_s, alpha, v) * load, 1e-6 * K * std::abs(a));
    const double rub = std::abs(v) * K, slope = g + tau * rub;
    adot = slope == 0 ? 0 : (g * v - rub * a) / slope;
    return K * (a + tau * adot) + B * adot + D * v;
  }
  double step(double& a, double v, double load, double h) const {
    double adot;
    const double f = react(a, v, load, h, adot);
    a += h * adot;
    return f;
  }
};

struct Multistate {
  static constexpr int n = 10;
  double F_c, F_s, v_s, alpha, tau_d;
  double kappa[n], sigma[n], lambda[n];

  struct State {
    double a[n], gamma;
  };

  double react(const State& z, double v, double load, double tau, State& rate) const {
    rate.gamma = (1 / (tau_d + tau)) * (stribeck(F_c, F_s, v_s, alpha, v) - z.gamma);
    const double limit = (z.gamma + tau * rate.gamma) * load;
    double f = 0;
    for (int i = 0; i < n; ++i) {
      const double G = sigma[i] + tau * kappa[i], elastic = kappa[i] * z.a[i], most = lambda[i] * limit;
      const double f_i = std::clamp(elastic + G * v, -most, most);
      rate.a[i] = (1 / G) * (f_i - elastic);
      f += f_i;
    }
    return f;
  }
  double step(State& z, double v, double load, double h) const {
    State rate;
    const double f = react(z, v, load, h, rate);
    for (int i = 0; i < n; ++i) z.a[i] += h * rate.a[i];
    z.gamma += h * rate.gamma;
    return f;
  }
};

}  // namespace handwritten
