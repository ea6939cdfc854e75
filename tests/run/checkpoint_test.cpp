// Write, read in a world built afresh, go on: the same run to the last bit. And what is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <numbers>

#include "asperity/laws.hpp"
#include "asperity/system/hinge.hpp"
#include "integrate/methods.hpp"
#include "run/worlds.hpp"
#include "sanitized.hpp"

namespace asperity::checkpoint_test {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

struct Scene {
  explicit Scene(const std::string& csv, RunOptions options) {
    testing::conveyor(world);
    options.record = {.columns = {"*"}, .every = 1e-3, .sink = std::make_shared<CsvSink>(csv, 7)};
    run.emplace(world, std::move(options));
  }
  void steps_until(double t) {
    while (run->time() < t && run->step()) {
    }
  }
  World world;
  std::optional<asperity::Run> run;
};

void expect_same(const asperity::Run& a, const asperity::Run& b) {
  ASSERT_EQ(a.state().size(), b.state().size());
  EXPECT_EQ(a.time(), b.time());
  EXPECT_EQ(std::memcmp(a.state().data(), b.state().data(), a.state().size_bytes()), 0);
  for (const Quantity& quantity : a.quantities()) EXPECT_EQ(a.value(quantity.name), b.value(quantity.name)) << quantity.name;
  ASSERT_EQ(a.events().size(), b.events().size());
  for (std::size_t i = 0; i < a.events().size(); ++i) {
    EXPECT_EQ(a.events()[i].time, b.events()[i].time);
    EXPECT_EQ(a.events()[i].kind, b.events()[i].kind);
    EXPECT_EQ(a.events()[i].element, b.events()[i].element);
    EXPECT_EQ(a.events()[i].speed, b.events()[i].speed);
  }
  ASSERT_EQ(a.impacts().size(), b.impacts().size());
  for (std::size_t i = 0; i < a.impacts().size(); ++i) EXPECT_EQ(a.impacts()[i].restitution(), b.impacts()[i].restitution());
  for (const char* name : {"wall", "between", "conveyor"}) EXPECT_EQ(a.longest_contact(name), b.longest_contact(name));
}

class Checkpoint : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Checkpoint, ::testing::Values("rk4", "rk4-lookahead", "euler", "step"), testing::name_of);

// The halves meet while blocks touch and slip. The first one goes on after the checkpoint: the second drops the rows it wrote.
TEST_P(Checkpoint, ContinuesToTheLastBit) {
  const std::string straight_csv = testing::file("straight.csv"), csv = testing::file("halves.csv"),
                    path = testing::file("checkpoint");
  const RunOptions options{.duration = .3, .step = 2e-5, .method = GetParam()};
  Scene straight(straight_csv, options);
  ASSERT_TRUE(straight.run->go());
  EXPECT_GT(straight.run->events().size(), 10u);
  {
    Scene first(csv, options);
    first.steps_until(.147);
    first.run->save(path);
    first.steps_until(.2);
    first.run->go();
    expect_same(*first.run, *straight.run);  // saving changes nothing
  }
  Scene second(csv, options);
  second.run->resume(path);
  EXPECT_NEAR(second.run->time(), .147, 2e-5);
  ASSERT_TRUE(second.run->go());
  expect_same(*second.run, *straight.run);
  EXPECT_EQ(content(csv), content(straight_csv));
  for (const std::string& file : {straight_csv, csv, path}) std::filesystem::remove(file);
}

// An adaptive method starts afresh where it saves, so that the run that saved and the one that resumed agree.
class CheckpointOfAnAdaptiveMethod : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, CheckpointOfAnAdaptiveMethod, ::testing::Values("dopri5", "cvode", "auto"), testing::name_of);
TEST_P(CheckpointOfAnAdaptiveMethod, ContinuesToTheLastBit) {
  if (!testing::is_built_in(GetParam())) GTEST_SKIP() << "not built in";
  const std::string csv = testing::file("adaptive.csv"), other_csv = testing::file("resumed.csv"), path = testing::file("adaptive");
  const RunOptions options{.duration = .2, .method = GetParam()};
  Scene first(csv, options);
  first.steps_until(.147);
  first.run->save(path);
  std::filesystem::copy_file(csv, other_csv);
  ASSERT_TRUE(first.run->go());
  Scene second(other_csv, options);
  second.run->resume(path);
  ASSERT_TRUE(second.run->go());
  expect_same(*second.run, *first.run);
  EXPECT_GT(first.run->events().size(), 5u);
  EXPECT_EQ(content(csv), content(other_csv));
  for (const std::string& file : {csv, other_csv, path}) std::filesystem::remove(file);
}
// Bodies that rub by themselves, and what the run found out about its elements.
TEST(CheckpointOfSampledTime, ContinuesToTheLastBit) {
  const std::string path = testing::file("rubs");
  const auto build = [](World& world) {
    const auto block = world.add("block", FrictionMass<double>{1.0, .5, 1e-3, {}}, {0, 1});
    world.add("floor", testing::coulomb(.1, 100, 1e-2), between(block, ground));
    world.push(block, 0, [](double t) { return .8 * std::sin(9 * t); });
  };
  World one, two;
  build(one);
  build(two);
  asperity::Run first(one, {.duration = 2, .method = "euler"}), second(two, {.duration = 2, .method = "euler"});
  while (first.time() < .7) first.step();
  first.save(path);
  ASSERT_TRUE(first.go());
  second.resume(path);
  ASSERT_TRUE(second.go());
  for (const Quantity& quantity : first.quantities())
    EXPECT_EQ(first.value(quantity.name), second.value(quantity.name)) << quantity.name;
  EXPECT_GT(first.value("block.dissipated"), .1);
  EXPECT_EQ(first.verdict(), second.verdict());
  std::filesystem::remove(path);
}

// A ball between two walls, which strikes hundreds of times in every step: the implicit methods run out of the parts that they may
// divide steps into. Going on must not give them new ones: not to the run, nor to its companion.
TEST(CheckpointOfABoundOnWork, ContinuesToTheLastBit) {
  const std::string path = testing::file("bound");
  const auto build = [](World& world) {
    const auto ball = world.add("ball", PointMass<double>{1.0}, {5e-4, 1});
    Hertz<> wall;
    wall.K = 1e10;
    Line<double> opposite;
    opposite.offset = -1e-3;
    world.add("left", wall, Line<double>{}, ball, ground);
    world.add("right", wall, opposite, ground, ball);
  };
  World one, two;
  build(one);
  build(two);
  const RunOptions options{.duration = 8, .step = 1, .method = "implicit2"};
  asperity::Run first(one, options), second(two, options);
  while (first.time() < 5.5) first.step();
  const long parts = first.statistics().substeps;
  first.save(path);
  ASSERT_TRUE(first.go());
  EXPECT_GT(parts, 100000);  // so that the bound was reached
  EXPECT_LT(first.statistics().substeps - parts, parts / 2);
  second.resume(path);
  ASSERT_TRUE(second.go());
  EXPECT_EQ(first.statistics().substeps, second.statistics().substeps);
  for (const Quantity& quantity : first.quantities())
    EXPECT_EQ(first.value(quantity.name), second.value(quantity.name)) << quantity.name;
  ASSERT_EQ(first.findings().size(), second.findings().size());
  for (std::size_t i = 0; i < first.findings().size(); ++i) EXPECT_EQ(first.findings()[i].text, second.findings()[i].text);
  std::filesystem::remove(path);
}

std::string refusal(World& world, const RunOptions& options, const std::string& path) {
  asperity::Run run(world, options);
  const std::vector<double> before(run.state().begin(), run.state().end());
  try {
    run.resume(path);
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(std::equal(before.begin(), before.end(), run.state().begin()));
    return error.what();
  }
  return "";
}

TEST(CheckpointRefused, OfAnotherWorldOrOtherOptions) {
  const std::string path = testing::file("refused");
  const RunOptions options{.duration = 2, .step = 1e-3};
  {
    World world;
    testing::bouncing_ball(world, .007);
    asperity::Run run(world, options);
    for (int k = 0; k < 500; ++k) run.step();
    run.save(path);
  }
  World same, softer, named, pushed;
  testing::bouncing_ball(same, .007);
  testing::bouncing_ball(softer, .0071);
  const auto ball = named.add("boule", PointMass<double>{1.0, -9.8}, {1.0, 0});
  LinearCompliance<> law;
  law.K = 1e5;
  law.alpha = .007;
  law.beta = .01;
  named.add("floor", law, Line<double>{}, ball, ground);
  pushed.push(testing::bouncing_ball(pushed, .007), 0, [](double) { return 1e-3; });
  EXPECT_EQ(refusal(same, options, path), "");
  const std::string start = path + ": cannot continue from this checkpoint: ";
  EXPECT_EQ(refusal(softer, options, path), start + "it is of another world");
  EXPECT_EQ(refusal(named, options, path), start + "it is of another world");
  EXPECT_EQ(refusal(pushed, options, path), start + "it is of another world");
  EXPECT_EQ(refusal(same, {.duration = 2, .step = 5e-4}, path), start + "it was written with step 0.001, this run has 0.0005");
  EXPECT_EQ(refusal(same, {.duration = 2, .method = "euler"}, path), start + "it was written with method rk4, this run has euler");
  EXPECT_EQ(refusal(same, {.duration = 3, .step = 1e-3}, path), start + "it was written with duration 2, this run has 3");
  EXPECT_EQ(refusal(same, {.duration = 1, .step = 1e-3}, path), start + "it was written with duration 2, this run has 1");
  EXPECT_EQ(refusal(same, {.duration = 2, .subdivide = false}, path),
            start + "it was written with subdivide true, this run has false");
  EXPECT_EQ(refusal(same, {.duration = 2, .most_events = 10}, path),
            start + "it was written with most_events 100000, this run has 10");
  EXPECT_EQ(refusal(same, {.duration = 2, .identity = "another"}, path), start + "the scene was changed since");
  EXPECT_NE(refusal(same, options, path + ".none").find("cannot be read: No such file or directory"), std::string::npos);
  EXPECT_NE(refusal(same, options, std::filesystem::temp_directory_path()).find("cannot be read: is a folder"), std::string::npos);

  // Every cut and every changed byte is noticed.
  const std::string whole = content(path);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    write(path, whole.substr(0, size));
    EXPECT_NE(refusal(same, options, path), "") << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 4);
    write(path, changed);
    EXPECT_NE(refusal(same, options, path), "") << at;
  }
  write(path, whole);
  EXPECT_EQ(refusal(same, options, path), "");
  std::filesystem::remove(path);
}

// The rows before the checkpoint are part of the result: a run does not go on behind others.
TEST(CheckpointRefused, IfItsRowsWereChanged) {
  const std::string csv = testing::file("edited.csv"), path = testing::file("edited");
  const RunOptions options{.duration = .1, .step = sanitized ? 2e-4 : 2e-5};
  {
    Scene first(csv, options);
    first.steps_until(.05);
    first.run->save(path);
    first.steps_until(.06);
  }
  const std::string whole = content(csv);
  std::vector<std::size_t> line{0};
  for (std::size_t at = 0; (at = whole.find('\n', at)) != std::string::npos;) line.push_back(++at);
  const std::size_t from = line[20], to = line[21];
  std::string digit = whole, other_header = whole;
  digit[to - 2] = digit[to - 2] == '7' ? '8' : '7';
  other_header[2] = 'M';
  for (const std::string& text : {digit, whole.substr(0, to) + whole.substr(from), whole.substr(0, from) + whole.substr(to),
                                  other_header, whole.substr(0, from), std::string(), "\n" + whole}) {
    write(csv, text);
    Scene second(csv, options);
    EXPECT_THROW(second.run->resume(path), std::runtime_error);
    EXPECT_EQ(content(csv), text);  // left as it is
  }
  // What came after the checkpoint is dropped anyway.
  write(csv, whole + "nonsense");
  Scene second(csv, options), straight(csv + ".straight", options);
  second.run->resume(path);
  ASSERT_TRUE(second.run->go());
  ASSERT_TRUE(straight.run->go());
  EXPECT_EQ(content(csv), content(csv + ".straight"));
  for (const std::string& file : {csv, path, csv + ".straight"}) std::filesystem::remove(file);
}

TEST(CheckpointFile, DoesNotFollowLinks) {
  const std::string path = testing::file("linked"), other = testing::file("innocent");
  write(other, "untouched");
  std::filesystem::create_symlink(other, path + ".new");
  World world;
  testing::bouncing_ball(world, .007);
  asperity::Run(world, {}).save(path);
  EXPECT_EQ(content(other), "untouched");
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
  for (const std::string& file : {path, other}) std::filesystem::remove(file);
}

/// Changes one number of all that are shown to it, by a part in a million million.
struct Edit {
  int target = -1, count = 0;
  double operator()(double number) { return count++ == target ? number * (1 + 1e-12) + 1e-300 : number; }
  template <class Item>
  Item of(Item item) {
    each_parameter(item, [&](double& number) { number = (*this)(number); });
    return item;
  }
};

/// A world of many kinds, one number of it changed.
void build_many_kinds(World& world, Edit& edit) {
  const auto block = world.add("block", edit.of(PointMass<double>{1.0, -9.8}), {0, edit(.5)});
  const auto other = world.add("other", edit.of(PointMass<double>{1.0}), {edit(1), 0});
  const auto puck = world.add("puck", edit.of(FrictionMass<double>{1.0, .5, 1e-3, {}}));
  auto body = RigidBody<double>::of(edit(2), {edit(1), edit(2), edit(3), edit(.1), edit(.2), edit(.3)});
  for (double& g : body.gravity.x) g = edit(g);
  const auto lump = world.add("lump", body);
  const auto arm =
      world.add_arm("arm", {{edit(1), edit(.5)}, {edit(.7), edit(.3)}}, {{edit(.1), 0}, {0, edit(.2)}}, {0, edit(-9.8)});
  const auto belt = world.add_given<1>("belt", [](double t) { return Port<double, 1>{t, 1}; });
  world.add("floor", edit.of(SingleState<double, 1, Stribeck>{}), Line<double>{edit(.1)}, block, ground, edit(3));
  world.add("bristles", edit.of(Multistate<double, dynamic>(3)), between(other, belt));
  world.add("gms", edit.of(Gms<double, 2>(2)), between(puck, ground));
  world.add("bumper", edit.of(NonlinearCompliance<>{}), between(other, block));
  world.add("spring", edit.of(Spring<>{100, 1, 2}), between(other, block));
  world.add("joint", edit.of(LuGre<>{}), between(World::joint(arm, 2), ground));
  BallPlane<double> plane;
  plane.radius = .1;
  world.add("ground", edit.of(FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>{}), edit.of(plane), lump, ground);
  world.add("pin", edit.of(Hinge<>{}), lump, ground);
}

/// Whether a checkpoint of one world is taken by another.
template <class One, class Other>
bool accepts(One&& build, Other&& build_other) {
  const std::string path = testing::file("other_world");
  World world, other;
  build(world);
  build_other(other);
  const RunOptions options{.duration = 2, .method = "dopri5"};  // the set-up checks have little to say about it
  asperity::Run(world, options).save(path);
  const std::string said = refusal(other, options, path);
  EXPECT_TRUE(said.empty() || said.ends_with("it is of another world")) << said;
  std::filesystem::remove(path);
  return said.empty();
}

TEST(CheckpointRefused, WhateverNumberDiffers) {
  const auto plain = [](World& world) {
    Edit none;
    build_many_kinds(world, none);
  };
  EXPECT_TRUE(accepts(plain, plain));
  Edit all;
  World counted;
  build_many_kinds(counted, all);
  EXPECT_GT(all.count, 90);
  for (int k = 0; k < all.count; ++k) {
    EXPECT_FALSE(accepts(plain,
                         [&](World& world) {
                           Edit edit{k};
                           build_many_kinds(world, edit);
                         }))
        << "number " << k;
  }
}

// What is not a number: names, laws that start alike, which body, pushes and courses that differ for a while, late or at once.
TEST(CheckpointRefused, WhateverElseDiffers) {
  using Course = double (*)(double);
  const Course swing = [](double t) { return std::sin(t); }, steady = [](double) { return 1.0; };
  struct What {
    const char* name = "one";
    bool swapped = false, other_law = false;
    std::size_t pushed = 0;
    Course push = nullptr, speed = nullptr;
  };
  const auto build = [=](What what) {
    if (!what.push) what.push = swing;
    if (!what.speed) what.speed = steady;
    return [what](World& world) {
      const std::array blocks{world.add(what.name, PointMass<double>{1.0}), world.add("two", PointMass<double>{1.0})};
      const auto belt = world.add_given<1>("belt", [=](double t) { return Port<double, 1>{t, what.speed(t)}; });
      Spring<> spring;
      spring.K = 10;
      world.add("spring", spring, between(blocks[what.swapped], ground));
      if (what.other_law) world.add("rub", Dahl<>{}, between(blocks[0], belt));
      else world.add("rub", SingleState<>{}, between(blocks[0], belt));
      world.push(blocks[what.pushed], 0, what.push);
    };
  };
  EXPECT_TRUE(accepts(build({}), build({})));
  EXPECT_FALSE(accepts(build({}), build({.name = "one "})));
  EXPECT_FALSE(accepts(build({}), build({.swapped = true})));
  EXPECT_FALSE(accepts(build({}), build({.other_law = true})));
  EXPECT_FALSE(accepts(build({}), build({.pushed = 1})));
  const auto pulse = [](double t) { return std::sin(t) + (t > 1.701 && t < 1.704 ? 1e-9 : 0); };  // 3 ms of 2 s
  EXPECT_FALSE(accepts(build({}), build({.push = pulse})));
  EXPECT_FALSE(accepts(build({}), build({.speed = [](double t) { return t > 1.9975 ? 1.1 : 1.0; }})));
  EXPECT_FALSE(accepts(build({}), build({.push = [](double t) { return t == 0 ? 1 : std::sin(t); }})));
  EXPECT_FALSE(accepts(build({}), build({.push = [](double t) { return std::sin(t) + std::sin(504 * std::numbers::pi * t); }})));
}

}  // namespace
}  // namespace asperity::checkpoint_test
