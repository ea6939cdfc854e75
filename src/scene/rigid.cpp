#include "rigid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/quantity_text.hpp"
#include "asperity/system/rigid_limit.hpp"

namespace asperity::scene {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All parts of one kind of one element: of the eight corners of a box the largest load and the smallest mass.
struct Worst {
  double load = 0, mass = infinity;
  double alpha = 0, beta = 0;  // s, as given; of a contact
  bool turns = false, unknown = false;
};

}  // namespace

bool can_be_rigid(std::string_view law) { return law == "linear_compliance" || law.starts_with("single_state"); }
bool takes_any_stiffness(std::string_view method) { return method == "implicit" || method == "implicit2"; }

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
    worst.alpha = part.alpha;
    worst.beta = part.beta;
  }

  ChosenParameters chosen;
  for (const RigidElement& element : elements) {
    const auto wrong = [&](const char* why) {
      problems.add(element.origin, fmt::format("{}.stiffness = \"rigid\": {}; give K", element.name, why));
    };
    for (const auto& [part, worst] : parts[element.name]) {
      const auto full = [&, prefix = part.empty() ? "" : part + "."](const char* name) { return prefix + name; };
      const auto open = [&](const char* name) {
        return std::find(element.open.begin(), element.open.end(), full(name)) != element.open.end();
      };
      if (worst.mass == infinity || worst.unknown || !(worst.load > 0)) {
        wrong(worst.mass == infinity ? "nothing that moves hangs on it"
              : worst.unknown        ? "what an arm presses with is not known beforehand"
                                     : "nothing presses on it, neither a weight nor an input");
        break;
      }
      const RigidStiffness found = rigid_stiffness(worst.load, worst.mass, scene.run.step, element.held);
      // Digits enough for a file; to the stiff side, so that the displacement is kept.
      const double K = rounded_up(found.K, 4), beta = std::max(rounded_up(found.beta, 4), open("alpha") ? 0 : worst.alpha);
      const double alpha = rounded_up(rigid_relaxation * (open("beta") ? beta : worst.beta), 4);
      const std::string path = element.name + "." + full("");
      chosen[path + "K"] = {
          K,
          fmt::format("rigid: gives way by {} under {}{}", quantity_text(rounded_up(worst.load / K, 3), worst.turns ? "rad" : "m"),
                      quantity_text(worst.load, worst.turns ? "N m" : "N"),
                      found.bounded ? ", as stiff as a step of " + quantity_text(scene.run.step, "s") + " resolves" : "")};
      if (open("beta")) chosen[path + "beta"] = {beta, "rigid: a knock dies out without a swing"};
      if (open("alpha")) chosen[path + "alpha"] = {alpha, fmt::format("rigid: {} beta", rigid_relaxation)};
    }
  }
  return chosen;
}

}  // namespace asperity::scene
