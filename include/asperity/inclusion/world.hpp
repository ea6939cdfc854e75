// An inclusion as a world: its states are columns of their own names, its terms are elements with events, so that a Run does with
// it what it does with any other world.
#pragma once

#include "asperity/inclusion/text.hpp"
#include "asperity/system/world.hpp"

namespace asperity {

World make_world(const std::shared_ptr<const TextInclusion>& model);

}  // namespace asperity
