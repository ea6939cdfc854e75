// `asperity identify --plan`: the experiment before the data.
#pragma once

#include <string>
#include <vector>

namespace asperity::cli {

/// As typed.
struct PlanCommand {
  bool wanted = false;
  std::string laws, mass, stroke, speed, force, position_noise, force_noise, rate, duration, elements, folder;
  std::vector<std::string> guess;
  bool json = false;
};

int run_plan(const PlanCommand& typed);

}  // namespace asperity::cli
