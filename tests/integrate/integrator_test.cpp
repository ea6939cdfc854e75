// What every integrator promises: times, dense output, failure, statistics, changes between steps.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "integrate/methods.hpp"

namespace asperity::integrator_test {
namespace {

using testing::built_in_methods;
using testing::name_of;

class EveryMethod : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(built_in_methods()), name_of);

void circle(double, std::span<const double> x, double, std::span<double> xdot) {
  xdot[0] = x[1];
  xdot[1] = -x[0];
}

// --- time ----------------------------------------------------------------------------------------------------------

TEST(Time, IsKTimesHForAMillionSteps) {
  IntegratorOptions options;
  options.step = 1e-3;
  const auto integrator = make_integrator(
      "euler", [](double, auto, double, auto xdot) { xdot[0] = 0; }, options);
  integrator->start(0, std::vector{0.0});
  double sum = 0;
  for (long k = 1; k <= 1'000'000; ++k) {
    integrator->step();
    sum += options.step;
    ASSERT_EQ(integrator->time(), double(k) * options.step);
  }
  EXPECT_NE(sum, 1000.0) << "adding h must miss, or this test shows nothing";
  EXPECT_EQ(integrator->time(), 1000.0);
}

TEST(Time, AStartOnTheGridStaysOnIt) {
  IntegratorOptions options;
  options.step = 1e-3;
  const auto whole = make_integrator("rk4", circle, options), second_half = make_integrator("rk4", circle, options);
  whole->start(0, std::vector{1.0, 0.0});
  whole->advance(.777);
  second_half->start(whole->time(), whole->state());
  whole->advance(2);
  second_half->advance(2);
  EXPECT_EQ(whole->time(), second_half->time());
  EXPECT_EQ(std::vector(whole->state().begin(), whole->state().end()),
            std::vector(second_half->state().begin(), second_half->state().end()));
}

TEST_P(EveryMethod, EndsWhereAskedAndNeverLooksBeyond) {
  IntegratorOptions options;
  options.step = 1e-2;
  double last_seen = 0;
  const auto integrator = make_integrator(
      GetParam(),
      [&](double t, std::span<const double> x, double, std::span<double> xdot) {
        last_seen = std::max(last_seen, t);
        circle(t, x, 0, xdot);
      },
      options);
  integrator->start(0, std::vector{1.0, 0.0});
  for (const double end : {.5, .7771, 1.0}) {
    integrator->advance(end);
    EXPECT_NEAR(integrator->time(), end, 1e-14);
    EXPECT_LE(last_seen, end + 1e-14);
  }
  const long steps = integrator->statistics().steps;
  integrator->advance(1.0);
  EXPECT_EQ(integrator->statistics().steps, steps);
}

TEST_P(EveryMethod, StartForgetsEverythingBefore) {
  const auto first = make_integrator(GetParam(), circle), second = make_integrator(GetParam(), circle);
  first->start(0, std::vector{3.0, 1.0});
  first->advance(1);
  for (const auto* integrator : {&first, &second}) {
    (*integrator)->start(.5, std::vector{1.0, 0.0});
    (*integrator)->advance(2);
  }
  EXPECT_EQ(first->state()[0], second->state()[0]);
  EXPECT_EQ(first->statistics().evaluations, second->statistics().evaluations);
}

// --- dense output --------------------------------------------------------------------------------------------------

// Inside the steps the error is of the size of that at their ends: h^2 of a cubic is far below the error of euler, h^4/384 for rk4.
TEST_P(EveryMethod, InterpolatesWithinTheLastStep) {
  IntegratorOptions options;
  options.step = 1e-2;
  options.rtol = options.atol = 1e-8;
  const auto integrator = make_integrator(GetParam(), circle, options);
  integrator->start(0, std::vector{1.0, 0.0});
  const bool first_order = testing::is_first_order(GetParam());
  double at_ends = 0, inside = 0;
  std::vector<double> x(2);
  while (integrator->time() < 3) {
    integrator->step(3);
    at_ends = std::max(at_ends, std::abs(integrator->state()[0] - std::cos(integrator->time())));
    for (const double s : {0., .25, .5, .75, 1.}) {
      const double t = integrator->time_before() + s * (integrator->time() - integrator->time_before());
      integrator->interpolate(t, x);
      inside = std::max(inside, std::abs(x[0] - std::cos(t)));
    }
    EXPECT_NEAR(x[0], integrator->state()[0], 1e-12);
  }
  EXPECT_LE(inside, 1.1 * at_ends + (first_order ? 1e-4 * at_ends : 1e-8));
  EXPECT_GT(inside, 0);
}

// --- changes between steps -----------------------------------------------------------------------------------------

// A ball that the callback throws back at every whole second: the methods must notice.
TEST_P(EveryMethod, NoticesAChangeBetweenSteps) {
  IntegratorOptions options;
  options.step = 1e-2;
  options.between_steps = [](double t, std::span<double> x) {
    if (t == std::round(t)) x[0] = -x[0];
  };
  const auto integrator = make_integrator(
      GetParam(), [](double, std::span<const double> x, double, std::span<double> xdot) { xdot[0] = -x[0]; }, options);
  integrator->start(0, std::vector{1.0});
  for (int k = 1; k <= 4; ++k) {
    integrator->advance(k);
    const bool first_order = testing::is_first_order(GetParam());
    EXPECT_NEAR(integrator->state()[0], std::exp(-k) * (k % 2 ? -1 : 1), first_order ? 5e-3 : 1e-5) << k;
  }
  // The restart for the last change waits for the next step.
  EXPECT_EQ(integrator->statistics().restarts, GetParam() == "cvode" ? 3 : 0);
}

// With long steps, the rate of the state before the change as first stage would cost 2 h b1 = 0.18 h of the state, and the error
// estimate, whose weight of that stage is 70 times smaller, would let it pass.
TEST(Dopri5, EvaluatesItsFirstStageAnewAfterAChange) {
  IntegratorOptions options;
  options.rtol = options.atol = 1e-3;
  options.between_steps = [](double t, std::span<double> x) {
    if (t == 1) x[0] = -x[0];
  };
  const auto integrator = make_integrator(
      "dopri5", [](double, std::span<const double> x, double, std::span<double> xdot) { xdot[0] = -x[0]; }, options);
  integrator->start(0, std::vector{1.0});
  integrator->advance(1);
  integrator->advance(2);
  EXPECT_NEAR(integrator->state()[0], -std::exp(-2), 1e-3);
}

// A rotation about z at 1 rad/s: kept at length 1, and not at the price of a restart a step.
TEST_P(EveryMethod, KeepsWhatTheCallbackKeepsWithoutRestarts) {
  IntegratorOptions options;
  options.step = 1e-2;
  options.between_steps = [](double, std::span<double> q) {
    const double length = std::hypot(q[0], q[1]);
    q[0] /= length;
    q[1] /= length;
  };
  const auto integrator = make_integrator(GetParam(), circle, options);
  integrator->start(0, std::vector{1.0, 0.0});
  integrator->advance(20, [](double, std::span<const double> q) { ASSERT_NEAR(std::hypot(q[0], q[1]), 1, 1e-15); });
  EXPECT_LE(integrator->statistics().restarts * 10, integrator->statistics().steps);
}

// --- failure -------------------------------------------------------------------------------------------------------

TEST_P(EveryMethod, ARateThatIsNotANumberStopsTheRun) {
  IntegratorOptions options;
  options.step = 1e-2;
  const auto integrator = make_integrator(
      GetParam(),
      [](double t, std::span<const double> x, double, std::span<double> xdot) {
        xdot[0] = x[1];
        xdot[1] = t < 1 ? 0 : std::sqrt(-1.0);
      },
      options);
  integrator->start(0, std::vector{0.0, 1.0});
  try {
    integrator->advance(2);
    FAIL() << "went on to " << integrator->time();
  } catch (const NonFinite& failure) {
    EXPECT_NEAR(failure.time, 1, 2e-2);
    EXPECT_LE(failure.index, 1u);
    EXPECT_NEAR(integrator->state()[0], integrator->time(), 1e-6) << "the last good state is kept";
  }
}

TEST_P(EveryMethod, NamesTheEntryThatIsNotANumberAtTheStart) {
  const auto integrator = make_integrator(GetParam(), [](double, std::span<const double> x, double, std::span<double> xdot) {
    xdot[0] = x[1];
    xdot[1] = 1 / x[2];
    xdot[2] = 0;
  });
  integrator->start(0, std::vector{0.0, 0.0, 0.0});
  try {
    integrator->advance(1);
    FAIL();
  } catch (const NonFinite& failure) {
    EXPECT_EQ(failure.index, 1u);
    EXPECT_EQ(failure.time, 0);
    EXPECT_TRUE(failure.of_rate);
  }
  EXPECT_THROW(integrator->start(0, std::vector{0.0, std::nan("")}), NonFinite);
}

// xdot = x^2 from 1 is infinite at t = 1: an adaptive method cannot pass, and says where it is.
TEST(Failure, ABlowUpCollapsesTheStep) {
  for (const std::string method : {"dopri5", "cvode", "auto"}) {
    if (!testing::is_built_in(method)) continue;
    const auto integrator =
        make_integrator(method, [](double, std::span<const double> x, double, std::span<double> xdot) { xdot[0] = x[0] * x[0]; });
    integrator->start(0, std::vector{1.0});
    try {
      integrator->advance(2);
      FAIL() << method;
    } catch (const IntegrationFailure& failure) {
      EXPECT_NEAR(failure.time, 1, 1e-3) << method << ": " << failure.what();
    }
    EXPECT_TRUE(std::isfinite(integrator->state()[0]));
  }
}

struct OutOfPatience : std::exception {};
TEST_P(EveryMethod, AnExceptionOfTheRateArrives) {
  const auto integrator = make_integrator(GetParam(), [](double t, std::span<const double>, double, std::span<double> xdot) {
    if (t > .5) throw OutOfPatience();
    xdot[0] = 1;
  });
  integrator->start(0, std::vector{0.0});
  EXPECT_THROW(integrator->advance(1), OutOfPatience);
}

TEST(Options, ABadOneIsRefusedWithNameValueAndBound) {
  IntegratorOptions options;
  options.step = -1;
  options.rtol = 0;
  try {
    make_integrator("rk4", circle, options);
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(), "step = -1: must be > 0; rtol = 0: must be at least 1e-14 and below 1");
  }
  try {
    make_integrator("rk5", circle);
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(),
                 "unknown integration method 'rk5': must be one of euler, step, rk4, rk4-lookahead, implicit, implicit2, dopri5, "
                 "cvode, auto");
  }
}

TEST(Options, CvodeIsThereOrSaysThatItIsNot) {
  if (testing::is_built_in("cvode")) {
    EXPECT_EQ(make_integrator("cvode", circle)->method(), "cvode");
  } else {
    EXPECT_THROW(make_integrator("cvode", circle), std::invalid_argument);
  }
}

// --- statistics and Jacobians --------------------------------------------------------------------------------------

TEST(Counts, EvaluationsAreThoseOfTheTableau) {
  for (const auto& [method, stages] : {std::pair{"euler", 1}, {"step", 1}, {"rk4", 4}, {"rk4-lookahead", 4}}) {
    const auto integrator = make_integrator(method, circle);
    integrator->start(0, std::vector{1.0, 0.0});
    integrator->advance(.1);
    EXPECT_EQ(integrator->statistics().steps, 100);
    EXPECT_EQ(integrator->statistics().evaluations, 100 * stages) << method;
  }
  const auto adaptive = make_integrator("dopri5", circle);
  adaptive->start(0, std::vector{1.0, 0.0});
  adaptive->advance(10);
  const Statistics& count = adaptive->statistics();
  EXPECT_EQ(count.evaluations, 2 + 6 * (count.steps + count.rejected)) << "first rate, first step, then six a step";
}

// Whoever looks between the steps pays for the rate at the end of a step, which is that at the start of the next one unless
// something happens between them; and changes no bit of the motion.
TEST(Counts, LookingBetweenTheStepsTakesOneMoreEvaluation) {
  constexpr int steps = 100;
  for (const auto& [method, stages] : {std::pair{"euler", 1}, {"step", 1}, {"rk4", 4}, {"rk4-lookahead", 4}})
    for (const bool changed : {false, true}) {
      IntegratorOptions options;
      if (changed) options.between_steps = [](double, std::span<double> x) { x[0] *= 1 + 1e-12; };
      int calls = 0;
      const auto counted = [&calls](double t, std::span<const double> x, double tau, std::span<double> xdot) {
        ++calls;
        circle(t, x, tau, xdot);
      };
      const auto looking = make_integrator(method, counted, options), plain = make_integrator(method, circle, options);
      for (const auto* one : {&looking, &plain}) (*one)->start(0, std::vector{1.0, 0.0});
      std::vector<double> between(2);
      looking->advance(steps * 1e-3, [&](double t, std::span<const double>) {
        looking->interpolate(t - 0.5e-3, between);
        EXPECT_NEAR(between[0], std::cos(t - 0.5e-3), 1e-3);  // Euler is off by t h/2
      });
      plain->advance(steps * 1e-3);
      EXPECT_EQ(looking->state()[0], plain->state()[0]) << method;
      EXPECT_EQ(looking->state()[1], plain->state()[1]) << method;
      EXPECT_EQ(calls, changed ? steps * (stages + 1) : steps * stages + 1) << method;
      EXPECT_EQ(looking->statistics().evaluations, steps * (stages + 1)) << method << ": whether it is known or not";
    }
}

// A chain of stiff springs to the ground and to each other, in the order position, velocity: bandwidth 3.
void chain(std::span<const double> x, std::span<double> xdot) {
  const std::size_t n = x.size() / 2;
  for (std::size_t i = 0; i < n; ++i) {
    const double left = i ? x[2 * i - 2] : 0, right = i + 1 < n ? x[2 * i + 2] : 0;
    xdot[2 * i] = x[2 * i + 1];
    xdot[2 * i + 1] = 1e4 * (left - 2 * x[2 * i] + right) - 300 * x[2 * i + 1];
  }
}

TEST(Jacobian, GivenBandedOrByDifferencesIsTheSameSystem) {
  if (!testing::is_built_in("cvode")) GTEST_SKIP() << "SUNDIALS is not here";
  const std::size_t n = 40;
  const auto rate = [](double, std::span<const double> x, double, std::span<double> xdot) { chain(x, xdot); };
  const JacobianFunction exact = [](double, std::span<const double>, std::span<double> jacobian) {
    std::vector<double> unit(n);  // the rate is linear: its columns are the rates of the unit vectors
    for (std::size_t j = 0; j < n; ++j) {
      unit[j] = 1;
      chain(unit, jacobian.subspan(j * n, n));
      unit[j] = 0;
    }
  };
  std::vector<double> start(n, 0.0);
  start[n / 2] = 1;
  std::vector<Statistics> counts;
  std::vector<double> ends;
  for (const bool given : {false, true})
    for (const int bandwidth : {-1, 3}) {
      IntegratorOptions options;
      options.rtol = 1e-8;
      options.atol = 1e-10;
      options.bandwidth = bandwidth;
      if (given) options.jacobian = exact;
      const auto integrator = make_integrator("cvode", rate, options);
      integrator->start(0, start);
      integrator->advance(.5);
      counts.push_back(integrator->statistics());
      ends.push_back(integrator->state()[n / 2]);
    }
  for (const double end : ends) EXPECT_NEAR(end, ends[0], 1e-6);
  EXPECT_GT(std::abs(ends[0]), 1e-3);
  for (const Statistics& count : counts) EXPECT_GT(count.jacobians, 0);
  // Columns by differences: n a matrix when it is full, 2 * 3 + 1 when it is banded, none when it is given.
  EXPECT_GE(counts[0].evaluations, counts[2].evaluations + 30 * counts[0].jacobians);
  EXPECT_GE(counts[0].evaluations, counts[1].evaluations + 25 * counts[1].jacobians);
}

// --- auto ----------------------------------------------------------------------------------------------------------

// Prothero and Robinson's problem: xdot = -lambda (x - cos t) - sin t, whose solution is cos t.
TEST(Auto, TakesCvodeWhenStiffAndSaysSo) {
  if (!testing::is_built_in("cvode")) GTEST_SKIP() << "SUNDIALS is not here";
  std::vector<std::string> said;
  IntegratorOptions options;
  options.say = [&](std::string_view text) { said.emplace_back(text); };
  const double lambda = 1e5;
  const auto rate = [&](double t, std::span<const double> x, double, std::span<double> xdot) {
    xdot[0] = -lambda * (x[0] - std::cos(t)) - std::sin(t);
  };
  const auto integrator = make_integrator("auto", rate, options), alone = make_integrator("dopri5", rate, options);
  for (const auto* one : {&integrator, &alone}) {
    (*one)->start(0, std::vector{1.0});
    (*one)->advance(10);
    EXPECT_NEAR((*one)->state()[0], std::cos(10), 1e-5);
  }
  EXPECT_EQ(integrator->method(), "cvode");
  EXPECT_EQ(integrator->statistics().switches, 1);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("1e+05 1/s; cvode takes over"), std::string::npos) << said[0];
  EXPECT_LT(integrator->statistics().evaluations * 100, alone->statistics().evaluations);
}

TEST(Auto, WithoutCvodeGoesOnAndSaysSoOnce) {
  if (testing::is_built_in("cvode")) GTEST_SKIP() << "SUNDIALS is here";
  std::vector<std::string> said;
  IntegratorOptions options;
  options.say = [&](std::string_view text) { said.emplace_back(text); };
  const auto integrator = make_integrator(
      "auto",
      [](double t, std::span<const double> x, double, std::span<double> xdot) {
        xdot[0] = -1e3 * (x[0] - std::cos(t)) - std::sin(t);
      },
      options);
  integrator->start(0, std::vector{1.0});
  integrator->advance(10);
  EXPECT_NEAR(integrator->state()[0], std::cos(10), 1e-5);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("cvode is not built in"), std::string::npos) << said[0];
}

TEST(Auto, StaysWithDopri5WhenNotStiff) {
  IntegratorOptions options;
  options.say = [&](std::string_view text) { ADD_FAILURE() << text; };
  const auto integrator = make_integrator("auto", circle, options);
  integrator->start(0, std::vector{1.0, 0.0});
  integrator->advance(200);
  EXPECT_EQ(integrator->method(), "dopri5");
  EXPECT_EQ(integrator->statistics().switches, 0);
  EXPECT_GT(integrator->statistics().steps, 120) << "it had to decide more than once";
}

// Stiff until t = 2, then a fast oscillation that has to be followed: there and back.
TEST(Auto, ComesBackWhenTheStiffnessIsOver) {
  if (!testing::is_built_in("cvode")) GTEST_SKIP() << "SUNDIALS is not here";
  const auto integrator = make_integrator("auto", [](double t, std::span<const double> x, double, std::span<double> xdot) {
    const double w = 1e3, damping = t < 2 ? 2 * w : 0;
    xdot[0] = x[1];
    xdot[1] = w * w * ((t < 2 ? 1e-3 * std::sin(t) : 0) - x[0]) - damping * x[1];
  });
  integrator->start(0, std::vector{0.0, 0.0});
  integrator->advance(2);
  EXPECT_EQ(integrator->method(), "cvode");
  integrator->advance(3);
  EXPECT_EQ(integrator->method(), "dopri5");
  EXPECT_GE(integrator->statistics().switches, 2);
}

}  // namespace
}  // namespace asperity::integrator_test
