// Elements and inputs of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "asperity/contact/defaults.hpp"
#include "asperity/setup/rigid_limit.hpp"
#include "builder.hpp"
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

std::string scene_name(std::string_view part) { return std::string(part == "tangential" ? "friction" : part); }
std::string force_name(std::string_view name) {
  return name == "mu" || name.starts_with("mu_") ? "F" + std::string(name.substr(2)) : std::string(name);
}

/// A direction of length 1; one of another length is shortened.
std::optional<std::vector<double>> direction_of(std::vector<double> v) {
  double square = 0;
  for (const double x : v) square += x * x;
  if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
  if (std::abs(square - 1) > 1e-14)  // so that a resolved scene resolves to itself
    for (double& x : v) x /= std::sqrt(square);
  return v;
}

Value written_numbers(const Parameter& parameter, const std::vector<double>& values) {
  return parameter.is_list ? Value(values) : Value(values.at(0));
}

bool is_direction(const std::string& parameter) {
  return parameter == "direction" || parameter == "axis_a" || parameter == "axis_b";
}

}  // namespace

void normalize_element(Value& element, Problems& problems) {
  if (!element.is(Value::Type::table)) return;
  Value clean;
  clean.origin = element.origin;
  // A later value of the same key is the same key twice.
  const auto put = [&](Value& table, const std::string& name, const std::string& written, Value value) {
    if (table.find(name)) problems.add(value.origin, fmt::format("{}: is {} under another name; give one of them", written, name));
    else table.set(name, std::move(value));
  };
  const auto put_part = [&](const std::string& part, const std::string& written, Value& from) {
    Value* to = clean.find(part);
    if (!to) {
      to = &clean.set(part, Value());
      to->origin = from.origin;
    }
    if (!to->is(Value::Type::table)) return;
    for (auto& [name, value] : from.entries)
      put(*to, part == "friction" ? force_name(name) : name, written + "." + name, std::move(value));
  };
  for (auto& [key, value] : element.entries) {
    const std::size_t dot = key.find('.');
    const std::string part = scene_name(key.substr(0, dot));
    if (dot != std::string::npos) {
      Value one;
      one.origin = value.origin;
      one.set(key.substr(dot + 1), std::move(value));
      put_part(part, key.substr(0, dot), one);
    } else if (value.is(Value::Type::table)) {
      put_part(part, key, value);
    } else {
      put(clean, part, key, std::move(value));
    }
  }
  element = std::move(clean);
}

std::vector<std::string> normalize_path(const std::vector<std::string>& path) {
  std::vector<std::string> clean = path;
  if (clean.size() >= 2) clean[1] = scene_name(clean[1]);
  if (clean.size() == 3 && clean[1] == "friction") clean[2] = force_name(clean[2]);
  return clean;
}

std::vector<std::string> Builder::names() const {
  std::vector<std::string> list{"time", "energy"};
  for (const auto& [name, origin] : names_) list.push_back(name);
  std::sort(list.begin(), list.end());
  return list;
}

bool Builder::is_built(const std::string& name) const { return name.ends_with('*') ? all_built_ : built_.contains(name); }

std::optional<Builder::End> Builder::end_of(Fields& fields, const Value& at, const std::string& text) {
  End end;
  end.text = text;
  if (text == "ground") return end;
  const std::size_t mark = text.find_first_of("@.");
  const std::string name = text.substr(0, mark), rest = mark == std::string::npos ? "" : text.substr(mark + 1);
  const auto found = bodies_.find(name);
  const auto wrong = [&](const std::string& why) {
    fields.problem(at, fmt::format("{} = {}: {}", fields.place(), shown(Value(text)), why));
    return std::nullopt;
  };
  if (found == bodies_.end()) {
    std::vector<std::string> known{"ground"};
    if (bodies_.size() <= 1000)
      for (const auto& [other, body] : bodies_) known.push_back(other);
    std::sort(known.begin(), known.end());
    return wrong("there is no body of that name" + hint(name, known));
  }
  end.body = &found->second;
  end.id = end.body->id;
  const bool arm = end.body->form == KnownBody::Form::arm;
  if (mark != std::string::npos && text[mark] == '@') {
    const auto point = end.body->points.find(rest);
    if (point == end.body->points.end()) {
      std::vector<std::string> known;
      for (const auto& [other, p] : end.body->points) known.push_back(other);
      return end.body->built && end.body->points_known ? wrong(name + " has no point of that name" + hint(rest, known))
                                                       : std::nullopt;
    }
    end.point = point->second;
  } else if (arm) {
    std::uint32_t number = 0;
    const std::string_view digits = rest.starts_with("joint") ? std::string_view(rest).substr(5) : "";
    const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc() || last != digits.data() + digits.size() || number < 1 || number > end.body->joints)
      return end.body->joints == 0
                 ? std::nullopt
                 : wrong(fmt::format("must be a joint of the arm: {0}.joint1 to {0}.joint{1}", name, end.body->joints));
    end.turns = true;
    if (end.body->built) end.id = World::joint(end.body->id, number);
  } else if (mark != std::string::npos) {
    return wrong(name + " is no arm: it has no joints; a point of a rigid body is " + name + "@point");
  }
  return end;
}

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
        fields.problem(*value, fmt::format("{}: is chosen by stiffness = \"rigid\"; give one of them", path_of(p.name)));
      if (!value) {
        rigid->open.push_back(part.empty() ? name : part + "." + name);
        if (const auto found = reading_.chosen.find(path_of(p.name)); found != reading_.chosen.end())
          law.law->set(p.name, found->second.values);
        else is_open = true;
      }
    }
    if (value) {
      const std::string place = path_of(p.name);
      if (value->is(Value::Type::text) && value->text == "design" && !reading_.names.contains("design")) {
        if (reading_.may_be_open)
          reading_.left_open.push_back({fields.place(), part.empty() ? name : part + "." + name, value->origin.line});
        else
          fields.problem(
              *value, fmt::format("{} = \"design\": has no number yet; asperity design scene {} --write NEW.toml finds one", place,
                                  scene_.file));
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
      reading_.problems.add(value ? value->origin : fields.origin(), path_of(parameter) + rest);
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

void Builder::wishes(Fields& fields, const std::string& name, Value& written) {
  const Value* table = fields.find("design");
  if (!table) return;
  if (!table->is(Value::Type::table))
    return fields.problem(*table, fmt::format("{} = {}: must be a table such as {{ restitution = 0.5, speed = 2 }}",
                                              fields.path("design"), shown(*table)));
  Fields design(reading_, table, design_keys, fields.path("design"), table->origin, written.set("design", Value()));
  design.only_known();
  ElementWish wish;
  if (design.find("restitution")) wish.restitution = design.number("restitution");
  wish.speed = design.number("speed");
  wish.penetration = design.number("penetration");
  wish.displacement = design.number("displacement");
  scene_.wishes[name] = wish;
}

std::optional<Via> Builder::via_of(Fields& fields, const ElementLaw& law, const End& a, const End& b) {
  using Form = KnownBody::Form;
  const auto wrong = [&](const std::string& why) {
    std::vector<std::string> possible;
    for (const Via via : connections_of(law.makers)) possible.emplace_back(to_text(via));
    fields.problem(fmt::format("{}: {}; {} can stand between: {}", fields.place(), why, law.name, fmt::join(possible, "; ")));
    return std::nullopt;
  };
  const auto pick = [&](Via via) -> std::optional<Via> {
    if (find_maker(law.makers, via)) return via;
    return wrong(fmt::format("{} cannot stand between {} and {}", law.makers, a.text, b.text));
  };
  for (const End* end : {&a, &b})
    if (end->body && !end->body->built) return std::nullopt;
  if (a.id.pool == b.id.pool && a.id.index == b.id.index) {
    fields.problem(*fields.find("between"),
                   fmt::format("{}.between: both ends are {}", fields.place(), a.body ? "the same body" : "the ground"));
    return std::nullopt;
  }

  if (a.is(Form::rigid) || b.is(Form::rigid)) {
    if (law.hinge || law.kind == Kind::spring) {
      for (const End* end : {&a, &b})
        if (end->body && !end->is(Form::rigid)) return wrong(end->text + " is no rigid body");
      return pick(law.hinge ? Via::hinge : Via::point_point);
    }
    if (law.kind != Kind::composite) return wrong("a rigid body touches with friction: use law = \"frictional_contact\"");
    if (!a.is(Form::rigid))
      return wrong(fmt::format("the body that touches comes first: between = [\"{}\", \"{}\"]", b.text, a.text));
    if (b.is(Form::rigid)) return pick(Via::ball_ball);
    if (b.body && b.dimension() != 3) return wrong(fmt::format("{} moves {}: must be in space", b.text, space_of(b.dimension())));
    return pick(Via::ball_plane);
  }
  if (a.body && b.body && a.dimension() != b.dimension())
    return wrong(fmt::format("{} moves {} and {} {}", a.text, space_of(a.dimension()), b.text, space_of(b.dimension())));
  const int D = std::max(a.dimension(), b.dimension());
  if (D == 1) {
    if (law.kind == Kind::composite) return wrong("on a line there is no direction to slip in: use a contact law");
    return pick(Via::line);
  }
  if (law.kind == Kind::composite) return pick(D == 2 ? Via::point_plane_2 : Via::point_plane_3);
  const Via axis = D == 2 ? Via::axis_2 : Via::axis_3, surface = D == 2 ? Via::surface_2 : Via::surface_3;
  if (law.kind == Kind::friction && !fields.find("direction") && find_maker(law.makers, surface)) return surface;
  if (law.kind != Kind::contact && !fields.find("direction"))
    return wrong(fmt::format("direction is missing: {} {} acts along one", space_of(D), law.name));
  return pick(axis);
}

std::optional<std::vector<Builder::Connected>> Builder::connect(Fields& fields, Via via, const End& a, const End& b, bool turns) {
  std::map<std::string, std::vector<double>> numbers;
  for (const Parameter& p : parameters_of(via)) {
    // Nobody names the axis of a plane that lies flat; its direction is the last axis.
    numbers[p.name] = p.values;
    if (p.name == "direction" && (via == Via::axis_2 || via == Via::axis_3)) {
      numbers[p.name].assign(p.values.size(), 0.0);
      numbers[p.name].back() = 1;
    }
  }
  const auto given = [&](const char* key) { return fields.find(key) != nullptr; };
  // What the ends say by themselves. It is not written down, as it stands with the bodies.
  std::vector<std::string> from_ends;
  const auto take = [&](const std::string& key, const std::vector<double>& values) {
    if (const Value* value = fields.find(key))
      return fields.problem(*value, fmt::format("{}: is given by the end {} already", fields.path(key), a.text));
    numbers[key] = values;
    from_ends.push_back(key);
  };
  const auto as_list = [](const std::array<double, 3>& p) { return std::vector<double>(p.begin(), p.end()); };
  std::vector<Connected> list{{}};
  bool balls = false, shapes_known = true;
  switch (via) {
    case Via::ball_plane:
      if (a.point) take("centre", as_list(*a.point));
      if (b.point) fields.problem(fmt::format("{}: a plane has no points: {}", fields.place(), b.text));
      balls = !a.point && !given("centre") && !given("radius");
      shapes_known = !balls || a.body->shape_known;
      if (balls && shapes_known && a.body->shape != "sphere" && a.body->shape != "capsule" && a.body->shape != "box") {
        fields.problem(fmt::format("{}: {} has {}: name a point of it, {}@point, or give centre and radius of a ball",
                                   fields.place(), a.text, a.body->shape.empty() ? "no shape" : "the shape of a " + a.body->shape,
                                   a.text));
        shapes_known = false;
      }
      break;
    case Via::ball_ball:
      for (const auto& [end, key] : {std::pair(&a, "radius_a"), std::pair(&b, "radius_b")}) {
        const std::string& shape = end->body->shape;
        if (!end->body->shape_known && !given(key)) shapes_known = false;
        else if (shape == "sphere" && !given(key)) take(key, {end->body->size[0]});
        else if (!shape.empty() && shape != "sphere")  // a ball in its place would be another body
          fields.problem(
              fmt::format("{0}: {1} is a {2}: rigid bodies touch one another as spheres only; make it a sphere, or leave its "
                          "shape out and give it inertia, and the element {3}, to let a ball at its centre touch",
                          fields.place(), end->text, shape, key));
        else if (!given(key)) fields.problem(fmt::format("{}: {} has no shape; give {}", fields.place(), end->text, key));
        if (end->point) fields.problem(fmt::format("{}: a sphere touches anywhere: {} has a point", fields.place(), end->text));
      }
      break;
    case Via::point_point:
      if (a.point) take("point_a", as_list(*a.point));
      if (b.point) take("point_b", as_list(*b.point));
      break;
    case Via::hinge:
      break;
    default:
      if (a.point || b.point) fields.problem(fmt::format("{}: a mass is a point by itself", fields.place()));
  }

  for (const Parameter& p : parameters_of(via)) {
    const std::string unit = turns ? turned_unit(p.unit) : p.unit;
    const bool from_end = std::find(from_ends.begin(), from_ends.end(), p.name) != from_ends.end();
    const Value* value = fields.find(p.name);
    if (value && !from_end) {
      const std::string place = fields.path(p.name);
      const std::size_t n = p.values.size();
      if (p.is_vector ? !value->is(Value::Type::list) || value->items.size() != n : value->is(Value::Type::list)) {
        fields.problem(*value, fmt::format("{} = {}: must be {}", place, shown(*value),
                                           p.is_vector ? fmt::format("a list of {}", n) : "a number"));
        continue;
      }
      auto read = reading_.numbers(*value, place, unit, is_direction(p.name) ? Range{} : p.range);
      if (read && is_direction(p.name)) {
        read = direction_of(*read);
        if (!read) fields.problem(*value, fmt::format("{} = {}: must have a length > 0", place, shown(*value)));
      }
      if (read) numbers[p.name] = *read;
    }
    const bool of_shape = balls && (p.name == "radius" || p.name == "centre");
    if (from_end || of_shape) continue;
    const Value written = written_numbers(p, numbers[p.name]);
    fields.out().set(p.name, written);
    reading_.parameters.push_back({fields.place(), p.name, shown(written), unit, p.meaning});
  }
  if (!shapes_known) return std::nullopt;  // how many balls it has is open

  const auto flat = [&] {
    std::vector<double> all;
    for (const Parameter& p : parameters_of(via)) all.insert(all.end(), numbers[p.name].begin(), numbers[p.name].end());
    return all;
  };
  const auto ball = [&](const BallPlane<double>& plane) {
    numbers["radius"] = {plane.radius};
    numbers["centre"] = {plane.centre.x.begin(), plane.centre.x.end()};
    return Connected{"", flat(), numbers["centre"], {}};
  };
  if (balls) {
    const auto& size = a.body->size;
    BallPlane<double> plane;
    list.clear();
    if (a.body->shape == "sphere") {
      plane.radius = size[0];
      list.push_back(ball(plane));
    } else if (a.body->shape == "capsule") {
      for (const auto& one : capsule_on(plane, size[0], size[1])) list.push_back(ball(one));
    } else {
      for (const auto& one : box_on(plane, size[0], size[1], size[2])) list.push_back(ball(one));
    }
    for (std::size_t i = 0; list.size() > 1 && i < list.size(); ++i) list[i].suffix = "." + std::to_string(i + 1);
  } else {
    list[0].numbers = flat();
    if (via == Via::ball_plane) list[0].point_a = numbers["centre"];
    if (via == Via::point_point) list[0].point_a = numbers["point_a"], list[0].point_b = numbers["point_b"];
  }
  return list;
}

void Builder::element(const Value& table) {
  if (!table.is(Value::Type::table))
    return reading_.problems.add(table.origin, "element = " + shown(table) + ": must be an [[element]] table");
  Value out;
  std::string name = "element";
  if (const Value* given = table.find("name"); given && given->is(Value::Type::text)) name = given->text;
  Fields fields(reading_, &table, element_keys, name, table.origin, out);
  const bool named = claim_name(fields, name);
  const bool all_before = std::exchange(all_built_, false);

  std::optional<End> a, b;
  if (const auto ends = fields.texts("between")) {
    const Value& at = *fields.find("between");
    if (ends->size() != 2) {
      fields.problem(at,
                     fmt::format("{} = {}: must be two names, such as [\"block\", \"ground\"]", fields.path("between"), shown(at)));
    } else {
      Fields between(reading_, &table, element_keys, fields.path("between"), table.origin, out);
      a = end_of(between, at, (*ends)[0]);
      b = end_of(between, at, (*ends)[1]);
    }
  }
  const bool turns = (a && a->turns) || (b && b->turns);
  auto law = law_of_element(fields, out);
  std::optional<Via> via;
  if (law && a && b) via = via_of(fields, *law, *a, *b);

  // All keys that make sense here.
  std::vector<std::string> known;
  const auto also = [&](const std::vector<Parameter>& list) {
    for (const Parameter& p : list)
      if (p.name.find('.') == std::string::npos) known.push_back(p.name);
  };
  if (law) {
    also(law->law->parameters());
    for (const auto& [part, word] : law->parts) known.push_back(part);
    if (law->law->has_elements() && law->kind != Kind::composite) known.emplace_back("elements");
    else if (const Value* given = fields.find("elements"); given && !law->law->has_elements()) {
      fields.problem(*given, fmt::format("{}: {} is not made of elements", fields.path("elements"), law->name));
      known.emplace_back("elements");
    }
    if (law->kind == Kind::friction) known.emplace_back("load");
    known.insert(known.end(), {"design", "stiffness", "held"});
    if (via) also(parameters_of(*via));
    else
      for (const Via any : connections_of(law->makers)) also(parameters_of(any));
    fields.only_known(known);
  }
  if (!law) return;
  wishes(fields, name, out);

  double load = 1;
  if (const Value* value = law->kind == Kind::friction ? fields.find("load") : nullptr) {
    const Key& key = law_keys.at("load");
    if (const auto x = reading_.number(*value, fields.path("load"), key.unit, key.range)) {
      load = *x;
      out.set("load", Value(load));
      reading_.parameters.push_back({name, "load", shown(Value(load)), std::string(key.unit), "normal force"});
    }
  }
  if (law->hinge)
    for (const auto& [end, key] : {std::pair(&a, "anchor_a"), std::pair(&b, "anchor_b")}) {
      if (!*end || !(*end)->point) continue;
      if (const Value* value = fields.find(key))
        fields.problem(*value, fmt::format("{}: is given by the end {} already", fields.path(key), (*end)->text));
      const auto& p = *(*end)->point;
      law->law->set(key, {p.begin(), p.end()});
    }
  RigidElement* is_rigid = rigid(fields, *law, turns);
  const bool good = law_parameters(fields, *law, turns, law->kind == Kind::friction && fields.find("load"), is_rigid, out);
  if (law->hinge && a && a->point) std::erase_if(out.entries, [](const auto& entry) { return entry.first == "anchor_a"; });
  if (law->hinge && b && b->point) std::erase_if(out.entries, [](const auto& entry) { return entry.first == "anchor_b"; });
  std::optional<std::vector<Connected>> connected;
  if (via) connected = connect(fields, *via, *a, *b, turns);
  if (!named || !connected) return;
  all_built_ = all_before;
  built_.insert(name);
  if (!good) {  // numbers that any element can have: its columns are those of its kind
    const auto wrong = std::exchange(law->law, make_scene_law(law->makers));
    for (const Parameter& p : wrong->parameters())
      if (p.is_list && !p.is_vector && !p.values.empty()) law->law->set_elements(int(p.values.size()));
  }

  NewElement made;
  made.a = a->id;
  made.b = b->id;
  made.load = load;
  for (const Parameter& p : law->law->parameters()) {
    if (p.is_list && !p.is_vector) made.elements = int(p.values.size());
    made.law.insert(made.law.end(), p.values.begin(), p.values.end());
  }
  SceneElement shown_as;
  shown_as.law = law->name;
  shown_as.kind = law->hinge ? "hinge" : "";
  shown_as.between = {a->text, b->text};
  shown_as.parts = law->parts;
  if (!law->hinge)
    shown_as.kind = law->kind == Kind::friction    ? "friction"
                    : law->kind == Kind::contact   ? "contact"
                    : law->kind == Kind::composite ? "composite"
                                                   : "spring";
  const auto numbers_of = [&](const char* key) {
    std::vector<double> list;
    const Value* value = out.find(key);
    if (!value) return list;
    if (value->is(Value::Type::number)) list.push_back(value->number);
    for (const Value& item : value->items) list.push_back(item.number);
    return list;
  };
  shown_as.normal = numbers_of("direction");
  if (const auto offset = numbers_of("offset"); !offset.empty()) shown_as.offset = offset[0];
  const Maker& maker = *find_maker(law->makers, *via);
  for (const Connected& one : *connected) {
    made.name = shown_as.name = name + one.suffix;
    made.connection = one.numbers;
    shown_as.point_a = one.point_a;
    shown_as.point_b = one.point_b;
    if (law->hinge) {
      shown_as.point_a = a->point ? std::vector<double>(a->point->begin(), a->point->end()) : numbers_of("anchor_a");
      shown_as.point_b = b->point ? std::vector<double>(b->point->begin(), b->point->end()) : numbers_of("anchor_b");
    }
    maker.add(scene_.world, made);
    scene_.elements.push_back(shown_as);
  }
  out_.find("element")->items.push_back(std::move(out));
}

void Builder::input(const Value& table) {
  if (!table.is(Value::Type::table))
    return reading_.problems.add(table.origin, "input = " + shown(table) + ": must be an [[input]] table");
  Value out;
  const std::string place = fmt::format("input {}", ++inputs_);
  Fields fields(reading_, &table, input_keys, place, table.origin, out);
  fields.only_known();
  const auto on = fields.text("on");
  if (!on) return;
  Fields named(reading_, &table, input_keys, place + ".on", table.origin, out);
  const auto end = end_of(named, *fields.find("on"), *on);
  if (!end) return;
  const Value& at = *fields.find("on");
  if (!end->body) return fields.problem(at, place + ".on = \"ground\": the ground cannot be pushed");
  if (!end->body->built) return;
  if (end->body->given)
    return fields.problem(at, fmt::format("{}.on = \"{}\": it follows its course whatever pushes it", place, *on));
  if (end->point)
    return fields.problem(at, fmt::format("{}.on = \"{}\": a force acts at the centre of mass, a torque beside it", place, *on));
  const bool rigid = end->is(KnownBody::Form::rigid);
  if (const Value* force = fields.find("force"); force && end->turns)
    return fields.problem(*force, fmt::format("{}.force: a joint is turned: use torque", place));
  if (const Value* torque = fields.find("torque"); torque && !end->turns && !rigid)
    return fields.problem(*torque, fmt::format("{}.torque: a mass cannot be turned: use force", place));
  if (!fields.find("force") && !fields.find("torque"))
    return fields.problem(fmt::format("{}: {} is missing", place, end->turns ? "torque" : rigid ? "force or torque" : "force"));
  const auto push = [&](const char* key, std::size_t count, std::size_t first) {
    if (!fields.find(key)) return;
    const auto courses = fields.courses(key, {count});
    if (!courses) return;
    remember(fields, key, *courses);
    for (std::size_t i = 0; i < count; ++i) {
      const Course& course = (*courses)[i];
      if (course.is_constant() && course.at(0.0) == 0) continue;
      scene_.world.push(
          end->id, first + i, [course](double t) { return course.at(t); }, course.outline());
    }
  };
  push("force", std::size_t(end->dimension()), 0);
  push("torque", end->turns ? 1 : 3, end->turns ? 0 : 3);
  out_.find("input")->items.push_back(std::move(out));
}

}  // namespace asperity::scene
