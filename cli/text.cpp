#include "text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "asperity/quantity_text.hpp"
#include "asperity/utf8.hpp"

namespace asperity::cli {

std::string printable(std::string_view text) {
  std::string out;
  each_character(text, [&](std::string_view letter, unsigned code) {
    if ((code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0)) out += fmt::format("\\u{:04x}", code);
    else out += letter;
  });
  return out;
}

void say_aside(std::string_view text) {
  // Where it cannot be said, it cannot be helped.
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool has_colours(int stream) {
  const char *none = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  return isatty(stream) && !(none && *none) && !(terminal && std::string_view(terminal) == "dumb");
}

namespace {

/// The word that says how bad it is: red, yellow or faint.
std::string coloured(std::string text) {
  for (const auto& [word, colour] :
       {std::pair("failed:", "31"), {"doubtful:", "33"}, {"warning:", "33"}, {"note:", "2"}, {"remark:", "2"}})
    if (const std::size_t at = text.find(word); at != std::string::npos && (at == 0 || text.compare(at - 2, 2, ": ") == 0))
      return text.insert(at + std::strlen(word), "\x1b[0m").insert(at, fmt::format("\x1b[1;{}m", colour));
  return text;
}

}  // namespace

void report(std::string_view command, const Problems& problems) {
  for (const std::string& problem : problems) {
    const std::string line = printable(fmt::format("asperity {}: {}\n", command, problem));
    say_aside(has_colours(STDERR_FILENO) ? coloured(line) : line);
  }
}

std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<std::size_t>(size.ws_col, 60, 120);
  return 100;
}

bool print(std::string_view command, std::string_view raw) {
  const std::string text = printable(raw);
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
  report(command, {fmt::format("standard output: {}", std::strerror(errno))});
  return false;
}

}  // namespace asperity::cli
