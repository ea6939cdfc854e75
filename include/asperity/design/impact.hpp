// Impacts in closed form: how a mass that hits a contact law comes back.
//
// A mass M meets a contact at the speed v0, without gravity. In units of the time 1/omega, omega = sqrt(K/M), the speed v0 and the
// length v0/omega, the linear laws have one or two numbers left, and everything follows from them.
#pragma once

#include <optional>

#include "asperity/law.hpp"

namespace asperity::design {

/// Masses, speeds and sizes of an impact: the powers of what is beyond are no numbers.
inline constexpr Range impact_size = between(1e-30, 1e30);

/// In those units; peak force in M v0 omega.
struct ImpactShape {
  double restitution;   // speed after over speed before
  double contact_time;  // until the force is back at zero
  double deepest;       // indentation
  double residual;      // indentation when the force is back at zero
  double peak_force;
};

/// linear_compliance, the standard linear solid: r = alpha/beta in (0, 1], b = omega beta > 0. With the indentation d and the
/// remembered e,   d'' = -f,   f = e + (d - e)/r,   e' = (d - e)/(r b):
/// the roots s of  r b s^3 + s^2 + b s + 1 = 0  and  E(t) = exp[s1, s2, s3], the divided difference of exp(s t), give
///   d = E' + E/(r b),   d' = E'' + E'/(r b),   f = (E' + E/b)/r
/// without a trace of the partial fractions that blow up where roots meet. f has exactly one zero at which it ends: no root lies
/// between -1/b and 0, so that E'/E < -1/b in the end.                                                    [xiong2013 5]
ImpactShape linear_impact(double r, double b);

/// Restitution falls with b to a least value and then rises to 1 again; where, for a given r.
struct LeastRestitution {
  double b;
  double restitution;
};
LeastRestitution least_linear_restitution(double r);

/// The b on the falling branch that gives a restitution; none if it cannot be had with this r.
std::optional<double> linear_b_of(double r, double restitution);

/// kelvin_voigt_clamped: a spring and a damper that does not pull; zeta = B/(2 sqrt(K M)) >= 0. Ends where the force is zero,
///   t_c = 2 acos(zeta)/sqrt(1 - zeta^2),   restitution exp(-zeta t_c);   acosh above 1.
ImpactShape kelvin_voigt_impact(double zeta);
double kelvin_voigt_zeta_of(double restitution);

/// hunt_crossley, f = K d^lambda (1 + b2 d'): exact for every lambda,
///   b2 v0 - ln(1 + b2 v0) = -b2 e v0 - ln(1 - b2 e v0);
/// a function of D = b2 v0 alone.
double hunt_crossley_restitution(double D);
double hunt_crossley_D_of(double restitution);
/// Deepest indentation in units of L = (M v0^2/K)^(1/(lambda + 1)): from d'/(1 + b2 d') d d' = -d^lambda d d.
double hunt_crossley_deepest(double D, double lambda);

/// hertz, f = K d^lambda without loss: deepest in L, contact time in L/v0.
double hertz_deepest(double lambda);
double hertz_contact_time(double lambda);

}  // namespace asperity::design
