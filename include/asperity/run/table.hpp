// Recorded columns, read back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/system/reading.hpp"

namespace asperity {

struct Table {
  struct Column {
    Quantity quantity;
    std::vector<double> values;
  };
  std::vector<Column> columns;  // all of one length

  std::size_t rows() const noexcept { return columns.empty() ? 0 : columns.front().values.size(); }
  const Column* find(std::string_view name) const noexcept;
};

/// A file written by a sink, or any CSV file of numbers under a header; "force [N]" is a name and its unit. A row that was cut off
/// at the end of the file is left out. Problems name file and line.
std::optional<Table> read_table(const std::string& path, std::vector<std::string>& problems);

}  // namespace asperity
