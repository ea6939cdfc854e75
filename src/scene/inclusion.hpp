// The table [inclusion] of a scene: equations instead of bodies and elements.
#pragma once

#include "asperity/scene/scene.hpp"
#include "fields.hpp"

namespace asperity::scene {

/// Makes the world of the scene; the step has been read. What was understood is written to `out`.
void read_inclusion(Reading& reading, const Value& table, Scene& scene, Value& out);

}  // namespace asperity::scene
