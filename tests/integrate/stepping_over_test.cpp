// An adaptive method steps over nothing: touches, whatever the speed and the size, and pushes, however short. Each is held against
// momentum, energy, or the restitution of its contact in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "asperity/formula/outline.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#include "integrate/methods.hpp"

namespace asperity::stepping_over_test {
namespace {

struct Way {
  std::string method;
  double rtol;
};
std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.method << " " << way.rtol; }

std::vector<Way> ways() {
  std::vector<Way> list;
  for (const AboutMethod& method : integration_methods())
    for (const double rtol : {1e-3, 1e-6, 1e-9})
      if (method.adaptive && method.available) list.push_back({std::string(method.name), rtol});
  return list;
}

class SteppingOver : public ::testing::TestWithParam<Way> {
 protected:
  /// As sharp as rtol for numbers of this size.
  std::unique_ptr<Integrator> integrator(World& world, double size = 1) const {
    return make_integrator(GetParam().method, world, {.rtol = GetParam().rtol, .atol = 1e-3 * GetParam().rtol * size});
  }
  /// How far an impact may be off: a few steps of it, each within the tolerance.
  double error() const { return 30 * std::pow(GetParam().rtol, 0.75); }
};
INSTANTIATE_TEST_SUITE_P(, SteppingOver, ::testing::ValuesIn(ways()), [](const auto& way) {
  return way.param.method + "_" + std::to_string(int(std::round(-std::log10(way.param.rtol))));
});

/// The restitution of the linear compliance without gravity: the roots of r b s^3 + s^2 + b s + 1 give the force, and its first
/// zero the end of the contact.
double restitution(double M, double K, double alpha, double beta) {
  using Complex = std::complex<double>;
  const double b = std::sqrt(K / M) * beta, r = alpha / beta;
  std::array<Complex, 3> s{Complex(1, .1), Complex(-.5, .8), Complex(-.6, -.9)};
  for (int round = 0; round < 500; ++round)  // Durand-Kerner
    for (std::size_t i = 0; i < 3; ++i) {
      const Complex value = s[i] * s[i] * s[i] + (s[i] * s[i] + b * s[i] + 1.0) / (r * b);
      s[i] -= value / ((s[i] - s[(i + 1) % 3]) * (s[i] - s[(i + 2) % 3]));
    }
  const auto sum = [&](int power, double t) {
    Complex all = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Complex j = s[(i + 1) % 3], k = s[(i + 2) % 3];
      all += (j + k) / ((s[i] - j) * (s[i] - k)) * std::pow(s[i], power) * std::exp(s[i] * t);
    }
    return all.real();
  };
  double t = 1e-3;
  const bool sign = sum(2, t) > 0;
  while ((sum(2, t + 1e-3) > 0) == sign) t += 1e-3;
  double low = t, high = t + 1e-3;
  for (int round = 0; round < 60; ++round) ((sum(2, (low + high) / 2) > 0) == sign ? low : high) = (low + high) / 2;
  return std::abs(sum(1, high));
}

LinearCompliance<> compliance(double K, double alpha, double beta) {
  LinearCompliance<> law;
  law.K = K;
  law.alpha = alpha;
  law.beta = beta;
  return law;
}

using Contact = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

/// Balls of 1 and 3 kg: the first comes from afar, off the line through the second by a share of the sum of their radii.
TEST_P(SteppingOver, NoImpactOfTwoBalls) {
  for (const double radius : {.01, 1.})
    for (const double speed : {.1, 6., 300.})
      for (const double distance : {.5, 40.})
        for (const double off : {0., .6, .95}) {
          World world;
          const double m1 = 1, m2 = 3, M = m1 * m2 / (m1 + m2);
          const double I = .4 * radius * radius;
          const auto body = [&](double m) { return RigidBody<double>::of(m, {m * I, m * I, m * I, 0, 0, 0}); };
          const double y = off * 2 * radius, touch = -std::sqrt(4 * radius * radius - y * y);
          const auto a = world.add("a", body(m1), {{{touch - distance, y, 0}}, {}, {{speed, 0, 0}}, {}});
          const auto b = world.add("b", body(m2), {});
          // The deepest indentation is a fiftieth of a radius; the restitution does not depend on the speed.
          const double omega = speed / (.02 * radius), beta = .5 / omega, alpha = .2 * beta;
          Contact law;
          law.normal.K = M * omega * omega;
          law.normal.beta = beta;
          law.normal.alpha = alpha;
          law.tangential.F = 1e-12;
          world.add("pair", law, BallBall<double>{radius, radius}, a, b);
          const auto run = integrator(world, radius);
          run->start(0, world.start());
          run->advance((distance + radius) / speed);
          const auto x = run->state();
          const auto v = [&](const BodyId& id, std::size_t c) { return x[id.pool->motion.at(7 + c, id.index)]; };
          const double e = restitution(M, law.normal.K, alpha, beta);
          const auto what = ::testing::Message() << "radius " << radius << ", speed " << speed << ", distance " << distance
                                                 << ", off " << off << ", steps " << run->statistics().steps;
          EXPECT_NEAR((m1 * v(a, 0) + m2 * v(b, 0)) / speed, m1, 1e-6) << what;
          // Along the line of centres at the touch, which turns a little during the impact.
          const double n = -touch / (2 * radius), before = speed * n;
          const double after = (v(b, 0) - v(a, 0)) * n + (v(b, 1) - v(a, 1)) * -off;
          EXPECT_NEAR(after / before, e, error() + (off > .9 ? .1 : off > 0 ? .03 : 0)) << what;
        }
}

/// A mass against a wall, for every contact law: its restitution in closed form, or from the table of xiong2013 Fig. 5.
template <class Law>
double bounce(const Law& law, const Way& way, double speed, double distance, double M = 1) {
  World world;
  const auto ball = world.add("ball", PointMass<double>{M}, {distance, -speed});
  world.add("wall", law, Line<double>{}, ball, ground);
  const auto run = make_integrator(way.method, world, {.rtol = way.rtol, .atol = 1e-3 * way.rtol * .01});
  run->start(0, world.start());
  run->advance(1.02 * distance / speed + .5);
  return run->state()[1] / speed;
}

TEST_P(SteppingOver, NoImpactOfAnyLaw) {
  Hertz<> hertz;
  hertz.K = 1e7;
  KelvinVoigt<double, true> damped;
  damped.K = 1e6;
  damped.B = 400;
  const double zeta = damped.B / (2 * std::sqrt(damped.K)), lasts = 2 * std::acos(zeta) / std::sqrt(1 - zeta * zeta);
  HuntCrossley<> crossley;
  crossley.K = 1e7;
  crossley.b2 = .1;
  NonlinearCompliance<> nonlinear;
  nonlinear.K = 1e4;
  nonlinear.lambda = 1.5;
  nonlinear.gamma = 2e3;
  nonlinear.beta1 = 3e-3;
  nonlinear.beta2 = .1;
  for (const double distance : {.2, 30.}) {
    for (const double speed : {.1, 2., 10.}) {
      EXPECT_NEAR(bounce(hertz, GetParam(), speed, distance), 1, error()) << distance << " " << speed;
      EXPECT_NEAR(bounce(damped, GetParam(), speed, distance), std::exp(-zeta * lasts), error()) << distance << " " << speed;
      EXPECT_NEAR(bounce(compliance(1e5, 1e-3, 2e-3), GetParam(), speed, distance), restitution(1, 1e5, 1e-3, 2e-3), error());
      const double b = crossley.b2 * speed, e = bounce(crossley, GetParam(), speed, distance);
      EXPECT_NEAR(b - std::log1p(b), -b * e - std::log1p(-b * e), 3 * error()) << distance << " " << speed << " " << e;
    }
    EXPECT_NEAR(bounce(nonlinear, GetParam(), 2, distance), .774878, error() + 1e-5);
    EXPECT_NEAR(bounce(nonlinear, GetParam(), 10, distance), .585829, error() + 1e-5);
  }
}

/// A piston strikes a ball at rest: the ball leaves it with e times the speed of the piston on top of it.
TEST_P(SteppingOver, NoStrikeOfAPrescribedMotion) {
  const double K = 1e6, alpha = 2e-4, beta = 1e-3, e = restitution(1, K, alpha, beta);
  for (const double speed : {.5, 20.})
    for (const double start : {.1, 3.}) {
      // At rest until `start`, then at a constant speed: a corner of a function without a tree.
      World world;
      const auto piston = world.add_given<1>("piston", [=](double t) {
        return t < start ? Port<double, 1>{-1, 0} : Port<double, 1>{-1 + speed * (t - start), speed};
      });
      const auto ball = world.add("ball", PointMass<double>{1.0}, {});
      world.add("face", compliance(K, alpha, beta), Line<double>{}, ball, piston);
      const auto run = integrator(world);
      run->start(0, world.start());
      run->advance(start + 1 / speed + .1);
      EXPECT_NEAR(run->state()[1] / speed, 1 + e, 2 * error()) << speed << " " << start;
    }
  // One that swings: a mass on a spring whose end swings, until that pulls.
  const double A = .01, w = 200, x1 = .0099, t1 = std::asin(x1 / A) / w, omega = std::sqrt(K);
  World world;
  const auto piston = world.add_given<1>("piston", [=](double t) {
    return Port<double, 1>{A * std::sin(w * t), A * w * std::cos(w * t)};
  });
  const auto ball = world.add("ball", PointMass<double>{1.0}, {x1, 0});
  world.add("face", compliance(K, 1e-3, 1e-3), Line<double>{}, ball, piston);
  const auto run = integrator(world, .01);
  run->start(0, world.start());
  run->advance(.3);
  const double P = A * K / (K - w * w), c = x1 - P * std::sin(w * t1), s = -P * w * std::cos(w * t1) / omega;
  const auto at = [&](double t) {
    const double phase = omega * (t - t1);
    return Port<double, 1>{P * std::sin(w * t) + c * std::cos(phase) + s * std::sin(phase),
                           P * w * std::cos(w * t) + omega * (s * std::cos(phase) - c * std::sin(phase))};
  };
  double leaves = t1 + 1e-5;
  while (at(leaves).p < A * std::sin(w * leaves)) leaves += 1e-8;
  EXPECT_NEAR(run->state()[1] / at(leaves).v, 1, 10 * error());
}

/// A rod that spins and falls strikes the floor with one end. Without losses the energy of both is what it was.
TEST_P(SteppingOver, NoStrikeOfACorner) {
  for (const double spin : {2., 40., 400.}) {
    World world;
    const double m = 2, length = .6, I = m * length * length / 12;
    const auto rod =
        world.add("rod", RigidBody<double>::of(m, {1e-3, I, I, 0, 0, 0}), {{{0, 0, .302}}, {}, {{0, 0, -.1}}, {{0, spin, 0}}});
    using Elastic = FrictionalContact<Hertz<double>, SingleState<double, 3>>;
    Elastic law;
    law.normal.K = 1e9;
    law.tangential.F = 1e-12;
    for (const double end : {-.3, .3}) {
      BallPlane<double> corner;
      corner.centre = {{end, 0, 0}};
      world.add(end < 0 ? "left" : "right", law, corner, rod, ground);
    }
    const auto x0 = world.start();
    const double before = world.kinetic(x0);
    const auto run = integrator(world, .1);
    run->start(0, x0);
    double deepest = 0;
    run->advance(std::min(1.6, 20 / spin), [&](double, std::span<const double> x) {
      const auto q = Quaternion<double>{x[3], {{x[4], x[5], x[6]}}};
      for (const double end : {-.3, .3}) deepest = std::min(deepest, x[2] + rotate(q, VecN<double, 3>{{end, 0, 0}})[2]);
    });
    EXPECT_NEAR(world.kinetic(run->state()) / before, 1, error()) << spin;
    EXPECT_NE(run->state()[11], spin) << "it has not been struck";
    // As deep as the energy of the strike allows, and no deeper.
    const double speed = spin * .3 + .1;
    EXPECT_GT(deepest, -2 * std::pow(m * speed * speed / 1e9, .4)) << spin;
  }
}

Formula formula(const std::string& text) {
  FormulaProblem problem;
  const auto read = Formula::read(text, problem);
  EXPECT_TRUE(read) << text << ": " << to_text(problem);
  return *read;
}

/// A push on a mass at rest: its momentum is the integral of the force.
double momentum(const std::string& text, const Way& way, double duration, bool with_tree) {
  World world;
  const auto mass = world.add("mass", PointMass<double>{1.0}, {});
  const Formula force = formula(text);
  const auto value = [force](double t) { return force.value<double>(std::span<const double>(&t, 1)); };
  if (with_tree) world.push(mass, 0, value, outline_of(force));
  else world.push(mass, 0, value);
  const auto run = make_integrator(way.method, world, {.rtol = way.rtol, .atol = 1e-3 * way.rtol});
  run->start(0, world.start());
  try {
    run->advance(duration);
  } catch (const IntegrationFailure& failure) {
    ADD_FAILURE() << text << ": " << failure.what();
  }
  return run->state()[1];
}

TEST_P(SteppingOver, NoPush) {
  for (const double width : {1e-5, 1e-3, .05})
    for (const double at : {.0123456, 3., 7.77}) {
      if (4 * width > at) continue;  // it would begin before the run
      const auto with = [&](std::string text) {
        for (const auto& [name, value] : {std::pair{"W", width}, {"T", at}})
          for (std::size_t i = text.find(name); i != std::string::npos; i = text.find(name))
            text.replace(i, 1, fmt::format("{:.17g}", value));
        return text;
      };
      struct Push {
        std::string text;
        double impulse;
      };
      const std::vector<Push> pushes{
          {"t > T && t < T + W ? 1/W : 0", 1},
          {"t < T ? 0 : t <= T + W ? 3/W : 0", 3},
          {"step(t - T)/W - step(t - T - W)/W", 1},
          {"max(0, 1 - abs(t - T)/W)/W", 1},
          {"min(1, max(0, (t - T)/W)) - min(1, max(0, (t - T)/W - 1))", 1 * width},
          {"(sign(t - T) - sign(t - T - W))/(2*W)", 1},
          {"floor(t/T) == 1 && mod(t, T) < W ? 1/W : 0", 1},
          {"exp(-((t - T)/(W/4))^2)/(W/4)", std::sqrt(std::numbers::pi)},
          {"10/W/(1 + ((t - T)/(W/10))^2)", -1},
          {"sat(1, 1e9*(t - T)) + sat(1, 1e9*(T + W - t))", -1},
      };
      for (const Push& push : pushes) {
        double impulse = push.impulse;
        if (push.text.starts_with("10/W")) impulse = std::atan((10 - at) / (width / 10)) + std::atan(at / (width / 10));
        if (push.text.starts_with("sat")) impulse = 2 * width;
        EXPECT_NEAR(momentum(with(push.text), GetParam(), 10, true) / impulse, 1, error()) << with(push.text);
      }
    }
}

/// Trains of pulses: each counts.
TEST_P(SteppingOver, NoPulseOfATrain) {
  EXPECT_NEAR(momentum("mod(t, 0.5) < 1e-4 ? 1 : 0", GetParam(), 10 - .1, true), 20e-4, 20e-4 * error());
  EXPECT_NEAR(momentum("sin(20*t) > 0.99999 ? 1 : 0", GetParam(), 10, true), 32 * 2 * std::acos(.99999) / 20, 2e-3 * error());
  EXPECT_NEAR(momentum("max(0, sin(2*pi*t))^200", GetParam(), 10, true), 5 * .05634847900925642, error());
  EXPECT_NEAR(momentum("abs(sin(pi*t))", GetParam(), 10, true), 20 / std::numbers::pi, 10 * error());
}

/// Without a tree a push has to be longer than a share of the step; here the duration bounds the step.
TEST_P(SteppingOver, NoLongPushWithoutATree) {
  EXPECT_NEAR(momentum("t > 3.1 && t < 4.2 ? 2 : 0", GetParam(), 10, false), 2.2, 2.2 * error());
  EXPECT_NEAR(momentum("exp(-((t - 5)/0.5)^2)", GetParam(), 10, false), .5 * std::sqrt(std::numbers::pi), error());
}

}  // namespace
}  // namespace asperity::stepping_over_test
