// Instantiates the laws of a row with all connections that they can have.
#include "catalogue/frictional_pairs.hpp"
#include "row_names.hpp"
#include "scene/rows.hpp"

namespace asperity::scene {
namespace {

/// Calls visit.operator()<Law>(name).
template <int D, class Visit>
void each_frictional_contact(Visit&& visit) {
  each_frictional_pair<RowLaws<double, D, dynamic>, double, D>(
      [&]<class Law>() { visit.template operator()<Law>(std::string(normal_name<Law>) + "+" + std::string(friction_name<Law>)); });
}

/// In all directions of the plane or of space.
template <int D>
void add_on_surfaces(std::vector<Maker>& list, Via via) {
  RowLaws<double, D, dynamic>::each([&]<class Law>() {
    if constexpr (Law::about.kind == Kind::friction && Law::dimension == D)
      list.push_back({std::string(Law::about.name), via, add_to<Law, Surface<double, D>>});
  });
}

void add_makers(std::vector<Maker>& list) {
  RowLaws<double, 1, dynamic>::each([&]<class Law>() {
    if constexpr (Law::about.kind != Kind::composite) {
      list.push_back({std::string(Law::about.name), Via::line, add_to<Law, Line<double>>});
      list.push_back({std::string(Law::about.name), Via::axis_2, add_to<Law, Axis<double, 2>>});
      list.push_back({std::string(Law::about.name), Via::axis_3, add_to<Law, Axis<double, 3>>});
    }
  });
  add_on_surfaces<2>(list, Via::surface_2);
  add_on_surfaces<3>(list, Via::surface_3);
  each_frictional_contact<2>([&]<class Law>(const std::string& name) {
    list.push_back({name, Via::point_plane_2, add_to<Law, PointPlane<double, 2>>});
  });
  each_frictional_contact<3>([&]<class Law>(const std::string& name) {
    list.push_back({name, Via::point_plane_3, add_to<Law, PointPlane<double, 3>>});
    list.push_back({name, Via::ball_plane, add_to<Law, BallPlane<double>>});
    list.push_back({name, Via::ball_ball, add_to<Law, BallBall<double>>});
  });
}

std::unique_ptr<SceneLaw> contact(const std::string& pair) {
  std::unique_ptr<SceneLaw> found;
  each_frictional_contact<2>([&]<class Law>(const std::string& name) {
    if (name == pair) found = std::make_unique<Described<Law>>();
  });
  return found;
}

}  // namespace
}  // namespace asperity::scene

namespace asperity::rows::scene {

#define ASPERITY_ROW ASPERITY_JOIN(row_, , ASPERITY_ROW_NAME)
extern const Row ASPERITY_ROW;
const Row ASPERITY_ROW{asperity::scene::add_makers, asperity::scene::contact};

}  // namespace asperity::rows::scene
