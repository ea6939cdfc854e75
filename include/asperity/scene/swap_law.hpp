// Another law at the same place of a scene, with the parameters that both laws know.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/scene/scene.hpp"

namespace asperity {

struct Swapped {
  std::string scene;    // its text
  std::string assumed;  // one line: where the parameters of the new law come from
};
/// `element` may be empty if there is only one whose law could be meant. Problems name the nearest words; `dash` stands in front of
/// names: "--" where they are options.
std::optional<Swapped> swap_law(const Scene& scene, const std::string& element, const std::string& law,
                                std::vector<std::string>& problems, std::string_view dash = "");

}  // namespace asperity
