// The energy account of implicit runs: by the forces that the method itself used. Every number is a closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/run/run.hpp"
#include "coulomb.hpp"

namespace asperity::energy_test {
namespace {

using testing::coulomb;
constexpr double g = 9.81;

class ImplicitEnergy : public ::testing::TestWithParam<std::string> {
 public:
  /// Runs to the end.
  std::unique_ptr<asperity::Run> run(World& world, double duration, double step) const {
    auto made = std::make_unique<asperity::Run>(world, RunOptions{.duration = duration, .step = step, .method = GetParam()});
    EXPECT_TRUE(made->go());
    return made;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ImplicitEnergy, ::testing::Values("implicit", "implicit2"),
                         [](const auto& method) { return method.param; });

// A swing loses 1/(1 + (omega h)^2) of its energy in a step of implicit Euler. That is the method's doing, and it is in the
// account.
TEST(ImplicitEnergyOf, ASwingIsThatOfTheMethod) {
  World world;
  Spring<> spring;
  spring.K = 100;
  world.add("spring", spring, between(world.add("mass", PointMass<double>{1.0}, {0.1, 0}), ground));
  asperity::Run run(world, {.duration = 1, .step = 1e-2, .method = "implicit"});
  ASSERT_TRUE(run.go());
  const EnergyAccount account = run.energy();
  const double before = .5, left = before * std::pow(1 + .01, -100);
  EXPECT_NEAR(account.kinetic + account.stored, left, 1e-12);
  EXPECT_NEAR(account.dissipated, 0, 1e-11) << "the spring has no damping";
  EXPECT_NEAR(account.closing_error, before - left, 1e-11);
}

// A block that slides to a stop has rubbed away its energy; one that is pushed all the while, that of the push, too.
TEST_P(ImplicitEnergy, OfABlockThatStops) {
  const double F = 3, v0 = 2, M = 2;
  for (const double K : {1e4, 1e9}) {
    World world;
    const auto block = world.add("block", PointMass<double>{M}, {0, v0});
    world.add("floor", coulomb(F, K, 1e-4), Line<double>{}, block, ground);
    world.push(block, 0, [](double t) { return std::sin(t); });
    const auto done = run(world, 5, 1e-2);
    const EnergyAccount account = done->energy();
    // Of one stage over dv it is M |dv|^2/2, a force times a step times a change of speed; of two it is of second order.
    EXPECT_NEAR(account.closing_error, GetParam() == "implicit" ? (F - .5) * v0 * 1e-2 / 2 : 0,
                GetParam() == "implicit" ? 4e-3 : 1e-3)
        << K;
    EXPECT_GE(account.closing_error, -1e-4) << K;
    EXPECT_NEAR(account.dissipated + account.closing_error + account.stored + account.kinetic, M * v0 * v0 / 2 + account.work_in,
                1e-12)
        << K;
    EXPECT_GT(account.work_in, .5);
    EXPECT_NE(done->verdict(), Verdict::failed);
  }
}

// A box of 1 kg falls by 0.1 m onto a floor, askew, and comes to rest: all that it had is dissipated, and the account closes.
TEST_P(ImplicitEnergy, OfABoxThatFalls) {
  for (const double step : {2e-3, 1e-2}) {
    const double side = .2, K = 1e7;
    World world;
    world.set_gravity({0, 0, -g});
    Frame<double> start;
    start.p[2] = side / 2 + .1;
    start.q.u[0] = .05;
    const auto box = world.add("box", RigidBody<double>::of(1, inertia::box(1, side, side, side)), start);
    FrictionalContact<LinearCompliance<>, SingleState<double, 3>> law;
    law.normal.K = law.tangential.K = K;
    law.normal.alpha = 1e-4;
    law.normal.beta = law.tangential.beta = 1e-3;
    law.tangential.F = .5;
    for (const auto& corner : box_on({}, side, side, side)) world.add("corner", law, corner, box, ground);
    world.set_gravity({0, 0, -g});
    const auto done = run(world, 2, step);
    const EnergyAccount account = done->energy();
    EXPECT_LE(account.kinetic, 1e-9);
    EXPECT_NEAR(account.dissipated + account.closing_error, g * .1, .05 * g * .1) << step;
    EXPECT_GE(account.dissipated, 0) << step;
    // One stage absorbs the impact by itself, and says so; two, subdivided, leave it to the law.
    if (GetParam() == "implicit") {
      EXPECT_EQ(done->verdict(), Verdict::failed) << step;
    } else {
      EXPECT_NEAR(account.closing_error, 0, .05 * g * .1) << step;
    }
  }
}

// A pad that shakes a block which it holds: what it brings in comes back.
TEST_P(ImplicitEnergy, OfAShakenPad) {
  const double w = 30, a = 1e-3;
  World world;
  const auto pad = world.add_given<1>("pad", [=](double t) {
    return Port<double, 1>{a * std::sin(w * t), a * w * std::cos(w * t)};
  });
  const auto block = world.add("block", PointMass<double>{1.0}, {0, a * w});
  world.add("grip", coulomb(50, 1e7, 1e-4), Line<double>{}, block, pad);
  const auto done = run(world, 2, 1e-3);
  const EnergyAccount account = done->energy();
  EXPECT_NEAR(account.closing_error, 0, GetParam() == "implicit" ? 1e-3 : 1e-6);
  EXPECT_NEAR(account.dissipated, 0, 1e-2 * 2 * w / 3.14 * a * a * w * w / 2) << "1 % of what goes to and fro";
}

// An elastic ball: what implicit2 loses in ten bounces is small, and it is said.
TEST(ImplicitEnergyOf, AnElasticBall) {
  World world;
  Hertz<> law;
  law.K = 1e8;
  world.add("floor", law, between(world.add("ball", PointMass<double>{1.0, -g}, {1.0, 0}), ground));
  asperity::Run run(world, {.duration = 9, .step = 1e-3, .method = "implicit2"});
  ASSERT_TRUE(run.go());
  const EnergyAccount account = run.energy();
  EXPECT_NEAR(account.dissipated, 0, 1e-6 * g) << "Hertz has no damping";
  EXPECT_GE(account.closing_error, 0);
  EXPECT_LE(account.closing_error, .02 * g);
  EXPECT_EQ(run.findings().empty(), account.closing_error <= 1e-3 * g);
}

// A free body that tumbles about its middle axis: `implicit` keeps its momentum and takes energy away in every step.
TEST(ImplicitEnergyOf, ATumblingBody) {
  for (const double h : {1e-3, 1e-2, .1}) {
    World world;
    const auto body = RigidBody<double>::of(1, inertia::box(1, .1, .2, .4));
    Frame<double> start;
    start.w = {{.1, 6, .1}};
    world.add("body", body, start);
    IntegratorOptions options;
    options.step = h;
    const auto integrator = make_integrator("implicit", world, options);
    integrator->start(0, world.start());
    const auto momentum = body.spin(start);
    double last = body.kinetic(start), grown = 0, turned = 0;
    integrator->advance(10, [&](double, std::span<const double> x) {
      const auto now = load<Frame<double>>(x.data(), {0, 1}, 0);
      const double kinetic = body.kinetic(now);
      grown = std::max(grown, kinetic - last);
      turned = std::max(turned, magnitude(body.spin(now) - momentum));
      last = kinetic;
    });
    EXPECT_LE(grown, 1e-15) << h;
    EXPECT_LE(turned, 1e-11 * magnitude(momentum)) << h;
    EXPECT_LT(last, body.kinetic(start)) << h;
    EXPECT_GE(last, dot(momentum, momentum) / 2 / body.inertia[0] * (1 - 1e-9)) << h << ": as low as its momentum lets it";
  }
}

// Where the account does not close, the run says so.
TEST_P(ImplicitEnergy, ThatIsMissingIsNamed) {
  World world;
  Frame<double> start;
  start.w = {{.1, 6, .1}};  // about the middle axis
  world.add("body", RigidBody<double>::of(1, inertia::box(1, .1, .2, .4)), start);
  const auto done = run(world, 10, GetParam() == "implicit" ? .1 : .4);
  const EnergyAccount account = done->energy();
  EXPECT_GT(std::abs(account.closing_error), .05 * account.kinetic);
  ASSERT_GE(done->findings().size(), 1u);
  EXPECT_EQ(done->findings()[0].kind, Finding::Kind::energy);
  EXPECT_EQ(done->verdict(), Verdict::failed);
  const auto fine = run(world, 1, GetParam() == "implicit" ? 4e-5 : 1e-4);
  EXPECT_EQ(fine->verdict(), Verdict::fine) << fine->findings()[0].text;
}

}  // namespace
}  // namespace asperity::energy_test
