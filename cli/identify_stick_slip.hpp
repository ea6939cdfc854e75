// asperity identify --spring: a sled pulled through a spring.
#pragma once

#include <string>
#include <vector>

namespace asperity::cli {

/// As typed; empty: not given.
struct StickSlipCommand {
  std::string data, laws, map, spring, pull, mass, load, slip, predict, validate, folder;
  std::vector<std::string> fix;
  bool json = false;
};
int run_stick_slip(const StickSlipCommand& typed);

}  // namespace asperity::cli
