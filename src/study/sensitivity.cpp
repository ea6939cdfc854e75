#include "asperity/study/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace asperity::study {
namespace {

/// Of some of the samples, in the order of the parameters: first, total.
struct Shares {
  std::vector<double> first, total;
  double variance = 0;
};

Shares shares_of(std::span<const double> values, std::size_t k, std::span<const std::uint32_t> rows) {
  const std::size_t block = k + 2;
  const double n = double(rows.size());
  double mean = 0;
  for (const std::uint32_t row : rows) mean += values[row * block] + values[row * block + k + 1];
  mean /= 2 * n;
  Shares found{std::vector<double>(k), std::vector<double>(k), 0};
  for (const std::uint32_t row : rows) {
    const double* const f = values.data() + row * block;
    const double a = f[0] - mean, b = f[k + 1] - mean;
    found.variance += a * a + b * b;
    for (std::size_t i = 0; i < k; ++i) {
      const double mixed = f[1 + i] - mean;
      found.first[i] += b * (mixed - a);
      found.total[i] += (a - mixed) * (a - mixed);
    }
  }
  found.variance /= 2 * n;
  for (std::size_t i = 0; i < k; ++i) {
    found.first[i] = found.variance > 0 ? found.first[i] / n / found.variance : 0;
    found.total[i] = found.variance > 0 ? found.total[i] / (2 * n) / found.variance : 0;
  }
  return found;
}

Estimate interval(double value, std::vector<double>& drawn) {
  if (drawn.empty()) return {value, value, value};
  std::sort(drawn.begin(), drawn.end());
  const auto at = [&](double share) { return drawn[std::min(drawn.size() - 1, std::size_t(share * double(drawn.size())))]; };
  return {value, at(0.025), at(0.975)};
}

}  // namespace

SobolIndices sobol_indices(std::span<const double> values, std::size_t k, std::uint64_t seed, int draws) {
  const std::size_t block = k + 2, samples = values.size() / block;
  SobolIndices found;
  std::vector<std::uint32_t> rows;
  for (std::size_t s = 0; s < samples; ++s) {
    const auto of = values.subspan(s * block, block);
    if (std::all_of(of.begin(), of.end(), [](double x) { return std::isfinite(x); })) rows.push_back(std::uint32_t(s));
  }
  found.used = rows.size();
  found.left_out = samples - rows.size();
  found.first.resize(k);
  found.total.resize(k);
  if (rows.empty()) return found;
  const Shares best = shares_of(values, k, rows);
  found.variance = best.variance;
  std::vector<std::vector<double>> first(k), total(k);
  std::mt19937_64 random(seed);  // its numbers are those of the standard, everywhere
  std::vector<std::uint32_t> drawn(rows.size());
  for (int draw = 0; draw < draws && rows.size() > 1; ++draw) {
    for (std::uint32_t& row : drawn) row = rows[random() % rows.size()];
    const Shares again = shares_of(values, k, drawn);
    for (std::size_t i = 0; i < k; ++i) first[i].push_back(again.first[i]), total[i].push_back(again.total[i]);
  }
  for (std::size_t i = 0; i < k; ++i) {
    found.first[i] = interval(best.first[i], first[i]);
    found.total[i] = interval(best.total[i], total[i]);
  }
  return found;
}

MorrisEffects morris_effects(std::span<const double> values, std::span<const MorrisStep> steps, std::size_t k) {
  MorrisEffects found;
  found.effects.resize(k);
  std::vector<double> squares(k);
  const std::size_t trajectories = values.size() / (k + 1);
  for (std::size_t r = 0; r < trajectories; ++r) {
    const auto of = values.subspan(r * (k + 1), k + 1);
    if (!std::all_of(of.begin(), of.end(), [](double x) { return std::isfinite(x); })) {
      ++found.left_out;
      continue;
    }
    ++found.used;
    for (std::size_t j = 0; j < k; ++j) {
      const MorrisStep& step = steps[r * k + j];
      const double effect = (of[j + 1] - of[j]) / step.by;
      MorrisEffects::Effect& sum = found.effects[step.parameter];
      sum.mean += effect;
      sum.mean_size += std::abs(effect);
      squares[step.parameter] += effect * effect;
    }
  }
  const double n = double(found.used);
  for (std::size_t i = 0; i < k && n > 0; ++i) {
    MorrisEffects::Effect& of = found.effects[i];
    of.mean /= n;
    of.mean_size /= n;
    of.deviation = n > 1 ? std::sqrt(std::max(0.0, (squares[i] - n * of.mean * of.mean) / (n - 1))) : 0;
  }
  return found;
}

MorrisEffects morris_effects(const Plan& plan, const Points& points, std::span<const double> values) {
  const std::size_t k = plan.axes.size();
  std::vector<MorrisStep> steps;
  for (std::uint64_t i = 0; i < points.count(); ++i) {
    if (i % (k + 1) == k) continue;
    for (std::size_t a = 0; a < k; ++a)
      if (const double by = points.share(i + 1, a) - points.share(i, a); by != 0) steps.push_back({a, by});
  }
  return morris_effects(values, steps, k);
}

}  // namespace asperity::study
