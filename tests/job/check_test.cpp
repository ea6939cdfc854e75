// A scene looked at without a run, and with one.
#include "asperity/job/check.hpp"

#include <nlohmann/json.hpp>

#include "scenes.hpp"

namespace asperity {
namespace {

using Json = nlohmann::ordered_json;
using testing::scene_named;

TEST(Check, TellsHowLargeASceneIs) {
  const auto scene = scene_named("held_by_friction", {"run.step=1e-3", "run.duration=2"});
  const SceneCheck check = check_scene(*scene);
  ASSERT_TRUE(check.can_run());
  EXPECT_TRUE(check.ok());
  EXPECT_EQ(check.states, 3U);  // position, velocity, deflection
  EXPECT_EQ(check.steps, 2000U);
  const Json json = Json::parse(to_json(check));
  EXPECT_EQ(json["steps"], 2000);
  EXPECT_EQ(json["warnings"].size(), check.facts->warnings.size());
  EXPECT_EQ(json["bodies"][0]["name"], check.facts->bodies[0].name);
  EXPECT_NE(to_text(check).find("states"), std::string::npos);
}

TEST(Check, StrictRefusesWarnings) {
  const auto scene = scene_named("held_by_friction", {"run.step=4e-3", "record.every=4e-3"});
  const SceneCheck check = check_scene(*scene), strict = check_scene(*scene, {.strict = true});
  ASSERT_TRUE(check.can_run());
  EXPECT_FALSE(check.facts->warnings.empty());
  EXPECT_FALSE(strict.can_run());
  EXPECT_FALSE(strict.problems.empty());
  const Json whole = Json::parse(to_json(check)), refused = Json::parse(to_json(strict));
  for (const auto& [key, value] : whole.items()) EXPECT_TRUE(refused.contains(key)) << key;
}

TEST(Check, DeepIsVerifiedAndCanBeStopped) {
  const auto scene = scene_named("held_by_friction", {"run.step=1e-3", "run.duration=0.5"});
  const SceneCheck check = check_scene(*scene, {.deep = true});
  ASSERT_TRUE(check.can_run());
  EXPECT_TRUE(check.facts->verification.has_value());
  int asked = 0, told = 0;
  const SceneCheck part =
      check_scene(*scene, {.deep = true, .hooks = {[&](const Progress&) { ++told; }, [&] { return ++asked > 30; }}});
  EXPECT_EQ(part.facts->run.statistics.steps, 30);
  EXPECT_GT(told, 0);
  ASSERT_EQ(part.problems.size(), 1U);
  EXPECT_EQ(part.problems[0], "interrupted at t = 0.03 s");
}

TEST(Check, AFileThatIsNoneHasItsProblems) {
  const SceneCheck check = check_scene_file("nowhere.toml", {});
  EXPECT_FALSE(check.can_run());
  ASSERT_EQ(check.problems.size(), 1U);
  EXPECT_NE(check.problems[0].find("nowhere.toml: "), std::string::npos);
}

}  // namespace
}  // namespace asperity
