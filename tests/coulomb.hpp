// The single state with its three numbers.
#pragma once

#include "asperity/friction/single_state.hpp"

namespace asperity::testing {

inline SingleState<> coulomb(double F, double K, double beta) {
  SingleState<> law;
  law.F = F;
  law.K = K;
  law.beta = beta;
  return law;
}

}  // namespace asperity::testing
