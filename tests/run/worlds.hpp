// Worlds that the tests of runs share.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "asperity/laws.hpp"
#include "asperity/run/run.hpp"
#include "coulomb.hpp"

namespace asperity::testing {

/// xiong2013 Fig. 3.4: pushed until it slides, then held under a load that oscillates.
inline void held_by_friction(World& world) {
  const auto block = world.add("block", PointMass<double>{1.0});
  world.add("floor", coulomb(.5, 5e3, 2e-3), Line<double>{}, block, ground);
  world.push(block, 0, [](double t) { return t < 2 ? std::min(.55, .5 * t) : .35 + .15 * std::cos(100 * t); });
}

/// xiong2013 Fig. 3.6: dropped from 1 m.
inline BodyId bouncing_ball(World& world, double alpha) {
  const auto ball = world.add("ball", PointMass<double>{1.0, -9.8}, {1.0, 0});
  LinearCompliance<> law;
  law.K = 1e5;
  law.alpha = alpha;
  law.beta = .01;
  world.add("floor", law, Line<double>{}, ball, ground);
  return ball;
}

/// xiong2013 Example II: two blocks, a wall, a conveyor.
inline void conveyor(World& world) {
  const auto m1 = world.add("m1", PointMass<double, 2>{.5, {}}, {{{0, .25}}, {}});
  const auto m2 = world.add("m2", PointMass<double, 2>{1.0, {{0, -9.8}}}, {{{.05, 0}}, {}});
  const auto belt = world.add_given<2>("belt", [](double t) { return Port<double, 2>{{{-t, 0}}, {{-1, 0}}}; });
  FrictionalContact<LinearCompliance<double>, SingleState<double, 2>> law;
  law.normal.K = law.tangential.K = 5e5;
  law.normal.beta = law.tangential.beta = 2e-3;
  law.normal.alpha = 1.6e-3;
  law.tangential.F = .5;
  const auto facing = [](double x, double y) {
    PointPlane<double, 2> plane;
    plane.normal = {{x, y}};
    return plane;
  };
  world.add("wall", law, facing(1, 0), m1, ground);
  world.add("between", law, facing(1, 0), m2, m1);
  world.add("conveyor", law, facing(0, 1), m2, belt);
  Spring<> spring;
  spring.K = 100;
  Axis<double, 2> vertical;
  vertical.direction = {{0, 1}};
  world.add("spring", spring, vertical, m1, ground);
}

/// A path for a file of this test program, fresh.
inline std::string file(const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / ("asperity_" + std::to_string(::getpid()) + "_" + name);
  std::filesystem::remove(path);
  return path.string();
}

}  // namespace asperity::testing
