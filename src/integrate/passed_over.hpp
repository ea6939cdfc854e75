// Forces of the motion that act in a place which a step passes over: a bumper in a formula, thinner than the way of a step. The
// method has seen them at neither end, and no estimate of its error knows of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "asperity/integrate/guard.hpp"
#include "asperity/system/world.hpp"

namespace asperity {

class PassedOver {
 public:
  /// Motions are told apart from rest above `smallest`, m.
  PassedOver(const World& world, double smallest) : world_(world), work_(world), smallest_(smallest) {}

  struct Found {
    const OfMotion* of;
    double begins, acts;  // s: from when on it is felt; a time at which it is
    double force;         // then
  };
  bool anything() const noexcept { return !world_.of_motion().empty(); }

  /// On the straight way between the ends of a step: the first force that leaves what ends and middle show, and would have changed
  /// a velocity by this share.
  std::optional<Found> between(double from, std::span<const double> before, double to, std::span<const double> after, double share);
  /// Along a step that is dense: what eight parts of it show.
  std::optional<Found> within(double from, double to, const StepGuard::Dense& at, double share);

 private:
  struct Knot {
    double time;
    std::vector<double> seen;  // by all of them, one after the other
  };
  void add_knot(double t, std::span<const double> x);
  std::optional<Found> first(double share, bool bends);
  std::optional<Found> search(const OfMotion& of, std::size_t place, double share, bool bends, double until);
  double mobility(const OfMotion& of);

  const World& world_;
  Workspace work_;
  double smallest_;
  std::vector<Knot> knots_;
  std::vector<double> start_, end_, scratch_, force_, without_, with_;
  std::vector<double> here_;
  std::vector<ValueRange> around_;
  double speed_ = 0;  // of what the last mobility is about
};

}  // namespace asperity
