// A motor runs back and forth; after 5 s its friction doubles. The filter sees the motor's force and the encoder, 1000 times a
// second. It follows the mass, too: a wrong one would show up as friction.
#include <asperity/identify/online.hpp>
#include <asperity/laws.hpp>
#include <cmath>
#include <cstdio>

namespace {

/// The machine, which the filter does not know: ten short steps a sample.
struct Machine {
  asperity::SingleState<> friction;
  decltype(friction)::State z = friction.start();
  double mass = 2, position = 0, velocity = 0;

  void run(double push, double h) {
    for (int i = 0; i < 10; ++i) {
      velocity += h / 10 / mass * (push - step(friction, z, {velocity}, h / 10));
      position += h / 10 * velocity;
    }
  }
};

}  // namespace

int main() {
  Machine machine;
  machine.friction.F = 3;  // N

  asperity::SingleState<> guess;
  guess.F = 1;  // N, three times too small; and the mass is believed to be 2.2 kg
  asperity::FrictionTracker<asperity::SingleState<>, 2> tracker(guess, {"F", "mass"}, {.mass = 2.2});

  for (int k = 1; k <= 10000; ++k) {
    const double t = k * 1e-3;
    if (k == 5001) machine.friction.F = 6;
    const double push = 12 * std::sin(2 * t) + 3 * std::sin(31 * t);
    machine.run(push, 1e-3);
    const double encoder = std::round(machine.position / 1e-6) * 1e-6;
    tracker.update(push, encoder, 1e-3);
    if (k % 1000 == 0)
      std::printf("%2.0f s  friction %.1f N, tracked %.2f +- %.2f N, mass %.2f +- %.2f kg%s\n", t, machine.friction.F,
                  tracker.value(0), 2 * tracker.deviation(0), tracker.value(1), 2 * tracker.deviation(1),
                  tracker.consistent() ? "" : "  (contradicted)");
  }
}
