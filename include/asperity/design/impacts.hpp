// How a mass comes back from a contact law, as asked for: one impact, impacts at several speeds, or a map over one or two
// parameters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/design/restitution.hpp"
#include "asperity/hooks.hpp"
#include "asperity/plot.hpp"

namespace asperity::design {

inline constexpr double most_cells = 1e7;  // of a map

struct ImpactRequest {
  std::shared_ptr<const AnyLaw> law{};  // of impact_laws()
  double mass = 1;                      // kg
  std::vector<double> speeds{};         // m/s; empty: usual_speeds(). Of a map one at most; not needed if no number depends on it
  std::vector<Sweep> sweeps{};          // of a map: one or two parameters of the law, "mass" or "v0"
  std::optional<double> tolerance{};    // of a simulation; by default 1e-10, in a map 1e-6
  int threads = 0;                      // 0: as many as there are cores. The numbers are the same
  Hooks hooks{};
};
/// 31 speeds from 0.01 to 10 m/s, evenly on a logarithmic axis.
std::vector<double> usual_speeds();

struct ImpactAnswer {
  std::string law{};
  std::string method{};                   // "closed form", or "simulation, to 1e-10"
  std::vector<Parameter> parameters{};    // of the law, those that are swept left out
  std::optional<double> mass{}, speed{};  // where there is one
  std::vector<double> speeds{};           // of impacts; empty: it is a map
  std::vector<Rebound> rebounds{};
  std::vector<Sweep> sweeps{};  // of a map
  std::vector<std::string> units{};
  std::vector<double> restitutions{};  // of the impacts; of a map row by row, over the first sweep. NaN: could not be worked out
  double lowest = 0, highest = 0;      // of those that are numbers
  std::size_t failed = 0;              // impacts that are none
  bool stopped = false;                // what had not been worked out then is NaN
  std::vector<std::string> warnings{}, problems{};

  bool is_map() const noexcept { return speeds.empty(); }
};

/// What is wrong with a request; one line each.
std::vector<std::string> problems_of(const ImpactRequest& request);
/// What is wrong with an axis of a map, `place` in front; with both of them together.
std::vector<std::string> problems_of(const AnyLaw& law, const Sweep& sweep, std::string_view place);
std::vector<std::string> problems_of(const AnyLaw& law, const std::vector<Sweep>& sweeps, std::string_view place);

/// The request must have no problems.
ImpactAnswer impacts(const ImpactRequest& request);

std::string to_text(const ImpactAnswer& answer);
std::string to_json(const ImpactAnswer& answer);
std::string to_csv(const ImpactAnswer& answer);
plot::Figure figure_of(const ImpactAnswer& answer);

}  // namespace asperity::design
