// Elements and inputs of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include "asperity/formula/outline.hpp"
#include "builder.hpp"
#include "multiple.hpp"

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

class Builder::Motions final : public MotionNames {
 public:
  explicit Motions(const Builder& builder) : builder_(builder) {}

  std::optional<Sensed> find(const std::string& name, std::string& why) const override {
    const std::size_t dot = name.find('.');
    std::string body = name.substr(0, dot), rest = name.substr(dot + 1);
    const auto found = builder_.bodies_.find(body);
    if (found == builder_.bodies_.end()) {
      std::vector<std::string> known;
      if (builder_.bodies_.size() <= 1000)
        for (const auto& [other, one] : builder_.bodies_) known.push_back(other);
      std::sort(known.begin(), known.end());
      why = builder_.names_.contains(body)
                ? fmt::format("{} is no body: a force may depend on motions only, not on what depends on forces", body)
                : fmt::format("there is no body {}{}", body, hint(body, known));
      return std::nullopt;
    }
    BodyId id = found->second.id;
    if (!found->second.built) {
      why = fmt::format("{} could not be read", body);
      return std::nullopt;
    }
    if (found->second.form == KnownBody::Form::arm) {
      const std::size_t end = rest.find('.');
      body += "." + rest.substr(0, end);
      const auto joint = std::find(id.pool->names.begin(), id.pool->names.end(), body);
      if (joint == id.pool->names.end() || end == std::string::npos) {
        why = fmt::format("must be a joint of the arm: {0}.position, {0}.velocity", id.pool->names.front());
        return std::nullopt;
      }
      id.index = std::uint32_t(joint - id.pool->names.begin());
      rest = rest.substr(end + 1);
    }
    std::vector<std::string> known;
    for (const Quantity& quantity : id.pool->quantities()) known.push_back(quantity.name);
    const auto column = std::find(known.begin(), known.end(), rest);
    if (column == known.end()) {
      why = fmt::format("the motion of {} is: {}", body, fmt::join(known, ", "));
      return std::nullopt;
    }
    return Sensed{id, std::size_t(column - known.begin())};
  }

 private:
  const Builder& builder_;
};

namespace {

bool depends_on_motion(const Node& node) {
  return (node.op == Op::name && node.word != "t") || std::any_of(node.parts.begin(), node.parts.end(), depends_on_motion);
}
/// The first part that jumps where the motion does.
const Node* jump_with_motion(const Node& node) {
  const bool jumps = node.op == Op::sign || node.op == Op::step || node.op == Op::floor || node.op == Op::ceil ||
                     node.op == Op::mod || (node.op >= Op::less && node.op <= Op::not_equal);
  if (jumps && depends_on_motion(node)) return &node;
  for (const Node& part : node.parts)
    if (const Node* found = jump_with_motion(part)) return found;
  return nullptr;
}

}  // namespace

Feedback Builder::feedback(BodyId body, std::size_t coordinate, const Course& course, const Motions& motions) {
  const Formula* formula = course.of_motion();
  if (!formula) {
    const auto force = [course](double t, auto seen) {
      return std::remove_const_t<typename decltype(seen)::element_type>(course.at(t));
    };
    return {body, coordinate, {}, force, force, "", {}};
  }
  std::vector<Sensed> of;
  std::string none;
  for (const std::string& name : formula->names())
    if (name != "t") of.push_back(*motions.find(name, none));
  const auto force = [formula = *formula](double t, auto seen) {
    using S = std::remove_const_t<typename decltype(seen)::element_type>;
    std::array<S, Feedback::most_sensed + 1> values;
    std::size_t next = 0;
    const std::size_t count = formula.names().size();
    for (std::size_t i = 0; i < count; ++i) values[i] = formula.names()[i] == "t" ? S(t) : seen[next++];
    return formula.template value<S>(std::span<const S>(values.data(), count));
  };
  const auto bounds = [formula = *formula](ValueRange t, std::span<const ValueRange> seen) {
    std::vector<ValueRange> values;
    std::size_t next = 0;
    for (const std::string& name : formula.names()) values.push_back(name == "t" ? t : seen[next++]);
    return bounds_of(formula, values);
  };
  const Node* jump = jump_with_motion(formula->root());
  return {body, coordinate, std::move(of), force, force, jump ? Formula(*jump).text() : "", bounds};
}

bool Builder::pushes(Fields& fields, const Value& table, const Section& keys, const Motions& motions, const Push& push) {
  const std::string& place = fields.place();
  const auto on = fields.text("on");
  if (!on) return false;
  const auto wrong = [&](const Value& at, const std::string& text) {
    fields.problem(at, place + text);
    return false;
  };
  Fields named(reading_, &table, keys, place + ".on", table.origin, fields.out());
  const Value& at = *fields.find("on");
  const auto end = end_of(named, at, *on);
  if (!end) return false;
  if (!end->body) return wrong(at, ".on = \"ground\": the ground cannot be pushed");
  if (!end->body->built) return false;
  if (end->body->given) return wrong(at, fmt::format(".on = \"{}\": its motion is prescribed, so a force has no effect", *on));
  if (end->point) return wrong(at, fmt::format(".on = \"{}\": a force acts at the centre of mass, a torque beside it", *on));
  const bool rigid = end->is(KnownBody::Form::rigid);
  if (const Value* force = fields.find("force"); force && end->turns) return wrong(*force, ".force: a joint is turned: use torque");
  if (const Value* torque = fields.find("torque"); torque && !end->turns && !rigid)
    return wrong(*torque, ".torque: a mass cannot be turned: use force");
  if (!fields.find("force") && !fields.find("torque")) {
    fields.problem(fmt::format("{}: {} is missing", place, end->turns ? "torque" : rigid ? "force or torque" : "force"));
    return false;
  }
  const auto push_all = [&](const char* key, std::size_t count, std::size_t first) {
    if (!fields.find(key)) return;
    const auto courses = fields.courses(key, {count}, &motions);
    if (!courses) return;
    remember(fields, key, *courses);
    for (std::size_t i = 0; i < count; ++i) {
      const Course& course = (*courses)[i];
      if (course.of_motion() && course.of_motion()->names().size() > Feedback::most_sensed)
        fields.problem(*fields.find(key), fmt::format("{}: depends on {} numbers: must be <= {}", fields.path(key),
                                                      course.of_motion()->names().size(), Feedback::most_sensed));
      else if (!course.is_constant() || course.at(0.0) != 0) push(end->id, first + i, course);
    }
  };
  push_all("force", std::size_t(end->dimension()), 0);
  push_all("torque", end->turns ? 1 : 3, end->turns ? 0 : 3);
  return true;
}

void Builder::input(const Value& table) {
  if (!table.is(Value::Type::table))
    return reading_.problems.add(table.origin, "input = " + shown(table) + ": must be an [[input]] table");
  Value out;
  Fields fields(reading_, &table, input_keys, fmt::format("input {}", ++inputs_), table.origin, out);
  fields.only_known();
  const Motions motions(*this);
  const bool good = pushes(fields, table, input_keys, motions, [&](BodyId body, std::size_t coordinate, const Course& course) {
    if (course.of_motion()) scene_.world.push(feedback(body, coordinate, course, motions), course.outline());
    else
      scene_.world.push(
          body, coordinate, [course](double t) { return course.at(t); }, course.outline());
  });
  if (good) out_.find("input")->items.push_back(std::move(out));
}

void Builder::controller(const Value& table) {
  if (!table.is(Value::Type::table))
    return reading_.problems.add(table.origin, "controller = " + shown(table) + ": must be a [[controller]] table");
  Value out;
  Fields fields(reading_, &table, controller_keys, fmt::format("controller {}", ++controllers_), table.origin, out);
  fields.only_known();
  const double step = scene_.run.step;
  const auto time = [&](const char* key) {
    const auto x = fields.number(key);
    const Value* at = fields.find(key);
    if (x && at && *x > 0 && step > 0 && !is_multiple(*x, step))
      fields.problem(*at, detail::not_a_multiple(fields.path(key), *x, step));
    return x.value_or(0);
  };
  Controller made{.law = {}, .every = time("every"), .delay = time("delay"), .resolution = fields.number("resolution").value_or(0)};
  if (is_adaptive(scene_.run.method))
    fields.problem(fmt::format("{}: run.method = \"{}\": must be one with a fixed step, such as rk4 or implicit2", fields.place(),
                               scene_.run.method));
  if (made.delay > Controller::most_waiting * made.every && made.every > 0)
    fields.problem(*fields.find("delay"), fmt::format("{} = {:g} s: must be <= {:g} times every", fields.path("delay"), made.delay,
                                                      Controller::most_waiting));
  const Motions motions(*this);
  const std::size_t problems = reading_.problems.count();
  const bool good = pushes(fields, table, controller_keys, motions, [&](BodyId body, std::size_t coordinate, const Course& course) {
    made.law = feedback(body, coordinate, course, motions);
    if (!(made.every > 0) || made.delay > Controller::most_waiting * made.every) return;
    try {
      scene_.world.push(made);
    } catch (const std::invalid_argument& error) {
      fields.problem(fmt::format("{}: {}", fields.place(), error.what()));
    }
  });
  if (good && reading_.problems.count() == problems) out_.find("controller")->items.push_back(std::move(out));
}

}  // namespace asperity::scene
