// toml++ for text that anybody may have written; its parser is compiled once, in toml.cpp.
//
// The parser asserts things that bad text can break. An assertion would end the program, and with NDEBUG clang would take it for
// granted. Here it is an error like others; the one that "[[[a" breaks is left to the code behind it, which has a message for it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace asperity {

constexpr void toml_assertion(bool holds, std::string_view what) {
  if (!holds && what != "is_bare_key_character(*cp) || is_string_delimiter(*cp)") throw std::runtime_error("not TOML");
}

}  // namespace asperity

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ::asperity::toml_assertion(static_cast<bool>(expr), #expr)
#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace asperity {

struct TomlProblem {
  std::size_t line = 0;  // 0: not known
  std::string text;
};
/// THE way from text to TOML; nothing, and why, if it is none.
std::optional<toml::table> parse_toml(std::string_view text, TomlProblem& problem);

}  // namespace asperity
