// Inclusions as C++: the numbers of the papers, and those of the same system as a network, at every step.
#include "asperity/inclusion/inclusion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/integrate/integrator.hpp"
#include "inclusion/models.hpp"
#include "run/worlds.hpp"
#include "system/run.hpp"

namespace asperity::inclusion_test {
namespace {

using namespace testing;

TEST(Inclusion, FindsItsTerms) {
  EXPECT_EQ(two_blocks().terms().dio, 3u);
  EXPECT_EQ(two_blocks().terms().sgn, 3u);
  EXPECT_EQ(sphere().terms().sgn, 2u);
  EXPECT_EQ(two_blocks().start().size(), 14u);
}

// xiong2013 Fig 3.4 at the step of the paper, and the same numbers as the network of a mass, a law and a push.
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

// Figs 3.4 and 3.6 of xiong2013, converged: where friction holds the block, and where the ball comes to rest, M g/K deep.
TEST(Inclusion, ConvergesToThePaper) {
  auto block = held();
  EXPECT_NEAR(run(block, Method::rk4, 10, 1e-4)[0], .030772, 1e-6);
  auto ball = bounce(.001);
  const auto x = run(ball, Method::rk4, 4, 1e-4);
  EXPECT_NEAR(x[0], -9.8e-5, 1e-10);
  EXPECT_NEAR(x[1], 0, 1e-9);
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

/// A block that slides until it stops, and is then held on a slope: v0/((mu - s) g) long, v0^2/(2 (mu - s) g) far.
auto sliding_block() {
  return inclusion(std::array{0.0, 1.0}, [](auto& in, const auto&, const auto& x) {
    const auto& [p, v] = x;
    using S = std::decay_t<decltype(v)>;
    return in.rates(v, S(2.0) - in.sgn(S(6.0), v, Sgn{1e4, 2e-2}));
  });
}

TEST(Inclusion, RunsWithEveryIntegrator) {
  for (const AboutMethod& method : integration_methods()) {
    if (!method.available) continue;
    auto model = sliding_block();
    const auto integrator = make_integrator(method.name, model, {.step = 1e-4, .rtol = 1e-8, .atol = 1e-11, .max_step = 1e-3});
    integrator->start(0, model.start());
    integrator->advance(.2);
    EXPECT_NEAR(integrator->state()[1], .2, 1e-4) << method.name;  // v0 - (6 - 2) t
    EXPECT_NEAR(integrator->state()[0], .12, 2e-4) << method.name;
    integrator->advance(.45);
    const double stopped = integrator->state()[0];
    // It stops at .25 s, springs back by what the asperity was deflected more than 2 N need, and stays.
    EXPECT_NEAR(stopped, .125, 6e-4) << method.name;
    integrator->advance(.5);
    EXPECT_NEAR(integrator->state()[0], stopped, 1e-6) << method.name;
    EXPECT_NEAR(1e4 * integrator->state()[2], 2, 1e-2) << method.name;
  }
}

/// A point that is pushed below the limit of friction, along one line, in D dimensions.
template <int D, class S>
std::vector<S> rates_of_a_push(const std::array<double, 3>& v, const std::array<double, 3>& a) {
  std::array<double, D> start{};
  const auto model = inclusion(start, [](auto& in, const auto&, const auto& x) {
    using T = std::decay_t<decltype(x[0])>;
    VecN<T, D> slip;
    for (int k = 0; k < D; ++k) slip[k] = x[std::size_t(k)];
    const auto f = in.sgn(T(2.0), slip, Sgn{1e3, 1e-3});
    if constexpr (D == 2) return in.rates(-f[0], -f[1]);
    else return in.rates(-f[0], -f[1], -f[2]);
  });
  EXPECT_EQ(model.size(), 2 * std::size_t(D));
  std::vector<S> x, xdot(model.size());
  for (int k = 0; k < D; ++k) x.push_back(S(v[std::size_t(k)]));
  for (int k = 0; k < D; ++k) x.push_back(S(a[std::size_t(k)]));
  model.rate(0, std::span<const S>(x), 0, std::span<S>(xdot));
  return xdot;
}

// chi theta/|theta| where it slides, K (a + beta theta) where it holds; |f| never above chi, in any direction.
TEST(Inclusion, VectorsInThePlaneAndInSpace) {
  const auto held2 = rates_of_a_push<2, double>({.3, -.4, 0}, {1e-4, 2e-4, 0});
  EXPECT_DOUBLE_EQ(held2[0], -(.1 + .3));
  EXPECT_DOUBLE_EQ(held2[1], -(.2 - .4));
  EXPECT_DOUBLE_EQ(held2[2], .3);  // adot = v while it holds
  const auto slides2 = rates_of_a_push<2, double>({30, -40, 0}, {0, 0, 0});
  EXPECT_DOUBLE_EQ(slides2[0], -2 * .6);
  EXPECT_DOUBLE_EQ(slides2[1], 2 * .8);
  const auto slides3 = rates_of_a_push<3, double>({10, -20, 20}, {0, 0, 0});
  EXPECT_DOUBLE_EQ(slides3[0], -2 / 3.);
  EXPECT_DOUBLE_EQ(slides3[1], 4 / 3.);
  EXPECT_DOUBLE_EQ(slides3[2], -4 / 3.);
  const auto held3 = rates_of_a_push<3, double>({.1, .2, -.2}, {1e-4, 0, 0});
  EXPECT_DOUBLE_EQ(held3[0], -.2);
  EXPECT_DOUBLE_EQ(held3[5], -.2);
}

// Any scalar: single precision gives the same to its digits, dual numbers the same to the last.
TEST(Inclusion, RunsOnOtherScalars) {
  const std::array<double, 3> v{10, -20, 20}, a{1e-4, 2e-4, -1e-4};
  const auto expected = rates_of_a_push<3, double>(v, a);
  const auto single = rates_of_a_push<3, float>(v, a);
  const auto dual = rates_of_a_push<3, Dual<3>>(v, a);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(single[i], expected[i], 1e-6 * std::abs(expected[i])) << i;
    EXPECT_EQ(dual[i].a, expected[i]) << i;
  }
  auto block = sliding_block();
  std::vector<float> x{0, 1, 0}, xdot(3);
  for (int k = 0; k < 2000; ++k) {  // Euler, 1e-4 s
    block.rate(0, std::span<const float>(x), 0, std::span<float>(xdot));
    for (std::size_t i = 0; i < 3; ++i) x[i] += 1e-4f * xdot[i];
  }
  EXPECT_NEAR(x[1], .2, 1e-3);
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

#ifndef NDEBUG
// A call under an `if` on the state is found out where it is left out.
TEST(InclusionDeathTest, WantsTheSameCallsEveryTime) {
  const auto model = inclusion(std::array{0.0}, [](auto& in, const auto&, const auto& x) {
    const auto& [v] = x;
    return in.rates(v > 1 ? -v : -in.sgn(1, v, {}));
  });
  std::vector<double> x = model.start(), xdot(x.size());
  model.rate(0, std::span<const double>(x), 0, std::span<double>(xdot));
  x[0] = 2;
  EXPECT_DEATH(model.rate(0, std::span<const double>(x), 0, std::span<double>(xdot)),
               "as many calls of dio and sgn as at the start");
}
#endif

}  // namespace
}  // namespace asperity::inclusion_test
