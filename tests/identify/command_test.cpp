// asperity identify, as a user types it.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>
#include <sstream>
#include <tuple>

#include "asperity/friction/single_state.hpp"
#include "program.hpp"
#include "synthetic.hpp"

namespace {

using asperity::identify::Noise;

using Json = nlohmann::json;

const Json& named(const Json& list, const char* key, const std::string& name) {
  for (const Json& one : list)
    if (one[key] == name) return one;
  ADD_FAILURE() << "no " << name << " in " << list;
  return list.front();
}

class IdentifyCommand : public ProgramTest {
 protected:
  /// What is measured is what(row, time, position, force) of a mass of 2 kg on a floor with F = 3 N, K = 2e4 N/m, beta = 20 ms, and
  /// noise of 0.02 N.
  template <class What>
  void write_data(const std::string& file, const std::string& head, What what) const {
    asperity::SingleState<> law;
    law.F = 3, law.K = 2e4, law.beta = 0.02;
    const auto s = asperity::identify::samples_of(
        law, [](double t) { return 0.02 * std::sin(5 * t) + 0.01 * std::sin(13 * t); }, 1500, 2e-3);
    Noise noise(4);
    std::ostringstream out;
    out.precision(12);
    out << head << '\n';
    for (std::size_t k = 0; k < s.size(); ++k) {
      const auto [x, f] = what(k, s.position[k], s.force[k] + 2 * s.acceleration[k] + 0.02 * noise.normal());
      out << s.t[k] << ',' << x << ',' << f << '\n';
    }
    write(file, out.str());
  }
  using Row = std::pair<double, double>;
  void write_plain_data(const std::string& file) const {
    write_data(file, "t [s],x [mm],F [N]", [](std::size_t, double x, double f) { return Row(1e3 * x, f); });
  }

  /// The facts of an answer that went well.
  Json facts(const std::string& command) const {
    const Answer answer = run("identify " + command + " --json");
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return answer.exit_code == 0 ? Json::parse(answer.out) : Json();
  }

  /// The numbers of write_data() are found: within one per cent, and within four standard errors, which are small.
  static void expect_found(const Json& facts, const char* force = "N", const char* stiffness = "N/m", const char* mass = "kg") {
    ASSERT_FALSE(facts.is_null());
    const Json& law = named(facts["laws"], "law", "single_state");
    EXPECT_TRUE(law["identified"]);
    for (const auto& [name, truth, unit] : {std::tuple("F", 3.0, force), std::tuple("K", 2e4, stiffness),
                                            std::tuple("beta", 0.02, "s"), std::tuple("M", 2.0, mass)}) {
      const Json& p = named(law["parameters"], "name", name);
      ASSERT_TRUE(p["error"].is_number()) << p;
      EXPECT_NEAR(p["value"], truth, 4 * p["error"].get<double>()) << p;
      EXPECT_NEAR(p["value"], truth, 0.01 * truth) << p;
      EXPECT_LT(p["error"], 0.01 * truth) << p;
      EXPECT_EQ(p["unit"], unit) << p;
    }
    EXPECT_NEAR(law["judged_rms"], 0.02, 0.002);
    EXPECT_NEAR(law["fitted_rms"], 0.02, 0.002);
    EXPECT_GT(law["explained"], 0.99);
  }
  const std::string map_ = "--map 'time=t, position=x, force=F' --filter none ", found_ = "--law single_state --mass free ";
};

TEST_F(IdentifyCommand, FindsTheLawAndWritesASceneThatRuns) {
  write_plain_data("data.csv");
  const Answer answer = run("identify data.csv --law single_state,dahl " + map_ + "--mass free -o found");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("Take single_state: on unseen data its error is"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("laws by their error on unseen data"), std::string::npos);
  expect_found(Json::parse(read("found/identify.json")));
  EXPECT_NE(read("found/report.html").find("uPlot"), std::string::npos);
  for (const char* law : {"single_state", "dahl"}) {
    const Answer ran = run(fmt::format("run found/{}.toml -o ran_{} --quiet", law, law));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  }
}

/// 2.5 % of the rows off by 50 N, one by 1e6 N, or some by 1 N, which is within the range of the force: with --robust the numbers
/// are those of the other rows, and so are the errors.
TEST_F(IdentifyCommand, SpikesDoNotDecideIfRobust) {
  const auto spoiled = [&](const std::string& file, std::size_t every, double size) {
    write_data(file, "t [s],x [mm],F [N]",
               [&](std::size_t k, double x, double f) { return Row(1e3 * x, f + (k % every == 5 ? size : 0)); });
  };
  spoiled("many.csv", 40, 50), spoiled("one.csv", 10000, 1e6), spoiled("small.csv", 40, 1);
  for (const char* file : {"many.csv", "one.csv", "small.csv"}) {
    SCOPED_TRACE(file);
    const Json f = facts(file + (" " + found_) + map_ + "--robust");
    expect_found(f);
    EXPECT_NE(f["notes"].dump().find(file == std::string("many.csv")  ? "38 samples of the force stand out"
                                     : file == std::string("one.csv") ? "1 sample of the force stands out"
                                                                      : "25 more spikes of the force where it was fitted"),
              std::string::npos)
        << f["notes"];
  }
  const Answer answer = run("identify one.csv " + found_ + map_);
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("a robust fit leaves them out"), std::string::npos) << answer.err;
}

TEST_F(IdentifyCommand, TorquesAndCurrentsThatTurn) {
  write_data("torque.csv", "t [s],x [deg],T [mN m]",
             [](std::size_t, double x, double f) { return Row(180 / std::numbers::pi * x, 1e3 * f); });
  const std::string map = "--filter none --map 'time=t, position=x, ";
  expect_found(facts("torque.csv " + found_ + map + "torque=T' -o found"), "N m", "N m/rad", "kg m^2");
  const std::string scene = read("found/single_state.toml"), page = read("found/report.html");
  EXPECT_NE(scene.find("mN m, on unseen data"), std::string::npos) << scene;
  EXPECT_EQ(scene.find(" N\n"), std::string::npos) << scene;
  EXPECT_NE(page.find("\"label\":\"torque [N m]\""), std::string::npos);
  EXPECT_NE(page.find("\"label\":\"position [mrad]\""), std::string::npos);
  EXPECT_EQ(page.find("\"label\":\"force"), std::string::npos);

  write_data("current.csv", "t [s],x [deg],I [mA]",
             [](std::size_t, double x, double f) { return Row(180 / std::numbers::pi * x, 1e3 * f / 12.5); });
  expect_found(facts("current.csv " + found_ + map + "current=12.5*I'"), "N m", "N m/rad", "kg m^2");
  const std::string told = run("identify current.csv " + found_ + map + "current=12.5*I'").out;
  for (const char* wrong : {"[0-9] (µ|m|k)?N(?! m)", "[0-9] (µ|m)?m(?![sNr])", "kg(?! m\\^2)", "force"})
    EXPECT_FALSE(std::regex_search(told, std::regex(wrong))) << wrong << "\n" << told;

  const Json bounded = facts("current.csv --law single_state --mass free --bound K=1:1e3 " + map + "current=12.5*I'");
  EXPECT_NE(bounded["laws"][0]["not_told"].dump().find("K is at the upper end of its search range, 1000 N m/rad"),
            std::string::npos)
      << bounded["laws"][0]["not_told"];

  write_data("linear.csv", "t [s],x [mm],I [mA]", [](std::size_t, double x, double f) { return Row(1e3 * x, -1e3 * f / 12.5); });
  expect_found(facts("linear.csv " + found_ + map + "current=-12.5*I'"));
}

TEST_F(IdentifyCommand, RowsThatWereFittedAreNotCalledUnseen) {
  write_plain_data("data.csv");
  const std::string command = "data.csv --law single_state " + map_ + "--mass free ";
  EXPECT_EQ(facts(command + "--train 0:2 --test 2:3")["judged_on"], "unseen data");
  EXPECT_EQ(facts(command + "--train 0:2 --test 1.5:2.5")["judged_on"], "data of which 50 % were fitted");
  EXPECT_EQ(facts(command + "--train : --test :")["judged_on"], "data that were fitted");
  write("copy.csv", read("data.csv"));
  EXPECT_EQ(facts(command + "--validate copy.csv")["judged_on"], "data that were fitted");
  const std::string told = run("identify " + command + "--train : --test :").out;
  EXPECT_EQ(told.find("unseen"), std::string::npos) << told;
  EXPECT_NE(told.find("laws by their error on data that were fitted"), std::string::npos) << told;
}

/// A force along the motion, noise, a force of another motion, inertia alone: no numbers.
TEST_F(IdentifyCommand, WhatIsNoFrictionIsRefused) {
  write_plain_data("data.csv");
  for (const char* law : {"single_state --offset free", "gms --elements 2"}) {
    const Answer wrong_sign =
        run(std::string("identify data.csv --map 'time=t, position=x, force=-F' --filter none -o found --mass free --law ") + law);
    EXPECT_EQ(wrong_sign.exit_code, 2) << law;
    EXPECT_NE(wrong_sign.err.find("the force points along the motion, friction against it: is its sign right? force=-..."),
              std::string::npos)
        << wrong_sign.err;
  }
  Noise noise(7);
  write_data("noise.csv", "t [s],x [mm],F [N]", [&](std::size_t, double x, double) { return Row(1e3 * x, 0.02 * noise.normal()); });
  write_data("other.csv", "t [s],x [mm],F [N]", [&](std::size_t k, double x, double) {
    return Row(1e3 * x, std::sin(0.006 * static_cast<double>(k)) + 0.02 * noise.normal());
  });
  for (const char* file : {"noise.csv", "other.csv"}) {
    const Answer answer = run(fmt::format("identify {} --law single_state,dahl {} -o found", file, map_));
    EXPECT_EQ(answer.exit_code, 2) << file << answer.out;
    EXPECT_NE(answer.err.find("not identifiable"), std::string::npos) << answer.err;
  }
  write_data("inertia.csv", "t [s],x [mm],F [N]", [&](std::size_t k, double x, double) {
    const double t = 2e-3 * static_cast<double>(k);
    return Row(1e3 * x, 2 * (0.1 * std::cos(5 * t) + 0.13 * std::cos(13 * t)) + 0.02 * noise.normal());
  });
  const Answer inertia = run("identify inertia.csv --law dahl,single_state --mass free -o found " + map_);
  EXPECT_EQ(inertia.exit_code, 2) << inertia.out;
  EXPECT_NE(inertia.err.find("dahl: not identifiable in 0.002 .. 1.998 s: without friction the force is explained as well"),
            std::string::npos)
      << inertia.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"data.csv", "inertia.csv", "noise.csv", "other.csv"}));
}

/// Two laws that are as good as each other: the one with fewer parameters is advised, and it is the one that is told and drawn.
TEST_F(IdentifyCommand, AdviceDetailsAndSceneAreOfOneLaw) {
  write_plain_data("data.csv");
  const Json f = facts("data.csv --law single_state_stribeck,single_state " + map_ + "--mass free -o found");
  ASSERT_FALSE(f.is_null());
  EXPECT_EQ(f["recommended"], "single_state");
  EXPECT_EQ(f["advice"].get<std::string>().rfind("Take single_state:", 0), 0u) << f["advice"];
  const std::string page = read("found/report.html");
  EXPECT_NE(page.find("[\"friction measured\",\"friction single_state\"]"), std::string::npos);
  EXPECT_EQ(page.find("\"friction single_state_stribeck\""), std::string::npos);
  EXPECT_NE(page.find("# single_state as identified from data.csv"), std::string::npos);
}

TEST_F(IdentifyCommand, SaysEverythingThatIsWrong) {
  write_plain_data("data.csv");
  const Answer answer =
      run("identify data.csv --law single_stat,dahl --map 'time=t, position=x, force=F' --mass heavy --viscous 3 --elements 0 "
          "--fix beta --bound K=3:1 "
          "--train 5:2 --filter x");
  EXPECT_EQ(answer.exit_code, 2);
  for (const char* line : {"--law: no law \"single_stat\" can be identified; did you mean single_state?", "--mass heavy",
                           "--viscous 3: must be free, or 0", "--elements 0: must be a whole number between 1 and 50",
                           "--fix beta: must be NAME=VALUE", "--bound K=3:1: must be NAME=LOW:HIGH",
                           "--train 5:2: must be FROM:TO in seconds, FROM < TO", "--filter x: must be butter:ORDER:HERTZ"})
    EXPECT_NE(answer.err.find(line), std::string::npos) << line << "\n" << answer.err;
  write("empty.csv", "");
  EXPECT_EQ(run("identify empty.csv --law dahl " + map_).err,
            "asperity identify: empty.csv: empty: must have a header and rows of numbers\n");
  EXPECT_EQ(run("identify nothing.csv --law dahl " + map_).exit_code, 2);
}

}  // namespace
