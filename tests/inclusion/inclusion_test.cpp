// Inclusions as C++: the numbers of the papers, and those of the same system as a network, at every step.
#include "asperity/inclusion/inclusion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/integrate/integrator.hpp"
#include "inclusion/models.hpp"
#include "run/worlds.hpp"
#include "system/run.hpp"

namespace asperity {
namespace {

using namespace testing;

TEST(Inclusion, FindsItsTerms) {
  EXPECT_EQ(two_blocks().terms().dio, 3u);
  EXPECT_EQ(two_blocks().terms().sgn, 3u);
  EXPECT_EQ(sphere().terms().sgn, 2u);
  EXPECT_EQ(two_blocks().start().size(), 14u);
}

// 6.1 of reference.md at the step of the paper, and the same numbers as the network of a mass, a law and a push.
TEST(Inclusion, HeldByFrictionIsTheNetworkToTheLastDigits) {
  auto model = held();
  World world;
  testing::held_by_friction(world);
  std::vector<std::vector<double>> network;
  run(world, Method::rk4, 10, 1e-3, [&](double, const std::vector<double>& x) { network.push_back(x); });
  std::size_t k = 0;
  double at2 = 0;
  const auto x = run(model, Method::rk4, 10, 1e-3, [&](double t, const std::vector<double>& y) {
    for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(y[i], network[k][i], 1e-12 * std::max(1.0, std::abs(y[i]))) << t;
    if (std::abs(t - 2) < 1e-9) at2 = y[0];
    ++k;
  });
  EXPECT_NEAR(at2, .02278298, 1e-8);
  EXPECT_NEAR(x[0], .030766, 1e-6);
}

// 6.2: restitution and penetration, converged; the network's numbers.
TEST(Inclusion, BounceIsTheNetworkAndThePaper) {
  for (const auto& [alpha, restitution, penetration] : {std::array{.007, .87992, 12.055e-3}, {.001, .29026, 5.509e-3}}) {
    auto model = bounce(alpha);
    World world;
    testing::bouncing_ball(world, alpha);
    const auto network = run(world, Method::rk4, .7, 1e-5);
    double v_in = 0, v_out = 0, deepest = 0;
    const auto x = run(model, Method::rk4, .7, 1e-5, [&](double, const std::vector<double>& y) {
      if (v_in == 0 && y[0] < 0) v_in = -y[1];
      deepest = std::max(deepest, -y[0]);
      v_out = std::max(v_out, y[1]);
    });
    EXPECT_NEAR(v_out / v_in, restitution, 5e-4);
    EXPECT_NEAR(deepest, penetration, 2e-6);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], network[i], 1e-12 * std::max(1.0, std::abs(x[i])));
  }
}

// 6.3: the contacts, the rolling, 5/7 v0 and the invariant vx + 0.4 R wy.
TEST(Inclusion, RollingSphere) {
  auto model = sphere();
  std::vector<double> touches;
  bool touching = false;
  double stands = 0, invariant = 0;
  const auto x = run(model, Method::rk4, 3, 5e-5, [&](double t, const std::vector<double>& y) {
    const bool now = y[2] < .5;
    if (now && !touching) touches.push_back(t);
    touching = now;
    if (stands == 0 && y[3] - .5 * y[7] < 0) stands = t;
    invariant = std::max(invariant, std::abs(y[3] + .2 * y[7] - 5.5));
  });
  const std::vector<double> expected{.3194, .8544, 1.2956, 1.6595};
  ASSERT_GE(touches.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(touches[i], expected[i], 2e-4);
  EXPECT_NEAR(stands, 1.6633, 2e-4);
  EXPECT_NEAR(x[3], 5. / 7 * 5.5, 1e-9);
  EXPECT_LT(invariant, 1e-9);
}

// 6.4: the state at .14 s; the network's numbers to .4 s, after which impacts amplify rounding.
TEST(Inclusion, TwoBlocksIsTheNetworkAndThePaper) {
  auto model = two_blocks();
  World world;
  testing::conveyor(world);
  std::vector<std::vector<double>> network;
  run(world, Method::rk4, .4, 2e-5, [&](double, const std::vector<double>& y) { network.push_back(y); });
  // The network holds its numbers column by column: x of both, y of both.
  const std::size_t place[] = {0, 2, 1, 3, 4, 6, 5, 7};
  std::size_t k = 0;
  std::vector<double> at14;
  run(model, Method::rk4, .4, 2e-5, [&](double t, const std::vector<double>& y) {
    for (std::size_t i = 0; i < 8; ++i)
      ASSERT_NEAR(y[i], network[k][place[i]], 1e-12 * std::max(1.0, std::abs(y[i]))) << t << " " << i;
    if (std::abs(t - .14) < 1e-9) at14 = y;
    ++k;
  });
  const double expected[] = {0, -.099447, .001990, -2.0e-5, 0, -3.24378, -.68601, 0};
  const double digits[] = {1e-6, 1e-6, 1e-6, 1e-6, 1e-4, 1e-5, 1e-5, 1e-3};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(at14[i], expected[i], digits[i]) << i;
}

// 6.5: period and extremes, with an adaptive and with a stiff method.
TEST(Inclusion, BeltAndDuffingSpring) {
  for (const char* method : {"dopri5", "cvode"}) {
    auto model = belt_and_spring(.2);
    const auto integrator = make_integrator(method, model, {.rtol = 1e-10, .atol = 1e-12, .max_step = 2e-3});
    integrator->start(0, model.start());
    integrator->advance(60);
    double low = 0, high = 0, slowest = 9, fastest = -9;
    integrator->advance(76, [&](double, std::span<const double> x) {
      low = std::min(low, x[0]);
      high = std::max(high, x[0]);
      slowest = std::min(slowest, 1 - x[1]);
      fastest = std::max(fastest, 1 - x[1]);
    });
    EXPECT_NEAR(low, -1.49988, 2e-5) << method;
    EXPECT_NEAR(high, 1.60062, 2e-5) << method;
    EXPECT_NEAR(slowest, -.0813, 1e-4) << method;
    EXPECT_NEAR(fastest, 2.06666, 2e-5) << method;
  }
}

// The derivatives that cvode uses are those of the whole, set-valued terms included.
TEST(Inclusion, RunsOnDualNumbers) {
  auto model = two_blocks();
  std::vector<double> x = model.start(), low(x.size()), high(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-4 * std::sin(double(i) + 1);
  for (std::size_t j = 0; j < x.size(); ++j) {
    std::vector<Dual<8>> dual(x.begin(), x.end()), rate(x.size());
    dual[j].v[0] = 1;
    model.rate(0, std::span<const Dual<8>>(dual), 0, std::span<Dual<8>>(rate));
    const double h = 1e-8;
    std::vector<double> y = x;
    y[j] -= h;
    model.rate(0, std::span<const double>(y), 0, std::span<double>(low));
    y[j] += 2 * h;
    model.rate(0, std::span<const double>(y), 0, std::span<double>(high));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double difference = (high[i] - low[i]) / (2 * h);
      EXPECT_NEAR(rate[i].v[0], difference, 1e-5 * std::max(100.0, std::abs(difference))) << i << " by " << j;
    }
  }
}

}  // namespace
}  // namespace asperity
