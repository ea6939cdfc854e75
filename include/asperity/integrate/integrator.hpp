// Integrators by name: one interface over any rate(t, x, tau, xdot). A world's rate is one; any lambda works.
//
//   const auto integrator = make_integrator("dopri5", world);
//   integrator->start(0, world.start());
//   integrator->advance(10);
//
// The look-ahead tau belongs to the method (see runge_kutta.hpp); a rate that has no elements ignores it.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/integrate/guard.hpp"
#include "asperity/integrate/implicit.hpp"
#include "asperity/integrate/jacobian.hpp"
#include "asperity/integrate/runge_kutta.hpp"

namespace asperity {

using RateFunction = std::function<void(double t, std::span<const double> x, double tau, std::span<double> xdot)>;
/// d xdot[i] / d x[j] at jacobian[j * n + i], all of it, for tau = 0.
using JacobianFunction = std::function<void(double t, std::span<const double> x, std::span<double> jacobian)>;
/// May change the state after an accepted step: rotations back to length 1, switches of hybrid laws. A function of (t, x) only:
/// cvode calls it on states that it tries, too.
using BetweenSteps = std::function<void(double t, std::span<double> x)>;

struct IntegratorOptions {
  double step = 1e-3;  // s, of the fixed-step methods
  double rtol = 1e-6;  // of the adaptive ones: the error of a step is kept below atol + rtol |x|, entry by entry
  double atol = 1e-9;  // in the units of each entry: choose it for the smallest (an asperity's deflection is F/K)
  double max_step = std::numeric_limits<double>::infinity();  // s, of the adaptive ones

  BetweenSteps between_steps{};
  JacobianFunction jacobian{};                               // of cvode and auto; without one, by differences
  std::function<SparseJacobian()> sparse_jacobian{};         // of cvode and auto, asked for at every start
  std::function<std::unique_ptr<StepModel>()> step_model{};  // of the implicit methods, asked for at every start
  std::function<std::unique_ptr<StepGuard>()> guard{};       // of the adaptive methods, asked for at every start
  bool subdivide = true;  // of implicit2: steps in which a contact is struck, until the contact is resolved
  std::function<void(const StepPart&)> on_part{};  // of the implicit methods: called for every part of a step
  int bandwidth = -1;  // of cvode and auto: xdot[i] depends on x[j] only for |i - j| <= bandwidth; -1: on all
  std::function<void(std::string_view)> say{};   // what `auto` decides
  std::shared_ptr<const KernelMaker> kernels{};  // of a world: for its large pools
};

struct Statistics {
  long steps = 0;        // accepted
  long rejected = 0;     // tried, and repeated with a shorter step
  long evaluations = 0;  // of the rate, those for Jacobians by differences and for stiffness included
  long jacobians = 0;    // matrices formed
  long restarts = 0;     // of a multistep method, because the state was changed between steps
  long iterations = 0;   // of Newton's method, by the implicit methods
  long retries = 0;      // of the implicit methods, with a shorter step where Newton's method did not converge
  long substeps = 0;     // of the implicit methods, of steps that were subdivided
  long absorbed = 0;     // impacts that implicit2 did not resolve: too slow for that, or without subdivision
  long switches = 0;     // from one method to the other, by `auto`
};

/// A run that cannot go on. The integrator still holds the last good state.
class IntegrationFailure : public std::runtime_error {
 public:
  IntegrationFailure(const std::string& what, double t) : std::runtime_error(what), time(t) {}
  double time;
};
/// The first entry that is not a finite number, of the rate or of the state.
class NonFinite : public IntegrationFailure {
 public:
  NonFinite(double t, std::size_t entry, bool rate);
  std::size_t index;
  bool of_rate;
};
/// No step is short enough for the tolerance: `index` is the entry with the largest error, or none.
class StepCollapse : public IntegrationFailure {
 public:
  static constexpr std::size_t none = std::size_t(-1);
  StepCollapse(std::string_view method, double t, double h, std::size_t entry = none);
  double step;
  std::size_t index;
};
/// Newton's method finds no end of an implicit step, however short: `index` is an entry that it did not find.
class NoConvergence : public IntegrationFailure {
 public:
  NoConvergence(std::string_view method, double t, double h, std::size_t entry);
  std::size_t index;
};

/// Advances a flat state. start() forgets everything before it: two integrators started with the same numbers give the same
/// numbers.
class Integrator {
 public:
  Integrator(RateFunction rate, IntegratorOptions options) : rate_(std::move(rate)), options_(std::move(options)) {}
  virtual ~Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// The method at work; for `auto`, the one it has chosen.
  virtual std::string_view method() const noexcept = 0;

  void start(double t, std::span<const double> x);
  /// One accepted step, which neither ends after t_stop nor evaluates the rate there: an input may jump at t_stop.
  /// A fixed-step method ends on its grid, t = k h, or at t_stop, from where a new grid starts.
  void step(double t_stop = std::numeric_limits<double>::infinity());
  /// Steps to t_end; a grid time that differs from it by rounding is it.
  void advance(double t_end) {
    advance(t_end, [](double, std::span<const double>) {});
  }
  /// ... and calls look(t, x) after every step.
  template <class Look>
  void advance(double t_end, Look&& look) {
    while (!reached(t_end)) {
      step(t_end);
      look(time(), state());
    }
  }

  double time() const noexcept { return t_; }
  std::span<const double> state() const noexcept { return x_; }
  /// Where the last step started.
  double time_before() const noexcept { return t_before_; }
  /// The state at a time within the last step, before what happened after it between steps.
  virtual void interpolate(double t, std::span<double> x) = 0;
  /// At least these numbers of it, for who looks at one element of many.
  virtual void interpolate(double t, std::span<const std::size_t> /*entries*/, std::span<double> x) { interpolate(t, x); }
  /// Times within the last step that divide what interpolate() gives into smooth pieces; most methods give one piece.
  virtual std::span<const double> knots() const noexcept { return {}; }

  /// The time at which the last step saw inputs and prescribed motions at t: at its end, just before a jump there.
  virtual double seen(double t) const noexcept { return std::clamp(t, std::min(first_, last_), last_); }

  const Statistics& statistics() const noexcept { return statistics_; }

  /// What a fixed-step method keeps from step to step besides the state: how much of its bounds on work is used. Given back after
  /// start(), it goes on as if it had not been started anew.
  virtual std::vector<double> kept() const { return {}; }
  virtual void keep(std::span<const double> /*kept*/) {}

 protected:
  /// From t_, x_: start afresh.
  virtual void begin() = 0;
  /// From t_, x_ to a later t_, x_, between_steps included.
  virtual void take_step(double t_stop) = 0;
  /// Times closer than this are the same.
  virtual double slack(double t) const noexcept;
  bool reached(double t_stop) const noexcept { return t_ >= t_stop - slack(t_stop); }

  void evaluate(double t, std::span<const double> x, double tau, std::span<double> xdot) {
    ++statistics_.evaluations;
    rate_(seen(t), x, tau, xdot);
  }
  // Of adaptive methods, which ask before and after a step, so that nothing is stepped over.
  /// Looks for a jump of an input at t_; true: the rate of before is no longer that of now.
  bool pass_corner();
  /// When a step of h, whose rate is known at its start, has to end: at t_stop or earlier.
  double latest_end(double h, double t_stop, std::span<const double> rate);
  /// When the step to t should have ended; infinite: there.
  double first_event(double t, const StepGuard::Dense& at);
  /// Whether the step ended where an input jumps.
  bool at_corner() const noexcept { return t_ > last_; }
  /// Calls between_steps on x_, if there is anything to call.
  bool tidy();
  /// The same; says how far that moved the state, in units of the tolerance.
  double settle();
  double tolerance(double entry) const noexcept;

  RateFunction rate_;
  IntegratorOptions options_;
  Statistics statistics_;
  double t_ = 0, t_before_ = 0;
  std::vector<double> x_;
  std::vector<double> unsettled_;  // x_ as it was before between_steps; kept only if there is one

 private:
  StepGuard* guard();

  std::unique_ptr<StepGuard> guard_;
  // Between these times nothing jumps.
  double first_ = -std::numeric_limits<double>::infinity(), last_ = std::numeric_limits<double>::infinity();
  int crawling_ = 0;  // steps of a few units in the last place of t
};

/// What is true of a method. Whoever has to know asks here, not for its name.
struct AboutMethod {
  std::string_view name;
  std::string_view title;
  bool adaptive;
  bool available;  // built in
  int order;
  bool implicit = false;            // solves for bodies and elements together: takes any stiffness
  std::optional<Method> tableau{};  // of the explicit methods with a fixed step
  double look_ahead = 0;            // with which its stages see elements, on average, as a share of the step
  /// What a fixed step h makes of x' = s x: x grows by this factor; z = s h. Elements that look ahead are no such thing.
  std::complex<double> (*growth)(std::complex<double> z) = nullptr;
};
/// All methods, in the order of the guide.
std::span<const AboutMethod> integration_methods();
/// nullptr: there is none of that name.
const AboutMethod* find_method(std::string_view name) noexcept;
bool is_adaptive(std::string_view method) noexcept;
bool is_implicit(std::string_view method) noexcept;

/// An integrator by the name of its method; std::invalid_argument for a method or an option that cannot be.
std::unique_ptr<Integrator> make_integrator(std::string_view method, RateFunction rate, IntegratorOptions options = {});

/// For a world, which has to outlive it: its rate, its Jacobian, and what it does between steps.
std::unique_ptr<Integrator> make_integrator(std::string_view method, const World& world, IntegratorOptions options = {});

/// For any model with rate() and between_steps(), which has to outlive it: an Inclusion.
template <class Model>
std::unique_ptr<Integrator> make_integrator(std::string_view method, Model& model, IntegratorOptions options = {}) requires
    requires(std::span<double> x) {
  model.rate(0.0, std::span<const double>(x), 0.0, x);
  model.between_steps(0.0, x);
}
{
  if (!options.between_steps) options.between_steps = [&model](double t, std::span<double> x) { model.between_steps(t, x); };
  if (!options.jacobian && !options.sparse_jacobian && options.bandwidth < 0 && model.has_derivatives())
    options.sparse_jacobian = [&model] {
      return sparse_jacobian(
          [&model](double t, std::span<const Dual<8>> x, std::span<Dual<8>> xdot) { model.rate(t, x, 0.0, xdot); },
          model.coupling());
    };
  return make_integrator(method, RateFunction([&model](double t, std::span<const double> x, double tau, std::span<double> xdot) {
                           model.rate(t, x, tau, xdot);
                         }),
                         std::move(options));
}

}  // namespace asperity
