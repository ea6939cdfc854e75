#include "asperity/shapes/near.hpp"

#include <gtest/gtest.h>

#include "poses.hpp"

namespace asperity::near_test {
namespace {

TEST(Near, AllPairsOfBruteForceAndNoOthers) {
  Chance chance(11);
  for (const std::size_t n : std::vector<std::size_t>{0, 1, 2, 50, 400}) {
    std::vector<Bounds> all;
    for (std::size_t i = 0; i < n; ++i) {
      const auto kind = Shape::Kind(i % 40 == 7 ? 3 : i % 3);
      all.push_back(bounds(any_shape(kind, chance), chance.pose(1), 0.01));
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = i + 1; j < n; ++j)
        if (all[i].meets(all[j])) expected.emplace_back(i, j);
    EXPECT_EQ(near_pairs(all), expected);
  }
}

TEST(Near, BoundsHoldTheShape) {
  Chance chance(12);
  for (int i = 0; i < 200; ++i) {
    const Shape box = any_shape(Shape::Kind::box, chance), rod = any_shape(Shape::Kind::capsule, chance);
    const Pose<double> at = chance.pose(1);
    const Bounds of_box = bounds(box, at), of_rod = bounds(rod, at);
    Point low{{1e9, 1e9, 1e9}};
    for (int k = 0; k < 8; ++k) {
      const Point p =
          at.p +
          rotate(at.q, Point{{(k & 1 ? 1 : -1) * box.half[0], (k & 2 ? 1 : -1) * box.half[1], (k & 4 ? 1 : -1) * box.half[2]}});
      for (int c = 0; c < 3; ++c) low[c] = std::min(low[c], p[c]);
    }
    Point low_rod{{1e9, 1e9, 1e9}};
    for (const double end : {-1.0, 1.0}) {
      const Point p = at.p + rotate(at.q, Point{{0, 0, end * rod.reach}});
      for (int c = 0; c < 3; ++c) low_rod[c] = std::min(low_rod[c], p[c] - rod.radius);
    }
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(of_box.low[c], low[c], 1e-14);
      EXPECT_NEAR(of_rod.low[c], low_rod[c], 1e-14);
    }
  }
}

}  // namespace
}  // namespace asperity::near_test
