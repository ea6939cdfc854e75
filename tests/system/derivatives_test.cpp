// The pass over dual numbers: the same numbers, their exact derivatives, and only where the coupling says that there are any.
#include <gtest/gtest.h>

#include <random>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/hinge.hpp"
#include "asperity/system/world.hpp"

namespace asperity::derivatives_test {
namespace {

// Every word of the dual numbers against a central difference.
TEST(DualNumbers, KnowTheirDerivatives) {
  using D = Dual<2>;
  const auto check = [](const char* name, auto f, double x, double y) {
    const double h = 1e-6;
    const D z = f(D::variable(x, 0), D::variable(y, 1));
    EXPECT_EQ(z.a, f(D(x), D(y)).a) << name;
    EXPECT_NEAR(z.v[0], (f(D(x + h), D(y)).a - f(D(x - h), D(y)).a) / (2 * h), 1e-8) << name;
    EXPECT_NEAR(z.v[1], (f(D(x), D(y + h)).a - f(D(x), D(y - h)).a) / (2 * h), 1e-8) << name;
  };
  const std::pair<double, double> places[] = {{.7, 1.3}, {1.9, .4}, {.3, -.8}};
  for (const auto& [x, y] : places) {
    check(
        "+", [](D a, D b) { return a + b; }, x, y);
    check(
        "-", [](D a, D b) { return -a - b; }, x, y);
    check(
        "*", [](D a, D b) { return a * b; }, x, y);
    check(
        "/", [](D a, D b) { return a / b; }, x, y);
    check(
        "exp", [](D a, D b) { return exp(a * b); }, x, y);
    check(
        "log", [](D a, D b) { return log(a) * b; }, x, y);
    check(
        "pow", [](D a, D b) { return pow(a, b); }, x, y);
    for (const double exponent : {1.0, 1.5, 2.0})
      check(
          "known exponent", [&](D a, D b) { return b + pow(a, D(exponent)); }, x, y);
    check(
        "sqrt", [](D a, D b) { return sqrt(a) * b; }, x, y);
    check(
        "sin", [](D a, D b) { return sin(a) * b; }, x, y);
    check(
        "cos", [](D a, D b) { return cos(a) * b; }, x, y);
    check(
        "tanh", [](D a, D b) { return tanh(a * b); }, x, y);
    check(
        "abs", [](D a, D b) { return abs(a * b); }, x, y);
    check(
        "sat", [](D a, D b) { return sat(a, b); }, x, y);
    check(
        "max", [](D a, D b) { return max(a, b); }, x, y);
  }
  EXPECT_EQ(pow(D::variable(0, 0), D(2.0)).v[0], 0);
  EXPECT_EQ(magnitude(VecN<D, 2>{{D::variable(0, 0), D::variable(0, 1)}}).v[0], 0);
}

using Contact = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

/// One of each: masses, rigid bodies, an arm, given bodies; laws, contacts, springs, a hinge, lists of elements.
void build(World& world) {
  world.set_gravity({0, 0, -9.8});
  const auto conveyor = world.add_given<1>("conveyor", [](double t) { return Port<double, 1>{.1 * t, .1}; });
  const auto block = world.add("block", PointMass<double>{1.2});
  const auto cart = world.add("cart", PointMass<double>{.7});
  world.add("rub", SingleState<>{}, between(block, conveyor));
  Multistate<double, dynamic> many(4);
  world.add("many", many, between(block, cart));
  world.add("lugre", LuGre<>{}, between(cart, ground));
  Spring<> spring;
  spring.K = 30, spring.K3 = 5, spring.B = 2;
  world.add("spring", spring, Line<double>{.1}, cart, ground);
  const auto arm = world.add_arm("arm", {{1, .5}, {.8, .4}, {.5, .3}}, {{.3, .1}, {.2, -.2}, {-.1, .3}}, {0, -9.8});
  world.add("joint", SingleState<>{}, Line<double>{}, World::joint(arm, 2), ground);
  world.add("elbow", spring, Line<double>{}, World::joint(arm, 3), World::joint(arm, 1));
  std::vector<BodyId> balls;
  for (int i = 0; i < 3; ++i) {
    Frame<double> start;
    start.p = {{.19 * i, .01 * i, .0995}};
    balls.push_back(world.add("ball", RigidBody<double>::of(.3, inertia::box(.3, .1, .2, .3)), start));
    BallPlane<double> floor;
    floor.radius = .1;
    floor.centre = {{.01, .02, 0}};
    world.add("floor", Contact{}, floor, balls.back(), ground);
    if (i > 0) world.add("touch", Contact{}, BallBall<double>{.1, .1}, balls[std::size_t(i - 1)], balls.back());
  }
  Hinge<> hinge;
  hinge.anchor_a = {{0, .1, 0}};
  world.add("hinge", hinge, balls[0], balls[2]);
}

std::vector<double> shaken(const std::vector<double>& start, double by) {
  std::mt19937 engine{11};
  std::normal_distribution<double> normal;
  std::vector<double> x = start;
  for (double& number : x) number += by * normal(engine);
  return x;
}

TEST(Derivatives, ValuesAreThoseOfThePassToTheLastBit) {
  World world;
  build(world);
  const std::vector<double> x = shaken(world.start(), 1e-5);
  ASSERT_TRUE(world.has_derivatives());
  std::vector<double> rate(x.size());
  Workspace work(world);
  work.rate(.3, x, 1e-3, rate);
  const std::vector<Dual8> dual_x(x.begin(), x.end());
  std::vector<Dual8> dual(x.size());
  work.rate(.3, dual_x, 1e-3, dual);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(dual[i].a, rate[i]) << i;
}

// Entry by entry against central differences, which lose digits: what is left of them is 1e-6 of the largest entry of the row.
TEST(Derivatives, JacobianIsExactAndTheCouplingComplete) {
  World world;
  build(world);
  const std::vector<double> x = shaken(world.start(), 1e-5);
  const std::size_t n = x.size();
  Workspace work(world);
  const SparseJacobian jacobian = sparse_jacobian(
      [&](double t, std::span<const Dual8> from, std::span<Dual8> to) { work.rate(t, from, 0.0, to); }, world.coupling());
  const Pattern& pattern = jacobian.pattern;
  ASSERT_EQ(pattern.columns(), n);
  EXPECT_LT(pattern.rows.size(), n * n / 2);
  std::vector<double> entries(pattern.rows.size());
  jacobian.entries(0, x, entries);
  std::vector<double> scale(n, 1e-6);
  for (std::size_t k = 0; k < entries.size(); ++k) scale[pattern.rows[k]] = std::max(scale[pattern.rows[k]], std::abs(entries[k]));
  std::vector<double> low(n), high(n);
  std::size_t nonzero = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double h = 1e-9;
    std::vector<double> y = x;
    y[j] = x[j] - h;
    work.rate(0, y, 0, low);
    y[j] = x[j] + h;
    work.rate(0, y, 0, high);
    std::size_t k = pattern.start[j];
    for (std::size_t i = 0; i < n; ++i) {
      if (pattern.has(i, j)) {
        EXPECT_NEAR(entries[k] / scale[i], (high[i] - low[i]) / (2 * h) / scale[i], 2e-5) << i << " by " << j;
        nonzero += entries[k++] != 0;
      } else {
        EXPECT_EQ(high[i], low[i]) << i << " by " << j << " is not in the coupling";
      }
    }
  }
  EXPECT_GT(nonzero, 3 * n);
}

TEST(Derivatives, AFieldOfBodiesNeedsNoMoreColoursThanOne) {
  std::size_t colours[2] = {};
  for (const int count : {1, 40}) {
    World world;
    for (int i = 0; i < count; ++i) {
      const auto ball = world.add("ball", RigidBody<double>::of(.3, inertia::sphere(.3, .1)));
      world.add("floor", Contact{}, BallPlane<double>{}, ball, ground);
    }
    world.start();
    const auto all = colours_of(world.coupling());
    colours[count > 1] = *std::max_element(all.begin(), all.end()) + 1;
  }
  EXPECT_EQ(colours[0], colours[1]);
}

// cvode on a world spends no evaluation on its Jacobians; on the same rate without them, one for each number of the state.
TEST(Derivatives, AreWhatCvodeUses) {
  World world;
  BodyId last = ground;
  for (int i = 0; i < 8; ++i) {
    const auto mass = world.add("mass", PointMass<double>{1}, {0, .1 * i});
    Spring<> spring;
    spring.K = 1e4, spring.B = 10;
    world.add("spring", spring, Line<double>{}, mass, last);
    world.add("rub", SingleState<>{}, between(mass, ground));
    last = mass;
  }
  if (const auto methods = integration_methods(); std::none_of(
          methods.begin(), methods.end(), [](const AboutMethod& about) { return about.name == "cvode" && about.available; }))
    GTEST_SKIP() << "built without SUNDIALS";
  const auto run = [&](std::unique_ptr<Integrator> cvode) {
    cvode->start(0, world.start());
    cvode->advance(.5);
    EXPECT_GT(cvode->statistics().jacobians, 5);
    return cvode->statistics();
  };
  const Statistics exact = run(make_integrator("cvode", world));
  Workspace work(world);
  const Statistics differences = run(make_integrator(
      "cvode",
      RateFunction([&](double t, std::span<const double> x, double tau, std::span<double> xdot) { work.rate(t, x, tau, xdot); })));
  EXPECT_GE(differences.evaluations, 24 * differences.jacobians);
  EXPECT_LE(exact.evaluations, 4 * (exact.steps + exact.rejected) + 10);
  EXPECT_LT(exact.evaluations, differences.evaluations - 12 * differences.jacobians);
}

struct Alone {  // a law for double only
  static constexpr About about{.name = "alone", .kind = Kind::friction};
  using Scalar = double;
  using Input = Slip<double, 1>;
  using Force = double;
  using State = NoState;
  static constexpr int dimension = 1;
  State start() const noexcept { return {}; }
  Reaction<Force, State> react(const State&, const Input& in, const double&) const noexcept { return {3 * in.v, {}}; }
  double energy(const State&, const Input&) const noexcept { return 0; }
  double bound(const State&, const Input&, double) const noexcept { return 1e9; }
  template <class Field>
  void describe(Field&&) {}
  template <class Field, class... Z>
  static void states(Field&&, Z&...) {}
};

// A law that is not a template has no derivatives; cvode then takes differences.
TEST(Derivatives, AreNotClaimedForALawOfDoubleAlone) {
  World world;
  const auto block = world.add("block", PointMass<double>{1}, {0, 1});
  world.add("alone", Alone{}, between(block, ground));
  EXPECT_FALSE(world.has_derivatives());
  const auto method = make_integrator("dopri5", world, {.rtol = 1e-9});
  method->start(0, world.start());
  method->advance(1);
  EXPECT_NEAR(method->state()[1], std::exp(-3), 1e-7);
}

// A given body that turns: a flywheel on a hinge whose other half turns at W. Friction F brings it up to speed, W I/F later it is
// there, and stays.
TEST(GivenPose, AHingeOnATurningHandTakesItsFlywheelAlong) {
  World world;
  const double W = 3, I = .02, F = .1;
  const auto hand = world.add_given_pose("hand", [=](double t) {
    Frame<double> frame;
    frame.q = {std::cos(W * t / 2), {{0, 0, std::sin(W * t / 2)}}};
    frame.w = {{0, 0, W}};
    return frame;
  });
  const auto wheel = world.add("wheel", RigidBody<double>::of(1, inertia::diagonal(I, I, I)));
  Hinge<> hinge;
  hinge.law.F = F;
  hinge.law.K = 1e3;
  hinge.law.beta = 1e-3;
  hinge.K = 1e4, hinge.K_turn = 1e2, hinge.B_turn = .1;
  world.add("hinge", hinge, wheel, hand);
  const auto method = make_integrator("rk4", world, {.step = 1e-4});
  method->start(0, world.start());
  const auto spin = [&] { return method->state()[12]; };
  method->advance(.3);
  EXPECT_NEAR(spin(), F / I * .3, F / I * 2e-3);  // the first millisecond or so deflects the asperity
  method->advance(W * I / F + .6);                // the stuck hinge rings with 25/s
  EXPECT_NEAR(spin(), W, 1e-6);
  // Held together: the hand's angle and the wheel's keep their distance.
  const auto apart = [&] { return 2 * std::atan2(method->state()[6], method->state()[3]) - W * method->time(); };
  const double before = apart();
  method->advance(W * I / F + .8);
  EXPECT_NEAR(apart(), before, 1e-6);
  EXPECT_NEAR(before, -W * W * I / F / 2, 2e-3);
}

TEST(Gravity, IsAPropertyOfTheWorldWheneverItIsSet) {
  World world;
  const auto before = world.add("before", PointMass<double, 2>{2});
  world.add("own", PointMass<double, 2>{2, {{1, 0}}});
  world.add("line", PointMass<double>{2});
  world.add_arm("arm", {{1, .5}}, {{0, 0}});
  world.set_gravity({0, -9.8});
  const auto after = world.add("after", PointMass<double, 2>{2});
  world.set_gravity({0, -1.6});  // on the moon
  const std::vector<double> x = world.start();
  std::vector<double> rate(x.size());
  Workspace(world).rate(0, x, 0, rate);
  const auto falls = [&](BodyId body, std::size_t c) { return rate[body.pool->motion.at(2 + c, body.index)]; };
  EXPECT_EQ(falls(before, 1), -1.6);
  EXPECT_EQ(falls(after, 1), -1.6);
  EXPECT_EQ(falls({before.pool, 1}, 0), 1);
  EXPECT_EQ(falls({before.pool, 1}, 1), 0);
  EXPECT_NEAR(rate.back(), -1.5 * 1.6 / .5, 1e-12);  // a rod: 3 g/(2 l)
  EXPECT_THROW(world.set_gravity({0, 0, -9.8}), std::invalid_argument);
}

}  // namespace
}  // namespace asperity::derivatives_test
