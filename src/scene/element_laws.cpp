// The law of an element and its parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/contact/defaults.hpp"
#include "asperity/setup/rigid_limit.hpp"
#include "builder.hpp"
#include "element_values.hpp"
#include "rigid.hpp"

namespace asperity::scene {

namespace {

/// The part of a law that a parameter belongs to, as scenes call it, and its name there: "tangential.F" is F of friction.
std::pair<std::string, std::string> part_of(const std::string& parameter) {
  const std::size_t dot = parameter.find('.');
  if (dot == std::string::npos) return {"", parameter};
  const std::string part = parameter.substr(0, dot);
  return {part == "tangential" ? "friction" : part, parameter.substr(dot + 1)};
}

}  // namespace

std::optional<Builder::ElementLaw> Builder::law_of_element(Fields& fields, Value& written) {
  static const std::vector<std::string> known = [] {
    std::vector<std::string> list = law_names();
    list.insert(list.end(), {"spring", "hinge"});
    return list;
  }();
  const auto name = fields.word("law", known);
  if (!name) return std::nullopt;
  ElementLaw law{.name = *name, .makers = *name, .law = nullptr, .parts = {}};
  law.hinge = *name == "hinge";
  if (const auto any = make_law(*name)) law.kind = any->about().kind;
  const bool composite = law.kind == Kind::composite;

  // The laws of its parts.
  const auto part = [&](const std::string& key, Kind kind, std::string_view fallback) -> bool {
    const Value* table = fields.find(key);
    law.parts[key] = fallback;
    if (!table) return true;
    if (!table->is(Value::Type::table)) {
      fields.problem(*table,
                     fmt::format("{} = {}: must be a table such as {{ law = \"{}\", .. }}{}", fields.path(key), shown(*table),
                                 fallback, key == "normal" ? "; the normal of a plane is its direction" : ""));
      return false;
    }
    const Value* word = table->find("law");
    if (!word) return true;
    std::vector<std::string> good;
    for (const std::string& one : law_names())
      if (make_law(one)->about().kind == kind) good.push_back(one);
    if (!word->is(Value::Type::text) || std::find(good.begin(), good.end(), word->text) == good.end()) {
      fields.problem(*word, fmt::format("{}.law = {}: must be a {} law{}", fields.path(key), shown(*word),
                                        kind == Kind::contact ? "contact" : "friction", hint(word->text, good)));
      return false;
    }
    law.parts[key] = word->text;
    return true;
  };
  bool good = true;
  if (composite) good = part("normal", Kind::contact, DefaultContact<>::about.name);
  if (composite || law.hinge) good = part("friction", Kind::friction, DefaultFriction<>::about.name) && good;
  if (!good) return std::nullopt;
  if (law.hinge && law.parts["friction"] != DefaultFriction<>::about.name) {
    fields.problem(*fields.find("friction"),
                   fmt::format("{}.law = \"{}\": a hinge has the friction law {}", fields.path("friction"), law.parts["friction"],
                               DefaultFriction<>::about.name));
    return std::nullopt;
  }
  if (composite) {
    law.makers = law.parts["normal"] + "+" + law.parts["friction"];
    const auto pairs = frictional_contacts();
    if (std::find(pairs.begin(), pairs.end(), law.makers) == pairs.end()) {
      std::vector<std::string> with_friction;
      for (const std::string& pair : pairs)
        if (pair.ends_with("+" + law.parts["friction"])) with_friction.push_back(pair.substr(0, pair.find('+')));
      fields.problem(fmt::format("{}: there is no frictional contact of {} and {}; {} goes with: {}", fields.place(),
                                 law.parts["normal"], law.parts["friction"], law.parts["friction"],
                                 with_friction.empty() ? "none, it has one dimension or needs sampled time"
                                                       : fmt::format("{}", fmt::join(with_friction, " "))));
      return std::nullopt;
    }
  }
  law.law = make_scene_law(law.makers);
  for (const auto& [key, word] : law.parts) written.set(key, Value()).set("law", Value(word));
  return law;
}

RigidElement* Builder::rigid(Fields& fields, const ElementLaw& law, bool turns) {
  const Value *stiffness = fields.find("stiffness"), *held = fields.find("held");
  if (!stiffness) {
    if (held) fields.problem(*held, fmt::format("{}: goes with stiffness = \"rigid\"", fields.path("held")));
    return nullptr;
  }
  const auto wrong = [&](const std::string& why) {
    fields.problem(*stiffness, fmt::format("{} = {}: {}", fields.path("stiffness"), shown(*stiffness), why));
  };
  if (!stiffness->is(Value::Type::text) || stiffness->text != "rigid") {
    wrong(law.kind == Kind::composite ? "must be \"rigid\"; numbers are normal.K and friction.K"
                                      : "must be \"rigid\"; a number is K");
    return nullptr;
  }
  RigidElement element{fields.place(), rigid_displacement, stiffness->origin};
  element.laws = law.parts;
  if (element.laws.empty()) element.laws[""] = law.name;
  if (law.hinge) wrong("there is no rule for a hinge");
  else
    for (const auto& [part, name] : element.laws)
      if (const auto why = why_not_rigid(name)) wrong(*why);
  if (!is_implicit(scene_.run.method))
    wrong(fmt::format("run.method = \"{}\" cannot step over it; use method = \"implicit\" or \"implicit2\"", scene_.run.method));
  if (held) {
    const Key& key = law_keys.at("held");
    const auto x = reading_.number(*held, fields.path("held"), turns ? turned_unit(key.unit) : key.unit, key.range);
    if (x) element.held = *x;
  }
  return &reading_.rigid.emplace_back(std::move(element));
}

bool Builder::law_parameters(Fields& fields, ElementLaw& law, bool turns, bool coefficients, RigidElement* rigid, Value& written) {
  const std::size_t before = reading_.problems.count();
  const auto table_of = [&](const std::string& part) { return part.empty() ? fields.table() : fields.find(part); };
  const auto value_of = [&](const std::string& parameter) {
    const auto [part, name] = part_of(parameter);
    const Value* table = table_of(part);
    return table ? table->find(name) : nullptr;
  };
  const auto path_of = [&](const std::string& parameter) {
    const auto [part, name] = part_of(parameter);
    return fields.path(part.empty() ? name : part + "." + name);
  };
  /// As the file has it.
  const auto written_path_of = [&](const std::string& parameter) {
    const auto [part, name] = part_of(parameter);
    const Value* value = value_of(parameter);
    const std::string& own = value && !value->written.empty() ? value->written : name;
    return fields.path(part.empty() ? own : part + "." + own);
  };

  // How many elements: as said, or as many as a list has.
  const std::string elements_part = law.kind == Kind::composite ? "friction" : "";
  std::optional<int> n;
  if (law.law->has_elements()) {
    const Value* table = table_of(elements_part);
    if (const Value* value = table ? table->find("elements") : nullptr) {
      const Key& key = law_keys.at("elements");
      const std::string place = elements_part.empty() ? fields.path("elements") : fields.path(elements_part + ".elements");
      const auto x = reading_.number(*value, place, key.unit, key.range);
      if (x && *x != std::floor(*x)) fields.problem(*value, fmt::format("{} = {}: must be a whole number", place, shown(*value)));
      else if (x) n = int(*x);
    } else {
      for (const Parameter& p : law.law->parameters())
        if (const Value* list = value_of(p.name); !n && list && p.is_list && list->is(Value::Type::list) && !list->items.empty())
          n = int(std::min<std::size_t>(list->items.size(), 1000));
    }
    if (n) {
      law_elements_ += std::size_t(*n);
      if (law_elements_ > most_law_elements) {
        fields.problem(fmt::format("{}: the laws of the scene have {} elements up to here: must be <= {} in all", fields.place(),
                                   law_elements_, most_law_elements));
        return false;
      }
      law.law->set_elements(*n);
    }
  }

  // What other units have as an exponent comes first.
  std::vector<Parameter> parameters = law.law->parameters();
  const auto is_exponent = [all = parameters](const Parameter& p) {
    return std::any_of(all.begin(), all.end(),
                       [power = "^" + part_of(p.name).second](const Parameter& q) { return q.unit.ends_with(power); });
  };
  std::stable_partition(parameters.begin(), parameters.end(), is_exponent);
  std::map<std::string, Reading::Exponents> exponents;
  bool is_open = false;
  for (const Parameter& p : parameters) {
    const auto [part, name] = part_of(p.name);
    const bool about_axis = turns || (law.hinge && part == "friction");
    const std::string unit = coefficients && p.unit == "N" ? "1" : about_axis ? turned_unit(p.unit) : p.unit;
    std::vector<double> values = p.values;
    const Value* value = value_of(p.name);
    const Kind kind = law.kind != Kind::composite ? law.kind : part == "normal" ? Kind::contact : Kind::friction;
    if (rigid && is_rigid_parameter(p, kind)) {
      if (value && p.range.role == Role::stiffness)
        fields.problem(*value, fmt::format("{}: is chosen by stiffness = \"rigid\"; give one of them", written_path_of(p.name)));
      if (!value) {
        rigid->open.push_back(part.empty() ? name : part + "." + name);
        if (const auto found = reading_.chosen.find(path_of(p.name)); found != reading_.chosen.end())
          law.law->set(p.name, found->second.values);
        else is_open = true;
      }
    }
    if (value) {
      const std::string place = written_path_of(p.name);
      if (value->is(Value::Type::text) && value->text == "design" && !reading_.names.contains("design")) {
        if (reading_.may_be_open)
          reading_.left_open.push_back({fields.place(), part.empty() ? name : part + "." + name, value->origin.line});
        else fields.problem(*value, fmt::format("{} = \"design\": has no value yet; `asperity design scene` finds one", place));
        is_open = true;
        continue;
      }
      const bool list = value->is(Value::Type::list);
      if (list && !p.is_list) {
        fields.problem(*value, fmt::format("{} = {}: must be a number", place, shown(*value)));
        continue;
      }
      if (p.is_vector && (!list || value->items.size() != p.values.size())) {
        fields.problem(*value, fmt::format("{} = {}: must be a list of {}", place, shown(*value), p.values.size()));
        continue;
      }
      const auto read = reading_.numbers(*value, place, unit, is_direction(name) ? Range{} : p.range, exponents[part]);
      if (!read) continue;
      values = *read;
      if (is_direction(name)) {
        const auto direction = direction_of(values);
        if (!direction) {
          fields.problem(*value, fmt::format("{} = {}: must have a length > 0", place, shown(*value)));
          continue;
        }
        values = *direction;
      }
      if (const auto problem = law.law->set(p.name, values)) fields.problem(*value, fields.place() + "." + *problem);
    }
    if (!p.is_list && !values.empty()) exponents[part].emplace_back(name, values[0]);
  }
  for (const Parameter& p : rigid ? law.law->parameters() : std::vector<Parameter>()) {
    const auto [part, name] = part_of(p.name);
    rigid->parameters.push_back(p);
    rigid->parameters.back().name = part.empty() ? name : part + "." + name;
  }
  if (before == reading_.problems.count() && !is_open)
    for (const std::string& line : law.law->problems()) {
      const std::string parameter = line.substr(0, line.find_first_of(" [:"));
      const Value* value = value_of(parameter);
      const std::string rest = line.substr(parameter.size());
      reading_.problems.add(value ? value->origin : fields.origin(), written_path_of(parameter) + rest);
    }

  for (const Parameter& p : law.law->parameters()) {
    const auto [part, name] = part_of(p.name);
    const bool about_axis = turns || (law.hinge && part == "friction");
    const std::string unit = coefficients && p.unit == "N" ? "1" : about_axis ? turned_unit(p.unit) : p.unit;
    Value& to = part.empty() ? written : *written.find(part);
    const Value value = written_numbers(p, p.values);
    to.set(name, value);
    const auto chosen = reading_.chosen.find(path_of(p.name));
    reading_.parameters.push_back({fields.place(), part.empty() ? name : part + "." + name, shown(value), unit,
                                   chosen == reading_.chosen.end() ? p.meaning : p.meaning + "; " + chosen->second.why,
                                   !value_of(p.name) && chosen == reading_.chosen.end()});
  }

  // Unknown keys of the parts.
  for (const auto& [part, word] : law.parts) {
    const Value* table = table_of(part);
    if (!table) continue;
    std::vector<std::string> known{"law"};
    if (law.law->has_elements() && part == elements_part) known.emplace_back("elements");
    for (const Parameter& p : parameters)
      if (part_of(p.name).first == part) known.push_back(part_of(p.name).second);
    for (const auto& [name, value] : table->entries)
      if (std::find(known.begin(), known.end(), name) == known.end())
        fields.problem(value,
                       fmt::format("{}: {} has no such parameter{}", fields.path(part + "." + name), word, hint(name, known)));
  }
  return before == reading_.problems.count();
}

}  // namespace asperity::scene
