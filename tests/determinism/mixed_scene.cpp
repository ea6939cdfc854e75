// A mixed scene: balls that collide and roll, blocks in a row on a conveyor, an arm with joint friction; a hash of its state after
// two seconds. Built by this test's CMakeLists.txt with several compilers and options; all of them print the same line.
// What is promised, and of which laws, is in docs/decisions/large-worlds.md.
//   mixed_scene [plain | lanes | parts] [THREADS]
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#ifdef ASPERITY_WITH_POOLS
#include "asperity/pools/kernels.hpp"
#endif

using namespace asperity;

namespace {

using Contact = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

Contact contact(double mu) {
  Contact law;
  law.normal = {2e4, 5e-4, 1e-3};
  law.tangential.F = mu;
  law.tangential.K = 2e4;
  law.tangential.beta = 1e-3;
  return law;
}

void build(World& world) {
  // Balls, enough of them for lanes, each thrown at its neighbour.
  const double R = .1;
  std::vector<BodyId> balls;
  for (int i = 0; i < 20; ++i) {
    RigidBody<double> ball = RigidBody<double>::of(.3, inertia::sphere(.3, R));
    ball.gravity[2] = -9.8;
    Frame<double> start;
    start.p = {{.25 * i, 0, R + .02 * (i % 4)}};
    start.v = {{i % 2 ? -.6 : .7, .05 * i, 0}};
    balls.push_back(world.add("ball", ball, start));
    BallPlane<double, true> floor;
    floor.radius = R;
    world.add("floor", contact(.3), floor, balls.back(), ground);
    if (i > 0) world.add("touch", contact(.4), BallBall<double>{R, R}, balls[std::size_t(i - 1)], balls.back());
  }
  // Blocks on a conveyor that speeds up and slows down, held back by springs.
  const auto conveyor = world.add_given<1>("conveyor", [](double t) {
    return Port<double, 1>{.1 * t - .02 * t * t, .1 - .04 * t};
  });
  for (int i = 0; i < 18; ++i) {
    const auto block = world.add("block", PointMass<double>{1 + .1 * i});
    SingleState<> rub;
    rub.F = 2 + .1 * i;
    rub.K = 5e3;
    world.add("rub", rub, Line<double>{}, block, conveyor);
    Spring<> spring;
    spring.K = 40;
    world.add("spring", spring, Line<double>{}, block, ground);
  }
  const auto arm = world.add_arm("arm", {{1, .5}, {.8, .4}, {.5, .3}}, {{.3, 0}, {.2, 0}, {-.1, 0}}, {0, -9.8});
  for (std::uint32_t joint = 1; joint <= 3; ++joint) {
    SingleState<> rub;
    rub.F = .4;
    rub.K = 2e3;
    world.add("joint", rub, Line<double>{}, World::joint(arm, joint), ground);
  }
  world.push(World::joint(arm, 1), 0, [](double t) { return 3 * t; });
}

/// FNV-1a over the bits of the state.
std::uint64_t hash_of(const std::vector<double>& x) {
  std::uint64_t hash = 14695981039346656037U;
  for (const double number : x)
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (std::bit_cast<std::uint64_t>(number) >> (8 * byte) & 0xff)) * 1099511628211U;
  return hash;
}

void run_plain(Workspace work, std::vector<double>& x, long steps, double h) {
  RungeKutta method(Method::rk4, x.size());
  const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> dy) { work.rate(t, y, tau, dy); };
  for (long k = 0; k < steps; ++k) {
    method.step(rate, double(k) * h, h, x);
    work.between_steps(double(k + 1) * h, x);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view way = count > 1 ? arguments[1] : "plain";
  constexpr long steps = 4000;
  constexpr double h = 5e-4;
  World world;
  build(world);
#ifdef ASPERITY_WITH_POOLS
  const Speed speed{.threads = count > 2 ? std::atoi(arguments[2]) : 1,
                    .smallest_pool = way == "lanes" ? 16U : 1U,
                    .chunk = 8,
                    .part_numbers = 1};
  const auto kernels = way == "lanes" ? lane_kernels(speed) : nullptr;
#else
  const std::shared_ptr<const KernelMaker> kernels;
#endif
  std::vector<double> x = world.start();
  const std::vector<double> start = x;
  if (way == "plain" || way == "lanes") run_plain(Workspace(world, kernels), x, steps, h);
#ifdef ASPERITY_WITH_POOLS
  else Parts(world, Method::rk4, speed).advance(0, steps, h, x);
#endif
  double moved = 0;
  for (std::size_t i = 0; i < x.size(); ++i) moved += std::abs(x[i] - start[i]);
  if (!std::isfinite(moved) || moved < 1) return 1;  // a scene that does not move would prove nothing
  std::printf("%016llx\n", static_cast<unsigned long long>(hash_of(x)));
}
