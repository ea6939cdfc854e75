// The facts of a run as types and as JSON.
#include "asperity/facts/facts.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "scenes.hpp"

namespace asperity {
namespace {

using Json = nlohmann::ordered_json;
using testing::scene_named;

Facts facts_of_run(const std::string& name, const std::vector<std::string>& settings = {}) {
  const auto scene = scene_named(name, settings);
  JobOutcome done = run_job(*scene);
  EXPECT_TRUE(done.facts) << name;
  return std::move(*done.facts);
}

class EveryFact : public ::testing::TestWithParam<std::pair<const char*, std::vector<std::string>>> {};

// One more round changes nothing: whatever the JSON says, the types hold.
TEST_P(EveryFact, ReadsBackToItself) {
  const Facts facts = facts_of_run(GetParam().first, GetParam().second);
  const std::string text = to_json(facts);
  std::string why;
  const auto again = facts_from_json(text, why);
  ASSERT_TRUE(again) << why;
  EXPECT_EQ(to_json(*again), text);
  EXPECT_EQ(summary_of(*again), summary_of(facts));
  EXPECT_EQ(doubts_of(*again), doubts_of(facts));
}

INSTANTIATE_TEST_SUITE_P(
    Facts, EveryFact,
    ::testing::Values(std::pair("bouncing_ball", std::vector<std::string>{}),
                      std::pair("held_by_friction", std::vector<std::string>{"run.duration=3", "run.step=1e-3"}),
                      std::pair("held_by_friction", std::vector<std::string>{"run.duration=1", "run.step=1e-3", "run.verify=true"}),
                      std::pair("held_by_friction", std::vector<std::string>{"run.duration=1", "run.method=dopri5"}),
                      std::pair("rolling_sphere", std::vector<std::string>{"run.duration=0.1"}),
                      std::pair("puck", std::vector<std::string>{"run.step=5e-3", "run.duration=1"}),  // doubtful, with warnings
                      std::pair("inclusions/belt_and_spring", std::vector<std::string>{"run.duration=0.5"})));  // no energy: NaN

TEST(Facts, TheTypesSayWhatTheJsonSays) {
  const Facts facts = facts_of_run("bouncing_ball");
  const Json json = Json::parse(to_json(facts));
  EXPECT_EQ(json["run"]["steps"], facts.run.statistics.steps);
  EXPECT_EQ(json["run"]["time"].get<double>(), facts.run.time);
  EXPECT_EQ(json["verdict"], to_text(facts.verdict));
  EXPECT_EQ(json["events"]["count"], facts.event_count);
  ASSERT_EQ(json["events"]["list"].size(), facts.events.size());
  for (std::size_t i = 0; i < facts.events.size(); ++i) {
    EXPECT_EQ(json["events"]["list"][i]["time"].get<double>(), facts.events[i].time);
    EXPECT_EQ(json["events"]["list"][i]["kind"], to_text(facts.events[i].kind));
  }
  ASSERT_FALSE(facts.impacts.empty());
  ASSERT_EQ(json["impacts"].size(), facts.impacts.size());
  EXPECT_EQ(json["impacts"][0]["restitution"].get<double>(), facts.impacts[0].restitution());
  EXPECT_EQ(json["energy"]["dissipated"].get<double>(), facts.energy.dissipated);
  ASSERT_EQ(json["final"].size(), facts.final.size());
  EXPECT_EQ(facts.columns.size(), facts.final.size() + 1);  // the time
}

TEST(Facts, WhatIsNotANumberIsNull) {
  Facts facts;
  facts.energy.work_in = std::numeric_limits<double>::quiet_NaN();
  facts.run.time = std::numeric_limits<double>::infinity();
  const std::string text = to_json(facts);
  EXPECT_TRUE(Json::parse(text)["energy"]["work_in"].is_null());
  std::string why;
  const auto again = facts_from_json(text, why);
  ASSERT_TRUE(again) << why;
  EXPECT_TRUE(std::isnan(again->energy.work_in));
  EXPECT_TRUE(std::isnan(again->run.time));
}

TEST(Facts, WhatIsWrongHasAPlace) {
  const Json good = Json::parse(to_json(facts_of_run("bouncing_ball", {"run.duration=0.6"})));
  const auto why_not = [&](const std::function<void(Json&)>& spoil) {
    Json json = good;
    spoil(json);
    std::string why;
    EXPECT_FALSE(facts_from_json(json.dump(), why));
    return why;
  };
  EXPECT_EQ(why_not([](Json& json) { json.erase("run"); }), "run is missing");
  EXPECT_EQ(why_not([](Json& json) { json["run"]["steps"] = -1; }), "run.steps must be a whole number >= 0");
  EXPECT_EQ(why_not([](Json& json) { json["run"]["finished"] = 1; }), "run.finished must be true or false");
  EXPECT_EQ(why_not([](Json& json) { json["events"] = 5; }), "events must be an object");
  EXPECT_EQ(why_not([](Json& json) { json["events"]["list"] = "x"; }), "events.list must be a list");
  EXPECT_EQ(why_not([](Json& json) { json["events"]["list"][0]["kind"] = "hops"; }),
            "events.list[0].kind must be touch, release, slip, stick");
  EXPECT_EQ(why_not([](Json& json) { json["elements"][0]["between"] = Json::array({"a"}); }),
            "elements[0].between must be two names");
  EXPECT_EQ(why_not([](Json& json) { json["files"]["data"] = "../x"; }),
            "files.data = \"../x\": must be the name of a file in the same folder");
  EXPECT_EQ(why_not([](Json& json) { json = Json::array(); }), "it must be an object");
  std::string why;
  EXPECT_FALSE(facts_from_json("{", why));
  EXPECT_EQ(why, "it is not JSON, or it was cut");
}

}  // namespace
}  // namespace asperity
