// stiffness = "rigid": numbers for the elements that leave them to the rigid limit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fields.hpp"

namespace asperity::scene {

/// Nothing if a law can be rigid.
std::optional<std::string> why_not_rigid(const std::string& law);

/// The open parameters of rigid elements, of the loads and masses in a scene that was read without them.
ChosenParameters choose_rigid(Scene& scene, const std::vector<RigidElement>& elements, Problems& problems);

}  // namespace asperity::scene
