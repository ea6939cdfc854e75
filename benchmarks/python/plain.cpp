// What benchmarks/python/bench.py compares the package with: the same work in C++. Prints seconds of the
// processor, the best of several.
//   plain follow SAMPLES | plain run SCENE STEPS
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "asperity/friction/lugre.hpp"
#include "asperity/friction/single_state.hpp"
#include "asperity/job/job.hpp"
#include "asperity/step.hpp"

namespace {

using namespace asperity;

template <class Work>
double best_of(int times, Work work) {
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, double(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

template <class Law>
double follow(const std::vector<double>& v) {
  return best_of(7, [&] {
    std::vector<double> force(v.size());
    Law law{};
    asm volatile("" : "+m"(law));  // its parameters are known when the program runs, not before
    auto z = law.start();
    for (std::size_t k = 0; k < v.size(); ++k) force[k] = step(law, z, {v[k], 1.0}, 1e-3);
    if (std::isnan(force.back())) std::puts("nan");
  });
}

}  // namespace

int main(int count, char** argument) {
  if (count == 3 && !std::strcmp(argument[1], "follow")) {
    std::vector<double> v(std::size_t(std::atol(argument[2])));
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = 1e-2 * std::sin(1e-2 * double(k));
    std::printf("%.9f %.9f\n", follow<SingleState<double>>(v), follow<LuGre<double>>(v));
    return 0;
  }
  if (count == 3 && !std::strcmp(argument[1], "run")) {
    std::vector<SceneProblem> problems;
    const auto scene = read_scene_file(argument[2], {}, problems);
    if (!scene) return 2;
    std::printf("%.9f\n", best_of(7, [&] { run_job(*scene); }));
    return 0;
  }
  return 2;
}
