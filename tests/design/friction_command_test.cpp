// `asperity design friction` and `asperity design scene` as a user calls them.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace {

class DesignCommand : public ProgramTest {
 protected:
  /// Refused: one line a problem, nothing else.
  void expect(const std::string& words, const std::string& lines) const {
    const auto before = files();
    const Answer answer = run("design " + words);
    EXPECT_EQ(answer.exit_code, 2) << words;
    EXPECT_EQ(answer.err, lines) << words;
    EXPECT_EQ(answer.out, "") << words;
    EXPECT_EQ(files(), before) << words;
  }
};

TEST_F(DesignCommand, FrictionAsPromised) {
  const Answer answer =
      run("design friction --limit '5 N' --mass '1000 g' --step '0.1 ms' --hold-displacement '10 um' --shake 2:50 --mean 1 --json");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const auto facts = nlohmann::json::parse(answer.out);
  EXPECT_NEAR(facts["parameters"]["K"].get<double>(), 5e5, 1);
  EXPECT_TRUE(facts["delivers"].get<bool>());
  EXPECT_NEAR(facts["simulated"]["displacement"].get<double>(), 1e-5, 1e-8);
  EXPECT_EQ(facts["simulated"]["slip"].get<double>(), 0);
  EXPECT_NEAR(facts["simulated"]["force"].get<double>(), facts["predicted"]["force"].get<double>(), .01);
}
TEST_F(DesignCommand, TheStepThatIsAdvisedWillDo) {
  expect("friction --limit 5 --mass 1 --step 1e-3 --hold-displacement '1 um'",
         "asperity design friction: --hold-displacement = 1 µm: a step of 1 ms allows 1.33 µm on 1 kg; use --step 869 µs or --mass "
         "1.33 kg\n");
  EXPECT_EQ(run("design friction --limit 5 --mass 1 --step '869 us' --hold-displacement '1 um'").exit_code, 0);
  EXPECT_EQ(run("design friction --limit 5 --mass 1.33 --step 1e-3 --hold-displacement '1 um'").exit_code, 0);
}
TEST_F(DesignCommand, FrictionBadInput) {
  expect("friction --mass -1 --step 1mm --method rk5 --shake 2 --mean 1",
         "asperity design friction: no --limit given: the force at which it slides, in N\n"
         "asperity design friction: --mass = -1 kg: must be > 0\n"
         "asperity design friction: --step = \"1mm\": is a length (m): must be s\n"
         "asperity design friction: --method = \"rk5\": must be rk4, rk4-lookahead, euler or step; did you mean rk4?\n"
         "asperity design friction: --shake = \"2\": must be AMPLITUDE:FREQUENCY, in N and rad/s, for instance 0.5:100\n");
  expect("friction --limit 0.5 --mass 1 --step 1e-3 --shake 0.15:100 --mean 0.35",
         "asperity design friction: --shake = 150 mN at 100 rad/s around 350 mN: goes up to 500 mN: --limit = 500 mN cannot hold "
         "it; use --limit "
         "512 mN\n");
}

const std::string draft = R"([run]
duration = 0.1
step = 1e-4
[[body]]
name = "block"
kind = "mass"
mass = 1
[[element]]
name = "floor"    # stays
between = ["block", "ground"]
law = "single_state"
F = 0.5
K = "design"
beta = "design"
)";

TEST_F(DesignCommand, SceneWrittenRunsStrictly) {
  write("draft.toml", draft);
  EXPECT_EQ(run("run draft.toml").exit_code, 2);
  const Answer answer = run("design scene draft.toml --write block.toml");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_NE(answer.out.find("wrote block.toml"), std::string::npos);
  EXPECT_NE(read("block.toml").find("name = \"floor\"    # stays"), std::string::npos);
  EXPECT_EQ(run("run block.toml --strict --quiet").exit_code, 0);
}
TEST_F(DesignCommand, SceneBadInput) {
  write("draft.toml", draft);
  expect("scene none.toml --write x.toml", "asperity design scene: none.toml: cannot be opened: No such file or directory\n");
  expect("scene draft.toml --write draft.toml",
         "asperity design scene: --write draft.toml: is the scene itself; its \"design\" words would be gone: give another name\n");
  expect("scene draft.toml --set floor.F=design --write x.toml",
         "asperity design scene: draft.toml: floor: F = \"design\": there is no rule for it: give it a number\n");
}

TEST_F(DesignCommand, WhatIsLeftOutIsWritten) {
  std::string text = draft;
  text.erase(text.find("K = "));
  write("bare.toml", text);
  EXPECT_EQ(run("design scene bare.toml --write block.toml").exit_code, 0);
  EXPECT_NE(read("block.toml").find("K = 378100000"), std::string::npos);  // 3.781 M/T^2
  EXPECT_EQ(run("run block.toml --strict --quiet").exit_code, 0);
}
TEST_F(DesignCommand, OptionsThatWouldDoNothingAreRefused) {
  expect("contact --restitution 0.5 --mass 1 --speed 1 --penetration 1e-3 --lambda 2",
         "asperity design contact: lambda = 2: linear_compliance has none\n");
  const Answer answer = run("restitution nonlinear_compliance --set gamma=1e7 --mass 1 --speed 1");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(answer.out, "");
  EXPECT_NE(answer.err.find("1 of 1 impacts could not be simulated to 1e-10"), std::string::npos) << answer.err;
}

}  // namespace
