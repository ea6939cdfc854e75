// Names of parameters of a law that is part of another.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace asperity {

/// "normal" and "K" are "normal.K".
struct NestedName {
  std::array<char, 64> text{};
  std::size_t size = 0;

  constexpr NestedName(std::string_view part, std::string_view name) noexcept {
    for (const std::string_view piece : {part, std::string_view("."), name})
      for (const char c : piece)
        if (size < text.size()) text[size++] = c;
  }
  constexpr std::string_view view() const noexcept { return {text.data(), size}; }
};

}  // namespace asperity
