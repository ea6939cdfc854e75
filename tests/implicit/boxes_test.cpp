// Boxes that can turn, on corners that stick and slide, at the stiffness of the rigid limit: what an implicit step claims is true.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"

namespace asperity::boxes_test {
namespace {

using std::numbers::pi;
constexpr double g = 9.81, frame = 16.7e-3;

/// A cube on the plane z = 0, its corners of stiffness K both ways.
struct Box {
  World world;
  Box(double mass, double side, double K, double mu, double damping, double slope, const Frame<double>& start) {
    auto body = RigidBody<double>::of(mass, inertia::box(mass, side, side, side));
    const auto box = world.add("box", body, start);
    world.set_gravity({g * std::sin(slope), 0, -g * std::cos(slope)});
    FrictionalContact<LinearCompliance<>, SingleState<double, 3>> law;
    law.normal.K = law.tangential.K = K;
    law.normal.beta = law.tangential.beta = damping;
    law.normal.alpha = damping;
    law.tangential.F = mu;
    for (const auto& corner : box_on({}, side, side, side)) world.add("corner", law, corner, box, ground);
  }
  double energy(double t, std::span<const double> x) {
    return world.kinetic(x) + world.potential(x) + Workspace(world).stored(t, x);
  }
};

std::unique_ptr<Integrator> start(const std::string& method, World& world, double step) {
  IntegratorOptions options;
  options.step = step;
  auto integrator = make_integrator(method, world, options);
  integrator->start(0, world.start());
  return integrator;
}

class Boxes : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Boxes, ::testing::Values("implicit", "implicit2"),
                         [](const auto& method) { return method.param; });

// tan 20 = 0.364 < mu: it stays, although the upper corners, which carry less, slide until the lower ones hold it.
TEST_P(Boxes, RestOnASlope) {
  struct Case {
    double mass, side, mu;
  };
  for (const auto& [mass, side, mu] : {Case{1, .1, .4}, Case{100, 1, .5}, Case{1, .1, 1}}) {
    Frame<double> flat;
    flat.p[2] = side / 2;
    const double K = mass * g / 1e-9;
    Box box(mass, side, K, mu, 2 * std::sqrt(mass / 4 / K), 20 * pi / 180, flat);
    const auto integrator = start(GetParam(), box.world, frame);
    integrator->advance(frame * 60);
    const double before = integrator->state()[0];
    double moved = 0;
    integrator->advance(frame * 600, [&](double, std::span<const double> x) { moved = std::max(moved, std::abs(x[0] - before)); });
    EXPECT_GT(before, g * std::sin(20 * pi / 180) / (4 * K) * mass) << "its weight has to bend the asperities";
    EXPECT_LT(before, 2e-9);
    EXPECT_LE(moved, 1e-12) << mass << " kg, mu " << mu;
    EXPECT_EQ(integrator->statistics().retries, 0);
  }
}

// Thrown askew, with friction that jams: the energy falls with every step, and the box comes to rest on the floor.
TEST_P(Boxes, LoseEnergyWhenDroppedAskew) {
  struct Case {
    double K, mu, step;
  };
  for (const auto& [K, mu, step] :
       {Case{1e5, 2, .1}, Case{1e7, .5, frame}, Case{1e9, 2, frame}, Case{1e9, 2, .1}, Case{1e10, 1.5, 1e-3}}) {
    Frame<double> askew;
    askew.p = {{0, 0, .1}};
    askew.v = {{1, 0, -1}};
    askew.w = {{3, -2, 1}};
    const double length = std::sqrt(1 + .16 + .04), half = .3;
    askew.q.w = std::cos(half);
    askew.q.u = std::sin(half) / length * Vec<double, 3>{{1, .4, .2}};
    Box box(1, .1, K, mu, 1e-3, 0, askew);
    const auto integrator = start(GetParam(), box.world, step);
    const double first = box.energy(0, integrator->state());
    double last = first, most = 0;
    integrator->advance(step < 2e-3 ? .3 : 2, [&](double t, std::span<const double> x) {
      const double now = box.energy(t, x);
      most = std::max(most, now - last);
      last = now;
    });
    EXPECT_LE(most, GetParam() == "implicit" ? 1e-9 : 1e-3 * first) << K << " " << mu << " " << step;
    EXPECT_GT(integrator->state()[2], .0499) << "not below the floor";
  }
}

// A floor so stiff that a step of half a second sees nothing of it: the box stands.
TEST_P(Boxes, StandThroughLongSteps) {
  Frame<double> flat;
  flat.p[2] = .05;
  const double K = g / 1e-9;
  Box box(1, .1, K, .5, 2 * std::sqrt(.25 / K), 0, flat);
  const auto integrator = start(GetParam(), box.world, .5);
  integrator->advance(50);
  EXPECT_NEAR(integrator->state()[2], .05 - 1e-9 / 4, 1e-11);
  EXPECT_LE(box.world.kinetic(integrator->state()), 1e-12);
}

// A force that jumps by itself, as that of gms does, must not be pumped up by two stages: 3 sin 5t against a limit of 1 N.
TEST_P(Boxes, AJumpingForceIsNotPumpedUp) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("friction", Gms<>{}, between(block, ground));
  world.push(block, 0, [](double t) { return 3 * std::sin(5 * t); });
  const auto integrator = start(GetParam(), world, 1e-2);
  double fastest = 0;
  integrator->advance(3, [&](double, std::span<const double> x) { fastest = std::max(fastest, std::abs(x[1])); });
  EXPECT_LT(fastest, 3. / 5 * 2) << "the push alone gives no more";
  EXPECT_GT(fastest, .3);
}

}  // namespace
}  // namespace asperity::boxes_test
