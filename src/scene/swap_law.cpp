#include "asperity/scene/swap_law.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "toml.hpp"
#include "wording.hpp"

namespace asperity {
namespace {

/// What the parameters of friction laws are called in a law that has no such name. The limit at rest and the one in motion are one
/// where a law knows only one; the damping of an asperity is K beta.
std::optional<std::pair<double, std::string>> converted(const std::string& wanted, const std::map<std::string, double>& known) {
  const auto of = [&](const char* name) {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  if (wanted == "F_c" && of("F")) return std::pair(*of("F"), "F");
  if (wanted == "F_s" && of("F")) return std::pair(*of("F"), "F");
  if (wanted == "F" && of("F_c")) return std::pair(*of("F_c"), "F_c");
  if (wanted == "B" && of("K") && of("beta")) return std::pair(*of("K") * *of("beta"), "K beta");
  if (wanted == "beta" && of("K") && of("B") && *of("K") > 0) return std::pair(*of("B") / *of("K"), "B/K");
  return std::nullopt;
}

/// The table in which the law stands: the element's own, or that of the part of a frictional contact that is of its kind.
toml::table* table_of_law(toml::table& element, Kind kind) {
  const auto kind_of = [](toml::table& table) -> std::optional<Kind> {
    const auto name = table["law"].value<std::string>();
    const auto law = name ? make_law(*name) : nullptr;
    return law ? std::optional(law->about().kind) : std::nullopt;
  };
  if (kind_of(element) == kind) return &element;
  for (const char* part : {"friction", "normal"})
    if (toml::table* table = element[part].as_table(); table && kind_of(*table) == kind) return table;
  return nullptr;
}

}  // namespace

std::optional<Swapped> swap_law(const Scene& scene, const std::string& element, const std::string& law,
                                std::vector<std::string>& problems, std::string_view dash) {
  const auto wanted = find_law(law, problems);
  if (!wanted) return std::nullopt;
  toml::table root = toml::parse(scene.resolved);
  std::vector<std::string> names;
  toml::table *place = nullptr, *whose = nullptr;
  if (toml::array* elements = root["element"].as_array())
    for (toml::node& node : *elements) {
      toml::table& table = *node.as_table();
      const std::string name = table["name"].value_or(std::string());
      toml::table* here = table_of_law(table, wanted->about().kind);
      if (here) names.push_back(name);
      if (here && (name == element || (element.empty() && names.size() == 1))) place = here, whose = &table;
    }
  if (element.empty() && names.size() > 1) {
    problems.push_back(fmt::format("{}element: which one? {} may be {}", dash, fmt::join(names, ", "), law));
    return std::nullopt;
  }
  if (!place) {
    const auto suggestion = nearest(element, names);
    problems.push_back(
        names.empty()
            ? fmt::format("{}laws {}: no element of {} has a {} law", dash, law, scene.file, kind_name(wanted->about().kind))
            : fmt::format("{}element {}: no such element with a {} law; {}", dash, element, kind_name(wanted->about().kind),
                          suggestion ? "did you mean " + *suggestion + "?" : fmt::format("there are: {}", fmt::join(names, ", "))));
    return std::nullopt;
  }

  const auto before = (*place)["law"].value_or(std::string());
  const std::string name = (*whose)["name"].value_or(std::string());
  if (before == law) return Swapped{scene.resolved, fmt::format("{}: {} as in the scene", name, law)};
  std::map<std::string, double> known;
  for (const Parameter& parameter : make_law(before)->parameters()) {
    if (const auto value = (*place)[parameter.name].value<double>(); value && !parameter.is_list) known[parameter.name] = *value;
    place->erase(parameter.name);
  }
  place->erase("elements");
  place->insert_or_assign("law", law);

  std::vector<std::string> kept, assumed, defaults;
  for (const Parameter& parameter : wanted->parameters()) {
    if (parameter.is_list) {
      defaults.push_back(parameter.name);
    } else if (const auto same = known.find(parameter.name); same != known.end()) {
      place->insert_or_assign(parameter.name, same->second);
      kept.push_back(parameter.name);
    } else if (const auto other = converted(parameter.name, known)) {
      place->insert_or_assign(parameter.name, other->first);
      assumed.push_back(fmt::format("{} = {} = {}", parameter.name, other->second, short_number(other->first)));
    } else {
      defaults.push_back(fmt::format("{} = {}", parameter.name, short_number(parameter.values.front())));
    }
  }
  Swapped swapped;
  swapped.assumed = fmt::format("{}: {} in place of {}", name, law, before);
  if (!kept.empty()) swapped.assumed += fmt::format("; {} kept", fmt::join(kept, ", "));
  if (!assumed.empty()) swapped.assumed += fmt::format("; {}", fmt::join(assumed, ", "));
  if (!defaults.empty()) swapped.assumed += fmt::format("; defaults: {}", fmt::join(defaults, ", "));
  std::ostringstream text;
  text << root << "\n";
  swapped.scene = text.str();
  return swapped;
}

}  // namespace asperity
