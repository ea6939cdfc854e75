// A second integration beside a run: the same world with half the step, or, of an adaptive method, with a hundredth of its
// tolerances. What the two differ by is about the error of the run. Short runs are accompanied from the start to the end, long ones
// for as long as it costs little.
#pragma once

#include <array>
#include <optional>

#include "asperity/integrate/integrator.hpp"
#include "asperity/run/finding.hpp"
#include "asperity/run/readings.hpp"

namespace asperity {

struct RunOptions;

class Companion {
 public:
  Companion(World& world, const Readings& readings, const RunOptions& options, std::span<const double> start);
  ~Companion();

  /// After a step of the run to t, x.
  void follow(double t, std::span<const double> x);
  /// Forgets what came before t, as an adaptive method does where a run is saved.
  void start_afresh(double t);
  /// Whether it has been there all the time so far.
  bool complete() const noexcept { return with_ != 0; }

  std::optional<Finding> finding() const;
  /// Calls f on every number that a checkpoint has to keep.
  template <class F>
  void each_number(F&& f) {
    for (Group& group : groups_)
      for (double* number : {&group.floor, &group.error, &group.time}) f(*number);
    for (std::vector<double>* list : {&lowest_, &highest_, &x_})
      for (double& number : *list) f(number);
    for (Bin& bin : bins_) {
      f(bin.index);
      for (std::vector<double>* list : {&bin.run.low, &bin.run.high, &bin.here.low, &bin.here.high})
        for (double& number : *list) f(number);
    }
    for (double* number : {&left_, &with_}) f(*number);
  }

 private:
  /// Numbers of one kind of a body that are judged together: a position, a rotation, a velocity, a spin.
  struct Group {
    std::string name;
    std::size_t first, count;  // among the numbers that are compared
    std::size_t rate;          // the group of its rate; itself if it has none here
    double rounding;           // in its unit: what nobody asks about
    double floor = 0;          // what a step of free motion makes of it: nothing smaller is resolved by a fixed step
    double error = 0, time = 0;
  };
  struct Range {
    std::vector<double> low, high;
    void clear();
    void take(std::size_t i, double number);
  };
  /// A short part of the run. A motion that is right but comes a little early or late is found in one of the neighbours.
  struct Bin {
    double index = -1;
    Range run, here;
  };
  void compare(double t, std::span<const double> x);
  void note_floors(double t, std::span<const double> x);
  double error_of(const Group& group, const Bin& bin) const;

  World& world_;
  std::string remedy_;
  double step_, factor_, bin_, rtol_ = 0, atol_ = 0;
  bool can_rest_;  // on an element
  std::unique_ptr<Integrator> integrator_;
  std::vector<Group> groups_;
  std::vector<std::size_t> entries_;      // of the state: what is compared
  std::vector<double> lowest_, highest_;  // of the run, so far
  std::array<Bin, 3> bins_;               // the last ones, newest first
  std::vector<double> x_, free_;
  double left_;      // numbers that may still be computed
  double with_ = 1;  // 0: left behind
};

}  // namespace asperity
