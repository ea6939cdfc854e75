// The names that a user may fix and bound.
#include "asperity/identify/names.hpp"

#include <gtest/gtest.h>

#include "asperity/friction/elastoplastic.hpp"
#include "asperity/friction/lugre.hpp"
#include "synthetic.hpp"

namespace asperity::identify {
namespace {

using Problems = std::vector<std::string>;

double hundredths(double t) { return 0.01 * std::cos(6 * t) + 0.004 * std::cos(9 * t); }

Samples noisy(Samples s) {
  Noise noise(7);
  for (double& f : s.force) f += 0.01 * noise.normal();
  return s;
}

Samples of_lugre() {
  LuGre<> law;
  law.F_c = 1, law.F_s = 1.5, law.v_s = 2e-3, law.K = 2e4, law.B = 30, law.D = 8;
  return noisy(samples_of(law, hundredths, 900, 2e-3, 4));
}

double parameter(const Fit& fit, const std::string& name) {
  for (const Parameter& p : fit.parameters)
    if (p.name == name) return p.values.at(0);
  throw std::out_of_range(name);
}

FitSettings quick() {
  FitSettings settings;
  settings.starts = 2, settings.viscous = true;
  return settings;
}

Fit fitted(const char* law, const Samples& s, const FitSettings& settings) {
  Problems problems;
  const Translated t = translated(make_model(law), settings, problems);
  EXPECT_TRUE(problems.empty()) << problems.front();
  return fit(*t.model, s, rows_between(s, 0, 1e9), t.settings);
}

Problems problems_of(const char* law, const FitSettings& settings) {
  Problems problems;
  translated(make_model(law), settings, problems);
  return problems;
}

/// What is fixed at where the optimum is does not move it; elsewhere, it is kept to the last digit and costs something.
TEST(Names, AParameterThatIsNoCoordinateCanBeFixed) {
  const Samples s = of_lugre();
  const Fit free = fitted("lugre", s, quick());
  FitSettings settings = quick();
  settings.fixed = {{"F_s", parameter(free, "F_s")}};
  const Fit same = fitted("lugre", s, settings);
  EXPECT_NEAR(same.cost, free.cost, 1e-5 * free.cost);
  for (const char* name : {"F_c", "F_s", "v_s", "K", "B", "D"})
    EXPECT_NEAR(parameter(same, name), parameter(free, name), 2e-3 * parameter(free, name)) << name;
  settings.fixed = {{"F_s", 1.7}};
  const Fit moved = fitted("lugre", s, settings);
  EXPECT_DOUBLE_EQ(parameter(moved, "F_s"), 1.7);
  EXPECT_GT(moved.cost, 1.02 * free.cost);
  EXPECT_NE(parameter(moved, "F_c"), parameter(free, "F_c"));  // it is free
  // A bound that leaves the optimum outside ends at its edge.
  settings.fixed.clear(), settings.bounds = {{"F_s", 1.7, 2}};
  const Fit edge = fitted("lugre", s, settings);
  EXPECT_DOUBLE_EQ(parameter(edge, "F_s"), 1.7);
  EXPECT_NEAR(edge.cost, moved.cost, 1e-4 * moved.cost);
}

/// The same for a length made of three coordinates, two of them in a group.
TEST(Names, ElasticDeflection) {
  Elastoplastic<> law;
  law.F_c = 1, law.F_s = 1.5, law.v_s = 2e-3, law.K = 2e4, law.B = 30, law.D = 8, law.a_ba = 3e-5;
  const Samples s = noisy(samples_of(law, hundredths, 900, 2e-3, 4));
  FitSettings settings = quick();
  settings.fixed = {{"a_ba", 2e-5}};
  const Fit found = fitted("elastoplastic", s, settings);
  EXPECT_NEAR(parameter(found, "a_ba"), 2e-5, 1e-18);
  EXPECT_NEAR(parameter(found, "F_c"), 1, 0.05);
  settings.fixed = {{"a_ba", 3e-5}, {"F_s", 1.5}};
  const Fit true_one = fitted("elastoplastic", s, settings);
  EXPECT_NEAR(parameter(true_one, "a_ba"), 3e-5, 1e-18);
  EXPECT_DOUBLE_EQ(parameter(true_one, "F_s"), 1.5);
  EXPECT_NEAR(parameter(true_one, "K"), 2e4, 2e3);
  EXPECT_LT(true_one.cost, found.cost);
}

/// The slopes of a model in other coordinates are those of its force.
TEST(Names, SlopesInOtherCoordinates) {
  const Samples s = of_lugre();
  Problems problems;
  FitSettings settings = quick();
  settings.fixed = {{"a_ba", 2e-5}, {"F_s", 1.4}};
  const auto model = translated(make_model("elastoplastic"), settings, problems).model;
  const auto coordinates = model->coordinates({}, 1);
  std::vector<double> q;
  for (const Coordinate& c : coordinates)
    q.push_back(c.name == "F_s"          ? 1.4
                : c.name == "a_ba"       ? 2e-5
                : c.name == "v_s"        ? 2e-3
                : c.name == "a_ba K/F_c" ? 0.5
                : c.name == "alpha"      ? 2
                : c.name == "B"          ? 20
                : c.name == "D"          ? 7
                                         : 0.4);
  const std::size_t count = 300;
  std::vector<double> force(count), up(count), down(count);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const std::vector<Direction> alone{{i}};
    std::vector<double> slopes(count);
    model->slopes(s, count, q, alone, force, slopes);
    auto a = q, b = q;
    a[i] *= 1 + 1e-6, b[i] *= 1 - 1e-6;
    model->force(s, count, a, up), model->force(s, count, b, down);
    double wrong = 0, size = 0;
    for (std::size_t k = 1; k < count; ++k) {
      wrong = std::max(wrong, std::abs(slopes[k] - (up[k] - down[k]) / 2e-6));
      size = std::max(size, std::abs(slopes[k]));
    }
    EXPECT_LT(wrong, 1e-3 * size + 1e-8) << coordinates[i].name;
  }
}

/// A number that is fixed hangs on nothing else, not even by rounding.
TEST(Names, WhatIsFixedHasNoSlope) {
  Problems problems;
  FitSettings settings;
  settings.fixed = {{"F_s", 1.2}};
  const auto model = translated(make_model("lugre"), settings, problems).model;
  const std::vector<double> q{1.2, 0.3, 3e-3, 2, 1e4, 20, 7};
  const auto slopes = model->parameter_slopes(q);
  const auto parameters = model->parameters(q);
  for (std::size_t p = 0; p < parameters.size(); ++p)
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double slope = slopes[p * q.size() + i];
      if (parameters[p].name == "F_s") {
        EXPECT_EQ(slope, i == 0 ? 1.2 : 0);
      } else if (parameters[p].name == "F_c") {
        EXPECT_NEAR(slope, i == 0 ? 1.2 / 1.3 : i == 1 ? -1.2 * 0.3 / 1.69 : 0, 1e-12);
      }
    }
}

/// What is beside the law: fixed is as if its force had not been measured.
TEST(Names, MassViscosityAndOffset) {
  const Samples clean = of_lugre();
  Samples s = clean;
  for (std::size_t k = 0; k < s.size(); ++k) s.force[k] += 0.5 * s.acceleration[k] + 3 * s.velocity[k] - 0.25;
  FitSettings settings;
  settings.starts = 2;
  const Fit without = fitted("dahl", clean, settings);
  settings.fixed = {{"M", 0.5}, {"Fv", 3}, {"offset", -0.25}};
  const Fit with = fitted("dahl", s, settings);
  EXPECT_NEAR(parameter(with, "F"), parameter(without, "F"), 1e-9);
  EXPECT_NEAR(parameter(with, "K"), parameter(without, "K"), 1e-4);
  EXPECT_EQ(with.mass, 0.5);
  EXPECT_EQ(with.viscous, 3);
  EXPECT_EQ(with.offset, -0.25);
  EXPECT_NEAR(rms_residual(s, predicted_force(*make_model("dahl"), with, s, s.size()), rows_between(s, 0, 1e9)),
              rms_residual(clean, predicted_force(*make_model("dahl"), without, clean, s.size()), rows_between(s, 0, 1e9)), 1e-9);
  settings.fixed = {{"Fv", 8}};  // a law that has viscous friction uses its own
  EXPECT_EQ(parameter(fitted("lugre", clean, settings), "D"), 8);
}

/// Of a product all factors but one of which are known, that one follows.
TEST(Names, WhatIsKnownIsTranslatedExactly) {
  Problems problems;
  FitSettings settings;
  settings.elements = 2;
  settings.fixed = {{"sigma[2]", 3}, {"beta", 1e-3}, {"F[1]", 1}, {"F[2]", 3}, {"F_s", 6}, {"C", 8}};
  const FitSettings gms = translated(make_model("gms"), settings, problems).settings;
  ASSERT_TRUE(problems.empty()) << problems.front();
  const auto value = [&](const std::string& name) {
    for (const auto& [known, x] : gms.fixed)
      if (known == name) return x;
    throw std::out_of_range(name);
  };
  EXPECT_NEAR(value("kappa[2]"), 3000, 1e-9);
  EXPECT_NEAR(value("F_s/F_c - 1"), 0.5, 1e-12);
  EXPECT_NEAR(value("C/F_c"), 2, 1e-12);
  settings = {}, settings.fixed = {{"F_c", 2}}, settings.bounds = {{"F_s", 2, 5}};
  const FitSettings lugre = translated(make_model("lugre"), settings, problems).settings;
  ASSERT_EQ(lugre.bounds.size(), 1u);
  EXPECT_EQ(lugre.bounds[0].name, "F_s/F_c - 1");
  EXPECT_NEAR(lugre.bounds[0].high, 1.5, 1e-12);
  EXPECT_LT(lugre.bounds[0].low, 1e-8);  // F_s = F_c
  EXPECT_GT(lugre.bounds[0].low, 0);
}

TEST(Names, WhatCannotBeHadIsSaid) {
  FitSettings settings;
  settings.elements = 2;
  settings.fixed = {{"lambda[1]", 0.3}};
  EXPECT_EQ(problems_of("gms", settings),
            Problems{"gms: fixed lambda[1]: it is made of F[1], F[2]: fix or bound these, or fix all of them but one"});
  settings.fixed = {{"F_c", 1}, {"F_s", 0.5}};
  EXPECT_EQ(problems_of("lugre", settings), Problems{"lugre: fixed F_s = 0.5: with what else is fixed, no F_s/F_c - 1 gives it"});
  settings.fixed = {{"sigma[1]", 3}, {"beta", 1e-3}, {"kappa[1]", 5}};
  EXPECT_EQ(problems_of("gms", settings), Problems{"gms: fixed sigma[1] = 3: all it is made of is fixed already"});
  settings.fixed = {{"K", 0}, {"v_s", 0}, {"F_s", -1}, {"F_s/F_c - 1", -0.5}, {"M", -2}};
  const Problems all = problems_of("lugre", settings);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0], "lugre: fixed M = -2: must be >= 0");
  EXPECT_EQ(all[1], "lugre: fixed K = 0 N/m: must be > 0");
  EXPECT_EQ(all[2], "lugre: fixed v_s = 0 m/s: must be > 0");
  EXPECT_TRUE(all[3].starts_with("lugre: fixed F_s/F_c - 1 = -0.5: with it F_s = ")) << all[3];
  EXPECT_EQ(all[4], "lugre: fixed F_s = -1 N: must be > 0");
  settings.fixed.clear(), settings.bounds = {{"M", 1, 2}};
  EXPECT_EQ(problems_of("dahl", settings),
            Problems{"dahl: M cannot be bounded: the force is linear in it; fix it, or leave it free"});
}

}  // namespace
}  // namespace asperity::identify
