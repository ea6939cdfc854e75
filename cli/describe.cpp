#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "asperity/scene/scene.hpp"
#include "commands.hpp"
#include "text.hpp"
#include "trace/law_scale.hpp"

namespace asperity::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string as_json(const AnyLaw& law) {
  const About& about = law.about();
  Json states = Json::array(), parameters = Json::array();
  for (const StateEntry& s : law.states()) states.push_back({{"name", s.name}, {"unit", s.unit}, {"meaning", s.meaning}});
  for (const Parameter& p : law.parameters())
    parameters.push_back({{"name", p.name},
                          {"unit", p.unit},
                          {"range", to_text(p.range)},
                          {"default", p.is_list ? Json(p.values) : Json(p.values.at(0))},
                          {"meaning", p.meaning}});
  const Json page{{"name", about.name},
                  {"kind", kind_name(about.kind)},
                  {"title", about.title},
                  {"equation", about.equation},
                  {"source", about.source},
                  {"deviation", about.deviation},
                  {"step", about.step},
                  {"use", about.use},
                  {"avoid", about.avoid},
                  {"cannot", about.cannot},
                  {"exceptions", quirk_names(about.quirks)},
                  {"exception_note", about.quirk_note},
                  {"dimensions", law.highest_dimension()},
                  {"implicit", about.implicit},
                  {"discrete", about.discrete},
                  {"hybrid", law.hybrid()},
                  {"stores_energy", about.stores},
                  {"states", states},
                  {"parameters", parameters}};
  return page.dump(2) + "\n";
}

/// Columns as wide as their widest cell; the last one is wrapped.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i + 1 < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += line + wrapped(row.back(), line.size(), width) + "\n";
  }
  return text;
}

/// The states, a list of elements as one: "a[1..10]".
std::vector<std::vector<std::string>> state_rows(const AnyLaw& law) {
  std::vector<std::vector<std::string>> rows{{"name", "unit", "meaning"}};
  const auto states = law.states();
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::string name = states[i].name;
    const std::string stem = name.substr(0, name.find('['));
    std::size_t last = i;
    while (last + 1 < states.size() && states[last + 1].name.starts_with(stem + "[")) ++last;
    if (last > i) name = fmt::format("{}[1..{}]", stem, last - i + 1);
    rows.push_back({name, states[i].unit, states[i].meaning});
    i = last;
  }
  return rows;
}

/// A trace that shows the character of the law: a touch, or a slow path back and forth.
std::string example(const AnyLaw& law) {
  const auto rough = [](double value) { return short_number(std::strtod(fmt::format("{:.0e}", value).c_str(), nullptr)); };
  const auto name = law.about().name;
  if (law.about().kind == Kind::contact) {
    const auto [depth, time] = contact_scale(law, 100);
    return fmt::format(
        "asperity trace {0} --position \"{1} + {2}*cos(2*pi*t/{3})\" --duration {3} --step {4} -o {0}.csv --plot {0}.svg", name,
        rough(-0.2 * depth), rough(0.6 * depth), rough(20 * time), rough(0.01 * time));
  }
  const FrictionScale scale = friction_scale(law, 10);  // the default gap of a composite presses with about 10 N
  const double far = 3 * scale.give, speed = scale.velocity / 30;
  return fmt::format("asperity trace {0} --waypoints 0,{1},-{1},{1} --speed {2} --step {3} -o {0}.csv --plot {0}.svg", name,
                     rough(far), rough(speed), rough(0.01 * std::min(scale.fine * 5, scale.give) / speed));
}

std::string as_text(const AnyLaw& law) {
  const About& about = law.about();
  const std::size_t width = terminal_width();
  std::string text =
      fmt::format("{}: {}, {}\n{}\n\n", about.name, kind_name(about.kind), dimensions(law), wrapped(about.title, 0, width));
  for (std::string_view rest = about.equation; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    text += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }

  std::vector<std::vector<std::string>> rows{{"name", "unit", "range", "default", "meaning"}};
  for (const Parameter& p : law.parameters()) rows.push_back({p.name, p.unit, to_text(p.range), short_values(p), p.meaning});
  text += "\nparameters\n" + table(rows, width);
  text +=
      law.states().empty() ? "\nno state: the force follows the motion at once\n" : "\nstates\n" + table(state_rows(law), width);
  text += "\n";

  const auto field = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("{:<14} {}\n", name, wrapped(value, 15, width));
  };
  field("use it for", about.use);
  field("not when", about.avoid);
  field("it cannot", about.cannot);
  const auto quirks = quirk_names(about.quirks);
  field("exceptions", quirks.empty() ? std::string("none") : fmt::format("{}: {}", fmt::join(quirks, ", "), about.quirk_note));
  field("step()", about.step);
  if (about.discrete) field("", "sampled time only: trace it with --method step");
  if (!about.stores) field("energy", "none declared; passive over closed cycles");
  field("deviation", about.deviation);
  field("source", about.source);

  return text + "\nTry: " + example(law) + "\n";
}

}  // namespace

int run_describe(const DescribeOptions& options) {
  if (options.law == "scene") return print("describe", scene_format_markdown()) ? fine : run_failed;
  Problems problems;
  const auto law = find_law(options.law, problems);
  if (!law) {
    report("describe", problems);
    return bad_input;
  }
  return print("describe", options.json ? as_json(*law) : as_text(*law)) ? fine : run_failed;
}

}  // namespace asperity::cli
