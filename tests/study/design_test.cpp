// The points of a study: published numbers of Sobol's sequence, strata of a Latin hypercube, shares of distributions, the order of
// grids; none depends on how many points were asked for before.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "study/scenes.hpp"

namespace asperity::study {
namespace {

using testing::plan_of;
using testing::thrown_ball;
using Kind = Distribution::Kind;

Plan unit_cube(std::size_t dimensions, std::uint64_t samples, Design design, std::uint64_t seed) {
  Plan plan;
  for (std::size_t i = 0; i < dimensions; ++i) {
    Axis axis;
    axis.path = "let.x" + std::to_string(i);
    axis.random = Distribution{Kind::uniform, 0, 1};
    plan.axes.push_back(axis);
  }
  plan.samples = samples;
  plan.design = design;
  plan.seed = seed;
  return plan;
}

std::vector<std::vector<double>> all_of(const Plan& plan) {
  const Points points(plan);
  std::vector<std::vector<double>> list(points.count(), std::vector<double>(plan.axes.size()));
  for (std::uint64_t i = 0; i < points.count(); ++i) points.at(i, list[i]);
  return list;
}

// [S. Joe and F. Y. Kuo, sobol.cc: the first points in three dimensions]
TEST(Design, SobolPointsArePublishedOnes) {
  const double published[8][3] = {{0, 0, 0},          {.5, .5, .5},       {.75, .25, .25},    {.25, .75, .75},
                                  {.375, .375, .625}, {.875, .875, .125}, {.625, .125, .875}, {.125, .625, .375}};
  const auto points = all_of(unit_cube(3, 8, Design::sobol, 0));  // seed 0: not shifted
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(points[i][d], published[i][d], 1e-15) << i << " " << d;
}

// One point in every stratum of every coordinate: 2^m points of Sobol's sequence, shifted or not, and any Latin hypercube.
TEST(Design, OnePointInEveryStratum) {
  for (const Design design : {Design::sobol, Design::latin})
    for (const std::uint64_t seed : {0U, 1U, 77U}) {
      const std::uint64_t n = design == Design::sobol ? 256 : 300;
      const auto points = all_of(unit_cube(7, n, design, seed));
      for (std::size_t d = 0; d < 7; ++d) {
        std::set<int> strata;
        for (const auto& point : points) {
          EXPECT_GT(point[d], 0);
          EXPECT_LT(point[d], 1);
          strata.insert(int(point[d] * double(n)));
        }
        EXPECT_EQ(strata.size(), n) << "design " << int(design) << " seed " << seed << " dimension " << d;
      }
    }
}

TEST(Design, SeedsDiffer) {
  for (const Design design : {Design::sobol, Design::latin, Design::random}) {
    EXPECT_EQ(all_of(unit_cube(3, 50, design, 5)), all_of(unit_cube(3, 50, design, 5)));
    EXPECT_NE(all_of(unit_cube(3, 50, design, 5)), all_of(unit_cube(3, 50, design, 6)));
  }
}

// Independent numbers: mean and variance of n of them within four standard errors, and no correlation between coordinates.
TEST(Design, RandomNumbersAreUniform) {
  constexpr double n = 20000;
  const auto points = all_of(unit_cube(2, std::uint64_t(n), Design::random, 3));
  double sum = 0, squares = 0, product = 0;
  for (const auto& point : points) {
    sum += point[0];
    squares += (point[0] - .5) * (point[0] - .5);
    product += (point[0] - .5) * (point[1] - .5);
  }
  EXPECT_NEAR(sum / n, .5, 4 * std::sqrt(1 / 12. / n));
  EXPECT_NEAR(squares / n, 1 / 12., 4 * std::sqrt(1 / 180. / n));
  EXPECT_NEAR(product / n, 0, 4 / 12. / std::sqrt(n));
}

TEST(Design, QuantilesOfDistributions) {
  EXPECT_DOUBLE_EQ((Distribution{Kind::uniform, 2, 6}.quantile(.25)), 3);
  EXPECT_DOUBLE_EQ((Distribution{Kind::loguniform, 1, 100}.quantile(.5)), 10);
  // [tables of the normal distribution: 97.5 % lies below 1.959964]
  EXPECT_NEAR((Distribution{Kind::normal, 10, 2}.quantile(.975)), 10 + 2 * 1.959963984540054, 1e-12);
  EXPECT_NEAR((Distribution{Kind::lognormal, 3, .5}.quantile(.5)), 3, 1e-14);
  EXPECT_NEAR((Distribution{Kind::lognormal, 3, .5}.quantile(.975)), 3 * std::exp(.5 * 1.959963984540054), 1e-12);
  // Cut off at the mean, half of the share is gone: the quantile u is that of 1/2 + u/2.
  const Distribution cut{Kind::normal, 10, 2, 10};
  EXPECT_NEAR(cut.quantile(.95), 10 + 2 * 1.959963984540054, 1e-12);
  for (const double u : {1e-12, .1, .5, .9, 1 - 1e-12}) {
    const Distribution both{Kind::normal, 0, 1, -.5, .25};
    EXPECT_GE(both.quantile(u), -.5);
    EXPECT_LE(both.quantile(u), .25);
    EXPECT_GT((Distribution{Kind::lognormal, 1, 2, .1, 5}.quantile(u)), .0999);
  }
}

TEST(Design, GridsAndSamplesMultiply) {
  const Plan plan = plan_of(thrown_ball, {.vary = {"let.a=normal(0, 1)", "let.v=1:100:3:log", "ball.mass=1,2"},
                                          .measure = {"end=last(ball.position)"},
                                          .samples = "4"});
  EXPECT_EQ(plan.points(), 24U);
  EXPECT_EQ(plan.total(), "3 x 2 x 4 samples = 24 points");
  const auto points = all_of(plan);
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_NEAR(points[i][0], std::pow(10, double(i / 8)), 1e-13);
    EXPECT_EQ(points[i][1], i / 4 % 2 == 0 ? 1 : 2);
    EXPECT_EQ(points[i][2], points[i % 4][2]);  // every point of the grid gets the same samples
  }
}

// Saltelli's design: A, A with one column of B each, B.
TEST(Design, SensitivityDesigns) {
  Plan plan = unit_cube(3, 16, Design::sobol, 1);
  plan.sensitivity = Sensitivity::sobol;
  auto points = all_of(plan);
  ASSERT_EQ(points.size(), 16U * 5);
  for (std::size_t s = 0; s < 16; ++s)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(points[s * 5 + 1 + j][d], points[s * 5 + (d == j ? 4 : 0)][d]);
  // Morris: one coordinate changes from point to point, each once, by half of its distribution.
  plan.sensitivity = Sensitivity::morris;
  points = all_of(plan);
  ASSERT_EQ(points.size(), 16U * 4);
  for (std::size_t r = 0; r < 16; ++r) {
    std::set<std::size_t> moved;
    for (std::size_t j = 1; j < 4; ++j)
      for (std::size_t d = 0; d < 3; ++d) {
        const double by = std::abs(points[r * 4 + j][d] - points[r * 4 + j - 1][d]);
        EXPECT_TRUE(by == 0 || by == .5);
        if (by > 0) moved.insert(d);
      }
    EXPECT_EQ(moved.size(), 3U);
  }
}

}  // namespace
}  // namespace asperity::study
