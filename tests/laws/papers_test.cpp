// Numbers of the papers that need no body: prescribed motion in, force out; and the papers' own discrete laws, to rounding.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "asperity/laws.hpp"

namespace asperity::papers_test {
namespace {

using std::numbers::pi;
constexpr double um = 1e-6;

// --- xiong2013 chapter 4: N = 10, alpha 2, v_s 5 um/s, F_c 1, F_s 2.5 N, kappa_i 5/i N/um, sigma_i 0.02 N s/um, lambda_i 0.1,
// tau_d 0.02 s:
// --- the defaults of Multistate. Forward Euler (tau = 0), as in the thesis, with a step at which the digits no longer move.

struct Path {
  std::vector<double> force_at_waypoints;
  std::vector<double> work;  // of each leg
};

template <class Law, class Advance>
Path follow(const Law& law, const std::vector<double>& waypoints, double speed, double h, Advance&& advance_law) {
  auto z = law.start();
  Path path;
  double f = 0;
  for (std::size_t leg = 1; leg < waypoints.size(); ++leg) {
    const double length = waypoints[leg] - waypoints[leg - 1];
    const long steps = std::lround(std::abs(length) / speed / h);
    const double dt = std::abs(length) / speed / double(steps), v = std::copysign(speed, length);
    double work = 0;
    for (long k = 0; k < steps; ++k) {
      const double before = f;
      f = advance_law(law, z, v, dt);
      work += v * dt * (before + f) / 2;
    }
    path.force_at_waypoints.push_back(f);
    path.work.push_back(work);
  }
  return path;
}
const auto euler = [](const auto& law, auto& z, double v, double h) {
  advance<std::decay_t<decltype(law)>>(z, law.react(z, {v}, 0.0).rate, h);
  return law.react(z, {v}, 0.0).f;
};
const auto implicit = [](const auto& law, auto& z, double v, double h) { return step(law, z, {v}, h); };

const std::vector<double> waypoints_47 = {0, .4 * um, -.4 * um, .4 * um, 0, .2 * um, 0, .4 * um, -.4 * um, .4 * um};

TEST(Xiong2013Fig47, ForcesAtTheWaypoints) {
  const std::array expected{2.42410, -2.42410, 2.42410, -1.27533, 1.16794, -1.27533, 2.42410, -2.42410, 2.42410};
  const Multistate<> law;
  const auto slow = follow(law, waypoints_47, .05 * um, 2e-4, euler);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(slow.force_at_waypoints[i], expected[i], 2e-5) << "waypoint " << i + 1;
  // step() is first order: it gets there too, and needs no small step to be stable.
  const auto by_step = follow(law, waypoints_47, .05 * um, 2e-4, implicit);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(by_step.force_at_waypoints[i], expected[i], 2e-3);
}
TEST(Xiong2013Fig47, LoopsCloseAndGrowWithTheRate) {
  const Multistate<> law;
  const auto slow = follow(law, waypoints_47, .05 * um, 2e-4, euler), fast = follow(law, waypoints_47, .5 * um, 2e-5, euler);
  EXPECT_NEAR(slow.force_at_waypoints[3], slow.force_at_waypoints[5], 1e-6);  // inner loop
  EXPECT_NEAR(slow.force_at_waypoints[2], slow.force_at_waypoints[6], 1e-6);  // back on the outer one
  const auto outer = [](const Path& p) { return p.work[1] + p.work[2]; };
  EXPECT_NEAR(outer(fast) / outer(slow), 1.0697, 2e-4);
}
TEST(Xiong2013Fig48, LoopAreas) {
  const Multistate<> law;
  // Two implementations agree on 0.053913 and 1.410853 N um; the reference table has 0.05385 and 1.41073, from a coarser step.
  for (const auto& [amplitude, area, reference, quasi_static] :
       {std::array{.1, .053913, .05385, .05}, {.4, 1.410853, 1.41073, 1.40}}) {
    const double A = amplitude * um;
    const auto path = follow(law, {0, A, -A, A, -A, A}, .05 * um, 2e-4, euler);
    EXPECT_NEAR((path.work[3] + path.work[4]) / um, area, 2e-6);
    EXPECT_NEAR((path.work[3] + path.work[4]) / um, reference, 1.5e-4);
    EXPECT_GT((path.work[3] + path.work[4]) / um, quasi_static);  // Iwan: sum max(0, A - 0.05 i), reached only infinitely slowly
  }
}
TEST(Xiong2013Fig48, SlowLimitIsIwan) {
  // Quasi-statically the N elements are Iwan's: 4 lambda F_s (A - lambda F_s/kappa_i) each, once it slips.
  const Multistate<> law;
  const double A = .4 * um;
  double expected = 0;
  for (int i = 0; i < 10; ++i) expected += std::max(0.0, 4 * .1 * law.F_s * (A - .1 * law.F_s / law.kappa[std::size_t(i)]));
  const auto path = follow(law, {0, A, -A, A, -A, A}, 1e-3 * um, 5e-3, euler);
  EXPECT_NEAR(expected / um, 1.40, 1e-9);
  EXPECT_NEAR((path.work[3] + path.work[4]) / um, 1.40, 1e-3);
}
TEST(Xiong2013Fig49, FrictionLags) {
  const Multistate<> law;
  auto z = law.start();
  const double h = 1e-5, frequency = 2;
  double rising = 0, falling = 0;
  for (int k = 0; k <= std::lround(1 / h); ++k) {
    const double t = k * h, v = (6 + 5 * std::sin(2 * pi * frequency * t)) * um;
    const double f = euler(law, z, v, h);
    if (k == std::lround(.5 / h)) rising = f;
    if (k == std::lround(.75 / h)) falling = f;
  }
  EXPECT_NEAR(rising, 1.6071, 2e-3);
  EXPECT_NEAR(falling, 1.2129, 2e-3);
}
TEST(Xiong2013Fig411, GmsJumpsAndMultistateDoesNot) {
  // v = 10 sin(2 pi t) um/s. GMS: jumps of about 8.5 um/s times sigma whatever the step; multistate: changes by O(T).
  for (const double sigma : {1e3, 2e4}) {
    Gms<> gms;
    gms.sigma.fill(sigma);
    Multistate<> smooth;
    smooth.sigma.fill(std::max(sigma, 1e4));
    double jump[2] = {}, change[2] = {};
    for (int i = 0; i < 2; ++i) {
      const double h = i == 0 ? 2e-5 : 2e-6;
      auto z = gms.start();
      auto y = smooth.start();
      double last = 0, last_smooth = 0;
      for (int k = 1; k * h < 1; ++k) {
        const double v = 10 * um * std::sin(2 * pi * k * h);
        const auto r = gms.react(z, {v}, 0.0);
        advance<Gms<>>(z, r.rate, h);
        gms.transit(z, {v});
        const double f = euler(smooth, y, v, h);
        jump[i] = std::max(jump[i], std::abs(r.f - last));
        change[i] = std::max(change[i], std::abs(f - last_smooth));
        last = r.f;
        last_smooth = f;
      }
    }
    EXPECT_NEAR(jump[1] / (sigma * um), 8.5, sigma < 2e3 ? 1.0 : 0.5) << "sigma " << sigma;
    EXPECT_NEAR(change[0] / change[1], 10, 1);
  }
}

// --- specker2014: the static curve with v_t 0.005, v_sp 0.01, F_s 1.4, F_c 1, d 0.1: the defaults of SmoothStatic.

TEST(Specker2014, StaticCurve) {
  const SmoothStatic<> law;
  EXPECT_NEAR(law.F_s - law.F_c * std::tanh(law.v_sp / law.v_t) - law.d * law.v_sp, .43497, 5e-6);
  double top = 0, at = 0;
  for (double v = 0; v < .05; v += 1e-7) {
    const double f = law.react({}, {v}, 0).f;
    if (f > top) top = f, at = v;
  }
  EXPECT_NEAR(top, 1.407715, 1e-6);
  EXPECT_NEAR(at, .011129, 1e-6);
  EXPECT_NEAR(law.react({}, {.05}, 0).f, 1.00501, 5e-6);
  EXPECT_NEAR(law.react({}, {law.v_sp}, 0).f, 1.4, 1e-12);  // by construction of F_D
}

// --- The discrete laws of the papers come from the same react.

// The default is set up by the names of its parameters; the others keep their defaults.
TEST(DesignatedInitializers, SingleState) {
  constexpr SingleState<> law{.F = 2, .K = 5e3};
  static_assert(law.F == 2 && law.K == 5e3 && law.beta == SingleState<>{}.beta);
  static_assert(law.limit(0.3) == 2 && law.highest() == 2 && law.lowest() == 2);
  // Stuck: K (a + beta v); sliding: F.
  EXPECT_DOUBLE_EQ(law.react({1e-4}, {1e-3, 1.0}, 0.0).f, 5e3 * (1e-4 + law.beta * 1e-3));
  EXPECT_EQ(law.react({1e-4}, {10.0, 1.0}, 0.0).f, 2);
}

TEST(DiscreteLaws, KikuuweYamamoto14IsStepOfSingleState) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  SingleState<> law;
  law.F = .5;
  law.K = 5e3;
  law.beta = 2e-3;
  const double B = law.K * law.beta, T = 1e-3;
  auto z = law.start();
  double e = 0;
  for (int k = 0; k < 10000; ++k) {
    const double v = .1 * normal(random);
    const double x = (B + T * law.K) * v + law.K * e;  // (14a)
    const double f = std::abs(x) <= law.F ? x : std::copysign(law.F, x);
    e = (B * e + T * f) / (B + T * law.K);  // (14b)
    EXPECT_NEAR(step(law, z, {v}, T), f, 1e-14);
    EXPECT_NEAR(z.a, e, 1e-18);
  }
}

/// kikuuwe_fujimoto (18), literally, with Coulomb friction (19), in two dimensions; f is the force on the hand.
struct KikuuweFujimoto {
  double M, B, K, F, T;
  VecN<double, 2> e{}, e_before{}, v_before{}, g{};

  VecN<double, 2> sample(const VecN<double, 2>& v) {
    const double C = M + T * B + T * T * K;
    const auto u = v - (T * K / C) * e - (M / C) * (v - v_before - (1 / T) * (e - e_before));
    g = magnitude(u) <= T * F / C ? (-C / T) * u : (-F / magnitude(u)) * u;
    const auto next = e - T * v + T * (u + (T / C) * g);
    e_before = e;
    e = next;
    v_before = v;
    return K * e + (B / T) * (e - e_before);
  }
};

TEST(DiscreteLaws, KikuuweFujimoto18IsStepOfVirtualMass) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (const auto& [M, B] : {std::array{0.0, 0.0}, {0.0, 10.0}, {1.0, 10.0}, {0.2, 0.0}}) {
    VirtualMass<double, 2, Coulomb> law;
    law.M = M;
    law.B = B;
    law.K = 6000;
    law.F = 4;
    const double T = 1e-3;
    KikuuweFujimoto paper{M, B, law.K, law.F, T};
    auto z = law.start();
    VecN<double, 2> v{};
    for (int k = 0; k < 5000; ++k) {
      v = v + VecN<double, 2>{{.02 * normal(random), .02 * normal(random)}} - .05 * v;
      const auto f = step(law, z, {v}, T), hand = paper.sample(v);
      ASSERT_LT(magnitude(f + hand), 1e-10) << "M " << M << " B " << B << " sample " << k;
      ASSERT_LT(magnitude(z.a + paper.e), 1e-14);
    }
  }
}

TEST(DiscreteLaws, WithoutMassAndDampingItIsHaywardArmstrong) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  VirtualMass<double, 2, Coulomb> law;
  law.M = law.B = 0;
  const double T = 1e-3;
  auto z = law.start();
  VecN<double, 2> held{};
  for (int k = 0; k < 5000; ++k) {
    const VecN<double, 2> v{{.3 * normal(random), .3 * normal(random)}};
    held = sat(law.F / law.K, held + T * v);
    EXPECT_LT(magnitude(step(law, z, {v}, T) - law.K * held), 1e-14);
  }
}

TEST(DiscreteLaws, WithoutMassItIsTheSingleState) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  VirtualMass<double, 2> law;  // with its search for phi(v), here constant
  law.M = 0;
  law.F_s = law.F_c = 1;
  SingleState<double, 2> same;
  same.F = 1;
  same.K = law.K;
  same.beta = law.B / law.K;
  auto z = law.start();
  auto y = same.start();
  for (int k = 0; k < 5000; ++k) {
    const VecN<double, 2> v{{.3 * normal(random), .3 * normal(random)}};
    EXPECT_LT(magnitude(step(law, z, {v}, 1e-3) - step(same, y, {v}, 1e-3)), 1e-12);
  }
}

// kikuuwe_fujimoto Fig. 6: ten parallel elements K 10 N/mm, B 0.1 N s/mm, F 1..10 N, at 1 mm/s, T 1 ms.
TEST(KikuuweFujimotoFig6, ParallelElements) {
  constexpr double mm = 1e-3;
  std::array<VirtualMass<double, 1, Coulomb>, 10> laws;
  std::array<VirtualMass<double, 1, Coulomb>::State, 10> states{};
  for (std::size_t i = 0; i < 10; ++i) {
    laws[i].M = 0;
    laws[i].B = 100;
    laws[i].K = 1e4;
    laws[i].F = double(i + 1);
  }
  const std::array waypoints{0., .8, -.8, .8, -.2, .4, -.2, .8, -.8, .8};
  const std::array expected{52.2, -52.2, 52.2, -28.52992, 26.70864, -28.52992, 52.2, -52.2, 52.2};
  for (std::size_t leg = 1; leg < waypoints.size(); ++leg) {
    const double length = waypoints[leg] - waypoints[leg - 1];
    double f = 0;
    for (long k = 0; k < std::lround(std::abs(length) * 1000); ++k) {
      f = 0;
      for (std::size_t i = 0; i < 10; ++i) f += step(laws[i], states[i], {std::copysign(mm, length)}, 1e-3);
    }
    EXPECT_NEAR(f, expected[leg - 1], 1e-5) << "waypoint " << leg;
  }
}

// kikuuwe_fujimoto Fig. 4, the haptic joystick: K 6000, B 10, F 4, T 1 ms, virtual mass 0 or 1 kg. The hand is ours: a 0.3 kg
// handle drawn by 300 N/m and damped by 10 N s/m along a half circle of 50 mm in 2 s, then shaken with 2.4 N.
TEST(KikuuweFujimotoFig4, Joystick) {
  for (const double M : {0.0, 1.0}) {
    VirtualMass<double, 2, Coulomb> law;
    law.M = M;
    law.B = 10;
    law.K = 6000;
    law.F = 4;
    const double T = 1e-3, handle = .3, R = .05;
    auto z = law.start();
    VecN<double, 2> p{{R, 0}}, v{}, held{};
    double largest_force = 0, largest_friction = 0, drift = 0;
    for (int k = 0; k < 6000; ++k) {
      const double t = k * T, angle = pi / 2 * std::min(t, 2.0);
      const VecN<double, 2> target{{R * std::cos(angle), R * std::sin(angle)}};
      const auto hand = t < 2 ? 300. * (target - p) - 10. * v : VecN<double, 2>{{2.4 * std::sin(2 * pi * (t - 2)), 0}};
      const auto w = z.w;
      const auto f = step(law, z, {v}, T);
      largest_force = std::max(largest_force, magnitude(f));
      largest_friction = std::max(largest_friction, magnitude(f - (M / T) * (z.w - w)));
      if (k == 4000) held = p - z.a;
      if (k > 4000) drift = std::max(drift, magnitude(p - z.a - held));
      v = v + (T / handle) * (hand - f);
      p = p + T * v;
    }
    EXPECT_NEAR(largest_friction, 4, 1e-9);
    EXPECT_NEAR(largest_force, M == 0 ? 4 : 4.824, 5e-4);
    EXPECT_LT(drift, 1e-15) << "2.4 N of 4 N must hold";
  }
}

}  // namespace
}  // namespace asperity::papers_test
