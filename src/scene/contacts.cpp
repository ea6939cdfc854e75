// [[contacts]]: which bodies with shapes can touch each other, and by which law.
#include "asperity/shapes/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "asperity/any_law.hpp"
#include "builder.hpp"

namespace asperity::scene {
namespace {

constexpr std::size_t most_pairs = 5000;
constexpr std::string_view never = "never";

/// Whether a name is what a pattern with stars stands for.
bool fits(std::string_view pattern, std::string_view name) {
  // Only the last star is ever given more: what the stars before it take need not change. So the work is at most the product of
  // the lengths.
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') star = p++, taken = n;
    else if (p < pattern.size() && pattern[p] == name[n]) ++p, ++n;
    else if (star != std::string_view::npos) p = star + 1, n = ++taken;
    else return false;
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}
bool fits(std::string_view pattern, const std::string& name, const KnownBody& body) {
  return fits(pattern, name) ||
         std::any_of(body.groups.begin(), body.groups.end(), [&](const std::string& group) { return fits(pattern, group); });
}

std::optional<Shape> shape_of(const KnownBody& body) {
  if (body.shape == "sphere") return Shape::sphere(body.size[0]);
  if (body.shape == "box") return Shape::box(body.size[0], body.size[1], body.size[2]);
  if (body.shape == "capsule") return Shape::capsule(body.size[0], body.size[1]);
  if (body.shape == "plane") return Shape::plane();
  return std::nullopt;
}

/// The law of the catalogue that has a normal and a friction part.
const std::string& composite() {
  static const std::string found = [] {
    for (const std::string& name : law_names())
      if (make_law(name)->about().kind == Kind::composite) return name;
    return std::string();
  }();
  return found;
}

/// A value to two digits.
double rounded(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::stod(fmt::format("{:.2g}", std::round(x / unit) * unit));
}

/// The law of a frictional contact as a pool of one.
std::unique_ptr<LawPool> law_pool(const std::string& makers, NewElement element) {
  World scratch;
  element.a = scratch.add("body", RigidBody<double>{});
  element.name = "law";
  for (const Parameter& p : parameters_of(Via::ball_plane))
    element.connection.insert(element.connection.end(), p.values.begin(), p.values.end());
  find_maker(makers, Via::ball_plane)->add(scratch, element);
  std::unique_ptr<LawPool> found;
  scratch.pools().each_element_pool([&](const ElementPool& pool) {
    const std::uint32_t first = 0;
    found = static_cast<const JoinedPool&>(pool).laws().pick(std::span(&first, 1));
  });
  return found;
}

}  // namespace

struct Builder::ContactRule {
  const Value* table;
  std::size_t number;
  std::array<std::string, 2> between;
  bool never = false;
  std::vector<std::array<std::string, 2>> pairs;
  std::string place() const { return fmt::format("contacts {}", number); }
};

std::optional<Builder::ContactRule> Builder::contact_rule(const Value& table, std::size_t number) {
  ContactRule rule{&table, number, {"*", "*"}, false, {}};
  Value nowhere;
  Fields fields(reading_, &table, contacts_keys, rule.place(), table.origin, nowhere);
  fields.only_known();
  const Value* law = table.find("law");
  rule.never = law && law->is(Value::Type::text) && law->text == never;
  if (rule.never)
    for (const char* part : {"normal", "friction"})
      if (const Value* value = fields.find(part))
        fields.problem(*value, fmt::format("{}: bodies that never touch have no law", fields.path(part)));
  if (const auto between = fields.texts("between")) {
    const Value& at = *fields.find("between");
    if (between->size() != 2) {
      fields.problem(at, fmt::format("{} = {}: must be two names of bodies or groups, such as [\"*\", \"floor\"]",
                                     fields.path("between"), shown(at)));
      return std::nullopt;
    }
    std::vector<std::string> known;
    for (const std::string& name : body_order_) {
      known.push_back(name);
      for (const std::string& group : bodies_.at(name).groups) known.push_back(group);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string& pattern = rule.between[k] = (*between)[k];
      bool any = false;
      for (const std::string& name : body_order_) any = any || fits(pattern, name, bodies_.at(name));
      if (!any)
        fields.problem(at, fmt::format("{}[{}]: there is no body or group {}{}", fields.path("between"), k + 1, pattern,
                                       hint(pattern, known)));
      else if (const auto body = bodies_.find(pattern);
               body != bodies_.end() && !shape_of(body->second) && body->second.shape_known)
        fields.problem(at, fmt::format("{}[{}]: {} {}", fields.path("between"), k + 1, pattern,
                                       body->second.shape == "cylinder"
                                           ? "is a cylinder: contact is known for spheres, boxes, capsules and planes"
                                           : "has no shape: it cannot touch; give it one, such as shape = { sphere = 0.1 }"));
    }
  } else if (fields.find("between")) {
    return std::nullopt;
  }
  return rule;
}

void Builder::contacts(const std::vector<Value>& rules) {
  std::vector<ContactRule> good;
  for (const Value& table : rules) {
    if (!table.is(Value::Type::table)) {
      reading_.problems.add(table.origin, "contacts = " + shown(table) + ": must be a [[contacts]] table");
      continue;
    }
    if (auto rule = contact_rule(table, std::size_t(&table - rules.data()) + 1)) good.push_back(std::move(*rule));
  }
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < body_order_.size() && !good.empty(); ++i)
    for (std::size_t j = i + 1; j < body_order_.size(); ++j) {
      const KnownBody &a = bodies_.at(body_order_[i]), &b = bodies_.at(body_order_[j]);
      if (!a.built || !b.built || (a.given && b.given) || !shape_of(a) || !shape_of(b)) continue;
      const auto rule = std::find_if(good.rbegin(), good.rend(), [&](const ContactRule& one) {
        const auto both = [&](const std::string& first, const std::string& second) {
          return fits(first, body_order_[i], a) && fits(second, body_order_[j], b);
        };
        return both(one.between[0], one.between[1]) || both(one.between[1], one.between[0]);
      });
      if (rule == good.rend()) continue;
      if (!rule->never && ++pairs > most_pairs) {
        reading_.problems.add(
            rule->table->origin,
            fmt::format("{}: more than {} pairs of bodies can touch: let fewer do so, with groups and law = \"never\"",
                        rule->place(), most_pairs));
        return;
      }
      rule->pairs.push_back({body_order_[i], body_order_[j]});
    }
  for (ContactRule& rule : good) contact_law(rule);
}

void Builder::contact_law(ContactRule& rule) {
  Value table = *rule.table, out;
  if (!table.find("law")) table.set("law", Value(composite()));
  out.set("between", Value(std::vector<std::string>(rule.between.begin(), rule.between.end())));
  if (rule.never) {
    out.set("law", Value(std::string(never)));
    out_.find("contacts")->items.push_back(std::move(out));
    return;
  }
  Fields fields(reading_, &table, contacts_keys, rule.place(), table.origin, out);
  auto law = law_of_element(fields, out);
  if (!law) return;
  if (law->kind != Kind::composite)
    return fields.problem(*table.find("law"),
                          fmt::format("{} = \"{}\": must be a law with a normal and a friction part, such as {}, or never",
                                      fields.path("law"), law->name, composite()));
  if (!find_maker(law->makers, Via::ball_plane))
    return fields.problem(fmt::format("{}: {} does not act in space", fields.place(), law->makers));

  // What is left out: stiff enough for the weight of all bodies to press a thousandth of the thinnest shape, not too stiff for the
  // step, damped.
  double lightest = std::numeric_limits<double>::infinity(), all = 0, thinnest = lightest, g = 0;
  for (const auto& names : rule.pairs)
    for (const std::string& name : names) {
      const KnownBody& body = bodies_.at(name);
      if (!body.given) lightest = std::min(lightest, body.mass);
      thinnest = std::min(thinnest, shape_of(body)->inner());
    }
  for (const auto& [name, body] : bodies_) all += body.given ? 0 : body.mass;
  for (const double one : gravity_) g = std::hypot(g, one);
  constexpr double gives_way = 1e-3;
  const double step = scene_.run.step;
  const bool adaptive = is_adaptive(scene_.run.method), explicit_steps = !adaptive && !is_implicit(scene_.run.method);
  std::vector<std::string> designed;
  if (!rule.pairs.empty() && std::isfinite(thinnest)) {
    double K = all * (g > 0 ? g : 9.81) / (gives_way * thinnest);
    const double stiffest = explicit_steps ? 0.0125 * lightest / (step * step) : K;
    bool suits_the_step = K > stiffest;
    K = rounded(std::min(K, stiffest));
    const double own = 0.3 * std::sqrt(lightest / K), shortest = adaptive ? own : 2 * step;
    suits_the_step = suits_the_step || own < shortest;
    const double alpha = rounded(std::max(own, shortest)), beta = 2 * alpha;
    for (const Parameter& p : law->law->parameters()) {
      if (p.is_list) continue;
      const Role role = p.range.role;
      std::optional<double> value;
      if (role == Role::stiffness && p.unit == "N/m") value = K;
      else if (role == Role::time && p.unit == "s") value = alpha;
      else if (role == Role::damping && p.unit == "s") value = beta;
      else if (role == Role::damping && p.unit == "N s/m") value = rounded(K * beta);
      if (!value) continue;
      const std::size_t dot = p.name.find('.');
      const std::string part = p.name.substr(0, dot) == "tangential" ? "friction" : p.name.substr(0, dot),
                        name = p.name.substr(dot + 1);
      const Value* given = table.find(part);
      if (given && given->find(name)) continue;
      law->law->set(p.name, {*value});
      designed.push_back(part + "." + name);
    }
    if (suits_the_step && !designed.empty()) reading_.settles = std::max(reading_.settles, gives_way * thinnest);
  }
  if (!law_parameters(fields, *law, false, false, nullptr, out)) return;
  for (SceneParameter& parameter : reading_.parameters)
    if (parameter.component == rule.place() && std::find(designed.begin(), designed.end(), parameter.name) != designed.end()) {
      parameter.meaning += "; designed from masses, sizes and step";
      parameter.is_default = false;
    }
  NewElement made;
  for (const Parameter& p : law->law->parameters()) {
    if (p.is_list && !p.is_vector) made.elements = int(p.values.size());
    made.law.insert(made.law.end(), p.values.begin(), p.values.end());
  }
  const auto laws = law_pool(law->makers, std::move(made));
  std::vector<ShapePair> pairs;
  std::vector<std::string> names;
  Workspace work(scene_.world);
  const std::vector<double> x = scene_.world.start();
  const Instant now = work.instant(0, x);
  SceneElement shown_as;
  shown_as.law = law->name;
  shown_as.kind = "composite";
  shown_as.parts = law->parts;
  for (const auto& [a, b] : rule.pairs) {
    const KnownBody &one = bodies_.at(a), &other = bodies_.at(b);
    const std::string name = a + "-" + b;
    if (!names_.try_emplace(name, rule.table->origin).second) {
      fields.problem(
          fmt::format("{}: the contact of {} and {} is called {}: there is another one of that name", rule.place(), a, b, name));
      continue;
    }
    pairs.push_back({one.id, *shape_of(one), other.id, *shape_of(other)});
    names.push_back(name);
    built_.insert(name);
    const int slots = most_points(pairs.back().shape_a.kind, pairs.back().shape_b.kind);
    for (int k = 1; k <= slots; ++k) {
      shown_as.name = slots == 1 ? name : fmt::format("{}.{}", name, k);
      // Pictures draw a plane by its normal.
      const bool plane_a = one.shape == "plane", plane_b = other.shape == "plane";
      shown_as.between = plane_a ? std::array{b, a} : std::array{a, b};
      shown_as.normal.clear();
      if (plane_a || plane_b) {
        const BodyId& plane = (plane_a ? one : other).id;
        const auto z = load<Frame<double>>(plane.pool->is_given ? now.given : now.state, plane.pool->motion, plane.index);
        const auto up = rotate(z.q, VecN<double, 3>{{0.0, 0.0, 1.0}});
        shown_as.normal.assign(up.x.begin(), up.x.end());
      }
      scene_.elements.push_back(shown_as);
    }
  }
  check_contact(rule, add_contacts(scene_.world, *laws, pairs, names));
  out_.find("contacts")->items.push_back(std::move(out));
}

/// Shapes that overlap at the start, and steps in which bodies pass through each other.
void Builder::check_contact(const ContactRule& rule, const std::vector<ElementPool*>& pools) {
  Workspace work(scene_.world);
  const std::vector<double> x = scene_.world.start();
  const Instant now = work.instant(0, x);
  struct Met {
    std::string name;
    std::array<std::pair<const BodyPool*, std::uint32_t>, 2> bodies;
    double gap, room, speed;
  };
  std::vector<Met> all;
  std::map<std::pair<const BodyPool*, std::uint32_t>, double> height;  // that a body can fall before it meets another
  for (const ElementPool* pool : pools) {
    const auto& contacts = static_cast<const ShapeContacts&>(*pool);
    for (std::size_t i = 0; i < contacts.count(); ++i) {
      if (i > 0 && contacts.pair_of(i) == contacts.pair_of(i - 1)) continue;
      Met met{contacts.names[i].substr(0, contacts.names[i].find('.')),
              {},
              -contacts.overlap(now, contacts.pair_of(i)),
              contacts.room(i),
              0};
      const asperity::End* ends[2] = {&contacts.a, &contacts.b};
      for (std::size_t k = 0; k < 2; ++k) {
        if (!ends[k]->bodies) continue;
        met.bodies[k] = {ends[k]->bodies, ends[k]->index[i]};
        met.speed += magnitude(load<Frame<double>>(ends[k]->bodies->motions(now), ends[k]->bodies->motion, ends[k]->index[i]).v);
        const auto [at, is_new] = height.try_emplace(met.bodies[k], std::max(met.gap, 0.0));
        if (!is_new) at->second = std::min(at->second, std::max(met.gap, 0.0));
      }
      const double most = 0.05 * met.room;
      if (-met.gap > most)
        reading_.problems.add(rule.table->origin,
                              fmt::format("{}: the shapes overlap by {:.3g} m at the start: must be <= {:.3g} m; move them apart",
                                          met.name, -met.gap, most));
      all.push_back(std::move(met));
    }
  }
  if (is_adaptive(scene_.run.method)) return;
  double g = 0;
  for (const double one : gravity_) g = std::hypot(g, one);
  const Met* worst = nullptr;
  std::size_t others = 0;
  for (Met& met : all) {
    double fall = 0;
    for (const auto& body : met.bodies)
      if (body.first && !body.first->is_given) fall = std::max(fall, height.at(body));
    met.speed = std::hypot(met.speed, std::sqrt(2 * g * fall));
    if (met.speed * scene_.run.step <= met.room || !std::isfinite(met.speed)) continue;
    if (worst) ++others;
    if (!worst || met.speed / met.room > worst->speed / worst->room) worst = &met;
  }
  if (worst)
    reading_.problems.add(
        rule.table->origin,
        fmt::format("{}: at {:.3g} m/s they move {:.3g} m in a step of {:g} s and can pass through each other{}; use "
                    "run.step <= {:.2g} s or an adaptive method",
                    worst->name, worst->speed, worst->speed * scene_.run.step, scene_.run.step,
                    others > 0 ? fmt::format(" (and {} more pairs)", others) : "", worst->room / worst->speed));
}

}  // namespace asperity::scene
