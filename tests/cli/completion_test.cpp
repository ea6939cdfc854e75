// What bash offers after a tab.
#include <algorithm>
#include <sstream>

#include "cli/program.hpp"

namespace {

class Completion : public ProgramTest {
 protected:
  /// What is offered for the last of these words.
  std::vector<std::string> offered(const std::string& words) const {
    write("ask.sh", "source '" ASPERITY_COMPLETION "'\nCOMP_WORDS=(asperity " + words +
                        ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                        "_asperity '" ASPERITY_PROGRAM
                        "' \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
                        "printf '%s\\n' \"${COMPREPLY[@]}\" > answer\n");
    EXPECT_EQ(std::system(("cd '" + (folder_ / "work").string() + "' && bash ask.sh").c_str()), 0);
    std::vector<std::string> list;
    std::istringstream lines(read("answer"));
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) list.push_back(line);
    return list;
  }
  using List = std::vector<std::string>;
};

TEST_F(Completion, Commands) {
  EXPECT_EQ(offered("re"), (List{"report", "reproduce", "restitution"}));
  // Those that the help lists, and no others.
  List listed;
  std::istringstream help(run("--help").out);
  bool commands = false;
  for (std::string line; std::getline(help, line) && !(commands && line.empty());) {
    if (commands) listed.push_back(line.substr(2, line.find(' ', 2) - 2));
    commands = commands || line == "Subcommands:";
  }
  List all = offered("''");
  std::erase_if(all, [](const std::string& word) { return word.starts_with("--"); });
  std::sort(all.begin(), all.end());
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(all, listed);
}

TEST_F(Completion, OptionsOfACommand) {
  EXPECT_EQ(offered("run --re"), (List{"--resume"}));
  EXPECT_EQ(offered("compare --"), (List{"--help", "--laws", "--element", "--set", "--output", "--json"}));
}

TEST_F(Completion, SubcommandsOfDesign) {
  EXPECT_EQ(offered("design c"), (List{"contact", "charts"}));
  EXPECT_EQ(offered("design friction --sh"), (List{"--shake"}));
}

TEST_F(Completion, Words) {
  EXPECT_EQ(offered("describe lug"), (List{"lugre"}));
  EXPECT_EQ(offered("trace single_state_"), (List{"single_state_stribeck", "single_state_falling"}));
  EXPECT_EQ(offered("compare x.toml --laws single_state,lu"), (List{"single_state,lugre"}));
  EXPECT_EQ(offered("run x.toml --format h"), (List{"hdf5"}));
}

TEST_F(Completion, Files) {
  for (const char* file : {"block.toml", "blocks.csv", "block.md"}) write(file, "");
  std::filesystem::create_directory(folder_ / "work" / "blocked");
  EXPECT_EQ(offered("run blo"), (List{"blocked/", "block.toml"}));
  EXPECT_EQ(offered("plot blo"), (List{"blocked/", "blocks.csv"}));
  EXPECT_EQ(offered("report blo"), (List{"blocked"}));
}

// The other shells ask the program in the same way.
TEST_F(Completion, OfFish) {
  if (std::system("command -v fish >/dev/null") != 0) GTEST_SKIP() << "fish is not installed";
  const auto offers = [&](const std::string& words) {
    const std::string folder = std::filesystem::path(ASPERITY_PROGRAM).parent_path().string();
    EXPECT_EQ(std::system(("cd '" + (folder_ / "work").string() + "' && HOME=$PWD PATH='" + folder +
                           "':$PATH fish -c \"source '" ASPERITY_COMPLETIONS "/asperity.fish'; complete -C 'asperity " + words +
                           "'\" > answer 2>/dev/null")
                              .c_str()),
              0);
    return read("answer");
  };
  EXPECT_EQ(offers("ru"), "run\tRun a scene; data and a report to look at\n");
  EXPECT_EQ(offers("run --str"), "--strict\twarnings are errors\n");
  EXPECT_EQ(offers("describe lug"), "lugre\n");
  EXPECT_NE(offers("design con").find("contact\t"), std::string::npos);
}
TEST_F(Completion, OfZshIsWellFormed) {
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "zsh is not installed";
  EXPECT_EQ(std::system("zsh -n '" ASPERITY_COMPLETIONS "/_asperity'"), 0);
}

}  // namespace
