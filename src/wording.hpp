// Numbers, laws and tables in words: what the texts of all tools share.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/any_law.hpp"

namespace asperity {

/// What is wrong with an input, one line per problem.
using Problems = std::vector<std::string>;

/// The law of that name; otherwise null and a problem that names the nearest.
std::unique_ptr<AnyLaw> find_law(const std::string& name, Problems& problems);

/// As quantity_text; "not known" for what is not finite, as after a motion without bound.
std::string known_quantity(double value, std::string_view unit, int digits = 4);

/// "5e6", "0.001"
std::string short_number(double value);

/// "5e6, 2.5e6, ..., 5e5 (10)"
std::string short_values(const Parameter& parameter);

/// "1-D" or "1-3-D"
std::string dimensions(int highest);

std::string_view kind_name(Kind kind);

std::vector<std::string> quirk_names(Quirk quirks);

/// "1 warning, 2 notes"; nothing if there are none.
std::string counted(std::size_t warnings, std::size_t notes);

/// Rows of cells under one another, indented by two; a letter for each column says to which side: "<<>".
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view sides);

/// Lines of at most `width` letters, all but the first indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// "a, b" as a and b; an empty text is one empty word.
std::vector<std::string> comma_list(const std::string& text);

}  // namespace asperity
