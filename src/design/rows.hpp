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

}  // namespace asperity::simd

namespace asperity::rows::design {

struct Entry {
  const char* name;
  std::size_t name_size;
  std::size_t parameters;
  void (*impacts)(const simd::ImpactCall&) noexcept;  // null for laws without impacts
};
struct Row {
  const Entry* laws;
  std::size_t count;
};
struct Table {
  const Row* const* rows;
  std::size_t count;
};
extern const Table tableBaseline;
extern const Table tableAvx2;
extern const Table tableAvx512;

}  // namespace asperity::rows::design
