// What acts on rigid bodies: contacts of balls, springs between points, hinges.
#include "asperity/system/hinge.hpp"
#include "elements.hpp"

namespace asperity::scene {

void add_makers_of_rigid_bodies(std::vector<Maker>& list) {
  each_frictional_contact<3>([&]<class Law>(const std::string& name) {
    list.push_back({name, Via::ball_plane, add_to<Law, BallPlane<double>>});
    list.push_back({name, Via::ball_ball, add_to<Law, BallBall<double>>});
  });
  list.push_back({"spring", Via::point_point, add_to<Spring<>, PointPoint<double>>});
  list.push_back({"hinge", Via::hinge, [](World& world, const NewElement& element) {
                    Hinge<> hinge;
                    take_numbers(hinge, element.law);
                    world.add_element(element.name, hinge, element.a, element.b);
                  }});
}

}  // namespace asperity::scene
