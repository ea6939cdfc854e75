// The pools that most worlds of the tests have are instantiated once, in common_pools.cpp, and not in each program anew.
#pragma once

#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"

namespace asperity {

#ifndef ASPERITY_COMMON_POOL
#define ASPERITY_COMMON_POOL extern template class
#endif
ASPERITY_COMMON_POOL Bodies<PointMass<double, 1>>;
ASPERITY_COMMON_POOL Bodies<PointMass<double, 2>>;
ASPERITY_COMMON_POOL Bodies<RigidBody<double>>;
ASPERITY_COMMON_POOL LawsOf<SingleState<double, 1>>;
ASPERITY_COMMON_POOL LawsOf<Spring<double>>;
ASPERITY_COMMON_POOL LawsOf<LinearCompliance<double>>;
ASPERITY_COMMON_POOL LawsOf<LuGre<double, 1>>;
ASPERITY_COMMON_POOL LawsOf<NonlinearCompliance<double>>;
ASPERITY_COMMON_POOL LawsOf<FrictionalContact<LinearCompliance<double>, SingleState<double, 2>>>;
ASPERITY_COMMON_POOL LawsOf<FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>>;

}  // namespace asperity
