// Files as instruments write them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "asperity/identify/data.hpp"

namespace asperity::identify::lab_file_test {
namespace {

class LabFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& text, const std::string& name = "data.txt") const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::optional<Source> read(const std::string& text) { return read_source(write(text), problems_ = {}); }

  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("lab_file_" + std::to_string(getpid()));
  std::vector<std::string> problems_;
};

/// The same three columns, t = 0 .. 1.9 s, x = t/2 and F = -t, in every manner that we have seen.
struct Manner {
  const char *name, *head, *separator;
  char decimal = '.';
  const char *end = "\n", *names = "t,x,F", *units = ",,";
};
class Manners : public LabFile, public testing::WithParamInterface<Manner> {};

TEST_P(Manners, AreUnderstood) {
  const Manner& m = GetParam();
  std::string text = m.head;
  for (int k = 0; k < 20; ++k) {
    std::string row;
    for (const double value : {0.1 * k, 0.05 * k, -0.1 * k}) row += (row.empty() ? "" : m.separator) + std::to_string(value);
    if (m.decimal == ',') std::replace(row.begin(), row.end(), '.', ',');
    text += row + m.end;
  }
  const auto source = read(text);
  ASSERT_TRUE(source) << (problems_.empty() ? "" : problems_[0]);
  ASSERT_EQ(source->table.columns.size(), 3U) << source->understood;
  ASSERT_EQ(source->table.rows(), 20U) << source->understood;
  std::string names, units;
  for (const auto& column : source->table.columns) {
    names += (names.empty() ? "" : ",") + column.quantity.name;
    units += (&column == &source->table.columns[0] ? "" : ",") + column.quantity.unit;
  }
  EXPECT_EQ(names, m.names);
  EXPECT_EQ(units, m.units);
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_NEAR(source->table.columns[0].values[k], 0.1 * double(k), 1e-9);
    EXPECT_NEAR(source->table.columns[2].values[k], -0.1 * double(k), 1e-9);
  }
  EXPECT_NE(source->understood.find("20 rows of 3 columns"), std::string::npos) << source->understood;
}

INSTANTIATE_TEST_SUITE_P(
    Instruments, Manners,
    testing::Values(Manner{"commas", "t,x,F\n", ","}, Manner{"semicolons", "t;x;F\n", ";"}, Manner{"tabs", "t\tx\tF\n", "\t"},
                    Manner{"blanks", "t  x F\n", "   "}, Manner{"decimal_comma", "t;x;F\r\n", ";", ',', "\r\n"},
                    Manner{"decimal_comma_and_tabs", "t\tx\tF\n", "\t", ','},
                    Manner{"decimal_comma_and_blanks", "t x F\n", " ", ','}, Manner{"no_header", "", ",", '.', "\n", "c1,c2,c3"},
                    Manner{"byte_order_mark", "\xef\xbb\xbft,x,F\n", ","},
                    Manner{"units_in_brackets", "t [s],x [mm],F [N]\n", ",", '.', "\n", "t,x,F", "s,mm,N"},
                    Manner{"units_in_parentheses", "t (s);x (mm);F (N)\n", ";", ',', "\n", "t,x,F", "s,mm,N"},
                    Manner{"units_below", "t;x;F\ns;mm;N\n", ";", ',', "\n", "t,x,F", "s,mm,N"},
                    Manner{"units_below_in_brackets", "t,x,F\n[s],[mm],[N]\n", ",", '.', "\n", "t,x,F", "s,mm,N"},
                    Manner{"preamble", "Instrument: 4711\nDate;17.11.2026\nRate [Hz];10\n\nt;x;F\n", ";", ','},
                    Manner{"comments", "# rig 3\n# t,x,F\n", ","}, Manner{"matlab_comment", "% t x F\n", " "},
                    Manner{"ros", "%time,field.x,field.F\n", ",", '.', "\n", "time,field.x,field.F"},
                    Manner{"separator_at_the_end", "t;x;F;\n", ";", '.', ";\n"}, Manner{"quotes", "\"t\",\"x\",\"F\"\n", ","}),
    [](const auto& manner) { return std::string(manner.param.name); });

TEST_F(LabFile, LinesThatAreNoRowsAreNamedOnce) {
  std::string text = "t,x,F\n";
  for (int k = 0; k < 50; ++k) text += k == 20 || k == 30 ? "overload\n" : std::to_string(k) + ",1,2\n";
  const auto source = read(text);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->table.rows(), 48U);
  EXPECT_NE(source->understood.find("2 lines that are no row of numbers left out, the first is line 22"), std::string::npos)
      << source->understood;
  text = "t,x,F\n";
  for (int k = 0; k < 50; ++k) text += k % 4 == 3 ? "1,2\n" : std::to_string(k) + ",1,2\n";
  EXPECT_FALSE(read(text));
  ASSERT_EQ(problems_.size(), 1U);
  EXPECT_NE(problems_[0].find("12 of 50 rows are not 3 numbers separated by commas; the first is line 5: \"1,2\""),
            std::string::npos)
      << problems_[0];
}

TEST_F(LabFile, TimesOfDayAreSeconds) {
  const auto source = read("t;x\n12:00:00.000;1\n12:00:00.010;2\n12:00:01.020;3\n");
  ASSERT_TRUE(source);
  EXPECT_NEAR(source->table.columns[0].values[2] - source->table.columns[0].values[0], 1.02, 1e-9);
}

TEST_F(LabFile, SeveralBehindEachOther) {
  std::vector<std::string> problems;
  const auto map = read_map("time=t, position=x, force=F", problems);
  const std::string head = "t,x,F\n";
  std::string a = head, b = head;
  for (int k = 0; k < 30; ++k) a += std::to_string(0.01 * k) + ",1,2\n", b += std::to_string(0.01 * k) + ",3,4\n";
  auto first = read_source(write(a, "a.csv"), problems), second = read_source(write(b, "b.csv"), problems);
  ASSERT_TRUE(first && second);
  const auto all = joined({*first, *second}, map, problems);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->table.rows(), 60U);
  EXPECT_GT(all->table.columns[0].values[30], all->table.columns[0].values[29] + 1);
  EXPECT_EQ(all->table.columns[2].values[59], 4);
  auto other = read_source(write("t,y\n0,1\n1,2\n", "c.csv"), problems);
  EXPECT_FALSE(joined({*first, *other}, map, problems));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("must have the columns of"), std::string::npos);
}

// --- the map

Table a_table() {
  Table table;
  table.columns = {{{"t", "s"}, {}}, {{"x", "mm"}, {}}, {{"u", ""}, {}}, {{"w", ""}, {}}};
  for (int i = 0; i < 200; ++i) {
    const double t = 0.01 * i;
    table.columns[0].values.push_back(t);
    table.columns[1].values.push_back(std::sin(3 * t));
    table.columns[2].values.push_back(std::cos(3 * t));
    table.columns[3].values.push_back(2);
  }
  return table;
}
std::optional<Measurement> samples_of(const Table& table, const std::string& map, std::vector<std::string>& problems,
                                      const DataOptions& options = {}) {
  Filter none;
  none.is_on = false;
  const auto channels = read_map(map, problems);
  return problems.empty() ? measured("data.csv", table, channels, none, false, problems, options) : std::nullopt;
}

TEST(Map, TakesNumbersAndExpressions) {
  for (const char* force : {"force=35.15*u", "force=35.15*3", "force=35.15*c3", "force=17.575*u*w", "force=-(0 - u)*35.15",
                            "force=max(u, u)*35.15", "force=35150*(u + 0) [mN]"}) {
    std::vector<std::string> problems;
    const auto data = samples_of(a_table(), std::string("time=1, position=2, ") + force, problems);
    ASSERT_TRUE(data) << force << (problems.empty() ? "" : problems[0]);
    for (std::size_t k = 0; k < 200; ++k) {
      ASSERT_NEAR(data->samples.force[k], 35.15 * std::cos(0.03 * double(k)), 1e-9) << force;
      ASSERT_NEAR(data->samples.position[k], 1e-3 * std::sin(0.03 * double(k)), 1e-12) << force;
    }
  }
  std::vector<std::string> problems;
  EXPECT_FALSE(samples_of(a_table(), "time=t, position=x, force=2*y + u", problems));
  EXPECT_EQ(problems, std::vector<std::string>{"data.csv: no column \"y\" for force; the columns are: t, x, u, w"});
}

TEST(Map, AnglesThatWrapRoundAreUnrolled) {
  Table table = a_table();
  table.columns[1].quantity = {"q", "deg"};
  for (std::size_t k = 0; k < 200; ++k) table.columns[1].values[k] = std::fmod(10.0 * double(k), 360.0);
  std::vector<std::string> problems;
  const auto data = samples_of(table, "time=t, position=q, torque=u", problems);
  ASSERT_TRUE(data) << problems[0];
  EXPECT_NEAR(data->samples.position[199], 1990 * 3.14159265358979 / 180, 1e-9);
  EXPECT_NE(std::find(data->notes.begin(), data->notes.end(), "the angle jumps by a whole turn 5 times: unrolled"),
            data->notes.end());
}

TEST(Map, TermsGoWithTheSamples) {
  std::vector<std::string> problems;
  const auto data = samples_of(a_table(), "time=t, position=x, force=u", problems, {.delay = 0.02, .with = {"q*w", "sign(v)"}});
  ASSERT_TRUE(data) << problems[0];
  ASSERT_EQ(data->samples.terms.size(), 2U);
  for (std::size_t k = 5; k < 150; ++k) {
    ASSERT_NEAR(data->samples.terms[0].values[k], 2 * data->samples.position[k], 1e-15);
    ASSERT_NEAR(data->samples.force[k], std::cos(0.03 * (double(k) + 2)), 1e-9);  // what was recorded two samples later
  }
}

}  // namespace
}  // namespace asperity::identify::lab_file_test
