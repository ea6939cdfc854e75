// Stick-slip of a slider pulled through a spring: what the saw-tooth of the spring force says about friction, and what friction
// says about the saw-tooth.
#pragma once

#include <cstddef>
#include <vector>

namespace asperity::identify {

/// Means over the cycles of a spring force; in its unit (N, or 1 over the load).
struct SawTooth {
  std::size_t cycles = 0;
  double period = 0;            // s, from slip to slip
  double peak = 0, trough = 0;  // before and after slips
  double drop = 0, spread = 0;  // peak - trough, and its standard deviation from cycle to cycle
  double rise = 0;              // per s, while it sticks
};

/// Slips are falls by more than `least`; smaller wiggles do not count. Single samples that stand out are passed over (running
/// median).
SawTooth saw_tooth(const std::vector<double>& t, const std::vector<double>& force, double least);

/// A body without rate or ageing effects, slowly pulled (v far below its slips): F_s before it slips, and because the slip swings
/// through, 2 F_k - F_s after it, so that the drop is 2 (F_s - F_k) whatever the spring.   [Coulomb; exact for v -> 0]
struct StaticAndKinetic {
  double F_s = 0, F_k = 0;
};
StaticAndKinetic friction_of(const SawTooth& tooth);
/// With another spring: the same drop, and a period that is inverse to its rise.
SawTooth with_rise(const StaticAndKinetic& friction, double rise);

}  // namespace asperity::identify
