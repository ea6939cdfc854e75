// With short steps all methods find the same motion; the implicit ones with the orders that they claim.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/run/run.hpp"
#include "asperity/system/world.hpp"
#include "asperity/trace.hpp"

namespace asperity::agreement_test {
namespace {

using std::numbers::pi;
constexpr double g = 9.81;

/// A mass on a spring and on an asperity that sticks: two stiffnesses, damped, without transitions.
void stuck(World& world) {
  const auto mass = world.add("mass", PointMass<double>{1.0}, {0, 1e-3});
  SingleState<> law;
  law.F = 10;
  law.K = 1e3;
  law.beta = 2e-3;
  world.add("floor", law, between(mass, ground));
  world.push(mass, 0, [](double t) { return .1 * std::sin(7 * t); });
}

/// A box that spins and is pulled by a spring at a corner: rotations, without transitions.
void spinning(World& world) {
  Frame<double> start;
  start.p = {{0, 0, 1}};
  start.w = {{1, 2, -1}};
  auto body = RigidBody<double>::of(2, inertia::box(2, .2, .3, .4));
  body.gravity[2] = -g;
  const auto box = world.add("box", body, start);
  Spring<> spring;
  spring.K = 50;
  spring.B = 1;
  PointPoint<double> hung;
  hung.point_a = {{.1, .15, .2}};
  hung.point_b = {{0, 0, 2}};
  const auto wall = world.add_given_pose("wall", [](double) { return Frame<double>{}; });
  world.add("spring", spring, hung, box, wall);
}

std::vector<double> after(void (*make)(World&), const std::string& method, double h, double t) {
  World world;
  make(world);
  IntegratorOptions options;
  options.step = h;
  const auto integrator = make_integrator(method, world, options);
  integrator->start(0, world.start());
  integrator->advance(t);
  return {integrator->state().begin(), integrator->state().end()};
}
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Agreement, OrdersAreOneAndTwo) {
  for (const auto make : {&stuck, &spinning}) {
    const auto exact = after(make, "rk4", 1e-4, .5);
    for (const auto& [method, order] : {std::pair{"implicit", 1}, {"implicit2", 2}}) {
      double last = distance(after(make, method, 1e-3, .5), exact);
      for (const double h : {5e-4, 2.5e-4}) {
        const double error = distance(after(make, method, h, .5), exact);
        EXPECT_NEAR(std::log2(last / error), order, .15) << method << " at " << h << ": " << last << " -> " << error;
        last = error;
      }
    }
  }
}

// Across transitions (a block that is shaken loose and caught again) the difference goes down with the step, too.
TEST(Agreement, AcrossTransitions) {
  const auto make = [](World& world) {
    const auto block = world.add("block", PointMass<double>{1.0});
    SingleState<> law;
    law.F = .5;
    law.K = 5e3;
    law.beta = 2e-3;
    world.add("floor", law, between(block, ground));
    world.push(block, 0, [](double t) { return .8 * std::sin(5 * t); });
  };
  const double exact = after(make, "rk4", 1e-4, 2)[0];
  EXPECT_GT(std::abs(exact), 1e-3) << "it has to slip";
  EXPECT_NEAR(after(make, "implicit", 1e-4, 2)[0], exact, 1e-4);
  EXPECT_NEAR(after(make, "implicit2", 1e-3, 2)[0], exact, 2e-5);
  EXPECT_NEAR(after(make, "implicit2", 1e-4, 2)[0], exact, 1e-6);
}

// No memory but the state: started again from its middle, a run goes on bit for bit, strikes included.
TEST(Agreement, ARunGoesOnFromItsMiddle) {
  for (const char* method : {"implicit", "implicit2"}) {
    World world;
    LinearCompliance<> floor;
    floor.K = 1e6;
    floor.alpha = 1e-4;
    floor.beta = 4e-4;
    world.add("floor", floor, between(world.add("ball", PointMass<double>{1.0, -g}, {.1, 0}), ground));
    IntegratorOptions options;
    options.step = 1e-3;
    const auto whole = make_integrator(method, world, options), half = make_integrator(method, world, options);
    whole->start(0, world.start());
    whole->advance(.143);  // in touch
    EXPECT_LT(whole->state()[0], 1e-3);
    half->start(whole->time(), whole->state());
    whole->advance(.5);
    half->advance(.5);
    for (std::size_t i = 0; i < whole->state().size(); ++i) EXPECT_EQ(whole->state()[i], half->state()[i]) << method;
  }
}

// The set-up checks name a contact that a step absorbs; implicit2 resolves it and is not warned of.
TEST(Agreement, AnAbsorbedImpactIsNamed) {
  const auto warnings = [](const char* method, bool subdivide, double step) {
    World world;
    LinearCompliance<> floor;
    floor.K = 1e7;
    world.add("floor", floor, between(world.add("ball", PointMass<double>{1.0, -g}, {1, 0}), ground));
    asperity::Run run(world, {.duration = 1, .step = step, .method = method, .subdivide = subdivide});
    std::string text;
    for (const Warning& warning : run.warnings()) text += warning.text;
    return text;
  };
  const std::string said = "floor: an impact lasts 0.99 ms, less than the step of 2 ms: it does not bounce";  // pi sqrt(M/K)
  EXPECT_EQ(warnings("implicit", true, 2e-3).substr(0, said.size()), said);
  EXPECT_EQ(warnings("implicit2", false, 2e-3).substr(0, said.size()), said);
  EXPECT_EQ(warnings("implicit2", true, 2e-3), "");
  const std::string damped = "floor: the method damps bounces";  // a strike of two steps is resolved, but not well
  EXPECT_EQ(warnings("implicit", true, 5e-4).substr(0, damped.size()), damped);
  EXPECT_EQ(warnings("implicit", true, 1e-5), "");
}

// Events and energy are those of the parts of a subdivided step: K = 5e5 and 1e9 N/m are designed for a restitution of 1/2 and let
// go after 3.5 and 0.08 ms; steps are of 2 ms. What is lost is 1 - 1/4 of the energy, but for what the weight does meanwhile.
TEST(Agreement, AStrikeIsSeenAsItWasResolved) {
  for (const double K : {499937.0, 1e9}) {
    World world;
    LinearCompliance<> floor;
    floor.K = K;
    floor.beta = 8.35558e-4 * std::sqrt(499937 / K);
    floor.alpha = floor.beta / 10;
    world.add("floor", floor, between(world.add("ball", PointMass<double>{1.0, -g}, {1, 0}), ground));
    asperity::Run run(world, {.duration = .6, .step = 2e-3, .method = "implicit2"});
    ASSERT_TRUE(run.go());
    ASSERT_EQ(run.impacts().size(), 1u);
    EXPECT_NEAR(run.impacts()[0].impact_speed, std::sqrt(2 * g), 2e-3);
    EXPECT_NEAR(run.impacts()[0].restitution(), .5, 5e-3);
    EXPECT_NEAR(run.energy().dissipated + run.energy().closing_error, .75 * g, .01 * g);
    EXPECT_LT(std::abs(run.energy().closing_error), 2e-2 * g);
  }
}

// A law driven by hand: an asperity that has slipped, has turned and sticks again, against rk4 with a hundredth of the step.
TEST(Agreement, OfTraces) {
  const auto force = [](TraceMethod method, double h) {
    const auto law = make_law("single_state");
    Drive drive;
    drive.slip = course_of_position([](double t) { return 3e-5 * std::sin(2 * pi * t); }, 1e-7);
    const Trace trace = run_trace(*law, drive, {.step = h, .steps = std::llround(.3 / h), .method = method});
    return trace.find("force")->values.back();
  };
  const double exact = force(TraceMethod::rk4, 1e-5);
  double last = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const double error = std::abs(force(TraceMethod::implicit, h) - exact);
    if (last > 0) {
      EXPECT_NEAR(last / error, 2, .4) << h;
    }
    last = error;
  }
  EXPECT_LT(std::abs(force(TraceMethod::implicit2, 1e-3) - exact), .05 * last);
}

}  // namespace
}  // namespace asperity::agreement_test
