// What an adaptive step must not step over: corners and short pulses of inputs, touches of contacts, switches of hybrid laws. The
// error estimate of a method knows only what its stages see.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "asperity/system/outline.hpp"

namespace asperity {

class World;

class StepGuard {
 public:
  /// The state at a time within a step.
  using Dense = std::function<void(double t, std::span<double> x)>;
  virtual ~StepGuard() = default;

  /// The next corner of an input or a prescribed motion behind t, if it is not after `until`.
  virtual Corner corner(double t, double until) = 0;
  /// When a step from t that wants to go on until `until` has to end: shortly behind the next possible touch of any contact, where
  /// its force is felt, and where an input leaves what samples of it show.
  virtual double latest_end(double t, std::span<const double> x, std::span<const double> xdot, double until) = 0;
  /// Of a step as it was taken: when it should have ended, because of a touch that came earlier than foreseen, because a law
  /// switched, or because a force that depends on the motion acted between what the step shows of it; infinite: it is fine.
  virtual double first_event(double from, double to, const Dense& at) = 0;
};

/// Of a world. Gaps are told apart from nothing above `smallest`, m.
std::unique_ptr<StepGuard> guard_of(const World& world, double smallest);

}  // namespace asperity
