// Implicit steps beside explicit ones.
#pragma once

#include "contest.hpp"

void implicit_contests(const std::function<void(Contest)>& hold);
