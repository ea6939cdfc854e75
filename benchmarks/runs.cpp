#include "runs.hpp"

#include <fmt/format.h>

#include <memory>

#include "asperity/laws.hpp"
#include "asperity/pools/kernels.hpp"
#include "asperity/run/run.hpp"

using namespace asperity;

namespace {

using Contact = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

Contact contact() {
  Contact law;
  law.normal = {2e4, 5e-4, 1e-3};
  law.tangential.F = .2;
  law.tangential.K = 2e4;
  law.tangential.beta = 4e-4;
  return law;
}

void add_block(World& world) {
  const auto block = world.add("block", PointMass<double>{1});
  SingleState<> law;
  law.F = .5;
  law.K = 5e3;
  law.beta = 2e-3;
  world.add("floor", law, Line<double>{}, block, ground);
  world.push(block, 0, [](double t) { return .45 * std::min(1.0, t); });
}

/// On its eight corners, four of which touch, sliding.
void add_box(World& world) {
  constexpr double mass = 1, side = .2, height = .1, g = 9.8;
  RigidBody<double> box = RigidBody<double>::of(mass, inertia::box(mass, side, side, height));
  box.gravity[2] = -g;
  Frame<double> start;
  start.p[2] = height / 2 - mass * g / 4 / 2e4;
  start.v[0] = .5;
  const auto body = world.add("box", box, start);
  for (int corner = 0; corner < 8; ++corner) {
    BallPlane<double, false> floor;
    floor.centre[0] = corner & 1 ? side / 2 : -side / 2;
    floor.centre[1] = corner & 2 ? side / 2 : -side / 2;
    floor.centre[2] = corner & 4 ? height / 2 : -height / 2;
    world.add(fmt::format("floor{}", corner), contact(), floor, body, ground);
  }
}

/// Rolling, each with a speed of its own; or sliding, so that each sticks at a time of its own.
void add_spheres(World& world, std::size_t n, bool sliding = false) {
  constexpr double mass = .3, radius = .2, g = 9.8;
  RigidBody<double> sphere = RigidBody<double>::of(mass, inertia::sphere(mass, radius));
  sphere.gravity[2] = -g;
  BallPlane<double, true> floor;
  floor.radius = radius;
  for (std::size_t i = 0; i < n; ++i) {
    Frame<double> start;
    start.p[2] = radius - mass * g / 2e4;
    start.v[0] = 1 + .5 * std::sin(double(i));
    start.w[1] = (sliding ? .5 : 1) * start.v[0] / radius;
    world.add(fmt::format("floor{}", i), contact(), floor, world.add(fmt::format("sphere{}", i), sphere, start), ground);
  }
}

class Discarding final : public Sink {
 public:
  void start(const std::vector<Quantity>&, std::uint64_t) override {}
  void row(std::span<const double>) override {}
  void flush() override {}
};

double sum_of(std::span<const double> x) {
  double sum = 0;
  for (const double number : x) sum += std::abs(number);
  return sum;
}

constexpr int rounds = 20;

/// The integrator alone, and a run that watches events and energies and records the account every 100 steps. Both go on from call
/// to call, for longer than the integration with half the step that accompanies the first second of a run.
template <class Build>
Contest contest(std::string name, Build build, std::size_t contacts, int steps, const std::string& method, double step,
                double target) {
  auto world = std::make_shared<World>();
  build(*world);
  const double duration = rounds * steps * step;
  std::shared_ptr<Integrator> integrator =
      make_integrator(method, *world, {.step = step, .kernels = lane_kernels({.threads = 1, .same_bits = true})});
  integrator->start(0, world->start());
  RunOptions options{.duration = duration, .step = step, .method = method, .threads = 1};
  options.record = {{"energy.*"}, 100 * step, std::make_shared<Discarding>()};
  const auto run = std::make_shared<Run>(*world, options);
  const auto bare = [world, integrator, steps] {
    for (int i = 0; i < steps; ++i) integrator->step();
    return sum_of(integrator->state());
  };
  const auto watched = [world, run, steps] {
    for (int i = 0; i < steps; ++i) run->step();
    return sum_of(run->state());
  };
  return {std::move(name), double(contacts) * steps, false, {{"integrator", bare}, {"run", watched, target}}, rounds};
}

/// Runs in which every sphere comes to roll. The work is the same whatever their number, and so should be its time.
Contest eventful_contest(std::initializer_list<std::size_t> numbers) {
  constexpr double step = 1e-3, duration = .12;
  constexpr int steps = 120, repeats = 3;
  const double work = double(*(numbers.end() - 1)) * steps;
  Contest all{"run: sliding spheres, each sticks", work, false, {}, repeats};
  for (const std::size_t n : numbers) {
    auto world = std::make_shared<World>();
    add_spheres(*world, n, true);
    const std::size_t runs = *(numbers.end() - 1) / n;
    auto waiting = std::make_shared<std::vector<std::unique_ptr<Run>>>();
    for (std::size_t i = 0; i < runs * repeats; ++i)
      waiting->push_back(std::make_unique<Run>(*world, RunOptions{.duration = duration, .step = step, .threads = 1}));
    const auto go = [world, waiting, runs, n] {
      double events = 0;
      for (std::size_t i = 0; i < runs; ++i) {
        waiting->back()->go();
        events += double(waiting->back()->event_count());
        waiting->pop_back();
      }
      return events / double(n * runs);
    };
    all.contenders.push_back({fmt::format("{} at once", n), go, n == *numbers.begin() ? 0 : 1.3});
  }
  return all;
}

}  // namespace

void run_contests(const std::function<void(Contest)>& hold) {
  hold(contest("run: block on a floor, rk4", add_block, 1, 40000, "rk4", 1e-3, 1.2));
  hold(contest("run: box on a floor, rk4", add_box, 1, 5000, "rk4", 2e-4, 1.2));
  hold(contest("run: box on a floor, implicit2", add_box, 1, 500, "implicit2", 1e-3, 1.2));
  for (const std::size_t n : {100U, 1000U, 10000U})
    hold(contest(
        fmt::format("run: {} rolling spheres, rk4", n), [n](World& world) { add_spheres(world, n); }, n, int(100000 / n), "rk4",
        1e-4, 1.2));
  hold(eventful_contest({1000, 10000}));
  hold(contest(
      "run: 100 rolling spheres, implicit2", [](World& world) { add_spheres(world, 100); }, 100, 20, "implicit2", 1e-3, 1.2));
}
