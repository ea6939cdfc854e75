// A block on a rough floor, pushed with a constant force P < F from t = 0:
//   xdot = v,   M vdot = P - f,   f and adot from the single-state law with tau = 0
// While it sticks, a = x, so that M vdot = P - K x - K beta v: a damped oscillator, solved in closed form
//   x(t) = (P/K) (1 - exp(-c t) (cos w t + (c/w) sin w t)),   c = K beta/(2 M),   w = sqrt(K/M - c^2)
// The block comes to rest at P/K and stays. RK4 over react() has to find that.
#include <array>
#include <asperity/laws.hpp>
#include <cmath>
#include <cstdio>

using Law = asperity::SingleState<>;
using State = std::array<double, 3>;  // x, v, a

constexpr double M = 1.0;  // kg
constexpr double P = 0.3;  // N

State rate(const Law& law, const State& s) {
  const auto reaction = law.react({s[2]}, {s[1]}, 0.0);
  return {s[1], (P - reaction.f) / M, reaction.rate.a};
}

State rk4(const Law& law, const State& s, double h) {
  const auto moved = [&](const State& slope, double by) {
    State to = s;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += by * slope[i];
    return to;
  };
  const State k1 = rate(law, s);
  const State k2 = rate(law, moved(k1, h / 2));
  const State k3 = rate(law, moved(k2, h / 2));
  const State k4 = rate(law, moved(k3, h));
  State next = s;
  for (std::size_t i = 0; i < next.size(); ++i) next[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return next;
}

int main() {
  Law law;
  law.F = 1.0;      // N
  law.K = 5e3;      // N/m
  law.beta = 2e-3;  // s

  const double c = law.K * law.beta / (2 * M);
  const double w = std::sqrt(law.K / M - c * c);
  const double h = 1e-4;
  State s{};
  for (int k = 1; k <= 40000; ++k) {
    s = rk4(law, s, h);
    const double t = k * h;
    const double exact = P / law.K * (1 - std::exp(-c * t) * (std::cos(w * t) + c / w * std::sin(w * t)));
    if (k == 100 || k == 500 || k == 2000 || k == 40000)
      std::printf("t %.2f s  x %.4f um  closed form %.4f um\n", t, s[0] * 1e6, exact * 1e6);
  }
  std::printf("held at P/K = %.4f um, speed below 1 nm/s: %s\n", P / law.K * 1e6, std::abs(s[1]) < 1e-9 ? "yes" : "no");
}
