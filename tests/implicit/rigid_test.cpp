// stiffness = "rigid": what is held moves by no more than was promised, at the step of a video frame.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/any_law.hpp"
#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/scene/scene.hpp"
#include "asperity/setup/rigid_limit.hpp"

namespace asperity::rigid_test {
namespace {

constexpr double g = 9.81, frame = 16.7e-3;

std::unique_ptr<Scene> scene(const std::string& text, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  auto made = read_scene("[run]\nduration = 16.7\nstep = 0.0167\nmethod = \"implicit\"\n" + text, "rigid.toml", settings, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return made;
}
std::unique_ptr<Integrator> start(Scene& scene) {
  IntegratorOptions options;
  options.step = scene.run.step;
  auto integrator = make_integrator(scene.run.method, scene.world, options);
  integrator->start(0, scene.world.start());
  return integrator;
}
const SceneParameter& parameter(const Scene& scene, const std::string& component, const std::string& name) {
  for (const SceneParameter& p : scene.parameters)
    if (p.component == component && p.name == name) return p;
  throw std::invalid_argument(component + "." + name);
}
double number(const Scene& scene, const std::string& component, const std::string& name) {
  return std::stod(parameter(scene, component, name).value);
}

const std::string block = R"toml(
[[body]]
name = "block"
kind = "mass"
mass = 1
[[element]]
name = "floor"
between = ["block", "ground"]
law = "single_state"
F = 4.905
stiffness = "rigid"
[[input]]
on = "block"
force = "4.905*(0.7 + 0.25*sin(100*t))"
)toml";

// The limit F moves it by F/K = held; K beta = 2 sqrt(K M).
TEST(Rigid, FrictionHolds) {
  for (const std::string method : {"implicit", "implicit2"}) {
    const auto held = scene(block, {"run.method=" + method});
    ASSERT_TRUE(held);
    EXPECT_DOUBLE_EQ(number(*held, "floor", "K"), 4.905e9);
    EXPECT_NEAR(number(*held, "floor", "beta"), 2 / std::sqrt(4.905e9), 1e-8);
    const auto integrator = start(*held);
    integrator->advance(1);
    const double point = integrator->state()[0] - integrator->state()[2];
    double farthest = 0, strayed = 0;
    integrator->advance(16.7, [&](double, std::span<const double> x) {
      farthest = std::max(farthest, std::abs(x[0]));
      strayed = std::max(strayed, std::abs(x[0] - x[2] - point));
    });
    EXPECT_LE(farthest, 1e-9) << method;
    EXPECT_GT(farthest, 0.9e-9) << method;  // 95 % of the limit are reached: K is no stiffer than was asked for
    EXPECT_LE(strayed, 1e-12) << method;
  }
}

TEST(Rigid, TheDisplacementCanBeChosen) {
  const auto soft = scene(block, {"floor.held=2 um", "floor.beta=1 ms"});
  ASSERT_TRUE(soft);
  EXPECT_DOUBLE_EQ(number(*soft, "floor", "K"), 2.453e6);  // 4.905 N/2 um, four digits, to the stiff side
  EXPECT_EQ(number(*soft, "floor", "beta"), 1e-3);
  EXPECT_NE(parameter(*soft, "floor", "K").meaning.find("moves by 2 µm under 4.905 N"), std::string::npos)
      << parameter(*soft, "floor", "K").meaning;
  // What was chosen stands in the resolved scene, which gives the same again, by whatever method.
  std::vector<SceneProblem> problems;
  const auto again = read_scene(soft->resolved, "resolved.toml", {"run.method=rk4"}, problems);
  ASSERT_TRUE(again) << to_text(problems.at(0));
  EXPECT_EQ(number(*again, "floor", "K"), number(*soft, "floor", "K"));
}

// Eight corners, four of which carry; each could carry all. Dropped by a tenth of a millimetre, it comes to rest.
TEST(Rigid, ABoxStandsOnTheFloor) {
  const auto box = scene(R"toml(
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "box"
kind = "rigid_body"
mass = 2
shape = "box"
sides = [0.2, 0.2, 0.1]
position = [0, 0, 0.0501]
[[element]]
name = "floor"
between = ["box", "ground"]
law = "frictional_contact"
friction = { mu = 0.5 }
stiffness = "rigid"
[[input]]
on = "box"
force = [5, 0, 0]
)toml");
  ASSERT_TRUE(box);
  const double load = 2 * g + 5;
  EXPECT_NEAR(number(*box, "floor", "normal.K"), load / 1e-9, 1e-3 * load / 1e-9);
  EXPECT_NEAR(number(*box, "floor", "friction.K"), 0.5 * load / 1e-9, 1e-3 * load / 1e-9);
  const auto integrator = start(*box);
  integrator->advance(1);
  const double x_held = integrator->state()[0];
  EXPECT_NEAR(integrator->state()[2], 0.05 - 1e-9 * 2 * g / (4 * load), 1e-10);
  integrator->advance(5);
  EXPECT_NEAR(integrator->state()[0], x_held, 1e-12);
  EXPECT_NEAR(integrator->state()[2], 0.05 - 1e-9 * 2 * g / (4 * load), 1e-10);
  // Positions of 0.05 m are told apart to 7e-18 m, at which four corners push with 4 K 7e-18 m: that in a step is what is left.
  EXPECT_LE(std::abs(integrator->state()[9]), 4 * load / 1e-9 * 7e-18 / 2 * frame);
}

/// The laws of a kind that have a stiffness, or the others.
std::vector<std::string> laws_of(Kind kind, bool stiff) {
  std::vector<std::string> names;
  for (const std::string& name : law_names()) {
    const auto law = make_law(name);
    bool has_stiffness = false;
    for (const Parameter& p : law->parameters()) has_stiffness = has_stiffness || is_stiffness(p);
    if (law->about().kind == kind && (has_stiffness && !law->about().discrete) == stiff) names.push_back(name);
  }
  return names;
}
/// A block whose friction law may be any; its limit is 4 N, at a share of which the push ends.
std::string pushed(const std::string& law, double share) {
  bool one_limit = false;
  for (const Parameter& p : make_law(law)->parameters()) one_limit = one_limit || p.name == "F";
  std::string text = block;
  const auto replace = [&](const std::string& what, const std::string& by) { text.replace(text.find(what), what.size(), by); };
  replace("single_state", law);
  replace("F = 4.905", one_limit ? "F = 4" : law == "single_state_falling" ? "F_s = 4" : "F_s = 4\nF_c = 3");
  replace("4.905*(0.7 + 0.25*sin(100*t))", "min(" + std::to_string(4 * share) + ", t)");
  return text;
}

// Every friction law that has a stiffness: pushed up to 95 % of its limit it gives way by no more than was promised, and pushed
// beyond its limit it slides.
TEST(Rigid, EveryFrictionLawHolds) {
  const auto laws = laws_of(Kind::friction, true);
  ASSERT_GE(laws.size(), 8u);
  for (const std::string& law : laws)
    for (const char* method : {"implicit", "implicit2"}) {
      const auto held = scene(pushed(law, 0.95), {std::string("run.method=") + method});
      ASSERT_TRUE(held) << law;
      const auto integrator = start(*held);
      integrator->advance(5);
      // A bristle that yields all the way is integrated with steps of 2 % of the way.
      const double most = has(make_law(law)->about().quirks, Quirk::drifts) ? 1.02e-9 : 1.0e-9;
      EXPECT_LE(integrator->state()[0], most) << law << " " << method;
      EXPECT_GT(integrator->state()[0], 0.3e-9) << law << " " << method;  // no stiffer than was asked for
      const auto sliding = scene(pushed(law, 1.25), {std::string("run.method=") + method});
      ASSERT_TRUE(sliding) << law;
      const auto slides = start(*sliding);
      slides->advance(5);
      EXPECT_GT(slides->state()[0], 0.1) << law << " " << method;
    }
}

// Every contact law: a weight of 9.81 N sinks in by what was promised. A law without damping swings about that.
TEST(Rigid, EveryContactLawHolds) {
  const auto laws = laws_of(Kind::contact, true);
  ASSERT_EQ(laws.size(), 6u);
  for (const std::string& law : laws)
    for (const char* method : {"implicit", "implicit2"}) {
      const auto held = scene(R"toml(
[world]
gravity = -9.81
[[body]]
name = "ball"
kind = "mass"
mass = 1
[[element]]
name = "floor"
between = ["ball", "ground"]
stiffness = "rigid"
law = ")toml" + law + "\"\n",
                              {std::string("run.method=") + method});
      ASSERT_TRUE(held) << law;
      const auto integrator = start(*held);
      integrator->advance(5);
      EXPECT_NEAR(integrator->state()[0], -1e-9, 1e-12) << law << " " << method;
    }
}

TEST(Rigid, ALawWithoutStiffnessIsRefused) {
  for (const std::string& law : laws_of(Kind::friction, false)) {
    std::vector<SceneProblem> problems;
    std::string text = block;
    text.replace(text.find("single_state"), 12, law);
    EXPECT_FALSE(read_scene("[run]\nduration = 1\nmethod = \"implicit\"\n" + text, "rigid.toml", {}, problems)) << law;
    ASSERT_FALSE(problems.empty());
    const bool sampled = make_law(law)->about().discrete;
    std::string all;
    for (const SceneProblem& problem : problems) all += to_text(problem) + "\n";
    EXPECT_NE(all.find("floor.stiffness = \"rigid\": " + law + (sampled ? " lives in sampled time" : " has no stiffness")),
              std::string::npos)
        << all;
  }
}

// The lowest of three carries all, and so it is counted for each of them; what is not connected does not count.
TEST(Rigid, LoadsAreThoseOfAllThatIsConnected) {
  World world;
  const LinearCompliance<> contact;
  const auto low = world.add("low", PointMass<double>{1.0, -g}), middle = world.add("middle", PointMass<double>{2.0, -g}),
             high = world.add("high", PointMass<double>{3.0, -g}), apart = world.add("apart", PointMass<double>{4.0, -g});
  world.add("first", contact, between(low, ground));
  world.add("second", contact, between(middle, low));
  world.add("third", contact, between(high, middle));
  world.add("other", contact, between(apart, ground));
  SingleState<> friction;
  friction.F = 7;
  world.add("guide", friction, between(high, ground));
  world.push(apart, 0, [](double t) { return 10 * std::sin(t); });
  const auto loads = largest_loads(Network(world, world.start()), 10);
  ASSERT_EQ(loads.size(), 5u);
  std::map<std::string, double> named;
  const Network network(world, world.start());
  for (std::size_t p = 0; p < loads.size(); ++p) named[network.parts[p].name()] = loads[p];
  for (const char* name : {"first", "second", "third"}) EXPECT_NEAR(named[name], 6 * g, 1e-9) << name;
  EXPECT_NEAR(named["other"], 4 * g + 10, 1e-3);
  EXPECT_EQ(named["guide"], 7);
}

// In C++; and a light mass under a great load is as stiff as its step resolves.
TEST(Rigid, LawsOfTheRigidLimit) {
  const auto contact = rigid(LinearCompliance<>{}, g, 1, frame);
  EXPECT_DOUBLE_EQ(contact.K, g * 1e9);
  EXPECT_DOUBLE_EQ(contact.beta, 2 / std::sqrt(contact.K));
  EXPECT_DOUBLE_EQ(contact.alpha, contact.beta / 10);
  // A power of the depth: K d^lambda carries the load at d, and is lambda load/d stiff there.
  const auto sphere = rigid(NonlinearCompliance<>{}, g, 1, frame);
  EXPECT_NEAR(sphere.K * std::pow(1e-9, sphere.lambda), g, 1e-9);
  EXPECT_DOUBLE_EQ(sphere.beta1, 2 / std::sqrt(1.5 * g * 1e9));
  EXPECT_DOUBLE_EQ(sphere.gamma, 10 / sphere.beta1);
  // Elements carry their shares of the limit and let go together.
  Multistate<double, 3> many;
  many.lambda = {0.5, 0.3, 0.2};
  many = rigid(many, 6, 1, frame);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(many.kappa[i], many.lambda[i] * 6e9);
    EXPECT_DOUBLE_EQ(many.sigma[i], many.kappa[i] * 2 / std::sqrt(6e9));
  }
  // The exponent of a Stribeck curve is no relaxation time.
  EXPECT_EQ((rigid(SingleState<double, 1, Stribeck>{}, 1, 1, frame).alpha), (SingleState<double, 1, Stribeck>{}.alpha));
  const RigidStiffness light = rigid_stiffness(1e4, 1e-3, frame);
  EXPECT_TRUE(light.bounded);
  EXPECT_DOUBLE_EQ(light.K, 1e10 * 1e-3 / (frame * frame));
}

}  // namespace
}  // namespace asperity::rigid_test
