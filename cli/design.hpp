// The subcommands of `asperity design`: each in a file of its own.
#pragma once

#include "commands.hpp"

namespace asperity::cli {

Command add_design_charts(CLI::App& design);
Command add_design_contact(CLI::App& design);
Command add_design_friction(CLI::App& design);
Command add_design_scene(CLI::App& design);

}  // namespace asperity::cli
