#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <ostream>

#include "asperity/trace.hpp"

namespace asperity {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    cells.push_back(trimmed(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return cells;
    begin = comma + 1;
  }
}

/// A broken file has the same mistake on every line: say it a few times.
constexpr std::size_t most_problems = 10;

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void write_csv(std::ostream& out, const Trace& trace) {
  fmt::memory_buffer text;
  const auto flush = [&] {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  const auto line = [&](auto cell) {
    for (std::size_t i = 0; i < trace.columns.size(); ++i)
      fmt::format_to(std::back_inserter(text), "{}{}", i ? "," : "", cell(trace.columns[i]));
    text.push_back('\n');
    if (text.size() > (1U << 16U)) flush();
  };
  line([](const Column& column) -> const std::string& { return column.name; });
  for (std::size_t row = 0; row < trace.rows() && out; ++row) line([&](const Column& column) { return column.values[row]; });
  flush();
}

std::optional<MotionFile> read_motion(const std::string& path, const std::vector<std::string>& wanted, Problems& problems) {
  std::ifstream file(path);
  if (!file) {
    problems.push_back(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  MotionFile motion;
  std::size_t found = 0, number = 0, header_size = 0, t_cell = 0, last_number = 0;
  std::vector<std::size_t> cell_of;
  const auto report = [&](std::string text) {
    if (++found <= most_problems) problems.push_back(fmt::format("{}:{}: {}", path, number, text));
  };
  std::string line;
  while (std::getline(file, line)) {
    ++number;
    std::string_view text = line;
    if (number == 1 && text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // byte order mark
    if (trimmed(text).empty() || trimmed(text).front() == '#') continue;
    const auto cells = cells_of(text);
    if (header_size == 0) {
      header_size = cells.size();
      motion.header.assign(cells.begin(), cells.end());
      t_cell = header_size;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == "t") t_cell = i;
        if (std::find(wanted.begin(), wanted.end(), cells[i]) == wanted.end()) continue;
        if (motion.find(cells[i])) {
          report(fmt::format("two columns \"{}\"", cells[i]));
          continue;
        }
        motion.columns.push_back({std::string(cells[i]), cells[i].ends_with("_rate") || cells[i] == "velocity" ? "m/s" : "m", {}});
        cell_of.push_back(i);
      }
      if (t_cell == header_size) {
        report(fmt::format("no column \"t\"; the columns are: {}", fmt::join(cells, ", ")));
        return std::nullopt;
      }
      continue;
    }
    if (cells.size() != header_size) {
      report(fmt::format("{} values: must be {}, one for each column", cells.size(), header_size));
      continue;
    }
    const auto take = [&](std::string_view name, std::string_view cell) -> double {
      const auto value = parse_number(cell);
      if (!value) {
        report(fmt::format("{} = \"{}\": must be a number", name, cell));
      } else if (!std::isfinite(*value)) {
        report(fmt::format("{} = {}: must be a finite number", name, cell));
      }
      return value.value_or(0);
    };
    const double t = take("t", cells[t_cell]);
    if (!motion.t.empty() && t <= motion.t.back())
      report(fmt::format("t = {:g} s: must be > {:g} s, the time on line {}", t, motion.t.back(), last_number));
    motion.t.push_back(t);
    last_number = number;
    for (std::size_t i = 0; i < cell_of.size(); ++i)
      motion.columns[i].values.push_back(take(motion.columns[i].name, cells[cell_of[i]]));
  }
  if (file.bad()) report("cannot read on");
  if (header_size == 0) problems.push_back(fmt::format("{}: empty: must have a header and rows of numbers", path)), ++found;
  else if (motion.t.size() < 2 && found == 0)
    problems.push_back(fmt::format("{}: {} rows of numbers: must be >= 2", path, motion.t.size())), ++found;
  if (found > most_problems) problems.push_back(fmt::format("{}: {} more problems", path, found - most_problems));
  if (found > 0) return std::nullopt;
  return motion;
}

}  // namespace asperity
