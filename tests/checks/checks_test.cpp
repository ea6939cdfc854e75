// Set-up checks against closed forms, reference rules, and what a run really does on both sides of a limit.
#include "asperity/setup/checks.hpp"

#include <gtest/gtest.h>

#include "asperity/laws.hpp"
#include "asperity/rules/stability.hpp"
#include "asperity/system/hinge.hpp"
#include "system/run.hpp"

namespace asperity::checks_test {
namespace {

using Mass1 = PointMass<double, 1>;
using Kind = Warning::Kind;

std::vector<Warning> of_kind(const std::vector<Warning>& list, Kind kind) {
  std::vector<Warning> some;
  for (const Warning& warning : list)
    if (warning.kind == kind) some.push_back(warning);
  return some;
}

SingleState<double> friction(double F, double K, double beta) { return {F, K, beta}; }

// --- effective masses
// -----------------------------------------------------------------------------------------------------------------

double mass_of(World& world, const std::string& name) {
  const std::vector<double> x = world.start();
  const Network network(world, x);
  for (const auto& part : network.parts)
    if (part.name() == name) return part.mass;
  return 0;
}

TEST(EffectiveMass, BlocksInSeriesHaveTheReducedMass) {
  World world;
  const BodyId a = world.add("a", Mass1{2.0, 9.8}), b = world.add("b", Mass1{3.0, -1.0});
  world.add("between", friction(1, 1e4, 1e-3), Line<double>{}, a, b);
  world.add("floor", friction(1, 1e4, 1e-3), Line<double>{}, a, ground);
  EXPECT_NEAR(mass_of(world, "between"), 1.2, 1e-12);
  EXPECT_NEAR(mass_of(world, "floor"), 2.0, 1e-12);
}

TEST(EffectiveMass, ARollingSphereFeelsTwoSeventhsTangentially) {
  World world;
  const double M = 0.9, R = 0.3;
  auto body = RigidBody<double>::of(M, inertia::sphere(M, R));
  body.gravity = {{0, 0, -9.8}};
  Frame<double> at;
  at.p = {{1, 2, R}};
  at.q = {std::cos(0.3), {{0, std::sin(0.3), 0}}};
  at.w = {{1, -2, 3}};
  const BodyId ball = world.add("ball", body, at);
  BallPlane<double, true> plane;
  plane.radius = R;
  plane.normal = {{0.6, 0, 0.8}};
  FrictionalContact<LinearCompliance<double>, SingleState<double, 3>> contact;
  world.add("floor", contact, plane, ball, ground);
  EXPECT_NEAR(mass_of(world, "floor.normal"), M, 1e-11);
  EXPECT_NEAR(mass_of(world, "floor.tangential"), 2 * M / 7, 1e-11);
}

TEST(EffectiveMass, OfArmJoints) {
  const double m = 0.7, l = 0.5, J = m * l * l / 3;
  {
    World world;
    const BodyId arm = world.add_arm("arm", {{m, l}}, {{0.4, 1.5}}, {0, -9.8});
    world.add("joint", friction(1, 1e3, 1e-3), Line<double>{}, World::joint(arm, 1), ground);
    EXPECT_NEAR(mass_of(world, "joint"), J, 1e-12);
  }
  const double q2 = 0.9, c = std::cos(q2);
  World world;
  const BodyId arm = world.add_arm("arm", {{m, l}, {m, l}}, {{0.4, 1.5}, {q2, -2.0}}, {0, -9.8});
  world.add("one", friction(1, 1e3, 1e-3), Line<double>{}, World::joint(arm, 1), ground);
  world.add("two", friction(1, 1e3, 1e-3), Line<double>{}, World::joint(arm, 2), ground);
  // H = m l^2 [5/3 + c, 1/3 + c/2; ., 1/3]: a joint alone feels det H over the other diagonal entry.
  const double h11 = m * l * l * (5.0 / 3 + c), h12 = m * l * l * (1.0 / 3 + c / 2), h22 = J;
  const double det = h11 * h22 - h12 * h12;
  EXPECT_NEAR(mass_of(world, "one"), det / h22, 1e-11);
  EXPECT_NEAR(mass_of(world, "two"), det / h11, 1e-11);
}

TEST(EffectiveMass, OfAMassThatRubs) {
  World world;
  FrictionMass<double> puck;
  puck.mass = 2;
  puck.F = 5;
  world.add("wall", LinearCompliance<double>{}, Line<double>{}, world.add("puck", puck), ground);
  EXPECT_NEAR(mass_of(world, "wall"), 2, 1e-6);
}

TEST(EffectiveMass, OfAHinge) {
  World world;
  const double M = 2, R = 0.1;
  const auto body = RigidBody<double>::of(M, inertia::sphere(M, R));
  Hinge<> hinge;
  hinge.anchor_a = {{0, 0.5, 0}};
  Frame<double> hanging;
  hanging.p = {{0, -0.5, 0}};  // the anchors meet
  world.add("pin", hinge, world.add("ball", body, hanging), ground);
  const double I = 0.4 * M * R * R;
  // Across the arm the anchor feels 1/(1/M + r^2/I), along it M; the smallest counts.
  EXPECT_NEAR(mass_of(world, "pin.anchor"), 1 / (1 / M + 0.25 / I), 1e-12);
  EXPECT_NEAR(mass_of(world, "pin.axis"), I, 1e-12);
  EXPECT_NEAR(mass_of(world, "pin.friction"), I, 1e-12);
}

double largest(World& world) {
  const std::vector<double> x = world.start();
  Network network(world, x);
  std::vector<double> K;
  for (const auto& part : network.parts) K.push_back(part.K);
  return network.largest(K);
}

TEST(LargestEigenvalue, TwoSpringsOnOneMass) {
  World world;
  const BodyId a = world.add("a", Mass1{2.0, 9.8});
  world.add("one", Spring<double>{300}, Line<double>{}, a, ground);
  world.add("two", friction(1, 500, 1e-3), Line<double>{}, a, ground);
  EXPECT_NEAR(largest(world), 400, 1e-7);
}

TEST(LargestEigenvalue, AChain) {
  // n equal masses between walls: 4 K/M sin^2(n pi/(2 (n + 1))).
  World world;
  const int n = 7;
  BodyId last = ground;
  for (int i = 0; i < n; ++i) {
    const BodyId next = world.add("m" + std::to_string(i), Mass1{0.5});
    world.add("s" + std::to_string(i), Spring<double>{200}, Line<double>{}, next, last);
    last = next;
  }
  world.add("end", Spring<double>{200}, Line<double>{}, ground, last);
  const double s = std::sin(n * std::acos(-1.0) / (2 * (n + 1)));
  EXPECT_NEAR(largest(world), 4 * 200 / 0.5 * s * s, 1e-4);
}

// --- rules
// ----------------------------------------------------------------------------------------------------------------------------

double smallest_mass(const Stiffness& part, double T, const std::string& method) {
  return design::smallest_mass(part, T, design::fixed_step(method).value());
}
double kappa_limit(double b, const std::string& method, double T = 1e-3) {
  const Stiffness part{.kind = Stiffness::Kind::asperity, .K = 1e4, .B = 1e4 * b * T};
  return part.K * T * T / smallest_mass(part, T, method);
}

TEST(Rules, StickingWithRungeKutta) {
  for (const auto& [b, kappa] : {std::pair{1.0, 4.345}, {1.5, 2.441}, {2.0, 1.697}, {5.0, .600}})
    EXPECT_NEAR(kappa_limit(b, "rk4"), kappa, 1e-3 * kappa) << b;
  // Between .36 and .75 the closed rule has one number for all, which has to be on the safe side and no further than it says.
  double lowest = 100;
  for (double b = 0.36; b < 0.75; b += 0.01) lowest = std::min(lowest, kappa_limit(b, "rk4"));
  EXPECT_GT(lowest, 6.84 * 0.999);
  EXPECT_LT(lowest, 6.84 * 1.02);
}
TEST(Rules, StickingWithEuler) {
  for (const double b : {1.0, 1.3, 2.0, 5.0}) EXPECT_NEAR(kappa_limit(b, "euler"), 2 / (b - 0.5), 1e-6) << b;
  EXPECT_EQ(kappa_limit(0.99, "euler"), 0);
}
TEST(Rules, StickingWithStep) {
  // The look-ahead adds the step to beta: Euler's rule for b + 1.
  for (const double b : {0.1, 1.0, 2.0}) EXPECT_NEAR(kappa_limit(b, "step"), 2 / (b + 0.5), 1e-6) << b;
}
TEST(Rules, StickingWithLookAhead) { EXPECT_NEAR(kappa_limit(1e-6, "rk4-lookahead"), 5.2, 0.05); }
TEST(Rules, TheUndampedSpring) {
  const Stiffness part{.kind = Stiffness::Kind::spring, .K = 1};
  EXPECT_NEAR(1 / smallest_mass(part, 1, "rk4"), 8, 1e-3);
}
TEST(Rules, ContactWithRungeKutta) {
  const double T = 1e-3;
  double lowest = 100;
  for (const double alpha : {0.36, 0.4, 0.5, 1.0, 2.0, 5.0, 20.0})
    for (const double r : {1.0, 1.3, 2.0, 5.0, 20.0}) {
      const Stiffness part{.kind = Stiffness::Kind::solid, .K = 1e4, .alpha = alpha * T, .beta = r * alpha * T};
      lowest = std::min(lowest, part.K * r * T * T / smallest_mass(part, T, "rk4"));
    }
  // The closed rule has one number for all of them.
  EXPECT_GT(lowest, 7.2);
  EXPECT_LT(lowest, 7.3);
  const Stiffness fast{.kind = Stiffness::Kind::solid, .K = 1e4, .alpha = 0.35 * T, .beta = T};
  EXPECT_EQ(smallest_mass(fast, T, "rk4"), std::numeric_limits<double>::infinity());
}

/// Mean square velocity of a stuck block in the last fifth of a run against the first one.
double survival(double K, double beta, double M, Method method, double T) {
  World world;
  const BodyId block = world.add("block", Mass1{M}, {0.0, 1e-6});
  world.add("floor", friction(1e3, K, beta), Line<double>{}, block, ground);
  double first = 0, last = 0;
  long k = 0;
  const long steps = 5000;
  testing::run(world, method, double(steps) * T, T, [&](double, const std::vector<double>& x) {
    if (++k <= steps / 5) first += x[1] * x[1];
    if (k > steps - steps / 5) last += x[1] * x[1];
  });
  return last / first;
}

TEST(Rules, ARunOnBothSidesOfTheLimit) {
  const double T = 1e-3;
  for (const double b : {0.4, 0.6, 0.8, 1.0, 2.0, 5.0})
    for (const double M : {0.22, 3.0})
      for (const auto& [method, name] : {std::pair{Method::rk4, "rk4"},
                                         {Method::rk4_lookahead, "rk4-lookahead"},
                                         {Method::euler, "euler"},
                                         {Method::step, "step"}}) {
        if (method == Method::euler && b <= 1) continue;
        const double K = kappa_limit(b, name) * M / (T * T);
        EXPECT_LT(survival(0.98 * K, b * T, M, method, T), 1e-3) << b << " " << name;
        EXPECT_GT(survival(1.02 * K, b * T, M, method, T), 1.0) << b << " " << name;
      }
}

TEST(Rules, ACoupledRunOnBothSidesOfTheLimit) {
  // Overdamped asperities of different damping on a chain: the weighted eigenvalue is exact.
  const double T = 1e-3;
  const auto build = [&](World& world, double scale) {
    const BodyId a = world.add("a", Mass1{1.0}, {0.0, 1e-6}), b = world.add("b", Mass1{0.3}, {0.0, -2e-6});
    world.add("one", friction(1e3, scale * 2e5, 2 * T), Line<double>{}, a, ground);
    world.add("two", friction(1e3, scale * 1e5, 4 * T), Line<double>{}, a, b);
    world.add("three", friction(1e3, scale * 1e5, 3 * T), Line<double>{}, b, ground);
  };
  World probe;
  build(probe, 1);
  const auto x = probe.start();
  Network network(probe, x);
  std::vector<double> needed;
  for (const auto& part : network.parts) needed.push_back(smallest_mass(part, T, "rk4"));
  const double together = network.largest(needed);
  double alone = 0;
  for (std::size_t p = 0; p < needed.size(); ++p) alone = std::max(alone, needed[p] / network.parts[p].mass);
  ASSERT_GT(together, 1.05 * alone);  // so that looking at each alone would not do
  for (const double beside : {0.98, 1.02}) {
    World world;
    build(world, beside / together);
    EXPECT_EQ(check(world, world.start(), {.step = T, .duration = 1}).empty(), beside < 1);
    double first = 0, last = 0;
    long k = 0;
    testing::run(world, Method::rk4, 5, T, [&](double, const std::vector<double>& y) {
      const double square = y[2] * y[2] + y[3] * y[3];
      if (++k <= 1000) first += square;
      if (k > 4000) last += square;
    });
    if (beside < 1) EXPECT_LT(last, 1e-3 * first);
    else EXPECT_GT(last, first);
  }
}

// --- warnings
// -------------------------------------------------------------------------------------------------------------------------

std::vector<Warning> block_check(const SingleState<double>& law, double M, const CheckOptions& options) {
  World world;
  world.add("floor", law, Line<double>{}, world.add("block", Mass1{M}), ground);
  return check(world, world.start(), options);
}

TEST(Warnings, NameTheElementTheNumberTheLimitAndTheCure) {
  const auto list = block_check(friction(1, 5e5, 2e-3), 0.22, {.step = 1e-3});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].text,
            "floor: step 1 ms is too long for K = 5e5 N/m on 0.22 kg: kappa 2.27 > 1.70; use step <= 0.70 ms or K <= 3.7e5 N/m");
  EXPECT_EQ(list[0].component, "floor");
  EXPECT_NEAR(list[0].value, 2.2727, 1e-4);
  EXPECT_NEAR(list[0].limit, 1.697, 1e-3);
  // The advice is good, and not timid.
  EXPECT_TRUE(block_check(friction(1, 5e5, 2e-3), 0.22, {.step = 0.70e-3}).empty());
  EXPECT_FALSE(block_check(friction(1, 5e5, 2e-3), 0.22, {.step = 0.71e-3}).empty());
  EXPECT_TRUE(block_check(friction(1, 3.7e5, 2e-3), 0.22, {.step = 1e-3}).empty());
  EXPECT_FALSE(block_check(friction(1, 3.8e5, 2e-3), 0.22, {.step = 1e-3}).empty());
  // An adaptive method finds its own step.
  EXPECT_TRUE(block_check(friction(1, 5e5, 2e-3), 0.22, {.step = 1e-3, .method = "dopri5"}).empty());
}

TEST(Warnings, SayTheSameOnce) {
  World world;
  for (const char* name : {"one", "two", "three"})
    world.add(name, friction(1, 5e5, 2e-3), Line<double>{}, world.add("block", Mass1{0.22}), ground);
  const auto list = check(world, world.start(), {.step = 1e-3});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].component, "one");
  EXPECT_EQ(list[0].alike, (std::vector<std::string>{"two", "three"}));
  EXPECT_NE(list[0].text.find("(and 2 more like it)"), std::string::npos);
}

TEST(Warnings, SlidingNeedsAMemoryThatTheStepResolves) {
  const auto list = block_check(friction(1, 1e3, 3e-4), 1, {.step = 1e-3});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].text,
            "floor: step 1 ms is too long for beta = 0.3 ms: beta/step 0.30 < 0.36; use step <= 0.83 ms or beta >= 0.36 ms");
  EXPECT_TRUE(block_check(friction(1, 1e3, 3e-4), 1, {.step = 0.83e-3}).empty());
  EXPECT_TRUE(block_check(friction(1, 1e3, 0.36e-3), 1, {.step = 1e-3}).empty());
  EXPECT_TRUE(block_check(friction(1, 1e3, 3e-4), 1, {.step = 1e-3, .method = "rk4-lookahead"}).empty());
}

TEST(Warnings, EveryAdviceSatisfiesAllRules) {
  const auto law = friction(1, 9e6, 3e-4);  // breaks both rules
  const auto list = block_check(law, 1, {.step = 1e-3});
  ASSERT_EQ(list.size(), 2u);
  for (const Warning& warning : list) EXPECT_NE(warning.text.find("use step <= 0.83 ms"), std::string::npos) << warning.text;
  EXPECT_TRUE(block_check(law, 1, {.step = 0.83e-3}).empty());
}

TEST(Warnings, MultistateThroughItsElements) {
  Multistate<double, 3> law;
  law.kappa = {1e5, 2e5, 2e5};
  law.sigma = {200, 400, 400};
  World world;
  world.add("floor", law, Line<double>{}, world.add("block", Mass1{0.22}), ground);
  const auto x = world.start();
  const auto list = check(world, x, {.step = 1e-3});
  ASSERT_EQ(list.size(), 1u);  // the sum of its elements is the single state above
  EXPECT_NEAR(list[0].value, 2.2727, 1e-4);
  EXPECT_NEAR(list[0].limit, 1.697, 1e-3);
}

TEST(Warnings, BristlesAreGoodUpToASpeed) {
  LuGre<double> law;
  law.F_c = 2;
  law.F_s = 2.5;
  law.K = 1e4;
  law.B = 10;
  World world;
  world.add("floor", law, Line<double>{}, world.add("block", Mass1{1.0}, {0.0, 1.0}), ground);
  const auto x = world.start();
  const auto list = of_kind(check(world, x, {.step = 1e-3}), Kind::speed);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].limit, 2.7853 * 2 / (1e4 * 1e-3), 2e-6);
  EXPECT_EQ(list[0].text, "floor: step 1 ms is good for sliding up to 0.557 m/s, and it starts at 1 m/s; use step <= 0.55 ms");
  EXPECT_THROW(check(world, x, {.step = 1e-3, .strict = true}), SetUpError);
  // Slow enough it is only a note.
  EXPECT_NO_THROW(check(world, x, {.step = 0.5e-3, .strict = true}));
}

TEST(Warnings, Contacts) {
  World world;
  const BodyId ball = world.add("ball", Mass1{1.0, -9.8}, {1.0, 0.0});
  LinearCompliance<double> law;
  law.K = 1.2e6;
  law.alpha = 5e-3;
  law.beta = 4e-2;
  world.add("floor", law, Line<double>{}, ball, ground);
  const auto x = world.start();
  auto list = check(world, x, {.step = 1e-3});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].value, 9.6, 1e-9);
  EXPECT_NEAR(list[0].limit, 8.318, 1e-3);
  list = check(world, x, {.step = 5e-4});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].kind, Kind::accuracy);
  EXPECT_NE(list[0].text.find("hit at 4.43 m/s"), std::string::npos) << list[0].text;
  EXPECT_THROW(check(world, x, {.step = 5e-4, .strict = true}), SetUpError);
  EXPECT_TRUE(check(world, x, {.step = 0.6e-4}).empty());
  list = check(world, x, {.step = 1.5e-2});
  EXPECT_EQ(list[0].kind, Kind::stability);
  EXPECT_NE(list[0].text.find("alpha = 5 ms"), std::string::npos) << list[0].text;
}

// A curved contact that is open is as stiff as the strike makes it. 1 kg falls 1 m on a Hertz contact: K d^(lambda+1)/(lambda+1) =
// M g (1 m + d), K' = K lambda d^(lambda-1).
TEST(Warnings, CurvedContactsWhereTheyAreStruck) {
  const double g = 9.8, K = 1e8, lambda = 1.5;
  double d = 1e-3;
  for (int k = 0; k < 100; ++k) d = std::pow((lambda + 1) * g * (1 + d) / K, 1 / (lambda + 1));
  const double tangent = K * lambda * std::pow(d, lambda - 1);
  const auto kappa = [&](auto law, double step) {
    World world;
    law.K = K;
    law.lambda = lambda;
    world.add("floor", law, Line<double>{}, world.add("ball", Mass1{1.0, -g}, {1.0, 0.0}), ground);
    return of_kind(check(world, world.start(), {.step = step}), Kind::stability);
  };
  const double longest = std::sqrt(8 / tangent);  // of the undamped spring with rk4
  EXPECT_TRUE(kappa(Hertz<>{}, .99 * longest).empty());
  for (const auto& list : {kappa(Hertz<>{}, 1.01 * longest), kappa(HuntCrossley<>{}, 1.01 * longest)}) {
    ASSERT_EQ(list.size(), 1u);
    EXPECT_NEAR(list[0].value, 8 * 1.01 * 1.01, 1e-3);
    EXPECT_NEAR(list[0].limit, 8, 1e-3);
    EXPECT_NE(list[0].text.find(" (hit, 0.0"), std::string::npos) << list[0].text;
  }
}
TEST(Warnings, ACurvedContactThatNothingClosesIsNotChecked) {
  World world;
  const BodyId ball = world.add("ball", Mass1{1.0}, {1.0, 0.0});
  world.add("wall", Hertz<>{}, Line<double>{}, ball, ground);
  const auto list = check(world, world.start(), {.step = 1e-3, .strict = true});  // a note
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].text,
            "wall: not checked: it is open, nothing closes it at the start, and it is the stiffer the deeper it is hit");
  world.push(ball, 0, [](double) { return -1.0; });
  EXPECT_TRUE(check(world, world.start(), {.step = 1e-5}).empty());
}
// A spring and damper whose damping is a parameter of its own: the advice keeps that.
TEST(Warnings, AdviseAStiffnessWithTheDampingAsItIs) {
  const auto list_of = [](double K, const std::string& method, auto law) {
    law.K = K;
    law.B = 300;
    World world;
    world.add("floor", law, Line<double>{}, world.add("block", Mass1{1.0}, {1.0, 0.0}), ground);
    return of_kind(check(world, world.start(), {.step = 1e-3, .method = method}), Kind::stability);
  };
  const auto expect_advice = [&](double K, const std::string& method, auto law) {
    const auto list = list_of(K, method, law);
    ASSERT_EQ(list.size(), 1u) << law.about.name;
    const auto at = list[0].text.find(" or K <= ");
    ASSERT_NE(at, std::string::npos) << list[0].text;
    const double advised = std::stod(list[0].text.substr(at + 9));
    EXPECT_TRUE(list_of(advised, method, law).empty()) << list[0].text;
    EXPECT_FALSE(list_of(1.1 * advised, method, law).empty()) << list[0].text;  // two digits
  };
  expect_advice(2e7, "rk4", KelvinVoigt<>{});
  expect_advice(2e7, "rk4", KelvinVoigtClamped<>{});
  expect_advice(2e7, "rk4", LuGre<>{});
  expect_advice(2e7, "step", VirtualMass<>{});
}

TEST(Warnings, ArmsHaveMomentsAndInertias) {
  World world;
  const BodyId arm = world.add_arm("arm", {{0.3, 0.4}}, {{0.0, 0.0}});
  world.add("shoulder", friction(1, 5e4, 2e-3), Line<double>{}, World::joint(arm, 1), ground);
  const auto list = check(world, world.start(), {.step = 1e-3});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(list[0].text.find("K = 5e4 N m/rad on 0.016 kg m^2"), std::string::npos) << list[0].text;
}

TEST(Warnings, EulerLetsSpringsSwingUp) {
  World world;
  world.add("wall", KelvinVoigt<double, true>{100, 0.05}, Line<double>{}, world.add("block", Mass1{1.0}), ground);
  const auto list = of_kind(check(world, world.start(), {.step = 1e-3, .method = "euler"}), Kind::stability);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].value, 0.5, 1e-12);
  EXPECT_EQ(list[0].limit, 1);
}

// --- holding
// --------------------------------------------------------------------------------------------------------------------------

std::vector<Warning> shaken(double mean, double amplitude, double w, double K, double F = 0.5) {
  World world;
  const BodyId block = world.add("block", Mass1{1.0});
  world.add("floor", friction(F, K, 2e-3), Line<double>{}, block, ground);
  world.push(block, 0, [=](double t) { return t < 2 ? std::min(0.55, mean / 2 * t) : mean + amplitude * std::cos(w * t); });
  return of_kind(check(world, world.start(), {.step = 1e-3, .duration = 10}), Kind::holding);
}

TEST(Holding, TheShakenBlockOfTheThesisHoldsOnlyAboveResonance) {
  World world;
  const BodyId block = world.add("block", Mass1{1.0});
  world.add("floor", friction(0.5, 5e3, 2e-3), Line<double>{}, block, ground);
  world.push(block, 0, [](double t) { return t < 2 ? std::min(0.55, 0.5 * t) : 0.35 + 0.15 * std::cos(100 * t); });
  const auto list = check(world, world.start(), {.step = 1e-3, .duration = 10});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].kind, Kind::holding);
  EXPECT_EQ(
      list[0].text,
      "floor: holding is not assured under 0.35 N +- 0.15 N at 100 rad/s with a limit of 0.5 N: it is at the limit: 100 rad/s "
      "is the lowest frequency at which it holds, sqrt(2) sqrt(K/M)");
}

TEST(Holding, NeedsAStiffnessBelowResonance) {
  // K >= 1 * 400 * .2/(.2 - .1) = 800
  EXPECT_TRUE(shaken(0.3, 0.1, 20, 820).empty());
  const auto list = shaken(0.3, 0.1, 20, 780);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].limit, 800, 2);
  EXPECT_NE(list[0].text.find("use K >= "), std::string::npos) << list[0].text;
  EXPECT_TRUE(shaken(0.3, 0.0, 20, 780).empty());        // no oscillation
  EXPECT_TRUE(shaken(0.52, 0.1, 20, 780, 0.5).empty());  // slides anyway
  EXPECT_NE(shaken(0.3, 0.25, 20, 1e5).at(0).text.find("slips in every cycle"), std::string::npos);
}

TEST(Holding, OnAContactTheWeightSetsTheLimit) {
  // A block of 2 kg on a floor, mu .5: 9.8 N hold; K >= 2 * 50^2 * 9.8/(9.8 - 6) = 12895 N/m, 12852 N/m with beta w = .05.
  for (const double K : {12e3, 14e3}) {
    World world;
    const BodyId block = world.add("block", PointMass<double, 2>{2.0, {{0, -9.8}}});
    FrictionalContact<LinearCompliance<double>, SingleState<double, 2>> contact;
    contact.tangential.K = K;
    world.add("floor", contact, PointPlane<double, 2>{}, block, ground);
    world.push(block, 0, [](double t) { return 6 * std::sin(50 * t); });
    const auto list = of_kind(check(world, world.start(), {.step = 1e-3, .duration = 2}), Kind::holding);
    ASSERT_EQ(list.size(), K < 13e3 ? 1u : 0u);
    for (const Warning& warning : list) EXPECT_NEAR(warning.limit, 12852, 20);
  }
}

// On a plate that is shaken by X sin(w t) a block feels M X w^2: the same rule.
std::vector<Warning> on_a_shaken_plate(World& world, double K, double X, double w) {
  const BodyId plate = world.add_given<1>("plate", [=](double t) {
    return Port<double, 1>{X * std::sin(w * t), X * w * std::cos(w * t)};
  });
  const BodyId block = world.add("block", Mass1{2.0}, {0, X * w});
  world.add("floor", friction(5, K, 1e-5), Line<double>{}, block, plate);
  return of_kind(check(world, world.start(), {.step = 1e-4, .duration = 2}), Kind::holding);
}
TEST(Holding, OnAPlateThatIsShaken) {
  // M X w^2 = 3 N of 5 N: K >= 2 * 50^2 * 5/(5 - 3) = 12500 N/m.
  const double w = 50, X = 3 / (2 * w * w);
  for (const double K : {12e3, 13e3}) {
    World world;
    const auto list = on_a_shaken_plate(world, K, X, w);
    ASSERT_EQ(list.size(), K < 12.5e3 ? 1u : 0u);
    for (const Warning& warning : list) {
      EXPECT_NEAR(warning.limit, 12500, 20);
      EXPECT_TRUE(warning.text.starts_with("floor: holding is not assured under 0 N +- 3 N at 50 rad/s with a limit of 5 N: K = "))
          << warning.text;
    }
  }
  // A run does so, started on the swing X K/(K - M w^2) of the block.
  for (const double K : {12e3, 13e3}) {
    World world;
    on_a_shaken_plate(world, K, X, w);
    std::vector<double> x = world.start();
    const double swing = X * K / (K - 2 * w * w);
    x[1] = swing * w;
    Workspace work(world);
    RungeKutta integrator(Method::rk4, x.size());
    const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { work.rate(t, y, tau, dy); };
    double slipped = 0;
    for (int k = 0; k < 50000; ++k) {
      integrator.step(rate, k * 2e-5, 2e-5, x);
      slipped = std::max(slipped, std::abs(x[0] - X * std::sin(w * (k + 1) * 2e-5) - x[2]));
    }
    if (K > 12.5e3) EXPECT_LT(slipped, 1e-9);
    else EXPECT_GT(slipped, 1e-6);
  }
  World steady;  // a conveyor does not shake
  const BodyId belt = steady.add_given<1>("belt", [](double t) { return Port<double, 1>{.3 * t, .3}; });
  steady.add("floor", friction(5, 1e3, 1e-2), Line<double>{}, steady.add("block", Mass1{2.0}), belt);
  EXPECT_TRUE(of_kind(check(steady, steady.start(), {.step = 1e-4, .duration = 2}), Kind::holding).empty());
  World thrown_about;
  EXPECT_NE(on_a_shaken_plate(thrown_about, 1e5, 6 / (2 * w * w), w).at(0).text.find("slips in every cycle"), std::string::npos);
}

TEST(Holding, TheRuleIsWhatARunDoes) {
  // The proxy p - a stays where it is above the stiffness, and moves below it; started on the swing so that nothing has to settle.
  for (const double factor : {0.95, 1.05}) {
    const double M = 1, F = 0.5, mean = 0.3, A = 0.1, w = 20, K = factor * 800;
    const double swing = A / (K - M * w * w);
    World world;
    const BodyId block = world.add("block", Mass1{M}, {swing * 0, swing * w});
    world.add("floor", friction(F, K, 1e-5), Line<double>{}, block, ground);
    world.push(block, 0, [=](double t) { return mean + A * std::sin(w * t); });
    std::vector<double> x = world.start();
    x[2] = mean / K;
    Workspace work(world);
    RungeKutta integrator(Method::rk4, x.size());
    const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { work.rate(t, y, tau, dy); };
    const double proxy = x[0] - x[2];
    for (int k = 0; k < 100000; ++k) integrator.step(rate, k * 2e-5, 2e-5, x);
    if (factor > 1) EXPECT_NEAR(x[0] - x[2], proxy, 1e-12);
    else EXPECT_GT(x[0] - x[2], proxy + 1e-6);
  }
}

// Both joints of an arm hold: each carries the moment of everything beyond it, whatever the other is. dahl drifts by
// (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] in each cycle; the elbow carries next to nothing, and does not.
TEST(Holding, OfTheJointsOfAnArmTogether) {
  const double g = .5, m1 = 1, l1 = .5, m2 = .5, l2 = .3, q1 = -.5, q2 = 2.0, A = .2, w = 10, T = 20, F = 1, K = 2000;
  World world;
  const BodyId arm = world.add_arm("arm", {{m1, l1}, {m2, l2}}, {{q1, 0}, {q2, 0}}, {0, -g});
  Dahl<> dahl;
  dahl.F = F;
  dahl.K = K;
  world.add("shoulder", dahl, Line<double>{}, World::joint(arm, 1), ground);
  world.add("elbow", dahl, Line<double>{}, World::joint(arm, 2), ground);
  world.push(World::joint(arm, 1), 0, [=](double t) { return A * std::sin(w * t); });
  const auto list = of_kind(check(world, world.start(), {.step = 1e-4, .duration = T}), Kind::holding);
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list[0].component, "shoulder");
  const double mean = g * (m1 * l1 / 2 * std::cos(q1) + m2 * (l1 * std::cos(q1) + l2 / 2 * std::cos(q1 + q2)));
  const double low = mean - A, high = mean + A, cycles = w * T / (2 * std::acos(-1.));
  EXPECT_NEAR(list[0].value, cycles * F / K * std::log((F * F - low * low) / (F * F - high * high)), .02 * list[0].value)
      << list[0].text;
  for (const Warning& warning : list) EXPECT_NE(warning.component, "elbow") << warning.text;
}

// --- methods
// --------------------------------------------------------------------------------------------------------------------------

TEST(Methods, SampledTimeNeedsTheRightMethodAndStep) {
  World world;
  FrictionMass<double> puck;
  puck.T = 1e-3;
  world.add("puck", puck);
  world.add("hand", VirtualMass<double>{}, Line<double>{}, world.add("handle", Mass1{5.0}), ground);
  const auto x = world.start();
  auto list = check(world, x, {.step = 1e-3, .method = "rk4"});
  ASSERT_EQ(of_kind(list, Kind::method).size(), 2u);
  EXPECT_EQ(list[0].text, "hand: virtual_mass lives in sampled time and cannot run with rk4; use step");
  EXPECT_EQ(list[1].text, "puck: friction_mass lives in sampled time and cannot run with rk4; use euler or step at step = 1 ms");
  list = check(world, x, {.step = 5e-4, .method = "step"});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].text, "puck: step 0.5 ms is not its sampling time 1 ms; make them equal");
  EXPECT_TRUE(check(world, x, {.step = 1e-3, .method = "step"}).empty());
}

TEST(Methods, AStepLongerThanTheRun) {
  World world;
  world.add("puck", Mass1{});
  const auto list = check(world, world.start(), {.step = 1e-3, .duration = 1e-4});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].text, "step 1 ms is longer than the run of 0.1 ms");
}

/// A damper of a user's own.
struct Damper {
  static constexpr About about{.name = "damper", .kind = asperity::Kind::spring};
  using Scalar = double;
  using Input = Stretch<double>;
  using Force = double;
  using State = NoState;
  static constexpr int dimension = 1;
  double B = 1e6;

  State start() const noexcept { return {}; }
  Reaction<Force, State> react(const State&, const Input& in, const double&) const noexcept { return {B * in.v, {}}; }
  double energy(const State&, const Input&) const noexcept { return 0; }
  template <class Field>
  void describe(Field&& field) {
    field("B", B, "N s/m", nonnegative, "damping");
  }
  template <class Field, class... Z>
  static void states(Field&&, Z&...) {}
};

// A law that is not listed is not passed over in silence; one that is, is.
TEST(Warnings, SayWhatTheyCannotCheck) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("damper", Damper{}, between(block, ground));
  world.add("spring", Spring<>{}, between(block, ground));
  const auto list = check(world, world.start(), {.step = 1e-3});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].text, "damper: not checked: its law, damper, does not say how stiff it is");
}

TEST(Strict, TurnsAllWarningsIntoOneError) {
  World world;
  world.add("floor", friction(1, 5e5, 2e-3), Line<double>{}, world.add("block", Mass1{0.22}), ground);
  world.add("wall", friction(1, 5e5, 1e-4), Line<double>{}, world.add("other", Mass1{0.22}), ground);
  const auto x = world.start();
  try {
    check(world, x, {.step = 1e-3, .strict = true});
    FAIL() << "should throw";
  } catch (const SetUpError& error) {
    const std::string text = error.what();
    EXPECT_GE(error.warnings.size(), 2u);
    EXPECT_NE(text.find("floor: "), std::string::npos);
    EXPECT_NE(text.find("\nwall: "), std::string::npos);
  }
}

}  // namespace
}  // namespace asperity::checks_test
