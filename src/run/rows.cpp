#include "rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "asperity/csv.hpp"
#include "file.hpp"

namespace asperity::detail {
namespace {

constexpr std::string_view magic = "asperity rows 1";

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

}  // namespace

std::string rows_beside(const std::string& path) { return path + ".rows"; }

std::string to_text(const RowsHeader& header) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n", magic, one_line(header.title), one_line(header.scene), header.columns.size());
  for (const Quantity& column : header.columns) text += fmt::format("{}\t{}\n", one_line(column.name), one_line(column.unit));
  return text;
}

RowsReader::RowsReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  if (const std::string why = why_unreadable(path); !why.empty())
    throw std::runtime_error(fmt::format("{}: cannot read: {}", path, why));
  const auto line = [&] {
    std::string text;
    if (!std::getline(file_, text) || file_.eof()) throw std::runtime_error(path + ": cannot read: its header is cut");
    return text;
  };
  if (line() != magic) throw std::runtime_error(path + ": cannot read: not rows of this version");
  header_.title = line();
  header_.scene = line();
  const auto columns = parse_number(line());
  if (!columns || !(*columns >= 1)) throw std::runtime_error(path + ": cannot read: its header is damaged");
  for (double i = 0; i < *columns; ++i) {
    const std::string column = line();
    const std::size_t tab = column.find('\t');
    header_.columns.push_back({column.substr(0, tab), tab == std::string::npos ? "" : column.substr(tab + 1)});
  }
  start_ = static_cast<std::uint64_t>(file_.tellg());
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) throw std::runtime_error(fmt::format("{}: cannot read: {}", path, error.message()));
  rows_ = (std::max(size, start_) - start_) / (header_.columns.size() * sizeof(double));
}

void RowsReader::read(std::span<double> numbers) {
  if (!file_.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size_bytes())))
    throw std::runtime_error(path_ + ": cannot read on: it became shorter meanwhile");
}

}  // namespace asperity::detail
