// The implicit methods on the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "../cli/program.hpp"

namespace {

class ImplicitCommand : public ProgramTest {
 protected:
  /// A number of the summary of a run.
  double measured(const std::string& folder, const std::string& name) const {
    const std::string text = read(folder + "/summary.json");
    std::smatch found;
    return std::regex_search(text, found, std::regex("\"" + name + "\": (-?[0-9.e+-]+)")) ? std::stod(found[1]) : NAN;
  }
  long counted(const std::string& folder, const std::string& name) const { return std::lround(measured(folder, name)); }
  /// The largest height after the first strike of a ball that falls by a metre.
  double second_peak(const std::string& folder) const {
    const Table table = table_of(read(folder + "/data.csv"));
    const auto& t = table.at("time");
    const auto& height = table.at("ball.position");
    double highest = 0;
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] > 0.46) highest = std::max(highest, height[i]);
    return highest;
  }
};

// omega = 1e4 rad/s: restitution 1/2 by b = .5908, r = .1, as in impact_test.cpp. The contact lasts .3 ms.
const char* const falling = R"toml(
[world]
gravity = -9.81
[run]
duration = 0.9
step = 1e-3
method = "implicit2"
[[body]]
name = "ball"
kind = "mass"
mass = 0.1
position = 1
[[element]]
name = "floor"
between = ["ball", "ground"]
law = "linear_compliance"
K = 1e7
alpha = 5.908e-6
beta = 5.908e-5
[record]
columns = ["ball.position"]
)toml";

TEST_F(ImplicitCommand, SubdividesAndSaysSo) {
  write("ball.toml", falling);
  const Answer answer = run("run ball.toml -o out");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NEAR(second_peak("out"), 0.25, 0.0025);
  EXPECT_GT(counted("out", "iterations"), 900);
  EXPECT_GT(counted("out", "substeps"), 20);
  EXPECT_EQ(counted("out", "retries"), 0);
  const std::regex line("0.9 s in 900 steps, implicit2, .*\\d+ Newton iterations, \\d+ shorter steps");
  EXPECT_TRUE(std::regex_search(answer.out, line)) << answer.out;
  // The whole strike lies within one step.
  EXPECT_NE(answer.out.find("releases at 2.215 m/s, restitution 0.500"), std::string::npos) << answer.out;
  EXPECT_EQ(answer.err.find("a strike lasts"), std::string::npos) << answer.err;
}

TEST_F(ImplicitCommand, WithoutSubdivisionItWarns) {
  write("ball.toml", falling);
  const Answer answer = run("run ball.toml --set run.subdivide=false -o out");
  EXPECT_EQ(answer.exit_code, 1) << "the method absorbs the energy of the impact: " << answer.err;
  EXPECT_LT(second_peak("out"), 2e-3);
  EXPECT_EQ(counted("out", "substeps"), 0);
  EXPECT_NE(answer.err.find("floor: an impact lasts 0.31 ms, less than the step of 1 ms"), std::string::npos) << answer.err;
}

// A contact of 10 ms and a step of 1 ms: restitution .410 instead of .769.
TEST_F(ImplicitCommand, SaysThatItDampsBounces) {
  write("ball.toml", falling);
  const std::string soft = "run ball.toml --set floor.K=1e5 --set floor.beta=0.01 --set floor.alpha=0.005 --set ball.mass=1 -o out";
  const Answer answer = run(soft + " --set run.method=implicit");
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_NE(answer.err.find("failed: energy: implicit lost"), std::string::npos) << answer.err;
  EXPECT_NE(answer.err.find("floor: the method damps bounces, to about 0.51 of their speed: step sqrt(K beta/alpha/M) 0.45 > 0.05"),
            std::string::npos)
      << answer.err;
  EXPECT_LT(second_peak("out"), 0.2);
  EXPECT_EQ(run(soft).err.find("damps bounces"), std::string::npos);
  EXPECT_NEAR(second_peak("out"), 0.769 * 0.769, 0.01);
  for (const char* law : {"hertz", "hunt_crossley", "nonlinear_compliance"}) {
    std::string text = falling;
    const auto from = text.find("law = "), to = text.find("[record]");
    text.replace(from, to - from, std::string("law = \"") + law + "\"\nK = 1e5\n");
    write("curved.toml", text);
    const Answer curved = run("check curved.toml --set run.method=implicit");
    EXPECT_NE((curved.out + curved.err).find("floor: the method damps bounces"), std::string::npos)
        << law << curved.out << curved.err;
  }
}

const char* const soft_ball_beside_gms = R"toml(
[[body]]
name = "block"
kind = "mass"
mass = 1
velocity = 0.1
[[element]]
name = "rub"
between = ["block", "ground"]
law = "gms"
)toml";

// A law that jumps takes its own part of the world to order 1, not a ball that nothing connects to it; and energy is accounted for.
TEST_F(ImplicitCommand, ALawThatJumpsLeavesOthersAlone) {
  const std::string soft = " --set floor.K=1e5 --set floor.beta=0.01 --set floor.alpha=0.005 --set ball.mass=1 -o out";
  write("ball.toml", std::string(falling) + soft_ball_beside_gms);
  const Answer beside = run("run ball.toml" + soft);
  EXPECT_EQ(beside.exit_code, 0) << beside.err;
  EXPECT_NEAR(second_peak("out"), 0.769 * 0.769, 0.01);
  EXPECT_EQ(beside.err.find("damps bounces"), std::string::npos) << beside.err;
  // The ball itself rubs: one part.
  std::string text = std::string(falling) + soft_ball_beside_gms;
  text.replace(text.find("[\"block\", \"ground\"]"), 19, "[\"ball\", \"block\"]");
  write("on.toml", text);
  const Answer on = run("run on.toml" + soft);
  EXPECT_EQ(on.exit_code, 1) << on.err;
  EXPECT_NE(on.err.find("floor: the method damps bounces"), std::string::npos) << on.err;
  EXPECT_NE(on.err.find("(implicit2 is no better where rub jumps)"), std::string::npos) << on.err;
  EXPECT_EQ(on.err.find("or implicit2"), std::string::npos) << on.err;
}

TEST_F(ImplicitCommand, SaysWhatItSwallows) {
  write("ball.toml", falling);
  const Answer answer = run("run ball.toml --set run.subdivide=false -o out");
  // As many as touch.
  const std::regex touch("touches at");
  EXPECT_EQ(counted("out", "absorbed"), std::distance(std::sregex_iterator(answer.out.begin(), answer.out.end(), touch), {}));
  EXPECT_NE(answer.out.find(", 3 impacts absorbed within one step\n"), std::string::npos) << answer.out;
  const std::string slow = run("run ball.toml --set ball.position=1e-5 -o out").out;
  EXPECT_NE(slow.find(", 1 impact absorbed within one step\n"), std::string::npos) << slow;
}

// A box at rest on a slope for 10 s: what it settles by is not worth a word.
TEST_F(ImplicitCommand, SaysNothingAboutTheEnergyOfRest) {
  write("slope.toml", R"toml(
[world]
gravity = [3.3552, 0, -9.2184]   # 9.81 m/s^2, a slope of 20 degrees
[run]
duration = 10.02
step = 0.0167
method = "implicit"
[[body]]
name = "box"
kind = "rigid_body"
mass = 1
shape = "box"
sides = [0.1, 0.1, 0.1]
position = [0, 0, 0.05]
[[element]]
name = "floor"
between = ["box", "ground"]
law = "frictional_contact"
friction = { mu = 0.4 }
stiffness = "rigid"
)toml");
  const Answer answer = run("run slope.toml -o out");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out.find("nowhere"), std::string::npos) << answer.out;
}

// Thrown askew with friction that jams, in steps of a tenth of a second: what the box loses, 1.5 J, is what it dissipates. Two
// stages alone would give it 0.2 J on the way.
TEST_F(ImplicitCommand, AStepThatGainsEnergyIsNotTaken) {
  write("askew.toml", R"toml(
[world]
gravity = [0, 0, -9.81]
[run]
duration = 4
step = 0.1
method = "implicit2"
[[body]]
name = "box"
kind = "rigid_body"
mass = 1
shape = "box"
sides = [0.1, 0.1, 0.1]
position = [0, 0, 0.1]
rotation = { axis = [1, 0.4, 0.2], angle = 0.6 }
spin = [3, -2, 1]
velocity = [1, 0, -1]
[[element]]
name = "floor"
between = ["box", "ground"]
law = "frictional_contact"
normal = { law = "linear_compliance", K = 1e5, alpha = 0.001, beta = 0.001 }
friction = { law = "single_state", mu = 2, K = 1e12, beta = 0.001 }
)toml");
  const Answer answer = run("run askew.toml -o out");
  EXPECT_EQ(answer.exit_code, 1) << "with a step of 0.1 s the method absorbs the impacts, and says so: " << answer.err;
  EXPECT_NEAR(measured("out", "dissipated") + measured("out", "closing_error"), 1.5, 0.05) << answer.out;
  EXPECT_GE(measured("out", "closing_error"), 0) << answer.out;
}

// As trace does: what cannot run is refused, not tried.
TEST_F(ImplicitCommand, RefusesSampledTime) {
  std::string text = falling;
  const auto from = text.find("law = "), to = text.find("[record]");
  text.replace(from, to - from, "law = \"implicit_contact\"\nK = 1e5\n");
  write("ball.toml", text);
  const Answer answer = run("run ball.toml -o out");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("floor: implicit_contact lives in sampled time and cannot run with implicit2; use step"),
            std::string::npos)
      << answer.err;
}

TEST_F(ImplicitCommand, CountsOne) {
  write("ball.toml", falling);
  const Answer answer = run("run ball.toml --set run.duration=1e-3 --set run.method=implicit --set run.energy=ignore -o out");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(counted("out", "iterations"), 1);
  EXPECT_NE(answer.out.find("0.001 s in 1 step, implicit, 1 Newton iteration\n"), std::string::npos) << answer.out;
}

// A body that tumbles at steps of a tenth of a second.
TEST_F(ImplicitCommand, SaysWhatEnergyIsMissing) {
  write("body.toml", R"toml(
[run]
duration = 10
step = 0.1
method = "implicit"
[[body]]
name = "body"
kind = "rigid_body"
mass = 1
shape = "box"
sides = [0.1, 0.2, 0.4]
spin = [0.1, 6, 0.1]
)toml");
  const Answer answer = run("run body.toml -o out");
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_TRUE(
      std::regex_search(answer.out, std::regex("WRONG: energy: implicit lost .*J.*, .* % of the largest energy of the run")))
      << answer.out;
}

// The same force, to the first order, of a trace that slides, turns back and sticks.
TEST_F(ImplicitCommand, Traces) {
  std::vector<Table> tables;
  for (const char* method : {"rk4", "implicit", "implicit2"}) {
    const Answer answer = run(
        std::string("trace single_state --set F=2 --set K=5e3 --velocity '0.01*cos(2*pi*t)' --duration 1 --step 1e-4 -o force.csv "
                    "--method ") +
        method);
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_NE((answer.out + answer.err).find(std::string("method ") + method + "\n"), std::string::npos) << answer.err;
    tables.push_back(table_of(read("force.csv")));
  }
  ASSERT_EQ(tables[0].at("force").size(), 10001u);
  for (std::size_t m = 1; m < 3; ++m)
    for (std::size_t i = 0; i <= 10000; i += 10)
      EXPECT_NEAR(tables[m].at("force")[i], tables[0].at("force")[i], 0.01) << m << " at row " << i;
}

}  // namespace
