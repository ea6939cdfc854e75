// Which law can stand between which bodies, and how it gets there. Each pair of a law and a connection is a pool of its own,
// instantiated row by row of the list of laws (row.hpp).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/any_law.hpp"
#include "asperity/system/world.hpp"

namespace asperity::scene {

/// How an element sees its bodies; the connections of connection.hpp.
enum class Via {
  line,
  axis_2,
  axis_3,
  surface_2,
  surface_3,
  point_plane_2,
  point_plane_3,
  ball_plane,
  ball_ball,
  point_point,
  hinge,
};
/// "two masses on a line"
std::string_view to_text(Via via);
/// Its keys in a scene, from describe(): what the connections call `normal` is a `direction` here, as `normal` is the normal law.
const std::vector<Parameter>& parameters_of(Via via);

/// About an axis a length is an angle and a force a moment: "N s/m" becomes "N m s/rad".
std::string turned_unit(std::string_view unit);

/// All numbers of an element, in the order of describe().
struct NewElement {
  std::string name;
  BodyId a, b;
  double load = 1;
  int elements = 0;                // of a law made of them
  std::vector<double> law;         // numbers of the law
  std::vector<double> connection;  // numbers of the connection
};

/// One pair.
struct Maker {
  std::string law;  // "lugre", or "linear_compliance+single_state" for a frictional contact
  Via via;
  void (*add)(World&, const NewElement&);
};
/// All pairs.
const std::vector<Maker>& makers();
const Maker* find_maker(std::string_view law, Via via);
/// The connections of a law.
std::vector<Via> connections_of(std::string_view law);
/// "linear_compliance+single_state", ...: the pairs of laws that make a frictional contact.
std::vector<std::string> frictional_contacts();

/// The parameters of a law of a scene: of the catalogue, a frictional contact of any pair, spring, hinge.
class SceneLaw {
 public:
  virtual ~SceneLaw() = default;
  virtual std::vector<Parameter> parameters() const = 0;
  virtual std::optional<std::string> set(std::string_view name, const std::vector<double>& values) = 0;
  virtual std::vector<std::string> problems() const = 0;
  virtual bool has_elements() const = 0;
  virtual void set_elements(int n) = 0;
};
std::unique_ptr<SceneLaw> make_scene_law(const std::string& law);

// --- for the files of instantiations
// ----------------------------------------------------------------------------------------------

template <class T>
void take_numbers(T& item, std::span<const double> numbers) {
  std::size_t i = 0;
  each_parameter(item, [&](double& x) { x = numbers[i++]; });
}

/// An aggregate takes a number, too: as its first parameter.
template <class Law>
concept TakesElements = std::constructible_from<Law, int> && !std::is_aggregate_v<Law>;

/// A law with its lists of the wanted length.
template <class Law>
Law law_of(int elements) {
  if constexpr (TakesElements<Law>) {
    return Law(elements);
  } else if constexpr (requires(Law law) { law.tangential; }) {
    Law law;
    if constexpr (TakesElements<decltype(law.tangential)>) law.tangential = decltype(law.tangential)(elements);
    return law;
  } else {
    return Law{};
  }
}

template <class Law>
class Described final : public SceneLaw {
 public:
  std::vector<Parameter> parameters() const override { return asperity::parameters_of(law_); }
  std::optional<std::string> set(std::string_view name, const std::vector<double>& values) override {
    return set_parameter(law_, name, values);
  }
  std::vector<std::string> problems() const override { return problems_of(law_); }
  bool has_elements() const override {
    if constexpr (requires { law_.tangential; }) return TakesElements<decltype(law_.tangential)>;
    else return false;
  }
  void set_elements(int n) override { law_ = law_of<Law>(n); }

 private:
  Law law_{};
};

template <class Law, class Connection>
void add_to(World& world, const NewElement& element) {
  Law law = law_of<Law>(element.elements);
  take_numbers(law, element.law);
  Connection connection;
  take_numbers(connection, element.connection);
  world.add(element.name, law, connection, element.a, element.b, element.load);
}

}  // namespace asperity::scene
