#include "rigid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/any_law.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/setup/rigid_limit.hpp"

namespace asperity::scene {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All parts of one kind of one element: of the eight corners of a box the largest load and the smallest mass.
struct Worst {
  double load = 0, mass = infinity;
  bool turns = false, unknown = false;
};

}  // namespace

std::optional<std::string> why_not_rigid(const std::string& law) {
  const auto known = make_law(law);
  if (!known) return fmt::format("there is no rule for a {}: nothing says what it has to carry", law);
  return asperity::why_not_rigid(known->about(), known->parameters());
}

ChosenParameters choose_rigid(Scene& scene, const std::vector<RigidElement>& elements, Problems& problems) {
  const Network network(scene.world, scene.world.start());
  const std::vector<double> loads = largest_loads(network, scene.run.duration);
  std::map<std::string, std::map<std::string, Worst>> parts;  // by element and part
  for (std::size_t p = 0; p < loads.size(); ++p) {
    const Network::Part& part = network.parts[p];
    const std::string& name = part.pool->names[part.index];
    Worst& worst = parts[name.substr(0, name.find('.'))][part.part == "tangential" ? "friction" : std::string(part.part)];
    worst.unknown = worst.unknown || std::isnan(loads[p]);
    worst.load = std::max(worst.load, loads[p]);
    worst.mass = std::min(worst.mass, part.mass);
    worst.turns = part.turns;
  }

  ChosenParameters chosen;
  for (const RigidElement& element : elements) {
    const auto wrong = [&](const char* why) {
      problems.add(element.origin, fmt::format("{}.stiffness = \"rigid\": {}; give K", element.name, why));
    };
    for (const auto& [part, worst] : parts[element.name]) {
      if (worst.mass == infinity || worst.unknown || !(worst.load > 0)) {
        wrong(worst.mass == infinity ? "no movable body is attached to it"
              : worst.unknown        ? "what an arm presses with is not known beforehand"
                                     : "nothing presses on it, neither a weight nor an input");
        break;
      }
      const std::string prefix = part.empty() ? "" : part + ".";
      std::vector<Parameter> parameters;
      for (Parameter p : element.parameters) {
        if (!p.name.starts_with(prefix)) continue;
        p.name.erase(0, prefix.size());
        parameters.push_back(std::move(p));
      }
      const auto open = [&](const std::string& name) {
        return std::find(element.open.begin(), element.open.end(), prefix + name) != element.open.end();
      };
      const auto law = make_law(element.laws.at(part));
      for (const Parameter& p : parameters) law->set(p.name, p.values);
      const RigidLaw found =
          rigid_law(law->about(), parameters, law->elastic_stiffness(), open, worst.load, worst.mass, scene.run.step, element.held);
      const RigidStiffness& stiff = found.stiffness;
      for (const RigidParameter& p : found.parameters) {
        std::vector<double> values = p.values;
        // Digits enough for a file; to the stiff side, so that the displacement is kept.
        for (double& value : values) value = rounded_up(value, 4);
        const std::string why =
            !p.why.empty()
                ? p.why
                : fmt::format("moves by {} under {}{}", quantity_text(rounded_up(stiff.displacement, 3), worst.turns ? "rad" : "m"),
                              quantity_text(stiff.load, worst.turns ? "N m" : "N"),
                              stiff.bounded ? ", as stiff as a step of " + quantity_text(scene.run.step, "s") + " resolves" : "");
        chosen[element.name + "." + prefix + p.name] = {values, "rigid: " + why};
      }
    }
  }
  return chosen;
}

}  // namespace asperity::scene
