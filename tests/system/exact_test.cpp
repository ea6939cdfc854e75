// Worlds against converged numbers of the papers' experiments; exact solutions are in integrate/every_method_test.cpp.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "coulomb.hpp"
#include "integrate/methods.hpp"
#include "system/run.hpp"

namespace asperity::exact_test {

namespace {

using testing::coulomb;

using std::numbers::pi;
using testing::is_built_in;
using testing::run;

RigidBody<double> sphere(double mass, double radius, double g) {
  RigidBody<double> ball;
  ball.mass = mass;
  ball.inertia = inertia::sphere(mass, radius);
  for (int i = 0; i < 3; ++i) ball.inverse[std::size_t(i)] = 1 / ball.inertia[std::size_t(i)];
  ball.gravity[2] = -g;
  return ball;
}

/// 6.1 xiong2013 (3.11): pushed until it slides, then a load that oscillates.
double load_of_fig_3_4(double t) { return t < 2 ? std::min(.55, .5 * t) : .35 + .15 * std::cos(100 * t); }

// 6.1 xiong2013 Fig. 3.4 at the step of the paper; converged, with every method, in integrate/holding_test.cpp.
TEST(Xiong2013Fig34, HeldByFriction) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("floor", coulomb(.5, 5e3, 2e-3), Line<double>{}, block, ground);
  world.push(block, 0, load_of_fig_3_4);
  double breaks = 0, at2 = 0, stop = 0, held = 0;
  const auto x = run(world, Method::rk4, 10, 1e-3, [&](double t, const std::vector<double>& y) {
    if (breaks == 0 && y[0] - y[2] > 1e-12) breaks = t;  // the asperity's root moves
    if (std::abs(t - 2) < 1e-9) at2 = y[0];
    if (stop == 0 && t > 2 && y[1] < 0) stop = t;
    if (std::abs(t - 5) < 1e-9) held = y[0] - y[2];
  });
  EXPECT_NEAR(breaks, 1.001, 1e-9);
  EXPECT_NEAR(at2, .02278298, 1e-8);
  EXPECT_NEAR(stop, 2.334, 1e-9);
  EXPECT_NEAR(x[0], .030766, 1e-6);
  EXPECT_NEAR((x[0] - x[2] - held) / 5, 6.4e-8, 1e-8) << "drift at the step of the paper";
}

// Rigid Coulomb friction, in closed form: break-away 1.0 s, p(2) .02258333, stop 2.332038 s, p(10) .03051749. The friction mass is
// rigid, and of first order in its T: two samples after the break-away it moves, one before the stop it stands.
TEST(Xiong2013Fig34, RigidCoulombFriction) {
  const double T = 1e-4;
  World world;
  const auto block = world.add("block", FrictionMass<double>{1.0, .5, T, {}});
  world.push(block, 0, load_of_fig_3_4);
  double breaks = 0, at2 = 0, stop = 0, held = 0;
  const auto x = run(world, Method::euler, 10, T, [&](double t, const std::vector<double>& y) {
    if (breaks == 0 && y[1] > 0) breaks = t;
    if (std::abs(t - 2) < T / 2) at2 = y[0];
    if (stop == 0 && t > 2 && y[1] == 0) stop = t, held = y[0];
  });
  EXPECT_NEAR(breaks, 1, 2.1 * T);
  EXPECT_NEAR(at2, .02258333, .05 * T);  // p'(2) = 0.05 m/s
  EXPECT_NEAR(stop, 2.332038, T);
  EXPECT_NEAR(x[0], .03051749, .05 * T);
  EXPECT_EQ(x[0], held) << "exactly";
}

// The same under LuGre, B 10: it creeps from the beginning, and drifts by 1.4425e-3 m/s where the single state holds. Its swing
// repeats every second cycle of the load: drift is over an even number of them.
TEST(Xiong2013Fig34, LuGreDrifts) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  LuGre<> law;
  law.F_c = law.F_s = .5;
  law.K = 5e3;
  law.B = 10;
  world.add("floor", law, between(block, ground));
  world.push(block, 0, load_of_fig_3_4);
  const auto integrator = make_integrator("rk4", world, {.step = 1e-3});
  integrator->start(0, world.start());
  integrator->advance(.5);
  EXPECT_GT(integrator->state()[0], 1.2 * .25 / law.K) << "creeps below its limit";
  integrator->advance(2);
  EXPECT_NEAR(integrator->state()[0], .02530965, 1e-8);
  const double cycle = 2 * pi / 100, begin = 80 * cycle;
  double stop = 0;
  integrator->advance(begin, [&](double t, std::span<const double> y) {
    if (stop == 0 && y[1] < 0) stop = t;
  });
  EXPECT_NEAR(stop, 2.3485, 1e-3);
  const double from = integrator->state()[0];
  integrator->advance(begin + 78 * cycle);
  EXPECT_NEAR((integrator->state()[0] - from) / (78 * cycle), 1.4425e-3, 3e-7);
  const auto x = run(world, Method::rk4, 10, 1e-3);
  EXPECT_NEAR(x[0], .045089, 1e-6);
}

// 6.2 xiong2013 Fig. 3.6: bounce; v_out/v_in of the first bounce and the largest penetration, converged; within .01 at the step of
// the paper; at rest it is indented by g M/K.
TEST(Xiong2013Fig36, Bounce) {
  for (const auto& [alpha, restitution, penetration] :
       {std::array{.01, 1.0000, 14.098e-3}, {.007, .87992, 12.055e-3}, {.005, .76942, 10.420e-3}, {.001, .29026, 5.509e-3}}) {
    World world;
    const auto ball = world.add("ball", PointMass<double>{1.0, -9.8}, {1.0, 0});
    LinearCompliance<> law;
    law.K = 1e5;
    law.alpha = alpha;
    law.beta = .01;
    world.add("floor", law, Line<double>{}, ball, ground);
    for (const double h : {1e-3, 1e-5}) {
      const bool fine = h < 1e-4;
      double v_in = 0, v_out = 0, deepest = 0, touch = 0;
      run(world, Method::rk4, .7, h, [&](double t, const std::vector<double>& x) {
        if (touch == 0 && x[0] < 0) touch = t, v_in = -x[1];
        deepest = std::max(deepest, -x[0]);
        if (touch > 0 && v_out == 0 && x[1] > 0 && law.react({x[2]}, {x[0], x[1]}, 0).f == 0) v_out = x[1];
      });
      EXPECT_NEAR(touch, .451754, 2 * h);
      EXPECT_NEAR(v_out / v_in, restitution, fine ? 2e-4 : .01) << "alpha " << alpha << " h " << h;
      if (fine) {
        EXPECT_NEAR(deepest, penetration, 2e-6);
      }
    }
    if (alpha < .01) {
      EXPECT_NEAR(run(world, Method::rk4, 20, 1e-3)[0], -9.8e-5, 1e-9) << "alpha " << alpha;
    }
  }
}

// 6.3 xiong2013 Example I: contacts start at .3194 .8544 1.2956 1.6595 s; the contact point first stands still at 1.6633 s; 5/7 v0.
TEST(Xiong2013ExampleI, RollingSphereWithCollisionAndSlip) {
  const double v0 = 5.5, R = .5;
  World world;
  Frame<double> start;
  start.p[2] = 2 * R;
  start.v[0] = v0;
  const auto ball = world.add("ball", sphere(1, R, 9.8), start);
  FrictionalContact<LinearCompliance<double>, SingleState<double, 3>> contact;
  contact.normal.K = contact.tangential.K = 1e5;
  contact.normal.alpha = 2.8e-3;
  contact.normal.beta = contact.tangential.beta = 4e-3;
  contact.tangential.F = .1;
  BallPlane<double, true> floor;
  floor.radius = R;
  world.add("floor", contact, floor, ball, ground);
  std::vector<double> touches;
  bool touching = false;
  double stands = 0, invariant = 0;
  const auto x = run(world, Method::rk4, 3, 5e-5, [&](double t, const std::vector<double>& y) {
    const bool now = y[2] - R < 0;
    if (now && !touching) touches.push_back(t);
    touching = now;
    if (stands == 0 && y[7] - R * y[11] < 0) stands = t;
    invariant = std::max(invariant, std::abs(y[7] + .4 * R * y[11] - v0));
  });
  const std::vector<double> expected{.3194, .8544, 1.2956, 1.6595};
  ASSERT_GE(touches.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(touches[i], expected[i], 2e-4);
  EXPECT_NEAR(stands, 1.6633, 2e-4);
  EXPECT_NEAR(x[7], 5. / 7 * v0, 1e-9);
  EXPECT_LT(invariant, 1e-9);
  EXPECT_NEAR(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6], 1, 1e-14);  // the rotation stays a rotation
}

// 6.9 kikuuwe_fujimoto, admittance type: M 1, F 0.5, v0 1, T 1 ms: stops after 2001 steps, with velocity exactly zero.
TEST(FrictionMass, StopsExactly) {
  World world;
  world.add("block", FrictionMass<double>{1.0, .5, 1e-3, {}}, {0, 1});
  int moving = 0;
  const auto x = run(world, Method::euler, 3, 1e-3, [&](double, const std::vector<double>& y) { moving += y[1] != 0; });
  EXPECT_EQ(moving + 1, 2001);
  EXPECT_EQ(x[1], 0);
  EXPECT_NEAR(x[0], 1, 1e-3);
}
// Below the limit it does not move at all, in the plane too; above it it accelerates by the excess.
TEST(FrictionMass, HoldsExactly) {
  World world;
  const auto block = world.add("block", FrictionMass<double, 2>{1.0, .5, 1e-3, {}});
  world.push(block, 0, [](double t) { return t < 1 ? .3 : .6; });
  world.push(block, 1, [](double t) { return t < 1 ? .39 : .8; });
  double held = 0;
  const auto x = run(world, Method::euler, 2, 1e-3, [&](double t, const std::vector<double>& y) {
    if (t < .9995) held = std::max({held, std::abs(y[0]), std::abs(y[1])});
  });
  EXPECT_EQ(held, 0);
  EXPECT_NEAR(std::hypot(x[2], x[3]), .5, 1e-9);  // (1.0 - 0.5) N on 1 kg for 1 s
}

/// The threshold law with the same limit.
struct FallingThreshold : Threshold<double> {
  Reaction<double, NoState> react(const NoState&, const Input& in, double) const noexcept {
    return {F / (1 + std::abs(in.v)) * sat(1.0, in.v / V), {}};
  }
};

/// A mass on a belt of speed 1 and a Duffing spring, starting at the speed of the belt.
struct BeltAndDuffingSpring {
  double period = 0, low = 0, high = 0, slowest = 1, fastest = 0;  // position, and speed w = u - v relative to the belt
  template <class Law>
  explicit BeltAndDuffingSpring(const Law& law) {
    World world;
    const auto mass = world.add("mass", PointMass<double>{1.0}, {1.19149, 1.0});
    const auto belt = world.add_given<1>("belt", [](double t) { return Port<double, 1>{t, 1}; });
    world.add("friction", law, between(mass, belt));
    Spring<> spring;
    spring.K = -1;
    spring.K3 = 1;
    world.add("spring", spring, between(mass, ground));
    // Stiff: an explicit method needs two million steps for it.
    const auto integrator = make_integrator(is_built_in("cvode") ? "cvode" : "rk4", world,
                                            {.step = 2e-5, .rtol = 1e-9, .atol = 1e-14, .max_step = .01});
    integrator->start(0, world.start());
    double last = 0, crossed = 0;
    std::vector<double> y(world.start().size());
    integrator->advance(60, [&](double t, std::span<const double> x) {
      if (t > 15) {
        low = std::min(low, x[0]);
        high = std::max(high, x[0]);
        slowest = std::min(slowest, 1 - x[1]);
        fastest = std::max(fastest, 1 - x[1]);
        if (last < 0 && x[0] >= 0) {
          double from = integrator->time_before(), to = t;
          for (int k = 0; k < 50; ++k) {
            integrator->interpolate((from + to) / 2, y);
            (y[0] < 0 ? from : to) = (from + to) / 2;
          }
          if (crossed > 0) period = to - crossed;
          crossed = to;
        }
      }
      last = x[0];
    });
  }
};

// 6.5 xiong2013 Example III, F .2: period 7.74971, p in [-1.49988, 1.60062], w in [-.0813, 2.06666], with both regularisations.
// The digits that are printed; the extremes are met by a step within 1e-5.
TEST(Xiong2013ExampleIII, PeriodicMotion) {
  SingleState<double, 1, Falling> single;
  single.F_s = .2;
  single.V = 1;
  single.K = 1e5;
  single.beta = .5;
  FallingThreshold threshold;
  threshold.F = .2;
  threshold.V = 1e-5;
  for (const auto& found : {BeltAndDuffingSpring(single), BeltAndDuffingSpring(threshold)}) {
    EXPECT_NEAR(found.period, 7.74971, 1e-5);
    EXPECT_NEAR(found.low, -1.49988, 2e-5);
    EXPECT_NEAR(found.high, 1.60062, 2e-5);
    EXPECT_NEAR(found.slowest, -.0813, 1e-4);
    EXPECT_NEAR(found.fastest, 2.06666, 2e-5);
  }
}

// F .5: it sticks, and leaves the belt where the spring pulls with .5 N, at p = 1.19149: where it starts. So the rigid motion is
// one slip from there and a ride back with the belt, again and again.
TEST(Xiong2013ExampleIII, WithStick) {
  EXPECT_NEAR(std::pow(1.19149, 3) - 1.19149, .5, 1e-5);
  const auto rigid = make_integrator("dopri5",
                                     [](double, std::span<const double> x, double, std::span<double> xdot) {
                                       xdot[0] = x[1];
                                       xdot[1] = x[0] - x[0] * x[0] * x[0] + .5 / (2 - x[1]);  // w = 1 - v > 0 all the way
                                     },
                                     {.rtol = 1e-12, .atol = 1e-14, .max_step = .01});
  rigid->start(0, std::vector{1.19149, 1 - 1e-5});
  double low = 0, high = 0, slowest = 1;
  rigid->step();
  while (rigid->state()[1] < 1) {
    rigid->step();
    low = std::min(low, rigid->state()[0]);
    high = std::max(high, rigid->state()[0]);
    slowest = std::min(slowest, rigid->state()[1]);
  }
  double from = rigid->time_before(), to = rigid->time();
  std::vector<double> x(2);
  for (int k = 0; k < 50; ++k) {
    rigid->interpolate((from + to) / 2, x);
    (x[1] < 1 ? from : to) = (from + to) / 2;
  }
  const double period = to + (1.19149 - x[0]) / 1;
  SingleState<double, 1, Falling> single;
  single.F_s = .5;
  single.V = 1;
  single.K = 1e5;
  single.beta = .5;
  FallingThreshold threshold;
  threshold.F = .5;
  threshold.V = 1e-5;
  for (const auto& found : {BeltAndDuffingSpring(single), BeltAndDuffingSpring(threshold)}) {
    EXPECT_NEAR(found.period, period, 2e-5);
    EXPECT_NEAR(found.low, low, 2e-5);
    EXPECT_NEAR(found.high, high, 2e-5);
    EXPECT_NEAR(found.slowest, 0, 1e-5);
    EXPECT_NEAR(found.fastest, 1 - slowest, 2e-5);
  }
}

// 6.7 xiong2013 chapter 5: restitution, indentation and what is left of it after release; M 1, K 1e4, lambda 1.5, no gravity.
TEST(Xiong2013Chapter5, RestitutionOfTheNonlinearCompliance) {
  struct Row {
    double beta1, beta2, gamma, v0, restitution, deepest, residual;
  };
  for (const Row& row :
       {Row{0, .1, 2e3, 2, .966814, 4.71959e-2, 4.974e-5}, Row{1e-3, 0, 2e3, 2, .925182, 4.63851e-2, 3.13977e-3},
        Row{3e-3, 0, 2e3, .1, .880426, 4.14118e-3, 4.1615e-4}, Row{3e-3, 0, 2e3, 10, .736505, 1.54093e-1, 3.47943e-2},
        Row{3e-3, .1, 2e3, .5, .836800, 1.47189e-2, 1.98400e-3}, Row{3e-3, .1, 2e3, 2, .774878, 4.33582e-2, 7.50004e-3},
        Row{3e-3, .1, 2e3, 10, .585829, 1.42491e-1, 3.39339e-2}, Row{1e-3, .3, 2e3, 1, .900978, 2.63746e-2, 1.56717e-3},
        Row{3e-3, .1, 50, 2, .912197, 4.58641e-2, 8.06051e-3}, Row{3e-3, .1, 1e3, 2, .776464, 4.34362e-2, 7.84877e-3}}) {
    NonlinearCompliance<> law;
    law.beta1 = row.beta1;
    law.beta2 = row.beta2;
    law.gamma = row.gamma;
    World world;
    const auto ball = world.add("ball", PointMass<double>{1.0}, {0, -row.v0});
    world.add("wall", law, between(ball, ground));
    double deepest = 0, residual = 0;
    const auto x = run(world, Method::rk4, .4, 1e-5, [&](double, const std::vector<double>& y) {
      deepest = std::max(deepest, -y[0]);
      if (y[1] > 0 && law.react({y[2]}, {y[0], y[1]}, 0).f > 0) residual = -y[0];
    });
    EXPECT_NEAR(x[1] / row.v0, row.restitution, 2e-6) << "v0 " << row.v0;
    EXPECT_NEAR(deepest, row.deepest, 4e-6 * row.deepest + 1e-9);
    EXPECT_NEAR(residual, row.residual, 2e-5 * row.v0 + 1e-7);  // to the last step in touch
  }
  HuntCrossley<> law;  // b2 .35, v0 2: e .678595, 41.253 mm
  law.K = 1e4;
  World world;
  const auto ball = world.add("ball", PointMass<double>{1.0}, {0, -2});
  world.add("wall", law, between(ball, ground));
  double deepest = 0;
  const auto x =
      run(world, Method::rk4, .2, 1e-5, [&](double, const std::vector<double>& y) { deepest = std::max(deepest, -y[0]); });
  EXPECT_NEAR(x[1] / 2, .678595, 2e-6);
  EXPECT_NEAR(deepest, 41.253e-3, 1e-6);
}

TEST(Gravity, IsAPropertyOfTheWorld) {
  World world;
  world.set_gravity({0, 0, -9.81});
  world.add("ball", PointMass<double, 3>{2.0, {}});
  world.add("slider", PointMass<double>{1.0});  // on a line: gravity is across it
  const auto x = run(world, Method::rk4, 1, 1e-2);
  EXPECT_NEAR(x[2], -9.81 / 2, 1e-12);
  EXPECT_EQ(x[6], 0);
  EXPECT_THROW(world.add("flat", PointMass<double, 2>{1.0, {}}), std::invalid_argument);
}

}  // namespace
}  // namespace asperity::exact_test
