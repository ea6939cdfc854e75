// A second opinion on runs: the scenes of the program, integrated by other code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace referee {

// A scene drawn by a seed, and what is known about it beforehand.
struct RandomScene {
  std::string text;    // TOML
  std::string family;  // what it is about
  std::string method;
  std::string pace;  // fine, medium, coarse or absurd steps; loose or tight tolerances of the adaptive methods
};

RandomScene random_scene(std::uint64_t seed);

enum class Outcome {
  Right,       // within its stated error, and nothing doubted
  FalseAlarm,  // right, and doubted
  Told,        // wrong, and it said so
  Refused,     // exit 2: nothing was run
  Silent,      // wrong without a word
  Unjudged,    // the referee itself is not sure: too sensitive, or too much work
};

struct Judgement {
  Outcome outcome = Outcome::Unjudged;
  std::string word;    // what the program said, or what is wrong
  double error = 0;    // the largest, in tolerances
  std::string worst;   // of what
  double horizon = 0;  // s, how far the referee is sure
};

// The run in `folder`, which ended with `exit_code` (or was stopped after too long: -1).
Judgement judge(const std::string& folder, int exit_code);

// What the referee itself finds at the end of a resolved scene: a column; "impact", the restitution of the first; "energy" or
// "momentum", by which share of themselves kinetic and potential energy, or the angular momentum of the first body, have changed.
double found(const std::string& scene_file, const std::string& what);

}  // namespace referee
