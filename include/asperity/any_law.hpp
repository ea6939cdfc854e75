// A law chosen by name at run time: what the command line and scenes hold.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/law.hpp"
#include "asperity/parameters.hpp"

namespace asperity {

/// Motion into any law, in one dimension: friction reads velocity and load, contact reads gap and gap_rate, a composite all but
/// load.
struct Motion {
  double velocity = 0;
  double load = 1;
  double gap = 0;
  double gap_rate = 0;
};

/// Force of any law: a friction law answers tangential, a contact law normal, a composite both.
struct ContactForce {
  double normal = 0;
  double tangential = 0;

  /// Power that flows into the law.
  double power(const Motion& motion) const noexcept { return tangential * motion.velocity - normal * motion.gap_rate; }
};

/// Samples of a motion, as a control loop sees them. What is null is as in Motion{}.
struct SampledMotion {
  std::size_t count = 0;
  const double* velocity = nullptr;
  const double* load = nullptr;
  const double* gap = nullptr;
  const double* gap_rate = nullptr;

  Motion at(std::size_t i) const noexcept {
    return {velocity ? velocity[i] : 0, load ? load[i] : 1, gap ? gap[i] : 0, gap_rate ? gap_rate[i] : 0};
  }
};

struct StateEntry {
  std::string name, unit, meaning;
};

class AnyLaw {
 public:
  virtual ~AnyLaw() = default;
  virtual std::unique_ptr<AnyLaw> clone() const = 0;

  virtual const About& about() const noexcept = 0;
  /// Of the class in C++, without namespace and template arguments.
  virtual std::string type_name() const = 0;
  virtual int highest_dimension() const noexcept = 0;
  virtual bool hybrid() const noexcept = 0;
  /// Whether the number of elements can be chosen.
  virtual bool has_elements() const noexcept = 0;

  virtual std::vector<Parameter> parameters() const = 0;
  virtual std::optional<std::string> set(std::string_view name, const std::vector<double>& values) = 0;
  /// All parameters at their defaults for n elements.
  virtual void set_elements(int n) = 0;
  virtual std::vector<std::string> problems() const = 0;

  /// The flat state, entry by entry: "a" or "a[1]", "a[2]", ...
  virtual std::vector<StateEntry> states() const = 0;
  virtual std::vector<double> start() const = 0;
  virtual ContactForce react(std::span<const double> state, const Motion& motion, double tau, std::span<double> rate) const = 0;
  /// The switches of a hybrid law, between steps; nothing for the others.
  virtual void transit(std::span<double> state, const Motion& motion) const = 0;
  virtual double energy(std::span<const double> state, const Motion& motion) const = 0;
  /// step() for one sample after the other, each of length h. The state moves along; forces that are null are not written.
  virtual void follow(std::span<double> state, const SampledMotion& motion, double h, double* normal, double* tangential) const = 0;

  /// How stiff a small motion from rest finds it under a load of one, N/m; 0 if it has no presliding.
  virtual double elastic_stiffness() const = 0;
};

/// The names of the catalogue, in its order.
std::vector<std::string> law_names();

/// A law with its default parameters; null if there is none of that name.
std::unique_ptr<AnyLaw> make_law(std::string_view name);

}  // namespace asperity
