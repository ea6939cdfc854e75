#include "experiment.hpp"

namespace asperity::reproduce {

std::vector<Experiment> xiong2013_multistate() { return {}; }

}  // namespace asperity::reproduce
