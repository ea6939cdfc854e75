// The subcommands of `asperity design`: each in a file of its own.
#pragma once

#include "commands.hpp"

namespace asperity::cli {

Command add_design_contact(CLI::App& design);

}  // namespace asperity::cli
