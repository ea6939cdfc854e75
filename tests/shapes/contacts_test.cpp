// Contacts among shapes, against closed forms.
#include "asperity/shapes/contacts.hpp"

#include <gtest/gtest.h>

#include "asperity/contact/frictional_contact.hpp"
#include "asperity/integrate/integrator.hpp"
#include "poses.hpp"

namespace asperity::contacts_test {
namespace {

using Contact = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

Contact contact(double K, double mu, double alpha = 1e-3, double beta = 2e-3) {
  Contact law;
  law.normal = {K, alpha, beta};
  law.tangential.F = mu;
  law.tangential.K = K;
  law.tangential.beta = beta;
  return law;
}

constexpr double g = 9.81;

struct Bench {
  World world;
  explicit Bench(double gravity = g) { world.set_gravity({0, 0, -gravity}); }
  BodyId box(const std::string& name, double mass, const Shape& shape, const Frame<double>& at) {
    return world.add(name, RigidBody<double>::of(mass, inertia::box(mass, 2 * shape.half[0], 2 * shape.half[1], 2 * shape.half[2])),
                     at);
  }
  BodyId ball(const std::string& name, double mass, const Shape& shape, const Frame<double>& at) {
    return world.add(name, RigidBody<double>::of(mass, inertia::sphere(mass, shape.radius)), at);
  }
  BodyId fixed(const std::string& name, const Frame<double>& at) {
    return world.add_given_pose(
        name, [at](double) { return at; }, std::vector<Outline>{});
  }
  ElementPool& meet(const std::string& name, const Contact& law, const BodyId& a, const Shape& of_a, const BodyId& b,
                    const Shape& of_b) {
    const std::vector<ShapePair> pairs{{a, of_a, b, of_b}};
    const std::vector<std::string> names{name};
    return *add_contacts(world, law, pairs, names).front();
  }
  Frame<double> motion(const BodyId& body, std::span<const double> x) const {
    return load<Frame<double>>(x.data(), body.pool->motion, body.index);
  }
};

Frame<double> at(double x, double y, double z, const Quaternion<double>& q = {}) { return {{{x, y, z}}, q, {}, {}}; }

/// From rest at theta0 a sphere rolls down a fixed one without slip and leaves where cos theta = 10/17 cos theta0.
TEST(ShapeContacts, ASphereLeavesASphereWhereItShould) {
  const double R = 0.5, r = 0.1, theta0 = 0.2, K = 1e8, m = 1;
  Bench bench;
  const double depth = m * g * std::cos(theta0) / K, d = R + r - depth;
  const BodyId ball = bench.ball("ball", m, Shape::sphere(r), at(d * std::sin(theta0), 0, d * std::cos(theta0)));
  const BodyId dome = bench.fixed("dome", {});
  ElementPool& pool = bench.meet("touch", contact(K, 50, 2e-5, 1e-4), ball, Shape::sphere(r), dome, Shape::sphere(R));
  const auto integrator = make_integrator("cvode", bench.world, {.rtol = 1e-9, .atol = 1e-12});
  std::vector<double> x = bench.world.start();
  x[pool.state.at(0, 0)] = depth;
  integrator->start(0, x);
  double left = 0;
  Workspace work(bench.world);
  while (integrator->time() < 3 && left == 0) {
    integrator->step(3);
    const Frame<double> z = bench.motion(ball, integrator->state());
    if (pool.gap(work.instant(integrator->time(), integrator->state()), 0) > 0 && integrator->time() > 0.1)
      left = z.p[2] / magnitude(z.p);
  }
  EXPECT_NEAR(left, 10.0 / 17 * std::cos(theta0), 1e-3);
}

/// Sphere on sphere, both rolling: no slip, no force, and the deflection of both together turns as they do.
TEST(ShapeContacts, RollingBendsNothing) {
  Chance chance(1);
  for (int round = 0; round < 20; ++round) {
    const Shape one = Shape::sphere(0.1), other = Shape::sphere(0.3);
    const Point n = chance.direction(), p = chance.point(1), w_a = chance.point(5), w_b = chance.point(5), v_b = chance.point(1);
    const double depth = 1e-5, distance = 0.4 - depth;
    // The velocity of a at which there is no slip at the point between the surfaces.
    const Point arm_a = -(0.1 - depth / 2) * n, arm_b = (0.3 - depth / 2) * n;
    const Point v_a = v_b + cross(w_b, arm_b) - cross(w_a, arm_a);
    Bench bench(0);
    const BodyId a = bench.ball("a", 1, one, {p + distance * n, chance.rotation(), v_a, w_a});
    const BodyId b = bench.ball("b", 1, other, {p, chance.rotation(), v_b, w_b});
    ElementPool& pool = bench.meet("touch", contact(1e5, 0.5), a, one, b, other);
    const auto start = bench.world.start();
    std::vector<double> rate(start.size());
    Workspace(bench.world).rate(0, start, 0, rate);
    for (std::size_t c = 1; c <= 3; ++c) EXPECT_NEAR(rate[pool.state.at(c, 0)], 0, 1e-14);
    const Frame<double> acceleration = load<Frame<double>>(rate.data(), a.pool->motion, a.index);
    EXPECT_LT(magnitude(cross(n, acceleration.v)), 1e-9 * magnitude(acceleration.v));
  }
}

/// Two bodies that turn together as one: what is bent between them turns, too, and nothing else happens to it.
class Together : public testing::TestWithParam<int> {};
TEST_P(Together, DeflectionsTurnWithTheBodies) {
  Chance chance(2);
  const bool boxes = GetParam() == 1;
  const Shape one = boxes ? Shape::box(0.1, 0.12, 0.14) : Shape::sphere(0.1),
              other = boxes ? Shape::box(0.3, 0.3, 0.3) : Shape::sphere(0.3);
  const double distance = (boxes ? 0.07 + 0.15 : 0.4) - 1e-5;
  const Quaternion<double> q = chance.rotation();
  const Point w = chance.point(5), n = rotate(q, Point{{0, 0, 1}}), p = chance.point(1);
  Bench bench(0);
  const BodyId a = bench.ball("a", 1, one, {p + distance * n, q, cross(w, p + distance * n), w});
  const BodyId b = bench.ball("b", 1, other, {p, q, cross(w, p), w});
  ElementPool& pool = bench.meet("touch", contact(1e5, 0.5), a, one, b, other);
  auto x = bench.world.start();
  Workspace work(bench.world);
  work.between_steps(0, x);
  const Point bent = 1e-7 * rotate(q, Point{{1, 2, 0}});
  for (int c = 0; c < 3; ++c) x[pool.state.at(std::size_t(1 + c), 0)] = bent[c];
  std::vector<double> rate(x.size());
  work.rate(0, x, 0, rate);
  const Point expected = cross(w, bent);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(rate[pool.state.at(std::size_t(1 + c), 0)], expected[c], 1e-6 * magnitude(expected));
}
INSTANTIATE_TEST_SUITE_P(Shapes, Together, testing::Values(0, 1));

/// A box that slides on another, both free: what one loses the other gains.
class Methods : public testing::TestWithParam<std::string> {};
TEST_P(Methods, SlidingKeepsMomentum) {
  Bench bench(0);
  const Shape small = Shape::box(0.1, 0.1, 0.1), large = Shape::box(0.5, 0.4, 0.2);
  const BodyId a =
      bench.box("a", 1, small, {{{0.05, 0.02, 0.15}}, Chance::turned({{0, 0, 1}}, 0.3), {{1, 0.2, -0.1}}, {{0, 0, 2}}});
  const BodyId b = bench.box("b", 5, large, {});
  bench.meet("touch", contact(1e5, 0.5), a, small, b, large);
  const auto momenta = [&](std::span<const double> x) {
    const Frame<double> z_a = bench.motion(a, x), z_b = bench.motion(b, x);
    const auto of_a = RigidBody<double>::of(1, inertia::box(1, 0.1, 0.1, 0.1)),
               of_b = RigidBody<double>::of(5, inertia::box(5, 0.5, 0.4, 0.2));
    return std::pair{z_a.v + 5.0 * z_b.v, cross(z_a.p, z_a.v) + 5.0 * cross(z_b.p, z_b.v) + of_a.spin(z_a) + of_b.spin(z_b)};
  };
  const auto integrator = make_integrator(GetParam(), bench.world, {.step = 1e-4});
  integrator->start(0, bench.world.start());
  const auto before = momenta(integrator->state());
  integrator->advance(0.05);
  const auto after = momenta(integrator->state());
  EXPECT_LT(magnitude(after.first - before.first), 1e-12);
  EXPECT_GT(magnitude(bench.motion(b, integrator->state()).v), 1e-3) << "they have touched";
  // Angular momentum to the order of the method: the arms move during a step.
  const bool exact = GetParam() == "rk4" || GetParam() == "dopri5" || GetParam() == "cvode" || GetParam() == "auto";
  EXPECT_LT(magnitude(after.second - before.second), exact ? 1e-6 : 1e-3);
}
INSTANTIATE_TEST_SUITE_P(All, Methods,
                         testing::Values("euler", "step", "rk4", "rk4-lookahead", "implicit", "implicit2", "dopri5", "cvode",
                                         "auto"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

/// A block on a wedge on a floor, all without friction: the wedge goes back with m g sin cos/(M + m sin^2).
TEST(ShapeContacts, BlockOnWedgeIsLagranges) {
  const double m = 1, M = 3, angle = 0.4, K = 1e7;
  Bench bench;
  const Quaternion<double> tilt = Chance::turned({{0, 1, 0}}, angle);
  const Shape block = Shape::box(0.1, 0.1, 0.1), base = Shape::box(1, 0.4, 0.2).placed({{{0, 0, -0.3}}, {}}),
              slope = Shape::box(1, 0.4, 0.2).placed({{}, tilt});
  const double weight = (M + m) * g, depth_floor = M * g / K;
  const Point up = rotate(tilt, Point{{0, 0, 1}});
  const BodyId wedge = bench.box("wedge", M, Shape::box(1, 0.4, 0.4), at(0, 0, 0.4 - depth_floor));
  const Point on = Point{{0, 0, 0.4 - depth_floor}} + (0.1 + 0.05 - m * g / K) * up;
  const BodyId body = bench.box("block", m, block, {on, tilt, {}, {}});
  const BodyId floor = bench.fixed("floor", {});
  const Contact slick = contact(K, 1e-9, 2e-4, 2e-3);
  bench.meet("slide", slick, body, block, wedge, slope);
  bench.meet("stand", slick, wedge, base, floor, Shape::plane());
  const auto integrator = make_integrator("cvode", bench.world, {.rtol = 1e-8, .atol = 1e-11});
  integrator->start(0, bench.world.start());
  integrator->advance(0.05);
  const auto early = bench.motion(wedge, integrator->state());
  integrator->advance(0.15);
  const auto late = bench.motion(wedge, integrator->state());
  const double expected = m * g * std::sin(angle) * std::cos(angle) / (M + m * std::sin(angle) * std::sin(angle));
  EXPECT_NEAR(-(late.v[0] - early.v[0]) / 0.1, expected, 2e-3 * expected);
  EXPECT_GT(weight, 0);
}

/// A box over the edge of a table falls when its weight is beyond the edge, and not before.
class OverTheEdge : public testing::TestWithParam<double> {};
TEST_P(OverTheEdge, TipsWhenItsWeightPassesTheEdge) {
  const double beyond = GetParam(), K = 1e7;
  Bench bench;
  const Shape box = Shape::box(0.2, 0.1, 0.1), table = Shape::box(1, 1, 0.2);
  const BodyId body = bench.box("box", 1, box, at(0.5 + beyond, 0, 0.15 - g / K));
  const BodyId fixed = bench.fixed("table", {});
  bench.meet("touch", contact(K, 0.5, 2e-4, 2e-3), body, box, fixed, table);
  const auto integrator = make_integrator("cvode", bench.world, {.rtol = 1e-7, .atol = 1e-10});
  integrator->start(0, bench.world.start());
  integrator->advance(1.5);
  const double fallen = 0.15 - bench.motion(body, integrator->state()).p[2];
  if (beyond < 0) EXPECT_LT(fallen, 1e-4);
  else EXPECT_GT(fallen, 0.01);
}
INSTANTIATE_TEST_SUITE_P(Places, OverTheEdge, testing::Values(-0.01, -0.001, 0.001, 0.01));

/// A box pressed on another of the same size, shaken by a nanometre at every step: what is bent between them stays.
TEST(ShapeContacts, NoiseKeepsDeflections) {
  for (const double yaw : {0.0, M_PI / 4}) {
    Chance chance(5);
    const Shape box = Shape::box(0.1, 0.1, 0.1);
    const double K = 1e6, depth = 1e-5;
    Bench bench(0);
    const BodyId a = bench.box("a", 1, box, at(0, 0, 0.1 - depth, Chance::turned({{0, 0, 1}}, yaw)));
    const BodyId b = bench.box("b", 1, box, {});
    ElementPool& pool = bench.meet("touch", contact(K, 0.5), a, box, b, box);
    auto x = bench.world.start();
    Workspace work(bench.world);
    work.between_steps(0, x);
    const double bent = 2e-6;
    for (std::size_t i = 0; i < pool.count(); ++i) {
      if (x[pool.state.at(4, i)] == 0) continue;
      x[pool.state.at(0, i)] = depth;
      x[pool.state.at(1, i)] = bent;
    }
    std::vector<double> rate(x.size());
    const auto force = [&] {
      work.rate(0, x, 0, rate);
      return load<Frame<double>>(rate.data(), a.pool->motion, a.index).v;
    };
    const Point first = force();
    EXPECT_NEAR(first[2], K * depth, 1e-6 * K * depth);
    EXPECT_NEAR(first[0], -K * bent, 1e-6 * K * bent);
    const auto start = x;
    int changes = 0;
    for (int step = 0; step < 2000; ++step) {
      for (const BodyId& body : {a, b}) {
        auto z = load<Frame<double>>(start.data(), body.pool->motion, body.index);
        z.p = z.p + chance.point(1e-9);
        z.q = Chance::turned(chance.direction(), 1e-8) * z.q;
        store(x.data(), body.pool->motion, body.index, z);
      }
      const Point stage = force();  // of names that are one step old
      EXPECT_NEAR(stage[2], first[2], 0.01 * first[2]);
      EXPECT_NEAR(stage[0], first[0], 0.01 * std::abs(first[0]));
      const auto before = x;
      work.between_steps(0, x);
      changes += before != x;
      const Point settled = force();
      EXPECT_NEAR(settled[2], first[2], 0.01 * first[2]);
      EXPECT_NEAR(settled[0], first[0], 0.01 * std::abs(first[0]));
    }
    if (yaw == 0) {
      EXPECT_GT(changes, 100) << "the noise is to change the corners";
    }
  }
}

/// Boxes on each other, free to rotate.
class Stack : public testing::TestWithParam<std::pair<std::string, double>> {};
TEST_P(Stack, OfTenStands) {
  const auto& [method, step] = GetParam();
  Bench bench;
  const Shape box = Shape::box(0.1, 0.1, 0.1);
  const double K = 1e6;
  std::vector<BodyId> bodies{bench.fixed("floor", {})};
  double z = 0;
  for (int i = 1; i <= 10; ++i) {
    z += 0.1 - (11 - i) * g / K;
    bodies.push_back(bench.box("box" + std::to_string(i), 1, box, at(1e-3 * (i % 3), 1e-3 * (i % 2), z - 0.05)));
  }
  std::vector<ShapePair> pairs;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      pairs.push_back({bodies[j], box, bodies[i], i == 0 ? Shape::plane() : box});
      names.push_back("box" + std::to_string(j) + "-" + std::to_string(i));
    }
  add_contacts(bench.world, contact(K, 0.5, 2 * step, 4 * step), pairs, names);
  const auto integrator = make_integrator(method, bench.world, {.step = step});
  const auto start = bench.world.start();
  integrator->start(0, start);
  integrator->advance(0.5);
  const double early = bench.world.kinetic(integrator->state());
  integrator->advance(1.5);
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Point way = bench.motion(bodies[i], integrator->state()).p - bench.motion(bodies[i], start).p;
    EXPECT_LT(std::hypot(way[0], way[1]), 1e-4) << i;
    EXPECT_LT(std::abs(way[2]), 1e-3) << i;
  }
  EXPECT_LT(bench.world.kinetic(integrator->state()), 0.3 * early);
  EXPECT_LT(early, 1e-4);
}
INSTANTIATE_TEST_SUITE_P(Steps, Stack, testing::Values(std::pair{std::string("rk4"), 2e-4}));

/// The Jacobian by dual numbers is that of differences.
TEST(ShapeContacts, DerivativesAreThoseOfDifferences) {
  Bench bench;
  const Shape box = Shape::box(0.1, 0.12, 0.14), other = Shape::box(0.2, 0.2, 0.2);
  const BodyId a = bench.box("a", 1, box,
                             {{{0.06, 0.05, 0.17 - 1e-4}},
                              Chance::turned({{0.6, 0.8, 0}}, 1e-4) * Chance::turned({{0, 0, 1}}, 0.4),
                              {{0.1, 0.2, -0.05}},
                              {{1, 2, 3}}});
  const BodyId b = bench.box("b", 2, other, {});
  bench.meet("touch", contact(1e5, 0.5), a, box, b, other);
  auto x = bench.world.start();
  Workspace work(bench.world);
  work.between_steps(0, x);
  std::vector<double> rate(x.size()), low(x.size()), high(x.size());
  for (std::size_t first = 0; first < x.size(); first += 8) {
    std::vector<Dual8> xd(x.begin(), x.end()), rd(x.size());
    for (std::size_t k = 0; k < 8 && first + k < x.size(); ++k) xd[first + k].v[k] = 1;
    work.rate(0, xd, 0, rd);
    work.rate(0, x, 0, rate);
    for (std::size_t k = 0; k < 8 && first + k < x.size(); ++k) {
      const double h = 1e-9;
      auto moved = x;
      moved[first + k] = x[first + k] + h, work.rate(0, moved, 0, high);
      moved[first + k] = x[first + k] - h, work.rate(0, moved, 0, low);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(rd[i].a, rate[i], 1e-9 * (1 + std::abs(rate[i])));
        const double slope = (high[i] - low[i]) / (2 * h);
        EXPECT_NEAR(rd[i].v[k], slope, 1e-3 * std::abs(slope) + 30) << i << " by " << first + k;
      }
    }
  }
}

}  // namespace
}  // namespace asperity::contacts_test
