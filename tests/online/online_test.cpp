// The recursive estimator: against the truth of a simulated machine, and against what a Kalman filter has to do.
#include "asperity/identify/online.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "asperity/laws.hpp"
#include "counted_allocations.hpp"

namespace asperity {
namespace {

constexpr double h = 1e-3, mass = 2;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

/// Ten short steps a sample: what the filter takes for one step. Its encoder is noisy.
template <class Law>
struct Machine {
  Law friction;
  double viscous = 0, offset = 0, noise = 1e-6;
  typename Law::State z = friction.start();
  double position = 0, velocity = 0;
  std::mt19937 random{7};
  std::normal_distribution<double> normal{};

  double run(double push) {
    for (int i = 0; i < 10; ++i) {
      velocity += h / 10 / mass * (push - offset - viscous * velocity - step(friction, z, {velocity}, h / 10));
      position += h / 10 * velocity;
    }
    return position + noise * normal(random);
  }
};

SingleState<> coulomb(double F) {
  SingleState<> law;
  law.F = F;
  return law;
}

double push_at(int k) { return 12 * std::sin(2 * k * h) + 3 * std::sin(31 * k * h); }

/// Samples from..to with push_at().
template <class Law, class Tracker>
void run(Machine<Law>& machine, Tracker& tracker, int from, int to) {
  for (int k = from; k <= to; ++k) tracker.update(push_at(k), machine.run(push_at(k)), h);
}

TEST(FrictionTracker, FindsTheLimitFromThreeTimesTooSmall) {
  Machine<SingleState<>> machine{coulomb(3)};
  FrictionTracker<SingleState<>, 1> tracker(coulomb(1), {"F"}, {.mass = mass});
  run(machine, tracker, 1, 3000);
  double sum = 0, worst = 0;  // of the error, in units of the filter's own standard deviation
  for (int k = 3001; k <= 6000; ++k) {
    run(machine, tracker, k, k);
    const double error = (tracker.value(0) - 3) / tracker.deviation(0);
    sum += error * error;
    worst = std::fmax(worst, std::fabs(error));
  }
  EXPECT_NEAR(tracker.value(0), 3, 0.1);
  EXPECT_LT(tracker.deviation(0), 0.1);
  EXPECT_LT(std::sqrt(sum / 3000), 1.5);  // it is as sure as it may be
  EXPECT_LT(worst, 4);
  EXPECT_TRUE(tracker.consistent());
  EXPECT_EQ(tracker.left_out(), 0);
  EXPECT_DOUBLE_EQ(tracker.law().F, tracker.value(0));
  EXPECT_EQ(tracker.law().K, SingleState<>{}.K);
}

TEST(FrictionTracker, FindsTwoParametersOfALawAtOnce) {
  Machine<LuGre<>> machine;
  machine.friction.F_c = machine.friction.F_s = 3;
  machine.friction.D = 4;
  LuGre<> guess = machine.friction;
  guess.F_c = 1.5;
  guess.D = 12;
  FrictionTracker<LuGre<>, 2> tracker(guess, {"F_c", "D"}, {.mass = mass});
  run(machine, tracker, 1, 8000);
  EXPECT_NEAR(tracker.value(0), 3, 0.15);
  EXPECT_NEAR(tracker.value(1), 4, 0.4);
}

TEST(FrictionTracker, FollowsAChange) {
  Machine<SingleState<>> machine{coulomb(3)};
  FrictionTracker<SingleState<>, 1> tracker(machine.friction, {"F"}, {.mass = mass});
  run(machine, tracker, 1, 3000);
  EXPECT_TRUE(tracker.consistent());
  machine.friction.F = 6;
  int found = 0;
  for (int k = 3001; k <= 6000; ++k) {
    run(machine, tracker, k, k);
    if (found == 0 && std::fabs(tracker.value(0) - 6) < 0.3) found = k - 3000;
    if (k == 3100) {
      EXPECT_FALSE(tracker.consistent());  // the old friction does not explain this
    }
  }
  EXPECT_GT(found, 1);     // it takes more than a sample
  EXPECT_LT(found, 1000);  // and less than a second
  EXPECT_NEAR(tracker.value(0), 6, 0.3);
}

// --- quantities beside the law and within lists -------------------------------------------------------------------

/// A mass that is 10 % wrong is told to be wrong; followed, it is found, and friction with it.
TEST(FrictionTracker, WrongMassIsNoFriction) {
  Machine<SingleState<>> machine{coulomb(3)};
  FrictionTracker<SingleState<>, 1> deceived(coulomb(1), {"F"}, {.mass = 1.1 * mass});
  FrictionTracker<SingleState<>, 2> tracker(coulomb(1), {"F", "mass"}, {.mass = 1.3 * mass});
  double worst = 0, worst_deceived = 0;
  for (int k = 1; k <= 6000; ++k) {
    const double measured = machine.run(push_at(k));
    deceived.update(push_at(k), measured, h);
    tracker.update(push_at(k), measured, h);
    if (k < 2000) continue;
    ASSERT_FALSE(deceived.consistent());
    ASSERT_TRUE(tracker.consistent());
    worst = std::fmax(worst, std::fabs(tracker.value(0) - 3));
    worst_deceived = std::fmax(worst_deceived, std::fabs(deceived.value(0) - 3));
  }
  EXPECT_GT(worst_deceived, 1);  // what it would cost
  EXPECT_LT(worst, 0.2);
  EXPECT_NEAR(tracker.value(1), mass, 0.02);
  EXPECT_EQ(tracker.mass(), tracker.value(1));
}

TEST(FrictionTracker, UnknownLoadIsNoFriction) {
  Machine<SingleState<>> machine{.friction = coulomb(3), .offset = 0.5};
  FrictionTracker<SingleState<>, 1> deceived(coulomb(1), {"F"}, {.mass = mass});
  FrictionTracker<SingleState<>, 2> tracker(coulomb(1), {"offset", "F"}, {.mass = mass});
  for (int k = 1; k <= 6000; ++k) {
    const double measured = machine.run(push_at(k));
    deceived.update(push_at(k), measured, h);
    tracker.update(push_at(k), measured, h);
    if (k < 2500) continue;  // one reversal at least
    ASSERT_FALSE(deceived.consistent());
    ASSERT_TRUE(tracker.consistent());
  }
  EXPECT_GT(std::fabs(deceived.value(0) - 3), 0.4);
  EXPECT_NEAR(tracker.value(0), 0.5, 0.2);
  EXPECT_NEAR(tracker.value(1), 3, 0.2);
  EXPECT_EQ(tracker.offset(), tracker.value(0));
}

TEST(FrictionTracker, MassViscousFrictionAndLoadAtOnce) {
  Machine<SingleState<>> machine{.friction = coulomb(3), .viscous = 2, .offset = -0.5};
  FrictionTracker<SingleState<>, 4> tracker(coulomb(1), {"F", "mass", "viscous", "offset"}, {.mass = 2.4, .viscous = 0.5});
  run(machine, tracker, 1, 12000);
  EXPECT_TRUE(tracker.consistent());
  const double truth[] = {3, mass, 2, -0.5};
  for (int j = 0; j < 4; ++j) EXPECT_LT(std::fabs(tracker.value(j) - truth[j]), 3 * tracker.deviation(j)) << j;
  EXPECT_LT(tracker.deviation(0), 0.3);
  EXPECT_LT(tracker.deviation(1), 0.03);
  EXPECT_LT(tracker.deviation(2), 0.3);
  EXPECT_LT(tracker.deviation(3), 0.3);
}

/// Four elements between 4e4 and 1e4 N/m, which yield one after the other.
template <class Law>
Law of_elements(double F, double kappa_2) {
  Law law;
  law.F_c = law.F_s = F;
  law.v_s = 1e-2;
  for (std::size_t i = 0; i < law.kappa.size(); ++i) law.kappa[i] = 4e4 / double(i + 1);
  law.kappa[1] = kappa_2;
  law.sigma.fill(20);
  law.lambda.fill(0.25);
  if constexpr (requires { law.C; }) law.C = 300;
  return law;
}

template <class Law>
class OfElements : public testing::Test {};
using LawsOfElements = testing::Types<Multistate<double, 4>, Gms<double, 4>>;
TYPED_TEST_SUITE(OfElements, LawsOfElements);

TYPED_TEST(OfElements, LimitWhereItSlides) {
  Machine<TypeParam> machine{of_elements<TypeParam>(3, 2e4)};
  TypeParam guess = machine.friction;
  guess.F_c = 1;
  FrictionTracker<TypeParam, 1> tracker(guess, {"F_c"}, {.mass = mass});
  run(machine, tracker, 1, 2000);
  EXPECT_NEAR(tracker.value(0), 3, 0.15);
}

TYPED_TEST(OfElements, OneStiffnessOfAListWhereItYields) {
  Machine<TypeParam> machine{of_elements<TypeParam>(3, 2e4)};
  machine.noise = 1e-7;
  FrictionTracker<TypeParam, 1> tracker(of_elements<TypeParam>(3, 6e4), {"kappa[2]"}, {.mass = mass, .position_noise = 1e-7});
  for (int k = 1; k <= 3000; ++k) {
    const double push = 2.6 * std::sin(20 * k * h) + std::sin(7 * k * h);
    tracker.update(push, machine.run(push), h);
  }
  EXPECT_NEAR(tracker.value(0), 2e4, 2e3);
  EXPECT_LT(std::fabs(tracker.value(0) - 2e4), 3 * tracker.deviation(0));
  EXPECT_TRUE(tracker.consistent());
  const auto law = tracker.law();
  EXPECT_EQ(law.kappa[1], tracker.value(0));
  EXPECT_EQ(law.kappa[0], 4e4);
  EXPECT_EQ(law.kappa[2], 4e4 / 3);
}

// --- standing -----------------------------------------------------------------------------------------------------

/// Held by 2 N where 3 N are needed: all that is told is F >= 2.
TEST(FrictionTracker, HeldItKnowsALowerBound) {
  const std::array<double, 3> guesses{0.5, 1, 2.5};
  for (const double guess : guesses)
    for (const bool shaken : {false, true}) {
      Machine<SingleState<>> machine{coulomb(3)};
      FrictionTracker<SingleState<>, 1> tracker(coulomb(guess), {"F"}, {.mass = mass});
      for (int k = 1; k <= 4000; ++k) {
        const double push = shaken ? 2 * std::sin(30 * k * h) : 2 * std::fmin(1, k / 500.0);
        tracker.update(push, machine.run(push), h);
        ASSERT_FALSE(tracker.is_told(0)) << k;
      }
      EXPECT_GT(tracker.value(0), 1.95) << guess;
      EXPECT_GT(tracker.deviation(0), 0.9 * tracker.value(0)) << guess;  // as little as at the start
      run(machine, tracker, 1, 500);
      EXPECT_TRUE(tracker.is_told(0));
      EXPECT_NEAR(tracker.value(0), 3, 0.15) << guess;
      EXPECT_LT(tracker.deviation(0), 0.1);
    }
}

/// At rest the variance of ln F obeys Pdot = q (1 - P/P0), so that P = P0 - (P0 - P1) exp(-q t/P0).
TEST(FrictionTracker, ForgetsWhatNothingExcitesButNoMoreThanAll) {
  Machine<SingleState<>> machine{coulomb(3)};
  FrictionTracker<SingleState<>, 1> tracker(coulomb(3), {"F"}, {.mass = mass, .parameter_deviation = 0.5, .parameter_drift = 0.5});
  run(machine, tracker, 1, 3000);
  const auto rest = [&](int samples) {
    for (int k = 0; k < samples; ++k) tracker.update(0, machine.run(0), h);
  };
  const auto variance = [&] { return std::pow(tracker.deviation(0) / tracker.value(0), 2); };
  EXPECT_LT(variance(), 0.01 * 0.25);
  rest(3000);  // it slides to rest
  const double known = variance(), F = tracker.value(0);
  ASSERT_LT(std::fabs(machine.velocity), 1e-9);
  rest(500);
  EXPECT_NEAR(variance(), 0.25 - (0.25 - known) * std::exp(-0.5), 1e-3);
  rest(10000);
  EXPECT_NEAR(variance(), 0.25, 1e-4);
  EXPECT_NEAR(tracker.value(0), F, 0.01);
}

TEST(FrictionTracker, MovesAgainAfterAMinute) {
  Machine<SingleState<>> machine{coulomb(3)};
  FrictionTracker<SingleState<>, 1> tracker(coulomb(1), {"F"}, {.mass = mass});
  run(machine, tracker, 1, 3000);
  for (int k = 0; k < 60000; ++k) tracker.update(0, machine.run(0), h);
  EXPECT_FALSE(tracker.is_told(0));
  EXPECT_TRUE(tracker.consistent());
  machine.friction.F = 5;  // it has rusted in the meantime
  run(machine, tracker, 1, 700);
  EXPECT_NEAR(tracker.value(0), 5, 0.2);
  EXPECT_LT(tracker.deviation(0), 0.1);
}

// --- bad numbers --------------------------------------------------------------------------------------------------

struct Sample {
  double push, position, step;  // 1: as it is; anything else stands in its place
};

TEST(FrictionTracker, BadNumbersAreLeftOut) {
  const std::array<Sample, 13> all{{{nan, 1, 1},
                                    {1e9, 1, 1},
                                    {-infinity, 1, 1},
                                    {1e308, 1, 1},
                                    {1, nan, 1},
                                    {1, infinity, 1},
                                    {1, 1e200, 1},
                                    {1, -5, 1},
                                    {1, 1, nan},
                                    {1, 1, infinity},
                                    {1, 1, 0},
                                    {1, 1, -1e-3},
                                    {nan, nan, nan}}};
  for (const Sample& bad : all) {
    Machine<SingleState<>> machine{coulomb(3)};
    FrictionTracker<SingleState<>, 1> tracker(coulomb(1), {"F"}, {.mass = mass});
    for (int k = 1; k <= 3000; ++k) {
      const double measured = machine.run(push_at(k));
      const bool is_bad = k % 500 == 250;
      tracker.update(is_bad && bad.push != 1 ? bad.push : push_at(k), is_bad && bad.position != 1 ? bad.position : measured,
                     is_bad && bad.step != 1 ? bad.step : h);
      if (k > 1000) {
        ASSERT_NEAR(tracker.value(0), 3, 0.3) << k << " " << bad.push << " " << bad.position << " " << bad.step;
        ASSERT_GT(tracker.deviation(0), 0);
      }
    }
    const bool is_absurd = bad.push == 1e9;  // a number, for all anyone knows: the machine is lost, and found again
    EXPECT_EQ(tracker.left_out(), is_absurd ? 4 * 6 : 6) << bad.push << " " << bad.position << " " << bad.step;
    EXPECT_NEAR(tracker.value(0), 3, 0.15);
    EXPECT_NEAR(tracker.velocity(), machine.velocity, 0.1);
  }
}

TEST(FrictionTracker, BridgesLostPositions) {
  Machine<SingleState<>> machine{coulomb(3)};
  FrictionTracker<SingleState<>, 1> tracker(coulomb(3), {"F"}, {.mass = mass});
  for (int k = 1; k <= 3000; ++k) {
    const double measured = machine.run(push_at(k));
    tracker.update(push_at(k), k % 5 == 0 ? nan : measured, h);
  }
  EXPECT_EQ(tracker.left_out(), 600);
  EXPECT_NEAR(tracker.value(0), 3, 0.15);
  EXPECT_NEAR(tracker.position(), machine.position, 1e-4);
}

/// Nothing but rubbish for a while, then all is well again.
TEST(FrictionTracker, SurvivesRubbish) {
  std::mt19937 random(5);
  const std::array<double, 10> rubbish{nan, infinity, -infinity, 1e300, -1e300, 1e29, -1e29, 1e-300, 0, -1};
  std::uniform_int_distribution<std::size_t> any(0, rubbish.size() - 1);
  Machine<LuGre<>> machine;
  machine.friction.F_c = machine.friction.F_s = 3;
  machine.friction.v_s = 1e-6;
  machine.friction.alpha = 10;  // |v/v_s|^alpha is no number at 1e25 m/s
  FrictionTracker<LuGre<>, 2> tracker(machine.friction, {"F_c", "mass"}, {.mass = mass});
  for (int k = 1; k <= 1000; ++k) {
    const double u = rubbish[any(random)], x = rubbish[any(random)], step = rubbish[any(random)];
    tracker.update(u, x, step);
    ASSERT_TRUE(std::isfinite(tracker.value(0)) && std::isfinite(tracker.deviation(0)) && std::isfinite(tracker.velocity())) << k;
  }
  run(machine, tracker, 1, 3000);
  EXPECT_NEAR(tracker.value(0), 3, 0.2);
  EXPECT_NEAR(tracker.value(1), mass, 0.05);
  EXPECT_NEAR(tracker.position(), machine.position, 1e-5);
  EXPECT_TRUE(tracker.is_told(0));
}

/// For 20 ms in every 200 nobody knows how hard the motor pushes; in the meantime it changes by up to 2 N.
TEST(FrictionTracker, BridgesLostPushes) {
  Machine<SingleState<>> machine{coulomb(3)};
  FrictionTracker<SingleState<>, 1> tracker(coulomb(3), {"F"}, {.mass = mass});
  double worst = 0;
  for (int k = 1; k <= 3000; ++k) {
    const double measured = machine.run(push_at(k));
    tracker.update(k % 200 >= 180 ? nan : push_at(k), measured, h);
    if (k > 200) worst = std::fmax(worst, std::fabs(tracker.value(0) - 3));
  }
  EXPECT_EQ(tracker.left_out(), 300);
  EXPECT_LT(worst, 0.2);
}

/// It starts anywhere, and the encoder is set anew while the machine runs: friction has not changed.
TEST(FrictionTracker, FindsTheMachineAgain) {
  Machine<SingleState<>> machine{coulomb(3)};
  machine.position = 5;
  FrictionTracker<SingleState<>, 1> tracker(coulomb(1), {"F"}, {.mass = mass});
  run(machine, tracker, 1, 1000);
  machine.position = 100;
  for (int k = 1001; k <= 3000; ++k) {
    run(machine, tracker, k, k);
    ASSERT_NEAR(tracker.value(0), 3, 0.3) << k;
    if (k > 1010) {
      ASSERT_NEAR(tracker.position(), machine.position, 1e-4);
    }
  }
  EXPECT_EQ(tracker.left_out(), 4);
}

// --- as a filter --------------------------------------------------------------------------------------------------

/// With the friction of a sliding body given, the rest is linear: estimate and covariance of position and velocity follow the
/// textbook's recursion, written here for two numbers.
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
  tracker.place(0);
  double x = 0, v = 0, xx = 1e-6, xv = 0, vv = 0.09;
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 1e-3);
  for (int k = 0; k < 500; ++k) {
    const double push = 0.5 * std::sin(0.02 * k), measured = 0.01 * std::sin(0.01 * k) + noise(random);
    tracker.update(push, measured, h);
    // v <- c (v + h u/M), x <- x + h v
    const double c = 1 / (1 + 2 * h / mass);
    v = c * (v + h / mass * push);
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
    ASSERT_NEAR(tracker.covariance(0, 0), xx, 1e-10 * xx);
    ASSERT_NEAR(tracker.covariance(1, 0), xv, 1e-10 * std::sqrt(xx * vv));
    ASSERT_NEAR(tracker.covariance(1, 1), vv, 1e-10 * vv);
  }
}

/// A machine that is what the filter believes, noises and all: the normalised innovations have mean square 1. Twice the noise of
/// the encoder than is believed is noticed.
TEST(FrictionTracker, NormalisedInnovationsAreOne) {
  Threshold<> law;
  law.F = 1;
  law.V = 0.5;
  for (const double noise : {1e-5, 2e-5}) {
    FrictionTracker<Threshold<>, 1> tracker(law, {"F"},
                                            {.mass = mass,
                                             .position_noise = 1e-5,
                                             .velocity_deviation = 1e-3,
                                             .force_noise = 0.02,
                                             .parameter_deviation = 1e-9,
                                             .parameter_drift = 0});
    tracker.place(0);
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    double x = 0, v = 0, sum = 0;
    const int samples = 20000;
    for (int k = 0; k < samples; ++k) {
      v = (v + h / mass * 0.5 * std::sin(0.01 * k)) / (1 + 2 * h / mass);
      x += h * v;
      v += 0.02 / mass * std::sqrt(h) * normal(random);
      tracker.update(0.5 * std::sin(0.01 * k), x + noise * normal(random), h);
      sum += tracker.consistency().square;
      if (k > 500) {
        ASSERT_EQ(tracker.consistent(), noise == 1e-5) << k;
      }
    }
    if (noise == 1e-5) {
      EXPECT_NEAR(sum / samples, 1, 4 * std::sqrt(2.0 / samples));
    } else {
      EXPECT_GT(sum / samples, 1.5);
    }
  }
}

/// A straight line through n points of variance R, h apart: the variances of its end and of its slope are R 2 (2n - 1)/(n (n + 1))
/// and R 12/(h^2 n (n^2 - 1)), if nothing is known before. With an encoder 1e10 times better than what is known, the difference C -
/// gain s gain^T would be rounding and nothing else.
TEST(CovarianceRoot, VariancesOfAStraightLine) {
  const double R = 1e-20;
  CovarianceRoot<2> covariance({1, 1 / (h * h)});
  for (int n = 1; n <= 1000; ++n) {
    if (n > 1) covariance.propagate({{{1, h}, {0, 1}}}, {});
    covariance.measure_first(R);
    if (n < 2) continue;
    const double end = 2 * R * (2 * n - 1) / (n * (n + 1.0)), slope = 12 * R / (h * h * n * (n * n - 1.0));
    ASSERT_NEAR(covariance(0, 0), end, 1e-5 * end) << n;
    ASSERT_NEAR(covariance(1, 1), slope, 1e-5 * slope) << n;
  }
}

/// Smallest pivot of the Cholesky factorisation of the correlations: not below zero but by rounding.
template <class Tracker>
double smallest_pivot(const Tracker& tracker) {
  constexpr int n = Tracker::size;
  double c[n][n], smallest = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double scale = std::sqrt(tracker.covariance(i, i) * tracker.covariance(j, j));
      c[i][j] = scale > 0 ? tracker.covariance(i, j) / scale : i == j;
    }
  for (int k = 0; k < n; ++k) {
    smallest = std::fmin(smallest, c[k][k]);
    if (c[k][k] < 1e-12) continue;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) c[i][j] -= c[i][k] * c[k][j] / c[k][k];
  }
  return smallest;
}

/// An encoder that is much better than the rest asks most of the arithmetic; so does standing for long.
TEST(FrictionTracker, CovarianceStaysACovariance) {
  for (const double noise : {1e-6, 1e-12}) {
    Machine<SingleState<>> machine{coulomb(3)};
    machine.noise = noise;
    FrictionTracker<SingleState<>, 2> tracker(coulomb(1), {"F", "mass"}, {.mass = mass, .position_noise = noise});
    for (int k = 1; k <= 50000; ++k) {
      const double push = k % 20000 < 5000 ? push_at(k) : 0;  // runs for 5 s, stands for 15 s
      tracker.update(push, machine.run(push), h);
      if (k % 50 != 0) continue;
      for (int i = 0; i < tracker.size; ++i) {
        ASSERT_GE(tracker.covariance(i, i), 0) << k;
        for (int j = 0; j < i; ++j) ASSERT_EQ(tracker.covariance(i, j), tracker.covariance(j, i));
      }
      ASSERT_GT(smallest_pivot(tracker), -1e-10) << k;
    }
  }
}

/// The step is implicit: momentum balances at its end, however stiff the law.
TEST(FrictionTracker, PredictionBalances) {
  Multistate<double, 10> law;  // 1.5e7 N/m, 2e5 N s/m
  law.F_c = law.F_s = 3;
  FrictionTracker<Multistate<double, 10>, 1> tracker(law, {"F_c"}, {.mass = mass, .viscous = 2, .offset = 0.5});
  tracker.place(0);
  double v = 0, most = 0;
  for (int k = 1; k <= 2000; ++k) {
    tracker.update(push_at(k), nan, h);
    const double momentum = mass * (tracker.velocity() - v);
    ASSERT_NEAR(momentum, h * (push_at(k) - 0.5 - 2 * tracker.velocity() - tracker.force()), 1e-12) << k;
    v = tracker.velocity();
    most = std::fmax(most, std::fabs(v));
  }
  EXPECT_GT(most, 1);
  EXPECT_LT(most, 10);
}

TEST(FrictionTracker, IsFitForAControlLoop) {
  FrictionTracker<SingleState<>, 4> tracker({}, {"F", "K", "mass", "offset"}, {});
  static_assert(noexcept(tracker.update(0, 0, h))&& noexcept(tracker.law())&& noexcept(tracker.consistent()));
  const long before = allocations;
  for (int k = 0; k < 1000; ++k) tracker.update(k % 100 ? std::sin(0.1 * k) : nan, k % 70 ? 1e-3 * std::sin(0.1 * k) : 1e9, h);
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(std::isfinite(tracker.value(0)));
}

// --- refusals -----------------------------------------------------------------------------------------------------

template <class Law, std::size_t P>
std::string refusal(const std::array<std::string_view, P>& names, const TrackerSettings& settings) {
  try {
    const FrictionTracker<Law, int(P)> tracker(Law(), names, settings);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(FrictionTracker, RefusesWhatItCannotTrack) {
  using One = std::array<std::string_view, 1>;
  const auto names = [](std::string_view name) { return refusal<Multistate<double, 2>>(One{name}, {}); };
  EXPECT_EQ(names("mu"),
            "mu: nothing of that name to follow; known: F_c F_s v_s alpha tau_d kappa[1] kappa[2] sigma[1] sigma[2] lambda[1] "
            "lambda[2] mass viscous offset");
  EXPECT_NE(names("kappa"), "");
  EXPECT_NE(names("kappa[0]"), "");
  EXPECT_NE(names("kappa[3]"), "");
  EXPECT_NE(names("F_c[1]"), "");
  EXPECT_EQ(names("kappa[2]"), "");
  EXPECT_EQ((refusal<SingleState<>>(std::array<std::string_view, 3>{"F", "K", "F"}, {})), "F: stands twice");
  EXPECT_NE(refusal<LuGre<>>(One{"D"}, {}), "");  // D = 0 has no logarithm

  const auto settings = [](const TrackerSettings& s) { return refusal<SingleState<>>(One{"F"}, s); };
  EXPECT_EQ(settings({}), "");
  EXPECT_EQ(settings({.mass = -2}), "mass = -2.000000: must be > 0");
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_NE(settings({.mass = bad}), "") << bad;
    EXPECT_NE(settings({.position_noise = bad}), "") << bad;
    EXPECT_NE(settings({.velocity_deviation = bad}), "") << bad;
    EXPECT_NE(settings({.force_noise = bad}), "") << bad;
    EXPECT_NE(settings({.parameter_deviation = bad}), "") << bad;
  }
  for (const double bad : {-1.0, nan, infinity}) {
    EXPECT_NE(settings({.viscous = bad}), "") << bad;
    EXPECT_NE(settings({.parameter_drift = bad}), "") << bad;
  }
  EXPECT_NE(settings({.offset = nan}), "");
  EXPECT_NE(refusal<SingleState<>>(One{"viscous"}, {}), "");  // 0 to begin with
}

}  // namespace
}  // namespace asperity
