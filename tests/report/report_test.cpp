// Pages as text. What a browser makes of them is tested in tests/web.
#include "asperity/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <stdexcept>

#include "compare.hpp"
#include "page.hpp"
#include "thin.hpp"

namespace asperity::report {
namespace {

Table::Column column(const std::string& name, const std::string& unit, std::vector<double> values) {
  return {{name, unit}, std::move(values)};
}

/// Rows at 0, h, 2 h, ..., with the values of a function in each column.
template <class... F>
Table sampled(std::size_t rows, double h, const std::vector<Quantity>& names, F&&... f) {
  Table data;
  data.columns.push_back(column("time", "s", {}));
  for (std::size_t i = 0; i < rows; ++i) data.columns[0].values.push_back(h * static_cast<double>(i));
  std::size_t next = 0;
  [[maybe_unused]] const auto add = [&](auto&& function) {
    std::vector<double> values;
    for (const double t : data.columns[0].values) values.push_back(function(t));
    data.columns.push_back({names[next++], std::move(values)});
  };
  (add(f), ...);
  return data;
}

std::string block(const std::string& page, const std::string& id) {
  const std::string head = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t begin = page.find(head) + head.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

const std::string bad_title = R"(</script><script>alert(1)</script> & <b title="x">'bold'</b> <!-- ]]>)";

Facts facts() {
  Facts all;
  all.title = "Held";
  all.run.time = 10;
  return all;
}

// --- thinning --------------------------------------------------------------------------------------------------------------------

TEST(Thinning, KeepsEveryRowOfAShortTable) {
  const Table data = sampled(3000, 1e-3, {{"x", "m"}}, [](double t) { return t; });
  EXPECT_EQ(rows_to_show(data, 3000).size(), 3000U);
  EXPECT_TRUE(rows_to_show(Table{}, 3000).empty());
}

TEST(Thinning, KeepsPeaksOfOneRow) {
  Table data = sampled(
      200000, 1e-4, {{"wave", "m"}, {"flat", "N"}, {"other", "N"}}, [](double t) { return std::sin(700 * t); },
      [](double) { return 0.0; }, [](double t) { return t * t; });
  data.columns[2].values[123457] = 5;  // a single row each
  data.columns[2].values[123461] = -4;
  data.columns[3].values[77] = -1e3;
  data.columns[1].values[99999] = NAN;
  const auto rows = rows_to_show(data, 3000);
  EXPECT_LE(rows.size(), 3000U);
  EXPECT_GT(rows.size(), 1000U);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(rows.front(), 0U);
  EXPECT_EQ(rows.back(), 199999U);
  for (const std::size_t peak : {123457, 123461, 77}) EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), peak)) << peak;

  // Every column spans what it spans; rows are whole.
  const Table fewer = with_rows(data, rows);
  for (std::size_t c = 1; c < data.columns.size(); ++c) {
    const auto range = [](const std::vector<double>& v) {
      double low = INFINITY, high = -INFINITY;
      for (const double x : v) low = std::fmin(low, x), high = std::fmax(high, x);
      return std::pair(low, high);
    };
    EXPECT_EQ(range(fewer.columns[c].values), range(data.columns[c].values)) << c;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(fewer.columns[0].values[i], data.columns[0].values[rows[i]]);
}

// The two rows on both sides of a jump stay, so that it is drawn as steep as it was.
TEST(Thinning, AJumpStaysSteep) {
  const Table data = sampled(100000, 1e-5, {{"x.slipping", "1"}}, [](double t) { return t < .543210 ? 0.0 : 1.0; });
  const auto& values = data.columns[1].values;
  const auto jump = static_cast<std::size_t>(std::find(values.begin(), values.end(), 1.0) - values.begin());
  const auto rows = rows_to_show(data, 500);
  EXPECT_LE(rows.size(), 500U);
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), jump));
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), jump - 1));
}

// Many columns leave few buckets; a curve that has no peaks is still drawn through rows that lie close to one another.
TEST(Thinning, ASmoothCurveStaysSmooth) {
  Table data = sampled(20000, 1e-4, {{"fall", "m"}}, [](double t) { return 1 - t * t; });
  for (int c = 0; c < 60; ++c) {
    std::vector<double> values(data.rows());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(double(i) * (1 + .1 * c));
    data.columns.push_back({{"c" + std::to_string(c), "N"}, values});
  }
  const auto rows = rows_to_show(data, 3000);
  EXPECT_LE(rows.size(), 3000U);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LE(rows[i] - rows[i - 1], 14U);
}

// --- pages -----------------------------------------------------------------------------------------------------------------------

Table two_columns() {
  return sampled(
      50, .1, {{"block.position", "m"}, {"floor.force", "N"}}, [](double t) { return 1e-6 * t; },
      [](double t) { return std::sin(t); });
}

std::vector<std::string> every_page() {
  const Table data = two_columns();
  Facts bad = facts();
  bad.title = bad.cite = bad_title;
  bad.notes = {bad_title};
  bad.warnings = {{.component = bad_title, .text = bad_title}};
  Table named = data;
  named.columns[1].quantity = {bad_title, bad_title};
  return {report_page(bad, named, bad_title), plot_page({bad_title, "time", {bad_title}}, named),
          compare_page({bad_title, bad, named}, {bad_title, facts(), data})};
}

TEST(Pages, NothingInTheDataEndsTheScript) {
  for (const std::string& page : every_page()) {
    EXPECT_EQ(count(page, "</script>"), count(page, "<script"));
    EXPECT_EQ(count(page, "<script"), has_uplot() ? 4U : 3U);
    EXPECT_EQ(count(page, "alert(1)"), count(page, "\\u003cscript>alert(1)") + count(page, "&lt;script&gt;alert(1)"));
    EXPECT_EQ(count(page, "<b title"), 0U);
    EXPECT_EQ(count(page, "<!--"), 0U);
    EXPECT_NE(page.find("<title>&lt;/script&gt;"), std::string::npos);
  }
}

TEST(Pages, TheDataIsJsonThatReadsBack) {
  const Table data = two_columns();
  Facts named = facts();
  named.title = bad_title;
  const std::string page = report_page(named, data, "scene");
  const Json content = Json::parse(block(page, "content")), tables = Json::parse(block(page, "tables"));
  EXPECT_EQ(content["title"], bad_title);
  EXPECT_EQ(content["scene_text"], "scene");
  ASSERT_EQ(tables.size(), 1U);
  ASSERT_EQ(tables[0].size(), data.columns.size());
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    EXPECT_EQ(tables[0][c]["name"], data.columns[c].quantity.name);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const double v = data.columns[c].values[i];
      EXPECT_NEAR(tables[0][c]["values"][i].get<double>(), v, 5e-7 * std::abs(v));
    }
  }
}

TEST(Pages, WhatIsNotFiniteIsNull) {
  EXPECT_EQ(columns_json({{column("x", "m", {1, NAN, INFINITY, -0.0, 1.23456789e-20})}}),
            R"([{"name":"x","unit":"m","values":[1,null,null,0,1.234568e-20]}])");
}

TEST(Pages, InvalidUtf8IsReplaced) {
  Table data = two_columns();
  data.columns[1].quantity.name = "block\xff.position";
  const std::string page = report_page(facts(), data, "\xfe");
  EXPECT_EQ(Json::parse(block(page, "content"))["scene_text"], "\xEF\xBF\xBD");
  EXPECT_TRUE(Json::accept(block(page, "tables")));
}

TEST(Pages, NeedNothingButThemselves) {
  static const std::regex address(R"re((src|href|action|poster|data)\s*=\s*["']?([^"'\s>]*))re");
  for (const std::string& page : every_page()) {
    // Markup only: in scripts the words are names.
    std::string markup;
    for (std::size_t at = 0; at < page.size();) {
      const std::size_t script = std::min(page.find("<script", at), page.find("<style", at));
      markup += page.substr(at, script == std::string::npos ? script : script - at);
      if (script == std::string::npos) break;
      at = std::min(page.find("</script>", script), page.find("</style>", script));
    }
    for (std::sregex_iterator found(markup.begin(), markup.end(), address), end; found != end; ++found)
      EXPECT_TRUE((*found)[2].str().starts_with("data:")) << found->str();
    for (const char* word : {"@import", "url(", "fetch(", "XMLHttpRequest", "import(", "sendBeacon", "WebSocket"})
      EXPECT_EQ(page.find(word), std::string::npos) << word;
    // The home of uPlot, named in its first line, is the only address.
    for (std::size_t at = page.find("://"); at != std::string::npos; at = page.find("://", at + 1))
      EXPECT_EQ(page.substr(at - 9, 12), "/*! https://") << page.substr(at - 20, 60);
  }
}

TEST(Pages, LongListsAreCut) {
  Facts many = facts();
  many.event_count = 5000;
  for (int i = 0; i < 1000; ++i) many.events.push_back({double(i), Event::Kind::slip, "floor", 0});
  const Json content = Json::parse(block(report_page(many, two_columns()), "content"));
  EXPECT_EQ(content["facts"]["events"]["list"].size(), 200U);
  EXPECT_EQ(content["facts"]["events"]["count"], 5000);
}

TEST(Pages, OfAHugeTableAreSmall) {
  Table data;
  for (int c = 0; c < 1000; ++c) {
    std::vector<double> values(5000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(.37 * static_cast<double>(i) * (c + 1));
    data.columns.push_back(column("e" + std::to_string(c) + ".force", "N", std::move(values)));
  }
  EXPECT_LT(report_page(facts(), data).size(), 6'000'000U);
}

TEST(Pages, NumbersThatAreNoneAreNull) {
  Facts wild = facts();
  wild.energy.kinetic = NAN;
  wild.run.time = INFINITY;
  const Json content = Json::parse(block(report_page(wild, two_columns()), "content"));
  EXPECT_TRUE(content["facts"]["energy"]["kinetic"].is_null());
  EXPECT_TRUE(content["facts"]["run"]["time"].is_null());
  compare_page({"A", wild, two_columns()}, {"B", wild, two_columns()});
}

TEST(Pages, AColumnThatIsNotThereNamesTheNearest) {
  try {
    plot_page({"x", "time", {"floor.forse"}}, two_columns());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "no column is named floor.forse; did you mean floor.force?");
  }
}

TEST(Pages, WithoutUPlotHavePictures) {
  const Table data = two_columns();
  Json panels = Json::array();
  for (const Panel& panel : time_panels({&data}).list) panels.push_back(to_json(panel));
  ASSERT_EQ(panels.size(), 2U);
  add_pictures(panels, {{"", &data}});
  for (const Json& panel : panels) EXPECT_NE(panel["picture"].get<std::string>().find("<svg"), std::string::npos);
}

// --- what is drawn together ------------------------------------------------------------------------------------------------------

TEST(Panels, LikeIsDrawnWithLike) {
  const auto one = [](double t) { return t; };
  const Table data = sampled(
      10, .1,
      {{"a.position.x", "m"},
       {"a.velocity.x", "m/s"},
       {"arm.joint1.position", "rad"},
       {"b.position.x", "m"},
       {"floor.normal_force", "N"},
       {"floor.touching", "1"},
       {"floor.power", "W"},
       {"floor.tangential_force.y", "N"},
       {"energy.kinetic", "J"}},
      one, one, one, one, one, one, one, [](double) { return 0.0; }, one);
  const Panels panels = time_panels({&data});
  std::vector<std::pair<std::string, std::vector<std::string>>> seen;
  for (const Panel& panel : panels.list) seen.emplace_back(panel.title, panel.y_columns);
  const decltype(seen) expected{{"Positions", {"a.position.x", "b.position.x"}},
                                {"Angles", {"arm.joint1.position"}},
                                {"Velocities", {"a.velocity.x"}},
                                {"Forces", {"floor.normal_force"}},
                                {"Energy", {"energy.kinetic"}},
                                {"Power into the elements", {"floor.power"}}};
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(panels.zero, std::vector<std::string>{"floor.tangential_force.y"});
}

TEST(Panels, AxesHavePrefixes) {
  const Table data = sampled(10, .1, {{"a.position", "m"}}, [](double t) { return 2e-5 * t; });
  const Panels panels = time_panels({&data});
  EXPECT_EQ(panels.list[0].y.label, "position [µm]");
  EXPECT_NEAR(panels.list[0].y.factor, 1e6, 1e-6);
  EXPECT_EQ(panels.list[0].x.label, "time [s]");
}

TEST(Panels, ManyCurvesAreSplitByOwner) {
  Table data = sampled(4, .1, {});
  for (int i = 1; i <= 5; ++i)
    for (const char* axis : {"x", "y", "z"})
      data.columns.push_back(column("b" + std::to_string(i) + ".position." + axis, "m", {1, 2, 3, 4}));
  const Panels panels = time_panels({&data});
  ASSERT_EQ(panels.list.size(), 3U);
  EXPECT_EQ(panels.list[0].title, "Positions: b1, b2");
  EXPECT_EQ(panels.list[0].y_columns.size(), 6U);
  EXPECT_EQ(panels.list[2].title, "Positions: b5");
}

TEST(Phases, FrictionOverRelativeMotion) {
  Table data = sampled(
      100, .1,
      {{"m.position.x", "m"},
       {"m.position.y", "m"},
       {"m.velocity.x", "m/s"},
       {"m.velocity.y", "m/s"},
       {"belt.position.x", "m"},
       {"belt.position.y", "m"},
       {"belt.velocity.x", "m/s"},
       {"belt.velocity.y", "m/s"},
       {"rub.tangential_force.x", "N"},
       {"rub.tangential_force.y", "N"}},
      [](double t) { return std::sin(t); }, [](double t) { return .01 * t; }, [](double t) { return std::cos(t); },
      [](double) { return .01; }, [](double t) { return -t; }, [](double) { return 0.0; }, [](double) { return -1.0; },
      [](double) { return 0.0; }, [](double t) { return 2 * std::cos(t); }, [](double t) { return .1 * std::cos(t); });
  const Json elements = Json::parse(R"([{"name": "rub", "kind": "composite", "between": ["m@foot", "belt"]}])");
  const auto panels = phase_panels(data, elements);
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_EQ(panels[0].x_column, "m.position.x − belt.position.x");  // there is more sliding along x than along y
  EXPECT_EQ(panels[1].x_column, "m.velocity.x − belt.velocity.x");
  EXPECT_EQ(panels[1].y_columns, std::vector<std::string>{"rub.tangential_force.x"});
  const auto* slip = data.find("m.velocity.x − belt.velocity.x");
  ASSERT_TRUE(slip);
  for (std::size_t i = 0; i < data.rows(); ++i) EXPECT_EQ(slip->values[i], std::cos(data.columns[0].values[i]) + 1.0);
}

TEST(Bands, OfColumnsAndOfEvents) {
  const Table data = sampled(
      101, .1, {{"floor.touching", "1"}, {"floor.slipping", "1"}}, [](double t) { return t < 1.95 ? 0.0 : 1.0; },
      [](double t) { return t > 4.95 && t < 6.95 ? 1.0 : 0.0; });
  const Json seen = bands(data, Json::array(), 10);
  ASSERT_EQ(seen.size(), 1U);
  ASSERT_EQ(seen[0]["spans"].size(), 3U);
  const auto expect_span = [](const Json& span, double from, double to, const std::string& mode) {
    EXPECT_NEAR(span[0].get<double>(), from, 1e-12);
    EXPECT_NEAR(span[1].get<double>(), to, 1e-12);
    EXPECT_EQ(span[2], mode);
  };
  expect_span(seen[0]["spans"][0], 2, 5, "held");
  expect_span(seen[0]["spans"][1], 5, 7, "slipping");
  expect_span(seen[0]["spans"][2], 7, 10, "held");

  const Json events =
      Json::parse(R"([{"time": 1.5, "kind": "slip", "element": "pad"}, {"time": 4, "kind": "stick", "element": "pad"},
                                      {"time": 2, "kind": "touch", "element": "wall"}, {"time": 3, "kind": "release", "element": "wall"}])");
  const Json told = bands(Table{}, events, 10);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0]["element"], "pad");
  ASSERT_EQ(told[0]["spans"].size(), 3U);
  expect_span(told[0]["spans"][0], 0, 1.5, "held");
  expect_span(told[0]["spans"][1], 1.5, 4, "slipping");
  expect_span(told[0]["spans"][2], 4, 10, "held");
  ASSERT_EQ(told[1]["spans"].size(), 1U);
  expect_span(told[1]["spans"][0], 2, 3, "touching");
}

// --- comparison ------------------------------------------------------------------------------------------------------------------

// Between rows h apart, a straight line misses sin t by at most h^2/8.
TEST(Comparison, FarthestApartOnOtherTimes) {
  const Table a = sampled(1000, .01, {{"x", "m"}}, [](double t) { return std::sin(t); });
  const Table b = sampled(500, .0217, {{"x", "m"}}, [](double t) { return std::sin(t) + .1 * t; });
  const Farthest far = farthest(a.columns[0].values, a.columns[1].values, b.columns[0].values, b.columns[1].values);
  EXPECT_NEAR(far.time, 9.99, 1e-12);
  EXPECT_NEAR(far.difference, .999, .0217 * .0217 / 8);
  EXPECT_EQ(farthest(a.columns[0].values, a.columns[1].values, a.columns[0].values, a.columns[1].values).difference, 0);

  // Only where both ran.
  const Table late = sampled(10, 1, {{"x", "m"}}, [](double) { return 7.0; });
  std::vector<double> times = late.columns[0].values;
  for (double& t : times) t += 5;
  EXPECT_EQ(farthest({0, 4, 5, 6, 100}, {0, 0, 1, 3, 0}, times, late.columns[1].values).difference, 6);
}

TEST(Comparison, SaysWhatDiffers) {
  const Table a = sampled(
      11, .1, {{"block.position", "m"}, {"floor.a", "m"}}, [](double t) { return t; }, [](double) { return 1.0; });
  const Table b = sampled(
      11, .1, {{"block.position", "m"}, {"floor.z", "m"}}, [](double t) { return 2 * t; }, [](double) { return 1.0; });
  Facts one = facts(), other = facts();
  one.parameters = {{"floor", "K", "1", "N/m", ""}};
  other.parameters = {{"floor", "K", "2", "N/m", ""}};
  one.elements.resize(1), one.elements[0].name = "floor", one.elements[0].law = "single_state";
  other.elements = one.elements, other.elements[0].law = "lugre";
  const std::string page = compare_page({"A", one, a}, {"B", other, b});
  const Json differences = Json::parse(block(page, "content"))["differences"];
  ASSERT_EQ(differences["columns"].size(), 1U);
  EXPECT_NEAR(differences["columns"][0]["most"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(differences["columns"][0]["b"].get<double>(), 2, 1e-12);
  EXPECT_EQ(differences["only"], Json::parse(R"([["floor.a"], ["floor.z"]])"));
  ASSERT_EQ(differences["parameters"].size(), 2U);
  EXPECT_EQ(differences["parameters"][0]["name"], "floor.K");
  EXPECT_EQ(differences["parameters"][1]["b"], "lugre");

  // A law that is also among the parameters, as a scene has it, is said once.
  Facts one_scene = one, other_scene = other;
  one_scene.parameters.push_back({"floor", "law", "single_state", "", ""});
  other_scene.parameters.push_back({"floor", "law", "lugre", "", ""});
  const std::string scenes = compare_page({"A", one_scene, a}, {"B", other_scene, b});
  EXPECT_EQ(Json::parse(block(scenes, "content"))["differences"]["parameters"], differences["parameters"]);
}

}  // namespace
}  // namespace asperity::report
