#include "text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
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

void report(std::string_view command, const Problems& problems) {
  for (const std::string& problem : problems) say_aside(printable(fmt::format("asperity {}: {}\n", command, problem)));
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
