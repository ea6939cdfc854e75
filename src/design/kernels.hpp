// What the kernels of one instruction set offer to the dispatcher. Plain pointers: nothing here may be compiled for AVX and shared.
#pragma once

#include <cstddef>

#include "asperity/design/restitution.hpp"

namespace asperity::simd {

struct ImpactCall {
  std::size_t begin, end;
  const double* const* parameters;
  const double* mass;
  const double* speed;
  design::ReboundColumns out;
  double tolerance;
};

/// For each law of the catalogue, in its order; null for laws without impacts.
using ImpactKernel = void (*)(const ImpactCall&) noexcept;
using ImpactKernels = const ImpactKernel*;

extern const ImpactKernels Baseline_impacts;
extern const ImpactKernels Avx2_impacts;
extern const ImpactKernels Avx512_impacts;

}  // namespace asperity::simd
