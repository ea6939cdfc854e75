// Runs that are stopped, killed, or find the disk full: what is on disk is readable, and a resumed run is the run that was not
// interrupted, byte for byte.
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "asperity/run/sink.hpp"
#include "asperity/run/table.hpp"
#include "cli/program.hpp"
#include "cli/scenes.hpp"
#include "sanitized.hpp"

namespace {

namespace fs = std::filesystem;

// A few seconds of work each, so that a run is caught on its way: the first checkpoint is saved after a second.
constexpr const char* until_killed = sanitized ? "12" : "300";
constexpr const char* until_stopped = sanitized ? "12" : "100";
constexpr const char* finite_step = sanitized ? "step = 1e-3" : "step = 1e-4";
constexpr const char* finite_rows = sanitized ? "every = 1e-3\n" : "every = 1e-2\n";
constexpr const char* finite_adaptive = sanitized ? "30" : "2000";

class Interrupted : public ProgramTest {
 protected:
  Interrupted() { write("long.toml", pushed_block("1e5", "step = 1e-3\nmax_steps = 1e9")); }

  fs::path at(const std::string& name) const { return folder_ / "work" / name; }

  /// Starts the program; its error output goes to a file, or to a terminal if there is one.
  pid_t start(const std::vector<std::string>& words, int terminal = -1) const {
    const pid_t child = fork();
    if (child != 0) return child;
    const int err = terminal >= 0 ? terminal : open((folder_ / "child_err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int out = open((folder_ / "child_out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (chdir(at("").c_str()) != 0 || dup2(err, STDERR_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) _exit(99);
    std::vector<char*> arguments{const_cast<char*>(ASPERITY_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(ASPERITY_PROGRAM, arguments.data());
    _exit(98);
  }
  static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  template <class Condition>
  static bool until(Condition&& condition) {
    for (int i = 0; i < 6000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  bool until_larger(const std::string& file, std::uintmax_t size) const {
    return until([&] {
      std::error_code none;
      const auto now = fs::file_size(at(file), none);
      return !none && now > size;
    });
  }
  /// Every number at every time.
  static asperity::Table table(const fs::path& path) {
    std::vector<std::string> problems;
    auto read = asperity::read_table(path.string(), problems);
    EXPECT_TRUE(read) << (problems.empty() ? "" : problems.front());
    return read ? *read : asperity::Table{};
  }
  static void expect_same(const asperity::Table& a, const asperity::Table& b) {
    ASSERT_EQ(a.columns.size(), b.columns.size());
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
      EXPECT_EQ(a.columns[c].quantity.name, b.columns[c].quantity.name);
      EXPECT_TRUE(a.columns[c].values == b.columns[c].values) << a.columns[c].quantity.name;
    }
  }

  /// Interrupts, looks at what is there, goes on to the end, and compares with a run that was left alone.
  void interrupt_and_resume(int signal, const std::string& data) {
    write("finite.toml", pushed_block(signal == SIGKILL ? until_killed : until_stopped, finite_step) + finite_rows);
    interrupt_and_resume(signal, data, "finite.toml");
  }
  void interrupt_and_resume(int signal, const std::string& data, const std::string& scene) {
    const bool hdf5 = data.ends_with(".h5");
    const std::string growing = hdf5 ? data + ".rows" : data;
    const pid_t child = start({"run", scene, "-o", "part", "--format", hdf5 ? "hdf5" : "csv", "--quiet"});
    ASSERT_TRUE(until_larger("part/" + growing, 150000));
    if (signal == SIGKILL) {  // not before a checkpoint was saved on the way
      const auto first = fs::last_write_time(at("part/checkpoint"));
      ASSERT_TRUE(until([&] { return fs::last_write_time(at("part/checkpoint")) != first; }));
      const auto size = fs::file_size(at("part/" + growing));
      ASSERT_TRUE(until_larger("part/" + growing, size));
    }
    kill(child, signal);
    EXPECT_EQ(wait_for(child), signal == SIGKILL ? -SIGKILL : 128 + signal);

    const asperity::Table part = table(at("part/" + data));
    ASSERT_GT(part.rows(), 100U);
    const std::string facts = read("part/summary.json");
    EXPECT_NE(facts.find("\"finished\": false"), std::string::npos);
    EXPECT_EQ(fs::exists(at("part/report.html")), signal != SIGKILL);
    EXPECT_EQ(run("report part").exit_code, 0);  // also of a run that was killed

    const Answer resumed = run("run --resume part");
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(resumed.err.find("continues from t = 0 s"), std::string::npos) << resumed.err;
    ASSERT_EQ(run("run " + scene + " -o whole --quiet --format " + (hdf5 ? "hdf5" : "csv")).exit_code, 0);
    if (!hdf5) {
      EXPECT_TRUE(read("part/data.csv") == read("whole/data.csv"));
    }
    expect_same(table(at("part/" + data)), table(at("whole/" + data)));
    EXPECT_EQ(read("part/scene.toml"), read("whole/scene.toml"));
    EXPECT_FALSE(fs::exists(at("part/checkpoint")));
    EXPECT_FALSE(fs::exists(at("part/data.h5.rows")));
    // The same facts, apart from how long it took.
    const auto without_time = [](std::string text) {
      const std::size_t begin = text.find("\"wall_seconds\""), finish = text.find('\n', begin);
      return text.erase(begin, finish - begin);
    };
    EXPECT_TRUE(without_time(read("part/summary.json")) == without_time(read("whole/summary.json")));
  }
};

TEST_F(Interrupted, ByCtrlC) { interrupt_and_resume(SIGINT, "data.csv"); }
TEST_F(Interrupted, ByTerminate) { interrupt_and_resume(SIGTERM, "data.csv"); }
TEST_F(Interrupted, ByAKill) { interrupt_and_resume(SIGKILL, "data.csv"); }

// An adaptive method saves only where it starts afresh anyway; what came after is done again.
TEST_F(Interrupted, WithAnAdaptiveMethod) {
  write("adaptive.toml", pushed_block(finite_adaptive, "method = \"dopri5\""));
  interrupt_and_resume(SIGKILL, "data.csv", "adaptive.toml");
}

TEST_F(Interrupted, InHdf5) {
  if (!asperity::has_hdf5()) GTEST_SKIP();
  interrupt_and_resume(SIGINT, "data.h5");
}
TEST_F(Interrupted, InHdf5ByAKill) {
  if (!asperity::has_hdf5()) GTEST_SKIP();
  interrupt_and_resume(SIGKILL, "data.h5");
}

TEST_F(Interrupted, SaysHowToGoOn) {
  const pid_t child = start({"run", "long.toml"});
  ASSERT_TRUE(until_larger("out/long/data.csv", 10000));
  const Answer other = run("run long.toml");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("asperity run: out/long: another run is writing there\n"), std::string::npos) << other.err;
  kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 130);
  const std::string err = read("../child_err");
  EXPECT_NE(err.find("; continue with: asperity run --resume out/long\n"), std::string::npos) << err;

  // Only with the scene that it was; and only once it is there.
  write("long.toml", pushed_block("1e5", "step = 5e-4\nmax_steps = 1e9"));
  const Answer changed = run("run long.toml --resume");
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_NE(changed.err.find("long.toml: is not the scene that was interrupted in out/long"), std::string::npos) << changed.err;
  const Answer set = run("run --resume out/long --set floor.K=6e3");
  EXPECT_EQ(set.exit_code, 2);
  EXPECT_NE(set.err.find("--set floor.K=6e3: changes the scene"), std::string::npos) << set.err;
  EXPECT_EQ(run("run --resume out/none").exit_code, 2);
  EXPECT_EQ(run("run --resume").exit_code, 2);
}

// A run goes on as it was started: what is there stays.
TEST_F(Interrupted, CannotBeChanged) {
  const pid_t child = start({"run", "long.toml", "-o", "long", "--quiet"});
  ASSERT_TRUE(until_larger("long/data.csv", 400000));
  kill(child, SIGINT);
  ASSERT_EQ(wait_for(child), 130);
  const std::vector<std::string> names{"checkpoint", "data.csv", "scene.toml", "summary.json", "report.html"};
  std::vector<std::string> before;
  for (const std::string& name : names) before.push_back(read("long/" + name));
  const Answer shorter = run("run --resume long --set run.duration=1");
  EXPECT_EQ(shorter.exit_code, 2);
  EXPECT_EQ(shorter.out, "");
  EXPECT_EQ(
      shorter.err,
      "asperity run: --set run.duration=1: changes the scene: a run continues as it was started; start again without --resume\n");
  const Answer elsewhere = run("run --resume long -o other");
  EXPECT_EQ(elsewhere.exit_code, 2);
  EXPECT_EQ(elsewhere.err, "asperity run: -o other: a run continues in its own folder, long\n");
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_TRUE(read("long/" + names[i]) == before[i]) << names[i];
}

TEST_F(Interrupted, AFinishedRunGetsItsReport) {
  write("short.toml", pushed_block("1"));
  ASSERT_EQ(run("run short.toml -o here --quiet").exit_code, 0);
  const std::string page = read("here/report.html");
  fs::remove(at("here/report.html"));
  EXPECT_EQ(run("run --resume here --quiet").exit_code, 0);
  EXPECT_TRUE(read("here/report.html") == page);
}

TEST_F(Interrupted, ShowsProgressOnATerminalOnly) {
  int terminal = -1, other = -1;
  ASSERT_EQ(openpty(&terminal, &other, nullptr, nullptr, nullptr), 0);
  const pid_t child = start({"run", "long.toml"}, other);
  close(other);
  std::string seen;
  ASSERT_TRUE(until([&] {
    char text[4096];
    const ssize_t size = ::read(terminal, text, sizeof text);
    if (size > 0) seen.append(text, static_cast<std::size_t>(size));
    return seen.find("times real time") != std::string::npos;
  }));
  EXPECT_NE(seen.find("  0 % [                        ] "), std::string::npos) << seen;
  EXPECT_NE(seen.find(" s of 100000 s  "), std::string::npos) << seen;
  EXPECT_NE(seen.find(" left  "), std::string::npos) << seen;
  kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 130);
  close(terminal);
}

// A trace of some seconds, stopped as soon as its bar is seen.
TEST_F(Interrupted, ATraceStopsAndWritesNothing) {
  int terminal = -1, other = -1;
  ASSERT_EQ(openpty(&terminal, &other, nullptr, nullptr, nullptr), 0);
  const pid_t child = start({"trace", "lugre", "--position", "sin(t) + sin(2*t) + sin(3*t) + sin(5*t)", "--duration", "200",
                             "--step", "1e-4", "--method", "rk4", "-o", "long.csv"},
                            other);
  close(other);
  std::string seen;
  const auto reads = [&](const char* wanted) {
    return until([&] {
      char text[4096];
      const ssize_t size = ::read(terminal, text, sizeof text);
      if (size > 0) seen.append(text, static_cast<std::size_t>(size));
      return seen.find(wanted) != std::string::npos;
    });
  };
  ASSERT_TRUE(reads(" % [")) << seen;
  kill(child, SIGINT);
  EXPECT_TRUE(reads("asperity trace: interrupted; nothing was written")) << seen;
  EXPECT_EQ(wait_for(child), 130);
  close(terminal);
  EXPECT_FALSE(fs::exists(at("long.csv")));
}

// The limit on the size of a file stands for a full disk: the write fails in the middle of a row.
class FullDisk : public Interrupted, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, FullDisk, testing::Values("csv", "hdf5"));

TEST_P(FullDisk, LeavesWhatFitted) {
  const std::string format = GetParam(), data = format == "csv" ? "data.csv" : "data.h5";
  if (format == "hdf5" && !asperity::has_hdf5()) GTEST_SKIP();
  write("short.toml", pushed_block(sanitized ? "6" : "10"));
  const Answer full = run("run short.toml -o part --quiet --format " + format, "ulimit -f 400 && ");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_NE(full.err.find(": cannot be written: File too large\n"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("continue with: asperity run --resume part\n"), std::string::npos) << full.err;
  const asperity::Table part = table(at("part/" + data));
  EXPECT_GT(part.rows(), 1000U);
  ASSERT_EQ(run("run --resume part --quiet").exit_code, 0);
  ASSERT_EQ(run("run short.toml -o whole --quiet --format " + format).exit_code, 0);
  expect_same(table(at("part/" + data)), table(at("whole/" + data)));
  const asperity::Table whole = table(at("whole/" + data));
  for (std::size_t i = 0; i < part.rows(); ++i)
    for (std::size_t c = 0; c < whole.columns.size(); ++c) ASSERT_EQ(part.columns[c].values[i], whole.columns[c].values[i]);
}

TEST_F(Interrupted, AFormerRunStaysIfTheNewOneCannotBegin) {
  write("short.toml", pushed_block("1"));
  ASSERT_EQ(run("run short.toml -o here --quiet").exit_code, 0);
  const std::string before = read("here/data.csv"), facts = read("here/summary.json");
  const auto names = files();
  const Answer full = run("run short.toml --set floor.K=6e3 -o here --quiet", "ulimit -f 0 && ");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_TRUE(read("here/data.csv") == before);
  EXPECT_EQ(read("here/summary.json"), facts);
  EXPECT_EQ(files(), names);
}

}  // namespace
