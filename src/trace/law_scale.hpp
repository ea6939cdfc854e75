// How large and how fast a motion shows the character of a law: read from the units of its parameters, so that a new law needs no
// line here.
#pragma once

#include "asperity/any_law.hpp"

namespace asperity {

struct FrictionScale {
  double give;      // m: deflection at which it yields altogether
  double fine;      // m: deflection at which the first element yields
  double velocity;  // m/s: well into sliding
};
/// The load counts for a composite only, whose limits are coefficients.
FrictionScale friction_scale(const AnyLaw& law, double load);

struct ContactScale {
  double depth;  // m: indentation under `force` at rest
  double time;   // s: over which its damping acts
};
ContactScale contact_scale(const AnyLaw& law, double force);

}  // namespace asperity
