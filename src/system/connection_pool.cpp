#include "asperity/system/connection_pool.hpp"

namespace asperity {

template class ConnectionsOf<Line<double>>;
template class ConnectionsOf<Axis<double, 2>>;
template class ConnectionsOf<Axis<double, 3>>;
template class ConnectionsOf<Surface<double, 2>>;
template class ConnectionsOf<Surface<double, 3>>;
template class ConnectionsOf<PointPlane<double, 2>>;
template class ConnectionsOf<PointPlane<double, 3>>;
template class ConnectionsOf<BallPlane<double, false>>;
template class ConnectionsOf<BallPlane<double, true>>;
template class ConnectionsOf<BallBall<double>>;
template class ConnectionsOf<PointPoint<double>>;
template class ConnectionsOf<Revolute<double>>;

}  // namespace asperity
