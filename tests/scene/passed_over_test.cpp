// What happens within one step, in a place or at a time that neither end of it shows: felt, or told. Expected values are from the
// conservation of energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/run/run.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity::passed_over_test {
namespace {

std::unique_ptr<Scene> read(const std::string& text) {
  std::vector<SceneProblem> problems;
  auto scene = read_scene(text, "scene.toml", {}, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return scene;
}

struct Outcome {
  std::vector<Finding> findings;
  Verdict verdict;
  EnergyAccount energy;
  std::vector<double> values;
  const Finding* find(Finding::Kind kind) const {
    const auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding& one) { return one.kind == kind; });
    return at == findings.end() ? nullptr : &*at;
  }
};
Outcome run(const std::string& text, const std::vector<std::string>& names) {
  const auto scene = read(text);
  if (!scene) return {};
  scene->run.record = {};
  asperity::Run run(scene->world, scene->run);
  EXPECT_TRUE(run.go()) << run.failure()->text;
  Outcome outcome{run.findings(), run.verdict(), run.energy(), {}};
  for (const std::string& name : names) outcome.values.push_back(run.value(name));
  return outcome;
}

std::string head(const std::string& method, double duration, double step) {
  return "[run]\nduration = " + std::to_string(duration) + "\nstep = " + std::to_string(step) + "\nmethod = \"" + method + "\"\n";
}

class PassedOver : public ::testing::TestWithParam<std::string> {
 protected:
  static bool adaptive() { return GetParam() == "dopri5" || GetParam() == "cvode" || GetParam() == "auto"; }
};
INSTANTIATE_TEST_SUITE_P(Methods, PassedOver,
                         ::testing::Values("step", "euler", "rk4", "rk4-lookahead", "implicit", "implicit2", "dopri5", "cvode",
                                           "auto"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

// A mass at 10 m/s meets forces that act along millimetres: a bumper of 100 J, which throws its 50 J back, and a pulse that adds
// F w sqrt(pi). Adaptive methods feel them; a fixed step that passes over them fails.
TEST_P(PassedOver, FeelsForcesOfThePlaceOrTellsThem) {
  struct Case {
    std::string force;
    double speed;
  };
  for (const Case& one : {Case{"-1e8*max(0, 1e-3 - abs(X - 5.003))", -10}, Case{"abs(X - 3.1237) < 5e-4 ? -1e5 : 0", -10},
                          Case{"1e4*exp(-((X - 5.003)/1e-3)^2)", std::sqrt(100 + 2 * 1e4 * 1e-3 * std::sqrt(std::numbers::pi))}})
    for (const bool inclusion : {false, true}) {
      std::string force = one.force;
      const std::string name = inclusion ? "p" : "b.position";
      force.replace(force.find('X'), 1, name);
      const std::string text =
          head(GetParam(), 1, 5e-3) +
          (inclusion ? "[inclusion]\nstate = { p = 0, v = 10 }\nrate = { p = \"v\", v = \"" + force + "\" }\n"
                     : "[[body]]\nname = \"b\"\nkind = \"mass\"\nmass = 1\nvelocity = 10\n[[input]]\non = \"b\"\nforce = \"" +
                           force + "\"\n");
      const Outcome outcome = run(text, {inclusion ? "v" : "b.velocity"});
      ASSERT_EQ(outcome.values.size(), 1u);
      const Finding* missed = outcome.find(Finding::Kind::missed);
      if (adaptive()) {
        EXPECT_NEAR(outcome.values[0], one.speed, 0.02 * std::abs(one.speed)) << force;
      } else if (std::abs(outcome.values[0] - one.speed) > 0.05 * std::abs(one.speed)) {
        EXPECT_NE(outcome.verdict, Verdict::fine) << force;
        if (std::abs(outcome.values[0] - 10) < 1e-6) {
          ASSERT_TRUE(missed) << force;
          EXPECT_EQ(missed->severity, Finding::Severity::failure);
          EXPECT_EQ(missed->component, inclusion ? "v" : "b");
        }
      }
    }
}

// A linear feedback has no such places, at any step that its method takes.
TEST_P(PassedOver, AFeedbackIsNotAccused) {
  for (const double step : {1e-3, 1e-2, 5e-2}) {
    const Outcome outcome =
        run(head(GetParam(), 2, step) +
                "[[body]]\nname = \"b\"\nkind = \"mass\"\nmass = 1\nposition = 1\nvelocity = 3\n[[input]]\non = "
                "\"b\"\nforce = \"-100*b.position - 4*b.velocity + 3*sin(t)\"\n",
            {});
    const Finding* missed = outcome.find(Finding::Kind::missed);
    EXPECT_FALSE(missed) << missed->text;
  }
}

// A prescribed piston with corners on the grid of steps hits a mass through a lossless contact: what the piston did is what the
// mass has.
TEST_P(PassedOver, TheWorkOfAPrescribedMotionWithCornersIsWhatTheMassHas) {
  if (GetParam() == "implicit" || GetParam() == "euler" || GetParam() == "step") GTEST_SKIP() << "first order: not at this step";
  const Outcome outcome =
      run(head(GetParam(), 1.1, 1e-4) +
              "[[body]]\nname = \"p\"\nkind = \"prescribed\"\nposition = \"0.1*max(0, 1 - abs(t - 1.003)/0.002)\"\n"
              "[[body]]\nname = \"m\"\nkind = \"mass\"\nmass = 1\nposition = 0.05\n"
              "[[element]]\nname = \"c\"\nbetween = [\"m\", \"p\"]\nlaw = \"hertz\"\nK = 1e6\n",
          {"m.velocity"});
  const double kinetic = outcome.values[0] * outcome.values[0] / 2;
  ASSERT_GT(kinetic, 30);
  EXPECT_NEAR(outcome.energy.work_in, kinetic, 0.02 * kinetic);
  const Finding* energy = outcome.find(Finding::Kind::energy);
  EXPECT_FALSE(energy && energy->severity == Finding::Severity::failure) << energy->text;
}

// The force of a controller is constant between its samples: methods of order 2 are exact, and the work in is the kinetic energy.
TEST(PassedOverOf, TheWorkOfAControllerIsWhatTheMassHas) {
  for (const std::string method : {"rk4", "implicit2"})
    for (const double step : {1e-3, 1e-2, 5e-2}) {
      const Outcome outcome =
          run(head(method, 1, step) +
                  "[[body]]\nname = \"b\"\nkind = \"mass\"\nmass = 1\nposition = 1\n[[controller]]\non = \"b\"\n"
                  "force = \"-40*b.position - 2*b.velocity\"\nevery = 0.05\n",
              {"b.velocity", "b.position"});
      // The motion in closed form: from sample to sample at constant force.
      double x = 1, v = 0;
      for (int k = 0; k < 20; ++k) {
        const double f = -40 * x - 2 * v;
        x += 0.05 * v + 0.05 * 0.05 * f / 2;
        v += 0.05 * f;
      }
      EXPECT_NEAR(outcome.values[0], v, 1e-9) << method << step;
      EXPECT_NEAR(outcome.values[1], x, 1e-9) << method << step;
      const double kinetic = outcome.values[0] * outcome.values[0] / 2;
      EXPECT_NEAR(outcome.energy.work_in, kinetic, 1e-9 * (1 + kinetic)) << step;
      EXPECT_FALSE(outcome.find(Finding::Kind::energy)) << step;
    }
}

// A law of sampled time has no rate between its steps: what its proxy dissipates while it is set in motion is its own.
TEST(PassedOverOf, ALawOfSampledTimeKeepsItsAccount) {
  for (const std::string method : {"step", "rk4-lookahead"})
    for (const double step : {1e-4, 1e-3}) {
      const Outcome outcome = run(
          head(method, 1, step) +
              "[[body]]\nname = \"b\"\nkind = \"mass\"\nmass = 1\nvelocity = 1\n[[element]]\nname = \"s\"\nbetween = [\"b\", "
              "\"ground\"]\nlaw = \"virtual_mass\"\nF_c = 0.5\nF_s = 0.8\nv_s = 0.1\nalpha = 2\nD = 0\nM = 0.1\nB = 10\nK = 1e4\n",
          {});
      const Finding* energy = outcome.find(Finding::Kind::energy);
      EXPECT_FALSE(energy && energy->severity == Finding::Severity::failure) << method << ": " << energy->text;
    }
}

// A blade turns once within a step of 10 ms, and sweeps over a ball at rest: it is struck, or the run fails.
TEST_P(PassedOver, ABladeThatTurnsWithinAStepIsTold) {
  const std::string text =
      "[world]\ngravity = [0, 0, 0]\n" + head(GetParam(), 0.02, 1e-2) +
      "[[body]]\nname = \"blade\"\nkind = \"prescribed\"\nshape = { box = [1, 0.02, 0.1] }\nposition = [0, 0, 0]\n"
      "rotation = { axis = [0, 0, 1], angle = \"2*pi*100*t\" }\n"
      "[[body]]\nname = \"ball\"\nkind = \"rigid_body\"\nmass = 0.1\nshape = { sphere = 0.02 }\nposition = [0, 0.45, 0]\n"
      "[[contacts]]\nnormal = { law = \"hertz\", K = 1e10 }\nfriction = { law = \"single_state\", mu = 0.2, K = 1e5, beta = 1e-4 "
      "}\n";
  const Outcome outcome = run(text, {"ball.velocity.x"});
  if (adaptive()) {
    EXPECT_GT(std::abs(outcome.values[0]), 1);
  } else {
    EXPECT_EQ(outcome.verdict, Verdict::failed);
  }
}

// A soft ball comes back from a depth of three quarters of its radius: that is not beyond its centre.
TEST(PassedOverOf, ASoftBallIsHeldAgainstItsRadius) {
  const double v = 1.5, mass = 0.1, K = 1e3, depth = v * std::sqrt(mass / K);  // alpha = beta: nothing is dissipated
  const Outcome outcome = run(
      "[world]\ngravity = [0, 0, 0]\n" + head("rk4", 0.1, 1e-5) +
          "[[body]]\nname = \"floor\"\nkind = \"prescribed\"\nshape = \"plane\"\n"
          "[[body]]\nname = \"ball\"\nkind = \"rigid_body\"\nmass = 0.1\nshape = { sphere = 0.02 }\nposition = [0, 0, 0.03]\n"
          "velocity = [0, 0, -1.5]\n[[contacts]]\nnormal = { law = \"linear_compliance\", K = 1e3, alpha = 5e-4, beta = 5e-4 }\n"
          "friction = { law = \"single_state\", mu = 0.1, K = 1e3, beta = 4e-4 }\n",
      {"ball.velocity.z"});
  EXPECT_NEAR(outcome.values[0], v, 1e-3 * v);
  const Finding* deep = outcome.find(Finding::Kind::depth);
  ASSERT_TRUE(deep);
  EXPECT_EQ(deep->severity, Finding::Severity::note) << deep->text;
  EXPECT_NEAR(deep->value, depth, 0.01 * depth);
}

}  // namespace
}  // namespace asperity::passed_over_test
