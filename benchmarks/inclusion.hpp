// Differential inclusions beside the equations that come out of them, typed by hand.
#pragma once

#include "contest.hpp"

void inclusion_contests(const std::function<void(Contest)>& hold);
