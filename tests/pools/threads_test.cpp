// One world in many threads. `make test-tsan` runs this under ThreadSanitizer.
#include <gtest/gtest.h>

#include <thread>

#include "asperity/laws.hpp"
#include "asperity/run/run.hpp"
#include "asperity/scene/scene.hpp"
#include "pools/scenes.hpp"

namespace asperity::threads_test {
namespace {

using pools_test::build_balls;

/// Eight runs of one world at once, in four ways, give the numbers of each alone: nothing but states and workspaces is written.
void expect_the_same_at_once(const World& world) {
  const std::vector<RunOptions> ways{{.duration = .02, .step = 1e-4},
                                     {.duration = .02, .step = 1e-4, .threads = 1},
                                     {.duration = .02, .step = 1e-3, .method = "implicit2"},
                                     {.duration = .02, .method = "dopri5"}};
  std::vector<std::vector<double>> alone, together(2 * ways.size());
  const auto state_after = [&](const RunOptions& options) {
    asperity::Run run(world, options);
    EXPECT_TRUE(run.go());
    return std::vector<double>(run.state().begin(), run.state().end());
  };
  for (const RunOptions& way : ways) alone.push_back(state_after(way));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < together.size(); ++i)
    threads.emplace_back([&, i] { together[i] = state_after(ways[i % ways.size()]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < together.size(); ++i) EXPECT_EQ(together[i], alone[i % ways.size()]);
}

TEST(Threads, RunTheSameWorldAtOnce) {
  World world;
  build_balls(world, 40);
  const auto arm = world.add_arm("arm", {{1, .5}, {.7, .3}}, {{.3, 0}, {.5, 1}}, {0, -9.81});
  world.add("joint", SingleState<>{}, between(World::joint(arm, 1), ground));
  expect_the_same_at_once(world);
}

TEST(Threads, RunTheSameInclusionAtOnce) {
  std::vector<SceneProblem> problems;
  const auto scene = read_scene(R"toml(
[run]
duration = 0.02
[inclusion]
state = { p = 0.01, v = 0.3, q = 0, w = 1 }
[inclusion.rate]
p = "v"
q = "w"
v = "dio(p) - 9.81"
w = "-2*sgn(w) + sin(40*t)"
)toml",
                                "scene.toml", {}, problems);
  ASSERT_TRUE(scene) << to_text(problems.at(0));
  expect_the_same_at_once(scene->world);
}

}  // namespace
}  // namespace asperity::threads_test
