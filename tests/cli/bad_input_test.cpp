// What a tired engineer types: exit 2, one line a problem, with place, value and bound, and no file left behind.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "cli/program.hpp"

namespace {

class BadInput : public ProgramTest {
 protected:
  /// The whole error output, line by line; nothing on standard output, nothing in the folder.
  void expect(const std::string& words, const std::vector<std::string>& lines, int exit_code = 2) const {
    const auto before = files();
    const Answer answer = run(words);
    std::string expected;
    for (const std::string& line : lines) expected += line + "\n";
    EXPECT_EQ(answer.exit_code, exit_code) << words;
    EXPECT_EQ(answer.err, expected) << words;
    EXPECT_EQ(answer.out, "") << words;
    EXPECT_EQ(files(), before) << words;
  }
};

const std::string motion = " --velocity 'sin(t)' --duration 1 --step 1e-2 -o x.csv --plot x.svg";

TEST_F(BadInput, Parameters) {
  expect("trace lugre --set K=-1" + motion, {"asperity trace: K = -1 N/m: must be > 0"});
  expect("trace lugre --set K=nan" + motion, {"asperity trace: K = nan N/m: must be a finite number"});
  expect("trace lugre --set F_s=0.5" + motion, {"asperity trace: F_s = 0.5: must be >= F_c = 1"});
  expect("trace lugre --set Fs=2" + motion, {"asperity trace: --set Fs: unknown parameter; did you mean F_s?"});
  expect("trace lugre --set K" + motion, {"asperity trace: --set K: must be NAME=VALUE, for instance K=1e5"});
  expect("trace lugre --set K=1e5x" + motion, {"asperity trace: --set K=1e5x: \"1e5x\" is not a number"});
  expect("trace lugre --set K=" + motion, {"asperity trace: --set K=: \"\" is not a number"});
  expect("trace lugre --set K=1,2" + motion, {"asperity trace: --set K: 2 values given: must be 1"});
  expect("trace multistate --elements 2 --set lambda=0.1,0.8,0.1" + motion,
         {"asperity trace: lambda has 3 values: must have 2, one for each element"});
  expect("trace multistate --elements 2.5" + motion,
         {"asperity trace: --elements = 2.5: must be a whole number between 1 and 1000"});
  expect("trace lugre --elements 2" + motion, {"asperity trace: --elements = 2: lugre is not made of elements"});
  expect("trace hertz --elements 2 --position=-1e-3 --duration 1 --step 1e-2",
         {"asperity trace: --elements = 2: hertz is not made of elements"});
}

TEST_F(BadInput, Laws) {
  expect("trace lugrr" + motion, {"asperity trace: unknown law \"lugrr\"; did you mean lugre?"});
  expect("describe single-state", {"asperity describe: unknown law \"single-state\"; did you mean single_state?"});
  expect("describe zzzzzzzzzzzzzzz", {"asperity describe: unknown law \"zzzzzzzzzzzzzzz\"; `asperity laws` lists them"});
  expect("trace virtual_mass --method rk4" + motion,
         {"asperity trace: --method rk4: virtual_mass exists in sampled time only; use --method step"});
}

TEST_F(BadInput, Formulas) {
  const std::string rest = " --duration 1 --step 0.1 -o x.csv";
  expect("trace lugre --velocity '0.1*sin('" + rest, {"asperity trace: --velocity \"0.1*sin(\": position 9: unexpected end"});
  expect("trace lugre --velocity '2+*3'" + rest, {"asperity trace: --velocity \"2+*3\": position 3: unexpected \"*\""});
  expect("trace lugre --position '2*x'" + rest,
         {"asperity trace: --position \"2*x\": position 3: unknown name \"x\"; known are t, pi, e, "
          "sin, cos, exp, sqrt, abs, min, max, ..."});
  expect("trace lugre --velocity ''" + rest, {"asperity trace: --velocity \"\": the formula is empty"});
  expect("trace lugre --velocity 't=3'" + rest,
         {"asperity trace: --velocity \"t=3\": position 2: unexpected \"=\"; to compare, write =="});
  expect("trace lugre --velocity 't,3'" + rest,
         {"asperity trace: --velocity \"t,3\": position 2: unexpected \",\"; the decimal sign is a point"});
  expect("trace lugre --velocity '1/(t-0.5)'" + rest,
         {"asperity trace: at t = 0.5 s: velocity = inf m/s: must be a finite number"});
  expect("trace lugre --velocity t --load '-t'" + rest, {"asperity trace: at t = 0.1 s: load = -0.1: must be >= 0"});
}

TEST_F(BadInput, Times) {
  expect("trace lugre --velocity t --duration 1 --step 0", {"asperity trace: --step = 0 s: must be > 0"});
  expect("trace lugre --velocity t --duration -1 --step 1e-3", {"asperity trace: --duration = -1 s: must be > 0"});
  expect("trace lugre --velocity t --duration 1 --step 2", {"asperity trace: --step = 2 s: must be <= the duration = 1 s"});
  expect("trace lugre --velocity t --duration 1 --step abc", {"asperity trace: --step = \"abc\": must be a number"});
  expect("trace lugre --velocity t --duration inf --step 1", {"asperity trace: --duration = inf s: must be a finite number"});
  expect("trace lugre --velocity t --duration 1000 --step 1e-6",
         {"asperity trace: --step = 1e-06 s: makes 1e+09 rows in 1000 s: must be <= 1e+07 rows"});
  expect("trace lugre --velocity t", {"asperity trace: no --step given: the time between rows, in s",
                                      "asperity trace: no --duration given: how long to trace, in s"});
  expect("trace lugre --velocity t --duration 1 --step 0.1 --method rk5",
         {"asperity trace: --method rk5: must be step, rk4, euler, implicit or implicit2"});
}

TEST_F(BadInput, Motions) {
  const std::string rest = " --duration 1 --step 0.1 -o x.csv";
  expect("trace lugre" + rest,
         {"asperity trace: no motion given: use --velocity, --position, --waypoints with --speed, or --input"});
  expect("trace lugre --velocity t --position t" + rest,
         {"asperity trace: --velocity and --position given: must be one motion only"});
  expect("trace lugre --waypoints 0,1" + rest, {"asperity trace: --waypoints: needs --speed, in m/s"});
  expect("trace lugre --waypoints 0,one --speed 1" + rest, {"asperity trace: --waypoints: \"one\" is not a number"});
  expect("trace lugre --waypoints 1,1 --speed 1" + rest,
         {"asperity trace: --waypoints 1,1: must have two different positions at least"});
  expect("trace lugre --waypoints 0,1 --speed -1" + rest, {"asperity trace: --speed = -1 m/s: must be > 0"});
  expect("trace lugre --velocity t --speed 1" + rest, {"asperity trace: --speed 1: needs --waypoints"});
  expect("trace lugre --position t --from 1" + rest, {"asperity trace: --from 1: needs a motion given by its velocity"});
  expect("trace lugre --velocity t --gap 1" + rest, {"asperity trace: --gap 1: lugre has no gap"});
  expect("trace hertz --position t --load 1" + rest, {"asperity trace: --load 1: hertz takes no load"});
}

TEST_F(BadInput, Files) {
  write("no_t.csv", "time,position\n0,0\n1,1\n");
  expect("trace lugre --input no_t.csv -o x.csv", {"asperity trace: no_t.csv:1: no column \"t\"; the columns are: time, position"});
  write("no_p.csv", "t,x\n0,0\n1,1\n");
  expect("trace lugre --input no_p.csv -o x.csv",
         {"asperity trace: no_p.csv:1: no column \"position\" or \"velocity\"; the columns are: t, x"});
  expect("trace hertz --input no_p.csv -o x.csv",
         {"asperity trace: no_p.csv:1: no column \"gap\" or \"gap_rate\"; the columns are: t, x"});
  write("bad.csv", "t,position\n0,0\n1,nan\n2,1,3\n1.5,1\n1.2,1\n3,x\n");
  expect("trace lugre --input bad.csv -o x.csv --plot x.svg",
         {"asperity trace: bad.csv:3: position = nan: must be a finite number",
          "asperity trace: bad.csv:4: 3 values: must be 2, one for each column",
          "asperity trace: bad.csv:6: t = 1.2 s: must be > 1.5 s, the time on line 5",
          "asperity trace: bad.csv:7: position = \"x\": must be a number"});
  write("empty.csv", "");
  expect("trace lugre --input empty.csv", {"asperity trace: empty.csv: empty: must have a header and rows of numbers"});
  write("short.csv", "t,position\n0,0\n");
  expect("trace lugre --input short.csv", {"asperity trace: short.csv: 1 rows of numbers: must be >= 2"});
  expect("trace lugre --input missing.csv", {"asperity trace: missing.csv: cannot read: No such file or directory"});
  write("uneven.csv", "t,position\n0,0\n1,1\n3,1\n");
  expect("trace lugre --input uneven.csv", {"asperity trace: no --step given: the time between rows, in s"});
  expect("trace lugre --input uneven.csv --step 1 --duration 4",
         {"asperity trace: --duration = 4 s: must be <= 3 s, the length of uneven.csv"});
  std::string many = "t,position\n";
  for (int i = 0; i < 50; ++i) many += std::to_string(i) + ",nan\n";
  write("many.csv", many);
  const Answer answer = run("trace lugre --input many.csv");
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 11);
  EXPECT_NE(answer.err.find("many.csv: 40 more problems\n"), std::string::npos) << answer.err;
}

TEST_F(BadInput, Outputs) {
  const std::string drive = "trace lugre --velocity t --duration 1 --step 0.1";
  expect(drive + " -o nowhere/x.csv", {"asperity trace: nowhere/x.csv: cannot write: No such file or directory"});
  expect(drive + " -o . --plot nowhere/x.svg", {"asperity trace: .: cannot write: is a folder",
                                                "asperity trace: nowhere/x.svg: cannot write: No such file or directory"});
  expect(drive + " -o x --plot x", {"asperity trace: x: cannot hold both the table (-o) and the picture (--plot)"});
  write("motion.csv", "t,position\n0,0\n0.1,1e-5\n");
  expect("trace lugre --input motion.csv -o motion.csv",
         {"asperity trace: -o motion.csv: must not be the file that --input reads"});
  expect(drive + " -o /dev/full", {"asperity trace: /dev/full: cannot write: No space left on device"}, 1);
}

TEST_F(BadInput, ADemoThatCannotBeWritten) {
  write("file", "");
  expect("demo -o file/folder", {"asperity demo: file/folder: cannot write: Not a directory"});
}

TEST_F(BadInput, AFullStandardOutputIsNoticed) {
  for (const char* words :
       {"laws", "laws --json", "describe lugre", "trace lugre --velocity t --duration 1 --step 0.1", "", "--help"}) {
    const std::string command = std::string("cd / && '" ASPERITY_PROGRAM "' ") + words + " > /dev/full 2> /dev/null";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << words;
  }
}

TEST_F(BadInput, AnExistingFileSurvivesAFailure) {
  write("x.csv", "precious");
  expect("trace lugre --velocity '1/(t-0.5)' --duration 1 --step 0.1 -o x.csv",
         {"asperity trace: at t = 0.5 s: velocity = inf m/s: must be a finite number"});
  EXPECT_EQ(read("x.csv"), "precious");
}

TEST_F(BadInput, Usage) {
  expect("trac", {"asperity: unknown command \"trac\"; did you mean trace?"});
  expect("trace", {"asperity trace: LAW is required"});
  expect("trace lugre --velocity t --duration 1 --stp 1", {"asperity trace: unknown option \"--stp\"; did you mean --step?"});
  expect("trace lugre --step", {"asperity trace: --step: its value is missing"});
  expect("trace lugre --step 1 --step 2", {"asperity trace: --step: given more than once"});
  expect("laws --jsn", {"asperity laws: unknown option \"--jsn\"; did you mean --json?"});
}

TEST_F(BadInput, EverythingAtOnce) {
  expect("trace lugre --set K=-1 --set Z=1 --velocity 'sin(' --duration -1 --step 0 --method x -o no/x.csv",
         {"asperity trace: --set Z: unknown parameter; known: F_c F_s v_s alpha K B D", "asperity trace: K = -1 N/m: must be > 0",
          "asperity trace: --method x: must be step, rk4, euler, implicit or implicit2",
          "asperity trace: --duration = -1 s: must be > 0", "asperity trace: --step = 0 s: must be > 0",
          "asperity trace: --velocity \"sin(\": position 5: unexpected end",
          "asperity trace: no/x.csv: cannot write: No such file or directory"});
}

}  // namespace
