// The user's own names: what a law calls its parameters can be fixed and bounded, whatever it is fitted in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asperity/identify/fit.hpp"

namespace asperity::identify {

/// All that can be fixed: coordinates, parameters of the law (F_s, a_ba, sigma[2], ...), and M, Fv and offset beside it.
std::vector<std::string> names_of(const Model& model, int elements);

/// A model and settings for it that name its coordinates only.
struct Translated {
  std::unique_ptr<Model> model;
  FitSettings settings;
  std::string name{};  // as it was asked for, if that is not the law's own
};

/// Settings that name parameters, made to name coordinates; exactly so:
/// - of a parameter of which all coordinates but one are known, that one follows;
/// - otherwise the parameter takes the place of a coordinate: with F_s fixed, F_c = F_s/(1 + rise) follows;
/// - where neither is possible, a problem says which coordinates to name instead.
/// Values are held against the ranges and relations that the law describes. Names that the law does not have are left out.
Translated translated(std::unique_ptr<Model> model, FitSettings settings, std::vector<std::string>& problems);

}  // namespace asperity::identify
