// What an implicit step has to know of a system: which numbers it solves for, how the positions follow them, and the rate with its
// derivatives.
//
// With the look-ahead tau = h each element eliminates its own state: a + h adot is its implicit step. What is left are the
// velocities of the bodies at the end of the step; see docs/guides/implicit.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "asperity/law.hpp"
#include "asperity/scalar/dual.hpp"

namespace asperity {

class KernelMaker;
class World;

class StepModel {
 public:
  using Dual8 = Dual<8>;
  virtual ~StepModel() = default;

  /// The entries of the state that are solved for, group by group: the velocities of a body. No entry is in two groups.
  std::vector<std::vector<std::size_t>> groups;
  /// Two groups whose rates depend on each other: bodies that an element connects.
  std::vector<std::array<std::size_t, 2>> links;
  /// The mass that each of these entries feels, in the order of the groups: the metric of the line search.
  std::vector<double> masses;
  /// Entries that follow from the ones solved for: positions, group by group; where those of each group begin, and the end. All
  /// others are states of elements.
  std::vector<std::size_t> positions, first_position;
  /// The group of each entry of the state and of each contact; groups.size(): of elements on no body that moves.
  std::vector<std::size_t> group_of, group_of_contact;
  /// Groups on which the force of an element jumps by itself (gms): between two stages that fills its store without end, so that
  /// one is taken of all that is connected to them.
  std::vector<std::size_t> jumping;
  /// Whether the elements eliminate their states: tau = h. Otherwise all of the state is solved for: tau = 0.
  bool look_ahead = true;

  virtual void rate(double t, std::span<const double> x, double tau, std::span<double> xdot) = 0;
  virtual void rate(double t, std::span<const Dual8> x, double tau, std::span<Dual8> xdot) = 0;
  /// From now on a rate is one at the end of a step over h that starts at x, and carries the angular momenta from there: without it
  /// a body that tumbles gains energy. `x` has to stay as it is.
  virtual void carry_from(double /*h*/, std::span<const double> /*x*/) {}
  /// Kinetic, potential and stored energy, and the power of the pushes; where knows_energy: not of bodies that are moved from
  /// outside, nor of contacts that say nothing of what they store.
  bool knows_energy = false;
  virtual double energy(double /*t*/, std::span<const double> /*x*/) { return 0; }
  virtual double power_in(double /*t*/, std::span<const double> /*x*/, std::span<const double> /*motion*/) const { return 0; }
  virtual bool has_derivatives() const = 0;
  /// Without elements.
  virtual void free_rate(double t, std::span<const double> x, std::span<double> xdot) = 0;
  /// Of the positions alone.
  virtual void kinematics(std::span<const double> x, std::span<double> xdot) const = 0;
  virtual void kinematics(std::span<const Dual8> x, std::span<Dual8> xdot) const = 0;
  /// Rotations back to length 1.
  virtual void tidy(std::span<double> x) const = 0;
  virtual void tidy(std::span<Dual8> x) const = 0;

  /// Contacts: the gap of each and the speed at which it closes; or at which it would close if the bodies at x moved with the
  /// velocities (or accelerations) of `motion`, and those on a given course not at all.
  std::size_t contacts = 0;
  virtual void look_at_contacts(double /*t*/, std::span<const double> /*x*/, std::span<double> /*gap*/,
                                std::span<double> /*speed*/) {}
  virtual void project_on_contacts(double /*t*/, std::span<const double> /*x*/, std::span<const double> /*motion*/,
                                   std::span<double> /*speed*/) {}
};

/// A part of an implicit step as it was taken: `after` is `before` and the rates at its stages, each times its weight.
struct StepPart {
  struct Stage {
    double t, weight, tau;          // s
    std::span<const double> x;      // as the rate saw it: the motions at the stage, the states of elements before it
    std::span<const char> of = {};  // the entries of the state that it moved, and last elements on no body that moves; empty: all
    bool moved(std::size_t entry) const { return of.empty() || of[entry]; }
  };
  double from, to;  // s
  std::span<const double> before, after;
  std::span<const Stage> stages;
};

/// Of a world.
std::unique_ptr<StepModel> step_model_of(const World& world, std::shared_ptr<const KernelMaker> kernels = {});

}  // namespace asperity
