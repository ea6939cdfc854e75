// The laws that stand where nothing else is asked for: in a frictional contact, in a hinge, in a scene that names none.
#pragma once

#include "asperity/contact/linear_compliance.hpp"
#include "asperity/friction/single_state.hpp"

namespace asperity {

template <class S = double, int D = 1>
using DefaultFriction = SingleState<S, D>;
template <class S = double>
using DefaultContact = LinearCompliance<S>;

}  // namespace asperity
