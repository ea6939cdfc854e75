// `asperity study`: killed at any time and resumed it has the same bytes; bad input is refused in words, and leaves nothing.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "cli/program.hpp"
#include "cli/scenes.hpp"
#include "sanitized.hpp"

namespace {

namespace fs = std::filesystem;

const std::string forces = sanitized ? "4" : "20", points = sanitized ? "24" : "120";

class StudyCommand : public ProgramTest {
 protected:
  StudyCommand() {
    write("block.toml", pushed_block("0.2", "step = 1e-3"));
    write("map.toml",
          "scene = \"block.toml\"\nsamples = 6\nseed = 3\n[vary]\n\"floor.F\" = { from = 0.3, to = 0.7, count = " + forces +
              " }\n"
              "\"block.mass\" = { normal = 1, sd = 0.1, low = 0.5 }\n[measure]\nend = \"last(block.position)\"\nslips = "
              "\"count(floor.slips)\"\n");
  }
  bool exists(const std::string& file) const { return fs::exists(folder_ / "work" / file); }
  /// Starts it in a process of its own.
  pid_t start(const std::vector<std::string>& words) const {
    const pid_t child = fork();
    if (child != 0) return child;
    const int none = open("/dev/null", O_WRONLY);
    if (chdir((folder_ / "work").c_str()) != 0 || dup2(none, STDERR_FILENO) < 0 || dup2(none, STDOUT_FILENO) < 0) _exit(99);
    std::vector<char*> arguments{const_cast<char*>(ASPERITY_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(ASPERITY_PROGRAM, arguments.data());
    _exit(98);
  }
};

TEST_F(StudyCommand, WritesWhatItSays) {
  const Answer answer = run("study map.toml");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.err.find("asperity study: " + forces + " x 6 samples = " + points + " points, 2 measures, on "),
            std::string::npos)
      << answer.err;
  EXPECT_NE(answer.out.find(points + " fine\n"), std::string::npos) << answer.out;
  for (const char* file : {"table.csv", "report.html", "study.toml", "scene.toml"})
    EXPECT_TRUE(exists(std::string("out/map/") + file)) << file;
  EXPECT_FALSE(exists("out/map/chunks"));
  EXPECT_EQ(read("out/map/scene.toml"), read("block.toml"));
  // The same without a file, and from what it left.
  ASSERT_EQ(run("study block.toml --vary floor.F=0.3:0.7:" + forces +
                " --vary 'block.mass=normal(1, 0.1, 0.5)' --samples 6 --seed 3 --measure "
                "'end=last(block.position)' "
                "--measure 'slips=count(floor.slips)' -o typed --page none --quiet")
                .exit_code,
            0);
  EXPECT_EQ(read("typed/table.csv"), read("out/map/table.csv"));
  EXPECT_FALSE(exists("typed/report.html"));
  ASSERT_EQ(run("study out/map/study.toml -o again --threads 1 --quiet").exit_code, 0);
  EXPECT_EQ(read("again/table.csv"), read("out/map/table.csv"));
  EXPECT_EQ(run("study --resume out/map").exit_code, 0);  // finished
  EXPECT_EQ(run("study map.toml --json").exit_code, 0);   // a finished one may be replaced
}

// The numbers of a point are those of its run.
TEST_F(StudyCommand, APointIsARun) {
  ASSERT_EQ(run("study block.toml --vary floor.F=0.3,0.45 --measure 'end=last(block.position)' -o s --quiet").exit_code, 0);
  ASSERT_EQ(run("run block.toml --set floor.F=0.45 -o r --quiet").exit_code, 0);
  const std::string study = read("s/table.csv");
  const std::string last = study.substr(study.rfind("\n1,") + 1), number = last.substr(7, last.find(",fine") - 7);
  const std::string data = read("r/data.csv");
  const std::string row = data.substr(data.rfind('\n', data.size() - 2) + 1);
  EXPECT_NE(row.find("," + number + ","), std::string::npos) << number << " in " << row;
}

// Twenty kills at random times; each loses the chunks in flight at most.
TEST_F(StudyCommand, KilledAndResumedHasTheSameBytes) {
  write("block.toml", pushed_block(sanitized ? "1" : "4", "step = 1e-3"));
  ASSERT_EQ(run("study map.toml -o whole --quiet").exit_code, 0);
  std::mt19937 random(7);
  int kills = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = start(i == 0 ? std::vector<std::string>{"study", "map.toml", "-o", "part", "--quiet"}
                                     : std::vector<std::string>{"study", "--resume", "part", "--quiet"});
    while (i == 0 && !exists("part/chunks/000000")) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % (sanitized ? 400 : 60)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    kills += WIFSIGNALED(status) ? 1 : 0;
  }
  EXPECT_GT(kills, 0);
  const Answer answer = run("study --resume part --quiet");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(read("part/table.csv"), read("whole/table.csv"));
  EXPECT_EQ(read("part/report.html"), read("whole/report.html"));
  if (exists("whole/table.h5")) {
    EXPECT_TRUE(read("part/table.h5") == read("whole/table.h5"));
  }
  for (const std::string& name : files()) EXPECT_EQ(name.find(".partial"), std::string::npos) << name;
}

TEST_F(StudyCommand, CtrlCSaysHowToGoOn) {
  write("block.toml", pushed_block("200", "step = 1e-3"));
  const pid_t child = start({"study", "map.toml", "-o", "part"});
  while (!exists("part/chunks")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(exists("part/table.csv"));
  const Answer anew = run("study map.toml -o part");
  EXPECT_EQ(anew.exit_code, 2);
  EXPECT_NE(anew.err.find("part: holds a study that is not finished; continue it: asperity study --resume part"), std::string::npos)
      << anew.err;
}

TEST_F(StudyCommand, ShardsMakeTheSameTable) {
  ASSERT_EQ(run("study map.toml -o whole --quiet").exit_code, 0);
  for (const char* shard : {"2/3", "1/3", "3/3"}) {
    const Answer answer = run(std::string("study map.toml -o parts --shard ") + shard);
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_NE(answer.out.find("join the shards with: asperity study --merge parts"), std::string::npos) << answer.out;
  }
  ASSERT_EQ(run("study --merge parts").exit_code, 0);
  EXPECT_EQ(read("parts/table.csv"), read("whole/table.csv"));
}

TEST_F(StudyCommand, RefusesWhatItCannotDo) {
  const auto refused = [&](const std::string& words, const std::string& part) {
    const Answer answer = run("study " + words);
    EXPECT_EQ(answer.exit_code, 2) << words;
    EXPECT_NE(answer.err.find(part), std::string::npos) << words << "\n" << answer.err;
    EXPECT_FALSE(exists("out")) << words;
  };
  refused("", "which study?");
  refused("nowhere.toml", "nowhere.toml: cannot be opened");
  refused("block.toml", "[measure] is missing");
  refused("map.toml --vary flor.F=1,2", "vary.flor.F = 1: there is no flor; did you mean floor?");
  refused("map.toml --measure 'x=lst(block.position)'", "did you mean last?");
  refused("map.toml --measure x", "--measure x: must be NAME=FORMULA");
  refused("map.toml --samples 0", "--samples 0: samples = 0: must be a whole number between 1 and 1e+09");
  refused("map.toml --shard 3/2", "--shard 3/2: must be I/N with 1 <= I <= N");
  refused("map.toml --shard x", "--shard x: must be I/N");
  refused("map.toml --threads 0", "--threads 0: must be a whole number between 1 and 1024");
  refused("map.toml --page pdf", "--page pdf: must be html or none");
  refused("map.toml --border end", "border = \"end\": must be a yes/no measure");
  refused("--resume nowhere", "nowhere: there is no study to continue");
  refused("--merge nowhere", "nowhere");
  refused("map.toml --vary 'floor.F=normal(1,0)'", "sd = 0: must be > 0");
  // A study that was changed.
  ASSERT_EQ(run("study map.toml -o part --shard 1/2 --quiet").exit_code, 0);
  refused("map.toml -o part --resume --seed 4", "part: holds another study");
  refused("--resume part --seed 4", "a study continues as it was started");
  EXPECT_EQ(run("study map.toml -o part --resume --quiet").exit_code, 0);
}

}  // namespace
