// Elements and inputs of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "builder.hpp"

namespace asperity::scene {

std::vector<std::string> Builder::names() const {
  std::vector<std::string> list{"time", "energy"};
  for (const auto& [name, origin] : names_) list.push_back(name);
  std::sort(list.begin(), list.end());
  return list;
}

bool Builder::is_built(const std::string& name) const { return name.ends_with('*') ? all_built_ : built_.contains(name); }

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
