// The experiment that is proposed before there are data: what it promises is compared with fits of data that plain code makes
// along it.
#include "asperity/identify/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "asperity/identify/identify.hpp"
#include "cli/program.hpp"
#include "synthetic.hpp"

namespace asperity::identify {
namespace {

const std::map<std::string, double> truth{{"F_c", 5}, {"F_s", 7}, {"v_s", 0.02}, {"K", 1e5},
                                          {"B", 300}, {"D", 6},   {"M", 2},      {"offset", 0.3}};

PlanRequest request_for_lugre() {
  PlanRequest request;
  request.law = "lugre";
  request.machine = {
      .mass = 2, .stroke = 0.1, .speed = 0.3, .force = 40, .position_noise = 1e-6, .force_noise = 0.05, .rate = 1000};
  request.duration = 15;
  for (const auto& [name, value] : truth)
    if (name != "M") request.guess.emplace_back(name, value);
  return request;
}

/// LuGre friction along the plan, by Heun's method in steps of 20 us, with the noises of the machine. Between samples the motion
/// is the cubic through positions and velocities.
Table data_along(const ExcitationPlan& plan, std::uint64_t seed) {
  Noise noise(seed);
  Table table;
  table.columns = {{{"t", "s"}, plan.t}, {{"x", "m"}, plan.position}, {{"F", "N"}, {}}};
  const double h = plan.t[1] - plan.t[0];
  constexpr int parts = 50;
  double z = 0;
  const auto rate = [&](double v, double deflection) {
    const double limit = 5 + 2 * std::exp(-v * v / (0.02 * 0.02));
    return v - std::abs(v) * 1e5 * deflection / limit;
  };
  for (std::size_t k = 0; k < plan.t.size(); ++k) {
    const double v = plan.velocity[k];
    table.columns[2].values.push_back(1e5 * z + 300 * rate(v, z) + 6 * v + 2 * plan.acceleration[k] + 0.3 + 0.05 * noise.normal());
    table.columns[1].values[k] += 1e-6 * noise.normal();
    if (k + 1 == plan.t.size()) break;
    const double dx = plan.position[k + 1] - plan.position[k], v1 = plan.velocity[k + 1];
    const auto speed = [&](double u) { return 6 * u * (1 - u) * dx / h + (1 - u) * (1 - 3 * u) * v + u * (3 * u - 2) * v1; };
    for (int i = 0; i < parts; ++i) {
      const double d = h / parts, here = rate(speed(double(i) / parts), z);
      z += d / 2 * (here + rate(speed(double(i + 1) / parts), z + d * here));
    }
  }
  return table;
}

TEST(ExcitationPlan, PromisesTheIntervalsThatAFitFinds) {
  const ExcitationPlan plan = identify::plan(request_for_lugre());
  ASSERT_TRUE(plan.ok()) << plan.problems[0];
  EXPECT_TRUE(plan.assumed.empty());
  std::map<std::string, double> promised;
  for (const Finding& f : plan.expected) {
    if (std::isfinite(f.low)) promised[f.name] = f.error;
    if (truth.count(f.name)) {
      EXPECT_NEAR(f.value, truth.at(f.name), 1e-9 * truth.at(f.name)) << f.name;
    }
  }
  // A good plan determines all of them.
  for (const auto& [name, value] : truth) EXPECT_TRUE(promised.count(name)) << name << "\n" << plan_text(plan);

  std::map<std::string, double> square;  // of found error over promised
  constexpr int sets = 3;
  for (int i = 0; i < sets; ++i) {
    Request request;
    request.laws = {"lugre"};
    request.data = {"axis.csv", data_along(plan, std::uint64_t(i) + 10)};
    std::vector<std::string> problems;
    request.map = read_map("time=t, position=x, force=F", problems);
    request.settings.mass.reset(), request.settings.viscous = request.settings.offset = true;
    const Outcome found = run(request);
    ASSERT_TRUE(found.ok()) << found.problems[0];
    for (const Finding& f : found.study->laws[0].uncertainty.findings) {
      if (!promised.count(f.name)) continue;
      EXPECT_LT(std::abs(f.value - truth.at(f.name)), 4 * promised[f.name]) << f.name << " " << f.value;
      ASSERT_TRUE(std::isfinite(f.error)) << f.name << " " << f.remark;
      square[f.name] += f.error * f.error / (promised[f.name] * promised[f.name] * sets);
    }
  }
  for (const auto& [name, ratio] : square) {
    EXPECT_GT(std::sqrt(ratio), 0.75) << name;
    EXPECT_LT(std::sqrt(ratio), 1.4) << name;
  }
}

TEST(ExcitationPlan, StaysWithinTheMachine) {
  for (const double force : {10.0, 40.0}) {
    PlanRequest request = request_for_lugre();
    request.machine.force = force;
    request.duration = 6;
    const ExcitationPlan plan = identify::plan(request);
    ASSERT_TRUE(plan.ok()) << plan.problems[0];
    double low = 0, high = 0;
    for (std::size_t k = 0; k < plan.t.size(); ++k) {
      low = std::min(low, plan.position[k]), high = std::max(high, plan.position[k]);
      EXPECT_LE(std::abs(plan.velocity[k]), 0.3);
      // At rest, or driven: inertia and the highest friction.
      EXPECT_LE(2 * std::abs(plan.acceleration[k]), force + 7);
      if (k == 0) continue;
      EXPECT_NEAR((plan.position[k] - plan.position[k - 1]) * 1000, (plan.velocity[k] + plan.velocity[k - 1]) / 2, 2e-3);
    }
    EXPECT_LE(high - low, 0.1);
    EXPECT_LE(plan.peak_force, force);
    EXPECT_NEAR(plan.velocity.front(), 0, 1e-6);
    EXPECT_NEAR(plan.velocity.back(), 0, 1e-6);
    // The best of what was tried comes first.
    for (std::size_t i = 1; i < plan.tried.size(); ++i) EXPECT_LE(plan.tried[i - 1].typical_error, plan.tried[i].typical_error);
    EXPECT_EQ(plan.tried[0].kind, plan.excitation.kind);
  }
  PlanRequest weak = request_for_lugre();
  weak.machine.force = 4;  // friction is 7 N
  const ExcitationPlan none = identify::plan(weak);
  ASSERT_EQ(none.problems.size(), 1U);
  EXPECT_NE(none.problems[0].find("top-force = 4 N"), std::string::npos) << none.problems[0];
}

TEST(ExcitationPlan, NamesAllThatIsWrong) {
  PlanRequest request;
  request.law = "lugr";
  EXPECT_EQ(identify::plan(request).problems[0], "law: no law \"lugr\" can be identified; did you mean lugre?");
  request.machine.mass = 0, request.machine.rate = -1;
  EXPECT_EQ(identify::plan(request).problems.size(), 2U);
  request = request_for_lugre();
  request.guess = {{"F_C", 3}, {"M", 1}};
  EXPECT_EQ(identify::plan(request).problems.size(), 2U);
  request = request_for_lugre();
  request.hooks.stop = [] { return true; };
  EXPECT_TRUE(identify::plan(request).stopped);
}

class PlanCommand : public ProgramTest {};

TEST_F(PlanCommand, WritesTheMotionAsTableAndAsC) {
  const std::string command =
      "identify --plan --law single_state --mass 2 --stroke '100 mm' --top-speed 0.3 --top-force 40 --position-noise '1 um' "
      "--force-noise 0.05 --rate 1000 --duration 6 --guess F=5";
  const Answer answer = run(command + " -o out");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("not given, a typical value is assumed: K, beta"), std::string::npos) << answer.out;
  const auto csv = table_of(read("out/plan.csv"));
  const std::vector<double>&t = csv.at("t [s]"), &x = csv.at("position [m]");
  ASSERT_NEAR(t.back(), 6, 0.5);
  write("program.c", "#include <stdio.h>\n#include \"out/plan.h\"\nint main(void) { int k; for (k = 0; k < " +
                         std::to_string(t.size()) +
                         "; ++k) printf(\"%.12g\\n\", plan_position(k * 1e-3)); return plan_duration > 0 ? 0 : 1; }\n");
  const std::string in = "cd '" + (folder_ / "work").string() + "' && ";
  ASSERT_EQ(std::system((in + "cc -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror program.c -o program -lm && "
                              "./program > printed")
                            .c_str()),
            0);
  std::istringstream printed(read("printed"));
  for (const double position : x) {
    double value = 0;
    ASSERT_TRUE(printed >> value);
    ASSERT_NEAR(value, position, 1e-9);
  }
  const auto json = nlohmann::json::parse(run(command + " --json").out);
  EXPECT_EQ(json["law"], "single_state");
  EXPECT_GE(json["expected"].size(), 6U);
  EXPECT_EQ(run("identify --plan --law single_state").exit_code, 2);
  EXPECT_NE(run("identify --law single_state").err.find("DATA is required"), std::string::npos);
}

}  // namespace
}  // namespace asperity::identify
