// run, check, plot, report, new: what they say, what they leave, what they refuse.
#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/run/sink.hpp"
#include "asperity/run/table.hpp"
#include "cli/program.hpp"
#include "cli/scenes.hpp"

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

class SceneCommands : public ProgramTest {
 protected:
  std::vector<std::string> inside(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / "work" / folder)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  /// Exit 2, these lines, nothing on standard output, nothing new on disk.
  void refuses(const std::string& words, const std::vector<std::string>& lines) const {
    const auto before = files();
    const Answer answer = run(words);
    std::string expected;
    for (const std::string& line : lines) expected += line + "\n";
    EXPECT_EQ(answer.exit_code, 2) << words;
    EXPECT_EQ(answer.err, expected) << words;
    EXPECT_EQ(answer.out, "") << words;
    EXPECT_EQ(files(), before) << words;
  }
};

// A scene from standard input is the scene of the file; a picture on standard output is the one in the file.
TEST_F(SceneCommands, ReadStandardInputAndWriteStandardOutput) {
  const std::string scene = "'" ASPERITY_SCENES "/held_by_friction.toml' ", cut = "--set run.duration=0.1 --set record.every=0.01 ";
  ASSERT_EQ(run("run " + scene + cut + "-o file --quiet").exit_code, 0);
  const Answer answer = run("run - " + cut + "-o piped --quiet < " + scene);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(read("piped/data.csv"), read("file/data.csv"));
  const auto without_name = [](const std::string& text) { return text.substr(text.find(": ")); };
  EXPECT_EQ(without_name(run("check - < " + scene).out), without_name(run("check " + scene).out));
  const Answer wrong = run("check - --set floor.K=-1 < " + scene);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("floor.K = -1"), std::string::npos) << wrong.err;

  ASSERT_EQ(run("plot file -o picture.svg").exit_code, 0);
  EXPECT_EQ(run("plot file -o -").out, read("picture.svg"));
  const std::string trace = "trace single_state --velocity 0.01 --duration 0.01 --step 1e-3";
  EXPECT_EQ(run(trace + " -o -").out, run(trace).out);
}

// Programs read the schema before anything else.
TEST_F(SceneCommands, EveryJsonHasTheSchema) {
  write("data.csv", "t,x\n0,1\n");
  const std::string scene = "'" ASPERITY_SCENES "/held_by_friction.toml' ", cut = "--set run.duration=0.1 --set record.every=0.01 ";
  for (const std::string& command : std::vector<std::string>{
           "run " + scene + cut + "--json", "check " + scene + "--json", "compare " + scene + cut + "--laws lugre --json",
           "design scene " + scene + "--json", "design contact --restitution 0.5 --mass 1 --speed 1 --penetration 1e-3 --json",
           "design friction --limit 1 --mass 1 --step 1e-3 --json", "restitution hertz --mass 1 --speed 1 --json",
           "trace hertz --position '-1e-3*t' --duration 0.1 --step 1e-3 --json", "laws --json", "describe lugre --json",
           "identify data.csv --law lugre --map time=t,position=x --json",
           "study " + scene + "--vary floor.K=1e4,2e4 --measure end='last(block.position)' --set run.duration=0.1 --json"}) {
    const Answer answer = run(command);
    const auto json = nlohmann::ordered_json::parse(answer.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << command << "\n" << answer.out << answer.err;
    EXPECT_EQ(json.begin().key(), "schema") << command;
    EXPECT_EQ(json["schema"], 1) << command;
  }
}

// On a terminal only, and not where NO_COLOR asks for none: what a program reads has no colours.
TEST_F(SceneCommands, HaveNoColoursInFiles) {
  const Answer answer = run("check '" ASPERITY_SCENES "/held_by_friction.toml'");
  EXPECT_NE(answer.err.find("warning: "), std::string::npos) << answer.err;
  EXPECT_EQ((answer.err + answer.out).find('\x1b'), std::string::npos);
}

// A refused step comes with one that is taken, of which the time is a whole number.
TEST_F(SceneCommands, ARefusedStepComesWithOneThatIsTaken) {
  write("ball.toml", falling_ball);
  for (const std::string step : {"0.00023", "7e-5", "0.00017", "0.011"}) {
    const Answer refused = run("check ball.toml --set record.every=0 --set run.step=" + step);
    EXPECT_EQ(refused.exit_code, 2) << step;
    const std::string use = "; use run.step = \"";
    const std::size_t at = refused.err.find(use);
    ASSERT_NE(at, std::string::npos) << refused.err;
    const std::size_t from = at + use.size(), to = refused.err.find('"', from);
    const std::string proposed = refused.err.substr(from, to - from);
    const Answer taken = run("check ball.toml --set record.every=0 --set run.step=" + proposed);
    EXPECT_EQ(taken.exit_code, 0) << proposed << ": " << taken.err;
  }
}

// A remark is not a doubt: the verdict is fine, and strict runs pass.
TEST_F(SceneCommands, ARemarkIsNoErrorOfAStrictRun) {
  write("block.toml",
        "[run]\nmethod = \"dopri5\"\nduration = 1\n[[body]]\nname = \"m\"\nkind = \"mass\"\nmass = 1\nvelocity = 1\n"
        "[[element]]\nname = \"floor\"\nbetween = [\"m\", \"ground\"]\nlaw = \"lugre\"\nF_c = 2\nF_s = 2\nK = 1e6\n");
  const Answer answer = run("run block.toml --strict");
  ASSERT_NE(answer.out.find("remark: energy"), std::string::npos) << answer.out;
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const Answer check = run("check block.toml --deep --strict");
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_TRUE(check.out.starts_with("block.toml: fine\n")) << check.out;
}

// Dropped from 1 m: it touches at sqrt(2/9.8) = 0.4518 s with sqrt(2 9.8) = 4.427 m/s, and the energies add up to 9.8 J.
TEST_F(SceneCommands, RunSaysWhatHappened) {
  write("ball.toml", falling_ball);
  const Answer answer = run("run ball.toml");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "Falling ball (xiong2013, Fig. 3.6)\n"
            "ball: bounced off floor once, with restitution 0.88\n"
            "0.6 s in 6000 steps, rk4\n"
            "\n"
            "what happened\n"
            "  0.45175 s  floor  touches at 4.427 m/s\n"
            "  0.46020 s  floor  releases at 3.896 m/s, restitution 0.880\n"
            "state at 0.6 s\n"
            "  ball.position       447.18 mm\n"
            "  ball.velocity       2.52575 m/s\n"
            "  floor.normal_force  0 N\n"
            "energy\n"
            "  kinetic            3.19 J\n"
            "  potential          4.382 J\n"
            "  stored             3.345e-13 J\n"
            "  dissipated         2.228 J\n"
            "  numerical damping  1.5 µJ (3.4e-07 of the largest above)\n"
            "files in out/ball: data.csv, scene.toml, summary.json, report.html\n");
  EXPECT_EQ(inside("out/ball"), (std::vector<std::string>{"data.csv", "report.html", "scene.toml", "summary.json"}));
  const auto table = table_of(read("out/ball/data.csv"));
  ASSERT_EQ(table.at("time").size(), 601U);
  for (std::size_t i = 0; table.at("time")[i] < 0.45; ++i) {  // free fall
    const double t = table.at("time")[i];
    EXPECT_NEAR(table.at("ball.position")[i], 1 - 4.9 * t * t, 1e-12);
  }
}

// The resolved scene gives the same run.
TEST_F(SceneCommands, TheResolvedSceneIsTheSameRun) {
  write("block.toml", pushed_block("5"));
  ASSERT_EQ(run("run block.toml --set floor.K='6 N/mm' --quiet").exit_code, 0);
  ASSERT_EQ(run("run out/block/scene.toml -o again --quiet").exit_code, 0);
  EXPECT_EQ(read("out/block/data.csv"), read("again/data.csv"));
  EXPECT_EQ(read("out/block/scene.toml"), read("again/scene.toml"));
}

TEST_F(SceneCommands, JsonHasEveryFact) {
  write("ball.toml", falling_ball);
  const Answer answer = run("run ball.toml --json");
  ASSERT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.out, read("out/ball/summary.json"));
  const Json facts = Json::parse(answer.out);
  std::vector<std::string> keys;
  const auto in_order = nlohmann::ordered_json::parse(answer.out);
  for (const auto& [key, value] : in_order.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema",       "asperity", "title",    "cite",    "scene",   "run",
                                            "failure",      "warnings", "notes",    "verdict", "motions", "findings",
                                            "verification", "events",   "impacts",  "final",   "energy",  "parameters",
                                            "bodies",       "elements", "left_out", "columns", "files"}));
  EXPECT_EQ(facts["schema"], 1);
  EXPECT_EQ(facts["run"]["steps"], 6000);
  EXPECT_EQ(facts["run"]["finished"], true);
  EXPECT_TRUE(facts["failure"].is_null());
  EXPECT_EQ(facts["events"]["count"], 2);
  EXPECT_NEAR(facts["events"]["list"][0]["time"].get<double>(), std::sqrt(2 / 9.8), 2e-8);
  EXPECT_NEAR(facts["impacts"][0]["impact_speed"].get<double>(), std::sqrt(2 * 9.8), 2e-4);
  EXPECT_NEAR(facts["energy"]["dissipated"].get<double>(), facts["energy"]["elements"][0]["dissipated"].get<double>(), 1e-12);
  EXPECT_EQ(facts["columns"][3], (Json{{"name", "floor.normal_force"}, {"unit", "N"}}));
  EXPECT_EQ(facts["final"].size(), 3U);
}

TEST_F(SceneCommands, QuietSaysNothing) {
  write("ball.toml", falling_ball);
  const Answer answer = run("run ball.toml --quiet -o x");
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.out + answer.err, "");
}

TEST_F(SceneCommands, BadScenesAreRefusedWithEveryProblem) {
  write("bad.toml", pushed_block("5", "step = 0\nmethod = \"rk5\""));
  const Answer answer = run("run bad.toml --set floor.Q=3 --format xls");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.out, "");
  for (const char* part : {"asperity run: --format xls: must be csv or hdf5\n", "bad.toml:4: ", "bad.toml:5: ", "floor.Q"})
    EXPECT_NE(answer.err.find(part), std::string::npos) << part << "\n" << answer.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"bad.toml"}));
  refuses("run none.toml", {"asperity run: none.toml: cannot be opened: No such file or directory"});
  refuses("run", {"asperity run: which scene? for instance: asperity run scenes/held_by_friction.toml"});
}

TEST_F(SceneCommands, WarningsAreErrorsIfStrict) {
  write("stiff.toml", pushed_block("5", "step = 1e-2"));
  const Answer warned = run("check stiff.toml");
  EXPECT_EQ(warned.exit_code, 0);
  EXPECT_TRUE(warned.err.starts_with("asperity check: warning: floor: step 10 ms is too long for beta = 2 ms: ")) << warned.err;
  EXPECT_TRUE(warned.out.starts_with("stiff.toml: 1 warning\n")) << warned.out;
  for (const char* command : {"check stiff.toml --strict", "run stiff.toml --strict"}) {
    const Answer strict = run(command);
    EXPECT_EQ(strict.exit_code, 2) << command;
    EXPECT_NE(strict.err.find("stiff.toml: floor: step 10 ms is too long"), std::string::npos) << strict.err;
    EXPECT_EQ(strict.out, "");
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"stiff.toml"}));
}

TEST_F(SceneCommands, CheckListsWhatTheSceneHolds) {
  write("ball.toml", falling_ball);
  const Answer answer = run("check ball.toml");
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "ball.toml: fine\n"
            "  bodies       1  ball (mass)\n"
            "  elements     1  floor (linear_compliance: ball - ground)\n"
            "  states       3\n"
            "  steps     6000  rk4 of 100 µs, 0.6 s\n"
            "  columns      4  every 1 ms\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"ball.toml"}));
  const Json facts = Json::parse(run("check ball.toml --json").out);
  EXPECT_EQ(facts["states"], 3);
  EXPECT_EQ(facts["steps"], 6000);
  EXPECT_TRUE(facts["problems"].empty());
  const Answer bad = run("check ball.toml --set ball.mass=-1 --json");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(Json::parse(bad.out)["problems"].size(), 1U) << bad.out;
}

// A motion that grows without bound: what there is of it is kept, and the report is written.
TEST_F(SceneCommands, AFailedRunKeepsItsData) {
  write("wild.toml", pushed_block("5", "step = 1e-3\nmethod = \"euler\"") +
                         "[[element]]\nname = \"spring\"\nbetween = [\"block\", \"ground\"]\nlaw = \"spring\"\nK = 1e9\n");
  const Answer answer = run("run wild.toml");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.err.find("asperity run: spring: not a finite number after t = "), std::string::npos) << answer.err;
  EXPECT_NE(answer.out.find("  numerical damping  not known\n"), std::string::npos) << answer.out;
  EXPECT_EQ(answer.out.find("nan"), std::string::npos) << answer.out;
  EXPECT_EQ(inside("out/wild"), (std::vector<std::string>{"checkpoint", "data.csv", "report.html", "scene.toml", "summary.json"}));
  const Json facts = Json::parse(read("out/wild/summary.json"));
  EXPECT_EQ(facts["failure"]["component"], "spring");
  EXPECT_EQ(facts["run"]["finished"], false);
}

// What is too large or too small for a rule is said in words.
TEST_F(SceneCommands, NoMessageSpeaksOfNan) {
  const std::string scenes = ASPERITY_SCENES;
  for (const std::string words :
       {"hand_pushes_ball.toml --set push.friction.beta=1e-300 --set run.method=euler",
        "papers/xiong2013_fig_5_4.toml --set let.gamma=1e-300",
        "two_balls.toml --set 'first.spin=[0, -1e300, 5]' --set run.method=step", "two_balls.toml --set contact.normal.K=1e308",
        "papers/xiong2013_fig_5_3.toml --set other.position=-1e300"}) {
    const Answer answer = run("check " + scenes + "/" + words);
    EXPECT_NE(answer.exit_code, 1) << words;
    for (const char* word : {"nan", " inf"})
      EXPECT_EQ((answer.err + answer.out).find(word), std::string::npos) << words << answer.err;
  }
}

// p'' = -k p keeps k p^2 + p'^2: |p| <= 1. Forward Euler multiplies it by sqrt(1 + k h^2) a step, 1e43 in 5 s. Where there is no
// energy balance the check of the step fails such a run, and a study of nothing else.
TEST_F(SceneCommands, AnInclusionThatGrowsWithoutBoundFails) {
  write("grow.toml",
        "[run]\nduration = 5\nstep = 1e-3\nmethod = \"euler\"\n[let]\nk = 40000\n[inclusion]\nstate = { p = 1, v = 0 }\n"
        "rate = { p = \"v\", v = \"-k*p\" }\n");
  const Answer answer = run("run grow.toml");
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_EQ(run("study grow.toml --vary let.k=40000,50000 --measure 'end=last(p)' -o many").exit_code, 1);
  EXPECT_EQ(run("run grow.toml --set run.method=rk4 --set run.step=1e-4 -o fine").exit_code, 0);
}

// A title could otherwise clear the screen, name the window, or type for the user.
TEST_F(SceneCommands, AFileDoesNotSteerTheTerminal) {
  std::string scene = pushed_block("0.1");
  scene.replace(scene.find("Pushed block"), 12, "Kr\u00e4fte \\u001b[2J\\u009b1m\\u007f");
  write("block.toml", scene);
  const Answer answer = run("run block.toml");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_TRUE(answer.out.starts_with("Kr\u00e4fte \\u001b[2J\\u009b1m\\u007f\n")) << answer.out;
  EXPECT_EQ(Json::parse(run("run block.toml --json").out)["title"], "Kr\u00e4fte \033[2J\u009b1m\177");
  write("words.csv", "t,x\n0,\033]0;me\a\xff\n");
  refuses("plot words.csv", {"asperity plot: words.csv:2: x = \"\\u001b]0;me\\u0007\uFFFD\": must be a number"});
}

TEST_F(SceneCommands, OnlyAFormerRunIsReplaced) {
  write("block.toml", pushed_block("1"));
  ASSERT_EQ(run("run block.toml --quiet").exit_code, 0);
  if (asperity::has_hdf5()) {
    ASSERT_EQ(run("run block.toml --quiet --format hdf5").exit_code, 0);
    EXPECT_EQ(inside("out/block"), (std::vector<std::string>{"data.h5", "report.html", "scene.toml", "summary.json"}));
  }
  write("out/block/notes.txt", "mine");
  refuses("run block.toml", {"asperity run: out/block: holds notes.txt, which no run wrote; choose another folder with -o"});
  fs::create_directory(folder_ / "work" / "mine");
  write("mine/data.csv", "t,x\n0,0\n");
  refuses("run block.toml -o mine",
          {"asperity run: mine: is not the folder of a run (no summary.json of one); choose another with -o"});
  refuses("run block.toml -o block.toml", {"asperity run: block.toml: must be a folder"});
  refuses("run block.toml -o .",
          {"asperity run: .: holds block.toml and 2 more, which no run wrote; choose another folder with -o"});
  EXPECT_EQ(read("mine/data.csv"), "t,x\n0,0\n");
  ASSERT_EQ(run("run block.toml -o again --quiet").exit_code, 0);
  refuses("run again/scene.toml -o again", {"asperity run: again: holds the scene itself; choose another folder with -o"});
}

TEST_F(SceneCommands, ReportIsWrittenAgain) {
  write("ball.toml", falling_ball);
  ASSERT_EQ(run("run ball.toml --quiet").exit_code, 0);
  const std::string page = read("out/ball/report.html");
  EXPECT_NE(page.find("Falling ball"), std::string::npos);
  write("out/ball/report.html", "");
  EXPECT_EQ(run("report out/ball").out, "wrote out/ball/report.html\n");
  EXPECT_EQ(read("out/ball/report.html"), page);
  refuses("report out", {"asperity report: out/summary.json: cannot read: No such file or directory"});
}

TEST_F(SceneCommands, PlotDrawsRunsAndFiles) {
  write("ball.toml", falling_ball);
  ASSERT_EQ(run("run ball.toml --quiet").exit_code, 0);
  EXPECT_EQ(run("plot out/ball").out, "wrote ball.svg\n");
  const std::string picture = read("ball.svg");
  for (const char* label : {"Falling ball", "ball.position [m]", "ball.velocity [m/s]", "floor.normal_force [kN]", "time [s]"})
    EXPECT_NE(picture.find(label), std::string::npos) << label;
  EXPECT_EQ(run("plot out/ball/data.csv -o same.svg").exit_code, 0);
  EXPECT_EQ(read("same.svg"), picture);
  EXPECT_EQ(run("plot out/ball --x ball.position --y 'ball.v*' -o loop.html").exit_code, 0);
  EXPECT_NE(read("loop.html").find("<html"), std::string::npos);

  write("ball.svg", "precious");
  refuses("plot out/ball", {"asperity plot: ball.svg: is there already; to replace it: -o ball.svg"});
  EXPECT_EQ(read("ball.svg"), "precious");
  EXPECT_EQ(run("plot out/ball -o ball.svg").exit_code, 0);
  EXPECT_EQ(read("ball.svg"), picture);

  write("any.csv", "t [s],pull [N],lift [N]\n0,1,2\n1,2,3\n");
  EXPECT_EQ(run("plot any.csv -o any.svg").exit_code, 0);
  const std::string any = read("any.svg");  // of one unit: one panel, with a legend
  for (const char* label : {"pull, lift [N]", ">pull<", ">lift<"}) EXPECT_NE(any.find(label), std::string::npos) << label;

  refuses("plot any.csv --y pul,lift", {"asperity plot: --y pul: no such column; did you mean pull?"});
  refuses("plot any.csv --x time", {"asperity plot: --x time: no such column; the columns are: t, pull, lift"});
  refuses("plot any.csv -o any.png", {"asperity plot: -o any.png: must end with .svg or .html, or be - for standard output"});
  refuses("plot none.csv", {"asperity plot: none.csv: cannot read: No such file or directory"});
  write("words.csv", "t,x\n0,one\n1\n");
  refuses("plot words.csv", {"asperity plot: words.csv:2: x = \"one\": must be a number",
                             "asperity plot: words.csv:3: 1 values: must be 2, one for each column"});
}

TEST_F(SceneCommands, NewIsASceneThatRuns) {
  EXPECT_EQ(run("new stick_slip").out, "wrote stick_slip.toml\nNext: asperity run stick_slip.toml\n");
  const Answer check = run("check stick_slip.toml --strict");
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_EQ(check.err, "");
  const Answer answer = run("run stick_slip.toml");
  EXPECT_EQ(answer.exit_code, 0);
  for (const char* words : {"floor  slips", "floor  sticks"}) EXPECT_NE(answer.out.find(words), std::string::npos) << answer.out;
  // What its comments say works.
  EXPECT_EQ(run("run stick_slip.toml --quiet --set let.mu=0.2 --set block.mass='500 g'").exit_code, 0);
  refuses("new stick_slip.toml", {"asperity new: stick_slip.toml: is there already"});
  fs::create_directory(folder_ / "work" / "sub");
  for (const auto& [typed, said] : {std::pair("", ""), std::pair("/", "/"), std::pair("sub/", "sub/"), std::pair("..", ".."),
                                    std::pair("a\nb", "a\nb"), std::pair("a\033[1mb", "a\\u001b[1mb"), std::pair("a\"b", "a\"b")})
    refuses("new '" + std::string(typed) + "'",
            {"asperity new: \"" + std::string(said) +
             "\": must be the name of a file without quotes, backslashes and control characters, for instance stick_slip"});
  refuses("new none/x", {"asperity new: none/x.toml: cannot write: No such file or directory"});
}

}  // namespace
