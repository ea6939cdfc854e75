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

/// An absolute tolerance excuses no larger errors than this one does, in the units of each number.
constexpr double largest_atol = 1e-3;

/// An adaptive method with a larger tolerance is looked at: its errors may add up to more than they are. Of a smaller one nothing
/// finer is left than rounding.
constexpr double tightest_rtol = 1e-12;

struct RunOptions;

/// Entries of the state that are velocities of bodies that move. What a step of free motion makes of a body at rest is the smallest
/// thing that a fixed step resolves; forces of inertia, which a fast one feels, are part of its motion.
std::vector<std::size_t> velocities_in(const Readings& readings);

class Companion {
 public:
  Companion(const World& world, const Readings& readings, const RunOptions& options,
            const std::shared_ptr<const KernelMaker>& kernels, std::span<const double> start);
  ~Companion();

  /// After a step of the run to t, x.
  void follow(double t, std::span<const double> x);
  /// Forgets what came before t, as an adaptive method does where a run is saved.
  void start_afresh(double t);
  /// As of an integrator: for a checkpoint.
  std::vector<double> kept() const { return integrator_->kept(); }
  void keep(std::span<const double> kept) { integrator_->keep(kept); }
  /// Whether it has been there all the time so far.
  bool complete() const noexcept { return with_ != 0; }
  /// Whether it left because it would have cost too much.
  bool was_too_long() const noexcept { return left_ < 0; }
  /// Until when it has, s.
  double until() const noexcept { return until_; }

  /// `stopped`: the run did not get to its end, and says itself what to do about that.
  std::optional<Finding> finding(bool stopped = false) const;
  /// Where it left before `end`, and what it saw until then grew: what will have become of it, if it went on like this.
  std::optional<Finding> outlook(double end) const;
  /// Calls f on every number that a checkpoint has to keep.
  template <class F>
  void each_number(F&& f) {
    for (Number& number : numbers_)
      for (double* part : {&number.low, &number.high, &number.largest, &number.last, &number.fastest, &number.error, &number.time,
                           &number.marked[0], &number.marked[1], &number.marked[2]})
        f(*part);
    for (Group& group : groups_)
      for (double* part : {&group.floor, &group.turned}) f(*part);
    for (Motion& motion : motions_)
      for (Bin& bin : motion.bins) {
        f(bin.from);
        f(bin.to);
        for (std::vector<double>* list : {&bin.run.low, &bin.run.high, &bin.here.low, &bin.here.high})
          for (double& part : *list) f(part);
      }
    for (double& part : x_) f(part);
    for (double* part :
         {&left_, &with_, &last_, &next_floors_, &next_ranges_, &until_, &steps_, &marks_[0], &marks_[1], &marks_[2]})
      f(*part);
  }

 private:
  static constexpr std::size_t none = ~std::size_t(0);
  /// Something that is compared: an entry of the state, or how far one is ahead of another, or of a body on a given course.
  struct Number {
    std::size_t entry, other = none, given = none;
    double low = std::numeric_limits<double>::infinity(), high = -low;  // in the run, so far
    double largest = 0;                                                 // of the entry itself
    double last = 0, fastest = 0;                                       // value, and largest change in a time
    double error = 0, time = 0;                                         // the largest, and when
    std::array<double, 3> marked{};                                     // the largest up to each of Companion::marks_
    double deeper = 0;                                                  // at the start than in the finer world
    double of(std::span<const double> x, const double* course) const {
      return x[entry] - (other != none ? x[other] : 0) - (given != none ? course[given] : 0);
    }
  };
  /// Numbers of one kind that are judged together: a position, a rotation, a velocity, a spin.
  struct Group {
    std::string name;
    std::size_t first;
    double rounding;        // in its unit: what nobody asks about
    bool turns;             // a rotation, which comes back to where it was
    std::size_t count = 0;  // of its numbers
    double floor = 0;       // what a step of free motion makes of it: nothing smaller is resolved by a fixed step
    double turned = 0;      // half of the angle that a rotation went through
  };
  struct Range {
    std::vector<double> low, high;
    void clear();
    void take(std::size_t i, double number);
  };
  /// A short part of the run. A motion that is right but comes a little early or late is found in one of the neighbours.
  struct Bin {
    double from = -1, to = -1;
    Range run, here;
  };
  /// A position with its velocity, a rotation with its spin, or all states of an inclusion. How long its bins may be is its own
  /// matter: in one of them it moves by less than an error that is noted.
  struct Motion {
    std::size_t first_group, groups;
    std::size_t first, count;   // of its numbers
    std::array<Bin, 3> bins{};  // the last ones, newest first
  };
  void add_bodies(const Readings& readings, bool relaxed);
  void add_pairs(const Readings& readings, double duration);
  void compare_from_the_start(std::span<const double> start);
  void add_group(std::string name, const std::string& unit);
  void close_motion(std::size_t first_group);
  double bin_length(const Motion& motion) const;
  double work() const;
  void note_ranges(double t, std::span<const double> x);
  void compare(double t, std::span<const double> x);
  void note_floors(double t, std::span<const double> x);
  template <class F>
  void each_judged(F&& f) const;
  double error_of(std::size_t number, const Motion& motion, std::size_t b) const;
  std::optional<Finding> rounded() const;

  mutable Workspace work_;  // of the finer world
  std::string remedy_;
  double step_, factor_, longest_bin_, rtol_ = 0, atol_ = 0;
  double settles_ = 0;  // m, as Finer
  bool can_rest_;       // on an element
  std::unique_ptr<Integrator> integrator_;
  std::vector<Number> numbers_;
  std::vector<Group> groups_;
  std::vector<Motion> motions_;
  std::vector<double> x_, free_, at_rest_;
  std::vector<std::size_t> velocities_;
  double left_;      // numbers that may still be computed
  double with_ = 1;  // 0: left behind
  double last_ = 0;  // s, when the ranges were noted
  double next_floors_ = 0, next_ranges_ = 0, until_ = 0, steps_ = 0;
  std::array<double, 3> marks_{};  // s, each twice the one before it at least: errors that grow are larger at each
};

}  // namespace asperity
