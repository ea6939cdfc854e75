// A block with speed v0 slides to a stop on a rough floor, by every method:
//   it stops at t = M v0/F = 2 s, springs back by F/K, and rests at M v0^2/(2 F) - F/K = 0.999995 m
// Then a rate of one's own, without any world: Van der Pol's oscillator, stiff enough that `auto` changes its method and says so.
#include <asperity/integrate/integrator.hpp>
#include <asperity/laws.hpp>
#include <asperity/system/world.hpp>
#include <cstdio>

using namespace asperity;

void block(std::string_view method) {
  World world;
  const auto mass = world.add("block", PointMass<double>{1.0}, {0.0, 1.0});
  SingleState<> law;
  law.F = 0.5;      // N
  law.K = 1e5;      // N/m
  law.beta = 4e-4;  // s
  world.add("floor", law, Line<double>{}, mass, ground);

  IntegratorOptions options;
  options.step = 1e-4;   // s, of the fixed-step methods
  options.rtol = 1e-8;   // of the adaptive ones
  options.atol = 1e-11;  // m, far below F/K = 5e-6 m
  const auto integrator = make_integrator(method, world, options);
  integrator->start(0, world.start());

  double stop = 0;
  std::vector<double> x(world.start().size());
  integrator->advance(3, [&](double t, std::span<const double> now) {
    if (stop != 0 || now[1] > 0) return;
    double low = integrator->time_before(), high = t;  // the velocity changes sign within this step
    while (high - low > 1e-9) {
      const double middle = (low + high) / 2;
      integrator->interpolate(middle, x);
      (x[1] > 0 ? low : high) = middle;
    }
    stop = high;
  });
  std::printf("%-14s stops at %.4f s, rests at %.6f m\n", method.data(), stop, integrator->state()[0]);
}

void own_rate() {
  const double mu = 1000;
  const auto van_der_pol = [=](double, std::span<const double> x, double /*tau*/, std::span<double> xdot) {
    xdot[0] = x[1];
    xdot[1] = mu * ((1 - x[0] * x[0]) * x[1]) - x[0];
  };
  int changes = 0;
  IntegratorOptions options;
  options.say = [&](std::string_view) { ++changes; };
  const auto integrator = make_integrator("auto", van_der_pol, options);
  integrator->start(0, std::vector{2.0, 0.0});
  integrator->advance(500);
  std::printf("Van der Pol: x(500) = %.4f, now with %s; told of a change: %s\n", integrator->state()[0],
              integrator->method().data(), changes > 0 ? "yes" : "no");
}

int main() {
  for (const AboutMethod& method : integration_methods())
    if (method.available) block(method.name);
  own_rate();
}
