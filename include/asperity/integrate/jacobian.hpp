// The Jacobian of a rate that is written over any scalar: exact, by dual numbers, and only where the rate can depend on the state.
//
//   options.sparse_jacobian = [&] { return sparse_jacobian(generic_rate, pattern); };
//
// make_integrator(method, world) does that by itself.
#pragma once

#include <functional>
#include <span>

#include "asperity/scalar/dual.hpp"
#include "asperity/system/pattern.hpp"

namespace asperity {

/// d xdot[i] / d x[j] for tau = 0: the entries of a pattern in its order.
struct SparseJacobian {
  Pattern pattern;
  std::function<void(double t, std::span<const double> x, std::span<double> entries)> entries;
};

using DualRate = std::function<void(double t, std::span<const Dual<8>> x, std::span<Dual<8>> xdot)>;

/// Columns that share no row are found in one direction: a field of separate bodies costs as many passes as one of them.
SparseJacobian sparse_jacobian(DualRate rate, Pattern pattern);

/// A colour for each column, from 0 on, such that columns of one colour share no row.
std::vector<std::size_t> colours_of(const Pattern& pattern);

}  // namespace asperity
