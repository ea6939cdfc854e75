// table.csv and table.h5: one row per point.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "asperity/study/study.hpp"

namespace asperity::study {

/// The rows come in order, block by block; commit() makes the file appear.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// std::runtime_error if it cannot be written. `values` point by point.
  virtual void add(std::uint64_t first, std::span<const double> values, std::span<const Result> results) = 0;
  virtual void commit() = 0;
};

std::unique_ptr<TableWriter> csv_table(const Plan& plan, const std::string& path);
/// Null if HDF5 is not built in.
std::unique_ptr<TableWriter> hdf5_table(const Plan& plan, const std::string& path, std::uint64_t rows);

}  // namespace asperity::study
