// A block that is pushed with less than its friction stays where it is; with more it goes.
#include <asperity/laws.hpp>
#include <asperity/run/run.hpp>
#include <cmath>

int main() {
  using namespace asperity;
  World world;
  const auto block = world.add("block", PointMass<double>{.mass = 1.0});
  SingleState<> friction;
  friction.F = 0.5, friction.K = 5e3, friction.beta = 2e-3;
  world.add("floor", friction, between(block, ground));
  world.push(block, 0, [](double t) { return t < 1 ? 0.4 : 1.5; });
  Run run(world, {.duration = 2, .step = 1e-4});
  if (!run.go()) return 1;
  // After 1 s it starts from 0.4 N of spring deflection and accelerates with 1 m/s2 as soon as it slides.
  return std::abs(run.value("block.velocity") - 1.0) < 0.02 ? 0 : 1;
}
