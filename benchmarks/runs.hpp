// Runs, with events, energy account and recording, beside the integrators that they drive.
#pragma once

#include "contest.hpp"

void run_contests(const std::function<void(Contest)>& hold);
