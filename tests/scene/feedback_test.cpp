// Forces that depend on the motion, in scenes and in C++: the motion of a controlled mass in closed form, with every method; slopes
// for implicit steps; what is refused and what is warned of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/run/run.hpp"
#include "asperity/scene/scene.hpp"
#include "integrate/methods.hpp"

namespace asperity::feedback_test {
namespace {

std::string told(const std::vector<SceneProblem>& problems) {
  std::string text;
  for (const SceneProblem& one : problems) text += to_text(one) + "\n";
  return text;
}
std::unique_ptr<Scene> scene_of(const std::string& text) {
  std::vector<SceneProblem> problems;
  auto scene = read_scene(text, "scene.toml", {}, problems);
  EXPECT_TRUE(scene) << told(problems);
  if (scene) scene->run.record = {};
  return scene;
}
std::string problems_of(const std::string& text) {
  std::vector<SceneProblem> problems;
  EXPECT_FALSE(read_scene(text, "scene.toml", {}, problems));
  return told(problems);
}
std::string all(const std::vector<Warning>& warnings) {
  std::string text;
  for (const Warning& one : warnings) text += one.text + "\n";
  return text;
}

constexpr double mass = 2, kp = 50, kd = 4;
/// Of m x'' = -kp x - kd x' from rest at 0.1 m.
double controlled(double t) {
  const double decay = kd / (2 * mass), w = std::sqrt(kp / mass - decay * decay);
  return .1 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
}
std::string controlled_mass(const std::string& method, const std::string& force) {
  return fmt::format(R"toml([run]
duration = 2
step = 1e-3
method = "{}"
[let]
kp = {}
kd = {}
[[body]]
name = "block"
kind = "mass"
mass = {}
position = 0.1
[[input]]
on = "block"
force = "{}"
)toml",
                     method, kp, kd, mass, force);
}

class FeedbackBy : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, FeedbackBy, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

/// Of first order h w^2 x t, of second order h^2 w^3 x t/12, for steps of 1 ms and w = 5 rad/s, with room to spare.
double tolerance(const std::string& method) {
  return method == "euler" || method == "implicit" || method == "step" ? 2e-3 : method == "implicit2" ? 1e-5 : 2e-6;
}

TEST_P(FeedbackBy, IsASpringAndADamper) {
  const auto scene = scene_of(controlled_mass(GetParam(), "-kp*block.position - kd*block.velocity"));
  asperity::Run run(scene->world, scene->run);
  ASSERT_TRUE(run.go());
  EXPECT_NEAR(run.state()[0], controlled(2), tolerance(GetParam()));
  EXPECT_NE(run.verdict(), Verdict::failed);
  EXPECT_EQ(all(run.warnings()), "");
  // What the controller takes out of the mass is its work: all that the mass had, and the spring of the formula stores nothing.
  const auto energy = run.energy();
  EXPECT_NEAR(energy.work_in, energy.kinetic, 1e-2 * kp * .005);
}

TEST_P(FeedbackBy, FollowsATimeAndOtherBodies) {
  // The belt moves on; a block of the same speed is carried along at once: x = u t.
  const auto scene = scene_of(fmt::format(R"toml([run]
duration = 1
step = 1e-3
method = "{}"
[[body]]
name = "belt"
kind = "prescribed"
position = "0.2*t"
[[body]]
name = "one"
kind = "mass"
mass = 1
velocity = 0.2
[[body]]
name = "other"
kind = "mass"
mass = 3
[[input]]
on = "one"
force = "-100*(one.position - belt.position) - 20*(one.velocity - belt.velocity)"
[[input]]
on = "other"
force = "one.position*t"
)toml",
                                          GetParam()));
  asperity::Run run(scene->world, scene->run);
  ASSERT_TRUE(run.go());
  const double u = .2, t = 1;
  std::vector<double> state(run.state().begin(), run.state().end());
  EXPECT_NEAR(state[0], u * t, tolerance(GetParam()));
  // 3 x'' = u t^2, so x = u t^4/36.
  EXPECT_NEAR(state[1], u / 36, tolerance(GetParam()));
}

TEST(Feedback, TurnsAJointAndABodyInSpace) {
  const auto arm = scene_of(R"toml([run]
duration = 1
step = 1e-4
[[body]]
name = "arm"
kind = "arm"
rods = [{ mass = 3, length = 1 }]
angles = [0.2]
[[input]]
on = "arm.joint1"
torque = "-9*arm.joint1.position"
)toml");
  asperity::Run swing(arm->world, arm->run);
  ASSERT_TRUE(swing.go());
  EXPECT_NEAR(swing.state()[0], .2 * std::cos(3.), 1e-8);  // m L^2/3 = 1
  const auto top = scene_of(R"toml([run]
duration = 1
step = 1e-4
[[body]]
name = "top"
kind = "rigid_body"
mass = 2
inertia = [1, 1, 1]
position = [0, 0, 0.3]
spin = [0, 0, 2]
[[input]]
on = "top"
force = [0, 0, "-8*top.position.z"]
torque = [0, 0, "-1.5*top.spin.z"]
)toml");
  asperity::Run run(top->world, top->run);
  ASSERT_TRUE(run.go());
  EXPECT_NEAR(run.state()[2], .3 * std::cos(2.), 1e-8);
  EXPECT_NEAR(run.state()[12], 2 * std::exp(-1.5), 1e-8);
}

// Slopes by dual numbers, entry by entry, against differences; and the pattern has a place for each.
TEST(Feedback, HasSlopesForImplicitSteps) {
  const auto scene = scene_of(R"toml([run]
duration = 1
[[body]]
name = "a"
kind = "mass"
mass = 2
position = [0.3, -0.2]
velocity = [1, 0.5]
[[body]]
name = "b"
kind = "mass"
mass = 1
position = [0.1, 0.4]
[[input]]
on = "b"
force = ["sin(a.position.x)*b.velocity.y + t", "-a.velocity.y^3 + exp(b.position.x)"]
)toml");
  const World& world = scene->world;
  ASSERT_TRUE(world.has_derivatives());
  Workspace work(world);
  const std::size_t n = world.size();
  std::vector<double> x = world.start(), low(n), high(n);
  x[5] = .7;
  const Pattern pattern = world.coupling();
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Dual8> seen(x.begin(), x.end()), rate(n);
    seen[j] = Dual8::variable(x[j], 0);
    work.rate(.25, seen, 0, rate);
    std::vector<double> moved = x;
    const double h = 1e-6;
    moved[j] = x[j] - h, work.rate(.25, moved, 0, low);
    moved[j] = x[j] + h, work.rate(.25, moved, 0, high);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(rate[i].v[0], (high[i] - low[i]) / (2 * h), 1e-8) << i << " by " << j;
      EXPECT_TRUE(rate[i].v[0] == 0 || pattern.has(i, j)) << i << " by " << j;
    }
  }
}

// Far stiffer than an explicit step takes: the mass goes to where it is sent, and stays.
TEST(Feedback, MayBeStiff) {
  for (const char* method : {"implicit", "implicit2", "cvode", "auto"}) {
    const auto scene = scene_of(fmt::format(R"toml([run]
duration = 0.5
step = 1e-3
method = "{}"
[[body]]
name = "block"
kind = "mass"
mass = 1
[[input]]
on = "block"
force = "1e10*(0.1*t - block.position) - 2e5*(block.velocity - 0.1)"
)toml",
                                            method));
    asperity::Run run(scene->world, scene->run);
    ASSERT_TRUE(run.go()) << method;
    EXPECT_NEAR(run.state()[0], .05, 1e-8) << method;
  }
}

TEST(Feedback, IsCheckedAgainstTheStep) {
  const auto warnings = [](double stiffness, double damping) {
    World world;
    const BodyId block = world.add("block", PointMass<double>{2.0}, {.1, 0});
    world.push(block, 0, {{block, 0}, {block, 1}}, [=](double, auto seen) { return -stiffness * seen[0] - damping * seen[1]; });
    return all(check(world, world.start(), {.step = 1e-3, .method = "rk4", .duration = 1}));
  };
  // rk4 is stable up to w h = 2.828, and up to B h/m = 2.785.
  EXPECT_EQ(warnings(2 * 2.7e3 * 2.7e3, 0), "");
  EXPECT_NE(warnings(2 * 2.9e3 * 2.9e3, 0).find("block: step 1 ms is too long for its feedback, which is as stiff as 1.68e7 N/m"),
            std::string::npos)
      << warnings(2 * 2.9e3 * 2.9e3, 0);
  EXPECT_EQ(warnings(0, 2 * 2.7e3), "");
  EXPECT_NE(warnings(0, 2 * 2.85e3).find("is too long for its feedback"), std::string::npos);
}

TEST(Feedback, ThatJumpsIsWarnedOf) {
  const auto scene = scene_of(controlled_mass("rk4", "-3*sign(block.velocity)"));
  asperity::Run run(scene->world, scene->run);
  EXPECT_NE(all(run.warnings()).find("block: its push jumps with the motion, in sign(block.velocity)"), std::string::npos)
      << all(run.warnings());
  const auto smooth = scene_of(controlled_mass("rk4", "(t < 1 ? 1 : 2)*sat(3, -100*block.velocity)"));
  asperity::Run fine(smooth->world, smooth->run);
  EXPECT_EQ(all(fine.warnings()), "");
}

TEST(Feedback, WithoutSlopesIsDifferentiatedByDifferences) {
  World world;
  const BodyId block = world.add("block", PointMass<double>{mass}, {.1, 0});
  world.push(block, 0, {{block, 0}, {block, 1}}, [](double, std::span<const double> seen) { return -kp * seen[0] - kd * seen[1]; });
  EXPECT_FALSE(world.has_derivatives());
  asperity::Run run(world, {.duration = 2, .step = 1e-3, .method = "implicit2"});
  ASSERT_TRUE(run.go());
  EXPECT_NEAR(run.state()[0], controlled(2), tolerance("implicit2"));
}

// Between samples the force is constant, so that x and v after each period are known: a recursion, exact in the step.
struct Sampled {
  double every, delay, resolution;
};
class ControllerBy : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ControllerBy, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);
TEST_P(ControllerBy, HoldsWhatItSawAtItsSamples) {
  for (const auto& [every, delay, resolution] : {Sampled{.05, 0, 0}, Sampled{.05, .05, 0}, Sampled{.05, .02, 0},
                                                 Sampled{.02, .07, 0}, Sampled{.05, 0, 1e-3}, Sampled{.05, .05, 1e-3}}) {
    const std::string text = controlled_mass(GetParam(), "-kp*block.position - kd*block.velocity");
    std::vector<SceneProblem> problems;
    const auto scene = read_scene(text.substr(0, text.find("[[input]]")) + fmt::format(R"toml([[controller]]
on = "block"
force = "-kp*block.position - kd*block.velocity"
every = {}
delay = {}
resolution = {}
)toml",
                                                                                       every, delay, resolution),
                                  "scene.toml", {}, problems);
    if (testing::is_adaptive(GetParam())) {
      EXPECT_FALSE(scene);
      EXPECT_NE(told(problems).find("controller 1: run.method = \"" + GetParam() + "\": must be one with a fixed step"),
                std::string::npos)
          << told(problems);
      continue;
    }
    ASSERT_TRUE(scene) << told(problems);
    scene->run.record = {};
    asperity::Run run(scene->world, scene->run);
    ASSERT_TRUE(run.go());
    // In pieces of 10 ms, which all these times are multiples of.
    const double piece = .01;
    const auto pieces = [&](double time) { return int(std::lround(time / piece)); };
    std::vector<double> forces;
    double x = .1, v = 0, read_before = 0;
    for (int k = 0; k < pieces(2); ++k) {
      if (k % pieces(every) == 0) {
        double p = x, speed = v;
        if (resolution > 0) {
          p = resolution * std::round(x / resolution);
          speed = forces.empty() ? 0 : (p - read_before) / every;
          read_before = p;
        }
        forces.push_back(-kp * p - kd * speed);
      }
      const int applied = k - pieces(delay);
      const double force = applied < 0 ? 0 : forces[std::size_t(applied / pieces(every))];
      x += piece * v + piece * piece / 2 * force / mass;
      v += piece * force / mass;
    }
    // Rounding to lines of an encoder makes much of little: only methods that are exact here stay beside the recursion.
    const bool exact = GetParam() == "rk4" || GetParam() == "rk4-lookahead";
    const double slack = exact ? 1e-12 : resolution > 0 ? 5e-3 : 2e-3;
    EXPECT_NEAR(run.state()[0], x, slack) << every << " " << delay << " " << resolution;
    EXPECT_NEAR(run.state()[1], v, 10 * slack) << every << " " << delay << " " << resolution;
    EXPECT_NE(run.verdict(), Verdict::failed);
  }
}

// A step that is taken again sees the same force: the run in halves is the run, bit by bit.
TEST(Controllers, ArePartOfTheState) {
  World world;
  const BodyId block = world.add("block", PointMass<double>{mass}, {.1, 0});
  const auto force = [](double, auto seen) { return -kp * seen[0] - kd * seen[1]; };
  world.push(Controller{.law = {block, 0, {{block, 0}, {block, 1}}, force, force, ""}, .every = 4e-3, .delay = 6e-3});
  asperity::Run whole(world, {.duration = 1, .step = 1e-3, .method = "rk4"});
  ASSERT_TRUE(whole.go());
  asperity::Run half(world, {.duration = 1, .step = 1e-3, .method = "rk4"});
  const std::string file = ::testing::TempDir() + "asperity_controller_checkpoint";
  while (half.time() < .5 - 1e-9) ASSERT_TRUE(half.step());
  half.save(file);
  asperity::Run rest(world, {.duration = 1, .step = 1e-3, .method = "rk4"});
  rest.resume(file);
  ASSERT_TRUE(rest.go());
  ASSERT_EQ(whole.state().size(), rest.state().size());
  for (std::size_t i = 0; i < whole.state().size(); ++i) EXPECT_EQ(whole.state()[i], rest.state()[i]) << i;
}

TEST(Controllers, Refusals) {
  const auto refused = [](const std::string& controller) {
    const std::string text = controlled_mass("rk4", "0");
    return problems_of(text.substr(0, text.find("[[input]]")) + "[[controller]]\non = \"block\"\n" + controller);
  };
  EXPECT_EQ(refused("force = 1\n"),
            "scene.toml:13: controller 1: every is missing (s): time between samples, a multiple of `run.step`\n");
  EXPECT_EQ(refused("force = 1\nevery = 1.5e-3\n"),
            "scene.toml:16: controller 1.every = 0.0015 s: must be a multiple of run.step = 0.001 s; use run.step = "
            "\"0.0015/2\"\n");
  EXPECT_EQ(refused("force = 1\nevery = 0\n"), "scene.toml:16: controller 1.every = 0 s: must be > 0\n");
  EXPECT_EQ(refused("force = 1\nevery = 1e-3\ndelay = 2\n"),
            "scene.toml:17: controller 1.delay = 2 s: must be <= 1000 times every\n");
  EXPECT_NE(refused("force = \"block.speed\"\nevery = 1e-3\n").find("the motion of block is: position, velocity"),
            std::string::npos);
}

TEST(Feedback, Refusals) {
  const auto refused = [](const std::string& force) { return problems_of(controlled_mass("rk4", force)); };
  EXPECT_EQ(refused("-3*blok.position"),
            "scene.toml:15: input 1.force = \"-3*blok.position\": blok.position: there is no body blok; did you mean block?\n");
  EXPECT_EQ(refused("-3*block.speed"),
            "scene.toml:15: input 1.force = \"-3*block.speed\": block.speed: the motion of block is: position, velocity\n");
  EXPECT_NE(refused("-3*position").find("unknown name \"position\""), std::string::npos);
  const std::string loop = problems_of(controlled_mass("rk4", "2*floor.force") + R"toml([[element]]
name = "floor"
between = ["block", "ground"]
law = "single_state"
)toml");
  EXPECT_NE(loop.find("floor.force: floor is no body: a force may depend on motions only, not on what depends on forces"),
            std::string::npos)
      << loop;
}

}  // namespace
}  // namespace asperity::feedback_test
