// Facts for programs.
#pragma once

#include <string>
#include <vector>

#include "asperity/reproduce/carry_out.hpp"

namespace asperity::reproduce {

/// JSON text: a list with an entry for each fact: id, fact, unit, value, at, expected, tolerance, verdict, source, from. An
/// experiment that could not be carried out has one entry, with the verdict "failed" and what went wrong.
std::string facts_json(const std::vector<Result>& results);

}  // namespace asperity::reproduce
