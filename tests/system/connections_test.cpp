// Every connection conserves power: what the bodies lose the element gets. Psi = -Phi^T.
#include <gtest/gtest.h>

#include <random>

#include "asperity/bodies/bodies.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/hinge.hpp"
#include "asperity/system/pool.hpp"
#include "asperity/system/world.hpp"

namespace asperity::connections_test {
namespace {

struct Random {
  std::mt19937 engine{7};
  std::normal_distribution<double> normal;
  double number() { return normal(engine); }
  void fill(double& x) { x = number(); }
  template <int D>
  void fill(VecN<double, D>& v) {
    for (double& x : v.x) x = number();
  }
  template <int D>
  void fill(Port<double, D>& port) {
    fill(port.p);
    fill(port.v);
  }
  void fill(Frame<double>& frame) {
    fill(frame.p);
    fill(frame.v);
    fill(frame.w);
    fill(frame.q.u);
    frame.q.w = number();
    const double length = std::sqrt(frame.q.w * frame.q.w + dot(frame.q.u, frame.q.u));
    frame.q = {frame.q.w / length, frame.q.u / length};
  }
};

double power(double f, const Port<double, 1>& port) { return f * port.v; }
template <int D>
double power(const VecN<double, D>& f, const Port<double, D>& port) {
  return dot(f, port.v);
}
double power(const Wrench<double>& f, const Frame<double>& frame) { return dot(f.f, frame.v) + dot(f.m, frame.w); }

template <class C>
class Connections : public ::testing::Test {};
using All =
    ::testing::Types<Line<double>, Axis<double, 2>, Axis<double, 3>, Surface<double, 2>, Surface<double, 3>, PointPlane<double, 2>,
                     PointPlane<double, 3>, BallPlane<double>, BallPlane<double, true>, BallBall<double>, PointPoint<double>>;
TYPED_TEST_SUITE(Connections, All);

TYPED_TEST(Connections, ConservePower) {
  Random random;
  for (int k = 0; k < 200; ++k) {
    TypeParam connection{};
    if constexpr (requires { connection.normal.x; }) {
      random.fill(connection.normal);
      connection.normal = connection.normal / magnitude(connection.normal);
    }
    if constexpr (requires { connection.centre; }) random.fill(connection.centre);
    if constexpr (requires { connection.point_a; }) random.fill(connection.point_a), random.fill(connection.point_b);
    if constexpr (requires { connection.radius; }) connection.radius = std::abs(random.number());
    if constexpr (requires { connection.radius_a; }) connection.radius_a = std::abs(random.number()), connection.radius_b = 0.3;
    typename TypeParam::A a;
    typename TypeParam::B b;
    random.fill(a);
    random.fill(b);
    const auto relative = connection.motion(a, b);
    double into_element, scale = 1;
    if constexpr (requires { relative.gap; }) {
      const double N = random.number();
      auto f = relative.slip;
      random.fill(f);
      const auto on = connection.forces(a, b, N, f);
      into_element = dot(f, relative.slip) - N * relative.rate;
      scale += std::abs(power(on.a, a)) + std::abs(power(on.b, b));
      EXPECT_NEAR(power(on.a, a) + power(on.b, b) + into_element, 0, 1e-13 * scale);
    } else {
      auto f = relative.v;
      random.fill(f);
      const auto on = connection.forces(a, b, f);
      into_element = dot(f, relative.v);
      EXPECT_NEAR(power(on.a, a) + power(on.b, b) + into_element, 0, 1e-12);
    }
  }
}

// The joint, with the forces of its own; and neither its pull nor its moments make angular momentum, anchors together or apart.
TEST(Hinge, ConservesPowerAndAngularMomentum) {
  Random random;
  for (int k = 0; k < 200; ++k) {
    asperity::Hinge<> hinge;
    random.fill(hinge.anchor_a);
    random.fill(hinge.anchor_b);
    Frame<double> a, b;
    random.fill(a);
    random.fill(b);
    Revolute<double>::Own f;
    random.fill(f.pull);
    random.fill(f.turn);
    double friction = 0;
    random.fill(friction);
    const auto on = hinge.push(a, b, f, friction);
    const auto v = hinge.relative(a, b);
    const double about_axis = hinge.motion(a, b).v;
    EXPECT_NEAR(power(on.a, a) + power(on.b, b) + dot(f.pull, v.pull) + dot(f.turn, v.turn) + friction * about_axis, 0, 1e-11);
    const auto moment = on.a.m + cross(a.p, on.a.f) + on.b.m + cross(b.p, on.b.f);
    EXPECT_LT(magnitude(moment), 1e-12);
    EXPECT_LT(magnitude(on.a.f + on.b.f), 1e-15);
  }
}

// A whole world: what pushes and courses bring is what the bodies gain and what flows into the elements; joints of an arm, with its
// recursion, included.
TEST(Worlds, ConservePower) {
  Random random;
  for (int k = 0; k < 50; ++k) {
    World world;
    const auto arm = world.add_arm(
        "arm", {{1, .5}, {.7, .3}, {.4, .6}},
        {{random.number(), random.number()}, {random.number(), random.number()}, {random.number(), random.number()}}, {0, -9.8});
    Frame<double> start;
    random.fill(start);
    auto body = RigidBody<double>::of(1.3, {1, 2, 3, .1, -.2, .3});
    body.gravity[2] = -9.8;
    const auto lump = world.add("lump", body, start);
    const auto block = world.add("block", PointMass<double>{.8, -9.8}, {random.number(), random.number()});
    const auto hand = world.add_given<1>("hand", [](double t) { return Port<double, 1>{std::sin(t), std::cos(t)}; });
    Spring<> spring;
    spring.K = 30;
    spring.B = 2;
    world.add("bearing", SingleState<>{}, between(World::joint(arm, 1), ground));
    world.add("gear", spring, between(World::joint(arm, 3), World::joint(arm, 2)));
    world.add("drive", spring, between(World::joint(arm, 2), hand));
    world.add("belt", spring, between(block, World::joint(arm, 3)));
    asperity::Hinge<> pin;  // soft, so that it does not drown the others
    pin.K = 20;
    pin.B_pull = 1;
    pin.K_turn = 10;
    world.add("pin", pin, lump, ground);
    const double torque = random.number(), force = random.number();
    world.push(World::joint(arm, 2), 0, [=](double) { return torque; });
    world.push(lump, 4, [=](double) { return force; });
    const auto x = world.start();
    std::vector<double> rate(x.size()), moved(x.size());
    const double t = .3;
    Workspace work(world);
    work.rate(t, x, 0, rate);
    const auto energy = [&](double h) {
      for (std::size_t i = 0; i < x.size(); ++i) moved[i] = x[i] + h * rate[i];
      return world.kinetic(moved) + world.potential(moved);
    };
    const double step = 1e-7, gained = (energy(step) - energy(-step)) / (2 * step);
    const Instant now = work.instant(t, x);
    double into_elements = 0, brought = 0, scale = std::abs(gained);
    world.pools().each_element_pool([&](const auto& pool) {
      for (std::size_t i = 0; i < pool.count(); ++i) {
        const Watch seen = pool.watch(now, 0, i);
        into_elements += seen.power;
        brought += seen.by_course;
        scale += std::abs(seen.power);
      }
    });
    world.each_push_function([&](BodyId body_id, std::size_t c, const auto& force) {
      const double f = force(t);
      brought += f * x[body_id.pool->motion.at(body_id.pool->velocity_column(c), body_id.index)];
    });
    EXPECT_NEAR(brought, gained + into_elements, 1e-7 * scale);
  }
}

// Phi's velocity is the derivative of Phi's position along the motion.
TYPED_TEST(Connections, RateIsTheDerivativeOfTheGap) {
  Random random;
  if constexpr (requires(TypeParam c, typename TypeParam::A a, typename TypeParam::B b) { c.motion(a, b).gap; }) {
    for (int k = 0; k < 50; ++k) {
      TypeParam connection{};
      if constexpr (requires { connection.centre; }) random.fill(connection.centre);
      if constexpr (requires { connection.radius; }) connection.radius = 0.7;
      typename TypeParam::A a;
      typename TypeParam::B b;
      random.fill(a);
      random.fill(b);
      const double h = 1e-6;
      const auto moved = [&](auto port, double t) {
        port.p = port.p + t * port.v;
        if constexpr (requires { port.q; }) {
          const auto rate = RigidBody<double>{}.rate(port, {});
          port.q = {port.q.w + t * rate.q.w, port.q.u + t * rate.q.u};
        }
        return port;
      };
      const double slope =
          (connection.motion(moved(a, h), moved(b, h)).gap - connection.motion(moved(a, -h), moved(b, -h)).gap) / (2 * h);
      EXPECT_NEAR(connection.motion(a, b).rate, slope, 1e-7);
    }
  }
}

}  // namespace
}  // namespace asperity::connections_test
