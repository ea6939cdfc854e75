// Bodies of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "builder.hpp"

namespace asperity::scene {
namespace {

template <int D>
Vec<double, D> vector_of(const std::vector<double>& numbers) {
  Vec<double, D> v{};
  std::size_t i = 0;
  each_number([&](double& x) { x = i < numbers.size() ? numbers[i++] : 0; }, v);
  return v;
}

template <int D>
Port<double, D> course_at(const std::vector<Course>& courses, double t) {
  Port<double, D> port;
  std::array<double*, D> p{}, v{};
  std::size_t i = 0;
  each_number([&](double& x) { p[i++] = &x; }, port.p);
  i = 0;
  each_number([&](double& x) { v[i++] = &x; }, port.v);
  for (i = 0; i < D; ++i) {
    const Dual<1> x = courses[i].at(Dual<1>::variable(t, 0));
    *p[i] = x.a;
    *v[i] = x.v[0];
  }
  return port;
}

Quaternion<double> turned(const std::vector<double>& axis, double angle) {
  return {std::cos(angle / 2), std::sin(angle / 2) * vector_of<3>(axis)};
}

/// An axis of length 1, or nothing.
std::optional<std::vector<double>> unit(std::vector<double> axis) {
  double square = 0;
  for (const double x : axis) square += x * x;
  const double length = std::sqrt(square);
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  // What is of length 1 up to rounding stays as it is, so that a resolved scene resolves to itself.
  if (std::abs(square - 1) > 1e-14)
    for (double& x : axis) x /= length;
  return axis;
}

/// Why no body has this inertia; empty if one can. A body's second moments, tr(I)/2 - I, are never negative.
std::string inertia_problem(const std::array<double, 6>& i) {
  const auto minors = [](double xx, double yy, double zz, double xy, double xz, double yz) {
    const double xy2 = xx * yy - xy * xy, xz2 = xx * zz - xz * xz, yz2 = yy * zz - yz * yz;
    const double det = xx * yz2 - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    return std::array{xx, yy, zz, xy2, xz2, yz2, det};
  };
  const auto least = [](const std::array<double, 7>& list, double scale) {
    double low = 1;
    for (std::size_t k = 0; k < list.size(); ++k) low = std::min(low, list[k] / std::pow(scale, k < 3 ? 1 : k < 6 ? 2 : 3));
    return low;
  };
  const double scale = std::max({std::abs(i[0]), std::abs(i[1]), std::abs(i[2]), 1e-300});
  if (!(least(minors(i[0], i[1], i[2], i[3], i[4], i[5]), scale) > 0)) return "must be positive about every axis";
  const double half = (i[0] + i[1] + i[2]) / 2;
  if (!(least(minors(half - i[0], half - i[1], half - i[2], -i[3], -i[4], -i[5]), scale) >= -1e-9))
    return "no body has it: about no axis may it be more than the sum of the other two";
  return "";
}

}  // namespace

void Builder::remember(Fields& fields, std::string_view key, const std::vector<Course>& courses) {
  for (std::size_t i = 0; i < courses.size(); ++i) {
    if (courses[i].is_constant() || courses[i].of_motion()) continue;
    const Value& value = *fields.find(key);
    const bool list = value.is(Value::Type::list);
    formulas_.push_back({courses[i], list ? fmt::format("{}[{}]", fields.path(key), i + 1) : fields.path(key), value.origin});
  }
}

void Builder::world(const Value* table) {
  Value& out = out_.set("world", Value());
  Fields fields(reading_, table, world_keys, "world", table ? table->origin : Origin{}, out);
  fields.only_known();
  if (const auto gravity = fields.numbers("gravity", {1, 2, 3})) gravity_ = *gravity;
}

std::optional<std::vector<double>> Builder::own_gravity(Fields& fields, int dimension) {
  const std::size_t n = std::size_t(dimension);
  if (fields.find("gravity")) return fields.numbers("gravity", {n});
  if (gravity_.size() == n) return gravity_;
  if (gravity_.empty() || n == 1) return std::vector<double>(n, 0.0);
  fields.problem(fmt::format("{} moves {}: world.gravity has {} component{}; give it a gravity of its own", fields.place(),
                             space_of(dimension), gravity_.size(), gravity_.size() == 1 ? "" : "s"));
  return std::nullopt;
}

bool Builder::claim_name(Fields& fields, std::string& name) {
  const auto given = fields.text("name");
  if (!given) return false;
  name = *given;
  const Value& value = *fields.find("name");
  const bool good = !name.empty() && name.size() <= longest_name && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
  if (!good) {
    fields.problem(value, name.size() > longest_name
                              ? fmt::format("name = {}: has {} letters: must be <= {}", shown(value), name.size(), longest_name)
                              : fmt::format("name = {}: must be made of letters, digits, _ and -", shown(value)));
    return false;
  }
  static const std::vector<std::string> taken{"ground", "time",  "energy", "world", "run",       "let",
                                              "record", "input", "title",  "cite",  "controller"};
  if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
    fields.problem(value, fmt::format("name = \"{}\": {}", name,
                                      name == "ground" ? "there always is one" : "this word has a meaning of its own"));
    return false;
  }
  const auto [other, is_new] = names_.try_emplace(name, value.origin);
  if (!is_new) fields.problem(value, fmt::format("name = \"{}\": there is one of that name in line {}", name, other->second.line));
  return is_new;
}

void Builder::body(const Value& table) {
  Value out;
  if (!table.is(Value::Type::table))
    return reading_.problems.add(table.origin, "body = " + shown(table) + ": must be a [[body]] table");
  std::string name = "body";
  if (const Value* given = table.find("name"); given && given->is(Value::Type::text)) name = given->text;
  Fields general(reading_, &table, body_keys, name, table.origin, out);
  const bool named = claim_name(general, name);
  std::vector<std::string> kinds;
  for (const BodyKind& kind : body_kinds()) kinds.emplace_back(kind.name);
  const auto kind = general.word("kind", kinds);
  KnownBody nothing;
  KnownBody& known = named ? bodies_[name] : nothing;
  if (named) body_order_.push_back(name);
  if (!kind) {
    all_built_ = false;
    return;
  }

  const auto section = std::find_if(body_kinds().begin(), body_kinds().end(), [&](const BodyKind& k) { return k.name == *kind; });
  Fields fields(reading_, &table, *section->keys, name, table.origin, out);
  fields.only_known(body_keys.names());
  if (*kind == "mass" || *kind == "friction_mass") mass(fields, name, *kind == "friction_mass", known);
  else if (*kind == "rigid_body") rigid_body(fields, name, known);
  else if (*kind == "prescribed") prescribed(fields, name, known);
  else arm(fields, name, known);
  if (named && known.built) built_.insert(name);
  else all_built_ = false;
  const bool arm = known.form == KnownBody::Form::arm;
  scene_.bodies.push_back({name, *kind, arm ? 2 : known.dimension, known.shape.empty() ? "point" : known.shape, known.size});
  out_.find("body")->items.push_back(std::move(out));
}

template <template <class, int> class Body, int D>
BodyId Builder::add_mass(const std::string& name, Body<double, D> body, const std::vector<double>& p, const std::vector<double>& v,
                         const std::vector<double>& g) {
  body.gravity = vector_of<D>(g);
  return scene_.world.add(name, body, {vector_of<D>(p), vector_of<D>(v)});
}

void Builder::mass(Fields& fields, const std::string& name, bool rubs, KnownBody& known) {
  const auto m = fields.number("mass");
  const auto F = rubs ? fields.number("F") : std::optional(0.0);
  // The first of these that is given says the dimension; the others have to agree.
  std::size_t n = 0;
  for (const char* key : {"position", "velocity", "gravity"})
    if (const Value* value = fields.find(key); value && n == 0) n = value->is(Value::Type::list) ? value->items.size() : 1;
  const bool said = fields.find("position") || fields.find("velocity") || fields.find("gravity");
  if (!said) n = 1;
  if (n == 0 || n > 3) {
    fields.numbers(fields.find("position") ? "position" : fields.find("velocity") ? "velocity" : "gravity", {1, 2, 3});
    return;
  }
  known.dimension = int(n);
  const auto vector = [&](const char* key) {
    const auto given = fields.numbers(key, {n});
    if (given || fields.find(key)) return given;
    const std::vector<double> zero(n, 0.0);
    fields.out().set(key, n == 1 ? Value(0.0) : Value(zero));
    return std::optional(zero);
  };
  const auto p = vector("position"), v = vector("velocity");
  const auto g = own_gravity(fields, known.dimension);
  const std::vector<double> zero(n, 0.0);
  const double T = scene_.run.step;
  const auto add = [&]<int D>() {
    const auto at = p.value_or(zero), speed = v.value_or(zero), pull = g.value_or(zero);
    known.id = rubs ? add_mass(name, FrictionMass<double, D>{m.value_or(1), F.value_or(0), T, {}}, at, speed, pull)
                    : add_mass(name, PointMass<double, D>{m.value_or(1), {}}, at, speed, pull);
  };
  if (n == 1) add.template operator()<1>();
  else if (n == 2) add.template operator()<2>();
  else add.template operator()<3>();
  known.built = true;
}

/// { box = [0.1, 0.2, 0.3] }: shape and size in one.
bool Builder::shape_in_one(Fields& fields, const Value& table, KnownBody& known) {
  known.shape_known = false;
  known.size.assign(3, 1.0);
  const std::string example =
      "one shape with its size, such as { sphere = 0.1 }, { box = [0.1, 0.2, 0.3] } or { capsule = [0.05, 0.2] }";
  if (table.entries.size() != 1) {
    fields.problem(table, fmt::format("{} = {}: must be {}", fields.path("shape"), shown(table), example));
    return false;
  }
  for (const char* key : {"radius", "length", "sides"})
    if (const Value* given = fields.find(key))
      fields.problem(*given, fmt::format("{}: is given by the shape already", fields.path(key)));
  const auto& [word, size] = table.entries.front();
  const std::string place = fields.path("shape") + "." + word;
  const std::vector<std::string> all(shapes().begin(), shapes().end());
  if (std::find(all.begin(), all.end(), word) == all.end()) {
    fields.problem(size, fmt::format("{}: there is no such shape{}; must be {}", place, hint(word, all), example));
    return false;
  }
  const std::size_t count = word == "box" ? 3 : word == "sphere" ? 1 : word == "plane" ? 0 : 2;
  std::optional<std::vector<double>> numbers;
  if (count == 0) {
    const bool flag = size.is(Value::Type::flag) && size.flag;
    if (flag) numbers.emplace();
    else fields.problem(size, fmt::format("{} = {}: must be true; it is all below z = 0 of the body", place, shown(size)));
  } else if ((size.is(Value::Type::list) ? size.items.size() : 1) != count) {
    fields.problem(size, fmt::format("{} = {}: must be {}", place, shown(size),
                                     count == 1   ? "a radius"
                                     : count == 2 ? "a radius and a length"
                                                  : "three sides"));
  } else {
    numbers = reading_.numbers(size, place, "m", positive);
  }
  if (!numbers) return false;
  known.shape = word;
  known.shape_known = true;
  known.size = *numbers;
  fields.out().set("shape", Value(word));
  if (word == "box") fields.out().set("sides", Value(*numbers));
  else if (count > 0) fields.out().set("radius", Value((*numbers)[0]));
  if (count == 2) fields.out().set("length", Value((*numbers)[1]));
  reading_.parameters.push_back({fields.place(), "shape." + word, shown(Value(*numbers)), "m", "size of the shape"});
  return true;
}

bool Builder::shape(Fields& fields, KnownBody& known) {
  if (const Value* table = fields.find("shape"); table && table->is(Value::Type::table)) return shape_in_one(fields, *table, known);
  const auto word = fields.word("shape", {shapes().begin(), shapes().end()});
  const std::size_t before = reading_.problems.count();
  struct Needs {
    std::string_view shape;
    std::vector<std::string_view> keys;
  };
  static const std::vector<Needs> needs{{"sphere", {"radius"}},
                                        {"box", {"sides"}},
                                        {"capsule", {"radius", "length"}},
                                        {"cylinder", {"radius", "length"}},
                                        {"plane", {}},
                                        {"", {}}};
  const Needs& wanted = *std::find_if(needs.begin(), needs.end(), [&](const Needs& n) { return n.shape == word.value_or(""); });
  for (const std::string_view key : {"radius", "length", "sides"}) {
    const bool needed = std::find(wanted.keys.begin(), wanted.keys.end(), key) != wanted.keys.end();
    const Value* value = fields.find(key);
    if (needed && !value) fields.problem(fmt::format("{}: {} is missing (m): a {} has one", fields.place(), key, *word));
    if (!needed && value && (word || !fields.find("shape")))
      fields.problem(*value, fmt::format("{}: {} has none", fields.path(key), word ? "a " + *word : "a body without a shape"));
    if (!needed || !value) continue;
    if (key == "sides") {
      if (const auto sides = fields.numbers(key, {3})) known.size = *sides;
    } else if (const auto x = fields.number(key)) {
      known.size.push_back(*x);
    }
  }
  if (word) known.shape = *word;
  known.shape_known = word || !fields.find("shape");
  // A name of [let] that has no value is told there, and leaves a size out here.
  const std::size_t sizes = known.shape == "box" ? 3 : wanted.keys.size();
  const bool good = before == reading_.problems.count() && known.shape_known && known.size.size() == sizes;
  if (!good) known.size.assign(3, 1.0);  // as many as any shape has
  return good;
}

void Builder::points(Fields& fields, KnownBody& known) {
  const Value* table = fields.find("points");
  if (!table) return;
  if (!table->is(Value::Type::table)) {
    fields.problem(*table, fields.path("points") + ": must be a table such as { tip = [0, 0, 0.1] }");
    known.points_known = false;
    return;
  }
  Value& out = fields.out().set("points", Value());
  for (const auto& [name, value] : table->entries) {
    const std::string place = fields.path("points") + "." + name;
    known.points[name] = {};  // it is there even if its numbers are wrong
    if (!value.is(Value::Type::list) || value.items.size() != 3) {
      fields.problem(value, place + " = " + shown(value) + ": must be a list of 3");
    } else if (const auto p = reading_.numbers(value, place, "m", Range{})) {
      known.points[name] = {(*p)[0], (*p)[1], (*p)[2]};
      out.set(name, Value(*p));
      reading_.parameters.push_back({fields.place(), "points." + name, shown(Value(*p)), "m", "a point in the body"});
    }
  }
}

namespace {

/// A rotation that may depend on time.
struct Turn {
  Quaternion<double> fixed;
  std::vector<double> axis;  // empty: fixed
  std::optional<Course> angle;
};

}  // namespace

/// Nothing if there is a problem.
static std::optional<Turn> rotation(Fields& fields, bool may_move, std::vector<Course>& courses) {
  Turn turn;
  const Value* value = fields.find("rotation");
  if (!value) return turn;
  const std::string place = fields.path("rotation");
  if (value->is(Value::Type::list)) {
    if (value->items.size() != 4) {
      fields.problem(*value, place + " = " + shown(*value) + ": must be a quaternion [w, x, y, z], or { axis = [..], angle = .. }");
      return std::nullopt;
    }
    const auto given = fields.reading().numbers(*value, place, "1", Range{});
    if (!given) return std::nullopt;
    const double square =
        (*given)[0] * (*given)[0] + (*given)[1] * (*given)[1] + (*given)[2] * (*given)[2] + (*given)[3] * (*given)[3];
    if (!(std::abs(std::sqrt(square) - 1) <= 1e-6)) {
      fields.problem(
          *value, fmt::format("{} = {}: has the length {:g}: must be 1; {{ axis = [..], angle = .. }} is always a rotation", place,
                              shown(*value), std::sqrt(square)));
      return std::nullopt;
    }
    const auto q = *unit(*given);
    turn.fixed = {q[0], {{q[1], q[2], q[3]}}};
  } else if (value->is(Value::Type::table)) {
    Value out;
    Fields inner(fields.reading(), value, rotation_keys, place, value->origin, out);
    inner.only_known();
    const auto axis = inner.numbers("axis", {3});
    const auto angle = inner.courses("angle", {1});
    if (!axis || !angle) return std::nullopt;
    const auto direction = unit(*axis);
    if (!direction) {
      inner.problem(*inner.find("axis"), place + ".axis = " + shown(*inner.find("axis")) + ": must have a length > 0");
      return std::nullopt;
    }
    if (!angle->front().is_constant()) {
      if (!may_move) {
        inner.problem(*inner.find("angle"), place + ".angle: this is where the body starts: must not depend on t");
        return std::nullopt;
      }
      turn.axis = *direction;
      turn.angle = angle->front();
      courses.push_back(angle->front());
      out.set("axis", Value(*direction));
      fields.out().set("rotation", out);
      return turn;
    }
    turn.fixed = turned(*direction, angle->front().at(0.0));
  } else {
    fields.problem(*value, place + " = " + shown(*value) + ": must be a quaternion [w, x, y, z], or { axis = [..], angle = .. }");
    return std::nullopt;
  }
  const auto& [w, u] = turn.fixed;
  fields.out().set("rotation", Value(std::vector<double>{w, u[0], u[1], u[2]}));
  return turn;
}

void Builder::rigid_body(Fields& fields, const std::string& name, KnownBody& known) {
  known.form = KnownBody::Form::rigid;
  known.dimension = 3;
  const auto m = fields.number("mass");
  const bool shaped = shape(fields, known);
  const auto given = fields.numbers("inertia", {3, 6});
  const auto vector = [&](const char* key) {
    const auto numbers = fields.numbers(key, {3});
    if (numbers || fields.find(key)) return numbers;
    const std::vector<double> zero(3, 0.0);
    fields.out().set(key, Value(zero));
    return std::optional(zero);
  };
  const auto p = vector("position");
  std::vector<Course> none;
  const auto turn = rotation(fields, false, none);
  const auto v = vector("velocity"), w = vector("spin");
  const auto g = own_gravity(fields, 3);
  points(fields, known);
  known.mass = m.value_or(1);
  known.groups = fields.texts("group").value_or(std::vector<std::string>{});
  if (known.shape == "plane")
    fields.problem(*fields.find("shape"),
                   fmt::format("{}: a plane has no mass: it must be a prescribed body", fields.path("shape")));

  const std::array<double, 6> unit_tensor{1, 1, 1, 0, 0, 0};
  std::array<double, 6> tensor = unit_tensor;
  if (given) {
    std::fill(std::copy(given->begin(), given->end(), tensor.begin()), tensor.end(), 0.0);
    if (const std::string problem = inertia_problem(tensor); !problem.empty()) {
      const Value& value = *fields.find("inertia");
      fields.problem(value, fmt::format("{} = {} kg m^2: {}", fields.path("inertia"), shown(value), problem));
      tensor = unit_tensor;
    }
  } else if (!fields.find("inertia") && known.shape.empty() && !fields.find("shape")) {
    fields.problem(name + ": has no inertia: give it a shape, or inertia = [xx, yy, zz] (kg m^2)");
    known.shape_known = false;  // it may be given one
  }
  const auto& size = known.size;
  if (m && shaped && !known.shape.empty() && known.shape != "plane" && !fields.find("inertia"))
    tensor = known.shape == "sphere"    ? inertia::sphere(*m, size[0])
             : known.shape == "box"     ? inertia::box(*m, size[0], size[1], size[2])
             : known.shape == "capsule" ? inertia::capsule(*m, size[0], size[1])
                                        : inertia::cylinder(*m, size[0], size[1]);
  auto body = RigidBody<double>::of(m.value_or(1), tensor);
  const auto or_zero = [](const std::optional<std::vector<double>>& numbers) {
    return vector_of<3>(numbers.value_or(std::vector<double>{}));
  };
  body.gravity = or_zero(g);
  known.id = scene_.world.add(name, body, {or_zero(p), turn.value_or(Turn{}).fixed, or_zero(v), or_zero(w)});
  known.built = true;
}

void Builder::prescribed(Fields& fields, const std::string& name, KnownBody& known) {
  known.given = true;
  const bool rigid = fields.find("rotation") || fields.find("shape") || fields.find("points");
  if (rigid) known.form = KnownBody::Form::rigid;
  std::vector<std::size_t> counts{1, 2, 3};
  if (rigid) counts = {3};
  if (!fields.find("position") && !fields.find("velocity") && !rigid)
    return fields.problem(name + ": position is missing (m): a formula of t, or a constant velocity");
  const Value* given = fields.find("velocity");
  auto position = fields.courses("position", counts);
  if (!position) {
    const Value* says = fields.find("position") ? fields.find("position") : given;
    const std::size_t n = rigid ? 3 : says->is(Value::Type::list) ? says->items.size() : 1;
    if (n < 1 || n > 3) {
      if (says == given) fields.numbers("velocity", counts);
      return;
    }
    position.emplace(n, Course(0.0));
    if (says == given) fields.out().set("position", n == 1 ? Value(0.0) : Value(std::vector<double>(n, 0.0)));
  }
  const std::size_t n = position->size();
  known.dimension = int(n);
  const auto velocity = fields.numbers("velocity", {n});
  if (velocity && std::any_of(position->begin(), position->end(), [](const Course& c) { return !c.is_constant(); }))
    fields.problem(*given, fields.path("velocity") + ": the position depends on t and has a velocity of its own; give one of them");
  if (fields.find("position")) remember(fields, "position", *position);
  std::vector<Course> turning;
  const auto turn = rotation(fields, true, turning);
  if (!turning.empty()) formulas_.push_back({turning[0], fields.path("rotation.angle"), fields.find("rotation")->origin});
  shape(fields, known);
  points(fields, known);
  known.groups = fields.texts("group").value_or(std::vector<std::string>{});

  const auto add = [&]<int D>() {
    std::function<Port<double, D>(double)> course = [position = *position](double t) { return course_at<D>(position, t); };
    if (velocity)
      course = [start = course_at<D>(*position, 0), v = vector_of<D>(*velocity)](double t) {
        return Port<double, D>{start.p + t * v, v};
      };
    return course;
  };
  std::vector<Outline> outlines;
  for (const auto* list : {&*position, &turning})
    for (const Course& one : *list) outlines.push_back(one.outline());
  if (rigid) {
    const auto pose = [course = add.template operator()<3>(), turn = turn.value_or(Turn{})](double t) {
      const Port<double, 3> at = course(t);
      if (!turn.angle) return Frame<double>{at.p, turn.fixed, at.v, {}};
      const Dual<1> angle = turn.angle->at(Dual<1>::variable(t, 0));
      return Frame<double>{at.p, turned(turn.axis, angle.a), at.v, angle.v[0] * vector_of<3>(turn.axis)};
    };
    known.id = scene_.world.add_given_pose(name, pose, std::move(outlines));
  } else if (n == 1) {
    known.id = scene_.world.add_given<1>(name, add.template operator()<1>(), std::move(outlines));
  } else if (n == 2) {
    known.id = scene_.world.add_given<2>(name, add.template operator()<2>(), std::move(outlines));
  } else {
    known.id = scene_.world.add_given<3>(name, add.template operator()<3>(), std::move(outlines));
  }
  known.built = true;
}

void Builder::arm(Fields& fields, const std::string& name, KnownBody& known) {
  known.form = KnownBody::Form::arm;
  known.shape = "rods";
  const Value* list = fields.find("rods");
  if (!list || !list->is(Value::Type::list) || list->items.empty()) {
    const std::string text = fields.path("rods") + ": must be a list such as [{ length = 0.4, mass = 0.3 }, ..], one for each rod";
    return list ? fields.problem(*list, text) : fields.problem(text);
  }
  const std::size_t n = list->items.size();
  rods_ += n;
  if (n > most_rods || rods_ > most_rods_in_all)
    return fields.problem(*list, n > most_rods
                                     ? fmt::format("{}: {} rods: must be <= {}", fields.path("rods"), n, most_rods)
                                     : fmt::format("{}: the arms of the scene have {} rods up to here: must be <= {} in all",
                                                   fields.path("rods"), rods_, most_rods_in_all));
  known.joints = std::uint32_t(n);
  std::vector<Rod> rods;
  Value out_rods;
  out_rods.type = Value::Type::list;
  for (std::size_t i = 0; i < n && !reading_.problems.full(); ++i) {
    const Value& item = list->items[i];
    const std::string place = fmt::format("{}[{}]", fields.path("rods"), i + 1);
    if (!item.is(Value::Type::table)) {
      fields.problem(item, place + " = " + shown(item) + ": must be { length = .., mass = .. }");
      continue;
    }
    Value out;
    Fields rod(reading_, &item, rod_keys, place, item.origin, out);
    rod.only_known();
    const auto length = rod.number("length"), m = rod.number("mass");
    if (!length || !m) continue;
    rods.push_back({*m, *length});
    known.size.push_back(*length);
    out_rods.items.push_back(std::move(out));
  }
  fields.out().set("rods", std::move(out_rods));
  const auto each = [&](const char* key) {
    const auto given = fields.numbers(key, {n});
    if (given || fields.find(key)) return given;
    const std::vector<double> zero(n, 0.0);
    fields.out().set(key, n == 1 ? Value(0.0) : Value(zero));
    return std::optional(zero);
  };
  const auto angles = each("angles"), rates = each("rates");
  std::optional<std::vector<double>> g{{0.0, 0.0}};
  if (fields.find("gravity")) g = fields.numbers("gravity", {2});
  else if (gravity_.size() == 2) g = gravity_;
  rods.resize(n, Rod{1, 1});
  std::vector<Port<double, 1>> start;
  for (std::size_t i = 0; i < n; ++i) start.push_back({angles ? (*angles)[i] : 0, rates ? (*rates)[i] : 0});
  known.id = scene_.world.add_arm(name, rods, start, {g ? (*g)[0] : 0, g ? (*g)[1] : 0});
  known.built = true;
}

}  // namespace asperity::scene
