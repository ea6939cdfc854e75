// Parameters of a friction law while the machine runs: one call a sample. No allocation, no exception, no global.
//
//   FrictionTracker<SingleState<>, 2> tracker(law, {"F", "mass"}, {.mass = 2});
//   tracker.update(motor_force, measured_position, 1e-3);
//   tracker.value(0);  // N, with tracker.deviation(0); tracker.consistent() says whether the model explains what was measured
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "asperity/over.hpp"
#include "asperity/scalar/dual.hpp"
#include "asperity/step.hpp"

namespace asperity {

/// What the filter believes before it sees anything. Deviations are standard deviations; a drift is how far a quantity may wander
/// in one second. Those of the offset are in N, all others are of the logarithm: 1 is a factor of e either way.
struct TrackerSettings {
  double mass = 1;                // kg
  double viscous = 0;             // N s/m
  double offset = 0;              // N, a constant force against the motor: a load, a wrong zero
  double position_noise = 1e-6;   // m, of the measurement
  double velocity_deviation = 1;  // m/s, of the velocity at the start
  double force_noise = 1e-2;      // N sqrt(s): what pushes besides the motor, the friction and the offset
  double parameter_deviation = 1, parameter_drift = 0.1;
  double mass_deviation = 0.3, mass_drift = 0.01;
  double viscous_deviation = 1, viscous_drift = 0.1;
  double offset_deviation = 1, offset_drift = 0.1;
};

/// A covariance C = R R^T, held as its root R, a lower triangle. Whatever the rounding, C is the square of something: symmetric,
/// and positive semidefinite to within the rounding of that product. [kaminski1971]
template <std::size_t n>
class CovarianceRoot {
 public:
  using Row = std::array<double, n>;

  constexpr explicit CovarianceRoot(const Row& variances = {}) noexcept {
    for (std::size_t i = 0; i < n; ++i) root_[i][i] = std::sqrt(variances[i]);
  }

  double operator()(std::size_t i, std::size_t j) const noexcept {
    double sum = 0;
    for (std::size_t k = 0; k <= std::min(i, j); ++k) sum += root_[i][k] * root_[j][k];
    return sum;
  }

  /// C <- A C A^T + diag(noise): the rows [A R, sqrt(noise)], made a triangle again by reflections.
  void propagate(const std::array<Row, n>& A, const Row& noise) noexcept {
    std::array<std::array<double, 2 * n>, n> wide{};
    std::size_t columns = n;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = j; k < n; ++k) wide[i][j] += A[i][k] * root_[k][j];
      if (noise[i] > 0) wide[i][columns++] = std::sqrt(noise[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      auto mirror = wide[i];
      double square = 0;
      for (std::size_t k = i; k < columns; ++k) square += mirror[k] * mirror[k];
      if (square == 0) continue;
      const double length = std::sqrt(square);
      mirror[i] += std::copysign(length, mirror[i]);
      const double scale = 1 / (length * std::fabs(mirror[i]));
      for (std::size_t row = i; row < n; ++row) {
        double along = 0;
        for (std::size_t k = i; k < columns; ++k) along += mirror[k] * wide[row][k];
        for (std::size_t k = i; k < columns; ++k) wide[row][k] -= scale * along * mirror[k];
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) root_[i][j] = wide[i][j];
  }

  /// The first number is measured with variance `noise`: gain = C e/s with s = e^T C e + noise, C <- C - gain s gain^T. In a lower
  /// triangle only the first column knows of the first number, and Potter's formula is one factor, sqrt(noise/s).
  Row measure_first(double noise) noexcept {
    const double top = root_[0][0], s = top * top + noise, less = std::sqrt(noise / s);
    Row gain;
    for (std::size_t i = 0; i < n; ++i) {
      gain[i] = root_[i][0] * (top / s);
      root_[i][0] *= less;
    }
    return gain;
  }

 private:
  std::array<Row, n> root_{};
};

/// Whether innovations nu are what the filter says of them: over their deviation sqrt(s) each has square 1 in the mean, and they do
/// not hang together, so that their mean is 0 [barshalom2001, 5.4]. Both averages are over about `window` samples.
struct Consistency {
  static constexpr double window = 200;
  static constexpr long memory = 2000;  // samples for which a contradiction is remembered
  double square = 1;                    // mean of nu^2/s, the normalised innovation squared
  double mean = 0;                      // mean of nu/sqrt(s)
  long since = memory;                  // samples since a contradiction

  void add(double normalised) noexcept {
    constexpr double weight = 2 / (window + 1);  // an exponential average that scatters as that of `window` samples
    square += weight * (normalised * normalised - square);
    mean += weight * (normalised - mean);
    // Six standard deviations of each average, sqrt(2/window) and sqrt(1/window).
    const bool is_met = square < 1 + 6 * std::sqrt(2 / window) && std::fabs(mean) < 6 * std::sqrt(1 / window);
    since = is_met ? std::min(since + 1, memory) : 0;
  }
  bool holds() const noexcept { return since == memory; }
};

/// Extended Kalman filter over  x = (position, velocity, state of the law, P quantities)  of
///   M vdot = u - offset - D v - f(z, v; theta),   measured: position.
/// A quantity is a parameter of the law, "F", a number of a list, "kappa[2]", or one of "mass", "viscous", "offset". All but the
/// offset are followed by their logarithms.
/// The prediction is one implicit Euler step, with the law's own react() at tau = h; its derivatives are dual numbers through it.
/// A quantity the motion does not excite is forgotten at the rate of its drift, but never beyond what was believed at the start.
template <class Law, int P>
requires MadeOfNumbers<Law, Dual<1>>
class FrictionTracker {
 public:
  static constexpr int states = std::is_empty_v<typename Law::State> ? 0 : int(sizeof(typename Law::State) / sizeof(double));
  static constexpr int size = 2 + states + P;
  using Row = std::array<double, size>;

  /// std::invalid_argument for a name that is not known or stands twice, for a quantity that is not a positive number, and for
  /// masses, noises and deviations that are not.
  FrictionTracker(const Law& law, const std::array<std::string_view, P>& names, const TrackerSettings& settings)
      : law_(law), settings_(settings) {
    require_positive("mass", settings.mass);
    require_positive("position_noise", settings.position_noise);
    require_positive("force_noise", settings.force_noise);
    require_positive("velocity_deviation", settings.velocity_deviation);
    if (!nonnegative.contains(settings.viscous)) refuse("viscous", settings.viscous, ">= 0");
    if (!Range{}.contains(settings.offset)) refuse("offset", settings.offset, "finite");

    Row variances{};
    variances[0] = square(settings_.position_noise);
    variances[1] = square(settings_.velocity_deviation);
    typename Law::State z = law_.start();
    std::size_t i = 2;
    each_state<Law>([&](double number) { x_[i++] = number; }, z);
    for (std::size_t j = 0; j < P; ++j, ++i) {
      if (std::find(names.begin(), names.begin() + j, names[j]) != names.begin() + j)
        throw std::invalid_argument(std::string(names[j]) + ": stands twice");
      quantities_[j] = quantity(names[j], x_[i]);
      variances[i] = square(quantities_[j].deviation);
    }
    at_start_ = x_;
    covariance_ = CovarianceRoot<size>(variances);
    weights_.fill({law_.start(), law_.start()});
  }

  /// Where the machine is at the start. Without it, the first measurement says so.
  void place(double position) noexcept {
    x_[0] = position;
    is_placed_ = true;
  }

  /// One sample of length h: the motor pushed with u, then the position was measured.
  /// What cannot be is left out: an unknown push (not finite) is taken to be the last one, but not trusted; without a position, or
  /// with one out of all reason, the prediction stands; without a step (not > 0) the machine may be one step further on. A few
  /// positions out of all reason in a row, and it is the filter that has lost the machine.
  void update(double u, double measured, double h) noexcept {
    const bool is_step = h > 0 && usable.contains(h), is_push = usable.contains(u), is_position = usable.contains(measured);
    bool is_whole = is_step && is_push && is_position;
    if (is_position && !is_placed_) place(measured);
    if (is_step) {
      if (is_push) push_ = u;
      else opened_[1] += square(push_ / mass() * h);
      step_ = h;
      const double from = x_[0];
      is_whole = predict(push_, h) && is_whole;
      if (is_position && !correct(measured)) {
        is_whole = false;
        ++unreasonable_;
      }
      weigh((x_[0] - from) / h, h);
      if (unreasonable_ > 3) restart(measured);
    } else {
      opened_[0] += square(x_[1] * step_);
      opened_[1] += square(push_ / mass() * step_);
    }
    if (!is_whole) ++left_out_;
  }

  double position() const noexcept { return x_[0]; }
  double velocity() const noexcept { return x_[1]; }
  /// The friction force of the last sample.
  double force() const noexcept { return force_; }

  double value(int j) const noexcept { return quantities_[index(j)].value(x_[first + index(j)]); }
  /// Its standard deviation, to first order.
  double deviation(int j) const noexcept {
    const std::size_t i = first + index(j);
    return std::sqrt(variance(i)) * (quantities_[index(j)].is_linear ? 1 : value(j));
  }
  /// Whether the motion tells it from larger and from smaller values. A machine that is held tells of the limit of friction only
  /// that it is not smaller: what is measured then may move the estimate, but makes it no surer.
  bool is_told(int j) const noexcept { return quantities_[index(j)].place < 0 || weights_[index(j)].is_told(); }
  /// Whether the model explains the measurements of late. If not, something else is at work than what is followed here: another
  /// mass, a load, another law; and the deviations are too small.
  bool consistent() const noexcept { return consistency_.holds(); }
  const Consistency& consistency() const noexcept { return consistency_; }
  /// Samples of which something was left out.
  long left_out() const noexcept { return left_out_; }
  double covariance(int i, int j) const noexcept { return covariance_(index(i), index(j)) + (i == j ? opened_[index(i)] : 0); }

  double mass() const noexcept { return beside_law(mass_place, settings_.mass); }
  double viscous() const noexcept { return beside_law(viscous_place, settings_.viscous); }
  double offset() const noexcept { return beside_law(offset_place, settings_.offset); }
  /// The law with the parameters as they are known now.
  Law law() const noexcept {
    Law known = law_;
    place_parameters(known, [&](std::size_t j) { return quantities_[j].value(x_[first + j]); });
    return known;
  }

 private:
  using Number = Dual<size + 1>;  // the last direction is the velocity at the end of the step
  static constexpr std::size_t first = 2 + states;
  static constexpr Range usable = between(-1e30, 1e30);                         // of what is measured: its squares are numbers, too
  static constexpr int mass_place = -1, viscous_place = -2, offset_place = -3;  // of a law's numbers: 0, 1, ...

  struct Quantity {
    int place = 0;
    double deviation = 0, drift = 0;
    bool is_linear = false;

    template <class S>
    S value(const S& x) const noexcept {
      using std::exp;
      return is_linear ? x : exp(x);
    }
  };

  /// How much the force changes if one parameter were a fifth smaller in this sample: of the law as it is known, and of the law
  /// with that parameter half as large again, each driven by the same motion.
  struct Weight {
    typename Law::State known{}, larger{};
    int lasted = 0;  // samples; one alone may be noise
    static constexpr int enough = 10;

    /// Where the machine slides because friction has yielded, a larger one would have yielded, too. Where it is held, not.
    void compare(double of_known, double of_larger) noexcept {
      lasted = of_larger > of_known / 2 && of_larger > 0 ? std::min(lasted + 1, enough) : 0;
    }
    bool is_told() const noexcept { return lasted == enough; }
  };

  static constexpr std::size_t index(int j) noexcept { return static_cast<std::size_t>(j); }
  static constexpr double square(double x) noexcept { return x * x; }

  [[noreturn]] static void refuse(std::string_view name, double value, std::string_view bound) {
    throw std::invalid_argument(std::string(name) + " = " + std::to_string(value) + ": must be " + std::string(bound));
  }
  static void require_positive(std::string_view name, double value) {
    if (!positive.contains(value)) refuse(name, value, "> 0");
  }

  /// The quantity of that name; x is where it starts.
  Quantity quantity(std::string_view name, double& x) {
    const TrackerSettings& s = settings_;
    double start = 0;
    Quantity found;
    if (name == "mass") {
      found = {mass_place, s.mass_deviation, s.mass_drift};
      start = s.mass;
    } else if (name == "viscous") {
      found = {viscous_place, s.viscous_deviation, s.viscous_drift};
      start = s.viscous;
    } else if (name == "offset") {
      found = {offset_place, s.offset_deviation, s.offset_drift, true};
      start = s.offset;
    } else {
      found = {place_of(name, start), s.parameter_deviation, s.parameter_drift};
    }
    require_positive(std::string(name) + ": its deviation", found.deviation);
    if (!nonnegative.contains(found.drift)) refuse(std::string(name) + ": its drift", found.drift, ">= 0");
    if (!found.is_linear) require_positive(name, start);
    x = found.is_linear ? start : std::log(start);
    return found;
  }

  /// Which of the law's numbers has that name, and its value.
  int place_of(std::string_view name, double& value) {
    int next = 0, place = -1;
    std::string known;
    law_.describe([&](std::string_view parameter, auto& numbers, std::string_view, const Range&, std::string_view) {
      constexpr bool is_list = !requires { numbers = 1.0; };
      std::size_t i = 0;
      each_number(
          [&](double number) {
            const std::string full = std::string(parameter) + (is_list ? "[" + std::to_string(++i) + "]" : "");
            known += " " + full;
            if (full == name) {
              place = next;
              value = number;
            }
            ++next;
          },
          numbers);
    });
    if (place < 0)
      throw std::invalid_argument(std::string(name) + ": nothing of that name to follow; known:" + known + " mass viscous offset");
    return place;
  }

  template <class AnyLaw, class Value>
  void place_parameters(AnyLaw& law, Value&& value) const noexcept {
    int next = 0;
    each_parameter(law, [&](auto& number) {
      for (std::size_t j = 0; j < P; ++j)
        if (quantities_[j].place == next) number = value(j);
      ++next;
    });
  }

  /// The mass, viscous friction or offset: followed, or as it was given. As a number, or with its derivatives.
  double beside_law(int place, double given) const noexcept {
    for (std::size_t j = 0; j < P; ++j)
      if (quantities_[j].place == place) return quantities_[j].value(x_[first + j]);
    return given;
  }
  Number beside_law(int place, double given, const std::array<Number, size>& x) const noexcept {
    for (std::size_t j = 0; j < P; ++j)
      if (quantities_[j].place == place) return quantities_[j].value(x[first + j]);
    return Number(given);
  }

  double variance(std::size_t i) const noexcept { return covariance_(i, i) + opened_[i]; }

  /// v of  M (v - v0) = h (u - offset - D v - f(z, v)). The right side falls with v, so that v lies between that without friction
  /// and that with the friction of this speed: Newton's method, halving where it leaves the interval.
  double velocity_after(const Law& law, const typename Law::State& z, double push, double h) const noexcept {
    const auto with_slope = over<Dual<1>>(law);
    using WithSlope = std::remove_const_t<decltype(with_slope)>;
    typename WithSlope::State at = with_slope.start();
    each_state<WithSlope>([](auto& to, const double& from) { to = Dual<1>(from); }, at, z);
    const double inertia = mass() + h * viscous(), free = (mass() * x_[1] + h * push) / inertia;
    const auto braked = [&](double v) {  // h f/inertia
      const auto in = typename WithSlope::Input{Dual<1>::variable(v, 0)};
      return Dual<1>(h / inertia) * with_slope.react(at, in, Dual<1>(h)).f;
    };
    Dual<1> brake = braked(free);
    double v = free, low = std::fmin(free, free - brake.a), high = std::fmax(free, free - brake.a);
    const double rounding = 1e-15 * (std::fabs(free) + std::fabs(brake.a));
    for (int i = 0; i < 60; ++i) {
      const double excess = v - free + brake.a;
      if (std::fabs(excess) <= rounding) break;
      (excess > 0 ? high : low) = v;
      const double next = v - excess / (1 + brake.v[0]);
      v = next > low && next < high ? next : (low + high) / 2;
      brake = braked(v);
    }
    return v;
  }

  /// False, and nothing changed, if the step leads to a number that is none.
  bool predict(double u, double h) noexcept {
    const Law known = this->law();
    typename Law::State before = known.start();
    std::size_t i = 2;
    each_state<Law>([&](double& number) { number = x_[i++]; }, before);

    std::array<Number, size> x;
    for (i = 0; i < size; ++i) x[i] = Number::variable(x_[i], i);
    auto law = over<Number>(law_);
    using DualLaw = decltype(law);
    place_parameters(law, [&](std::size_t j) { return quantities_[j].value(x[first + j]); });
    typename DualLaw::State z = law.start();
    i = 2;
    each_state<DualLaw>([&](Number& number) { number = x[i++]; }, z);

    const Number M = beside_law(mass_place, settings_.mass, x), D = beside_law(viscous_place, settings_.viscous, x);
    const Number load = beside_law(offset_place, settings_.offset, x);
    const Number v = Number::variable(velocity_after(known, before, u - load.a, h), size);
    const Number f = step(law, z, typename DualLaw::Input{v}, Number(h));
    const Number balance = M * (v - x[1]) - Number(h) * (Number(u) - load - D * v - f);
    i = 2;
    each_state<DualLaw>([&](const Number& number) { x[i++] = number; }, z);
    x[1] = v;
    x[0] = x[0] + Number(h) * v;

    // balance = 0 makes v a function of all the rest: dv = - d balance/(d balance/dv).
    std::array<Row, size> A;
    bool is_finite = std::isfinite(f.a);
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c) {
        A[r][c] = x[r].v[c] - x[r].v[size] * balance.v[c] / balance.v[size];
        is_finite = is_finite && std::isfinite(x[r].a) && std::isfinite(A[r][c]);
      }
    if (!is_finite) return false;

    Row noise = opened_;
    opened_ = {};
    noise[1] += square(settings_.force_noise / M.a) * h;
    for (std::size_t j = 0; j < P; ++j) {
      const auto& q = quantities_[j];
      noise[first + j] += square(q.drift) * h * std::fmax(0, 1 - covariance_(first + j, first + j) / square(q.deviation));
    }
    covariance_.propagate(A, noise);
    for (std::size_t k = 0; k < size; ++k) x_[k] = x[k].a;
    force_ = f.a;
    return true;
  }

  /// False, and nothing changed, if the measurement is out of all reason.
  bool correct(double measured) noexcept {
    const double noise = square(settings_.position_noise), s = covariance_(0, 0) + noise, innovation = measured - x_[0];
    if (!(std::fabs(innovation) < 30 * std::sqrt(s))) return false;
    unreasonable_ = 0;
    consistency_.add(innovation / std::sqrt(s));
    const Row gain = covariance_.measure_first(noise);
    for (std::size_t i = 0; i < size; ++i) x_[i] += gain[i] * innovation;
    for (std::size_t j = 0; j < P; ++j) {
      // What is told one way only makes nothing surer.
      if (!is_told(static_cast<int>(j))) opened_[first + j] += square(gain[first + j]) * s;
      // A logarithm far below its start would have no influence left, and never find back.
      const double reach = 4 * quantities_[j].deviation;
      double& q = x_[first + j];
      q = std::clamp(q, at_start_[first + j] - reach, at_start_[first + j] + reach);
    }
    return true;
  }

  /// At rest there, with an unknown velocity; what is known of the quantities stays.
  void restart(double measured) noexcept {
    Row variances{};
    variances[0] = square(settings_.position_noise);
    variances[1] = square(settings_.velocity_deviation);
    for (std::size_t i = first; i < size; ++i) variances[i] = variance(i);
    covariance_ = CovarianceRoot<size>(variances);
    opened_ = {};
    std::copy_n(at_start_.begin(), first, x_.begin());
    weights_.fill({law_.start(), law_.start()});
    place(measured);
    unreasonable_ = 0;
    consistency_ = {.since = 0};
  }

  /// Drives the two laws of each weight by the motion that was found.
  void weigh(double v, double h) noexcept {
    const Law known = law();
    for (std::size_t j = 0; j < P; ++j) {
      if (quantities_[j].place < 0) continue;
      const auto scaled = [&](double factor) {
        Law other = known;
        int next = 0;
        each_parameter(other, [&](double& number) {
          if (next++ == quantities_[j].place) number *= factor;
        });
        return other;
      };
      const auto weight = [&](double factor, typename Law::State& z) {
        const double less = scaled(0.8 * factor).react(z, {v}, h).f, f = step(scaled(factor), z, {v}, h);
        return std::fabs(f - less);
      };
      const double of_known = weight(1, weights_[j].known), of_larger = weight(1.5, weights_[j].larger);
      weights_[j].compare(of_known, of_larger);
      if (!std::isfinite(of_known + of_larger)) weights_[j] = {law_.start(), law_.start()};
    }
  }

  Law law_;
  TrackerSettings settings_;
  std::array<Quantity, P> quantities_{};
  Row x_{}, at_start_{};
  CovarianceRoot<size> covariance_{};
  Row opened_{};  // variances to be added with the next prediction
  std::array<Weight, P> weights_{};
  Consistency consistency_;
  double force_ = 0, push_ = 0, step_ = 0;  // of the last sample
  long left_out_ = 0;
  int unreasonable_ = 0;  // positions in a row
  bool is_placed_ = false;
};

}  // namespace asperity
