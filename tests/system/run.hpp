// Runs a world with a fixed step, t = k h, and calls look(t, x) after every step.
#pragma once

#include <cmath>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/system/world.hpp"

namespace asperity::testing {

template <class WorldT, class Look>
std::vector<double> run(WorldT& world, Method method, double duration, double h, Look&& look) {
  std::vector<double> x = world.start();
  RungeKutta integrator(method, x.size());
  const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { world.rate(t, y, tau, dy); };
  const long steps = std::lround(duration / h);
  for (long k = 0; k < steps; ++k) {
    integrator.step(rate, double(k) * h, h, x);
    world.between_steps(double(k + 1) * h, x);
    look(double(k + 1) * h, x);
  }
  return x;
}
template <class WorldT>
std::vector<double> run(WorldT& world, Method method, double duration, double h) {
  return run(world, method, duration, h, [](double, const std::vector<double>&) {});
}

}  // namespace asperity::testing
