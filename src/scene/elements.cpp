#include "elements.hpp"

#include <algorithm>
#include <array>

#include "asperity/system/hinge.hpp"
#include "scene/rows.hpp"

namespace asperity::scene {

std::string_view to_text(Via via) {
  static constexpr std::array<std::string_view, 11> words{
      "two bodies on a line, or joints of an arm",
      "two masses in the plane, along a direction",
      "two masses in space, along a direction",
      "two masses in the plane, in all directions",
      "two masses in space, in all directions",
      "a mass and a plane that moves with another mass, in the plane",
      "a mass and a plane that moves with another mass, in space",
      "a rigid body and a plane that moves with a mass",
      "two spheres",
      "points of two rigid bodies",
      "an axis of two rigid bodies",
  };
  return words[std::size_t(via)];
}

const std::vector<Parameter>& parameters_of(Via via) {
  static const auto all = [] {
    std::array<std::vector<Parameter>, 11> lists;
    const auto set = [&](Via which, const auto& connection) { lists[std::size_t(which)] = asperity::parameters_of(connection); };
    set(Via::line, Line<double>{});
    set(Via::axis_2, Axis<double, 2>{});
    set(Via::axis_3, Axis<double, 3>{});
    set(Via::point_plane_2, PointPlane<double, 2>{});
    set(Via::point_plane_3, PointPlane<double, 3>{});
    set(Via::ball_plane, BallPlane<double>{});
    set(Via::ball_ball, BallBall<double>{});
    set(Via::point_point, PointPoint<double>{});
    for (auto& list : lists)
      for (Parameter& parameter : list)
        if (parameter.name == "normal") parameter.name = "direction";
    return lists;
  }();
  return all[std::size_t(via)];
}

std::string turned_unit(std::string_view unit) {
  std::string out;
  for (std::size_t i = 0; i < unit.size();) {
    std::size_t end = i;
    while (end < unit.size() && std::isalpha(static_cast<unsigned char>(unit[end]))) ++end;
    const std::string_view word = unit.substr(i, end - i);
    if (word == "m") out += "rad";
    else if (word == "N") out += "N m";
    else out += end > i ? word : unit.substr(i, 1);
    i = std::max(end, i + 1);
  }
  return out;
}

const std::vector<Maker>& makers() {
  static const std::vector<Maker> all = [] {
    std::vector<Maker> list;
    rows::scene::each([&](const rows::scene::Row& row) { row.add_makers(list); });
    list.push_back({"spring", Via::line, add_to<Spring<>, Line<double>>});
    list.push_back({"spring", Via::axis_2, add_to<Spring<>, Axis<double, 2>>});
    list.push_back({"spring", Via::axis_3, add_to<Spring<>, Axis<double, 3>>});
    list.push_back({"spring", Via::point_point, add_to<Spring<>, PointPoint<double>>});
    list.push_back({"hinge", Via::hinge, [](World& world, const NewElement& element) {
                      Hinge<> hinge;
                      take_numbers(hinge, element.law);
                      world.add(element.name, hinge, element.a, element.b);
                    }});
    return list;
  }();
  return all;
}

const Maker* find_maker(std::string_view law, Via via) {
  for (const Maker& maker : makers())
    if (maker.law == law && maker.via == via) return &maker;
  return nullptr;
}

std::vector<Via> connections_of(std::string_view law) {
  std::vector<Via> list;
  for (const Maker& maker : makers())
    if (maker.law == law) list.push_back(maker.via);
  return list;
}

std::vector<std::string> frictional_contacts() {
  const std::string friction(DefaultFriction<>::about.name), contact(DefaultContact<>::about.name);
  std::vector<std::string> list, others;
  for (const std::string& name : law_names()) {
    const auto law = make_law(name);
    if (law->about().discrete) continue;
    if (law->about().kind == Kind::contact) list.push_back(name + "+" + friction);
    if (law->about().kind == Kind::friction && law->highest_dimension() > 1 && name != friction)
      others.push_back(contact + "+" + name);
  }
  list.insert(list.end(), others.begin(), others.end());
  return list;
}

namespace {

class FromCatalogue final : public SceneLaw {
 public:
  explicit FromCatalogue(std::unique_ptr<AnyLaw> law) : law_(std::move(law)) {}
  std::vector<Parameter> parameters() const override { return law_->parameters(); }
  std::optional<std::string> set(std::string_view name, const std::vector<double>& values) override {
    return law_->set(name, values);
  }
  std::vector<std::string> problems() const override { return law_->problems(); }
  bool has_elements() const override { return law_->has_elements(); }
  void set_elements(int n) override { law_->set_elements(n); }

 private:
  std::unique_ptr<AnyLaw> law_;
};

}  // namespace

std::unique_ptr<SceneLaw> make_scene_law(const std::string& law) {
  if (law == "spring") return std::make_unique<Described<Spring<>>>();
  if (law == "hinge") return std::make_unique<Described<Hinge<>>>();
  if (auto known = make_law(law)) return std::make_unique<FromCatalogue>(std::move(known));
  std::unique_ptr<SceneLaw> found;
  rows::scene::each([&](const rows::scene::Row& row) {
    if (!found) found = row.contact(law);
  });
  return found;
}

}  // namespace asperity::scene
