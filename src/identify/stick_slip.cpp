#include "asperity/identify/stick_slip.hpp"

#include <algorithm>
#include <cmath>

namespace asperity::identify {
namespace {

constexpr std::size_t reach = 5;  // of the running median, to each side

std::vector<double> running_median(const std::vector<double>& x) {
  std::vector<double> y(x.size()), near;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i < reach ? 0 : i - reach, end = std::min(x.size(), i + reach + 1);
    near.assign(x.begin() + static_cast<std::ptrdiff_t>(first), x.begin() + static_cast<std::ptrdiff_t>(end));
    const auto middle = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2);
    std::nth_element(near.begin(), middle, near.end());
    y[i] = *middle;
  }
  return y;
}

}  // namespace

SawTooth saw_tooth(const std::vector<double>& t, const std::vector<double>& force, double least) {
  const auto f = running_median(force);
  std::vector<std::size_t> peaks, troughs;  // troughs[i] follows peaks[i]
  std::size_t high = 0, low = 0;
  bool falls = false;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (falls) {
      if (f[i] < f[low]) low = i;
      if (f[i] > f[low] + least) troughs.push_back(low), high = i, falls = false;
    } else {
      if (f[i] > f[high]) high = i;
      if (f[i] < f[high] - least) peaks.push_back(high), low = i, falls = true;
    }
  }
  SawTooth tooth;
  const std::size_t n = std::min(peaks.size(), troughs.size());
  if (n < 3) return tooth;
  tooth.cycles = n - 1;
  const double count = static_cast<double>(n - 1);
  tooth.period = (t[peaks[n - 1]] - t[peaks[0]]) / count;
  double square = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double drop = f[peaks[i]] - f[troughs[i]];
    tooth.peak += f[peaks[i]] / count, tooth.trough += f[troughs[i]] / count, tooth.drop += drop / count,
        square += drop * drop / count;
    tooth.rise += (f[peaks[i]] - f[troughs[i - 1]]) / (t[peaks[i]] - t[troughs[i - 1]]) / count;
  }
  tooth.spread = std::sqrt(std::max(0.0, square - tooth.drop * tooth.drop));
  return tooth;
}

StaticAndKinetic friction_of(const SawTooth& tooth) { return {tooth.peak, 0.5 * (tooth.peak + tooth.trough)}; }

SawTooth with_rise(const StaticAndKinetic& friction, double rise) {
  SawTooth tooth;
  tooth.peak = friction.F_s, tooth.trough = 2 * friction.F_k - friction.F_s;
  tooth.drop = tooth.peak - tooth.trough;
  tooth.rise = rise;
  tooth.period = tooth.drop / rise;
  return tooth;
}

}  // namespace asperity::identify
