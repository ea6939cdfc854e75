#include "asperity/integrate/jacobian.hpp"

#include <algorithm>
#include <utility>

namespace asperity {
namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t none = std::size_t(-1);

/// Runs through the entries of a pattern: f(row, column, place).
template <class F>
void each_entry(const Pattern& pattern, F&& f) {
  for (std::size_t j = 0; j < pattern.columns(); ++j)
    for (std::size_t k = pattern.start[j]; k < pattern.start[j + 1]; ++k) f(pattern.rows[k], j, k);
}

}  // namespace

std::vector<std::size_t> colours_of(const Pattern& pattern) {
  const std::size_t n = pattern.columns();
  std::vector<std::vector<std::size_t>> columns_of_row(n);
  each_entry(pattern, [&](std::size_t row, std::size_t column, std::size_t) { columns_of_row[row].push_back(column); });
  std::vector<std::size_t> colour(n, none), taken_by(n + 1, none);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      for (const std::size_t other : columns_of_row[pattern.rows[k]])
        if (colour[other] != none) taken_by[colour[other]] = j;
    colour[j] =
        std::size_t(std::find_if(taken_by.begin(), taken_by.end(), [&](std::size_t by) { return by != j; }) - taken_by.begin());
  }
  return colour;
}

SparseJacobian sparse_jacobian(DualRate rate, Pattern pattern) {
  std::vector<std::size_t> colour = colours_of(pattern);
  const std::size_t colours = colour.empty() ? 0 : *std::max_element(colour.begin(), colour.end()) + 1;
  const std::vector<Dual<lanes>> numbers(pattern.columns());
  const auto entries = [rate = std::move(rate), pattern, colour = std::move(colour), colours, from = numbers, to = numbers](
                           double t, std::span<const double> x, std::span<double> jacobian) mutable {
    for (std::size_t first = 0; first < colours; first += lanes) {
      const auto lane = [&](std::size_t j) { return colour[j] - first; };  // huge for a column of another pass
      for (std::size_t j = 0; j < from.size(); ++j)
        from[j] = lane(j) < lanes ? Dual<lanes>::variable(x[j], lane(j)) : Dual<lanes>(x[j]);
      rate(t, from, to);
      each_entry(pattern, [&](std::size_t row, std::size_t column, std::size_t place) {
        if (lane(column) < lanes) jacobian[place] = to[row].v[lane(column)];
      });
    }
  };
  return {std::move(pattern), entries};
}

}  // namespace asperity
