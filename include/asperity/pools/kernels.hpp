// Large worlds, fast: pools in SIMD lanes and on several threads, and worlds that fall into independent parts.
//
//   Workspace work(world, lane_kernels());         its rate; and IntegratorOptions::kernels of every method; or
//   Parts parts(world, Method::rk4);              a world of many independent parts, each kept in the cache
//   parts.advance(first, steps, h, x);
//
// What is promised: the numbers are those of the plain loops, bit for bit, with any instruction set and any number of threads, for
// laws and connections made of + - * / sqrt and comparisons. A law with exp or pow uses words of its own for lanes
// (src/batch/lanes.hpp), which differ from the C library in the last bits. Pools of fewer than `smallest_pool` items go item by
// item.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "asperity/batch.hpp"
#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/system/world.hpp"

namespace asperity {

namespace simd {
struct SumFunctions;
}

struct Speed {
  Isa isa = best_isa();
  int threads = 1;                  // more than one needs a build with oneTBB, see threads_available()
  std::size_t smallest_pool = 8;    // items; smaller pools are not worth a kernel
  std::size_t chunk = 4096;         // items that a thread works on at a time; pools of less than two chunks stay on one thread
  std::size_t part_numbers = 1024;  // of the state: a part of a world is at least as large, if there is so much of it
  bool same_bits = false;           // only kernels whose numbers are those of the plain loops: none for laws with exp or pow
};

/// Whether this build can use more than one thread.
bool threads_available() noexcept;

/// Kernels for the bodies and connections of src/pools/kinds.hpp and every law that has one. Throws std::invalid_argument if this
/// machine or this build has no such speed.
std::shared_ptr<const KernelMaker> lane_kernels(const Speed& speed = {});

/// The vector arithmetic of RungeKutta in lanes and on threads.
class LaneSums {
 public:
  explicit LaneSums(const Speed& speed = {});
  void move(std::size_t n, double h, const double* k, double* x) const;
  void first(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) const;
  void next(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) const;
  void last(std::size_t n, double weight, const double* k, const double* sum, double* x) const;

 private:
  template <class Chunk>
  void each_chunk(std::size_t n, Chunk chunk) const;
  Speed speed_;
  const simd::SumFunctions* functions_;
};

/// A world cut where nothing connects its bodies, so that each part runs through all stages of many steps while it is in the cache,
/// and parts run side by side. The numbers are those of the whole world. Courses and pushes are called from all threads.
class Parts {
 public:
  /// Parameters are copied: changes of the world after this are not seen.
  Parts(const World& world, Method method, const Speed& speed = {});
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::size_t count() const noexcept;
  /// Steps first ... first + steps - 1 of length h, step k from t = k h, with what happens between steps.
  void advance(std::int64_t first, std::int64_t steps, double h, std::span<double> x);

 private:
  struct Part;

  Method method_;
  Speed speed_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace asperity
