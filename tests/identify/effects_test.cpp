// Friction as machines have it, and several files in one fit. The data are made here: a bristle of 5 N along three tones, and what
// each test adds to its force.
#include "asperity/identify/effects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "asperity/identify/identify.hpp"
#include "cli/program.hpp"
#include "synthetic.hpp"

namespace asperity::identify {
namespace {

struct Here {
  double t, q, v, load, temperature;
};

/// Columns t, x, F, N (a load) and T (a temperature).
asperity::Table made_with(const std::function<double(const Here&)>& more, std::uint64_t seed, double mass = 2) {
  constexpr double step_length = 1e-3, w = 2 * 3.14159265358979323846;
  constexpr int parts = 20;
  Noise noise(seed);
  asperity::Table table;
  table.columns = {{{"t", "s"}, {}}, {{"x", "m"}, {}}, {{"F", "N"}, {}}, {{"N", ""}, {}}, {{"T", ""}, {}}};
  double z = 0;
  const double phase = w * noise.uniform();
  const auto x = [&](double t) {
    return 0.03 * std::sin(w * 0.4 * t) + 0.01 * std::sin(w * 1.3 * t + phase) + 0.004 * std::sin(w * 2.9 * t);
  };
  const auto v = [&](double t) {
    return w * (0.012 * std::cos(w * 0.4 * t) + 0.013 * std::cos(w * 1.3 * t + phase) + 0.0116 * std::cos(w * 2.9 * t));
  };
  for (int k = 0; k <= 6000; ++k) {
    const double t = k * step_length, d = 1e-5;
    const Here here{t, x(t), v(t), 10 + 6 * std::sin(0.9 * t), 25 + 4 * std::sin(1.7 * t)};
    const double force = 1e5 * z + 6 * here.v + mass * (v(t + d) - v(t - d)) / (2 * d) + 0.3 + more(here);
    const double row[] = {t, here.q, force + 0.02 * noise.normal(), here.load, here.temperature};
    for (std::size_t c = 0; c < 5; ++c) table.columns[c].values.push_back(row[c]);
    for (int i = 0; i < parts; ++i) {
      const double speed = v(t + (i + 0.5) * step_length / parts), decay = std::abs(speed) * 1e5 / 5 * step_length / parts;
      const double end = speed > 0 ? 5e-5 : -5e-5;
      z = end + (z - end) * std::exp(-decay);
    }
  }
  return table;
}

Request request_with(std::vector<std::string> effects, asperity::Table table) {
  Request request;
  request.laws = {"dahl"};
  request.data = {"axis.csv", std::move(table)};
  std::vector<std::string> problems;
  request.map = read_map("time=t, position=x, force=F", problems);
  request.settings.mass.reset(), request.settings.viscous = request.settings.offset = true;
  request.effects = std::move(effects);
  return request;
}

double value_of(const Outcome& found, const std::string& name) {
  for (const Finding& f : found.study->laws[0].uncertainty.findings)
    if (f.name == name) return f.value;
  ADD_FAILURE() << name;
  return 0;
}

const std::vector<std::string> all_effects{"direction", "bent", "load:N", "periodic:20mm", "temperature:T"};

TEST(Effects, AreTakenWhereTheyAreAndNowhereElse) {
  const auto sign = [](double x) { return x > 0 ? 1.0 : -1.0; };
  struct Case {
    const char* effect;
    std::function<double(const Here&)> more;
    const char* term;
    double value;
  };
  const double turn = 2 * 3.14159265358979323846 / 0.02;
  const std::vector<Case> cases{
      {"direction", [](const Here& h) { return 4 * std::abs(h.v); }, "abs(v)", 4},
      {"bent", [&](const Here& h) { return 9 * sign(h.v) * h.v * h.v; }, "sign(v)*v^2", 9},
      {"load:N", [&](const Here& h) { return 0.1 * sign(h.v) * h.load; }, "sign(v)*abs(N)", 0.1},
      {"periodic:20mm", [&](const Here& h) { return 0.4 * std::sin(turn * h.q + 1); }, "sin(314.159265*q)", 0.4 * std::cos(1.0)},
      {"temperature:T", [](const Here& h) { return -0.8 * h.v * (h.temperature - 25); }, "v*(T - 25", -0.8},
  };
  for (const Case& one : cases) {
    const Outcome found = run(request_with(all_effects, made_with(one.more, 7)));
    ASSERT_TRUE(found.ok()) << found.problems[0];
    const auto& effects = found.study->effects;
    ASSERT_FALSE(effects.empty());
    EXPECT_EQ(effects[0].name, one.effect) << study_text(*found.study);
    EXPECT_TRUE(effects[0].is_taken) << one.effect;
    EXPECT_LT(effects[0].unseen_rms, 0.95 * effects[0].before) << one.effect;
    EXPECT_EQ(std::count_if(effects.begin(), effects.end(), [](const TriedEffect& e) { return e.is_taken; }), 1)
        << study_text(*found.study);
    const auto term = std::find_if(found.data.samples.terms.begin(), found.data.samples.terms.end(),
                                   [&](const Term& t) { return t.name.starts_with(one.term); });
    ASSERT_NE(term, found.data.samples.terms.end()) << one.term;
    EXPECT_NEAR(value_of(found, term->name), one.value, 0.1 * std::abs(one.value)) << one.effect;
    EXPECT_NE(study_text(*found.study).find("effects beside dahl"), std::string::npos);
  }
  const Outcome plain = run(request_with(all_effects, made_with([](const Here&) { return 0.0; }, 8)));
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain.study->effects.size(), all_effects.size());
  for (const TriedEffect& e : plain.study->effects) EXPECT_FALSE(e.is_taken) << e.name;
  EXPECT_TRUE(plain.data.samples.terms.empty());
}

TEST(Effects, AreNamedWhenTheyAreWrong) {
  const asperity::Table table = made_with([](const Here&) { return 0.0; }, 1);
  std::vector<std::string> problems;
  for (const char* text : {"bend", "load", "load:M", "periodic:x", "direction:3"})
    EXPECT_FALSE(read_effect(text, table, "--", problems));
  ASSERT_EQ(problems.size(), 5U);
  EXPECT_EQ(problems[0], "--effect bend: did you mean bent?");
  EXPECT_EQ(problems[2], "--effect load:M: must be load:COLUMN; the columns are t, x, F, N, T");
}

class SeveralFiles : public ProgramTest {
 protected:
  void save(const std::string& name, const asperity::Table& table) const {
    std::ostringstream text;
    text.precision(10);
    text << "t,x,F\n";
    for (std::size_t k = 0; k < table.rows(); ++k)
      text << table.columns[0].values[k] << ',' << table.columns[1].values[k] << ',' << table.columns[2].values[k] << '\n';
    write(name, text.str());
  }
};

TEST_F(SeveralFiles, ShareTheFrictionAndDifferInTheRest) {
  // The second file has 1.5 kg more, the third an offset of -0.5 N more.
  save("a.csv", made_with([](const Here&) { return 0.0; }, 1));
  save("b.csv", made_with([](const Here&) { return 0.0; }, 2, 3.5));
  save("c.csv", made_with([](const Here&) { return -0.5; }, 3));
  const std::string command =
      "identify a.csv b.csv c.csv --law dahl --map 'time=t, position=x, force=F' --mass free --viscous free --offset free";
  const Answer answer = run(command + " --separate mass,offset");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("fitted on the first two thirds of each file"), std::string::npos) << answer.out;
  const auto value = [&](const std::string& name) {
    const std::size_t at = answer.out.find("\n  " + name + " ");
    EXPECT_NE(at, std::string::npos) << name;
    return std::stod(answer.out.substr(at + 3 + name.size()));
  };
  EXPECT_NEAR(value("M"), 2, 0.02);
  EXPECT_NEAR(value("file_2*a"), 1.5, 0.02);
  EXPECT_NEAR(value("file_3*a"), 0, 0.02);
  EXPECT_NEAR(value("file_3"), -0.5, 0.02);
  EXPECT_NEAR(value("file_2"), 0, 0.02);
  // Without that the files contradict each other.
  const Answer shared = run(command);
  EXPECT_NE(shared.out.find("not white"), std::string::npos);
  const Answer refused = run("identify a.csv --law dahl --map 'time=t, position=x, force=F' --separate mass,friction");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--separate mass: needs several files"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--separate friction: must be mass, viscous or offset"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace asperity::identify
