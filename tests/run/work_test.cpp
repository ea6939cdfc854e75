// A bound on the work of a run: what would take more than max_steps steps is refused, or stops while somebody is still watching,
// and says where, why and what to do. What takes long for a while only goes on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/scene/scene.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"

namespace asperity::work_test {
namespace {

/// A mass on a spring with the angular frequency w.
World swinging(double w) {
  World world;
  Spring<> spring;
  spring.K = w * w;
  world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}, {.1, 0}), ground));
  return world;
}

std::string problem_of(const World& world, const RunOptions& options) {
  try {
    asperity::Run run(world, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

class Work : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Work, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

TEST_P(Work, RefusesMoreStepsThanAreAllowed) {
  const World world = swinging(1);
  RunOptions options{.duration = 10, .method = GetParam()};
  const bool adaptive = testing::is_adaptive(GetParam());
  (adaptive ? options.max_step : options.step) = 1e-9;
  EXPECT_EQ(problem_of(world, options),
            fmt::format("{} = 1e-09 s: 1e+10 steps in 10 s: must be <= max_steps = 1e+08; raise it to run for so long",
                        adaptive ? "max_step" : "step"));
  options.max_steps = 2e10;
  EXPECT_EQ(problem_of(world, options), "");
  options.max_steps = 0;
  EXPECT_NE(problem_of(world, options).find("max_steps = 0: must be >= 1"), std::string::npos);
}

// Every row ends a step.
TEST_P(Work, RefusesMoreRowsThanSteps) {
  if (!testing::is_adaptive(GetParam())) return;
  const World world = swinging(1);
  RunOptions options{.duration = 100, .method = GetParam(), .record = {{"*"}, 1e-7, std::make_shared<MemorySink>()}};
  EXPECT_EQ(problem_of(world, options),
            "record.every = 1e-07 s: 1e+09 rows in 100 s: must be <= max_steps = 1e+08; raise it to run for so long");
  options.record.every = 1e-5;
  EXPECT_EQ(problem_of(world, options), "");
}

TEST_P(Work, StopsAfterTheStepsThatAreAllowed) {
  if (!testing::is_adaptive(GetParam())) return;
  const World world = swinging(300);
  for (const double most : {1., 500.}) {
    asperity::Run run(world, {.duration = 10, .method = GetParam(), .max_steps = most});
    EXPECT_FALSE(run.go());
    EXPECT_EQ(run.statistics().steps, most);
    ASSERT_TRUE(run.failure());
    EXPECT_EQ(run.failure()->component, "spring");
    EXPECT_NE(run.failure()->text.find(fmt::format("{:g} steps are taken", most)), std::string::npos) << run.failure()->text;
  }
  const World slow = swinging(3);  // one that ends before
  asperity::Run run(slow, {.duration = 1, .method = GetParam(), .max_steps = 500});
  EXPECT_TRUE(run.go());
}

// What stops a run says what to do. What else was found says nothing to the contrary: to lower the tolerance, say, for the sake of
// the energy.
TEST_P(Work, WhatStoppedSaysAloneWhatToDo) {
  if (!testing::is_adaptive(GetParam())) return;
  for (const double rtol : {1e-3, 1e-2, .3}) {
    const World world = swinging(300);
    asperity::Run run(world, {.duration = 1000, .method = GetParam(), .rtol = rtol, .atol = .01, .max_steps = 2000});
    EXPECT_FALSE(run.go());
    ASSERT_TRUE(run.failure());
    EXPECT_EQ(run.failure()->text.find("rtol"), std::string::npos) << run.failure()->text;
    EXPECT_FALSE(run.findings().empty()) << rtol;
    for (const Finding& finding : run.findings()) {
      for (const char* advice : {"lower rtol", "use a smaller", "shorter"})
        EXPECT_EQ(finding.text.find(advice), std::string::npos) << finding.text;
      EXPECT_NE(finding.text.find("that is up to where it stopped"), std::string::npos) << finding.text;
    }
  }
}

// A lossless spring has to be followed by every method: 1 rad of it takes several steps.
TEST_P(Work, StopsWhatWouldTakeTooLong) {
  if (!testing::is_adaptive(GetParam())) return;
  for (const double w : {1e9, 1e10, 1e12}) {
    const World world = swinging(w);
    asperity::Run run(world, {.duration = 1, .method = GetParam()});
    EXPECT_FALSE(run.go());
    EXPECT_LE(run.statistics().steps, 10000) << w;
    ASSERT_TRUE(run.failure());
    EXPECT_EQ(run.failure()->component, "spring");
    const std::string& text = run.failure()->text;
    for (const char* part :
         {"makes no progress at t = ", "more would be needed", "implicit2", "a shorter run", "max_steps = 1e+08"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(run.verdict(), Verdict::failed);
  }
}

// A million steps are too many for a short run, and few for a long one.
TEST_P(Work, IsJudgedByTheStepOfAFixedRun) {
  if (!testing::is_adaptive(GetParam())) return;
  const World fast = swinging(1e7);
  asperity::Run in_vain(fast, {.duration = 1, .method = GetParam()});
  EXPECT_FALSE(in_vain.go());
  EXPECT_LE(in_vain.statistics().steps, 100000);
  const World slow = swinging(100);  // a hundred to a thousand steps for a second, in all more than a million
  asperity::Run patient(slow, {.duration = 2e4, .method = GetParam()});
  while (patient.statistics().steps < 120000) ASSERT_TRUE(patient.step()) << patient.failure()->text;
  EXPECT_LT(patient.time(), 2500);
}

// Asperities that are damped beyond all measure: an explicit method rejects many of its steps. A hundredth of them stops it.
TEST(WorkOf, StepsThatAreRejected) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("floor", testing::coulomb(.5, 5e3, 1e6), between(block, ground));
  world.push(block, 0, [](double t) { return .3 * t; });
  asperity::Run run(world, {.duration = 10, .method = "dopri5"});
  EXPECT_FALSE(run.go());
  EXPECT_LE(run.statistics().steps, 50000);
  ASSERT_TRUE(run.failure());
  EXPECT_EQ(run.failure()->component, "floor");
  EXPECT_NE(run.failure()->text.find("rejected for each"), std::string::npos) << run.failure()->text;
}

// A burst of 2 ms, in which thousands of steps get nowhere, is no reason to stop.
TEST_P(Work, GoesOnAfterABurst) {
  if (!testing::is_adaptive(GetParam())) return;
  World world;
  const auto mass = world.add("mass", PointMass<double>{1.0}, {0, 0});
  world.push(mass, 0, [](double t) { return t < 2e-3 ? std::sin(2e6 * t) : 0.0; });
  asperity::Run run(world, {.duration = 1, .method = GetParam(), .rtol = 1e-9, .atol = 1e-15});
  EXPECT_TRUE(run.go()) << run.failure()->text;
  EXPECT_GT(run.statistics().steps, 10000);
  // v = (1 - cos(w T))/w after it
  EXPECT_NEAR(run.state()[1], (1 - std::cos(4e3)) / 2e6, 1e-10);
}

// A tolerance beyond all that moves lets a method take any step: what comes of it is not called fine.
TEST_P(Work, AToleranceBeyondAllThatMovesIsTold) {
  if (!testing::is_adaptive(GetParam())) return;
  for (const double atol : {1e3, 1e9, 1e105}) {
    const World world = swinging(30);
    asperity::Run run(world, {.duration = 10, .method = GetParam(), .atol = atol});
    run.go();
    const double off = std::abs(run.state()[0] - .1 * std::cos(300));
    if (off > .01) {
      EXPECT_NE(run.verdict(), Verdict::fine) << atol << ": off by " << off;
    }
  }
}

// A capsule on a plate with the acceleration a rolls: its centre has a k/(1 + k), k = I/(m r^2). Bringing its rotation back to
// length 1 after every step must not shake its stiff contacts: cvode would take a million steps.
TEST_P(Work, ACapsuleThatRollsTakesFewSteps) {
  if (!testing::is_adaptive(GetParam())) return;
  std::vector<SceneProblem> problems;
  auto scene = read_scene(fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
[run]
duration = 0.5
method = "{}"
preload = true
max_steps = 30000
[[body]]
name = "plate"
kind = "prescribed"
position = ["2.5*t^2", 0, 0]
[[body]]
name = "capsule"
kind = "rigid_body"
mass = 1
shape = "capsule"
radius = 0.05
length = 0.2
position = [0, 0, 0.05]
rotation = {{ axis = [1, 0, 0], angle = "90 deg" }}
[[element]]
name = "floor"
between = ["capsule", "plate"]
law = "frictional_contact"
normal = {{ law = "linear_compliance", K = 1e5, alpha = 5e-4, beta = 2e-3 }}
friction = {{ law = "single_state", mu = 0.3, K = 1e5, beta = 1e-3 }}
)",
                                      GetParam()),
                          "capsule.toml", {}, problems);
  ASSERT_TRUE(scene) << to_text(problems.at(0));
  scene->run.record = {};
  asperity::Run run(scene->world, scene->run);
  for (const Warning& warning : run.warnings())
    EXPECT_NE(warning.kind, Warning::Kind::preload) << warning.text;  // it rolls with it
  ASSERT_TRUE(run.go()) << run.failure()->text;
  // Three quarters of its volume are a cylinder, the rest is a sphere.
  const double k = .75 * .5 + .25 * .4;
  EXPECT_NEAR(run.value("capsule.velocity.x"), 2.5 * k / (1 + k), 2e-3);
}

}  // namespace
}  // namespace asperity::work_test
