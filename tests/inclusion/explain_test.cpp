// What `asperity explain` says is what runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "asperity/inclusion/text.hpp"
#include "asperity/scene/scene.hpp"
#include "belt_and_spring.hpp"
#include "bounce.hpp"
#include "cli/program.hpp"
#include "every_function.hpp"
#include "held_by_friction.hpp"
#include "point_mass.hpp"
#include "rolling_sphere.hpp"
#include "system/run.hpp"
#include "two_blocks.hpp"

namespace asperity::explain_test {
namespace {

std::shared_ptr<const TextInclusion> text_of(const std::string& path) {
  std::vector<SceneProblem> problems;
  const auto scene = read_scene_file(path, {}, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return scene ? scene->inclusion : nullptr;
}

/// The compiled function and the text it was made of, step by step.
template <class Model>
void expect_same(const std::string& path, Model compiled, double duration, double h) {
  const auto text = text_of(path);
  ASSERT_TRUE(text);
  ASSERT_EQ(compiled.start(), text->start()) << path;
  std::vector<std::vector<double>> rows;
  testing::run(compiled, Method::rk4, duration, h, [&](double, const std::vector<double>& x) { rows.push_back(x); });
  std::size_t k = 0;
  testing::run(*text, Method::rk4, duration, h, [&](double, const std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_NEAR(x[i], rows[k][i], 1e-13 * std::max(1.0, std::abs(x[i]))) << path << " step " << k << " number " << i;
    ++k;
  });
  // And with derivatives, as cvode wants them.
  std::vector<Dual<8>> x(rows.back().begin(), rows.back().end()), a(x.size()), b(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i].v[i % 8] = 1;
  compiled.rate(.3, std::span<const Dual<8>>(x), 0, std::span<Dual<8>>(a));
  text->rate(.3, std::span<const Dual<8>>(x), 0, std::span<Dual<8>>(b));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(a[i].v[j], b[i].v[j], 1e-12 * std::max(1.0, std::abs(a[i].v[j]))) << path;
}

TEST(ExplainedAsCpp, GivesTheNumbersOfTheText) {
  const std::string scenes = ASPERITY_SCENES "/inclusions/";
  expect_same(scenes + "held_by_friction.toml", held_by_friction_as_an_inclusion(), 3, 1e-3);
  expect_same(scenes + "bounce.toml", bounce_as_an_inclusion(), .6, 1e-4);
  expect_same(scenes + "rolling_sphere.toml", rolling_sphere_as_an_inclusion(), .5, 1e-4);
  expect_same(scenes + "two_blocks.toml", two_blocks_as_an_inclusion(), .3, 5e-5);
  expect_same(scenes + "belt_and_spring.toml", belt_and_duffing_spring_as_an_inclusion(), .2, 5e-5);
  expect_same(scenes + "point_mass.toml", point_on_a_rough_plane_as_an_inclusion(), .5, 1e-4);
  expect_same(ASPERITY_OWN_SCENES "/every_function.toml", every_function(), 1, 1e-3);
}

/// The equations as they are printed, with the dots in their names made readable.
std::vector<std::pair<std::string, Formula>> printed(const std::string& text) {
  std::vector<std::pair<std::string, Formula>> list;
  std::istringstream lines(text.substr(text.find("ordinary differential equation")));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && !line.empty();) {
    line = std::regex_replace(line, std::regex("\\bfloor\\b"), "ground");  // a term may be named like a function
    line = std::regex_replace(line, std::regex("\\b([A-Za-z_]\\w*)\\.([ea])\\b"), "$1_$2");
    const std::size_t equals = line.find(" = ");
    std::string left = line.substr(0, equals);
    left.erase(std::remove(left.begin(), left.end(), ' '), left.end());
    FormulaProblem problem;
    const auto right = Formula::read(line.substr(equals + 3), problem);
    EXPECT_TRUE(right) << line << to_text(problem);
    if (right) list.emplace_back(left, *right);
  }
  return list;
}

// What stands in the text is the differential equation: worked out line by line it gives the rates that run.
TEST(ExplainedAsText, IsTheEquationThatRuns) {
  for (const char* name : {"two_blocks", "belt_and_spring", "bounce", "held_by_friction"}) {
    const auto model = text_of(std::string(ASPERITY_SCENES "/inclusions/") + name + ".toml");
    auto equations = printed(explain(*model, Explanation::text));
    std::vector<double> x = model->start(), rate(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = i < model->states().size() ? .3 * std::sin(double(i)) : 1e-5 * std::cos(double(i));
    model->rate(.7, x, 0, rate);

    std::map<std::string, double> values{{"t", .7}};
    for (const auto& [constant, value] : model->let()) values[constant] = value;
    std::vector<std::string> names = model->state_names();
    for (std::string& one : names)
      one = std::regex_replace(std::regex_replace(one, std::regex("\\."), "_"), std::regex("floor"), "ground");
    for (std::size_t i = 0; i < x.size(); ++i) values[names[i]] = x[i];
    const auto value = [&](const Formula& formula) {
      std::vector<double> numbers;
      for (const std::string& one : formula.names()) numbers.push_back(values.at(one));
      return formula.value<double>(numbers);
    };
    for (const auto& [left, right] : equations)
      if (left.back() != '\'') values[left] = value(right);
    ASSERT_EQ(equations.size(), x.size() + model->dios().size() + model->sgns().size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto found = std::find_if(equations.begin(), equations.end(), [&](const auto& e) { return e.first == names[i] + "'"; });
      ASSERT_NE(found, equations.end()) << names[i];
      EXPECT_NEAR(value(found->second), rate[i], 1e-12 * std::max(1.0, std::abs(rate[i]))) << name << " " << names[i];
    }
  }
}

TEST(ExplainedAsLatex, ReadsLikeAPaper) {
  InclusionText text;
  text.let = {{"mu", .5}, {"M1", 2}};
  text.state = {{"p1x", 0}, {"v_s", 1}};
  text.rate = {{"p1x", "v_s"}, {"v_s", "(sqrt(1 + p1x^2)*3 - mu*dio(p1x)*sgn(v_s))/M1 - (t < 2 ? 1e-5*sin(t) : abs(v_s))"}};
  text.usual = {2, .5, .25};
  std::vector<InclusionProblem> problems;
  EXPECT_EQ(explain(*TextInclusion::read(text, problems), Explanation::latex, "A block"), R"(% A block
\begin{align}
  \dot{p}_{1x} &= v_{s} \\
  \dot{v}_{s} &= \frac{\sqrt{1 + {p_{1x}}^{2}} \cdot 3 - s_{1}}{M_{1}} - \begin{cases} 1 \cdot 10^{-5} \, \sin\left(t\right) & t < 2 \\ \left|v_{s}\right| & \text{else} \end{cases} \\
  d_{1} &= 2 \, \max\left(0, e_{d1} - 0.5 \, \frac{p_{1x} + e_{d1}}{0.25}\right) \\
  \dot{e}_{d1} &= \max\left(\frac{-e_{d1}}{0.5}, \frac{-\left(p_{1x} + e_{d1}\right)}{0.25}\right) \\
  s_{1} &= \operatorname{sat}\left(\mu \, d_{1}, 2 \, a_{s1} + v_{s}\right) \\
  \dot{a}_{s1} &= s_{1} - 2 \, a_{s1} \\
  \mu &= 0.5 \\
  M_{1} &= 2
\end{align}
)");
}

// Words that C++ keeps for itself step aside, and a title stays on its line.
TEST(ExplainedAsCpp, LeavesKeptWordsAlone) {
  InclusionText text;
  text.state = {{"M_PI", 1}, {"v", 1}};
  text.rate = {{"M_PI", "-M_PI"}, {"v", "-2*sgn(v)"}};
  std::vector<InclusionProblem> problems;
  const auto model = TextInclusion::read(text, problems);
  const std::string cpp = explain(*model, Explanation::cpp, "new");
  EXPECT_NE(cpp.find("inline auto new_() {"), std::string::npos) << cpp;
  EXPECT_NE(cpp.find("const auto& [M_PI_, v] = x;"), std::string::npos) << cpp;
  EXPECT_EQ(explain(*model, Explanation::cpp, "one\nint x").find("// Made by `asperity explain`: one int x.\n"), 0u);
}

class ExplainCommandTest : public ProgramTest {};

// What was chosen is said before a run, too.
TEST_F(ExplainCommandTest, ChecksSayWhatWasChosen) {
  const std::string left_out = "left_out.toml";
  write(left_out,
        "[run]\nduration = 0.01\nstep = 1e-3\n[inclusion]\nlet = { F = 3 }\nstate = { v = 1 }\n"
        "rate = { v = \"-F*sgn(v) - sgn(v)\" }\n");
  const Answer checked = run("check " + left_out);
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_NE(checked.err.find("s1 = F*sgn(v): beta = 0.002, K = 500000 chosen for a step of 0.001 s"), std::string::npos)
      << checked.err;
  // And the scene that a run leaves behind can be read.
  ASSERT_EQ(run("run " + left_out + " -o out").exit_code, 0);
  const Answer again = run("check out/scene.toml");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.err.find("chosen"), std::string::npos) << again.err;
}

TEST_F(ExplainCommandTest, PrintsOneFormOrSaysWhyNot) {
  const std::string blocks = ASPERITY_SCENES "/inclusions/two_blocks.toml";
  EXPECT_NE(run("explain " + blocks).out.find("v2y'  = (s2 + d3)/M2 - g\n"), std::string::npos);
  EXPECT_NE(run("explain " + blocks + " --set let.mu=0.25 --latex").out.find("\\mu &= 0.25"), std::string::npos);
  // What it starts with is said: the belt pulls as hard as friction lets it.
  const std::string belt = "explain " ASPERITY_SCENES "/inclusions/belt_and_spring.toml --set run.preload=true";
  EXPECT_NE(run(belt).out.find("v = 1, s1.a = -2"), std::string::npos) << run(belt).out;
  EXPECT_NE(run(belt + " --cpp").out.find("\n  }, {-2"), std::string::npos) << run(belt + " --cpp").out;
  const Answer both = run("explain " + blocks + " --latex --cpp");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_EQ(both.err, "asperity explain: --latex and --cpp: choose one\n");
  const Answer bodies = run("explain " ASPERITY_SCENES "/held_by_friction.toml");
  EXPECT_EQ(bodies.exit_code, 2);
  EXPECT_EQ(bodies.out, "");
  EXPECT_EQ(bodies.err, "asperity explain: " ASPERITY_SCENES
                        "/held_by_friction.toml: has bodies and elements, no [inclusion]; there are no equations to explain\n");
}

}  // namespace
}  // namespace asperity::explain_test
