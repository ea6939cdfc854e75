// Carries out experiments on several threads. What comes out does not depend on how many there are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asperity/reproduce/experiment.hpp"

namespace asperity::reproduce {

struct Result {
  const Experiment* experiment;
  Findings findings{};
  std::string failure{};  // why there are no findings; empty: all went well
  bool passed() const noexcept;
};

/// How far it is: called from the calling thread, some times a second.
struct Progress {
  std::size_t done = 0, all = 0;
  double cost_done = 0, cost_all = 0;  // s, roughly
  std::vector<std::string> at_work{};  // ids
};

/// In the order given; long ones start first. `stop` is asked some times a second: true ends the scenes that are being run within a
/// step, and starts no more; what was not carried out then has the failure "stopped".
std::vector<Result> carry_out(const std::vector<const Experiment*>& chosen, int threads,
                              const std::function<void(const Progress&)>& progress = {}, const std::function<bool()>& stop = {});

}  // namespace asperity::reproduce
