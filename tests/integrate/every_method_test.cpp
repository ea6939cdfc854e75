// Seven exact solutions, each with every method: Methods/ExactSolution.<number and name>/<method>.
//
// Tolerances: a first-order method errs by a multiple of h that is written beside the case; rk4 by what its transitions leave; an
// adaptive method by a multiple of its tolerance. Where the elastic law itself differs from rigid friction, its F/K or v_s is the
// tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#include "coulomb.hpp"
#include "integrate/methods.hpp"
#include "integrate/restitution.hpp"

namespace asperity::every_method_test {
namespace {

using testing::coulomb;

using std::numbers::pi;

class ExactSolution : public ::testing::TestWithParam<std::string> {
 public:
  bool adaptive() const { return GetParam() == "dopri5" || GetParam() == "cvode" || GetParam() == "auto"; }
  bool implicit() const { return GetParam() == "implicit"; }
  bool euler() const { return GetParam() == "euler" || GetParam() == "step" || implicit(); }
  bool ahead() const { return GetParam() == "rk4-lookahead"; }

  std::unique_ptr<Integrator> start(World& world, double step) {
    IntegratorOptions options;
    options.step = step;
    options.rtol = 1e-8;
    options.atol = 1e-11;  // a thousandth of the smallest asperity's F/K and less
    auto integrator = make_integrator(GetParam(), world, options);
    integrator->start(0, world.start());
    return integrator;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ExactSolution, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

/// The first time in the last step at which value(x) changes its sign, on the dense output.
template <class Value>
double crossing(Integrator& integrator, Value&& value) {
  std::vector<double> x(integrator.state().size());
  double low = integrator.time_before(), high = integrator.time();
  const auto side = [&](double t) {
    integrator.interpolate(t, x);
    return value(x) > 0;
  };
  const bool first = side(low);
  for (int k = 0; k < 60; ++k) (side((low + high) / 2) == first ? low : high) = (low + high) / 2;
  return high;
}
const auto position = [](const std::vector<double>& x) { return x[0]; };
const auto velocity = [](const std::vector<double>& x) { return x[1]; };

// The method `step` takes, for every element, the step that a control loop takes with step(law, ...): to the last bit.
TEST(StepMethod, IsTheStepOfTheLaws) {
  const auto law = coulomb(.5, 5e3, 1e-3);
  const double h = 1e-3;
  const auto speed = [](double t) { return .1 * std::sin(20 * t); };
  World world;
  const auto hand = world.add_given<1>("hand", [&](double t) { return Port<double, 1>{0, speed(t)}; });
  world.add("friction", law, Line<double>{}, hand, ground);
  IntegratorOptions options;
  options.step = h;
  const auto integrator = make_integrator("step", world, options);
  integrator->start(0, world.start());
  auto z = law.start();
  double largest = 0;
  for (int k = 0; k < 500; ++k) {
    step(law, z, {speed(k * h)}, h);
    integrator->step();
    ASSERT_EQ(integrator->state()[0], z.a);
    largest = std::max(largest, std::abs(z.a));
  }
  EXPECT_NEAR(largest, law.F / law.K, 1e-12) << "it has to slip";
}

// Who looks at one element of many asks for its entries alone, and sees the same numbers: here of a ball that bounces, so that
// implicit2 subdivides its steps, beside a block.
TEST_P(ExactSolution, SingleEntriesAreThoseOfTheWholeState) {
  World world;
  PointMass<double> ball{1.0};
  ball.gravity = -9.8;
  LinearCompliance<> floor;
  floor.K = 1e4;
  world.add("floor", floor, Line<double>{}, world.add("ball", ball, {1e-3, -1.0}), ground);
  world.add("rough", coulomb(.5, 5e3, 1e-3), between(world.add("block", PointMass<double>{2.0}, {0, .1}), ground));
  const auto integrator = start(world, 1e-3);
  const std::size_t n = integrator->state().size();
  const std::vector<std::size_t> some{0, 3, n - 1};
  std::vector<double> all(n), few(n);
  for (int k = 0; k < 40; ++k) {
    integrator->step();
    for (const double share : {0.0, .3, .5, 1.0}) {
      const double t = integrator->time_before() + share * (integrator->time() - integrator->time_before());
      integrator->interpolate(t, all);
      integrator->interpolate(t, some, few);
      for (const std::size_t i : some) ASSERT_EQ(few[i], all[i]) << "entry " << i << " at " << t;
    }
  }
}

// 1. A block with speed v0 stops after M v0/F at M v0^2/(2F); the single state springs back by F/K.
TEST_P(ExactSolution, Solution1BlockStops) {
  const double M = 1, F = .5, K = 1e5, v0 = 1, h = 2e-4;
  World world;
  const auto block = world.add("block", PointMass<double>{M}, {0, v0});
  world.add("floor", coulomb(F, K, 4e-4), Line<double>{}, block, ground);
  const auto integrator = start(world, h);
  double stop = 0, furthest = 0;
  std::vector<double> x(3);
  integrator->advance(3, [&](double, std::span<const double> y) {
    if (stop > 0 || y[1] > 0) return;
    stop = crossing(*integrator, velocity);
    integrator->interpolate(stop, x);
    furthest = x[0];
  });
  const double end = integrator->state()[0];
  // Sliding is exact for every method but for the position of the Euler ones, which moves on with the speed of the step before:
  // v0 h/2. The stop takes part of a step, and look-ahead damps the asperity that it bends.
  EXPECT_NEAR(stop, M * v0 / F, euler() || ahead() ? h : 1e-6);
  EXPECT_NEAR(end, M * v0 * v0 / (2 * F) - F / K, euler() ? .6 * v0 * h : ahead() ? F / K : 1e-7);
  // The root of the asperity has moved on with the block until it stopped, to a step's share of it: F h^2/M.
  EXPECT_NEAR(furthest - end, F / K, adaptive() ? 1e-8 : 2 * F * h * h / M);
  EXPECT_NEAR(integrator->state()[1], 0, 1e-7);
}

// 2. Coulomb-damped oscillator: turning points lose 2F/k each; at rest after five half cycles.
TEST_P(ExactSolution, Solution2CoulombDampedOscillator) {
  const double k = 100, F = .5, x0 = .053, K = 1e6, h = euler() ? 1e-5 : 1e-4;
  World world;
  const auto mass = world.add("mass", PointMass<double>{1.0}, {x0, 0});
  world.add("floor", coulomb(F, K, 2e-4), Line<double>{}, mass, ground);
  Spring<> spring;
  spring.K = k;
  world.add("spring", spring, Line<double>{}, mass, ground);
  const auto integrator = start(world, h);
  std::vector<double> turns{x0}, times{0};
  double last = 0;
  integrator->advance(3, [&](double, std::span<const double> x) {
    if (last * x[1] < 0 && std::abs(x[0] - turns.back()) > 1e-3)
      turns.push_back(x[0]), times.push_back(crossing(*integrator, velocity));
    last = x[1];
  });
  // Euler feeds an oscillation: its amplitude grows by exp(k h t/2). The asperity gives by F/K either way.
  const double tolerance = 4 * F / K + (euler() ? x0 * std::expm1(k * h * pi / 2 / 2) : ahead() ? F * h : 0);
  const std::vector<double> expected{x0, -.043, .033, -.023, .013, -.003};
  ASSERT_GE(turns.size(), expected.size());
  // At each turn the asperity swings over, by 2F/K under at least 0.2 N: sqrt(2 (2F/K)/(0.2 N/M)) = 3.2 ms at the last, less
  // before.
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(turns[i], expected[i], tolerance) << i;
    EXPECT_NEAR(times[i], double(i) * pi / 10, 3.2e-3) << i;
  }
  EXPECT_NEAR(integrator->state()[0], -.003, tolerance);
  EXPECT_NEAR(integrator->state()[1], 0, 1e-8);
}

// 3. Stick-slip on a belt: stick 2(F_s - F_k)/(k v), slip (2/w)(pi - atan((F_s - F_k)/(v sqrt(k m)))), v_max of the slip.
TEST_P(ExactSolution, Solution3StickSlip) {
  const double k = 100, belt = .1, h = 2e-5;
  // So stiff that sticking moves slower than v_s while the spring loads it, and damped so that each stick swings to rest.
  SingleState<double, 1, Stribeck> law;
  law.F_s = 1.5;
  law.F_c = 1;
  law.v_s = 3e-5;
  law.K = 1e8;
  law.beta = 1.6e-4;
  World world;
  const auto carrier = world.add_given<1>("belt", [=](double t) { return Port<double, 1>{belt * t, belt}; });
  const auto mass = world.add("mass", PointMass<double>{1.0}, {.01, belt});  // riding the belt at F_c
  Spring<> spring;
  spring.K = k;
  world.add("spring", spring, Line<double>{}, mass, ground);
  world.add("friction", law, Line<double>{}, mass, carrier);
  const auto integrator = start(world, h);
  std::vector<double> slips, sticks;
  double fastest = 0;
  bool slipping = false;
  // Slip starts slowly: it is there when the speed has left what sticking could be, 1 % of the belt's.
  integrator->advance(2.2, [&](double t, std::span<const double> x) {
    const double slip = belt - x[1];
    fastest = std::max(fastest, slip);
    if (!slipping && slip > .01 * belt) slips.push_back(t), slipping = true;
    if (slipping && slip < .001 * belt) sticks.push_back(t), slipping = false;
  });
  ASSERT_GE(slips.size(), 3u);
  ASSERT_GE(sticks.size(), 3u);
  // Slip needs time to leave v_s: v' = k belt t + (F_s - F_c) (v/v_s)^2 takes about 2 (4 v_s^2/((F_s - F_c) k belt))^(1/3).
  // Meanwhile the spring pulls harder, and 1 % of the belt's speed takes as long again.
  const double onset = 2 * std::cbrt(4 * law.v_s * law.v_s / ((law.F_s - law.F_c) * k * belt));
  EXPECT_LT(onset, 2e-3);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(slips[i + 1] - sticks[i], .1, 3 * onset) << "stick " << i;
    EXPECT_NEAR(sticks[i + 1] - slips[i + 1], .535589, 3 * onset) << "slip " << i;
    EXPECT_NEAR(slips[i + 1] - slips[i], .635589, onset) << "period " << i;
  }
  EXPECT_NEAR(fastest, .211803, onset * k * belt * (law.F_s - law.F_c) / (k * (.211803 - belt)));
}

// 4. Incline of 17 degrees, mu 0.3, asperity preloaded: g (sin - mu cos) t^2/2; 16 degrees rests, deflected by f/K.
TEST_P(ExactSolution, Solution4Incline) {
  const double g = 9.8, mu = .3, K = 1e5, h = 5e-4;
  for (const double degrees : {17.0, 16.0}) {
    const double theta = degrees * pi / 180, limit = mu * g * std::cos(theta), pull = g * std::sin(theta);
    World world;
    const auto block = world.add("block", PointMass<double>{1.0});
    world.add("slope", coulomb(limit, K, 2e-3), Line<double>{}, block, ground);
    world.push(block, 0, [=](double) { return pull; });
    auto x = world.start();
    x[2] = std::min(limit, pull) / K;
    const auto integrator = start(world, h);
    integrator->start(0, x);
    integrator->advance(2);
    const double exact = std::max(0.0, pull - limit) * 2;
    const double behind = implicit() ? -exact / 2 * h : euler() ? exact / 2 * h : 0;  // a t h/2, exactly; implicit: before
    EXPECT_NEAR(integrator->state()[0], exact - behind, exact == 0 ? 1e-15 : adaptive() ? 1e-8 : 1e-12) << degrees;
  }
}

// 5. A sliding sphere ends at 5/7 v0 after (2/7) v0/(mu g); vx + 0.4 R wy is invariant.
TEST_P(ExactSolution, Solution5SlidingSphereEndsRolling) {
  const double R = .2, mu = .1, v0 = 2, g = 9.8, M = .3, h = 1e-4, K = 1e5;
  RigidBody<double> body;
  body.mass = M;
  body.inertia = inertia::sphere(M, R);
  for (std::size_t i = 0; i < 3; ++i) body.inverse[i] = 1 / body.inertia[i];
  body.gravity[2] = -g;
  Frame<double> rest;
  rest.v[0] = v0;
  rest.p[2] = R - M * g / K;  // resting on its contact
  World world;
  const auto ball = world.add("ball", body, rest);
  FrictionalContact<LinearCompliance<double>, SingleState<double, 3>> contact;
  contact.normal.K = contact.tangential.K = K;
  contact.normal.alpha = 5e-4;
  contact.normal.beta = 1e-3;
  contact.tangential.F = mu;
  contact.tangential.beta = 4e-4;
  BallPlane<double, true> floor;
  floor.radius = R;
  world.add("floor", contact, floor, ball, ground);
  auto x = world.start();
  x[13] = M * g / K;  // and its contact compressed
  const auto integrator = start(world, h);
  integrator->start(0, x);
  double stands = 0, invariant = 0, length = 0;
  const auto slip = [&](const auto& y) { return y[7] - R * y[11]; };
  integrator->advance(1, [&](double, std::span<const double> y) {
    if (stands == 0 && slip(y) < 0) stands = crossing(*integrator, slip);
    invariant = std::max(invariant, std::abs(y[7] + .4 * R * y[11] - v0));
    length = std::max(length, std::abs(std::hypot(std::hypot(y[3], y[4]), std::hypot(y[5], y[6])) - 1));
  });
  EXPECT_NEAR(integrator->state()[7], 5. / 7 * v0, adaptive() ? 1e-6 : 1e-9);
  EXPECT_LT(invariant, adaptive() ? 1e-6 : 1e-9);
  EXPECT_NEAR(stands, 2. / 7 * v0 / (mu * g), euler() || ahead() ? h : 1e-5);  // as in 1: the stop takes part of a step
  EXPECT_LT(length, 1e-14);
}

// 6. Bouncing ball, restitution 1/2 by design (asperity/design/impact.hpp): from 1 m it touches at .451754 s, each flight is half
// as long as the one before, and it rests from .451754 s (1 + e)/(1 - e) = 1.355262 s on.
TEST_P(ExactSolution, Solution6BouncingBall) {
  const double g = 9.8, h = 1e-5, t1 = std::sqrt(2 / g);
  EXPECT_NEAR(t1 * 3, 1.355262, 1e-6);
  for (const double stiffer : {1.0, 100.0}) {
    if (stiffer > 1 && !adaptive()) continue;  // a fixed step would have to be ten times as short
    LinearCompliance<> law;
    law.K = 499937 * stiffer;
    law.alpha = 8.35558e-5 / std::sqrt(stiffer);
    law.beta = 8.35558e-4 / std::sqrt(stiffer);
    const double omega = std::sqrt(law.K);
    const auto ball = [&](World& world, double gravity, double height, double speed) {
      world.add("floor", law, between(world.add("ball", PointMass<double>{1.0, -gravity}, {height, speed}), ground));
    };
    World weightless, world;
    // First-order methods have a restitution of their own, see 7: Euler feeds the struck spring K beta/alpha by h/2, and look-ahead
    // makes alpha longer by 3/4 h; over the contact, 3/omega, of 1/2 at most this much.
    ball(weightless, 0, 0, -1);
    const auto impact = start(weightless, h);
    impact->advance(20 / omega);
    const double e = impact->state()[1];
    EXPECT_NEAR(e, .5, euler() || ahead() ? .5 * law.K * law.beta / law.alpha * h / 2 * 3 / omega : 1e-4);

    ball(world, g, 1, 0);
    const auto integrator = start(world, h);
    std::vector<double> touches, leaves;
    double last = 1;
    integrator->advance(1.5, [&](double, std::span<const double> x) {
      if (last > 0 && x[0] <= 0) touches.push_back(crossing(*integrator, position));
      if (last <= 0 && x[0] > 0) leaves.push_back(crossing(*integrator, position));
      last = x[0];
    });
    ASSERT_GE(touches.size(), 4u);
    EXPECT_NEAR(touches[0], t1, euler() ? h : 1e-7);
    // Gravity adds to the contact force: 1 - e^2 of its share g/(omega v) of the impact, which grows as v falls.
    double v = std::sqrt(2 * g);
    for (std::size_t i = 0; i < 3; ++i, v *= e)
      EXPECT_NEAR((touches[i + 1] - leaves[i]) * g / 2, e * v, 1.5 * g / omega + (euler() ? 4 * g * h : 0)) << "bounce " << i;
    double in_contact = 0;
    for (std::size_t i = 0; i < 3; ++i) in_contact += leaves[i] - touches[i];
    EXPECT_LT(in_contact, 3 * 4 / omega);
    // Every contact takes about 3/omega, and gravity takes about as much from the flight after it; flights shorter than a contact
    // are missing: three contact times at most.
    ASSERT_EQ(touches.size(), leaves.size() + 1);
    EXPECT_NEAR(touches.back(), t1 * (1 + e) / (1 - e), 10 / omega) << "touches for good";
    EXPECT_NEAR(integrator->state()[0], -g / law.K, 1e-8);
    EXPECT_NEAR(integrator->state()[1], 0, 1e-6);
  }
}

// 7. Restitution of the linear compliance, without gravity: the closed form of asperity/design/impact.hpp, which
// design/impact_test.cpp proves.
TEST(ClosedForm, OfRestitutionIsThatOfTheReference) {
  using testing::restitution;
  EXPECT_NEAR(restitution(1, 499937, 8.35558e-5, 8.35558e-4).e, .5, 1e-5);
  for (const auto& [r, b, lowest] : {std::array{.1, 2.039, .2247}, {.3, 1.349, .4900}, {.5, 1.132, .6760}})
    EXPECT_NEAR(restitution(1, 1, r * b, b).e, lowest, 1e-4);
}
TEST_P(ExactSolution, Solution7Restitution) {
  const double K = 1e5, M = 2, v0 = 3, omega = std::sqrt(K / M);
  for (const auto& [r, b] : {std::array{.1, .5}, {.5, .3}, {.3, 1.0}, {.7, 2.0}}) {
    LinearCompliance<> law;
    law.K = K;
    law.beta = b / omega;
    law.alpha = r * law.beta;
    const auto exact = testing::restitution(M, K, law.alpha, law.beta);
    const auto error = [&](double h) {
      World world;
      const auto ball = world.add("ball", PointMass<double>{M}, {0, -v0});
      world.add("wall", law, between(ball, ground));
      const auto integrator = start(world, h);
      integrator->advance(20 / omega);
      return integrator->state()[1] / v0 - exact.e;
    };
    const double h = 1e-3 / omega, found = error(h);
    SCOPED_TRACE(::testing::Message() << "r " << r << " b " << b << " error " << found);
    if (euler()) {
      // Euler feeds a spring K/r, as it is when struck, by K h/2r: over the contact at most that much of the speed.
      EXPECT_LT(std::abs(found), K / r * h / 2 / M * exact.time);
    } else if (ahead()) {
      // The material looks 3/4 h ahead: the closed form of that one, to second order in h (K beta/alpha)^(1/2).
      const double ahead_by = .75 * h;
      const double seen = testing::restitution(M, K, law.alpha + ahead_by, law.beta + ahead_by).e - exact.e;
      EXPECT_NEAR(found, seen, std::pow(omega * h, 2) / (r * r * b));
      EXPECT_GT(std::abs(seen), 1e-5) << "or nothing is looked at";
    } else {
      EXPECT_NEAR(found, 0, adaptive() ? 1e-6 : std::pow(omega * h, 2));  // of second order where it lets go
    }
    if (euler() || ahead()) {
      EXPECT_NEAR(found / error(h / 2), 2, .1) << "of first order";
    }
  }
}

}  // namespace
}  // namespace asperity::every_method_test
