#include "asperity/identify/data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace asperity::identify {
namespace {

using Lines = std::vector<std::string>;

/// x = sin(3 t) mm against a force in uN, 200 rows of 10 ms.
Table a_table() {
  Table table;
  table.columns = {{{"t", "s"}, {}}, {{"x", "mm"}, {}}, {{"F", "uN"}, {}}};
  for (int i = 0; i < 200; ++i) {
    const double t = 0.01 * i;
    table.columns[0].values.push_back(t);
    table.columns[1].values.push_back(std::sin(3 * t));
    table.columns[2].values.push_back(1e6 * std::cos(3 * t));
  }
  return table;
}

struct Outcome {
  std::optional<Measurement> data;
  Lines problems;
};
Outcome outcome(const Table& table, const std::string& map = "time=t, position=x, force=-F", bool robust = false) {
  Outcome o;
  const auto channels = read_map(map, o.problems);
  Filter none;
  none.is_on = false;
  if (o.problems.empty()) o.data = measured("data.csv", table, channels, none, robust, o.problems);
  return o;
}

TEST(Data, UnitsSignsAndDerivatives) {
  const auto o = outcome(a_table());
  ASSERT_TRUE(o.data);
  const Samples& s = o.data->samples;
  ASSERT_EQ(s.size(), 200u);
  for (std::size_t k = 2; k < 198; ++k) {
    ASSERT_NEAR(s.position[k], 1e-3 * std::sin(3 * s.t[k]), 1e-12);
    ASSERT_NEAR(s.velocity[k], 3e-3 * std::cos(3 * s.t[k]), 1e-6);
    ASSERT_NEAR(s.acceleration[k], -9e-3 * std::sin(3 * s.t[k]), 1e-5);
    ASSERT_NEAR(s.force[k], -std::cos(3 * s.t[k]), 1e-12);
  }
}

TEST(Data, AFactorMakesAForceOfAVoltage) {
  Table table = a_table();
  table.columns[2].quantity = {"u", "V"};
  const auto o = outcome(table, "time=t, position=x [mm], force=-2e-6*u");
  ASSERT_TRUE(o.data) << o.problems[0];
  EXPECT_NEAR(o.data->samples.force[0], -2, 1e-12);
}

TEST(Data, GapsRepeatedAndUnevenStampsAreSaid) {
  Table table = a_table();
  for (auto& column : table.columns) column.values.erase(column.values.begin() + 100, column.values.begin() + 130);
  table.columns[0].values[20] = table.columns[0].values[19];
  table.columns[0].values[50] += 0.004;
  table.columns[2].values[30] = std::numeric_limits<double>::quiet_NaN();
  const auto o = outcome(table);
  ASSERT_TRUE(o.data);
  EXPECT_EQ(o.data->notes[0], "1 row with a number that is not finite left out, the first is row 31");
  EXPECT_EQ(o.data->notes[1], "1 row has the time stamp of the row before, first at 0.19 s: they count as one row, their mean");
  EXPECT_EQ(o.data->notes[2],
            "1 gap in time, the longest 310 ms after 0.99 s: derivatives are not taken across, the law goes through in one step");
  EXPECT_TRUE(o.data->notes[3].starts_with("4 time stamps are not one step of 10 ms apart, by up to 100 %")) << o.data->notes[3];
  const Samples& s = o.data->samples;
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (!s.is_usable[k]) continue;
    ASSERT_NEAR(s.velocity[k], 3e-3 * std::cos(3 * s.t[k]), 1e-3) << s.t[k];  // the false stamp is in it
    ASSERT_NEAR(s.step[k], 0.01, 1e-9);
  }
  double travel = s.position.front();  // the law goes all the way, across the gap too
  for (std::size_t k = 1; k < s.size(); ++k) travel += s.velocity[k] * s.step[k];
  EXPECT_NEAR(travel, s.position.back(), 1e-4);
}

TEST(Data, EveryProblemIsSaid) {
  EXPECT_EQ(outcome(a_table(), "time=t, positon=x, force=F, load").problems,
            (Lines{"--map: unknown \"positon\"; did you mean position?",
                   "--map: \"load\": must be WHAT=COLUMN, for example position=x [mm]"}));
  EXPECT_EQ(outcome(a_table(), "time=tt, position=x [um], force=F [kg], velocity=F").problems,
            (Lines{"data.csv: no column \"tt\" for time; did you mean t?", "data.csv: x is in um in the map, but in mm in the file",
                   "data.csv: F is in kg in the map, but in uN in the file",
                   "data.csv: velocity = F [uN]: is a force (N): must be m/s"}));
  EXPECT_EQ(outcome(a_table(), "position=x").problems, (Lines{"data.csv: no time: --map must say which column it is, \"time=...\"",
                                                              "data.csv: 0 of force, torque and current: --map must have one"}));
  EXPECT_EQ(outcome(a_table(), "time=t, position=x, current=F").problems,
            (Lines{"data.csv: current = F: a factor must make a force of it, in N/A: \"current=12.5*F\""}));
}

TEST(Data, NothingIsMadeOfNothing) {
  Table table = a_table();
  for (auto& column : table.columns) column.values.resize(1);
  EXPECT_EQ(outcome(table).problems, Lines{"data.csv: 1 rows of numbers: must be 20 at least"});
  table = a_table();
  for (double& x : table.columns[1].values) x = 0.2;
  EXPECT_EQ(outcome(table).problems,
            Lines{"data.csv: nothing moves: the position is 200 µm from beginning to end; friction cannot be identified"});
  table = a_table();
  for (double& f : table.columns[2].values) f = 1e6;
  EXPECT_EQ(outcome(table).problems, Lines{"data.csv: the force is -1 N from beginning to end; nothing can be identified"});
  table = a_table();
  table.columns[0].values[80] = 0.5;
  EXPECT_EQ(outcome(table).problems, Lines{"data.csv: time goes back from 0.79 s to 0.5 s in row 81"});
  table = a_table();
  for (std::size_t i = 40; i < 90; ++i) table.columns[1].values[i] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(outcome(table).problems,
            Lines{"data.csv: 50 of 200 rows have a number that is not finite, the first is row 41: too many to do without"});
}

TEST(Data, Filters) {
  Lines problems;
  const auto filter = read_filter("butter:3:50", problems);
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->order, 3);
  EXPECT_EQ(filter->cutoff, 50);
  EXPECT_FALSE(read_filter("none", problems)->is_on);
  EXPECT_TRUE(problems.empty());
  EXPECT_FALSE(read_filter("cheby:4:10", problems));
  EXPECT_TRUE(read_filter("butter:40:-1", problems));
  EXPECT_EQ(problems,
            (Lines{"--filter cheby:4:10: must be butter:ORDER:HERTZ, for example butter:4:100, or none",
                   "--filter: order 40: must be a whole number between 1 and 10", "--filter: cut-off -1 Hz: must be > 0"}));
}

}  // namespace
}  // namespace asperity::identify
