// Every law on every connection that a scene can make: read from text, run, resolved to the same.
#include <gtest/gtest.h>

#include "asperity/scene/scene.hpp"
#include "scene/elements.hpp"

namespace asperity::scene {
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

TEST(Pairs, AreReadRunAndResolved) {
  ASSERT_GT(makers().size(), 100u);
  for (const Maker& maker : makers()) {
    const Stage on = stage(maker.via);
    const std::size_t plus = maker.law.find('+');
    const auto any = make_law(plus == std::string::npos ? maker.law : maker.law.substr(0, plus));
    const bool discrete = any && any->about().discrete;
    std::string text = "[run]\nduration = 1e-3\nstep = 1e-5\nmethod = \"" + std::string(discrete ? "step" : "rk4") + "\"\n" +
                       on.bodies + "[[element]]\nname = \"e\"\nbetween = " + on.between + "\n" + on.more;
    if (plus == std::string::npos) text += "law = \"" + maker.law + "\"\n";
    else
      text += "law = \"frictional_contact\"\nnormal.law = \"" + maker.law.substr(0, plus) + "\"\nfriction.law = \"" +
              maker.law.substr(plus + 1) + "\"\n";
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

}  // namespace
}  // namespace asperity::scene
