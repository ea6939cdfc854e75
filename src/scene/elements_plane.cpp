// Frictional contact of points and planes.
#include "elements.hpp"

namespace asperity::scene {
namespace {

template <int D>
void add(std::vector<Maker>& list, Via via) {
  each_frictional_contact<D>([&]<class Law>(const std::string& name) {
    list.push_back({name, via, add_to<Law, PointPlane<double, D>>});
  });
}

}  // namespace

void add_makers_on_planes(std::vector<Maker>& list) {
  add<2>(list, Via::point_plane_2);
  add<3>(list, Via::point_plane_3);
}

}  // namespace asperity::scene
