#include "grease.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/step.hpp"

namespace asperity {
namespace {

// Dragged steadily from rest: f(t) = F v/(v + V) (1 - exp(-K (v + V) t/F)). The step is implicit Euler, so it is off by its
// first order and no more.
TEST(Grease, builds_up_to_its_sliding_force) {
  const Grease<> law;
  auto z = law.start();
  const double h = 1e-7, v = 2e-3, r = law.K * (v + law.V) / law.F;
  for (int k = 1; k <= 20000; ++k) {
    const double f = step(law, z, {v}, h);
    EXPECT_NEAR(f, law.F * v / (v + law.V) * (1 - std::exp(-r * k * h)), law.K * v * h);
  }
}

// The declared exception: under a constant load P it creeps at V P/(F - P), for ever.
TEST(Grease, creeps_under_load) {
  const Grease<> law;
  const double P = 0.5 * law.F;
  const auto loaded = law.react({P / law.K}, {law.V * P / (law.F - P)}, 0.0);
  EXPECT_DOUBLE_EQ(loaded.f, P);
  EXPECT_NEAR(loaded.rate.a, 0, 1e-15);
}

}  // namespace
}  // namespace asperity
