// The identified friction as a file of C for the controller that is to compensate it.
#pragma once

#include <optional>
#include <string>

#include "asperity/identify/study.hpp"

namespace asperity::identify {

/// A header of C99, which C++ takes, too: NAME_start(&state, h) once, then NAME_step(&state, v_ref) in every sample returns what to
/// add to the force of the controller: the law, driven by the reference velocity, its viscous friction and the offset. No
/// allocation, no global, <math.h> only. The statements are those of the law's own step().
std::string compensator_header(const Study& study, const Judged& law, const std::string& name);

/// The name that a header at this path has: its stem, where that is a name in C.
std::optional<std::string> compensator_name(const std::string& path);

/// Writes the header of the recommended law; the problem, if there is one.
std::optional<std::string> write_compensator(const std::string& path, const Study& study);

}  // namespace asperity::identify
