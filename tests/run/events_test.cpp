// Events against exact times (reference numbers of xiong2013) and against what must not happen.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/laws.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"

namespace asperity::events_test {
namespace {

using testing::coulomb;
using Kind = Event::Kind;

std::vector<double> times(const Run& run, Kind kind, const std::string& element) {
  std::vector<double> list;
  for (const Event& event : run.events())
    if (event.kind == kind && event.element == element) list.push_back(event.time);
  return list;
}

// It falls 1 m: touches after sqrt(2 h/g) with sqrt(2 g h); xiong2013 Fig. 3.6: v_out/v_in 0.87992.
TEST(Events, OfABouncingBall) {
  const double touch = std::sqrt(2 / 9.8), speed = std::sqrt(2 * 9.8);
  for (const auto& [alpha, restitution] : {std::pair{.01, 1.0}, {.007, .87992}, {.005, .76942}, {.001, .29026}}) {
    World world;
    testing::bouncing_ball(world, alpha);
    asperity::Run run(world, {.duration = .7, .step = 1e-5});
    ASSERT_TRUE(run.go());
    ASSERT_EQ(run.events().size(), 2u);
    ASSERT_EQ(run.impacts().size(), 1u);
    const Impact& impact = run.impacts().front();
    EXPECT_EQ(run.events()[0].kind, Kind::touch);
    EXPECT_EQ(run.events()[1].kind, Kind::release);
    EXPECT_NEAR(impact.touch, touch, 1e-8);
    EXPECT_NEAR(impact.impact_speed, speed, 2e-5);
    EXPECT_NEAR(impact.restitution(), restitution, 1e-5);
    EXPECT_EQ(impact.release, run.events()[1].time);
    EXPECT_NEAR(run.longest_contact("floor"), impact.release - impact.touch, 1e-15);
  }
}
// The location does not depend on where the grid meets the contact.
TEST(Events, AreLocatedWithinTheStep) {
  for (const double h : {1e-3, 7e-4, 1e-4}) {
    World world;
    testing::bouncing_ball(world, .007);
    asperity::Run run(world, {.duration = 700 * h < .5 ? 7000 * h : 700 * h, .step = h});
    ASSERT_TRUE(run.go());
    ASSERT_GE(run.events().size(), 1u);
    EXPECT_NEAR(run.events()[0].time, std::sqrt(2 / 9.8), 1e-6) << "step " << h;
  }
}

// xiong2013 Fig. 3.4: break-away at 1.0001 s, stop at 2.33409 s. The force jumps at 2 s: of first order there.
TEST(Events, OfABlockHeldByFriction) {
  for (const double h : {1e-3, 5e-5}) {
    World world;
    testing::held_by_friction(world);
    asperity::Run run(world, {.duration = 2.4, .step = h});
    ASSERT_TRUE(run.go());
    ASSERT_GE(run.events().size(), 2u);
    EXPECT_EQ(run.events()[0].kind, Kind::slip);
    EXPECT_NEAR(run.events()[0].time, 1.0001, 1e-5);
    EXPECT_EQ(run.events()[1].kind, Kind::stick);
    EXPECT_NEAR(run.events()[1].time, 2.33409, .5 * h);
  }
}

// Coulomb-damped oscillator: stands still every half period, for good after the fifth.
TEST(Events, OfACoulombDampedOscillator) {
  const double half = std::numbers::pi / 10;
  World world;
  const auto mass = world.add("mass", PointMass<double>{1.0}, {.053, 0});
  world.add("floor", coulomb(.5, 1e6, 2e-4), Line<double>{}, mass, ground);
  Spring<> spring;
  spring.K = 100;
  world.add("spring", spring, Line<double>{}, mass, ground);
  asperity::Run run(world, {.duration = 3, .step = 1e-4});
  ASSERT_TRUE(run.go());
  // From half period to half period the asperity has to swing over, by 2F/K: less than 0.3 ms.
  std::vector<double> sticks;
  for (const double t : times(run, Kind::stick, "floor"))
    if (sticks.empty() || t - sticks.back() > half / 2) sticks.push_back(t);
  if (!sticks.empty() && sticks[0] < half / 2) sticks.erase(sticks.begin());  // at the start, if at all
  ASSERT_EQ(sticks.size(), 5u);
  for (std::size_t n = 0; n < 5; ++n) EXPECT_NEAR(sticks[n], double(n + 1) * half, 3e-4 * double(n + 1));
  // The last swing, from -F to the load of 0.3 N, overshoots and slips once more within the period 2 pi sqrt(M/K) of the asperity.
  EXPECT_LT(times(run, Kind::slip, "floor").back(), sticks.back() + 6.3e-3);
  EXPECT_EQ(run.value("floor.slipping"), 0);
}

// Held: however it is shaken below the limit, it never slips, and no event says so.
TEST(Events, NoneWhileHeld) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("floor", coulomb(.5, 1e5, 2e-3), Line<double>{}, block, ground);
  world.push(block, 0, [](double t) { return .25 * std::min(1.0, t) + .2 * std::sin(30 * t) * std::min(1.0, t); });
  asperity::Run run(world, {.duration = 10, .step = 1e-3});
  ASSERT_TRUE(run.go());
  EXPECT_EQ(run.event_count(), 0u);
}
// And at rest under no load at all: velocities of rounding size are no slip.
TEST(Events, NoneAtRest) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0}, {0, 1});
  world.add("floor", coulomb(.5, 1e5, 4e-4), Line<double>{}, block, ground);
  asperity::Run run(world, {.duration = 20, .step = 2e-4});
  ASSERT_TRUE(run.go());
  ASSERT_EQ(run.event_count(), 1u);
  EXPECT_EQ(run.events()[0].kind, Kind::stick);
  EXPECT_NEAR(run.events()[0].time, 2, 2e-5);  // M v0/F
}

// A contact with friction: touches and slips at once, sticks, lets go; slipping never ends with a stick because it let go.
TEST(Events, OfAFrictionalContact) {
  World world;
  testing::conveyor(world);
  asperity::Run run(world, {.duration = .4, .step = 2e-5});
  ASSERT_TRUE(run.go());
  EXPECT_NEAR(times(run, Kind::touch, "between").at(0), .142857, 2e-5);
  for (const char* name : {"wall", "between", "conveyor"}) {
    bool touching = false, slipping = false;
    for (const Event& event : run.events()) {
      if (event.element != name) continue;
      // Each follows only on a state that allows it.
      EXPECT_EQ(touching, event.kind != Kind::touch);
      if (event.kind == Kind::slip || event.kind == Kind::stick) {
        EXPECT_EQ(slipping, event.kind == Kind::stick);
      }
      touching = event.kind != Kind::release;
      slipping = event.kind == Kind::slip;
    }
    EXPECT_EQ(run.value(std::string(name) + ".touching"), touching);
    EXPECT_EQ(run.value(std::string(name) + ".slipping"), slipping);
  }
  EXPECT_TRUE(std::is_sorted(run.events().begin(), run.events().end(), [](auto& a, auto& b) { return a.time < b.time; }));
}

// However many there are, memory does not grow beyond the limit.
TEST(Events, AreCountedBeyondTheLimit) {
  World world;
  testing::bouncing_ball(world, .007);
  asperity::Run run(world, {.duration = 2, .step = 1e-4, .most_events = 3});
  ASSERT_TRUE(run.go());
  EXPECT_EQ(run.events().size(), 3u);
  EXPECT_EQ(run.event_count(), 6u);
}

// --- with every method -----------------------------------------------------------------------------------------------------

class EventsOf : public ::testing::TestWithParam<std::string> {
 public:
  bool euler() const { return first_order() && GetParam() != "rk4-lookahead"; }
  bool first_order() const { return testing::is_first_order(GetParam()); }
  bool straight() const { return GetParam().starts_with("implicit"); }  // velocities between the ends of a step
  static constexpr double h = 5e-5;
  RunOptions options(double duration) const {
    return {.duration = duration, .step = h, .method = GetParam(), .rtol = 1e-8, .atol = 1e-11, .max_step = 1e-2};
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, EventsOf, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

// xiong2013 Fig. 3.6: touches at sqrt(2 h/g) with sqrt(2 g h), which Euler finds half a step late and half a step of gravity off;
// lets go with .87992 of the speed, of which first-order methods miss the damping of a struck spring K beta/alpha over h/2, for the
// time of the contact.
TEST_P(EventsOf, TouchAndRelease) {
  World world;
  testing::bouncing_ball(world, .007);
  asperity::Run run(world, options(.7));
  ASSERT_TRUE(run.go());
  ASSERT_EQ(run.events().size(), 2u);
  EXPECT_EQ(run.events()[0].kind, Kind::touch);
  EXPECT_EQ(run.events()[1].kind, Kind::release);
  ASSERT_EQ(run.impacts().size(), 1u);
  const Impact& impact = run.impacts()[0];
  const double contact = impact.release - impact.touch;
  EXPECT_NEAR(impact.touch, std::sqrt(2 / 9.8), euler() ? .6 * h : 1e-7);
  // On a straight line the push of the contact, K beta/alpha v h at the end of the step, is seen from its start: half of it, at
  // most.
  const double seen = straight() ? 1e5 / .7 * std::sqrt(2 * 9.8) * h * h / 2 : 1e-5;
  EXPECT_NEAR(impact.impact_speed, std::sqrt(2 * 9.8), (euler() ? 9.8 * h : 0) + seen);
  EXPECT_NEAR(impact.restitution(), .87992, first_order() ? 1e5 / .7 * h / 2 * contact : 2e-5);
}

// A block that slides stops after M v0/F; a law of many asperities with a constant limit does so, too: all of them have slipped.
TEST_P(EventsOf, Stick) {
  Multistate<double, 3> many;
  many.F_s = many.F_c = .5;
  many.kappa = {2e4, 2e4, 1e4};
  many.sigma = {40, 40, 20};
  many.lambda = {.2, .3, .5};
  const auto expect_stick = [&](const auto& law) {
    World world;
    const auto block = world.add("block", PointMass<double>{1.0}, {0, .1});
    world.add("floor", law, between(block, ground));
    asperity::Run run(world, options(.4));
    EXPECT_EQ(run.value("floor.slipping"), 1);
    ASSERT_TRUE(run.go());
    ASSERT_EQ(run.events().size(), 1u) << law.about.name;
    EXPECT_EQ(run.events()[0].kind, Kind::stick);
    EXPECT_NEAR(run.events()[0].time, .2, first_order() ? h : 1e-6) << law.about.name;
    EXPECT_EQ(run.value("floor.slipping"), 0);
  };
  expect_stick(coulomb(.5, 5e4, 2e-3));
  expect_stick(many);
}

// xiong2013 Fig. 3.4: break-away at 1.0001 s under 0.5 t.
TEST_P(EventsOf, Slip) {
  World world;
  testing::held_by_friction(world);
  asperity::Run run(world, options(1.2));
  ASSERT_TRUE(run.go());
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0].kind, Kind::slip);
  EXPECT_NEAR(run.events()[0].time, 1.0001, 1e-5 + (first_order() ? h : 0));
}
// Many asperities slip one after the other, at loads sum_j min(lambda_j F, kappa_j d): only when the last one does is it a slip, at
// F. The block oscillates at each yield by v sqrt(K M) = 0.4 mN, which the load, 0.5 N/s, takes 1 ms for.
TEST_P(EventsOf, SlipOfManyAsperities) {
  Multistate<double, 3> many;
  many.F_s = many.F_c = .5;
  many.kappa = {2e4, 2e4, 1e4};
  many.sigma = {100, 100, 50};
  many.lambda = {.2, .3, .5};
  World world;
  const auto block = world.add("block", PointMass<double>{.01});
  world.add("floor", many, between(block, ground));
  world.push(block, 0, [](double t) { return .5 * t; });
  asperity::Run run(world, options(1.2));
  ASSERT_TRUE(run.go());
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0].kind, Kind::slip);
  EXPECT_NEAR(run.events()[0].time, 1, 1e-3);
}
// In a contact, in the plane, under its own weight: slides to a stop after v0/(mu g).
TEST_P(EventsOf, StickOfAContact) {
  const double mu = .5, g = 9.8, K = 1e5;
  FrictionalContact<LinearCompliance<double>, Multistate<double, 2, 2>> law;
  law.normal.K = K;
  law.tangential.F_s = law.tangential.F_c = mu;
  law.tangential.kappa = {5e4, 5e4};
  law.tangential.sigma = {100, 100};
  law.tangential.lambda = {.4, .6};
  World world;
  const auto block = world.add("block", PointMass<double, 2>{1.0, {{0, -g}}}, {{{0, -g / K}}, {{.5, 0}}});
  world.add("floor", law, PointPlane<double, 2>{}, block, ground);
  RunOptions how = options(.15);
  how.preload = true;
  asperity::Run run(world, how);
  ASSERT_TRUE(run.go());
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0].kind, Kind::stick);
  EXPECT_NEAR(run.events()[0].time, .5 / (mu * g), first_order() ? h : 1e-5);
}

}  // namespace
}  // namespace asperity::events_test
