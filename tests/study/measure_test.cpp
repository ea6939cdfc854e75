// Measures of runs whose motion is known, and what is said of formulas that measure nothing.
#include <algorithm>
#include <cmath>

#include "asperity/job/job.hpp"
#include "asperity/scene/scene.hpp"
#include "study/scenes.hpp"

namespace asperity::study {
namespace {

using testing::plan_of;
using testing::pushed_block;
using testing::thrown_ball;

/// What the formulas give for one run.
std::vector<double> measured(const std::string& scene, const std::vector<std::string>& formulas,
                             const std::vector<std::string>& set = {}) {
  std::vector<std::string> measure;
  for (const std::string& formula : formulas) measure.push_back("m" + std::to_string(measure.size()) + "=" + formula);
  const Result result = run_point(plan_of(scene, {.set = set, .measure = measure}), {});
  EXPECT_EQ(result.trust, Trust::fine) << formulas.front() << ": " << result.problem;
  std::vector<double> measures = result.measures;
  measures.resize(formulas.size(), NAN);
  return measures;
}

// v = 2, g = 10: x = 2 t - 5 t^2, which is highest, 0.2, at t = 0.2.
TEST(Measure, OfAThrownBall) {
  const auto expect = [](const char* formula, double value, double tolerance = 1e-12) {
    EXPECT_NEAR(measured(thrown_ball, {formula})[0], value, tolerance) << formula;
  };
  expect("last(ball.position)", -3);
  expect("ball.position", -3);
  expect("first(ball.velocity)", 2);
  expect("max(ball.position)", .2);
  expect("min(ball.position)", -3);
  expect("max(ball.position) - min(ball.position)", 3.2);
  expect("max(ball.position, t >= 0.5)", -.25);
  expect("min(ball.position, t < 0.305 && t > 0.095)", .15);
  expect("max(abs(ball.velocity))", 8);
  expect("first(t, ball.velocity <= 0)", .2, 1e-2);
  expect("last(t)", 1);
  expect("mean(ball.velocity)", -3);  // the trapezoids of a straight line
  expect("mean(ball.velocity, t >= 0.5)", 2 - 10 * .75);
  expect("integral(ball.velocity)", -3);
  expect("rms(ball.velocity)", std::sqrt(4 - 20 + 100 / 3.), 1e-3);
  expect("mean(ball.position > 0)", .4, 1.1e-2);  // until 2 v/g, to a step
  expect("energy.kinetic", 64);
  expect("max(energy.kinetic, 1 > 0) / energy.kinetic", 1);
  expect("max(1, 2, 3) + min(4, 5)", 7);
  expect("last(ball.position) < -2.9", 1);
  expect("last(ball.position) > 0 || ball.velocity > 0", 0);
}

TEST(Measure, KnowsTheParameters) {
  const Plan plan =
      plan_of(thrown_ball, {.vary = {"let.v=1,3"}, .measure = {"rise=max(ball.position, t > 0*let.v) / let.v^2", "sum=let.v + 1"}});
  for (const double v : {1., 3.}) {
    const Result result = run_point(plan, std::array{v});
    EXPECT_NEAR(result.measures[0], 1 / 20., 1e-12);
    EXPECT_EQ(result.measures[1], v + 1);
  }
}

// Two slips and two sticks: pushed beyond the limit twice.
TEST(Measure, CountsEvents) {
  const std::string scene = pushed_block + "\n[record]\nevery = 0.1\n";
  const std::vector<std::string> set{"let.push=0", "run.duration=4"};
  std::string pushed = scene;
  pushed.replace(pushed.find("\"push*"), 18, "\"push + (mod(t, 2) < 0.5 ? 0.6 : 0)\"");
  const auto m = measured(pushed,
                          {"count(floor.slips)", "count(floor.sticks)", "count(floor.slips, t > 1)", "count(floor.slips) == 0",
                           "first(floor.slips)", "last(floor.slips)", "energy.dissipated / energy.work_in"},
                          set);
  EXPECT_EQ(m[0], 2);
  EXPECT_EQ(m[1], 2);
  EXPECT_EQ(m[2], 1);
  EXPECT_EQ(m[3], 0);
  EXPECT_GT(m[4], 0);
  EXPECT_NEAR(m[5] - m[4], 2, 1e-2);
  // What slid has lost what the push gave.
  EXPECT_NEAR(m[6], 1, 1e-3);
}

// The scene's numbers are chosen for a restitution of 0.5 at every speed.
TEST(Measure, Impacts) {
  const std::string scene = testing::text_in(ASPERITY_SCENES "/bouncing_ball.toml");
  const auto m = measured(scene,
                          {"first(floor.restitution)", "first(floor.impact_speed)", "count(floor.impacts)",
                           "last(floor.separation_speed) / last(floor.impact_speed)"},
                          {"run.duration=0.6"});
  EXPECT_NEAR(m[0], .5, 1e-2);
  EXPECT_NEAR(m[1], std::sqrt(2 * 9.81), 1e-3);
  EXPECT_EQ(m[2], 1);
  EXPECT_NEAR(m[3], .5, 1e-2);
}

// Bit for bit what a run has, also at a point.
TEST(Measure, IsThatOfARun) {
  const std::string scene = testing::text_in(ASPERITY_SCENES "/conveyor_stick_slip.toml");
  const std::vector<std::string> set{"run.duration=0.5", "spring.K=170", "let.v=0.2"};
  std::vector<SceneProblem> problems;
  const auto read = read_scene(scene, "s.toml", set, problems);
  ASSERT_TRUE(read);
  const JobOutcome run = run_job(*read);
  const Plan plan = plan_of(scene, {.set = {"run.duration=0.5"},
                                    .vary = {"spring.K=170,1", "let.v=0.2,1"},
                                    .measure = {"x=last(mass.position)", "loss=energy.dissipated"}});
  const Result point = run_point(plan, std::array{170., .2});
  EXPECT_EQ(point.measures[0], run.data.find("mass.position")->values.back());
  EXPECT_EQ(point.measures[1], run.facts->energy.dissipated);
}

TEST(Measure, SaysWhatIsWrong) {
  const auto refused = [](const std::string& formula, const std::string& part) {
    std::vector<std::string> problems;
    EXPECT_FALSE(study::plan_of(pushed_block, "s.toml", {.measure = {"m=" + formula}}, problems)) << formula;
    ASSERT_EQ(problems.size(), 1U) << formula;
    EXPECT_NE(problems.front().find(part), std::string::npos) << problems.front();
    EXPECT_NE(problems.front().find("measure m = \"" + formula + "\""), std::string::npos) << problems.front();
  };
  refused("last(blok.position)", "position 6: nothing is named blok.position; did you mean block.position?");
  refused("t", "position 1: t is the time of a row");
  refused("count(block.position)", "count takes events");
  refused("floor.slips", "floor.slips is a list: write count(floor.slips)");
  refused("max(block.position, block.velocity)", "max takes a condition as its window, such as t > 2");
  refused("max(block.position, t > 1, t < 2)", "max has 3 arguments: must be 1, or 2");
  refused("max(1)", "max has 1 argument");
  refused("last(max(block.position))", "within another one");
  refused("count(floor.slips, block.position > 0)", "a window of events is a condition on t");
  refused("mean(floor.slips)", "events have count, first, last");
  refused("last(block.position", "a closing parenthesis is missing");
  refused("lst(block.position)", "unknown function \"lst\"; did you mean last?");
  refused("2 max(block.position)", "to multiply, write *");
}

TEST(Measure, ThatIsNoNumberIsSaid) {
  const Plan plan =
      plan_of(pushed_block, {.measure = {"a=last(block.position)", "b=last(floor.slips)", "c=max(block.position, t > 99)",
                                         "d=1/(block.velocity - block.velocity)", "e=last(floor.slips) > 3"}});
  const Result result = run_point(plan, {});
  EXPECT_EQ(result.trust, Trust::incomplete);
  EXPECT_EQ(result.problem, "last(floor.slips): there is none");
  EXPECT_TRUE(std::isfinite(result.measures[0]));
  for (std::size_t i = 1; i < 5; ++i) EXPECT_TRUE(std::isnan(result.measures[i])) << i;
}

}  // namespace
}  // namespace asperity::study
