#include "asperity/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "asperity/parameters.hpp"
#include "compare.hpp"
#include "page.hpp"

namespace asperity {
namespace {

using report::Json;

/// As a browser reads them: what is not a number is null.
Json read_back(const Facts& facts) { return Json::parse(to_json(facts)); }

double end_of(const Facts& facts) { return std::isfinite(facts.run.time) ? facts.run.time : 0; }

/// Long lists are cut; how many entries are left out is in facts.more.
void shorten(Json& facts) {
  constexpr std::size_t most = 200;
  const auto cut = [&](Json& list, const char* name) {
    const std::size_t more = list.size() > most ? list.size() - most : 0;
    if (more) list.erase(list.begin() + static_cast<Json::difference_type>(most), list.end());
    const auto before = facts.find("left_out");
    facts["more"][name] = more + (before == facts.end() ? 0 : before->value(name, std::size_t(0)));
  };
  cut(facts["impacts"], "impacts");
  cut(facts["final"], "final");
  cut(facts["parameters"], "parameters");
  cut(facts["warnings"], "warnings");
  cut(facts["energy"]["elements"], "losses");
  cut(facts["events"]["list"], "events");
  cut(facts["motions"], "motions");
  facts.erase("columns");
}

/// Events that repeat in one line; of many the first ones.
Json event_lines(const Facts& facts) {
  constexpr std::size_t most_single = 30, most = 200;
  Json list = Json::array();
  for (const EventGroup& group : folded_events(facts, most_single)) {
    if (list.size() == most) break;
    const auto kind = std::size_t(std::max_element(group.counts.begin(), group.counts.end()) - group.counts.begin());
    list.push_back({{"time", group.from},
                    {"count", group.count()},
                    {"kind", to_text(Event::Kind(kind))},
                    {"element", group.elements > 1 ? fmt::format("{}, {} of them", group.element, group.elements) : group.element},
                    {"text", to_text(group, facts.run.duration)}});
  }
  return list;
}

Json to_json(const std::vector<report::Panel>& panels, const std::vector<std::pair<std::string, const Table*>>& tables) {
  Json list = Json::array();
  for (const report::Panel& panel : panels) list.push_back(report::to_json(panel));
  if (!report::has_uplot()) report::add_pictures(list, tables);
  return list;
}

std::string title_of(const Json& facts) {
  const std::string title = facts["title"], scene = facts["scene"];
  return !title.empty() ? title : !scene.empty() ? scene : "A run";
}

const Table::Column& find(const Table& data, const std::string& name) {
  if (const auto* column = data.find(name)) return *column;
  std::vector<std::string> known;
  for (const Table::Column& column : data.columns) known.push_back(column.quantity.name);
  const auto suggestion = nearest(name, known);
  throw std::invalid_argument(
      fmt::format("no column is named {}{}", name, suggestion ? fmt::format("; did you mean {}?", *suggestion) : ""));
}

}  // namespace

std::string report_page(const Facts& typed, const Table& data, const std::string& resolved_scene) {
  Json facts = read_back(typed);
  Table shown = report::for_page(data);
  const report::Panels panels = report::time_panels({&shown});
  const auto phases = report::phase_panels(shown, facts["elements"]);
  Json content{{"kind", "report"},
               {"title", title_of(facts)},
               {"scene_text", resolved_scene},
               {"panels", to_json(panels.list, {{"", &shown}})},
               {"phases", to_json(phases, {{"", &shown}})},
               {"zero", panels.zero},
               {"bands", report::bands(data, facts["events"]["list"], end_of(typed))},
               {"event_lines", event_lines(typed)},
               {"motion_lines", motion_lines(typed)},
               {"rows", {{"shown", shown.rows()}, {"recorded", std::max<std::uint64_t>(data.recorded, data.rows())}}},
               {"columns_left_out", data.columns.size() > shown.columns.size() ? data.columns.size() - shown.columns.size() : 0}};
  shorten(facts);
  content["facts"] = std::move(facts);
  return report::page(title_of(content["facts"]), content, "[" + report::columns_json(shown) + "]");
}

std::string plot_page(const PlotPage& plot, const Table& data) {
  Table chosen;
  chosen.columns.push_back(find(data, plot.x));
  for (const std::string& name : plot.y)
    if (name != plot.x) chosen.columns.push_back(find(data, name));
  const Table shown = report::for_page(chosen);
  const Json content{{"kind", "plot"},
                     {"title", plot.title},
                     {"panels", to_json(report::panels_over(shown, plot.x, plot.y), {{"", &shown}})},
                     {"rows", {{"shown", shown.rows()}, {"recorded", std::max<std::uint64_t>(data.recorded, data.rows())}}}};
  return report::page(plot.title, content, "[" + report::columns_json(shown) + "]");
}

std::string compare_page(const Side& a, const Side& b) {
  Json facts_a = read_back(a.facts), facts_b = read_back(b.facts);
  const Table shown_a = report::for_page(a.data), shown_b = report::for_page(b.data);
  const report::Panels panels = report::time_panels({&shown_a, &shown_b});
  Json content{{"kind", "compare"},
               {"title", fmt::format("{} beside {}", a.label, b.label)},
               {"labels", {a.label, b.label}},
               {"panels", to_json(panels.list, {{a.label, &shown_a}, {b.label, &shown_b}})},
               {"zero", panels.zero},
               {"differences", report::differences(a.data, b.data, facts_a, facts_b)},
               {"bands",
                {report::bands(a.data, facts_a["events"]["list"], end_of(a.facts)),
                 report::bands(b.data, facts_b["events"]["list"], end_of(b.facts))}}};
  shorten(facts_a);
  shorten(facts_b);
  content["facts"] = {std::move(facts_a), std::move(facts_b)};
  return report::page(content["title"], content, "[" + report::columns_json(shown_a) + ",\n" + report::columns_json(shown_b) + "]");
}

}  // namespace asperity
