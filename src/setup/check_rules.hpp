// The rules that check() asks, one after the other; see outlook.hpp for those that look ahead.
#pragma once

#include <vector>

#include "asperity/integrate/runge_kutta.hpp"
#include "asperity/setup/checks.hpp"

namespace asperity {

/// Fixed steps.
void check_steps(Network& network, Method method, const CheckOptions& options, std::vector<Warning>& list);

/// As the run starts.
void look_at_strikes(Network& network, std::vector<Warning>& list);
void say_what_is_unchecked(const Network& network, std::vector<Warning>& list);
void check_preload(Network& network, bool preloaded, std::vector<Warning>& list);
double load_on(const Network::Part& part, const Network& network);

/// Loads that friction is to hold.
void check_holding(Network& network, const CheckOptions& options, std::vector<Warning>& list);

/// Methods.
void check_methods(const Network& network, const CheckOptions& options, std::vector<Warning>& list);
void check_strikes(Network& network, const CheckOptions& options, std::vector<Warning>& list);
void check_closed_forms(const Network& network, const CheckOptions& options, std::vector<Warning>& list);

/// Inputs and prescribed motions.
void check_feedback(Network& network, const CheckOptions& options, std::vector<Warning>& list);
void check_jumps(const Network& network, const CheckOptions& options, std::vector<Warning>& list);
void check_pulses(const Network& network, const CheckOptions& options, std::vector<Warning>& list);

}  // namespace asperity
