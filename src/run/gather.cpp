#include "gather.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace asperity::detail {
namespace {

constexpr std::size_t most_candidates = 1U << 20U;  // numbers of a bucket that are held at once

}  // namespace

void Gather::start(std::vector<Quantity> columns, std::uint64_t rows) {
  table_.columns.clear();
  for (Quantity& column : columns) table_.columns.push_back({std::move(column), {}});
  const std::uint64_t width = std::max<std::uint64_t>(1, table_.columns.size());
  bucket_ = 1;
  if (rows <= most_ / width) return;
  // Of each bucket at most the first row, and four for each column: the lowest and the highest, where it begins and where it ends.
  const std::uint64_t buckets = std::max<std::uint64_t>(1, most_ / width / (4 * width + 1));
  bucket_ = rows / buckets + 1;
}

void Gather::row(std::span<const double> values) {
  ++table_.recorded;
  if (bucket_ == 1) {
    for (std::size_t c = 0; c < values.size(); ++c) table_.columns[c].values.push_back(values[c]);
    return;
  }
  candidates_.insert(candidates_.end(), values.begin(), values.end());
  if (++in_bucket_ == bucket_) put_down();
  else if (candidates_.size() > most_candidates && in_bucket_ % 1024 == 0) keep_extremes();
}

void Gather::keep_extremes() {
  const std::size_t width = table_.columns.size(), rows = candidates_.size() / width;
  std::vector<char> marked(rows);
  if (rows > 0) marked[0] = 1;
  for (std::size_t c = 0; c < width; ++c) {
    const auto at = [&](std::size_t row) { return candidates_[row * width + c]; };
    std::size_t low = rows, high = rows, last_low = rows, last_high = rows;
    for (std::size_t i = 0; i < rows; ++i) {
      const double v = at(i);
      if (!(v == v)) continue;
      if (low == rows || v < at(low)) low = i;
      if (high == rows || v > at(high)) high = i;
      if (v == at(low)) last_low = i;
      if (v == at(high)) last_high = i;
    }
    for (const std::size_t i : {low, high, last_low, last_high})
      if (i < rows) marked[i] = 1;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows; ++i)
    if (marked[i]) {
      std::copy_n(candidates_.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                  candidates_.begin() + static_cast<std::ptrdiff_t>(kept * width));
      ++kept;
    }
  candidates_.resize(kept * width);
}

void Gather::put_down() {
  keep_extremes();
  const std::size_t width = table_.columns.size();
  for (std::size_t i = 0; i < candidates_.size(); ++i) table_.columns[i % width].values.push_back(candidates_[i]);
  candidates_.clear();
  in_bucket_ = 0;
}

Table Gather::take() {
  if (in_bucket_ > 0) put_down();
  return std::move(table_);
}

}  // namespace asperity::detail
