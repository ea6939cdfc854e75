// What the subcommands of `asperity design` share: wishes with units.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/law.hpp"
#include "text.hpp"

namespace asperity::cli {

/// A number as typed, "2", "2 mm"; nothing, and a problem, if it is none or out of range: "--mass = -1 kg: must be > 0".
std::optional<double> read_wish(std::string_view option, const std::string& text, std::string_view unit, const Range& range,
                                Problems& problems);

}  // namespace asperity::cli
