// A block is pushed until it slides, then held by friction although the push keeps oscillating [xiong2013, Fig. 3.4]
//   M vdot = f_e(t) - f,   f_e = min(0.55, t/2) until 2 s, then 0.35 + 0.15 cos(100 t)
#include <asperity/laws.hpp>
#include <asperity/run/run.hpp>
#include <cmath>
#include <cstdio>

int main() {
  using namespace asperity;
  World world;
  const auto block = world.add("block", PointMass<double>{.mass = 1.0});
  SingleState<> friction;
  friction.F = 0.5;      // N
  friction.K = 5e3;      // N/m
  friction.beta = 2e-3;  // s
  world.add("floor", friction, between(block, ground));
  world.push(block, 0, [](double t) { return t < 2 ? std::min(0.55, t / 2) : 0.35 + 0.15 * std::cos(100 * t); });

  Run run(world, {.duration = 10, .step = 1e-4});
  if (!run.go()) return std::puts(run.failure()->text.c_str()), 1;

  std::printf("breaks away at %.4f s, stops at %.4f s\n", run.events()[0].time, run.events()[1].time);
  std::printf("ends at %.3f mm, slipping: %.0f\n", 1e3 * run.value("block.position"), run.value("floor.slipping"));
  const EnergyAccount energy = run.energy();
  std::printf("of %.3f mJ of work the floor took %.3f mJ; the account closes within a nanojoule: %s\n", 1e3 * energy.work_in,
              1e3 * run.value("floor.dissipated"), std::abs(energy.closing_error) < 1e-9 ? "yes" : "no");
}
