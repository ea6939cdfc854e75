#include "thin.hpp"

#include <algorithm>

namespace asperity::report {
namespace {

/// Marks where a column is lowest and highest within [begin, end): the first and the last place of each, so that a plateau keeps
/// its length and a jump stays steep.
void mark_extremes(const std::vector<double>& values, std::size_t begin, std::size_t end, std::vector<char>& marked) {
  std::size_t low = end, high = end, last_low = end, last_high = end;
  for (std::size_t i = begin; i < end; ++i) {
    const double v = values[i];
    if (!(v == v)) continue;
    if (low == end || v < values[low]) low = i;
    if (high == end || v > values[high]) high = i;
    if (v == values[low]) last_low = i;
    if (v == values[high]) last_high = i;
  }
  if (low == end) return;
  for (const std::size_t i : {low, high, last_low, last_high}) marked[i] = 1;
}

std::vector<std::size_t> even_and_extreme(const Table& data, std::size_t even, std::size_t buckets) {
  const std::size_t rows = data.rows();
  std::vector<char> marked(rows);
  marked.front() = marked.back() = 1;
  for (std::size_t k = 0; k < even; ++k) marked[k * rows / even] = 1;
  for (std::size_t b = 0; b < buckets; ++b)
    for (const Table::Column& column : data.columns)
      mark_extremes(column.values, b * rows / buckets, (b + 1) * rows / buckets, marked);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows; ++i)
    if (marked[i]) kept.push_back(i);
  return kept;
}

}  // namespace

std::vector<std::size_t> rows_to_show(const Table& data, std::size_t most) {
  std::vector<std::size_t> kept(data.rows());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  const std::size_t even = most / 2;
  // The extremes grow about in proportion to the buckets, so a few rounds find the number that fits.
  for (std::size_t buckets = std::max<std::size_t>(1, most / 4); kept.size() > most;) {
    kept = even_and_extreme(data, even, buckets);
    if (buckets == 1) break;
    buckets =
        std::max<std::size_t>(1, std::min(buckets - 1, buckets * (most - even) / std::max<std::size_t>(1, kept.size() - even)));
  }
  return kept;
}

Table with_rows(const Table& data, const std::vector<std::size_t>& rows) {
  Table fewer;
  for (const Table::Column& column : data.columns) {
    std::vector<double> values;
    values.reserve(rows.size());
    for (const std::size_t row : rows) values.push_back(column.values[row]);
    fewer.columns.push_back({column.quantity, std::move(values)});
  }
  return fewer;
}

}  // namespace asperity::report
