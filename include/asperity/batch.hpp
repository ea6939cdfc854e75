// Many systems of one law at once, in SIMD lanes, with the instruction set chosen at run time. The equations are the laws' own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace asperity {

/// Instruction sets for which there are kernels; `baseline` is what every machine of the architecture has.
enum class Isa { baseline, avx2, avx512 };
inline constexpr Isa all_isas[] = {Isa::baseline, Isa::avx2, Isa::avx512};

/// Whether this build has kernels for it and this machine runs them.
bool supported(Isa isa) noexcept;
/// The widest that is supported.
Isa best_isa() noexcept;
std::string_view name(Isa isa) noexcept;
/// Systems that one instruction works on; 0 if this build has no kernels for it.
std::size_t lanes(Isa isa) noexcept;

/// Structure of arrays: columns[i][k] is number i of system k. No alignment is asked for.
using ColumnList = std::span<const double* const>;
using MutableColumnList = std::span<double* const>;

/// How many columns a law has. In one dimension, with default_elements elements where a law is made of elements.
struct BatchColumns {
  std::size_t parameters = 0;  // every number of describe(), in its order
  std::size_t states = 0;      // the flat state
  std::size_t inputs = 0;      // friction: v, load; contact: gap, rate; composite: gap, rate, v
  std::size_t forces = 0;      // 1; composite: normal, tangential
  bool mass = false;           // whether rk4_mass_batch() takes it: friction laws that live in continuous time
};
BatchColumns batch_columns(std::string_view law);

/// react() of n systems. Throws std::invalid_argument for an unknown law, an unsupported instruction set or missing columns.
void react_batch(Isa isa, std::string_view law, std::size_t n, ColumnList parameters, ColumnList states, ColumnList inputs,
                 double tau, MutableColumnList force, MutableColumnList rate);

/// What moves the masses, one number a system:  M vdot = f_e(t) - f,  f_e(t) = mean + amplitude sin(omega t + phase)
struct MassDrive {
  const double* mass;       // kg
  const double* mean;       // N
  const double* amplitude;  // N
  const double* omega;      // rad/s
  const double* phase;      // rad
};

/// n masses, each on a friction law of its own: `steps` steps of length h of the classical Runge-Kutta method. The columns of the
/// state are position, velocity, and the state of the law. Step k begins at t = k h; `first` continues an earlier call.
/// The switches of a hybrid law act after each step. Throws as react_batch() does, and for a law that is no friction ODE.
void rk4_mass_batch(Isa isa, std::string_view law, std::size_t n, ColumnList parameters, const MassDrive& drive,
                    MutableColumnList state, double h, std::int64_t steps, std::int64_t first = 0);

}  // namespace asperity
