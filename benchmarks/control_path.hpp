// How long one call of step() takes, for each law: what a control loop has to wait for.
#pragma once

#include <string>
#include <vector>

struct StepTimes {
  std::string name;
  double median, rare, worst;  // ns; rare: 99.9 % are faster
};
std::vector<StepTimes> control_path();
