// A study carried out: the same table from any number of threads, in memory, in shards, after any interruption; points that fail
// are in it; a changed study is refused.
#include "asperity/study/study.hpp"

#include <cmath>
#include <map>
#include <sstream>

#include "asperity/scene/scene.hpp"
#include "asperity/setup/checks.hpp"
#include "sanitized.hpp"
#include "setup/unread.hpp"
#include "study/scenes.hpp"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;
using End = StudyOutcome::End;
using testing::plan_of;
using testing::pushed_block;
using testing::text_in;
using testing::thrown_ball;

constexpr std::uint64_t pushes = sanitized ? 4 : 12, limits = sanitized ? 3 : 11, all_points = pushes * limits;

class Studies : public testing::InFolder {
 protected:
  Plan map(std::uint64_t count = pushes) const {
    return plan_of(pushed_block,
                   {.vary = {"let.push=0.3:0.7:" + std::to_string(count), "floor.F=0.4:0.6:" + std::to_string(limits)},
                    .measure = {"end=last(block.position)", "held=count(floor.slips) == 0"}});
  }
  std::string finished(const Plan& plan, StudyOptions options) const {
    const StudyOutcome outcome = run_study(plan, options);
    EXPECT_EQ(outcome.end, End::finished) << (outcome.problems.empty() ? "" : outcome.problems.front());
    return text_in(options.folder + "/table.csv");
  }
};

// Beyond the limit it begins to slide when the growing push reaches F, and is where the surplus takes it.
TEST_F(Studies, TheTableIsRight) {
  const Plan plan = map();
  const StudyOutcome outcome = run_study(plan);
  ASSERT_EQ(outcome.end, End::finished);
  ASSERT_EQ(outcome.results.size(), all_points);
  EXPECT_EQ(outcome.trust[0], all_points);
  const Points points(plan);
  std::vector<double> at(2);
  for (std::uint64_t i = 0; i < all_points; ++i) {
    points.at(i, at);
    const double over = at[0] - at[1];
    if (std::abs(over) < 0.03) continue;  // creeps into its asperities for most of the time
    EXPECT_EQ(outcome.results[i].measures[1], over < 0 ? 1 : 0) << at[0] << " " << at[1];
    const double ramp = .2, rest = .5 - ramp, slides = ramp * (1 - at[1] / at[0]);
    const double v = at[0] / (2 * ramp) * slides * slides, x = at[0] / (6 * ramp) * std::pow(slides, 3);
    EXPECT_NEAR(outcome.results[i].measures[0], over < 0 ? 0 : x + v * rest + over * rest * rest / 2, 5e-4)
        << at[0] << " " << at[1];
  }
}

TEST_F(Studies, SameBytesFromThreadsAndShards) {
  const Plan plan = map();
  const std::string one = finished(plan, {.folder = at("one"), .threads = 1});
  EXPECT_EQ(std::uint64_t(std::count(one.begin(), one.end(), '\n')), 1 + all_points);
  EXPECT_EQ(one, finished(plan, {.folder = at("two"), .threads = 2}));
  for (std::uint64_t shard = 5; shard >= 1; --shard) {
    const StudyOutcome part = run_study(plan, {.folder = at("five"), .shard = shard, .shards = 5});
    EXPECT_EQ(part.end, End::part);
  }
  EXPECT_EQ(run_study(plan, {.folder = at("five"), .merge = true}).run_now, 0U);
  EXPECT_EQ(one, text_in(at("five/table.csv")));
  if (fs::exists(at("one/table.h5"))) {
    EXPECT_EQ(text_in(at("one/table.h5")), text_in(at("two/table.h5")));
    EXPECT_EQ(text_in(at("one/table.h5")), text_in(at("five/table.h5")));
  }
  EXPECT_FALSE(fs::exists(at("five/chunks")));
}

TEST_F(Studies, MergeSaysWhatIsMissing) {
  const Plan plan = map();
  run_study(plan, {.folder = at("x"), .shard = 2, .shards = 3});
  const StudyOutcome outcome = run_study(plan, {.folder = at("x"), .merge = true});
  EXPECT_EQ(outcome.end, End::refused);
  ASSERT_EQ(outcome.problems.size(), 1U);
  const std::string missing = std::to_string(all_points * 2 / 3) + " of " + std::to_string(all_points) + " chunks are missing";
  EXPECT_NE(outcome.problems[0].find(missing), std::string::npos) << outcome.problems[0];
}

TEST_F(Studies, GoesOnAfterAStop) {
  const Plan plan = map();
  const std::string whole = finished(plan, {.folder = at("whole")});
  int calls = 0;
  StudyOptions options{.folder = at("part"), .threads = 2};
  options.hooks.stop = [&] { return ++calls > int(150 * all_points); };  // a point has 500 steps
  StudyOutcome outcome = run_study(plan, options);
  ASSERT_EQ(outcome.end, End::stopped);
  EXPECT_GT(outcome.done, 0U);
  EXPECT_LT(outcome.done, all_points);
  EXPECT_FALSE(fs::exists(at("part/table.csv")));
  // Not anew by mistake, and nothing else there.
  EXPECT_EQ(run_study(plan, {.folder = at("part")}).end, End::refused);
  EXPECT_EQ(run_study(map(pushes + 1), {.folder = at("part"), .resume = true}).end, End::refused);
  const std::uint64_t before = outcome.done;
  outcome = run_study(plan, {.folder = at("part"), .resume = true});
  EXPECT_EQ(outcome.run_now, all_points - before);
  EXPECT_EQ(whole, text_in(at("part/table.csv")));
  EXPECT_EQ(text_in(at("whole/study.toml")), text_in(at("part/study.toml")));
  // Finished: there is nothing to do.
  outcome = run_study(plan, {.folder = at("part"), .resume = true});
  EXPECT_EQ(outcome.end, End::finished);
  EXPECT_EQ(outcome.run_now, 0U);
}

TEST_F(Studies, DamagedChunksAreRunAgain) {
  const Plan plan = map();
  const std::string whole = finished(plan, {.folder = at("whole")});
  for (std::uint64_t shard = 1; shard <= 2; ++shard) run_study(plan, {.folder = at("x"), .shard = shard, .shards = 2});
  fs::resize_file(at("x/chunks/000003"), 40);
  std::fstream(at("x/chunks/000004"), std::ios::in | std::ios::out | std::ios::binary).seekp(70).put('!');
  fs::copy_file(at("x/chunks/000006"), at("x/chunks/000005"), fs::copy_options::overwrite_existing);
  const StudyOutcome outcome = run_study(plan, {.folder = at("x"), .resume = true});
  EXPECT_EQ(outcome.run_now, 3U);
  ASSERT_EQ(outcome.notes.size(), 1U);
  EXPECT_NE(outcome.notes[0].find("3 of the chunks"), std::string::npos);
  EXPECT_EQ(whole, text_in(at("x/table.csv")));
}

// The study in a folder is the study.
TEST_F(Studies, ReadsBackWhatItWrote) {
  for (const PlanOptions& options :
       std::vector<PlanOptions>{{.set = {"run.duration=0.1"},
       .vary = {"let.v=1:100:5:log", "ball.mass=1 kg,2000 g", "let.a=normal(0, 1, -1)", "let.b=lognormal(2, 0.3, 1, 4)",
                "let.c=uniform(-1, 1)"},
       .measure = {"end=last(ball.position)"},
       .samples = "3",
       .design = "latin",
       .seed = "7"},
                                {.vary = {"run.method=rk4,implicit2", "let.v=1,2,4"}, .measure = {"end=last(ball.position)"}},
                                {.measure = {"end=last(ball.position)"}}}) {
    const Plan plan = plan_of(thrown_ball, options);
    ASSERT_FALSE(plan.measures.empty());
    const std::string folder = at("s" + std::to_string(plan.points()));
    ASSERT_EQ(run_study(plan, {.folder = folder}).end, End::finished);
    std::vector<std::string> problems;
    const auto again = read_study(folder, problems);
    ASSERT_TRUE(again) << problems.front();
    EXPECT_EQ(to_toml(*again), to_toml(plan));
    EXPECT_EQ(identity_of(*again), identity_of(plan));
    const StudyOutcome a = run_study(plan), b = run_study(*again);
    for (std::size_t i = 0; i < a.results.size(); ++i) EXPECT_EQ(a.results[i].measures, b.results[i].measures);
  }
}

// Points that cannot be, that run away, that are doubtful: all in the table, with words.
TEST_F(Studies, NothingIsLost) {
  const Plan plan =
      plan_of(pushed_block, {.vary = {"floor.K=-1,1e4,1e9", "let.push=0.3,0.7"}, .measure = {"end=last(block.position)"}});
  const StudyOutcome outcome = run_study(plan, {.folder = at("x")});
  EXPECT_EQ(outcome.end, End::finished);
  EXPECT_EQ(outcome.trust[std::size_t(Trust::refused)], 2U);
  EXPECT_GE(outcome.trust[std::size_t(Trust::fine)], 2U);
  EXPECT_GE(outcome.trust[std::size_t(Trust::failed)] + outcome.trust[std::size_t(Trust::doubtful)], 1U);
  const std::string table = text_in(at("x/table.csv"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 7);
  EXPECT_NE(table.find("0,-1,0.3,nan,refused,"), std::string::npos) << table;
  EXPECT_NE(table.find("floor.K = -1 N/m: must be > 0"), std::string::npos) << table;
}

TEST_F(Studies, OnePoint) {
  const Plan plan = plan_of(thrown_ball, {.measure = {"end=floor(10*ball.position + 5.5)/10"}});
  EXPECT_EQ(plan.total(), "1 point");
  EXPECT_EQ(finished(plan, {.folder = at("x")}), "point,end,verdict,problem\n0,-2.5,fine,\n");
}

TEST_F(Studies, FoldersOfOthersAreLeftAlone) {
  fs::create_directories(at("x"));
  std::ofstream(at("x/mine.txt")) << "mine";
  const StudyOutcome outcome = run_study(map(), {.folder = at("x")});
  EXPECT_EQ(outcome.end, End::refused);
  EXPECT_NE(outcome.problems.front().find("holds other files"), std::string::npos);
  EXPECT_FALSE(fs::exists(at("x/study.toml")));
}

TEST(StudyPlan, SaysEverythingThatIsWrong) {
  const auto refused = [](const PlanOptions& options, const std::string& part) {
    std::vector<std::string> problems;
    EXPECT_FALSE(study::plan_of(pushed_block, "s.toml", options, problems)) << part;
    std::string all;
    for (const std::string& problem : problems) all += problem + "\n";
    EXPECT_NE(all.find(part), std::string::npos) << "expected: " << part << "\ngot: " << all;
  };
  const std::vector<std::string> end{"end=last(block.position)"};
  refused({.vary = {"flor.K=1,2"}, .measure = end}, "vary.flor.K = 1: there is no flor; did you mean floor?");
  refused({.vary = {"floor.KK=1,2"}, .measure = end}, "floor.KK");
  refused({.vary = {"let.nothing=1,2"}, .measure = end}, "there is no let.nothing");
  refused({.vary = {"floor.K"}, .measure = end}, "--vary floor.K: must be PATH=FROM:TO:COUNT");
  refused({.vary = {"floor.K=1:2:0"}, .measure = end}, "count = 0: must be a whole number between 1 and");
  refused({.vary = {"floor.K=1:2:2.5"}, .measure = end}, "count = 2.5: must be a whole number");
  refused({.vary = {"floor.K=1:2:1"}, .measure = end}, "count = 1: must be >= 2 to go from 1 to 2");
  refused({.vary = {"floor.K=-1:2:3:log"}, .measure = end}, "must be > 0 with log");
  refused({.vary = {"floor.K=1:2:3:lin"}, .measure = end}, "log = \"lin\": must be true or false");
  refused({.vary = {"floor.K=1 N:2 N:3"}, .measure = end}, "is a force (N): must be N/m");
  refused({.vary = {"floor.K=normal(1, 0)"}, .measure = end, .samples = "3"}, "sd = 0: must be > 0");
  refused({.vary = {"floor.K=normal(1)"}, .measure = end, .samples = "3"}, "sd is missing");
  refused({.vary = {"floor.K=uniform(2, 1)"}, .measure = end, .samples = "3"}, "low < high");
  refused({.vary = {"floor.K=gauss(2, 1)"}, .measure = end, .samples = "3"},
          "must have one of from, list, uniform, loguniform, normal, lognormal");
  refused({.vary = {"floor.K=normal(1e4, 1)"}, .measure = end}, "samples is missing");
  refused({.vary = {"floor.K=1,2"}, .measure = end, .samples = "10"}, "nothing is random");
  refused({.vary = {"floor.K=normal(1e4, 1)"}, .measure = end, .samples = "0"}, "samples = 0: must be a whole number between 1");
  refused({.vary = {"floor.K=normal(1e4, 1)"}, .measure = end, .samples = "3", .design = "sobl"}, "did you mean sobol?");
  refused({.vary = {"floor.K=1:2:100000", "floor.F=1:2:100000"}, .measure = end}, "1e+10 points: must be <= 1e+09");
  refused({.vary = {"floor.K=1,2"}}, "[measure] is missing");
  refused({.vary = {"floor.K=1,2"}, .measure = {"floor.K=last(block.position)"}}, "is the name of another column");
  refused({.vary = {"floor.K=-1,-2"}, .measure = end}, "vary.floor.K = -1: floor.K = -1 N/m: must be > 0");
  refused({.vary = {"floor.K=1,2"}, .measure = end, .sensitivity = "sobol"}, "needs random parameters");
  std::vector<std::string> problems;
  EXPECT_FALSE(study::plan_of("scene = \"nowhere.toml\"\nsampels = 3\n[vary]\n[measure]\na = 3\n", "s.toml", {}, problems));
  ASSERT_EQ(problems.size(), 4U) << problems.front();
  EXPECT_EQ(problems[0], "s.toml:2: sampels: unknown key; did you mean samples?");
  EXPECT_NE(problems[1].find("nowhere.toml: cannot be opened"), std::string::npos) << problems[1];
  EXPECT_NE(problems[2].find("s.toml:5: measure.a = 3: must be a formula in quotes"), std::string::npos) << problems[2];
  EXPECT_NE(problems[3].find("[measure] is missing"), std::string::npos) << problems[3];
}

// Of every part of a file, all at once: the keys, the settings, each parameter, the paths in the scene, each measure, the border.
TEST_F(Studies, TellsAllProblemsOfAFileAtOnce) {
  std::ofstream(at("block.toml")) << pushed_block;
  const std::string text = R"toml(scene = "block.toml"
sampels = 3
design = "sobl"
border = "hold"
[vary]
"flor.K" = [1, 2]
"floor.F" = { from = 1, to = "2 m", count = 3 }
"floor.beta" = { normal = 1, sd = 0 }
[measure]
a = "lst(block.position)"
b = "last(block.positon)"
c = 3
d = "last(block.position)*floor.F"
)toml";
  std::vector<std::string> problems;
  EXPECT_FALSE(study::plan_of(text, at("s.toml"), {}, problems));
  std::string all;
  for (const std::string& problem : problems) all += problem + "\n";
  for (const char* part :
       {":2: sampels: unknown key", ":3: design = \"sobl\": did you mean sobol?", ":7: vary.floor.F.to = \"2 m\"",
        ":8: vary.floor.beta.sd = 0: must be > 0", "vary.flor.K = 1: there is no flor; did you mean floor?",
        "measure a = \"lst(block.position)\"", "did you mean block.position?", ":12: measure.c = 3: must be a formula",
        "border = \"hold\": there is no measure of this name"})
    EXPECT_NE(all.find(part), std::string::npos) << "expected: " << part << "\ngot: " << all;
  EXPECT_EQ(problems.size(), 9U) << all;  // nothing twice, and no complaint that another one explains
}

// The warnings that a run asks for are there when nobody reads the others; strict checks are as ever.
TEST(StudyPoints, NeedFewWarnings) {
  const auto warnings = [](const std::string& text, bool strict = false) {
    std::vector<SceneProblem> problems;
    const auto scene = read_scene(text, "scene.toml", {}, problems);
    EXPECT_TRUE(scene) << (problems.empty() ? "" : problems.front().text);
    std::vector<std::string> texts;
    if (!scene) return texts;
    const RunOptions& run = scene->run;
    for (const Warning& one : check(scene->world, scene->world.start(),
                                    {.step = run.step, .method = run.method, .duration = run.duration, .strict = strict}))
      texts.push_back(one.text);
    return texts;
  };
  // An impact that the step is too long for, and a prescribed position that jumps.
  const std::string scene = R"toml(
[run]
duration = 1
step = 1e-3
[[body]]
name = "ball"
kind = "mass"
mass = 1
position = 0.1
velocity = -1
[[body]]
name = "hand"
kind = "prescribed"
position = "0.1*(t > 0.5)"
[[element]]
name = "floor"
between = ["ball", "ground"]
law = "linear_compliance"
K = 1e5
beta = 1e-3
alpha = 1e-4
)toml";
  const auto all = warnings(scene);
  const auto has = [](const std::vector<std::string>& list, const char* part) {
    return std::any_of(list.begin(), list.end(), [&](const std::string& text) { return text.find(part) != std::string::npos; });
  };
  ASSERT_TRUE(has(all, "floor: ")) << all.size();
  ASSERT_TRUE(has(all, "its prescribed position jumps"));
  {
    const WarningsUnread unread;
    const auto few = warnings(scene);
    EXPECT_TRUE(has(few, "its prescribed position jumps"));
    EXPECT_FALSE(has(few, "floor: "));
    EXPECT_THROW(warnings(scene, true), SetUpError);
  }
  EXPECT_EQ(warnings(scene), all);
}

TEST(StudyPlan, CommandOfAPoint) {
  const Plan plan = plan_of(pushed_block, {.set = {"run.duration=0.1"},
                                           .vary = {"let.push=0.1,0.3", "floor.law=single_state,lugre"},
                                           .measure = {"end=last(block.position)"}});
  EXPECT_EQ(command_of(plan, std::array{0.3, 1.}),
            "asperity run scene.toml --set run.duration=0.1 --set let.push=0.3 --set floor.law=lugre");
}

}  // namespace
}  // namespace asperity::study
