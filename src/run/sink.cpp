#include "asperity/run/sink.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "file.hpp"

namespace asperity {
namespace {

using detail::refuse;

std::string header_of(const std::vector<Quantity>& columns) {
  std::string header;
  for (const Quantity& column : columns) header += (header.empty() ? "" : ",") + column.name;
  return header;
}

/// What a run that goes on keeps of a file.
struct Kept {
  std::uint64_t bytes = 0;
  detail::Checksum checksum;
};

/// The header and so many rows.
Kept first_rows(const std::string& path, const std::string& header, std::uint64_t rows) {
  if (const std::string why = detail::why_unreadable(path); !why.empty()) refuse(path, "cannot be continued: " + why);
  std::ifstream file(path, std::ios::binary);
  std::string line;
  Kept kept;
  const auto take = [&] {
    if (!std::getline(file, line) || file.eof()) return false;
    kept.bytes += line.size() + 1;
    kept.checksum.add(line);
    kept.checksum.add("\n");
    return true;
  };
  if (!take() || line != header) refuse(path, "cannot be continued: it has other columns");
  for (std::uint64_t i = 0; i < rows; ++i)
    if (!take()) refuse(path, fmt::format("cannot be continued: {} rows, {} are needed", i, rows));
  return kept;
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

struct CsvSink::Output {
  detail::OutFile file;
  detail::Checksum checksum;
};

CsvSink::CsvSink(std::string path, std::uint64_t flush_rows)
    : path_(std::move(path)), flush_rows_(flush_rows), output_(std::make_unique<Output>()) {}
CsvSink::~CsvSink() = default;

void CsvSink::start(const std::vector<Quantity>& columns, std::uint64_t rows) {
  const std::string header = header_of(columns);
  text_.clear();
  if (rows > 0) {
    const Kept kept = first_rows(path_, header, rows);
    output_->checksum = kept.checksum;
    output_->file.continue_after(path_, kept.bytes);
  } else {
    output_->checksum = {};
    output_->file.create(path_);
    text_ = header + '\n';
  }
  flush();
}

void CsvSink::row(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) fmt::format_to(std::back_inserter(text_), "{}{}", i ? "," : "", values[i]);
  text_ += '\n';
  if (++waiting_ >= flush_rows_) flush();
}

void CsvSink::flush() {
  const std::string text = std::exchange(text_, {});  // not tried again if it fails
  waiting_ = 0;
  output_->file.write(text);
  output_->checksum.add(text);
}

void CsvSink::moved_to(const std::string& path) {
  path_ = path;
  output_->file.moved_to(path);
}

std::uint64_t CsvSink::checksum() const { return output_->checksum.value(); }

void CsvSink::check(const std::vector<Quantity>& columns, std::uint64_t rows, std::uint64_t checksum) const {
  if (first_rows(path_, header_of(columns), rows).checksum.value() != checksum)
    refuse(path_, fmt::format("cannot be continued: its first {} rows are not the ones that were written", rows));
}

}  // namespace asperity
