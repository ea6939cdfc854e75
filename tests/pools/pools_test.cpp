// Pools in lanes, on threads, and worlds in parts: the numbers of the loop over the items.
#include <gtest/gtest.h>

#include <bit>
#include <stdexcept>

#include "asperity/run/run.hpp"
#include "pools/scenes.hpp"
#include "system/run.hpp"

namespace asperity::pools_test {
namespace {

using namespace pools_test;
using Builder = void (*)(World&, std::size_t);

struct Scene {
  const char* name;
  Builder build;
  std::size_t items;
  double h;
};
// Counts that fill no whole number of lanes; long enough for touch, slip and release.
constexpr Scene scenes[] = {
    {"heap", [](World& world, std::size_t n) { build_heap(world, n); }, 59, 1e-4},
    {"balls", [](World& world, std::size_t n) { build_balls(world, n); }, 61, 1e-4},
    {"boxes", [](World& world, std::size_t n) { build_boxes(world, n); }, 29, 1e-4},
    {"row", [](World& world, std::size_t n) { build_row(world, n); }, 45, 1e-4},
};
constexpr long steps = 400;

void expect_same_bits(const std::vector<double>& x, const std::vector<double>& expected) {
  ASSERT_EQ(x.size(), expected.size());
  std::size_t differ = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    differ += std::bit_cast<std::uint64_t>(x[i]) != std::bit_cast<std::uint64_t>(expected[i]);
  EXPECT_EQ(differ, 0u);
}

std::vector<double> plain(const Scene& scene, Method method = Method::rk4) {
  World world;
  scene.build(world, scene.items);
  return testing::run(world, method, steps * scene.h, scene.h);
}
std::vector<double> in_lanes(const Scene& scene, const Speed& speed, Method method = Method::rk4) {
  World world;
  scene.build(world, scene.items);
  Workspace work(world, lane_kernels(speed));
  std::vector<double> x = world.start();
  RungeKutta integrator(method, x.size());
  const LaneSums sums(speed);
  const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { work.rate(t, y, tau, dy); };
  for (long k = 0; k < steps; ++k) {
    integrator.step(rate, double(k) * scene.h, scene.h, x, sums);
    work.between_steps(double(k + 1) * scene.h, x);
  }
  return x;
}
std::vector<double> in_parts(const Scene& scene, const Speed& speed, std::size_t& count) {
  World world;
  scene.build(world, scene.items);
  std::vector<double> x = world.start();
  Parts parts(world, Method::rk4, speed);
  count = parts.count();
  parts.advance(0, 150, scene.h, x);
  parts.advance(150, steps - 150, scene.h, x);
  return x;
}

// What a user gets: a run takes lanes and threads by itself where pools are large, and no number shows it.
TEST(Runs, TakeLanesAndThreadsByThemselves) {
  constexpr std::size_t many = 9000;  // more than two chunks
  const auto built = [&](World& world) { build_balls(world, many); };
  constexpr double h = 1e-4, duration = 5 * h;
  World simple;
  built(simple);
  const auto expected = testing::run(simple, Method::rk4, duration, h);
  for (const int threads : {1, 2, 5}) {
    if (threads > 1 && !threads_available()) continue;
    SCOPED_TRACE(threads);
    World world;
    built(world);
    asperity::Run run(world, {.duration = duration, .step = h, .threads = threads});
    ASSERT_TRUE(run.go());
    expect_same_bits({run.state().begin(), run.state().end()}, expected);
    std::size_t pools = 0;
    world.pools().each_element_pool([&](const ElementPool&) { ++pools; });
    world.pools().each_body_pool([&](const BodyPool&) { ++pools; });
    EXPECT_EQ(run.pools_in_lanes(), pools);
  }
}
// Laws with exp or pow have other last bits in lanes: a run takes the plain loop.
TEST(Runs, KeepThePlainLoopWhereLanesHaveOtherBits) {
  World world;
  for (int i = 0; i < 40; ++i) {
    const auto block = world.add("block" + std::to_string(i), PointMass<double>{});
    world.add("floor" + std::to_string(i), Multistate<double, 10>{}, between(block, ground));
  }
  asperity::Run run(world, {.duration = 1e-3, .step = 1e-4});
  EXPECT_EQ(run.pools_in_lanes(), 1u) << "the bodies";
}

TEST(Lanes, GiveTheNumbersOfTheLoop) {
  for (const Scene& scene : scenes)
    for (const Method method : {Method::rk4, Method::rk4_lookahead, Method::euler}) {
      const auto expected = plain(scene, method);
      for (const double number : expected) ASSERT_TRUE(std::isfinite(number)) << scene.name;
      for (const Isa isa : all_isas) {
        if (!supported(isa)) continue;
        SCOPED_TRACE(std::string(scene.name) + " " + std::string(name(isa)));
        expect_same_bits(in_lanes(scene, {.isa = isa}, method), expected);
      }
    }
}

// Small chunks, so that many of them are at work on one pool.
TEST(Threads, GiveTheNumbersOfOne) {
  if (!threads_available()) GTEST_SKIP() << "built without oneTBB";
  for (const Scene& scene : scenes) {
    SCOPED_TRACE(scene.name);
    const auto expected = plain(scene);
    expect_same_bits(in_lanes(scene, {.threads = 2, .chunk = 8}), expected);
    expect_same_bits(in_lanes(scene, {.threads = 2, .chunk = 5}), expected);
  }
}

TEST(Parts, GiveTheNumbersOfTheWhole) {
  for (const Scene& scene : scenes) {
    SCOPED_TRACE(scene.name);
    const auto expected = plain(scene);
    std::size_t count = 0;
    expect_same_bits(in_parts(scene, {.smallest_pool = 1, .part_numbers = 1}, count), expected);
    // The heap and the row hang together, the lumps and discs beside the row do not.
    EXPECT_EQ(count, scene.name == std::string_view("heap") ? 1 : scene.name == std::string_view("row") ? 1 + 2 * 45 : scene.items);
    expect_same_bits(in_parts(scene, {.part_numbers = 300}, count), expected);
    EXPECT_EQ(count > 1, scene.name != std::string_view("heap"));
  }
}
TEST(Parts, OnThreadsGiveTheNumbersOfTheWhole) {
  if (!threads_available()) GTEST_SKIP() << "built without oneTBB";
  for (const Scene& scene : scenes) {
    SCOPED_TRACE(scene.name);
    std::size_t count = 0;
    expect_same_bits(in_parts(scene, {.threads = 2, .smallest_pool = 1, .part_numbers = 17}, count), plain(scene));
  }
}

TEST(Parts, AnArmStaysWhole) {
  World world;
  const auto arm = world.add_arm("arm", {{1, .5}, {1, .4}}, {{.3, 0}, {.2, 0}}, {0, -9.8});
  for (std::uint32_t joint = 1; joint <= 2; ++joint)
    world.add("joint", SingleState<>{}, Line<double>{}, World::joint(arm, joint), ground);
  for (int i = 0; i < 3; ++i) world.add("block", PointMass<double>{1.0}, {0, double(i)});
  world.push(World::joint(arm, 2), 0, [](double t) { return t; });
  auto x = world.start();
  Parts parts(world, Method::rk4, {.smallest_pool = 1, .part_numbers = 1});
  EXPECT_EQ(parts.count(), 4u);
  parts.advance(0, 200, 1e-3, x);
  expect_same_bits(x, testing::run(world, Method::rk4, .2, 1e-3));
}

// The words of lanes for exp and pow are not those of the C library: the promise is a few units in the last place a step.
TEST(Lanes, TranscendentalLawsAreClose) {
  const Scene scene{"presliding", [](World& world, std::size_t n) { build_presliding(world, n); }, 37, 1e-5};
  const auto expected = plain(scene);
  for (const Isa isa : all_isas) {
    if (!supported(isa)) continue;
    const auto x = in_lanes(scene, {.isa = isa});
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-10 * std::abs(expected[i]) + 1e-22);
  }
}

TEST(Speed, RefusesWhatThereIsNot) {
  EXPECT_THROW(lane_kernels({.threads = 0}), std::invalid_argument);
  for (const Isa isa : all_isas) {
    if (!supported(isa)) {
      EXPECT_THROW(lane_kernels({.isa = isa}), std::invalid_argument);
    }
  }
  if (!threads_available()) {
    EXPECT_THROW(lane_kernels({.threads = 2}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace asperity::pools_test
