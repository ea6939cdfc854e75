// The no-drift rule against the force it is about and against runs; designs that deliver, and advice that does.
#include "asperity/rules/friction.hpp"

#include <gtest/gtest.h>

#include "asperity/rules/stability.hpp"
#include "design/dice.hpp"

namespace asperity::design::friction_test {
namespace {

using testing::Dice;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array methods{Method::rk4, Method::rk4_lookahead, Method::euler, Method::step};

;

TEST(Holding, TheRuleWithoutDamping) {
  // K >= M w^2 (F - f_m)/(F - f_m - A)
  EXPECT_NEAR(least_holding_stiffness(5, 2, 0, {.amplitude = 1, .frequency = 30, .mean = 2}), 2 * 900 * 3. / 2, 1e-9);
  EXPECT_NEAR(least_holding_stiffness(5, 2, 0, {.amplitude = 1, .frequency = 30, .mean = -2}), 2 * 900 * 3. / 2, 1e-9);
  EXPECT_EQ(least_holding_stiffness(5, 2, 0, {.amplitude = 3.1, .frequency = 30, .mean = 2}), infinity);
  EXPECT_EQ(least_holding_stiffness(5, 2, 0, {.amplitude = 0, .frequency = 30, .mean = 2}), 0);
}
TEST(Holding, AtTheLeastStiffnessTheForceIsTheLimit) {
  Dice dice(11);
  int everywhere = 0;
  for (int i = 0; i < 300; ++i) {
    const double F = 3, mean = dice.uniform(-2, 2), A = (F - std::abs(mean)) * dice.uniform(.1, .99), M = dice.log_uniform(.1, 10),
                 w = dice.log_uniform(1, 1e3), beta = dice.log_uniform(1e-3, 1) / w;
    const double K = least_holding_stiffness(F, M, beta, {A, w, mean});
    if (K == 0) {  // every stiffness holds: look for one that does not
      ++everywhere;
      for (double k = 1e-3; k < 1e3; k *= 1.3) EXPECT_LE(std::abs(mean) + A * force_gain(k * M * w * w, beta, M, w), F);
      continue;
    }
    EXPECT_NEAR(std::abs(mean) + A * force_gain(K, beta, M, w), F, 1e-9);
    for (const double more : {1.001, 1.1, 10., 1e4}) EXPECT_LT(std::abs(mean) + A * force_gain(more * K, beta, M, w), F);
    EXPECT_GT(std::abs(mean) + A * force_gain(.999 * K, beta, M, w), F);
    EXPECT_LE(K, least_holding_stiffness(F, M, 0, {A, w, mean}) * (1 + 1e-12));  // damping helps
  }
  EXPECT_GT(everywhere, 5);
}
// xiong2013 Fig. 3.4: F - f_m = A, held only because 100 rad/s is above sqrt(2) sqrt(K/M) = 100 rad/s; whatever the damping.
TEST(Holding, AboveResonance) {
  EXPECT_EQ(least_holding_stiffness(.5, 1, 2e-3, {.amplitude = .15, .frequency = 100, .mean = .35}), infinity);
  for (const double beta : {0., 2e-3, 1.}) EXPECT_NEAR(force_gain(5e3, beta, 1, 100), 1, 1e-12);
}

// The law on both sides of the rule: beside it either nothing moves the point that is held, or every cycle does.
TEST(Holding, ARunOnBothSides) {
  Dice dice(11);
  int run_at_all = 0;
  for (int i = 0; i < 30; ++i) {
    const double F = dice.log_uniform(.1, 10), mean = F * dice.uniform(0, .7), A = (F - mean) * dice.uniform(.4, .9),
                 M = dice.log_uniform(.1, 10), w = dice.log_uniform(1, 1e3), beta = dice.log_uniform(.02, .3) / w;
    const Shake load{A, w, mean};
    const double K = least_holding_stiffness(F, M, beta, load);
    if (K == 0) continue;  // every stiffness holds
    ++run_at_all;
    for (const double side : {.98, 1.02}) {
      const ShakenRun run = shake({.limit = F, .mass = M, .step = std::min(.05 / w, beta), .shake = load}, side * K, beta);
      if (side > 1) {
        EXPECT_LT(run.slip, 1e-9 * F / K) << i;
        EXPECT_NEAR(run.force, mean + A * force_gain(side * K, beta, M, w), 1e-3 * F);
      } else {
        EXPECT_GT(run.slip, 1e-5 * F / K) << i;
      }
    }
  }
  EXPECT_GT(run_at_all, 20);
}

// --- designs

TEST(Pace, TheStuckModeIsGoneAtOnce) {
  for (const Method method : methods) {
    const auto [kappa, b] = pace(method);
    const double radius = spectral_radius(stuck_step(kappa, kappa * b, true, 1, 1, method));
    EXPECT_LT(radius, method == Method::rk4_lookahead ? .04 : 1e-6) << int(method);
    // Neighbours are slower, and the limit is far.
    for (const auto& [k, c] : {std::pair{.9, 1.}, {1.1, 1.}, {1., .8}, {1., 1.25}})
      EXPECT_GT(spectral_radius(stuck_step(k * kappa, k * kappa * c * b, true, 1, 1, method)), radius) << int(method);
    EXPECT_GT(largest_stiffness({.kind = Stiffness::Kind::asperity, .K = 9 * kappa, .B = 9 * kappa * b, .memory = b}, 1, 1, method),
              1.3 * kappa);
  }
}
TEST(Pace, BelowItTheStepStaysFarFromTheLimit) {
  for (const Method method : methods)
    for (double share = 1; share > 1e-6; share *= .7) {
      const double K = share * pace(method).kappa, beta = damping_time(K, 1, 1, method);
      EXPECT_GT(beta, 0);
      EXPECT_LT(1 / beta, .999 * reach(method));
      EXPECT_LT(smallest_mass({.kind = Stiffness::Kind::asperity, .K = K, .B = K * beta, .memory = beta}, 1, method), 1 / 1.3);
    }
}

TEST(DesignFriction, AsStiffAsTheStepAllows) {
  const FrictionDesign made = design_friction({.limit = 5, .mass = 2, .step = 1e-3});
  EXPECT_NEAR(made.K, 3.7812 * 2 / 1e-6, 1e-4 * made.K);
  EXPECT_NEAR(made.beta, .91474e-3, 1e-7);
  EXPECT_NEAR(made.displacement, 5 / made.K, 1e-12);
  EXPECT_NEAR(made.room, 7.758 / (2.7853 * made.beta / 1e-3 - 1) * 2 / 1e-6 / made.K, 1e-3);
  EXPECT_TRUE(made.delivers());
}

FrictionWish wish_of(Dice& dice, int i) {
  FrictionWish wish{.limit = dice.log_uniform(1e-2, 1e3),
                    .mass = dice.log_uniform(1e-3, 1e3),
                    .step = dice.log_uniform(1e-5, 1e-2),
                    .method = methods[std::size_t(i % 4)]};
  const double softest = wish.limit * wish.step * wish.step / wish.mass;
  if (i % 3 > 0) wish.displacement = dice.log_uniform(.03, 300) * softest;
  if (i % 2 > 0) {
    const double mean = wish.limit * dice.uniform(-.8, .8);
    wish.shake = Shake{(wish.limit - std::abs(mean)) * dice.uniform(.3, 1.1), dice.log_uniform(.02, .6) / wish.step, mean};
  }
  return wish;
}

TEST(DesignFriction, DeliversWhatItPromises) {
  Dice dice(11);
  int delivered = 0;
  for (int i = 0; i < 120; ++i) {
    const FrictionWish wish = wish_of(dice, i);
    const FrictionDesign made = design_friction(wish);
    EXPECT_GT(made.room, 1.29) << i;
    if (!made.delivers()) continue;
    ++delivered;
    const FrictionRun run = simulate(wish, made);
    EXPECT_NEAR(run.displacement, made.displacement, 1e-3 * made.displacement) << i;
    EXPECT_LE(made.displacement, wish.displacement.value_or(infinity) * (1 + 1e-12)) << i;
    EXPECT_NEAR(run.settling, made.settling, .01 * made.settling + 1e-9) << i;
    if (!wish.shake) continue;
    EXPECT_LT(run.shaken->slip, 1e-9 * made.displacement) << i << " w T " << wish.shake->frequency * wish.step;
    EXPECT_NEAR(run.shaken->force, made.force, .03 * wish.limit) << i;
  }
  EXPECT_GT(delivered, 40);
}

// Loads that leave little of the limit: where a stage meets more than the motion between the steps has, it would slip.
TEST(DesignFriction, WhatHoldsDoesNotSlip) {
  Dice dice(11);
  int held = 0;
  for (int i = 0; i < 1200; ++i) {
    FrictionWish wish = wish_of(dice, 2 * i + 1);
    wish.method = methods[std::size_t(i % 4)];
    wish.shake->amplitude = (wish.limit - std::abs(wish.shake->mean)) * dice.uniform(.9, 1);
    wish.shake->frequency = dice.log_uniform(.03, .3) / wish.step;
    const FrictionDesign made = design_friction(wish);
    if (!made.holds) continue;
    ++held;
    const ShakenRun run = shake(wish, made.K, made.beta);
    EXPECT_EQ(run.slip, 0) << i;
    EXPECT_LE(run.force, made.force * (1 + 1e-9)) << i;
    EXPECT_GT(run.force, .98 * made.force) << i;
  }
  EXPECT_GT(held, 300);
}
TEST(DesignFriction, AWishThatOnceSlipped) {
  const FrictionWish wish{.limit = 24.007353287362584,
                          .mass = 0.06884697768346826,
                          .step = 3.027e-4,
                          .shake = Shake{21.851042906848306, 460.8297873407079, 2.0368042412226814}};
  const FrictionDesign made = design_friction(wish);
  EXPECT_FALSE(made.holds);
  EXPECT_GT(shake(wish, made.K, made.beta).slip, 1e-7);  // and it would
  EXPECT_GT(made.force, wish.limit);
}

TEST(DesignFriction, TheAdviceDelivers) {
  Dice dice(11);
  int shorter = 0, heavier = 0, steadier = 0, stronger = 0;
  for (int i = 0; i < 300; ++i) {
    const FrictionWish wish = wish_of(dice, i);
    const FrictionDesign made = design_friction(wish);
    const auto with = [&](auto change) {
      FrictionWish other = wish;
      change(other);
      const FrictionDesign better = design_friction(other);
      if (better.holds && other.shake) {
        EXPECT_EQ(shake(other, better.K, better.beta).slip, 0) << i;
      }
      return better;
    };
    if (!made.still_enough) {
      ++shorter, ++heavier;
      EXPECT_TRUE(with([&](FrictionWish& w) { w.step = .9999 * made.step_for_displacement; }).still_enough) << i;
      EXPECT_FALSE(with([&](FrictionWish& w) { w.step = 1.001 * made.step_for_displacement; }).still_enough) << i;
      EXPECT_TRUE(with([&](FrictionWish& w) { w.mass = 1.0001 * made.mass_for_displacement; }).still_enough) << i;
    }
    if (!made.holds) {
      if (made.limit_to_hold > 0) {
        ++stronger;
        EXPECT_TRUE(with([&](FrictionWish& w) { w.limit = made.limit_to_hold; }).holds) << i;
      }
      if (made.step_to_hold > 0) {
        ++steadier;
        EXPECT_TRUE(with([&](FrictionWish& w) { w.step = made.step_to_hold; }).holds) << i;
      }
    }
  }
  EXPECT_GT(std::min({shorter, heavier, steadier, stronger}), 10);
}

}  // namespace
}  // namespace asperity::design::friction_test
