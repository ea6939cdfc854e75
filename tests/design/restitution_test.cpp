// Simulated impacts against closed forms, exact formulas and published numbers.
#include "asperity/design/restitution.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "asperity/design/impact.hpp"

namespace asperity::design::restitution_test {
namespace {

using Settings = std::vector<std::pair<std::string, double>>;

std::unique_ptr<AnyLaw> law_with(std::string_view name, const Settings& settings) {
  auto law = make_law(name);
  for (const auto& [parameter, value] : settings) EXPECT_FALSE(law->set(parameter, {value})) << parameter;
  EXPECT_TRUE(law->problems().empty()) << name;
  return law;
}
Rebound simulated(std::string_view name, const Settings& settings, double mass, double speed, double tolerance = 1e-10) {
  return simulated_rebound(*law_with(name, settings), mass, speed, tolerance);
}

// Restitution, deepest and residual indentation of the nonlinear law, by an independent implementation refined until its digits
// stood still: M 1, K 1e4, lambda 1.5.
TEST(SimulatedImpact, NonlinearLawToTheDigitsKnown) {
  struct Row {
    double beta1, beta2, gamma, speed, restitution, deepest, residual;
    double digits_deepest, digits_residual;  // half of the last digit
  };
  for (const Row& row : {Row{0, .1, 2e3, 2, .966814, 4.71959e-2, 4.974e-5, 5e-8, 5e-9},
                         {1e-3, 0, 2e3, 2, .925182, 4.63851e-2, 3.13977e-3, 5e-8, 5e-9},
                         {3e-3, 0, 2e3, .1, .880426, 4.14118e-3, 4.1615e-4, 5e-9, 5e-9},
                         {3e-3, 0, 2e3, 10, .736505, 1.54093e-1, 3.47943e-2, 5e-7, 5e-8},
                         {3e-3, .1, 2e3, .5, .836800, 1.47189e-2, 1.98400e-3, 5e-8, 5e-9},
                         {3e-3, .1, 2e3, 2, .774878, 4.33582e-2, 7.50004e-3, 5e-8, 5e-9},
                         {3e-3, .1, 2e3, 10, .585829, 1.42491e-1, 3.39339e-2, 5e-7, 5e-8},
                         {1e-3, .3, 2e3, 1, .900978, 2.63746e-2, 1.56717e-3, 5e-8, 5e-9},
                         {3e-3, .1, 50, 2, .912197, 4.58641e-2, 8.06051e-3, 5e-8, 5e-9},
                         {3e-3, .1, 1e3, 2, .776464, 4.34362e-2, 7.84877e-3, 5e-8, 5e-9}}) {
    SCOPED_TRACE(::testing::Message() << row.beta1 << " " << row.beta2 << " " << row.gamma << " " << row.speed);
    const Rebound rebound =
        simulated("nonlinear_compliance",
                  {{"K", 1e4}, {"lambda", 1.5}, {"beta1", row.beta1}, {"beta2", row.beta2}, {"gamma", row.gamma}}, 1, row.speed);
    EXPECT_NEAR(rebound.restitution, row.restitution, 5.1e-7);
    EXPECT_NEAR(rebound.deepest, row.deepest, 1.02 * row.digits_deepest);
    EXPECT_NEAR(rebound.residual, row.residual, 1.02 * row.digits_residual);
  }
  // Small gamma makes it rise with the speed.
  const Settings slow{{"K", 1e4}, {"lambda", 1.5}, {"beta1", 3e-3}, {"beta2", .1}, {"gamma", 10}};
  EXPECT_NEAR(simulated("nonlinear_compliance", slow, 1, .1).restitution, .98728, 5.1e-6);
  EXPECT_NEAR(simulated("nonlinear_compliance", slow, 1, 10).restitution, .99520, 5.1e-6);
  // Fig. 5.2 of xiong2013.
  EXPECT_NEAR(simulated("nonlinear_compliance", {{"beta1", 3e-3}, {"beta2", .1}}, 1, 2).contact_time, .067531, 5.1e-7);
}

/// All of two rebounds, relatively; the residual indentation to the deepest one.
void expect_equal(const Rebound& got, const Rebound& exact, double restitution, double others) {
  EXPECT_NEAR(got.restitution, exact.restitution, restitution);
  EXPECT_NEAR(got.contact_time / exact.contact_time, 1, others);
  EXPECT_NEAR(got.deepest / exact.deepest, 1, others);
  EXPECT_NEAR((got.residual - exact.residual) / exact.deepest, 0, others);
  EXPECT_NEAR(got.peak_force / exact.peak_force, 1, others);
}

// The standard linear solid: complex, real and triple roots; M and v0 that are not 1.
TEST(SimulatedImpact, LinearLawIsItsClosedForm) {
  const double mass = 2, speed = 3, K = 5e4, omega = std::sqrt(K / mass);
  for (const double r : {.02, 1. / 9, .3, .7, 1.})
    for (const double b : {.05, .5, 1., std::sqrt(3), 4.}) {
      SCOPED_TRACE(::testing::Message() << "r " << r << " b " << b);
      const auto law = law_with("linear_compliance", {{"K", K}, {"beta", b / omega}, {"alpha", r * b / omega}});
      const Rebound exact = rebound(*law, mass, speed);
      EXPECT_NEAR(exact.restitution, linear_impact(r, b).restitution, 1e-13);
      expect_equal(simulated_rebound(*law, mass, speed), exact, 5e-11, 1e-8);
    }
}

// A damper that pushes only, one that pulls until the surface is back, and one so strong that it never lets go.
TEST(SimulatedImpact, SpringAndDamperAreTheirClosedForms) {
  for (const char* name : {"kelvin_voigt", "kelvin_voigt_clamped"})
    for (const double zeta : {0., .1, .49, .8, .95}) {
      SCOPED_TRACE(::testing::Message() << name << " " << zeta);
      const auto law = law_with(name, {{"K", 4e4}, {"B", 2 * zeta * 200}});
      expect_equal(simulated_rebound(*law, 1, 2), rebound(*law, 1, 2), 1e-10, 1e-8);
    }
  const auto clamped = law_with("kelvin_voigt_clamped", {{"K", 4e4}, {"B", 2 * 3. * 200}});
  expect_equal(simulated_rebound(*clamped, 1, 2), rebound(*clamped, 1, 2), 1e-10, 1e-8);
  const auto gluing = law_with("kelvin_voigt", {{"K", 4e4}, {"B", 2 * 1. * 200}});
  EXPECT_EQ(rebound(*gluing, 1, 2).restitution, 0);
  EXPECT_TRUE(std::isinf(rebound(*gluing, 1, 2).contact_time));
}

// b2 v0 - ln(1 + b2 v0) = -b2 e v0 - ln(1 - b2 e v0), exactly, for every lambda; and Hertz, without loss.
TEST(SimulatedImpact, CurvedSurfacesAreTheirExactFormulas) {
  for (const double lambda : {1., 1.2, 1.5, 2.5, 5.})
    for (const double D : {1e-3, .1, .7, 3., 20.}) {
      SCOPED_TRACE(::testing::Message() << "lambda " << lambda << " D " << D);
      const double mass = .3, speed = 4, K = 2e5;
      const auto law = law_with("hunt_crossley", {{"K", K}, {"lambda", lambda}, {"b2", D / speed}});
      const Rebound got = simulated_rebound(*law, mass, speed);
      const double out = D * got.restitution;
      if (D <= 3) {
        EXPECT_NEAR(-out - std::log1p(-out), D - std::log1p(D), 1e-8 * D);
      }
      expect_equal(got, rebound(*law, mass, speed), 1e-10, 1e-8);
    }
  for (const double lambda : {1., 1.5, 3.}) {
    const auto law = law_with("hertz", {{"K", 1e6}, {"lambda", lambda}});
    expect_equal(simulated_rebound(*law, 2, .5), rebound(*law, 2, .5), 1e-10, 1e-7);
  }
  EXPECT_NEAR(simulated("hunt_crossley", {{"K", 1e4}, {"b2", .35}}, 1, 2).restitution, .678595, 5.1e-7);
}

// Restitution depends on gamma t*, beta1/t*, beta2 L^lambda/t* and lambda only, L = (M v0^2/K)^(1/(lambda + 1)), t* = L/v0; for
// weak damping e = 1 - 1.730173 B1 - .826229 B2, the series of viscoelastic spheres.
TEST(SimulatedImpact, NonlinearLawDependsOnItsGroupsOnly) {
  const auto with = [](double K, double mass, double speed, double lambda, double gamma, double B1, double B2) {
    const double L = std::pow(mass * speed * speed / K, 1 / (lambda + 1)), t = L / speed;
    return simulated(
               "nonlinear_compliance",
               {{"K", K}, {"lambda", lambda}, {"beta1", B1 * t}, {"beta2", B2 * t / std::pow(L, lambda)}, {"gamma", gamma / t}},
               mass, speed)
        .restitution;
  };
  const double e = with(1, 1, 1, 1.7, 40, .2, .3);
  EXPECT_NEAR(with(1e9, 1e-3, .02, 1.7, 40, .2, .3), e, 1e-10);
  EXPECT_NEAR(with(1e3, 1e3, 30, 1.7, 40, .2, .3), e, 1e-10);
  EXPECT_NEAR(with(1, 1, 1, 1.5, 2e4, 1e-4, 0), 1 - 1.730173e-4, 2e-7);
  EXPECT_NEAR(with(1, 1, 1, 1.5, 2e4, 0, 1e-4), 1 - .826229e-4, 2e-7);
}

// With lambda = 1, beta2 = 0 it is the linear law with alpha = 1/gamma, beta = 1/gamma + beta1.
TEST(SimulatedImpact, NonlinearLawContainsTheLinearOne) {
  const double gamma = 500, beta1 = 4e-3;
  const auto linear = law_with("linear_compliance", {{"K", 1e4}, {"alpha", 1 / gamma}, {"beta", 1 / gamma + beta1}});
  expect_equal(
      simulated("nonlinear_compliance", {{"K", 1e4}, {"lambda", 1}, {"beta1", beta1}, {"beta2", 0}, {"gamma", gamma}}, 1, 2),
      rebound(*linear, 1, 2), 1e-10, 1e-8);
}

/// An impact by the classical Runge-Kutta method with a short step, up to the step in which the force has ended.
double stepped_restitution(const AnyLaw& law, double mass, double speed, double h) {
  std::array<double, 3> x{0, -speed, 0};  // gap, rate, memory
  for (bool touched = false;;) {
    std::array<double, 3> sum{}, y = x;
    double last = 0;
    const double weight[] = {h / 6, h / 3, h / 3, h / 6}, ahead[] = {h / 2, h / 2, h, 0};
    for (int stage = 0; stage < 4; ++stage) {
      double memory = 0;
      last = law.react({&y[2], 1}, {.gap = y[0], .gap_rate = y[1]}, 0, {&memory, 1}).normal;
      const std::array<double, 3> rate{y[1], last / mass, memory};
      for (std::size_t i = 0; i < 3; ++i) sum[i] += weight[stage] * rate[i], y[i] = x[i] + ahead[stage] * rate[i];
    }
    for (std::size_t i = 0; i < 3; ++i) x[i] += sum[i];
    if (touched && last == 0) return x[1] / speed;
    touched = touched || last > 0;
  }
}

// A memory slower than the impact, with damping that grows with it, pushes harder on the way out than on the way in.
TEST(SimulatedImpact, SlowMemoryCanGiveOutEnergy) {
  const auto law = law_with("nonlinear_compliance", {{"K", 1e4}, {"beta1", 0}, {"beta2", 10}, {"gamma", 10}});
  const double e = simulated_rebound(*law, 1, 2).restitution;
  EXPECT_GT(e, 1.0199);
  EXPECT_NEAR(e, stepped_restitution(*law, 1, 2, 1e-5), 1e-6);
  // And so it is where it takes energy, as it should.
  const auto usual = law_with("nonlinear_compliance", {{"beta1", 1e-3}});
  EXPECT_NEAR(simulated_rebound(*usual, 1, 2).restitution, stepped_restitution(*usual, 1, 2, 1e-5), 1e-6);
}

/// Random parameters, masses and speeds, column by column.
struct Many {
  std::vector<std::vector<double>> parameters;
  std::vector<double> mass, speed;

  explicit Many(std::size_t n) {
    std::mt19937_64 engine(7);
    const auto fill = [&](double low, double high) {
      std::vector<double> column(n);
      for (double& x : column) x = low * std::pow(high / low, std::uniform_real_distribution<>()(engine));
      return column;
    };
    parameters = {fill(1e3, 1e5), fill(1, 2), fill(1e-5, 6e-3), fill(1e-3, 1), fill(20, 4e3)};
    mass = fill(.1, 10), speed = fill(.1, 10);
  }
  /// Five columns, one after the other.
  std::vector<double> run(const ImpactSettings& settings, bool all_facts = true) const {
    const std::size_t n = mass.size();
    std::vector<double> out(5 * n, -1);
    std::vector<const double*> columns;
    for (const auto& column : parameters) columns.push_back(column.data());
    ReboundColumns into{out.data()};
    if (all_facts) into = {out.data(), &out[n], &out[2 * n], &out[3 * n], &out[4 * n]};
    simulate_impacts("nonlinear_compliance", n, columns, mass.data(), speed.data(), into, settings);
    return out;
  }
};

TEST(ManyImpacts, AreTheSameOnAnyNumberOfThreads) {
  const Many many(1003);
  const auto one = many.run({.tolerance = 1e-7, .threads = 1}), two = many.run({.tolerance = 1e-7, .threads = 2});
  EXPECT_EQ(one, two);
  // Nor do they depend on their neighbours, or on what else is asked.
  for (const std::size_t k : {0U, 5U, 1002U}) {
    auto law = make_law("nonlinear_compliance");
    const auto names = law->parameters();
    for (std::size_t i = 0; i < names.size(); ++i) law->set(names[i].name, {many.parameters[i][k]});
    EXPECT_EQ(simulated_rebound(*law, many.mass[k], many.speed[k], 1e-7).restitution, one[k]);
  }
}

TEST(ManyImpacts, AreTheSameOnEveryInstructionSetWithinTheTolerance) {
  const Many many(101);
  const auto baseline = many.run({.tolerance = 1e-10, .isa = Isa::baseline});
  for (const Isa isa : all_isas) {
    if (!supported(isa)) continue;
    const auto other = many.run({.tolerance = 1e-10, .isa = isa});
    for (std::size_t k = 0; k < 101; ++k) EXPECT_NEAR(other[k], baseline[k], 1e-10) << name(isa) << " " << k;
    for (std::size_t k = 101; k < other.size(); ++k) EXPECT_NEAR(other[k] / baseline[k], 1, 1e-7) << name(isa) << " " << k;
  }
}

// What is asked for is what is got, at every tolerance.
TEST(ManyImpacts, KeepTheToleranceTheyAreGiven) {
  const Many many(300);
  const auto converged = many.run({.tolerance = 1e-12}, false);
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto found = many.run({.tolerance = tolerance}, false);
    double worst = 0;
    for (std::size_t k = 0; k < many.mass.size(); ++k) worst = std::max(worst, std::abs(found[k] - converged[k]));
    EXPECT_LE(worst, tolerance);
  }
}

TEST(Restitutions, OverAMapAreThoseOfItsCells) {
  const auto law = law_with("nonlinear_compliance", {});
  const std::vector<Sweep> sweeps{{"beta1", 0, 6e-3, 7}, {"v0", .1, 10, 5, true}};
  const auto map = restitutions(*law, 1, 99, sweeps);
  ASSERT_EQ(map.size(), 35U);
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 7; ++column) {
      const double beta1 = 1e-3 * double(column), speed = .1 * std::pow(10, .5 * double(row));
      EXPECT_NEAR(map[row * 7 + column], simulated("nonlinear_compliance", {{"beta1", beta1}}, 1, speed).restitution, 1e-10);
    }
  EXPECT_EQ(map, restitutions(*law, 1, 99, sweeps, {.threads = 2}));

  // In closed form, over the mass too: the restitution of the linear law does not depend on the speed, but on the mass.
  const auto linear = law_with("linear_compliance", {});
  const std::vector<Sweep> masses{{"mass", .5, 2, 3}};
  const auto line = restitutions(*linear, 1, 1, masses), two = restitutions(*linear, 1, 1, masses, {.threads = 2});
  ASSERT_EQ(line.size(), 3U);
  EXPECT_EQ(line, two);
  EXPECT_EQ(line[2], rebound(*linear, 2, 5).restitution);
}

TEST(Restitutions, LawsWithoutImpactsAreRefused) {
  EXPECT_EQ(impact_laws(), (std::vector<std::string>{"kelvin_voigt", "kelvin_voigt_clamped", "hertz", "hunt_crossley",
                                                     "linear_compliance", "nonlinear_compliance"}));
  for (const char* name : {"single_state", "implicit_contact", "frictional_contact", "none"})
    EXPECT_THROW(simulate_impacts(name, 0, {}, nullptr, nullptr, {nullptr}), std::invalid_argument) << name;
  EXPECT_THROW(simulate_impacts("hertz", 0, {}, nullptr, nullptr, {nullptr}), std::invalid_argument);
}

// A memory that is fast is as good as none: restitution goes to that of gamma -> infinity as 1/gamma. One that is too fast for the
// digits of a number has no answer rather than a wrong one.
TEST(Simulated, AFastMemory) {
  const auto law = make_law("nonlinear_compliance");
  const auto at = [&](double gamma, double tolerance) {
    law->set("gamma", {gamma});
    return simulated_rebound(*law, 1, 1, tolerance).restitution;
  };
  const double limit = 2 * at(4e5, 1e-10) - at(2e5, 1e-10);
  for (const double gamma : {1e7, 1e8}) EXPECT_NEAR(at(gamma, 1e-6), limit, 1e-6) << gamma;
  for (const double gamma : {1e10, 1e12, 1e14}) EXPECT_TRUE(std::isnan(at(gamma, 1e-6))) << gamma;
}

}  // namespace
}  // namespace asperity::design::restitution_test
