#include "asperity/shapes/near.hpp"

#include <numeric>

namespace asperity {

std::vector<std::pair<std::uint32_t, std::uint32_t>> near_pairs(std::span<const Bounds> all) {
  // What is infinite lies everywhere, and says nothing about the axis.
  double sum[3]{}, square[3]{};
  for (const Bounds& one : all)
    for (int i = 0; i < 3; ++i) {
      const double middle = one.low[i] + (one.high[i] - one.low[i]) / 2;
      if (!std::isfinite(middle)) continue;
      sum[i] += middle, square[i] += middle * middle;
    }
  int axis = 0;
  const double n = double(all.size());
  const auto spread = [&](int i) { return square[i] - sum[i] * sum[i] / n; };
  for (int i = 1; i < 3; ++i)
    if (spread(i) > spread(axis)) axis = i;
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return all[i].low[axis] != all[j].low[axis] ? all[i].low[axis] < all[j].low[axis] : i < j;
  });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t l = k + 1; l < order.size() && all[order[l]].low[axis] <= all[order[k]].high[axis]; ++l)
      if (all[order[k]].meets(all[order[l]])) pairs.push_back(std::minmax(order[k], order[l]));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace asperity
