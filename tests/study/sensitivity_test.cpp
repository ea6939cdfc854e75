// Sobol's indices of functions whose indices are known; borders that are known.
#include "asperity/study/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "study/scenes.hpp"

namespace asperity::study {
namespace {

using std::numbers::pi;
using testing::plan_of;
using testing::pushed_block;
using testing::thrown_ball;

Plan cube(std::size_t k, double low, double high, std::uint64_t samples, Sensitivity sensitivity) {
  Plan plan;
  for (std::size_t i = 0; i < k; ++i) {
    Axis axis;
    axis.path = "let.x" + std::to_string(i);
    axis.random = Distribution{Distribution::Kind::uniform, low, high};
    plan.axes.push_back(axis);
  }
  plan.samples = samples;
  plan.sensitivity = sensitivity;
  return plan;
}
template <class F>
std::vector<double> values_of(const Plan& plan, F&& f) {
  const Points points(plan);
  std::vector<double> x(plan.axes.size()), list;
  for (std::uint64_t i = 0; i < points.count(); ++i) points.at(i, x), list.push_back(f(x));
  return list;
}
double ishigami(const std::vector<double>& x) {
  return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) + .1 * std::pow(x[2], 4) * std::sin(x[0]);
}

// [Ishigami and Homma 1990; the indices in closed form: Saltelli et al., Global Sensitivity Analysis, 2008]
struct Exact {
  double first[3], total[3];
};
Exact exact_ishigami() {
  const double a = 7, b = .1;
  const double v1 = .5 * std::pow(1 + b * std::pow(pi, 4) / 5, 2), v2 = a * a / 8, v13 = b * b * std::pow(pi, 8) * 8 / 225;
  const double v = v1 + v2 + v13;
  return {{v1 / v, v2 / v, 0}, {(v1 + v13) / v, v2 / v, v13 / v}};
}

// The error falls with the number of samples, and the intervals tell it.
TEST(Sensitivity, OfTheIshigamiFunction) {
  const Exact exact = exact_ishigami();
  EXPECT_NEAR(exact.first[0], .3139, 1e-4);
  EXPECT_NEAR(exact.total[2], .2437, 1e-4);
  for (const std::uint64_t n : {256U, 4096U}) {
    const Plan plan = cube(3, -pi, pi, n, Sensitivity::sobol);
    const SobolIndices found = sobol_indices(values_of(plan, ishigami), 3, 1);
    EXPECT_EQ(found.used, n);
    const double allowed = 3 / std::sqrt(double(n));  // of independent samples; those of the sequence are better
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.first[i].value, exact.first[i], allowed) << n << " " << i;
      EXPECT_NEAR(found.total[i].value, exact.total[i], allowed) << n << " " << i;
      EXPECT_LE(found.first[i].low, found.first[i].value);
      EXPECT_GE(found.first[i].high, found.first[i].value);
      EXPECT_LE(found.first[i].low, exact.first[i] + .01);
      EXPECT_GE(found.first[i].high, exact.first[i] - .01);
    }
  }
}

// f = sum of a_i x_i: each has a_i^2 of the sum of the squares, alone and in all; its effect is a_i times its range, everywhere.
TEST(Sensitivity, OfALinearModel) {
  const double a[] = {1, 2, 4, 0};
  const auto linear = [&](const std::vector<double>& x) {
    double sum = 100;
    for (std::size_t i = 0; i < 4; ++i) sum += a[i] * x[i];
    return sum;
  };
  const SobolIndices found = sobol_indices(values_of(cube(4, 3, 5, 1024, Sensitivity::sobol), linear), 4, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(found.first[i].value, a[i] * a[i] / 21, .02) << i;
    EXPECT_NEAR(found.total[i].value, a[i] * a[i] / 21, .02) << i;
  }
  EXPECT_NEAR(found.variance, 21 * 4 / 12., .1);
  const Plan plan = cube(4, 3, 5, 7, Sensitivity::morris);
  const Points points(plan);
  std::vector<MorrisStep> steps;
  for (std::uint64_t i = 0; i < points.count(); ++i)
    for (std::size_t d = 0; d < 4 && i % 5 < 4; ++d)
      if (const double by = points.share(i + 1, d) - points.share(i, d); by != 0) steps.push_back({d, by});
  const MorrisEffects effects = morris_effects(values_of(plan, linear), steps, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(effects.effects[i].mean_size, 2 * a[i], 1e-9) << i;
    EXPECT_NEAR(effects.effects[i].deviation, 0, 1e-6) << i;
  }
}

TEST(Sensitivity, SamplesThatFailedAreLeftOut) {
  auto values = values_of(cube(3, -pi, pi, 512, Sensitivity::sobol), ishigami);
  values[7] = values[200] = values[201] = NAN;
  const SobolIndices found = sobol_indices(values, 3, 1);
  EXPECT_EQ(found.left_out, 2U);
  EXPECT_NEAR(found.first[1].value, .4424, .1);
}

class InStudies : public testing::InFolder {};

// Where the push stops to grow the block is stopped, too, by a force of at most push/ramp sqrt(m/K) beyond it.
constexpr double inertia = .6 / .2 * 1e-3;

// The whole way: from a plan through runs to the file and the words.
TEST_F(InStudies, SensitivityOfAStudy) {
  const Plan plan = plan_of(thrown_ball, {.set = {"run.duration=0.02"},
                                          .vary = {"let.a=uniform(-3.141592653589793, 3.141592653589793)",
                                                   "let.b=uniform(-3.141592653589793, 3.141592653589793)",
                                                   "let.c=uniform(-3.141592653589793, 3.141592653589793)"},
                                          .measure = {"f=sin(let.a) + 7*sin(let.b)^2 + 0.1*let.c^4*sin(let.a)"},
                                          .samples = "128",
                                          .sensitivity = "sobol"});
  EXPECT_EQ(plan.total(), "128 samples x (3 + 2) = 640 points");
  const StudyOutcome outcome = run_study(plan, {.folder = at("x")});
  ASSERT_EQ(outcome.end, StudyOutcome::End::finished);
  const std::string csv = testing::text_in(at("x/sensitivity.csv"));
  double first = 0;
  ASSERT_EQ(std::sscanf(csv.c_str() + csv.find("f,let.b,"), "f,let.b,%lf", &first), 1) << csv;
  EXPECT_NEAR(first, exact_ishigami().first[1], .15);
  EXPECT_NE(outcome.summary.find("let.b"), std::string::npos);
  EXPECT_NE(testing::text_in(at("x/report.html")).find("Sobol's indices"), std::string::npos);
}

// A block that is pushed with p against F slides where p > F: the border is the straight line p = F.
TEST_F(InStudies, TheBorderOfHolding) {
  const std::vector<std::string> vary{"let.push=0.3:0.7:9", "floor.F=0.4:0.6:5"};
  const Plan plan = plan_of(
      pushed_block, {.vary = vary, .measure = {"held=count(floor.slips) == 0"}, .border = "held=true", .resolution = "0.01"});
  const StudyOutcome outcome = run_study(plan, {.folder = at("b")});
  ASSERT_EQ(outcome.end, StudyOutcome::End::finished);
  std::istringstream lines(testing::text_in(at("b/border.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "let.push,floor.F,let.push.yes,floor.F.yes,let.push.no,floor.F.no");
  int count = 0;
  double lowest = 1, highest = 0;
  while (std::getline(lines, line)) {
    double push = 0, limit = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf", &push, &limit), 2);
    EXPECT_NEAR(push, limit, .4 * .01 + inertia) << line;  // one cell
    lowest = std::min(lowest, limit), highest = std::max(highest, limit);
    ++count;
  }
  EXPECT_GT(count, 50);
  EXPECT_LT(lowest, .405);
  EXPECT_GT(highest, .595);
  EXPECT_LT(outcome.run_now * 10, 129U * 129U);
  // The page has the picture that is in the folder, what was run, and places on the line.
  const std::string page = testing::text_in(at("b/report.html")), picture = testing::text_in(at("b/border.svg"));
  EXPECT_NE(page.find(std::to_string(outcome.points) + " points along the border of held"), std::string::npos);
  for (const char* part : {"held changes", "points with held", "points without"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_NE(picture.find(part), std::string::npos) << part;
  }
  EXPECT_NE(page.find("<td>" + testing::text_in(at("b/border.csv")).substr(testing::text_in(at("b/border.csv")).find('\n') + 1, 3)),
            std::string::npos);
  EXPECT_EQ(run_study(plan, {.folder = at("d"), .page = false}).end, StudyOutcome::End::finished);
  EXPECT_FALSE(std::filesystem::exists(at("d/report.html")));
  // In memory, and after a stop: the same points.
  const StudyOutcome memory = run_study(plan, {.threads = 1});
  EXPECT_EQ(memory.points, outcome.points);
  int calls = 0;
  StudyOptions options{.folder = at("c"), .threads = 2};
  options.hooks.stop = [&] { return ++calls > 60000; };
  EXPECT_EQ(run_study(plan, options).end, StudyOutcome::End::stopped);
  const StudyOutcome rest = run_study(plan, {.folder = at("c"), .resume = true});
  EXPECT_LT(rest.run_now, outcome.run_now);
  EXPECT_EQ(testing::text_in(at("b/table.csv")), testing::text_in(at("c/table.csv")));
  EXPECT_EQ(testing::text_in(at("b/border.csv")), testing::text_in(at("c/border.csv")));
  EXPECT_EQ(page, testing::text_in(at("c/report.html")));
}

TEST_F(InStudies, ABorderOverOneAxis) {
  const Plan plan = plan_of(
      pushed_block,
      {.vary = {"let.push=0.1:0.9:3"}, .measure = {"held=count(floor.slips) == 0"}, .border = "held", .resolution = "1e-4"});
  const StudyOutcome outcome = run_study(plan, {.folder = at("x")});
  double at_push = 0;
  const std::string csv = testing::text_in(at("x/border.csv"));
  ASSERT_EQ(std::sscanf(csv.c_str() + csv.find('\n') + 1, "%lf", &at_push), 1) << csv;
  EXPECT_NEAR(at_push, .5, .8e-4 + inertia);
  EXPECT_LT(outcome.run_now, 20U);
  EXPECT_NE(testing::text_in(at("x/report.html")).find("Where held changes"), std::string::npos);
  EXPECT_NE(testing::text_in(at("x/border.svg")).find("held changes"), std::string::npos);
  EXPECT_NE(outcome.summary.find("held changes at let.push = "), std::string::npos) << outcome.summary;
}

}  // namespace
}  // namespace asperity::study
