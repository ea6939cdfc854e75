#include "asperity/identify/uncertainty.hpp"

#include <gtest/gtest.h>

#include "asperity/friction/single_state.hpp"
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

}  // namespace
}  // namespace asperity::identify
