// Scenes that the tests of the commands share.
#pragma once

#include <string>

/// A block that a sine pushes to and fro, with a duration and more lines for [run].
inline std::string pushed_block(const std::string& duration, const std::string& run = "step = 1e-3") {
  return "title = \"Pushed block\"\n[run]\nduration = " + duration + "\n" + run + R"toml(
[[body]]
name = "block"
kind = "mass"
mass = 1.0
position = 0.0
velocity = 0.0
[[element]]
name = "floor"
between = ["block", "ground"]
law = "single_state"
F = 0.5
K = 5e3
beta = 2e-3
[[input]]
on = "block"
force = "0.6*sin(3*t)"
[record]
columns = ["block.*", "floor.*"]
)toml";
}

/// A ball that falls on a floor.
inline const std::string falling_ball = R"toml(title = "Falling ball"
cite = "xiong2013, Fig. 3.6"
[run]
duration = 0.6
step = 1e-4
[[body]]
name = "ball"
kind = "mass"
mass = 1.0
position = 1.0
gravity = -9.8
[[element]]
name = "floor"
between = ["ball", "ground"]
law = "linear_compliance"
K = 1e5
alpha = 7e-3
beta = 0.01
[record]
every = 1e-3
columns = ["ball.position", "ball.velocity", "floor.normal_force"]
)toml";
