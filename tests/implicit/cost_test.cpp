// What an implicit step may cost: no allocation after the first one, and a linear system that grows with its world and no faster.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#include "counted_allocations.hpp"
#include "integrate/implicit_lu.hpp"

namespace asperity::cost_test {
namespace {

constexpr double g = 9.81;

using Links = std::vector<std::array<std::size_t, 2>>;

/// A matrix of the pattern, far enough from singular, and its product with x.
struct System {
  detail::BlockLu lu;
  std::vector<std::size_t> sizes, first;
  std::vector<double> x, b;

  System(std::vector<std::size_t> sizes_of, const Links& links) : lu(sizes_of, links), sizes(std::move(sizes_of)) {
    std::size_t n = 0;
    for (const std::size_t size : sizes) first.push_back(n), n += size;
    for (std::size_t k = 0; k < n; ++k) x.push_back(std::sin(1.0 + 3.0 * double(k)));
    b.assign(n, 0.0);
    double seed = .3;
    lu.clear_fill();
    lu.each_block([&](std::size_t row, std::size_t column, std::size_t place) {
      for (std::size_t i = 0; i < sizes[row]; ++i)
        for (std::size_t j = 0; j < sizes[column]; ++j) {
          seed = std::fmod(7.1 * seed + .37, 1.0);
          // Small on the diagonal, large beside it: without an exchange of rows within a block it would go wrong.
          const double value = row != column ? .1 * seed : i == j ? 1e-14 : 2 * double((i + 1) % sizes[row] == j) + .1 * seed;
          lu.values()[place + i * sizes[column] + j] = sizes[row] == 1 && row == column ? 3 + seed : value;
          b[first[row] + i] += lu.values()[place + i * sizes[column] + j] * x[first[column] + j];
        }
    });
  }
  double error() {
    for (const auto& component : lu.components()) {
      EXPECT_NE(lu.factor(component), 0);
      lu.solve(component, b);
    }
    double largest = 0;
    for (std::size_t k = 0; k < x.size(); ++k) largest = std::max(largest, std::abs(b[k] - x[k]));
    return largest;
  }
};

TEST(BlockLu, SolvesWhatItIsGiven) {
  EXPECT_LT(System({3}, {}).error(), 1e-12);
  EXPECT_LT(System({3, 1, 2, 6}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}).error(), 1e-11);             // a ring fills
  EXPECT_LT(System({2, 2, 2, 2, 2}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 1}}).error(), 1e-11);  // a star, one link twice
  EXPECT_LT(System({1, 3, 2, 1}, {{0, 2}, {1, 3}}).error(), 1e-12);                             // two parts
  EXPECT_EQ(System({1, 3, 2, 1}, {{0, 2}, {1, 3}}).lu.components().size(), 2u);
}

TEST(BlockLu, AChainAndAStarFillNothing) {
  for (const std::size_t n : {10u, 100u, 1000u}) {
    Links chain, star;
    for (std::size_t i = 1; i < n; ++i) chain.push_back({i - 1, i}), star.push_back({0, i});
    for (const Links& links : {chain, star}) {
      detail::BlockLu lu(std::vector<std::size_t>(n, 2), links);
      EXPECT_EQ(lu.values().size(), 4 * (n + 2 * (n - 1)));
    }
  }
}

TEST(BlockLu, SaysThatABlockIsSingular) {
  detail::BlockLu lu({2}, {});
  std::fill(lu.values().begin(), lu.values().end(), 1.0);
  EXPECT_EQ(lu.factor(lu.components()[0]), 0);
}

// Two groups of one unknown, and one of two whose rows are exchanged: [[1, 2], [2, 1]] has the determinant -3.
TEST(BlockLu, KnowsTheSignOfTheDeterminant) {
  for (const auto& lu_of : {detail::BlockLu({2}, {}), detail::BlockLu({1, 1}, {{0, 1}})})
    for (const double other : {0.5, 2.0}) {
      detail::BlockLu lu = lu_of;
      std::fill(lu.values().begin(), lu.values().end(), other);
      lu.each_block([&](std::size_t row, std::size_t column, std::size_t place) {
        if (row == column) lu.values()[place] = lu.values()[place + (lu.components()[0].last == 1 ? 3 : 0)] = 1;
      });
      EXPECT_EQ(lu.factor(lu.components()[0]), other < 1 ? 1 : -1);
    }
}

// Two boxes on top of each other and one that slides, then stops: contacts come and go, memory does not.
TEST(Cost, NothingIsAllocatedAfterTheFirstStep) {
  for (const char* method : {"implicit", "implicit2"}) {
    World world;
    world.set_gravity({0, 0, -g});
    FrictionalContact<LinearCompliance<>, SingleState<double, 3>> law;
    law.tangential.F = .3;
    PointPlane<double, 3> face;
    const auto low = world.add("low", PointMass<double, 3>{1.0}, {{}, {{1, 0, 0}}});
    world.add("floor", law, face, low, ground);
    face.offset = .1;
    world.add("top", law, face, world.add("high", PointMass<double, 3>{2.0}, {{{0, 0, .11}}, {}}), low);
    BallPlane<double> floor;
    floor.radius = .1;
    Frame<double> ball;
    ball.p = {{1, 0, .2}};
    ball.w = {{1, 2, 3}};
    world.add("floor", law, floor, world.add("ball", RigidBody<double>::of(1, inertia::sphere(1, .1)), ball), ground);
    world.set_gravity({0, 0, -g});
    IntegratorOptions options;
    options.step = 5e-3;
    const auto integrator = make_integrator(method, world, options);
    integrator->start(0, world.start());
    integrator->step();
    const long before = allocations;
    for (int k = 0; k < 400; ++k) integrator->step();
    EXPECT_EQ(allocations, before) << method;
    EXPECT_GT(integrator->statistics().iterations, 100);
  }
}

}  // namespace
}  // namespace asperity::cost_test
