#include "implicit.hpp"

#include <fmt/format.h>

#include <memory>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"

namespace {

using namespace asperity;

constexpr double g = 9.81;

FrictionalContact<LinearCompliance<>, SingleState<double, 3>> contact(double K, double mu) {
  FrictionalContact<LinearCompliance<>, SingleState<double, 3>> law;
  law.normal.K = law.tangential.K = K;
  law.normal.alpha = 1e-3;
  law.normal.beta = 2e-3;
  law.tangential.beta = 1e-3;
  law.tangential.F = mu;
  return law;
}

/// Steps a world that is in a steady motion on and on; the result is a number that does not change.
class Runner {
 public:
  Runner(const std::shared_ptr<World>& world, std::string_view method, double step, std::size_t entry, int before)
      : world_(world), entry_(entry) {
    IntegratorOptions options;
    options.step = step;
    integrator_ = make_integrator(method, *world_, options);
    integrator_->start(0, world_->start());
    go(before);
  }
  double go(int steps) {
    for (int k = 0; k < steps; ++k) integrator_->step();
    return integrator_->state()[entry_];
  }

 private:
  std::shared_ptr<World> world_;
  std::size_t entry_;
  std::unique_ptr<Integrator> integrator_;
};

Contender run(const std::string& method, const std::shared_ptr<World>& world, double step, std::size_t entry, int before, int steps,
              double target = 0) {
  const auto runner = std::make_shared<Runner>(world, method, step, entry, before);
  return {method, [runner, steps] { return runner->go(steps); }, target};
}

/// A block that a push does not move.
std::shared_ptr<World> block() {
  auto world = std::make_shared<World>();
  SingleState<> law;
  law.F = 5;
  law.K = 1e5;
  law.beta = 1e-3;
  const auto body = world->add("block", PointMass<double>{1.0});
  world->add("floor", law, between(body, ground));
  world->push(body, 0, [](double) { return 3.0; });
  return world;
}

/// Spheres that roll, each on its own.
std::shared_ptr<World> spheres(std::size_t n) {
  auto world = std::make_shared<World>();
  const double M = .3, R = .2, K = 1e5, v = 1;
  auto body = RigidBody<double>::of(M, inertia::sphere(M, R));
  body.gravity[2] = -g;
  Frame<double> start;
  start.p[2] = R - M * g / K;
  start.v[0] = v;
  start.w[1] = v / R;
  BallPlane<double, true> floor;
  floor.radius = R;
  for (std::size_t i = 0; i < n; ++i) world->add("floor", contact(K, .5), floor, world->add("ball", body, start), ground);
  return world;
}

/// A box on its eight corners.
std::shared_ptr<World> box(double K) {
  auto world = std::make_shared<World>();
  auto body = RigidBody<double>::of(2, inertia::box(2, .2, .3, .4));
  body.gravity[2] = -g;
  Frame<double> start;
  start.p[2] = .2 - 2 * g / (4 * K);
  const auto id = world->add("box", body, start);
  for (const auto& corner : box_on({}, .2, .3, .4)) world->add("corner", contact(K, .5), corner, id, ground);
  return world;
}

}  // namespace

void implicit_contests(const std::function<void(Contest)>& hold) {
  constexpr int steps = 1000;
  hold({"implicit: a step of a block on a floor",
        steps,
        false,
        {run("rk4", block(), 1e-3, 0, 1000, steps), run("implicit", block(), 1e-3, 0, 1000, steps, 10),
         run("implicit2", block(), 1e-3, 0, 1000, steps)},
        20});
  for (const std::size_t n : {100u, 1000u, 10000u, 100000u}) {
    const int passes = int(10000 / n) + 1;
    hold({fmt::format("implicit: a step of a rolling sphere, {} of them", n),
          double(n) * passes,
          false,
          {run("rk4", spheres(n), 1e-3, 7 * n, 3, passes), run("implicit", spheres(n), 1e-3, 7 * n, 3, passes, 5)},
          5});
  }
  // 60 steps of 16.7 ms are as long as 1002 of 1 ms.
  hold({"implicit: a second of a box, rk4 at 1 ms, implicit at 16.7 ms and a thousand times as stiff",
        1,
        false,
        {run("rk4", box(1e5), 1e-3, 3, 1000, 1002), run("implicit", box(1e8), 16.7e-3, 3, 60, 60, 1),
         run("implicit2", box(1e8), 16.7e-3, 3, 60, 60)},
        20});
}
