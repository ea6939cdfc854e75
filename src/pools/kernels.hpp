// What the kernels of one instruction set offer to the pools. Plain pointers: nothing here may be compiled for AVX and shared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch/rows.hpp"

namespace asperity::simd {

/// One array for each number of an item; a number that is the same in all items is an array of one.
struct ParameterArrays {
  const double* const* columns;
  const bool* same;
  bool all_same;
};

/// One end of the elements. Columns stand `count` and `force_count` apart.
struct EndArrays {
  const double* motion;  // null: the ground
  std::size_t count;
  const std::uint32_t* index;  // null: element i sits on body i
  double* force;               // where the force is added, in order; or
  double* aside;               // where it is put, column by column, to be added later; or neither
  std::size_t force_count;
};

/// Elements begin ... end of a pool of `count`. What is handed to the laws and comes back from them stands in columns `stride`
/// apart, that of the first element at 0.
struct ConnectionCall {
  std::size_t begin, end, count;
  ParameterArrays parameters;
  EndArrays a, b;
  double* seen;
  const double* push;
  std::size_t stride;
};
struct ConnectionFunctions {
  void (*gather)(const ConnectionCall&) noexcept;
  void (*scatter)(const ConnectionCall&) noexcept;
};

/// Bodies begin ... end of a pool of `count`.
struct BodyCall {
  std::size_t begin, end, count;
  ParameterArrays parameters;
  const double* state;
  const double* force;
  double* rate;  // or, of tidy, the state
};

struct BodyFunctions {
  void (*rate)(const BodyCall&) noexcept;
  void (*tidy)(const BodyCall&) noexcept;  // null: nothing to do
};

/// The vector arithmetic of RungeKutta, see PlainSums.
struct SumFunctions {
  void (*move)(std::size_t n, double h, const double* k, double* x) noexcept;
  void (*first)(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) noexcept;
  void (*next)(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) noexcept;
  void (*last)(std::size_t n, double weight, const double* k, const double* sum, double* x) noexcept;
};

struct PoolFunctions {
  const ConnectionFunctions* connections;  // in the order of ConnectionKinds
  const BodyFunctions* bodies;             // in the order of BodyKinds
  const rows::batch::Entry* spring;        // which is in no list of laws
  SumFunctions sums;
};

extern const PoolFunctions Baseline_pools;
extern const PoolFunctions Avx2_pools;
extern const PoolFunctions Avx512_pools;

}  // namespace asperity::simd
