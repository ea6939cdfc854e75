// Files of rows, read back: what a sink wrote, what others wrote, what was cut.
#include "asperity/run/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "run/worlds.hpp"

namespace asperity::table_test {
namespace {

namespace fs = std::filesystem;

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

Table read(const std::string& path) {
  std::vector<std::string> problems;
  auto table = read_table(path, problems);
  EXPECT_TRUE(table && problems.empty()) << (problems.empty() ? "" : problems.front());
  return table ? *table : Table{};
}
std::vector<std::string> problems_of(const std::string& path) {
  std::vector<std::string> problems;
  EXPECT_FALSE(read_table(path, problems));
  for (std::string& problem : problems) problem = problem.substr(problem.rfind('/') + 1);
  return problems;
}

/// Numbers that are easily lost on the way.
double awkward(std::uint64_t row, std::size_t column) {
  const double values[]{0.1, -1e-310, 1e300, std::nextafter(1.0, 2.0), -0.0, std::numeric_limits<double>::infinity()};
  return column == 0 ? double(row) / 3 : values[(row + column) % 6];
}
const std::vector<Quantity> columns{{"time", "s"}, {"block.position.x", "m"}, {"floor.a[2]", "N s/m"}, {"aa", "1"}};

void put(Sink& sink, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t row = from; row < to; ++row) {
    std::vector<double> values;
    for (std::size_t c = 0; c < columns.size(); ++c) values.push_back(awkward(row, c));
    sink.row(values);
  }
}
void expect_rows(const Table& table, std::uint64_t rows, bool units) {
  ASSERT_EQ(table.columns.size(), columns.size());
  ASSERT_EQ(table.rows(), rows);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    EXPECT_EQ(table.columns[c].quantity.name, columns[c].name);  // in their order
    EXPECT_EQ(table.columns[c].quantity.unit, units ? columns[c].unit : "");
    for (std::uint64_t row = 0; row < rows; ++row) {
      EXPECT_EQ(table.columns[c].values[row], awkward(row, c));
      EXPECT_EQ(std::signbit(table.columns[c].values[row]), std::signbit(awkward(row, c)));
    }
  }
}

class Format : public ::testing::TestWithParam<const char*> {
 protected:
  Format() : path(testing::file(std::string("rows.") + GetParam())) {}
  ~Format() override {
    for (const char* more : {"", ".rows", ".new", ".rows.new", ".target"}) fs::remove(path + more);
  }
  bool hdf5() const { return std::string(GetParam()) == "h5"; }
  std::shared_ptr<Sink> sink() const {
    return hdf5() ? make_hdf5_sink(path, "title", "scene.toml") : std::make_shared<CsvSink>(path, 7);
  }
  void SetUp() override {
    if (hdf5() && !has_hdf5()) GTEST_SKIP();
  }
  std::string path;
};
INSTANTIATE_TEST_SUITE_P(Of, Format, ::testing::Values("csv", "h5"));

// More than a chunk, and not a multiple of one.
TEST_P(Format, ReadsBackToItself) {
  const auto rows = sink();
  rows->start(columns, 0);
  put(*rows, 0, 2500);
  rows->close();
  expect_rows(read(path), 2500, hdf5());
}

// While it is written, and after a program was killed: up to the last flush.
TEST_P(Format, CanBeReadBeforeItIsClosed) {
  const auto rows = sink();
  rows->start(columns, 0);
  put(*rows, 0, 100);
  rows->flush();
  put(*rows, 100, 103);
  expect_rows(read(path), 100, hdf5());
}

// Goes on from fewer rows than there are, whether the file was closed or not; then from none.
TEST_P(Format, GoesOn) {
  for (const bool closed : {false, true}) {
    {
      const auto rows = sink();
      rows->start(columns, 0);
      put(*rows, 0, 1500);
      closed ? rows->close() : rows->flush();
    }
    const auto rows = sink();
    rows->start(columns, 1100);
    put(*rows, 1100, 1300);
    rows->close();
    expect_rows(read(path), 1300, hdf5());
  }
  const auto more = sink();
  EXPECT_THROW(more->start(columns, 1301), std::runtime_error);
  const auto other = sink();
  EXPECT_THROW(other->start({columns[0], columns[1]}, 10), std::runtime_error);
  expect_rows(read(path), 1300, hdf5());
}

TEST_P(Format, MayBeMovedWhileItIsWritten) {
  const std::string before = path + ".before";
  const auto rows = hdf5() ? make_hdf5_sink(before, "", "") : std::make_shared<CsvSink>(before);
  rows->start(columns, 0);
  const std::string growing = hdf5() ? ".rows" : "";
  fs::rename(before + growing, path + growing);
  rows->moved_to(path);
  put(*rows, 0, 10);
  rows->close();
  expect_rows(read(path), 10, hdf5());
}

// A run goes on only from the rows that it wrote.
TEST_P(Format, KnowsItsRows) {
  std::uint64_t of_1000 = 0;
  {
    const auto rows = sink();
    rows->start(columns, 0);
    put(*rows, 0, 1000);
    rows->flush();
    of_1000 = rows->checksum();
    put(*rows, 1000, 1500);
    rows->flush();
    EXPECT_NE(rows->checksum(), of_1000);
    rows->close();
  }
  EXPECT_NO_THROW(sink()->check(columns, 1000, of_1000));
  EXPECT_THROW(sink()->check(columns, 999, of_1000), std::runtime_error);
  EXPECT_THROW(sink()->check(columns, 1501, of_1000), std::runtime_error);
  EXPECT_THROW(sink()->check({columns[0], columns[1]}, 1000, of_1000), std::runtime_error);
  expect_rows(read(path), 1500, hdf5());  // looking changes nothing
  EXPECT_FALSE(fs::exists(path + ".rows"));
  // The checksum goes on where the rows do.
  const auto more = sink();
  more->start(columns, 1000);
  EXPECT_EQ(more->checksum(), of_1000);
  more->close();
  // Rows that were changed, doubled or left out.
  for (const int way : {0, 1, 2}) {
    const auto other = sink();
    other->start(columns, 0);
    put(*other, 0, 500);
    if (way == 0) put(*other, 501, 502);
    if (way != 2) put(*other, 499, 500);
    put(*other, 501, 1001);
    other->close();
    EXPECT_THROW(sink()->check(columns, 1000, of_1000), std::runtime_error) << way;
  }
}

// A link in the place of a file would have a run write somewhere else.
TEST_P(Format, DoesNotFollowLinks) {
  const std::string waiting = hdf5() ? path + ".rows" : path, target = path + ".target";
  {
    const auto rows = sink();
    rows->start(columns, 0);
    put(*rows, 0, 10);
    rows->flush();
  }
  fs::rename(waiting, target);
  fs::create_symlink(target, waiting);
  std::ifstream file(target, std::ios::binary);
  const std::string before((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THROW(sink()->start(columns, 5), std::runtime_error);
  EXPECT_THROW(sink()->start(columns, 0), std::runtime_error);
  std::ifstream again(target, std::ios::binary);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(again)), {}), before);
}

// Whatever byte was damaged or cut: a message, never a crash in the library. With its checksum every damage is noticed; a file
// without one (of another program) may be read, or not.
TEST(DamagedHdf5, IsAMessage) {
  if (!has_hdf5()) GTEST_SKIP();
  const std::string path = testing::file("damaged.h5");
  const auto rows = make_hdf5_sink(path, "title", "scene.toml");
  rows->start(columns, 0);
  put(*rows, 0, 60);
  rows->close();
  std::ifstream file(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  const std::size_t without = whole.rfind("\nasperity checksum ");
  ASSERT_LT(without, whole.size());
  const auto damaged = [&](const std::string& bytes) {
    write(path, bytes);
    std::vector<std::string> problems;
    const bool read = read_table(path, problems).has_value();
    EXPECT_NE(read, !problems.empty());
    for (const std::string& problem : problems) EXPECT_TRUE(problem.starts_with(path)) << problem;
    return !read;
  };
  EXPECT_FALSE(damaged(whole));
  EXPECT_FALSE(damaged(whole.substr(0, without)));  // as of another program
  const std::size_t stride = whole.size() / 300 + 1;
  for (std::size_t at = 8; at < without; at += stride) {
    std::string flipped = whole;
    flipped[at] = char(flipped[at] ^ (at % 2 ? 0xFF : 1 << at % 7));
    EXPECT_TRUE(damaged(flipped)) << at;
    damaged(flipped.substr(0, without));
    if (at % 3 == 0) damaged(whole.substr(0, at));
  }
  fs::remove(path);
}

// Of very many rows a picture needs those where something is lowest or highest.
TEST(ToDraw, KeepsPeaksAndEnds) {
  for (const char* format : {"csv", "h5", "h5.rows"}) {
    const bool waiting = std::string(format) == "h5.rows";
    if (std::string(format) != "csv" && !has_hdf5()) continue;
    const std::string path = testing::file(std::string("large.") + (waiting ? "h5" : format));
    const std::vector<Quantity> few{{"time", "s"}, {"x", "m"}, {"flat", "1"}};
    const std::uint64_t rows = 20000, peak = 7777, dip = 7778;
    std::shared_ptr<Sink> sink = std::make_shared<CsvSink>(path);
    if (std::string(format) != "csv") sink = make_hdf5_sink(path, "", "");
    sink->start(few, 0);
    for (std::uint64_t i = 0; i < rows; ++i) {
      const double t = double(i) / 1000;
      sink->row(std::vector<double>{t, i == peak ? 9.0 : i == dip ? -9.0 : std::sin(t), i < 100 ? std::nan("") : 1.0});
    }
    waiting ? sink->flush() : sink->close();
    std::vector<std::string> problems;
    const auto table = read_table_to_draw(path, problems, 6000);
    ASSERT_TRUE(table) << problems.front();
    EXPECT_EQ(table->recorded, rows);
    EXPECT_LE(table->rows() * 3, 6600U);
    EXPECT_GT(table->rows(), 150U);
    const std::vector<double>&time = table->columns[0].values, &x = table->columns[1].values;
    EXPECT_EQ(time.front(), 0);
    EXPECT_EQ(time.back(), double(rows - 1) / 1000);
    EXPECT_TRUE(std::is_sorted(time.begin(), time.end()));
    const auto high = std::max_element(x.begin(), x.end()), low = std::min_element(x.begin(), x.end());
    EXPECT_EQ(time[std::size_t(high - x.begin())], double(peak) / 1000);  // rows are not mixed
    EXPECT_EQ(time[std::size_t(low - x.begin())], double(dip) / 1000);
    // All of them if they fit.
    const auto all = read_table_to_draw(path, problems, rows * 3);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->rows(), rows);
    for (const char* more : {"", ".rows"}) fs::remove(path + more);
  }
}

// Every cut of a run's file is a file with fewer rows.
TEST(CutFiles, LoseTheirLastRowOnly) {
  const std::string folder = testing::file("cut"), path = folder + "/data.csv";
  fs::create_directory(folder);
  write(folder + "/summary.json", R"({"asperity": "0", "columns": [{"name": "x", "unit": "mm"}]})");
  const std::string text = "time,x\n0,1.25\n0.5,2.25\n1,3.25\n";
  for (std::size_t size = 7; size <= text.size(); ++size) {
    write(path, text.substr(0, size));
    const Table table = read(path);
    EXPECT_EQ(table.rows(), std::size_t(std::count(text.begin(), text.begin() + std::ptrdiff_t(size), '\n')) - 1) << size;
    for (std::size_t i = 0; i < table.rows(); ++i) EXPECT_EQ(table.find("x")->values[i], double(i) + 1.25);
    EXPECT_EQ(table.find("x")->quantity.unit, "mm");
  }
  fs::remove_all(folder);
}

TEST(CsvOfOthers, UnitsCommentsAndTheLastLine) {
  const std::string path = testing::file("other.csv");
  write(path, "\xEF\xBB\xBF# measured\n\"t [s]\", pull [kN] ,plain\r\n0, 1 ,+2\r\n\n1,nan,3");
  const Table table = read(path);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].quantity.name, "t");
  EXPECT_EQ(table.columns[1].quantity.unit, "kN");
  EXPECT_EQ(table.columns[2].quantity.unit, "");
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.find("plain")->values, (std::vector<double>{2, 3}));
  EXPECT_EQ(table.find("pul"), nullptr);
  fs::remove(path);
}

// Instruments write Latin-1; names are UTF-8 from here on. UTF-16 is told by its zeros.
TEST(CsvOfOthers, OtherEncodings) {
  const std::string path = testing::file("latin.csv"), name = path.substr(path.rfind('/') + 1);
  write(path,
        "t,Weg [\xB5m],Kr\xE4"
        "fte\n0,1,2\n");
  const Table table = read(path);
  EXPECT_EQ(table.columns[1].quantity.unit, "\u00B5m");
  EXPECT_NE(table.find("Kr\u00E4fte"), nullptr);
  write(path, std::string("\xFF\xFEt\0,\0x\0\n\0", 10));
  EXPECT_EQ(problems_of(path),
            (std::vector<std::string>{name + ":1: a byte 0: must be text; a table saved as UTF-16 has to be saved as UTF-8"}));
  for (const std::string& other :
       {std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), std::string("t,x\n1,\0\n", 9), std::string(4096, '\0')}) {
    write(path, other);
    std::string all;
    for (const std::string& problem : problems_of(path)) all += problem + "\n";
    EXPECT_NE(all.find("a file of another kind, or a damaged one"), std::string::npos) << all;
  }
  fs::remove(path);
  // The header of an HDF5 file, damaged in its first bytes.
  for (const std::string& header : {std::string("\x00HDF\r\n\x1a\n\0\0", 10), std::string("\x89xDF\r\n\x1a\n\0\0", 10)}) {
    const std::string damaged = testing::file("damaged.h5");
    write(damaged, header);
    EXPECT_EQ(problems_of(damaged), (std::vector<std::string>{damaged.substr(damaged.rfind('/') + 1) +
                                                              ": damaged: it does not begin as an HDF5 file does"}));
    fs::remove(damaged);
  }
  fs::create_directory(path);
  EXPECT_EQ(problems_of(path), (std::vector<std::string>{name + ": cannot read: is a folder"}));
  fs::remove(path);
}

TEST(CsvOfOthers, ProblemsNameTheLine) {
  const std::string path = testing::file("bad.csv"), name = path.substr(path.rfind('/') + 1);
  write(path, "t,x,t\n0,one,2\n1,2\n2,3,4\n");
  EXPECT_EQ(problems_of(path), (std::vector<std::string>{name + ":1: two columns \"t\"", name + ":2: x = \"one\": must be a number",
                                                         name + ":3: 2 values: must be 3, one for each column"}));
  write(path, "");
  EXPECT_EQ(problems_of(path), (std::vector<std::string>{name + ": empty: must have a header and rows of numbers"}));
  write(
      path, "t\n" + [] {
        std::string lines;
        for (int i = 0; i < 25; ++i) lines += "x\n";
        return lines;
      }());
  EXPECT_EQ(problems_of(path).size(), 11U);
  EXPECT_EQ(problems_of(path).back(), name + ": 15 more problems");
  if (has_hdf5()) {
    write(path, "\x89HDF\r\n\x1a\n and no more");
    EXPECT_EQ(problems_of(path), (std::vector<std::string>{name + ": cannot read: not a whole HDF5 file"}));
  }
  fs::remove(path);
  EXPECT_EQ(problems_of(path), (std::vector<std::string>{name + ": cannot read: No such file or directory"}));
}

}  // namespace
}  // namespace asperity::table_test
