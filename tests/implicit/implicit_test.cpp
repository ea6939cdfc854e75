// Implicit stepping holds, slides and rolls at any stiffness and any step. Every number is a closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#include "coulomb.hpp"

namespace asperity::implicit_test {
namespace {

using testing::coulomb;

using std::numbers::pi;
constexpr double g = 9.81;
/// Of make test-all: as long as it takes, holding from 10 to 100 s.
const bool long_run = std::getenv("ASPERITY_LONG_RUN") != nullptr;

/// A contact of this stiffness both ways, and friction coefficient.
template <int D>
auto contact(double K, double mu, double alpha = 1e-3, double beta = 1e-3) {
  FrictionalContact<LinearCompliance<>, SingleState<double, D>> law;
  law.normal.K = law.tangential.K = K;
  law.normal.alpha = alpha;
  law.normal.beta = law.tangential.beta = beta;
  law.tangential.F = mu;
  return law;
}

std::unique_ptr<Integrator> start(const std::string& method, World& world, double step, bool subdivide = true) {
  IntegratorOptions options;
  options.step = step;
  options.subdivide = subdivide;
  auto integrator = make_integrator(method, world, options);
  integrator->start(0, world.start());
  return integrator;
}

class Implicit : public ::testing::TestWithParam<std::string> {
 public:
  std::unique_ptr<Integrator> start(World& world, double step, bool subdivide = true) {
    return implicit_test::start(GetParam(), world, step, subdivide);
  }
  bool second() const { return GetParam() == "implicit2"; }
};
INSTANTIATE_TEST_SUITE_P(Methods, Implicit, ::testing::Values("implicit", "implicit2"),
                         [](const auto& method) { return method.param; });

// A load of 0.7 F + 0.25 F sin(w t) never reaches F: the held point, position minus deflection, stays where it is.
TEST_P(Implicit, HoldsUnderAnOscillatingLoad) {
  const double F = .5 * g, K = 1e8;
  for (const double h : {1e-3, 5e-3, 16.7e-3})
    for (const double w : {10, 30, 100, 200, 300, 400, 600, 1000}) {
      World world;
      const auto block = world.add("block", PointMass<double>{1.0});
      world.add("floor", coulomb(F, K, 1e-4), Line<double>{}, block, ground);
      world.push(block, 0, [&](double t) { return F * (.7 + .25 * std::sin(w * t)); });
      const auto integrator = start(world, h);
      integrator->advance(long_run ? 10 : 1000 * h);
      const auto held = [&] { return integrator->state()[0] - integrator->state()[2]; };
      const double before = held();
      double moved = 0;
      integrator->advance(long_run ? 100 : 3000 * h,
                          [&](double, std::span<const double>) { moved = std::max(moved, std::abs(held() - before)); });
      EXPECT_LE(moved, 1e-12) << "w = " << w << ", h = " << h;
    }
}

TEST_P(Implicit, SlidesToAStop) {
  const double mu = .3, v0 = 5, distance = v0 * v0 / (2 * mu * g);
  for (const double h : {16.7e-3, 1e-3})
    for (const double angle : {0., .3, pi / 4, 2.}) {
      World world;
      world.set_gravity({0, 0, -g});
      const double K = 1e7;
      const auto block =
          world.add("block", PointMass<double, 3>{1.0}, {{{0, 0, -g / K}}, {{v0 * std::cos(angle), v0 * std::sin(angle), 0}}});
      world.add("floor", contact<3>(K, mu), PointPlane<double, 3>{}, block, ground);
      const auto integrator = start(world, h);
      auto x = std::vector<double>(integrator->state().begin(), integrator->state().end());
      x[6] = g / K;
      integrator->start(0, x);
      integrator->advance(3);
      const auto end = integrator->state();
      EXPECT_NEAR(std::hypot(end[0], end[1]) / distance, 1, !second() ? 1e-2 : h > 1e-3 ? 1e-4 : 1e-6) << h << " " << angle;
      EXPECT_NEAR((end[1] * std::cos(angle) - end[0] * std::sin(angle)) / distance, 0, 1e-12) << h << " " << angle;
    }
}

// A block on a slope of 20 degrees, mu 0.5, in space: at rest it stays, whatever the step.
TEST_P(Implicit, RestsOnASlope) {
  const double angle = 20 * pi / 180, h = 16.7e-3;
  for (const double K : {1e5, 1e8}) {
    World world;
    world.set_gravity({g * std::sin(angle), 0, -g * std::cos(angle)});
    const auto block = world.add("block", PointMass<double, 3>{1.0});
    world.add("slope", contact<3>(K, .5), PointPlane<double, 3>{}, block, ground);
    const auto integrator = start(world, h);
    integrator->advance(10);
    const double before = integrator->state()[0];
    EXPECT_GE(before, .99 * g * std::sin(angle) / K) << "its weight has to bend the asperity";
    integrator->advance(100);
    EXPECT_NEAR(integrator->state()[0], before, 1e-12) << K;
  }
}

// A capsule pinched between two pads, shaken or not, at 16.7 ms.
TEST_P(Implicit, Pinches) {
  const double radius = 4e-3, length = 16e-3, w = 2 * pi * 5;
  for (const double shake : {0.0, 1e-3}) {
    World world;
    auto capsule = RigidBody<double>::of(.045, inertia::capsule(.045, radius, length));
    capsule.gravity[2] = -g;
    const auto body = world.add("capsule", capsule);
    auto law = contact<3>(2e4, .7);
    law.normal.beta = 2e-3;
    for (const double side : {-1.0, 1.0}) {
      const auto pad = world.add_given<3>(side < 0 ? "left" : "right", [=](double t) {
        return Port<double, 3>{{{0, 0, shake * std::sin(w * t)}}, {{0, 0, shake * w * std::cos(w * t)}}};
      });
      BallPlane<double> plane;
      plane.normal = {{side, 0, 0}};
      plane.offset = -radius + 6 / law.normal.K;
      for (const auto& ball : capsule_on(plane, radius, length)) world.add("pad", law, ball, body, pad);
    }
    const auto integrator = start(world, 16.7e-3);
    // 2000 steps are 167 cycles of the pads: compared at the same phase, since a pad's velocity is seen at the end of each step
    // only.
    const auto height = [&] { return integrator->state()[2]; };
    integrator->advance(16.7e-3 * 500);
    const double before = height();
    if (shake == 0) {
      EXPECT_LT(before, -1e-6) << "its weight has to bend the asperities";
    }
    integrator->advance(16.7e-3 * 4500);
    EXPECT_NEAR(height(), before, 1e-9) << "shaken by " << shake;
  }
}

/// A uniform sphere that slides onto a floor at v0 along the direction `angle`.
struct Sphere {
  static constexpr double R = .2, M = .3, v0 = 2, K = 1e6;
  World world;
  std::vector<double> x;
  explicit Sphere(double angle) {
    auto body = RigidBody<double>::of(M, inertia::sphere(M, R));
    body.gravity[2] = -g;
    Frame<double> rest;
    rest.v = {{v0 * std::cos(angle), v0 * std::sin(angle), 0}};
    rest.p[2] = R - M * g / K;
    const auto ball = world.add("ball", body, rest);
    BallPlane<double, true> floor;
    floor.radius = R;
    world.add("floor", contact<3>(K, .1, 5e-4), floor, ball, ground);
    x = world.start();
    x[13] = M * g / K;
  }
};

// It ends rolling, with 5/7 of its speed, at every step.
TEST_P(Implicit, ASphereEndsRolling) {
  for (const double h : {1e-4, 3e-4, 1e-3, 5e-3, 16.7e-3}) {
    Sphere sphere(.3);  // slides for 0.58 s
    const auto integrator = start(sphere.world, h);
    integrator->start(0, sphere.x);
    integrator->advance(.8);
    EXPECT_NEAR(std::hypot(integrator->state()[7], integrator->state()[8]), 5. / 7 * Sphere::v0, 1e-9) << h;
  }
}

/// Boxes that do not turn, one on the other, with frictional contacts; each contact sinks in by a micrometre.
struct Stack {
  World world;
  std::vector<BodyId> boxes;
  Stack(const std::vector<double>& masses, double deep = 1e-6) {
    world.set_gravity({0, 0, -g});
    double above = 0;
    for (const double mass : masses) above += mass;
    BodyId below = ground;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const auto box = world.add("box" + std::to_string(i), PointMass<double, 3>{masses[i]}, {{{0, 0, .1 * double(i + 1)}}, {}});
      PointPlane<double, 3> face;
      face.offset = .1;
      world.add("face" + std::to_string(i), contact<3>(above * g / deep, .5, 1e-3, 4e-3), face, box, below);
      boxes.push_back(box);
      above -= masses[i];
      below = box;
    }
  }
};

// A heavy box on a light one, 1:1 to 1000:1, shaken sideways for a second with 0.2 of its weight: at rest within 5 s, each contact
// as deep as its load makes it, and back where it was.
TEST_P(Implicit, HeavyOnLight) {
  for (const double heavy : {1., 10., 100., 1000.}) {
    Stack stack({1, heavy});
    stack.world.push(stack.boxes[1], 0, [=](double t) { return t < 1 ? .2 * heavy * g * std::sin(10 * pi * t) : 0; });
    const auto integrator = start(stack.world, 1e-3);
    const auto x = [&](std::size_t i) { return integrator->state()[i]; };
    double swayed = 0;
    integrator->advance(1, [&](double, std::span<const double> now) { swayed = std::max(swayed, std::abs(now[1])); });
    // Two contacts in a row give way by 0.2 of their sinking each; and they are not struck at their resonance.
    EXPECT_GT(swayed, .2 * 2e-6 * heavy / (heavy + 1) * .9) << heavy;
    EXPECT_LT(swayed, .2 * 2e-6 * 1.5) << heavy;
    integrator->advance(5);
    const double low = x(4), high = x(5);  // heights
    EXPECT_NEAR(.1 - low, 1e-6, 1e-7) << heavy;
    EXPECT_NEAR(.1 - (high - low), 1e-6, 1e-7) << heavy;
    for (std::size_t i = 6; i < 12; ++i) EXPECT_NEAR(x(i), 0, 1e-9) << heavy << " velocity " << i;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(x(i), 0, 1e-11) << heavy << " sway " << i;
    EXPECT_EQ(integrator->statistics().retries, 0);
  }
}

// The same with a heavy box that can turn on a light plate: it is set down with a tilt of a milliradian and pushed sideways, rocks,
// and stands still.
TEST_P(Implicit, AHeavyBoxDoesNotSway) {
  for (const double heavy : {1., 10., 100., 1000.}) {
    if (!long_run && heavy > 1 && heavy < 1000) continue;
    const double side = .2, deep = 1e-6, K = (heavy + 1) * g / deep;
    World world;
    const auto plate = world.add("plate", PointMass<double, 3>{1.0}, {{{0, 0, .1}}, {}});
    PointPlane<double, 3> face;
    face.offset = .1;
    world.add("floor", contact<3>(K, .5, 1e-3, 4e-3), face, plate, ground);
    Frame<double> start_of_box;
    start_of_box.p[2] = .1 + side / 2 + 1e-4;
    start_of_box.q.u[0] = 5e-4;
    const auto box = world.add("box", RigidBody<double>::of(heavy, inertia::box(heavy, side, side, side)), start_of_box);
    for (const auto& corner : box_on({}, side, side, side))
      world.add("corner", contact<3>(heavy * g / deep / 4, .5, 1e-3, 4e-3), corner, box, plate);
    world.set_gravity({0, 0, -g});
    world.push(box, 0, [=](double t) { return t > .6 && t < 1 ? .2 * heavy * g * std::sin(10 * pi * t) : 0; });
    const auto integrator = start(world, 1e-3, false);  // a light plate under a heavy box is struck ten thousand times a second
    const auto at = [&] { return load<Frame<double>>(integrator->state().data(), {6, 1}, 0); };
    integrator->advance(.6);
    const double x = at().p[0];
    double swayed = 0;
    integrator->advance(1, [&](double, std::span<const double>) { swayed = std::max(swayed, std::abs(at().p[0] - x)); });
    EXPECT_GT(swayed, 1e-7) << heavy << ": the push has to bend the asperities";
    integrator->advance(long_run ? 5 : 1.6);
    const auto end = integrator->state();
    EXPECT_NEAR(.1 - end[2], deep, .1 * deep) << heavy;
    EXPECT_NEAR(end[2] + side / 2 - at().p[2], deep, .1 * deep) << heavy;
    EXPECT_NEAR(magnitude(at().v), 0, 1e-9) << heavy;
    EXPECT_NEAR(magnitude(at().w), 0, 1e-8) << heavy;
    EXPECT_NEAR(magnitude(at().q.u), 0, 1e-5) << heavy << ": level again";
    EXPECT_NEAR(at().p[0], x, .01 * swayed) << heavy << ": and where it was";
  }
}

/// The energy after a step is never larger than before.
void expect_to_lose_energy(World& world, Integrator& integrator, double duration, double tolerance) {
  Workspace work(world);
  const auto energy = [&](double t, std::span<const double> x) {
    return world.kinetic(x) + world.potential(x) + work.stored(t, x);
  };
  double last = energy(0, integrator.state()), grown = 0;
  integrator.advance(duration, [&](double t, std::span<const double> x) {
    const double now = energy(t, x);
    grown = std::max(grown, now - last);
    last = now;
  });
  EXPECT_LE(grown, tolerance);
}

TEST_P(Implicit, AStackOfTenLosesEnergy) {
  Stack stack(std::vector<double>(10, 1.0));
  auto x = stack.world.start();
  for (std::size_t i = 0; i < 10; ++i) x[30 + i] = .1 * double(i % 3);  // some of them are pushed sideways
  const auto integrator = start(stack.world, 5e-3);
  integrator->start(0, x);
  expect_to_lose_energy(stack.world, *integrator, 2, 1e-9);
  for (std::size_t i = 30; i < 60; ++i) EXPECT_NEAR(integrator->state()[i], 0, 1e-6);
  EXPECT_EQ(integrator->statistics().retries, 0);
}

TEST_P(Implicit, AChainOfAThousandLosesEnergy) {
  World world;
  BodyId last = ground;
  for (int i = 0; i < 1000; ++i) {
    const auto mass =
        world.add("mass", PointMass<double, 2>{1.0, {{0, -g}}}, {{{.1 * i, -g / 1e6}}, {{i % 7 == 0 ? 1.0 : 0.0, 0}}});
    world.add("floor", contact<2>(1e6, .3), PointPlane<double, 2>{}, mass, ground);
    Spring<> spring;
    spring.K = 1e4;
    Axis<double, 2> axis;
    axis.offset = .1;
    if (i > 0) world.add("link", spring, axis, mass, last);
    last = mass;
  }
  const auto integrator = start(world, 5e-3);
  expect_to_lose_energy(world, *integrator, long_run ? 1 : .1, 1e-6);
  EXPECT_EQ(integrator->statistics().retries, 0);
}

}  // namespace
}  // namespace asperity::implicit_test
