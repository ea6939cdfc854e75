// What machines have beside a friction law: terms that enter the force linearly and are taken only if they explain unseen data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asperity/run/table.hpp"

namespace asperity::identify {

/// Asked for as
///   direction            viscous friction that differs by direction
///   bent                 viscous friction with another power of the speed: 1/2, 3/2 or 2
///   load:COLUMN          friction that grows with a load: F_0 + mu |load|
///   periodic:PERIOD      a force that repeats with the position, cogging: three harmonics; PERIOD is a length, or an angle
///   temperature:COLUMN   sliding and viscous friction that change with the temperature
struct Effect {
  std::string name{};                               // as it was asked for
  std::vector<std::vector<std::string>> choices{};  // sets of terms, expressions as --with takes them; one set is enough
};

/// `table` has the columns; `dash` stands in front of the option in problems.
std::optional<Effect> read_effect(const std::string& text, const Table& table, const std::string& dash,
                                  std::vector<std::string>& problems);

/// What came of it.
struct TriedEffect {
  std::string name{};
  std::vector<std::string> terms{};   // the best of its choices
  double before = 0, unseen_rms = 0;  // N, on unseen data: without it and with it, beside those that were taken earlier
  bool is_taken = false;
};

}  // namespace asperity::identify
