#include "inclusion.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "asperity/inclusion/text.hpp"
#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/scene/scene.hpp"

using namespace asperity;

namespace {

/// Known when the program runs, to both.
struct Parameters {
  double M1 = .5, M2 = 1, Ks = 100, mu = .5, g = 9.8, u = 1, K = 5e5, beta = 2e-3, alpha = 1.6e-3;
};

constexpr double h = 5e-5;
constexpr int steps = 8000, steps_to_compare = 2800;  // .4 s, .14 s
constexpr std::array start{0., .25, .05, 0., 0., 0., 0., 0.};

double sat(double limit, double x) { return std::max(-limit, std::min(limit, x)); }

/// xiong2013 (3.35) as one would type it.
void by_hand(const Parameters& parameters, const double* x, double* k) {
  const auto& [M1, M2, Ks, mu, g, u, K, beta, alpha] = parameters;
  const double p1x = x[0], p1y = x[1], p2x = x[2], p2y = x[3], v1y = x[5], v2x = x[6], v2y = x[7];
  const double e1 = x[8], e2 = x[9], e3 = x[10], a1 = x[11], a2 = x[12], a3 = x[13];
  const double psi1 = K * std::max(0., e1 - beta / alpha * (p1x + e1));
  const double psi2 = K * std::max(0., e2 - beta / alpha * (p2x - p1x + e2));
  const double psi3 = K * std::max(0., e3 - beta / alpha * (p2y + e3));
  const double theta1 = sat(mu * psi1, K * a1 + K * beta * v1y);
  const double theta2 = sat(mu * psi2, K * a2 + K * beta * (v1y - v2y));
  const double theta3 = sat(mu * psi3, K * a3 + K * beta * (v2x + u));
  for (int i = 0; i < 4; ++i) k[i] = x[4 + i];
  k[4] = (psi1 - psi2) / M1;
  k[5] = (-Ks * p1y - theta1 - theta2) / M1;
  k[6] = (-theta3 + psi2) / M2;
  k[7] = (theta2 + psi3) / M2 - g;
  k[8] = std::max(-e1 / beta, -(p1x + e1) / alpha);
  k[9] = std::max(-e2 / beta, -(p2x - p1x + e2) / alpha);
  k[10] = std::max(-e3 / beta, -(p2y + e3) / alpha);
  k[11] = (theta1 - K * a1) / (K * beta);
  k[12] = (theta2 - K * a2) / (K * beta);
  k[13] = (theta3 - K * a3) / (K * beta);
}

template <class Rate>
double run(Rate&& rate) {
  std::vector<double> x(14);
  std::copy(start.begin(), start.end(), x.begin());
  RungeKutta method(Method::rk4, x.size());
  double all = 0;
  for (int k = 0; k < steps; ++k) {
    // Later impacts amplify rounding: what is compared is the state in the first.
    if (k == steps_to_compare) all = std::accumulate(x.begin(), x.end(), 0.0);
    method.step(rate, k * h, h, x);
  }
  return all;
}

}  // namespace

void inclusion_contests(const std::function<void(Contest)>& hold) {
  const auto typed = [parameters = Parameters()] {
    return run(
        [&](double, std::span<const double> x, double, std::span<double> xdot) { by_hand(parameters, x.data(), xdot.data()); });
  };
  const auto model = inclusion(start, [parameters = Parameters()](auto& in, const auto&, const auto& x) {
    const auto& [M1, M2, Ks, mu, g, u, K, beta, alpha] = parameters;
    const Dio hard{K, beta, alpha};
    const Sgn rough{K, beta};
    const auto& [p1x, p1y, p2x, p2y, v1x, v1y, v2x, v2y] = x;
    const auto wall = in.dio(p1x, hard), touch = in.dio(p2x - p1x, hard), belt = in.dio(p2y, hard);
    const auto on_wall = in.sgn(mu * wall, v1y, rough);
    const auto between = in.sgn(mu * touch, v1y - v2y, rough);
    const auto on_belt = in.sgn(mu * belt, v2x + u, rough);
    return in.rates(v1x, v1y, v2x, v2y, (wall - touch) / M1, (-on_wall - between - Ks * p1y) / M1, (-on_belt + touch) / M2,
                    (between + belt) / M2 - g);
  });
  const auto included = [=] {
    return run([&](double t, std::span<const double> x, double tau, std::span<double> xdot) { model.rate(t, x, tau, xdot); });
  };
  hold({"Example II as an inclusion, RK4 step", steps, false, {{"ODE typed by hand", typed}, {"inclusion", included, 1.1}}, 50});

  std::vector<SceneProblem> problems;
  const auto scene = read_scene_file(ASPERITY_SCENES "/inclusions/two_blocks.toml", {}, problems);
  const auto written = [text = scene->inclusion] {
    return run([&](double t, std::span<const double> x, double tau, std::span<double> xdot) { text->rate(t, x, tau, xdot); });
  };
  hold({"Example II as text, RK4 step", steps, false, {{"inclusion in C++", included}, {"inclusion as text", written, 5}}, 50});
}
