// Orders: 4 without transitions, about 2 with them, 1 for Euler, for look-ahead, and for an input that jumps off the grid;
// and errors that follow the tolerance. Every solution here is a closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#include "coulomb.hpp"
#include "integrate/methods.hpp"
#include "integrate/restitution.hpp"

namespace asperity::order_test {
namespace {

using testing::coulomb;

/// A mass on spring and damper:  x = e^(-c t) (x0 cos w t + (v0 + c x0)/w sin w t)
struct Oscillator {
  double M, K, B, x0, v0;

  double position(double t) const {
    const double c = B / (2 * M), w = std::sqrt(K / M - c * c);
    return std::exp(-c * t) * (x0 * std::cos(w * t) + (v0 + c * x0) / w * std::sin(w * t));
  }
  double velocity(double t) const {
    const double c = B / (2 * M), w = std::sqrt(K / M - c * c);
    return std::exp(-c * t) * (v0 * std::cos(w * t) - (c * v0 + K / M * x0) / w * std::sin(w * t));
  }
};

/// The largest difference of entry 0 from the exact solution, over all steps.
template <class Exact>
double error_of(World& world, const std::string& method, const IntegratorOptions& options, double duration, Exact&& exact,
                std::size_t entry = 0) {
  const auto integrator = make_integrator(method, world, options);
  integrator->start(0, world.start());
  double largest = 0;
  integrator->advance(duration,
                      [&](double t, std::span<const double> x) { largest = std::max(largest, std::abs(x[entry] - exact(t))); });
  return largest;
}

IntegratorOptions fixed(double step) {
  IntegratorOptions options;
  options.step = step;
  return options;
}
IntegratorOptions adaptive(double rtol, double atol) {
  IntegratorOptions options;
  options.rtol = rtol;
  options.atol = atol;
  return options;
}

/// Smooth problems, so that ratios of errors mean something: each halving of h divides the error by 2^order.
template <class Error>
void expect_order(int order, double coarsest, double tolerance, Error&& error) {
  double last = error(coarsest);
  for (int k = 1; k <= 3; ++k) {
    const double next = error(coarsest / (1 << k));
    EXPECT_NEAR(std::log2(last / next), order, tolerance) << "step " << coarsest / (1 << k) << ": " << last << " -> " << next;
    last = next;
  }
}

// --- without transitions -------------------------------------------------------------------------------------------

struct SpringDamper {
  Oscillator exact{1, 100, 2, 1, 0};
  World world;
  SpringDamper() {
    const auto mass = world.add("mass", PointMass<double>{exact.M}, {exact.x0, exact.v0});
    Spring<> spring;
    spring.K = exact.K;
    spring.B = exact.B;
    world.add("spring", spring, Line<double>{}, mass, ground);
  }
};

/// A block that a blow of speed v0 does not free: while it sticks, its asperity is a spring K with a damper K beta.
struct StuckBlock {
  Oscillator exact{1, 1e4, 20, 0, 1e-3};
  World world;
  StuckBlock() {
    const auto block = world.add("block", PointMass<double>{exact.M}, {0, exact.v0});
    world.add("floor", coulomb(1, exact.K, exact.B / exact.K), Line<double>{}, block, ground);
  }
};

TEST(Order, SpringAndDamper) {
  SpringDamper problem;
  const auto position = [&](double t) { return problem.exact.position(t); };
  const auto error = [&](const char* method) {
    return [&, method](double h) { return error_of(problem.world, method, fixed(h), 2, position); };
  };
  expect_order(1, 1e-4, .05, error("euler"));
  expect_order(1, 1e-4, .05, error("step"));
  expect_order(4, 1e-2, .1, error("rk4"));
  expect_order(4, 1e-2, .1, error("rk4-lookahead"));  // a spring has no state to look ahead of
}

TEST(Order, StuckBlock) {
  StuckBlock problem;
  const auto position = [&](double t) { return problem.exact.position(t); };
  const auto error = [&](const char* method) {
    return [&, method](double h) { return error_of(problem.world, method, fixed(h), .2, position); };
  };
  expect_order(1, 1e-5, .05, error("euler"));
  expect_order(1, 1e-5, .05, error("step"));
  expect_order(4, 1e-3, .1, error("rk4"));
  expect_order(1, 2e-5, .05, error("rk4-lookahead"));
}

// The look-ahead of kikuuwe_yamamoto is a damper 0.75 K T, the mean of T/2, T/2, T, T with the weights of RK4: against the block
// with that much more damping the error is of second order.
TEST(Order, LookAheadIsADamperOfThreeQuartersKT) {
  StuckBlock problem;
  expect_order(2, 1e-3, .15, [&](double h) {
    Oscillator damped = problem.exact;
    damped.B += .75 * damped.K * h;
    return error_of(problem.world, "rk4-lookahead", fixed(h), .2, [&](double t) { return damped.position(t); });
  });
}

// Euler steps of a stuck block, kappa = K h^2/M and b = beta/h, are stable up to kappa = 2/(b - 1/2); with the
// asperity looking ahead, the matrix (1, h; -K h/M, 1 - kappa (b + 1)) leaves the unit circle at kappa = 2/(b + 1/2).
TEST(Stability, OfTheEulerMethodsEndsWhereTheMatrixSays) {
  const double h = 1e-3, b = 2;
  for (const auto& [method, limit] : {std::pair{"euler", 2 / (b - .5)}, {"step", 2 / (b + .5)}})
    for (const double share : {.98, 1.02}) {
      const double K = share * limit / (h * h);
      World world;
      const auto block = world.add("block", PointMass<double>{1.0}, {0, 1e-3});
      world.add("floor", coulomb(1e6, K, b * h), Line<double>{}, block, ground);
      const auto integrator = make_integrator(method, world, fixed(h));
      integrator->start(0, world.start());
      integrator->advance(.5);
      EXPECT_EQ(std::abs(integrator->state()[1]) < 1e-3, share < 1) << method << " at " << share << " of the limit";
    }
}

class Adaptive : public ::testing::TestWithParam<std::string> {
  void SetUp() override {
    if (!testing::is_built_in(GetParam())) GTEST_SKIP() << "not built in";
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, Adaptive, ::testing::Values("dopri5", "cvode", "auto"), testing::name_of);

/// Errors add up over the steps: a multiple of the tolerance that does not grow as the tolerance falls.
template <class Problem>
void expect_error_follows_tolerance(const std::string& method, double scale, double duration) {
  Problem problem;
  double last = 1e9;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const double error = error_of(problem.world, method, adaptive(rtol, rtol * scale), duration,
                                  [&](double t) { return problem.exact.position(t); });
    EXPECT_LE(error, 1000 * rtol * scale) << "rtol " << rtol;
    EXPECT_LE(error, last / 10) << "rtol " << rtol;
    last = error;
  }
}
TEST_P(Adaptive, ErrorFollowsToleranceOnSpringAndDamper) { expect_error_follows_tolerance<SpringDamper>(GetParam(), 1, 2); }
TEST_P(Adaptive, ErrorFollowsToleranceOnStuckBlock) { expect_error_follows_tolerance<StuckBlock>(GetParam(), 1e-5, .2); }

// --- with transitions ----------------------------------------------------------------------------------------------

/// A block slides to a stop and then swings on its stuck asperity: sliding v = v0 - F t/M, and from v = 0 the oscillator of a =
/// F/K.
struct StoppingBlock {
  double M = 1, F = .5, K = 1e4, beta = 2e-3, v0 = .1;
  World world;
  StoppingBlock() {
    const auto block = world.add("block", PointMass<double>{M}, {0, v0});
    world.add("floor", coulomb(F, K, beta), Line<double>{}, block, ground);
  }
  double stop() const { return M * v0 / F; }
  double velocity(double t) const {
    return t < stop() ? v0 - F * t / M : Oscillator{M, K, K * beta, F / K, 0}.velocity(t - stop());
  }
};

/// Steps of no common measure, so that the transitions fall anywhere in a step.
std::vector<double> scattered_steps(double coarsest, int count) {
  std::vector<double> steps;
  for (int k = 0; k < count; ++k) steps.push_back(coarsest * std::pow(2, -k * std::numbers::phi / 4));
  return steps;
}

// The friction force is continuous, its rate jumps by K beta F/M where the block stops. A step of RK4 across such a kink errs by at
// most h^2/2 of it, divided by M, in the velocity.
TEST(Order, AboutTwoWithAStop) {
  StoppingBlock problem;
  const double kink = problem.K * problem.beta * problem.F / (problem.M * problem.M);
  double worst = 0;
  for (const double h : scattered_steps(1e-3, 20)) {
    const double error = error_of(
        problem.world, "rk4", fixed(h), .3, [&](double t) { return problem.velocity(t); }, 1);
    EXPECT_LE(error, kink * h * h / 2) << "step " << h;
    worst = std::max(worst, error / (kink * h * h));
  }
  EXPECT_GE(worst, 1e-2) << "without an error of second order the bound above would show nothing";
}

// The contact force starts and ends continuously, with a kink of K (beta/alpha) v0 at touch.
struct Bounce {
  double M = 1, K = 1e4, alpha = 5e-3, beta = 1e-2, v0 = 1;
  World world;
  Bounce() {
    const auto ball = world.add("ball", PointMass<double>{M}, {.0123, -v0});
    LinearCompliance<> law;
    law.K = K;
    law.alpha = alpha;
    law.beta = beta;
    world.add("wall", law, Line<double>{}, ball, ground);
  }
  double error(const std::string& method, const IntegratorOptions& options) {
    const auto integrator = make_integrator(method, world, options);
    integrator->start(0, world.start());
    integrator->advance(.2);
    return std::abs(integrator->state()[1] - v0 * testing::restitution(M, K, alpha, beta).e);
  }
};
TEST(Order, AboutTwoWithABounce) {
  Bounce problem;
  const double kink = problem.K * problem.beta / problem.alpha * problem.v0 / problem.M;
  double worst = 0;
  for (const double h : scattered_steps(1e-3, 20)) {
    const double error = problem.error("rk4", fixed(h));
    EXPECT_LE(error, kink * h * h / 2) << "step " << h;
    worst = std::max(worst, error / (kink * h * h));
  }
  EXPECT_GE(worst, 1e-3);
}
TEST_P(Adaptive, ErrorFollowsToleranceAcrossTransitions) {
  for (const double rtol : {1e-5, 1e-7, 1e-9}) {
    StoppingBlock block;
    EXPECT_LE(error_of(
                  block.world, GetParam(), adaptive(rtol, rtol * 1e-3), .3, [&](double t) { return block.velocity(t); }, 1),
              1000 * rtol * block.v0);
    Bounce bounce;
    EXPECT_LE(bounce.error(GetParam(), adaptive(rtol, rtol * 1e-3)), 1000 * rtol) << "rtol " << rtol;
  }
}

// --- an input that jumps -------------------------------------------------------------------------------------------

// A push of 1 N starts at t = 0.1234567 s, off the grid. Only part of the step belongs to it: the speed errs by up to h, order 1;
// but a stop at the jump, of which the integrator sees one side before and the other after, takes all of the error away.
TEST(Order, OneForAnInputThatJumpsOffTheGrid) {
  const double jump = .1234567, end = .5;
  bool pushed_at_stop = false;
  World world;
  const auto mass = world.add("mass", PointMass<double>{1.0});
  world.push(mass, 0, [&](double t) { return t > jump || (t == jump && pushed_at_stop) ? 1.0 : 0.0; });
  double worst = 0;
  for (const double h : scattered_steps(1e-2, 12)) {
    const auto through = make_integrator("rk4", world, fixed(h)), stopping = make_integrator("rk4", world, fixed(h));
    through->start(0, world.start());
    through->advance(end);
    const double error = std::abs(through->state()[1] - (end - jump));
    EXPECT_LE(error, h);
    worst = std::max(worst, error / h);
    pushed_at_stop = false;
    stopping->start(0, world.start());
    stopping->advance(jump);
    pushed_at_stop = true;
    stopping->advance(end);
    EXPECT_NEAR(stopping->state()[1], end - jump, 1e-13);
    EXPECT_NEAR(stopping->state()[0], (end - jump) * (end - jump) / 2, 1e-13);
  }
  EXPECT_GE(worst, .1);
}
TEST_P(Adaptive, FindsAnInputThatJumps) {
  World world;
  const auto mass = world.add("mass", PointMass<double>{1.0});
  world.push(mass, 0, [&](double t) { return t > .1234567 ? 1.0 : 0.0; });
  IntegratorOptions options = adaptive(1e-6, 1e-9);
  options.max_step = .05;  // or a step could pass over what it never sees
  const auto integrator = make_integrator(GetParam(), world, options);
  integrator->start(0, world.start());
  integrator->advance(.5);
  EXPECT_NEAR(integrator->state()[1], .5 - .1234567, 1e-5);
}

}  // namespace
}  // namespace asperity::order_test
