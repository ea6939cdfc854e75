// Words for the terminal.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wording.hpp"

namespace asperity::cli {

/// What a file says may not steer the terminal: control characters, but for ends of lines and tabs, become \u001b, as in JSON;
/// bytes that are no UTF-8 the replacement character.
std::string printable(std::string_view text);

/// Whether a stream is a terminal that shows colours; NO_COLOR (no-color.org) and TERM=dumb say no.
bool has_colours(int stream);

/// On the error stream.
void say_aside(std::string_view text);

/// One line a problem, on the error stream: "asperity trace: K = -1 N/m: must be > 0".
void report(std::string_view command, const Problems& problems);

/// Width of the terminal; 100 when the output is not one.
std::size_t terminal_width();

/// Prints and says whether the output took it.
bool print(std::string_view command, std::string_view text);

}  // namespace asperity::cli
