#include "grease.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/step.hpp"

namespace asperity {
namespace {

// Dragged steadily from rest, the film relaxes: f(t) = D v (1 - exp(-K t/D)). The step is implicit Euler, so it is
// off by its first order and no more.
TEST(Grease, relaxes_to_the_viscous_force) {
  const Grease<> law;
  auto z = law.start();
  const double h = 1e-6, v = 0.02;
  double f = 0;
  for (int k = 0; k < 10000; ++k) f = step(law, z, {v}, h);
  const double exact = law.D * v * (1 - std::exp(-law.K * 0.01 / law.D));
  EXPECT_NEAR(f, exact, law.K * v * h);
}

// The declared exception: under a constant load it creeps at P/D, for ever.
TEST(Grease, creeps_under_load) {
  const Grease<> law;
  const double P = 0.5;
  const auto held = law.react({P / law.K}, {P / law.D}, 0.0);
  EXPECT_DOUBLE_EQ(held.f, P);
  EXPECT_NEAR(held.rate.a, 0, 1e-15);
}

static_assert(fully_described<Grease<double>>);

}  // namespace
}  // namespace asperity
