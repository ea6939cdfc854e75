#include "asperity/identify/signal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "synthetic.hpp"

namespace asperity::identify {
namespace {

constexpr double rate = 1000;

std::vector<double> tone(double frequency, std::size_t n = 4000) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / rate);
  return x;
}

/// Forwards and backwards the gain is |H|^2 = 1/(1 + (tan(pi f/r)/tan(pi fc/r))^(2 n)), and there is no phase: a tone is
/// multiplied.
TEST(ZeroPhaseButterworth, HasTheGainOfItsFormulaAndNoPhase) {
  for (const int order : {1, 2, 3, 4, 7})
    for (const double f : {5.0, 50.0, 80.0, 100.0, 130.0, 200.0}) {
      const auto x = tone(f), y = zero_phase_butterworth(x, order, 100, rate);
      const double ratio = std::tan(std::numbers::pi * f / rate) / std::tan(std::numbers::pi * 100 / rate);
      const double gain = 1 / (1 + std::pow(ratio, 2 * order));
      for (std::size_t i = 1000; i < 3000; ++i) ASSERT_NEAR(y[i], gain * x[i], 2e-9) << "order " << order << ", " << f << " Hz";
    }
}

TEST(ZeroPhaseButterworth, LeavesRampsAlone) {
  std::vector<double> x(300);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 3 - 0.5 * static_cast<double>(i);
  const auto y = zero_phase_butterworth(x, 4, 100, rate);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i], x[i], 1e-6);
}

TEST(Differentiated, IsExactForParabolas) {
  std::vector<double> x(50);
  const double h = 0.01;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 2 * std::pow(h * static_cast<double>(i) - 0.2, 2);
  const auto v = differentiated(x, h);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(v[i], 4 * (h * static_cast<double>(i) - 0.2), 1e-12);
}

TEST(Median, IsTheMiddleOfWhatIsAround) {
  EXPECT_EQ(median({3, 9, 1}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 3);
  EXPECT_EQ(running_median({5, 1, 2, 9, 3, 4}, 1), (std::vector<double>{5, 2, 2, 3, 4, 4}));
}

/// Normal noise is beyond 6 deviations once in 5e8 samples; a step is no outlier.
TEST(Outliers, AreFewInNoiseAndNoneInASingleStep) {
  Noise noise(3);
  std::vector<double> x(100000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = noise.normal() + (i < 50000 ? 0 : 40);
  const auto is_out = outliers(x);
  EXPECT_LE(std::count(is_out.begin(), is_out.end(), true), 1);
}

TEST(Outliers, AreReplacedAndNothingElse) {
  auto x = tone(5, 500);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.01 * std::sin(77.0 * static_cast<double>(i * i));
  auto spoiled = x;
  for (const std::size_t i : {100u, 101u, 300u}) spoiled[i] += 5;
  EXPECT_EQ(replace_outliers(spoiled), 3u);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(spoiled[i], x[i], 0.2) << i;
}

}  // namespace
}  // namespace asperity::identify
