// Looks at a scene without running it: can it be run, what do the set-up checks say, how large is it. Deep: runs it, and beside it
// a second time with half the step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/facts/facts.hpp"
#include "asperity/hooks.hpp"

namespace asperity {

struct SceneCheckOptions {
  bool strict = false;  // warnings and findings are problems
  bool deep = false;
  Hooks hooks{};  // of a deep one
};

struct SceneCheck {
  std::string file{}, title{};
  std::vector<std::string> problems{};  // why it cannot be run; of a deep check, why it did not get to its end
  std::optional<Facts> facts{};  // warnings, columns, bodies; of a deep check findings, verdict, verification. None: see problems
  std::vector<std::string> notes{};  // of an inclusion
  std::size_t states = 0;
  std::optional<std::uint64_t> steps{};  // nothing if the method chooses them
  double every = 0;                      // s, between rows; 0: after every step
  bool is_inclusion = false;
  bool is_strict = false, is_deep = false;
  bool has_failed = false;  // a deep check: the run failed, or its numbers are wrong

  bool can_run() const noexcept { return facts.has_value(); }
  /// What was asked for holds.
  bool ok() const noexcept {
    return can_run() && problems.empty() && !has_failed && !(is_strict && is_deep && facts->verdict != Verdict::fine);
  }
};

SceneCheck check_scene(const Scene& scene, const SceneCheckOptions& options = {});
/// The same, with the problems of reading it.
SceneCheck check_scene_file(const std::string& path, const std::vector<std::string>& settings,
                            const SceneCheckOptions& options = {});

/// JSON text; the same keys whatever is found.
std::string to_json(const SceneCheck& check);
/// A verdict, what is doubtful, and what there is: several lines.
std::string to_text(const SceneCheck& check);

}  // namespace asperity
