// The methods that this build has, as test parameters.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "asperity/integrate/integrator.hpp"

namespace asperity::testing {

inline bool is_built_in(std::string_view name) {
  for (const AboutMethod& method : integration_methods())
    if (method.name == name) return method.available;
  return false;
}

inline std::vector<std::string> built_in_methods() {
  std::vector<std::string> names;
  for (const AboutMethod& method : integration_methods())
    if (method.available) names.emplace_back(method.name);
  return names;
}

inline bool is_adaptive(std::string_view name) {
  for (const AboutMethod& method : integration_methods())
    if (method.name == name) return method.adaptive;
  return false;
}

/// Of the methods that err by a multiple of the step wherever the motion is not uniform.
inline bool is_first_order(std::string_view method) {
  return method == "euler" || method == "step" || method == "rk4-lookahead" || method == "implicit";
}

/// Names of cases may hold letters, digits and _ only.
inline std::string name_of(const ::testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace asperity::testing
