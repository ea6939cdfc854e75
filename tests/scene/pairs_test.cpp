// Every law on every connection that a scene can make: read from text, run, resolved to the same.
#include <gtest/gtest.h>

#include <bit>
#include <regex>

#include "asperity/pools/kernels.hpp"
#include "asperity/scene/scene.hpp"
#include "scene/elements.hpp"

namespace asperity::scene::pairs_test {
namespace {

/// Two bodies and the ends of an element of a kind.
struct Stage {
  std::string bodies, between, more;
};
Stage stage(Via via) {
  const auto body = [](const std::string& name, const std::string& keys) {
    return "[[body]]\nname = \"" + name + "\"\n" + keys + "\n";
  };
  const std::string ball = "kind = \"rigid_body\"\nshape = \"sphere\"\nradius = 0.1\nmass = 1\n";
  switch (via) {
    case Via::line:
      return {body("a", "kind = \"mass\"\nmass = 1\nposition = -1e-4\nvelocity = 0.01"), R"(["a", "ground"])", ""};
    case Via::axis_2:
    case Via::surface_2:
    case Via::point_plane_2:
      return {body("a", "kind = \"mass\"\nmass = 1\nposition = [0, -1e-4]\nvelocity = [0.01, 0.01]") +
                  body("b", "kind = \"prescribed\"\nposition = [\"0.001*sin(t)\", 0]"),
              R"(["a", "b"])", via == Via::axis_2 ? "direction = [3, 4]\n" : ""};
    case Via::axis_3:
    case Via::surface_3:
    case Via::point_plane_3:
      return {body("a", "kind = \"mass\"\nmass = 1\nposition = [0, 0, -1e-4]\nvelocity = [0.01, 0, 0.01]") +
                  body("b", "kind = \"mass\"\nmass = 2\nposition = [0, 0, 0]"),
              R"(["a", "b"])", via == Via::axis_3 ? "direction = [0, 3, 4]\n" : ""};
    case Via::ball_plane:
      return {body("a", ball + "position = [0, 0, 0.0999]\nvelocity = [0.01, 0, 0]"), R"(["a", "ground"])", ""};
    case Via::ball_ball:
      return {body("a", ball + "velocity = [0.01, 0, 0]") + body("b", ball + "position = [0, 0.1999, 0]"), R"(["a", "b"])", ""};
    case Via::point_point:
    case Via::hinge:
      return {body("a", ball + "velocity = [0.01, 0, 0]\npoints = { tip = [0, 0, 0.1] }") +
                  body("b", ball + "position = [0, 0, 0.2]\npoints = { foot = [0, 0, -0.1] }"),
              R"(["a@tip", "b@foot"])", ""};
  }
  return {};
}

/// One element of a pair with its bodies.
std::string element_of(const Maker& maker, const Stage& on) {
  const std::size_t plus = maker.law.find('+');
  std::string text = on.bodies + "[[element]]\nname = \"e\"\nbetween = " + on.between + "\n" + on.more;
  if (plus == std::string::npos) return text + "law = \"" + maker.law + "\"\n";
  return text + "law = \"frictional_contact\"\nnormal.law = \"" + maker.law.substr(0, plus) + "\"\nfriction.law = \"" +
         maker.law.substr(plus + 1) + "\"\n";
}
bool is_discrete(const Maker& maker) {
  const auto law = make_law(maker.law.substr(0, maker.law.find('+')));
  return law && law->about().discrete;
}

TEST(Pairs, AreReadRunAndResolved) {
  ASSERT_GT(makers().size(), 100u);
  for (const Maker& maker : makers()) {
    const Stage on = stage(maker.via);
    const std::string text = "[run]\nduration = 1e-3\nstep = 1e-5\nmethod = \"" + std::string(is_discrete(maker) ? "step" : "rk4") +
                             "\"\n" + element_of(maker, on);
    SCOPED_TRACE(maker.law + " between " + std::string(to_text(maker.via)));
    std::vector<SceneProblem> problems;
    const auto scene = read_scene(text, "pair.toml", {}, problems);
    for (const SceneProblem& problem : problems) ADD_FAILURE() << asperity::to_text(problem);
    ASSERT_TRUE(scene) << text;
    const auto again = read_scene(scene->resolved, "resolved.toml", {}, problems);
    ASSERT_TRUE(again) << asperity::to_text(problems.front()) << "\n" << scene->resolved;
    EXPECT_EQ(again->resolved, scene->resolved);
    scene->run.record = again->run.record = {};
    asperity::Run run(scene->world, scene->run), same(again->world, again->run);
    EXPECT_TRUE(run.go()) << run.failure()->text;
    EXPECT_TRUE(same.go());
    EXPECT_EQ(std::vector(run.state().begin(), run.state().end()), std::vector(same.state().begin(), same.state().end()));
    // It acts: the bodies do not go on as if they were alone. A spring has no stiffness unless it is given one.
    if (maker.law == "spring") continue;
    EXPECT_NE(run.value("energy.kinetic"), scene->world.kinetic(scene->world.start()));
  }
}

/// A pool of a pair: copies with velocities of their own, so many that they fill no whole number of lanes.
std::string pool_of(const Maker& maker) {
  std::string text = "[run]\nduration = 1e-3\nstep = 1e-5\n";
  for (int i = 0; i < 19; ++i) {
    Stage on = stage(maker.via);
    const std::string number = std::to_string(i), speed = std::to_string(0.01 * (1 + i));
    on.bodies = std::regex_replace(on.bodies, std::regex("name = \"([ab])\""), "name = \"$1_" + number + "\"");
    on.bodies = std::regex_replace(on.bodies, std::regex("0\\.01"), speed);
    on.between = std::regex_replace(on.between, std::regex("\"([ab])([\"@])"), "\"$1_" + number + "$2");
    text += std::regex_replace(element_of(maker, on), std::regex("name = \"e\""), "name = \"e" + number + "\"");
  }
  return text;
}
std::vector<double> after_some_steps(const World& world, std::shared_ptr<const KernelMaker> kernels, std::size_t* count = nullptr) {
  Workspace work(world, std::move(kernels));
  if (count) *count = work.kernels();
  std::vector<double> x = world.start();
  RungeKutta method(Method::rk4, x.size());
  constexpr double h = 1e-5;
  for (int k = 0; k < 60; ++k) {
    method.step([&](double t, auto y, double tau, auto dy) { work.rate(t, y, tau, dy); }, k * h, h, x);
    work.between_steps((k + 1) * h, x);
  }
  return x;
}

// A law meets a connection over columns, item by item or in lanes: the bits are the same wherever the law is made of arithmetic.
TEST(Pairs, InLanesGiveTheNumbersOfTheLoop) {
  std::size_t of_arithmetic = 0;
  for (const Maker& maker : makers()) {
    if (maker.via == Via::hinge) continue;  // has no kernel
    if (is_discrete(maker)) continue;
    SCOPED_TRACE(maker.law + " between " + std::string(to_text(maker.via)));
    std::vector<SceneProblem> problems;
    const auto scene = read_scene(pool_of(maker), "pool.toml", {}, problems);
    for (const SceneProblem& problem : problems) ADD_FAILURE() << asperity::to_text(problem);
    ASSERT_TRUE(scene);
    bool arithmetic = true;
    std::size_t pools = 0;
    scene->world.pools().each_element_pool([&](const ElementPool& pool) {
      ++pools;
      ASSERT_EQ(pool.count(), 19u);
      arithmetic = dynamic_cast<const JoinedPool&>(pool).laws().arithmetic();
    });
    ASSERT_EQ(pools, 1u);
    of_arithmetic += arithmetic;
    const auto expected = after_some_steps(scene->world, nullptr);
    for (const Isa isa : all_isas) {
      if (!supported(isa)) continue;
      std::size_t kernels = 0, without = 0;
      const auto x = after_some_steps(scene->world, lane_kernels({.isa = isa, .same_bits = true}), &kernels);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(x[i]), std::bit_cast<std::uint64_t>(expected[i])) << name(isa) << ", number " << i;
      scene->world.pools().each_body_pool([&](const BodyPool& pool) { without += !pool.is_given; });
      EXPECT_EQ(kernels, without + arithmetic);
    }
  }
  // Those of Coulomb's limit, of straight springs and dampers, and what they make together.
  EXPECT_GT(of_arithmetic, 40u);
}

}  // namespace
}  // namespace asperity::scene::pairs_test
