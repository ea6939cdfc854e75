#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <ostream>

#include "asperity/trace.hpp"

namespace asperity {

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
  CsvRows rows(path);
  if (!rows.is_open()) {
    problems.push_back(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  MotionFile motion;
  CsvProblems found(path, problems);
  std::size_t header_size = 0, t_cell = 0, last_line = 0;
  std::vector<std::size_t> cell_of;
  const auto report = [&](const std::string& text) { found.add(rows.line(), text); };
  while (rows.next()) {
    const auto& cells = rows.cells();
    if (rows.is_binary()) {
      report(std::string(rows.why_binary()));
      break;
    }
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
      report(fmt::format("t = {:g} s: must be > {:g} s, the time on line {}", t, motion.t.back(), last_line));
    motion.t.push_back(t);
    last_line = rows.line();
    for (std::size_t i = 0; i < cell_of.size(); ++i)
      motion.columns[i].values.push_back(take(motion.columns[i].name, cells[cell_of[i]]));
  }
  if (rows.too_long()) report("followed by a line of more than 64 MB: must be a table, one row per line");
  if (rows.broke()) report("cannot read on");
  if (header_size == 0 && found.count() == 0) found.add("empty: must have a header and rows of numbers");
  else if (motion.t.size() < 2 && found.count() == 0) found.add(fmt::format("{} rows of numbers: must be >= 2", motion.t.size()));
  if (found.close() > 0) return std::nullopt;
  return motion;
}

}  // namespace asperity
