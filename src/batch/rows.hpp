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

}  // namespace asperity::simd

namespace asperity::rows::batch {

struct Entry {
  const char* name;
  std::size_t name_size;
  std::size_t parameters, states, inputs, forces;
  void (*react)(const simd::ReactCall&) noexcept;
  void (*rk4_mass)(const simd::MassCall&) noexcept;  // null for laws that are no friction ODE
};
struct Row {
  const Entry* laws;
  std::size_t count;
  std::size_t lanes;
};
struct Table {
  const Row* const* rows;
  std::size_t count;
};
extern const Table tableBaseline;
extern const Table tableAvx2;
extern const Table tableAvx512;

}  // namespace asperity::rows::batch
