#include "worlds.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/pools/kernels.hpp"
#include "spheres.hpp"

using namespace asperity;

namespace {

using Contact = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

constexpr handwritten::Spheres numbers{
    .mass = .3, .radius = .2, .gravity = 9.8, .normal_K = 2e4, .alpha = 5e-4, .beta = 1e-3, .mu = .2, .K = 2e4, .beta_t = 4e-4};
constexpr double h = 1e-4;

/// Equal spheres that lie on a floor; rolling ones have a speed of their own each, and some of them slide.
Frame<double> start_of(std::size_t i, bool rolling) {
  Frame<double> start;
  start.p[2] = numbers.radius - numbers.mass * numbers.gravity / numbers.normal_K;
  if (rolling) {
    start.v[0] = 1 + .5 * std::sin(double(i));
    start.w[1] = (i % 3 == 0 ? .5 : 1) * start.v[0] / numbers.radius;
  }
  return start;
}

void build(World& world, std::size_t n, bool rolling) {
  RigidBody<double> sphere = RigidBody<double>::of(numbers.mass, inertia::sphere(numbers.mass, numbers.radius));
  sphere.gravity[2] = -numbers.gravity;
  Contact contact;
  contact.normal = {numbers.normal_K, numbers.alpha, numbers.beta};
  contact.tangential.F = numbers.mu;
  contact.tangential.K = numbers.K;
  contact.tangential.beta = numbers.beta_t;
  BallPlane<double, true> floor;
  floor.radius = numbers.radius;
  for (std::size_t i = 0; i < n; ++i) world.add("floor", contact, floor, world.add("sphere", sphere, start_of(i, rolling)), ground);
}

double sum_of(const std::vector<double>& x, std::size_t first, std::size_t count) {
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) sum += std::abs(x[i]);
  return sum;
}

/// A way to advance the spheres of a contest. The state goes on from call to call; all contenders are called equally often.
struct Running {
  World world;
  std::optional<Workspace> work;
  std::vector<double> x;
  std::unique_ptr<RungeKutta> method;
  std::unique_ptr<Parts> parts;
  LaneSums sums;
  std::int64_t k = 0;

  Running(std::size_t n, bool rolling, bool lanes, bool in_parts, int threads) : sums({.threads = threads}) {
    build(world, n, rolling);
    work.emplace(world, lanes ? lane_kernels({.threads = threads}) : nullptr);
    x = world.start();
    if (in_parts) parts = std::make_unique<Parts>(world, Method::rk4, Speed{.threads = threads});
    else method = std::make_unique<RungeKutta>(Method::rk4, x.size());
  }
  void step_whole(const auto& arithmetic) {
    const auto rate = [this](double t, std::span<const double> y, double tau, std::span<double> dy) { work->rate(t, y, tau, dy); };
    method->step(rate, double(k) * h, h, x, arithmetic);
    work->between_steps(double(k + 1) * h, x);
    ++k;
  }
};

/// `steps` steps in calls of `at_once`.
std::function<double()> in_parts(std::size_t n, bool rolling, int steps, int at_once, int threads = 1) {
  auto run = std::make_shared<Running>(n, rolling, true, true, threads);
  return [=] {
    for (int i = 0; i < steps; i += at_once, run->k += at_once) run->parts->advance(run->k, at_once, h, run->x);
    return sum_of(run->x, 0, 13 * n);
  };
}
std::function<double()> whole(std::size_t n, bool rolling, int steps, int threads = 1) {
  auto run = std::make_shared<Running>(n, rolling, true, false, threads);
  return [=] {
    for (int i = 0; i < steps; ++i) run->step_whole(run->sums);
    return sum_of(run->x, 0, 13 * n);
  };
}
std::function<double()> item_by_item(std::size_t n, bool rolling, int steps) {
  auto run = std::make_shared<Running>(n, rolling, false, false, 1);
  return [=] {
    for (int i = 0; i < steps; ++i) run->step_whole(PlainSums{});
    return sum_of(run->x, 0, 13 * n);
  };
}
std::function<double()> by_hand(std::size_t n, bool rolling, int steps,
                                void (handwritten::Spheres::*rk4)(std::size_t, double, double*) const) {
  World world;
  build(world, n, rolling);
  auto x = std::make_shared<std::vector<double>>(world.start());
  x->resize(handwritten::Spheres::columns * n);
  return [=] {
    for (int i = 0; i < steps; ++i) (numbers.*rk4)(n, h, x->data());
    return sum_of(*x, 0, 13 * n);
  };
}

// --- one block, three states --------------------------------------------------------------------------------------------

struct Block {
  double mass = 1, F = .5, K = 5e3, beta = 2e-3;

  double run(int steps, double step) const {
    double s[3] = {0, 0, 0};
    const auto rates = [&](double t, const double* y, double* k) {
      const double f = std::clamp(K * (y[2] + beta * y[1]), -F, F);
      k[0] = y[1];
      k[1] = (.55 * std::min(1.0, t) - f) / mass;
      k[2] = (f / K - y[2]) / beta;
    };
    for (int i = 0; i < steps; ++i) {
      const double t = i * step;
      double k[4][3], y[3];
      rates(t, s, k[0]);
      for (int c = 0; c < 3; ++c) y[c] = s[c] + step / 2 * k[0][c];
      rates(t + step / 2, y, k[1]);
      for (int c = 0; c < 3; ++c) y[c] = s[c] + step / 2 * k[1][c];
      rates(t + step / 2, y, k[2]);
      for (int c = 0; c < 3; ++c) y[c] = s[c] + step * k[2][c];
      rates(t + step, y, k[3]);
      for (int c = 0; c < 3; ++c) s[c] += step / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
    return s[0];
  }
};

Contest block_contest() {
  constexpr int steps = 2000;
  constexpr double step = 1e-3;
  const Block numbers_of_block;
  auto world = std::make_shared<World>();
  const auto block = world->add("block", PointMass<double>{numbers_of_block.mass});
  SingleState<> law;
  law.F = numbers_of_block.F;
  law.K = numbers_of_block.K;
  law.beta = numbers_of_block.beta;
  world->add("floor", law, Line<double>{}, block, ground);
  world->push(block, 0, [](double t) { return .55 * std::min(1.0, t); });
  const auto in_world = [world] {
    std::vector<double> x = world->start();
    Workspace work(*world);
    RungeKutta method(Method::rk4, x.size());
    const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { work.rate(t, y, tau, dy); };
    for (int k = 0; k < steps; ++k) {
      method.step(rate, k * step, step, x);
      work.between_steps((k + 1) * step, x);
    }
    return x[0];
  };
  return {"block on floor, RK4 step",
          steps,
          false,
          {{"by hand", [=] { return numbers_of_block.run(steps, step); }}, {"world", in_world, 8}}};
}

/// A stiff chain with friction, 2 s of cvode: its Jacobian dense and by differences, or exact and sparse.
Contest stiff_contest(int masses) {
  const auto world = std::make_shared<World>();
  BodyId last = ground;
  for (int i = 0; i < masses; ++i) {
    const auto mass = world->add("mass", PointMass<double>{1}, {0, .1 * (i % 3)});
    Spring<> spring;
    spring.K = 1e4;
    spring.B = 10;
    world->add("spring", spring, Line<double>{}, mass, last);
    SingleState<> rub;
    rub.K = 1e5;
    rub.beta = 1e-2;
    world->add("rub", rub, between(mass, ground));
    last = mass;
  }
  world->push(last, 0, [](double t) { return 3 * std::sin(5 * t); });
  const auto advanced = [world](std::unique_ptr<Integrator> cvode) {
    cvode->start(0, world->start());
    cvode->advance(2);
    return cvode->time();
  };
  const RateFunction plain = [world, work = std::make_shared<Workspace>(*world)](double t, std::span<const double> x, double tau,
                                                                                 std::span<double> xdot) {
    work->rate(t, x, tau, xdot);
  };
  return {fmt::format("cvode, chain of {} masses, 2 s", masses),
          1,
          true,
          {{"dense, differences", [=] { return advanced(make_integrator("cvode", plain)); }},
           {"sparse, exact", [=] { return advanced(make_integrator("cvode", *world)); }}},
          3};
}

}  // namespace

void world_contests(const std::function<void(Contest)>& hold) {
  const auto items = [](std::size_t n, int steps) { return double(n) * steps; };
  for (const bool rolling : {false, true})
    for (const std::size_t n : {100U, 1000U, 10000U, 100000U}) {
      const int steps = std::max(4, int(20000 / n));
      const std::string text = fmt::format("{} {} spheres, RK4 step", n, rolling ? "rolling" : "resting");
      Contest contest{text, items(n, steps), false, {}, n < 100000 ? 30 : 10};
      contest.contenders = {{"by hand", by_hand(n, rolling, steps, &handwritten::Spheres::rk4)},
                            {"world in parts", in_parts(n, rolling, steps, 1), 1.3},
                            {"world as a whole", whole(n, rolling, steps)}};
      if (rolling) {
        contest.contenders.push_back({"world, item by item", item_by_item(n, rolling, steps)});
        contest.contenders.push_back({"parts, 4 steps at once", in_parts(n, rolling, steps, 4)});
#ifdef ASPERITY_WIDE_SPHERES
        if (supported(Isa::avx2))
          contest.contenders.push_back({"by hand, avx2", by_hand(n, rolling, steps, &handwritten::Spheres::rk4_avx2)});
        if (supported(Isa::avx512))
          contest.contenders.push_back({"by hand, avx512", by_hand(n, rolling, steps, &handwritten::Spheres::rk4_avx512)});
#endif
      }
      hold(std::move(contest));
    }

  // The same number of contacts and steps in each: how the time of one grows with the size of the world.
  const auto counted = [](const std::function<double()>& work, double result) {
    return [=] { return std::isfinite(work()) ? result : 0.0; };
  };
  const double much = items(100000, 4);
  for (const bool parts : {true, false}) {
    Contest flat{parts ? "growing world, in parts" : "growing world, as a whole", much, false, {}, 10};
    for (const std::size_t n : {1000U, 10000U, 100000U}) {
      const int steps = int(400000 / n);
      flat.contenders.push_back({fmt::format("{} rolling", n),
                                 counted(parts ? in_parts(n, true, steps, 1) : whole(n, true, steps), much), n == 1000 ? 0 : 1.5});
    }
    hold(std::move(flat));
  }

  if (threads_available()) {
    constexpr std::size_t n = 100000;
    constexpr int steps = 4;
    hold({"100000 spheres, threads",
          items(n, steps),
          true,
          {{"parts, 1", in_parts(n, true, steps, 1, 1)},
           {"parts, 2", in_parts(n, true, steps, 1, 2), 1.7},
           {"whole, 1", whole(n, true, steps, 1)},
           {"whole, 2", whole(n, true, steps, 2)}},
          20,
          true});
  }
  hold(block_contest());
  for (const int masses : {1, 4, 32}) hold(stiff_contest(masses));
}
