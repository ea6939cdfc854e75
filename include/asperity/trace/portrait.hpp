// Pictures that show the character of a law: friction over a path back and forth and over velocity, contact over indentation and
// its rate, slow and fast.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/any_law.hpp"
#include "asperity/hooks.hpp"
#include "asperity/plot.hpp"

namespace asperity {

/// With the parameters that the law has.
plot::Figure portrait(const AnyLaw& law);

struct Portrait {
  std::shared_ptr<const AnyLaw> law;
  std::string svg;
};
/// Of every law of the catalogue, with its default parameters; when stopped, those that are drawn.
std::vector<Portrait> portraits(const Hooks& hooks = {});

/// One HTML file that needs no other: the pictures are inside.
std::string page_of(const std::vector<Portrait>& portraits);

/// LAW.svg for each, and index.html; the folder is made. Returns the problem, if there is one.
std::optional<std::string> write_portraits(const std::vector<Portrait>& portraits, const std::string& folder);

}  // namespace asperity
