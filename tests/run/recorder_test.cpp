// Names, rows, files, failures.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "asperity/laws.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"

namespace asperity::recorder_test {
namespace {

using testing::coulomb;

std::vector<std::string> names_of(const std::vector<Quantity>& list) {
  std::vector<std::string> names;
  for (const Quantity& quantity : list) names.push_back(quantity.name + " " + quantity.unit);
  return names;
}
std::string what(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}
std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(Names, OfEveryKind) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0});
  const auto puck = world.add("puck", PointMass<double, 2>{1.0, {}});
  const auto ball = world.add("ball", RigidBody<double>{});
  const auto arm = world.add_arm("arm", {{1, 1}, {1, 1}}, {{}, {}});
  world.add("floor", coulomb(1, 1e5, 1e-3), Line<double>{}, block, ground);
  world.add("ice", SingleState<double, 2>{}, Surface<double, 2>{}, puck, ground);
  world.add("plane", FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>{}, BallPlane<double, true>{}, ball,
            ground);
  world.add("bearing", coulomb(1, 1e5, 1e-3), Line<double>{}, World::joint(arm, 2), World::joint(arm, 1));
  world.add("bristles", Multistate<double, 2, 1>{}, Line<double>{}, block, ground);
  world.add("bumper", LinearCompliance<>{}, Line<double>{}, block, ground);
  asperity::Run run(world, {});
  EXPECT_EQ(
      names_of(run.quantities()),
      (std::vector<std::string>{
          "time s", "block.position m", "block.velocity m/s", "puck.position.x m", "puck.position.y m", "puck.velocity.x m/s",
          "puck.velocity.y m/s", "ball.position.x m", "ball.position.y m", "ball.position.z m", "ball.rotation.w 1",
          "ball.rotation.x 1", "ball.rotation.y 1", "ball.rotation.z 1", "ball.velocity.x m/s", "ball.velocity.y m/s",
          "ball.velocity.z m/s", "ball.spin.x rad/s", "ball.spin.y rad/s", "ball.spin.z rad/s", "arm.joint1.position rad",
          "arm.joint1.velocity rad/s", "arm.joint2.position rad", "arm.joint2.velocity rad/s",
          // elements
          "floor.force N", "floor.a m", "floor.slipping 1", "floor.power W", "floor.stored J", "floor.dissipated J",
          "ice.force.x N", "ice.force.y N", "ice.a.x m", "ice.a.y m", "ice.slipping 1", "ice.power W", "ice.stored J",
          "ice.dissipated J", "plane.gap m", "plane.normal_force N", "plane.tangential_force.x N", "plane.tangential_force.y N",
          "plane.tangential_force.z N", "plane.e m", "plane.a.x m", "plane.a.y m", "plane.a.z m", "plane.touching 1",
          "plane.slipping 1", "plane.power W", "plane.stored J", "plane.dissipated J", "bearing.force N m", "bearing.a rad",
          "bearing.slipping 1", "bearing.power W", "bearing.stored J", "bearing.dissipated J", "bristles.force N",
          "bristles.a[1] m", "bristles.a[2] m", "bristles.gamma N", "bristles.slipping 1", "bristles.power W", "bristles.stored J",
          "bristles.dissipated J", "bumper.gap m", "bumper.normal_force N", "bumper.e m", "bumper.touching 1", "bumper.power W",
          "bumper.stored J", "bumper.dissipated J",
          // the whole
          "energy.work_in J", "energy.kinetic J", "energy.potential J", "energy.stored J", "energy.dissipated J",
          "energy.closing_error J"}));
}

TEST(Names, UnknownOnesAreRefusedWithASuggestion) {
  World world;
  testing::held_by_friction(world);
  asperity::Run run(world, {});
  EXPECT_EQ(what([&] { run.value("blok.position"); }), "nothing is named blok.position; did you mean block.position?");
  const std::string problems = what([&] {
    asperity::Run(world, {.duration = .0105, .record = {.columns = {"floor.forse", "time"}, .every = 1.5e-3}});
  });
  EXPECT_EQ(problems,
            "duration = 0.0105 s: must be a multiple of the step, 0.001 s; use a step of 0.00095454545454545456 s\n"
            "record.every = 0.0015 s: must be a multiple of the step, 0.001 s; use a step of 0.00075000000000000002 s\n"
            "record.sink: must be given to record columns\n"
            "record: nothing is named floor.forse; did you mean floor.force?");
  EXPECT_NE(what([&] { asperity::Run(world, {.method = "rk5"}); }).find("rk5"), std::string::npos);
}

// Values are those of the state and of the law: held, the asperity carries the load, and all columns agree with value().
TEST(Recorder, RowsAreOnTheGrid) {
  World world;
  testing::held_by_friction(world);
  const auto rows = std::make_shared<MemorySink>();
  asperity::Run run(world, {.duration = .9, .record = {.columns = {"*"}, .every = .1, .sink = rows}});
  ASSERT_TRUE(run.go());
  const auto time = rows->column("time"), force = rows->column("floor.force"), a = rows->column("floor.a");
  ASSERT_EQ(rows->rows(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(time[i], 1e-3 * double(100 * i));
    // Under the load 0.5 t the block follows with 0.5/K and swings around it by less than 0.5/sqrt(K M), which dies out.
    EXPECT_NEAR(force[i], .5 * time[i], .5 / std::sqrt(5e3) * std::exp(-5 * time[i]) + 1e-4);
    EXPECT_NEAR(a[i] * 5e3, force[i], 2e-2);
  }
  for (const Quantity& column : rows->columns()) EXPECT_EQ(rows->column(column.name).back(), run.value(column.name)) << column.name;
}

TEST(Recorder, AnAdaptiveRunEndsThoughItsLastRowIsAHairBeforeTheEnd) {
  World world;
  testing::held_by_friction(world);
  const auto rows = std::make_shared<MemorySink>();
  asperity::Run run(world, {.duration = std::nextafter(.6, 1.0), .method = "dopri5", .record = {.every = .6 / 50, .sink = rows}});
  int steps = 0;
  while (steps < 100000 && run.step()) ++steps;
  EXPECT_LT(steps, 100000);
  EXPECT_EQ(rows->rows(), 51u);
}
// Each once, where it is named first.
TEST(Recorder, ColumnsThatAreNamedTwice) {
  const auto names = [](std::vector<std::string> asked) {
    World world;
    testing::bouncing_ball(world, .007);
    const auto rows = std::make_shared<MemorySink>();
    asperity::Run run(world, {.duration = .01, .record = {.columns = std::move(asked), .sink = rows}});
    EXPECT_TRUE(run.go());
    std::vector<std::string> list;
    for (const Quantity& column : rows->columns()) list.push_back(column.name);
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({"ball.velocity", "ball.*"}), (Names{"time", "ball.velocity", "ball.position"}));
  EXPECT_EQ(names({"ball.*", "ball.velocity", "time", "ball.*"}), (Names{"time", "ball.position", "ball.velocity"}));
  EXPECT_EQ(names({"*", "*", "time"}), names({"*"}));
}

TEST(Recorder, CsvReadsBackToTheSameNumbers) {
  const std::string path = testing::file("rows.csv");
  const auto memory = std::make_shared<MemorySink>();
  for (const bool on_disk : {false, true}) {
    World world;
    testing::bouncing_ball(world, .007);
    std::shared_ptr<Sink> sink = memory;
    if (on_disk) sink = std::make_shared<CsvSink>(path);
    asperity::Run run(world, {.duration = .5, .record = {.columns = {"ball.*", "floor.normal_force"}, .sink = sink}});
    ASSERT_TRUE(run.go());
  }
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), memory->rows() + 1);
  EXPECT_EQ(lines[0], "time,ball.position,ball.velocity,floor.normal_force");
  for (std::size_t row = 0; row < memory->rows(); ++row) {
    std::istringstream cells(lines[row + 1]);
    for (const Quantity& column : memory->columns()) {
      std::string cell;
      ASSERT_TRUE(std::getline(cells, cell, ','));
      EXPECT_EQ(std::stod(cell), memory->column(column.name)[row]);
    }
  }
  std::filesystem::remove(path);
}

// A program that is stopped leaves whole rows up to the last flush.
TEST(Recorder, AnInterruptedRunLeavesWhatItFlushed) {
  const std::string path = testing::file("interrupted.csv");
  World world;
  testing::held_by_friction(world);
  asperity::Run run(world, {.duration = 1, .record = {.columns = {"block.position"}, .sink = std::make_shared<CsvSink>(path, 10)}});
  for (int k = 0; k < 25; ++k) ASSERT_TRUE(run.step());
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 21u);
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 1);
  std::filesystem::remove(path);
}

TEST(Recorder, AFileThatCannotBeWrittenIsNamed) {
  World world;
  testing::held_by_friction(world);
  asperity::Run run(world,
                    {.record = {.columns = {"block.position"}, .sink = std::make_shared<CsvSink>("/no/such/folder/rows.csv")}});
  EXPECT_NE(what([&] { run.go(); }).find("/no/such/folder/rows.csv: cannot be written"), std::string::npos);
}

// A contact far too stiff for the step: stops, names it and the time, keeps the rows.
TEST(Failure, NamesTheElementThatIsTooStiff) {
  const std::string path = testing::file("failed.csv");
  World world;
  const auto ball = world.add("ball", PointMass<double>{1.0, -9.8}, {.01, 0});
  const auto other = world.add("other", PointMass<double>{1.0}, {1, 0});
  Spring<> soft, stiff;
  soft.K = 10;
  stiff.K = 1e8;
  world.add("soft", soft, Line<double>{}, other, ground);
  world.add("stiff", stiff, Line<double>{}, ball, ground);
  asperity::Run run(world,
                    {.duration = 10, .record = {.columns = {"ball.position"}, .sink = std::make_shared<CsvSink>(path, 1000000)}});
  EXPECT_FALSE(run.go());
  ASSERT_TRUE(run.failure());
  EXPECT_EQ(run.failure()->component, "stiff");
  EXPECT_NE(run.failure()->text.find("stiff: not a finite number after t = "), std::string::npos);
  EXPECT_NE(run.failure()->text.find("step, 0.001 s, may be too long for its stiffness"), std::string::npos);
  for (const double number : run.state()) EXPECT_TRUE(std::isfinite(number));
  EXPECT_EQ(lines_of(path).size(), std::size_t(std::lround(run.failure()->time / 1e-3)) + 2);
  EXPECT_FALSE(run.step());
  std::filesystem::remove(path);
}
// An input that is not a number is named with the time from which on it is none, whatever the method does with it: some laws make
// numbers of it. The state is the last one before, and all rows up to it are kept.
class FailureOf : public ::testing::TestWithParam<std::string> {
 public:
  void expect_named(World& world, const std::string& text, double when) {
    const auto rows = std::make_shared<MemorySink>();
    asperity::Run run(world, {.step = 1e-3, .method = GetParam(), .record = {.columns = {"*"}, .sink = rows}});
    EXPECT_FALSE(run.go());
    ASSERT_TRUE(run.failure()) << text;
    EXPECT_EQ(run.failure()->text, text);
    EXPECT_NEAR(run.failure()->time, when, 1e-9);
    EXPECT_LE(run.time(), when);
    EXPECT_GE(run.time(), GetParam() == "dopri5" || GetParam() == "cvode" || GetParam() == "auto" ? 0 : when - 1.001e-3);
    for (const Quantity& column : run.quantities()) EXPECT_TRUE(std::isfinite(run.value(column.name))) << column.name;
    EXPECT_EQ(rows->column("time").back(), run.time());
    EXPECT_FALSE(run.step());
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, FailureOf, ::testing::ValuesIn(testing::built_in_methods()), testing::name_of);

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

TEST_P(FailureOf, APushIsNamed) {
  for (const double bad : {nan, infinity}) {
    World world;
    world.add("first", PointMass<double>{1.0});
    world.push(world.add("second", PointMass<double>{1.0}), 0, [=](double t) { return t < .0995 ? 1 : bad; });
    expect_named(world,
                 "second: not a finite number from t = 0.0995 s on: its push is " + std::string(bad > 0 ? "inf" : "nan") + " N",
                 .0995);
  }
  World world;
  world.push(world.add("block", PointMass<double>{1.0}), 0, [](double t) { return t < .1 ? 1 : nan; });  // on the grid
  expect_named(world, "block: not a finite number from t = 0.1 s on: its push is nan N", .1);
  World at_once;
  at_once.push(at_once.add("block", PointMass<double>{1.0}), 0, [](double) { return nan; });
  expect_named(at_once, "block: not a finite number from t = 0 s on: its push is nan N", 0);
}
TEST_P(FailureOf, ACourseIsNamed) {
  World dragged;
  const auto belt = dragged.add_given<1>("belt", [](double t) { return Port<double, 1>{t, t < .5 ? 1 : nan}; });
  dragged.add("contact", coulomb(1, 1e3, 1e-2), between(dragged.add("block", PointMass<double>{1.0}), belt));
  expect_named(dragged, "belt: not a finite number from t = 0.5 s on: its given velocity is nan", .5);
  // A contact takes max(0, .) of its force, which is 0 for a position that is no number.
  World lifted;
  const auto table = lifted.add_given<1>("table", [](double t) { return Port<double, 1>{t < .2503 ? 0 : nan, 0}; });
  lifted.add("contact", LinearCompliance<>{}, between(lifted.add("ball", PointMass<double>{1.0, -9.8}), table));
  expect_named(lifted, "table: not a finite number from t = 0.2503 s on: its given position is nan", .2503);
}

/// A spring that is no number beyond half a metre.
struct Brittle : Spring<> {
  Reaction<Force, State> react(const State& z, const Input& in, const double& tau) const noexcept {
    return in.x > .5 ? Reaction<Force, State>{nan, {}} : Spring<>::react(z, in, tau);
  }
};

// A law that fails at a finite motion is named, whatever the method.
TEST_P(FailureOf, ALawIsNamed) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0}, {0, 1});
  Spring<> soft;
  soft.K = 1e-3;
  world.add("soft", soft, between(block, ground));
  world.add("brittle", Brittle{}, between(block, ground));
  asperity::Run run(world, {.step = 1e-3, .method = GetParam()});
  EXPECT_FALSE(run.go());
  ASSERT_TRUE(run.failure());
  EXPECT_EQ(run.failure()->component, "brittle");
  EXPECT_NE(run.failure()->text.find("its law fails at a finite motion"), std::string::npos) << run.failure()->text;
  EXPECT_NEAR(run.failure()->time, .5, 2e-3);
}

// A motion that ends in finite time, x'' = x^3: the element that drives it is named.
TEST_P(FailureOf, AnElementThatBlowsUpIsNamed) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0}, {1, 1});
  Spring<> away;
  away.K3 = -1;
  world.add("away", away, between(block, ground));
  asperity::Run run(world, {.duration = 10, .step = 1e-3, .method = GetParam()});
  EXPECT_FALSE(run.go());
  ASSERT_TRUE(run.failure());
  EXPECT_EQ(run.failure()->component, "away") << run.failure()->text;
}

TEST(Failure, AStartThatIsNoNumberIsNamed) {
  World world;
  world.add("fine", PointMass<double>{1.0});
  world.add("block", PointMass<double>{1.0}, {0, nan});
  try {
    const asperity::Run run(world, {});
    FAIL() << "must be refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "block.velocity = nan at the start: must be a finite number");
  }
}

TEST(Failure, NamesTheLawAndTheBody) {
  World world;
  const auto block = world.add("block", PointMass<double>{1.0}, {0, 1});
  SingleState<> broken;
  broken.K = std::numeric_limits<double>::quiet_NaN();
  world.add("fine", coulomb(1, 1e3, 1e-2), Line<double>{}, block, ground);
  world.add("floor", broken, Line<double>{}, block, ground);
  asperity::Run run(world, {});
  EXPECT_FALSE(run.go());
  EXPECT_EQ(run.failure()->component, "floor");

  World massless;
  massless.add("fine", PointMass<double>{1.0});
  const auto body = massless.add("empty", PointMass<double>{0.0});
  massless.push(body, 0, [](double) { return 1.0; });
  asperity::Run other(massless, {});
  EXPECT_FALSE(other.go());
  EXPECT_EQ(other.failure()->component, "empty");
}

}  // namespace
}  // namespace asperity::recorder_test
