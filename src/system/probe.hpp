// Room to try things with the two bodies of an element, whatever the size of the world.
#pragma once

#include <vector>

#include "asperity/system/element_pool.hpp"

namespace asperity {

/// Whether the motion of a body begins with a position in space.
bool is_in_space(const BodyPool& pool);

class Probe {
 public:
  /// Of a world with so many numbers in its state and in its forces.
  Probe(const Instant& now, std::size_t state_numbers, std::size_t force_numbers)
      : now_(now), force_(force_numbers), x_(now.state, now.state + state_numbers) {}
  /// What a unit force of number k of an element does to the body at one of its ends.
  std::vector<double> push(const ElementPool& pool, std::size_t i, const End& end, std::size_t k);
  /// A number of the motion of a body, to be changed.
  double& motion(const End& end, std::size_t i, std::size_t column) { return x_[end.bodies->motion.at(column, end.index[i])]; }
  Instant instant() const { return {x_.data(), now_.given}; }
  void put_back(const ElementPool& pool, std::size_t i);

  /// From where a contact touches to the centres of its bodies, along the normal, m: how deep it may be compressed before they pass
  /// through each other. 0 where that is not known, as for a point on the ground.
  double thickness(const ElementPool& pool, std::size_t i);

 private:
  double arm(const ElementPool& pool, std::size_t i, const End& end);
  Instant now_;
  std::vector<double> force_, x_, numbers_;
};

}  // namespace asperity
