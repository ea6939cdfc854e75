// Write, read in a world built afresh, go on: the same run to the last bit. And what is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "run/worlds.hpp"

namespace asperity {
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

class Checkpoint : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Checkpoint, ::testing::Values("rk4", "rk4-lookahead", "euler", "step"), [](const auto& one) {
  std::string name = one.param;
  std::erase(name, '-');
  return name;
});

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
TEST(CheckpointOfAnAdaptiveMethod, ContinuesToTheLastBit) {
  const std::string csv = testing::file("adaptive.csv"), other_csv = testing::file("resumed.csv"), path = testing::file("adaptive");
  const RunOptions options{.duration = .2, .method = "dopri5"};
  Scene first(csv, options);
  first.steps_until(.147);
  first.run->save(path);
  std::filesystem::copy_file(csv, other_csv);
  ASSERT_TRUE(first.run->go());
  Scene second(other_csv, options);
  second.run->resume(path);
  ASSERT_TRUE(second.run->go());
  expect_same(*second.run, *first.run);
  EXPECT_EQ(content(csv), content(other_csv));
  for (const std::string& file : {csv, other_csv, path}) std::filesystem::remove(file);
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
  const std::string start = path + ": cannot go on from this checkpoint: ";
  EXPECT_EQ(refusal(softer, options, path), start + "it is of another world");
  EXPECT_EQ(refusal(named, options, path), start + "it is of another world");
  EXPECT_EQ(refusal(pushed, options, path), start + "it is of another world");
  EXPECT_EQ(refusal(same, {.duration = 2, .step = 5e-4}, path), start + "it was written with step 0.001, this run has 0.0005");
  EXPECT_EQ(refusal(same, {.duration = 2, .method = "euler"}, path), start + "it was written with method rk4, this run has euler");
  EXPECT_NE(refusal(same, options, path + ".none").find("cannot be read"), std::string::npos);

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

}  // namespace
}  // namespace asperity
