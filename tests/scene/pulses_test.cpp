// A pulse of an input that falls between the steps of a fixed grid is told before the run, with every fixed-step method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asperity/scene/scene.hpp"
#include "integrate/methods.hpp"

namespace asperity::pulses_test {
namespace {

class Pulses : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Pulses, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

/// What the set-up checks say about the inputs of a scene with a step of 1 ms.
std::vector<Warning> said(const std::string& method, const std::string& tables) {
  std::vector<SceneProblem> problems;
  const auto scene = read_scene(
      fmt::format("[run]\nmethod = \"{}\"\nstep = 1e-3\nduration = 0.5\n[[body]]\nname = \"m\"\nkind = \"mass\"\nmass = 2\n{}",
                  method, tables),
      "pulses.toml", {}, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  std::vector<Warning> list;
  if (!scene) return list;
  scene->run.record.sink = std::make_shared<MemorySink>();
  const Run run(scene->world, scene->run);
  std::copy_if(run.warnings().begin(), run.warnings().end(), std::back_inserter(list),
               [](const Warning& w) { return w.kind == Warning::Kind::input; });
  return list;
}
std::string push(const std::string& formula) { return fmt::format("[[input]]\non = \"m\"\nforce = \"{}\"\n", formula); }

/// The same pulse of a width in several ways to write it.
std::vector<std::string> pulses(double from, double width) {
  const double to = from + width, middle = from + width / 2;
  return {fmt::format("t > {} && t < {} ? 100 : 0", from, to), fmt::format("100*step(t - {})*step({} - t)", from, to),
          fmt::format("abs(t - {}) < {} ? 100 : 0", middle, width / 2),
          fmt::format("max(0, 100*(1 - abs(t - {})/{}))", middle, width / 2),
          fmt::format("1 + 100*exp(-((t - {})/{})^2)", middle, width / 8)};
}

TEST_P(Pulses, ShorterThanAStepAreTold) {
  for (const double width : {1e-5, 1e-4, 9e-4})
    for (const std::string& pulse : pulses(0.20004, width)) {
      const std::vector<Warning> list = said(GetParam(), push(pulse));
      if (testing::is_adaptive(GetParam())) {
        EXPECT_TRUE(list.empty()) << pulse << ": " << list.front().text;
        continue;
      }
      ASSERT_EQ(list.size(), 1u) << pulse;
      EXPECT_EQ(list[0].component, "m");
      EXPECT_FALSE(list[0].note);
    }
}

TEST_P(Pulses, LongerThanManyStepsAreNot) {
  for (const double width : {0.02, 0.1})
    for (const std::string& pulse : pulses(0.20004, width)) {
      const std::vector<Warning> list = said(GetParam(), push(pulse));
      EXPECT_TRUE(list.empty()) << pulse << ": " << list.front().text;
    }
  for (const char* smooth : {"3*sin(40*t)", "5", "min(3, 20*t)", "t < 0.2 ? 1 : 0", "exp(-5*t)"}) {
    const std::vector<Warning> list = said(GetParam(), push(smooth));
    EXPECT_TRUE(list.empty()) << smooth << ": " << list.front().text;
  }
}

// A prescribed motion acts like an input.
TEST_P(Pulses, OfAPrescribedMotionAreToldToo) {
  const std::string table =
      "[[body]]\nname = \"table\"\nkind = \"prescribed\"\nposition = \"abs(t - 0.20004) < 2e-4 ? 0.001 : 0\"\n"
      "[[element]]\nname = \"s\"\nbetween = [\"m\", \"table\"]\nlaw = \"spring\"\nK = 100\n";
  const std::vector<Warning> list = said(GetParam(), table);
  if (testing::is_adaptive(GetParam())) return;
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].component, "table");
}

}  // namespace
}  // namespace asperity::pulses_test
