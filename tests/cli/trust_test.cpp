// Exit codes follow: a set-up warning alone is 0, numbers that are wrong are 1, and every face says why.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace {

using Json = nlohmann::json;

/// A mass on a lossless spring of 5e5 N/m: w h = .7 at the default step.
const std::string spring = R"toml(title = "Spring"
[run]
duration = 1
step = 1e-3
[[body]]
name = "mass"
kind = "mass"
mass = 1
position = 0.1
[[element]]
name = "spring"
between = ["mass", "ground"]
law = "spring"
K = 5e5
[record]
every = 0.1
)toml";

class Trust : public ProgramTest {};

TEST_F(Trust, WrongNumbersAreExitOneEverywhere) {
  write("spring.toml", spring);
  for (const std::string method : {"rk4", "euler", "step", "rk4-lookahead", "implicit", "implicit2"}) {
    const Answer answer = run("run spring.toml --json -o out/" + method + " --set run.method=\"" + method + "\"");
    EXPECT_EQ(answer.exit_code, 1) << method;
    EXPECT_NE(answer.err.find("failed: energy: " + method), std::string::npos) << answer.err;
    const Json facts = Json::parse(answer.out);
    EXPECT_EQ(facts["verdict"], "failed") << method;
    ASSERT_FALSE(facts["findings"].empty());
    EXPECT_EQ(facts["findings"][0]["severity"], "failure");
    EXPECT_GT(facts["findings"][0]["value"], .05);
    EXPECT_NE(read("out/" + method + "/report.html").find("the largest energy of the run"), std::string::npos) << "not on the page";
  }
  EXPECT_NE(run("run spring.toml").out.find("WRONG: energy: rk4 lost"), std::string::npos);
  const Answer compared = run("compare spring.toml --set run.step=5e-4");
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_NE(compared.out.find("WRONG: energy: rk4 lost"), std::string::npos) << compared.out;
  // Read back, the doubts are still there.
  const Answer again = run("compare out/rk4 out/euler");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_NE(again.out.find("rk4: WRONG: energy"), std::string::npos) << again.out;
}

TEST_F(Trust, WhatIsIgnoredIsANoteAndStrictMindsNotes) {
  write("spring.toml", spring);
  const std::string ignore = "run spring.toml --set run.energy=\"ignore\" --set run.step=5e-4";
  const Answer answer = run(ignore + " --json");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(Json::parse(answer.out)["verdict"], "doubtful");
  EXPECT_EQ(run(ignore + " --strict").exit_code == 0, false);
  EXPECT_EQ(run("run spring.toml --set run.step=2e-5 --strict").exit_code, 0);
  EXPECT_EQ(run("run spring.toml --set run.energy=\"maybe\"").exit_code, 2);
}

// Half the step beside it tells the digits; w h = .0014 is good for about nine of them after 100 periods.
TEST_F(Trust, VerifyTellsDigits) {
  write("spring.toml", spring);
  const Answer fine = run("run spring.toml --set run.step=1e-5 --set run.verify=true");
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_NE(fine.out.find("verified by a run with half the step, 5 µs: fine"), std::string::npos) << fine.out;
  EXPECT_NE(fine.out.find("digits agree"), std::string::npos) << fine.out;
  const Answer wrong = run("run spring.toml --set run.verify=true --set run.energy=\"ignore\"");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.err.find("failed: verify: mass.position differs by"), std::string::npos) << wrong.err;
  const Answer deep = run("check spring.toml --deep");
  EXPECT_EQ(deep.exit_code, 1);
  EXPECT_NE(deep.out.find("spring.toml: failed"), std::string::npos) << deep.out;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "work" / "out" / "deep"));
  const Answer good = run("check spring.toml --deep --set run.step=1e-5 --json");
  EXPECT_EQ(good.exit_code, 0) << good.err;
  const Json facts = Json::parse(good.out);
  EXPECT_GE(facts["verification"]["columns"][0]["digits"], 4);
}

// LuGre forgets in F/(K |v|) = 2 us at 1 m/s: what steps of 1 ms make of it is told. With look-ahead the rows are right; but the
// force of its damping at the start, over before the first row, is between them. Short steps have nothing to say.
TEST_F(Trust, ATraceSaysThatItsStepIsTooLong) {
  const std::string lugre = "trace lugre --set K=5e5 --set F_c=1 --set F_s=1 --velocity 1 --duration 0.02 -o out.csv --step ";
  EXPECT_NE(run(lugre + "1e-3 --method rk4").err.find("too long for this motion"), std::string::npos);
  EXPECT_EQ(run(lugre + "1e-6 --method rk4").err.find("asperity trace:"), std::string::npos);
  const Answer ahead = run(lugre + "1e-3 --method step");
  EXPECT_EQ(ahead.exit_code, 0);
  EXPECT_NE(ahead.err.find("between the rows"), std::string::npos) << ahead.err;
}

// A device has no end, and no lines.
TEST_F(Trust, NothingIsReadWithoutBound) {
  for (const std::string command : {"plot /dev/zero -o z.svg", "trace lugre --input /dev/zero"}) {
    const Answer answer = run(command);
    EXPECT_EQ(answer.exit_code, 2) << command;
    EXPECT_NE(answer.err.find("byte 0"), std::string::npos) << answer.err;
  }
}

}  // namespace
