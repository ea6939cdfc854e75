// An inclusion that strikes: dio() is a contact to the implicit methods as any other.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/design/impact.hpp"
#include "asperity/integrate/integrator.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity::inclusion_test {
namespace {

constexpr double g = 9.8;

/// A ball that falls by a metre: dio(p) regularised so that its restitution is e.
std::unique_ptr<Scene> ball(double K, double e, double M = 1) {
  const double r = e < 1 ? .1 : 1, b = e < 1 ? design::linear_b_of(r, e).value() : 1, beta = b / std::sqrt(K / M);
  std::vector<SceneProblem> problems;
  const auto number = [](double x) { return std::to_string(x * 1e9) + "e-9"; };
  auto scene = read_scene("[run]\nduration = 1\nstep = 1e-3\nmethod = \"implicit2\"\n[inclusion]\nlet = { M = " + number(M) +
                              " }\nstate = { p = 1, v = 0 }\n[inclusion.rate]\np = \"v\"\nv = \"dio(p)/M - 9.8\"\n"
                              "[inclusion.regularise]\n\"dio(p)\" = { K = " +
                              number(K) + ", beta = " + number(beta) + ", alpha = " + number(r * beta) + " }\n",
                          "ball.toml", {}, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return scene;
}

/// The first peak after a strike.
double peak(Scene& scene, double h, bool subdivide, Statistics& statistics) {
  IntegratorOptions options;
  options.step = h;
  options.subdivide = subdivide;
  const auto integrator = make_integrator("implicit2", scene.world, options);
  integrator->start(0, scene.world.start());
  double highest = 0;
  bool struck = false;
  integrator->advance(0.9, [&](double, std::span<const double> x) {
    struck = struck || x[1] > 0;
    if (struck) highest = std::max(highest, x[0] + x[1] * std::abs(x[1]) / (2 * g));
  });
  statistics = integrator->statistics();
  return highest;
}

// Restitution as designed (reference: the closed form of the linear contact), at steps up to fifty times the contact.
TEST(ImplicitInclusion, BouncesAsDesigned) {
  for (const double K : {1e6, 1e8})
    for (const double e : {.5, 1.})
      for (const double h : {1e-3, 5e-3, 16.7e-3}) {
        const auto scene = ball(K, e, .1);
        ASSERT_TRUE(scene);
        Statistics statistics;
        EXPECT_NEAR(std::sqrt(peak(*scene, h, true, statistics)), e, .005) << "K = " << K << ", step " << h;
        EXPECT_GT(statistics.substeps, 20);
        EXPECT_LT(statistics.substeps, 2000);
      }
}

// Without subdivision the impact is absorbed by one stage: nothing is thrown back.
TEST(ImplicitInclusion, WithoutSubdivisionItIsSwallowed) {
  const auto scene = ball(1e9, .5);
  ASSERT_TRUE(scene);
  Statistics statistics;
  EXPECT_LT(peak(*scene, 1e-3, false, statistics), 1e-3);
  EXPECT_EQ(statistics.substeps, 0);
}

}  // namespace
}  // namespace asperity::inclusion_test
