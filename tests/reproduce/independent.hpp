// Numbers of the experiments from equations written down once more: no header, no solver and no scene of Asperity.
#pragma once

#include <map>
#include <string>

namespace independent {

/// What the fact of this name should be, from steps so small that halving them changes no digit that is asked for; where the name
/// says "as in the paper" or "as in the thesis", with that step. Empty for experiments whose numbers are closed forms or tables.
std::map<std::string, double> numbers(const std::string& experiment, double refine = 1);

}  // namespace independent
