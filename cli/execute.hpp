// Runs a scene into its folder: what `asperity run` and `asperity compare` share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asperity/scene/scene.hpp"
#include "facts.hpp"
#include "run_folder.hpp"

namespace asperity::cli {

/// The scene; otherwise null, and every problem as a line of text.
std::unique_ptr<Scene> scene_of(const std::string& path, const std::vector<std::string>& settings,
                                std::vector<std::string>& problems);

/// The problems of a run, or of its warnings if it is strict, one each.
std::unique_ptr<Run> make_run(Scene& scene, const asperity::RunOptions& options, std::vector<std::string>& problems);

/// A second world of the scene, and the run in it that a run is verified by.
struct Verifying {
  std::unique_ptr<Scene> again;
  std::shared_ptr<VerifyingSink> sink;
};
/// `sink` and `options` of the run that is verified; null, and the problems, if there cannot be a second one.
std::unique_ptr<Verifying> verify(const Scene& scene, const std::shared_ptr<Sink>& sink, const asperity::RunOptions& options,
                                  std::vector<std::string>& problems);

void print_warnings(std::string_view command, const std::vector<Warning>& warnings);

/// out/NAME, for a scene NAME.toml.
std::string default_folder(const std::string& scene_file);

struct Execution {
  std::string command;            // as messages begin
  std::string data = "data.csv";  // its name in the folder; .h5: HDF5
  bool strict = false;
  bool bar = true;         // if there is a terminal
  bool resume = false;     // goes on from the checkpoint in the folder
  double seconds = 0;      // spent already
  std::string identity{};  // of the scene that was interrupted: its resolved text
};

struct Outcome {
  int exit_code;
  std::unique_ptr<Facts> facts{};  // null: nothing was run
};

/// Runs it, leaves everything in the folder, reports problems and warnings.
Outcome execute(Scene& scene, RunFolder& folder, const Execution& how);

/// Writes report.html from the facts and the data of a folder; the problem, if there is one.
std::optional<std::string> write_report(const RunFolder& folder, const Facts& facts);

}  // namespace asperity::cli
