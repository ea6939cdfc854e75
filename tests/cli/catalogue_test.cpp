// What the program says about the laws.
#include <nlohmann/json.hpp>
#include <regex>

#include "asperity/any_law.hpp"
#include "cli/program.hpp"

namespace {

using asperity::law_names;
using asperity::make_law;
using Json = nlohmann::json;

class Catalogue : public ProgramTest {};

TEST_F(Catalogue, TellsANewcomerWhatToDoFirst) {
  const Answer answer = run("");
  EXPECT_EQ(answer.exit_code, 0);
  std::size_t place = 0;  // in this order: a scene first
  for (const char* command : {"asperity new", "asperity run", "asperity laws", "asperity describe", "asperity demo"}) {
    place = answer.out.find(command, place);
    EXPECT_NE(place, std::string::npos) << command;
  }
}

TEST_F(Catalogue, HasAVersion) {
  const Answer answer = run("--version");
  EXPECT_EQ(answer.exit_code, 0);
  // With the commit, where the sources come from a repository.
  EXPECT_TRUE(std::regex_match(answer.out, std::regex(R"(asperity [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]{7,}(-dirty)?\))?\n)")))
      << answer.out;
}

TEST_F(Catalogue, HelpIsTheHelpOfACommand) {
  for (const std::string command : {"", "run", "design scene"}) {
    const Answer answer = run("help " + command);
    EXPECT_EQ(answer.exit_code, 0) << command;
    EXPECT_EQ(answer.out, run(command + " --help").out) << command;
  }
  const Answer unknown = run("help rum");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err, "asperity: unknown command \"rum\"; did you mean run?\n");
}

TEST_F(Catalogue, HelpsEverywhereWithExamples) {
  const std::string commands = run("--help").out;
  for (const std::string command : {"", "run", "check", "plot", "report", "new", "compare", "laws", "describe", "trace", "demo"}) {
    const Answer answer = run(command + " --help");
    EXPECT_EQ(answer.exit_code, 0) << command;
    EXPECT_NE(answer.out.find("Example"), std::string::npos) << command;
    EXPECT_NE(commands.find("\n  " + command), std::string::npos) << command;
  }
}

TEST_F(Catalogue, ListsEveryLaw) {
  const Answer table = run("laws");
  EXPECT_EQ(table.exit_code, 0);
  const Answer json = run("laws --json");
  ASSERT_EQ(json.exit_code, 0);
  const Json laws = Json::parse(json.out).at("laws");
  ASSERT_EQ(laws.size(), law_names().size());
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const auto law = make_law(law_names()[i]);
    EXPECT_NE(table.out.find("  " + law_names()[i] + " "), std::string::npos);
    EXPECT_EQ(laws[i].at("name"), law_names()[i]);
    EXPECT_EQ(laws[i].at("title"), law->about().title);
    EXPECT_EQ(laws[i].at("source"), law->about().source);
    EXPECT_EQ(laws[i].at("dimensions"), law->highest_dimension());
    EXPECT_EQ(laws[i].at("states"), law->states().size());
    EXPECT_EQ(laws[i].at("exceptions").empty(), law->about().quirks == asperity::Quirk::none);
    EXPECT_EQ(laws[i].at("discrete"), law->about().discrete);
    EXPECT_EQ(laws[i].at("hybrid"), law->hybrid());
  }
}

TEST_F(Catalogue, DescribesEveryLaw) {
  for (const std::string& name : law_names()) {
    const auto law = make_law(name);
    const Answer text = run("describe " + name), json = run("describe " + name + " --json");
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_EQ(json.exit_code, 0);
    const Json page = Json::parse(json.out);
    EXPECT_EQ(page.at("equation"), law->about().equation);
    EXPECT_EQ(page.at("cannot"), law->about().cannot);
    EXPECT_EQ(page.at("stores_energy"), law->about().stores);
    EXPECT_EQ(page.at("states").size(), law->states().size());
    const auto parameters = law->parameters();
    ASSERT_EQ(page.at("parameters").size(), parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Json& p = page.at("parameters")[i];
      EXPECT_EQ(p.at("name"), parameters[i].name);
      EXPECT_EQ(p.at("unit"), parameters[i].unit);
      EXPECT_EQ(p.at("range"), to_text(parameters[i].range));
      if (parameters[i].is_list) {
        EXPECT_EQ(p.at("default").get<std::vector<double>>(), parameters[i].values);
      } else {
        EXPECT_EQ(p.at("default").get<double>(), parameters[i].values[0]);
      }
      EXPECT_NE(text.out.find("  " + parameters[i].name + " "), std::string::npos) << name << " " << parameters[i].name;
    }
    for (const char* heading :
         {"parameters", "use it for", "not when", "it cannot", "exceptions", "step()", "source", "Try: asperity"})
      EXPECT_NE(text.out.find(heading), std::string::npos) << name << ": " << heading;
  }
}

TEST_F(Catalogue, TheExampleOfEachDescriptionRuns) {
  for (const std::string& name : law_names()) {
    const std::string text = run("describe " + name).out;
    const std::size_t at = text.find("Try: asperity ");
    ASSERT_NE(at, std::string::npos);
    std::string command = text.substr(at + 14);
    command.erase(command.find('\n'));
    const Answer answer = run(command);
    EXPECT_EQ(answer.exit_code, 0) << command << "\n" << answer.err;
    EXPECT_GT(table_of(read(name + ".csv")).at("t").size(), 100U) << command;
  }
}

TEST_F(Catalogue, NamesExceptions) {
  const Json page = Json::parse(run("describe kelvin_voigt --json").out);
  EXPECT_EQ(page.at("exceptions"), (std::vector<std::string>{"jumps_on_touch", "sticky"}));
  EXPECT_EQ(Json::parse(run("describe single_state --json").out).at("exceptions").size(), 0U);
}

}  // namespace
