#include "asperity/run/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "asperity/csv.hpp"
#include "asperity/utf8.hpp"
#include "file.hpp"
#include "gather.hpp"
#include "hdf5.hpp"
#include "rows.hpp"

namespace asperity {
namespace {

namespace fs = std::filesystem;

/// Of the columns of a run, from the facts beside its data; nothing if these are not there.
std::optional<std::map<std::string, std::string, std::less<>>> units_beside(const std::string& path) {
  std::ifstream file(fs::path(path).parent_path() / "summary.json");
  const auto facts = nlohmann::json::parse(file, nullptr, false);
  if (!facts.is_object() || !facts.contains("asperity")) return std::nullopt;
  std::map<std::string, std::string, std::less<>> units;
  if (const auto columns = facts.find("columns"); columns != facts.end() && columns->is_array())
    for (const auto& column : *columns)
      if (column.is_object()) units[column.value("name", "")] = column.value("unit", "");
  return units;
}

/// "force [N]"
Quantity quantity_of(std::string_view cell) {
  const std::size_t open = cell.rfind(" [");
  if (open == std::string_view::npos || !cell.ends_with(']')) return {std::string(cell), ""};
  return {std::string(cell.substr(0, open)), std::string(cell.substr(open + 2, cell.size() - open - 3))};
}

/// Rows below a header, or a few more: blank lines and comments count, too.
std::uint64_t rows_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(1U << 20U);
  std::uint64_t lines = 0;
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
    lines += static_cast<std::uint64_t>(std::count(block.begin(), block.begin() + file.gcount(), '\n'));
  return std::max<std::uint64_t>(lines, 1) - 1;
}

std::optional<Table> read_csv(const std::string& path, std::uint64_t most_numbers, std::vector<std::string>& problems) {
  CsvRows rows(path);
  const auto units = units_beside(path);
  CsvProblems found(path, problems);
  detail::Gather gather(most_numbers);
  std::vector<Quantity> columns;
  std::unordered_set<std::string> names;
  std::vector<double> values;
  while (rows.next()) {
    const auto& cells = rows.cells();
    if (rows.is_binary()) {
      found.add(rows.line(), std::string(rows.why_binary()));
      break;
    }
    if (columns.empty()) {
      for (const std::string_view cell : cells) {
        Quantity quantity = quantity_of(to_utf8(cell));
        if (units && quantity.unit.empty())
          if (const auto unit = units->find(quantity.name); unit != units->end()) quantity.unit = unit->second;
        if (!names.insert(quantity.name).second) found.add(rows.line(), fmt::format("two columns \"{}\"", quantity.name));
        columns.push_back(std::move(quantity));
      }
      std::error_code error;
      // A number and its separator are two bytes at least.
      const std::uintmax_t size = fs::file_size(path, error);
      gather.start(columns, !error && size / 2 > most_numbers ? rows_in(path) : 0);
      continue;
    }
    values.clear();
    for (const std::string_view cell : cells)
      if (const auto value = parse_number(cell)) values.push_back(*value);
    const bool whole = cells.size() == columns.size() && values.size() == cells.size();
    // A run ends every line. Elsewhere the last one may lack its end and be whole, or be cut.
    if (!rows.ended() && (units || !whole)) break;
    if (cells.size() != columns.size()) {
      found.add(rows.line(), fmt::format("{} values: must be {}, one for each column", cells.size(), columns.size()));
    } else if (!whole) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (!parse_number(cells[i]))
          found.add(rows.line(), fmt::format("{} = \"{}\": must be a number", columns[i].name, cells[i]));
    } else {
      gather.row(values);
    }
  }
  if (rows.too_long()) found.add(rows.line() + 1, "a line of more than 64 MB: must be a table, one row per line");
  if (rows.broke()) found.add(rows.line(), "cannot read on");
  if (columns.empty() && found.count() == 0) found.add("empty: must have a header and rows of numbers");
  if (found.close() > 0) return std::nullopt;
  return gather.take();
}

/// Of a run that has not ended well, or not yet.
std::optional<Table> read_waiting_rows(const std::string& path, std::uint64_t most_numbers, std::vector<std::string>& problems) {
  try {
    detail::RowsReader rows(path);
    detail::Gather gather(most_numbers);
    gather.start(rows.header().columns, rows.rows());
    std::vector<double> row(rows.header().columns.size());
    for (std::uint64_t i = 0; i < rows.rows(); ++i) {
      rows.read(row);
      gather.row(row);
    }
    return gather.take();
  } catch (const std::runtime_error& error) {
    problems.emplace_back(error.what());
    return std::nullopt;
  }
}

}  // namespace

const Table::Column* Table::find(std::string_view name) const noexcept {
  for (const Column& column : columns)
    if (column.quantity.name == name) return &column;
  return nullptr;
}

std::optional<Table> read_table(const std::string& path, std::vector<std::string>& problems) {
  return read_table_to_draw(path, problems, std::numeric_limits<std::uint64_t>::max());
}

std::optional<Table> read_table_to_draw(const std::string& path, std::vector<std::string>& problems, std::uint64_t most_numbers) {
  std::error_code none;
  if (const std::string waiting = detail::rows_beside(path); fs::exists(waiting, none))
    return read_waiting_rows(waiting, most_numbers, problems);
  if (const std::string why = detail::why_unreadable(path); !why.empty()) {
    problems.push_back(fmt::format("{}: cannot read: {}", path, why));
    return std::nullopt;
  }
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::ifstream file(path, std::ios::binary);
  std::string start(2048 + signature.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  // MATLAB puts its own header before it (version 7.3); a user block has a size of 512 times a power of two.
  bool hdf5 = false;
  for (const std::size_t at : {0, 512, 1024, 2048})
    hdf5 = hdf5 || (start.size() > at && start.compare(at, signature.size(), signature) == 0);
  start.resize(std::min(start.size(), signature.size()));
  if (!hdf5 && (path.ends_with(".h5") || start.find("HDF\r") != std::string::npos)) {
    problems.push_back(fmt::format("{}: damaged: it does not begin as an HDF5 file does", path));
    return std::nullopt;
  }
  return hdf5 ? detail::read_hdf5(path, most_numbers, problems) : read_csv(path, most_numbers, problems);
}

}  // namespace asperity
