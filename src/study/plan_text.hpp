// A point of a plan as a scene.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "asperity/scene/scene.hpp"
#include "asperity/study/plan.hpp"

namespace asperity::study {

/// The scene with the settings of the plan and these on top.
std::unique_ptr<Scene> scene_at(const Plan& plan, std::span<const std::string> settings, std::vector<SceneProblem>& problems);

/// At the first, the middle or the last point; null, and the problems of the first, if it can be built at none of them.
std::unique_ptr<Scene> sample_scene(const Plan& plan, std::vector<std::string>& problems);

}  // namespace asperity::study
