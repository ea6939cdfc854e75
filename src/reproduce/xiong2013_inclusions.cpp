#include "experiment.hpp"

namespace asperity::reproduce {

std::vector<Experiment> xiong2013_inclusions() { return {}; }

}  // namespace asperity::reproduce
