// What a law declares to do wrong it must be seen to do, in the amount its source says; and the laws that declare nothing must not.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/any_law.hpp"
#include "asperity/catalogue.hpp"
#include "asperity/statics.hpp"

namespace asperity::exceptions_test {
namespace {

using std::numbers::pi;

/// A mass on a friction law under a force f(t), RK4 with tau = 0; switches of hybrid laws after each step, discrete laws by step().
template <class Law>
class MassOnLaw {
 public:
  MassOnLaw(const Law& law, double mass, double h, double damper = 0)
      : law_(law), z_(law.start()), mass_(mass), h_(h), damper_(damper) {}

  double position = 0, velocity = 0;
  int steps = 0;

  template <class Force>
  void run_until(double end, Force&& force) {
    for (; (steps + 0.5) * h_ < end; ++steps) {
      const double t = steps * h_;
      if constexpr (Law::about.discrete) {  // symplectic Euler around the sampled law
        velocity += h_ * (force(t) - damper_ * velocity - step(law_, z_, {velocity}, h_)) / mass_;
        position += h_ * velocity;
      } else {
        struct Rate {
          double v, a;
          typename Law::State z;
        };
        const auto rate = [&](double time, double v, const typename Law::State& z) {
          const auto r = law_.react(z, {v}, 0.0);
          return Rate{v, (force(time) - damper_ * v - r.f) / mass_, r.rate};
        };
        const auto moved = [&](const typename Law::State& k, double dt) {
          auto z = z_;
          advance<Law>(z, k, dt);
          return z;
        };
        const Rate k1 = rate(t, velocity, z_);
        const Rate k2 = rate(t + h_ / 2, velocity + h_ / 2 * k1.a, moved(k1.z, h_ / 2));
        const Rate k3 = rate(t + h_ / 2, velocity + h_ / 2 * k2.a, moved(k2.z, h_ / 2));
        const Rate k4 = rate(t + h_, velocity + h_ * k3.a, moved(k3.z, h_));
        position += h_ / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
        velocity += h_ / 6 * (k1.a + 2 * k2.a + 2 * k3.a + k4.a);
        each_state<Law>([&](double& x, double a, double b, double c, double d) { x += h_ / 6 * (a + 2 * b + 2 * c + d); }, z_, k1.z,
                        k2.z, k3.z, k4.z);
        if constexpr (Hybrid<Law>) law_.transit(z_, {velocity});
      }
    }
  }

 private:
  Law law_;
  typename Law::State z_;
  double mass_, h_, damper_;
};

/// Stiffness of a law at rest, or what the threshold looks like at its own velocity over a second.
template <class Law>
double stiffness_at_rest(const Law& law) {
  const double K = statics::stiffness(law, 1.0).K;
  return K > 0 ? K : 1e5;
}

/// The largest force of steady sliding.
template <class Law>
double breakaway(const Law& law) {
  double most = 0;
  statics::each_of(law, Role::limit, [&](auto, double F, auto) { most = std::max(most, F); });
  return most;
}

template <class Law>
class Friction : public ::testing::Test {};

template <class>
struct AsTypes;
template <class... Laws>
struct AsTypes<LawList<Laws...>> {
  using type = ::testing::Types<Laws...>;
};
/// The friction laws among all, whatever their number.
template <std::size_t I, class... Found>
constexpr auto friction_laws_from(LawList<Found...> found) {
  if constexpr (I == Catalogue<double>::size) {
    return found;
  } else {
    using Law = Catalogue<double>::at<I>;
    if constexpr (Law::about.kind == Kind::friction) {
      return friction_laws_from<I + 1>(LawList<Found..., Law>{});
    } else {
      return friction_laws_from<I + 1>(found);
    }
  }
}
using FrictionLaws = typename AsTypes<decltype(friction_laws_from<0>(LawList<>{}))>::type;

struct LawName {
  template <class Law>
  static std::string GetName(int) {
    return std::string(Law::about.name);
  }
};
TYPED_TEST_SUITE(Friction, FrictionLaws, LawName);

// A constant load of half the limit, reached slowly; a damper beside the law calms the mass: does it go on for ever?
TYPED_TEST(Friction, CreepsUnderConstantLoadIffDeclared) {
  const TypeParam law{};
  const double K = stiffness_at_rest(law), F = breakaway(law), P = 0.5 * F;
  const double mass = K * 0.01 * 0.01;  // the asperity's own period is 63 ms
  MassOnLaw<TypeParam> run(law, mass, 1e-4, 0.5 * std::sqrt(K * mass));
  const auto load = [&](double t) { return P * std::min(1.0, t / 2); };
  run.run_until(4, load);
  const double early = run.position;
  run.run_until(8, load);
  const double travelled = run.position - early;
  if (has(TypeParam::about.quirks, Quirk::creeps)) {
    EXPECT_GT(travelled, 1e-5);
  } else {
    EXPECT_LT(std::abs(travelled), 1e-3 * F / K);
  }
}

// A load that swings between 0.5 and 0.8 of the limit, slowly: does each cycle leave a shift behind?
TYPED_TEST(Friction, DriftsUnderOscillatingLoadIffDeclared) {
  TypeParam law{};
  const double K = stiffness_at_rest(law), F = breakaway(law);
  MassOnLaw<TypeParam> run(law, K * 1e-4, 1e-4, 0.5e-2 * K);
  const auto load = [&](double t) { return F * std::min(0.65, 0.325 * t) + (t < 2 ? 0 : 0.15 * F * std::sin(2 * pi * (t - 2))); };
  run.run_until(10, load);
  const double before = run.position;
  run.run_until(15, load);
  const double shift = (run.position - before) / 5;
  if (has(TypeParam::about.quirks, Quirk::drifts)) {
    EXPECT_GT(shift, 5e-3 * F / K);
  } else {
    EXPECT_LT(std::abs(shift), 3e-4 * F / K);
  }
}

// step() is stable at any speed and step: it settles at one force, where an explicit update would chatter (h |v| K/F up to 1e4).
TYPED_TEST(Friction, StepSettlesAtAnySpeed) {
  TypeParam law{};
  if constexpr (requires { law.M; }) law.F_s = law.F_c;  // a mass on a spring with a Stribeck peak rightly stick-slips
  for (const double v : {1e-5, 1e-3, 1.0}) {
    if (v < 1 && has(TypeParam::about.quirks, Quirk::creeps))
      continue;  // static curves: below their velocities they do not build up
    auto z = law.start();
    double f = 0, before = 0;
    for (int k = 0; k < 20000; ++k) {
      before = f;
      f = step(law, z, {v}, 1e-3);
    }
    EXPECT_NEAR(f, before, 1e-8 * breakaway(law)) << "v = " << v;
    double resists = breakaway(law);
    if constexpr (requires { law.limit(v); }) resists = law.limit(v);
    EXPECT_GT(f, 0.3 * resists) << "v = " << v;
  }
}

// LuGre and Dahl: (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] per cycle, quasi-statically; F 0.5, K 5e3, 0.2 .. 0.45 N: 1.486378e-4 m.
template <class Law>
double quasi_static_drift(const Law& law, double f1, double f2) {
  auto z = law.start();
  double x = 0;
  // Prescribe the force: v such that the force follows; the bristle's force is K a, so drive a and integrate the slip it needs.
  const auto go = [&](double from, double to) {
    const int n = 200000;
    for (int k = 0; k < n; ++k) {
      const double f = from + (to - from) * (k + 0.5) / n, direction = to > from ? 1 : -1;
      if constexpr (requires { z.a.size(); }) z.a = {f / law.kappa[0]};
      else z.a = f / law.K;
      const double da = (to - from) / n / stiffness_at_rest(law);
      const auto& rate = law.react(z, {direction * 1e-9}, 0.0).rate;  // da/dx at this force and direction
      double slope;
      if constexpr (requires { rate.a.size(); }) slope = rate.a[0] / (direction * 1e-9);
      else slope = rate.a / (direction * 1e-9);
      x += da / slope;
    }
  };
  go(f1, f2);
  go(f2, f1);
  return x;
}

TEST(DriftPerCycle, OfLuGreAndDahl) {
  const double F = 0.5, K = 5e3, f1 = 0.2, f2 = 0.45;
  const double expected = F / K * std::log((F * F - f1 * f1) / (F * F - f2 * f2));
  EXPECT_NEAR(expected, 1.486378e-4, 1e-10);
  Dahl<> dahl;
  dahl.F = F;
  dahl.K = K;
  EXPECT_NEAR(quasi_static_drift(dahl, f1, f2), expected, 1e-9);
  LuGre<> lugre;
  lugre.F_c = lugre.F_s = F;
  lugre.K = K;
  EXPECT_NEAR(quasi_static_drift(lugre, f1, f2), expected, 1e-9);
}

TEST(DriftPerCycle, OfModifiedLeuvenFallsWithN) {
  // One element, elastic stroke: the integral of 1/(1 - r^n) - 1/(1 + r^n); for n = 1 it is the formula of LuGre.
  double last = 1;
  for (const double n : {1.0, 2.0, 4.0}) {
    ModifiedLeuven<double, 1> law;
    law.F_c = law.F_s = 0.5;
    law.kappa[0] = 5e3;
    law.n = n;
    double expected = 0;
    const int panels = 20000;
    for (int k = 0; k < panels; ++k) {
      const double r = (0.2 + 0.25 * (k + 0.5) / panels) / 0.5;
      expected += (1 / (1 - std::pow(r, n)) - 1 / (1 + std::pow(r, n))) * 0.25 / panels / 5e3;
    }
    const double drift = quasi_static_drift(law, 0.2, 0.45);
    EXPECT_NEAR(drift, expected, 1e-9);
    EXPECT_LT(drift, last);
    last = drift;
  }
}

TEST(Elastoplastic, HoldsBelowItsElasticRangeOnly) {
  Elastoplastic<> law;
  law.F_s = law.F_c = 1;
  law.a_ba = 0.6e-5;  // elastic up to 0.6 N
  for (const double peak : {0.55, 0.85}) {
    MassOnLaw<Elastoplastic<>> run(law, 10, 1e-4);
    const auto load = [&](double t) { return (peak - 0.2) * std::min(1.0, t) + (t < 1 ? 0 : 0.2 * std::sin(2 * pi * (t - 1))); };
    run.run_until(4, load);
    const double before = run.position;
    run.run_until(9, load);
    if (peak < 0.6) {
      EXPECT_LT(std::abs(run.position - before), 1e-9);
    } else {
      EXPECT_GT(run.position - before, 1e-6);
    }
  }
}

TEST(Specker, HoldsAtZeroVelocityAndCreepsAtTheCurve) {
  Specker<> law;
  auto z = law.start();
  for (int k = 0; k < 2000; ++k) step(law, z, {0.02}, 1e-3);
  const double held = z.f;
  EXPECT_NEAR(held, law.curve(0.02, 1.0), 1e-9);
  for (int k = 0; k < 100000; ++k) EXPECT_EQ(step(law, z, {0.0}, 1e-3), held);

  // Under a constant load P the mass ends up creeping at Fs^-1(P).
  const double P = 0.8;
  MassOnLaw<Specker<>> run(law, 0.1, 1e-3);
  run.run_until(400, [&](double) { return P; });
  double low = 0, high = law.v_sp;
  for (int k = 0; k < 60; ++k) (law.curve((low + high) / 2, 1.0) < P ? low : high) = (low + high) / 2;
  EXPECT_NEAR(run.velocity, low, 1e-6 * low);
}

// Bristle laws store K a^2/2 and are passive only while K |a| <= g: above it the micro-damping term gives energy back.
TEST(LuGre, IsActiveWhereTheLimitFellBelowTheBristle) {
  LuGre<> law;
  const double v = 0.1, a = 1.5 * law.F_c / law.K;  // r = 1.5
  const auto r = law.react({a}, {v}, 0.0);
  EXPECT_LT(r.f * v - law.K * a * r.rate.a, 0);
  const double within = 0.9 * law.F_c / law.K;
  const auto s = law.react({within}, {v}, 0.0);
  EXPECT_GT(s.f * v - law.K * within * s.rate.a, 0);
}

/// The largest change of the force from one sample to the next under v = 10 um/s sin(2 pi t), over two periods.
template <class Law>
double largest_jump(const Law& law, double h) {
  auto z = law.start();
  double last = 0, jump = 0;
  for (int k = 1; k * h < 2; ++k) {
    const double v = 10e-6 * std::sin(2 * pi * k * h);
    double f;
    if constexpr (Law::about.discrete) {
      f = step(law, z, {v}, h);
    } else {
      const auto r = law.react(z, {v}, 0.0);
      advance<Law>(z, r.rate, h);
      if constexpr (Hybrid<Law>) law.transit(z, {v});
      f = r.f;
    }
    jump = std::max(jump, std::abs(f - last));
    last = f;
  }
  return jump;
}

TYPED_TEST(Friction, JumpsIffDeclared) {
  TypeParam law{};
  if constexpr (requires { law.V; }) law.V = 1e-6;  // bring the static curves into the range of the sweep
  if constexpr (requires { law.v_t; }) law.v_t = 1e-6, law.v_sp = 2e-6;
  const double coarse = largest_jump(law, 8e-5), fine = largest_jump(law, 4e-6);
  if (has(TypeParam::about.quirks, Quirk::jumps)) {
    EXPECT_GT(fine, 0.8 * coarse) << "a jump does not shrink with the step";
    EXPECT_GT(fine, 1e-3);
  } else {
    EXPECT_LT(fine, 0.1 * coarse) << "a continuous force changes by O(step)";
  }
}

// xiong2013 Fig. 4.11: GMS jumps by about sigma |v|, here 8.5 um/s at the first transition, whatever the step.
TEST(Gms, JumpsBySigmaTimesSpeed) {
  for (const double sigma : {1e3, 2e4}) {
    Gms<> law;
    law.sigma.fill(sigma);
    for (const double h : {1e-4, 1e-5, 1e-6}) {
      const double jump = largest_jump(law, h);
      EXPECT_GT(jump, 4e-6 * sigma);
      EXPECT_LT(jump, 12e-6 * sigma + 5e3 * h);
    }
  }
}

// --- contacts ---------------------------------------------------------------------------------------------------------

/// Force just after touch at speed v, as the step (and with it the indentation) goes to zero.
double force_at_touch(const AnyLaw& law, double v, double h) {
  auto z = law.start();
  std::vector<double> rate(z.size());
  return law.react(z, {.gap = -v * h, .gap_rate = -v}, law.about().discrete ? h : 0.0, rate).normal;
}

/// The smallest force while the surfaces are pulled apart fast after an indentation.
double least_force_when_pulled(const AnyLaw& law) {
  auto z = law.start();
  std::vector<double> rate(z.size());
  const double h = 1e-5, depth = 1e-2, pull = 20;
  double least = 0, gap = 0;
  for (int k = 0; k < 4000; ++k) {
    const double v = k < 2000 ? -depth / (2000 * h) : pull;
    gap += h * v;
    const auto f = law.react(z, {.gap = gap, .gap_rate = v}, h, rate);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * rate[i];
    least = std::min(least, f.normal);
  }
  return least;
}

TEST(Contact, JumpsOnTouchAndSticksIffDeclared) {
  int jump = 0, stick = 0;
  for (const std::string& name : law_names()) {
    const auto law = make_law(name);
    if (law->about().kind != Kind::contact) continue;
    const double coarse = force_at_touch(*law, 1, 1e-6), fine = force_at_touch(*law, 1, 1e-9);
    if (has(law->about().quirks, Quirk::jumps_on_touch)) {
      ++jump;
      EXPECT_GT(fine, 10) << name;
      EXPECT_NEAR(fine, coarse, 1e-2 * fine) << name;
    } else {
      EXPECT_LT(fine, 2e-3 * coarse + 1e-12) << name << ": the force must vanish with the indentation";
    }
    if (has(law->about().quirks, Quirk::sticky)) {
      ++stick;
      EXPECT_LT(least_force_when_pulled(*law), -1) << name;
    } else {
      EXPECT_EQ(least_force_when_pulled(*law), 0) << name;
    }
  }
  EXPECT_EQ(jump, 3);
  EXPECT_EQ(stick, 2);
}

TEST(KelvinVoigt, JumpsToBTimesSpeed) {
  const KelvinVoigt<> law;
  EXPECT_NEAR(law.react({}, {-1e-12, -2.0}, 0).f, 2.0 * law.B, 1e-6);
  EXPECT_EQ(law.react({}, {1e-12, -2.0}, 0).f, 0);
}

TEST(HuntCrossley, PullsBeyondItsSpeed) {
  const HuntCrossley<> law;
  EXPECT_GT(law.react({}, {-1e-3, 0.99 / law.b2}, 0).f, 0);
  EXPECT_LT(law.react({}, {-1e-3, 1.01 / law.b2}, 0).f, 0);
}

}  // namespace
}  // namespace asperity::exceptions_test
