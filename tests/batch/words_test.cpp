// The transcendental words of the lanes against the C library, and at the edges where vector functions like to be wrong.
#include "asperity/scalar/words.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "lanes.hpp"

namespace asperity::simd {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

double first(const Lanes& x) {
  double each[Lanes::size];
  x.store_unaligned(each);
  return each[0];
}
double lane_exp(double x) { return first(exp(Lanes(x))); }
double lane_tanh(double x) { return first(tanh(Lanes(x))); }
double lane_sin(double x) { return first(sin(Lanes(x))); }
double lane_pow(double x, double y) { return first(pow(Lanes(x), Lanes(y))); }

double ulps(double got, double wanted) {
  return std::abs(got - wanted) / (std::abs(wanted) * std::numeric_limits<double>::epsilon());
}

TEST(Words, AreThoseOfTheCLibrary) {
  std::mt19937_64 engine(1);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(engine); };
  for (int i = 0; i < 100000; ++i) {
    const double x = between(-700, 700);
    ASSERT_LE(ulps(lane_exp(x), std::exp(x)), 2) << "exp " << x;
    const double t = std::exp(between(-30, 4)) * (i % 2 ? 1 : -1);
    ASSERT_LE(ulps(lane_tanh(t), std::tanh(t)), 4) << "tanh " << t;
    ASSERT_LE(std::abs(lane_sin(x) - std::sin(x)), 5e-16) << "sin " << x;
    ASSERT_LE(std::abs(lane_sin(1000 * x) - std::sin(1000 * x)), 5e-16) << "sin " << 1000 * x;
    const double angle = between(-1.57, 1.57);
    ASSERT_LE(ulps(lane_sin(angle), std::sin(angle)), 2) << "sin " << angle;
    // the logarithm is rounded before it is multiplied: the error grows with the exponent of the result
    const double base = std::exp(between(-40, 5)), exponent = between(0.1, 5), power = std::pow(base, exponent);
    ASSERT_LE(ulps(lane_pow(base, exponent), power), 3 + 1.5 * std::abs(std::log(power))) << base << " ^ " << exponent;
  }
}

// Exponents that need no pow: the same bits as the scalar word, whatever the exponents beside it.
TEST(Words, KnownExponentsAreArithmetic) {
  for (const double x : {0.0, 1e-3, 0.7, 3.0, 1e5}) {
    for (const double exponent : {1.0, 1.5, 2.0, 2.5}) {
      EXPECT_LE(ulps(asperity::pow(x, exponent) + 1e-300, std::pow(x, exponent) + 1e-300), 1) << x << " ^ " << exponent;
      double exponents[Lanes::size];
      for (std::size_t i = 0; i < Lanes::size; ++i) exponents[i] = i == 0 ? exponent : 1.0 + 0.5 * double(i);
      const double mixed = first(pow(Lanes(x), Lanes::load_unaligned(exponents)));
      EXPECT_EQ(mixed, lane_pow(x, exponent)) << x << " ^ " << exponent;
      if (exponent != 2.5) {
        EXPECT_EQ(mixed, asperity::pow(x, exponent)) << x << " ^ " << exponent;
      }
    }
  }
}

TEST(Words, HoldAtTheEdges) {
  EXPECT_EQ(lane_exp(0), 1);
  EXPECT_EQ(lane_exp(-inf), 0);
  EXPECT_EQ(lane_exp(-1e300), 0);
  EXPECT_EQ(lane_exp(-709), 0);
  EXPECT_EQ(lane_exp(inf), inf);
  EXPECT_EQ(lane_exp(1e300), inf);
  EXPECT_TRUE(std::isnan(lane_exp(nan)));

  EXPECT_EQ(lane_tanh(0), 0);
  EXPECT_EQ(lane_tanh(1e-300), 1e-300);
  EXPECT_EQ(lane_tanh(1e300), 1);
  EXPECT_EQ(lane_tanh(-inf), -1);
  EXPECT_TRUE(std::isnan(lane_tanh(nan)));

  EXPECT_EQ(lane_sin(0), 0);
  EXPECT_EQ(lane_sin(1e15), std::sin(1e15));
  EXPECT_TRUE(std::isnan(lane_sin(inf)));
  EXPECT_TRUE(std::isnan(lane_sin(nan)));

  EXPECT_EQ(lane_pow(0, 0.1), 0);
  EXPECT_EQ(lane_pow(0, 2), 0);
  EXPECT_EQ(lane_pow(1, 7), 1);
  EXPECT_EQ(lane_pow(inf, 2), inf);
  EXPECT_EQ(lane_pow(inf, 0.1), inf);
  EXPECT_EQ(lane_pow(1e200, 2), inf);
  EXPECT_EQ(lane_pow(1e-200, 2), 0);
  EXPECT_LE(lane_pow(5e-324, 0.1), 1e-300);  // counts as 0
  EXPECT_TRUE(std::isnan(lane_pow(-1, 0.5)));
  EXPECT_TRUE(std::isnan(lane_pow(nan, 2)));
  EXPECT_TRUE(std::isnan(lane_pow(2, nan)));
}

// Equal numbers, zeros of either sign and what is no number: the first one, as the words of a scalar give it.
TEST(Words, MinAndMaxAreThoseOfTheScalar) {
  for (const double x : {0.0, -0.0, 1.0, nan})
    for (const double y : {0.0, -0.0, 1.0, nan}) {
      const double least = first(min(Lanes(x), Lanes(y))), most = first(max(Lanes(x), Lanes(y)));
      EXPECT_EQ(std::bit_cast<std::uint64_t>(least), std::bit_cast<std::uint64_t>(asperity::min(x, y))) << x << " " << y;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(most), std::bit_cast<std::uint64_t>(asperity::max(x, y))) << x << " " << y;
    }
}

}  // namespace
}  // namespace asperity::simd
