// Rows as plain numbers in a file, the form in which rows for an HDF5 file wait until it is written: an HDF5 file that is being
// written does not survive a kill or a full disk, rows at the end of a file do.
//
// A few lines of text (title, scene, columns), then row after row of eight-byte numbers. A row that was cut is not there.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asperity/system/reading.hpp"

namespace asperity::detail {

/// Where the rows of `path` wait.
std::string rows_beside(const std::string& path);

struct RowsHeader {
  std::string title, scene;
  std::vector<Quantity> columns;
};
std::string to_text(const RowsHeader& header);

class RowsReader {
 public:
  /// std::runtime_error if there is no such file, or it is not of this form.
  explicit RowsReader(const std::string& path);
  const RowsHeader& header() const noexcept { return header_; }
  /// Whole ones.
  std::uint64_t rows() const noexcept { return rows_; }
  /// Where in the file a row starts, bytes.
  std::uint64_t place(std::uint64_t row) const noexcept { return start_ + row * header_.columns.size() * sizeof(double); }
  /// The next rows.
  void read(std::span<double> numbers);

 private:
  std::string path_;
  std::ifstream file_;
  RowsHeader header_;
  std::uint64_t start_ = 0, rows_ = 0;
};

}  // namespace asperity::detail
