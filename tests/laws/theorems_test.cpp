// The theorems everything rests on, and what follows from them for the laws, as properties of random numbers (RapidCheck).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "asperity/laws.hpp"

namespace asperity::theorems_test {
namespace {

/// A number of either sign over many decades, zero included.
rc::Gen<double> number(double low = 1e-9, double high = 1e9) {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(-1000000, 1000001), rc::gen::inRange(0, 20)),
                      [=](const std::tuple<int, int>& t) {
                        const double u = std::abs(std::get<0>(t)) / 1e6, size = low * std::pow(high / low, u);
                        return std::get<1>(t) == 0 ? 0.0 : std::get<0>(t) < 0 ? -size : size;
                      });
}
rc::Gen<double> size(double low = 1e-9, double high = 1e9) {
  return rc::gen::map(number(low, high), [=](double x) { return x == 0 ? low : std::abs(x); });
}

/// y in Z sgn(x): |y| <= Z, and y = Z sign(x) where x is not zero.
bool in_sgn(double y, double Z, double x, double rounding) {
  return std::abs(y) <= Z * (1 + 1e-15) && (std::abs(x) <= rounding || std::abs(y - std::copysign(Z, x)) <= 1e-15 * Z);
}

// y in Z sgn(x - y)  <=>  y = sat(Z, x)                                                        [xiong2013 Theorem 1]
RC_GTEST_PROP(Theorem1, SatSolvesTheInclusion, ()) {
  const double Z = *size(), x = *number();
  const double y = sat(Z, x);
  RC_ASSERT(in_sgn(y, Z, x - y, 0));
}
RC_GTEST_PROP(Theorem1, AndIsItsOnlySolution, ()) {
  const double Z = *size(1e-3, 1e3), x = *number(1e-3, 1e3), other = sat(Z, *number(1e-3, 1e3));
  RC_PRE(std::abs(other - sat(Z, x)) > 1e-9 * Z);
  RC_ASSERT(!in_sgn(other, Z, x - other, 0));
}
RC_GTEST_PROP(Theorem1, HoldsForVectors, ()) {
  const double Z = *size(1e-3, 1e3);
  const VecN<double, 3> x{{*number(1e-3, 1e3), *number(1e-3, 1e3), *number(1e-3, 1e3)}};
  const auto y = sat(Z, x);
  RC_ASSERT(magnitude(y) <= Z * (1 + 1e-15));
  const auto rest = x - y;
  if (magnitude(x) > Z) {  // y = Z (x - y)/|x - y|, as far as the difference is more than rounding
    RC_PRE(magnitude(rest) > 1e-9 * Z);
    RC_ASSERT(magnitude(y - (Z / magnitude(rest)) * rest) <= 1e-6 * Z);
  } else {
    RC_ASSERT(magnitude(rest) == 0);
  }
}
TEST(Theorem1, ZeroLimitAtZero) {
  EXPECT_EQ(sat(0.0, 0.0), 0.0);
  EXPECT_EQ(magnitude(sat(0.0, VecN<double, 2>{})), 0.0);
}

// y in dio(x + y), y >= 0  <=>  y = max(0, -x)                                                 [xiong2013 Theorem 2]
RC_GTEST_PROP(Theorem2, MaxSolvesTheInclusion, ()) {
  const double x = *number(), y = max(0.0, -x);
  RC_ASSERT(y >= 0);
  RC_ASSERT(x + y >= 0);
  RC_ASSERT(y * (x + y) == 0);
}

// Single state: f v - d/dt (K a^2/2) = F |v - adot| + K beta adot^2, both terms >= 0; and |f| <= F.     [reference: xiong2013 ch.
// 3]
RC_GTEST_PROP(SingleStateProperties, PowerBalanceIsExact, ()) {
  SingleState<> law;
  law.F = *size(1e-2, 1e2);
  law.K = *size(1e3, 1e6);
  law.beta = *size(1e-4, 1e-1);
  const double a = sat(law.F / law.K, *number(1e-9, 1e-2)), v = *number(1e-9, 1e1);
  const auto r = law.react({a}, {v}, 0);
  const double lost = r.f * v - law.K * a * r.rate.a;
  const double expected = law.F * std::abs(v - r.rate.a) + law.K * law.beta * r.rate.a * r.rate.a;
  // adot is a difference of forces over K beta; F (v - adot) shows its rounding
  const double rounding = 1e-14 * (std::abs(a) * (law.K * std::abs(a) + law.F) / law.beta + law.F * std::abs(v));
  RC_ASSERT(std::abs(lost - expected) <= 1e-9 * (std::abs(r.f * v) + std::abs(law.K * a * r.rate.a) + expected) + rounding);
  RC_ASSERT(std::abs(r.f) <= law.F);
}
// Stuck, the proxy p - a does not move: adot = v, exactly but for rounding.
RC_GTEST_PROP(SingleStateProperties, HoldsWhileBelowTheLimit, ()) {
  SingleState<> law;
  const double a = *number(1e-9, 0.9e-5), v = *number(1e-9, 1e-4);
  RC_PRE(std::abs(law.K * a + law.K * law.beta * v) < law.F);
  RC_ASSERT(std::abs(law.react({a}, {v}, 0).rate.a - v) <= 1e-15 * (std::abs(a) / law.beta + std::abs(v)));
}

// Multistate: |f| <= F_s, f v - d/dt (sum kappa_i a_i^2/2) >= 0, f continuous in v and a.                [xiong2013 4.3]
Multistate<double, 4>::State multistate_state(const Multistate<double, 4>& law) {
  auto z = law.start();
  z.gamma = law.F_c + (law.F_s - law.F_c) * *rc::gen::inRange(0, 1001) / 1000.0;
  for (int i = 0; i < 4; ++i) z.a[i] = sat(law.lambda[i] * z.gamma / law.kappa[i], *number(1e-10, 1e-5));
  return z;
}
RC_GTEST_PROP(MultistateProperties, BoundedAndDissipative, ()) {
  const Multistate<double, 4> law;
  const auto z = multistate_state(law);
  const double v = *number(1e-9, 1e-2);
  const auto r = law.react(z, {v}, 0);
  RC_ASSERT(std::abs(r.f) <= law.F_s * (1 + 1e-14));
  double stored = 0, size_of_terms = std::abs(r.f * v);
  for (int i = 0; i < 4; ++i) {
    stored += law.kappa[i] * z.a[i] * r.rate.a[i];
    size_of_terms += std::abs(law.kappa[i] * z.a[i] * r.rate.a[i]);
  }
  RC_ASSERT(r.f * v - stored >= -1e-12 * size_of_terms);
}
RC_GTEST_PROP(MultistateProperties, ContinuousInVelocityAndState, ()) {
  const Multistate<double, 4> law;
  const auto z = multistate_state(law);
  const double v = *number(1e-9, 1e-2), dv = 1e-9 * *number(1e-3, 1);
  double damping = 0;
  for (const double s : law.sigma) damping += s;  // the force is Lipschitz in v with this constant
  RC_ASSERT(std::abs(law.react(z, {v + dv}, 0).f - law.react(z, {v}, 0).f) <= damping * std::abs(dv) * (1 + 1e-6) + 1e-12);
}

// Linear compliance: f >= 0, continuous in gap and e, zero when open and relaxed; complementary: f > 0 only in touch.
RC_GTEST_PROP(LinearComplianceProperties, PushesOnlyInTouchAndIsContinuous, ()) {
  const LinearCompliance<> law;
  const double e = std::abs(*number(1e-9, 1e-2)), gap = *number(1e-9, 1e-2);
  const auto r = law.react({e}, {gap, 0}, 0);
  RC_ASSERT(r.f >= 0);
  const double surface = gap + e + law.alpha * r.rate.e;  // the diode's argument
  RC_ASSERT(surface >= -1e-15);
  RC_ASSERT(r.f * surface <= 1e-9 * (law.K * e + r.f) * (std::abs(gap) + e));
  const double d = 1e-12;
  RC_ASSERT(std::abs(law.react({e}, {gap + d, 0}, 0).f - r.f) <= law.K * law.beta / law.alpha * d * (1 + 1e-3) + 1e-9);
}

// The nonlinear compliance with lambda = 1, beta2 = 0, 1/gamma = alpha, beta1 = beta - alpha is the linear one, for every
// look-ahead.
RC_GTEST_PROP(NonlinearComplianceProperties, ContainsTheLinearOne, ()) {
  LinearCompliance<> linear;
  linear.alpha = *size(1e-4, 1e-2);
  linear.beta = linear.alpha * (1 + *size(1e-2, 10));
  NonlinearCompliance<> law;
  law.K = linear.K;
  law.lambda = 1;
  law.beta1 = linear.beta - linear.alpha;
  law.beta2 = 0;
  law.gamma = 1 / linear.alpha;
  const double e = std::abs(*number(1e-9, 1e-2)), gap = *number(1e-9, 1e-2), tau = *rc::gen::element(0.0, 1e-4, 1e-2);
  const auto a = linear.react({e}, {gap, 0}, tau);
  const auto b = law.react({e}, {gap, 0}, tau);
  const double scale = linear.K * linear.beta / linear.alpha * (std::abs(gap) + e);
  RC_ASSERT(std::abs(a.f - b.f) <= 1e-12 * scale);
  RC_ASSERT(std::abs(a.rate.e - b.rate.a) <= 1e-12 * (std::abs(gap) + e) / linear.alpha);
}

}  // namespace
}  // namespace asperity::theorems_test
