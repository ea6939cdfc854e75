// Bad scenes: each is refused with exactly the lines that stand beside it, all in one go, and nothing is written.
// NAME.toml may start with settings of the command line, one a line: "#! floor.K=-3".
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "asperity/scene/scene.hpp"
#include "cli/program.hpp"

namespace asperity::bad_scenes_test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct BadScene {
  std::string name, text, expected;
  std::vector<std::string> settings;
};

std::vector<BadScene> bad_scenes() {
  std::vector<BadScene> all;
  for (const auto& entry : fs::directory_iterator(ASPERITY_BAD_SCENES)) {
    if (entry.path().extension() != ".toml") continue;
    BadScene scene{
        entry.path().filename(), content(entry.path()), content(fs::path(entry.path()).replace_extension("expected")), {}};
    std::istringstream lines(scene.text);
    for (std::string line; std::getline(lines, line) && line.starts_with("#! ");) scene.settings.push_back(line.substr(3));
    all.push_back(std::move(scene));
  }
  std::sort(all.begin(), all.end(), [](const BadScene& a, const BadScene& b) { return a.name < b.name; });
  return all;
}

std::string lines_of(const std::vector<SceneProblem>& problems) {
  std::string lines;
  for (const SceneProblem& problem : problems) lines += to_text(problem) + '\n';
  return lines;
}

std::string problems_of(std::string_view text, const std::string& name = "scene.toml",
                        const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  return read_scene(text, name, settings, problems) ? "fine" : lines_of(problems);
}

TEST(BadScenes, AreRefusedWithTheseWords) {
  int seen = 0;
  for (const BadScene& scene : bad_scenes()) {
    EXPECT_EQ(problems_of(scene.text, scene.name, scene.settings), scene.expected) << scene.name;
    ++seen;
  }
  EXPECT_GE(seen, 50);
}

std::string with_prefix(const std::string& prefix, const std::string& lines) {
  std::istringstream in(lines);
  std::string out;
  for (std::string line; std::getline(in, line);) out += prefix + line + '\n';
  return out;
}

class BadScenesOnTheCommandLine : public ProgramTest {};

TEST_F(BadScenesOnTheCommandLine, EndWithTwoAndWriteNothing) {
  for (const BadScene& scene : bad_scenes()) {
    write(scene.name, scene.text);
    std::string words = scene.name;
    for (const std::string& setting : scene.settings) words += " --set '" + setting + "'";
    for (const std::string& command : {"check " + words, "run " + words + " -o out"}) {
      const Answer answer = run(command);
      EXPECT_EQ(answer.exit_code, 2) << command;
      EXPECT_EQ(answer.err, with_prefix("asperity " + command.substr(0, command.find(' ')) + ": ", scene.expected)) << command;
      EXPECT_EQ(answer.out, "") << command;
      EXPECT_EQ(files(), std::vector<std::string>{scene.name}) << command;
    }
    fs::remove(folder_ / "work" / scene.name);
  }
}

const std::string good = R"(
[run]
duration = 1
step = 1e-3
[[body]]
name = "block"
kind = "mass"
mass = 1
)";

/// One good scene, so that the bad ones are bad for their reason only.
// A message names what the file has, not what it becomes.
TEST(BadScenes, AreToldInTheirOwnWords) {
  const std::string text = R"([run]
duration = 1
step = 1e-4
[[body]]
name = "a"
kind = "rigid_body"
shape = "sphere"
radius = 0.05
mass = 1
[[element]]
name = "c"
between = ["a", "ground"]
law = "frictional_contact"
friction = { mu = 0 }
)";
  EXPECT_EQ(problems_of(text), "scene.toml:14: c.friction.mu = 0: must be > 0\n");
}

TEST(BadScenes, StandBesideAGoodOne) { EXPECT_EQ(problems_of(good), "fine"); }

TEST(BadScenes, BytesThatAreNoText) {
  EXPECT_EQ(problems_of("title = \"\xFF\xFE\"\n" + good), "scene.toml:1: not TOML: Encountered invalid utf-8 sequence\n");
  EXPECT_EQ(problems_of(std::string("title = \"a\0b\"\n", 14) + good),
            "scene.toml:1: not TOML: string: unescaped control characters other than TAB (U+0009) are explicitly prohibited\n");
  EXPECT_EQ(problems_of("title = \"\"\"\nzwölf\"\"\"\" # größer\n\nmaß = 1\n" + good),
            "scene.toml:4: a character beyond ASCII outside of quotes\n");
  std::string noise;
  for (unsigned i = 0, x = 1; i < 5000; ++i) noise += static_cast<char>((x = x * 1664525U + 1013904223U) >> 24U);
  EXPECT_EQ(problems_of(noise), "scene.toml:1: a character beyond ASCII outside of quotes\n");
}

std::string repeated(const std::string& text, std::size_t size) {
  std::string out;
  while (out.size() < size) out += text;
  return out;
}

TEST(BadScenes, SixtyMegabytes) {
  const std::string text = good + repeated("# words, words, words\n", 60'000'000);
  EXPECT_EQ(problems_of(text), "scene.toml: has " + std::to_string(text.size()) + " bytes: must be <= 50331648\n");
}

/// The first of 200 lines and a word on the rest.
std::string first_of_many(const std::string& text) {
  const std::string lines = problems_of(text);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 201);
  EXPECT_TRUE(lines.ends_with("\nscene.toml: these are the first 200 problems; there may be more\n"));
  return lines.substr(0, lines.find('\n'));
}

/// Nothing here may take a time or a memory that grows faster than the text.
TEST(BadScenes, AHundredKilobytesOfOneThing) {
  constexpr std::size_t size = 100'000;
  EXPECT_EQ(problems_of(good + repeated("# words, words, words\n", size)), "fine");
  EXPECT_EQ(problems_of(std::string(size, '[')),
            "scene.toml:1: not TOML: key: expected bare key starting character or string delimiter, saw '['\n");
  const std::string deep = "scene.toml:1: not TOML: value: exceeded maximum nested value depth of 256 (TOML_MAX_NESTED_VALUES)\n";
  EXPECT_EQ(problems_of("x = " + std::string(size, '[')), deep);
  EXPECT_EQ(problems_of("x = " + repeated("{ x = ", size)), deep);
  EXPECT_EQ(problems_of(repeated("a.", size) + "a = 1"), "scene.toml:1: a key of more than 16 parts\n");
  EXPECT_EQ(problems_of(good + "[[input]]\non = \"block\"\nforce = \"" + repeated("1+", size) + "1\""),
            "scene.toml:11: input 1.force = \"1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+...: "
            "100001 characters: must be <= 65536\n");
  EXPECT_EQ(problems_of(good + "[record]\ncolumns = [" + repeated("\"x\",", size) + "]"),
            "scene.toml:10: record.columns[1]: nothing is named x\n");
  std::string bodies = good, names = good + "[let]\n", chain = good + "[let]\n";
  for (int i = 0; bodies.size() < size; ++i) bodies += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nkind = \"mass\"\n";
  for (int i = 0; names.size() < size; ++i) names += "a" + std::to_string(i) + " = \"b\"\n";
  for (int i = 0; chain.size() < size; ++i) chain += "a" + std::to_string(i) + " = \"a" + std::to_string(i + 1) + "\"\n";
  EXPECT_EQ(first_of_many(bodies), "scene.toml:9: b0: mass is missing (kg)");
  EXPECT_EQ(first_of_many(names),
            "scene.toml:10: let.a0 = \"b\": position 1: unknown name \"b\"; known are a0, a1, a10, a100, "
            "a1000, a1001, a1002, a1003, a1004, a1005, a1006, a1007, ..., sin, cos, exp, sqrt, abs, min, max, ...");
  const std::string end_of_chain = problems_of(chain);  // a chain is no cycle; only its last name has no value
  EXPECT_NE(end_of_chain.find(": unknown name \"a"), std::string::npos) << end_of_chain;
  EXPECT_EQ(std::count(end_of_chain.begin(), end_of_chain.end(), '\n'), 1);
}

}  // namespace
}  // namespace asperity::bad_scenes_test
