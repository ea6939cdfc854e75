// Friction, contact and springs along one direction of the plane or of space.
#include "elements.hpp"

namespace asperity::scene {

void add_makers_on_axes(std::vector<Maker>& list) {
  Catalogue<double, 1, dynamic>::each([&]<class Law>() {
    if constexpr (Law::about.kind != Kind::composite) {
      list.push_back({std::string(Law::about.name), Via::axis_2, add_to<Law, Axis<double, 2>>});
      list.push_back({std::string(Law::about.name), Via::axis_3, add_to<Law, Axis<double, 3>>});
    }
  });
  list.push_back({"spring", Via::axis_2, add_to<Spring<>, Axis<double, 2>>});
  list.push_back({"spring", Via::axis_3, add_to<Spring<>, Axis<double, 3>>});
}

}  // namespace asperity::scene
