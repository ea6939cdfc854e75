// How long a step may be: the exact amplification matrix of one step of a method for the linear motions of friction and contact.
//
//   stuck    M v' = -(K a + B v),  a' = v                                   friction that holds, springs, dampers
//   sliding  a' = (sgn(v) F/K - a)/beta                                     the memory of friction that slides
//   touching M v' = f, gap' = v, f and e' of linear_compliance in touch     contact
//
// The matrix is what RungeKutta::step itself makes of unit vectors, so it is that of the program, look-ahead included. A step is
// stable if the spectral radius is at most 1. In b = beta/T and kappa = K T^2/M the closed rules are its summary:
//   rk4            z^2 + kappa b z + kappa = 0 must have its roots where |1 + z + z^2/2 + z^3/6 + z^4/24| <= 1. That region ends at
//                  z = -2.7853 = -reach: b >= 1/reach for sliding, kappa <= reach^2/(reach b - 1) for sticking from b = .75 on
//   euler          |1 + z| <= 1: b >= 1/2 for sliding, b >= 1 and kappa <= 2/(b - 1/2) for sticking
//   step           the memory's own step is implicit: kappa <= 2/(b + 1/2)
//   rk4-lookahead  the same, and the mean look-ahead adds the damping .75 K T: kappa <= 5.2 for small b
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/statics.hpp"

namespace asperity::design {

/// "euler", "step", "rk4", "rk4-lookahead"; none for a method that chooses its own steps.
std::optional<Method> fixed_step(std::string_view method);

template <std::size_t N>
using Matrix = std::array<std::array<double, N>, N>;

/// (v step, a) after a step from (v step, a). A spring does not look ahead, the memory of friction does.
Matrix<2> stuck_step(double K, double B, bool looks_ahead, double mass, double step, Method method);
/// (v step, gap, e) after a step, around rest in touch.
Matrix<3> touching_step(double K, double alpha, double beta, double mass, double step, Method method);
/// What is left after a step of a memory with this time constant.
double sliding_step(double memory, double step, Method method);

/// The factor by which the slowest-dying, or fastest-growing, motion changes in a step.
double spectral_radius(const Matrix<2>& A);
double spectral_radius(const Matrix<3>& A);

/// Of a part of an element on an effective mass: stuck, or in touch.
double spectral_radius(const Stiffness& part, double mass, double step, Method method);
bool stable(const Stiffness& part, double mass, double step, Method method);

/// How far from zero on the negative axis a method is stable: memory with time constant c needs step <= reach c.
double reach(Method method);

/// The smallest effective mass with which a step is stable for a part; infinite if there is none, 0 if any will do.
double smallest_mass(const Stiffness& part, double step, Method method);
/// The largest stiffness, below its own, with which a step is stable; 0 if there is none. Where damping is a time it is kept.
double largest_stiffness(const Stiffness& part, double mass, double step, Method method);
/// The longest step that is stable, and all shorter ones with it: stuck and sliding, or in touch and step <= reach alpha, what its
/// memory asks for under an infinite mass. 0 if there is none, infinite if any will do. Contacts:
/// largest_step(statics::stiffness(law, depth), ...).
double largest_step(const Stiffness& part, double mass, Method method);

}  // namespace asperity::design
