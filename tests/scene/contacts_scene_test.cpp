// [[contacts]]: bodies with shapes in scenes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "asperity/run/verify.hpp"
#include "asperity/scene/scene.hpp"
#include "run/worlds.hpp"

namespace asperity::contacts_scene_test {
namespace {

std::unique_ptr<Scene> read(const std::string& text, std::string* why = nullptr) {
  std::vector<SceneProblem> problems;
  auto scene = read_scene(text, "scene.toml", {}, problems);
  std::string all;
  for (const SceneProblem& problem : problems) all += to_text(problem) + "\n";
  if (why) *why = all;
  else EXPECT_TRUE(scene) << all;
  return scene;
}

const std::string head = "[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 0.01\nmethod = \"dopri5\"\n";
std::string box(const std::string& name, double z, const std::string& more = "") {
  return "[[body]]\nname = \"" + name +
         "\"\nkind = \"rigid_body\"\nmass = 1\nshape = { box = [0.1, 0.1, 0.1] }\nposition = [0, 0, " + std::to_string(z) + "]\n" +
         more;
}

std::vector<std::string> contacts_of(const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneElement& element : scene.elements)
    if (const std::string name = element.name.substr(0, element.name.find('.')); names.empty() || names.back() != name)
      names.push_back(name);
  return names;
}

TEST(ContactScenes, TheLastRuleThatFitsDecides) {
  const std::string bodies = head + box("a1", 0.05) + box("a2", 0.25, "group = [\"odd\"]\n") + box("b", 0.45);
  EXPECT_EQ(contacts_of(*read(bodies + "[[contacts]]\n")), (std::vector<std::string>{"a1-a2", "a1-b", "a2-b"}));
  EXPECT_EQ(contacts_of(*read(bodies + "[[contacts]]\nbetween = [\"a*\", \"b\"]\n")), (std::vector<std::string>{"a1-b", "a2-b"}));
  EXPECT_EQ(contacts_of(*read(bodies + "[[contacts]]\n[[contacts]]\nbetween = [\"odd\", \"*\"]\nlaw = \"never\"\n")),
            (std::vector<std::string>{"a1-b"}));
  EXPECT_EQ(contacts_of(*read(bodies + "[[contacts]]\nbetween = [\"odd\", \"*\"]\nlaw = \"never\"\n[[contacts]]\n")).size(), 3u);
  EXPECT_TRUE(contacts_of(*read(bodies)).empty());
}

// Stars stand for anything, also for nothing; and many of them take no longer to be refused.
TEST(ContactScenes, StarsStandForAnything) {
  const std::string bodies = head + box("left_pad_1", 0.05) + box("left_tip_1", 0.25) + box("cube", 0.45);
  const auto with_cube = [&](const std::string& pattern) {
    return contacts_of(*read(bodies + "[[contacts]]\nbetween = [\"" + pattern + "\", \"cube\"]\n"));
  };
  const std::vector<std::string> both{"left_pad_1-cube", "left_tip_1-cube"}, pad{"left_pad_1-cube"};
  EXPECT_EQ(with_cube("left*1"), both);
  EXPECT_EQ(with_cube("*_*_1*"), both);
  EXPECT_EQ(with_cube("*pad*"), pad);
  EXPECT_EQ(with_cube("l*p*d_*1"), pad);
  EXPECT_EQ(with_cube("left_pad_1*"), pad);
  std::string many, why;
  for (int i = 0; i < 20; ++i) many += "*a";
  read(head + box(std::string(60, 'a'), 0.05) + box("cube", 0.45) + "[[contacts]]\nbetween = [\"" + many + "*b\", \"cube\"]\n",
       &why);
  EXPECT_NE(why.find("there is no body or group " + many + "*b"), std::string::npos) << why;
}

TEST(ContactScenes, WhatIsLeftOutIsDesignedAndSaid) {
  const auto scene = read(head + box("a", 0.05) + box("b", 0.15) + "[[contacts]]\nnormal = { K = 3e5 }\n");
  std::vector<std::string> designed;
  for (const SceneParameter& p : scene->parameters) {
    if (p.component == "contacts 1" && p.name == "normal.K") {
      EXPECT_EQ(p.value, "300000");
      EXPECT_EQ(p.meaning.find("designed"), std::string::npos);
    }
    if (p.component == "contacts 1" && p.meaning.ends_with("designed from masses, sizes and step")) designed.push_back(p.name);
  }
  EXPECT_EQ(designed, (std::vector<std::string>{"normal.alpha", "normal.beta", "friction.K", "friction.beta"}));
  EXPECT_NE(scene->resolved.find("[[contacts]]"), std::string::npos);
}

/// Both ways of writing a shape are one.
TEST(ContactScenes, ShapesInOneAreShapes) {
  const auto in_one = read(head + box("a", 0.05));
  const auto apart = read(head +
                          "[[body]]\nname = \"a\"\nkind = \"rigid_body\"\nmass = 1\nshape = \"box\"\nsides = [0.1, 0.1, "
                          "0.1]\nposition = [0, 0, 0.05]\n");
  EXPECT_EQ(in_one->world.start(), apart->world.start());
  EXPECT_EQ(in_one->bodies[0].size, apart->bodies[0].size);
}

/// A ball of 10 mm at 100 m/s and a plate of 1 mm: it comes back, or the run is refused with the step that it needs.
class FastBall : public ::testing::TestWithParam<std::string> {};
TEST_P(FastBall, IsStoppedOrRefused) {
  const bool adaptive = is_adaptive(GetParam());
  const auto text = [&](double step) {
    return "[run]\nduration = 0.01\nstep = " + std::to_string(step) + "\nmethod = \"" + GetParam() +
           "\"\n[[body]]\nname = \"plate\"\nkind = \"prescribed\"\nshape = { box = [1, 1, 1e-3] }\n"
           "[[body]]\nname = \"ball\"\nkind = \"rigid_body\"\nmass = 0.004\nshape = { sphere = 5e-3 }\nposition = [0.1, 0.1, 0.5]\n"
           "velocity = [0, 0, -100]\n[[contacts]]\nnormal = { K = 1e8, alpha = 1e-5, beta = 2e-5 }\n";
  };
  if (!adaptive) {
    std::string why;
    EXPECT_FALSE(read(text(1e-3), &why));
    EXPECT_NE(
        why.find(
            "plate-ball: at 100 m/s they move 0.1 m in a step of 0.001 s and can pass through each other; use run.step <= 5e-06 s"),
        std::string::npos)
        << why;
  }
  const auto scene = read(text(1e-6));
  scene->run.record.sink = std::make_shared<MemorySink>();
  asperity::Run run(scene->world, scene->run);
  EXPECT_TRUE(run.go());
  EXPECT_GT(run.value("ball.velocity.z"), 20);
  EXPECT_GT(run.value("ball.position.z"), 0.05);
}
INSTANTIATE_TEST_SUITE_P(Methods, FastBall,
                         ::testing::Values("rk4", "rk4-lookahead", "implicit", "implicit2", "dopri5", "cvode", "auto"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

// A contact that opens leaves with what it has stored. Work, motion and heat balance as for the same contact as an element.
class Rebound : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Rebound, ::testing::Values("rk4", "dopri5", "cvode", "implicit2"));
TEST_P(Rebound, KeepsItsAccount) {
  const auto account = [](bool shapes) {
    const std::string ball = "[[body]]\nname = \"b\"\nkind = \"rigid_body\"\nmass = 1\nposition = [0, 0, 0.5]\n";
    const std::string normal = "K = 2e5, alpha = 2e-3, beta = 4e-3", friction = "mu = 0.3, K = 2e5, beta = 1.34e-3";
    const auto scene =
        read("[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 0.5\nstep = 2e-5\nrtol = 1e-10\natol = 1e-13\nmethod = \"" +
             GetParam() + "\"\n" + ball +
             (shapes ? "shape = { sphere = 0.05 }\n[[body]]\nname = \"floor\"\nkind = \"prescribed\"\nshape = \"plane\"\n"
                       "[[contacts]]\nnormal = { " +
                           normal + " }\nfriction = { " + friction + " }\n"
                     : "shape = \"sphere\"\nradius = 0.05\n[[element]]\nname = \"c\"\nbetween = [\"b\", \"ground\"]\n"
                       "law = \"frictional_contact\"\nnormal = { law = \"linear_compliance\", " +
                           normal + " }\nfriction = { law = \"single_state\", " + friction + " }\n"));
    scene->run.record = {};
    asperity::Run run(scene->world, scene->run);
    EXPECT_TRUE(run.go());
    EXPECT_EQ(run.impacts().size(), 1u);
    return run.energy();
  };
  const EnergyAccount element = account(false), shape = account(true);
  const double all = 9.81 * .45;
  EXPECT_NEAR(shape.kinetic, element.kinetic, 1e-4 * all);
  EXPECT_NEAR(shape.closing_error, element.closing_error, 1e-3 * all);
  EXPECT_NEAR(shape.dissipated, all - (shape.kinetic + shape.potential - 9.81 * .05), 2e-3 * all);
}

// What [[contacts]] leave out is designed for the step. Half the step has contacts of its own then, so that a rebound that depends
// on the step is told; a ball that rests on them is not accused.
class DesignedForTheStep : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string ball(const std::string& method, double height, bool preload) {
    return "[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 0.5\nstep = 1e-3\nmethod = \"" + method +
           "\"\npreload = " + (preload ? "true" : "false") +
           "\n[[body]]\nname = \"floor\"\nkind = \"prescribed\"\nshape = \"plane\"\n[[body]]\nname = \"ball\"\nkind = "
           "\"rigid_body\"\nmass = 1\nshape = { sphere = 0.05 }\nposition = [0, 0, " +
           std::to_string(0.05 + height) + "]\n[[contacts]]\n";
  }
  static double height_at_the_end(const Scene& scene, std::vector<Finding>& findings) {
    RunOptions options = scene.run;
    options.record.sink = std::make_shared<MemorySink>();
    asperity::Run run(scene.world, options);
    EXPECT_TRUE(run.go());
    findings = run.findings();
    return run.value("ball.position.z");
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, DesignedForTheStep,
                         ::testing::Values("rk4", "euler", "step", "rk4-lookahead", "implicit", "implicit2"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });
TEST_P(DesignedForTheStep, IsToldOfARebound) {
  std::vector<Finding> findings, none;
  const auto scene = read(ball(GetParam(), 0.25, false));
  // An adaptive method has no step that its contacts could be designed for.
  const double free = height_at_the_end(*read(ball("dopri5", 0.25, false)), none);
  const double z = height_at_the_end(*scene, findings);
  ASSERT_GT(std::abs(z - free), 0.02 * 0.25);
  const auto told = std::find_if(findings.begin(), findings.end(), [](const Finding& one) {
    return one.severity == Finding::Severity::note && one.text.find("designed for a step of 1 ms") != std::string::npos;
  });
  ASSERT_NE(told, findings.end());
  EXPECT_GT(told->value, std::abs(z - free) / 0.25 / 4);  // one halving of the step shows a part of it

  RunOptions options = scene->run;
  options.record.columns = {"ball.position.*"};
  const auto verify = std::make_shared<VerifyingSink>(nullptr, *scene->finer_world, options);
  options.record.sink = verify;
  asperity::Run run(scene->world, options);
  EXPECT_TRUE(run.go());
  EXPECT_EQ(verify->verification(run).findings.size(), 1u);
}
TEST_P(DesignedForTheStep, DoesNotAccuseWhatRests) {
  for (const bool preload : {true, false}) {
    // With explicit steps it sinks by more than the thousandth of its size that contacts are designed for.
    if (!preload && !is_implicit(GetParam())) continue;
    std::vector<Finding> findings;
    const double z = height_at_the_end(*read(ball(GetParam(), 0, preload)), findings);
    EXPECT_NEAR(z, 0.05, 1e-3);
    for (const Finding& one : findings) EXPECT_EQ(one.text.find("designed for"), std::string::npos) << one.text;
  }
}

// Held by three fingers a cube is at rest to the last digit: rounding adds up over the steps, and is neither energy that a method
// made nor energy that an element gave back.
TEST(ContactScenes, AGraspAtRestIsNotAccused) {
  struct Case {
    std::string method, step, duration;
    double K;
  };
  for (const Case& one : {Case{"rk4", "2e-5", "0.5", 1e6}, Case{"implicit2", "2e-3", "2", 2e4}}) {
    const double alpha = 0.2 * std::sqrt(0.1 / one.K), beta = 10 * alpha, squeeze = 4 / one.K, x = 0.04;
    const auto finger = [&](int number, double at, double y) {
      return fmt::format("[[body]]\nname = \"f{}\"\nkind = \"prescribed\"\nshape = {{ sphere = 0.01 }}\nposition = [{}, {}, 0]\n",
                         number, at, y);
    };
    const auto scene =
        read("[world]\ngravity = [0, 0, -9.81]\n[run]\npreload = true\nduration = " + one.duration + "\nstep = " + one.step +
             "\nmethod = \"" + one.method +
             "\"\n[[body]]\nname = \"cube\"\nkind = \"rigid_body\"\nmass = 0.2\nshape = { box = [0.06, 0.06, 0.06] }\n" +
             finger(1, -x + squeeze, 0.01) + finger(2, -x + squeeze, -0.01) + finger(3, x - 2 * squeeze, 0) +
             fmt::format("[[contacts]]\nnormal = {{ K = {0}, alpha = {1}, beta = {2} }}\n"
                         "friction = {{ mu = 0.8, K = {0}, beta = {2} }}\n",
                         one.K, alpha, beta));
    scene->run.record = {};
    asperity::Run run(scene->world, scene->run);
    const double z = run.value("cube.position.z");
    EXPECT_TRUE(run.go());
    EXPECT_NEAR(run.value("cube.position.z"), z, 1e-12);
    for (const Finding& finding : run.findings()) EXPECT_EQ(finding.severity, Finding::Severity::remark) << finding.text;
  }
}

// A box lies across two others, edge on edge: rounding decides how the corners of the overlap are called. It stays at rest, and
// what one point hands to the next is no dissipation.
TEST(ContactScenes, ABoxAcrossTwoOthersStaysAtRest) {
  for (const auto& [method, step, duration, mu] :
       {std::tuple{"rk4", "1e-4", "0.35", 0.05}, std::tuple{"implicit2", "2e-3", "0.6", 0.5}}) {
    const auto box = [](const std::string& name, double x, double z) {
      return fmt::format(
          "[[body]]\nname = \"{}\"\nkind = \"rigid_body\"\nmass = 1\nshape = {{ box = [0.1, 0.1, 0.1] }}\n"
          "position = [{}, 0, {}]\n",
          name, x, z);
    };
    const auto scene =
        read(fmt::format("[world]\ngravity = [0, 0, -9.81]\n[run]\npreload = true\nduration = {}\nstep = {}\nmethod = "
                         "\"{}\"\n[[body]]\nname = \"floor\"\nkind = \"prescribed\"\nshape = \"plane\"\n",
                         duration, step, method) +
             box("a", -0.06, 0.05) + box("b", 0.06, 0.05) + box("c", 0, 0.15) +
             fmt::format("[[contacts]]\nnormal = {{ K = 1e5, alpha = 1e-3, beta = 2e-3 }}\n"
                         "friction = {{ mu = {}, K = 1e5, beta = 1e-3 }}\n",
                         mu));
    scene->run.record = {};
    asperity::Run run(scene->world, scene->run);
    const double z = run.value("c.position.z");
    EXPECT_TRUE(run.go());
    EXPECT_NEAR(run.value("c.position.z"), z, 1e-12) << method;
    EXPECT_NEAR(run.energy().dissipated, 0, 1e-9) << method << ", of 2.4 mJ that are stored";
    for (const Finding& finding : run.findings()) EXPECT_EQ(finding.severity, Finding::Severity::remark) << finding.text;
  }
}

// A ball is 1 mm deep in a wall that nothing presses it against: it is thrown off, so that friction holds nothing and no preload
// helps.
TEST(ContactScenes, FrictionUnderALoadThatDoesNotLastIsNotSaidToHold) {
  const auto scene = read(
      "[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 1\nstep = 1e-3\nmethod = \"implicit\"\n[[body]]\nname = \"ball\"\nkind "
      "= \"rigid_body\"\nmass = 1\nshape = { sphere = 0.05 }\nposition = [0.049, 0, 0]\n[[element]]\nname = \"wall\"\nbetween = "
      "[\"ball\", \"ground\"]\nlaw = \"frictional_contact\"\ndirection = [1, 0, 0]\n");
  scene->run.record = {};
  asperity::Run run(scene->world, scene->run);
  for (const Warning& warning : run.warnings()) EXPECT_EQ(warning.text.find("and hold"), std::string::npos) << warning.text;
}

// At the start a run and half its step are the same: no difference is said to be there.
TEST(ContactScenes, NothingDiffersAtTheStart) {
  const auto scene = read(
      "[world]\ngravity = [0, -9.81]\n[run]\nduration = 6\nstep = 2e-4\nmethod = \"step\"\n[[body]]\nname = \"b\"\nkind = "
      "\"mass\"\nmass = 1\nposition = [0, 0]\n[[body]]\nname = \"belt\"\nkind = \"prescribed\"\nposition = "
      "[\"0.02*sin(3*t)\", 0]\n[[element]]\nname = \"floor\"\nbetween = [\"b\", \"belt\"]\nlaw = \"frictional_contact\"\ndirection "
      "= "
      "[0, 1]\nnormal = { law = \"linear_compliance\", K = 1e5, beta = 2e-3, alpha = 1e-3 }\nfriction = { law = \"single_state\", "
      "mu = "
      "0.5, K = 1e5, beta = 1e-3 }\n");
  scene->run.record = {};
  asperity::Run run(scene->world, scene->run);
  run.go();
  const std::vector<Finding> findings = run.findings();
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Finding& one) { return one.kind == Finding::Kind::error; }));
  for (const Finding& finding : findings) EXPECT_EQ(finding.text.find("t = 0 s"), std::string::npos) << finding.text;
}

/// Ten boxes stand: they neither sway nor swing, and nothing is lost or made.
TEST(ContactScenes, AStackStands) {
  for (const std::string step : {"5e-3", "1/60"}) {
    std::vector<SceneProblem> problems;
    const auto scene =
        read_scene_file(ASPERITY_SCENES "/box_stack.toml", {"run.step=" + step, "record.every=0", "run.duration=0.3"}, problems);
    ASSERT_TRUE(scene) << to_text(problems.front());
    scene->run.record.sink = std::make_shared<MemorySink>();
    asperity::Run run(scene->world, scene->run);
    EXPECT_TRUE(run.go());
    EXPECT_NEAR(run.value("box10.position.x"), 0.002, 1e-6);
    EXPECT_LT(run.value("energy.kinetic"), 1e-18);
    EXPECT_NEAR(run.value("energy.closing_error"), 0, 1e-12);
  }
}

}  // namespace
}  // namespace asperity::contacts_scene_test
