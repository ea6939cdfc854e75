// All elements of one kind, between bodies of one kind each: what a run drives, what can be read of it, and what it does at rest.
#pragma once

#include "asperity/statics.hpp"
#include "asperity/system/body_pool.hpp"

namespace asperity {

/// One end of the elements of a pool: which body of which pool. No pool is the ground, which stands still.
struct End {
  const BodyPool* bodies = nullptr;
  std::vector<std::uint32_t> index;
};
template <class Motion, class S>
Motion motion_of(const End& end, const InstantOf<S>& now, std::size_t i) noexcept {
  return end.bodies ? load<Motion>(end.bodies->motions(now), end.bodies->motion, end.index[i]) : Motion{};
}

/// The work of a whole pool, done in another way than item by item, with the same numbers.
class ElementKernel {
 public:
  virtual ~ElementKernel() = default;
  virtual void react(const Instant& now, double tau, double* force, double* xdot) const noexcept = 0;
};

/// Motion in, force out.
class Reacting {
 public:
  virtual ~Reacting() = default;
  virtual std::size_t count() const noexcept = 0;
  virtual std::size_t state_numbers() const noexcept = 0;
  virtual void write_start(double* x) const noexcept = 0;
  /// Forces on both ends are added to `force`, the rates of the own states are set.
  virtual void react(const Instant& now, double tau, double* force, double* xdot) const noexcept = 0;
  /// The same with derivatives; only where has_derivatives().
  virtual void react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8* xdot) const = 0;
  virtual bool has_derivatives() const noexcept = 0;
  /// The switches of hybrid laws, between steps; and whether there are any.
  virtual bool switches() const noexcept { return false; }
  virtual void transit(const Instant& /*now*/, double* /*x*/) const noexcept {}
  /// Between steps an element may come to stand for another point of its bodies. What the old one stored is lost.
  virtual bool hands_over() const noexcept { return false; }
};

/// What can be seen of an element while it runs.
class Readable {
 public:
  virtual ~Readable() = default;
  virtual const About& about() const noexcept = 0;
  /// What can be read of element i by name, and its values.
  virtual std::vector<Quantity> quantities(std::size_t i) const = 0;
  virtual void read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const = 0;
  virtual Watch watch(const Instant& now, double tau, std::size_t i) const noexcept = 0;
  /// Of elements begin ... end.
  virtual void watch(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept = 0;
  /// Stored in element i.
  virtual double energy(const Instant& /*now*/, std::size_t /*i*/) const noexcept { return 0; }
};

/// An element at rest, number by number of its force: what it does to the bodies, and the velocity conjugate to it. An element that
/// is no contact has no gap: it is infinite.
class Statics {
 public:
  virtual ~Statics() = default;
  virtual std::size_t force_numbers() const noexcept { return 0; }
  virtual void push(const Instant& /*now*/, std::size_t /*i*/, const double* /*f*/, double* /*force*/) const noexcept {}
  virtual void relative(const Instant& /*now*/, std::size_t /*i*/, double* /*v*/) const noexcept {}
  virtual std::vector<Stiffness> stiffness(const Instant& /*now*/, std::size_t /*i*/) const { return {}; }
  /// Of a contact: its gap, the indentation that carries N, what it carries at a depth, what it would carry as it is now.
  virtual double gap(const Instant& /*now*/, std::size_t /*i*/) const noexcept { return std::numeric_limits<double>::infinity(); }
  virtual double indentation(std::size_t /*i*/, double /*N*/) const { return 0; }
  /// How deep it can be entered before its bodies have passed through each other.
  virtual double room(std::size_t /*i*/) const noexcept { return std::numeric_limits<double>::infinity(); }
  virtual double carried(std::size_t /*i*/, double /*depth*/) const noexcept { return 0; }
  virtual double resting_force(const Instant& /*now*/, std::size_t /*i*/) const noexcept { return 0; }
  /// Of an impact with an energy under a load: how deep it goes at most, and how stiff the contact is there.
  virtual double strike_depth(std::size_t /*i*/, double /*energy*/, double /*load*/) const { return 0; }
  virtual Stiffness struck_stiffness(std::size_t /*i*/, double /*depth*/) const { return {}; }
  /// How much friction there is now.
  virtual double friction_force(const Instant& /*now*/, std::size_t /*i*/) const noexcept { return 0; }
  /// Sets the state in which the element, at rest, has the force f.
  virtual void rest(const Instant& /*now*/, std::size_t /*i*/, const double* /*f*/, double* /*x*/) const {}
};

class ElementPool : public Reacting, public Readable, public Statics {
 public:
  /// Calls f on every constant of the elements.
  virtual void each_constant(const std::function<void(double)>& f) const = 0;
  /// A pool of some of the elements, their ends still to be set.
  virtual std::unique_ptr<ElementPool> pick(std::span<const std::uint32_t> elements) const = 0;

  std::vector<std::string> names;
  Columns state;
  End a, b;
};

}  // namespace asperity
