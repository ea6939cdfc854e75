// gms between its limits: it never pulls more than they allow, whatever the step, and an adaptive method finds its switches, so
// that its tolerance means something. Expected motions are closed forms, or come from clipped springs in steps of a microsecond.
#include "asperity/friction/gms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/step.hpp"
#include "asperity/system/world.hpp"
#include "integrate/methods.hpp"

namespace asperity::gms_test {
namespace {

Gms<double, 1> one_element(double F, double kappa) {
  Gms<double, 1> law;
  law.F_c = law.F_s = F;
  law.kappa[0] = kappa;
  law.sigma[0] = 0;
  law.lambda[0] = 1;
  law.C = 50;
  return law;
}

class GmsSteps : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(, GmsSteps, ::testing::Values(1e-3, 1e-4, 1e-5),
                         [](const auto& h) { return std::to_string(int(std::round(-std::log10(h.param)))); });

/// At a constant velocity the force is that of the spring, then the limit.
TEST_P(GmsSteps, StopAtTheLimit) {
  const double h = GetParam(), v = .07, F = 5, kappa = 5e5;
  const auto law = one_element(F, kappa);
  auto z = law.start();
  for (int k = 1; k * h <= .05 + h / 2; ++k) {
    const double f = step(law, z, {v, 1}, h);
    EXPECT_NEAR(f, std::min(kappa * v * k * h, F), 1e-9 * F) << k;
  }
  EXPECT_EQ(z.s[0], 1);
}

/// The same between two bodies: with every fixed-step method no state that a step leaves behind is beyond the limit.
TEST_P(GmsSteps, LeaveNothingBeyondTheLimit) {
  const double h = GetParam(), F = 5, kappa = 5e5;
  for (const std::string& method : testing::built_in_methods()) {
    World world;
    const auto belt = world.add_given<1>("belt", [](double t) { return Port<double, 1>{.07 * t, .07}; });
    const auto block = world.add("block", PointMass<double>{1e3}, {});
    world.add("belt", one_element(F, kappa), Line<double>{}, belt, block);
    const auto run = make_integrator(method, world, {.step = h});
    run->start(0, world.start());
    double most = 0;
    run->advance(.05, [&](double, std::span<const double> x) { most = std::max(most, kappa * std::abs(x[2])); });
    EXPECT_LE(most, F * (1 + 1e-6)) << method;
    EXPECT_GE(most, F * (1 - 1e-2)) << method;
  }
}

struct Way {
  std::string method;
  double rtol;
};
std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.method << " " << way.rtol; }

class GmsSwitches : public ::testing::TestWithParam<Way> {
 public:
  static std::vector<Way> ways() {
    std::vector<Way> list;
    for (const AboutMethod& method : integration_methods())
      for (const double rtol : {1e-4, 1e-6, 1e-8})
        if (method.adaptive && method.available) list.push_back({std::string(method.name), rtol});
    return list;
  }

 protected:
  std::unique_ptr<Integrator> integrator(World& world, double size) const {
    return make_integrator(GetParam().method, world, {.rtol = GetParam().rtol, .atol = GetParam().rtol * size});
  }
};
INSTANTIATE_TEST_SUITE_P(, GmsSwitches, ::testing::ValuesIn(GmsSwitches::ways()), [](const auto& way) {
  return way.param.method + "_" + std::to_string(int(std::round(-std::log10(way.param.rtol))));
});

/// A block thrown onto it under a constant push: it stretches the spring, slides until it stands, and swings about P/kappa.
TEST_P(GmsSwitches, AreFoundInClosedForm) {
  const double M = 2, F = 5, kappa = 5e3, P = 1.5, v0 = 1, w = std::sqrt(kappa / M);
  World world;
  const auto block = world.add("block", PointMass<double>{M}, {0, v0});
  world.add("floor", one_element(F, kappa), Line<double>{}, block, ground);
  world.push(block, 0, [=](double) { return P; });
  const auto run = integrator(world, 1e-3);
  run->start(0, world.start());
  run->advance(2);
  // x = P/kappa (1 - cos) + v0/w sin until x = F/kappa.
  const auto stretched = [&](double t) { return P / kappa * (1 - std::cos(w * t)) + v0 / w * std::sin(w * t); };
  double low = 0, high = .5 / w;
  ASSERT_GT(stretched(high), F / kappa);
  for (int round = 0; round < 80; ++round) (stretched((low + high) / 2) < F / kappa ? low : high) = (low + high) / 2;
  const double v1 = P / kappa * w * std::sin(w * low) + v0 * std::cos(w * low), brake = (F - P) / M;
  const double stands = low + v1 / brake, x2 = F / kappa + v1 * v1 / (2 * brake), phase = w * (2 - stands);
  const double swing = (F - P) / kappa, x = x2 - swing * (1 - std::cos(phase)), v = -swing * w * std::sin(phase);
  const double error = 3e3 * GetParam().rtol;  // of some fifty swings
  EXPECT_NEAR(run->state()[0], x, error * swing);
  EXPECT_NEAR(run->state()[1], v, error * swing * w);
}

/// Four elements under a push that swings: the same springs, clipped.
TEST_P(GmsSwitches, AreFoundOfSeveralElements) {
  const double M = 1, F = 4, A = 5, omega = 9;
  Gms<double, 4> law;
  law.F_c = law.F_s = F;
  law.C = 1e3;
  std::array<double, 4> f{};
  for (std::size_t i = 0; i < 4; ++i) law.kappa[i] = 2000 / double(i + 1), law.sigma[i] = 0, law.lambda[i] = .25;
  double x = 0, v = 0;
  const double h = 1e-6;
  for (int k = 0; k < 1000000; ++k) {  // by the middle of each step
    const double half = x + h / 2 * v;
    double force = 0;
    for (std::size_t i = 0; i < 4; ++i) force += std::clamp(f[i] + law.kappa[i] * (half - x), -F / 4, F / 4);
    const double before = x;
    v += h / M * (A * std::sin(omega * (k + .5) * h) - force);
    x = half + h / 2 * v;
    for (std::size_t i = 0; i < 4; ++i) f[i] = std::clamp(f[i] + law.kappa[i] * (x - before), -F / 4, F / 4);
  }
  World world;
  const auto block = world.add("block", PointMass<double>{M}, {});
  world.add("floor", law, Line<double>{}, block, ground);
  world.push(block, 0, [=](double t) { return A * std::sin(omega * t); });
  const auto run = integrator(world, 1e-3);
  run->start(0, world.start());
  run->advance(1);
  EXPECT_NEAR(run->state()[0], x, 1e-6 + 1e2 * GetParam().rtol * .1) << run->statistics().steps;
  EXPECT_NEAR(run->state()[1], v, 1e-5 + 1e3 * GetParam().rtol * .1);
}

}  // namespace
}  // namespace asperity::gms_test
