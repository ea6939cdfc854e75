// A world standing still: what forces of its elements do to the relative accelerations that the elements see, J M^-1 J^T, applied
// without a matrix. The bodies' own rates are M^-1, whatever the body; an element's push is J^T, and what it sees is J.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asperity/system/world.hpp"

namespace asperity {

class Network {
 public:
  /// An element, or part of one, with its place among the numbers of all forces.
  struct Part : Stiffness {
    const ElementPool* pool = nullptr;
    std::size_t index = 0;   // of the element in its pool
    std::size_t number = 0;  // of the first of its force numbers among all
    double mass = 0;         // effective: the smallest that any direction of the part feels, kg; of a contact when it touches
    double apart = 1;        // of an open contact: the mass that its present place would show, over `mass`
    double depth = 0;        // m, at which the stiffness of a curved contact is taken if it will be struck
    std::string name() const { return part.empty() ? pool->names[index] : pool->names[index] + "." + std::string(part); }
  };
  struct Push {
    BodyId body;
    std::size_t coordinate;
    std::function<double(double)> force;
  };

  Network(const World& world, std::span<const double> x);

  /// The present motion, and the same with every velocity zero.
  Instant moving() const noexcept { return {state.data(), given.data()}; }
  Instant still() const noexcept { return {still_.data(), still_given_.data()}; }
  /// After `state` has been changed: still() and the parts are those of the new one.
  void set_up();

  /// out = J M^-1 J^T f, over the numbers of all forces.
  void apply(std::span<const double> f, std::span<double> out);
  /// The largest eigenvalue of J M^-1 J^T W, W diagonal with `weight` of each part, by power iteration; and the share of each part.
  double largest(std::span<const double> weight, std::vector<double>* share = nullptr, double tolerance = 1e-9);

  /// Accelerations of the bodies under `force` (one number for each number of the bodies' forces) stand in the place of velocities.
  void accelerate(std::span<const double> force, std::vector<double>& motion);
  /// The same of the ends of one element only.
  void accelerate_ends(const ElementPool& pool, std::size_t i, std::span<const double> force, std::vector<double>& motion);
  /// What is left without any force: gravity.
  void subtract_idle(std::vector<double>& motion) const;
  /// Motion `motion` as elements see it; given bodies stand still.
  Instant seen(const std::vector<double>& motion) const noexcept { return {motion.data(), still_given_.data()}; }
  void add_pushes(double t, std::vector<double>& force) const;
  /// Accelerations of the given bodies between two times, in the place of velocities.
  std::vector<double> given_accelerations(double from, double to) const;

  std::vector<const BodyPool*> bodies;
  std::vector<const ElementPool*> elements;
  std::vector<Push> pushes;  // the feedbacks among them as they are at the start
  std::vector<const Feedback*> feedbacks;
  std::vector<Timed> timed;
  std::vector<double> state, given;
  std::vector<Part> parts;
  std::size_t numbers = 0;        // of all element forces
  std::size_t force_numbers = 0;  // of all forces on bodies

 private:
  void store_accelerations(const BodyPool& pool, std::size_t i, std::vector<double>& motion) const;
  double mass_of(Part& part);
  double mass_here(const Part& part);

  std::vector<double> still_, still_given_, idle_, xdot_, force_, motion_, push_, with_, without_;
};

}  // namespace asperity
