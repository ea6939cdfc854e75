// The page that shows all pictures of the demo.
#pragma once

#include <string>
#include <vector>

#include "asperity/any_law.hpp"

namespace asperity::cli {

struct DemoPicture {
  const AnyLaw* law;
  std::string svg;
};

/// One HTML file that needs no other: the pictures are inside.
std::string demo_page(const std::vector<DemoPicture>& pictures);

}  // namespace asperity::cli
