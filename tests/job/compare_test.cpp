// Two runs beside each other.
#include "asperity/job/compare.hpp"

#include <cmath>

#include "scenes.hpp"

namespace asperity {
namespace {

using testing::scene_named;

Side side_of(const std::string& label, const std::vector<std::string>& settings) {
  const auto scene = scene_named("held_by_friction", settings);
  JobOutcome done = run_job(*scene);
  return {label, std::move(*done.facts), std::move(done.data)};
}

TEST(Compare, SaysWhereTwoRunsAreFarthestApart) {
  const RunComparison same = compare(side_of("a", {"run.duration=1.2"}), side_of("b", {"run.duration=1.2"}));
  EXPECT_FALSE(same.columns.empty());
  for (const auto& column : same.columns) EXPECT_EQ(column.apart.difference, 0) << column.quantity.name;

  const RunComparison found =
      compare(side_of("F 0.5", {"run.duration=1.2"}), side_of("F 0.4", {"run.duration=1.2", "floor.F=0.4"}));
  const auto position = std::find_if(found.columns.begin(), found.columns.end(),
                                     [](const auto& column) { return column.quantity.name == "block.position"; });
  ASSERT_NE(position, found.columns.end());
  // Both slide at the end, ever farther apart: the end is where they differ most.
  EXPECT_EQ(position->apart.time, found.a.data.find("time")->values.back());
  EXPECT_EQ(position->apart.difference, std::abs(position->final[0] - position->final[1]));
  ASSERT_EQ(found.events.size(), 1U);
  EXPECT_EQ(found.events[0].kind, Event::Kind::slip);
  EXPECT_EQ(found.events[0].count, (std::array<std::size_t, 2>{1, 1}));
  EXPECT_FALSE(found.has_failed());
  EXPECT_TRUE(found.only[0].empty() && found.only[1].empty());
  EXPECT_NE(to_text(found).find("largest difference"), std::string::npos);
  EXPECT_NE(to_page(found).find("F 0.5 beside F 0.4"), std::string::npos);
}

}  // namespace
}  // namespace asperity
