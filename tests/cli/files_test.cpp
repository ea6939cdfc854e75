// Files that were damaged, edited, linked elsewhere or written by others: a message in plain words, nothing lost, never a signal.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "asperity/run/sink.hpp"
#include "cli/program.hpp"
#include "cli/scenes.hpp"
#include "sanitized.hpp"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Words of libraries, which say nothing to a user.
void expect_plain_words(const Answer& answer, const std::string& what) {
  EXPECT_GE(answer.exit_code, 0) << what << ": ended by a signal";
  EXPECT_LE(answer.exit_code, 2) << what << ": " << answer.err;
  for (const char* raw :
       {"stod", "stoi", "json.exception", "filesystem error", "basic_string", "vector::", "std::", "bad_alloc", "[json"})
    EXPECT_EQ(answer.err.find(raw), std::string::npos) << what << ": " << answer.err;
  if (answer.exit_code != 0) {
    EXPECT_NE(answer.err, "") << what;
  }
}

class Files : public ProgramTest {
 protected:
  fs::path at(const std::string& name) const { return folder_ / "work" / name; }

  void run_fine(const std::string& command) const {
    const Answer answer = run(command);
    ASSERT_EQ(answer.exit_code, 0) << command << ": " << answer.err;
  }
  std::string header_of(const std::string& file) const {
    const std::string text = read(file);
    return text.substr(0, text.find('\n'));
  }
  /// A run that found the disk full: it can go on.
  void interrupt(const std::string& command) const {
    const Answer answer = run(command, "ulimit -f 200 && ");
    ASSERT_EQ(answer.exit_code, 1) << answer.err;
    ASSERT_NE(answer.err.find("--resume"), std::string::npos) << answer.err;
  }
  /// Stopped by Ctrl-C on its way, with a checkpoint behind some thousand rows.
  void interrupt_on_the_way(const std::string& command, const std::string& data) const {
    const std::string wait = "while [ \"$(stat -c %s " + data + " 2>/dev/null || echo 0)\" -lt 100000 ]; do sleep 0.02; done; ";
    const std::string line = "cd '" + at("").string() + "' && { '" ASPERITY_PROGRAM "' " + command + " 2> ../err & pid=$!; " +
                             wait + "kill -INT $pid; wait $pid; }";
    const int status = std::system(line.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 130) << read("../err");
  }
  /// Everything in a folder, by name.
  std::map<std::string, std::string> content(const std::string& folder) const {
    std::map<std::string, std::string> list;
    for (const auto& entry : fs::recursive_directory_iterator(at(folder)))
      if (entry.is_regular_file()) list[entry.path().string()] = read(fs::relative(entry.path(), at("")).string());
    return list;
  }
  /// Refused with a reason, and nothing was touched.
  void expect_refused(const std::string& command, const std::string& folder, const std::string& reason) const {
    const auto before = content(folder);
    const Answer answer = run(command);
    EXPECT_EQ(answer.exit_code, 2) << command << ": " << answer.err;
    EXPECT_NE(answer.err.find(reason), std::string::npos) << command << ": " << answer.err;
    expect_plain_words(answer, command);
    EXPECT_TRUE(content(folder) == before) << command;
  }
};

// --- columns ---------------------------------------------------------------------------------------------------------------------

TEST_F(Files, ColumnsThatOverlapAreWrittenOnce) {
  std::string scene = pushed_block(sanitized ? "3" : "10");
  const std::string asked = "columns = [\"block.*\", \"floor.*\"]";
  scene.replace(scene.find(asked), asked.size(),
                "columns = [\"block.velocity\", \"block.*\", \"*\", \"time\", \"block.velocity\", \"*\"]");
  write("twice.toml", scene);
  run_fine("check twice.toml");
  run_fine("run twice.toml -o csv --quiet");
  const std::string header = header_of("csv/data.csv");
  EXPECT_TRUE(header.starts_with("time,block.velocity,block.position,floor.")) << header;
  EXPECT_EQ(header.find("block.velocity", header.find("block.velocity") + 1), std::string::npos) << header;
  for (const std::string format : {"csv", "hdf5"}) {
    if (format == "hdf5" && !asperity::has_hdf5()) continue;
    interrupt("run twice.toml -o part --quiet --format " + format);
    run_fine("run --resume part --quiet");
    run_fine("run twice.toml -o whole --quiet --format " + format);
    const std::string data = format == "csv" ? "data.csv" : "data.h5";
    EXPECT_TRUE(read("part/" + data) == read("whole/" + data)) << format;
    run_fine("plot part -o part.svg");
    run_fine("report part");
    fs::remove_all(at("part")), fs::remove_all(at("whole"));
  }
}

// --- resume ----------------------------------------------------------------------------------------------------------------------

TEST_F(Files, AResumedRunIsTheOneThatWasInterrupted) {
  write("short.toml", pushed_block(sanitized ? "5" : "400", "step = 1e-3\nmethod = \"implicit2\"") +
                          (sanitized ? "every = 1e-3\n" : "every = 1e-2\n"));
  interrupt_on_the_way("run short.toml -o part --quiet", "part/data.csv");
  const std::string resume = "run --resume part --quiet";
  for (const std::string set : {"run.subdivide=false", "run.duration=20", "run.duration=1", "run.step=5e-4", "floor.K=6e3",
                                "record.columns='[\"block.*\"]'", "block.mass=2", "title=other"})
    expect_refused(resume + " --set " + set, "part", "changes the scene: a run continues as it was started");

  // The scene in the folder, between the times at which an input could be sampled.
  const std::string scene = read("part/scene.toml");
  std::string edited = scene;
  edited.replace(edited.find("0.6*sin(3*t)"), 12, "0.6*sin(3*t) + (t > 399.9015 && t < 399.9065 ? 1e-3 : 0)");
  write("part/scene.toml", edited);
  expect_refused(resume, "part", "the scene was changed since");
  write("part/scene.toml", scene + "# a word\n");
  expect_refused(resume, "part", "the scene was changed since");
  write("part/scene.toml", scene);

  // The facts of another version, or damaged ones.
  const std::string facts = read("part/summary.json");
  Json other = Json::parse(facts);
  other["asperity"] = "0.0.1";
  write("part/summary.json", other.dump());
  expect_refused(resume, "part", "was started by asperity 0.0.1");
  other = Json::parse(facts);
  for (const std::string name : {"../data.csv", "/etc/passwd", "", "..", "a/b", "."}) {
    other["files"]["data"] = name;
    write("part/summary.json", other.dump());
    for (const std::string command : {"run --resume part", "report part", "plot part -o x.svg", "compare part part"})
      expect_refused(command, "part", "files.data = \"" + name + "\": must be the name of a file in the same folder");
  }
  write("part/summary.json", facts);

  // Rows that were changed, doubled, taken away.
  const std::string data = read("part/data.csv");
  std::vector<std::size_t> line{0};
  for (std::size_t from = 0; (from = data.find('\n', from)) != std::string::npos;) line.push_back(++from);
  std::string digit = data;
  digit[line[9] - 2] = digit[line[9] - 2] == '3' ? '4' : '3';
  for (const std::string& text : {digit, data.substr(0, line[9]) + data.substr(line[8]),
                                  data.substr(0, line[8]) + data.substr(line[9]), data.substr(0, line[30]), std::string()}) {
    write("part/data.csv", text);
    expect_refused(resume, "part", "part/data.csv: cannot be continued: ");
  }
  fs::remove(at("part/data.csv"));
  expect_refused(resume, "part", "part/data.csv: cannot be continued: No such file or directory");
  write("outside.csv", data);
  fs::create_symlink(at("outside.csv"), at("part/data.csv"));
  const Answer linked = run(resume);
  EXPECT_NE(linked.exit_code, 0);
  EXPECT_NE(linked.err.find("is a symbolic link"), std::string::npos) << linked.err;
  EXPECT_TRUE(read("outside.csv") == data);
  fs::remove(at("part/data.csv"));

  // As it was, it goes on.
  write("part/data.csv", data);
  write("innocent", "untouched");
  fs::create_symlink(at("innocent"), at("part/checkpoint.new"));
  run_fine(resume);
  run_fine("run short.toml -o whole --quiet");
  EXPECT_TRUE(read("part/data.csv") == read("whole/data.csv"));
  EXPECT_EQ(read("innocent"), "untouched");
}

TEST_F(Files, ASetThatChangesNothingIsNoObstacle) {
  write("short.toml", pushed_block(sanitized ? "3" : "10"));
  interrupt("run short.toml -o part --quiet");
  run_fine("run --resume part --quiet --set run.step=1e-3 --set floor.K=5000");
}

// --- summary.json ----------------------------------------------------------------------------------------------------------------

/// Calls f(changed text, where) with each value of a document replaced by something of another kind, or taken away.
template <class F>
void each_misuse(const Json& whole, F&& f) {
  const Json flat = whole.flatten();
  std::vector<std::string> places;
  for (const auto& [place, value] : flat.items()) {
    places.push_back(place);
    for (std::size_t end = place.rfind('/'); end != std::string::npos && end > 0; end = place.rfind('/', end - 1))
      places.push_back(place.substr(0, end));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const std::vector<Json> others{nullptr, -7.5, "word", Json::array({1}), Json::object(), true};
  std::size_t next = 0;
  for (const std::string& place : places) {
    Json changed = whole;
    changed[Json::json_pointer(place)] = others[next++ % others.size()];
    f(changed.dump(), place);
  }
}

TEST_F(Files, FactsOfAnyFormAreReadOrRefused) {
  write("ball.toml", falling_ball + "\n");
  run_fine("run ball.toml -o ball --quiet");
  Json whole = Json::parse(read("ball/summary.json"));
  for (const char* list : {"final", "columns", "parameters", "elements", "bodies"})  // one of each is enough
    if (whole.contains(list) && whole[list].size() > 1) whole[list] = Json::array({whole[list][0]});
  std::size_t refused = 0, count = 0;
  each_misuse(whole, [&](const std::string& text, const std::string& place) {
    write("ball/summary.json", text);
    const std::string command = count % 3 == 0 ? "report ball" : count % 3 == 1 ? "plot ball -o x.svg" : "compare ball ball";
    const Answer answer = run(command);
    expect_plain_words(answer, command + " " + place);
    refused += answer.exit_code == 2;
    ++count;
  });
  EXPECT_GT(count, 50U);
  EXPECT_GT(refused, count / 4);
  for (const std::string text : {"", "{", "[]", "null", "{\"asperity\": 1}", "\xFF\xFE", "{\"a\":\"\xE4\"}"}) {
    write("ball/summary.json", text);
    expect_refused("report ball", "ball", "ball/summary.json: not the facts of a run: ");
  }
  fs::remove(at("ball/summary.json"));
  fs::create_directory(at("ball/summary.json"));
  for (const std::string command : {"report ball", "plot ball", "compare ball ball", "run --resume ball"})
    expect_refused(command, "ball", "ball/summary.json: cannot read: is a folder");
}

// --- HDF5 ------------------------------------------------------------------------------------------------------------------------

TEST_F(Files, DamagedHdf5NeverEndsACommand) {
  if (!asperity::has_hdf5()) GTEST_SKIP();
  write("short.toml", pushed_block("0.05"));
  run_fine("run short.toml -o h5 --format hdf5 --quiet");
  const std::string whole = read("h5/data.h5");
  const std::size_t without = whole.rfind("\nasperity checksum ");
  ASSERT_NE(without, std::string::npos);
  int number = 0;
  for (std::size_t place = 9; place < without; place += whole.size() / 24) {
    std::string damaged = whole;
    damaged[place] = char(damaged[place] ^ 0x55);
    write("h5/data.h5", damaged);
    for (const std::string command : {"plot h5 -o x.svg", "report h5"}) {
      const Answer answer = run(command);
      EXPECT_EQ(answer.exit_code, 2) << place;
      EXPECT_NE(answer.err.find("do not match its checksum"), std::string::npos) << answer.err;
    }
    write("h5/data.h5", damaged.substr(0, without));
    const std::string command = ++number % 2 ? "plot h5 -o x.svg" : "compare h5 h5";
    expect_plain_words(run(command), command);
    write("h5/data.h5", whole.substr(0, place));
    expect_plain_words(run(command), command);
  }
  // As another program would leave it: no checksum, and whole.
  write("h5/data.h5", whole.substr(0, without));
  run_fine("plot h5 -o x.svg");
  write("h5/data.h5", whole);
  run_fine("report h5");
}

// --- text of others --------------------------------------------------------------------------------------------------------------

TEST_F(Files, WhateverTheHeaderPicturesAreWellFormed) {
  const std::vector<std::string> headers{"t,Weg [\xB5m]",
                                         "t,\xFF\xFE\xFD",
                                         "t,a\x01\x02\x1F",
                                         "t,<b>&\"'",
                                         "t,]]>",
                                         "t,\xEF\xBF\xBE\xEF\xBF\xBF",
                                         "t,\xED\xA0\x80",
                                         "t,\x7F\xC2\x85",
                                         "t,\xF0\x9F\x98\x80 [\xE2\x84\xA6]",
                                         "t,<!--",
                                         "t,</script><script>alert(1)</script>",
                                         "t,\xC3"};
  for (const std::string& header : headers) {
    for (const bool swapped : {false, true}) {
      write("x.csv", (swapped ? header.substr(2) + ",t" : header) + "\n0,1\n1,2\n2,5\n");
      run_fine("plot x.csv -o x.svg");
      EXPECT_EQ(std::system(("xmllint --noout '" + at("x.svg").string() + "'").c_str()), 0) << header;
      run_fine("plot x.csv -o x.html");
      const std::string page = read("x.html");
      EXPECT_EQ(page.find("<script>alert"), std::string::npos);
      EXPECT_TRUE(
          Json::accept(page.substr(page.find("id=\"content\">") + 13, page.find("</script>") - page.find("id=\"content\">") - 13)))
          << header;
    }
  }
  // Names of files and scenes, too.
  const std::string odd = "we\xE4ird\x01<&>";
  write(odd + ".csv", "t,x\n0,1\n1,2\n");
  run_fine("plot '" + odd + ".csv' -o x.svg");
  EXPECT_EQ(std::system(("xmllint --noout '" + at("x.svg").string() + "'").c_str()), 0);
  write(odd + ".toml", pushed_block("0.1").substr(std::string("title = \"Pushed block\"\n").size()));
  expect_plain_words(run("run '" + odd + ".toml' -o odd --quiet"), odd);
  expect_plain_words(run("check '" + odd + ".toml' --json"), odd);
}

TEST_F(Files, NumbersOfAnySizeCanBeDrawn) {
  const std::vector<std::string> columns{
      "1e308\n-1e308\n1.7e308", "1e-320\n2e-320\n-1e-320",      "0\n0\n0",          "inf\n-inf\nnan",
      "nan\nnan\nnan",          "1\n1.0000000000000002\n1",     "1e300\n1e-300\n0", "-1.7e308\n1.7e308\n0",
      "5e-324\n0\n5e-324",      "1e16\n10000000000000002\n1e16"};
  for (const std::string& x : columns)
    for (const std::string& y : columns) {
      std::istringstream xs(x), ys(y);
      std::string text = "t [s],x [N]\n", a, b;
      while (std::getline(xs, a) && std::getline(ys, b)) text += a + "," + b + "\n";
      write("x.csv", text);
      run_fine("plot x.csv -o x.svg");
      const std::string picture = read("x.svg");
      for (const char* word : {"nan", "inf"}) EXPECT_EQ(picture.find(word), std::string::npos) << text;
    }
  run_fine("plot x.csv -o x.html");
}

// --- messages --------------------------------------------------------------------------------------------------------------------

TEST_F(Files, MessagesSayWhy) {
  fs::create_directory(at("folder.toml"));
  fs::create_directory(at("folder.csv"));
  write("short.toml", pushed_block("0.1"));
  write("file", "");
  write("x.csv", "t,x\n0,1\n1,2\n");
  const std::string long_name(300, 'a');
  const auto expect = [&](const std::string& command, const std::string& text) {
    const Answer answer = run(command);
    EXPECT_EQ(answer.exit_code, 2) << command << answer.err;
    EXPECT_NE(answer.err.find(text), std::string::npos) << command << ": " << answer.err;
    expect_plain_words(answer, command);
  };
  for (const std::string command : {"run", "check", "explain", "design scene", "compare short.toml"}) {
    expect(command + " none.toml", "none.toml: cannot be opened: No such file or directory");
    if (!command.starts_with("compare")) expect(command + " folder.toml", "folder.toml: cannot be opened: is a folder");
    expect(command + " file/none.toml", "file/none.toml: cannot be opened: Not a directory");
    expect(command + " " + long_name + ".toml", ": cannot be opened: File name too long");
  }
  for (const std::string command : {"plot", "identify --law lugre --map time=t,position=x,force=x"}) {
    expect(command + " none.csv", "none.csv: cannot read: No such file or directory");
    if (command != "plot") expect(command + " folder.csv", "folder.csv: cannot read: is a folder");
    expect(command + " " + long_name, ": cannot read: File name too long");
  }
  expect("run short.toml -o file", "file: must be a folder");
  expect("run short.toml -o file/below", "file/below: cannot write: ");
  expect("run short.toml -o " + long_name, ": cannot write: File name too long");
  expect("plot x.csv -o none/x.svg", "none/x.svg: cannot write: No such file or directory");
  expect("plot x.csv -o folder.toml", "must end with .svg or .html");
  expect("plot x.csv -o " + long_name + ".svg", ": cannot write: File name too long");
  expect("new " + long_name, ": cannot write: File name too long");
  expect("report " + long_name, ": cannot read: File name too long");
  expect("run --resume " + long_name, ": cannot read: File name too long");
  expect("trace lugre --input none.csv", "none.csv: cannot read: No such file or directory");
  expect("trace lugre --velocity 1 --duration 1 --step 0.1 -o none/x.csv", "none/x.csv: cannot write: No such file or directory");
  for (const std::string command : {"describe lugre --json", "laws --json"})
    expect_plain_words(run(command + " > /dev/full"), command);
}

// --- compare, identify -----------------------------------------------------------------------------------------------------------

TEST_F(Files, CompareLooksAtBothBeforeItRuns) {
  write("a.toml", pushed_block("0.1"));
  write("bad.toml", pushed_block("0.1", "step = 3e-2"));  // no multiple
  write("b.csv", "t,x\n0,1\n");
  fs::create_directory(at("empty"));
  run_fine("run a.toml -o cut --quiet");
  fs::remove(at("cut/data.csv"));
  run_fine("run a.toml -o damaged --quiet");
  write("damaged/data.csv", "time\nx\n");
  const auto names = files();
  for (const std::string second : {"bad.toml", "empty", "cut", "damaged", "none.toml", "none", "b.csv"}) {
    const Answer answer = run("compare a.toml " + second + " -o out");
    EXPECT_EQ(answer.exit_code, 2) << second << answer.err;
    EXPECT_EQ(files(), names) << second;
    expect_plain_words(answer, second);
  }
  const Answer blocked = run("compare a.toml a.toml -o b.csv");
  EXPECT_EQ(blocked.exit_code, 2) << blocked.err;
  EXPECT_EQ(files(), names);
}

TEST_F(Files, IdentifyReplacesOnlyWhatItWrote) {
  std::string data = "t,x,F\n";
  for (int i = 0; i < 400; ++i) {
    const double t = i * 0.01, v = std::cos(3 * t);
    data += std::to_string(t) + "," + std::to_string(std::sin(3 * t) / 3) + "," + std::to_string(v > 0 ? 0.5 : -0.5) + "\n";
  }
  write("data.csv", data);
  const std::string identify = "identify data.csv --law single_state --map time=t,position=x,force=F -o here";
  fs::create_directory(at("here"));
  for (const std::string name : {"single_state.toml", "identify.json", "report.html"}) {
    write("here/" + name, "mine");
    expect_refused(identify, "here", "here/" + name + ": is there already, and no run of this command wrote it");
    fs::remove(at("here/" + name));
  }
  write("elsewhere", "mine");
  fs::create_symlink(at("elsewhere"), at("here/single_state.toml"));
  expect_refused(identify, "here", "is there already");
  fs::remove(at("here/single_state.toml"));
  write("here/notes.txt", "mine");
  run_fine(identify);
  run_fine(identify);  // its own files
  EXPECT_EQ(read("here/notes.txt"), "mine");
  write("here/single_state.toml", read("here/single_state.toml") + "# edited\n");
  expect_refused(identify, "here", "here/single_state.toml: was changed since it was written");
  EXPECT_EQ(read("elsewhere"), "mine");
}

// --- memory ----------------------------------------------------------------------------------------------------------------------

/// Runs the program and tells the most memory it had, MB.
class Memory : public Files {
 protected:
  std::pair<int, double> run_measured(const std::vector<std::string>& words) const {
    const pid_t child = fork();
    if (child == 0) {
      const int out = open((folder_ / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (chdir(at("").c_str()) != 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0) _exit(99);
      std::vector<char*> arguments{const_cast<char*>(ASPERITY_PROGRAM)};
      for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      execv(ASPERITY_PROGRAM, arguments.data());
      _exit(98);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), double(used.ru_maxrss) / 1024};
  }
  std::string said() const { return read("../out"); }
};

const std::string one_block = "[run]\nduration = 0.01\n[[body]]\nname = \"b\"\nkind = \"mass\"\nmass = 1\n";

TEST_F(Memory, AScenesTextBoundsIt) {
  const auto expect_refused = [&](const std::string& name, const std::string& scene, const std::string& text) {
    write(name, scene);
    for (const std::string command : {"check", "run"}) {
      const auto [code, megabytes] = run_measured({command, name});
      EXPECT_EQ(code, 2) << name << said().substr(0, 500);
      EXPECT_LT(megabytes, 1000) << name;
      EXPECT_NE(said().find(text), std::string::npos) << name << ": " << said().substr(0, 500);
    }
  };
  std::string elements = one_block;
  for (int i = 0; i < 1500; ++i)
    elements += "[[element]]\nname = \"e" + std::to_string(i) +
                "\"\nbetween = [\"b\", \"ground\"]\nlaw = \"multistate\"\nelements = 1000\nkappa = 1\n";
  expect_refused("elements.toml", elements, "the laws of the scene have 101000 elements up to here: must be <= 100000 in all");

  std::string rods = "[run]\nduration = 0.01\n[[body]]\nname = \"a\"\nkind = \"arm\"\nrods = [";
  for (int i = 0; i < 6000; ++i) rods += "{length=1,mass=1},";
  expect_refused("rods.toml", rods + "]\n", "a.rods: 6000 rods: must be <= 100");

  expect_refused("name.toml",
                 "[run]\nduration = 0.01\n[[body]]\nname = \"" + std::string(150000, 'n') + "\"\nkind = \"mass\"\nmass = 1\n",
                 "has 150000 letters: must be <= 100");

  // Thousands of stars are one star.
  std::string stars = one_block + "[record]\ncolumns = [";
  for (int i = 0; i < 30000; ++i) stars += "\"*\",";
  write("stars.toml", stars + "]\n");
  const auto [code, megabytes] = run_measured({"run", "stars.toml", "--quiet"});
  EXPECT_EQ(code, 0) << said();
  EXPECT_LT(megabytes, 300);
}

}  // namespace
