// Runs of worlds and inclusions with a fixed step, by hand.
#pragma once

#include <cmath>
#include <concepts>
#include <memory>
#include <span>
#include <vector>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/system/world.hpp"

namespace asperity::testing {

/// `model` has the rate and what happens between steps: a Workspace, an Inclusion.
template <class Model, class Look>
std::vector<double> run_from(std::vector<double> x, Model& model, Method method, double duration, double h, Look&& look) {
  RungeKutta integrator(method, x.size());
  const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { model.rate(t, y, tau, dy); };
  const long steps = std::lround(duration / h);
  for (long k = 0; k < steps; ++k) {
    integrator.step(rate, double(k) * h, h, x);
    model.between_steps(double(k + 1) * h, x);
    look(double(k + 1) * h, x);
  }
  return x;
}

struct DoNotLook {
  void operator()(double, const std::vector<double>&) const {}
};

template <class Look = DoNotLook>
std::vector<double> run(const World& world, Method method, double duration, double h, Look&& look = {}) {
  Workspace work(world);
  return run_from(world.start(), work, method, duration, h, look);
}
template <class Inclusion, class Look = DoNotLook>
std::vector<double> run(Inclusion& model, Method method, double duration, double h,
                        Look&& look = {}) requires(!std::derived_from<std::remove_const_t<Inclusion>, World>) {
  return run_from(model.start(), model, method, duration, h, look);
}

}  // namespace asperity::testing
