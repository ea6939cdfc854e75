// Impacts in closed form against integration, published numbers and their own limits.
#include "asperity/design/impact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace asperity::design::impact_test {
namespace {

/// The standard linear solid up to a given time by Taylor series of order 16 in long double: d, v, f.
std::array<double, 3> integrated(double r, double b, double time) {
  using Real = long double;
  std::array<Real, 3> x{0, 1, 0};  // d, v, e
  const auto force = [&](const std::array<Real, 3>& y) { return y[2] + (y[0] - y[2]) / Real(r); };
  // Steps of half the fastest time, -1/(r b) or sqrt(r): the terms fall to 1e-19.
  const long steps = 2 + long(2 * time * (1 / (r * b) + 1 / std::sqrt(r)));
  const Real h = Real(time) / Real(steps);
  for (long k = 0; k < steps; ++k) {
    auto term = x;
    for (int order = 1; order <= 16; ++order) {
      const Real factor = h / Real(order);
      term = {factor * term[1], -factor * force(term), factor * (term[0] - term[2]) / (Real(r) * Real(b))};
      for (std::size_t i = 0; i < 3; ++i) x[i] += term[i];
    }
  }
  return {double(x[0]), double(x[1]), double(force(x))};
}

void expect_integral(double r, double b) {
  const ImpactShape impact = linear_impact(r, b);
  const auto [d, v, f] = integrated(r, b, impact.contact_time);
  SCOPED_TRACE(::testing::Message() << r << " " << b);
  EXPECT_NEAR(f, 0, 1e-10);
  EXPECT_NEAR(-v, impact.restitution, 1e-10);
  EXPECT_NEAR(d, impact.residual, 1e-10);
  EXPECT_GT(integrated(r, b, impact.contact_time * .99)[2], 0);
  const auto middle = integrated(r, b, impact.contact_time / 2);
  EXPECT_GE(impact.peak_force, middle[2] - 1e-12);
  EXPECT_GE(impact.deepest, middle[0] - 1e-12);
}

/// Where r b s^3 + s^2 + b s + 1 has a double root: its discriminant is zero,
///   b^2 (18 r + 1) - 4 - 4 r b^4 - 27 r^2 b^2 = 0,  two of them for r < 1/9.
std::array<double, 2> double_root_b(double r) {
  const double p = 1 + 18 * r - 27 * r * r, root = std::sqrt(std::max(0.0, p * p - 64 * r));
  return {std::sqrt((p - root) / (8 * r)), std::sqrt((p + root) / (8 * r))};
}

// A dense grid: weakly damped, overdamped, relaxing at once, hardly at all.
TEST(LinearImpact, IsTheIntegralOnADenseGrid) {
  for (int i = 0; i <= 24; ++i)
    for (int k = 0; k <= 24; ++k) expect_integral(std::pow(10, -2 + 1.9995 * i / 24), std::pow(10, -1.3 + k / 8.));
}
// Double roots, complex on one side and real on the other; the triple one, r = 1/9 and b = sqrt 3; and their neighbours.
TEST(LinearImpact, IsTheIntegralWhereRootsMeet) {
  for (const double r : {.01, .03, .08, .11, 1. / 9 - 1e-7, 1. / 9})
    for (const double b : double_root_b(r))
      for (const double beside : {0., 1e-12, 1e-9, 1e-6, 1e-3})
        for (const double sign : {-1., 1.}) expect_integral(r, b * (1 + sign * beside));
  for (const double b : double_root_b(1. / 9)) EXPECT_NEAR(b, std::sqrt(3), 1e-7);
}

// The minima by an independent implementation; without loss for r = 1; 1 - (pi/2) b (1 - r) for weak damping.
TEST(LinearImpact, WithAnEverFasterMemoryIsKelvinVoigt) {
  for (const double b : {.1, 1.26, 4.0})
    for (const double r : {1e-9, 1e-10, 1.01e-11, 9.9e-12, 1e-14, 1e-18})
      EXPECT_NEAR(linear_impact(r, b).restitution, kelvin_voigt_impact(b / 2).restitution, 2 * r * b + 1e-10) << r << ' ' << b;
}

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

// M 1, e .5, v0 1, p_max 1 mm, r .1 -> K 499937, beta 8.35558e-4, alpha 8.35558e-5.
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

// Digits of an independent implementation: .678595 for b2 v0 = .7; lossless p_max 1.093362 L, contact time 3.218065 t*.
TEST(CurvedImpact, KnownNumbers) {
  EXPECT_NEAR(hunt_crossley_restitution(.7), .678595, 5e-7);
  EXPECT_NEAR(hunt_crossley_restitution(1e-4 * .999), hunt_crossley_restitution(1e-4 * 1.001), 2e-7);
  for (const double e : {1e-6, .01, .1, .5, .9}) EXPECT_NEAR(hunt_crossley_restitution(hunt_crossley_D_of(e)) / e, 1, 1e-12) << e;
  for (const double D : {38.0, 1e2, 1e6}) EXPECT_NEAR(hunt_crossley_restitution(D) * D, 1, 1e-14);  // 1 - exp(-D) and nearer
  EXPECT_NEAR(hertz_deepest(1.5), 1.093362, 5e-7);
  EXPECT_NEAR(hertz_contact_time(1.5), 3.218065, 5e-7);
  EXPECT_NEAR(hertz_contact_time(1), std::acos(-1.), 1e-12);
  // Fig 5.2 of xiong2013: M 1, K 1e4, v0 2, b2 .35 comes to 41.253 mm.
  const double L = std::pow(4 / 1e4, 1 / 2.5);
  EXPECT_NEAR(L * hunt_crossley_deepest(.7, 1.5), 41.253e-3, 5e-7);
  EXPECT_NEAR(hunt_crossley_deepest(1e-9, 1.5), hertz_deepest(1.5), 1e-8);
}

}  // namespace
}  // namespace asperity::design::impact_test
