// What the kernels of one instruction set offer to the dispatcher. Plain pointers: nothing here may be compiled for AVX and shared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "asperity/batch.hpp"

namespace asperity::simd {

struct ReactCall {
  std::size_t n;
  const double* const* parameters;
  const double* const* states;
  const double* const* inputs;
  double tau;
  double* const* force;
  double* const* rate;
};

struct MassCall {
  std::size_t n;
  const double* const* parameters;
  MassDrive drive;
  double* const* state;
  double h;
  std::int64_t steps;
  std::int64_t first;
};

struct LawKernels {
  void (*react)(const ReactCall&) noexcept;
  void (*rk4_mass)(const MassCall&) noexcept;  // null for laws that are no friction ODE
};

struct Kernels {
  std::size_t lanes;
  const LawKernels* laws;  // in the order of the catalogue
};

extern const Kernels Baseline_kernels;
extern const Kernels Avx2_kernels;
extern const Kernels Avx512_kernels;

}  // namespace asperity::simd
