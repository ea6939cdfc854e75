// Simulated impacts against closed forms, exact formulas and published numbers.
#include "asperity/design/restitution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "asperity/design/impact.hpp"

namespace asperity::design {
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

// The standard linear solid: complex, real and triple roots; M and v0 that are not 1.
TEST(SimulatedImpact, LinearLawIsItsClosedForm) {
  const double mass = 2, speed = 3, K = 5e4, omega = std::sqrt(K / mass);
  double worst = 0;
  for (const double r : {.02, 1. / 9, .3, .7, 1.})
    for (const double b : {.05, .5, 1., std::sqrt(3), 4.}) {
      const ImpactShape exact = linear_impact(r, b);
      const Rebound rebound =
          simulated("linear_compliance", {{"K", K}, {"beta", b / omega}, {"alpha", r * b / omega}}, mass, speed);
      SCOPED_TRACE(::testing::Message() << "r " << r << " b " << b);
      EXPECT_NEAR(rebound.restitution, exact.restitution, 1e-9);
      worst = std::max(worst, std::abs(rebound.restitution - exact.restitution));
      EXPECT_NEAR(rebound.contact_time * omega / exact.contact_time, 1, 1e-8);
      EXPECT_NEAR(rebound.deepest * omega / speed / exact.deepest, 1, 1e-8);
      EXPECT_NEAR(rebound.residual * omega / speed, exact.residual, 1e-8);
      EXPECT_NEAR(rebound.peak_force / (mass * speed * omega) / exact.peak_force, 1, 1e-7);
    }
  RecordProperty("worst", std::to_string(worst));
  printf("worst %g\n", worst);
}

}  // namespace
}  // namespace asperity::design
