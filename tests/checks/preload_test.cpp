// Preload: what can stand still does, from the first step on.
#include "asperity/system/preload.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/system/checks.hpp"

namespace asperity {
namespace {

constexpr double g = 9.8, pi = 3.14159265358979323846;

template <class WorldT>
std::vector<double> run_from(WorldT& world, std::vector<double> x, double duration, double h, double* furthest = nullptr) {
  const std::vector<double> start = x;
  RungeKutta integrator(Method::rk4, x.size());
  const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { world.rate(t, y, tau, dy); };
  const long steps = std::lround(duration / h);
  for (long k = 0; k < steps; ++k) {
    integrator.step(rate, double(k) * h, h, x);
    world.between_steps(double(k + 1) * h, x);
    if (furthest)
      for (std::size_t i = 0; i < x.size(); ++i) *furthest = std::max(*furthest, std::abs(x[i] - start[i]));
  }
  return x;
}

template <class WorldT>
double furthest_from_preload(WorldT& world, std::vector<double> x, double h = 1e-4) {
  const Preload found = preload(world, x);
  EXPECT_LT(found.residual, 1e-9);
  double furthest = 0;
  run_from(world, x, 1.0, h, &furthest);
  return furthest;
}

const double theta = 17 * pi / 180, exact = g * (std::sin(theta) - 0.3 * std::cos(theta)) * 2;

TEST(Incline, AsFrictionUnderALoad) {
  World world;
  const BodyId block = world.add("block", PointMass<double, 1>{1.0, g * std::sin(theta)});
  world.add("floor", SingleState<double>{{0.3}, 1e5, 2e-3}, Line<double>{}, block, ground, g * std::cos(theta));
  std::vector<double> x = world.start();
  EXPECT_NEAR(exact, 0.107413448, 5e-10);
  EXPECT_NEAR(run_from(world, x, 2, 1e-3)[0], 0.118926, 5e-7);
  EXPECT_EQ(check(world, x, {.step = 1e-3}).at(0).kind, Warning::Kind::preload);
  preload(world, x);
  EXPECT_EQ(x[0], 0);
  EXPECT_TRUE(check(world, x, {.step = 1e-3}).empty());
  EXPECT_NEAR(run_from(world, x, 2, 1e-3)[0], exact, 1e-12);
}

TEST(Guide, PreloadThenCheck) {
  World world;
  const BodyId block = world.add("block", PointMass<double, 1>{0.22, 2.0});
  world.add("floor", SingleState<double>{{1.0}, 5e5, 2e-3}, Line<double>{}, block, ground);
  std::ostringstream log;
  std::vector<double> x = world.start();
  preload(world, x);
  for (const Warning& warning : check(world, x, {.step = 1e-3, .method = "rk4", .duration = 2})) log << warning.text << "\n";
  EXPECT_EQ(log.str(),
            "floor: step 1 ms is too long for K = 5e5 N/m on 0.22 kg: kappa 2.27 > 1.70; use step <= 0.70 ms or K <= 3.7e5 N/m\n");
}

TEST(Incline, AsAContactUnderGravity) {
  World world;
  PointMass<double, 2> mass{1.0, {{0, -g}}};
  const BodyId block = world.add("block", mass);
  FrictionalContact<LinearCompliance<double>, SingleState<double, 2>> contact;
  contact.tangential.F = 0.3;
  contact.tangential.K = 1e5;
  PointPlane<double, 2> plane;
  plane.normal = {{std::sin(theta), std::cos(theta)}};
  world.add("floor", contact, plane, block, ground);
  std::vector<double> x = world.start();
  EXPECT_EQ(check(world, x, {.step = 1e-4}).at(0).kind, Warning::Kind::preload);
  preload(world, x);
  // Compressed by N/K along the normal, and not moved along the slope.
  const double depth = g * std::cos(theta) / 1e5;
  EXPECT_NEAR(x[0], -depth * std::sin(theta), 1e-16);
  EXPECT_NEAR(x[1], -depth * std::cos(theta), 1e-16);
  const std::vector<double> end = run_from(world, x, 2, 1e-4);
  const double along = (end[0] - x[0]) * std::cos(theta) - (end[1] - x[1]) * std::sin(theta);
  EXPECT_NEAR(along, exact, 1e-11);
  // A steeper friction angle holds it where it is.
  World held;
  contact.tangential.F = 0.31;
  held.add("floor", contact, plane, held.add("block", mass), ground);
  EXPECT_LT(furthest_from_preload(held, held.start()), 1e-12);
}

using Contact3 = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

TEST(Rest, ASphereOnAPlane) {
  for (const double start : {0.5, 0.5 + 5e-5, 0.5 - 3e-4}) {
    World world;
    auto body = RigidBody<double>::of(1.0, inertia::sphere(1.0, 0.5));
    body.gravity = {{0, 0, -g}};
    Frame<double> at;
    at.p = {{0.1, 0.2, start}};
    BallPlane<double, true> plane;
    plane.radius = 0.5;
    world.add("floor", Contact3{}, plane, world.add("ball", body, at), ground);
    std::vector<double> x = world.start();
    EXPECT_LT(furthest_from_preload(world, x), 1e-12);
    preload(world, x);
    EXPECT_NEAR(x[2], 0.5 - g / 1e5, 1e-15);
    EXPECT_EQ(x[0], 0.1);
    EXPECT_TRUE(check(world, x, {.step = 1e-4}).empty());
  }
}

TEST(Rest, ABallInTheAirFalls) {
  World world;
  world.add("floor", LinearCompliance<double>{}, Line<double>{}, world.add("ball", PointMass<double, 1>{1.0, -g}, {1.0, 0.0}),
            ground);
  std::vector<double> x = world.start();
  const std::vector<double> before = x;
  preload(world, x);
  EXPECT_EQ(x, before);
  EXPECT_TRUE(check(world, x, {.step = 1e-4}).empty());
}

/// A box on four or eight corners, on a slope.
template <class ContactT>
BodyId add_box(World& world, const ContactT& contact, double slope, bool all_corners) {
  auto body = RigidBody<double>::of(2.0, inertia::box(2.0, 0.2, 0.3, 0.1));
  body.gravity = {{g * std::sin(slope), 0, -g * std::cos(slope)}};
  Frame<double> at;
  at.p = {{0, 0, 0.05}};
  const BodyId box = world.add("box", body, at);
  for (int i = 0; i < (all_corners ? 8 : 4); ++i) {
    BallPlane<double> corner;
    corner.centre = {{i & 1 ? 0.1 : -0.1, i & 2 ? 0.15 : -0.15, i & 4 ? 0.05 : -0.05}};
    world.add("corner" + std::to_string(i), contact, corner, box, ground);
  }
  return box;
}

TEST(Rest, ABoxOnItsCorners) {
  for (const bool all : {false, true})
    for (const double slope : {0.0, 0.2}) {
      World world;
      add_box(world, Contact3{}, slope, all);
      EXPECT_LT(furthest_from_preload(world, world.start()), 1e-12) << all << slope;
    }
}

TEST(Rest, EqualCornersShareTheLoadEqually) {
  World world;
  add_box(world, Contact3{}, 0, false);
  std::vector<double> x = world.start();
  preload(world, x);
  EXPECT_NEAR(x[2], 0.05 - 2 * g / 4 / 1e5, 1e-15);
}

TEST(Rest, AContactDoesNotPull) {
  World world;
  const BodyId mass = world.add("mass", PointMass<double, 1>{1.0, -g});
  world.add("ceiling", LinearCompliance<double>{}, Line<double>{}, ground, mass);
  world.add("floor", LinearCompliance<double>{}, Line<double>{}, mass, ground);
  std::vector<double> x = world.start();
  EXPECT_LT(furthest_from_preload(world, x), 1e-12);
  preload(world, x);
  EXPECT_NEAR(x[0], -g / 1e5, 1e-18);
}

TEST(Rest, ACornerLifts) {
  // Loaded beyond the line between its neighbours, a corner of four on equal springs would have to pull: N/4 (1 - .7 - .6).
  World world;
  const BodyId box = add_box(world, Contact3{}, 0, false);
  const double X = 0.7 * 0.1, Y = 0.6 * 0.15;
  world.push(box, 3, [=](double) { return -Y * 2 * g; });
  world.push(box, 4, [=](double) { return X * 2 * g; });
  std::vector<double> x = world.start();
  EXPECT_LT(furthest_from_preload(world, x), 1e-12);
  preload(world, x);
  int touching = 0;
  world.pools().each_element_pool([&](const auto& pool) {
    for (std::size_t i = 0; i < pool.count(); ++i) touching += pool.gap(world.instant(0, x), i) < 0;
  });
  EXPECT_EQ(touching, 3);
}

TEST(Rest, ABoxOnCurvedContacts) {
  FrictionalContact<NonlinearCompliance<double>, LuGre<double, 3>> contact;
  contact.tangential.F_c = 0.4;
  contact.tangential.F_s = 0.5;
  World world;
  add_box(world, contact, 0.2, false);
  EXPECT_LT(furthest_from_preload(world, world.start()), 1e-12);
}

TEST(Rest, AStackOfTwoMasses) {
  World world;
  const BodyId low = world.add("low", PointMass<double, 1>{1.0, -g}, {0.0, 0.0});
  const BodyId high = world.add("high", PointMass<double, 1>{3.0, -g}, {0.1, 0.0});
  world.add("floor", LinearCompliance<double>{}, Line<double>{}, low, ground);
  LinearCompliance<double> soft;
  soft.K = 2e4;
  world.add("between", soft, Line<double>{0.1}, high, low);
  std::vector<double> x = world.start();
  EXPECT_LT(furthest_from_preload(world, x), 1e-12);
  preload(world, x);
  EXPECT_NEAR(x[0], -4 * g / 1e5, 1e-15);
  EXPECT_NEAR(x[1], 0.1 - 4 * g / 1e5 - 3 * g / 2e4, 1e-15);
}

TEST(Rest, ALoadedArm) {
  World world;
  const double m = 0.3, l = 0.4;
  const BodyId arm = world.add_arm("arm", {{m, l}, {m, l}}, {{0.3, 0.0}, {0.5, 0.0}}, {0, -g});
  Multistate<double, 3> law;
  law.kappa = {5e3, 3e3, 2e3};
  law.sigma = {5, 3, 2};
  law.lambda = {0.2, 0.3, 0.5};
  law.F_s = law.F_c = 4;
  world.add("shoulder", law, Line<double>{}, World::joint(arm, 1), ground);
  world.add("elbow", SingleState<double>{{1.0}, 5e3, 1e-3}, Line<double>{}, World::joint(arm, 2), ground);
  std::vector<double> x = world.start();
  preload(world, x);
  const double torque2 = m * g * l / 2 * std::cos(0.8), torque1 = m * g * l * (1.5 * std::cos(0.3) + std::cos(0.8) / 2);
  // Friction resists the fall: it is deflected against it.
  EXPECT_NEAR(x.back() * 5e3, -torque2, 1e-12);
  double carried = 0;
  for (int i = 0; i < 3; ++i) carried += law.kappa[std::size_t(i)] * x[4 + std::size_t(i)];
  EXPECT_NEAR(carried, -torque1, 1e-12);
  EXPECT_LT(furthest_from_preload(world, world.start()), 1e-12);
}

TEST(Rest, AGraspBetweenGivenPads) {
  // Two pads press a mass from both sides by 12 N each; friction carries its weight.
  World world;
  PointMass<double, 2> mass{0.045, {{0, -g}}};
  const BodyId body = world.add("capsule", mass);
  const double depth = 12 / 1e5;
  FrictionalContact<LinearCompliance<double>, SingleState<double, 2>> contact;
  contact.tangential.F = 0.7;
  for (const double side : {-1.0, 1.0}) {
    const BodyId pad = world.add_given<2>("pad", [=](double) { return Port<double, 2>{{{side * (0.01 - depth), 0}}, {}}; });
    PointPlane<double, 2> plane;
    plane.normal = {{-side, 0}};
    plane.offset = 0.01;
    world.add("contact", contact, plane, body, pad);
  }
  std::vector<double> x = world.start();
  EXPECT_LT(furthest_from_preload(world, x, 1e-5), 1e-12);
}

template <class WorldT>
std::pair<std::vector<double>, std::string> stacked(WorldT&& world) {
  const BodyId low = world.add("low", PointMass<double, 1>{1.0, -g}, {0.0, 0.0});
  world.add("floor", LinearCompliance<double>{}, Line<double>{}, low, ground);
  std::vector<double> x = world.start();
  std::string text = check(world, x, {.step = 1e-3}).at(0).text;
  preload(world, x);
  return {x, text};
}
TEST(Rest, TheSameInTheCompileTimeSystem) {
  const auto run_time = stacked(World());
  EXPECT_EQ(run_time, stacked(System<Bodies<PointMass<double, 1>>, ElementsOf<Element<LinearCompliance<double>, Line<double>>>>()));
  EXPECT_NEAR(run_time.first[0], -g / 1e5, 1e-18);
}

TEST(Slide, WhatMovesAlreadyIsAtItsLimit) {
  World world;
  world.add("floor", SingleState<double>{{0.5}, 1e5, 1e-3}, Line<double>{}, world.add("block", PointMass<double, 1>{}, {0.0, -1.0}),
            ground);
  std::vector<double> x = world.start();
  preload(world, x);
  EXPECT_DOUBLE_EQ(x[2], -0.5 / 1e5);
  EXPECT_EQ(x[1], -1.0);
}

}  // namespace
}  // namespace asperity
