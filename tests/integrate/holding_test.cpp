// What holds still and what drifts, in worlds: a mass, a law, a push; each with every method:
// Methods/HoldingStill.<statement>/<method>.
//
// A load goes slowly between f1 and f2, below the limit F: what the mass moves by in a cycle is the drift of the law. Inertia adds
// to the load at most M (f2 - f1)/2 w^2/(K (1 - f2/F)), 2e-5 N, and so to the drift of a bristle 2 (F/K) f2/(F^2 - f2^2) times that
// at each end: 1e-7 m. The damping of a look-ahead, 3/4 K h, adds less than half of that.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#include "integrate/methods.hpp"

namespace asperity::holding_test {
namespace {

using std::numbers::pi;

constexpr double M = .1, F = .5, K = 5e3, B = 20, f1 = .2, f2 = .45, h = 1e-3, rise = 2, cycle = 8;

double slow_load(double t) {
  return t < rise ? f1 / 2 * (1 - std::cos(pi * t / rise)) : (f1 + f2) / 2 - (f2 - f1) / 2 * std::cos(2 * pi * (t - rise) / cycle);
}

class HoldingStill : public ::testing::TestWithParam<std::string> {
 public:
  std::unique_ptr<Integrator> start(World& world, double step) const {
    IntegratorOptions options;
    options.step = step;
    options.rtol = 1e-8;
    options.atol = 1e-12;
    options.max_step = .05;
    auto integrator = make_integrator(GetParam(), world, options);
    integrator->start(0, world.start());
    return integrator;
  }
  /// How far the mass has moved after a cycle, in the second and in the third.
  template <class Law>
  std::array<double, 2> drift(const Law& law) const {
    World world;
    const auto block = world.add("block", PointMass<double>{M});
    world.add("floor", law, between(block, ground));
    world.push(block, 0, slow_load);
    const auto integrator = start(world, h);
    std::array<double, 3> at{};
    for (std::size_t k = 0; k < 3; ++k) {
      integrator->advance(rise + double(k + 1) * cycle);
      at[k] = integrator->state()[0];
    }
    return {at[1] - at[0], at[2] - at[1]};
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, HoldingStill, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

template <class Law>
Law bristle() {
  Law law;
  law.F_c = law.F_s = F;
  law.K = K;
  law.B = B;
  return law;
}
template <class Law>
Law bundle() {
  Law law;
  law.F_c = law.F_s = F;
  law.kappa = {2e3, 2e3, 1e3};
  for (std::size_t i = 0; i < 3; ++i) law.sigma[i] = B / K * law.kappa[i];
  law.lambda = {.2, .3, .5};
  return law;
}

// While it sticks, p - a stands still, whatever the method: both have the same rate. And always |a| <= F/K.
TEST_P(HoldingStill, SingleStateHoldsItsRoot) {
  SingleState<> law;
  law.F = F;
  law.K = K;
  law.beta = B / K;
  World world;
  const auto block = world.add("block", PointMass<double>{M});
  world.add("floor", law, between(block, ground));
  world.push(block, 0, slow_load);
  const auto integrator = start(world, h);
  double root = 0, bent = 0;
  integrator->advance(rise + 3 * cycle, [&](double, std::span<const double> x) {
    root = std::max(root, std::abs(x[0] - x[2]));
    bent = std::max(bent, std::abs(x[2]));
  });
  EXPECT_LT(root, 1e-16);  // some units in the last place of f2/K, 1.4e-20, a step
  EXPECT_NEAR(bent, f2 / K, 1e-3 * f2 / K) << "it has to carry the load";
  // Shaken so that it slides to and fro, it never bends further than F/K.
  World shaken;
  const auto other = shaken.add("block", PointMass<double>{M});
  shaken.add("floor", law, between(other, ground));
  shaken.push(other, 0, [](double t) { return 3 * F * std::sin(20 * t); });
  const auto sliding = start(shaken, h);
  double furthest = 0;
  bent = 0;
  sliding->advance(2, [&](double, std::span<const double> x) {
    bent = std::max(bent, std::abs(x[2]));
    furthest = std::max(furthest, std::abs(x[0]));
  });
  EXPECT_GT(furthest, 10 * F / K);
  EXPECT_NEAR(bent, F / K, 1e-6 * F / K);
}

// The dynamic force decides. Under f_m + A sin(w t), below resonance, it holds if K >= M w^2 (F - f_m)/(F - f_m - A), here 800 N/m;
// started on the swing A/(K - M w^2), so that nothing has to settle.
TEST_P(HoldingStill, NeedsTheStiffnessOfTheRule) {
  const double mass = 1, mean = .3, A = .1, w = 20, step = 2e-5;
  for (const double share : {.95, 1.05}) {
    SingleState<> law;
    law.F = F;
    law.K = share * 800;
    law.beta = 2e-5;
    World world;
    const auto block = world.add("block", PointMass<double>{mass}, {0, A / (law.K - mass * w * w) * w});
    world.add("floor", law, between(block, ground));
    world.push(block, 0, [=](double t) { return mean + A * std::sin(w * t); });
    auto x = world.start();
    x[2] = mean / law.K;
    const auto integrator = start(world, step);
    integrator->start(0, x);
    integrator->advance(4 * pi / w);
    const double moved = integrator->state()[0] - integrator->state()[2] + mean / law.K;
    if (share > 1) EXPECT_NEAR(moved, 0, 1e-16);
    else EXPECT_GT(moved, 1e-6);
  }
}

// Bristles drift by (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] in every cycle.
const double drift_of_a_bristle = F / K * std::log((F * F - f1 * f1) / (F * F - f2 * f2));
TEST_P(HoldingStill, LuGreDrifts) {
  EXPECT_NEAR(drift_of_a_bristle, 1.486378e-4, 1e-10);
  for (const double moved : drift(bristle<LuGre<>>())) EXPECT_NEAR(moved, drift_of_a_bristle, 1.5e-7);
}
TEST_P(HoldingStill, DahlDrifts) {
  if (GetParam() == "euler") GTEST_SKIP() << "Euler feeds a bristle without damping: it needs B >= K h";
  Dahl<> law;
  law.F = F;
  law.K = K;
  for (const double moved : drift(law)) EXPECT_NEAR(moved, drift_of_a_bristle, 1.5e-7);
}

TEST_P(HoldingStill, ElastoplasticHoldsBelowItsBreakAway) {
  auto law = bristle<Elastoplastic<>>();
  law.a_ba = .46 / K;  // above the largest load
  for (const double moved : drift(law)) EXPECT_NEAR(moved, 0, 1e-11);
  law.a_ba = .3 / K;
  for (const double moved : drift(law)) {
    EXPECT_GT(moved, 1e-2 * drift_of_a_bristle);
    EXPECT_LT(moved, drift_of_a_bristle);
  }
}

// Hysteresis without drift: from the second cycle on the loops are closed. What is left is the swing that the start left behind.
TEST_P(HoldingStill, MultistateCloses) {
  for (const double moved : drift(bundle<Multistate<double, 3>>())) EXPECT_NEAR(moved, 0, 1e-10);
}
TEST_P(HoldingStill, GmsCloses) {
  for (const double moved : drift(bundle<Gms<double, 3>>())) EXPECT_NEAR(moved, 0, 1e-10);
}

// Under a constant load laws without memory creep, and so does Specker's: at the velocity at which the curve carries the load.
double creeping_speed(const SmoothStatic<>& law, double load) {
  double low = 0, high = law.v_t;
  for (int k = 0; k < 60; ++k) (law.curve((low + high) / 2, 1) < load ? low : high) = (low + high) / 2;
  return low;
}
TEST_P(HoldingStill, SmoothStaticCreeps) {
  const double load = .4;
  SmoothStatic<> law;
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("floor", law, between(block, ground));
  world.push(block, 0, [=](double) { return load; });
  const auto integrator = start(world, h);
  integrator->advance(1);
  EXPECT_NEAR(integrator->state()[1], creeping_speed(law, load), 1e-8);
}
TEST_P(HoldingStill, SpeckerCreeps) {
  const double load = .4;
  Specker<> law;
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("floor", law, between(block, ground));
  world.push(block, 0, [=](double t) { return load * std::min(1.0, t); });
  const auto integrator = start(world, h);
  integrator->advance(40);  // it swings to it, damped by (v/v_0)^2/(2 T_1) = 0.4/s
  EXPECT_NEAR(integrator->state()[1], creeping_speed(law, load), 1e-6);
}

// xiong2013 Fig. 3.4, converged: p(2) .02278298, stop 2.33409 s, p(10) .030772, no drift. It stands on the
// limit, F - f_m = A, above sqrt(2) of its resonance. What a first-order method adds to the amplitude, w h of it, slips, at most w
// h F/K a cycle.
TEST_P(HoldingStill, Xiong2013Fig34) {
  const bool first_order = testing::is_first_order(GetParam());
  const double w = 100, step = first_order ? 5e-5 : 2e-5;
  SingleState<> law;
  law.F = F;
  law.K = K;
  law.beta = 2e-3;
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("floor", law, between(block, ground));
  world.push(block, 0, [=](double t) { return t < 2 ? std::min(.55, .5 * t) : .35 + .15 * std::cos(w * t); });
  const auto integrator = start(world, step);
  const auto root = [&] { return integrator->state()[0] - integrator->state()[2]; };
  integrator->advance(2);                                                          // the load jumps there
  EXPECT_NEAR(integrator->state()[0], .02278298, first_order ? .1 * step : 1e-8);  // p'(2) = 0.05 m/s
  double stop = 0;
  integrator->advance(5, [&](double t, std::span<const double> x) {
    if (stop == 0 && x[1] < 0) stop = t;
  });
  EXPECT_NEAR(stop, 2.33409, 5e-4);  // found at the end of a step, which an adaptive method chooses
  const double held = root();
  integrator->advance(10);
  EXPECT_NEAR(integrator->state()[0], .030772, first_order ? 2e-6 : 1e-6);
  EXPECT_LT(std::abs(root() - held) / 5, first_order ? w * step * F / K * w / (2 * pi) : 3e-12);
}

}  // namespace
}  // namespace asperity::holding_test
