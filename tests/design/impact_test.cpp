// Impacts in closed form against integration, published numbers and their own limits.
#include "asperity/design/impact.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace asperity::design {
namespace {

/// The standard linear solid stepped by RK4 in long double up to a given time: d, v, f.
std::array<double, 3> stepped(double r, double b, double time) {
  using Real = long double;
  std::array<Real, 3> x{0, 1, 0};  // d, v, e
  const auto force = [&](const std::array<Real, 3>& y) { return y[2] + (y[0] - y[2]) / Real(r); };
  const auto rate = [&](const std::array<Real, 3>& y) {
    return std::array<Real, 3>{y[1], -force(y), (y[0] - y[2]) / (Real(r) * Real(b))};
  };
  // Short enough for the fast root, -1/(r b): the error of the whole is below 1e-12.
  const long steps = std::max(5000L, long(30 * time / (r * b)));
  const Real h = Real(time) / Real(steps);
  for (long k = 0; k < steps; ++k) {
    std::array<Real, 3> sum{}, y = x;
    const Real weights[] = {1, 2, 2, 1}, ahead[] = {h / 2, h / 2, h, 0};
    for (int stage = 0; stage < 4; ++stage) {
      const auto slope = rate(y);
      for (std::size_t i = 0; i < 3; ++i) {
        sum[i] += weights[stage] * slope[i];
        y[i] = x[i] + ahead[stage] * slope[i];
      }
    }
    for (std::size_t i = 0; i < 3; ++i) x[i] += h / 6 * sum[i];
  }
  return {double(x[0]), double(x[1]), double(force(x))};
}

// Complex, real, double and triple roots (r = 1/9, b = sqrt 3), and the neighbours of the triple one.
TEST(LinearImpact, IsTheIntegralForAllRoots) {
  for (const double r : {.02, .05, 1. / 9 - 1e-7, 1. / 9, .1112, .3, .9, .999})
    for (const double b : {.02, .5, 1.7, std::sqrt(3.), std::sqrt(3.) + 1e-6, 2., 5., 40.}) {
      const ImpactShape impact = linear_impact(r, b);
      const auto [d, v, f] = stepped(r, b, impact.contact_time);
      EXPECT_NEAR(f, 0, 1e-10) << r << " " << b;
      EXPECT_NEAR(-v, impact.restitution, 1e-10) << r << " " << b;
      EXPECT_NEAR(d, impact.residual, 1e-10) << r << " " << b;
      EXPECT_GT(stepped(r, b, impact.contact_time * .99)[2], 0);
      EXPECT_GE(impact.peak_force, stepped(r, b, impact.contact_time / 2)[2] - 1e-12);
      EXPECT_GE(impact.deepest, stepped(r, b, impact.contact_time / 2)[0] - 1e-12);
    }
}

// reference.md 8: the minima; without loss for r = 1; 1 - (pi/2) b (1 - r) for weak damping.
TEST(LinearImpact, KnownNumbers) {
  for (const auto& [r, b, e] : {std::array{.1, 2.039, .2247}, {.3, 1.349, .4900}, {.5, 1.132, .6760}}) {
    const LeastRestitution least = least_linear_restitution(r);
    EXPECT_NEAR(least.b, b, 1e-3);
    EXPECT_NEAR(least.restitution, e, 5e-5);
    EXPECT_GT(linear_impact(r, least.b * 1.1).restitution, least.restitution);
    EXPECT_GT(linear_impact(r, least.b / 1.1).restitution, least.restitution);
  }
  EXPECT_NEAR(linear_impact(1, .7).restitution, 1, 1e-12);
  EXPECT_NEAR(linear_impact(1, .7).contact_time, std::acos(-1.), 1e-12);
  EXPECT_NEAR(linear_impact(.4, 1e-4).restitution, 1 - std::acos(-1.) / 2 * 1e-4 * .6, 1e-8);
  EXPECT_NEAR(linear_impact(1e-7, .6).restitution, kelvin_voigt_impact(.3).restitution, 1e-6);
}

// reference.md 8: M 1, e .5, v0 1, p_max 1 mm, r .1 -> K 499937, beta 8.35558e-4, alpha 8.35558e-5.
TEST(LinearImpact, Inverse) {
  const double b = linear_b_of(.1, .5).value();
  const double omega = linear_impact(.1, b).deepest / 1e-3;
  EXPECT_NEAR(omega * omega, 499937, .5);
  EXPECT_NEAR(b / omega, 8.35558e-4, 5e-10);
  for (const double r : {.01, .1, .4})
    for (const double e : {.05, .3, .6, .9, .99}) {
      const auto found = linear_b_of(r, e);
      const LeastRestitution least = least_linear_restitution(r);
      ASSERT_EQ(found.has_value(), e >= least.restitution) << r << " " << e;
      if (!found) continue;
      EXPECT_NEAR(linear_impact(r, *found).restitution, e, 1e-12);
      EXPECT_LE(*found, least.b);
    }
  EXPECT_FALSE(linear_b_of(.1, 1.2));
}

TEST(KelvinVoigtImpact, ClosedFormAndInverse) {
  const double zeta = .3, root = std::sqrt(1 - zeta * zeta);
  const ImpactShape impact = kelvin_voigt_impact(zeta);
  const auto d = [&](double t) { return std::exp(-zeta * t) * std::sin(root * t) / root; };
  const auto v = [&](double t) { return std::exp(-zeta * t) * (std::cos(root * t) - zeta / root * std::sin(root * t)); };
  const double t = impact.contact_time;
  EXPECT_NEAR(d(t) + 2 * zeta * v(t), 0, 1e-14);
  EXPECT_NEAR(v(t), -impact.restitution, 1e-14);
  EXPECT_NEAR(d(t), impact.residual, 1e-14);
  EXPECT_NEAR(impact.deepest, std::sqrt(impact.restitution), 1e-14);
  double peak = 0, deepest = 0;
  for (double s = 0; s < t; s += 1e-4) peak = std::max(peak, d(s) + 2 * zeta * v(s)), deepest = std::max(deepest, d(s));
  EXPECT_NEAR(impact.peak_force, peak, 1e-8);
  EXPECT_NEAR(impact.deepest, deepest, 1e-8);
  // Through the double root without a step.
  EXPECT_NEAR(kelvin_voigt_impact(1 - 1e-9).restitution, kelvin_voigt_impact(1 + 1e-9).restitution, 1e-9);
  EXPECT_NEAR(kelvin_voigt_impact(1).restitution, std::exp(-2), 1e-14);
  for (const double e : {.01, .2, .5, .95}) EXPECT_NEAR(kelvin_voigt_impact(kelvin_voigt_zeta_of(e)).restitution, e, 1e-12);
}

// reference.md 6.7, 8: .678595 for b2 v0 = .7; lossless p_max 1.093362 L, contact time 3.218065 t*.
TEST(CurvedImpact, KnownNumbers) {
  EXPECT_NEAR(hunt_crossley_restitution(.7), .678595, 5e-7);
  EXPECT_NEAR(hunt_crossley_restitution(1e-4 * .999), hunt_crossley_restitution(1e-4 * 1.001), 2e-7);
  for (const double e : {.1, .5, .9}) EXPECT_NEAR(hunt_crossley_restitution(hunt_crossley_D_of(e)), e, 1e-12);
  EXPECT_NEAR(hertz_deepest(1.5), 1.093362, 5e-7);
  EXPECT_NEAR(hertz_contact_time(1.5), 3.218065, 5e-7);
  EXPECT_NEAR(hertz_contact_time(1), std::acos(-1.), 1e-12);
  // Fig 5.2 of xiong2013: M 1, K 1e4, v0 2, b2 .35 comes to 41.253 mm.
  const double L = std::pow(4 / 1e4, 1 / 2.5);
  EXPECT_NEAR(L * hunt_crossley_deepest(.7, 1.5), 41.253e-3, 5e-7);
  EXPECT_NEAR(hunt_crossley_deepest(1e-9, 1.5), hertz_deepest(1.5), 1e-8);
}

}  // namespace
}  // namespace asperity::design
