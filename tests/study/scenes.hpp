// Scenes with known answers, and plans over them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "asperity/study/study.hpp"
#include "in_folder.hpp"

namespace asperity::testing {

/// x = v t - g t^2/2, which the method integrates exactly.
inline const std::string thrown_ball = R"toml(
[let]
v = 2
a = 0
b = 0
c = 0
[world]
gravity = -10
[run]
duration = 1
step = 1e-2
[[body]]
name = "ball"
kind = "mass"
mass = 2
velocity = "v"
)toml";

/// Pushed slowly, within 0.2 s, so that nothing overshoots: it holds as long as the push is below F, and slides otherwise.
inline const std::string pushed_block = R"toml(
[let]
push = 0.4
[run]
duration = 0.5
step = 1e-3
[[body]]
name = "block"
kind = "mass"
mass = 1
[[element]]
name = "floor"
between = ["block", "ground"]
law = "single_state"
F = 0.5
K = 1e6
beta = 2e-3
[[input]]
on = "block"
force = "push*min(1, 5*t)"
)toml";

inline study::Plan plan_of(const std::string& scene, const study::PlanOptions& options) {
  std::vector<std::string> problems;
  auto plan = study::plan_of(scene, "scene.toml", options, problems);
  for (const std::string& problem : problems) ADD_FAILURE() << problem;
  return plan ? *plan : study::Plan{};
}

}  // namespace asperity::testing
