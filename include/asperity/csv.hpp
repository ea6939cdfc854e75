// Comma- or tab-separated files: cells, and numbers in them.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace asperity {

/// A number and nothing else, in the C locale; nan and inf are numbers here.
std::optional<double> parse_number(std::string_view text);

/// Row after row of a file. Blank lines, lines that start with # and a byte order mark are passed over; cells come without blanks
/// and quotes around them.
class CsvRows {
 public:
  explicit CsvRows(const std::string& path) : file_(path, std::ios::binary) {}

  bool is_open() const { return file_.is_open(); }
  /// Whether a line is longer than any row of a table; nothing is read behind it.
  bool too_long() const noexcept { return text_.size() > longest_line; }
  /// Whether reading stopped before the end of the file.
  bool broke() const { return file_.bad(); }
  bool next();

  const std::vector<std::string_view>& cells() const noexcept { return cells_; }
  /// Whether the row has a byte 0, which no text has: a file of another kind, or UTF-16.
  bool is_binary() const noexcept { return text_.find('\0') != std::string::npos; }
  /// What is wrong with a row that is_binary().
  std::string_view why_binary() const noexcept;
  /// Of the row, counted from 1.
  std::size_t line() const noexcept { return number_; }
  /// Whether the line of the row was ended, as every line is that was written to its end.
  bool ended() const { return !file_.eof(); }

 private:
  static constexpr std::size_t longest_line = std::size_t(1) << 26U;  // bytes
  bool read_line();

  std::ifstream file_;
  std::string text_;
  std::vector<std::string_view> cells_;
  std::size_t number_ = 0;
  char separator_ = 0;
};

/// A broken file has the same mistake on every line: it is said a few times.
class CsvProblems {
 public:
  CsvProblems(std::string path, std::vector<std::string>& problems) : path_(std::move(path)), problems_(problems) {}
  void add(std::size_t line, const std::string& text);
  void add(const std::string& text);
  /// How many there were; the number of those that were left out is said.
  std::size_t close();
  std::size_t count() const noexcept { return count_; }

 private:
  std::string path_;
  std::vector<std::string>& problems_;
  std::size_t count_ = 0;
};

}  // namespace asperity
