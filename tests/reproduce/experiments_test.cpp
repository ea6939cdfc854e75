// Every experiment of the papers that takes seconds: all its facts are there, and every verdict is "passed".
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "asperity/reproduce/carry_out.hpp"
#include "independent.hpp"

namespace {

using namespace asperity::reproduce;

/// Longer ones are left to `make test-all`. Costs are those of an optimised build.
constexpr double most_seconds = 1;

/// "id: fact" lines of facts.txt, in their order.
std::vector<std::string> expected_facts(const std::string& id) {
  std::vector<std::string> facts;
  std::ifstream file(ASPERITY_EXPECTED_FACTS);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(id + ": ")) facts.push_back(line.substr(id.size() + 2));
  return facts;
}

class Papers : public testing::TestWithParam<const Experiment*> {};

/// Expectations from an independent implementation are what it says, to half their tolerance: they were not read off the program.
void expect_independent(const Experiment& experiment, const Findings& found) {
  auto numbers = independent::numbers(experiment.id);
  for (const Fact& fact : found.facts) {
    const auto known = numbers.find(fact.at.empty() ? fact.name : fact.name + ", " + fact.at);
    if (!fact.expected || known == numbers.end()) continue;
    if (fact.expected->source != Source::converged_run && fact.expected->source != Source::same_step) continue;
    EXPECT_NEAR(fact.expected->value, known->second, std::max(fact.expected->tolerance / 2, 1e-15)) << known->first;
  }
}

TEST_P(Papers, ComeOut) {
  const Experiment& experiment = *GetParam();
  take_doubts();
  const Findings found = experiment.carry_out();
  Findings judged = found;
  judged.doubts = take_doubts();
  EXPECT_EQ(judged.doubts.empty(), found.doubted.empty());
  const Doubt* doubt = judged.unexplained();
  EXPECT_EQ(doubt, nullptr) << doubt->line();
  for (const Excuse& excuse : judged.excused)
    EXPECT_TRUE(std::any_of(judged.doubts.begin(), judged.doubts.end(), [&](const Doubt& one) { return excuse.covers(one); }))
        << excuse.of_runs << ": nothing to excuse";
  std::vector<std::string> names;
  for (const Fact& fact : found.facts) {
    names.push_back(fact.at.empty() ? fact.name : fact.name + ", " + fact.at);
    if (fact.expected) {
      EXPECT_NE(verdict(fact), "failed") << names.back() << ": " << fact.value << " " << fact.unit << ", expected "
                                         << fact.expected->value << " within " << fact.expected->tolerance;
    }
  }
  EXPECT_EQ(names, expected_facts(experiment.id));
  expect_independent(experiment, found);
  ASSERT_FALSE(found.pictures.empty());
  for (const Picture& picture : found.pictures) {
    EXPECT_FALSE(picture.caption.empty());
    EXPECT_FALSE(picture.figure.panels.empty() && picture.figure.maps.empty());
    for (const auto& panel : picture.figure.panels)
      for (const auto& line : panel.lines) EXPECT_GT(line.x.size(), 1U) << panel.title << " " << line.label;
  }
}

std::vector<const Experiment*> those(bool quick) {
  std::vector<const Experiment*> list;
  for (const Experiment& experiment : experiments())
    if ((experiment.cost <= most_seconds) == quick) list.push_back(&experiment);
  return list;
}

std::string name_of(const testing::TestParamInfo<const Experiment*>& test) {
  std::string name = test.param->id;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Papers, testing::ValuesIn(those(true)), name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_Long, Papers, testing::ValuesIn(those(false)), name_of);  // reproduce.long

}  // namespace
