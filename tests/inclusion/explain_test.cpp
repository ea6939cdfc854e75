// What `asperity explain` says is what runs.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/inclusion/text.hpp"
#include "asperity/scene/scene.hpp"
#include "belt_and_spring.hpp"
#include "bounce.hpp"
#include "every_function.hpp"
#include "held_by_friction.hpp"
#include "point_mass.hpp"
#include "rolling_sphere.hpp"
#include "system/run.hpp"
#include "two_blocks.hpp"

namespace asperity {
namespace {

std::shared_ptr<const TextInclusion> text_of(const std::string& path) {
  std::vector<SceneProblem> problems;
  const auto scene = read_scene_file(path, {}, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return scene ? scene->inclusion : nullptr;
}

/// The compiled function and the text it was made of, step by step.
template <class Model>
void expect_same(const std::string& path, Model compiled, double duration, double h) {
  const auto text = text_of(path);
  ASSERT_TRUE(text);
  ASSERT_EQ(compiled.start(), text->start()) << path;
  std::vector<std::vector<double>> rows;
  testing::run(compiled, Method::rk4, duration, h, [&](double, const std::vector<double>& x) { rows.push_back(x); });
  std::size_t k = 0;
  testing::run(*text, Method::rk4, duration, h, [&](double, const std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_NEAR(x[i], rows[k][i], 1e-13 * std::max(1.0, std::abs(x[i]))) << path << " step " << k << " number " << i;
    ++k;
  });
  // And with derivatives, as cvode wants them.
  std::vector<Dual<8>> x(rows.back().begin(), rows.back().end()), a(x.size()), b(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i].v[i % 8] = 1;
  compiled.rate(.3, std::span<const Dual<8>>(x), 0, std::span<Dual<8>>(a));
  text->rate(.3, std::span<const Dual<8>>(x), 0, std::span<Dual<8>>(b));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(a[i].v[j], b[i].v[j], 1e-12 * std::max(1.0, std::abs(a[i].v[j]))) << path;
}

TEST(ExplainedAsCpp, GivesTheNumbersOfTheText) {
  const std::string scenes = ASPERITY_SCENES "/inclusions/";
  expect_same(scenes + "held_by_friction.toml", held_by_friction_as_an_inclusion(), 3, 1e-3);
  expect_same(scenes + "bounce.toml", bounce_as_an_inclusion(), .6, 1e-4);
  expect_same(scenes + "rolling_sphere.toml", rolling_sphere_as_an_inclusion(), .5, 1e-4);
  expect_same(scenes + "two_blocks.toml", two_blocks_as_an_inclusion(), .3, 5e-5);
  expect_same(scenes + "belt_and_spring.toml", belt_and_duffing_spring_as_an_inclusion(), .2, 5e-5);
  expect_same(scenes + "point_mass.toml", point_on_a_rough_plane_as_an_inclusion(), .5, 1e-4);
  expect_same(ASPERITY_OWN_SCENES "/every_function.toml", every_function(), 1, 1e-3);
}

}  // namespace
}  // namespace asperity
