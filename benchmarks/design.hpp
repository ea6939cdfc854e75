// Design: maps of restitutions in SIMD lanes and on threads beside the scalar loop; one contact designed beside one impact
// simulated.
#pragma once

#include "contest.hpp"

void design_contests(const std::function<void(Contest)>& hold);
