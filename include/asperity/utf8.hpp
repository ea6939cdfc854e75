// Text of users: bytes of any kind that have to become valid UTF-8, XML or a line on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace asperity {

/// The character that a text begins with.
struct Character {
  std::size_t bytes;  // 0: it is no UTF-8
  unsigned code;
};
constexpr Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {0, 0};
  unsigned code = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {0, 0};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {0, 0};
  return {size, code};
}

constexpr bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

/// Text that is no UTF-8 is read as Latin-1, in which instruments write a degree sign or a micro sign.
inline std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0U | code >> 6U);
      out += static_cast<char>(0x80U | (code & 0x3FU));
    }
  }
  return out;
}

/// Calls f(character as text, its code) for each; what is no UTF-8 comes as U+FFFD, byte by byte.
template <class F>
void each_character(std::string_view text, F&& f) {
  while (!text.empty()) {
    const auto [bytes, code] = first_character(text);
    if (bytes == 0) f(std::string_view("\uFFFD"), 0xFFFDU);
    else f(text.substr(0, bytes), code);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
}

/// For a comment or a title: valid UTF-8 without control characters.
inline std::string one_line(std::string_view text) {
  std::string out;
  each_character(text, [&](std::string_view letter, unsigned code) {
    if (code < 0x20 || (code >= 0x7F && code < 0xA0)) out += "\uFFFD";
    else out += letter;
  });
  return out;
}

}  // namespace asperity
