#include "experiment.hpp"

namespace asperity::reproduce {

std::vector<Experiment> kikuuwe_fujimoto() { return {}; }

}  // namespace asperity::reproduce
