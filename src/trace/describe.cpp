#include "asperity/trace/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "json_text.hpp"
#include "law_scale.hpp"
#include "wording.hpp"

namespace asperity {
namespace {

/// Columns as wide as their widest cell; the last one is wrapped.
std::string wrapped_table(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
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
std::vector<std::vector<std::string>> state_rows(const std::vector<StateEntry>& states) {
  std::vector<std::vector<std::string>> rows{{"name", "unit", "meaning"}};
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
std::string example_of(const AnyLaw& law) {
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

}  // namespace

LawPage page_of(const AnyLaw& law) {
  const About& about = law.about();
  return {about, law.highest_dimension(), law.hybrid(), quirk_names(about.quirks), law.states(), law.parameters(), example_of(law)};
}

std::vector<LawPage> law_pages() {
  std::vector<LawPage> pages;
  for (const std::string& name : law_names()) pages.push_back(page_of(*make_law(name)));
  return pages;
}

std::string to_json(const LawPage& page) {
  using Json = nlohmann::ordered_json;
  const About& about = page.about;
  Json states = Json::array(), parameters = Json::array();
  for (const StateEntry& s : page.states) states.push_back({{"name", s.name}, {"unit", s.unit}, {"meaning", s.meaning}});
  for (const Parameter& p : page.parameters)
    parameters.push_back({{"name", p.name},
                          {"unit", p.unit},
                          {"range", to_text(p.range)},
                          {"default", p.is_list ? Json(p.values) : Json(p.values.at(0))},
                          {"meaning", p.meaning}});
  const Json json{{"name", about.name},
                  {"kind", kind_name(about.kind)},
                  {"title", about.title},
                  {"equation", about.equation},
                  {"source", about.source},
                  {"deviation", about.deviation},
                  {"step", about.step},
                  {"use", about.use},
                  {"avoid", about.avoid},
                  {"cannot", about.cannot},
                  {"exceptions", page.exceptions},
                  {"exception_note", about.quirk_note},
                  {"dimensions", page.dimensions},
                  {"implicit", about.implicit},
                  {"discrete", about.discrete},
                  {"hybrid", page.hybrid},
                  {"stores_energy", about.stores},
                  {"states", states},
                  {"parameters", parameters}};
  return json_text(json);
}

std::string to_text(const LawPage& page, std::size_t width) {
  const About& about = page.about;
  std::string text = fmt::format("{}: {}, {}\n{}\n\n", about.name, kind_name(about.kind), dimensions(page.dimensions),
                                 wrapped(about.title, 0, width));
  for (std::string_view rest = about.equation; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    text += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }

  std::vector<std::vector<std::string>> rows{{"name", "unit", "range", "default", "meaning"}};
  for (const Parameter& p : page.parameters) rows.push_back({p.name, p.unit, to_text(p.range), short_values(p), p.meaning});
  text += "\nparameters\n" + wrapped_table(rows, width);
  text += page.states.empty() ? "\nno state: the force follows the motion at once\n"
                              : "\nstates\n" + wrapped_table(state_rows(page.states), width);
  text += "\n";

  const auto field = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("{:<14} {}\n", name, wrapped(value, 15, width));
  };
  field("use it for", about.use);
  field("not when", about.avoid);
  field("it cannot", about.cannot);
  field("exceptions",
        page.exceptions.empty() ? std::string("none") : fmt::format("{}: {}", fmt::join(page.exceptions, ", "), about.quirk_note));
  field("step()", about.step);
  if (about.discrete) field("", "sampled time only: trace it with --method step");
  if (!about.stores) field("energy", "none declared; passive over closed cycles in the usual range of its parameters");
  field("deviation", about.deviation);
  field("source", about.source);

  return text + "\nTry: " + page.example + "\n";
}

std::string list_json(const std::vector<LawPage>& pages) {
  nlohmann::ordered_json laws = nlohmann::ordered_json::array();
  for (const LawPage& page : pages)
    laws.push_back({{"name", page.about.name},
                    {"kind", kind_name(page.about.kind)},
                    {"title", page.about.title},
                    {"dimensions", page.dimensions},
                    {"states", page.states.size()},
                    {"source", page.about.source},
                    {"exceptions", page.exceptions},
                    {"exception_note", page.about.quirk_note},
                    {"implicit", page.about.implicit},
                    {"discrete", page.about.discrete},
                    {"hybrid", page.hybrid}});
  return json_text({{"laws", laws}});
}

std::string list_text(const std::vector<LawPage>& pages, std::size_t width) {
  constexpr std::size_t text_column = 41;
  std::string text;
  for (const Kind kind : {Kind::friction, Kind::contact, Kind::composite}) {
    text += fmt::format("{:<24} {:<7} {:<7} {}\n", kind_name(kind), "dim", "states", "what it is, (exceptions) source");
    for (const LawPage& page : pages) {
      const About& about = page.about;
      if (about.kind != kind) continue;
      text += fmt::format("  {:<22} {:<7} {:<7} {}\n", about.name, dimensions(page.dimensions), page.states.size(),
                          wrapped(about.title, text_column, width));
      std::string notes(about.source);
      if (!page.exceptions.empty()) notes = fmt::format("({}) {}", fmt::join(page.exceptions, ", "), notes);
      text += fmt::format("{:{}}{}\n", "", text_column, wrapped(notes, text_column, width));
    }
    text += "\n";
  }
  return text;
}

}  // namespace asperity
