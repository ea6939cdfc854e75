// Random wishes and cases: the same numbers on every machine, no distribution of the library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace asperity::testing {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : generator_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * double(generator_() >> 11) * 0x1p-53; }
  double log_uniform(double low, double high) { return low * std::pow(high / low, uniform(0, 1)); }

 private:
  std::mt19937_64 generator_;
};

}  // namespace asperity::testing
