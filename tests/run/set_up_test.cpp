// A run looks before it leaps: set-up warnings, strictness, preload.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/laws.hpp"
#include "asperity/run/run.hpp"

namespace asperity::set_up_test {
namespace {

constexpr double g = 9.8, mu = .3, theta = 17 * std::numbers::pi / 180;

World incline(double K) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  SingleState<> law;
  law.F = mu * g * std::cos(theta);
  law.K = K;
  law.beta = 2e-3;
  world.add("slope", law, between(block, ground));
  world.push(block, 0, [](double) { return g * std::sin(theta); });
  return world;
}

// An incline: exact if the asperity starts loaded.
TEST(SetUp, PreloadMakesTheInclineExact) {
  World world = incline(1e5);
  asperity::Run run(world, {.duration = 2, .step = 1e-3, .preload = true});
  ASSERT_EQ(run.warnings().size(), 1u);  // no more than a note: it slides
  EXPECT_EQ(run.warnings()[0].kind, Warning::Kind::start);
  EXPECT_NEAR(run.warnings()[0].value, g * (std::sin(theta) - mu * std::cos(theta)), 1e-9);
  ASSERT_TRUE(run.go());
  EXPECT_NEAR(run.value("block.position"), g * (std::sin(theta) - mu * std::cos(theta)) * 2, 1e-11);
}
TEST(SetUp, WhatMustSlideIsNoErrorUnderStrict) {
  World world = incline(1e5);
  EXPECT_NO_THROW(asperity::Run(world, {.duration = 2, .step = 1e-3, .preload = true, .strict = true}));
}
TEST(SetUp, WarnsOfALoadedStart) {
  World world = incline(1e5);
  asperity::Run run(world, {.duration = 2, .step = 1e-3});
  ASSERT_EQ(run.warnings().size(), 1u);
  EXPECT_EQ(run.warnings()[0].kind, Warning::Kind::preload);
}
TEST(SetUp, StrictTurnsAStepThatIsTooLongIntoAnError) {
  World world = incline(2e6);  // kappa = 2 > 1.697 at b = 2
  try {
    asperity::Run run(world, {.duration = 2, .step = 1e-3, .preload = true, .strict = true});
    FAIL() << "accepted";
  } catch (const SetUpError& error) {
    ASSERT_FALSE(error.warnings.empty());
    EXPECT_EQ(error.warnings[0].component, "slope");
    EXPECT_EQ(error.warnings[0].kind, Warning::Kind::stability);
    EXPECT_NEAR(error.warnings[0].value, 2, 1e-9);
    EXPECT_NEAR(error.warnings[0].limit, 1.697, 2e-3);
    EXPECT_NE(error.warnings[0].text.find("slope: step 1 ms is too long"), std::string::npos) << error.warnings[0].text;
  }
}

TEST(SetUp, AutoSaysWhatItDecides) {
  World world;
  const auto block = world.add("block", PointMass<double>{.1}, {0, 1});
  SingleState<> law;
  law.F = 1;
  law.K = 1e6;
  law.beta = 1e-2;  // overdamped and stiff
  world.add("floor", law, between(block, ground));
  int said = 0;
  asperity::Run run(world, {.duration = 10, .method = "auto", .say = [&](std::string_view) { ++said; }});
  ASSERT_TRUE(run.go());
  EXPECT_EQ(run.statistics().switches, said);
  EXPECT_GT(said, 0);
}
TEST(SetUp, AShortPulseIsSeenWithAMaximumStep) {
  for (const std::string method : {"dopri5", "cvode"}) {
    World world;
    const auto block = world.add("block", PointMass<double>{1.0});
    world.push(block, 0, [](double t) { return t > 3.3 && t < 3.31 ? 100.0 : 0.0; });
    asperity::Run run(world, {.duration = 5, .method = method, .max_step = 2e-3});
    ASSERT_TRUE(run.go());
    EXPECT_NEAR(run.value("block.velocity"), 1, 1e-3) << method;
  }
}
TEST(SetUp, EndsThatDoNotFitAreRefused) {
  World world;
  const auto line = world.add("slider", PointMass<double>{1.0});
  const auto space = world.add("ball", PointMass<double, 3>{1.0, {}});
  EXPECT_THROW(world.add("floor", SingleState<>{}, between(space, line)), std::invalid_argument);
  EXPECT_THROW(world.push(line, 1, [](double) { return 1.0; }), std::invalid_argument);
  EXPECT_THROW(world.push(ground, 0, [](double) { return 1.0; }), std::invalid_argument);
}

}  // namespace
}  // namespace asperity::set_up_test
