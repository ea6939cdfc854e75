#include "asperity/job/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "asperity/quantity_text.hpp"
#include "asperity/report/columns.hpp"
#include "asperity/version.hpp"
#include "facts/json.hpp"
#include "wording.hpp"

namespace asperity {
namespace {

constexpr std::size_t most_lines = 24;  // of a table in words

const std::vector<double>& times_of(const Side& side) { return side.data.find("time")->values; }

/// With weights that fade out: a motion that only swings has none, even if its last swing is cut.
double drift(const std::vector<double>& t, const std::vector<double>& x) {
  const double from = t.front() + (t.back() - t.front()) / 2, length = t.back() - from;
  double way = 0, weights = 0;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double middle = (t[i - 1] + t[i]) / 2;
    if (middle < from) continue;
    const double weight = std::pow(std::sin(std::numbers::pi * (middle - from) / length), 4);
    way += weight * (x[i] - x[i - 1]);
    weights += weight * (t[i] - t[i - 1]);
  }
  return weights > 0 ? way / weights : 0;
}

}  // namespace

RunComparison compare(Side a, Side b) {
  RunComparison found;
  found.a = std::move(a), found.b = std::move(b);
  const auto &ta = times_of(found.a), &tb = times_of(found.b);
  const bool drifts = ta.size() >= 4 && tb.size() >= 4;
  if (!ta.empty()) found.drifts_from = ta.front() + (ta.back() - ta.front()) / 2;
  for (const Table::Column& column : found.a.data.columns) {
    const Quantity& quantity = column.quantity;
    const Table::Column* other = found.b.data.find(quantity.name);
    if (!other) found.only[0].push_back(quantity.name);
    if (!other || quantity.name == "time" || column.values.empty() || other->values.empty()) continue;
    found.columns.push_back(
        {quantity, {column.values.back(), other->values.back()}, farthest(ta, column.values, tb, other->values)});
    if (drifts && quantity.name.find(".position") != std::string::npos)
      found.drifts.push_back({{quantity.name, quantity.unit + "/s"}, {drift(ta, column.values), drift(tb, other->values)}});
  }
  for (const Table::Column& column : found.b.data.columns)
    if (!found.a.data.find(column.quantity.name)) found.only[1].push_back(column.quantity.name);

  std::map<std::pair<std::string, std::string>, RunComparison::Events> counts;
  const std::array both{&found.a, &found.b};
  for (std::size_t i = 0; i < 2; ++i)
    for (const Event& event : both[i]->facts.events) {
      RunComparison::Events& entry = counts[{event.element, std::string(to_text(event.kind))}];
      entry.element = event.element, entry.kind = event.kind;
      ++entry.count[i];
    }
  for (const auto& [what, entry] : counts) found.events.push_back(entry);
  return found;
}

std::optional<Side> read_side(const std::string& label, const std::string& folder, std::vector<std::string>& problems) {
  auto facts = read_facts((std::filesystem::path(folder) / "summary.json").string(), problems);
  if (!facts) return std::nullopt;
  auto data = report::read_data(folder, false, problems);
  if (!data) return std::nullopt;
  if (!data->table.find("time")) {
    problems.push_back(fmt::format("{}: its data have no column time", folder));
    return std::nullopt;
  }
  return Side{label, std::move(*facts), std::move(data->table)};
}

std::string to_json(const RunComparison& found) {
  using Json = facts::Json;
  Json json;
  json["asperity"] = version();
  json["runs"] = Json::array();
  for (const Side* one : {&found.a, &found.b}) {
    Json findings = facts::json_of(one->facts)["findings"];
    json["runs"].push_back({{"label", one->label}, {"verdict", to_text(one->facts.verdict)}, {"findings", std::move(findings)}});
  }
  json["columns"] = Json::array();
  for (const auto& [quantity, final, apart] : found.columns)
    json["columns"].push_back({{"name", quantity.name},
                               {"unit", quantity.unit},
                               {"final", final},
                               {"largest_difference", apart.difference},
                               {"time", apart.time}});
  json["drifts"] = Json::array();
  for (const RunComparison::Drift& drift : found.drifts)
    json["drifts"].push_back(
        {{"name", drift.quantity.name}, {"unit", drift.quantity.unit}, {"from", found.drifts_from}, {"speed", drift.speed}});
  json["events"] = Json::array();
  for (const RunComparison::Events& events : found.events)
    json["events"].push_back({{"element", events.element}, {"kind", to_text(events.kind)}, {"count", events.count}});
  json["only_in"] = found.only;
  return facts::text_of(json);
}

// --- in words --------------------------------------------------------------------------------------------------------------------

namespace {

using Lines = std::vector<std::vector<std::string>>;

/// What each run says of its own numbers.
std::string doubts(const RunComparison& found) {
  std::string text;
  for (const Side* one : {&found.a, &found.b})
    for (const Finding& finding : one->facts.findings)
      text += fmt::format("{}: {}: {}\n", one->label, word_of(finding.severity), finding.text);
  return text;
}

std::string columns_apart(const RunComparison& found) {
  Lines rows{{"", found.a.label, found.b.label, "largest difference", ""}};
  std::size_t same = 0, left = 0;
  for (const auto& [quantity, final, apart] : found.columns) {
    const auto text = [&unit = quantity.unit](double value) { return quantity_text(value, unit); };
    if (apart.difference == 0) ++same;
    else if (rows.size() <= most_lines)
      rows.push_back({quantity.name, text(final[0]), text(final[1]), text(apart.difference), fmt::format("at {:g} s", apart.time)});
    else ++left;
  }
  std::string out = rows.size() > 1 ? "final values\n" + aligned(rows, "<>>><") : "";
  if (left > 0) out += fmt::format("  and {} more, see the page\n", left);
  if (same > 0) out += fmt::format("{} column{} equal, to the last bit\n", same, same == 1 ? " is" : "s are");
  return out;
}

/// Neither drawn nor compared: what only one of them has.
std::string only_in_one(const RunComparison& found) {
  std::string text;
  for (const auto& [side, names] : {std::pair(&found.a, &found.only[0]), std::pair(&found.b, &found.only[1])})
    if (!names->empty()) text += fmt::format("only in {}: {}\n", side->label, fmt::join(*names, ", "));
  return text;
}

std::string drifts(const RunComparison& found) {
  Lines rows{{"", found.a.label, found.b.label}};
  for (const auto& [quantity, speed] : found.drifts)
    if (rows.size() <= most_lines)
      rows.push_back({quantity.name, quantity_text(speed[0], quantity.unit), quantity_text(speed[1], quantity.unit)});
  if (rows.size() == 1) return "";
  return fmt::format("drift over the second half, from {:g} s\n", found.drifts_from) + aligned(rows, "<>>");
}

std::string events(const RunComparison& found) {
  if (found.events.empty()) return "";
  Lines rows{{"", found.a.label, found.b.label}};
  for (const auto& [element, kind, count] : found.events)
    if (rows.size() <= most_lines)
      rows.push_back({fmt::format("{} {}", element, to_text(kind)), std::to_string(count[0]), std::to_string(count[1])});
  return "events\n" + aligned(rows, "<>>");
}

std::string energies(const RunComparison& found) {
  Lines rows{{"", found.a.label, found.b.label}};
  const auto row = [&](const char* label, double EnergyAccount::*part) {
    rows.push_back({label, known_quantity(found.a.facts.energy.*part, "J"), known_quantity(found.b.facts.energy.*part, "J")});
  };
  row("work in", &EnergyAccount::work_in);
  row("dissipated", &EnergyAccount::dissipated);
  row("numerical damping", &EnergyAccount::closing_error);
  return "energy\n" + aligned(rows, "<>>");
}

}  // namespace

std::string to_text(const RunComparison& found) {
  return doubts(found) + columns_apart(found) + only_in_one(found) + drifts(found) + events(found) + energies(found);
}

std::string to_page(const RunComparison& found) { return compare_page(found.a, found.b); }

plot::Figure figure_of(const RunComparison& found) {
  Table shared;
  for (const Table::Column& column : found.a.data.columns)
    if (found.b.data.find(column.quantity.name)) shared.columns.push_back({column.quantity, {}});
  std::vector<std::string> none;
  const report::Choice choice = report::choose(shared, std::nullopt, std::nullopt, none);
  plot::Figure figure = report::figure_of(found.a.data, found.a.label, found.b.data, found.b.label, choice);
  figure.title = fmt::format("{} and {}", found.a.label, found.b.label);
  figure.subtitle = found.a.facts.title;
  return figure;
}

}  // namespace asperity
