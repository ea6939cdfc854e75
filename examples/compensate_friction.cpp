// A servo follows a sine. At every reversal friction turns round and throws it off its course. Feed-forward of the identified law,
// driven by the velocity that is wanted, takes that away; F sign(v) and F tanh(v/v0), which need no law, take less. The controller
// knows the encoder and nothing else of the servo.
#include <asperity/identify/online.hpp>
#include <asperity/laws.hpp>
#include <cmath>
#include <cstdio>

namespace {

using Law = asperity::SingleState<>;
constexpr double pi = 3.14159265358979323846, h = 1e-3;
constexpr double mass = 2, amplitude = 0.02, omega = pi;  // kg, m, rad/s

/// The servo, whose friction the controller does not know: a Stribeck curve, and another stiffness.
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
  double encoder() const { return std::round(position / 1e-6) * 1e-6; }
};

struct Result {
  double worst;  // m, of the error within 0.1 s after a reversal
  Law identified;
  bool is_consistent;
};

/// A position loop with feed-forward of the inertia and of friction, which is computed from the wanted velocity.
template <class Friction>
Result follow(Friction friction_at, double integral_gain) {
  Servo servo;
  Law guess;
  guess.F = 1;
  asperity::FrictionTracker<Law, 1> tracker(guess, {"F"}, {.mass = mass});
  double measured = servo.encoder(), before = measured - amplitude * omega * h, sum = 0, worst = 0;
  for (int k = 1; k <= 8000; ++k) {
    const double phase = omega * k * h;
    const double wanted = amplitude * std::sin(phase), speed = amplitude * omega * std::cos(phase);
    const double friction = friction_at(speed);
    const double error = wanted - measured - h * speed;  // the reading is of one sample ago
    sum += h * error;
    const double push =
        2000 * error + 80 * (speed - (measured - before) / h) + integral_gain * sum - mass * omega * omega * wanted + friction;
    servo.run(push);
    before = measured;
    measured = servo.encoder();
    tracker.update(push, measured, h);

    const double since_reversal = std::fmod(phase + pi / 2, pi) / omega;
    const bool settled = k > 4000;
    if (settled && since_reversal < 0.1) worst = std::fmax(worst, std::fabs(wanted - servo.position));
  }
  return {worst, tracker.law(), tracker.consistent()};
}

}  // namespace

int main() {
  const auto none = [](double) { return 0.0; };
  const Result found = follow(none, 0);
  const double F = found.identified.F;
  std::printf("friction identified on the way: %.2f N; the law explains all that was measured: %s\n", F,
              found.is_consistent ? "yes" : "no, its stiffness is another");
  double least = 1e300;
  for (const double integral_gain : {0.0, 20000.0}) {
    const double without = follow(none, integral_gain).worst;
    const double with_sign = follow([&](double v) { return v > 0 ? F : v < 0 ? -F : 0; }, integral_gain).worst;
    double with_tanh = without;  // v0 is tuned
    for (double v0 = 1e-4; v0 < 0.05; v0 *= 1.5)
      with_tanh = std::fmin(with_tanh, follow([&](double v) { return F * std::tanh(v / v0); }, integral_gain).worst);
    auto z = found.identified.start();
    const double with = follow([&](double v) { return step(found.identified, z, {v}, h); }, integral_gain).worst;
    std::printf(
        "%s integral part: error after a reversal up to %.3f mm; with F sign(v) %.3f mm, with F tanh(v/v0) at its best %.3f "
        "mm, with the law %.3f mm: %.1f times less\n",
        integral_gain > 0 ? "with   " : "without", 1e3 * without, 1e3 * with_sign, 1e3 * with_tanh, 1e3 * with, without / with);
    least = std::fmin(least, without / with);
  }
  return least >= 5 ? 0 : 1;
}
