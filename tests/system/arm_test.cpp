// The arm against conservation of energy, the closed form of one rod, and kikuuwe_yamamoto Simulation II.
#include <gtest/gtest.h>

#include "asperity/laws.hpp"
#include "system/run.hpp"

namespace asperity::arm_test {
namespace {

using testing::run;

TEST(Arm, OneRodIsAPendulum) {
  World world;
  const auto arm = world.add_arm("arm", {{2.0, .5}}, {{.3, .7}}, {0, -9.81});
  world.push(World::joint(arm, 1), 0, [](double) { return .4; });
  auto x = world.start();
  std::vector<double> rate(2);
  Workspace(world).rate(0, x, 0, rate);
  EXPECT_EQ(rate[0], .7);
  EXPECT_NEAR(rate[1], (.4 - 2 * 9.81 * .25 * std::cos(.3)) / (2 * .25 / 3), 1e-12);
}

TEST(Arm, FreeSwingKeepsItsEnergy) {
  World world;
  world.add_arm("arm", {{1, .5}, {.7, .3}, {.4, .6}}, {{.3, 0}, {.5, 1}, {-.8, 2}}, {0, -9.81});
  auto x = world.start();
  const double before = world.kinetic(x) + world.potential(x);
  x = run(world, Method::rk4, 2, 1e-4);
  EXPECT_NEAR(world.kinetic(x) + world.potential(x), before, 1e-9);
}

// Simulation II: two equal rods, joint friction K 5000, B 1, F 0.5; held at the end by the single state, drifting with LuGre.
TEST(KikuuweYamamotoSimulationII, SingleStateHoldsAndLuGreDrifts) {
  const auto simulate = [](const auto& law, std::array<double, 2>& drift) {
    World world;
    const auto arm = world.add_arm("arm", {{.3, .4}, {.3, .4}}, {{0, 0}, {0, 0}});
    for (const unsigned k : {1u, 2u}) {
      world.add("friction" + std::to_string(k), law, Line<double>{}, World::joint(arm, k), ground);
      world.push(World::joint(arm, k), 0, [k](double t) {
        return t < 4 ? std::min(.52, .3 * t) : .336 + .144 * (k == 1 ? std::sin(100 * t) : std::cos(100 * t));
      });
    }
    std::array<double, 2> early{};  // at the same phase of the load
    const double period = 2 * 3.14159265358979323846 / 100;
    const double from = std::round(6 / period) * period, to = std::round(7.9 / period) * period;
    const auto x = run(world, Method::rk4_lookahead, 8, 1e-4, [&](double t, const std::vector<double>& y) {
      const std::array root{y[0] - y[4], y[1] - y[5]};  // of the asperity, or of the bristle
      if (std::abs(t - from) < .51e-4) early = root;
      if (std::abs(t - to) < .51e-4) drift = {(root[0] - early[0]) / (to - from), (root[1] - early[1]) / (to - from)};
    });
    return x;
  };
  SingleState<> held;
  held.F = .5;
  held.K = 5000;
  held.beta = 1 / held.K;
  std::array<double, 2> drift{};
  const auto x = simulate(held, drift);
  EXPECT_NEAR(x[0], 1.0286, 1e-4);
  EXPECT_NEAR(x[1], 2.3897, 1e-4);
  EXPECT_LT(std::abs(drift[0]), 2e-9);
  EXPECT_LT(std::abs(drift[1]), 2e-9);
  LuGre<> creeping;
  creeping.F_c = creeping.F_s = .5;
  creeping.K = 5000;
  creeping.B = 1;
  simulate(creeping, drift);
  EXPECT_NEAR(drift[0], 6.0e-3, 1e-4);
  EXPECT_NEAR(drift[1], 6.3e-3, 1e-4);
}

}  // namespace
}  // namespace asperity::arm_test
