#include "asperity/run/table.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "asperity/csv.hpp"
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

std::optional<Table> read_csv(const std::string& path, std::vector<std::string>& problems) {
  CsvRows rows(path);
  if (!rows.is_open()) {
    problems.push_back(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  const auto units = units_beside(path);
  CsvProblems found(path, problems);
  Table table;
  std::unordered_set<std::string> names;
  std::vector<double> values;
  while (rows.next()) {
    const auto& cells = rows.cells();
    if (table.columns.empty()) {
      for (const std::string_view cell : cells) {
        Quantity quantity = quantity_of(cell);
        if (units && quantity.unit.empty())
          if (const auto unit = units->find(quantity.name); unit != units->end()) quantity.unit = unit->second;
        if (!names.insert(quantity.name).second) found.add(rows.line(), fmt::format("two columns \"{}\"", quantity.name));
        table.columns.push_back({std::move(quantity), {}});
      }
      continue;
    }
    values.clear();
    for (const std::string_view cell : cells)
      if (const auto value = parse_number(cell)) values.push_back(*value);
    const bool whole = cells.size() == table.columns.size() && values.size() == cells.size();
    // A run ends every line. Elsewhere the last one may lack its end and be whole, or be cut.
    if (!rows.ended() && (units || !whole)) break;
    if (cells.size() != table.columns.size()) {
      found.add(rows.line(), fmt::format("{} values: must be {}, one for each column", cells.size(), table.columns.size()));
    } else if (!whole) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (!parse_number(cells[i]))
          found.add(rows.line(), fmt::format("{} = \"{}\": must be a number", table.columns[i].quantity.name, cells[i]));
    } else {
      for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].values.push_back(values[i]);
    }
  }
  if (rows.broke()) found.add(rows.line(), "cannot read on");
  if (table.columns.empty()) found.add("empty: must have a header and rows of numbers");
  if (found.close() > 0) return std::nullopt;
  return table;
}

/// Of a run that has not ended well, or not yet.
std::optional<Table> read_waiting_rows(const std::string& path, std::vector<std::string>& problems) {
  try {
    detail::RowsReader rows(path);
    Table table;
    for (const Quantity& column : rows.header().columns) table.columns.push_back({column, {}});
    std::vector<double> row(table.columns.size());
    for (std::uint64_t i = 0; i < rows.rows(); ++i) {
      rows.read(row);
      for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].values.push_back(row[c]);
    }
    return table;
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
  if (const std::string waiting = detail::rows_beside(path); fs::exists(waiting)) return read_waiting_rows(waiting, problems);
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::ifstream file(path, std::ios::binary);
  std::string start(signature.size(), '\0');
  const bool hdf5 = file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == signature;
  return hdf5 ? detail::read_hdf5(path, problems) : read_csv(path, problems);
}

}  // namespace asperity
