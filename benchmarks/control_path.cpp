#include "control_path.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "asperity/catalogue.hpp"
#include "asperity/step.hpp"

using namespace asperity;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double sample_time = 1e-3;

constexpr std::size_t calls = 20000;

template <class Call>
StepTimes step_times(std::string_view name, Call call) {
  std::vector<double> times(calls);
  for (std::size_t k = 0; k < calls; ++k) {
    const auto begin = Clock::now();
    call(k);
    times[k] = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
  }
  std::sort(times.begin(), times.end());
  return {std::string(name), times[calls / 2], times[calls - calls / 1000], times.back()};
}

/// Slow reversals, with touch and release for the contact laws.
template <class Law>
std::vector<typename Law::Input> motion() {
  std::vector<typename Law::Input> all;
  for (std::size_t k = 0; k < calls; ++k) {
    const double t = sample_time * static_cast<double>(k), speed = 0.01 * std::sin(t), gap = 1e-4 * std::sin(3 * t);
    if constexpr (Law::about.kind == Kind::friction) all.push_back({speed, 1.0});
    else if constexpr (Law::about.kind == Kind::contact) all.push_back({gap, speed});
    else all.push_back({gap, speed, speed});
  }
  return all;
}

}  // namespace

std::vector<StepTimes> control_path() {
  std::vector<StepTimes> all{step_times("(nothing: the clock itself)", [](std::size_t) { benchmark::ClobberMemory(); })};
  Catalogue<double>::each([&]<class Law>() {
    const Law law;
    const auto in = motion<Law>();
    auto z = law.start();
    all.push_back(step_times(Law::about.name, [&](std::size_t k) {
      const auto force = step(law, z, in[k], sample_time);
      benchmark::DoNotOptimize(force);
    }));
  });
  return all;
}
