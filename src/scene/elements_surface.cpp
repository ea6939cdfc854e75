// Friction in all directions of the plane or of space.
#include "elements.hpp"

namespace asperity::scene {
namespace {

template <int D>
void add(std::vector<Maker>& list, Via via) {
  Catalogue<double, D, dynamic>::each([&]<class Law>() {
    if constexpr (Law::about.kind == Kind::friction && Law::dimension == D)
      list.push_back({std::string(Law::about.name), via, add_to<Law, Surface<double, D>>});
  });
}

}  // namespace

void add_makers_on_surfaces(std::vector<Maker>& list) {
  add<2>(list, Via::surface_2);
  add<3>(list, Via::surface_3);
}

}  // namespace asperity::scene
