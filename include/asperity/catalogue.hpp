// THE list of laws. A law listed here is in the command line, scenes, identification, the documentation, the SIMD kernels and the
// law suite. The build reads this file: each row is compiled by itself, with the headers that stand behind it, so that a new law in
// a row of its own compiles nothing else again.
#pragma once

#include "asperity/contact/defaults.hpp"
#include "asperity/law_list.hpp"
#include "asperity/laws.hpp"

namespace asperity {

/// All laws over a scalar S; D for those that work in the plane and in space, N elements for those made of elements.
// clang-format off
template <class S, int D = 1, int N = default_elements>
using Catalogue = LawList<
    Threshold<S, D>, SmoothStatic<S>, Specker<S>,                                // friction/threshold friction/smooth_static friction/specker
    Dahl<S, D>, LuGre<S, D>, Elastoplastic<S>,                                   // friction/dahl friction/lugre friction/elastoplastic
    ModifiedLeuven<S, N>, Gms<S, N>,                                             // friction/modified_leuven friction/gms
    SingleState<S, D>, SingleState<S, D, Stribeck>, SingleState<S, D, Falling>,  // friction/single_state
    Multistate<S, N, D>, VirtualMass<S, D>,                                      // friction/multistate friction/virtual_mass
    KelvinVoigt<S>, KelvinVoigtClamped<S>, Hertz<S>, HuntCrossley<S>,            // contact/kelvin_voigt contact/hertz contact/hunt_crossley
    LinearCompliance<S>, NonlinearCompliance<S>, ImplicitContact<S>,             // contact/linear_compliance contact/nonlinear_compliance contact/implicit_contact
    FrictionalContact<DefaultContact<S>, DefaultFriction<S, D>>                  // contact/frictional_contact
>;
// clang-format on

static_assert(all_admitted<Catalogue<double>>());

}  // namespace asperity
