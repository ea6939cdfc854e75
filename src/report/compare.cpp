#include "compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "asperity/report/report.hpp"

namespace asperity {

Farthest farthest(const std::vector<double>& time_a, const std::vector<double>& a, const std::vector<double>& time_b,
                  const std::vector<double>& b) {
  Farthest found;
  std::size_t after = 0;  // the first row of b that is not before the row of a
  for (std::size_t i = 0; i < time_a.size(); ++i) {
    const double t = time_a[i];
    while (after < time_b.size() && time_b[after] < t) ++after;
    if (after == time_b.size()) break;
    if (after == 0 && time_b[0] > t) continue;
    double value = b[after];
    if (time_b[after] > t) {
      const double part = (t - time_b[after - 1]) / (time_b[after] - time_b[after - 1]);
      value = b[after - 1] + part * (b[after] - b[after - 1]);
    }
    const double difference = std::abs(a[i] - value);
    if (difference > found.difference) found = {difference, t};
  }
  return found;
}

namespace report {
namespace {

using ByName = std::map<std::string, const Table::Column*>;

ByName by_name(const Table& data) {
  ByName columns;
  for (const Table::Column& column : data.columns) columns.emplace(column.quantity.name, &column);
  return columns;
}

/// The final value as the run knows it, or the last one recorded.
Json final_value(const Json& facts, const Table::Column& column) {
  for (const Json& entry : facts["final"])
    if (entry.value("name", "") == column.quantity.name) return entry.value("value", Json());
  return column.values.empty() ? Json() : Json(column.values.back());
}

Json parameter_differences(const Json& facts_a, const Json& facts_b) {
  Json list = Json::array();
  const auto same = [](const Json& p, const Json& q) {
    return p.value("component", "") == q.value("component", "") && p.value("name", "") == q.value("name", "");
  };
  const auto found_in = [&](const Json& facts, const Json& p) -> Json {
    for (const Json& q : facts["parameters"])
      if (same(p, q)) return q.value("value", "");
    return nullptr;
  };
  const auto add = [&](const Json& p, const Json& a, const Json& b) {
    if (a != b)
      list.push_back(
          {{"name", p.value("component", "") + "." + p.value("name", "")}, {"unit", p.value("unit", "")}, {"a", a}, {"b", b}});
  };
  for (const Json& p : facts_a["parameters"]) add(p, p.value("value", ""), found_in(facts_b, p));
  for (const Json& q : facts_b["parameters"])
    if (found_in(facts_a, q).is_null()) add(q, nullptr, q.value("value", ""));
  // Laws and methods are settings too.
  for (const char* key : {"method", "step", "duration"}) {
    const Json &a = facts_a["run"][key], &b = facts_b["run"][key];
    if (a != b)
      list.push_back({{"name", std::string("run.") + key}, {"unit", key == std::string("method") ? "" : "s"}, {"a", a}, {"b", b}});
  }
  const auto listed = [&](const std::string& name) {  // among the parameters of a scene
    return std::any_of(list.begin(), list.end(), [&](const Json& one) { return one["name"] == name; });
  };
  for (const Json& p : facts_a["elements"])
    for (const Json& q : facts_b["elements"])
      if (p.value("name", "") == q.value("name", "") && p.value("law", "") != q.value("law", "") &&
          !listed(p.value("name", "") + ".law"))
        list.push_back(
            {{"name", p.value("name", "") + ".law"}, {"unit", ""}, {"a", p.value("law", "")}, {"b", q.value("law", "")}});
  return list;
}

Json event_counts(const Json& facts) {
  std::map<std::string, int> counts;
  for (const Json& event : facts["events"]["list"]) ++counts[event.value("kind", "")];
  Json list = Json::object();
  for (const char* kind : {"touch", "release", "slip", "stick"}) list[kind] = counts[kind];
  list["all"] = facts["events"]["count"];
  list["impacts"] = facts["impacts"].size();
  return list;
}

}  // namespace

Json differences(const Table& a, const Table& b, const Json& facts_a, const Json& facts_b) {
  const ByName in_a = by_name(a), in_b = by_name(b);
  Json columns = Json::array(), only_a = Json::array(), only_b = Json::array();
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    const Table::Column& column = a.columns[c];
    const auto other = in_b.find(column.quantity.name);
    if (other == in_b.end()) {
      only_a.push_back(column.quantity.name);
    } else if (c > 0) {
      const Farthest far = farthest(a.columns.front().values, column.values, b.columns.front().values, other->second->values);
      columns.push_back({{"name", column.quantity.name},
                         {"unit", column.quantity.unit},
                         {"a", final_value(facts_a, column)},
                         {"b", final_value(facts_b, *other->second)},
                         {"most", far.difference},
                         {"at", far.time}});
    }
  }
  for (const Table::Column& column : b.columns)
    if (!in_a.count(column.quantity.name)) only_b.push_back(column.quantity.name);

  return {{"columns", columns},
          {"only", {only_a, only_b}},
          {"parameters", parameter_differences(facts_a, facts_b)},
          {"events", {event_counts(facts_a), event_counts(facts_b)}}};
}

}  // namespace report
}  // namespace asperity
