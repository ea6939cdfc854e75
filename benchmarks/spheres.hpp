// What an engineer would write by hand for many equal spheres on a horizontal floor, and for nothing else: structure of arrays, in
// blocks that stay in the cache, everything that does not change or is always zero left out (the inertia is a number, the normal is
// z, the asperity lies in the floor). asperity_bench compares its answers with the library's before it compares the times.
#pragma once

#include <cstddef>

namespace handwritten {

struct Spheres {
  double mass, radius, gravity;
  double normal_K, alpha, beta;
  double mu, K, beta_t;

  static constexpr std::size_t columns = 16;  // position, rotation, velocity, spin, e, a

  /// One step of the classical Runge-Kutta method of n spheres; column c begins at x + c * n.
  void rk4(std::size_t n, double h, double* x) const;
  /// The same lines, compiled for the instruction set of the name with all that vectorizes them.
  void rk4_avx2(std::size_t n, double h, double* x) const;
  void rk4_avx512(std::size_t n, double h, double* x) const;
};

}  // namespace handwritten
