// The recursive estimator: against the truth of a simulated machine, and against what a Kalman filter has to do.
#include "asperity/identify/online.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "asperity/laws.hpp"
#include "counted_allocations.hpp"

namespace asperity {
namespace {

constexpr double h = 1e-3, mass = 2;

/// Ten short steps a sample: what the filter takes for one step.
template <class Law>
struct Machine {
  Law friction;
  typename Law::State z = friction.start();
  double position = 0, velocity = 0;

  void run(double push) {
    for (int i = 0; i < 10; ++i) {
      velocity += h / 10 / mass * (push - step(friction, z, {velocity}, h / 10));
      position += h / 10 * velocity;
    }
  }
};

double push_at(int k) { return 12 * std::sin(2 * k * h) + 3 * std::sin(31 * k * h); }

/// Errors in units of the filter's own standard deviation, over the second half of the run.
struct Errors {
  double root_mean_square, worst;
};

template <class Law, int P>
Errors track(Machine<Law> machine, FrictionTracker<Law, P>& tracker, const std::array<double, P>& truth, int samples) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 1e-6);
  double sum = 0, worst = 0;
  int count = 0;
  for (int k = 1; k <= samples; ++k) {
    machine.run(push_at(k));
    tracker.update(push_at(k), machine.position + noise(random), h);
    if (2 * k <= samples) continue;
    for (int j = 0; j < P; ++j) {
      const double error = (tracker.parameter(j) - truth[static_cast<std::size_t>(j)]) / tracker.deviation(j);
      sum += error * error;
      worst = std::fmax(worst, std::fabs(error));
      ++count;
    }
  }
  return {std::sqrt(sum / count), worst};
}

TEST(FrictionTracker, FindsTheLimitFromThreeTimesTooSmall) {
  Machine<SingleState<>> machine;
  machine.friction.F = 3;
  SingleState<> guess;
  guess.F = 1;
  FrictionTracker<SingleState<>, 1> tracker(guess, {"F"}, {.mass = mass});
  const Errors errors = track<SingleState<>, 1>(machine, tracker, {3}, 6000);
  EXPECT_NEAR(tracker.parameter(0), 3, 0.1);
  EXPECT_LT(tracker.deviation(0), 0.1);
  EXPECT_LT(errors.root_mean_square, 1.5);  // it is as sure as it may be
  EXPECT_LT(errors.worst, 4);
  EXPECT_DOUBLE_EQ(tracker.law().F, tracker.parameter(0));
  EXPECT_EQ(tracker.law().K, guess.K);
}

TEST(FrictionTracker, FindsTwoParametersOfALawAtOnce) {
  Machine<LuGre<>> machine;
  machine.friction.F_c = machine.friction.F_s = 3;
  machine.friction.D = 4;
  LuGre<> guess = machine.friction;
  guess.F_c = 1.5;
  guess.D = 12;
  FrictionTracker<LuGre<>, 2> tracker(guess, {"F_c", "D"}, {.mass = mass});
  track<LuGre<>, 2>(machine, tracker, {3, 4}, 8000);
  EXPECT_NEAR(tracker.parameter(0), 3, 0.15);
  EXPECT_NEAR(tracker.parameter(1), 4, 0.4);
}

TEST(FrictionTracker, FollowsAChange) {
  Machine<SingleState<>> machine;
  machine.friction.F = 3;
  FrictionTracker<SingleState<>, 1> tracker(machine.friction, {"F"}, {.mass = mass});
  int found = 0;
  for (int k = 1; k <= 6000; ++k) {
    if (k == 3001) machine.friction.F = 6;
    machine.run(push_at(k));
    tracker.update(push_at(k), machine.position, h);
    if (k > 3000 && found == 0 && std::fabs(tracker.parameter(0) - 6) < 0.3) found = k - 3000;
  }
  EXPECT_GT(found, 1);     // it takes more than a sample
  EXPECT_LT(found, 1000);  // and less than a second
  EXPECT_NEAR(tracker.parameter(0), 6, 0.3);
}

TEST(FrictionTracker, BridgesLostSamples) {
  Machine<SingleState<>> machine;
  machine.friction.F = 3;
  FrictionTracker<SingleState<>, 1> tracker(machine.friction, {"F"}, {.mass = mass});
  for (int k = 1; k <= 3000; ++k) {
    machine.run(push_at(k));
    tracker.update(push_at(k), k % 5 == 0 ? std::nan("") : machine.position, h);
  }
  EXPECT_NEAR(tracker.parameter(0), 3, 0.15);
  EXPECT_NEAR(tracker.position(), machine.position, 1e-4);
}

TEST(FrictionTracker, ForgetsWhatNothingExcitesButNoMoreThanAll) {
  SingleState<> law;
  law.F = 3;
  FrictionTracker<SingleState<>, 1> tracker(law, {"F"}, {.mass = mass, .parameter_deviation = 0.5, .parameter_drift = 0.2});
  for (int k = 0; k < 20000; ++k) tracker.update(0, 0, h);  // at rest: the limit plays no role
  EXPECT_DOUBLE_EQ(tracker.parameter(0), 3);
  EXPECT_DOUBLE_EQ(tracker.deviation(0), 3 * 0.5);
}

/// With the friction of a sliding body given, the rest is linear: variance of position and velocity follow the textbook's
/// recursion, written here for two numbers.
TEST(FrictionTracker, IsTheLinearFilterWhereTheMachineIsLinear) {
  Threshold<> law;
  law.F = 1;
  law.V = 0.5;  // f = 2 v below 0.5 m/s
  const TrackerSettings settings{.mass = mass,
                                 .position_noise = 1e-3,
                                 .velocity_deviation = 0.3,
                                 .force_noise = 0.2,
                                 .parameter_deviation = 1e-9,
                                 .parameter_drift = 0};
  FrictionTracker<Threshold<>, 1> tracker(law, {"F"}, settings);
  double x = 0, v = 0, xx = 1e-6, xv = 0, vv = 0.09;
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 1e-3);
  for (int k = 0; k < 500; ++k) {
    const double push = 0.5 * std::sin(0.02 * k), measured = 0.01 * std::sin(0.01 * k) + noise(random);
    tracker.update(push, measured, h);
    // x <- x + h v, v <- c v + h u/M
    const double c = 1 - 2 * h / mass;
    v = c * v + h / mass * push;
    x += h * v;
    const double vv1 = c * c * vv, xv1 = c * xv + h * vv1, xx1 = xx + 2 * h * c * xv + h * h * vv1;
    vv = vv1 + 0.2 * 0.2 / (mass * mass) * h, xv = xv1, xx = xx1;
    const double spread = xx + 1e-6, innovation = measured - x;
    x += xx / spread * innovation;
    v += xv / spread * innovation;
    vv -= xv * xv / spread;
    xv -= xv * xx / spread;
    xx -= xx * xx / spread;
    ASSERT_NEAR(tracker.position(), x, 1e-12);
    ASSERT_NEAR(tracker.velocity(), v, 1e-11);
  }
}

TEST(FrictionTracker, IsFitForAControlLoop) {
  FrictionTracker<SingleState<>, 2> tracker({}, {"F", "K"}, {});
  static_assert(noexcept(tracker.update(0, 0, h))&& noexcept(tracker.law()));
  const long before = allocations;
  for (int k = 0; k < 1000; ++k) tracker.update(std::sin(0.1 * k), 1e-3 * std::sin(0.1 * k), h);
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(std::isfinite(tracker.parameter(0)));
}

TEST(FrictionTracker, RefusesWhatItCannotTrack) {
  EXPECT_THROW((FrictionTracker<SingleState<>, 1>({}, {"mu"}, {})), std::invalid_argument);
  EXPECT_THROW((FrictionTracker<LuGre<>, 1>({}, {"D"}, {})), std::invalid_argument);  // D = 0 has no logarithm
}

}  // namespace
}  // namespace asperity
