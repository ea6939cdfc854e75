// What a step makes of a strike, a swing or a spin is told before the run: against closed forms, and against what a run really
// does.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <regex>

#include "asperity/design/impact.hpp"
#include "asperity/laws.hpp"
#include "asperity/setup/checks.hpp"
#include "system/run.hpp"

namespace asperity::trials_test {
namespace {

using Kind = Warning::Kind;
constexpr double pi = std::numbers::pi;

const std::pair<const char*, Method> methods[] = {
    {"euler", Method::euler}, {"step", Method::step}, {"rk4", Method::rk4}, {"rk4-lookahead", Method::rk4_lookahead}};

std::vector<Warning> found(World& world, double step, const std::string& method, double duration = 1) {
  const std::vector<double> x = world.start();
  return check(world, x, {.step = step, .method = method, .duration = duration});
}
std::optional<Warning> of(const std::vector<Warning>& list, Kind kind, const std::string& words = "") {
  for (const Warning& warning : list)
    if (warning.kind == kind && warning.text.find(words) != std::string::npos) return warning;
  return std::nullopt;
}
std::string texts(const std::vector<Warning>& list) {
  std::string all;
  for (const Warning& warning : list) all += warning.text + "\n";
  return all;
}
/// "use step <= 0.21 ms" in seconds; 0 if there is no such advice.
double advised(const std::string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("use step <= ([0-9.e+-]+) (s|ms|us)"))) return 0;
  return std::stod(found[1]) * (found[2] == "s" ? 1 : found[2] == "ms" ? 1e-3 : 1e-6);
}

// --- strikes

template <class Law>
World thrown(const Law& law, double mass, double speed, double gap) {
  World world;
  const BodyId ball = world.add("ball", PointMass<double, 1>{mass}, {gap, -speed});
  world.add("wall", law, Line<double>{}, ball, ground);
  return world;
}
/// What a run makes of it: from a gap that puts the touch anywhere in a step.
template <class Law>
double restitution(const Law& law, double mass, double speed, Method method, double h, double phase, double contact_time) {
  World world = thrown(law, mass, speed, (3 + phase) * speed * h);
  const std::vector<double> x = testing::run(world, method, std::ceil((4 * contact_time) / h + 20) * h, h);
  return x[1] / speed;
}

struct Told {
  double worst = 0;    // error of a run over phases
  double e_exact = 0;  // closed form
};

/// Over laws, methods and steps: told if it is off, silent if not, and the advice helps.
template <class Law>
void strikes(const Law& law, double mass, double speed, double exact, double contact_time) {
  SCOPED_TRACE(std::string(Law::about.name));
  for (const auto& [name, method] : methods) {
    for (const double share : {0.3, 0.03, 0.003}) {
      const double h = share * contact_time;
      SCOPED_TRACE(std::string(name) + " " + std::to_string(share));
      double worst = 0;
      for (const double phase : {.05, .3, .55, .8}) {
        const double e = restitution(law, mass, speed, method, h, phase, contact_time);
        worst = std::max(worst, std::isfinite(e) ? std::abs(e - exact) : 1e9);
      }
      World world = thrown(law, mass, speed, 10.3 * speed * h);
      const auto list = found(world, h, name, 100 * h + 4 * contact_time);
      const bool told = std::any_of(list.begin(), list.end(),
                                    [](const Warning& w) { return w.kind == Kind::stability || w.kind == Kind::accuracy; });
      if (worst > 0.006) {
        EXPECT_TRUE(told) << "off by " << worst << " and not a word";
      }
      if (worst < 0.002) {
        EXPECT_FALSE(of(list, Kind::accuracy, "hit at")) << texts(list);
      }
      const auto warning = of(list, Kind::accuracy, "hit at");
      if (!warning) continue;
      EXPECT_EQ(warning->note, warning->value <= 0.02) << warning->text;
      if (worst < 1e6) {
        EXPECT_NEAR(warning->value, worst, 0.25 * worst + 0.005) << warning->text;
      }
      if (const double shorter = advised(warning->text); shorter > 0) {
        EXPECT_LT(shorter, h);
        World again = thrown(law, mass, speed, 10.3 * speed * h);
        const auto left = found(again, shorter, name, 100 * h + 4 * contact_time);
        EXPECT_FALSE(of(left, Kind::accuracy, "hit at")) << texts(left);
        for (const double phase : {.1, .35, .6, .85})
          EXPECT_NEAR(restitution(law, mass, speed, method, shorter, phase, contact_time), exact, 0.006) << warning->text;
      }
    }
  }
}

TEST(Strikes, Hertz) {
  const double K = 1e6, M = 2, v = 1.5, length = std::pow(M * v * v / K, 1 / 2.5);
  strikes(Hertz<double>{K, 1.5}, M, v, 1, design::hertz_contact_time(1.5) * length / v);
}
TEST(Strikes, HuntCrossley) {
  const double K = 1e6, M = 2, v = 1.5, length = std::pow(M * v * v / K, 1 / 2.5);
  HuntCrossley<double> law;
  law.K = K;
  law.b2 = 0.3;
  strikes(law, M, v, design::hunt_crossley_restitution(law.b2 * v), design::hertz_contact_time(1.5) * length / v);
}
TEST(Strikes, KelvinVoigt) {
  const double K = 1e5, M = 2, B = 60, zeta = B / (2 * std::sqrt(K * M)), w = std::sqrt(K / M);
  const double half = pi / std::sqrt(1 - zeta * zeta);
  strikes(KelvinVoigt<double, false>{K, B}, M, 1.5, std::exp(-zeta * half), half / w);
}
TEST(Strikes, KelvinVoigtClamped) {
  const double K = 1e5, M = 2, B = 60, w = std::sqrt(K / M);
  const auto shape = design::kelvin_voigt_impact(B / (2 * M * w));
  strikes(KelvinVoigt<double, true>{K, B}, M, 1.5, shape.restitution, shape.contact_time / w);
}
TEST(Strikes, LinearCompliance) {
  const double K = 1e5, M = 2, w = std::sqrt(K / M), beta = 0.4 / w, alpha = 0.5 * beta;
  const auto shape = design::linear_impact(alpha / beta, w * beta);
  strikes(LinearCompliance<double>{K, alpha, beta}, M, 1.5, shape.restitution, shape.contact_time / w);
}
/// No closed form: fine steps, which weak damping finds at 1 - 1.730173 B1, the series of viscoelastic spheres.
TEST(Strikes, NonlinearCompliance) {
  NonlinearCompliance<double> law;
  law.K = 1e6;
  law.beta2 = 0;
  const double M = 2, v = 1.5, length = std::pow(M * v * v / law.K, 1 / 2.5), time = length / v;
  const double contact = design::hertz_contact_time(1.5) * time;
  law.gamma = 1e3 / time;
  law.beta1 = 0.01 * time;
  EXPECT_NEAR(restitution(law, M, v, Method::rk4, 1e-3 * time, 0, contact), 1 - 1.730173 * 0.01, 1e-3);
  law.gamma = 20 / time;
  law.beta1 = 0.2 * time;
  strikes(law, M, v, restitution(law, M, v, Method::rk4, 1e-3 * time, 0, contact), contact);
}
/// In a frictional contact the normal law is the same.
TEST(Strikes, InAFrictionalContact) {
  World world;
  const double M = 1, R = 0.1;
  auto body = RigidBody<double>::of(M, inertia::sphere(M, R));
  Frame<double> at;
  at.p = {{0, 0, 2 * R}};
  at.v = {{0, 0, -2}};
  const BodyId ball = world.add("ball", body, at);
  BallPlane<double, true> plane;
  plane.radius = R;
  FrictionalContact<Hertz<double>, SingleState<double, 3>> contact;
  contact.normal.K = 1e7;
  contact.tangential.K = 1e3;
  contact.tangential.beta = 2e-3;
  world.add("floor", contact, plane, ball, ground);
  const auto list = found(world, 1.2e-3, "rk4");
  const auto told = of(list, Kind::accuracy, "hit at 2 m/s");
  ASSERT_TRUE(told) << texts(list);
  EXPECT_NE(told->text.find("instead of 1.000"), std::string::npos) << told->text;
}
/// Contacts that are open now and close together are as stiff as all of them.
TEST(Strikes, SeveralTogether) {
  for (const int n : {1, 10}) {
    World world;
    const BodyId ball = world.add("ball", PointMass<double, 1>{1.0}, {0.1, -1.0});
    for (int i = 0; i < n; ++i)
      world.add("wall" + std::to_string(i), KelvinVoigt<double, true>{1e5, 0}, Line<double>{}, ball, ground);
    // One: omega h = .1, error (omega h)^2 and less; ten: sqrt(10) times that.
    const auto list = found(world, 0.35e-3, "rk4");
    const auto x = testing::run(world, Method::rk4, 0.2002, 0.35e-3);
    EXPECT_EQ(of(list, Kind::accuracy, "hit at").has_value(), std::abs(x[1] - 1) > 0.004) << n << ": " << x[1] << "\n"
                                                                                          << texts(list);
  }
}
/// A hundred thousand that are alike cost no more than one; random ones are bounded, too.
TEST(Strikes, ManyAreToldOnce) {
  World world;
  for (int i = 0; i < 2000; ++i) {
    const BodyId ball = world.add("ball" + std::to_string(i), PointMass<double, 1>{1.0}, {0.1, -1.0});
    world.add("wall" + std::to_string(i), Hertz<double>{1e8, 1.5}, Line<double>{}, ball, ground);
  }
  const auto list = found(world, 6e-4, "rk4");
  const auto told = of(list, Kind::accuracy, "hit at");
  ASSERT_TRUE(told) << texts(list);
  EXPECT_EQ(told->alike.size(), 1999u);
}

// --- swings

/// |R(i w h)|^(2 N) in closed form, method by method.
double share_left(const std::string& method, double x, double N) {
  const std::complex<double> z(0, x);
  const double gamma = 1 - 1 / std::sqrt(2.0);
  const std::complex<double> R = method == "rk4" || method == "rk4-lookahead"
                                     ? 1. + z + z * z / 2. + z * z * z / 6. + z * z * z * z / 24.
                                 : method == "implicit"  ? 1. / (1. - z)
                                 : method == "implicit2" ? (1. + (1 - 2 * gamma) * z) / ((1. - gamma * z) * (1. - gamma * z))
                                                         : 1. + z;
  return std::pow(std::norm(R), N);
}
TEST(Swings, EnergyThatAMethodTakesOrGives) {
  for (const char* method : {"euler", "step", "rk4", "rk4-lookahead", "implicit", "implicit2"})
    for (const double x : {1e-4, 1e-3, 0.01, 0.1, 0.3, 0.7071, 1.5}) {
      const double w = 707.1, h = x / w, T = 2;
      World world;
      const BodyId ball = world.add("ball", PointMass<double, 1>{1.0}, {0.1, 0.0});
      world.add("spring", Spring<double>{w * w}, Line<double>{}, ball, ground);
      const auto list = found(world, h, method, T);
      const double left = share_left(method, x, T / h);
      const bool told = !list.empty();
      if (std::abs(left - 1) > 0.011) {
        EXPECT_TRUE(told) << method << " " << x << " left " << left;
      }
      const auto warning = of(list, Kind::accuracy, "oscillates at");
      if (!warning) continue;
      if (std::abs(left - 1) > 0.06) {
        EXPECT_FALSE(warning->note) << warning->text;
      }
      if (const double shorter = advised(warning->text); shorter > 0) {
        EXPECT_NEAR(share_left(method, w * shorter, T / shorter), 1, 0.0101) << warning->text;
        EXPECT_TRUE(found(world, shorter, method, T).empty()) << warning->text << "\n" << texts(found(world, shorter, method, T));
      }
    }
}
/// rk4, 1 ms, 5e5 N/m on 1 kg: 2500 J become 490 J in ... the closed form says how much.
TEST(Swings, TheRunLosesWhatIsTold) {
  World world;
  const BodyId ball = world.add("ball", PointMass<double, 1>{1.0}, {0.1, 0.0});
  world.add("spring", Spring<double>{5e5}, Line<double>{}, ball, ground);
  const auto list = found(world, 1e-3, "rk4", 1);
  const auto warning = of(list, Kind::accuracy, "oscillates at 707 rad/s");
  ASSERT_TRUE(warning) << texts(list);
  const auto x = testing::run(world, Method::rk4, 1, 1e-3);
  const double energy = (0.5 * x[1] * x[1] + 0.25e6 * x[0] * x[0]) / 2500;
  EXPECT_NEAR(warning->value, 1 - energy, 1e-3);
  EXPECT_FALSE(warning->note);
}
/// A cubic spring is as stiff as it is stretched.
TEST(Swings, PolynomialSprings) {
  World world;
  const BodyId ball =
      world.add("ball", PointMass<double, 1>{1.0}, {0.0, 50.0});  // 1/4 K3 x^4 = 1250: x = .1496, K = 3 K3 x^2 = 671 e3
  Spring<double> law{1.0};
  law.K3 = 1e7;
  world.add("spring", law, Line<double>{}, ball, ground);
  EXPECT_TRUE(of(found(world, 1e-3, "rk4", 1), Kind::accuracy, "oscillates at"));
  EXPECT_TRUE(found(world, 2e-5, "rk4", 1).empty()) << texts(found(world, 2e-5, "rk4", 1));
}
TEST(Swings, WhatHangsStillDoesNotSwing) {
  World world;
  const BodyId ball = world.add("ball", PointMass<double, 1>{1.0}, {0.0, 0.0});
  world.add("spring", Spring<double>{5e5}, Line<double>{}, ball, ground);
  EXPECT_TRUE(found(world, 1e-3, "rk4").empty());
}

// --- spins

TEST(Spins, EnergyOfAFreeTop) {
  for (const char* method : {"euler", "step", "rk4", "rk4-lookahead", "implicit", "implicit2"})
    for (const double w : {1.0, 30.0, 300.0, 1000.0}) {
      World world;
      auto body = RigidBody<double>::of(1.0, inertia::diagonal(1, 2, 3));
      Frame<double> at;
      at.w = {{w, 0.3 * w, 0.2 * w}};
      world.add("top", body, at);
      const double h = 1e-3;
      const auto list = found(world, h, method, 1);
      const auto warning = of(list, Kind::accuracy, "spins at");
      if (std::string(method).starts_with("implicit")) continue;
      Method how = Method::rk4;
      for (const auto& [name, m] : methods)
        if (std::string(name) == method) how = m;
      const double before = world.kinetic(world.start());
      const auto x = testing::run(world, how, 1, h);
      const double share = world.kinetic(x) / before;
      if (!(std::abs(share - 1) < 0.02)) {
        EXPECT_TRUE(warning) << method << " " << w << ": " << share;
      }
      if (std::abs(share - 1) < 0.005) {
        EXPECT_FALSE(warning) << method << " " << w << ": " << share << "\n" << texts(list);
      }
      if (!warning) continue;
      if (const double shorter = advised(warning->text); shorter > 1e-6) {
        EXPECT_FALSE(of(found(world, shorter, method, 1), Kind::accuracy, "spins at")) << warning->text;
        const auto y = testing::run(world, how, 1, shorter);
        EXPECT_NEAR(world.kinetic(y) / before, 1, 0.015) << warning->text;
      }
    }
}
TEST(Spins, ASphereKeepsItsSpin) {
  World world;
  Frame<double> at;
  at.w = {{100, 30, 20}};
  world.add("ball", RigidBody<double>::of(1.0, inertia::sphere(1, 0.1)), at);
  EXPECT_TRUE(found(world, 1e-3, "rk4").empty());
}

// --- where bodies are

World two_balls(double K, double speed, double apart) {
  World world;
  const double M = 1, R = 0.05;
  const auto body = RigidBody<double>::of(M, inertia::sphere(M, R));
  Frame<double> left, right;
  left.p = {{0, 0, 0}};
  left.v = {{speed / 2, 0, 0}};
  right.p = {{2 * R + apart, 0, 0}};
  right.v = {{-speed / 2, 0, 0}};
  BallBall<double> touch;
  touch.radius_a = touch.radius_b = R;
  FrictionalContact<KelvinVoigt<double, true>, SingleState<double, 3>> contact;
  contact.normal = {K, 0};
  contact.tangential.K = 0.1 * K;
  contact.tangential.beta = 2e-4;
  world.add("touch", contact, touch, world.add("a", body, left), world.add("b", body, right));
  return world;
}
TEST(Depths, BallsThatPassThroughEachOther) {
  // Reduced mass 1/2: depth v sqrt(M/2K) against 2 R = .1 m.
  for (const double K : {1e4, 1e5, 1e6, 1e8}) {
    World world = two_balls(K, 20, 0.1);
    const double depth = 20 * std::sqrt(0.5 / K);
    const auto list = found(world, 1e-6, "rk4", 0.1);
    const auto warning = of(list, Kind::depth);
    EXPECT_EQ(warning.has_value(), depth > 0.05) << K << "\n" << texts(list);
    if (!warning) continue;
    EXPECT_NEAR(warning->value, depth, 1e-6 * depth);
    EXPECT_EQ(warning->text.find("passes through") != std::string::npos, depth > 0.1) << warning->text;
    EXPECT_FALSE(warning->note);
  }
}
/// The distance of two spheres is no lever arm: 2/7 of the reduced mass, however far apart.
TEST(Depths, SpheresThatStartApartFeelTheSameMass) {
  for (const double apart : {1e-6, 0.1, 10.0, 1000.0}) {
    World world = two_balls(1e5, 1, apart);
    const std::vector<double> x = world.start();
    const Network network(world, x);
    EXPECT_NEAR(network.parts[0].mass, 0.5, 1e-9);
    EXPECT_NEAR(network.parts[1].mass, 0.5 * 2 / 7, 1e-5);
    const auto list = found(world, 1e-5, "rk4", 1e-3);
    EXPECT_FALSE(of(list, Kind::stability)) << apart << "\n" << texts(list);
  }
}
TEST(Depths, ABodyThatStartsInsideIsThrownOff) {
  for (const double deep : {0.0, 1e-4, 0.02, 0.05}) {
    World world;
    auto body = RigidBody<double>::of(1, inertia::box(1, .2, .2, .1));
    body.gravity = {{0, 0, -9.81}};
    Frame<double> at;
    at.p = {{0, 0, 0.05 - deep}};
    const BodyId box = world.add("box", body, at);
    FrictionalContact<KelvinVoigt<double, true>, SingleState<double, 3>> contact;
    contact.normal = {1e5, 100};
    int i = 0;
    for (const auto& corner : box_on({}, .2, .2, .1)) world.add("c" + std::to_string(++i), contact, corner, box, ground);
    const auto warning = of(found(world, 1e-5, "rk4"), Kind::depth);
    EXPECT_EQ(warning.has_value() && !warning->note, deep > 0.01) << deep << (warning ? warning->text : "");
  }
}

TEST(Support, NothingUnderIt) {
  const auto said = [](Vec<double, 3> normal, bool with_floor) {
    World world;
    auto body = RigidBody<double>::of(1, inertia::sphere(1, .1));
    body.gravity = {{0, 0, -9.81}};
    Frame<double> at;
    at.p = {{1, 1, 1}};
    const BodyId ball = world.add("ball", body, at);
    BallPlane<double, true> plane;
    plane.radius = .1;
    plane.normal = normal;
    if (with_floor) world.add("floor", FrictionalContact<Hertz<double>, SingleState<double, 3>>{}, plane, ball, ground);
    return of(found(world, 1e-6, "rk4", 2), Kind::support);
  };
  EXPECT_FALSE(said({{0, 0, 1}}, true));
  EXPECT_FALSE(said({{0.6, 0, 0.8}}, true));
  const auto ceiling = said({{0, 0, -1}}, true), nothing = said({{0, 0, 1}}, false);
  ASSERT_TRUE(ceiling && nothing);
  EXPECT_NEAR(ceiling->value, 9.81 * 2, 1e-9);  // g t^2/2
  EXPECT_TRUE(ceiling->note && nothing->note);
  EXPECT_NE(ceiling->text.find("nothing can stop it in direction -z"), std::string::npos) << ceiling->text;
}

// A ball on a plane that a body without weight carries: whatever holds that body holds the ball.
TEST(Support, ByABodyWithoutWeight) {
  for (const bool guided : {true, false}) {
    World world;
    auto body = RigidBody<double>::of(1, inertia::sphere(1, .1));
    body.gravity = {{0, 0, -9.81}};
    Frame<double> at;
    at.p = {{0, 0, .1}};
    const BodyId ball = world.add("ball", body, at);
    const BodyId pad = world.add("pad", PointMass<double, 3>{1.0});
    BallPlane<double, true> plane;
    plane.radius = .1;
    plane.normal = {{0, 0, 1}};
    world.add("top", FrictionalContact<Hertz<double>, SingleState<double, 3>>{}, plane, ball, pad);
    Spring<> guide;
    guide.K = 1e5;
    world.add("guide", guide, Axis<double, 3>{{{guided ? 0. : 1., 0, guided ? 1. : 0.}}}, pad, ground);
    EXPECT_EQ(of(found(world, 1e-6, "rk4", 2), Kind::support).has_value(), !guided);
  }
}

}  // namespace
}  // namespace asperity::trials_test
