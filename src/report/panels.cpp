#include "panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "scale.hpp"

namespace asperity::report {
namespace {

constexpr std::size_t most_curves = 6;  // as many as there are colours
constexpr std::size_t most_main_panels = 8, most_energy_panels = 2;

/// Columns by name.
class Index {
 public:
  explicit Index(const Table& data) {
    for (const Table::Column& column : data.columns) columns_.emplace(column.quantity.name, &column);
  }
  const Table::Column* operator()(const std::string& name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const Table::Column*> columns_;
};

/// "arm.joint1.position" is the position of arm.joint1; "ball.rotation.w" the rotation of ball, along w.
struct Name {
  std::string component, quantity;
};
Name parts_of(const std::string& column) {
  std::string name = column;
  const std::size_t end = name.rfind('.');
  if (end != std::string::npos && end + 2 == name.size() && std::string_view("wxyz").find(name.back()) != std::string_view::npos)
    name.resize(end);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

struct PanelGroup {
  std::string_view title, label;
  Panel::Place place;
};
/// In the order in which they are drawn.
constexpr std::array<PanelGroup, 14> groups{{{"States", "state", Panel::Place::main},
                                             {"Positions", "position", Panel::Place::main},
                                             {"Angles", "angle", Panel::Place::main},
                                             {"Velocities", "velocity", Panel::Place::main},
                                             {"Angular velocities", "angular velocity", Panel::Place::main},
                                             {"Forces", "force", Panel::Place::main},
                                             {"Torques", "torque", Panel::Place::main},
                                             {"Gaps", "gap", Panel::Place::more},
                                             {"Stretches", "stretch", Panel::Place::main},
                                             {"Energy", "energy", Panel::Place::energy},
                                             {"Energy of the elements", "energy", Panel::Place::energy},
                                             {"Power into the elements", "power", Panel::Place::more},
                                             {"Rotations", "rotation", Panel::Place::more},
                                             {"Internal states", "state", Panel::Place::more}}};

std::size_t group_of(const Name& name, std::string_view unit) {
  const auto titled = [](std::string_view title) {
    return static_cast<std::size_t>(
        std::find_if(groups.begin(), groups.end(), [&](const PanelGroup& g) { return g.title == title; }) - groups.begin());
  };
  const std::string& q = name.quantity;
  if (name.component == "energy") return titled("Energy");
  if (name.component.empty()) return titled("States");  // of an inclusion
  if (q == "position") return titled(unit == "rad" ? "Angles" : "Positions");
  if (q == "velocity" || q == "spin") return titled(unit == "rad/s" ? "Angular velocities" : "Velocities");
  if (q == "force" || q == "normal_force" || q == "tangential_force") return titled(unit == "N m" ? "Torques" : "Forces");
  if (q == "gap") return titled("Gaps");
  if (q == "stretch") return titled("Stretches");
  if (q == "stored" || q == "dissipated") return titled("Energy of the elements");
  if (q == "power") return titled("Power into the elements");
  if (q == "rotation") return titled("Rotations");
  return titled("Internal states");
}

bool is_band(const Name& name) { return name.quantity == "touching" || name.quantity == "slipping"; }

bool is_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
}

AxisText axis_text(const std::string& label, const std::string& unit, const std::vector<const std::vector<double>*>& values) {
  const plot::Scale scale = plot::scale_of({label, unit, {}}, values, 6);
  return {scale.label, scale.factor};
}

std::vector<const std::vector<double>*> values_in(const std::vector<Index>& tables, const std::vector<std::string>& names) {
  std::vector<const std::vector<double>*> values;
  for (const Index& table : tables)
    for (const std::string& name : names)
      if (const auto* column = table(name)) values.push_back(&column->values);
  return values;
}

/// Columns of one component stay together.
std::vector<std::vector<std::string>> chunks(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> list;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t end = i + 1;
    while (end < names.size() && end < i + most_curves && parts_of(names[end]).component == parts_of(names[i]).component) ++end;
    if (list.empty() || list.back().size() + (end - i) > most_curves) list.emplace_back();
    for (; i < end; ++i) list.back().push_back(names[i]);
  }
  return list;
}

/// " of a", " of a, b", " of a … d"
std::string owners(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) {
    const std::string component = parts_of(name).component;
    if (list.empty() || list.back() != component) list.push_back(component);
  }
  if (list.size() == 1) return fmt::format(": {}", list.front());
  return list.size() == 2 ? fmt::format(": {}, {}", list.front(), list.back())
                          : fmt::format(": {} … {}", list.front(), list.back());
}

std::string name_of_body(const std::string& end) { return end.substr(0, end.find('@')); }

double range_of(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  return high > low ? high - low : 0;
}

/// A motion of a relative to b, as a column of the table; none if it was not recorded.
std::optional<Table::Column> relative(const Index& columns, const std::string& a, const std::string& b,
                                      const std::string& quantity) {
  const auto* of_a = columns(a + quantity);
  const auto* of_b = columns(b + quantity);
  if (!of_a && !of_b) return {};
  if ((!of_a && a != "ground") || (!of_b && b != "ground")) return {};
  Table::Column column = of_a ? *of_a : *of_b;
  if (of_b) {
    for (std::size_t i = 0; i < column.values.size(); ++i) column.values[i] = (of_a ? of_a->values[i] : 0.0) - of_b->values[i];
    column.quantity.name = (of_a ? of_a->quantity.name + " " : "") + "− " + of_b->quantity.name;
  }
  return column;
}

Panel phase(const std::string& title, const Table::Column& x, const Table::Column& y) {
  Panel panel;
  panel.title = title;
  panel.x = axis_text(x.quantity.name, x.quantity.unit, {&x.values});
  panel.y = axis_text(y.quantity.name, y.quantity.unit, {&y.values});
  panel.x_column = x.quantity.name;
  panel.y_columns = {y.quantity.name};
  return panel;
}

}  // namespace

Panels time_panels(const std::vector<const Table*>& tables) {
  const Table& first = *tables.front();
  if (first.columns.empty()) return {};
  std::vector<Index> indices;
  indices.reserve(tables.size());
  for (const Table* table : tables) indices.emplace_back(*table);

  Panels panels;
  std::map<std::pair<std::size_t, std::string>, std::vector<std::string>> found;  // by group and unit
  for (std::size_t c = 1; c < first.columns.size(); ++c) {
    const Quantity& quantity = first.columns[c].quantity;
    const Name name = parts_of(quantity.name);
    if (is_band(name) || std::any_of(indices.begin(), indices.end(), [&](const Index& i) { return !i(quantity.name); })) continue;
    const auto all = values_in(indices, {quantity.name});
    if (std::all_of(all.begin(), all.end(), [](const auto* values) { return is_zero(*values); }))
      panels.zero.push_back(quantity.name);
    else found[{group_of(name, quantity.unit), quantity.unit}].push_back(quantity.name);
  }

  const Quantity& time = first.columns.front().quantity;
  const AxisText x = axis_text(time.name, time.unit, values_in(indices, {time.name}));
  std::size_t main = 0, energy = 0;
  for (const auto& [key, names] : found) {
    const PanelGroup& group = groups[key.first];
    const auto parts = chunks(names);
    for (const auto& part : parts) {
      Panel panel;
      panel.title = std::string(group.title) + (parts.size() > 1 ? owners(part) : "");
      panel.place = group.place;
      if ((panel.place == Panel::Place::main && ++main > most_main_panels) ||
          (panel.place == Panel::Place::energy && ++energy > most_energy_panels))
        panel.place = Panel::Place::more;
      panel.x = x;
      panel.y = axis_text(std::string(group.label), key.second, values_in(indices, part));
      panel.x_column = time.name;
      panel.y_columns = part;
      panels.list.push_back(std::move(panel));
    }
  }
  return panels;
}

std::vector<Panel> panels_over(const Table& data, const std::string& x, const std::vector<std::string>& y) {
  const std::vector<Index> columns{Index(data)};
  const Table::Column& over = *columns[0](x);
  std::map<std::string, std::vector<std::string>> by_unit;
  std::vector<std::string> units;
  for (const std::string& name : y) {
    const std::string& unit = columns[0](name)->quantity.unit;
    if (!by_unit.count(unit)) units.push_back(unit);
    by_unit[unit].push_back(name);
  }
  std::vector<Panel> panels;
  for (const std::string& unit : units) {
    const auto& names = by_unit[unit];
    Panel panel;
    panel.x = axis_text(over.quantity.name, over.quantity.unit, {&over.values});
    panel.y = axis_text(names.size() == 1 ? names.front() : parts_of(names.front()).quantity, unit, values_in(columns, names));
    panel.x_column = x;
    panel.y_columns = names;
    panels.push_back(std::move(panel));
  }
  return panels;
}

std::vector<Panel> phase_panels(Table& data, const Json& elements) {
  const Index columns(data);
  std::vector<Panel> panels;
  std::vector<Table::Column> added;
  const auto keep = [&](const Table::Column& column) {
    if (columns(column.quantity.name)) return;
    const auto same = [&](const Table::Column& other) { return other.quantity.name == column.quantity.name; };
    if (std::none_of(added.begin(), added.end(), same)) added.push_back(column);
  };

  for (const Json& element : elements) {
    const std::string name = element.value("name", ""), kind = element.value("kind", "");
    const Json between = element.value("between", Json::array());
    if (between.size() != 2 || !between[0].is_string() || !between[1].is_string()) continue;
    const std::string a = name_of_body(between[0]), b = name_of_body(between[1]);

    if (kind == "friction" || kind == "composite") {
      // Of a force in the plane or in space, the direction in which there is most sliding.
      struct Found {
        const Table::Column* force = nullptr;
        std::optional<Table::Column> displacement, velocity;
        double sliding = 0;
      } best;
      for (const std::string axis : {"", ".x", ".y", ".z"}) {
        const auto* force = columns(fmt::format("{}.{}{}", name, kind == "composite" ? "tangential_force" : "force", axis));
        if (!force || range_of(force->values) == 0) continue;
        auto displacement = relative(columns, a, b, ".position" + axis), velocity = relative(columns, a, b, ".velocity" + axis);
        const auto& sliding_of = displacement ? displacement : velocity;
        const double sliding = sliding_of ? range_of(sliding_of->values) : 0;
        if (sliding > best.sliding) best = {force, std::move(displacement), std::move(velocity), sliding};
      }
      for (const auto* motion : {&best.displacement, &best.velocity}) {
        if (!best.force || !*motion || range_of((*motion)->values) == 0) continue;
        keep(**motion);
        panels.push_back(phase(name + (motion == &best.velocity ? ": force over velocity" : ": force over displacement"), **motion,
                               *best.force));
      }
    }
    if (kind == "contact" || kind == "composite") {
      const auto* gap = columns(name + ".gap");
      const auto* force = columns(name + ".normal_force");
      if (gap && force && range_of(gap->values) > 0 && range_of(force->values) > 0) {
        // Where it does not touch there is nothing to see; the scale is that of the contact.
        Table::Column touching = *gap;
        for (std::size_t i = 0; i < touching.values.size(); ++i)
          if (force->values[i] == 0) touching.values[i] = NAN;
        touching.quantity.name = name + ".gap, touching";
        keep(touching);
        panels.push_back(phase(name + ": normal force over gap", touching, *force));
      }
    }
  }
  for (Table::Column& column : added) data.columns.push_back(std::move(column));
  return panels;
}

namespace {

struct Span {
  double from, to;
  std::string_view mode;  // "open" is left out in the end
};

constexpr std::size_t most_spans = 1500;

/// Spans too short to see become part of the one before.
Json to_json(const std::vector<Span>& spans) {
  const double shortest = spans.size() > most_spans ? (spans.back().to - spans.front().from) / (2 * most_spans) : 0;
  std::vector<Span> seen;
  for (const Span& span : spans) {
    if (!seen.empty() && (seen.back().mode == span.mode || span.to - span.from < shortest)) seen.back().to = span.to;
    else seen.push_back(span);
  }
  Json list = Json::array();
  for (const Span& span : seen)
    if (span.mode != "open" && span.to > span.from) list.push_back({span.from, span.to, span.mode});
  return list;
}

std::vector<Span> recorded_spans(const std::vector<double>& time, const Table::Column* touching, const Table::Column* slipping) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < time.size(); ++i) {
    std::string_view mode = "touching";
    if (touching && touching->values[i] == 0) mode = "open";
    else if (slipping) mode = slipping->values[i] != 0 ? "slipping" : "held";
    if (!spans.empty()) spans.back().to = time[i];
    if (spans.empty() || spans.back().mode != mode) spans.push_back({time[i], time[i], mode});
  }
  return spans;
}

/// What an element does after an event; before its first event it did the opposite.
std::vector<Span> spans_between(const std::vector<std::pair<double, std::string>>& events, double end) {
  static const std::map<std::string, std::pair<std::string_view, std::string_view>> before_and_after{
      {"touch", {"open", "touching"}},
      {"release", {"touching", "open"}},
      {"slip", {"held", "slipping"}},
      {"stick", {"slipping", "held"}}};
  std::vector<Span> spans;
  for (const auto& [time, kind] : events) {
    const auto known = before_and_after.find(kind);
    if (known == before_and_after.end()) continue;
    if (spans.empty()) spans.push_back({0, time, known->second.first});
    spans.back().to = time;
    spans.push_back({time, end, known->second.second});
  }
  return spans;
}

}  // namespace

Json bands(const Table& data, const Json& events, double end) {
  const Index columns(data);
  Json list = Json::array();
  std::vector<std::string> names;
  const auto is_new = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return false;
    names.push_back(name);
    return true;
  };
  for (const Table::Column& column : data.columns) {
    const Name name = parts_of(column.quantity.name);
    if (!is_band(name) || !is_new(name.component)) continue;
    const auto* slipping = columns(name.component + ".slipping");
    list.push_back(
        {{"element", name.component},
         {"spans", to_json(recorded_spans(data.columns.front().values, columns(name.component + ".touching"), slipping))}});
  }
  std::map<std::string, std::vector<std::pair<double, std::string>>> by_element;
  for (const Json& event : events)
    if (event.contains("element") && event.contains("time") && event["time"].is_number())
      by_element[event["element"].get<std::string>()].emplace_back(event["time"].get<double>(), event.value("kind", ""));
  for (const auto& [element, list_of_events] : by_element)
    if (is_new(element)) list.push_back({{"element", element}, {"spans", to_json(spans_between(list_of_events, end))}});
  return list;
}

Json to_json(const Panel& panel) {
  static constexpr std::array places{"main", "energy", "more"};
  return {{"title", panel.title},
          {"place", places[static_cast<std::size_t>(panel.place)]},
          {"x", {{"label", panel.x.label}, {"factor", panel.x.factor}, {"column", panel.x_column}}},
          {"y", {{"label", panel.y.label}, {"factor", panel.y.factor}, {"columns", panel.y_columns}}}};
}

}  // namespace asperity::report
