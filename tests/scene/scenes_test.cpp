// The scenes of scenes/: each is read and run, and its resolved text gives the same run; the numbers of the papers and exact
// solutions come out of the files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "asperity/scene/scene.hpp"
#include "run/worlds.hpp"

namespace asperity::scenes_test {
namespace {

std::string all(const std::vector<SceneProblem>& problems) {
  std::string text;
  for (const SceneProblem& problem : problems) text += to_text(problem) + "\n";
  return text;
}

std::unique_ptr<Scene> scene_of(const std::string& name, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  auto scene = read_scene_file(ASPERITY_SCENES "/" + name + ".toml", settings, problems);
  EXPECT_TRUE(scene) << all(problems);
  return scene;
}

/// A scene after its run.
struct Ran {
  explicit Ran(const std::string& name, const std::vector<std::string>& settings = {}) : scene(scene_of(name, settings)) {
    if (!scene) return;
    scene->run.record.sink = sink;
    run.emplace(scene->world, scene->run);
    EXPECT_TRUE(run->go()) << run->failure()->text;
  }
  double value(const std::string& column) const { return run->value(column); }
  /// Of the row at a time.
  double at(double time, const std::string& column) const {
    const auto times = sink->column("time"), values = sink->column(column);
    for (std::size_t i = 0; i < times.size(); ++i)
      if (std::abs(times[i] - time) < 1e-9) return values.at(i);
    ADD_FAILURE() << "no row at " << time << " s with " << column;
    return 0;
  }

  std::unique_ptr<Scene> scene;
  std::shared_ptr<MemorySink> sink = std::make_shared<MemorySink>();
  std::optional<Run> run;
};

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ASPERITY_SCENES)) {
    if (entry.path().extension() != ".toml") continue;
    names.push_back(entry.path().lexically_relative(ASPERITY_SCENES).replace_extension().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// All columns of the first steps of a scene.
std::vector<std::vector<double>> beginning(Scene& scene) {
  const auto sink = std::make_shared<MemorySink>();
  scene.run.duration = std::min(scene.run.duration, 300 * scene.run.step);
  scene.run.max_step = std::min(scene.run.max_step, scene.run.duration / 300);
  scene.run.record = {.columns = {"*"}, .every = 0, .sink = sink};
  Run run(scene.world, scene.run);
  EXPECT_TRUE(run.go()) << run.failure()->text;
  std::vector<std::vector<double>> columns;
  for (const Quantity& quantity : sink->columns()) columns.push_back(sink->column(quantity.name));
  return columns;
}

class EveryScene : public ::testing::TestWithParam<std::string> {};
std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, ::testing::ValuesIn(scene_names()), test_name);

TEST_P(EveryScene, ResolvesToTheSameRun) {
  const auto scene = scene_of(GetParam());
  ASSERT_TRUE(scene);
  EXPECT_FALSE(scene->title.empty());
  const bool published = GetParam().starts_with("papers/") || GetParam().starts_with("inclusions/");
  EXPECT_EQ(scene->cite.empty(), !published && GetParam() != "held_by_friction");
  std::vector<SceneProblem> problems;
  const auto again = read_scene(scene->resolved, "resolved.toml", {}, problems);
  ASSERT_TRUE(again) << all(problems) << scene->resolved;
  EXPECT_EQ(again->resolved, scene->resolved);
  const auto columns = beginning(*scene);
  ASSERT_GE(columns.size(), 3u);
  ASSERT_GE(columns[0].size(), 300u);
  EXPECT_EQ(columns, beginning(*again));  // to the last bit
}

TEST(Exact, BlockStops) {
  const Ran ran("sliding_block");
  EXPECT_NEAR(ran.value("block.position"), 1 - .5 / 1e5, 1e-8);
  EXPECT_NEAR(ran.value("block.velocity"), 0, 1e-7);
}

TEST(Exact, CoulombDampedOscillator) {
  const Ran ran("coulomb_oscillator");
  const auto x = ran.sink->column("mass.position"), v = ran.sink->column("mass.velocity");
  std::vector<double> turns;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (v[i - 1] * v[i] < 0 && std::abs(x[i] - (turns.empty() ? x[0] : turns.back())) > 1e-3) turns.push_back(x[i]);
  ASSERT_GE(turns.size(), 5u);
  const std::vector<double> expected{-.043, .033, -.023, .013, -.003};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(turns[i], expected[i], 2e-5);  // sampled every millisecond
}

TEST(Exact, Incline) {
  EXPECT_NEAR(Ran("incline_preload").value("block.position"), .107413448, 1e-9);
  EXPECT_NEAR(Ran("incline_preload", {"run.preload=false"}).value("block.position"), .118926, 2e-5);
  const double g = 9.8, theta = .27;  // held: the asperity bends by f/K
  EXPECT_NEAR(Ran("incline_preload", {"let.theta=0.27"}).value("block.position"), 0, 1e-9);
  EXPECT_NEAR(Ran("incline_preload", {"let.theta=0.27"}).value("slope.force"), g * std::sin(theta), 1e-9);
}

TEST(Exact, BoxRestsOnAnIncline) {
  const Ran ran("incline_box", {"run.duration=0.2"});
  EXPECT_NEAR(ran.value("box.position.x"), 0, 1e-9);
  double friction = 0, normal = 0;
  for (int i = 1; i <= 8; ++i) {
    friction += ran.value("slope." + std::to_string(i) + ".tangential_force.x");
    normal += ran.value("slope." + std::to_string(i) + ".normal_force");
  }
  EXPECT_NEAR(friction, 9.8 * std::sin(17 * std::numbers::pi / 180), 1e-6);
  EXPECT_NEAR(normal, 9.8 * std::cos(17 * std::numbers::pi / 180), 1e-6);
}

TEST(Exact, SlidingSphereEndsRolling) {
  const Ran ran("rolling_sphere");
  EXPECT_NEAR(ran.value("ball.velocity.x"), 10. / 7, 1e-9);
  EXPECT_NEAR(ran.value("ball.spin.y"), 10. / 7 / .2, 1e-6);
  ASSERT_FALSE(ran.run->events().empty());
  EXPECT_NEAR(ran.run->events()[0].time, 2. / 7 * 2 / (.1 * 9.8), 3e-3);  // sticks, once and for all
  EXPECT_EQ(ran.run->events()[0].kind, Event::Kind::stick);
}

// Sticks for 2 (F_s - F_c)/(k v) = 0.1 s, then slips for 0.535589 s, at most v + sqrt(v^2 + (F_s - F_c)^2/(k m)) back.
TEST(Exact, StickSlipOnAConveyor) {
  const Ran ran("conveyor_stick_slip");
  std::vector<double> slips, sticks;
  for (const Event& event : ran.run->events())
    if (event.time > 1.5) (event.kind == Event::Kind::slip ? slips : sticks).push_back(event.time);
  ASSERT_GE(slips.size(), 3u);
  EXPECT_NEAR(slips[2] - slips[1], .1 + .535589, 5e-3);
  const auto v = ran.sink->column("mass.velocity");
  EXPECT_NEAR(.1 - *std::min_element(v.begin(), v.end()), .211803, 2e-3);
}

// By its design restitution 0.5, so that it is at rest after t1 (1 + e)/(1 - e).
TEST(Exact, BouncingBall) {
  const Ran ran("bouncing_ball");
  const auto& impacts = ran.run->impacts();
  ASSERT_GE(impacts.size(), 4u);
  const double t1 = std::sqrt(2 / 9.81);
  EXPECT_NEAR(impacts[0].touch, t1, 2e-5);
  EXPECT_NEAR(impacts[0].restitution(), .5, 2e-3);
  EXPECT_NEAR(impacts[1].touch, t1 * (1 + 2 * .5), 5e-3);
  EXPECT_NEAR(ran.at(1.5, "ball.velocity"), 0, 1e-3);
  EXPECT_NEAR(ran.value("ball.position"), -9.81 / 499937, 1e-9);
}

// Each contact carries between f1 and f2 in every cycle of 0.2 s: LuGre drifts by (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] a cycle,
// slowly loaded; the single state comes back to where it was.
TEST(Exact, OneGraspHoldsAndOneCreeps) {
  const Ran ran("two_grasps", {"run.duration=3"});
  const double F = .7 * 6, K = 2e4, mean = (8 + .045 * 9.81) / 4, f1 = mean - 6.5 / 4, f2 = mean + 6.5 / 4;
  const double cycle = F / K * std::log((F * F - f1 * f1) / (F * F - f2 * f2));
  EXPECT_NEAR(ran.at(1, "creeps.position.z") - ran.at(3, "creeps.position.z"), 10 * cycle, .02 * 10 * cycle);
  EXPECT_NEAR(ran.at(1, "holds.position.z"), ran.at(3, "holds.position.z"), 1e-14);
}

// The stack is in equilibrium: each contact carries what is above it, and nothing moves by more than rounding.
TEST(Exact, HeavyStackOnALightMass) {
  const Ran ran("stack");
  EXPECT_NEAR(ran.value("floor.normal_force"), 11111 * 9.81, 1e-6);
  EXPECT_NEAR(ran.value("c45.normal_force"), 1e4 * 9.81, 1e-6);
  EXPECT_NEAR(ran.at(0, "m5.position"), ran.value("m5.position"), 1e-15);
}

TEST(Momentum, OfTwoBallsStays) {
  const Ran ran("two_balls");
  EXPECT_GT(ran.value("second.velocity.x"), .1);  // it was hit
  EXPECT_NEAR(ran.value("first.velocity.x") + 3 * ran.value("second.velocity.x"), 2, 1e-12);
  EXPECT_NEAR(ran.value("first.velocity.z") + 3 * ran.value("second.velocity.z"), .1, 1e-12);
}

// Released from rest, the middle of the door falls against 3 N m of friction: kinetic energy is weight times drop less friction
// work.
TEST(Exact, DoorSwingsByItsWeightAgainstFriction) {
  const Ran ran("hinge", {"run.duration=1"});
  const double angle = 2 * std::atan2(ran.value("door.rotation.z"), ran.value("door.rotation.w"));
  const double moment = 20. / 12 * (.8 * .8 + .04 * .04) + 20 * .4 * .4;  // about the hinge
  const double drop = 20 * 9.81 * std::sin(20 * std::numbers::pi / 180) * .4 * std::sin(angle);
  EXPECT_GT(angle, .1);
  EXPECT_NEAR(moment / 2 * std::pow(ran.value("door.spin.z"), 2), drop - 3 * angle, 2e-2 * drop);
}

TEST(Pinch, HoldsAndSlides) {
  const Ran held("pinch", {"run.duration=1"});
  EXPECT_NEAR(held.value("capsule.position.z"), -.045 * 9.81 / (4 * 2e4), 1e-9);
  const Ran pulled("pinch", {"let.pull=18", "run.duration=1"});
  EXPECT_LT(pulled.value("capsule.position.z"), -.05);
}

// xiong2013 Fig. 3.4, converged
TEST(Xiong2013Fig34, HeldByFriction) {
  const Ran ran("held_by_friction");
  EXPECT_NEAR(ran.at(2, "block.position"), .02278298, 1e-8);
  EXPECT_NEAR(ran.value("block.position"), .030766, 1e-6);
  const auto root = [&](double t) { return ran.at(t, "block.position") - ran.at(t, "floor.a"); };
  EXPECT_NEAR((root(10) - root(5)) / 5, 6.4e-8, 1e-8);
  World world;
  testing::held_by_friction(world);
  asperity::Run same(world, {.duration = 10, .step = 1e-3});
  same.go();
  EXPECT_EQ(same.value("block.position"), ran.value("block.position"));  // the file says the same as the program
}
TEST(Xiong2013Fig34, LuGreDrifts) {
  const Ran ran("papers/xiong2013_fig_3_4_lugre");
  EXPECT_NEAR(ran.at(2, "block.position"), .02530965, 1e-7);
  EXPECT_NEAR(ran.value("block.position"), .045089, 1e-6);
}

// 6.2
TEST(Xiong2013Fig36, Bounce) {
  for (const auto& [alpha, restitution] : {std::pair("0.01", 1.0000), {"0.007", .87992}, {"0.005", .76942}, {"0.001", .29026}}) {
    const Ran ran("papers/xiong2013_fig_3_6", {std::string("let.alpha=") + alpha, "run.duration=0.7"});
    ASSERT_FALSE(ran.run->impacts().empty());
    EXPECT_NEAR(ran.run->impacts()[0].touch, .451754, 2e-5);
    EXPECT_NEAR(ran.run->impacts()[0].restitution(), restitution, 1e-3) << alpha;
  }
}

// 6.3
TEST(Xiong2013ExampleI, RollingSphereWithCollisionAndSlip) {
  const Ran ran("papers/xiong2013_example_1", {"run.duration=2"});
  std::vector<double> touches;
  double stands = 0;
  for (const Event& event : ran.run->events()) {
    if (event.kind == Event::Kind::touch) touches.push_back(event.time);
    if (event.kind == Event::Kind::stick && stands == 0) stands = event.time;
  }
  const std::vector<double> expected{.3194, .8544, 1.2956, 1.6595};
  ASSERT_GE(touches.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(touches[i], expected[i], 5e-4);
  EXPECT_NEAR(stands, 1.6633, 1e-3);
  EXPECT_NEAR(ran.value("ball.velocity.x"), 5. / 7 * 5.5, 1e-3);
  EXPECT_NEAR(ran.value("ball.velocity.x") + .4 * .5 * ran.value("ball.spin.y"), 5.5, 1e-9);
}

// 6.4: the file gives the world of the tests, to the last bit.
TEST(Xiong2013ExampleII, IsTheWorldOfTheTests) {
  const Ran ran("papers/xiong2013_example_2", {"run.duration=0.06"});
  World world;
  testing::conveyor(world);
  asperity::Run same(world, {.duration = .06, .step = 2e-5});
  ASSERT_TRUE(same.go());
  EXPECT_EQ(std::vector(same.state().begin(), same.state().end()), std::vector(ran.run->state().begin(), ran.run->state().end()));
}

// 6.6: quasi-static positions of Fig. 4.4, in um.
TEST(Xiong2013Fig44, MultistatePositions) {
  const Ran ran("papers/xiong2013_fig_4_4");
  const auto at_load = [&](double t) { return 1e6 * ran.at(t, "mass.position"); };
  EXPECT_NEAR(at_load(5), .104971, 3e-3);     // 1.25 N
  EXPECT_NEAR(at_load(20.7), .236509, 3e-3);  // 2 N
  EXPECT_NEAR(at_load(52.1), .132826, 3e-3);  // back at 0.5 N
}

TEST(Xiong2013Fig46, StickSlip) {
  const Ran ran("papers/xiong2013_fig_4_6");
  const auto t = ran.sink->column("time"), f = ran.sink->column("spring.force");
  std::vector<double> peaks;
  for (std::size_t i = 1; i + 1 < f.size(); ++i)
    if (f[i] < f[i - 1] && f[i] <= f[i + 1]) peaks.push_back(t[i]);
  ASSERT_EQ(peaks.size(), 3u);
  EXPECT_NEAR(peaks[2] - peaks[1], 29.7825, .06);  // a row every 50 ms
  EXPECT_NEAR(*std::min_element(f.begin(), f.end()), -3.0876, 1e-3);
  EXPECT_NEAR(*std::max_element(f.begin(), f.end()), .3466, 2e-3);
}

// 6.8
TEST(Specker2014, StickSlip) {
  const Ran ran("papers/specker2014_stick_slip", {"run.duration=4"});
  const auto t = ran.sink->column("time"), f = ran.sink->column("friction.force");
  EXPECT_NEAR(*std::max_element(f.begin(), f.end()), 1.40746, 1e-4);
  std::vector<double> peaks;
  for (std::size_t i = 1; i + 1 < f.size(); ++i)
    if (f[i] > 1.39 && f[i] > f[i - 1] && f[i] >= f[i + 1] && (peaks.empty() || t[i] - peaks.back() > .3)) peaks.push_back(t[i]);
  ASSERT_EQ(peaks.size(), 3u);
  EXPECT_NEAR(2 / (peaks[2] - peaks[0]), .90514, 1e-3);
}

// 6.7
TEST(Xiong2013Fig52, NonlinearCompliance) {
  const Ran ran("papers/xiong2013_fig_5_2");
  EXPECT_NEAR(ran.value("mass.velocity") / 2, .774878, 1e-5);
  const auto gap = ran.sink->column("wall.gap");
  EXPECT_NEAR(-*std::min_element(gap.begin(), gap.end()), 43.358e-3, 2e-6);
}

// 6.9
TEST(KikuuweFujimoto, BlockStopsAfter2001Steps) {
  const Ran ran("papers/kikuuwe_fujimoto_block");
  const auto v = ran.sink->column("block.velocity");
  EXPECT_EQ(std::count_if(v.begin() + 1, v.end(), [](double x) { return x != 0; }) + 1, 2001);
}

// 6.10
TEST(KikuuweYamamoto, SimulationI) {
  const Ran ran("papers/kikuuwe_yamamoto_simulation_1");
  const auto t = ran.sink->column("time"), v = ran.sink->column("ball.velocity.x"), w = ran.sink->column("ball.spin.y");
  std::size_t i = 0;
  while (i < t.size() && v[i] - .2 * w[i] > 0) ++i;
  ASSERT_LT(i, t.size());
  EXPECT_NEAR(t[i], .5831, 2e-3);
  EXPECT_NEAR(ran.value("ball.velocity.x"), 10. / 7, 1e-6);
}
TEST(KikuuweYamamoto, SimulationII) {
  const Ran ran("papers/kikuuwe_yamamoto_simulation_2");
  EXPECT_NEAR(ran.value("arm.joint1.position"), 1.0286, 1e-4);
  EXPECT_NEAR(ran.value("arm.joint2.position"), 2.3897, 1e-4);
}
TEST(KikuuweYamamoto, SimulationIIIComesToSimulationII) {
  const Ran arm("papers/kikuuwe_yamamoto_simulation_2", {"run.duration=2"});
  const Ran rods("papers/kikuuwe_yamamoto_simulation_3", {"run.duration=2", "run.step=2e-4"});
  const auto angle = [&](const std::string& rod) {
    return 2 * std::atan2(rods.value(rod + ".rotation.z"), rods.value(rod + ".rotation.w"));
  };
  EXPECT_GT(arm.value("arm.joint2.position"), .05);
  EXPECT_NEAR(angle("rod1"), arm.value("arm.joint1.position"), 1e-3);
  EXPECT_NEAR(angle("rod2") - angle("rod1"), arm.value("arm.joint2.position"), 1e-3);
}

}  // namespace
}  // namespace asperity::scenes_test
