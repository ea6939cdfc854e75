// One implicit stage: the velocities v at its end from
//   R(v) = v - v0 - h vdot(t, q0 + h G(q) v, v, a0; tau = h) = 0
// by a semismooth Newton method. The derivative is that of the pass itself, over dual numbers; positions and element states are
// eliminated within it.
//
// Step lengths. For a fixed normal load, M R is the gradient of a convex function of v: the kinetic energy of v - v0 and the
// potentials of the laws. Along a direction d its slope is g(s) = <R(v + s d), d>_M, which grows with s; a step is good where |R|
// has become smaller or where the slope has not changed its sign, else the root of g is bracketed. So the function falls with every
// step, although nobody ever forms it. Bodies that nothing connects have steps of their own.
//
// Where normal and tangential force are coupled so strongly that these directions lead nowhere, as of a box that rests on a slope
// on corners of which some slide, the root is approached by relaxation: see relax().
//
// Which root. The one that grows out of v0 as h grows from 0: on the way to it the determinant of R' does not pass zero, and it is
// 1 at h = 0. A root with a negative determinant lies beyond a fold, as where a motion that grows without bound has no end of its
// step nearby; it is none.
#pragma once

#include <algorithm>

#include "asperity/integrate/implicit.hpp"
#include "implicit_lu.hpp"

namespace asperity::detail {

class StageSolver {
 public:
  StageSolver(StepModel& model, std::size_t states);

  /// From `base` over h to time t; `x` starts with a guess of the velocities and becomes the state at the end, base + h xdot;
  /// `turn` is the state whose rotations say where an angular velocity leads; `free` has the accelerations without elements. False:
  /// no convergence, and `worst` is an entry that did not. Components that are not in `which` are left alone; empty: all are in it.
  bool solve(double t, double h, std::span<const double> base, std::span<const double> turn, std::span<const double> free,
             std::span<double> x, std::span<double> xdot, bool same_matrix = false, std::span<const char> which = {});

  /// Groups that depend on each other.
  std::size_t components() const noexcept { return searches_.size(); }
  std::vector<std::size_t> component_of_groups() const;

  std::size_t worst = 0;
  long iterations = 0, evaluations = 0, jacobians = 0;

 private:
  using Dual8 = StepModel::Dual8;
  struct Stage {
    double t, h;
    std::span<const double> base, turn;
  };
  /// The search of one component along its direction.
  struct Search {
    double scale = 0;          // squares that are as good as zero are small against this
    double rounding = 0;       // squares that rounding makes
    double square = 0;         // |R|^2 at the start of the line
    double slope = 0;          // g(0)
    double s = 0;              // tried
    double low = 0, high = 0;  // between which g changes its sign
    double slope_low = 0, slope_high = 0;
    double true_slope_low = 0, true_slope_high = 0;  // not halved
    int last = 0;                                    // end of the bracket that was moved last
    bool active = true, open = false;
    bool fast = true;      // the last move was whole, and the residual fell to a hundredth
    bool convex = true;    // the slope tells; otherwise |R| has to fall
    double slowness = 1;   // of the relaxation: 1/ds
    bool arrived = false;  // there
  };
  enum class Factored : char { no, yes, beyond_a_fold, singular };
  struct Entry {  // of the matrix
    std::size_t row, lane, place;
    bool diagonal;
  };

  double tau(double h) const noexcept { return model_.look_ahead ? h : 0.0; }
  void place(const Stage& stage, std::span<const double> v, std::span<double> x, std::span<double> xdot) const;
  void evaluate(const Stage& stage, std::span<const double> v, std::span<double> x, std::span<double> xdot);
  void linearise(const Stage& stage, std::span<double> x, std::span<double> xdot);
  void linearise_by_differences(const Stage& stage, std::span<double> x, std::span<double> xdot);
  void take_residual(const Stage& stage, std::span<const double> v, std::span<const double> xdot);
  void find_rounding(const Stage& stage, std::span<const double> x);
  bool any_active() const {
    return std::any_of(searches_.begin(), searches_.end(), [](const Search& line) { return line.active; });
  }
  static bool has_arrived(const Search& line, double square, double move, bool by_newton);
  bool iterate(const Stage& stage, std::span<double> x, std::span<double> xdot, bool same_matrix);
  bool relax(const Stage& stage, std::span<double> x, std::span<double> xdot);
  bool choose_directions();
  bool search(const Stage& stage, std::span<double> x, std::span<double> xdot, int trials);
  void judge(Search& line, const BlockLu::Component& component);
  template <class F>
  void each_unknown(const BlockLu::Component& component, F&& f) const {
    for (std::size_t k = component.first; k < component.last; ++k)
      for (std::size_t i = first_[lu_.order()[k]]; i < first_[lu_.order()[k] + 1]; ++i) f(i);
  }

  StepModel& model_;
  std::vector<std::size_t> first_;           // unknown of each group
  std::vector<std::size_t> entry_;           // of the state, of each unknown
  std::vector<std::size_t> driven_;          // entries that are no positions
  std::vector<std::size_t> lane_;            // of each unknown: its direction, over all passes
  std::vector<std::vector<Entry>> entries_;  // of the matrix, found in each pass
  BlockLu lu_;
  std::vector<double> v_, try_, residual_, direction_, unsure_, guess_;
  bool trusted_ = false;                          // the matrix is of this stage, or has shown that it fits
  std::vector<double> changed_x_, changed_rate_;  // for differences
  std::vector<Search> searches_;
  std::vector<Factored> factored_;  // of each component
  std::vector<Dual8> dual_x_, dual_rate_;
};

}  // namespace asperity::detail
