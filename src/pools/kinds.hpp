// The kinds of bodies and connections that have kernels, over any scalar. Other kinds go item by item.
#pragma once

#include "asperity/bodies/bodies.hpp"
#include "asperity/system/connection.hpp"

namespace asperity {

template <class... T>
struct KindList {
  static constexpr std::size_t size = sizeof...(T);
};

template <class S>
using BodyKinds = KindList<PointMass<S, 1>, PointMass<S, 2>, PointMass<S, 3>, RigidBody<S>>;

template <class S>
using ConnectionKinds = KindList<Line<S>, Axis<S, 2>, Axis<S, 3>, Surface<S, 2>, Surface<S, 3>, PointPlane<S, 2>, PointPlane<S, 3>,
                                 BallPlane<S, true>, BallPlane<S, false>, BallBall<S>, PointPoint<S>>;

}  // namespace asperity
