// A control engineer's program: nothing but the laws, the estimator and the standard library.
#include <asperity/identify/online.hpp>
#include <asperity/laws.hpp>
#include <cmath>

int main() {
  asperity::SingleState<> law;
  auto z = law.start();
  double f = 0;
  for (int k = 0; k < 1000; ++k) f = asperity::step(law, z, {0.1}, 1e-3);
  if (f != law.F) return 1;

  // A mass that slides under a known force tells its friction, of which the estimator believes a third.
  law.F = 3;
  asperity::SingleState<> guess;
  asperity::FrictionTracker<asperity::SingleState<>, 1> tracker(guess, {"F"}, {.mass = 2});
  double position = 0, velocity = 0;
  z = law.start();
  for (int k = 1; k <= 5000; ++k) {
    const double push = 12 * std::sin(2e-3 * k);
    velocity += 1e-3 / 2 * (push - asperity::step(law, z, {velocity}, 1e-3));
    position += 1e-3 * velocity;
    tracker.update(push, position, 1e-3);
  }
  return std::abs(tracker.value(0) - 3) < 0.15 ? 0 : 2;
}
