// Where the rows of a recording go.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "asperity/system/reading.hpp"

namespace asperity {
class Sink {
 public:
  virtual ~Sink() = default;
  /// Before the first row. A run that was resumed has `rows` behind it; what was written after them is to be dropped.
  virtual void start(const std::vector<Quantity>& columns, std::uint64_t rows) = 0;
  virtual void row(std::span<const double> values) = 0;
  /// Makes everything so far readable by others.
  virtual void flush() = 0;
  /// After the last row, for now: gives the file its final form. A run that goes on later starts again.
  virtual void close() { flush(); }
  /// The file that is being written was moved.
  virtual void moved_to(const std::string&) {}
  /// Of all rows so far; 0 if they are not kept in a file.
  virtual std::uint64_t checksum() const { return 0; }
  /// Before a run goes on: std::runtime_error if the file does not hold these rows as they were written. Changes nothing.
  virtual void check(const std::vector<Quantity>&, std::uint64_t /*rows*/, std::uint64_t /*checksum*/) const {}
};

/// Rows in memory, for tests and for programs that look at them afterwards.
class MemorySink final : public Sink {
 public:
  void start(const std::vector<Quantity>& columns, std::uint64_t rows) override;
  void row(std::span<const double> values) override;
  void flush() override {}

  std::size_t rows() const noexcept { return columns_.empty() ? 0 : numbers_.size() / columns_.size(); }
  const std::vector<Quantity>& columns() const noexcept { return columns_; }
  /// All rows of one column; empty if it was not recorded.
  std::vector<double> column(const std::string& name) const;

 private:
  std::vector<Quantity> columns_;
  std::vector<double> numbers_;
};

/// Comma-separated columns under a header of names; every number reads back to itself. A file that cannot be written is an
/// exception that names it. Symbolic links are not followed.
class CsvSink final : public Sink {
 public:
  /// Flushes whenever `flush_rows` rows have come in.
  explicit CsvSink(std::string path, std::uint64_t flush_rows = 1000);
  ~CsvSink() override;
  void start(const std::vector<Quantity>& columns, std::uint64_t rows) override;
  void row(std::span<const double> values) override;
  void flush() override;
  void moved_to(const std::string& path) override;
  std::uint64_t checksum() const override;
  void check(const std::vector<Quantity>& columns, std::uint64_t rows, std::uint64_t checksum) const override;

 private:
  struct Output;
  std::string path_;
  std::uint64_t flush_rows_;
  std::uint64_t waiting_ = 0;
  std::unique_ptr<Output> output_;
  std::string text_;
};

/// Whether HDF5 is built in.
bool has_hdf5() noexcept;

/// A file in the format HDF5: one dataset a column, compressed, its attribute `unit` beside it; `title` and `scene` are attributes
/// of the file. The rows wait in a plain file, PATH.rows, which survives a kill and a full disk; close() makes the HDF5 file of
/// them. std::runtime_error if HDF5 is not built in.
std::shared_ptr<Sink> make_hdf5_sink(std::string path, std::string title, std::string scene);

}  // namespace asperity
