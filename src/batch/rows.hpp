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
  // The items of a pool, some of them: item 0 stands at `offset` in the columns of parameters, states and rates.
  std::size_t offset = 0;
  const bool* same = nullptr;  // parameters that have one number for all items; null: none
  bool all_same = false;
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
  const char* with;  // of a frictional contact of any two laws: `name` is its contact law, `with` its friction law
  std::size_t with_size;
  int dimension;
  std::size_t parameters, states, inputs, forces;
  void (*react)(const simd::ReactCall&) noexcept;
  void (*rk4_mass)(const simd::MassCall&) noexcept;  // null for laws that are no friction ODE
};
struct Row {
  const Entry* laws;  // along a line, each by its own name
  std::size_t count;
  const Entry* others;  // in the plane and in space, and frictional contacts
  std::size_t other_count;
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

namespace asperity::simd {

/// The kernel of the laws of a pool, by LawPool::kind(). Null: there is none.
const rows::batch::Entry* find_law(Isa isa, std::string_view kind, int dimension) noexcept;

}  // namespace asperity::simd
