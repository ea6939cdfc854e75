// An estimate of the error of a run with a fixed step: a few of its steps are taken again, as two of half the length. Steps in
// which something happens are looked at first, then about one in a hundred of the others; what they differ by, added up, is about
// how far the speeds are off at the end.
#pragma once

#include <cstdint>
#include <optional>

#include "asperity/integrate/integrator.hpp"
#include "asperity/run/finding.hpp"
#include "asperity/run/readings.hpp"

namespace asperity {

struct RunOptions;

class StepCheck {
 public:
  StepCheck(const World& world, const Readings& readings, const RunOptions& options,
            const std::shared_ptr<const KernelMaker>& kernels);
  ~StepCheck();

  /// Whether step k is to be looked at; `eventful`: something touched, let go, stuck or slipped in it.
  bool wants(std::uint64_t k, bool eventful);
  /// Takes the step again that led from x0 to x1.
  void look(double t0, std::span<const double> x0, double t1, std::span<const double> x1, bool eventful);
  /// Remembers how fast everything moves, against which the errors are held.
  void follow(double t, std::span<const double> x);

  /// `stopped`: as of a companion.
  std::optional<Finding> finding(bool stopped = false) const;
  /// Calls f on every number that a checkpoint has to keep.
  template <class F>
  void each_number(F&& f) {
    for (Group& group : groups_) {
      for (std::vector<double>* list : {&group.low, &group.high})
        for (double& number : *list) f(number);
      for (double* number : {&group.floor, &group.quiet, &group.eventful}) f(*number);
    }
    for (double* number : {&events_, &events_seen_}) f(*number);
  }

 private:
  /// Numbers that are judged together: the velocity of a body, or its spin, each with the mass that it moves.
  struct Group {
    std::string name;
    std::vector<std::size_t> entries;
    std::vector<double> masses;
    std::size_t body;                   // all of which share a floor
    std::vector<double> low{}, high{};  // of each
    double floor = 0;                   // what one step of free motion makes of it: nothing smaller is resolved by a fixed step
    double quiet = 0;                   // errors of the steps in which nothing happened, as if all had been looked at
    double eventful = 0;                // errors of the others
    double size(std::span<const double> numbers) const;
    double range() const;
  };

  Workspace work_;
  double step_, share_, factor_;
  bool can_rest_;              // on an element
  bool in_equations_ = false;  // of an inclusion, which has no masses
  std::unique_ptr<Integrator> half_;
  std::vector<Group> groups_;
  std::vector<double> free_, at_rest_;
  std::vector<std::size_t> velocities_;
  double events_ = 0, events_seen_ = 0;  // steps with events, and those of them that were looked at
};

}  // namespace asperity
