#include "cli/program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace fs = std::filesystem;

ProgramTest::ProgramTest() {
  static std::atomic<int> number = 0;
  folder_ = fs::temp_directory_path() / ("asperity_cli_" + std::to_string(getpid()) + "_" + std::to_string(number++));
  fs::create_directories(folder_ / "work");
}

ProgramTest::~ProgramTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Answer ProgramTest::run_program(const std::string& program, const std::string& command, const std::string& before) const {
  const auto path = [&](const char* name) { return (folder_ / name).string(); };
  const std::string line = "cd '" + path("work") + "' && " + before + "'" + program + "' " + command + " > '" + path("out") +
                           "' 2> '" + path("err") + "'";
  const int status = std::system(line.c_str());
  const auto text = [&](const char* name) {
    std::ifstream file(folder_ / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text("out"), text("err")};
}

std::string ProgramTest::read(const std::string& file) const {
  std::ifstream stream(folder_ / "work" / file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

void ProgramTest::write(const std::string& file, const std::string& text) const {
  std::ofstream(folder_ / "work" / file, std::ios::binary) << text;
}

std::vector<std::string> ProgramTest::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "work")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Table table_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line, cell;
  std::getline(lines, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  Table table;
  while (std::getline(lines, line)) {
    std::size_t i = 0;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) table[names.at(i++)].push_back(std::stod(cell));
    EXPECT_EQ(i, names.size()) << line;
  }
  return table;
}

double area(const std::vector<double>& x, const std::vector<double>& y, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin + 1; i <= end; ++i) sum += 0.5 * (y[i] + y[i - 1]) * (x[i] - x[i - 1]);
  return sum;
}
