// What is around the experiments: scenes, verdicts, threads, facts, page.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "asperity/report/report.hpp"
#include "asperity/reproduce/facts_json.hpp"
#include "asperity/reproduce/gallery.hpp"

namespace {

using namespace asperity;
using namespace asperity::reproduce;

Fact fact_of(double value) { return {"height", "m", value, Expectation{2, 0.5, reproduce::Source::closed_form, "g t^2/2"}}; }

TEST(Verdicts, TheToleranceIsAbsoluteAndNothingPassesWithoutANumber) {
  EXPECT_EQ(verdict(fact_of(2.5)), "passed");
  EXPECT_EQ(verdict(fact_of(1.5)), "passed");
  EXPECT_EQ(verdict(fact_of(2.5000001)), "failed");
  EXPECT_EQ(verdict(fact_of(std::nan(""))), "failed");
  EXPECT_EQ(verdict(fact_of(INFINITY)), "failed");
  EXPECT_EQ(verdict({"height", "m", std::nan("")}), "measured");
}

TEST(Experiments, HaveIdsPapersAndScenesOfTheirOwn) {
  std::set<std::string> ids;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(ids.insert(experiment.id).second) << experiment.id << " twice";
    EXPECT_NE(citation(experiment.paper), experiment.paper) << experiment.paper << " is not in docs/references.bib";
    EXPECT_GT(experiment.cost, 0) << experiment.id;
    for (const std::string* text : {&experiment.where, &experiment.title, &experiment.about})
      EXPECT_FALSE(text->empty()) << experiment.id;
    EXPECT_FALSE(experiment.scenes.empty()) << experiment.id;
  }
}

TEST(RunScene, ReadsAndRunsAsTheCommandLineDoes) {
  // 5/7 of the speed once it rolls: what was recorded, and the run itself.
  const Outcome run = run_scene("kikuuwe_yamamoto_simulation_1", {"run.duration=0.7", "run.step=5e-4"});
  EXPECT_NEAR(run["ball.velocity.x"].back(), 10.0 / 7, 1e-6);
  EXPECT_DOUBLE_EQ(run["ball.velocity.x"].back(), run.run->value("ball.velocity.x"));
  EXPECT_NEAR(run["time"].back(), 0.7, 1e-12);
}

template <class F>
std::string problem_of(F&& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(RunScene, SaysWhatIsWrong) {
  EXPECT_EQ(problem_of([] { run_scene("xiong2013_fig_3_5"); }),
            "no scene xiong2013_fig_3_5 among those of the papers; is it xiong2013_fig_3_4?");
  EXPECT_NE(problem_of([] { run_scene("xiong2013_fig_3_6", {"floor.K=-1"}); }).find("must be > 0"), std::string::npos);
  const Outcome run = run_scene("xiong2013_fig_3_6", {"run.duration=0.01"});
  EXPECT_EQ(problem_of([&] { (void)run["ball.positron"]; }), "no column ball.positron was recorded; is it ball.position?");
}

/// Experiments that count to different lengths, one that fails.
std::vector<Experiment> small_ones() {
  std::vector<Experiment> list;
  for (int i = 0; i < 8; ++i) {
    const auto bounce = [i] {
      Findings found;
      const Outcome run = run_scene("xiong2013_fig_3_6", {"run.duration=0.47", "let.alpha=" + std::to_string(0.002 + 0.001 * i)});
      found.facts = {{"restitution", "1", run.run->impacts().front().restitution()}};
      return found;
    };
    list.push_back({"bounce-" + std::to_string(i), "xiong2013", "here", "bounce", "", {}, bounce, 8.0 - i});
  }
  list.push_back({"broken", "xiong2013", "here", "broken", "", {}, []() -> Findings { throw std::runtime_error("no luck"); }, 3});
  return list;
}

TEST(CarryOut, TheNumberOfThreadsChangesNothing) {
  const auto list = small_ones();
  std::vector<const Experiment*> chosen;
  for (const Experiment& experiment : list) chosen.push_back(&experiment);
  const auto one = carry_out(chosen, 1);
  std::size_t last = 0;
  const auto three = carry_out(chosen, 3, [&](const Progress& now) { last = now.done; });
  EXPECT_EQ(last, list.size());
  EXPECT_EQ(facts_json(one), facts_json(three));
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(one[i].experiment, chosen[i]);
  EXPECT_TRUE(one.front().passed());
  EXPECT_FALSE(one.back().passed());
  EXPECT_EQ(one.back().failure, "no luck");
}

TEST(CarryOut, IsStoppedWithinAStepOfItsScenes) {
  std::vector<Experiment> list = small_ones();
  const auto for_ever = [] {
    run_scene("xiong2013_fig_3_6", {"run.duration=900"});
    return Findings{};
  };
  list.push_back({"for-ever", "xiong2013", "here", "for ever", "", {}, for_ever, 100});
  std::vector<const Experiment*> chosen;
  for (const Experiment& experiment : list) chosen.push_back(&experiment);
  std::size_t done = 0;
  const auto results = carry_out(
      chosen, 2, [&](const Progress& now) { done = now.done; }, [&] { return done + 1 == list.size(); });
  EXPECT_EQ(results.back().failure, "stopped");
  EXPECT_TRUE(results.front().passed());  // what was carried out stays
}

TEST(Facts, AsJson) {
  Experiment experiment{"drop", "xiong2013", "here", "drop", "", {}, {}, 1};
  Result result{&experiment};
  result.findings.facts = {fact_of(2.25), fact_of(3), {"depth", "m", std::nan("")}};
  EXPECT_FALSE(result.passed());
  const auto list = nlohmann::json::parse(facts_json({result}));
  ASSERT_EQ(list.size(), 3U);
  const nlohmann::json first{{"id", "drop"},
                             {"fact", "height"},
                             {"unit", "m"},
                             {"value", 2.25},
                             {"at", ""},
                             {"expected", 2.0},
                             {"tolerance", 0.5},
                             {"verdict", "passed"},
                             {"source", "closed form"},
                             {"from", "g t^2/2"},
                             {"doubts", nlohmann::json::array()},
                             {"doubted", ""}};
  EXPECT_EQ(list[0], first);
  EXPECT_EQ(list[1]["verdict"], "failed");
  EXPECT_TRUE(list[2]["value"].is_null());
  EXPECT_TRUE(list[2]["expected"].is_null());
  EXPECT_EQ(list[2]["verdict"], "measured");
}

// What a run doubts is explained, or the experiment has not passed.
TEST(Facts, DoubtsAreExplained) {
  Experiment experiment{"drop", "xiong2013", "here", "drop", "", {}, {}, 1};
  Result result{&experiment};
  result.findings.facts = {fact_of(2.25)};
  EXPECT_TRUE(result.passed());
  result.findings.doubts = {{"drop, run.step=1", Finding::Severity::note, "the step, 1 s, is too long"}};
  EXPECT_FALSE(result.passed());
  result.findings.doubted = "The step is that of the paper.";
  EXPECT_FALSE(result.passed());  // of which run?
  result.findings.excused = {{"run.step=1"}};
  EXPECT_TRUE(result.passed());
  result.findings.doubts.push_back({"drop, run.step=0.1", Finding::Severity::failure, "energy"});
  EXPECT_TRUE(result.findings.unexplained()->run.ends_with("=0.1"));
  result.findings.excused = {{"run.step=1"}, {"run.step=0.1"}};
  EXPECT_FALSE(result.passed());  // a failure has to be named
  result.findings.excused.back().worst = Finding::Severity::failure;
  EXPECT_TRUE(result.passed());
}

TEST(Gallery, IsAPageOfItsOwnWithTheCitation) {
  EXPECT_EQ(citation("xiong2013"),
            "Xiong, Xiaogang: Applications of differential algebraic inclusions to the modeling of friction and contact, Kyushu "
            "University, 2013");
  Experiment experiment{"drop", "xiong2013", "here", "drop </script>", "", {}, {}, 1};
  Result result{&experiment};
  result.findings.pictures = {{"a line", {}}};
  result.findings.pictures.front().figure.panels = {{"", {"t", "s"}, {"x", "m"}, {{"", {0, 1}, {0, 2}}}}};
  const std::string page = gallery_page({result});
  EXPECT_TRUE(is_own_page(page));
  EXPECT_NE(page.find("Kyushu University"), std::string::npos);
  EXPECT_EQ(page.find("drop </script>"), std::string::npos);  // it would end the script
}

}  // namespace
