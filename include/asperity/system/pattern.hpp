// Which numbers of a rate may depend on which numbers of the state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace asperity {

/// Entries of a square sparse matrix, column by column: those of column j stand in rows[start[j]] ... rows[start[j + 1] - 1], in
/// order. The diagonal always belongs to them.
struct Pattern {
  std::vector<std::size_t> start{0};
  std::vector<std::size_t> rows;

  std::size_t columns() const noexcept { return start.size() - 1; }
  bool has(std::size_t row, std::size_t column) const noexcept {
    return std::binary_search(rows.begin() + std::ptrdiff_t(start[column]), rows.begin() + std::ptrdiff_t(start[column + 1]), row);
  }
  static Pattern full(std::size_t n) {
    Pattern all;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) all.rows.push_back(i);
      all.start.push_back(all.rows.size());
    }
    return all;
  }
};

/// Collects blocks of entries; overlapping ones are one.
class PatternMaker {
 public:
  explicit PatternMaker(std::size_t n) : columns_(n) {
    for (std::size_t j = 0; j < n; ++j) columns_[j].push_back(j);
  }
  void add(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
    for (const std::size_t j : columns) columns_[j].insert(columns_[j].end(), rows.begin(), rows.end());
  }
  Pattern make() {
    Pattern pattern;
    for (auto& column : columns_) {
      std::sort(column.begin(), column.end());
      column.erase(std::unique(column.begin(), column.end()), column.end());
      pattern.rows.insert(pattern.rows.end(), column.begin(), column.end());
      pattern.start.push_back(pattern.rows.size());
    }
    return pattern;
  }

 private:
  std::vector<std::vector<std::size_t>> columns_;
};

}  // namespace asperity
