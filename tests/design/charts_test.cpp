// The charts show what the design computes.
#include "asperity/design/charts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "asperity/design/impact.hpp"

namespace asperity::design::charts_test {
namespace {

namespace fs = std::filesystem;

const plot::Panel& panel_of(const std::vector<Chart>& all, const std::string& name) {
  return std::find_if(all.begin(), all.end(), [&](const Chart& one) { return one.name == name; })->figure.panels.at(0);
}

TEST(Charts, AreThoseOfTheClosedForms) {
  const auto all = charts();
  ASSERT_EQ(all.size(), 3U);
  // The dotted line goes through the least restitution of each curve.
  const auto& restitution = panel_of(all, "restitution_of_b").lines;
  ASSERT_EQ(restitution.size(), 6U);
  const double ratios[] = {.05, .1, .3, .5, .7};
  for (std::size_t i = 0; i < 5; ++i) {
    const double least = *std::min_element(restitution[i].y.begin(), restitution[i].y.end());
    EXPECT_NEAR(least, least_linear_restitution(ratios[i]).restitution, 1e-3) << ratios[i];
  }
  // Without damping a load is held from M w^2 R/(R - 1) onwards: the no-drift rule.
  const plot::Line& undamped = panel_of(all, "no_drift").lines.at(0);
  for (std::size_t i = 0; i < undamped.x.size(); ++i)
    EXPECT_NEAR(undamped.y[i] / (undamped.x[i] / (undamped.x[i] - 1)), 1, 1e-9) << undamped.x[i];
  // rk4 steps K = 1.2 M/T^2 with beta = T .. 2 T stably.
  const plot::Line& rk4 = panel_of(all, "stability").lines.at(0);
  for (std::size_t i = 0; i < rk4.x.size(); ++i)
    if (rk4.x[i] >= 1 && rk4.x[i] <= 2) {
      EXPECT_GE(rk4.y[i], 1.2 - 1e-9) << rk4.x[i];
    }
}

TEST(Charts, AreWrittenIntoAFolder) {
  const fs::path folder = fs::path(::testing::TempDir()) / "asperity_charts" / "inner";
  fs::remove_all(folder);
  EXPECT_FALSE(write_charts(charts(), folder.string()));
  for (const char* name : {"restitution_of_b.svg", "stability.svg", "no_drift.svg"}) EXPECT_TRUE(fs::exists(folder / name)) << name;
  fs::remove_all(folder.parent_path());
  EXPECT_EQ(write_charts({}, "/dev/null/folder"), "/dev/null/folder: cannot write: Not a directory");
}

}  // namespace
}  // namespace asperity::design::charts_test
