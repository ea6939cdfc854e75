// Scenes with open parameters: what is found runs under `strict`, does what was asked for, and stands where the words stood.
#include "asperity/design/scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "asperity/any_law.hpp"
#include "asperity/run/run.hpp"

namespace asperity::design::scene_test {
namespace {

std::string all(const std::vector<SceneProblem>& problems) {
  std::string text;
  for (const SceneProblem& problem : problems) text += to_text(problem) + "\n";
  return text;
}

SceneDesign designed(const std::string& text, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  const auto made = design_scene(text, "draft.toml", settings, problems);
  EXPECT_TRUE(made) << all(problems);
  return made.value_or(SceneDesign{});
}

std::string problems_of(const std::string& text, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  EXPECT_FALSE(design_scene(text, "draft.toml", settings, problems));
  return all(problems);
}

/// Runs the first steps with every warning an error; the column is followed.
std::vector<double> run_strictly(const std::string& text, double duration, const std::string& column = "time") {
  std::vector<SceneProblem> problems;
  const auto scene = read_scene(text, "written.toml", {}, problems);
  EXPECT_TRUE(scene) << all(problems) << text;
  if (!scene) return {};
  const auto sink = std::make_shared<MemorySink>();
  scene->run.strict = true;
  scene->run.duration = std::min(duration, scene->run.duration);
  scene->run.record.every = 0;
  scene->run.record.columns = {column};
  scene->run.record.sink = sink;
  try {
    Run run(scene->world, scene->run);
    EXPECT_TRUE(run.go()) << run.failure()->text;
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\n" << text;
    return {};
  }
  return sink->column(column);
}

/// The scene of a file with some parameters open, wherever they stand.
std::string opened(const std::string& name, const std::string& keys) {
  std::vector<SceneProblem> problems;
  const std::string text = read_scene_text(std::string(ASPERITY_SCENES) + "/" + name + ".toml", problems).value();
  const std::size_t first = text.find("[[element]]");
  std::string head = text.substr(0, first);
  if (head.find("preload") == std::string::npos) head.insert(head.find("[run]") + 5, "\npreload = true");
  return head + std::regex_replace(text.substr(first), std::regex("\\b(" + keys + ")(\\s*=\\s*)(\"[^\"]*\"|[0-9.eE+-]+)"),
                                   "$1$2\"design\"");
}

const std::string block = R"(# A draft.
[run]
duration = 1.0
step     = 1e-3   # s
preload  = true

[[body]]
name = "block"
kind = "mass"
mass = 2.0        # kg

[[element]]
name    = "floor"
between = ["block", "ground"]
law     = "single_state"
F    = 0.5        # N
K    = "design"   # N/m, of the asperities
beta = 'design'   # s
)";

TEST(DesignScene, StandsWhereTheWordsStood) {
  const SceneDesign made = designed(block);
  std::string expected = block;
  expected.replace(expected.find("\"design\""), 8, "7563000");
  expected.replace(expected.find("'design'"), 8, "0.0009147");
  EXPECT_EQ(made.text, expected);
  EXPECT_EQ(made.settings, (std::vector<std::string>{"floor.K=7563000", "floor.beta=0.0009147"}));
  ASSERT_EQ(made.elements.size(), 1u);
  EXPECT_NEAR(made.elements[0].mass, 2, 1e-12);
  EXPECT_TRUE(made.left.empty());
  run_strictly(made.text, .1);
}

TEST(DesignScene, ARunRefusesWhatIsOpen) {
  std::vector<SceneProblem> problems;
  EXPECT_FALSE(read_scene(block, "draft.toml", {}, problems));
  EXPECT_EQ(all(problems),
            "draft.toml:17: floor.K = \"design\": has no value yet; `asperity design scene` finds one\n"
            "draft.toml:18: floor.beta = \"design\": has no value yet; `asperity design scene` finds one\n");
}

TEST(DesignScene, WithSettingsTheyAreWorkedOut) {
  const SceneDesign made = designed(block, {"run.step=5e-4", "block.mass=\"500 g\""});
  EXPECT_EQ(made.settings.at(0), "floor.K=7563000");  // 4 times for the step, a quarter for the mass
  EXPECT_EQ(made.text.find("design"), std::string::npos);
  run_strictly(made.text, .1);
}

TEST(DesignScene, HalfOfItGiven) {
  std::string text = block;
  text.replace(text.find("\"design\""), 8, "1e5");
  EXPECT_EQ(designed(text).settings, (std::vector<std::string>{"floor.beta=0.007955"}));  // 1.7787 sqrt(M/K)
  text = block;
  text.replace(text.find("'design'"), 8, "2e-3");
  EXPECT_EQ(designed(text).settings, (std::vector<std::string>{"floor.K=2546000"}));  // .75 of 1.697 M/T^2
  run_strictly(designed(text).text, .1);
}

TEST(DesignScene, ADisplacement) {
  const SceneDesign made = designed(block + "design = { displacement = \"10 um\" }\n");
  EXPECT_EQ(made.settings.at(0), "floor.K=50000");  // F/D
  run_strictly(made.text, .1);
}

// Every scene of these, with all its parameters left open.
TEST(DesignScene, ScenesRunStrictly) {
  for (const auto& [name, keys] : {std::pair{"sliding_block", "K|beta"},
                                   {"bouncing_ball", "K|alpha|beta"},
                                   {"rolling_sphere", "K|alpha|beta"},
                                   {"box_on_floor", "K|alpha|beta"},
                                   {"incline_box", "K|alpha|beta"},
                                   {"incline_preload", "K|beta"},
                                   {"coulomb_oscillator", "beta"},
                                   {"arm_with_joint_friction", "K|beta"}}) {
    const SceneDesign made = designed(opened(name, keys));
    EXPECT_FALSE(made.settings.empty()) << name;
    EXPECT_EQ(made.text.find("\"design\""), std::string::npos) << name;
    for (const Warning& warning : made.left)
      if (!warning.note) ADD_FAILURE() << name << ": " << warning.text;
    run_strictly(made.text, 2e-2);
  }
}
TEST(DesignScene, ElementsShareTheirBodies) {
  const SceneDesign made = designed(opened("box_on_floor", "K|alpha|beta"));
  EXPECT_LT(made.share, .6);  // of the mass that one corner sees
  EXPECT_EQ(made.elements.size(), 2u);
  EXPECT_LT(made.elements[0].mass, .5);
}
// Friction cannot hold what its limit does not: that stays a warning.
TEST(DesignScene, WhatIsLeftIsSaid) {
  const SceneDesign made = designed(opened("held_by_friction", "K|beta"));
  ASSERT_EQ(made.left.size(), 1u);
  EXPECT_EQ(made.left[0].kind, Warning::Kind::holding);
}

std::string ball(const std::string& step) {
  return "[run]\nduration = 0.5\nstep = " + step + R"(
[[body]]
name = "ball"
kind = "mass"
mass = 0.2
position = 1e-3
velocity = -3
[[element]]
name = "floor"
between = ["ball", "ground"]
)";
}

TEST(DesignScene, ABallBouncesAsWished) {
  const std::string text = ball("1e-4") + R"(law = LAW
K = "design"
OPEN
design = { restitution = 0.7, speed = "3 m/s" }
)";
  for (const auto& [law, open] : {std::pair{"\"linear_compliance\"", "alpha = \"design\"\nbeta = \"design\""},
                                  {"\"nonlinear_compliance\"", "beta1 = \"design\"\nbeta2 = \"design\"\ngamma = \"design\""},
                                  {"\"kelvin_voigt_clamped\"", "B = \"design\""}}) {
    const SceneDesign made = designed(
        std::regex_replace(std::regex_replace(text, std::regex("LAW"), std::string(law)), std::regex("OPEN"), std::string(open)));
    const auto v = run_strictly(made.text, .05, "ball.velocity");
    ASSERT_FALSE(v.empty()) << law;
    EXPECT_NEAR(*std::max_element(v.begin(), v.end()) / -*std::min_element(v.begin(), v.end()), .7, 1e-3) << law;
  }
}

TEST(DesignScene, AdviceForWhatIsThere) {
  std::string text = block;
  text.replace(text.find("\"design\""), 8, "1e8");
  text.replace(text.find("'design'"), 8, "1e-3");
  const SceneDesign wrong = designed(text);
  ASSERT_EQ(wrong.elements.size(), 1u);
  EXPECT_LT(wrong.elements[0].longest_step, 1e-3);
  ASSERT_TRUE(wrong.elements[0].parameters.at(0).recommended);
  EXPECT_NEAR(*wrong.elements[0].parameters[0].recommended, 7.563e6, 1);
  EXPECT_TRUE(wrong.settings.empty());
  text.replace(text.find("1e8"), 3, "1e6");
  EXPECT_FALSE(designed(text).elements.at(0).parameters.at(0).recommended);
}

const std::string left_open = ball("1e-3") + "law = \"linear_compliance\"\n";
TEST(DesignScene, WhatIsLeftOutIsFilledIn) {
  const SceneDesign seen = designed(left_open);
  EXPECT_EQ(seen.left_out, (std::vector<std::string>{"floor.K", "floor.alpha", "floor.beta"}));
  EXPECT_EQ(seen.text, left_open);
  std::vector<SceneProblem> problems;
  const auto made = fill_in_scene(left_open, "draft.toml", {}, problems);
  ASSERT_TRUE(made) << all(problems);
  EXPECT_EQ(made->settings.size(), 3u);
  EXPECT_TRUE(made->left.empty());
  const auto v = run_strictly(made->text, .2, "ball.velocity");
  EXPECT_NEAR(*std::max_element(v.begin(), v.end()) / 3, .5, 2e-3);
  // With K given the others are found for it; what is given otherwise stays.
  const auto stiff = fill_in_scene(left_open + "K = 500\n", "draft.toml", {}, problems);
  ASSERT_TRUE(stiff) << all(problems);
  EXPECT_EQ(stiff->settings.size(), 2u);
  EXPECT_TRUE(designed(left_open + "K = 500\nbeta = 0.02\n").left_out.empty());
}
TEST(DesignScene, AContactThatIsTooStiff) {
  const SceneDesign wrong = designed(left_open + "K = 1e7\nalpha = 1e-5\nbeta = 4e-5\n");
  const auto& parameters = wrong.elements.at(0).parameters;
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[0].name, "K");
  std::string numbers;
  for (const ParameterAdvice& p : parameters) {
    ASSERT_TRUE(p.recommended) << p.name;
    numbers += p.name + " = " + std::to_string(*p.recommended) + "\n";
  }
  const SceneDesign right = designed(left_open + numbers);
  EXPECT_TRUE(right.left.empty());
  EXPECT_FALSE(right.elements.at(0).parameters[0].recommended);
  EXPECT_EQ(right.elements.at(0).why, "fine as it is");
}

TEST(DesignScene, Refusals) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = block;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(
      problems_of(block + "design = { displacement = 1e-9 }\n"),
      "draft.toml:17: floor: design.displacement = 1e-09 m: a step of 0.001 s allows 6.62e-08 m; use run.step <= 0.000122 s\n");
  EXPECT_EQ(problems_of(block + "design = { displacement = \"2 kg\", rest = 1 }\n"),
            "draft.toml:19: floor.design.rest: unknown key; known: restitution speed penetration displacement\n"
            "draft.toml:19: floor.design.displacement = \"2 kg\": is a mass (kg): must be m\n");
  EXPECT_EQ(problems_of(with("'design'", "1e-5")),
            "draft.toml:17: floor: beta = 1e-05 s: is too short for a step of 0.001 s; make it \"design\", too\n");
  EXPECT_EQ(problems_of(with("F    = 0.5 ", "F    = \"design\"")),
            "draft.toml:16: floor: F = \"design\": there is no rule for it: give it a number\n");
  EXPECT_NE(problems_of(opened("conveyor_stick_slip", "K|beta")).find("spring: K = \"design\": there is no rule for spring"),
            std::string::npos);
}

// A load that comes at once makes bristles ring; those that nothing damps, for ever. What was designed has to pass the run's own
// rule.
class SuddenLoad : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Laws, SuddenLoad,
                         ::testing::Values("dahl", "lugre", "elastoplastic", "single_state", "single_state_stribeck"),
                         [](const auto& law) { return law.param; });
TEST_P(SuddenLoad, KeepsItsEnergy) {
  for (const char* method : {"rk4", "rk4-lookahead", "step", "implicit", "implicit2"})
    for (const double duration : {.2, 5.}) {
      std::vector<std::string> open;
      for (const Parameter& p : make_law(GetParam())->parameters())
        if (p.range.role == Role::stiffness || p.range.role == Role::damping || p.range.role == Role::length)
          open.push_back(p.name + " = \"design\"\n");
      const bool coulomb = make_law(GetParam())->parameters()[0].name == "F";
      const SceneDesign made =
          designed(fmt::format(R"([run]
duration = {}
step = 1e-3
method = "{}"
[[body]]
name = "block"
kind = "mass"
mass = 2.0
[[element]]
name = "floor"
between = ["block", "ground"]
law = "{}"
{}
{}
[[input]]
on = "block"
force = 2
)",
                               duration, method, GetParam(), coulomb ? "F = 5" : "F_c = 5\nF_s = 6", fmt::join(open, "")));
      std::vector<SceneProblem> problems;
      const auto scene = read_scene(made.text, "made.toml", {}, problems);
      ASSERT_TRUE(scene) << all(problems);
      scene->run.record = {};
      asperity::Run run(scene->world, scene->run);
      EXPECT_TRUE(run.go());
      EXPECT_NE(run.verdict(), Verdict::failed) << method << " " << duration << ": " << run.findings().front().text << made.text;
    }
}

// Designs of contacts, and a run of the scene: each ends where it is asked to.
TEST(DesignScene, ReportsProgressAndStopsWhenAsked) {
  std::vector<SceneProblem> problems;
  const auto alone = fill_in_scene(left_open, "draft.toml", {}, problems);
  ASSERT_TRUE(alone) << all(problems);
  long asked = 0;
  double reached = 0;
  const auto watched = fill_in_scene(left_open, "draft.toml", {}, problems,
                                     {.progress =
                                          [&](const Progress& now) {
                                            EXPECT_GE(now.done, reached);
                                            EXPECT_LE(now.done, now.all);
                                            reached = now.done;
                                          },
                                      .stop = [&] { return ++asked < 0; }});
  ASSERT_TRUE(watched) << all(problems);
  EXPECT_EQ(watched->text, alone->text);
  EXPECT_GT(reached, 0);
  ASSERT_GT(asked, 100);  // steps of the run

  for (const long last : {1L, asked / 4, asked / 2, asked - 1}) {
    long count = 0;
    problems.clear();
    // It is asked for once only.
    EXPECT_FALSE(fill_in_scene(left_open, "draft.toml", {}, problems, {.progress = {}, .stop = [&] { return ++count == last; }}));
    EXPECT_EQ(count, last);
    EXPECT_EQ(all(problems), "draft.toml: stopped\n");
  }
}

// 1000 kg on a ball of 1 kg: a step of 1 ms allows a stiffness of some 1 kg/(1 ms)^2, which 9.81 kN compress by more than the balls
// are thick. With a hundredth of the step it is 1e4 times as stiff.
TEST(HeavyOnLight, IsTold) {
  const auto text = [](double step) {
    return fmt::format(R"([world]
gravity = [0, 0, -9.81]
[run]
duration = 0.4
step = {}
[[body]]
name = "light"
kind = "rigid_body"
shape = "sphere"
radius = 0.02
mass = 1.0
position = [0, 0, 0.02]
[[body]]
name = "heavy"
kind = "rigid_body"
shape = "sphere"
radius = 0.02
mass = 1000.0
position = [0, 0, 0.06]
[[element]]
name = "foot"
between = ["light", "ground"]
law = "frictional_contact"
normal = {{ law = "linear_compliance", K = "design", alpha = "design", beta = "design" }}
friction = {{ law = "single_state", mu = 0.3, K = "design", beta = "design" }}
[[element]]
name = "top"
between = ["heavy", "light"]
law = "frictional_contact"
normal = {{ law = "linear_compliance", K = "design", alpha = "design", beta = "design" }}
friction = {{ law = "single_state", mu = 0.3, K = "design", beta = "design" }}
)",
                       step);
  };
  const auto deep = [](const SceneDesign& made) -> const Warning* {
    for (const Warning& warning : made.left)
      if (warning.kind == Warning::Kind::depth && warning.text.find("allows no stiffer one") != std::string::npos) return &warning;
    return nullptr;
  };
  const SceneDesign coarse = designed(text(1e-3));
  ASSERT_NE(deep(coarse), nullptr) << coarse.text;
  EXPECT_NE(deep(coarse)->text.find("use a much shorter run.step"), std::string::npos) << deep(coarse)->text;
  const SceneDesign fine = designed(text(1e-5));
  EXPECT_EQ(deep(fine), nullptr) << deep(fine)->text;
}

}  // namespace
}  // namespace asperity::design::scene_test
