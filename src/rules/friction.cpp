#include "asperity/rules/friction.hpp"

#include <algorithm>
#include <complex>
#include <numbers>

#include "asperity/contact/defaults.hpp"
#include "asperity/rules/stability.hpp"
#include "infinity.hpp"

namespace asperity::design {
namespace {

using Complex = std::complex<double>;

/// Root of 1 + z + z^2/2 + z^3/6 + z^4/24.
constexpr Complex rk4_zero{-1.7294442310677055, 0.8889743761218658};

/// Twice the damping ratio of the pace of rk4.
const double twice_zeta = -2 * rk4_zero.real() / std::abs(rk4_zero);

/// The law on a mass: p, v, a.
class Block {
 public:
  Block(const FrictionWish& wish, double K, double beta) : mass_(wish.mass), step_(wish.step), integrator_(wish.method, 3) {
    law_.F = wish.limit;
    law_.K = K;
    law_.beta = beta;
  }
  std::array<double, 3> x{};
  double largest_force = 0;

  template <class Push>
  void step(long k, Push&& push) {
    const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> ydot) {
      const auto r = law_.react({y[2]}, {y[1]}, tau);
      largest_force = std::max(largest_force, std::abs(r.f));
      ydot[0] = y[1];
      ydot[1] = (push(t) - r.f) / mass_;
      ydot[2] = r.rate.a;
    };
    integrator_.step(rate, double(k) * step_, step_, x);
  }
  /// The point that is held.
  double proxy() const { return x[0] - x[2]; }

 private:
  DefaultFriction<double> law_;
  double mass_, step_;
  RungeKutta integrator_;
};

/// While it sticks the steps of a method answer a load exp(i w t) with a motion that lasts, (a, v) = y exp(i w n T). With the
/// matrix A of a step and what the load adds to it from rest, g, it is (exp(i w T) - A) y = g. The limit is met by the stage with
/// the largest force; what its phase is on the grid of steps does not matter to |f|.
struct SteppedAnswer {
  Complex a, v;
  double gain;  // largest |f| of a stage
};
SteppedAnswer stepped_answer(double K, double beta, double mass, double step, double w, Method method) {
  double largest = 0;
  const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> ydot) {
    const Complex a(y[0], y[1]), v(y[2], y[3]), f = K * (a + (beta + tau) * v), acceleration = (std::polar(1.0, w * t) - f) / mass;
    largest = std::max(largest, std::abs(f));
    ydot[0] = v.real(), ydot[1] = v.imag();
    ydot[2] = acceleration.real(), ydot[3] = acceleration.imag();
  };
  RungeKutta integrator(method, 4);
  std::array<double, 4> y{};
  integrator.step(rate, 0, step, y);
  const Complex g_a(y[0], y[1]), g_v(step * y[2], step * y[3]), turned = std::polar(1.0, w * step);
  const Matrix<2> A = stuck_step(K, K * beta, true, mass, step, method);  // of v T and a
  const Complex vv = turned - A[0][0], aa = turned - A[1][1], determinant = vv * aa - A[0][1] * A[1][0];
  const Complex a = (vv * g_a + A[1][0] * g_v) / determinant, v = (aa * g_v + A[0][1] * g_a) / determinant / step;
  largest = 0;
  y = {a.real(), a.imag(), v.real(), v.imag()};
  integrator.step(rate, 0, step, y);
  return {a, v, largest};
}

constexpr double settled = 0.01;
constexpr long most_steps = 2'000'000;
constexpr double rounding = 1e-9;  // what a run of so many steps may be off

/// Steps until the size that `next` returns, 1 before, is below a hundredth of the largest that it was, and stays there.
template <class Next>
long settling_steps(Next&& next) {
  double largest = 1;
  long last = 0;
  for (long k = 1; k <= most_steps; ++k) {
    const double size = next();
    largest = std::max(largest, size);
    if (size > settled * largest) last = k;
    if (size < 1e-2 * settled * largest) break;
  }
  return last + 1;
}

/// `look` is called before every step with the share that is done.
template <class Look>
ShakenRun shaken(const FrictionWish& wish, double K, double beta, Look&& look) {
  ShakenRun run;
  const double T = wish.step;
  const double amplitude = wish.shake->amplitude, w = wish.shake->frequency, mean = wish.shake->mean;
  const long cycle = std::lround(std::min(2 * std::numbers::pi / (w * T), 1e9));
  run.cycles = std::min(20L, most_steps / std::max(cycle, 1L));
  if (run.cycles == 0) return run;
  // From the motion that lasts: no knock at the start.
  Block block(wish, K, beta);
  const SteppedAnswer answer = stepped_answer(K, beta, wish.mass, T, w, wish.method);
  const double a = mean / K + amplitude * answer.a.imag();
  block.x = {a, amplitude * answer.v.imag(), a};
  const double proxy = block.proxy();
  const long all = std::max(run.cycles * cycle, 100L);
  for (long k = 0; k < all; ++k) {
    look(double(k) / double(all));
    block.step(k, [&](double t) { return mean + amplitude * std::sin(w * t); });
    run.slip = std::max(run.slip, std::abs(block.proxy() - proxy));
  }
  run.force = block.largest_force;
  if (run.slip < rounding * wish.limit / K) run.slip = 0;
  return run;
}

}  // namespace

double force_gain(double K, double beta, double mass, double frequency) {
  const Complex follows(1, beta * frequency);
  return std::abs(K * follows / (K * follows - mass * frequency * frequency));
}

double least_holding_stiffness(double limit, double mass, double beta, const Shake& load) {
  if (load.amplitude == 0) return 0;
  const double R = (limit - std::abs(load.mean)) / load.amplitude;
  if (R < 1 + 1e-9) return infinity;
  const double q = beta * load.frequency, W = mass * load.frequency * load.frequency;
  const double under_root = 1 - q * q * (R * R - 1);
  if (under_root < 0) return 0;
  return R * W * (R + std::sqrt(under_root)) / ((R * R - 1) * (1 + q * q));
}

Pace pace(Method method) {
  switch (method) {
    case Method::rk4:
      return {std::norm(rk4_zero), -2 * rk4_zero.real() / std::norm(rk4_zero)};
    case Method::rk4_lookahead:
      return {3.45, 0.23};  // the least spectral radius that its matrix has, .03
    case Method::euler:
      return {1, 2};  // trace 2 - kappa b and determinant 1 - kappa (b - 1) are 0
    case Method::step:
      return {1, 1};  // the same with b + 1
  }
  return {};
}

double damping_time(double K, double mass, double step, Method method) {
  const Pace best = pace(method);
  return step * best.b + twice_zeta * (std::sqrt(mass / K) - step / std::sqrt(best.kappa));
}

double damping_seen(double beta, double step, Method method) {
  switch (method) {
    case Method::rk4:
      return beta;
    case Method::rk4_lookahead:
      return beta + 0.75 * step;
    case Method::euler:
      return beta - 0.5 * step;
    case Method::step:
      return beta + 0.5 * step;
  }
  return beta;
}

FrictionDesign design_friction(const FrictionWish& wish) {
  const double F = wish.limit, M = wish.mass, T = wish.step, kappa = pace(wish.method).kappa;
  const auto stiffest = [&](double step) { return kappa * M / (step * step); };
  const auto force = [&](double K, double step) {
    const double beta = damping_time(K, M, step, wish.method);
    return std::abs(wish.shake->mean) +
           wish.shake->amplitude * stepped_answer(K, beta, M, step, wish.shake->frequency, wish.method).gain;
  };
  // Some of what the load leaves is left over, and a cycle takes twenty steps or more.
  const auto seen_well = [&](double step) { return wish.shake->frequency * step <= 0.3; };
  const auto held = [&](double K, double step) {
    const double left = F - std::abs(wish.shake->mean) - wish.shake->amplitude;
    return seen_well(step) && force(K, step) <= (1 - rounding) * F - 0.02 * std::max(0.0, left);
  };

  FrictionDesign made;
  made.K = stiffest(T);
  if (wish.displacement) {
    const double asked = F / *wish.displacement;
    made.still_enough = asked <= made.K;
    if (!made.still_enough) {
      made.step_for_displacement = std::sqrt(kappa * M / asked);
      made.mass_for_displacement = asked * T * T / kappa;
    }
    made.K = std::min(made.K, asked);
  }
  if (wish.shake) {
    const double highest = stiffest(T);
    if (!held(made.K, T) && held(highest, T)) {
      // Soft enough for the displacement is too soft for the oscillation.
      double low = made.K, high = highest;
      for (int round = 0; round < 60; ++round) {
        const double middle = std::sqrt(low * high);
        (held(middle, T) ? high : low) = middle;
      }
      made.K = high;
    }
    made.holds = held(made.K, T);
    if (!made.holds) {
      double low = T;
      while (low > 1e-6 * T && !held(stiffest(low), low)) low /= 1.1;
      if (held(stiffest(low), low)) made.step_to_hold = low;
      if (seen_well(T)) made.limit_to_hold = force(made.K, T) / 0.98;
    }
  }
  made.beta = damping_time(made.K, M, T, wish.method);
  made.displacement = F / made.K;
  if (wish.shake) made.force = force(made.K, T);

  const Stiffness part{
      .kind = Stiffness::Kind::asperity, .K = most_room * made.K, .B = most_room * made.K * made.beta, .memory = made.beta};
  made.room = largest_stiffness(part, M, T, wish.method) / made.K;
  const Matrix<2> A = stuck_step(made.K, made.K * made.beta, true, M, T, wish.method);
  std::array<double, 2> y{1, 0};
  made.settling = T * double(settling_steps([&] {
                    y = {A[0][0] * y[0] + A[0][1] * y[1], A[1][0] * y[0] + A[1][1] * y[1]};
                    return std::max(std::abs(y[0]), std::abs(y[1]));
                  }));
  return made;
}

FrictionRun simulate(const FrictionWish& wish, const FrictionDesign& design, const Hooks& hooks) {
  const double T = wish.step, K = design.K;
  FrictionRun run;
  StepWatch watch(hooks, wish.shake ? 3 : 2);  // runs
  try {
    // A small knock.
    Block knocked(wish, K, design.beta);
    const double unit = 1e-3 * wish.limit / (K * T + K * design.beta);
    knocked.x[1] = unit;
    long k = 0;
    run.settling = T * double(settling_steps([&] {
                     watch.look(0, "settling");
                     knocked.step(k++, [](double) { return 0.0; });
                     return std::max(std::abs(knocked.x[1]), std::abs(knocked.x[2]) / T) / unit;
                   }));

    // A load that goes up slowly enough to be one of rest, not quite to the limit: there it would slide away.
    Block loaded(wish, K, design.beta);
    const double share = 0.99;
    const long steps = std::clamp(long(40 * run.settling / T), 200L, most_steps);
    const auto ramp = [&](double t) {
      const double s = std::min(1.0, t / (0.5 * double(steps) * T));
      return share * wish.limit * s * s * (3 - 2 * s);
    };
    for (k = 0; k < steps; ++k) {
      watch.look(1 + double(k) / double(steps), "load");
      loaded.step(k, ramp);
    }
    run.displacement = loaded.x[0] / share;

    if (wish.shake)
      run.shaken = shaken(wish, design.K, design.beta, [&](double share_done) { watch.look(2 + share_done, "oscillation"); });
  } catch (const Stopped&) {
    run.stopped = true;
  }
  return run;
}

ShakenRun shake(const FrictionWish& wish, double K, double beta) {
  return shaken(wish, K, beta, [](double) {});
}

}  // namespace asperity::design
