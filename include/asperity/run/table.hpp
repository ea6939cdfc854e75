// Recorded columns, read back.
#pragma once

#include <cstdint>
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
  std::uint64_t recorded = 0;   // rows of the file it was read from; more than there are here if it was thinned

  std::size_t rows() const noexcept { return columns.empty() ? 0 : columns.front().values.size(); }
  const Column* find(std::string_view name) const noexcept;
};

/// A file written by a sink, or any CSV file of numbers under a header; "force [N]" is a name and its unit. A row that was cut off
/// at the end of the file is left out. Problems name file and line.
std::optional<Table> read_table(const std::string& path, std::vector<std::string>& problems);

/// The same, of a file with more than `most_numbers` only rows that show everything a reader could see, about so many numbers: of
/// each of many stretches of neighbours those in which a column is lowest or highest. For pictures.
std::optional<Table> read_table_to_draw(const std::string& path, std::vector<std::string>& problems,
                                        std::uint64_t most_numbers = 1U << 25U);

}  // namespace asperity
