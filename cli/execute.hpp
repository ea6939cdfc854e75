// Runs a scene and says how it went: what `asperity run` and `asperity compare` share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asperity/job/job.hpp"

namespace asperity::cli {

/// The scene; otherwise null, and every problem as a line of text.
std::unique_ptr<Scene> scene_of(const std::string& path, const std::vector<std::string>& settings,
                                std::vector<std::string>& problems);

void print_warnings(std::string_view command, const std::vector<Warning>& warnings);

/// out/NAME, for a scene NAME.toml.
std::string default_folder(const std::string& scene_file);

/// A job on the terminal: its warnings before the first step, a bar, signals that stop it.
JobOptions on_terminal(const std::string& command, bool bar, bool resumed = false);

/// Says what went wrong; the exit code.
int finish(const std::string& command, const std::string& folder, const JobOutcome& outcome);

}  // namespace asperity::cli
