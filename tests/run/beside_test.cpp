// What goes along beside a run: phases that are lost over a long time, motions relative to what moves fast, small energies beside
// large ones, tumbling, rest, and equations whose terms are relaxed as the step allows. Against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/scene/scene.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"

namespace asperity::beside_test {
namespace {

using Kind = Finding::Kind;

std::string texts(const std::vector<Finding>& list) {
  std::string all;
  for (const Finding& finding : list) all += finding.text + "\n";
  return all;
}
const Finding* find(const std::vector<Finding>& list, Kind kind) {
  for (const Finding& finding : list)
    if (finding.kind == kind) return &finding;
  return nullptr;
}

class Beside : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Beside, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

/// Steps, or tolerances of an adaptive method, from too coarse to fine.
std::vector<RunOptions> coarse_to_fine(const std::string& method, double duration, double step) {
  std::vector<RunOptions> list;
  for (const double finer : {1., 8., 32.}) {
    if (testing::is_adaptive(method))
      list.push_back(
          {.duration = duration, .method = method, .rtol = 1e-3 / std::pow(finer, 2), .atol = 1e-6 / std::pow(finer, 2)});
    else list.push_back({.duration = duration, .step = step / finer, .method = method});
  }
  return list;
}

/// Told if it is off by more than 4 % of its range anywhere; not doubted if it is within 0.1 % everywhere.
void judge(const asperity::Run& run, double off, const std::string& what) {
  if (off > .04) {
    EXPECT_NE(run.verdict(), Verdict::fine) << what << ": off by " << off;
  }
  if (off < .001) {
    EXPECT_EQ(run.verdict(), Verdict::fine) << what << ": " << texts(run.findings());
  }
}

// x = .1 cos(w t) over a hundred and more periods: an error of the phase is an error, however long the run.
TEST_P(Beside, TellsAPhaseThatIsLost) {
  const double w = 5;
  for (const double duration : {64., 256.}) {
    for (const RunOptions& options : coarse_to_fine(GetParam(), duration, 1. / 32)) {
      World world;
      Spring<> spring;
      spring.K = w * w;
      world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}, {.1, 0}), ground));
      asperity::Run run(world, options);
      double off = 0;
      while (run.step()) off = std::max(off, std::abs(run.state()[0] - .1 * std::cos(w * run.time())) / .2);
      judge(run, off, fmt::format("{} s, step {:g}, rtol {:g}", duration, options.step, options.rtol));
    }
  }
}

// Two masses on a spring in a train: what is wrong with their motion is told whatever the speed of the train.
TEST_P(Beside, TellsWhatIsWrongInAMovingFrame) {
  const double w = 20;
  for (const double V : {0., 30., 3000.}) {
    for (const RunOptions& options : coarse_to_fine(GetParam(), 8, 1. / 64)) {
      World world;
      Spring<> spring;
      spring.K = w * w * .5;  // two of 1 kg
      const auto a = world.add("a", PointMass<double>{1.0}, {.1, V}), b = world.add("b", PointMass<double>{1.0}, {0, V});
      world.add("spring", spring, between(a, b));
      asperity::Run run(world, options);
      double off = 0;
      while (run.step()) {
        const double apart = run.state()[0] - run.state()[1];
        off = std::max(off, std::abs(apart - .1 * std::cos(w * run.time())) / .2);
      }
      judge(run, off, fmt::format("{} m/s, step {:g}, rtol {:g}", V, options.step, options.rtol));
    }
  }
}

// What a method does to the energy of one thing is the same whatever flies past elsewhere.
TEST_P(Beside, NothingElsewhereHidesAnEnergy) {
  for (const RunOptions& options : coarse_to_fine(GetParam(), 8, 1. / 64)) {
    std::array<double, 2> share{};
    for (const bool accompanied : {false, true}) {
      World world;
      Spring<> spring;
      spring.K = 400;
      world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}, {.1, 0}), ground));
      if (accompanied) world.add("train", PointMass<double>{1e4}, {0, 30});
      asperity::Run run(world, options);
      run.go();
      const std::vector<Finding> found = run.findings();
      const Finding* energy = find(found, Kind::energy);
      share[accompanied] = energy ? energy->value : 0;
      if (accompanied && energy) {
        EXPECT_EQ(energy->component, "mass");
      }
    }
    // An adaptive method takes other steps.
    if (!testing::is_adaptive(GetParam())) {
      EXPECT_NEAR(share[1], share[0], .05 * share[0]) << options.step;
    } else if (share[0] > 5e-3) {
      EXPECT_GT(share[1], 0) << options.rtol;
    }
  }
}

/// Jacobi's sn by descending Landen transformations.
double jacobi_sn(double u, double k) {
  std::array<double, 12> a{1}, c{k};
  double b = std::sqrt(1 - k * k);
  int n = 0;
  for (; n < 11 && std::abs(c[n]) > 1e-16; ++n) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  return std::sin(phi);
}

// A free body that tumbles, I1 < I2 < I3, L^2 > 2 T I2: its spin about its second axis is w2 sn(pace t).
// [Landau and Lifshitz, Mechanics, section 37]
TEST_P(Beside, TellsATumblingThatIsWrong) {
  const std::array<double, 3> I{.02, .03, .05};
  for (const double w3 : {12.3, 14.}) {
    const double w1 = 15, T2 = I[0] * w1 * w1 + I[2] * w3 * w3, L2 = std::pow(I[0] * w1, 2) + std::pow(I[2] * w3, 2);
    ASSERT_GT(L2, T2 * I[1]);
    const double k = std::sqrt((I[1] - I[0]) * (T2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - T2 * I[0])));
    const double pace = std::sqrt((I[2] - I[1]) * (L2 - T2 * I[0]) / (I[0] * I[1] * I[2]));
    const double w2 = std::sqrt((T2 * I[2] - L2) / (I[1] * (I[2] - I[1])));
    for (const RunOptions& options : coarse_to_fine(GetParam(), 8, 1. / 64)) {
      World world;
      Frame<double> start;
      start.w = {{w1, 0, w3}};
      world.add("body", RigidBody<double>::of(1, {I[0], I[1], I[2], 0, 0, 0}), start);
      asperity::Run run(world, options);
      double off = 0;
      while (run.step()) {
        // Along the second axis of the body.
        const auto number = [&](const char* name) { return run.value(std::string("body.") + name); };
        const double q0 = number("rotation.w"), x = number("rotation.x"), y = number("rotation.y"), z = number("rotation.z");
        const double second = 2 * (x * y - q0 * z) * number("spin.x") + (1 - 2 * (x * x + z * z)) * number("spin.y") +
                              2 * (y * z + q0 * x) * number("spin.z");
        off = std::max(off, std::abs(second - w2 * jacobi_sn(pace * run.time(), k)) / (2 * w2));
      }
      judge(run, off, fmt::format("w3 = {}, step {:g}, rtol {:g}", w3, options.step, options.rtol));
    }
  }
}

// A sphere that spins at a constant rate is at q = (cos, sin)(w t/2), however often it has turned.
TEST_P(Beside, TellsARotationThatIsLost) {
  for (const double w : {30., 1000.}) {
    for (const RunOptions& options : coarse_to_fine(GetParam(), 2, 1. / 512)) {
      World world;
      Frame<double> start;
      start.w = {{0, 0, w}};
      world.add("body", RigidBody<double>::of(1, inertia::sphere(1, .1)), start);
      asperity::Run run(world, options);
      double off = 0;
      while (run.step()) {
        const double angle = w * run.time() / 2, c = run.state()[3], s = run.state()[6];
        off = std::max(off, std::min(std::hypot(c - std::cos(angle), s - std::sin(angle)),
                                     std::hypot(c + std::cos(angle), s + std::sin(angle))));
      }
      if (off > .4) {
        EXPECT_NE(run.verdict(), Verdict::fine) << w << ", step " << options.step << ": off by " << off;
      }
      if (off < .002) {
        EXPECT_EQ(run.verdict(), Verdict::fine) << w << ": " << texts(run.findings());
      }
    }
  }
}

// A mass that is shaken by 20 m along x swings by 1 cm along y: what is wrong there is told.
TEST_P(Beside, NoComponentHidesAnother) {
  const double w = 20;
  for (const RunOptions& options : coarse_to_fine(GetParam(), 8, 1. / 64)) {
    World world;
    const auto mass = world.add("mass", PointMass<double, 2>{1.0}, {{{-10, .01}}, {}});
    Spring<> spring;
    spring.K = w * w;
    Axis<double, 2> along;
    along.direction = {{0, 1}};
    world.add("spring", spring, along, mass, ground);
    world.push(mass, 0, [](double t) { return 10 * std::cos(t); });
    asperity::Run run(world, options);
    double off = 0;
    while (run.step()) off = std::max(off, std::abs(run.state()[1] - .01 * std::cos(w * run.time())) / .02);
    // Of an adaptive method, as far as its tolerance on the position asks for it.
    if (off > .04 && (!testing::is_adaptive(GetParam()) || off * .02 > 20 * options.rtol * 10 + 400 * options.atol)) {
      EXPECT_NE(run.verdict(), Verdict::fine) << options.step << ", rtol " << options.rtol << ": off by " << off;
    }
  }
}

// Far from the origin a step of 0.1 mm is less than the last digit of a position: the way of 1 m is not what comes out.
TEST_P(Beside, TellsRoundingFarFromTheOrigin) {
  if (testing::is_adaptive(GetParam())) GTEST_SKIP() << "takes steps of its own";
  for (const double place : {1., 1e13, 1e15}) {
    World world;
    world.add("mass", PointMass<double>{1.0}, {place, 1});
    asperity::Run run(world, {.duration = 1, .step = 1e-4, .method = GetParam()});
    ASSERT_TRUE(run.go());
    const double off = std::abs(run.value("mass.position") - place - 1);
    if (off > .05) {
      EXPECT_NE(run.verdict(), Verdict::fine) << place;
    }
    if (place == 1) {
      EXPECT_EQ(run.verdict(), Verdict::fine) << texts(run.findings());
    }
  }
}

// A spring whose other end jumps: x = .1 (1 - cos 10 (t - 1)). The jump is told; a run that follows it is not accused of its
// energy.
TEST_P(Beside, TellsAPrescribedPositionThatJumps) {
  World world;
  const auto end = world.add_given<1>("end", [](double t) { return Port<double, 1>{t < 1 ? 0 : .1, 0}; });
  Spring<> spring;
  spring.K = 100;
  world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}), end));
  asperity::Run run(world, {.duration = 2, .step = 1e-3, .method = GetParam()});
  const auto is_jump = [](const Warning& warning) { return warning.kind == Warning::Kind::jump; };
  EXPECT_EQ(std::count_if(run.warnings().begin(), run.warnings().end(), is_jump), 1);
  ASSERT_TRUE(run.go());
  if (std::abs(run.value("mass.position") - .1 * (1 - std::cos(10.))) < 1e-3) {
    EXPECT_NE(run.verdict(), Verdict::failed) << texts(run.findings());
  }
}

// A block that friction holds under 3 sin(t) of 5 N moves by 3 sin(t)/K: no method that follows it has failed.
TEST_P(Beside, WhatFrictionHoldsHasNotFailed) {
  for (const double h : {1e-3, 2.5e-4}) {
    World world;
    const auto block = world.add("block", PointMass<double>{1.0});
    world.add("floor", testing::coulomb(5, 1e4, 2e-3), between(block, ground));
    world.push(block, 0, [](double t) { return 3 * std::sin(t); });
    asperity::Run run(world, {.duration = 10, .step = h, .method = GetParam()});
    ASSERT_TRUE(run.go());
    if (std::abs(run.value("block.position") - 3 * std::sin(10.) / 1e4) < .01 * 3e-4) {
      EXPECT_NE(run.verdict(), Verdict::failed) << h << ": " << texts(run.findings());
    }
  }
}

std::unique_ptr<Scene> scene_of(const std::string& text) {
  std::vector<SceneProblem> problems;
  auto scene = read_scene(text, "scene.toml", {}, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  if (scene) scene->run.record = {};
  return scene;
}

// A box that stands on a slope which it does not slide down, for ten seconds: no method makes energies of it.
TEST_P(Beside, ABoxAtRestIsNotAccused) {
  for (const double mass : {.2, 40., 2000.}) {
    const double K = mass * 1e4;
    const auto scene = scene_of(fmt::format(R"toml(
[world]
gravity = ["9.81*sin(0.19)", 0, "-9.81*cos(0.19)"]
[run]
duration = {}
step = 1e-3
method = "{}"
preload = true
[[body]]
name = "box"
kind = "rigid_body"
shape = "box"
sides = [0.4, 0.4, 0.1]
mass = {}
position = [0, 0, 0.05]
[[element]]
name = "floor"
between = ["box", "ground"]
law = "frictional_contact"
normal = {{ law = "linear_compliance", K = {}, alpha = 2e-3, beta = 4e-3 }}
friction = {{ law = "single_state", mu = 0.4, K = {}, beta = 2e-3 }}
)toml",
                                            testing::is_adaptive(GetParam()) ? 10 : 2, GetParam(), mass, K, K));
    ASSERT_TRUE(scene);
    asperity::Run run(scene->world, scene->run);
    if (GetParam() == "step" && !run.warnings().empty()) continue;  // this contact is too stiff for it
    ASSERT_TRUE(run.go());
    EXPECT_NEAR(run.value("box.position.x"), 0, 1e-9);
    EXPECT_EQ(run.verdict(), Verdict::fine) << mass << ": " << texts(run.findings());
  }
}

// 0 in v' + g - dio(p): a mass that falls on a rigid floor ends at p = 0. How far the relaxed floor gives way instead follows from
// the step, and is told.
TEST_P(Beside, TellsEquationsThatAreRelaxedTooSoftly) {
  for (const double h : {1. / 16, 1. / 64, 1. / 1024}) {
    const auto scene = scene_of(fmt::format(R"toml(
[run]
duration = 4
step = {}
method = "{}"
[inclusion]
state = {{ p = 0.05, v = 0 }}
[inclusion.rate]
p = "v"
v = "dio(p) - 9.81 - 2*v"
)toml",
                                            h, GetParam()));
    ASSERT_TRUE(scene);
    asperity::Run run(scene->world, scene->run);
    const bool arrived = run.go();
    const double off = std::abs(run.value("p")) / .05;
    if (!arrived || off > .04) {
      EXPECT_NE(run.verdict(), Verdict::fine) << h << ": off by " << off;
    }
  }
}

}  // namespace
}  // namespace asperity::beside_test
