// The equations of the papers as they stand in them (corrected as docs/guides/papers.md says), by plain Runge-Kutta. On purpose
// nothing here is shared with the program: what both get wrong, both got wrong on their own.
#include "independent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace independent {
namespace {

using Numbers = std::map<std::string, double>;
using std::numbers::pi;

template <std::size_t n>
using State = std::array<double, n>;

template <std::size_t n>
State<n> plus(const State<n>& x, double h, const State<n>& rate) {
  State<n> y = x;
  for (std::size_t i = 0; i < n; ++i) y[i] += h * rate[i];
  return y;
}

/// x' = rate(t, x) by the classical method in `steps` steps; see(t, x) before each and at the end.
template <std::size_t n, class Rate, class See>
State<n> runge_kutta(State<n> x, double h, long steps, Rate rate, See see) {
  for (long k = 0; k < steps; ++k) {
    const double t = double(k) * h;
    see(t, x);
    const auto a = rate(t, x), b = rate(t + h / 2, plus(x, h / 2, a)), c = rate(t + h / 2, plus(x, h / 2, b)),
               d = rate(t + h, plus(x, h, c));
    for (std::size_t i = 0; i < n; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  see(double(steps) * h, x);
  return x;
}

double clamp(double limit, double x) { return std::max(-limit, std::min(limit, x)); }

// --- Linear compliance, and friction under its force: xiong2013 (3.14), (3.18)

struct Normal {
  double force, rate;
};
Normal linear(double K, double alpha, double beta, double gap, double e) {
  return {K * std::max(0.0, e - beta * (gap + e) / alpha), std::max(-e / beta, -(gap + e) / alpha)};
}
struct Tangential {
  double force, rate;
};
Tangential friction(double K, double beta, double limit, double v, double a) {
  const double f = clamp(limit, K * (a + beta * v));
  return {f, (f / K - a) / beta};
}

/// Example II: p1x p1y p2x p2y v1x v1y v2x v2y, e and a of wall, blocks and conveyor.
Numbers two_blocks(double refine, const std::array<const char*, 8>& names, const std::string& how) {
  constexpr double mu = 0.5, M1 = 0.5, M2 = 1, Ks = 100, K = 5e5, alpha = 1.6e-3, beta = 2e-3, g = 9.8, u = 1;
  const auto rate = [&](double, const State<14>& x) {
    const Normal wall = linear(K, alpha, beta, x[0], x[8]), blocks = linear(K, alpha, beta, x[2] - x[0], x[10]),
                 belt = linear(K, alpha, beta, x[3], x[12]);
    const Tangential at_wall = friction(K, beta, mu * wall.force, x[5], x[9]),
                     at_blocks = friction(K, beta, mu * blocks.force, x[7] - x[5], x[11]),
                     at_belt = friction(K, beta, mu * belt.force, x[6] + u, x[13]);
    return State<14>{x[4],
                     x[5],
                     x[6],
                     x[7],
                     (wall.force - blocks.force) / M1,
                     (at_blocks.force - at_wall.force - Ks * x[1]) / M1,
                     (blocks.force - at_belt.force) / M2,
                     (belt.force - at_blocks.force) / M2 - g,
                     wall.rate,
                     at_wall.rate,
                     blocks.rate,
                     at_blocks.rate,
                     belt.rate,
                     at_belt.rate};
  };
  const double h = 1e-5 / refine;
  State<14> x{0, 0.25, 0.05};
  Numbers found;
  double t = 0;
  for (const auto& [until, text] : {std::pair(0.14, "0.14"), {0.2, "0.2"}, {0.4, "0.4"}}) {
    x = runge_kutta(x, h, std::lround((until - t) / h), rate, [](double, const auto&) {});
    t = until;
    for (std::size_t i = 0; i < 8; ++i) found[std::string(names[i]) + " at " + text + " s, " + how] = x[i];
  }
  return found;
}

// --- Example III: single state whose limit falls as F/(V + |w|), and the threshold law (3.41)

Numbers belt(double refine) {
  Numbers found;
  for (const double F : {0.2, 0.5})
    for (const bool threshold : {false, true}) {
      constexpr double K = 1e5, beta = 0.5, u = 1, V = 1, eps = 1e-5;
      const auto rate = [&](double, const State<3>& x) {  // p, w = u - v, a
        const double spring = x[0] * x[0] * x[0] - x[0];
        if (threshold) return State<3>{u - x[1], spring - F * clamp(eps, x[1]) / ((V + std::max(std::abs(x[1]), eps)) * eps), 0};
        const Tangential f = friction(K, beta, F / (V + std::abs(x[1])), -x[1], x[2]);
        return State<3>{u - x[1], spring + f.force, f.rate};
      };
      const double h = 2.5e-5 / refine;
      std::vector<double> up;
      State<3> last{1.19149, 0, 0};
      std::array<double, 4> extremes{9, -9, 9, -9}, cycle{};  // p, w
      runge_kutta(last, h, std::lround(40 / h), rate, [&](double t, const State<3>& x) {
        if (last[0] < 0 && x[0] >= 0) {
          up.push_back(t - h * x[0] / (x[0] - last[0]));
          cycle = extremes;
          extremes = {9, -9, 9, -9};
        }
        for (const std::size_t i : {0u, 1u}) {
          extremes[2 * i] = std::min(extremes[2 * i], x[i]);
          extremes[2 * i + 1] = std::max(extremes[2 * i + 1], x[i]);
        }
        last = x;
      });
      const std::string with = F == 0.2 ? ", F 0.2, converged, step 50 µs" : ", F 0.5, converged, step 50 µs";
      const double period = up.back() - up[up.size() - 2];
      if (threshold) {
        found["threshold law: period" + with] = period;
      } else {
        found["period" + with] = period;
        found["lowest position" + with] = cycle[0];
        found["highest position" + with] = cycle[1];
        found["lowest w" + with] = cycle[2];
        found["highest w" + with] = cycle[3];
      }
    }
  return found;
}

// --- Nonlinear compliance (5.6) and Hunt-Crossley: one impact, or bounces

struct Impact {
  double restitution = 0, residual = 0, height = 0;
};
/// From height h0 above the floor with speed v0 downwards until the first impact is over; then up to the next peak. law(d, d', a)
/// has the force without its clamp.
template <class Law>
Impact impact(Law law, double h0, double v0, double g, double refine) {
  const double h = 4e-6 / refine;
  const auto rate = [&](double, const State<3>& x) {  // height, its rate, a
    const Normal n = law(-x[0], -x[1], x[2]);
    return State<3>{x[1], std::max(0.0, n.force) - g, n.rate};
  };
  Impact found;
  State<3> last{h0, -v0, 0};
  double force = 0, speed = h0 == 0 ? v0 : 0;
  bool over = false;
  runge_kutta(last, h, std::lround((h0 == 0 ? 0.1 : 0.95) / h), rate, [&](double, const State<3>& x) {
    const double now = law(-x[0], -x[1], x[2]).force;
    if (speed == 0 && x[0] <= 0) speed = -(last[1] + (x[1] - last[1]) * last[0] / (last[0] - x[0]));
    if (!over && force > 0 && x[1] > 0 && now <= 0) {
      over = true;
      const double share = now < 0 ? force / (force - now) : last[0] / (last[0] - x[0]);  // where the force ends within the step
      found.restitution = (last[1] + share * (x[1] - last[1])) / speed;
      found.residual = -(last[0] + share * (x[0] - last[0]));
    }
    if (over) found.height = std::max(found.height, x[0]);
    force = now;
    last = x;
  });
  return found;
}
auto nonlinear(double beta1, double beta2) {
  return [=](double d, double, double a) {
    constexpr double K = 1e4, gamma = 2e3;
    const double w = std::copysign(std::pow(std::abs(d), 1.5), d), b = gamma * (beta1 + beta2 * a);
    return Normal{K * (w + b * (w - a)), std::max(-gamma * a / (1 + b), gamma * (w - a))};
  };
}
Normal hunt_crossley(double d, double v, double) { return {d <= 0 ? 0 : 1e4 * std::pow(d, 1.5) * (1 + 0.2 * v), 0}; }

// --- Generalised Maxwell slip (4.3) at 10 um/s sin(2 pi t); N, um, s

Numbers gms(double refine) {
  constexpr double C = 62, sigma = 0.02, share = 0.1;
  const double h = 1e-5 / refine;
  const auto speed = [](double t) { return 10 * std::sin(2 * pi * t); };
  std::array<double, 10> a{};
  std::array<int, 10> slips{};
  Numbers found;
  for (long k = 0; double(k) * h < 1.36; ++k) {
    const double t = double(k) * h, v = speed(t), limit = 1 + 1.5 * std::exp(-v * v / 25), next = speed(t + h);
    double force = 0;
    for (std::size_t i = 0; i < 10; ++i) {
      const double kappa = 5.0 / double(i + 1), yields = share * (1 + 1.5 * std::exp(-next * next / 25));
      const double rate = slips[i] == 0 ? v : slips[i] * C * share / kappa * (1 - slips[i] * kappa * a[i] / (share * limit));
      force += kappa * a[i] + sigma * rate;
      a[i] += h * rate;
      if (slips[i] * next < 0) slips[i] = 0;
      else if (slips[i] == 0 && kappa * std::abs(a[i]) >= yields && a[i] * next > 0) slips[i] = next > 0 ? 1 : -1;
    }
    for (const auto& [at, text] : {std::pair(1.1, "1.1"), {1.35, "1.35"}})
      if (std::abs(t - at) < h / 2)
        found["force of GMS at " + std::string(text) + " s, sigma 0.02 N s/um, step 0.1 ms as in the thesis"] = force;
  }
  return found;
}

// --- Specker's law (17) on a mass that a spring draws

double static_force(double v, double v_t, double v_sp) {
  constexpr double F_c = 1, F_s = 1.4, d = 0.1;
  const double F_D = F_s - F_c * std::tanh(v_sp / v_t) - d * v_sp;
  return d * v + F_c * std::tanh(v / v_t) + F_D * v / v_sp * std::exp(0.5 - v * v / (2 * v_sp * v_sp));
}
struct StickSlip {
  double frequency, largest, creep;
};
StickSlip stick_slip(double v_t, double v_sp, double v_0, double T_1, double h) {
  const auto pull = [](double t, double x) { return 10 * (0.1 * std::min(t, 5.0) - x); };
  const auto rate = [&](double t, const State<3>& x) {  // position, velocity, f
    return State<3>{x[1], (pull(t, x[0]) - x[2]) / 0.1,
                    -std::expm1(-x[1] * x[1] / (v_0 * v_0)) / T_1 * (static_force(x[1], v_t, v_sp) - x[2])};
  };
  std::vector<double> slips;
  double before = 0, largest = 0;
  const auto end = runge_kutta(State<3>{}, h, std::lround(8 / h), rate, [&](double t, const State<3>& x) {
    const double now = pull(t, x[0]);
    if (before > 1 && now <= 1 && t <= 5) slips.push_back(t - h * (1 - now) / (before - now));
    before = now;
    largest = std::max(largest, x[2]);
  });
  return {double(slips.size() - 2) / (slips.back() - slips[1]), largest, end[1]};
}

// --- Simulation II: two uniform rods, relative angles, friction in the joints; Runge-Kutta with look-ahead (19) to (22)

Numbers arm() {
  constexpr double m = 0.3, l = 0.4, c = l / 2, I = m * l * l / 12, F = 0.5, K = 5000, B = 1, h = 1e-4;
  const auto rate = [&](double t, double tau, const State<6>& x) {  // q1 q2 w1 w2 a1 a2
    State<6> r{x[2], x[3]};
    std::array<double, 2> torque{};
    for (const std::size_t i : {0u, 1u}) {
      const double push = t < 4 ? std::min(0.52, 0.3 * t) : 0.336 + 0.144 * (i == 0 ? std::sin(100 * t) : std::cos(100 * t));
      const Tangential f = friction(K, B / K + tau, F, x[2 + i], x[4 + i]);
      torque[i] = push - f.force;
      r[4 + i] = f.rate;
    }
    const double H11 = 2 * I + m * c * c + m * (l * l + c * c + 2 * l * c * std::cos(x[1])),
                 H12 = I + m * (c * c + l * c * std::cos(x[1])), H22 = I + m * c * c, s = m * l * c * std::sin(x[1]);
    const double t1 = torque[0] + s * (2 * x[2] * x[3] + x[3] * x[3]), t2 = torque[1] - s * x[2] * x[2],
                 det = H11 * H22 - H12 * H12;
    r[2] = (H22 * t1 - H12 * t2) / det;
    r[3] = (H11 * t2 - H12 * t1) / det;
    return r;
  };
  State<6> x{};
  for (long k = 0; k < 80000; ++k) {
    const double t = double(k) * h;
    const auto a = rate(t, h / 2, x), b = rate(t + h / 2, h / 2, plus(x, h / 2, a)), d = rate(t + h / 2, h, plus(x, h / 2, b)),
               e = rate(t + h, h, plus(x, h, d));
    for (std::size_t i = 0; i < 6; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * d[i] + e[i]);
  }
  return {{"0", x[0]}, {"1", x[1]}};
}

// --- Fig. 3.4 at other frequencies

double drift(bool lugre, double w) {
  constexpr double F = 0.5, K = 5e3, h = 2e-4, B = 10;
  const auto rate = [&](double t, const State<3>& x) {
    const double push = t < 2 ? std::min(0.55, 0.5 * t) : 0.35 + 0.15 * std::cos(w * t);
    if (lugre) {
      const double a = x[1] - std::abs(x[1]) * K * x[2] / F;
      return State<3>{x[1], push - K * x[2] - B * a, a};
    }
    const Tangential f = friction(K, 2e-3, F, x[1], x[2]);
    return State<3>{x[1], push - f.force, f.rate};
  };
  std::vector<State<3>> rows;
  runge_kutta(State<3>{}, h, 50000, rate, [&](double, const State<3>& x) { rows.push_back(x); });
  const auto position = [&](double t) {  // the cubic through positions and velocities
    const auto i = std::min(std::size_t(t / h), rows.size() - 2);
    const double s = t / h - double(i);
    const State<3>&p = rows[i], &q = rows[i + 1];
    return (1 + 2 * s) * (1 - s) * (1 - s) * p[0] + s * s * (3 - 2 * s) * q[0] + h * s * (1 - s) * ((1 - s) * p[1] - s * q[1]);
  };
  const double pair = 4 * pi / w, length = pair * std::floor(5 / pair);
  return (position(5 + length) - position(5)) / length;
}

}  // namespace

Numbers numbers(const std::string& experiment, double refine) {
  const std::string blocks_step = "converged, step 20 µs";
  if (experiment == "xiong2013-fig-3.4-frequency")
    return {{"single state: drift at 10 rad/s, step 0.2 ms", drift(false, 10)},
            {"LuGre: drift at 10 rad/s, step 0.2 ms", drift(true, 10)},
            {"LuGre: drift at 300 rad/s, step 0.2 ms", drift(true, 300)}};
  if (experiment == "xiong2013-example-2")
    return two_blocks(refine,
                      {"m1.position.x", "m1.position.y", "m2.position.x", "m2.position.y", "m1.velocity.x", "m1.velocity.y",
                       "m2.velocity.x", "m2.velocity.y"},
                      blocks_step);
  if (experiment == "xiong2012-example-2")
    return two_blocks(refine, {"p1x", "p1y", "p2x", "p2y", "v1x", "v1y", "v2x", "v2y"}, blocks_step);
  if (experiment == "xiong2013-example-3") return belt(refine);
  if (experiment == "xiong2013-fig-4.11") return gms(refine);
  if (experiment == "xiong2013-fig-5.3") {
    const Impact ours = impact(nonlinear(1.45e-3, 0.2), 0.5, 0, 9.8, refine), other = impact(hunt_crossley, 0.5, 0, 9.8, refine);
    const std::string step = "converged, rk4 0.02 ms";
    return {{"restitution of the first bounce, " + step, ours.restitution},
            {"restitution of the first bounce, Hunt-Crossley, " + step, other.restitution},
            {"height of the second peak, " + step, ours.height},
            {"height of the second peak, Hunt-Crossley, " + step, other.height}};
  }
  if (experiment == "xiong2013-fig-5.5") {
    Numbers found;
    for (const auto& [beta2, text] : {std::pair(0.0, "0"), {0.1, "0.1"}, {0.3, "0.3"}})
      found["residual indentation, beta1 3e-3 s, beta2 " + std::string(text) + " s/m^1.5"] =
          1e3 * impact(nonlinear(3e-3, beta2), 0, 2, 0, refine).residual;
    return found;
  }
  if (experiment.starts_with("specker2014-fig-1")) {
    if (experiment.size() != 18) return {};
    const StickSlip first = stick_slip(5e-5, 1e-4, 1e-4, 3e-4, 2e-5 / refine),
                    second = stick_slip(5e-3, 1e-2, 1e-2, 3e-2, 1e-4 / refine), coarse = stick_slip(5e-3, 1e-2, 1e-2, 3e-2, 1e-2);
    if (experiment == "specker2014-fig-11")
      return {{"creep 3 s after the stop, first row, step 0.1 ms", first.creep},
              {"creep 3 s after the stop, second row, step 0.1 ms", second.creep},
              {"creep 3 s after the stop, second row, step 10 ms as in the paper", coarse.creep}};
    return {{"stick-slip frequency, first row, step 0.1 ms", first.frequency},
            {"stick-slip frequency, second row, step 10 ms as in the paper", coarse.frequency},
            {"stick-slip frequency, second row, step 0.1 ms", second.frequency},
            {"largest friction force, first row, step 0.1 ms", first.largest},
            {"largest friction force, second row, step 10 ms as in the paper", coarse.largest},
            {"largest friction force, second row, step 0.1 ms", second.largest}};
  }
  if (experiment == "kikuuwe_yamamoto-fig-7" || experiment == "kikuuwe_yamamoto-simulation-3") {
    const Numbers angles = arm();
    Numbers found;
    for (const auto& [joint, angle] : angles)
      for (const char* how : {"look-ahead RK4, 0.1 ms as in the paper", "joint stiffness 1e4 N/m", "joint stiffness 1e6 N/m"})
        found["angle of joint " + joint + " at 8 s, " + how] = angle;
    return found;
  }
  return {};
}

}  // namespace independent
