// What every job does before its first step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asperity/run/verify.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity::job {

/// The problems of a run, or of its warnings if it is strict, one each.
std::unique_ptr<Run> make_run(const Scene& scene, const RunOptions& options, std::vector<std::string>& problems);

/// The run that a run is verified by. `sink` and `options` are of the run that is verified; null, and the problems, if there cannot
/// be a second one.
std::shared_ptr<VerifyingSink> verify(const Scene& scene, const std::shared_ptr<Sink>& sink, const RunOptions& options,
                                      std::vector<std::string>& problems);

}  // namespace asperity::job
