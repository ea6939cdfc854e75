// Formulas as users write them: "t < 2 ? min(0.55, 0.5*t) : 0.35 + 0.15*cos(100*t)". Read once into a tree that can be looked into,
// evaluated over any scalar: with dual numbers a formula of time gives its own derivative.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/scalar/words.hpp"

namespace asperity {

/// Where a formula is wrong, counted from 1, and why.
struct FormulaProblem {
  std::size_t position = 0;
  std::string text;
};

}  // namespace asperity
