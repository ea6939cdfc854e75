// The kinds of bodies and elements that have kernels, over any scalar. Other kinds go item by item.
#pragma once

#include "asperity/bodies/bodies.hpp"
#include "asperity/contact/frictional_contact.hpp"
#include "asperity/friction/multistate.hpp"
#include "asperity/system/element.hpp"

namespace asperity {

template <class... T>
struct KindList {
  static constexpr std::size_t size = sizeof...(T);
};

template <class S>
using BodyKinds = KindList<PointMass<S, 1>, PointMass<S, 2>, PointMass<S, 3>, RigidBody<S>>;

template <class S>
using DryContact = FrictionalContact<DefaultContact<S>, DefaultFriction<S, 3>>;

/// Those with exp or pow, whose lanes have words of their own, come last.
template <class S>
using ElementKinds =
    KindList<Element<DryContact<S>, BallPlane<S, true>>, Element<DryContact<S>, BallPlane<S, false>>,
             Element<DryContact<S>, BallBall<S>>, Element<DryContact<S>, PointPlane<S, 3>>, Element<DefaultFriction<S>, Line<S>>,
             Element<DefaultContact<S>, Line<S>>, Element<Spring<S>, Line<S>>, Element<Multistate<S, 10>, Line<S>>>;
inline constexpr std::size_t kinds_of_same_bits = ElementKinds<double>::size - 1;

}  // namespace asperity
