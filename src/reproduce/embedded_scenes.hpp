// The scenes of scenes/papers and the literature, held in the program so that it finds them wherever it stands; written by
// cmake/embed_scenes.cmake.
#pragma once

#include <span>
#include <string_view>

namespace asperity::reproduce {

struct EmbeddedScene {
  std::string_view name, text;  // name: of the file, without ".toml"
};
std::span<const EmbeddedScene> embedded_scenes() noexcept;
/// docs/references.bib
std::string_view references() noexcept;

}  // namespace asperity::reproduce
