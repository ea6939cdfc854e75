// The energy account against closed forms, and its closing error against the order of the method.
#include <gtest/gtest.h>

#include "run/worlds.hpp"

namespace asperity {
namespace {

using testing::coulomb;

// A block that stops has lost M v0^2/2 to the floor, but for what the asperity stores and the motion that is left.
TEST(Energy, OfABlockThatStops) {
  const double M = 1, F = .5, K = 1e5, v0 = 1;
  World world;
  const auto block = world.add("block", PointMass<double>{M}, {0, v0});
  world.add("floor", coulomb(F, K, 4e-4), Line<double>{}, block, ground);
  asperity::Run run(world, {.duration = 1.5, .step = 2e-4});
  ASSERT_TRUE(run.go());
  // beta v0 > F/K: it slides from the start. F times the way, less what the asperity stores.
  const double t = 1.5, x = v0 * t - F / M * t * t / 2;
  EXPECT_NEAR(run.value("floor.dissipated"), F * x - F * F / (2 * K), 1e-12);
  EXPECT_NEAR(run.value("floor.stored"), F * F / (2 * K), 1e-15);
  EXPECT_NEAR(run.value("floor.power"), F * (v0 - F / M * t), 1e-6);
  EXPECT_EQ(run.energy().work_in, 0);
  EXPECT_NEAR(run.energy().closing_error, 0, 1e-12);
}

// Undamped: nothing is dissipated, the spring holds what the mass has lost.
TEST(Energy, OfAnOscillatorStays) {
  for (const double h : {4e-3, 2e-3}) {
    World world;
    const auto mass = world.add("mass", PointMass<double>{1.0}, {.1, 0});
    Spring<> law;
    law.K = 100;
    world.add("spring", law, Line<double>{}, mass, ground);
    asperity::Run run(world, {.duration = 2, .step = h});
    ASSERT_TRUE(run.go());
    const EnergyAccount energy = run.energy();
    EXPECT_NEAR(energy.kinetic + energy.stored, .5, .5 * 20 * std::pow(10 * h, 5) / (10 * h));
    EXPECT_NEAR(energy.dissipated, 0, 2e-5 * std::pow(h / 4e-3, 4));
    EXPECT_NEAR(energy.closing_error, 0, 2e-5 * std::pow(h / 4e-3, 4));
  }
}

// A damper in a driven oscillator, long after the transient: the push brings B w^2 A^2/2 a second, and the damper takes it.
TEST(Energy, OfAPushGoesIntoTheDamper) {
  const double M = 1, K = 100, B = 2, P = 3, w = 7;
  World world;
  const auto mass = world.add("mass", PointMass<double>{M});
  Spring<> law;
  law.K = K;
  law.B = B;
  world.add("spring", law, Line<double>{}, mass, ground);
  world.push(mass, 0, [=](double t) { return P * std::sin(w * t); });
  const double cycle = 2 * std::acos(-1.0) / w, h = cycle / 500;
  asperity::Run run(world, {.duration = 40 * cycle, .step = h});
  while (run.time() < 20 * cycle - h / 2) run.step();
  const EnergyAccount before = run.energy();
  ASSERT_TRUE(run.go());
  const double amplitude = P / std::hypot(K - M * w * w, B * w), loss = B * w * w * amplitude * amplitude / 2 * 20 * cycle;
  EXPECT_NEAR(run.energy().work_in - before.work_in, loss, 1e-6 * loss);
  EXPECT_NEAR(run.energy().dissipated - before.dissipated, loss, 1e-6 * loss);
}

// A block dragged by a belt of speed u: the belt brings F u a second, half of the whole goes into the block, half is lost.
TEST(Energy, OfAConveyorIsWorkIn) {
  const double M = 2, F = .5, u = 1, t = 3;
  World world;
  const auto block = world.add("block", PointMass<double>{M});
  const auto belt = world.add_given<1>("belt", [=](double s) { return Port<double, 1>{u * s, u}; });
  world.add("contact", coulomb(F, 1e6, 4e-4), Line<double>{}, block, belt);
  asperity::Run run(world, {.duration = t, .step = 1e-4});
  ASSERT_TRUE(run.go());
  const double v = F / M * t;
  EXPECT_NEAR(run.energy().work_in, F * u * t, 2e-6);  // the asperity has to bend first: F^2/(K u)
  EXPECT_NEAR(run.energy().kinetic, M * v * v / 2, 2e-6);
  EXPECT_NEAR(run.energy().dissipated, F * (u * t - v * t / 2), 2e-6);
  EXPECT_NEAR(run.energy().closing_error, 0, 1e-8);
}

struct Case {
  const char* method;
  double step, ball, conveyor;  // bounds of the closing error, J
};
class Closing : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Methods, Closing,
                         ::testing::Values(Case{"rk4", 1e-4, 1e-5, 1e-5}, Case{"rk4", 2.5e-5, 6e-7, 6e-7},
                                           Case{"rk4-lookahead", 1e-4, 1e-3, 3e-3}, Case{"rk4-lookahead", 2.5e-5, 1e-4, 3e-4},
                                           Case{"dopri5", 1e-4, 1e-3, 1e-3}),
                         [](const auto& one) {
                           std::string name = one.param.method + std::to_string(int(one.param.step * 1e6));
                           std::erase(name, '-');
                           return name;
                         });

// Second order where contacts begin and end. Of 9.8 J that the ball falls with, and about 5 J that pass through the conveyor.
TEST_P(Closing, IsSmall) {
  World ball;
  testing::bouncing_ball(ball, .007);
  asperity::Run bounces(ball, {.duration = 2, .step = GetParam().step, .method = GetParam().method});
  ASSERT_TRUE(bounces.go());
  EXPECT_GT(bounces.energy().dissipated, 5);
  EXPECT_NEAR(bounces.energy().closing_error, 0, GetParam().ball);

  World example;
  testing::conveyor(example);
  asperity::Run run(example, {.duration = .4, .step = GetParam().step, .method = GetParam().method});
  ASSERT_TRUE(run.go());
  EXPECT_GT(run.energy().work_in, 2);
  EXPECT_NEAR(run.energy().closing_error, 0, GetParam().conveyor);
  double elements = 0;
  for (const char* element : {"wall", "between", "conveyor", "spring"}) elements += run.value(std::string(element) + ".dissipated");
  EXPECT_NEAR(elements, run.energy().dissipated, 1e-12);
}

}  // namespace
}  // namespace asperity
