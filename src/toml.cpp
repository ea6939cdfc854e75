#define TOML_IMPLEMENTATION
#include "toml.hpp"

#include <algorithm>
#include <cctype>

namespace asperity {
namespace {

constexpr std::size_t most_parts = 16;  // of a dotted key

const char* const beyond_ascii = "a character beyond ASCII outside of quotes";

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// The end of the string or the comment that begins at `i`; `i` itself if there is none.
std::size_t end_of_quoted(std::string_view text, std::size_t i) {
  const char quote = text[i];
  if (quote == '#') return std::min(text.find('\n', i), text.size());
  if (quote != '"' && quote != '\'') return i;
  const std::string_view three = text.substr(i, 3);
  const bool many_lines = three.size() == 3 && three[1] == quote && three[2] == quote;
  for (i += many_lines ? 3 : 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') ++i;
    else if (text[i] == '\n' && !many_lines) return i;
    else if (text[i] == quote && !many_lines) return i + 1;
    else if (text.substr(i, 3) == three) {
      // up to two more quotes belong to the text
      for (i += 3; i < text.size() && text[i] == quote;) ++i;
      return i;
    }
  }
  return text.size();
}

/// What toml++ 3.3 does not survive. It takes keys of very many parts apart by recursion, and its tables of characters have holes
/// where letters beyond ASCII stand outside of quotes.
std::optional<TomlProblem> unbearable(std::string_view text) {
  const std::size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // byte order mark
  std::size_t line = 1, dots = 0;
  for (std::size_t i = begin; i < text.size();) {
    if (const std::size_t end = end_of_quoted(text, i); end > i) {
      const std::string_view quoted = text.substr(i, end - i);
      // toml++ reads on through quotes that touch a word
      const bool touches =
          quoted[0] != '#' && i > begin && std::string_view(" \t\r\n=[,{").find(text[i - 1]) == std::string_view::npos;
      if (touches && !is_ascii(quoted)) return TomlProblem{line, beyond_ascii};
      line += std::size_t(std::count(quoted.begin(), quoted.end(), '\n'));
      i = end;
      continue;
    }
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) return TomlProblem{line, beyond_ascii};
    if (c == '.') {
      if (++dots >= most_parts) return TomlProblem{line, "a key of more than " + std::to_string(most_parts) + " parts"};
    } else if (!std::isalnum(c) && std::string_view("_- \t").find(text[i]) == std::string_view::npos) {
      dots = 0;
    }
    if (c == '\n') ++line;
    ++i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<toml::table> parse_toml(std::string_view text, TomlProblem& problem) {
  if (auto found = unbearable(text)) {
    problem = std::move(*found);
    return std::nullopt;
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    constexpr std::string_view opening = "Error while parsing ";
    std::string_view why = error.description();
    if (why.starts_with(opening)) why.remove_prefix(opening.size());
    problem = {error.source().begin.line, "not TOML: " + std::string(why)};
  } catch (const std::runtime_error& error) {
    problem = {0, error.what()};
  }
  return std::nullopt;
}

}  // namespace asperity
