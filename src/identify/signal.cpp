#include "asperity/identify/signal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace asperity::identify {
namespace {

/// y = (b0 + b1 z^-1 + b2 z^-2)/(1 + a1 z^-1 + a2 z^-2) x, in transposed direct form.
struct Section {
  double b0, b1, b2, a1, a2;

  void run(std::vector<double>& x) const {
    // At rest on the first value: a constant passes without a transient.
    const double gain = (b0 + b1 + b2) / (1 + a1 + a2);
    double s1 = (gain - b0) * x.front(), s2 = (b2 - a2 * gain) * x.front();
    for (double& value : x) {
      const double in = value;
      value = b0 * in + s1;
      s1 = b1 * in - a1 * value + s2;
      s2 = b2 * in - a2 * value;
    }
  }
};

/// Poles of the analogue filter at angles pi (2k + 1)/(2 order) from the imaginary axis, by the bilinear transform with the cut-off
/// kept in place (Oppenheim and Schafer, Discrete-Time Signal Processing, 7.1).
std::vector<Section> butterworth_sections(int order, double cutoff, double rate) {
  const double w = std::tan(std::numbers::pi * cutoff / rate);
  std::vector<Section> sections;
  for (int k = 0; k < order / 2; ++k) {
    const double damping = 2 * std::sin(std::numbers::pi * (2 * k + 1) / (2.0 * order));
    const double norm = 1 / (1 + damping * w + w * w);
    sections.push_back({w * w * norm, 2 * w * w * norm, w * w * norm, 2 * (w * w - 1) * norm, (1 - damping * w + w * w) * norm});
  }
  if (order % 2 == 1) sections.push_back({w / (1 + w), w / (1 + w), 0, (w - 1) / (w + 1), 0});
  return sections;
}

/// Reorders the values.
double middle_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Calls use(the samples up to `reach` to each side) for every sample.
template <class Use>
void over_windows(const std::vector<double>& x, std::size_t reach, Use use) {
  std::vector<double> near;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i < reach ? 0 : i - reach, end = std::min(x.size(), i + reach + 1);
    near.assign(x.begin() + static_cast<std::ptrdiff_t>(first), x.begin() + static_cast<std::ptrdiff_t>(end));
    use(near);
  }
}

}  // namespace

std::vector<double> zero_phase_butterworth(const std::vector<double>& x, int order, double cutoff, double rate) {
  const auto sections = butterworth_sections(order, cutoff, rate);
  const std::size_t n = x.size();
  const double transient = std::ceil(3 * order * rate / cutoff);  // samples; more than there are if the cut-off is very low
  const std::size_t pad = transient < static_cast<double>(n - 1) ? static_cast<std::size_t>(transient) : n - 1;
  std::vector<double> y;
  for (std::size_t i = pad; i >= 1; --i) y.push_back(2 * x.front() - x[i]);
  y.insert(y.end(), x.begin(), x.end());
  for (std::size_t i = 1; i <= pad; ++i) y.push_back(2 * x.back() - x[n - 1 - i]);
  for (int pass = 0; pass < 2; ++pass) {
    for (const Section& section : sections) section.run(y);
    std::reverse(y.begin(), y.end());
  }
  return {y.begin() + static_cast<std::ptrdiff_t>(pad), y.begin() + static_cast<std::ptrdiff_t>(pad + n)};
}

std::vector<double> differences(const std::vector<double>& x, double step) {
  const std::size_t n = x.size();
  std::vector<double> v(n);
  v[0] = (-3 * x[0] + 4 * x[1] - x[2]) / (2 * step);
  for (std::size_t i = 1; i + 1 < n; ++i) v[i] = (x[i + 1] - x[i - 1]) / (2 * step);
  v[n - 1] = (3 * x[n - 1] - 4 * x[n - 2] + x[n - 3]) / (2 * step);
  return v;
}

std::vector<double> differentiated(const std::vector<double>& x, double step) {
  const std::size_t n = x.size();
  if (n < 7) return differences(x, step);
  std::vector<double> v(n);
  // Through seven neighbours, of the same order everywhere: what changed from row to row would be differentiated next.
  constexpr double at_ends[3][7] = {
      {-147, 360, -450, 400, -225, 72, -10}, {-10, -77, 150, -100, 50, -15, 2}, {2, -24, -35, 80, -30, 8, -1}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 7; ++k) {
      v[i] += at_ends[i][k] * x[k] / (60 * step);
      v[n - 1 - i] -= at_ends[i][k] * x[n - 1 - k] / (60 * step);
    }
  for (std::size_t i = 3; i + 3 < n; ++i)
    v[i] = (45 * (x[i + 1] - x[i - 1]) - 9 * (x[i + 2] - x[i - 2]) + (x[i + 3] - x[i - 3])) / (60 * step);
  return v;
}

double median(std::vector<double> values) { return middle_of(values); }

std::vector<double> running_median(const std::vector<double>& x, std::size_t reach) {
  std::vector<double> y;
  over_windows(x, reach, [&](std::vector<double>& near) { y.push_back(middle_of(near)); });
  return y;
}

std::vector<char> outliers(const std::vector<double>& x) {
  constexpr std::size_t reach = 5;
  std::vector<double> centre, deviation;
  over_windows(x, reach, [&](std::vector<double>& near) {
    centre.push_back(middle_of(near));
    for (double& value : near) value = std::abs(value - centre.back());
    deviation.push_back(1.4826 * middle_of(near));
  });
  const double usual = median(deviation);
  std::vector<char> is_out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double width = std::max(deviation[i], usual);
    is_out.push_back(width > 0 && std::abs(x[i] - centre[i]) > 6 * width);
  }
  return is_out;
}

std::size_t replace_outliers(std::vector<double>& x) {
  const std::vector<char> is_out = outliers(x);
  const std::vector<double> centre = running_median(x);
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_out[i]) x[i] = centre[i], ++count;
  return count;
}

}  // namespace asperity::identify
