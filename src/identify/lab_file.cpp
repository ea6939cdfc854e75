// Tables of numbers as instruments write them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "asperity/csv.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/identify/data.hpp"
#include "asperity/identify/signal.hpp"
#include "asperity/utf8.hpp"

namespace asperity::identify {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\"'";
  while (!text.empty() && blanks.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && blanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

/// How the cells of a line are told apart, and what stands between whole and part. A blank stands for any number of them.
struct Manner {
  char separator = ',', decimal = '.';

  std::vector<std::string_view> cells(std::string_view line) const {
    std::vector<std::string_view> list;
    if (separator == ' ') {
      constexpr std::string_view blanks = " \t";
      for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.size(), line.find_first_of(blanks, at));
        list.push_back(without_blanks(line.substr(at, end - at)));
        at = line.find_first_not_of(blanks, end);
      }
      return list;
    }
    for (;;) {
      const std::size_t end = line.find(separator);
      list.push_back(without_blanks(line.substr(0, end)));
      if (end == std::string_view::npos) break;
      line.remove_prefix(end + 1);
    }
    while (list.size() > 1 && list.back().empty()) list.pop_back();  // lines that end with a separator
    return list;
  }

  /// A cell that is empty is no number; nothing if it is something else.
  std::optional<double> number(std::string_view cell) const {
    if (cell.empty()) return no_number;
    if (const auto clock = seconds(cell)) return clock;
    if (decimal == '.') return parse_number(cell);
    if (cell.find('.') != std::string_view::npos) return std::nullopt;
    std::string text(cell);
    std::replace(text.begin(), text.end(), ',', '.');
    return parse_number(text);
  }

  std::string words() const {
    return fmt::format("separated by {}{}",
                       separator == ' '    ? "blanks"
                       : separator == '\t' ? "tabs"
                       : separator == ';'  ? "semicolons"
                                           : "commas",
                       decimal == ',' ? ", decimal comma" : "");
  }

 private:
  /// "12:34:56.789", and behind a date: s since midnight.
  std::optional<double> seconds(std::string_view cell) const {
    if (std::count(cell.begin(), cell.end(), ':') != 2) return std::nullopt;
    if (const std::size_t date = cell.find_first_of("T "); date != std::string_view::npos) cell.remove_prefix(date + 1);
    if (cell.ends_with('Z')) cell.remove_suffix(1);
    double sum = 0;
    for (int part = 0; part < 3; ++part) {
      const std::size_t end = std::min(cell.size(), cell.find(':'));
      std::string text(cell.substr(0, end));
      std::replace(text.begin(), text.end(), ',', '.');
      const auto value = parse_number(text);
      if (!value) return std::nullopt;
      sum = 60 * sum + *value;
      cell.remove_prefix(std::min(cell.size(), end + 1));
    }
    return sum;
  }
};

struct FileLines {
  std::string text;
  std::vector<std::string_view> all;  // blank ones, too: they are counted
};

FileLines lines_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  FileLines lines{{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}, {}};
  std::string_view rest = lines.text;
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.all.push_back(line);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return lines;
}

bool is_blank(std::string_view line) { return without_blanks(line).empty(); }

/// The numbers of a line, if it has nothing else and one number at least.
std::optional<std::vector<double>> numbers_of(std::string_view line, const Manner& manner) {
  std::vector<double> row;
  bool has_number = false;
  for (const std::string_view cell : manner.cells(line)) {
    const auto value = manner.number(cell);
    if (!value) return std::nullopt;
    has_number = has_number || !cell.empty();
    row.push_back(*value);
  }
  if (!has_number) return std::nullopt;
  return row;
}

/// "force [N]", "force (N)": a name and a unit that there is.
Quantity quantity_in(std::string_view cell) {
  cell = without_blanks(cell);
  for (const auto& [open, close] : {std::pair('[', ']'), std::pair('(', ')')}) {
    const std::size_t at = cell.rfind(open);
    if (at == std::string_view::npos || at == 0 || !cell.ends_with(close)) continue;
    return {std::string(without_blanks(cell.substr(0, at))),
            std::string(without_blanks(cell.substr(at + 1, cell.size() - at - 2)))};
  }
  return {std::string(cell), ""};
}

/// "[mm]", "(N)" or "mm" is a unit.
std::optional<std::string> unit_in(std::string_view cell) {
  cell = without_blanks(cell);
  if (cell.size() > 2 && ((cell.front() == '[' && cell.back() == ']') || (cell.front() == '(' && cell.back() == ')')))
    cell = without_blanks(cell.substr(1, cell.size() - 2));
  if (cell.empty() || cell == "-" || cell == "1") return std::string();
  std::string why;
  // Any wanted unit will do: what is no unit at all is said in other words than what is of another kind.
  if (read_quantity("1 " + std::string(cell), "s", why) || why.starts_with("is ")) return std::string(cell);
  return std::nullopt;
}

class LabFile {
 public:
  LabFile(std::string path, std::vector<std::string>& problems)
      : path_(std::move(path)), problems_(problems), lines_(lines_of(path_)) {}

  std::optional<Source> read() {
    if (lines_.text.find('\0') != std::string::npos || !find_manner()) return std::nullopt;
    Source source;
    source.name = path_;
    read_head(source.table);
    if (!read_rows(source)) return std::nullopt;
    return source;
  }

 private:
  /// The manner in which most lines are rows of numbers, and rows have most columns.
  bool find_manner() {
    constexpr std::array<Manner, 7> manners{Manner{'\t', '.'}, {'\t', ','}, {';', '.'}, {';', ','},
                                            {',', '.'},        {' ', '.'},  {' ', ','}};
    std::size_t most = 0;
    const std::size_t every = std::max<std::size_t>(1, lines_.all.size() / 400);
    for (const Manner& manner : manners) {
      std::vector<std::size_t> widths;
      for (std::size_t i = 0; i < lines_.all.size(); i += every)
        if (const auto row = is_blank(lines_.all[i]) ? std::nullopt : numbers_of(lines_.all[i], manner))
          widths.push_back(row->size());
      if (widths.empty()) continue;
      std::vector<std::size_t> sorted = widths;
      std::sort(sorted.begin(), sorted.end());
      const std::size_t width = sorted[sorted.size() / 2];
      const auto alike = static_cast<std::size_t>(std::count(widths.begin(), widths.end(), width));
      // Two columns at least: a time and something else.
      if (width < 2 || alike * 1000 + width <= most) continue;
      most = alike * 1000 + width, manner_ = manner, width_ = width;
    }
    if (most == 0) return false;
    for (first_ = 0; first_ < lines_.all.size(); ++first_)
      if (const auto row = numbers_of(lines_.all[first_], manner_); row && row->size() == width_) return true;
    return false;
  }

  /// Names, and units in them or below them, in the lines just above the first row of numbers.
  void read_head(Table& table) {
    std::vector<std::vector<std::string>> above;  // the nearest first
    for (std::size_t i = first_; i-- > 0 && above.size() < 2;) {
      std::string_view line = lines_.all[i];
      if (is_blank(line)) continue;
      while (!line.empty() && (line.front() == '#' || line.front() == '%')) line.remove_prefix(1);
      const auto cells = manner_.cells(line);
      if (cells.size() != width_) break;
      above.emplace_back(cells.begin(), cells.end());
    }
    std::vector<std::string> units(width_);
    if (above.size() == 2) {
      bool are_units = true;
      for (std::size_t c = 0; c < width_; ++c) {
        const auto unit = unit_in(above[0][c]);
        are_units = are_units && unit;
        if (unit) units[c] = *unit;
      }
      if (are_units) above.erase(above.begin()), units_are_ = ", units below the names";
      else std::fill(units.begin(), units.end(), "");
    }
    has_names_ = !above.empty();
    for (std::size_t c = 0; c < width_; ++c) {
      Quantity quantity = has_names_ ? quantity_in(to_utf8(above[0][c])) : Quantity{};
      if (quantity.name.empty()) quantity.name = fmt::format("c{}", c + 1);
      if (quantity.unit.empty()) quantity.unit = units[c];
      else units_are_ = ", units in the header";
      if (table.find(quantity.name)) quantity.name += fmt::format("_{}", c + 1);
      table.columns.push_back({quantity, {}});
    }
  }

  bool read_rows(Source& source) {
    std::size_t left_out = 0, line = 0, rows = 0;
    for (std::size_t i = first_; i < lines_.all.size(); ++i) {
      const std::string_view text = lines_.all[i];
      if (is_blank(text) || without_blanks(text).front() == '#') continue;
      const auto row = numbers_of(text, manner_);
      if (!row || row->size() != width_) {
        if (i + 1 == lines_.all.size()) break;  // cut off
        if (left_out++ == 0) line = i + 1;
        continue;
      }
      ++rows;
      for (std::size_t c = 0; c < width_; ++c) source.table.columns[c].values.push_back((*row)[c]);
    }
    if (left_out * 10 > rows) {
      const std::string_view text = lines_.all[line - 1];
      problems_.push_back(fmt::format("{}: {} of {} rows are not {} numbers {}; the first is line {}: \"{}\"", path_, left_out,
                                      rows + left_out, width_, manner_.words(), line, to_utf8(text.substr(0, 60))));
      return false;
    }
    source.understood = fmt::format("{}: {} rows of {} columns {}{}{}{}", path_.substr(path_.find_last_of('/') + 1), rows, width_,
                                    manner_.words(), has_names_ ? "" : ", no header: they are c1, c2 and so on", units_are_,
                                    first_ > 2 ? fmt::format(", numbers from line {} on", first_ + 1) : "");
    if (left_out > 0)
      source.understood += fmt::format("; {} {} that {} no row of numbers left out, the first is line {}", left_out,
                                       left_out == 1 ? "line" : "lines", left_out == 1 ? "is" : "are", line);
    return true;
  }

  std::string path_;
  std::vector<std::string>& problems_;
  FileLines lines_;
  Manner manner_;
  std::size_t width_ = 0, first_ = 0;
  bool has_names_ = false;
  std::string units_are_;
};

bool is_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(4096, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return !start.empty() && start.find('\0') == std::string::npos;
}

}  // namespace

std::optional<Source> read_source(const std::string& path, std::vector<std::string>& problems) {
  const std::size_t before = problems.size();
  if (is_text(path)) {
    if (auto source = LabFile(path, problems).read()) return source;
    if (problems.size() > before) return std::nullopt;
  }
  auto table = read_table(path, problems);
  if (!table) return std::nullopt;
  return Source{path, std::move(*table), ""};
}

std::optional<Source> joined(std::vector<Source> sources, const std::vector<Channel>& map, std::vector<std::string>& problems) {
  if (sources.empty()) return std::nullopt;
  Source all = std::move(sources.front());
  const auto time = std::find_if(map.begin(), map.end(), [](const Channel& c) { return c.what == "time"; });
  const auto place = [&](const Table& table) -> std::size_t {
    for (std::size_t c = 0; time != map.end() && c < table.columns.size(); ++c)
      if (table.columns[c].quantity.name == time->column || std::to_string(c + 1) == time->column) return c;
    return table.columns.size();
  };
  std::vector<std::size_t> begins{0};
  for (std::size_t i = 1; i < sources.size(); ++i) {
    const Source& next = sources[i];
    const std::size_t at = place(all.table);
    bool same = next.table.columns.size() == all.table.columns.size() && at < all.table.columns.size();
    for (std::size_t c = 0; same && c < all.table.columns.size(); ++c)
      same = next.table.columns[c].quantity.name == all.table.columns[c].quantity.name &&
             next.table.columns[c].quantity.unit == all.table.columns[c].quantity.unit;
    if (!same) {
      problems.push_back(fmt::format("{}: must have the columns of {}, one of which is the time", next.name, all.name));
      return std::nullopt;
    }
    if (next.table.rows() < 2 || all.table.rows() < 2) continue;
    // Behind the others, with a gap that nothing is taken across.
    std::vector<double>& t = all.table.columns[at].values;
    const std::vector<double>& later = next.table.columns[at].values;
    const double shift = t.back() - later.front() + 1000 * std::abs(t[1] - t[0]);
    for (std::size_t c = 0; c < all.table.columns.size(); ++c)
      for (const double value : next.table.columns[c].values)
        all.table.columns[c].values.push_back(c == at ? value + shift : value);
    all.understood += (all.understood.empty() ? "" : "; ") + next.understood;
    all.files.push_back(next.name);
    begins.push_back(all.table.rows() - next.table.rows());
  }
  begins.push_back(all.table.rows());
  // What differs from file to file can be a term: file_2 is 1 in the second file and 0 elsewhere.
  for (std::size_t i = 0; begins.size() > 2 && i + 1 < begins.size(); ++i) {
    std::vector<double> values(all.table.rows(), 0.0);
    std::fill(values.begin() + std::ptrdiff_t(begins[i]), values.begin() + std::ptrdiff_t(begins[i + 1]), 1.0);
    all.table.columns.push_back({{fmt::format("file_{}", i + 1), "1"}, std::move(values)});
  }
  return all;
}

}  // namespace asperity::identify
