#include "implicit_lu.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace asperity::detail {
namespace {

/// L U = P A, in place, n by n; the sign of the determinant, 0 if there is no inverse.
int factor_dense(std::size_t n, double* a, std::size_t* pivot) noexcept {
  int sign = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
    pivot[k] = best;
    if (!(std::abs(a[best * n + k]) > 0)) return 0;
    if ((best != k) != (a[best * n + k] < 0)) sign = -sign;
    if (best != k) std::swap_ranges(a + k * n, a + (k + 1) * n, a + best * n);
    const double inverse = 1 / a[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] *= inverse;
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return sign;
}

/// b, n by m, to A^-1 b.
void solve_dense(std::size_t n, const double* a, const std::size_t* pivot, std::size_t m, double* b) noexcept {
  for (std::size_t k = 0; k < n; ++k)
    if (pivot[k] != k) std::swap_ranges(b + k * m, b + (k + 1) * m, b + pivot[k] * m);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j) b[i * m + j] -= a[i * n + k] * b[k * m + j];
  for (std::size_t k = n; k-- > 0;) {
    const double inverse = 1 / a[k * n + k];
    for (std::size_t j = 0; j < m; ++j) b[k * m + j] *= inverse;
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < m; ++j) b[i * m + j] -= a[i * n + k] * b[k * m + j];
  }
}

/// c -= a b, of sizes l by n, n by m.
void subtract_product(std::size_t l, std::size_t n, std::size_t m, const double* a, const double* b, double* c) noexcept {
  for (std::size_t i = 0; i < l; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < m; ++j) c[i * m + j] -= a[i * n + k] * b[k * m + j];
}

}  // namespace

BlockLu::BlockLu(const std::vector<std::size_t>& sizes, const std::vector<std::array<std::size_t, 2>>& links)
    : groups_(sizes.size()) {
  const std::size_t n = sizes.size();
  std::size_t unknowns = 0;
  for (std::size_t g = 0; g < n; ++g) {
    groups_[g].size = sizes[g];
    groups_[g].first = unknowns;
    unknowns += sizes[g];
  }
  pivot_.resize(unknowns);
  std::vector<std::set<std::size_t>> neighbours(n);
  for (const auto& [one, other] : links) {
    neighbours[one].insert(other);
    neighbours[other].insert(one);
  }
  const std::vector<std::set<std::size_t>> of_matrix = neighbours;

  // Components, each by a walk from its first group.
  std::vector<std::size_t> component(n, n), walk;
  std::size_t components = 0;
  for (std::size_t g = 0; g < n; ++g) {
    if (component[g] != n) continue;
    component[g] = components;
    walk.assign(1, g);
    while (!walk.empty()) {
      const std::size_t at = walk.back();
      walk.pop_back();
      for (const std::size_t next : neighbours[at])
        if (component[next] == n) component[next] = components, walk.push_back(next);
    }
    ++components;
  }

  // Elimination: always the group with the fewest neighbours that are left; these become neighbours of each other.
  std::set<std::pair<std::size_t, std::size_t>> left;  // neighbours, group
  for (std::size_t g = 0; g < n; ++g) left.emplace(neighbours[g].size(), g);
  std::vector<std::vector<std::size_t>> later(n);
  while (!left.empty()) {
    const std::size_t g = left.begin()->second;
    left.erase(left.begin());
    order_.push_back(g);
    later[g].assign(neighbours[g].begin(), neighbours[g].end());
    for (const std::size_t i : later[g]) {
      left.erase({neighbours[i].size(), i});
      neighbours[i].erase(g);
      for (const std::size_t j : later[g])
        if (i != j) neighbours[i].insert(j);
      left.emplace(neighbours[i].size(), i);
    }
  }
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return component[a] < component[b]; });
  for (std::size_t k = 0; k < n; ++k) {
    if (k == 0 || component[order_[k]] != component[order_[k - 1]]) components_.push_back({k, k});
    components_.back().last = k + 1;
  }

  // Places of the blocks.
  std::size_t place = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> place_of;
  const auto block = [&](std::size_t row, std::size_t column) {
    blocks_.push_back({row, column, place, row == column || of_matrix[row].contains(column)});
    if (row != column) place_of[{row, column}] = place;
    const std::size_t here = place;
    place += sizes[row] * sizes[column];
    return here;
  };
  for (const std::size_t g : order_) {
    Group& group = groups_[g];
    group.diagonal = block(g, g);
    group.later = later_.size();
    group.count = later[g].size();
    for (const std::size_t i : later[g]) {
      const std::size_t above = block(g, i), below = block(i, g);
      later_.push_back({i, above, below});
    }
  }
  for (const std::size_t g : order_) {
    groups_[g].targets = targets_.size();
    for (const std::size_t i : later[g])
      for (const std::size_t j : later[g]) targets_.push_back(i == j ? groups_[i].diagonal : place_of.at({i, j}));
  }
  values_.resize(place);
}

void BlockLu::clear_fill() noexcept {
  for (const Block& block : blocks_)
    if (!block.of_matrix) std::fill_n(values_.data() + block.place, groups_[block.row].size * groups_[block.column].size, 0.0);
}

void BlockLu::add_to_diagonal(const Component& component, double what) noexcept {
  for (std::size_t k = component.first; k < component.last; ++k) {
    const Group& group = groups_[order_[k]];
    for (std::size_t i = 0; i < group.size; ++i) values_[group.diagonal + i * (group.size + 1)] += what;
  }
}

int BlockLu::factor(const Component& component) noexcept {
  // Two modes that grow leave the determinant positive: each block counts for itself, and its trace, the sum of its eigenvalues.
  int sign = 1;
  double* const a = values_.data();
  for (std::size_t k = component.first; k < component.last; ++k) {
    const Group& group = groups_[order_[k]];
    double* const own = a + group.diagonal;
    std::size_t* const pivot = pivot_.data() + group.first;
    double trace = 0;
    for (std::size_t i = 0; i < group.size; ++i) trace += own[i * (group.size + 1)];
    if (trace < 0) sign = -1;
    const int here = factor_dense(group.size, own, pivot);
    if (here == 0) return 0;
    sign = std::min(sign, here);
    const Later* const later = later_.data() + group.later;
    for (std::size_t j = 0; j < group.count; ++j) {
      const std::size_t columns = groups_[later[j].group].size;
      solve_dense(group.size, own, pivot, columns, a + later[j].above);
      for (std::size_t i = 0; i < group.count; ++i)
        subtract_product(groups_[later[i].group].size, group.size, columns, a + later[i].below, a + later[j].above,
                         a + targets_[group.targets + i * group.count + j]);
    }
  }
  return sign;
}

void BlockLu::solve(const Component& component, std::span<double> b) const noexcept {
  const double* const a = values_.data();
  for (std::size_t k = component.first; k < component.last; ++k) {
    const Group& group = groups_[order_[k]];
    double* const own = b.data() + group.first;
    solve_dense(group.size, a + group.diagonal, pivot_.data() + group.first, 1, own);
    for (std::size_t i = group.later; i < group.later + group.count; ++i) {
      const Group& other = groups_[later_[i].group];
      subtract_product(other.size, group.size, 1, a + later_[i].below, own, b.data() + other.first);
    }
  }
  for (std::size_t k = component.last; k-- > component.first;) {
    const Group& group = groups_[order_[k]];
    for (std::size_t i = group.later; i < group.later + group.count; ++i) {
      const Group& other = groups_[later_[i].group];
      subtract_product(group.size, other.size, 1, a + later_[i].above, b.data() + other.first, b.data() + group.first);
    }
  }
}

}  // namespace asperity::detail
