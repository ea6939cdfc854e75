// Large worlds beside loops written by hand for them.
#pragma once

#include "contest.hpp"

/// One after the other: a large world is gone before the next one is built.
void world_contests(const std::function<void(Contest)>& hold);
