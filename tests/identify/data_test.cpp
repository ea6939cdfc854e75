#include "asperity/identify/data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace asperity::identify::data_test {
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

/// The table with another third column: cos(3 t) times `size`.
Table table_with(const char* name, const char* unit, double size) {
  Table table = a_table();
  table.columns[2].quantity = {name, unit};
  for (double& f : table.columns[2].values) f *= 1e-6 * size;
  return table;
}

/// The force is cos(3 t) N whatever it was measured in.
TEST(Data, UnitsCountWithFactorsToo) {
  struct Case {
    const char *name, *unit;
    double size;
    const char* force;
  };
  for (const auto& [name, unit, size, force] :
       {Case{"F", "mN", 500, "force=2*F"}, Case{"F", "", 500, "force=2*F [mN]"}, Case{"F", "N", -0.5, "force=-2*F"},
        Case{"u", "V", 0.5, "force=2*u"}, Case{"I", "mA", 80, "force=12.5*I"}, Case{"I", "", 80, "force=12.5*I [mA]"},
        Case{"I", "mA", 80, "current=12.5*I"}, Case{"I", "A", 1, "current=1*I"}, Case{"F", "", 0.5, "force=2*F"}}) {
    const auto o = outcome(table_with(name, unit, size), fmt::format("time=t, position=x, {}", force));
    ASSERT_TRUE(o.data) << force << ": " << o.problems[0];
    EXPECT_FALSE(o.data->is_rotary);
    for (std::size_t k = 0; k < 200; ++k) ASSERT_NEAR(o.data->samples.force[k], std::cos(3 * o.data->samples.t[k]), 1e-12) << force;
  }
}

TEST(Data, WhatIsNoForceIsMadeNoneByAFactor) {
  const auto problem = [](const Table& table, const std::string& map) {
    return outcome(table, "time=t, position=x, " + map).problems;
  };
  EXPECT_EQ(problem(a_table(), "force=2*x"), Lines{"data.csv: force = x [mm]: is a length (m): must be N, A or V"});
  EXPECT_EQ(problem(a_table(), "torque=2*F").back(), "data.csv: torque = F [uN]: is a force (N): must be N m, A or V");
  EXPECT_EQ(problem(table_with("I", "mA", 1), "force=-I"),
            Lines{"data.csv: force = I [mA]: a factor must make a force of it, in N/A: \"force=12.5*I\""});
  EXPECT_EQ(problem(table_with("I", "mA", 1), "current=I"),
            Lines{"data.csv: current = I [mA]: a factor must make a force of it, in N/A: \"current=12.5*I\""});
  EXPECT_EQ(problem(table_with("u", "V", 1), "current=2*u"), Lines{"data.csv: current = u [V]: is a voltage (V): must be A"});
}

/// A torque turns, and so does a current if the motion is an angle.
TEST(Data, AnglesGoWithTorquesAndCurrents) {
  for (const auto& [name, unit, size, map] :
       {std::tuple("T", "mN m", 1e3, "torque=T"), std::tuple("I", "mA", 80.0, "current=12.5*I"),
        std::tuple("u", "V", 0.5, "torque=2*u")}) {
    Table table = table_with(name, unit, size);
    table.columns[1].quantity.unit = "deg";
    const auto o = outcome(table, fmt::format("time=t, position=x, {}", map));
    ASSERT_TRUE(o.data) << map << ": " << o.problems[0];
    EXPECT_TRUE(o.data->is_rotary);
    EXPECT_NEAR(o.data->samples.force[50], std::cos(1.5), 1e-12) << map;
    EXPECT_NEAR(o.data->samples.position[50], std::numbers::pi / 180 * std::sin(1.5), 1e-12);
  }
  Table table = a_table();
  table.columns[1].quantity.unit = "deg";
  EXPECT_EQ(outcome(table).problems, Lines{"data.csv: position = x [deg]: is a pure number or an angle: must be m; with torque "
                                           "instead of force lengths are angles"});
  for (double& x : table.columns[1].values) x = 90;
  EXPECT_EQ(outcome(table, "time=t, position=x, torque=2*F [V]").problems.back(),
            "data.csv: F is in V in the map, but in uN in the file");
  table.columns[2].quantity.unit = "mN m";
  EXPECT_EQ(outcome(table, "time=t, position=x, torque=F").problems,
            Lines{"data.csv: nothing moves: the position is 1.571 rad from beginning to end; friction cannot be identified"});
}

/// Spikes beyond the range of the force are not usable, the rest is untouched. Unasked they are said only.
TEST(Data, SpikesOfTheForce) {
  Table table = a_table();
  for (std::size_t i = 5; i < 200; i += 40) table.columns[2].values[i] += 5e6;
  table.columns[2].values[100] = 1e12;
  const std::string map = "time=t, position=x, force=-F";
  const auto bold = outcome(table, map), robust = outcome(table, map, true);
  ASSERT_TRUE(bold.data && robust.data);
  EXPECT_EQ(
      bold.data->notes[0],
      "6 samples of the force stand out of their neighbours by more than the force ranges otherwise: a robust fit leaves them out");
  EXPECT_EQ(robust.data->notes[0],
            "6 samples of the force stand out of their neighbours by more than the force ranges otherwise: left out");
  for (std::size_t k = 1; k < 199; ++k) {
    const bool is_spike = k % 40 == 5 || k == 100;
    EXPECT_TRUE(bold.data->samples.is_usable[k]);
    EXPECT_EQ(robust.data->samples.is_usable[k], !is_spike) << k;
    EXPECT_NEAR(robust.data->samples.force[k], -std::cos(0.03 * static_cast<double>(k)), is_spike ? 0.031 : 1e-12);
  }
  table = a_table();
  table.columns[2].values[50] = 1e200;
  EXPECT_EQ(outcome(table).data->notes[0], "1 row with a number that is not finite left out, the first is row 51");
}

/// Rows 100 to 129 are missing, row 30 has no force, row 20 the stamp of row 19 and row 50 one that is 4 ms late.
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
  ASSERT_EQ(s.size(), 170u);
  std::size_t unusable = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    ASSERT_NEAR(s.t[k], 0.01 * static_cast<double>(k < 100 ? k : k + 30), 1e-12);
    if (!s.is_usable[k]) {
      ++unusable;
      continue;
    }
    ASSERT_NEAR(s.step[k], 0.01, 1e-12);
    // A false stamp is off by half a step, and by v times that in position; where a row is missing the chord of 2 h is off by
    // (2 h)^2 x''/8; central differences by h^2 v''/6.
    const bool is_false = (k >= 18 && k <= 21) || (k >= 48 && k <= 52);
    const double room = is_false ? 0.5 * 3e-3 * 0.5 : 4e-4 / 8 * 9e-3 / 0.02 + 1e-4 / 6 * 27e-3;
    ASSERT_NEAR(s.velocity[k], 3e-3 * std::cos(3 * s.t[k]), room) << k;
  }
  EXPECT_EQ(unusable, 4u);  // the ends of the two parts
  EXPECT_FALSE(s.is_usable[0] || s.is_usable[99] || s.is_usable[100] || s.is_usable[169]);
  EXPECT_NEAR(s.step[100], 0.31, 1e-12);  // the law goes all the way, across the gap too
  EXPECT_NEAR(s.velocity[100] * 0.31, s.position[100] - s.position[99], 1e-15);
}

TEST(Data, EveryProblemIsSaid) {
  EXPECT_EQ(outcome(a_table(), "time=t, positon=x, force=F, load").problems,
            (Lines{"--map: unknown \"positon\"; did you mean position?",
                   "--map: \"load\": must be WHAT=COLUMN, for example position=x [mm]"}));
  EXPECT_EQ(outcome(a_table(), "time=tt, position=x [um], force=F [kg], velocity=F").problems,
            (Lines{"data.csv: no column \"tt\" for time; did you mean t?", "data.csv: x is in um in the map, but in mm in the file",
                   "data.csv: F is in kg in the map, but in uN in the file",
                   "data.csv: velocity = F [uN]: is a force (N): must be m/s"}));
  EXPECT_EQ(outcome(a_table(), "position=x").problems,
            (Lines{"data.csv: no time: the map must say which column it is, \"time=...\"",
                   "data.csv: 0 of force, torque and current: the map must have one"}));
  EXPECT_EQ(outcome(a_table(), "time=t, position=x, current=F").problems,
            (Lines{"data.csv: current = F [uN]: a factor must make a force of it, in N/A: \"current=12.5*F\""}));
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
            (Lines{"--filter cheby:4:10: must be butter:ORDER:HERTZ, for example butter:4:100, none or auto",
                   "--filter: order 40: must be a whole number between 1 and 10", "--filter: cut-off -1 Hz: must be > 0"}));
}

}  // namespace
}  // namespace asperity::identify::data_test
