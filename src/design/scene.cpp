#include "asperity/design/scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "asperity/design/contact.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/rules/friction.hpp"
#include "asperity/rules/stability.hpp"
#include "asperity/run/run.hpp"
#include "asperity/setup/preload.hpp"
#include "infinity.hpp"

namespace asperity::design {
namespace {

using Values = std::vector<std::pair<std::string, double>>;

/// Four digits are enough for a file.
double readable(double x) { return std::strtod(fmt::format("{:.4g}", x).c_str(), nullptr); }

/// All parts of one kind that come from one [[element]]: the eight corners of a box are one group.
struct Group {
  std::string element, part, law;
  Network::Part worst;               // the one with the smallest mass
  std::vector<std::size_t> members;  // among the parts of the network
  std::vector<std::string> open;     // names without the part: "K"
  std::vector<std::size_t> open_lines;
  bool is_open() const { return !open.empty(); }
  bool has_rule() const;
  /// The parameters that the rule finds.
  std::vector<std::string> ruled() const;
  bool leaves(std::string_view name) const { return std::find(open.begin(), open.end(), name) != open.end(); }
  std::string full(const std::string& name) const { return part.empty() ? name : part + "." + name; }
};

/// What makes a friction law stiff and damped: the parameters that its rule finds.
struct Elastic {
  std::string stiffness, damping;    // "K", "beta"; either may be missing
  bool is_time = false;              // the damping is a time
  std::vector<std::string> lengths;  // how far it gives way: instead of a stiffness, or beside it
  bool has_rule() const { return !stiffness.empty() || !lengths.empty(); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    if (!stiffness.empty()) all.push_back(stiffness);
    all.insert(all.end(), lengths.begin(), lengths.end());
    if (!damping.empty()) all.push_back(damping);
    return all;
  }
};
Elastic elastic_of(const std::string& name) {
  Elastic found;
  const auto law = make_law(name);
  if (!law || law->about().kind != Kind::friction || law->about().discrete) return found;
  for (const Parameter& p : law->parameters()) {
    if (p.is_list) return {};  // there is a choice
    if (p.range.role == Role::stiffness) found.stiffness = p.name;
    if (p.range.role == Role::damping) found.damping = p.name, found.is_time = p.unit == "s";
    if (p.range.role == Role::length) found.lengths.push_back(p.name);
  }
  return found;
}

/// What is designed by which rule.
bool is_held(const std::string& law) { return elastic_of(law).has_rule(); }
bool bounces(const std::string& law) {
  const auto known = contact_design_laws();
  return std::find(known.begin(), known.end(), law) != known.end();
}

bool Group::has_rule() const { return (is_held(law) || bounces(law)) && worst.mass < infinity; }
std::vector<std::string> Group::ruled() const {
  if (is_held(law)) return elastic_of(law).names();
  std::vector<std::string> names;
  for (const Parameter& p : make_law(law)->parameters())
    if (p.range.role != Role::exponent) names.push_back(p.name);
  return names;
}

class Designer {
 public:
  Designer(Scene& scene, std::vector<SceneProblem>& problems)
      : scene_(scene),
        problems_(problems),
        network_(scene.world, scene.world.start()),
        method_(fixed_step(scene.run.method).value_or(Method::rk4)),
        step_(scene.run.step) {
    group();
  }

  Hooks hooks{};  // of the round

  const std::vector<Group>& groups() const { return groups_; }
  double share() const { return share_; }
  void lower_share() { share_ *= 0.7; }
  /// Softer than the largest stable one.
  void soften() { softened_ = true, lower_share(); }
  bool softened() const { return softened_; }

  /// The largest share of their masses that open parts can be designed for beside the ones that are fixed.
  void find_share() {
    std::vector<double> fixed(network_.parts.size()), open(network_.parts.size());
    for (const Group& group : groups_)
      for (const std::size_t p : group.members) {
        const Network::Part& part = network_.parts[p];
        if (part.mass == infinity) continue;
        if (group.is_open()) open[p] = part.mass;
        else if (const double needed = smallest_mass(part, step_, method_); needed < infinity) fixed[p] = needed;
      }
    if (network_.largest(fixed) > 1) std::fill(fixed.begin(), fixed.end(), 0.0);  // wrong by themselves: the checks say so
    const auto fits = [&](double share) {
      std::vector<double> weight = fixed;
      for (std::size_t p = 0; p < weight.size(); ++p) weight[p] += share * open[p];
      return network_.largest(weight, nullptr, 1e-4) <= 1.01;
    };
    double low = 0.01, high = 1;
    if (fits(1)) low = 1;
    for (int round = 0; round < 10 && low < 1; ++round) (fits((low + high) / 2) ? low : high) = (low + high) / 2;
    share_ = low;
  }

  /// What is right for a group; nothing, and a problem, if it cannot be had.
  std::optional<Values> values(const Group& group) {
    const auto wish = scene_.wishes.find(group.element);
    const ElementWish wishes = wish == scene_.wishes.end() ? ElementWish{} : wish->second;
    return is_held(group.law) ? held(group, wishes) : bounced(group, wishes);
  }

  /// A parameter as the scene says it.
  const SceneParameter* parameter(const Group& group, const std::string& name) const {
    for (const SceneParameter& p : scene_.parameters)
      if (p.component == group.element && p.name == group.full(name)) return &p;
    return nullptr;
  }

  /// What the scene does not say of it.
  std::vector<std::string> defaults(const Group& group) const {
    std::vector<std::string> names;
    for (const std::string& name : group.ruled())
      if (const SceneParameter* p = parameter(group, name); p && p->is_default) names.push_back(name);
    return names;
  }
  /// Those of them that can be found from what it does say: beside a contact's other numbers there is no choice, and a curved one
  /// needs a speed.
  std::vector<std::string> left_out(const Group& group) const {
    const auto names = defaults(group);
    if (is_held(group.law) || names.empty()) return names;
    const auto wish = scene_.wishes.find(group.element);
    if (is_curved(group.law) && (wish == scene_.wishes.end() || !wish->second.speed)) return {};
    const bool knows_K = names.front() != "K";
    return names.size() + (knows_K ? 1 : 0) == group.ruled().size() ? names : std::vector<std::string>{};
  }

  /// A number that was left out and does not go with those found can be designed, too.
  void name_defaults() {
    for (const Group& group : groups_)
      for (const std::string& name : group.is_open() ? defaults(group) : std::vector<std::string>{})
        for (SceneProblem& one : problems_)
          if (one.text.starts_with(fmt::format("{}.{} = ", group.element, group.full(name))))
            one.text += fmt::format("; it was left out, so it is the law's own number: write {} = \"design\"", group.full(name));
  }

  void problem(const Group& group, const std::string& text) {
    problems_.push_back({scene_.file, group.open_lines.empty() ? 0 : group.open_lines.front(),
                         fmt::format("{}{}: {}", group.element, group.part.empty() ? "" : "." + group.part, text)});
  }

 private:
  void group() {
    for (std::size_t p = 0; p < network_.parts.size(); ++p) {
      const Network::Part& part = network_.parts[p];
      const std::string& name = part.pool->names[part.index];
      const std::string element = name.substr(0, name.find('.'));
      const std::string which = part.part == "tangential" ? "friction" : std::string(part.part);
      auto found = std::find_if(groups_.begin(), groups_.end(),
                                [&](const Group& group) { return group.element == element && group.part == which; });
      if (found == groups_.end()) {
        groups_.push_back({element, which, law_of(name, which), part, {}, {}, {}});
        found = groups_.end() - 1;
      }
      found->members.push_back(p);
      if (part.mass < found->worst.mass) found->worst = part;
    }
    for (const OpenParameter& open : scene_.open) {
      const std::size_t dot = open.name.find('.');
      const std::string which = dot == std::string::npos ? "" : open.name.substr(0, dot);
      for (Group& group : groups_) {
        if (group.element != open.element || group.part != which) continue;
        group.open.push_back(dot == std::string::npos ? open.name : open.name.substr(dot + 1));
        group.open_lines.push_back(open.line);
      }
    }
    // In the order of the file.
    std::stable_sort(groups_.begin(), groups_.end(),
                     [&](const Group& a, const Group& b) { return place(a.element) < place(b.element); });
  }
  std::size_t place(const std::string& element) const {
    std::size_t i = 0;
    while (i < scene_.elements.size() && scene_.elements[i].name.substr(0, scene_.elements[i].name.find('.')) != element) ++i;
    return i;
  }
  std::string law_of(const std::string& name, const std::string& part) const {
    for (const SceneElement& element : scene_.elements) {
      if (element.name != name) continue;
      const auto found = element.parts.find(part);
      return part.empty() ? element.law : found == element.parts.end() ? "" : found->second;
    }
    return "";
  }

  std::optional<double> given(const Group& group, const std::string& name) const {
    const SceneParameter* p = parameter(group, name);
    if (!p || group.leaves(name)) return std::nullopt;
    double x = 0;
    const auto [end, error] = std::from_chars(p->value.data(), p->value.data() + p->value.size(), x);
    return error == std::errc() && end == p->value.data() + p->value.size() ? std::optional(x) : std::nullopt;
  }

  std::optional<Values> held(const Group& group, const ElementWish& wishes) {
    const Network::Part& part = group.worst;
    const double mass = share_ * part.mass;
    const std::string unit = part.turns ? "rad" : "m";
    const Elastic law = elastic_of(group.law);
    if (law.stiffness.empty() || !law.is_time) return stiffened(group, law, mass);
    if (group.is_open() && group.leaves(law.stiffness) && !group.leaves(law.damping)) {
      // As stiff as the damping time that is given allows, with the room of the pace.
      const double beta = given(group, law.damping).value_or(0), stiffest = 10 * pace(method_).kappa * mass / (step_ * step_);
      const double K = largest_stiffness({.kind = Stiffness::Kind::asperity, .K = stiffest, .B = stiffest * beta, .memory = beta},
                                         mass, step_, method_);
      if (!(K > 0) || step_ > reach(method_) * beta) {
        problem(group,
                fmt::format("{} = {:g} s: is too short for a step of {:g} s; make it \"design\", too", law.damping, beta, step_));
        return std::nullopt;
      }
      return Values{{law.stiffness, readable(0.75 * K)}};
    }
    FrictionWish wish{.limit = part.hold > 0 ? part.hold : 1, .mass = mass, .step = step_, .method = method_};
    if (wishes.displacement && group.part.empty()) wish.displacement = wishes.displacement;
    if (wishes.displacement && !group.part.empty() && group.is_open()) {
      problem(group, "design.displacement: the limit of a contact's friction goes with its load: give its K instead");
      return std::nullopt;
    }
    const FrictionDesign made = design_friction(wish);
    if (!made.still_enough && group.is_open()) {
      problem(group, fmt::format("design.displacement = {:g} {}: a step of {:g} s allows {:.3g} {}; use run.step <= {:g} s",
                                 *wish.displacement, unit, step_, rounded_up(made.displacement, 3), unit,
                                 rounded_down(made.step_for_displacement, 3)));
      return std::nullopt;
    }
    const auto K = group.is_open() ? given(group, law.stiffness) : std::nullopt;
    if (!K) return Values{{law.stiffness, readable(made.K)}, {law.damping, readable(made.beta)}};
    const double beta = damping_time(*K, mass, step_, method_);
    const Stiffness stiff{.kind = Stiffness::Kind::asperity, .K = *K, .B = *K * beta, .memory = beta};
    if (!(beta > 0) || step_ > reach(method_) * beta || !stable(stiff, mass, step_, method_)) {
      problem(group, fmt::format("{} = {:g}: is too stiff for a step of {:g} s on {:.3g} kg; use {} <= {:g} or make it \"design\"",
                                 law.stiffness, *K, step_, mass, law.stiffness, rounded_down(made.K, 3)));
      return std::nullopt;
    }
    return Values{{law.damping, readable(beta)}};
  }

  /// Of a law whose damping is no time, or that says how far it gives way: as stiff as is stable with the damping that goes with
  /// it, with room to spare. What is given stays.
  std::optional<Values> stiffened(const Group& group, const Elastic& law, double mass) {
    const double damping_ratio = law.damping.empty() ? 0 : 1, stiffest = 10 * pace(method_).kappa * mass / (step_ * step_);
    const auto damped = [&](double K) {  // critically, or as much as is given
      const double critical = 2 * damping_ratio * std::sqrt(K * mass);
      return group.leaves(law.damping) || !group.is_open() ? critical : given(group, law.damping).value_or(critical);
    };
    const auto fits = [&](double K) { return stable({.kind = group.worst.kind, .K = K, .B = damped(K)}, mass, step_, method_); };
    double low = 0, high = stiffest;
    for (int round = 0; round < 60; ++round) (fits((low + high) / 2) ? low : high) = (low + high) / 2;
    const auto known = group.is_open() && !law.stiffness.empty() ? given(group, law.stiffness) : std::nullopt;
    const double K = known.value_or(0.5 * low);
    if (!known && !(K > 1e-9 * stiffest)) {
      problem(group, fmt::format("no stiffness is stable at a step of {:g} s with the damping that is given", step_));
      return std::nullopt;
    }
    if (known && !fits(K)) {
      problem(group, fmt::format("{} = {:g}: is too stiff for a step of {:g} s on {:.3g} kg; use {} <= {:g} or make it \"design\"",
                                 law.stiffness, K, step_, mass, law.stiffness, rounded_down(low, 3)));
      return std::nullopt;
    }
    Values found;
    if (!law.stiffness.empty()) {
      if (!known) found.emplace_back(law.stiffness, readable(K));
      for (const std::string& name : law.lengths)
        if (group.leaves(name) || is_default(group, name)) found.emplace_back(name, readable(deflection(group, name, K)));
    } else
      for (const Parameter& p : make_law(group.law)->parameters())
        if (p.range.role == Role::length)
          found.emplace_back(p.name, readable(given(group, p.name).value_or(p.values.front()) * group.worst.K / K));
    if (!law.damping.empty()) found.emplace_back(law.damping, readable(damped(K)));
    return found;
  }

  bool is_default(const Group& group, const std::string& name) const {
    const SceneParameter* p = parameter(group, name);
    return p && p->is_default;
  }

  /// A deflection goes with limit over stiffness: the share of it that the law's own numbers have.
  double deflection(const Group& group, const std::string& name, double K) const {
    double own = 0, own_K = 1, limit = infinity;
    for (const Parameter& p : make_law(group.law)->parameters()) {
      if (p.name == name) own = p.values.front();
      if (p.range.role == Role::stiffness) own_K = p.values.front();
      if (p.range.role == Role::limit) limit = std::min(limit, given(group, p.name).value_or(p.values.front()) / p.values.front());
    }
    return own * own_K / K * (limit < infinity ? limit : 1);
  }

  /// Of the numbers that are there, as near as can be designed.
  double restitution_there(const Group& group, double speed) const {
    const auto law = make_law(group.law);
    for (const Parameter& p : law->parameters())
      if (const auto number = given(group, p.name)) law->set(p.name, {*number});
    const double e = law->problems().empty() ? rebound(*law, group.worst.mass, speed).restitution : 0.5;
    return std::isfinite(e) ? std::clamp(e, 0.05, 0.98) : 0.5;
  }

  std::optional<Values> bounced(const Group& group, const ElementWish& wishes) {
    ContactWish wish;
    wish.law = group.law;
    wish.mass = group.worst.mass;
    const bool curved = is_curved(group.law);
    if (curved) {
      for (const Parameter& p : make_law(group.law)->parameters())
        if (const auto exponent = p.range.role == Role::exponent ? given(group, p.name) : std::nullopt) wish.lambda = *exponent;
      if (!wishes.speed && group.is_open()) {
        problem(group,
                fmt::format("design.speed is missing: the result of {} depends on it: design = {{ restitution = 0.5, speed = 2 }}",
                            group.law));
        return std::nullopt;
      }
    }
    const double speed = wishes.speed.value_or(1);
    wish.bounces = {{speed, wishes.restitution.value_or(group.is_open() ? 0.5 : restitution_there(group, speed))}};
    if (wishes.penetration && !wishes.speed && group.is_open()) {
      problem(group, "design.speed is missing: the impact speed for this penetration");
      return std::nullopt;
    }
    const auto design = [&]() -> std::optional<ContactDesign> {
      std::vector<std::string> lines;
      auto made = design_contact(wish, lines, hooks);
      if (hooks.stopped()) throw Stopped();
      if (!made && group.is_open())
        for (const std::string& line : lines) problem(group, "design: " + line);
      return made;
    };
    std::optional<ContactDesign> made;
    if (const auto K = group.is_open() ? given(group, "K") : std::nullopt) {
      wish.scale = Scale::stiffness;
      wish.size = *K;
      made = design();
    } else if (wishes.penetration) {
      wish.size = *wishes.penetration;
      made = design();
    } else {
      // As stiff as the step allows: a time goes with K^(-1/2), or K^(-1/(lambda + 1)) where the contact is curved.
      wish.scale = Scale::stiffness;
      wish.size = wish.mass / (step_ * step_);
      const double power = curved ? wish.lambda + 1 : 2;
      for (int round = 0; round < 2; ++round) {
        made = design();
        if (!made) return std::nullopt;
        wish.size =
            readable(rounded_down(wish.size * std::pow(made->recommended_step / (1.05 * step_ / std::sqrt(share_)), power), 3));
      }
      made = design();
    }
    if (!made) return std::nullopt;
    if (group.is_open() && made->recommended_step < step_) {
      problem(group, fmt::format("run.step = {:g} s: is too long for a restitution of {:g} that stiff; use run.step <= {:g} s",
                                 step_, wish.bounces[0].restitution, rounded_down(made->recommended_step)));
      return std::nullopt;
    }
    if (made->recommended_step < step_) return std::nullopt;
    Values list;
    for (const Parameter& p : std::visit([](const auto& law) { return parameters_of(law); }, made->law)) {
      if (p.range.role == Role::exponent || (p.range.role == Role::stiffness && given(group, p.name) && group.is_open())) continue;
      if (group.is_open() && !group.leaves(p.name)) {
        problem(group, fmt::format("{} is given, but its restitution needs another; make it \"design\", too", p.name));
        return std::nullopt;
      }
      list.emplace_back(p.name, readable(p.values.front()));
    }
    return list;
  }

  Scene& scene_;
  std::vector<SceneProblem>& problems_;
  Network network_;
  Method method_;
  double step_;
  double share_ = 1;
  bool softened_ = false;
  std::vector<Group> groups_;
};

/// The lines with `name = "design"` replaced; those of one line from left to right.
std::string filled_in(const std::string& text, const std::vector<std::pair<OpenParameter, double>>& numbers) {
  std::istringstream in(text);
  std::string out;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::size_t from = 0;
    for (const auto& [open, value] : numbers) {
      if (open.line != number) continue;
      const std::string name = open.name.substr(open.name.rfind('.') + 1);
      // Its key, an equals sign, the word in quotes.
      for (std::size_t at = line.find("design", from); at != std::string::npos; at = line.find("design", at + 1)) {
        if (at == 0 || at + 6 >= line.size() || (line[at - 1] != '"' && line[at - 1] != '\'') || line[at + 6] != line[at - 1])
          continue;
        std::size_t end = line.find_last_not_of(" \t", at - 2);
        if (end == std::string::npos || line[end] != '=') continue;
        end = line.find_last_not_of(" \t\"'", end - 1);
        if (end == std::string::npos || end + 1 < name.size() || line.compare(end + 1 - name.size(), name.size(), name) != 0)
          continue;
        const std::string digits = asperity::to_text(value);
        line.replace(at - 1, 8, digits);
        from = at - 1 + digits.size();
        break;
      }
    }
    out += line + (in.eof() ? "" : "\n");
  }
  return out;
}

void recommend(ElementAdvice& advice, const Group& group, const Values& values) {
  for (const auto& [name, value] : values)
    for (ParameterAdvice& one : advice.parameters)
      if (one.name == group.full(name)) one.recommended = value;
}

/// Whether the set-up checks find the numbers of a group too stiff or too damped for the step.
bool is_doubted(const std::vector<Warning>& warnings, const Group& group) {
  const auto is_it = [&](const std::string& component) { return component.substr(0, component.find('.')) == group.element; };
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& warning) {
    const bool of_step = warning.kind == Warning::Kind::stability || warning.kind == Warning::Kind::accuracy;
    return of_step && (is_it(warning.component) || std::any_of(warning.alike.begin(), warning.alike.end(), is_it));
  });
}

struct Trial {
  bool fails = false;           // stiffness that is stable may still be too stiff for a load that comes at once: what rings then
                                // loses energy to the method
  std::optional<Finding> deep;  // or the contacts give way too far under their loads
};

/// What the run itself says of the numbers. Of a long or large run the first steps tell.
Trial tried(const Scene& scene, const Hooks& hooks) {
  const double most_steps = 4e5 / double(std::max<std::size_t>(scene.world.start().size(), 4));
  RunOptions options = scene.run;
  options.record = {};
  options.duration = std::min(options.duration, most_steps * options.step);
  StepWatch watch(hooks, options.duration);
  std::unique_ptr<Run> run;
  const auto step = [&] {
    try {
      if (!run) run = std::make_unique<Run>(scene.world, options);
      return run->step();
    } catch (const std::exception&) {
      run.reset();  // whoever runs it is told
      return false;
    }
  };
  while (step()) watch.look(run->time(), "run");
  if (!run) return {};
  Trial trial;
  trial.fails = run->failure().has_value();
  for (Finding& finding : run->findings()) {
    if (finding.kind == Finding::Kind::depth) trial.deep = std::move(finding);
    else if (finding.severity == Finding::Severity::failure) trial.fails = true;
  }
  return trial;
}

/// A contact that is as stiff as the step allows and still too soft: the stiffness goes with the step to the power of -2, and so,
/// the other way round, does the depth, as long as the bodies do not pass through each other.
Warning too_deep(const Finding& finding, double step) {
  const bool through = finding.severity == Finding::Severity::failure;
  const double thickness = through ? finding.limit : 2 * finding.limit;
  const std::string shorter =
      through
          ? "a much shorter run.step"
          : fmt::format("run.step <= {}", quantity_text(rounded_down(step * std::sqrt(0.1 * thickness / finding.value), 2), "s"));
  return {finding.component, Warning::Kind::depth, finding.value, finding.limit,
          fmt::format("{}: compressed by {}, {:.2g} times the {} from where it touches to the centre: a step of {} allows no "
                      "stiffer one on so small a mass; use {}, or a heavier body",
                      finding.component, quantity_text(finding.value, "m"), finding.value / thickness,
                      quantity_text(thickness, "m"), quantity_text(step, "s"), shorter)};
}

std::string why_of(const Group& group, const Designer& designer, double step, bool open) {
  const std::string mass = group.worst.turns ? "moment of inertia" : "mass";
  if (group.worst.mass == infinity) return "no movable body is attached to it";
  if (is_held(group.law)) {
    const Elastic law = elastic_of(group.law);
    if (!open && law.is_time)
      return fmt::format("{} at which a disturbance decays within one step, as stiff as the step allows",
                         fmt::join(law.names(), " and "));
    if (!open) return fmt::format("{} that a step of {} allows", fmt::join(law.names(), " and "), quantity_text(step, "s"));
    const std::string allowed = fmt::format("as stiff as a step of {} allows", quantity_text(step, "s"));
    if (designer.softened())
      return fmt::format("{} with {:.2g} % of the {}, so that the run keeps its energy", allowed, 100 * designer.share(), mass);
    return fmt::format(
        "{}{}{}", allowed,
        designer.share() < 1 ? fmt::format(" with {:.0f} % of the {}, as others share it", 100 * designer.share(), mass) : "",
        law.is_time ? "; a disturbance decays within one step" : "");
  }
  return fmt::format("{} that steps of {} keep within {}",
                     open ? "a restitution" : "the restitution of the given parameters, softer, so", quantity_text(step, "s"),
                     restitution_tolerance);
}

}  // namespace

std::optional<SceneDesign> fill_in_scene(const std::string& text, const std::string& file, const std::vector<std::string>& settings,
                                         std::vector<SceneProblem>& problems, const Hooks& hooks) {
  const Ticker clock;
  auto made = design_scene(text, file, settings, problems, part_of(hooks, clock, 0, 1, 2));
  if (!made || made->left_out.empty()) return made;
  std::vector<std::string> more = settings;
  for (const std::string& name : made->left_out) more.push_back(name + "=design");
  return design_scene(text, file, more, problems, part_of(hooks, clock, 1, 2, 2));
}

std::optional<SceneDesign> design_scene(const std::string& text, const std::string& file, const std::vector<std::string>& settings,
                                        std::vector<SceneProblem>& problems, const Hooks& hooks) try {
  const auto scene = read_scene_to_design(text, file, settings, problems);
  if (!scene) return std::nullopt;
  if (scene->inclusion) {
    problems.push_back({file, 0, "a scene with [inclusion] has no elements: its terms are regularised by [inclusion.regularise]"});
    return std::nullopt;
  }
  Designer designer(*scene, problems);
  for (const Group& group : designer.groups()) {
    if (!group.is_open()) continue;
    if (!is_held(group.law) && !bounces(group.law))
      designer.problem(
          group,
          fmt::format("{} = \"design\": there is no rule for {}; there is one for friction laws with one stiffness, and for {}",
                      group.open[0], group.law.empty() ? "this" : group.law, fmt::join(contact_design_laws(), ", ")));
    else if (group.worst.mass == infinity) designer.problem(group, "no movable body is attached to it: give it numbers");
    else
      for (const std::string& name : group.open)
        if (const auto ruled = group.ruled(); std::find(ruled.begin(), ruled.end(), name) == ruled.end())
          designer.problem(group, fmt::format("{} = \"design\": there is no rule for it: give it a number", name));
  }
  std::size_t known = 0;
  for (const Group& group : designer.groups()) known += group.open.size();
  if (known < scene->open.size() && problems.empty())
    problems.push_back({file, scene->open.front().line, "a law that does not say how stiff it is cannot be designed"});
  if (!problems.empty()) return std::nullopt;
  designer.find_share();

  const double step = scene->run.step;
  const Method method = fixed_step(scene->run.method).value_or(Method::rk4);
  SceneDesign result;
  std::unique_ptr<Scene> filled;
  SceneDesign stiffest;  // that is stable, and its scene
  std::unique_ptr<Scene> stiffest_scene;
  constexpr int most_rounds = 24;
  bool asked = false;  // once is enough
  const Hooks once{.progress = hooks.progress, .stop = [&] { return asked = asked || hooks.stopped(); }};
  const Ticker clock;
  for (int round = 0; round < most_rounds; ++round) {
    designer.hooks = part_of(once, clock, round, round, most_rounds);
    StepWatch(designer.hooks, 1).look(0, "design");
    result = {};
    result.share = designer.share();
    std::vector<std::pair<OpenParameter, double>> numbers;
    for (const Group& group : designer.groups()) {
      ElementAdvice advice{group.element, group.part, group.law, group.worst.mass, group.worst.turns, 0, {}, {}};
      std::optional<Values> values;
      if (group.is_open()) {
        values = designer.values(group);
        if (!values) continue;
      }
      if (group.worst.mass < infinity && !group.worst.curved)
        advice.longest_step = largest_step(group.worst, group.worst.mass, method);
      if (group.has_rule())
        for (const std::string& name : group.ruled())
          if (const SceneParameter* p = designer.parameter(group, name))
            advice.parameters.push_back({group.full(name), p->unit, group.leaves(name) ? "design" : p->value, std::nullopt});
      if (values) recommend(advice, group, *values);
      for (const auto& [name, value] : values.value_or(Values{})) {
        if (!group.leaves(name)) continue;
        result.settings.push_back(fmt::format("{}.{}={}", group.element, group.full(name), asperity::to_text(value)));
        for (const OpenParameter& at : scene->open)
          if (at.element == group.element && at.name == group.full(name)) numbers.emplace_back(at, value);
      }
      if (group.is_open()) advice.why = why_of(group, designer, step, true);
      else if (!group.has_rule() && group.worst.mass < infinity) advice.why = "no rule; the set-up checks look at it";
      else if (group.worst.mass == infinity) advice.why = "no movable body is attached to it";
      else if (group.worst.curved)
        advice.why = "the stiffer the deeper it is: the set-up checks look at it at the depth of an impact";
      else advice.why = "fine as it is";
      result.elements.push_back(std::move(advice));
    }
    if (!problems.empty()) return std::nullopt;

    std::vector<std::string> all = settings;
    all.insert(all.end(), result.settings.begin(), result.settings.end());
    filled = read_scene(text, file, all, problems);
    if (!filled) {
      designer.name_defaults();
      return std::nullopt;
    }
    std::vector<double> x = filled->world.start();
    Preload loaded;
    try {
      if (filled->run.preload) loaded = preload(filled->world, x);
    } catch (const SetUpError& error) {
      for (const Warning& warning : error.warnings) problems.push_back({file, 0, warning.text});
      return std::nullopt;
    }
    result.left = check(filled->world, x, {.step = step, .method = filled->run.method, .duration = filled->run.duration});
    result.left.insert(result.left.end(), loaded.notes.begin(), loaded.notes.end());
    // Settings are worked out in the text, so it has another form.
    result.text = settings.empty() ? filled_in(text, numbers) : filled->resolved;
    const bool shaky = std::any_of(result.left.begin(), result.left.end(),
                                   [](const Warning& warning) { return warning.kind == Warning::Kind::stability; });
    const Trial trial = shaky ? Trial{} : tried(*filled, part_of(once, clock, round, round + 1, most_rounds));
    if (trial.deep && stiffest_scene) break;  // softer is no way out
    if (trial.deep && !result.settings.empty()) result.left.push_back(too_deep(*trial.deep, step));
    if ((!shaky && !trial.fails) || result.settings.empty()) {
      stiffest_scene.reset();
      break;
    }
    if (shaky && !stiffest_scene) designer.lower_share();
    else designer.soften();
    if (!shaky && !stiffest_scene) stiffest = result, stiffest_scene = std::move(filled);
  }
  designer.hooks = part_of(once, clock, most_rounds, most_rounds, most_rounds);
  // Softer did not mend it: it is something else, and the run says what.
  if (stiffest_scene) result = std::move(stiffest), filled = std::move(stiffest_scene);

  // Numbers that are there and will not do: wrong by themselves, or the checks say so.
  for (ElementAdvice& advice : result.elements) {
    const Group& group = designer.groups()[std::size_t(&advice - result.elements.data())];
    if (group.is_open() || !group.has_rule()) continue;
    const bool wrong = advice.longest_step > 0 && advice.longest_step < step;
    if (wrong || is_doubted(result.left, group)) {
      const auto values = designer.values(group);
      if (values) recommend(advice, group, *values);
      advice.why = values ? why_of(group, designer, step, false) : "too stiff for the step, and no stable value was found";
    }
    if (const auto names = designer.defaults(group); !names.empty()) {
      for (const std::string& name : designer.left_out(group)) result.left_out.push_back(group.element + "." + group.full(name));
      advice.why +=
          fmt::format("; {} left out: the law's own {}", fmt::join(names, ", "), names.size() == 1 ? "number" : "numbers");
    }
  }
  // What was written has to be what was meant.
  if (settings.empty()) {
    const auto again = read_scene(result.text, file, {}, problems);
    if (!again) return std::nullopt;
    if (again->resolved != filled->resolved) {
      problems.push_back({file, 0, "its \"design\" words could not be replaced in place; write one parameter per line"});
      return std::nullopt;
    }
  }
  return result;
} catch (const Stopped& stopped) {
  problems.push_back({file, 0, stopped.what()});
  return std::nullopt;
}

}  // namespace asperity::design
