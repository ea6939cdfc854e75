#include "asperity/run/sink.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <stdexcept>

namespace asperity {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) { throw std::runtime_error(path + ": " + what); }

std::string header_of(const std::vector<Quantity>& columns) {
  std::string header;
  for (const Quantity& column : columns) header += (header.empty() ? "" : ",") + column.name;
  return header;
}

/// Keeps the header and so many rows of a file, and drops the rest.
void cut_after(const std::string& path, const std::string& header, std::uint64_t rows) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file || !std::getline(file, line)) refuse(path, "cannot be read to continue it");
  if (line != header) refuse(path, "cannot be continued: it has other columns");
  std::uint64_t size = line.size() + 1;
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (!std::getline(file, line) || file.eof()) refuse(path, fmt::format("cannot be continued: {} rows, {} are needed", i, rows));
    size += line.size() + 1;
  }
  file.close();
  std::filesystem::resize_file(path, size);
}

}  // namespace

void MemorySink::start(const std::vector<Quantity>& columns, std::uint64_t rows) {
  if (rows == 0) columns_.clear();
  if (columns_.empty()) columns_ = columns;
  numbers_.resize(static_cast<std::size_t>(rows) * columns_.size());
}

void MemorySink::row(std::span<const double> values) { numbers_.insert(numbers_.end(), values.begin(), values.end()); }

std::vector<double> MemorySink::column(const std::string& name) const {
  std::vector<double> values;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].name != name) continue;
    for (std::size_t i = c; i < numbers_.size(); i += columns_.size()) values.push_back(numbers_[i]);
    break;
  }
  return values;
}

void CsvSink::start(const std::vector<Quantity>& columns, std::uint64_t rows) {
  const std::string header = header_of(columns);
  if (rows > 0) cut_after(path_, header, rows);
  file_.open(path_, std::ios::binary | (rows > 0 ? std::ios::app : std::ios::trunc));
  if (!file_) refuse(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  if (rows == 0) text_ = header + '\n';
  flush();
}

void CsvSink::row(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) fmt::format_to(std::back_inserter(text_), "{}{}", i ? "," : "", values[i]);
  text_ += '\n';
  if (++waiting_ >= flush_rows_) flush();
}

void CsvSink::flush() {
  errno = 0;
  file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  text_.clear();
  waiting_ = 0;
  if (!file_.flush()) refuse(path_, fmt::format("cannot be written: {}", errno ? std::strerror(errno) : "the output failed"));
}

}  // namespace asperity
