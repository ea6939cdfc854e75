// From the tables of a scene to its world: bodies, elements, inputs.
#pragma once

#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asperity/scene/scene.hpp"
#include "elements.hpp"
#include "fields.hpp"

namespace asperity::scene {

/// What elements and inputs need to know of a body.
struct KnownBody {
  enum class Form { point, rigid, arm };
  /// It is in the world, with other numbers where its own are wrong, so that what comes after it can be checked. Not if its kind
  /// or dimension could not be read.
  bool built = false;
  bool shape_known = true, points_known = true;
  Form form = Form::point;
  int dimension = 1;
  bool given = false;
  BodyId id;
  std::string shape;
  std::vector<double> size;
  std::map<std::string, std::array<double, 3>> points;
  std::uint32_t joints = 0;
  double mass = 0;  // kg, of one that moves
  std::vector<std::string> groups;
};

/// "in the plane"
inline std::string_view space_of(int dimension) {
  return dimension == 1 ? "on a line" : dimension == 2 ? "in the plane" : "in space";
}

/// A function of time that has to be a finite number during the run.
struct TimeFormula {
  Course course;
  std::string place;
  Origin origin;
};

class Builder {
 public:
  Builder(Reading& reading, Scene& scene, Value& out) : reading_(reading), scene_(scene), out_(out) {}

  void world(const Value* table);
  void body(const Value& table);
  void element(const Value& table);
  /// All rules together: the last that fits a pair decides.
  void contacts(const std::vector<Value>& rules);
  void input(const Value& table);
  void controller(const Value& table);

  const std::vector<TimeFormula>& formulas() const noexcept { return formulas_; }
  /// Names of bodies and elements, as columns start with them.
  std::vector<std::string> names() const;
  /// Whether all columns of a name can be known; with a star, of all names.
  bool is_built(const std::string& name) const;

 private:
  struct End {
    std::string text;
    const KnownBody* body = nullptr;  // none: the ground
    BodyId id;
    std::optional<std::array<double, 3>> point;
    bool turns = false;
    int dimension() const { return body ? turns ? 1 : body->dimension : 0; }
    bool is(KnownBody::Form form) const { return body && body->form == form && !turns; }
  };
  /// A frictional contact is made of two laws; the table of each, if there is one, gives its parameters.
  struct ElementLaw {
    std::string name;    // as in the file
    std::string makers;  // as the makers know it
    std::unique_ptr<SceneLaw> law;
    Kind kind = Kind::spring;
    bool hinge = false;
    std::map<std::string, std::string> parts;  // "normal" -> "linear_compliance"
  };

  bool claim_name(Fields& fields, std::string& name);
  std::optional<std::vector<double>> own_gravity(Fields& fields, int dimension);
  template <template <class, int> class Body, int D>
  BodyId add_mass(const std::string& name, Body<double, D> body, const std::vector<double>& p, const std::vector<double>& v,
                  const std::vector<double>& g);
  void mass(Fields& fields, const std::string& name, bool rubs, KnownBody& known);
  void rigid_body(Fields& fields, const std::string& name, KnownBody& known);
  void prescribed(Fields& fields, const std::string& name, KnownBody& known);
  void arm(Fields& fields, const std::string& name, KnownBody& known);
  bool shape(Fields& fields, KnownBody& known);
  bool shape_in_one(Fields& fields, const Value& table, KnownBody& known);
  void points(Fields& fields, KnownBody& known);
  void remember(Fields& fields, std::string_view key, const std::vector<Course>& courses);

  /// The numbers of the motion of all bodies.
  class Motions;
  /// What pushes a body: `push` is called for every number of its force.
  using Push = std::function<void(BodyId body, std::size_t coordinate, const Course& course)>;
  bool pushes(Fields& fields, const Value& table, const Section& keys, const Motions& motions, const Push& push);
  static Feedback feedback(BodyId body, std::size_t coordinate, const Course& course, const Motions& motions);
  std::optional<End> end_of(Fields& fields, const Value& at, const std::string& text);
  std::optional<ElementLaw> law_of_element(Fields& fields, Value& written);
  bool law_parameters(Fields& fields, ElementLaw& law, bool turns, bool coefficients, RigidElement* rigid, Value& written);
  RigidElement* rigid(Fields& fields, const ElementLaw& law, bool turns);
  void wishes(Fields& fields, const std::string& name, Value& written);
  std::optional<Via> via_of(Fields& fields, const ElementLaw& law, const End& a, const End& b);
  struct Connected {
    std::string suffix;  // of the name
    std::vector<double> numbers;
    std::vector<double> point_a, point_b;
  };
  /// A rule of [[contacts]] and the pairs of bodies that it decides on.
  struct ContactRule;
  std::optional<ContactRule> contact_rule(const Value& table, std::size_t number);
  void contact_law(ContactRule& rule);
  void check_contact(const ContactRule& rule, const std::vector<ElementPool*>& pools);
  std::optional<std::vector<Connected>> connect(Fields& fields, Via via, const End& a, const End& b, bool turns);

  Reading& reading_;
  Scene& scene_;
  Value& out_;
  std::vector<double> gravity_;
  std::unordered_map<std::string, Origin> names_;
  std::unordered_map<std::string, KnownBody> bodies_;
  std::unordered_set<std::string> built_{"time", "energy"};
  bool all_built_ = true;
  std::size_t law_elements_ = 0, rods_ = 0;
  std::vector<TimeFormula> formulas_;
  std::vector<std::string> body_order_;  // names as they come
  std::size_t inputs_ = 0, controllers_ = 0;
};

/// What TOML lets one write in several ways is brought into one: "normal.K" = 1 is normal = { K = 1 }, tangential is friction, mu
/// is F.
void normalize_element(Value& element, Problems& problems);
/// The same for the path of a setting.
std::vector<std::string> normalize_path(const std::vector<std::string>& path);

}  // namespace asperity::scene
