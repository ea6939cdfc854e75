// Friction that holds still, by rule: the stiffness and damping of an asperity for a given limit, mass and step, and whether it
// holds under an oscillating load.
#pragma once

#include <optional>

#include "asperity/hooks.hpp"
#include "asperity/integrate/runge_kutta.hpp"

namespace asperity::design {

/// mean + amplitude sin(frequency t); rad/s.
struct Shake {
  double amplitude = 0, frequency = 0, mean = 0;
};

// --- holding
//
// While it sticks, M v' = load - f, f = K (a + beta v), a' = v: to a load at w the force answers with
//   f/load = H = K (1 + i beta w)/(K - M w^2 + i K beta w).
// It holds if mean + A |H| <= F. With R = (F - mean)/A, W = M w^2 and c = 1 + (beta w)^2 that is
//   (R^2 - 1) c K^2 - 2 R^2 W K + R^2 W^2 >= 0,
// for R > 1 above the larger root, below the smaller (soft: w is above the resonance, the force does not follow), and everywhere if
// (beta w)^2 (R^2 - 1) >= 1. Without damping the larger root is M w^2 R/(R - 1) = M w^2 (F - mean)/(F - mean - A), the no-drift
// rule. For R = 1 it holds only for K <= W/2, w >= sqrt(2) sqrt(K/M), whatever the damping.

/// |H|
double force_gain(double K, double beta, double mass, double frequency);
/// The larger root: the least stiffness from which on a load below resonance is held. 0 if every stiffness holds, infinite if none
/// does (the load itself reaches the limit).
double least_holding_stiffness(double limit, double mass, double beta, const Shake& load);

// --- parameters

/// K T^2/M and beta/T. At the pace of a method its step takes the stuck mode away at once: for rk4 they are the zeros of its
/// stability function, z = -1.7294 +- .88897 i, kappa = |z|^2, kappa b = -2 Re z; for euler and step the matrix is nilpotent. The
/// limit is a third or more above.
struct Pace {
  double kappa, b;
};
Pace pace(Method method);

/// The damping time that goes with a stiffness below the pace: 2 zeta/omega with the damping ratio zeta = .889 of the pace of rk4,
/// less what the method adds by itself.
double damping_time(double K, double mass, double step, Method method);
/// beta and what the method adds: the mean look-ahead of its stages, and of euler half a step less.
double damping_seen(double beta, double step, Method method);

struct FrictionWish {
  double limit = 1;  // N
  double mass = 1;   // kg, effective
  double step = 1e-3;
  Method method = Method::rk4;
  std::optional<double> displacement{};  // m, the most while held; otherwise as stiff as the step allows
  std::optional<Shake> shake{};
};

inline constexpr double most_room = 100;

struct FrictionDesign {
  double K = 0, beta = 0;
  double displacement = 0;  // m, F/K
  double settling = 0;      // s, until a small disturbance of the stuck mode is below a hundredth
  double room = 0;          // largest stable K with this beta, over K; looked for up to most_room
  double force = 0;         // N, largest that a stage of a step meets under the oscillation
  bool still_enough = true, holds = true;
  // What would do where this does not, each by itself; 0: nothing of its kind does.
  double step_for_displacement = 0, mass_for_displacement = 0;
  double step_to_hold = 0, limit_to_hold = 0;  // a cycle has to take twenty steps or more
  bool delivers() const noexcept { return still_enough && holds; }
};
/// As stiff as the step allows, at the pace of the method; with a displacement asked for, no stiffer than that and the oscillation
/// need.
FrictionDesign design_friction(const FrictionWish& wish);

/// What the law itself does at that step.
struct ShakenRun {
  double force = 0;  // N, largest
  double slip = 0;   // m, of the point that is held
  long cycles = 0;   // 0: a cycle is too long to be run
};
struct FrictionRun {
  double displacement = 0;  // m, at the limit, from a load of 99 % of it
  double settling = 0;      // s
  std::optional<ShakenRun> shaken{};
  bool stopped = false;  // as the hook asked for: what had not been run then is 0, or not there
};
FrictionRun simulate(const FrictionWish& wish, const FrictionDesign& design, const Hooks& hooks = {});
/// Cycles of the oscillation, from the motion that lasts: nothing knocks it at the start.
ShakenRun shake(const FrictionWish& wish, double K, double beta);

}  // namespace asperity::design
