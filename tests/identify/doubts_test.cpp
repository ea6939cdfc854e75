// asperity identify on data and wishes from which there is little or nothing to be had: an answer in words, never a crash and never
// a confident wrong number.
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"
#include "synthetic.hpp"

namespace {

using asperity::identify::Noise;
using Json = nlohmann::json;

class IdentifyDoubts : public ProgramTest {
 protected:
  static double velocity(double t) { return 0.01 * std::sin(6 * t) + 0.004 * std::sin(17 * t); }
  static double acceleration(double t) { return 0.06 * std::cos(6 * t) + 0.068 * std::cos(17 * t); }
  static double coulomb(double t) { return velocity(t) > 0 ? 1 : -1; }

  /// 600 samples of a velocity and a force.
  void write_data(const std::function<double(double)>& v, const std::function<double(double)>& force, double noise = 0.01) const {
    Noise dice(4);
    std::ostringstream out;
    out.precision(12);
    out << "t,v,F\n";
    for (int k = 0; k < 600; ++k) {
      const double t = 2e-3 * k;
      out << t << ',' << v(t) << ',' << force(t) + noise * dice.normal() << '\n';
    }
    write("data.csv", out.str());
  }
  Answer identify(const std::string& options) const {
    return run("identify data.csv --map 'time=t, velocity=v, force=F' --filter none " + options);
  }
  static Json finding(const Answer& answer, const std::string& name) {
    const Json facts = Json::parse(answer.out);
    for (const Json& p : facts["laws"][0]["parameters"])
      if (p["name"] == name) return p;
    ADD_FAILURE() << "no " << name;
    return {};
  }
};

TEST_F(IdentifyDoubts, AForceOfTheWrongSign) {
  write_data(velocity, [](double t) { return -coulomb(t); });
  for (const char* law : {"dahl", "lugre", "gms --elements 2"}) {
    const Answer answer = identify(std::string("--law ") + law);
    EXPECT_EQ(answer.exit_code, 2) << law << answer.out << answer.err;
    EXPECT_NE(answer.err.find("not identifiable"), std::string::npos) << answer.err;
  }
}

TEST_F(IdentifyDoubts, NothingButInertia) {
  write_data(velocity, [](double t) { return 2 * acceleration(t); });
  const Answer answer = identify("--law dahl --mass free --viscous free");
  EXPECT_EQ(answer.exit_code, 2) << answer.out;
  EXPECT_NE(answer.err.find("not identifiable"), std::string::npos) << answer.err;
}

TEST_F(IdentifyDoubts, EverythingFixed) {
  write_data(velocity, coulomb);
  const Answer answer = identify("--law dahl --fix F=1 --fix K=5e5 --json");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* name : {"F", "K"}) {
    EXPECT_EQ(finding(answer, name)["remark"], "given");
    for (const char* key : {"error", "low", "high"}) EXPECT_TRUE(finding(answer, name)[key].is_null()) << name << key;
  }
}

/// Its square is no number any more: it is left out and that is said, or nothing is identified.
TEST_F(IdentifyDoubts, OneMonstrousForce) {
  write_data(velocity, [](double t) { return std::abs(t - 0.1) < 1e-3 ? 1e200 : coulomb(t); });
  for (const char* law : {"dahl", "lugre"}) {
    const Answer answer = identify(std::string("--law ") + law + " --json");
    if (answer.exit_code == 0) {
      EXPECT_NE(answer.out.find("1 row with a number that is not finite left out"), std::string::npos) << answer.out;
      EXPECT_NEAR(finding(answer, law == std::string("dahl") ? "F" : "F_c")["value"], 1, 0.05);
    } else {
      EXPECT_EQ(answer.exit_code, 2);
      EXPECT_FALSE(answer.err.empty());
    }
  }
}

/// A speed, a stiffness, a force of zero: each refused with the bound of the law itself.
TEST_F(IdentifyDoubts, ValuesOutsideTheRangeOfTheLaw) {
  write_data(velocity, coulomb);
  const Answer answer = identify("--law lugre,single_state_stribeck --fix v_s=0 --fix K=0 --fix beta=0 --bound F_c=1:2 --fix M=-1");
  EXPECT_EQ(answer.exit_code, 2);
  for (const char* line :
       {"lugre: fixed v_s = 0 m/s: must be > 0", "lugre: fixed K = 0 N/m: must be > 0", "lugre: fixed M = -1: must be >= 0",
        "single_state_stribeck: fixed v_s = 0 m/s: must be > 0", "single_state_stribeck: fixed beta = 0 s: must be > 0"})
    EXPECT_NE(answer.err.find(line), std::string::npos) << line << "\n" << answer.err;
  const Answer twice = identify("--law lugre --fix F_s=1 --bound F_s=1:2 --mass free --fix M=2 --fix offst=3");
  EXPECT_EQ(twice.exit_code, 2);
  for (const char* line : {"--bound F_s: is given twice", "--fix M: is given twice", "--fix offst: did you mean offset?"})
    EXPECT_NE(twice.err.find(line), std::string::npos) << line << "\n" << twice.err;
}

/// The names of the law, as its scene spells them.
TEST_F(IdentifyDoubts, NamesOfTheLawCanBeFixed) {
  write_data(velocity, [](double t) { return coulomb(t) + 2 * acceleration(t) + 3 * velocity(t) - 0.2; });
  const Answer answer = identify("--law lugre --fix F_s=1.2 --fix M=2 --fix Fv=3 --fix offset=-0.2 --json -o found");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(finding(answer, "F_s")["remark"], "given");
  EXPECT_NEAR(finding(answer, "F_s")["value"], 1.2, 1e-12);
  EXPECT_NEAR(finding(answer, "F_c")["value"], 1, 0.05);
  EXPECT_EQ(finding(answer, "D")["value"], 3);
  EXPECT_EQ(finding(answer, "offset")["value"], -0.2);
  EXPECT_EQ(finding(answer, "M")["remark"], "given");
  const std::string scene = read("found/lugre.toml");
  EXPECT_NEAR(std::stod(scene.substr(scene.find("\nF_s = ") + 7)), 1.2, 1e-12) << scene;
}

/// Coulomb friction tells no rise of static friction: what F_s is then is a limit of the search, and is said to be, everywhere.
TEST_F(IdentifyDoubts, WhatHangsOnALimitIsSaidEverywhere) {
  write_data(velocity, coulomb);
  const std::string options = "--law lugre --bound 'F_s/F_c - 1=0.5:2' --fix v_s=0.01 ";
  // Coulomb friction tells no stiffness either.
  const std::string words = "depends on F_s/F_c - 1 and K, which are at their bound";
  const Answer told = identify(options + "-o found");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const std::size_t line = told.out.find("  F_s");
  ASSERT_NE(line, std::string::npos);
  EXPECT_NE(told.out.substr(line, told.out.find('\n', line) - line).find(words), std::string::npos) << told.out;
  const Answer facts = identify(options + "--json");
  const Json F_s = finding(facts, "F_s");
  EXPECT_EQ(F_s["remark"], words);
  for (const char* key : {"error", "low", "high"}) EXPECT_TRUE(F_s[key].is_null()) << key;
  EXPECT_NE(read("found/report.html").find(words), std::string::npos);
  // Nobody gave these.
  EXPECT_EQ(finding(facts, "alpha")["remark"], "taken as 2");
  EXPECT_EQ(finding(facts, "D")["remark"], "taken as 0");
}

TEST_F(IdentifyDoubts, OnlyOneDirection) {
  write_data([](double) { return 0.01; }, [](double) { return 2; });
  const Answer noisy = identify("--law dahl");
  EXPECT_EQ(noisy.exit_code, 2);
  EXPECT_NE(noisy.err.find("the motion has only one direction in"), std::string::npos) << noisy.err;
  EXPECT_EQ(noisy.err.find("does not depend"), std::string::npos) << noisy.err;
  write_data([](double) { return 0.01; }, [](double) { return 2; }, 0);
  EXPECT_EQ(identify("--law dahl").exit_code, 2);
  // Where the speed changes and viscous friction with it, there is something to be found; the doubt stays.
  const auto v = [](double t) { return 0.02 + 0.015 * std::sin(20 * t); };
  write_data(v, [&](double t) { return 2 + 100 * v(t); });
  const Answer answer = identify("--law dahl --viscous free");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("note: the motion has only one direction in"), std::string::npos) << answer.out;
}

}  // namespace
