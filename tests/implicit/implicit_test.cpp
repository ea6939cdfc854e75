// Implicit stepping holds, slides and rolls at any stiffness and any step. Every number is a closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/integrate/integrator.hpp"
#include "asperity/system/world.hpp"

namespace asperity {
namespace {

using std::numbers::pi;
constexpr double g = 9.81;

SingleState<> coulomb(double F, double K, double beta) {
  SingleState<> law;
  law.F = F;
  law.K = K;
  law.beta = beta;
  return law;
}

/// A contact of this stiffness both ways, and friction coefficient.
template <int D>
auto contact(double K, double mu, double alpha = 1e-3, double beta = 1e-3) {
  FrictionalContact<LinearCompliance<>, SingleState<double, D>> law;
  law.normal.K = law.tangential.K = K;
  law.normal.alpha = alpha;
  law.normal.beta = law.tangential.beta = beta;
  law.tangential.F = mu;
  return law;
}

std::unique_ptr<Integrator> start(const std::string& method, World& world, double step) {
  IntegratorOptions options;
  options.step = step;
  auto integrator = make_integrator(method, world, options);
  integrator->start(0, world.start());
  return integrator;
}

class Implicit : public ::testing::TestWithParam<std::string> {
 public:
  std::unique_ptr<Integrator> start(World& world, double step) { return testing_start(GetParam(), world, step); }
  static std::unique_ptr<Integrator> testing_start(const std::string& method, World& world, double step) {
    return asperity::start(method, world, step);
  }
  bool second() const { return GetParam() == "implicit2"; }
};
INSTANTIATE_TEST_SUITE_P(Methods, Implicit, ::testing::Values("implicit", "implicit2"),
                         [](const auto& method) { return method.param; });

// A load of 0.7 F + 0.25 F sin(w t) never reaches F: the held point, position minus deflection, stays where it is.
TEST_P(Implicit, HoldsUnderAnOscillatingLoad) {
  const double F = .5 * g, K = 1e8;
  for (const double h : {1e-3, 5e-3, 16.7e-3})
    for (const double w : {10, 30, 100, 200, 300, 400, 600, 1000}) {
      World world;
      const auto block = world.add("block", PointMass<double>{1.0});
      world.add("floor", coulomb(F, K, 1e-4), Line<double>{}, block, ground);
      world.push(block, 0, [&](double t) { return F * (.7 + .25 * std::sin(w * t)); });
      const auto integrator = start(world, h);
      integrator->advance(10);
      const auto held = [&] { return integrator->state()[0] - integrator->state()[2]; };
      const double before = held();
      double moved = 0;
      integrator->advance(20, [&](double, std::span<const double>) { moved = std::max(moved, std::abs(held() - before)); });
      EXPECT_LE(moved, 1e-12) << "w = " << w << ", h = " << h;
    }
}

TEST_P(Implicit, SlidesToAStop) {
  const double mu = .3, v0 = 5, distance = v0 * v0 / (2 * mu * g);
  for (const double h : {16.7e-3, 1e-3})
    for (const double angle : {0., .3, pi / 4, 2.}) {
      World world;
      world.set_gravity({0, 0, -g});
      const double K = 1e7;
      const auto block =
          world.add("block", PointMass<double, 3>{1.0}, {{{0, 0, -g / K}}, {{v0 * std::cos(angle), v0 * std::sin(angle), 0}}});
      world.add("floor", contact<3>(K, mu), PointPlane<double, 3>{}, block, ground);
      const auto integrator = start(world, h);
      auto x = std::vector<double>(integrator->state().begin(), integrator->state().end());
      x[6] = g / K;
      integrator->start(0, x);
      integrator->advance(3);
      const auto end = integrator->state();
      EXPECT_NEAR(std::hypot(end[0], end[1]) / distance, 1, !second() ? 1e-2 : h > 1e-3 ? 1e-4 : 1e-6) << h << " " << angle;
      EXPECT_NEAR((end[1] * std::cos(angle) - end[0] * std::sin(angle)) / distance, 0, 1e-12) << h << " " << angle;
    }
}

}  // namespace
}  // namespace asperity
