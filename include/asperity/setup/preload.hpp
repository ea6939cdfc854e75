// Preload: start a loaded world in static equilibrium. See docs/guides/setup-checks.md.
#pragma once

#include "asperity/setup/checks.hpp"
#include "asperity/setup/network.hpp"

namespace asperity {

/// What preload found.
struct Preload {
  double residual = 0;  // largest relative acceleration left at an element that holds, m/s^2 (or rad/s^2)
  int rounds = 0;
  std::vector<Warning> notes{};  // what cannot stand still, and why
};

/// Sets network.state: asperities deflected, contacts compressed. Throws SetUpError if no balance is found, or only far away.
Preload preload(Network& network);

/// Changes x, the start of a world: asperities are deflected and contacts compressed so that what can be held at time 0 stands
/// still; where friction cannot hold, or slides already, it is at its limit, and contacts carry what that leaves them. Bodies move
/// only as far as contacts are compressed and joints stretched; springs and velocities stay as they are.
Preload preload(const World& world, std::span<double> x);

}  // namespace asperity
