// A scene run into a folder and in memory: the same rows, progress, stop, resume.
#include "asperity/job/job.hpp"

#include <cstring>
#include <regex>
#include <stdexcept>

#include "asperity/laws.hpp"
#include "sanitized.hpp"
#include "scenes.hpp"

namespace asperity {
namespace {

namespace fs = std::filesystem;
using testing::scene_named;
using testing::text_in;
using End = JobOutcome::End;

/// Facts but for the time that it took.
std::string without_time(Facts facts) {
  facts.run.wall_seconds = 0;
  return to_json(facts);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

struct Case {
  const char* scene;
  std::vector<std::string> settings;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.scene; }

class JobOf : public testing::InFolder, public ::testing::WithParamInterface<Case> {};

TEST_P(JobOf, InMemoryIsTheSameAsInAFolder) {
  const auto scene = scene_named(GetParam().scene, GetParam().settings);
  const JobOutcome memory = run_job(*scene), folder = run_job(*scene, {.folder = at("run")});
  ASSERT_EQ(memory.end, End::finished);
  ASSERT_EQ(folder.end, End::finished);
  EXPECT_EQ(without_time(*memory.facts), without_time(*folder.facts));
  EXPECT_EQ(text_in(at("run/summary.json")), to_json(*folder.facts));
  std::vector<std::string> problems;
  const auto read = read_facts(at("run"), problems);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), to_json(*folder.facts));

  const auto table = read_table(at("run/data.csv"), problems);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->columns.size(), memory.data.columns.size());
  EXPECT_GT(memory.data.rows(), 1U);
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    EXPECT_EQ(table->columns[i].quantity.name, memory.data.columns[i].quantity.name);
    EXPECT_EQ(table->columns[i].quantity.unit, memory.data.columns[i].quantity.unit);
    EXPECT_TRUE(same_bits(table->columns[i].values, memory.data.columns[i].values)) << table->columns[i].quantity.name;
  }

  // Written later, the folder of a run in memory is the same.
  ASSERT_EQ(save_job(*scene, memory, at("later")), std::nullopt);
  for (const char* name : {"data.csv", "scene.toml"}) EXPECT_EQ(text_in(at("later/") + name), text_in(at("run/") + name)) << name;
  EXPECT_EQ(text_in(at("later/summary.json")), to_json(*memory.facts));
  const std::regex time("\"wall_seconds\":[^,}]*");
  EXPECT_EQ(std::regex_replace(text_in(at("later/report.html")), time, ""),
            std::regex_replace(text_in(at("run/report.html")), time, ""));
}

TEST_P(JobOf, GoesOnWhereItWasStopped) {
  const auto scene = scene_named(GetParam().scene, GetParam().settings);
  if (scene->verify) GTEST_SKIP() << "rows before the stop are not verified again";
  const JobOutcome whole = run_job(*scene, {.folder = at("whole")});
  int asked = 0;
  const JobOutcome part = run_job(*scene, {.folder = at("part"), .hooks = {.stop = [&] { return ++asked > 40; }}});
  ASSERT_EQ(part.end, End::stopped);
  EXPECT_TRUE(part.can_resume);
  EXPECT_FALSE(part.facts->run.finished);
  // What there is can be read and looked at.
  EXPECT_EQ(text_in(at("part/summary.json")), to_json(*part.facts));
  EXPECT_TRUE(fs::exists(at("part/report.html")));

  const JobOutcome rest = resume_job(at("part"));
  ASSERT_EQ(rest.end, End::finished) << (rest.problems.empty() ? "" : rest.problems[0]);
  EXPECT_EQ(without_time(*rest.facts), without_time(*whole.facts));
  EXPECT_EQ(text_in(at("part/data.csv")), text_in(at("whole/data.csv")));
  EXPECT_FALSE(fs::exists(at("part/checkpoint")));

  const JobOutcome again = resume_job(at("part"));  // it is finished: nothing changes
  EXPECT_TRUE(again.ok());
  EXPECT_EQ(to_json(*again.facts), to_json(*rest.facts));
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, JobOf,
    ::testing::Values(Case{"held_by_friction", {"run.duration=1", "run.step=1e-3"}},
                      Case{"held_by_friction", {"run.duration=0.2", "run.step=1e-3", "run.verify=true"}},
                      Case{"bouncing_ball", {"run.duration=0.6"}}, Case{"rolling_sphere", {"run.duration=0.1", "run.step=1e-3"}},
                      Case{"box_on_floor", {"run.duration=0.1"}}, Case{"inclusions/belt_and_spring", {"run.duration=0.5"}}),
    [](const auto& one) {
      return std::regex_replace(std::string(one.param.scene), std::regex("\\W"), "_") + std::to_string(one.index);
    });

class AJob : public testing::InFolder {};

TEST_F(AJob, IsStoppedWithinAStep) {
  const auto scene = scene_named("held_by_friction", {"run.step=1e-3"});
  for (const int steps : {0, 1, 17}) {
    int asked = 0;
    const JobOutcome part = run_job(*scene, {.hooks = {.stop = [&] { return asked++ == steps; }}});
    EXPECT_EQ(part.end, End::stopped);
    EXPECT_FALSE(part.can_resume);  // nothing was left that it could go on from
    EXPECT_EQ(part.facts->run.statistics.steps, steps);
    EXPECT_NEAR(part.facts->run.time, steps * 1e-3, 1e-12);
    EXPECT_EQ(part.data.rows(), steps == 0 ? 0U : std::size_t(steps) + 1);
    EXPECT_TRUE(part.problems.empty());
  }
}

TEST_F(AJob, SaysHowFarItIs) {
  const auto scene = scene_named("held_by_friction", {sanitized ? "run.step=1e-3" : "run.step=1e-4", "run.duration=4"});
  double before = 0, seconds = 0;
  int calls = 0;
  bool begun = false;
  JobOptions options;
  options.begun = [&](const asperity::Run& run) {
    begun = true;
    EXPECT_EQ(run.time(), 0);
  };
  options.hooks.progress = [&](const Progress& now) {
    EXPECT_TRUE(begun);
    EXPECT_GT(now.done, before);
    EXPECT_EQ(now.all, 4);
    EXPECT_GE(now.seconds, seconds);
    before = now.done, seconds = now.seconds;
    ++calls;
  };
  EXPECT_TRUE(run_job(*scene, options).ok());
  EXPECT_GT(calls, 0);
}

TEST_F(AJob, KeepsWhatThereIsWhenAHookThrows) {
  const auto scene = scene_named("held_by_friction", {"run.step=1e-3"});
  struct Mine {};
  int asked = 0;
  const JobOutcome part = run_job(*scene, {.hooks = {.stop = [&]() -> bool {
                                             if (++asked > 10) throw Mine();
                                             return false;
                                           }}});
  EXPECT_EQ(part.end, End::stopped);
  EXPECT_EQ(part.facts->run.statistics.steps, 10);
  ASSERT_TRUE(part.thrown);
  EXPECT_THROW(std::rethrow_exception(part.thrown), Mine);
}

// A world that is built in C++: a push that throws ends the run, not the program.
TEST_F(AJob, KeepsWhatThereIsWhenAnInputThrows) {
  bool gives_up = false;
  Scene scene;
  const BodyId block = scene.world.add("block", PointMass<double>{1.0});
  scene.world.push(block, 0, [&](double) {
    if (gives_up) throw std::logic_error("the controller gave up");
    return 1.0;
  });
  scene.run.step = 1e-3;
  int steps = -1;
  JobOptions options;
  options.hooks.stop = [&] {
    gives_up = ++steps == 50;
    return false;
  };
  const JobOutcome part = run_job(scene, options);
  EXPECT_EQ(part.end, End::failed);
  ASSERT_TRUE(part.facts);
  EXPECT_NEAR(part.facts->run.time, 0.05, 1e-12);
  EXPECT_EQ(part.data.rows(), 51U);
  ASSERT_FALSE(part.problems.empty());
  EXPECT_EQ(part.problems[0], "the controller gave up");
  ASSERT_TRUE(part.thrown);
  EXPECT_THROW(std::rethrow_exception(part.thrown), std::logic_error);

  gives_up = true;  // already when it is looked at
  const JobOutcome none = run_job(scene);
  EXPECT_EQ(none.end, End::refused);
  EXPECT_EQ(none.problems, std::vector<std::string>{"the controller gave up"});
  EXPECT_THROW(std::rethrow_exception(none.thrown), std::logic_error);
}

// The second run of a verification hears the same hook.
TEST_F(AJob, IsStoppedWhileItIsVerified) {
  for (const char* method : {"rk4", "dopri5"}) {
    const auto scene =
        scene_named("held_by_friction", {std::string("run.method=") + method, "run.verify=true", "record.every=0.5"});
    int asked = 0;
    const JobOutcome part = run_job(*scene, {.hooks = {.stop = [&] { return ++asked > 3000; }}});
    EXPECT_EQ(part.end, End::stopped);
    EXPECT_LT(asked, 3100) << method;
  }
}

TEST_F(AJob, IsRefusedBeforeAnythingIsWritten) {
  const auto scene = scene_named("bouncing_ball");
  fs::create_directories(at("mine"));
  std::ofstream(at("mine/notes.txt")) << "mine";
  const JobOutcome refused = run_job(*scene, {.folder = at("mine"), .format = "xml"});
  EXPECT_EQ(refused.end, End::refused);
  EXPECT_FALSE(refused.facts);
  ASSERT_EQ(refused.problems.size(), 2U);
  EXPECT_EQ(refused.problems[0], "format xml: must be csv or hdf5");
  EXPECT_NE(refused.problems[1].find("holds notes.txt, which no run wrote"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(at("mine")), fs::directory_iterator()), 1);
  EXPECT_EQ(resume_job(at("nowhere")).end, End::refused);

  const auto coarse = scene_named("held_by_friction", {"run.step=4e-3", "record.every=4e-3"});
  const JobOutcome strict = run_job(*coarse, {.folder = at("new"), .strict = true});
  EXPECT_EQ(strict.end, End::refused);
  EXPECT_FALSE(strict.problems.empty());
  EXPECT_FALSE(fs::exists(at("new")));
}

TEST_F(AJob, SaysWhatIsHeld) {
  // At 3 s the block is held again; at 1.2 s it slides; a ball in the air touches nothing.
  const auto mode = [](const std::string& name, const std::string& until) {
    const JobOutcome done = run_job(*scene_named(name, {"run.duration=" + until, "run.step=1e-3"}));
    EXPECT_EQ(done.held.size(), 1U);
    return done.held.empty() ? Mode::none : done.held[0].mode;
  };
  EXPECT_EQ(mode("held_by_friction", "0.5"), Mode::held);
  EXPECT_EQ(mode("held_by_friction", "1.5"), Mode::slipping);
  EXPECT_EQ(mode("held_by_friction", "4"), Mode::held);
  EXPECT_EQ(mode("bouncing_ball", "0.1"), Mode::open);
}

TEST_F(AJob, DoesNotDependOnTheThreads) {
  const auto scene = scene_named("box_on_floor", {"run.duration=0.05"});
  const JobOutcome one = run_job(*scene, {.threads = 1}), two = run_job(*scene, {.threads = 2});
  for (std::size_t i = 0; i < one.data.columns.size(); ++i)
    EXPECT_TRUE(same_bits(one.data.columns[i].values, two.data.columns[i].values));
}

}  // namespace
}  // namespace asperity
