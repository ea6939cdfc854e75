// A friction law as something to be fitted: which numbers are free, and how the force changes with them. The force is always that
// of the law's own react(), in steps that follow the law in continuous time to second order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/identify/samples.hpp"
#include "asperity/law.hpp"
#include "asperity/parameters.hpp"

namespace asperity::identify {

/// How large things are in the data; from it follows where parameters are looked for.
struct Scales {
  double force = 1;      // N: standard deviation of the force, over the load
  double travel = 1;     // m: between the ends of the motion
  double velocity = 1;   // m/s: what 95 % of the samples stay below
  double step = 1e-3;    // s: between samples
  double increment = 1;  // m: median travel in a step
};
Scales scales_of(const Samples& samples, const Rows& rows);

/// One positive number to be found. Coordinates of one group scale together, and the force is linear in that scale: every law is
/// homogeneous of degree one in its parameters that carry a force. Fitting happens in their logarithms.
struct Coordinate {
  std::string name, unit;
  int group = -1;            // -1: none
  double low = 0, high = 0;  // where it may be
  double from = 0, to = 0;   // where searches start
  bool is_free = true;
  bool is_bounded = false;  // by the user: its group does not scale
  double fixed = 0;         // its value if it is not free
  bool is_given = false;    // and the user said so
};

/// A set of coordinates that change by the same factor.
using Direction = std::vector<std::size_t>;

/// One sample of a law as statements of C: its own step(), recorded while it ran. `start` gives the states s->z[i] their first
/// values; `step` reads v_ref, s->h, the states and, where there is one, load; it moves the states and declares `friction`.
struct StepInC {
  std::vector<std::string> states;  // what each is: "a: deflection of the asperity, m"
  std::string start, step;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual const About& about() const noexcept = 0;
  /// Whether it is made of elements, each a group {F[i], kappa[i]} at the end of the coordinates: F[1].. then kappa[1]...
  virtual bool has_elements() const noexcept = 0;
  virtual bool has_own_viscosity() const noexcept = 0;
  virtual int states(int elements) const = 0;
  virtual std::vector<Coordinate> coordinates(const Scales& scales, int elements) const = 0;

  /// Force at the first `count` samples.
  virtual void force(const Samples& samples, std::size_t count, std::span<const double> q, std::span<double> f) const = 0;
  /// The force, and its change with the logarithm of each direction; slopes[d * count + k] is that of direction d at sample k.
  virtual void slopes(const Samples& samples, std::size_t count, std::span<const double> q, std::span<const Direction> directions,
                      std::span<double> f, std::span<double> slopes) const = 0;

  /// The law's own parameters at q, as describe() lists them, and their change with the logarithm of each coordinate:
  /// slopes[p * q.size() + i], p counting numbers.
  virtual std::vector<Parameter> parameters(std::span<const double> q) const = 0;
  virtual std::vector<double> parameter_slopes(std::span<const double> q) const = 0;

  /// Without a load it is 1, and no number of the code.
  virtual StepInC step_in_c(const std::vector<Parameter>& parameters, bool has_load) const = 0;
};

/// The laws that can be fitted.
std::vector<std::string> model_names();
/// Null if there is none of that name.
std::unique_ptr<Model> make_model(std::string_view name);

}  // namespace asperity::identify
