// Maps of restitutions: SIMD lanes and threads beside the scalar loop.
#pragma once

#include "contest.hpp"

void design_map_contests(const std::function<void(Contest)>& hold);
