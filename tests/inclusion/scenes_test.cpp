// The examples of the papers in three forms: as text in scenes/inclusions, as C++, as a network of bodies and laws. One run, one
// step, the same numbers; and those of reference.md 6.1-6.5.
#include <gtest/gtest.h>

#include "asperity/inclusion/text.hpp"
#include "asperity/scene/scene.hpp"
#include "inclusion/models.hpp"
#include "system/run.hpp"

namespace asperity {
namespace {

using testing::run;

std::unique_ptr<Scene> scene(const std::string& name, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  auto read = read_scene_file(std::string(ASPERITY_SCENES) + "/" + name + ".toml", settings, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return read;
}

/// Every state after every step.
template <class Model>
std::vector<std::vector<double>> course(Model& model, double duration, double h) {
  std::vector<std::vector<double>> rows;
  run(model, Method::rk4, duration, h, [&](double, const std::vector<double>& x) { rows.push_back(x); });
  return rows;
}

template <class Model>
void expect_same(const Scene& text, Model model, double duration, double h) {
  const auto expected = course(model, duration, h), found = course(*text.inclusion, duration, h);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k].size(), expected[k].size());
    for (std::size_t i = 0; i < found[k].size(); ++i)
      ASSERT_NEAR(found[k][i], expected[k][i], 1e-12 * std::max(1.0, std::abs(expected[k][i]))) << "step " << k << " number " << i;
  }
}

TEST(InclusionScenes, AreTheSameEquationsInCpp) {
  expect_same(*scene("inclusions/held_by_friction"), testing::held(), 10, 1e-3);
  expect_same(*scene("inclusions/bounce", {"let.alpha=0.007"}), testing::bounce(.007), .7, 1e-5);
  expect_same(*scene("inclusions/rolling_sphere"), testing::sphere(), 3, 1e-4);
  expect_same(*scene("inclusions/two_blocks"), testing::two_blocks(), .4, 2e-5);
  expect_same(*scene("inclusions/belt_and_spring"), testing::belt_and_spring(.2), 2, 5e-5);
}

/// Two scenes at every recorded instant; columns of one beside columns of the other, with a factor.
struct Pair {
  std::string a, b;
};
void expect_same(const std::string& a, const std::string& b, const std::vector<Pair>& pairs,
                 const std::vector<std::string>& settings, double tolerance = 1e-12) {
  std::vector<std::shared_ptr<MemorySink>> sinks;
  for (const bool first : {true, false}) {
    auto one = scene(first ? a : b, settings);
    one->run.record = {};
    for (const Pair& pair : pairs) one->run.record.columns.push_back(first ? pair.a : pair.b);
    one->run.record.sink = sinks.emplace_back(std::make_shared<MemorySink>());
    ASSERT_TRUE(Run(one->world, one->run).go());
  }
  ASSERT_EQ(sinks[0]->rows(), sinks[1]->rows());
  for (const Pair& pair : pairs) {
    const auto x = sinks[0]->column(pair.a), y = sinks[1]->column(pair.b);
    for (std::size_t k = 0; k < x.size(); ++k)
      ASSERT_NEAR(x[k], y[k], tolerance * std::max(1.0, std::abs(y[k]))) << pair.a << " in row " << k;
  }
}

TEST(InclusionScenes, AreTheNetworks) {
  expect_same("inclusions/held_by_friction", "held_by_friction",
              {{"p", "block.position"},
               {"v", "block.velocity"},
               {"floor.a", "floor.a"},
               {"floor.force", "floor.force"},
               {"floor.slipping", "floor.slipping"}},
              {"run.step=1e-3", "run.duration=10"});
  expect_same(
      "inclusions/bounce", "papers/xiong2013_fig_3_6",
      {{"p", "ball.position"}, {"v", "ball.velocity"}, {"floor.e", "floor.e"}, {"floor.normal_force", "floor.normal_force"}},
      {"run.step=1e-4", "run.duration=1", "let.alpha=0.005"});
  expect_same("inclusions/rolling_sphere", "papers/xiong2013_example_1",
              {{"px", "ball.position.x"},
               {"pz", "ball.position.z"},
               {"vx", "ball.velocity.x"},
               {"vz", "ball.velocity.z"},
               {"wy", "ball.spin.y"}},
              {"run.step=1e-4", "run.duration=3"});
  expect_same("inclusions/two_blocks", "papers/xiong2013_example_2",
              {{"p1x", "m1.position.x"},
               {"p1y", "m1.position.y"},
               {"p2x", "m2.position.x"},
               {"p2y", "m2.position.y"},
               {"v1x", "m1.velocity.x"},
               {"v1y", "m1.velocity.y"},
               {"v2x", "m2.velocity.x"},
               {"v2y", "m2.velocity.y"}},
              {"run.step=2e-5", "run.duration=0.4"});
}

}  // namespace
}  // namespace asperity
