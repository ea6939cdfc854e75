// A run is right within what it says, or it says so: verdicts against closed forms of what a method does to a motion.
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "asperity/laws.hpp"
#include "asperity/run/verify.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"

namespace asperity::trust_test {
namespace {

using testing::coulomb;
using Kind = Finding::Kind;

const Finding* find(const std::vector<Finding>& list, Kind kind) {
  for (const Finding& finding : list)
    if (finding.kind == kind) return &finding;
  return nullptr;
}

/// What a method makes of x' = i w x in one step, z = i w h: its stability function.
double growth(const std::string& method, double wh) {
  const std::complex<double> z(0, wh), one = 1;
  if (method == "rk4") return std::abs(one + z + z * z / 2. + z * z * z / 6. + z * z * z * z / 24.);
  if (method == "euler" || method == "step") return std::abs(one + z);  // a spring has no state to look ahead
  if (method == "implicit") return 1 / std::abs(one - z);
  if (method == "implicit2") {
    const double g = 1 - std::sqrt(.5);
    return std::abs((one + (1 - 2 * g) * z) / ((one - g * z) * (one - g * z)));
  }
  return 0;
}

class Trust : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Trust, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

// A mass on a lossless spring has after n steps |R|^2n of its energy: what the method lost is told to a few percent, noted from 0.1
// % on, and a failure from 5 % on.
TEST_P(Trust, TellsWhatAMethodDoesToALosslessSpring) {
  const std::string& method = GetParam();
  if (growth(method, .1) == 0) GTEST_SKIP() << "no closed form for " << method;
  for (const double wh : {.7, .3, .1, .03, .01, .003}) {
    const double K = 1e4, w = 100, h = wh / w;
    const int steps = 400;
    World world;
    Spring<> spring;
    spring.K = K;
    world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}, {.1, 0}), ground));
    asperity::Run run(world, {.duration = steps * h, .step = h, .method = method});
    ASSERT_TRUE(run.go());
    const double start = .5 * K * .01, end = start * std::pow(growth(method, wh), 2 * steps), lost = start - end;
    const double share = std::abs(lost) / std::max(start, end);
    EXPECT_NEAR(run.energy().closing_error, lost, .05 * std::abs(lost) + 1e-9 * start) << wh;
    const std::vector<Finding> found = run.findings();
    const Finding* energy = find(found, Kind::energy);
    EXPECT_NEAR(run.energy().dissipated, 0, 1e-3 * start + .05 * std::abs(lost)) << wh << ": the spring has no damping";
    if (share > 1.2e-3) {
      ASSERT_TRUE(energy) << wh;
      // The largest energy is the kinetic or the stored one at an audit, which may miss their peaks.
      EXPECT_GT(energy->value, .9 * share) << wh;
      EXPECT_LT(energy->value, 1.7 * share) << wh;
    } else if (share < .8e-3) {
      EXPECT_FALSE(energy) << wh << ": " << energy->text;
    }
    if (share > .06) {
      EXPECT_EQ(run.verdict(), Verdict::failed) << wh;
    }
  }
}

// The user may say that the energy does not matter: then it is only a note.
TEST(TrustOf, EnergyThatIsIgnoredIsNoted) {
  for (const bool judged : {true, false}) {
    World world;
    Spring<> spring;
    spring.K = 5e5;
    world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}, {.1, 0}), ground));
    asperity::Run run(world, {.duration = 1, .step = 1e-3, .judge_energy = judged});
    ASSERT_TRUE(run.go());
    const std::vector<Finding> found = run.findings();
    const Finding* energy = find(found, Kind::energy);
    ASSERT_TRUE(energy);
    EXPECT_EQ(energy->severity, judged ? Finding::Severity::failure : Finding::Severity::note);
    EXPECT_GT(energy->value, .05);
  }
}

// What stands still is never accused: held by friction under a steady load, laid on a floor, pinched.
TEST_P(Trust, DoesNotAccuseWhatStandsStill) {
  const std::string& method = GetParam();
  for (const double K : {1e4, 1e6}) {
    const double h = std::min(1e-3, .3 / std::sqrt(K));
    World world;
    const auto block = world.add("block", PointMass<double>{1.0}, {3.0, 0});
    world.add("floor", coulomb(1.0, K, 2 * h), between(block, ground));
    world.push(block, 0, [](double) { return .6; });
    const auto ball = world.add("ball", PointMass<double>{2.0, -9.8}, {0, 0});
    LinearCompliance<> contact;
    contact.K = K;
    contact.beta = 4 * h;
    contact.alpha = 2 * h;
    world.add("ground", contact, between(ball, ground));
    asperity::Run run(world, {.duration = 2000 * h, .step = h, .method = method, .preload = true});
    ASSERT_TRUE(run.go());
    EXPECT_NEAR(run.value("block.position"), 3.0, 1e-6);
    EXPECT_EQ(run.verdict(), Verdict::fine) << K << ": " << run.findings().front().text;
  }
}

// A free body that spins about its middle axis: with steps that turn it by a third of a radian every explicit method changes its
// energy, which no torque does.
TEST_P(Trust, TellsWhatAMethodDoesToASpinningBody) {
  const std::string& method = GetParam();
  World world;
  Frame<double> start;
  start.w = {{10, 1000, 10}};
  const auto body = RigidBody<double>::of(1, inertia::box(1, .1, .2, .4));
  world.add("body", body, start);
  asperity::Run run(world, {.duration = .2, .step = 1e-3, .method = method});
  const bool arrived = run.go();
  const double before = body.kinetic(start), after = run.energy().kinetic;
  const double share = std::abs(after - before) / std::max(before, after);
  if (!arrived || share > .06) {
    EXPECT_EQ(run.verdict(), Verdict::failed) << share;
  } else if (share > 1.5e-3) {
    EXPECT_NE(run.verdict(), Verdict::fine) << share;
  }
  if (method == "rk4" || method == "euler") {
    EXPECT_EQ(run.verdict(), Verdict::failed);
  }
}

// A ball on a floor that it strikes with too long a step comes back faster or slower than sqrt(e^2) says: restitution of the linear
// compliance with alpha = beta is 1, so that no energy may be lost.
TEST_P(Trust, TellsABounceThatIsNotResolved) {
  const std::string& method = GetParam();
  for (const double h : {1e-2, 3e-3, 1e-3, 1e-5}) {
    World world;
    const auto ball = world.add("ball", PointMass<double>{1.0, -9.8}, {1.0, 0});
    LinearCompliance<> law;
    law.K = 1e5;
    law.alpha = law.beta = .01;
    world.add("floor", law, between(ball, ground));
    asperity::Run run(world, {.duration = .9, .step = h, .method = method});
    const bool arrived = run.go();
    const double energy = run.energy().kinetic + run.energy().potential + run.energy().stored;
    const double share = std::abs(energy - 9.8) / std::max(energy, 9.8);
    if (!arrived || share > .06) {
      EXPECT_EQ(run.verdict(), Verdict::failed) << h << " " << share;
    } else if (share > .012) {
      EXPECT_NE(run.verdict(), Verdict::fine) << h << " " << share;
    } else if (share > 2e-3) {
      EXPECT_FALSE(run.findings().empty()) << h << " " << share;
    } else if (share < 1e-4 && h == 1e-5) {
      EXPECT_EQ(run.verdict(), Verdict::fine) << h << ": " << run.findings().front().text;
    }
  }
}

// `implicit` slides a block too far by v0 h/2, as a share of v0^2/(2 F/M): that is what it says it damped.
TEST(TrustOf, NumericalDampingIsTheErrorOfASlide) {
  const double F = 1, M = 1, v0 = 2, h = 1e-2;
  World world;
  world.add("floor", coulomb(F, 1e6, 1e-3), between(world.add("block", PointMass<double>{M}, {0, v0}), ground));
  asperity::Run run(world, {.duration = 3, .step = h, .method = "implicit"});
  ASSERT_TRUE(run.go());
  const double energy = M * v0 * v0 / 2, way = energy / F;
  EXPECT_NEAR(run.value("block.position"), way - v0 * h / 2, 1e-3 * way);
  EXPECT_NEAR(run.energy().closing_error, F * v0 * h / 2, .1 * F * v0 * h / 2);
  EXPECT_NEAR(run.energy().dissipated, F * (way - v0 * h / 2), 1e-3 * energy);
}

// Steps that are too long for the motion of an equation that keeps no account: what is checked is the local error.
TEST_P(Trust, TellsLocalErrorsOfAPendulum) {
  const std::string& method = GetParam();
  const auto run_with = [&](double h) {
    auto world = std::make_unique<World>();
    Spring<> spring;
    spring.K = 100;
    world->add("spring", spring, between(world->add("mass", PointMass<double>{1.0}, {.1, 0}), ground));
    auto run =
        std::make_unique<asperity::Run>(*world, RunOptions{.duration = 4, .step = h, .method = method, .judge_energy = false});
    EXPECT_TRUE(run->go());
    return std::pair(std::move(world), std::move(run));
  };
  const auto [world, run] = run_with(.1);
  if (testing::is_adaptive(method)) return;  // chooses its own steps
  const double off = std::abs(run->value("mass.position") - .1 * std::cos(40.)) / .1;
  const std::vector<Finding> found = run->findings();
  ASSERT_TRUE(find(found, Kind::error)) << method;
  EXPECT_GT(find(found, Kind::error)->value, .2 * std::min(off, 1.));
}

// A push that starts and ends between two steps: the momentum that a fixed step makes of it depends on where. What is off by more
// than 2 % is told, wherever it is, and whatever the length of the push.
TEST_P(Trust, TellsAPushWhoseEdgesAreBetweenTheSteps) {
  const std::string& method = GetParam();
  const double h = 1e-2;
  for (const double steps : {2.3, 5.5, 9.5, 30.4}) {
    for (const double phase : {0., .1, .3, .5, .7, .9}) {
      const double from = (20 + phase) * h, to = from + steps * h;
      World world;
      const auto mass = world.add("mass", PointMass<double>{2.0}, {0, 0});
      world.push(mass, 0, [=](double t) { return t > from && t < to ? 3. : 0.; });
      asperity::Run run(world, {.duration = 1, .step = h, .method = method});
      ASSERT_TRUE(run.go());
      const double v = 3. / 2 * (to - from), off = std::abs(run.value("mass.velocity") / v - 1);
      if (off > .02) {
        EXPECT_NE(run.verdict(), Verdict::fine) << steps << " steps from " << phase << ": off by " << off;
      }
      if (off < 1e-6) {
        EXPECT_EQ(run.verdict(), Verdict::fine) << steps << " steps from " << phase << ": " << run.findings().front().text;
      }
    }
  }
}

// Damping forgets: local errors that add up to much are no error of a motion that is pulled back to its course all the time, here
// x'' + 2 d w x' + w^2 x = w^2 sin(t), with d = 1, long after its start.
TEST_P(Trust, ADampedMotionIsNotAccusedOfErrorsThatItForgot) {
  const std::string& method = GetParam();
  for (const double h : {1e-3, 5e-4}) {
    const double w = 40;
    World world;
    const auto mass = world.add("mass", PointMass<double>{1.0}, {0, 0});
    Spring<> spring;
    spring.K = w * w;
    spring.B = 2 * w;
    world.add("spring", spring, between(mass, ground));
    world.push(mass, 0, [=](double t) { return w * w * std::sin(t); });
    asperity::Run run(world, {.duration = 40, .step = h, .method = method});
    ASSERT_TRUE(run.go());
    const std::complex<double> i(0, 1), gain = w * w / (w * w - 1 + 2. * w * i);
    EXPECT_NEAR(run.value("mass.position"), (gain * std::exp(40. * i)).imag(), 5e-3);
    const std::vector<Finding> found = run.findings();
    EXPECT_FALSE(find(found, Kind::error)) << method << ": " << find(found, Kind::error)->text;
  }
}

// Energy that a method of order 1 loses is named; where it is less than 1 %, and half the step gives the same motion, it does not
// make the numbers doubtful. The motion is x = x0 exp(-d w t) cos(...).
TEST_P(Trust, ALittleEnergyIsARemarkIfTheMotionIsRight) {
  const std::string& method = GetParam();
  const double w = 10, d = .5, h = 5e-4;
  World world;
  const auto mass = world.add("mass", PointMass<double>{1.0}, {.1, 0});
  Spring<> spring;
  spring.K = w * w;
  spring.B = 2 * d * w;
  world.add("spring", spring, between(mass, ground));
  asperity::Run run(world, {.duration = 1, .step = h, .method = method});
  ASSERT_TRUE(run.go());
  EXPECT_EQ(run.verdict(), Verdict::fine) << run.findings().front().text;
  const double lost = std::abs(run.energy().closing_error) / (.5 * w * w * .01);
  const std::vector<Finding> found = run.findings();
  if (lost > 1.2e-3) {
    ASSERT_TRUE(find(found, Kind::energy)) << lost;
    EXPECT_EQ(find(found, Kind::energy)->severity, Finding::Severity::remark);
  }
}

// A loose tolerance on a motion that multiplies its errors: a pencil that falls over from .1 mrad, x = x0 cosh(w t) at first. What
// is off by more than a hundred tolerances is told.
TEST_P(Trust, TellsALooseToleranceThatAMotionMultiplies) {
  const std::string& method = GetParam();
  if (!testing::is_adaptive(method)) GTEST_SKIP() << "has no tolerance";
  for (const double rtol : {1e-2, 1e-3, 1e-4, 1e-5}) {
    World world;
    Spring<> spring;
    spring.K = -100;
    world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}, {1e-4, 0}), ground));
    asperity::Run run(world, {.duration = 1, .step = 1e-3, .method = method, .rtol = rtol, .atol = 1e-3 * rtol});
    const bool arrived = run.go();
    const double right = 1e-4 * std::cosh(10.), off = std::abs(run.value("mass.position") / right - 1);
    if (off > .02 && off > 100 * rtol) {
      EXPECT_TRUE(!arrived || run.verdict() != Verdict::fine) << method << ", rtol " << rtol << ": off by " << off;
    }
  }
}

// Implicit steps that are too long for what grows would come to rest where nothing rests: x = x0 cosh(10 t), of one mass or of two
// that move together (two modes that grow leave the determinant of a step positive).
TEST_P(Trust, DoesNotRestWhereNothingRests) {
  for (const int masses : {1, 2})
    for (const double h : {1e-3, 1e-2, .1, 1., 10.}) {
      World world;
      Spring<> away;
      away.K = -100;
      std::vector<BodyId> bodies;
      for (int i = 0; i < masses; ++i) {
        const std::string number = std::to_string(i);
        bodies.push_back(world.add("mass" + number, PointMass<double>{1.0}, {1e-4, 0}));
        world.add("spring" + number, away, between(bodies.back(), ground));
      }
      if (masses == 2) world.add("link", away, between(bodies[0], bodies[1]));
      const double duration = std::max(1., 3 * h);
      asperity::Run run(world, {.duration = duration, .step = h, .method = GetParam()});
      const bool arrived = run.go();
      const double right = 1e-4 * std::cosh(10 * duration);
      EXPECT_TRUE(!arrived || run.verdict() != Verdict::fine || std::abs(run.value("mass0.position") / right - 1) < .02)
          << masses << " masses, step " << h << ": " << run.value("mass0.position") << " m, right is " << right;
    }
}

// A double pendulum whose rods are far too heavy for the step: it hangs or falls, but does not climb to where both rods stand.
TEST_P(Trust, AnArmDoesNotClimb) {
  if (!is_implicit(GetParam())) GTEST_SKIP() << "has a bound on its step";
  for (const double h : {.1, .3, 1.}) {
    World world;
    world.add_arm("arm", {{3, 3000}, {.3, .5}}, {{0, -6}, {0, -.2}}, {0, -4.7e5});
    asperity::Run run(world, {.duration = 60 * h, .step = h, .method = GetParam()});
    const bool arrived = run.go();
    // Lengths 3 and 0.3 m below their joints is lowest; at the start both rods lie level.
    EXPECT_TRUE(!arrived || run.verdict() != Verdict::fine || run.energy().potential < 1e6)
        << "step " << h << ": raised by " << run.energy().potential << " J";
  }
}

// A deflection far below atol is not resolved: the energy that atol would hold in so stiff an element excuses nothing. A block of
// 1 kg at 1 m/s under 2 N stands still after 0.25 m.
TEST_P(Trust, AnUnresolvedDeflectionIsNoExcuse) {
  if (!testing::is_adaptive(GetParam())) GTEST_SKIP() << "has no tolerance";
  for (const double K : {1e12, 1e20, 1e30, 1e100, 1e177}) {
    World world;
    LuGre<> lugre;
    lugre.F_c = lugre.F_s = 2;
    lugre.K = K;
    world.add("floor", lugre, between(world.add("mass", PointMass<double>{1.0}, {0, 1}), ground));
    asperity::Run run(world, {.duration = 1, .step = 1e-3, .method = GetParam()});
    const bool arrived = run.go();
    EXPECT_TRUE(!arrived || run.verdict() != Verdict::fine || std::abs(run.value("mass.position") - .25) < .005)
        << "K = " << K << ": " << run.value("mass.position") << " m";
  }
}

// Two balls, one of which is pushed to 400 m/s while they are far apart, so that no check before the run can know: with a fixed
// step they pass through each other between two steps, and that is a failure. Head on and lossless, the other leaves with the
// speed.
TEST_P(Trust, TellsBodiesThatPassThroughEachOther) {
  for (const double radius : {.005, .02, .06}) {
    World world;
    const auto ball = RigidBody<double>::of(1, {1e-4, 1e-4, 1e-4, 0, 0, 0});
    const BodyId a = world.add("a", ball, {{{-100.09, 0, 0}}}), b = world.add("b", ball, {});
    FrictionalContact<Hertz<double>, SingleState<double, 3>> law;
    law.normal.K = 1e12;
    world.add("c", law, BallBall<double>{radius, radius}, a, b);
    world.push(a, 0, [](double t) { return t < .1 ? 4000. : 0.; });
    asperity::Run run(world, {.duration = .5, .step = 1e-3, .method = GetParam()});
    const bool arrived = run.go();
    const double speed = run.value("b.velocity.x");
    EXPECT_TRUE(!arrived || run.verdict() == Verdict::failed || std::abs(speed / 400 - 1) < .02)
        << "radius " << radius << ": " << speed << " m/s";
    if (arrived && speed == 0) {
      EXPECT_NE(find(run.findings(), Kind::missed), nullptr) << "radius " << radius;
    }
  }
}

// A ball of radius r at rest on another is pressed by a force that comes late: half of it goes to the other's mass, so the contact
// of stiffness K d^1/2 d is compressed until 2/5 K d^5/2 = P/2 d. From half the way to the centres on it is named, and from all the
// way on the run has failed: they passed through each other.
TEST_P(Trust, TellsAContactThatIsTooSoft) {
  const double r = .05, K = 1e5;
  for (const double share : {.2, .4, .7, 1.5, 6.}) {
    World world;
    const auto ball = RigidBody<double>::of(1, {1e-3, 1e-3, 1e-3, 0, 0, 0});
    const BodyId a = world.add("a", ball, {{{-2 * r, 0, 0}}}), b = world.add("b", ball, {});
    FrictionalContact<Hertz<double>, SingleState<double, 3>> law;
    law.normal.K = K;
    world.add("c", law, BallBall<double>{r, r}, a, b);
    const double P = 4. / 5 * K * std::pow(share * 2 * r, 1.5);
    world.push(a, 0, [=](double t) { return t < .01 ? 0. : P; });
    asperity::Run run(world, {.duration = .06, .step = 5e-5, .method = GetParam()});
    ASSERT_TRUE(run.go()) << share << run.failure()->text;
    const auto found = run.findings();
    const Finding* deep = find(found, Kind::depth);
    if (share < .5) {
      EXPECT_EQ(deep, nullptr) << share << ": " << deep->text;
      continue;
    }
    ASSERT_NE(deep, nullptr) << share;
    EXPECT_EQ(deep->severity, share < 1 ? Finding::Severity::note : Finding::Severity::failure) << deep->text;
    EXPECT_EQ(deep->component, "c");
    // Pushed on through the centre the ball is not thrown back.
    if (share < 1) EXPECT_NEAR(deep->value, share * 2 * r, .05 * share * 2 * r);
    else EXPECT_GE(deep->value, 2 * r * .99);
  }
}

// Balls that touch without a load, and are pressed together all at once: the first step after that must not carry one through the
// other. Hertz's law gives all of the momentum on; afterwards both move as one pushes the other, or the run has failed.
TEST_P(Trust, FeelsALoadOnBallsThatOnlyTouch) {
  const bool adaptive = is_adaptive(GetParam());  // the others take too many steps for more than one of each
  const double duration = adaptive ? .06 : .012;
  for (const double P : adaptive ? std::vector{.1, 10., 1e3, 1e5, 1e7} : std::vector{1e3})
    for (const double start : adaptive ? std::vector{0., .003, .01} : std::vector{.01}) {
      World world;
      const auto ball = RigidBody<double>::of(1, {1e-3, 1e-3, 1e-3, 0, 0, 0});
      const BodyId a = world.add("a", ball, {{{-.1, 0, 0}}}), b = world.add("b", ball, {});
      FrictionalContact<Hertz<double>, SingleState<double, 3>> law;
      law.normal.K = 1e10;
      world.add("c", law, BallBall<double>{.05, .05}, a, b);
      world.push(a, 0, [=](double t) { return t < start ? 0. : P; });
      asperity::Run run(world, {.duration = duration, .step = 2e-6, .method = GetParam()});
      const bool arrived = run.go();
      const double pushed = P * (duration - start), speed = run.value("b.velocity.x");
      EXPECT_NEAR(run.value("a.velocity.x") + speed, pushed, .01 * pushed);
      // The force between them is P/2 on average: b has half of the momentum, but for what the last swing of the contact holds.
      EXPECT_TRUE(!arrived || run.verdict() == Verdict::failed || std::abs(speed / (pushed / 2) - 1) < .1)
          << "P " << P << " from " << start << " s: " << speed << " m/s of " << pushed;
    }
}

// A ball that misses the floor's edge, here a wall beside it, falls g t^2/2. That is right, and worth a remark; on a floor it is
// none.
TEST_P(Trust, NamesWhatFallsPastEverything) {
  for (const bool floor : {false, true}) {
    World world;
    world.set_gravity({0, 0, -9.81});
    const auto ball = RigidBody<double>::of(1, {1e-3, 1e-3, 1e-3, 0, 0, 0});
    const BodyId a = world.add("a", ball, {{{0, 0, .05}}});
    FrictionalContact<Hertz<double>, SingleState<double, 3>> law;
    law.normal.K = 1e5;
    BallPlane<double> plane;
    plane.radius = .05;
    if (!floor) plane.normal = {{1, 0, 0}}, plane.offset = -.06;
    world.add("c", law, plane, a, ground);
    asperity::Run run(world, {.duration = 2, .step = 1e-4, .method = GetParam()});
    ASSERT_TRUE(run.go());
    const auto found = run.findings();
    const Finding* fall = find(found, Kind::fall);
    ASSERT_EQ(fall == nullptr, floor);
    if (floor) continue;
    EXPECT_NEAR(fall->value, 9.81 * 2, .01);
    EXPECT_EQ(fall->severity, Finding::Severity::remark);
    EXPECT_EQ(fall->component, "a");
    EXPECT_EQ(run.event_count(), 0U);
  }
}

// A law that keeps no account of what it stores has stored nothing once it is open: what it gave out beyond what it got, as a
// restitution above 1 shows, it made.
TEST_P(Trust, NamesAContactThatMakesEnergy) {
  for (const bool makes : {true, false}) {
    World world;
    const auto id = world.add("b", PointMass<double>{1.0}, {.1, -2});
    NonlinearCompliance<double> law;
    if (makes) law.gamma = 20, law.beta2 = 100, law.beta1 = 0;
    world.add("c", law, between(id, ground));
    asperity::Run run(world, {.duration = .5, .step = 2e-5, .method = GetParam()});
    ASSERT_TRUE(run.go());
    const double restitution = run.value("b.velocity") / 2;
    EXPECT_EQ(restitution > 1.01, makes) << restitution;
    const auto found = run.findings();
    const Finding* made = find(found, Kind::dissipation);
    ASSERT_EQ(made != nullptr, makes);
    if (makes) {
      EXPECT_NE(made->text.find("makes energy with these parameters"), std::string::npos) << made->text;
    }
  }
}

// Nothing but a prescribed body on a law with a state: no method has anything to solve for, but the state goes on. Moved by 4 um at
// 1 Hz on asperities that give way by 1 um, it slides with the full force when it passes the middle. Of its way
// of 16 A in 4 s it does not slide F/K at the start and 2 F/K after each of 8 turns.
TEST_P(Trust, APrescribedMotionMovesTheStates) {
  const double A = 4e-6, F = .1, K = 1e5, w = 2 * std::numbers::pi;
  World world;
  const auto stage = world.add_given<1>("stage", [=](double t) {
    return Port<double, 1>{A * std::sin(w * t), A * w * std::cos(w * t)};
  });
  world.add("floor", coulomb(F, K, 1e-2), between(stage, ground));
  asperity::Run run(world, {.duration = 4, .step = 1e-3, .method = GetParam()});
  ASSERT_TRUE(run.go());
  EXPECT_NEAR(run.value("floor.force"), F, 1e-9);
  EXPECT_NEAR(run.energy().dissipated, F * (16 * A - 17 * F / K), .05 * F * 16 * A);
  EXPECT_NE(run.verdict(), Verdict::failed);
}

// Half the step beside it: the digits that both agree in are right, here against x = .1 cos(10 t).
TEST_P(Trust, VerifiedDigitsAreRight) {
  const std::string& method = GetParam();
  for (const double h : {1e-2, 1e-3}) {
    World world, again;
    for (World* one : {&world, &again}) {
      Spring<> spring;
      spring.K = 100;
      one->add("spring", spring, between(one->add("mass", PointMass<double>{1.0}, {.1, 0}), ground));
    }
    RunOptions options{.duration = 1, .step = h, .method = method};
    options.record = {.columns = {"mass.position", "mass.velocity"}, .every = .1};
    const auto rows = std::make_shared<MemorySink>();
    const auto verify = std::make_shared<VerifyingSink>(rows, again, options);
    options.record.sink = verify;
    asperity::Run run(world, options);
    ASSERT_TRUE(run.go());
    const Verification found = verify->verification(run);
    ASSERT_EQ(found.columns.size(), 2u);
    const auto time = rows->column("time"), position = rows->column("mass.position");
    ASSERT_EQ(time.size(), 11u);
    double worst = 0;
    for (std::size_t i = 0; i < time.size(); ++i) worst = std::max(worst, std::abs(position[i] - .1 * std::cos(10 * time[i])));
    EXPECT_LE(found.columns[0].difference, 1.01 * worst + 1e-15) << h;
    EXPECT_GE(found.columns[0].difference, .4 * worst - 1e-9) << h << ": of first order half of the error";
    const int right = worst == 0 ? 15 : int(std::floor(-std::log10(worst / .1)));
    EXPECT_NEAR(found.columns[0].digits(), std::clamp(right, 0, 15), 1) << h;
    if (worst > .025) {
      EXPECT_FALSE(found.findings.empty()) << h;
    }
    if (worst < 1e-4) {
      EXPECT_TRUE(found.findings.empty()) << h;
    }
  }
}

// A run whose second one fails says so.
TEST(TrustOf, AVerificationThatFailsIsTold) {
  World world, again;
  world.add("mass", PointMass<double>{1.0}, {.1, 0});
  const auto mass = again.add("mass", PointMass<double>{1.0}, {.1, 0});
  again.push(mass, 0, [](double t) { return t > .5 ? std::nan("") : 0; });
  RunOptions options{.duration = 1, .step = 1e-2};
  options.record = {.columns = {"mass.position"}, .sink = nullptr};
  const auto verify = std::make_shared<VerifyingSink>(nullptr, again, options);
  options.record.sink = verify;
  asperity::Run run(world, options);
  ASSERT_TRUE(run.go());
  const Verification found = verify->verification(run);
  ASSERT_FALSE(found.findings.empty());
  EXPECT_EQ(found.findings[0].severity, Finding::Severity::failure);
}

}  // namespace
}  // namespace asperity::trust_test
