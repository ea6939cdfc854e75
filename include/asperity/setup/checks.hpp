// Set-up checks: numbers that will mislead, found before a run. See docs/guides/setup-checks.md.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "asperity/setup/network.hpp"

namespace asperity {

struct Warning {
  enum class Kind {
    stability,  // the step is too long: it chatters and creeps, or blows up
    speed,      // the step is good only up to a speed
    accuracy,   // stable, but the numbers are off: restitution, energy of a swing
    holding,    // friction may not hold under an oscillating input
    preload,    // starts loaded, but not in equilibrium
    method,     // the method cannot run this component
    duration,   // the step is longer than the run
    depth,      // bodies start inside each other, or go through each other
    support,    // nothing can stop a body in a direction
    start,      // what preload leaves moving
    input,      // an input has a pulse that the steps do not see
    jump,       // a prescribed position jumps
  };
  std::string component;
  Kind kind{};
  double value = 0, limit = 0;
  std::string text;
  std::vector<std::string> alike{};  // other components of which the same is true
  bool prevents = false;             // a run cannot even start: Run refuses, strict or not
  bool note = false;                 // good to know, and no reason to doubt the numbers: not an error under `strict`

  std::string_view severity() const noexcept { return note ? "note" : "warning"; }
};
std::string_view to_text(Warning::Kind kind);

struct CheckOptions {
  double step = 1e-3;          // s
  std::string method = "rk4";  // as make_integrator knows it; an adaptive method chooses its own steps
  double duration = 1;         // s
  bool strict = false;         // warnings are errors, notes are not
  bool subdivide = true;       // of implicit2
  bool preloaded = false;      // the state has been preloaded: no advice to do it
};

/// All warnings in one: thrown by check() with `strict`, and by a run that cannot start.
class SetUpError : public std::runtime_error {
 public:
  explicit SetUpError(std::vector<Warning> list);
  std::vector<Warning> warnings;
};

std::vector<Warning> check(Network& network, const CheckOptions& options);

/// Checks a world that starts at x.
std::vector<Warning> check(const World& world, std::span<const double> x, const CheckOptions& options);

}  // namespace asperity
