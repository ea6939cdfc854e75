// Runs the real program, as a user would.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

struct Answer {
  int exit_code;
  std::string out, err;
};

/// A folder of its own for each test, removed afterwards; the program runs in it.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  /// Words are separated by blanks; 'a b' is one word. `before` is said to the shell first: a limit.
  Answer run(const std::string& command, const std::string& before = "") const {
    return run_program(ASPERITY_PROGRAM, command, before);
  }
  std::string read(const std::string& file) const;
  void write(const std::string& file, const std::string& text) const;
  std::vector<std::string> files() const;

  std::filesystem::path folder_;

 private:
  Answer run_program(const std::string& program, const std::string& command, const std::string& before) const;
};

/// A CSV text as columns by name.
using Table = std::map<std::string, std::vector<double>>;
Table table_of(const std::string& csv);

/// Area inside a path, by the trapezoid rule.
double area(const std::vector<double>& x, const std::vector<double>& y, std::size_t begin, std::size_t end);
