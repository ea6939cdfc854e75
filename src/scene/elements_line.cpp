// Friction, contact and springs along a line.
#include "elements.hpp"

namespace asperity::scene {

void add_makers_on_lines(std::vector<Maker>& list) {
  Catalogue<double, 1, dynamic>::each([&]<class Law>() {
    if constexpr (Law::about.kind != Kind::composite)
      list.push_back({std::string(Law::about.name), Via::line, add_to<Law, Line<double>>});
  });
  list.push_back({"spring", Via::line, add_to<Spring<>, Line<double>>});
}

}  // namespace asperity::scene
