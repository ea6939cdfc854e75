// The pictures: well-formed, labelled, small, the same every time; and the parts of the plotter.
#include <algorithm>
#include <cmath>
#include <regex>

#include "asperity/any_law.hpp"
#include "asperity/plot.hpp"
#include "asperity/quantity_text.hpp"
#include "cli/program.hpp"

namespace {

using asperity::plot::Figure;
using asperity::plot::nice_ticks;
using asperity::plot::simplified;
using asperity::plot::to_svg;

/// What is not well-formed about an XML text: tags that do not match, bare & or <, anything outside the root.
std::string xml_problem(const std::string& text) {
  std::vector<std::string> open;
  bool had_root = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      if (!std::regex_search(text.substr(i, 10), std::regex("^&(amp|lt|gt|quot);"))) return "bare & at " + std::to_string(i);
    }
    if (text[i] != '<') {
      if (open.empty() && text[i] > ' ') return "text outside the root";
      ++i;
      continue;
    }
    const std::size_t end = text.find('>', i);
    if (end == std::string::npos) return "unclosed tag";
    const std::string tag = text.substr(i + 1, end - i - 1);
    if (tag.find('<') != std::string::npos) return "< inside a tag";
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" />", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected </" + tag.substr(1) + ">";
      open.pop_back();
    } else {
      if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "odd quotes in <" + tag + ">";
      if (open.empty() && had_root) return "two roots";
      had_root = true;
      if (tag.back() != '/') open.push_back(name);
    }
    i = end + 1;
  }
  return open.empty() ? (had_root ? "" : "no root") : "unclosed <" + open.back() + ">";
}

class Pictures : public ProgramTest {};

TEST_F(Pictures, TheXmlCheckFindsMistakes) {
  EXPECT_EQ(xml_problem("<a><b c=\"d\"/>x &amp; y</a>\n"), "");
  for (const char* bad : {"<a><b></a>", "<a>&x</a>", "<a", "<a/><b/>", "x", "<a></a></b>"}) EXPECT_NE(xml_problem(bad), "") << bad;
}

TEST_F(Pictures, ATraceIsLabelledWithUnits) {
  ASSERT_EQ(run("trace lugre --set K=2e5 --position '3e-5*sin(t)' --duration 10 --step 1e-3 -o x.csv --plot x.svg").exit_code, 0);
  const std::string svg = read("x.svg");
  EXPECT_EQ(xml_problem(svg), "");
  for (const char* label : {"position [µm]", "velocity [µm/s]", "friction force [N]", "time [s]", "lugre", "K=2e5"})
    EXPECT_NE(svg.find(label), std::string::npos) << label;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_LT(svg.size(), 100000U) << "10001 points are thinned";
  ASSERT_EQ(run("trace lugre --set K=2e5 --position '3e-5*sin(t)' --duration 10 --step 1e-3 -o x.csv --plot y.svg").exit_code, 0);
  EXPECT_EQ(svg, read("y.svg"));
}

TEST_F(Pictures, AwkwardMotionsAreDrawnToo) {
  // standing still, and a formula with characters that XML minds
  for (const char* words : {"single_state --velocity 0", "hertz --position 1", "dahl --velocity 't<0.5&&t>0.1 ? 1 : 0'"}) {
    ASSERT_EQ(run(std::string("trace ") + words + " --duration 1 --step 0.1 -o x.csv --plot x.svg").exit_code, 0);
    EXPECT_EQ(xml_problem(read("x.svg")), "") << words;
    EXPECT_EQ(read("x.svg").find("nan"), std::string::npos) << words;
  }
}

TEST_F(Pictures, TheDemoDrawsEveryLaw) {
  const Answer answer = run("demo");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("out/demo/index.html"), std::string::npos);
  const std::string page = read("out/demo/index.html");
  for (const std::string& name : asperity::law_names()) {
    const std::string svg = read("out/demo/" + name + ".svg");
    EXPECT_EQ(xml_problem(svg), "") << name;
    EXPECT_NE(svg.find("force ["), std::string::npos) << name;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
    EXPECT_LT(svg.size(), 150000U) << name;
    EXPECT_NE(page.find("id=\"" + name + "\""), std::string::npos) << name;
  }
  EXPECT_EQ(page.find("src=\"http"), std::string::npos) << "self-contained";
  EXPECT_EQ(files().size(), asperity::law_names().size() + 3) << "nothing but pictures, the page and two folders";
}

TEST(Plot, TicksAreRound) {
  EXPECT_EQ(nice_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(nice_ticks(-1.1, 1.1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  for (const double size : {1e-12, 3.7e-5, 0.42, 9.9, 1.7e8}) {
    const auto ticks = nice_ticks(-size, size, 6);
    EXPECT_GE(ticks.size(), 4U) << size;
    EXPECT_LE(ticks.size(), 11U) << size;
    EXPECT_TRUE(std::any_of(ticks.begin(), ticks.end(), [](double t) { return t == 0; })) << size;
  }
}

TEST(Plot, SimplifyingKeepsEveryTurningPoint) {
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i <= 300000; ++i) points.emplace_back(i * 1e-3, 100 * std::sin(i * 1e-3));
  points[123456].second = 555;  // a spike of one sample
  const auto kept = simplified(points, 0.08);
  EXPECT_LT(kept.size(), 15000U);
  EXPECT_TRUE(std::any_of(kept.begin(), kept.end(), [](const auto& p) { return p.second == 555; }));
  const auto lowest = std::min_element(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  EXPECT_NEAR(lowest->second, -100, 1e-3);
  EXPECT_EQ(kept.front(), points.front());
  EXPECT_EQ(kept.back(), points.back());
}

TEST(Plot, SimplifyingALoopStaysWithinTheTolerance) {
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i <= 2000; ++i) points.emplace_back(200 * std::cos(i * 0.00628), 100 * std::sin(i * 0.00628));
  const auto kept = simplified(points, 0.1);
  EXPECT_LT(kept.size(), 300U);
  for (const auto& [x, y] : points) {
    double nearest = 1e9;
    for (std::size_t i = 1; i < kept.size(); ++i) {
      const double dx = kept[i].first - kept[i - 1].first, dy = kept[i].second - kept[i - 1].second;
      const double s = std::clamp(((x - kept[i - 1].first) * dx + (y - kept[i - 1].second) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
      nearest = std::min(nearest, std::hypot(x - kept[i - 1].first - s * dx, y - kept[i - 1].second - s * dy));
    }
    EXPECT_LE(nearest, 0.21);
  }
}

TEST(Plot, QuantitiesAsText) {
  using asperity::quantity_text;
  EXPECT_EQ(quantity_text(0.0051234, "m"), "5.123 mm");
  EXPECT_EQ(quantity_text(-2.3e-10, "J", 2), "-230 pJ");
  EXPECT_EQ(quantity_text(0.99999, "N"), "1 N");
  EXPECT_EQ(quantity_text(999.99, "N"), "1 kN");
  EXPECT_EQ(quantity_text(1e-12, "s"), "1 ps");
  EXPECT_EQ(quantity_text(0, "m/s"), "0 m/s");
  EXPECT_EQ(quantity_text(0.0016, "kg"), "0.0016 kg");  // kg has a prefix, m^2 takes none, 1 is no unit
  EXPECT_EQ(quantity_text(2.5e-5, "m^2"), "2.5e-5 m^2");
  EXPECT_EQ(quantity_text(0.25, "1"), "0.25");
  EXPECT_EQ(quantity_text(3e-17, "J"), "3e-17 J");
  EXPECT_EQ(quantity_text(-0.0, "J"), "0 J");
  EXPECT_EQ(quantity_text(std::nan(""), "J"), "nan J");
  EXPECT_EQ(quantity_text(1.234567e-20, "m", 3), "1.23e-20 m");
  EXPECT_EQ(quantity_text(std::vector{0.0771667, 0.0122266, -5e-18}, "m"), "77.17, 12.23, 0 mm");
  EXPECT_EQ(quantity_text(std::vector{0.993164, -0.116725, 1e-18}, "1"), "0.9932, -0.1167, 0");
  EXPECT_EQ(quantity_text(std::vector{0.0, 0.0}, "N"), "0, 0 N");
}

TEST(Plot, PrefixesSuitTheNumbers) {
  const auto label = [](double size, const char* unit) {
    const std::string svg =
        to_svg({.title = "t", .panels = {{.x = {"x", "s"}, .y = {"y", unit}, .lines = {{"", {0, 1}, {0, size}}}}}});
    std::smatch match;
    return std::regex_search(svg, match, std::regex(">y( \\[[^<]*)<")) ? match[1].str() : std::string();
  };
  EXPECT_EQ(label(2e-6, "m"), " [µm]");
  EXPECT_EQ(label(2e-3, "N"), " [mN]");
  EXPECT_EQ(label(0.5, "N"), " [N]");
  EXPECT_EQ(label(5e6, "N/m"), " [MN/m]");
  EXPECT_EQ(label(5e6, "1"), " [10⁶]");
  EXPECT_EQ(label(2e-5, "m^lambda"), " [10⁻⁶ m^lambda]");
  EXPECT_EQ(label(3, "kg"), " [kg]");
}

}  // namespace
