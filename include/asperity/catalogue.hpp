// THE list of laws. A law listed here is in the command line, the documentation, the SIMD kernels and the law suite.
#pragma once

#include <tuple>

#include "asperity/laws.hpp"

namespace asperity {

template <class... Laws>
struct LawList {
  /// Calls visit.template operator()<Law>() for each.
  template <class Visit>
  static constexpr void each(Visit&& visit) {
    (visit.template operator()<Laws>(), ...);
  }
  static constexpr std::size_t size = sizeof...(Laws);
  template <std::size_t I>
  using at = std::tuple_element_t<I, std::tuple<Laws...>>;
};

/// All laws over a scalar S; D for those that work in the plane and in space, N elements for those made of elements.
template <class S, int D = 1, int N = default_elements>
using Catalogue = LawList<  //
    Threshold<S, D>, SmoothStatic<S>, Specker<S>, Dahl<S, D>, LuGre<S, D>, Elastoplastic<S>, ModifiedLeuven<S, N>, Gms<S, N>,
    SingleState<S, D>, SingleState<S, D, Stribeck>, SingleState<S, D, Falling>, Multistate<S, N, D>, VirtualMass<S, D>,  //
    KelvinVoigt<S>, KelvinVoigtClamped<S>, Hertz<S>, HuntCrossley<S>, LinearCompliance<S>, NonlinearCompliance<S>,
    ImplicitContact<S>, FrictionalContact<LinearCompliance<S>, SingleState<S, D>>>;

static_assert(
    [] {
      bool all = true;
      Catalogue<double>::each([&]<class Law>() { all = all && fully_described<Law>; });
      return all;
    }(),
    "a parameter is missing from describe(), or one is described twice");

}  // namespace asperity
