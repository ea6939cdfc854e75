// Two laws that are in a second list and nowhere else: with no further line they do what the laws of the catalogue do.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "cli/program.hpp"

namespace {

struct Foreign {
  std::string name, parameters;  // limits such that it bears `load`, for ever or not
  std::string stiff;             // the parameter that makes it stiff
  double kinetic;                // N, friction of fast sliding
  double load, creep;            // N, and the speed at which it then creeps
  std::vector<std::pair<std::string, double>> fitted;
};
std::ostream& operator<<(std::ostream& out, const Foreign& law) { return out << law.name; }

// Grease under P creeps at V P/(F - P).
const Foreign foreign_laws[] = {
    {"grease", "F = 1.0\nK = 1e4\nV = 1e-3\n", "K", 1, 0.4, 1e-3 * 0.4 / 0.6, {{"F", 1}, {"K", 1e4}, {"V", 1e-3}}},
    {"bliman_sorine",
     "f_1 = 2.0\nf_2 = 1.0\neps_f = 1e-3\neta = 0.2\n",
     "eps_f",
     1,
     0.8,
     0,
     {{"f_1", 2}, {"f_2", 1}, {"eps_f", 1e-3}, {"eta", 0.2}}},
};

class ForeignLaw : public ProgramTest, public testing::WithParamInterface<Foreign> {
 protected:
  /// A block of 1 kg on the law, pushed.
  std::string scene(const std::string& force, const std::string& run, const std::string& more = "") const {
    return fmt::format(
        "title = \"Foreign\"\n[run]\n{}\n[[body]]\nname = \"block\"\nkind = \"mass\"\nmass = 1.0\n[[element]]\nname = \"floor\"\n"
        "between = [\"block\", \"ground\"]\nlaw = \"{}\"\n{}{}[[input]]\non = \"block\"\nforce = \"{}\"\n"
        "[record]\ncolumns = [\"block.*\", \"floor.*\"]\n",
        run, GetParam().name, more.empty() ? GetParam().parameters : "", more, force);
  }
  /// The value of a parameter in what `identify --json` says; no number if there is none.
  static double found(const std::string& json, const std::string& name) {
    const std::size_t at = json.find("\"name\": \"" + name + "\""), value = json.find("\"value\": ", at);
    return at == std::string::npos || value == std::string::npos ? NAN : std::stod(json.substr(value + 9));
  }
  Table data(const std::string& folder) const { return table_of(read(folder + "/data.csv")); }
};
INSTANTIATE_TEST_SUITE_P(Foreign, ForeignLaw, testing::ValuesIn(foreign_laws), [](const auto& test) { return test.param.name; });

TEST_P(ForeignLaw, IsListedAndDescribed) {
  EXPECT_NE(run("laws").out.find(GetParam().name), std::string::npos);
  const Answer described = run("describe " + GetParam().name);
  EXPECT_EQ(described.exit_code, 0) << described.err;
  EXPECT_NE(described.out.find(GetParam().stiff), std::string::npos);
}

// Pushed with 2 N it ends up sliding at (2 - kinetic) N/kg: M v = int (2 - f) dt. All methods agree on where it is.
TEST_P(ForeignLaw, RunsInScenesWithEveryMethod) {
  write("a.toml", scene("2", "duration = 0.5\nstep = 1e-4"));
  double position = 0;
  for (const std::string method : {"dopri5", "euler", "step", "rk4", "rk4-lookahead", "implicit", "implicit2", "cvode", "auto"}) {
    const Answer answer = run("run a.toml --quiet -o out --set run.method=" + method);
    ASSERT_EQ(answer.exit_code, 0) << method << answer.err;
    const Table table = data("out");
    const double v = table.at("block.velocity").back();
    EXPECT_NEAR(v, (2 - GetParam().kinetic) * 0.5, 0.02) << method;
    if (position == 0) position = table.at("block.position").back();
    EXPECT_NEAR(table.at("block.position").back(), position, 2e-3 * position) << method;
  }
}

TEST_P(ForeignLaw, HasSetUpChecks) {
  write("a.toml", scene("2", "duration = 0.5\nstep = 0.05"));
  const Answer answer = run("check a.toml");
  const std::string said = answer.out + answer.err;
  EXPECT_NE(said.find("floor: step 50 ms is too long"), std::string::npos) << said;
  EXPECT_EQ(said.find("not checked"), std::string::npos) << said;
}

// Started under its load it stays, or creeps as it has to, without a knock.
TEST_P(ForeignLaw, IsPreloaded) {
  const Foreign& law = GetParam();
  write("a.toml", scene(fmt::format("{}", law.load), "duration = 1\nstep = 1e-4\npreload = true"));
  const Answer answer = run("run a.toml --quiet -o out");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const Table table = data("out");
  const std::string force = table.contains("floor.friction_force") ? "floor.friction_force" : "floor.force";
  ASSERT_TRUE(table.contains(force));
  EXPECT_NEAR(std::abs(table.at(force).front()), law.load, 1e-9);
  EXPECT_NEAR(table.at("block.position").back(), law.creep * 1, 0.05 * law.creep + 1e-9);
}

TEST_P(ForeignLaw, HasARigidLimitOrSaysWhyNot) {
  const Foreign& law = GetParam();
  std::string parameters;
  std::istringstream lines(law.parameters);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(law.stiff + " =")) parameters += line + "\n";
  write("a.toml", scene(fmt::format("{}*min(1, t)", law.load), "duration = 2\nstep = 1e-3\nmethod = \"implicit\"",
                        parameters + "stiffness = \"rigid\"\n"));
  const Answer answer = run("run a.toml --quiet -o out");
  if (law.creep > 0) {
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_NE(answer.err.find("creeps under a load, whatever its stiffness"), std::string::npos) << answer.err;
    return;
  }
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_LT(std::abs(data("out").at("block.position").back()), 1e-8);
}

// As stiff as the step allows, which it then is run with, under what it bears.
TEST_P(ForeignLaw, IsDesigned) {
  const Foreign& law = GetParam();
  std::string parameters = law.parameters;
  const std::size_t at = parameters.find(law.stiff + " = ") + law.stiff.size() + 3;
  parameters.replace(at, parameters.find('\n', at) - at, "\"design\"");
  write("a.toml", scene(fmt::format("{}*sin(6*t)", law.load), "duration = 0.5\nstep = 1e-3", parameters));
  const Answer answer = run("design scene a.toml --write b.toml");
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  const Answer checked = run("check b.toml");
  EXPECT_EQ((checked.out + checked.err).find("is too long"), std::string::npos) << checked.out << checked.err;
  EXPECT_EQ(run("run b.toml --quiet -o out").exit_code, 0);
}

TEST_P(ForeignLaw, IsCompared) {
  write("a.toml", scene("2", "duration = 0.2\nstep = 1e-4"));
  const Answer answer = run("compare a.toml --element floor --laws single_state," + GetParam().name);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find(GetParam().name), std::string::npos);
}

// From data of its own, integrated by Runge-Kutta: every parameter is found to one part in two thousand.
TEST_P(ForeignLaw, IsIdentified) {
  const Foreign& law = GetParam();
  std::string settings;
  std::istringstream lines(law.parameters);
  for (std::string line; std::getline(lines, line);)
    settings += " --set " + line.substr(0, line.find(' ')) + "=" + line.substr(line.rfind(' ') + 1);
  ASSERT_EQ(run("trace " + law.name + settings +
                " --position '4e-3*sin(2*t)+1e-3*sin(9*t)+3e-4*sin(31*t)' --duration 8 --step 1e-3 --method rk4 -o d.csv")
                .exit_code,
            0);
  const std::string identify =
      "identify d.csv --law " + law.name + " --map 'time=t, position=position, velocity=velocity, force=force'";
  const Answer answer = run(identify + " --json");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const auto& [name, value] : law.fitted) EXPECT_NEAR(found(answer.out, name), value, 5e-4 * value) << name << answer.out;
  const Answer text = run(identify + " -o fit");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("explains 100.0 %"), std::string::npos) << text.out;
}

}  // namespace
