#include "asperity/identify/uncertainty.hpp"

#include <gtest/gtest.h>

#include "asperity/friction/dahl.hpp"
#include "asperity/friction/lugre.hpp"
#include "asperity/friction/single_state.hpp"
#include "asperity/integrate/runge_kutta.hpp"
#include "synthetic.hpp"

namespace asperity::identify {
namespace {

const Finding& find(const Uncertainty& u, const std::string& name) {
  for (const Finding& f : u.findings)
    if (f.name == name) return f;
  throw std::out_of_range(name);
}

SingleState<> some_friction() {
  SingleState<> law;
  law.F = 2, law.K = 4e6, law.beta = 4e-3;
  return law;
}

/// Of 40 fits with new white noise each, the 95 % interval misses the truth about twice.
TEST(Uncertainty, IntervalsCoverTheTruth) {
  const Samples clean = samples_of(some_friction(), three_tones, 600, 5e-3);
  const auto model = make_model("single_state");
  const Rows rows = rows_between(clean, 0, 1e9);
  int missed = 0, white = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Noise noise(seed);
    Samples s = clean;
    for (double& f : s.force) f += 0.05 * noise.normal();
    FitSettings settings;
    settings.starts = 1;
    settings.guess = {{"F", 1}, {"K", 3e6}, {"beta", 3e-3}};
    const Uncertainty u = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
    white += u.is_white;
    EXPECT_NEAR(u.deviation, 0.05, 0.006);
    for (const auto& [name, truth] : {std::pair("F", 2.0), std::pair("K", 4e6), std::pair("beta", 4e-3)})
      missed += truth < find(u, name).low || truth > find(u, name).high;
  }
  EXPECT_GE(missed, 1);  // of 120: 6 expected
  EXPECT_LE(missed, 14);
  EXPECT_GE(white, 36);
}

/// A law in continuous time, whose state and travel the classical Runge-Kutta method follows in fiftieths of a sample.
template <class Law>
Samples finely_integrated(const Law& law, const std::function<double(double)>& v, std::size_t count, double step_length) {
  Samples s;
  std::vector<double> x{0, law.start().a};  // position, deflection
  RungeKutta rk4(Method::rk4, x.size());
  const auto rate = [&](double t, std::span<const double> at, double, std::span<double> xdot) {
    typename Law::State z = law.start();
    z.a = at[1];
    xdot[0] = v(t), xdot[1] = law.react(z, {v(t)}, 0).rate.a;
  };
  constexpr int parts = 50;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) * step_length, h = step_length / parts;
    for (int i = k == 0 ? parts : 0; i < parts; ++i) rk4.step(rate, t - step_length + i * h, h, x);
    typename Law::State z = law.start();
    z.a = x[1];
    s.t.push_back(t), s.step.push_back(k == 0 ? 0 : step_length);
    s.position.push_back(x[0]), s.velocity.push_back(v(t)), s.acceleration.push_back(0);
    s.force.push_back(law.react(z, {v(t)}, 0).f);
    s.load.push_back(1), s.is_usable.push_back(true);
  }
  return s;
}

/// Data that this program's own steps had no part in: of 20 intervals of 95 %, at least 17 cover the truth (with 95 % each, fewer
/// do once in sixty times), whichever parameter it is.
TEST(Uncertainty, CoversTheTruthOfALawInContinuousTime) {
  LuGre<> law;
  law.F_c = 1, law.F_s = 1.5, law.v_s = 2e-3, law.K = 2e4, law.B = 30, law.D = 8;
  const Samples clean = finely_integrated(
      law, [](double t) { return 0.01 * std::cos(2 * std::numbers::pi * t) + 0.004 * std::cos(9 * t); }, 2500, 1e-3);
  const auto model = make_model("lugre");
  const Rows rows = rows_between(clean, 0, 1e9);
  const std::vector<std::pair<std::string, double>> truth{{"F_c", 1}, {"F_s", 1.5}, {"v_s", 2e-3}, {"K", 2e4}, {"B", 30}, {"D", 8}};
  std::vector<int> covered(truth.size(), 0);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Noise noise(seed);
    Samples s = clean;
    for (double& f : s.force) f += 0.02 * noise.normal();
    FitSettings settings;
    settings.starts = 1, settings.viscous = true;
    settings.guess = {{"F_c", 1.2}, {"F_s/F_c - 1", 0.4}, {"v_s", 3e-3}, {"K", 3e4}, {"B", 20}, {"D", 5}};
    const Uncertainty u = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const Finding& f = find(u, truth[i].first);
      covered[i] += f.low <= truth[i].second && truth[i].second <= f.high;
      EXPECT_LT(f.error, 0.1 * f.value) << f.name;  // an interval that covers everything says nothing
    }
  }
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_GE(covered[i], 17) << truth[i].first;
}

/// Without noise nothing is left but the step: what is sampled well is known, and its interval covers the truth.
TEST(Uncertainty, OfDataWithoutNoiseIsThatOfTheStep) {
  LuGre<> law;
  law.F_c = 1, law.F_s = 1.5, law.v_s = 2e-3, law.K = 2e4, law.B = 30, law.D = 8;
  const auto model = make_model("lugre");
  for (const double step : {1e-4, 3e-4, 1e-3}) {
    const Samples s = finely_integrated(
        law, [](double t) { return 0.01 * std::cos(2 * std::numbers::pi * t) + 0.004 * std::cos(9 * t); }, std::size_t(1.5 / step),
        step);
    const Rows rows = rows_between(s, 0, 1e9);
    FitSettings settings;
    settings.starts = 1, settings.viscous = true;
    settings.guess = {{"F_c", 1.2}, {"F_s/F_c - 1", 0.4}, {"v_s", 3e-3}, {"K", 3e4}, {"B", 20}, {"D", 5}};
    const Uncertainty u = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
    for (const auto& [name, truth] :
         {std::pair("F_c", 1.), std::pair("F_s", 1.5), std::pair("v_s", 2e-3), std::pair("K", 2e4), std::pair("D", 8.)}) {
      const Finding& f = find(u, name);
      EXPECT_EQ(f.remark, "") << name << " at " << step;
      EXPECT_TRUE(f.low <= truth && truth <= f.high) << name << " at " << step << ": " << f.low << " .. " << f.high;
      EXPECT_LT(f.error, .02 * truth) << name;
    }
  }
}

/// A stiffness that is through after a tenth of a sample: what the steps make of it is no measurement, and is not given as one.
TEST(Uncertainty, OfSamplesTooCoarseHasNoInterval) {
  LuGre<> law;
  law.F_c = 1, law.F_s = 1.5, law.v_s = 2e-5, law.K = 2e6, law.B = 0, law.D = 0;
  const auto speed = [](double t) { return 0.02 * std::sin(5 * t); };
  const auto model = make_model("lugre");
  FitSettings settings;
  settings.starts = 1;
  settings.guess = {{"F_c", 1}, {"F_s/F_c - 1", 0.5}, {"v_s", 5e-5}, {"K", 2e6}, {"B", 100}};
  Samples s = samples_of(law, speed, 2000, 2e-3, 100);
  Noise noise(7);
  for (double& f : s.force) f += 0.01 * noise.normal();
  const Rows rows = rows_between(s, 0, 1e9);
  const Uncertainty u = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
  const Finding& K = find(u, "K");
  EXPECT_EQ(K.remark, "sampled too coarsely");
  EXPECT_FALSE(std::isfinite(K.error) || std::isfinite(K.low) || std::isfinite(K.high));
  ASSERT_FALSE(u.weak.empty());
  EXPECT_TRUE(u.weak.back().starts_with("the data are sampled too coarsely for ")) << u.weak.back();
  EXPECT_NE(u.weak.back().find("K"), std::string::npos) << u.weak.back();
  EXPECT_TRUE(find(u, "F_c").remark.empty()) << find(u, "F_c").remark;  // sliding is seen well enough
}

/// Noise that is large just where a parameter is told: errors that average it over all samples would cover K half of the time.
TEST(Uncertainty, SeesWhereTheNoiseIs) {
  Dahl<> law;
  law.F = 2, law.K = 2e4;
  const Samples clean = samples_of(
      law, [](double t) { return 0.01 * std::sin(3 * t); }, 1500, 4e-3);
  const auto model = make_model("dahl");
  const Rows rows = rows_between(clean, 0, 1e9);
  int covered = 0, covered_if_even = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Noise noise(seed);
    Samples s = clean;
    for (std::size_t k = 0; k < s.size(); ++k) s.force[k] += (std::abs(clean.force[k]) < 1.9 ? 0.3 : 0.01) * noise.normal();
    FitSettings settings;
    settings.starts = 1, settings.guess = {{"F", 2}, {"K", 2e4}};
    const Fit found = fit(*model, s, rows, settings);
    const Uncertainty u = uncertainty(*model, found, s, rows);
    const Finding& K = find(u, "K");
    covered += K.low <= 2e4 && 2e4 <= K.high;
    // s^2 (J^T J)^-1 by the slope with K alone: F is known much better.
    std::vector<double> force(s.size()), slope(s.size());
    const std::vector<Direction> by_K{{1}};
    model->slopes(s, s.size(), found.q, by_K, force, slope);
    double square = 0;
    for (const double d : slope) square += d * d;
    covered_if_even += std::abs(std::log(K.value / 2e4)) < 1.96 * u.deviation / std::sqrt(square);
  }
  EXPECT_GE(covered, 34);
  EXPECT_LE(covered_if_even, 28);
}

/// Slow wandering is no white noise: it is said, and errors grow.
TEST(Uncertainty, OfCorrelatedResidualsIsLarger) {
  Samples s = samples_of(some_friction(), three_tones, 2000, 2e-3);
  const auto model = make_model("single_state");
  const Rows rows = rows_between(s, 0, 1e9);
  Noise noise(5);
  double wander = 0;
  for (double& f : s.force) f += wander = 0.9 * wander + 0.05 * noise.normal();
  const Uncertainty u = uncertainty(*model, fit(*model, s, rows, {}), s, rows);
  EXPECT_FALSE(u.is_white);
  EXPECT_NEAR(u.correlation, 0.9, 0.05);
  EXPECT_NEAR(u.runs, 19, 8);  // (1 + rho)/(1 - rho)
}

/// Sliding at speeds far above v_s tells neither v_s nor F_s; this is said, and not one word more about F_c.
TEST(Uncertainty, SaysWhatTheDataCannotTell) {
  SingleState<double, 1, Stribeck> law;
  law.F_c = 2, law.F_s = 3, law.v_s = 1e-3, law.K = 1e5, law.beta = 0.02;
  Samples s = samples_of(
      law, [](double t) { return 0.05 + 0.02 * std::sin(9 * t); }, 1500, 2e-3);
  Noise noise(2);
  for (double& f : s.force) f += 0.01 * noise.normal();
  const auto model = make_model("single_state_stribeck");
  const Rows rows = rows_between(s, 0, 1e9);
  FitSettings settings;
  settings.bounds = {{"v_s", 1e-4, 1e-2}};
  const Fit found = fit(*model, s, rows, settings);
  const Uncertainty u = uncertainty(*model, found, s, rows);
  std::string all;
  for (const std::string& line : u.weak) all += line + "\n";
  EXPECT_NE(all.find("v_s"), std::string::npos) << all;
  EXPECT_NE(all.find("F_s"), std::string::npos) << all;
  for (const std::string& line : u.weak) EXPECT_FALSE(line.starts_with("F_c")) << all;
  EXPECT_LT(find(u, "F_c").error, 0.05);
}

/// Coulomb friction with a wide bound of v_s below all speeds: F_s is what its limit says, so it has no interval; F_c is told.
TEST(Uncertainty, WhatHangsOnALimitHasNoInterval) {
  Samples s = samples_of(some_friction(), three_tones, 800, 5e-3);
  Noise noise(3);
  for (double& f : s.force) f += 0.02 * noise.normal();
  const auto model = make_model("single_state_stribeck");
  const Rows rows = rows_between(s, 0, 1e9);
  FitSettings settings;
  settings.bounds = {{"F_s/F_c - 1", 0.5, 2}};  // the truth is 0
  settings.fixed = {{"v_s", 1e-8}};
  const Uncertainty u = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
  const Finding &F_s = find(u, "F_s"), &F_c = find(u, "F_c");
  EXPECT_NEAR(F_s.value, 1.5 * F_c.value, 1e-9);
  EXPECT_EQ(F_s.remark, "depends on F_s/F_c - 1, which is at its bound");
  EXPECT_FALSE(std::isfinite(F_s.error) || std::isfinite(F_s.low) || std::isfinite(F_s.high));
  EXPECT_EQ(find(u, "v_s").remark, "given");
  EXPECT_EQ(find(u, "alpha").remark, "taken as 2");
  // A bound that much of the force follows moves F_c, too, although F_c is no function of it.
  settings.fixed = {{"v_s", 5e-6}};
  const Uncertainty bent = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
  EXPECT_LT(find(bent, "F_c").value, 1.9);  // the truth is 2
  EXPECT_EQ(find(bent, "F_c").remark, "depends on F_s/F_c - 1, which is at its bound");
}

/// Nothing moves with the motion but a mass: friction is gone, viscous friction is at zero, and neither is given an error of zero.
TEST(Uncertainty, AtZeroThereIsNoInterval) {
  Samples s = samples_of(some_friction(), three_tones, 400, 5e-3);
  Noise noise(3);
  for (std::size_t k = 0; k < s.size(); ++k) s.force[k] = -1e3 * s.velocity[k] + 1e-4 * noise.normal();
  const Rows rows = rows_between(s, 0, 1e9);
  FitSettings settings;
  settings.viscous = true, settings.mass.reset();
  for (const char* law : {"dahl", "lugre"}) {
    const auto model = make_model(law);
    const Uncertainty u = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
    EXPECT_EQ(find(u, std::string(law) == "dahl" ? "Fv" : "D").remark, "at its limit 0") << law;
    for (const Finding& f : u.findings)
      if (!f.remark.empty()) {
        EXPECT_FALSE(std::isfinite(f.error) || std::isfinite(f.low)) << law << " " << f.name;
      }
  }
}

/// Where nothing is free, and where nothing is finite, there is an answer all the same.
TEST(Uncertainty, OfNothing) {
  Samples s = samples_of(some_friction(), three_tones, 400, 5e-3);
  const Rows rows = rows_between(s, 0, 1e9);
  const auto model = make_model("single_state");
  FitSettings settings;
  settings.fixed = {{"F", 2}, {"K", 4e6}, {"beta", 4e-3}};
  const Uncertainty known = uncertainty(*model, fit(*model, s, rows, settings), s, rows);
  EXPECT_EQ(known.parameters, 0);
  EXPECT_LT(known.deviation, 0.05);
  for (const Finding& f : known.findings) EXPECT_EQ(f.remark, "given") << f.name;
  Fit broken = fit(*model, s, rows, {});
  broken.mass = std::numeric_limits<double>::infinity();
  const Uncertainty lost = uncertainty(*model, broken, s, rows);
  ASSERT_EQ(lost.weak.size(), 1u);
  EXPECT_NE(lost.weak[0].find("not finite"), std::string::npos);
  for (const Finding& f : lost.findings) EXPECT_FALSE(std::isfinite(f.error)) << f.name;
}

}  // namespace
}  // namespace asperity::identify
