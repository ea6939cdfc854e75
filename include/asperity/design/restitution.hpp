// How a mass comes back from a contact: any contact law of the catalogue, in closed form or by simulation, one impact or a million.
//
// A mass M meets the law at the speed v0, without gravity: M gap'' = f, gap(0) = 0, gap'(0) = -v0. The contact ends where the force
// has ended for good: at zero force, or at zero gap for laws that pull before they let go.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/any_law.hpp"
#include "asperity/batch.hpp"
#include "asperity/hooks.hpp"

namespace asperity::design {

struct Rebound {
  double restitution;   // speed after over speed before
  double contact_time;  // s; infinite where it never lets go
  double deepest;       // m, indentation
  double residual;      // m, indentation when the contact ends
  double peak_force;    // N
};

/// The laws that have impacts: contact laws in continuous time.
std::vector<std::string> impact_laws();

/// Whether the restitution of the law is known without simulation (impact.hpp).
bool has_closed_form(std::string_view law);
/// Whether the restitution of the law may depend on the speed of the impact.
bool minds_the_speed(std::string_view law);

/// In closed form where there is one, by simulation to 1e-10 otherwise. (What has
/// no closed form in such a law is simulated.) The parameters must be valid.
Rebound rebound(const AnyLaw& law, double mass, double speed);

/// By integration with steps of its own for each impact, to about `tolerance` in the restitution; the others follow with
/// 1e3 tolerance, relatively. NaN in the restitution if the contact does not end or the
/// memory is too fast to tell. The parameters must be valid.
Rebound simulated_rebound(const AnyLaw& law, double mass, double speed, double tolerance = 1e-10);

struct ImpactSettings {
  double tolerance = 1e-10;
  Isa isa = best_isa();
  int threads = 1;
  Hooks hooks{};  // of restitutions(): cells that were not worked out when it was stopped are NaN
};

/// Columns of n numbers. All but the first may be null, together: the restitution alone costs less.
struct ReboundColumns {
  double* restitution;
  double* contact_time = nullptr;
  double* deepest = nullptr;
  double* residual = nullptr;
  double* peak_force = nullptr;
};

/// n impacts at once in SIMD lanes: columns of parameters in the order of describe(), masses and speeds. An impact does not depend
/// on its neighbours nor on the number of threads, bit by bit; on the instruction set within the tolerance. Throws
/// std::invalid_argument for a law without impacts, an unsupported instruction set or missing columns.
void simulate_impacts(std::string_view law, std::size_t n, ColumnList parameters, const double* mass, const double* speed,
                      const ReboundColumns& out, const ImpactSettings& settings = {});

/// A parameter of the law, "mass" or "v0", over evenly spaced values, on a logarithmic axis in the logarithm; two at least.
struct Sweep {
  std::string name;
  double low, high;
  std::size_t count;
  bool log = false;

  double at(std::size_t i) const;
};

/// Restitutions over the first sweep, row by row over the second if there is one; what is not swept is as given. In closed form
/// where there is one. All parameters must be valid.
std::vector<double> restitutions(const AnyLaw& law, double mass, double speed, const std::vector<Sweep>& sweeps,
                                 const ImpactSettings& settings = {});

}  // namespace asperity::design
