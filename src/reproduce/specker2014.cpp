#include "experiment.hpp"

namespace asperity::reproduce {

std::vector<Experiment> specker2014() { return {}; }

}  // namespace asperity::reproduce
