// Rows, one after the other, into a table: all of them, or of very many those that show everything a reader could see.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asperity/run/table.hpp"

namespace asperity::detail {

/// Where the rows do not fit they are cut into buckets of neighbours; of each bucket the first row stays, and those in which a
/// column is lowest or highest. Rows are never mixed.
class Gather {
 public:
  /// About so many numbers are kept.
  explicit Gather(std::uint64_t most_numbers) : most_(most_numbers) {}

  /// `rows` is how many there will be.
  void start(std::vector<Quantity> columns, std::uint64_t rows);
  void row(std::span<const double> values);
  Table take();

 private:
  void keep_extremes();
  void put_down();

  std::uint64_t most_;
  Table table_;
  std::uint64_t bucket_ = 1;        // rows of each
  std::uint64_t in_bucket_ = 0;     // rows seen of the one at hand
  std::vector<double> candidates_;  // its rows, one after the other
};

}  // namespace asperity::detail
