#include "experiment.hpp"

namespace asperity::reproduce {

std::vector<Experiment> xiong2013_contact() { return {}; }

}  // namespace asperity::reproduce
