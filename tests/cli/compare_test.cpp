// compare: numbers that can be known beforehand.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.hpp"
#include "cli/scenes.hpp"

namespace {

namespace fs = std::filesystem;

class Compare : public ProgramTest {
 protected:
  static std::vector<std::string> words(const std::string& line) {
    std::vector<std::string> list;
    std::istringstream stream(line);
    for (std::string word; stream >> word;) list.push_back(word);
    return list;
  }
  /// The line of a part of the answer that starts with a name.
  static std::string line_of(const std::string& text, const std::string& part, const std::string& name) {
    const std::size_t at = text.find("  " + name + " ", text.find(part));
    return at == std::string::npos ? "" : text.substr(at + 2, text.find('\n', at) - at - 2);
  }
};

// kikuuwe_yamamoto, Fig. 8, and xiong2013, Fig. 3.4: under a load that swings below the limit LuGre drifts by 1.4425e-3 m/s and the
// single state holds.
TEST_F(Compare, LuGreDriftsBesideTheSingleState) {
  const Answer answer = run("compare '" ASPERITY_SCENES "/held_by_friction.toml' --laws single_state,lugre");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_TRUE(
      answer.out.starts_with("floor: single_state as in the scene\n"
                             "floor: lugre in place of single_state; K kept; F_c = F = 0.5, F_s = F = 0.5, B = K beta = 10; "
                             "defaults: v_s = 0.001, alpha = 2, D = 0\n"))
      << answer.out;
  const auto drift = words(line_of(answer.out, "drift over the second half, from 5 s", "block.position"));
  ASSERT_EQ(drift.size(), 5U) << answer.out;
  EXPECT_EQ(drift[2], "nm/s") << answer.out;
  EXPECT_NEAR(std::stod(drift[3]), 1.4425, 2e-3);
  EXPECT_EQ(drift[4], "mm/s");
  for (const char* file : {"compare.html", "compare.svg", "single_state/data.csv", "lugre/report.html"})
    EXPECT_TRUE(fs::exists(folder_ / "work" / "out/compare" / file)) << file;
  EXPECT_NE(read("out/compare/compare.svg").find(">lugre<"), std::string::npos);
}

// A drop from 1 m beside one from 1.21 m: 0.21 m apart as long as both fall, and never farther.
TEST_F(Compare, ASceneWithASetting) {
  write("ball.toml", falling_ball);
  const Answer answer = run("compare ball.toml --set ball.position=1.21 -o both");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(words(line_of(answer.out, "final values", "ball.position")).at(5), "210") << answer.out;
  EXPECT_NE(answer.out.find("  floor touch       1                   1\n"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("wrote both/compare.html, both/compare.svg\n"), std::string::npos);
}

TEST_F(Compare, ARunWithItselfIsEqual) {
  write("ball.toml", falling_ball);
  ASSERT_EQ(run("run ball.toml --quiet -o a").exit_code, 0);
  ASSERT_EQ(run("run ball.toml --quiet -o b --set run.step=5e-5").exit_code, 0);
  const Answer same = run("compare a a -o same");
  EXPECT_TRUE(same.out.starts_with("3 columns are equal, to the last bit\n")) << same.out;
  // With half the step: the same to the error of the method, and everything is compared.
  const Answer finer = run("compare a b -o finer");
  const auto line = words(line_of(finer.out, "final values", "ball.position"));
  ASSERT_GE(line.size(), 8U) << finer.out;
  EXPECT_EQ(line[1] + line[2], line[3] + line[4]);
}

// A block that nothing pushes stays where it is; with another start it is as far away as the start says, to the end.
TEST_F(Compare, SaysInJsonWhatDiffers) {
  write("still.toml",
        "[run]\nduration = 0.1\nstep = 1e-2\n[[body]]\nname = \"block\"\nkind = \"mass\"\nmass = 1\nposition = 0.5\n");
  const Answer answer = run("compare still.toml --set block.position=2 --json");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["runs"][1]["label"], "block.position=2");
  EXPECT_EQ(json["runs"][0]["verdict"], "fine");
  bool found = false;
  for (const auto& column : json["columns"])
    if (column["name"] == "block.position") {
      found = true;
      EXPECT_EQ(column["final"], nlohmann::json({0.5, 2.0}));
      EXPECT_EQ(column["largest_difference"], 1.5);
      EXPECT_EQ(column["unit"], "m");
    }
  EXPECT_TRUE(found) << answer.out;
}

TEST_F(Compare, OnlyAFormerComparisonIsReplaced) {
  write("ball.toml", falling_ball);
  ASSERT_EQ(run("run ball.toml --quiet -o a").exit_code, 0);
  fs::create_directory(folder_ / "work" / "mine");
  for (const std::string name : {"compare.html", "compare.svg"}) {
    write("mine/" + name, "precious");
    const Answer answer = run("compare a a -o mine");
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_EQ(answer.err, "asperity compare: mine: holds " + name + ", which no comparison wrote; choose another folder with -o\n");
    EXPECT_EQ(read("mine/" + name), "precious");
    fs::remove(folder_ / "work" / "mine" / name);
  }
  EXPECT_EQ(run("compare a a -o mine").exit_code, 0);
  write("mine/compare.svg", "");
  EXPECT_EQ(run("compare a a -o mine").exit_code, 0);
  EXPECT_NE(read("mine/compare.svg"), "");
}

TEST_F(Compare, RefusesWhatCannotBeCompared) {
  write("ball.toml", falling_ball);
  const auto refuses = [&](const std::string& command, const std::string& line) {
    const auto before = files();
    const Answer answer = run("compare " + command);
    EXPECT_EQ(answer.exit_code, 2) << command;
    EXPECT_EQ(answer.err, "asperity compare: " + line + "\n");
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(files(), before);
  };
  refuses("ball.toml", "ball.toml: with what? give a second scene, --laws or --set");
  refuses("ball.toml --laws lugre", "--laws lugre: no element of ball.toml has a friction law");
  refuses("ball.toml --laws kelvin_voigt --element flor",
          "--element flor: no such element with a contact law; did you mean floor?");
  refuses("ball.toml --laws kelvin_vogt", "unknown law \"kelvin_vogt\"; did you mean kelvin_voigt?");
  refuses("ball.toml --element floor --set ball.mass=2", "--element: needs --laws, for instance --laws single_state,lugre");
  refuses("none.toml ball.toml", "none.toml: cannot be opened: No such file or directory");
}

}  // namespace
