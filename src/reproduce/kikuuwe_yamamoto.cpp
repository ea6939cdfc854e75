#include "experiment.hpp"

namespace asperity::reproduce {

std::vector<Experiment> kikuuwe_yamamoto() { return {}; }

}  // namespace asperity::reproduce
