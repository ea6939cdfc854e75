// The whole way from a table to the law to take, as a program calls it.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/friction/single_state.hpp"
#include "asperity/identify/identify.hpp"
#include "asperity/identify/stick_slip.hpp"
#include "synthetic.hpp"

namespace asperity::identify::run_test {
namespace {

using Json = nlohmann::json;

/// F = 3 N, K = 2e4 N/m, beta = 20 ms under a mass of 2 kg, with noise of 0.02 N.
Request request_of(std::vector<std::string> laws) {
  SingleState<> law;
  law.F = 3, law.K = 2e4, law.beta = 0.02;
  const Samples s = samples_of(
      law, [](double t) { return 0.02 * std::sin(5 * t) + 0.01 * std::sin(13 * t); }, 1500, 2e-3);
  Noise noise(4);
  Table table;
  table.columns = {{{"t", "s"}, s.t}, {{"x", "m"}, s.position}, {{"F", "N"}, s.force}};
  for (std::size_t k = 0; k < s.size(); ++k) table.columns[2].values[k] += 2 * s.acceleration[k] + 0.02 * noise.normal();
  Request request;
  request.laws = std::move(laws);
  request.data = {"axis.csv", std::move(table)};
  std::vector<std::string> problems;
  request.map = read_map("time=t, position=x, force=F", problems);
  request.settings.mass = 2;
  return request;
}

TEST(Identify, FindsWhatTheDataWereMadeOf) {
  Request request = request_of({"single_state", "dahl"});
  int told = 0;
  request.hooks.progress = [&](const Progress& now) {
    EXPECT_LT(now.done, now.all);
    EXPECT_EQ(now.all, 2);
    EXPECT_FALSE(now.what.empty());
    ++told;
  };
  const Outcome found = run(request);
  ASSERT_TRUE(found.ok());
  EXPECT_GE(told, 2);
  EXPECT_FALSE(found.stopped);
  const Judged& best = recommended(found.study->laws);
  EXPECT_EQ(best.law, "single_state");
  const auto law = law_of(best);
  const auto value = [&](const std::string& name) {
    for (const Parameter& p : law->parameters())
      if (p.name == name) return p.values[0];
    return 0.0;
  };
  EXPECT_NEAR(value("F"), 3, 0.03);
  EXPECT_NEAR(value("K"), 2e4, 400);
  // The JSON says what the types say.
  const Json json = Json::parse(study_facts(*found.study));
  EXPECT_EQ(json["recommended"], best.law);
  ASSERT_EQ(json["laws"].size(), found.study->laws.size());
  for (std::size_t i = 0; i < found.study->laws.size(); ++i) {
    EXPECT_EQ(json["laws"][i]["law"], found.study->laws[i].law);
    EXPECT_EQ(json["laws"][i]["judged_rms"].get<double>(), found.study->laws[i].unseen_rms);
    EXPECT_EQ(json["laws"][i]["not_told"].size(), doubts(*found.study, found.study->laws[i]).size());
  }
  EXPECT_NE(study_text(*found.study).find("laws by their error on unseen data"), std::string::npos);
  EXPECT_NE(study_page(*found.study, found.unseen()).find("Identified from axis.csv"), std::string::npos);
}

TEST(Identify, IsStoppedBetweenPassesAndKeepsWhatIsDone) {
  Request request = request_of({"single_state", "dahl"});
  std::string at;
  int passes = 0;
  request.hooks.progress = [&](const Progress& now) { at = now.what; };
  request.hooks.stop = [&] { return at == "dahl" && ++passes > 3; };
  const Outcome part = run(request);
  EXPECT_TRUE(part.stopped);
  EXPECT_EQ(passes, 4);
  ASSERT_TRUE(part.study);
  ASSERT_EQ(part.study->laws.size(), 1U);
  EXPECT_TRUE(part.study->laws[0].is_identified());

  request.hooks.stop = [] { return true; };
  const Outcome none = run(request);
  EXPECT_TRUE(none.stopped);
  EXPECT_FALSE(none.study);
  EXPECT_FALSE(none.problems.empty());
}

TEST(Identify, SaysAllThatIsWrongWithARequest) {
  Request request = request_of({"single_stat", "single_state", "single_state"});
  request.settings.mass = -1;
  request.settings.fixed = {{"q", 1}};
  const Outcome refused = run(request);
  EXPECT_FALSE(refused.study);
  EXPECT_EQ(refused.problems.size(), 4U);
  EXPECT_EQ(refused.problems, problems_of(request));
  EXPECT_EQ(refused.problems[0], "law: no law \"single_stat\" can be identified; did you mean single_state?");
  request = request_of({"single_state"});
  request.train = Window{0, 0.01};
  const Outcome few = run(request);
  ASSERT_EQ(few.problems.size(), 1U);
  EXPECT_NE(few.problems[0].find("train 0:0.01: "), std::string::npos);
}

// A saw-tooth that rises by K v until F_s and falls by 2 (F_s - F_c).
TEST(StickSlip, IsReadFittedAndStopped) {
  Table table;
  table.columns = {{{"t", "s"}, {}}, {{"F", "N"}, {}}};
  double force = 1;
  for (int k = 0; k < 4000; ++k) {
    force += 1e-3 * 10;  // 100 N/m at 0.1 m/s, every ms
    if (force > 3) force = 1;
    table.columns[0].values.push_back(1e-3 * k), table.columns[1].values.push_back(force);
  }
  std::vector<std::string> problems;
  SlipRequest request;
  request.laws = {"single_state_stribeck"};
  request.data = {"sled.csv", table};
  request.map = read_map("time=t, force=F", problems);
  request.spring = 100, request.pull = 0.1, request.mass = 0.01;
  int told = 0;
  request.hooks.progress = [&](const Progress&) { ++told; };
  const SlipStudy study = run(request);
  EXPECT_GT(told, 0);
  // The running median over 11 samples takes five rises off each tip.
  EXPECT_NEAR(study.own.tooth.drop.mean, 2 - 10 * 1e-3 * 10, 1e-9);
  EXPECT_NEAR(study.own.tooth.rise, 10, 0.3);
  ASSERT_EQ(study.laws.size(), 1U);
  const Json json = Json::parse(slip_facts(study));
  EXPECT_EQ(json["laws"][0]["F_s"].get<double>(), study.laws[0].fit.law.F_s);
  EXPECT_EQ(json["measured"]["cycles"], study.own.tooth.cycles);

  int asked = 0;
  request.hooks.stop = [&] { return ++asked > 100; };
  const SlipStudy part = run(request);
  EXPECT_TRUE(part.stopped);
  EXPECT_EQ(asked, 101);
  EXPECT_TRUE(part.laws.empty());

  request.laws = {"dahl"};
  request.mass.reset();
  EXPECT_EQ(problems_of(request).size(), 2U);
}

}  // namespace
}  // namespace asperity::identify::run_test
