// Preload: what can stand still does, from the first step on.
#include "asperity/setup/preload.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/laws.hpp"
#include "asperity/setup/checks.hpp"
#include "asperity/system/hinge.hpp"

namespace asperity::preload_test {
namespace {

constexpr double g = 9.8, pi = 3.14159265358979323846;

std::vector<double> run_from(const World& world, std::vector<double> x, double duration, double h, double* furthest = nullptr) {
  const std::vector<double> start = x;
  Workspace work(world);
  RungeKutta integrator(Method::rk4, x.size());
  const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { work.rate(t, y, tau, dy); };
  const long steps = std::lround(duration / h);
  for (long k = 0; k < steps; ++k) {
    integrator.step(rate, double(k) * h, h, x);
    work.between_steps(double(k + 1) * h, x);
    if (furthest)
      for (std::size_t i = 0; i < x.size(); ++i) *furthest = std::max(*furthest, std::abs(x[i] - start[i]));
  }
  return x;
}

double furthest_from_preload(const World& world, std::vector<double> x, double h = 1e-4) {
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
  world.add("floor", SingleState<double>{0.3, 1e5, 2e-3}, Line<double>{}, block, ground, g * std::cos(theta));
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
  world.add("floor", SingleState<double>{1.0, 5e5, 2e-3}, Line<double>{}, block, ground);
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
  Workspace work(world);
  world.pools().each_element_pool([&](const auto& pool) {
    for (std::size_t i = 0; i < pool.count(); ++i) touching += pool.gap(work.instant(0, x), i) < 0;
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
  world.add("elbow", SingleState<double>{1.0, 5e3, 1e-3}, Line<double>{}, World::joint(arm, 2), ground);
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

TEST(Slide, WhatMovesAlreadyIsAtItsLimit) {
  World world;
  world.add("floor", SingleState<double>{0.5, 1e5, 1e-3}, Line<double>{}, world.add("block", PointMass<double, 1>{}, {0.0, -1.0}),
            ground);
  std::vector<double> x = world.start();
  preload(world, x);
  EXPECT_DOUBLE_EQ(x[2], -0.5 / 1e5);
  EXPECT_EQ(x[1], -1.0);
}

// --- statics by hand: a box on a slope, whatever it does
// ------------------------------------------------------------------------

/// The first accelerations, in the place of velocities.
std::vector<double> first_rates(const World& world, const std::vector<double>& x) {
  std::vector<double> xdot(x.size());
  Workspace(world).rate(0, x, 0, xdot);
  return xdot;
}

struct Slope {
  double theta, mu, v = 0, gravity = 9.81, K = 1e5, mass = 1, push = 0;
  double a = 0.2, b = 0.2, c = 0.05;  // sides
  double turned = 0;                  // about the normal
};
struct OnSlope {
  World world;
  std::vector<double> x, rates;
  std::vector<double> N;
  std::vector<VecN<double, 3>> at;  // corners, from the centre
  Preload found;

  explicit OnSlope(const Slope& s) {
    auto body = RigidBody<double>::of(s.mass, inertia::box(s.mass, s.a, s.b, s.c));
    body.gravity = {{s.gravity * std::sin(s.theta), 0, -s.gravity * std::cos(s.theta)}};
    Frame<double> frame;
    frame.p = {{0, 0, s.c / 2}};
    frame.q = {std::cos(s.turned / 2), {{0, 0, std::sin(s.turned / 2)}}};
    frame.v = {{s.v, 0, 0}};
    const BodyId box = world.add("box", body, frame);
    Contact3 contact;
    contact.normal.K = contact.tangential.K = s.K;
    contact.tangential.F = s.mu;
    int corner = 0;
    for (const auto& ball : box_on(BallPlane<double>{}, s.a, s.b, s.c))
      world.add("floor." + std::to_string(++corner), contact, ball, box, ground);
    if (s.push != 0) world.push(box, 0, [=](double) { return s.push; });
    x = world.start();
    found = preload(world, x);
    rates = first_rates(world, x);
    for (const auto& ball : box_on(BallPlane<double>{}, s.a, s.b, s.c))
      at.push_back(rotate({x[3], {{x[4], x[5], x[6]}}}, ball.centre));
    Workspace work(world);
    world.pools().each_element_pool([&](const auto& pool) {
      for (std::size_t i = 0; i < pool.count(); ++i) N.push_back(pool.resting_force(work.instant(0, x), i));
    });
  }
};

/// Weight across the slope W, pull along it P. It is held if |P| <= mu W, else it slides; friction F acts c/2 below the centre, so
/// that the resultant of the normal forces stands F c/(2 W) ahead of it, between the corners: sum N x = F c/2.
void expect_by_hand(const Slope& s) {
  SCOPED_TRACE(::testing::Message() << "theta " << s.theta * 180 / pi << " mu " << s.mu << " v " << s.v << " g " << s.gravity
                                    << " K " << s.K << " m " << s.mass << " push " << s.push << " sides " << s.a << " " << s.b
                                    << " " << s.c << " turned " << s.turned);
  const double W = s.mass * s.gravity * std::cos(s.theta), P = s.mass * s.gravity * std::sin(s.theta) + s.push;
  const bool held = s.v == 0 && std::abs(P) <= s.mu * W;
  const double F = held ? P : std::copysign(s.mu * W, s.v != 0 ? s.v : P);
  const OnSlope box(s);
  double sum = 0, ahead = 0, aside = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_GE(box.N[i], 0);
    sum += box.N[i];
    ahead += box.N[i] * box.at[i][0];
    aside += box.N[i] * box.at[i][1];
  }
  const double depth = W / (4 * s.K);
  const double grain = 1e-15 * s.K * s.c;  // a position is known to so many digits
  EXPECT_NEAR(sum, W, 1e-9 * W + grain);
  // The arms of the forces are those of the tilted box.
  EXPECT_NEAR(ahead, F * s.c / 2, 4 * depth * W * s.c / s.a + (1e-9 * W + grain) * s.a);
  EXPECT_NEAR(aside, 0, (1e-9 * W + grain) * s.b);
  EXPECT_NEAR(box.x[2], s.c / 2 - depth, 4 * depth * depth / s.a * (s.c / s.a + 1) + 1e-12 * s.c);
  EXPECT_NEAR(box.x[0], 0, 4 * depth * depth / s.a);
  EXPECT_NEAR(box.x[1], 0, 1e-9 * depth);
  const double scale = s.gravity + std::abs(P) / s.mass;
  EXPECT_NEAR(box.rates[7], held ? 0 : (P - F) / s.mass, 1e-8 * scale);
  EXPECT_NEAR(box.rates[8], 0, 1e-8 * scale);
  EXPECT_NEAR(box.rates[9], 0, 1e-8 * scale);
  for (int k = 10; k < 13; ++k) EXPECT_NEAR(box.rates[std::size_t(k)], 0, 1e-6 * scale / std::min({s.a, s.b, s.c}));
  EXPECT_EQ(box.found.notes.size(), held ? 0 : 1);
  if (!held && !box.found.notes.empty()) {
    EXPECT_EQ(box.found.notes[0].component, "box");
    EXPECT_EQ(box.found.notes[0].kind, Warning::Kind::start);
    EXPECT_NEAR(box.found.notes[0].value, std::abs(P - F) / s.mass, 1e-6 * scale);
  }
}
constexpr double degree = pi / 180;

TEST(BoxOnASlope, FromLevelToFarBeyondTheFrictionAngle) {
  for (const double slope : {0.0, 5.0, 17.0, 20.0, 25.0, 26.5, 26.56, 26.57, 27.0, 35.0, 50.0, 65.0})
    expect_by_hand({.theta = slope * degree, .mu = 0.5});
  for (const double mu : {0.0, 0.01, 0.2, 0.8, 1.5, 3.0})
    for (const double slope : {0.0, 10.0, 20.0, 40.0, 60.0}) expect_by_hand({.theta = slope * degree, .mu = mu});
}
TEST(BoxOnASlope, TheFourthDigitOfGravityCountsAsTheFourthDigit) {
  for (const double gravity : {9.8, 9.806, 9.8065, 9.8066, 9.80665, 9.81, 1.62, 1e-3, 1e3})
    for (const double slope : {17.0, 20.0, 30.0}) expect_by_hand({.theta = slope * degree, .mu = 0.5, .gravity = gravity});
}
TEST(BoxOnASlope, WithASpeedOfItsOwn) {
  for (const double v : {1e-3, 0.1, 1.0, 10.0, -0.1, -1.0})
    for (const double slope : {0.0, 10.0, 20.0, 35.0}) expect_by_hand({.theta = slope * degree, .mu = 0.5, .v = v});
}
TEST(BoxOnASlope, StiffOrSoftHeavyOrLight) {
  for (const double K : {1e3, 1e4, 1e6, 1e8, 1e10})
    for (const double slope : {0.0, 20.0, 30.0}) expect_by_hand({.theta = slope * degree, .mu = 0.5, .K = K});
  for (const double mass : {1e-6, 1e-3, 1e3, 1e6}) expect_by_hand({.theta = 0.35, .mu = 0.5, .K = 1e5 * mass, .mass = mass});
}
TEST(BoxOnASlope, PushedItStaysSymmetric) {
  for (const double push : {1e-6, 0.5, 2.0, -3.0, 4.9, 5.0, 12.0, -12.0}) {
    expect_by_hand({.theta = 0, .mu = 0.5, .push = push});
    const OnSlope box({.theta = 0, .mu = 0.5, .push = push});
    for (const std::size_t i : {0u, 1u}) EXPECT_NEAR(box.N[i], box.N[i + 2], 1e-10);
  }
}
TEST(BoxOnASlope, FlatOrHighAndTurnedAnyhow) {
  for (const double c : {0.002, 0.1, 0.19, 0.39})
    for (const double slope : {0.0, 20.0, 26.0, 40.0}) expect_by_hand({.theta = slope * degree, .mu = 0.5, .c = c});
  for (const double turned : {0.3, pi / 4, 1.2, pi / 2})
    for (const double slope : {0.0, 17.0, 20.0, 35.0}) expect_by_hand({.theta = slope * degree, .mu = 0.5, .turned = turned});
}
TEST(BoxOnASlope, OneThatTipsStartsOnItsEdge) {
  // About the edge: (I + m (a^2 + c^2)/4) alpha = m g (c sin - a cos)/2; the centre rises by alpha a/2, and N with it.
  for (const double slope : {30.0, 35.0, 45.0}) {
    const Slope s{.theta = slope * degree, .mu = 2, .c = 0.4};
    const OnSlope box(s);
    const double S = s.gravity * std::sin(s.theta), C = s.gravity * std::cos(s.theta);
    const double I = (s.a * s.a + s.c * s.c) / 12 + (s.a * s.a + s.c * s.c) / 4, alpha = (S * s.c - C * s.a) / 2 / I;
    double front = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const bool leads = box.at[i][0] > 0 && box.at[i][2] < 0;
      if (leads) front += box.N[i];
      else EXPECT_NEAR(box.N[i], 0, 1e-7);
    }
    EXPECT_NEAR(front, C + alpha * s.a / 2, 1e-2);
    EXPECT_NEAR(box.rates[11], alpha, 1e-2 * alpha);
    EXPECT_NEAR(box.rates[7], alpha * s.c / 2, 1e-2 * alpha);
    ASSERT_EQ(box.found.notes.size(), 1);
    EXPECT_EQ(box.found.notes[0].component, "box");
  }
}

TEST(Rest, BallsAndCapsulesOnSlopes) {
  for (const double slope : {0.0, 0.1, 0.5, 1.0, 1.3})
    for (const double mu : {0.1, 0.5})
      for (const int ends : {1, 2}) {  // a ball; a capsule across the slope
        World world;
        const double r = 0.1, S = g * std::sin(slope), C = g * std::cos(slope);
        auto body = RigidBody<double>::of(1.0, ends == 1 ? inertia::sphere(1.0, r) : inertia::capsule(1.0, r, 0.3));
        body.gravity = {{S, 0, -C}};
        Frame<double> at;
        at.p = {{0, 0, r}};
        at.q = {std::cos(pi / 4), {{std::sin(pi / 4), 0, 0}}};
        const BodyId id = world.add("roller", body, at);
        Contact3 contact;
        contact.tangential.F = mu;
        if (ends == 1) {
          BallPlane<double, true> plane;
          plane.radius = r;
          world.add("floor", contact, plane, id, ground);
        } else {
          for (const auto& end : capsule_on(BallPlane<double>{}, r, 0.3)) world.add("floor", contact, end, id, ground);
        }
        std::vector<double> x = world.start();
        preload(world, x);
        // It rolls with g sin/(1 + k), k = I/(m r^2), as long as that needs less friction than mu N.
        const double k = ends == 1 ? 0.4 : inertia::capsule(1.0, r, 0.3)[2] / (r * r);
        const double a = S * k / (1 + k) <= mu * C ? S / (1 + k) : S - mu * C;
        const std::vector<double> rates = first_rates(world, x);
        EXPECT_NEAR(r - x[2], C / ends / 1e5, 1e-14);
        EXPECT_NEAR(rates[7], a, 1e-8) << slope << " " << mu << " " << ends;
        EXPECT_NEAR(rates[9], 0, 1e-8);
        EXPECT_NEAR(rates[11], (S - a) / (k * r), 1e-6);
      }
}
TEST(Rest, ABallThatRollsDoesNotSlip) {
  // v = w r only up to rounding: 0.3 is not 3 times 0.1.
  World world;
  auto body = RigidBody<double>::of(1.0, inertia::sphere(1.0, 0.1));
  body.gravity = {{0, 0, -g}};
  Frame<double> at;
  at.p = {{0, 0, 0.1}};
  at.v = {{0.3, 0, 0}};
  at.w = {{0, 3, 0}};
  BallPlane<double, true> plane;
  plane.radius = 0.1;
  world.add("floor", Contact3{}, plane, world.add("ball", body, at), ground);
  std::vector<double> x = world.start();
  EXPECT_TRUE(preload(world, x).notes.empty());
  EXPECT_NEAR(first_rates(world, x)[7], 0, 1e-9);
}

TEST(Rest, AStackWhateverTheMasses) {
  for (const double ratio : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    World world;
    const double K = 1e9;
    LinearCompliance<double> contact;
    contact.K = K;
    const BodyId low = world.add("low", PointMass<double, 1>{1.0, -9.81}, {0.0, 0.0});
    const BodyId high = world.add("high", PointMass<double, 1>{ratio, -9.81}, {0.1, 0.0});
    world.add("floor", contact, Line<double>{}, low, ground);
    world.add("between", contact, Line<double>{0.1}, high, low);
    std::vector<double> x = world.start();
    EXPECT_TRUE(preload(world, x).notes.empty());
    EXPECT_NEAR(x[0], -9.81 * (1 + ratio) / K, 1e-12 * (1 + ratio) * 9.81 / K + 1e-16) << ratio;  // 9.81 mm under 1e6 kg
    EXPECT_NEAR(x[1] - x[0], 0.1 - 9.81 * ratio / K, 1e-12 * ratio * 9.81 / K + 1e-16) << ratio;
  }
}
TEST(Rest, ATowerOfManyMasses) {
  for (const auto& [n, alternating] : {std::pair{40, false}, {40, true}, {400, false}}) {
    World world;
    BodyId below = ground;
    LinearCompliance<double> contact;
    contact.K = 1e9;
    std::vector<double> mass;
    for (int k = 0; k < n; ++k) {
      mass.push_back(alternating && k % 2 ? 1e4 : 1.0);
      const BodyId body = world.add("body", PointMass<double, 1>{mass.back(), -g}, {0.1 * k, 0.0});
      world.add("contact", contact, Line<double>{k == 0 ? 0.0 : 0.1}, body, below);
      below = body;
    }
    std::vector<double> x = world.start();
    EXPECT_LE(preload(world, x).rounds, 40);
    double z = 0;
    for (int k = 0; k < n; ++k) {
      double above = 0;
      for (int j = k; j < n; ++j) above += mass[std::size_t(j)];
      z -= above * g / contact.K;
      EXPECT_NEAR(x[std::size_t(k)], 0.1 * k + z, 1e-9 * std::abs(z)) << k;
    }
  }
}
TEST(Rest, ManyBoxesAtOnce) {
  World world;
  for (int k = 0; k < 40; ++k) add_box(world, Contact3{}, 0.02 * k, true);
  std::vector<double> x = world.start();
  const Preload found = preload(world, x);
  EXPECT_LE(found.rounds, 40);
  // Up to the friction angle of mu = 0.5 they rest.
  EXPECT_EQ(found.notes.size(), std::size_t(40 - std::floor(std::atan(0.5) / 0.02) - 1));
}

TEST(Rest, ASpringBesideTheContact) {
  // Both give way together, whichever is stiffer: x = -m g/(K + K_s); a slope holds the rest.
  for (const double stiff : {1e2, 1e5, 1e9}) {
    World world;
    const BodyId mass = world.add("mass", PointMass<double, 1>{1.0, -g});
    world.add("floor", LinearCompliance<double>{}, Line<double>{}, mass, ground);
    world.add("spring", Spring<double>{stiff}, Line<double>{}, mass, ground);
    std::vector<double> x = world.start();
    preload(world, x);
    EXPECT_NEAR(x[0], -g / (1e5 + stiff), 1e-12 * g / (1e5 + stiff)) << stiff;
  }
}
TEST(Rest, AStretchedSpringIsALoadThatFrictionHolds) {
  for (const double stretch : {0.0009, 0.0011, -0.0009, 0.1}) {
    World world;
    const BodyId block = world.add("block", PointMass<double, 1>{1.0}, {stretch, 0.0});
    world.add("floor", SingleState<double>{1.0, 1e5, 1e-3}, Line<double>{}, block, ground);
    world.add("spring", Spring<double>{1e3}, Line<double>{}, block, ground);
    std::vector<double> x = world.start();
    const Preload found = preload(world, x);
    EXPECT_EQ(x[0], stretch);
    const double pull = -1e3 * stretch, held = std::clamp(pull, -1.0, 1.0);
    EXPECT_NEAR(x[2] * 1e5, held, 1e-9);
    EXPECT_EQ(found.notes.size(), std::abs(pull) > 1);
  }
}

TEST(Rest, OnAPlateThatStartsToMove) {
  // It is held relative to the plate, whose accelerations at time 0 are 2 m/s^2 up and 3 m/s^2 aside: N = m (g + 2), f = m 3.
  World world;
  const BodyId plate = world.add_given<2>("plate", [](double t) {
    return Port<double, 2>{{{1.5 * t * t, t * t}}, {{3 * t, 2 * t}}};
  });
  FrictionalContact<LinearCompliance<double>, SingleState<double, 2>> contact;
  contact.tangential.K = 1e5;
  world.add("floor", contact, PointPlane<double, 2>{}, world.add("block", PointMass<double, 2>{1.0, {{0, -g}}}), plate);
  std::vector<double> x = world.start();
  EXPECT_TRUE(preload(world, x).notes.empty());
  EXPECT_NEAR(x[1], -(g + 2) / 1e5, 1e-12);
  const std::vector<double> rates = first_rates(world, x);
  EXPECT_NEAR(rates[2], 3, 1e-7);
  EXPECT_NEAR(rates[3], 2, 1e-7);
}

TEST(Rest, ARodOnAHinge) {
  // Level, its weight half a length from the anchor: the anchor sinks by m g/K, and friction holds m g l/2, or what it can.
  for (const double F : {0.1, 5.0}) {
    World world;
    const double l = 0.4;
    auto body = RigidBody<double>::of(1.0, inertia::box(1.0, l, 0.02, 0.02));
    body.gravity = {{0, 0, -g}};
    Frame<double> at;
    at.p = {{l / 2, 0, 0}};
    Hinge<SingleState<double>> hinge;
    hinge.law.F = F;
    hinge.law.K = 1e4;
    hinge.anchor_a = {{-l / 2, 0, 0}};
    hinge.axis_a = hinge.axis_b = {{0, 1, 0}};
    world.add("hinge", hinge, world.add("rod", body, at), ground);
    std::vector<double> x = world.start();
    const Preload found = preload(world, x);
    const double torque = g * l / 2;
    const double I = body.inertia[1] + l * l / 4, alpha = std::max(0.0, torque - F) / I;
    const std::vector<double> rates = first_rates(world, x);
    EXPECT_NEAR(rates[9], -alpha * l / 2, 1e-3 * alpha + 1e-8);
    EXPECT_NEAR(rates[11], alpha, 1e-3 * alpha + 1e-7);
    EXPECT_NEAR(x[13] * 1e4, std::min(torque, F), 1e-3 * torque);
    EXPECT_EQ(found.notes.size(), alpha > 0);
  }
}

template <class Normal, class Friction>
void expect_held(const Normal& normal, const Friction& friction, double slope) {
  World world;
  FrictionalContact<Normal, Friction> contact{normal, friction};
  PointPlane<double, 2> plane;
  plane.normal = {{std::sin(slope), std::cos(slope)}};
  world.add("floor", contact, plane, world.add("block", PointMass<double, 2>{1.0, {{0, -g}}}), ground);
  std::vector<double> x = world.start();
  EXPECT_TRUE(preload(world, x).notes.empty());
  const std::vector<double> rates = first_rates(world, x);
  EXPECT_NEAR(rates[2], 0, 1e-9) << Normal::about.name << " " << Friction::about.name;
  EXPECT_NEAR(rates[3], 0, 1e-9) << Normal::about.name << " " << Friction::about.name;
  EXPECT_NEAR(x[0] * std::cos(slope) - x[1] * std::sin(slope), 0, 1e-15);
}
template <class Normal>
void expect_held_by_all(const Normal& normal) {
  for (const double slope : {0.0, 0.2, 0.35}) {
    expect_held(normal, SingleState<double, 2>{0.5, 1e5, 1e-3}, slope);
    expect_held(normal, SingleState<double, 2, Stribeck>{{0.3, 0.5}, 1e5, 1e-3}, slope);
    expect_held(normal, Dahl<double, 2>{{0.5}, 1e5}, slope);
    LuGre<double, 2> lugre;
    lugre.F_c = 0.4, lugre.F_s = 0.5;
    expect_held(normal, lugre, slope);
    Multistate<double, 3, 2> many;
    many.kappa = {5e4, 3e4, 2e4}, many.sigma = {50, 30, 20}, many.lambda = {0.2, 0.3, 0.5};
    many.F_c = 0.4, many.F_s = 0.5;
    expect_held(normal, many, slope);
  }
}
TEST(Rest, EveryContactLawWithEveryFrictionLaw) {
  expect_held_by_all(LinearCompliance<double>{});
  expect_held_by_all(NonlinearCompliance<double>{});
  expect_held_by_all(KelvinVoigt<double, true>{});
  expect_held_by_all(Hertz<double>{});
}

TEST(Slide, FrictionAtTheLimitOfItsSpeed) {
  World world;
  SingleState<double, 1, Stribeck> law{{0.5, 1.5, 0.1, 2.0}, 1e5, 1e-3};
  world.add("floor", law, Line<double>{}, world.add("block", PointMass<double, 1>{}, {0.0, 0.1}), ground);
  std::vector<double> x = world.start();
  preload(world, x);
  EXPECT_NEAR(x[2], (0.5 + std::exp(-1.0)) / 1e5, 1e-18);
  EXPECT_NEAR(first_rates(world, x)[1], -(0.5 + std::exp(-1.0)), 1e-12);
}
TEST(Slide, OneThatStrikesIsLeftAsItIs) {
  for (const double v : {-1.0, 1.0}) {
    World world;
    world.add("floor", LinearCompliance<double>{}, Line<double>{}, world.add("ball", PointMass<double, 1>{1.0, -g}, {0.0, v}),
              ground);
    std::vector<double> x = world.start();
    const std::vector<double> before = x;
    const Preload found = preload(world, x);
    EXPECT_EQ(x, before);
    ASSERT_EQ(found.notes.size(), 1);
    EXPECT_EQ(found.notes[0].text,
              v < 0 ? "floor: closes at 1 m/s at the start: not preloaded" : "floor: opens at 1 m/s at the start: not preloaded");
  }
}

TEST(Refused, ABodyThatWouldHaveToGoFar) {
  World world;
  Frame<double> at;
  at.p = {{0, 0, 0}};  // half sunk
  auto body = RigidBody<double>::of(1.0, inertia::box(1.0, 0.2, 0.2, 0.05));
  body.gravity = {{0, 0, -g}};
  const BodyId box = world.add("box", body, at);
  for (const auto& ball : box_on(BallPlane<double>{}, 0.2, 0.2, 0.05)) world.add("floor", Contact3{}, ball, box, ground);
  std::vector<double> x = world.start();
  try {
    preload(world, x);
    FAIL();
  } catch (const SetUpError& error) {
    EXPECT_EQ(error.warnings.at(0).component, "box");
    EXPECT_NEAR(error.warnings.at(0).value, 0.025, 1e-4);
    EXPECT_NEAR(error.warnings.at(0).limit, 10 * g / 4 / 1e5, 1e-8);
    EXPECT_STREQ(error.what(),
                 "box: preload would move it by 0.025 m, but its supports deform by 2.45e-05 m only: must be <= 0.000245 m; "
                 "start it where its contacts just touch");
  }
}
TEST(Refused, LoadsThatAreNoNumbers) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    World world;
    const BodyId mass = world.add("mass", PointMass<double, 1>{1.0, -g});
    world.add("floor", LinearCompliance<double>{}, Line<double>{}, mass, ground);
    world.push(mass, 0, [=](double) { return bad; });
    std::vector<double> x = world.start();
    EXPECT_THROW(preload(world, x), SetUpError);
  }
}

}  // namespace
}  // namespace asperity::preload_test
