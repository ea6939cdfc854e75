// What a run is about to do, looked at before it starts: strikes, swings, spins, equations of the user's own, bodies that are where
// they should not be. Parts of check().
#pragma once

#include <set>
#include <vector>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/setup/checks.hpp"

namespace asperity {

/// Accelerations of the world as it starts, in the place of velocities.
std::vector<double> first_accelerations(Network& network);

/// Returns the parts of which it has told the restitution.
std::set<const Network::Part*> check_first_strikes(Network& network, Method method, const CheckOptions& options,
                                                   std::vector<Warning>& list);
void check_swings(Network& network, const CheckOptions& options, std::vector<Warning>& list);
void check_spins(const Network& network, const CheckOptions& options, std::vector<Warning>& list);
void check_equations(const Network& network, Method method, const CheckOptions& options, std::vector<Warning>& list);
void check_depths(Network& network, std::vector<Warning>& list);
void check_support(Network& network, const CheckOptions& options, std::vector<Warning>& list);

}  // namespace asperity
