// The page that shows every experiment: one self-contained HTML file.
#pragma once

#include <string>
#include <vector>

#include "asperity/reproduce/carry_out.hpp"

namespace asperity::reproduce {

/// A picture as SVG text.
std::string to_svg(const Picture& picture);

std::string gallery_page(const std::vector<Result>& results);

/// "Xiong, Xiaogang: Applications of ... (2013)", from docs/references.bib.
std::string citation(std::string_view key);

}  // namespace asperity::reproduce
