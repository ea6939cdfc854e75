// Motions and forces with known answers.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <string>

#include "asperity/identify/samples.hpp"
#include "asperity/step.hpp"

namespace asperity::identify {

/// The same numbers with every library.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  /// Between 1/most and most, evenly in its logarithm.
  double factor(double most) { return std::pow(most, 2 * uniform() - 1); }

 private:
  std::mt19937_64 random_;
};

/// The force of a law in continuous time driven by v(t): implicit Euler in `parts` of a sample.
template <class Law>
Samples samples_of(const Law& law, const std::function<double(double)>& v, std::size_t count, double step_length, int parts = 16) {
  Samples s;
  auto z = law.start();
  double position = 0;
  const double h = step_length / parts;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) * step_length;
    for (int i = k == 0 ? parts : 0; i < parts; ++i) {
      const double velocity = v(t - step_length + (i + 0.5) * h);  // the mean of the part
      step(law, z, {velocity}, h);
      position += h * velocity;
    }
    s.t.push_back(t);
    s.step.push_back(k == 0 ? 0 : step_length);
    s.position.push_back(position);
    s.velocity.push_back(v(t));
    s.acceleration.push_back((v(t + 1e-6) - v(t - 1e-6)) / 2e-6);
    s.force.push_back(law.react(z, {v(t)}, 0).f);
    s.load.push_back(1);
    s.is_usable.push_back(true);
  }
  return s;
}

/// Three tones, one of them swelling: micrometres, so that presliding and sliding are both seen.
inline double three_tones(double t) {
  const double w = 2 * std::numbers::pi;
  return 1e-6 * w * (0.2 * std::cos(0.5 * w * t) + 0.99 * std::cos(1.1 * w * t + 1) * t / 5 + 0.465 * std::cos(3.1 * w * t));
}

}  // namespace asperity::identify
