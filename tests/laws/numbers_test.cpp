// One number worked out by hand for each law whose equation no other test pins down: a wrong factor has to show.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/laws.hpp"

namespace asperity::numbers_test {
namespace {

TEST(Numbers, Threshold) {
  const Threshold<> law;  // F 1, V 1e-3
  EXPECT_NEAR(law.react({}, {4e-4, 3.0}, 0).f, 3 * .4, 1e-15);
  EXPECT_EQ(law.react({}, {-5e-3, 3.0}, 0).f, -3);
}

// h 1 ms, e .5 mm, d 1 mm: e+ = d, edot = .5 m/s, f = K (e+ + beta edot), beta 4 ms. Open by 2 mm: e relaxes by 1/(1 + h/beta).
TEST(Numbers, ImplicitContact) {
  const ImplicitContact<> law;
  const auto touch = law.react({5e-4}, {-1e-3, 0}, 1e-3);
  EXPECT_NEAR(touch.rate.e, .5, 1e-12);
  EXPECT_NEAR(touch.f, 1e5 * (1e-3 + 4e-3 * .5), 1e-9);
  const auto open = law.react({5e-4}, {2e-3, 0}, 1e-3);
  EXPECT_EQ(open.f, 0);
  EXPECT_NEAR(5e-4 + 1e-3 * open.rate.e, 5e-4 / 1.25, 1e-15);
}

// f = K d^1.5 and K d^2.5/2.5 at d = 4 mm: d^1.5 = 2.529822e-4.
TEST(Numbers, Hertz) {
  const Hertz<> law;  // K 1e6
  EXPECT_NEAR(law.react({}, {-4e-3, 0}, 0).f, 252.98221281, 1e-7);
  EXPECT_NEAR(law.energy({}, {-4e-3, 0}), 252.98221281 * 4e-3 / 2.5, 1e-9);
}

TEST(Numbers, HuntCrossley) {
  HuntCrossley<> law;
  law.b2 = .5;
  EXPECT_NEAR(law.react({}, {-4e-3, -.8}, 0).f, 252.98221281 * 1.4, 1e-7);  // approaching at 0.8 m/s
}

// d = 1 cm: w = 1e-3. In touch with a = 8e-4: adot = gamma (w - a) = .4, f = K (w + gamma (beta1 + beta2 a)(w - a)), beta1 + beta2
// a = 4.6e-3.
TEST(Numbers, NonlinearCompliance) {
  NonlinearCompliance<> law;
  law.beta1 = 3e-3;
  law.beta2 = 2;
  const auto touch = law.react({8e-4}, {-.01, 0}, 0);
  EXPECT_NEAR(touch.rate.a, .4, 1e-12);
  EXPECT_NEAR(touch.f, 1e4 * (1e-3 + 4.6e-3 * .4), 1e-9);
  // Released: adot = -gamma a/(1 + gamma (beta1 + beta2 a)) = -1.6/10.2.
  const auto free = law.react({8e-4}, {.01, 0}, 0);
  EXPECT_NEAR(free.rate.a, -1.6 / 10.2, 1e-12);
  EXPECT_EQ(free.f, 0);
}

// d = 1 mm, e = .6 mm, alpha 2 ms, beta 4 ms: edot = .4e-3/2e-3 = .2, f = K (e + beta edot).
TEST(Numbers, LinearCompliance) {
  const LinearCompliance<> law;
  const auto r = law.react({6e-4}, {-1e-3, 0}, 0);
  EXPECT_NEAR(r.rate.e, .2, 1e-12);
  EXPECT_NEAR(r.f, 1e5 * (6e-4 + 4e-3 * .2), 1e-9);
}

// Slipping: adot = C lambda/kappa (1 - kappa a/(lambda g)), g = F_c far above v_s. lambda .5, kappa 1e6, a = .2e-6: kappa a = .2,
// limit .5.
TEST(Numbers, Gms) {
  Gms<double, 2> law;
  law.kappa = {1e6, 2e6};
  law.sigma = {1e3, 2e3};
  law.lambda = {.5, .5};
  Gms<double, 2>::State z{{.2e-6, .1e-6}, {1, 0}};  // one slips, one sticks
  const double v = 1e-3;
  const auto r = law.react(z, {v}, 0);
  const double slip = 62 * .5 / 1e6 * (1 - .2 / .5);
  EXPECT_NEAR(r.rate.a[0], slip, 1e-15);
  EXPECT_EQ(r.rate.a[1], v);
  EXPECT_NEAR(r.f, .2 + 1e3 * slip + .2 + 2e3 * v, 1e-12);
}

// Inside the blend a quarter of the way up from its middle: A = 1/2 + 1/2 sin(pi/4). F 1 N, K 1e5: a_ss = 1e-5, a_ba = 6e-6, a =
// 9e-6.
TEST(Numbers, Elastoplastic) {
  Elastoplastic<> law;
  law.F_c = law.F_s = 1;
  law.a_ba = 6e-6;
  law.B = 50;
  law.D = 3;
  const double v = 1e-3, A = .5 + .5 * std::sqrt(.5), adot = v * (1 - A * .9);
  const auto r = law.react({9e-6}, {v}, 0);
  EXPECT_NEAR(r.rate.a, adot, 1e-15);
  EXPECT_NEAR(r.f, .9 + 50 * adot + 3 * v, 1e-12);
  EXPECT_NEAR(law.react({9e-6}, {-v}, 0).rate.a, -v, 1e-18);  // backwards it is elastic
}

// zdot = v (1 - (F_h/g)^n): F_h = 1e6 .3e-6 + 2e6 .1e-6 = .5, g = F_c = 1 far above v_s, n 3: zdot = .875 v; the elements follow
// it.
TEST(Numbers, ModifiedLeuven) {
  ModifiedLeuven<double, 2> law;
  law.kappa = {1e6, 2e6};
  law.n = 3;
  law.B = 40;
  law.D = 7;
  law.beta = 1e-9;  // small enough for both elements to stick at this speed
  const double v = 1e-4;
  const auto r = law.react({{.3e-6, .1e-6}}, {v}, 0);
  EXPECT_NEAR(r.rate.a[0], .875 * v, 1e-9 * v);
  EXPECT_NEAR(r.f, .5 + 40 * .875 * v + 7 * v, 1e-12);
  EXPECT_NEAR(law.react({{.3e-6, .1e-6}}, {-v}, 0).f, .5 - 40 * 1.125 * v - 7 * v, 1e-12);
}

// g(v_s) = F_c + (F_s - F_c)/e; adot = v (1 - K a/g).
TEST(Numbers, LuGreAndStribeck) {
  const LuGre<> law;  // F_c 1, F_s 1.5, v_s 1e-3, K 1e5, B 100
  const double g = 1 + .5 / std::exp(1.0), adot = 1e-3 * (1 - .6 / g);
  const auto r = law.react({6e-6}, {1e-3}, 0);
  EXPECT_NEAR(r.rate.a, adot, 1e-15);
  EXPECT_NEAR(r.f, .6 + 100 * adot, 1e-12);
}

// fdot = (1 - exp(-1))/T_1 (Fs(v) - f) at v = v_0.
TEST(Numbers, Specker) {
  const Specker<> law;
  EXPECT_NEAR(law.react({.5}, {law.v_0}, 0).rate.f, (1 - std::exp(-1.0)) / 3e-2 * (1.4 - .5), 1e-12);  // v_0 = v_sp: Fs is F_s
}

}  // namespace
}  // namespace asperity::numbers_test
