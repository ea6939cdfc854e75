// Rigid bodies, contacts and hinges in space: invariants, closed forms, and the simulations of the papers.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/hinge.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"
#include "system/run.hpp"

namespace asperity::rigid_test {
namespace {

using std::numbers::pi;
using testing::run;
using Vector = VecN<double, 3>;
using FrictionalBall = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

// A body free of forces keeps its angular momentum and its energy, however it tumbles; the rotation stays of length 1.
TEST(RigidBody, TumblesFreely) {
  World world;
  Frame<double> start;
  start.w = {{.1, 5, .2}};  // about the middle axis, which is unstable
  const auto body = RigidBody<double>::of(2.0, {1, 2, 3, .1, -.2, .3});
  world.add("body", body, start);
  auto x = world.start();
  const auto state = [&](const std::vector<double>& y) { return load<Frame<double>>(y.data(), {0, 1}, 0); };
  const Vector spin = body.spin(state(x));
  const double energy = world.kinetic(x);
  x = run(world, Method::rk4, 10, 1e-3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(body.spin(state(x))[i], spin[i], 1e-7);
  EXPECT_NEAR(world.kinetic(x), energy, 1e-7);
  const auto q = state(x).q;
  EXPECT_NEAR(q.w * q.w + dot(q.u, q.u), 1, 1e-15);
}

TEST(RigidBody, InertiaOfUniformBodies) {
  // Of a capsule: by slices along its axis.
  const double m = 1.3, r = .3, L = .7;
  double volume = 0, along = 0, across = 0;
  const int n = 200000;
  for (int k = 0; k < n; ++k) {
    const double z = -(L / 2 + r) + (k + .5) * (L + 2 * r) / n, over = std::max(0., std::abs(z) - L / 2);
    const double a2 = r * r - over * over;
    volume += a2;
    along += a2 * a2 / 2;
    across += a2 * (a2 / 4 + z * z);
  }
  const auto i = inertia::capsule(m, r, L);
  EXPECT_NEAR(i[2], m * along / volume, 1e-9);
  EXPECT_NEAR(i[0], m * across / volume, 1e-9);
  EXPECT_NEAR(inertia::capsule(m, r, 0)[2], inertia::sphere(m, r)[2], 1e-15);  // without a tube it is a sphere
  EXPECT_NEAR(inertia::capsule(m, r, 0)[0], inertia::sphere(m, r)[0], 1e-15);
  const auto box = inertia::box(12, 1, 2, 3), cylinder = inertia::cylinder(12, 1, 2);
  EXPECT_NEAR(box[0], 4 + 9, 1e-12);
  EXPECT_NEAR(box[1], 1 + 9, 1e-12);
  EXPECT_NEAR(box[2], 1 + 4, 1e-12);
  EXPECT_NEAR(cylinder[0], 3 + 4, 1e-12);
  EXPECT_NEAR(cylinder[1], 3 + 4, 1e-12);
  EXPECT_NEAR(cylinder[2], 6, 1e-12);
}

// A capsule has two points on a plane: lying it carries half of its weight on each, standing all of it on the lower one. So a
// lying one that is pushed down at its one end tips only when the push is beyond what the other end carries.
TEST(Capsule, LiesOnItsTwoEnds) {
  const double radius = .1, length = .6, mass = 2, g = 9.8, K = 1e5;
  FrictionalContact<LinearCompliance<double>, SingleState<double, 3>> law;
  law.normal = {K, 2e-3, 4e-3};
  World world;
  world.set_gravity({0, 0, -g});
  Frame<double> start;
  start.p[2] = radius - mass * g / 2 / K;
  start.q = {std::sqrt(.5), {{0, std::sqrt(.5), 0}}};  // its axis along x
  const auto capsule = world.add("capsule", RigidBody<double>::of(mass, inertia::capsule(mass, radius, length)), start);
  for (const auto& end : capsule_on(BallPlane<double>{}, radius, length)) world.add("floor", law, end, capsule, ground);
  const double push = .4 * mass * g * length / 2;  // a moment that shifts .4 of the weight from one end to the other
  world.push(capsule, 4, [=](double t) { return push * std::min(1.0, t); });
  const auto x = run(world, Method::rk4, 2, 1e-4);
  // Ends at +-length/2 along x carry (1 -+ .4) of half the weight; positive about y goes down at +x.
  const double low = mass * g / 2 * 1.4 / K, high = mass * g / 2 * .6 / K;
  EXPECT_NEAR(x[2], radius - (low + high) / 2, 1e-9);
  const double tilt = std::asin(-rotate(Quaternion<double>{x[3], {{x[4], x[5], x[6]}}}, VecN<double, 3>{{0, 0, 1}})[2]);
  EXPECT_NEAR(std::abs(tilt), std::asin((low - high) / length), 1e-9);
  EXPECT_NEAR(x[9], 0, 1e-9);
}

// Two balls that collide with friction between them, nothing else: linear and angular momentum stay.
TEST(Momentum, OfAnIsolatedPairStays) {
  World world;
  const auto ball = RigidBody<double>::of(1.0, inertia::sphere(1, .5)), other = RigidBody<double>::of(3.0, inertia::sphere(3, .4));
  Frame<double> a, b;
  a.p = {{-1, .3, 0}};
  a.v = {{2, 0, .1}};
  a.w = {{0, 10, 5}};
  b.p = {{.2, 0, .1}};
  const auto first = world.add("a", ball, a), second = world.add("b", other, b);
  FrictionalBall law;
  world.add("contact", law, BallBall<double>{.5, .4}, first, second);
  const auto momenta = [&](const std::vector<double>& x) {
    const auto u = load<Frame<double>>(x.data(), {0, 2}, 0), v = load<Frame<double>>(x.data(), {0, 2}, 1);
    return std::pair{1.0 * u.v + 3.0 * v.v, cross(u.p, u.v) + 3.0 * cross(v.p, v.v) + ball.spin(u) + other.spin(v)};
  };
  const auto before = momenta(world.start());
  bool touched = false;
  const auto x = run(world, Method::rk4, 1, 1e-4, [&](double, const std::vector<double>& y) { touched = touched || y[26] != 0; });
  const auto after = momenta(x);
  EXPECT_TRUE(touched);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(after.first[i], before.first[i], 1e-12);
    EXPECT_NEAR(after.second[i], before.second[i], 1e-10);
  }
  const auto moved = load<Frame<double>>(x.data(), {0, 2}, 1);
  EXPECT_GT(moved.v[0], .1);  // it was hit
}

// xiong2013 Example II: two blocks, a wall, a conveyor; state at 0.14 s, first contact of the blocks at 0.142857 s, forces at the
// end.
TEST(Xiong2013ExampleII, TwoBlocksWallConveyor) {
  World world;
  testing::conveyor(world);

  double touch = 0;
  const double h = 2e-5;
  run(world, Method::rk4, .4, h, [&](double t, const std::vector<double>& x) {
    const auto a = load<Port<double, 2>>(x.data(), {0, 2}, 0), b = load<Port<double, 2>>(x.data(), {0, 2}, 1);
    if (std::abs(t - .14) < h / 2) {
      EXPECT_NEAR(a.p[0], 0, 1e-6);
      EXPECT_NEAR(a.p[1], -.099447, 1e-6);
      EXPECT_NEAR(b.p[0], .001990, 1e-6);
      EXPECT_NEAR(b.p[1], -2.0e-5, 1e-6);
      EXPECT_NEAR(a.v[1], -3.24378, 1e-5);
      EXPECT_NEAR(b.v[0], -.68601, 1e-5);
    }
    if (touch == 0 && b.p[0] < a.p[0]) touch = t;
  });
  EXPECT_NEAR(touch, .142857, 1e-4);

  // At the end all is at rest: the belt presses both blocks against the wall with mu m2 g = 4.9 N.
  const auto x = run(world, Method::rk4, 10, 1e-4);
  const auto a = load<Port<double, 2>>(x.data(), {0, 2}, 0);
  EXPECT_LE(std::abs(a.p[1]), .049);
  EXPECT_NEAR(a.p[0], -4.9 / 5e5, 5e-8);
}

// kikuuwe_yamamoto Simulation I: slides, rolls from 0.5831 s on, with 10/7 m/s.
TEST(KikuuweYamamotoSimulationI, RollingSphere) {
  const double M = .3, R = .2, v0 = 2;
  World world;
  auto ball = RigidBody<double>::of(M, inertia::sphere(M, R));
  ball.gravity[2] = -9.8;
  Frame<double> start;
  start.p[2] = 1.01 * R;
  start.v[0] = v0;
  const auto id = world.add("ball", ball, start);
  FrictionalContact<KelvinVoigtClamped<double>, SingleState<double, 3>> law;  // (23), with its clamp
  law.normal.K = law.tangential.K = 1e5;
  law.normal.B = 10;
  law.tangential.beta = 10 / law.tangential.K;
  law.tangential.F = .1;
  BallPlane<double, true> floor;
  floor.radius = R;
  world.add("floor", law, floor, id, ground);
  double stands = 0;
  const auto x = run(world, Method::rk4_lookahead, 1, 1e-4, [&](double t, const std::vector<double>& y) {
    if (stands == 0 && y[7] - R * y[11] < 0) stands = t;
  });
  EXPECT_NEAR(stands, .5831, 1e-4);  // to a step
  EXPECT_NEAR(x[7], 10. / 7, 1e-9);
}

// Simulation III: the arm of Simulation II as two rigid rods in space on stiff hinges: within 1e-3 rad of it for a stiffness of 1e4
// N/m, 1e-5 rad for 1e6 N/m.
TEST(KikuuweYamamotoSimulationIII, HingesComeToTheArm) {
  const double m = .3, l = .4, h = 1e-4;
  const auto rod = RigidBody<double>::of(m, inertia::diagonal(1e-4, m * l * l / 12 + 1e-4, m * l * l / 12));
  const auto torque = [](int k, double t) {
    return t < 4 ? std::min(.52, .3 * t) : .336 + .144 * (k == 1 ? std::sin(100 * t) : std::cos(100 * t));
  };
  SingleState<> friction;
  friction.F = .5;
  friction.K = 5000;
  friction.beta = 1 / friction.K;
  World arm_world;
  const auto arm = arm_world.add_arm("arm", {{m, l}, {m, l}}, {{0, 0}, {0, 0}});
  for (const int k : {1, 2}) {
    const auto joint = World::joint(arm, unsigned(k));
    arm_world.add("friction", friction, between(joint, ground));
    arm_world.push(joint, 0, [=](double t) { return torque(k, t); });
  }
  const auto angles = run(arm_world, Method::rk4_lookahead, 8, h);
  EXPECT_NEAR(angles[0], 1.0286, 5e-5);
  EXPECT_NEAR(angles[1], 2.3897, 5e-5);
  for (const auto& [stiffness, tolerance] : {std::array{1e4, 1e-3}, {1e6, 1e-5}}) {
    World world;
    Frame<double> first, second;
    first.p[0] = l / 2;
    second.p[0] = 1.5 * l;
    const auto a = world.add("rod1", rod, first), b = world.add("rod2", rod, second);
    Hinge<> hinge;
    hinge.law = friction;
    hinge.K = stiffness;
    hinge.B_pull = 2 * std::sqrt(stiffness * m / 2);  // a rod feels m/4 at its end: more than critical
    hinge.K_turn = stiffness * 1e-2;
    hinge.B_turn = .02;
    hinge.anchor_a = {{-l / 2, 0, 0}};
    world.add("shoulder", hinge, a, ground);
    hinge.anchor_b = {{l / 2, 0, 0}};
    world.add("elbow", hinge, b, a);
    world.push(a, 5, [&](double t) { return torque(1, t) - torque(2, t); });
    world.push(b, 5, [&](double t) { return torque(2, t); });
    const auto x = run(world, Method::rk4_lookahead, 8, h);
    const auto angle = [&](std::size_t i) {
      const auto q = load<Frame<double>>(x.data(), {0, 2}, i).q;
      return 2 * std::atan2(q.u[2], q.w);
    };
    EXPECT_NEAR(angle(0), angles[0], tolerance);
    EXPECT_NEAR(std::remainder(angle(1) - angle(0), 2 * pi), angles[1], tolerance);
  }
}

// The pinch: a 45 g capsule of 4 mm radius between two pads, 12 N of squeeze, mu 0.7. It does not creep: not in a minute, not
// shaken.
class Pinch {
 public:
  Pinch(double pull, double shake) {
    auto capsule = RigidBody<double>::of(.045, inertia::capsule(.045, radius, length));
    capsule.gravity[2] = -9.81;
    body_ = world.add("capsule", capsule);
    FrictionalBall law;
    law.normal.K = 2e4;
    law.normal.alpha = 1e-3;
    law.normal.beta = 2e-3;
    law.tangential.K = 2e4;
    law.tangential.beta = 1e-3;
    law.tangential.F = .7;
    const double indentation = 6 / law.normal.K;  // four contacts, two on each pad: 6 N each
    for (const double side : {-1.0, 1.0}) {
      const auto pad = world.add_given<3>(side < 0 ? "left" : "right", [=](double t) {
        const double w = 2 * pi * 5;
        return Port<double, 3>{{{0, 0, shake * std::sin(w * t)}}, {{0, 0, shake * w * std::cos(w * t)}}};
      });
      BallPlane<double> plane;
      plane.normal = {{side, 0, 0}};
      plane.offset = -radius + indentation;
      for (const auto& ball : capsule_on(plane, radius, length)) world.add(side < 0 ? "left" : "right", law, ball, body_, pad);
    }
    if (pull > 0) world.push(body_, 2, [=](double t) { return -pull * std::min(1.0, t / .5); });
  }
  static constexpr double radius = 4e-3, length = 16e-3;
  World world;

 private:
  BodyId body_;
};

TEST(Pinch, HoldsForAMinute) {
  for (const double shake : {0.0, 1e-3}) {
    Pinch pinch(0, shake);
    double early = 0, late = 0;
    run(pinch.world, Method::rk4, 60, 2e-4, [&](double t, const std::vector<double>& x) {
      const double height = x[2] - shake * std::sin(2 * pi * 5 * t);
      if (std::abs(t - 1) < 1e-6) early = height;
      if (std::abs(t - 60) < 1e-6) late = height;
    });
    EXPECT_NE(early, 0);
    EXPECT_NEAR(late, early, 1e-9) << "shaken by " << shake;
  }
}

// For a shorter time, with every method: those of first order, too, hold exactly what they hold.
class PinchWith : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, PinchWith, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);
TEST_P(PinchWith, Holds) {
  const double w = 2 * pi * 5;
  for (const double shake : {0.0, 1e-3}) {
    Pinch pinch(0, shake);
    const auto integrator = make_integrator(GetParam(), pinch.world, {.step = 2e-4, .rtol = 1e-9, .atol = 1e-14, .max_step = .02});
    integrator->start(0, pinch.world.start());
    const auto height = [&] { return integrator->state()[2] - shake * std::sin(w * integrator->time()); };
    integrator->advance(.5);
    const double early = height();
    integrator->advance(1.5);
    if (shake == 0) {
      EXPECT_LT(early, -1e-6) << "its weight has to bend the asperities";
    }
    EXPECT_NEAR(height(), early, 1e-9) << "shaken by " << shake;
  }
}
TEST(Pinch, SlidesBeyondTheCone) {
  // Four contacts of 6 N: they hold 0.7 * 24 N = 16.8 N, weight included.
  const double weight = .045 * 9.81;
  for (const double share : {.9, 1.1}) {
    Pinch pinch(share * 16.8 - weight, 0);
    const auto x = run(pinch.world, Method::rk4, 1, 2e-4);
    if (share < 1) {
      EXPECT_NEAR(x[2], -share * 16.8 / (4 * 2e4), 2e-6);  // held: four asperities of 2e4 N/m bend, nothing else
    } else {
      EXPECT_LT(x[2], -.05);
    }
  }
}

// A box on its eight corners, pushed at its centre by a share of its weight that rises to its end within 0.5 s.
class Box {
 public:
  static constexpr double mass = 2, width = .2, depth = .3, height = .4, g = 9.8, K = 1e5;
  Box(double mu, double share) {
    auto body = RigidBody<double>::of(mass, inertia::box(mass, width, depth, height));
    body.gravity[2] = -g;
    Frame<double> start;
    start.p[2] = height / 2;
    const auto box = world.add("box", body, start);
    FrictionalBall law;
    law.normal.K = law.tangential.K = K;
    law.tangential.F = mu;
    std::size_t corner = 0;
    for (const auto& plane : box_on({}, width, depth, height))
      world.add("corner" + std::to_string(++corner), law, plane, box, ground);
    world.push(box, 0, [=](double t) { return share * mass * g * std::min(1.0, t / .5); });
  }
  World world;
  Frame<double> after(double t) { return load<Frame<double>>(run(world, Method::rk4, t, 5e-4).data(), {0, 1}, 0); }
  static double tilt(const Frame<double>& at) { return std::acos(rotate(at.q, Vector{{0, 0, 1}})[2]); }
};

TEST(Box, RestsLevel) {
  const auto at = Box(.5, 0).after(1);
  EXPECT_NEAR(at.p[2], Box::height / 2 - Box::mass * Box::g / (4 * Box::K), 1e-9);  // on four corners
  EXPECT_NEAR(at.p[0], 0, 1e-12);
  EXPECT_NEAR(at.p[1], 0, 1e-12);
  EXPECT_LT(Box::tilt(at), 1e-7);  // acos of rounding
  EXPECT_LT(magnitude(at.w), 1e-9);
}
// Pushed at its centre it tips where P h/2 > m g b/2, and slides where P > mu m g: tipping comes first if mu > b/h = 0.5.
TEST(Box, TipsOverItsEdge) {
  const auto held = Box(.6, .48).after(1.5);
  EXPECT_LT(Box::tilt(held), 1e-3);  // it leans on two corners that give by N/K
  EXPECT_LT(held.p[0], 1e-3);
  // About the edge, which stays where it was: at (b/2, 0), the centre at its distance from it.
  Box tips(.6, .52);
  double furthest = 0, off_the_arc = 0;
  run(tips.world, Method::rk4, 1.2, 5e-4, [&](double, const std::vector<double>& x) {
    const auto at = load<Frame<double>>(x.data(), {0, 1}, 0);
    furthest = std::max(furthest, Box::tilt(at));
    if (furthest < .3)
      off_the_arc =
          std::max(off_the_arc, std::abs(std::hypot(at.p[0] - Box::width / 2, at.p[2]) - std::hypot(Box::width, Box::height) / 2));
  });
  EXPECT_GT(furthest, .3);
  EXPECT_LT(off_the_arc, 1e-3);
}
TEST(Box, SlidesBeforeItTips) {
  EXPECT_LT(Box(.4, .38).after(1.5).p[0], 1e-3);
  Box pushed(.4, .45);  // beyond the cone, below the edge: (P - mu m g)/m
  const auto early = pushed.after(1), late = pushed.after(1.5);
  EXPECT_NEAR((late.v[0] - early.v[0]) / .5, (.45 - .4) * Box::g, 1e-3);
  EXPECT_LT(Box::tilt(late), 1e-3);
}

}  // namespace
}  // namespace asperity::rigid_test
