// What an element stands between: its ends, and how its law sees them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "builder.hpp"
#include "element_values.hpp"

namespace asperity::scene {

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

}  // namespace asperity::scene
