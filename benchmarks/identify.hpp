// Slopes of a fit beside the force they are slopes of.
#pragma once

#include "contest.hpp"

void identify_contests(const std::function<void(Contest)>& hold);
