// A servo follows a sine. At every reversal friction turns round and throws it off its course. Feed-forward of the identified law,
// driven by the velocity that is wanted, takes that away.
#include <asperity/identify/online.hpp>
#include <asperity/laws.hpp>
#include <cmath>
#include <cstdio>

namespace {

using Law = asperity::SingleState<>;
constexpr double pi = 3.14159265358979323846, h = 1e-3;
constexpr double mass = 2, amplitude = 0.02, omega = pi;  // kg, m, rad/s

/// The servo, whose friction nobody has told the controller: a Stribeck curve, and another stiffness.
struct Servo {
  asperity::SingleState<double, 1, asperity::Stribeck> friction;
  decltype(friction)::State z = friction.start();
  double position = 0, velocity = amplitude * omega;

  Servo() { friction.F_c = 3, friction.F_s = 3.2, friction.v_s = 2e-3, friction.K = 8e4; }
  void run(double push) {
    for (int i = 0; i < 10; ++i) {
      velocity += h / 10 / mass * (push - step(friction, z, {velocity}, h / 10));
      position += h / 10 * velocity;
    }
  }
};

struct Result {
  double worst;  // m, of the error within 0.1 s after a reversal
  Law identified;
};

/// A position loop with feed-forward of the inertia and of a friction law (F = 0: none).
Result follow(const Law& feed_forward) {
  Servo servo;
  auto z = feed_forward.start();
  Law guess;
  guess.F = 1;
  asperity::FrictionTracker<Law, 1> tracker(guess, {"F"}, {.mass = mass});
  double worst = 0;
  for (int k = 1; k <= 6000; ++k) {
    const double phase = omega * k * h;
    const double wanted = amplitude * std::sin(phase), speed = amplitude * omega * std::cos(phase);
    const double friction = step(feed_forward, z, {speed}, h);
    const double push = 2000 * (wanted - servo.position) + 80 * (speed - servo.velocity) - mass * omega * omega * wanted + friction;
    servo.run(push);
    tracker.update(push, std::round(servo.position / 1e-6) * 1e-6, h);

    const double since_reversal = std::fmod(phase + pi / 2, pi) / omega;
    const bool settled = k > 2000;
    if (settled && since_reversal < 0.1) worst = std::fmax(worst, std::fabs(amplitude * std::sin(phase) - servo.position));
  }
  return {worst, tracker.law()};
}

}  // namespace

int main() {
  Law none;
  none.F = 1e-9;
  const Result without = follow(none);
  std::printf("without: error after a reversal up to %.3f mm; friction identified on the way: %.2f N\n", 1e3 * without.worst,
              without.identified.F);
  const Result with = follow(without.identified);
  std::printf("with:    error after a reversal up to %.3f mm\n", 1e3 * with.worst);
  std::printf("%.1f times less\n", without.worst / with.worst);
}
