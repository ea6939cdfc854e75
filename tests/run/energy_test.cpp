// The energy account against closed forms, and its closing error against the order of the method.
#include <gtest/gtest.h>

#include "asperity/laws.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"

namespace asperity::energy_test {
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
  EXPECT_NEAR(run.value("floor.dissipated"), F * x - F * F / (2 * K), 2e-9);  // the asperity bends within the first step
  EXPECT_NEAR(run.value("floor.stored"), F * F / (2 * K), 1e-15);
  EXPECT_NEAR(run.value("floor.power"), F * (v0 - F / M * t), 1e-6);
  EXPECT_EQ(run.energy().work_in, 0);
  EXPECT_NEAR(run.energy().closing_error, 0, 2e-9);
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

// A friction mass rubs by itself: what it loses is F times its way. Its velocity is the one at the end of each sample, so that over
// a change of speed dv the account closes to F dv T/2.
TEST(Energy, OfAMassThatRubs) {
  const double F = .5, v0 = 1;
  for (const double T : {1e-3, 2.5e-4})
    for (const std::string method : {"euler", "step"}) {
      World world;
      world.add("block", FrictionMass<double>{1.0, F, T, {}}, {0, v0});
      asperity::Run run(world, {.duration = 3, .step = T, .method = method});
      ASSERT_TRUE(run.go());
      EXPECT_NEAR(run.value("block.dissipated"), F * run.value("block.position"), 1e-12);
      EXPECT_NEAR(run.value("block.dissipated"), v0 * v0 / 2 - F * v0 * T / 2, 1e-9);
      EXPECT_EQ(run.energy().dissipated, run.value("block.dissipated"));
      EXPECT_NEAR(run.energy().closing_error, F * v0 * T / 2, 1e-9);
      EXPECT_EQ(run.dissipated().at(0), (std::pair<std::string, double>{"block", run.energy().dissipated}));
    }
}
// Pushed to and fro, in the plane, with a floor beside it: the parts sum up to the whole.
TEST(Energy, OfAMassThatRubsUnderAPush) {
  double last = 0;
  for (const double T : {1e-3, 5e-4}) {
    World world;
    const auto puck = world.add("puck", FrictionMass<double, 2>{1.0, .5, T, {}});
    world.push(puck, 0, [](double t) { return .8 * std::sin(3 * t); });
    world.push(puck, 1, [](double t) { return .6 * std::cos(2 * t); });
    SingleState<double, 2> floor;
    floor.F = .05;
    floor.K = 100;
    floor.beta = 1e-2;
    world.add("floor", floor, between(puck, ground));
    asperity::Run run(world, {.duration = 3, .step = T, .method = "euler"});
    ASSERT_TRUE(run.go());
    const EnergyAccount energy = run.energy();
    EXPECT_GT(energy.work_in, .1);
    EXPECT_NEAR(run.value("puck.dissipated") + run.value("floor.dissipated"), energy.dissipated, 1e-12);
    EXPECT_GT(run.value("floor.dissipated"), 5e-3);
    EXPECT_GT(run.value("puck.dissipated"), .05);
    EXPECT_LT(std::abs(energy.closing_error), .5 * 2 * T);  // F T/2 for every change of speed, a few m/s together
    if (last != 0) {
      EXPECT_NEAR(energy.closing_error / last, .5, .1) << "of first order";
    }
    last = energy.closing_error;
  }
}

struct Case {
  const char* method;
  int order;
  double ball, conveyor;  // bounds of the closing error at a step of 1e-4 s, or at rtol 1e-6, J
};
class Closing : public ::testing::TestWithParam<Case> {};
// Of 9.8 J that the ball falls with, and about 2 J that pass through the conveyor. Euler feeds a struck spring: K beta/(alpha M)
// h/2 times half the contact time is 5 % of the ball's energy in each of its bounces. Look-ahead damps in the first order, too.
INSTANTIATE_TEST_SUITE_P(Methods, Closing,
                         ::testing::Values(Case{"euler", 1, 2.5, .3}, Case{"step", 1, 2.5, .3}, Case{"rk4", 2, 1e-5, 1e-5},
                                           Case{"rk4-lookahead", 1, 1, .3}, Case{"dopri5", 0, 1e-3, 1e-3},
                                           Case{"cvode", 0, 1e-3, 1e-3}, Case{"auto", 0, 1e-3, 1e-3}),
                         [](const auto& one) {
                           std::string name = one.param.method;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });
TEST_P(Closing, FollowsTheOrder) {
  const Case& method = GetParam();
  if (!testing::is_built_in(method.method)) GTEST_SKIP() << "not built in";
  for (const double finer : {1.0, 4.0}) {
    const double share = method.order > 0 ? std::pow(finer, -method.order) : finer > 1 ? .1 : 1;
    RunOptions options{.step = 1e-4 / finer, .method = method.method, .rtol = finer > 1 ? 1e-8 : 1e-6};
    options.atol = 1e-3 * options.rtol;
    World ball;
    testing::bouncing_ball(ball, .007);
    options.duration = 2;
    asperity::Run bounces(ball, options);
    ASSERT_TRUE(bounces.go());
    EXPECT_GT(bounces.energy().dissipated, 3);
    EXPECT_NEAR(bounces.energy().closing_error, 0, share * method.ball);

    World example;
    testing::conveyor(example);
    options.duration = .2;
    asperity::Run run(example, options);
    ASSERT_TRUE(run.go());
    EXPECT_GT(run.energy().work_in, .5);
    EXPECT_NEAR(run.energy().closing_error, 0, share * method.conveyor);
    double elements = 0;
    for (const char* element : {"wall", "between", "conveyor", "spring"})
      elements += run.value(std::string(element) + ".dissipated");
    EXPECT_NEAR(elements, run.energy().dissipated, 1e-12);
    if (method.order != 1) {
      EXPECT_TRUE(bounces.findings().empty() && run.findings().empty());
    }
  }
}

/// A law whose stored energy is wrong by a factor.
struct WrongEnergy : SingleState<double> {
  double factor = 1;
  double energy(const State& z, const Input& in) const noexcept { return factor * SingleState<double>::energy(z, in); }
};

// What is stored cancels in the closing error; but then an element gives back what it never got. Loaded, unloaded, and dragged on.
TEST(Energy, AWrongStoredEnergyIsNoticed) {
  for (const std::string& method : testing::built_in_methods())
    for (const double factor : {1.0, .5, 1.5}) {
      World world;
      const auto block = world.add("block", PointMass<double>{1.0});
      WrongEnergy law;
      law.F = .5;
      law.K = 5e3;
      law.beta = 2e-3;
      law.factor = factor;
      world.add("floor", law, between(block, ground));
      world.push(block, 0, [](double t) { return t < 3 ? .45 * std::sin(2 * t) : 0; });
      asperity::Run run(world, {.duration = 4, .step = 2e-4, .method = method});
      ASSERT_TRUE(run.go());
      std::string gave_back;
      for (const Finding& finding : run.findings())
        if (finding.kind == Finding::Kind::dissipation) gave_back = finding.text;
      if (factor == 1) {
        EXPECT_EQ(gave_back, "") << method;
        continue;
      }
      EXPECT_TRUE(gave_back.starts_with("floor: gave back ")) << method << " " << factor << ": " << gave_back;
      EXPECT_NE(gave_back.find("the stored energy of single_state is wrong"), std::string::npos) << gave_back;
    }
}

}  // namespace
}  // namespace asperity::energy_test
