// The tables of docs/scenes.md, from the keys that the reader checks against and from describe().
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "asperity/formula/formula.hpp"
#include "asperity/scene/scene.hpp"
#include "elements.hpp"
#include "keys.hpp"

namespace asperity {
namespace scene {
namespace {

/// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string bounds(const Range& range) {
  const std::string text = asperity::to_text(range);
  return text == "any number" ? "" : text;
}

std::string table_of(const Section& section) {
  std::string text = "| key | value | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const Key& key : section.keys)
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, to_text(key.takes), key.unit, bounds(key.range),
                        key.required ? "must be given" : cell(key.fallback), cell(key.meaning));
  return text + "\n";
}

std::string heading(const Section& section, int level) {
  std::string text = fmt::format("{} {}\n\n", std::string(std::size_t(level), '#'), section.heading);
  if (!section.about.empty()) text += std::string(section.about) + "\n\n";
  return text;
}

std::string names_of(const std::vector<Parameter>& parameters) {
  std::string text;
  for (const Parameter& p : parameters) text += (text.empty() ? "`" : ", `") + p.name + "`";
  return text;
}

std::string rows_of(const std::vector<Parameter>& parameters) {
  std::string text;
  for (const Parameter& p : parameters)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", p.name, p.name.starts_with("friction.") ? turned_unit(p.unit) : p.unit,
                        bounds(p.range), asperity::to_text(p), cell(p.meaning));
  return text;
}

constexpr std::array all_vias{Via::line,      Via::axis_2,        Via::axis_3,        Via::surface_2,
                              Via::surface_3, Via::point_plane_2, Via::point_plane_3, Via::ball_plane,
                              Via::ball_ball, Via::point_point,   Via::hinge};

/// A word for a connection, the same in the plane and in space.
std::string_view word_of(Via via) {
  switch (via) {
    case Via::line:
      return "line";
    case Via::axis_2:
    case Via::axis_3:
      return "direction";
    case Via::surface_2:
    case Via::surface_3:
      return "all directions";
    case Via::point_plane_2:
    case Via::point_plane_3:
      return "plane";
    case Via::ball_plane:
      return "body on a plane";
    case Via::ball_ball:
      return "spheres";
    case Via::point_point:
      return "points";
    case Via::hinge:
      return "axis";
  }
  return "";
}

/// Each word once.
std::string words_of(const std::vector<Via>& list) {
  std::vector<std::string_view> words;
  for (const Via via : list)
    if (std::find(words.begin(), words.end(), word_of(via)) == words.end()) words.push_back(word_of(via));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Where each law can stand.
std::string laws() {
  std::string text = "| law | parameters | acts |\n|---|---|---|\n";
  std::vector<std::string> names = law_names();
  names.insert(names.end(), {"spring", "hinge"});
  for (const std::string& name : names) {
    const auto any = make_law(name);
    const bool composite = any && any->about().kind == Kind::composite;
    text += fmt::format("| `{}` | {} | {} |\n", name,
                        composite         ? "`normal` and `friction`, see below"
                        : name == "hinge" ? "see below"
                                          : names_of(make_scene_law(name)->parameters()),
                        words_of(connections_of(composite ? frictional_contacts().front() : name)));
  }
  return text + "\n";
}

/// The keys of connections, each once.
std::string connections() {
  std::string text = "| acts | between |\n|---|---|\n";
  for (const Via via : all_vias) text += fmt::format("| {} | {} |\n", word_of(via), to_text(via));
  text += "\n| key | unit | range | default | meaning | acts |\n|---|---|---|---|---|---|\n";
  struct Row {
    Parameter parameter;
    std::vector<Via> acts;
  };
  std::vector<Row> rows;
  for (const Via via : all_vias)
    for (const Parameter& p : parameters_of(via)) {
      const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
        return row.parameter.name == p.name && row.parameter.meaning == p.meaning;
      });
      if (same == rows.end()) rows.push_back({p, {via}});
      else same->acts.push_back(via);
    }
  for (const auto& [p, acts] : rows) {
    const bool from_shape = p.name.starts_with("radius") || p.name == "centre";
    const std::string fallback = from_shape              ? "that of the shape"
                                 : p.name == "direction" ? "of a plane: the last axis"
                                 : p.is_vector           ? "the centre of mass"
                                                         : asperity::to_text(p);
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", p.name, p.unit, p.name == "direction" ? "" : bounds(p.range),
                        fallback, cell(p.meaning), words_of(acts));
  }
  return text + "\n";
}

}  // namespace
}  // namespace scene

std::string scene_format_markdown() {
  using namespace scene;
  std::string text = heading(top_keys, 2) + table_of(top_keys);
  for (const Section* section : {&run_keys, &world_keys}) text += heading(*section, 2) + table_of(*section);
  text += heading(body_keys, 2) + table_of(body_keys);
  for (const BodyKind& kind : body_kinds()) {
    text += heading(*kind.keys, 3) + table_of(*kind.keys);
    if (kind.name == "arm") text += "Of each of the `rods`:\n\n" + table_of(rod_keys);
    if (kind.name == "rigid_body") text += "Of a `rotation` that is a table:\n\n" + table_of(rotation_keys);
  }
  text += heading(element_keys, 2) + table_of(element_keys) + "### Laws\n\n" + laws();
  text += "Beside the parameters of the law:\n\n" + table_of(law_keys);
  text += "Of the table `design`:\n\n" + table_of(design_keys);
  std::string pairs;
  for (const std::string& pair : frictional_contacts())
    pairs += fmt::format("| `{}` | `{}` |\n", pair.substr(0, pair.find('+')), pair.substr(pair.find('+') + 1));
  text += "Frictional contacts there are:\n\n| normal | friction |\n|---|---|\n" + pairs + "\n";
  text += "Of a `hinge`:\n\n| key | unit | range | default | meaning |\n|---|---|---|---|---|\n" +
          rows_of(make_scene_law("hinge")->parameters()) + "\n";
  text += "### Where it acts\n\n" + connections();
  for (const Section* section : {&contacts_keys, &input_keys, &controller_keys, &record_keys})
    text += heading(*section, 2) + table_of(*section);
  for (const Section* section : {&inclusion_keys, &relaxation_keys}) text += heading(*section, 2) + table_of(*section);
  std::string functions;
  for (const FunctionWord& function : formula_functions())
    functions += (functions.empty() ? "`" : ", `") + std::string(function.word) + "`";
  text +=
      "## Formulas\n\nOperators `+ - * / ^`, comparisons, `&& || !`, `condition ? yes : no`, the constants `pi` and `e`, and the "
      "functions " +
      functions + ".\n\n";
  text += fmt::format(
      "## Limits\n\nA file has at most {} MB, and at most {} bodies, elements, inputs, names and columns each. A name of a body or "
      "an element has at most {} letters. What few letters stand for is bounded, too: {} recorded columns, {} elements of laws in "
      "all, {} rods of an arm and {} in all. Formulas of time have to be finite numbers at the steps of the run.\n",
      largest_file >> 20, most_items, longest_name, most_columns, most_law_elements, most_rods, most_rods_in_all);
  return text;
}

}  // namespace asperity
