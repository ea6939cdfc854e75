// stiffness = "rigid": numbers for the elements that leave them to the rigid limit.
#pragma once

#include <string_view>

#include "fields.hpp"

namespace asperity::scene {

/// Laws for which there is a rule, and methods that take what it gives.
bool can_be_rigid(std::string_view law);
bool takes_any_stiffness(std::string_view method);

/// The open parameters of rigid elements, of the loads and masses in a scene that was read without them.
ChosenParameters choose_rigid(Scene& scene, const std::vector<RigidElement>& elements, Problems& problems);

}  // namespace asperity::scene
