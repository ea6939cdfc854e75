// Parameters of a friction law while the machine runs: one call a sample. No allocation, no exception, no global.
//
//   FrictionTracker<SingleState<>, 1> tracker(law, {"F"}, {.mass = 2});
//   tracker.update(motor_force, measured_position, 1e-3);
//   tracker.parameter(0);  // N, with tracker.deviation(0)
#pragma once

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "asperity/scalar/dual.hpp"
#include "asperity/step.hpp"
#include "asperity/system/over.hpp"

namespace asperity {

/// What the filter believes before it sees anything. Deviations are standard deviations.
struct TrackerSettings {
  double mass = 1;                 // kg
  double viscous = 0;              // N s/m
  double position_noise = 1e-6;    // m, of the measurement
  double velocity_deviation = 1;   // m/s, of the velocity at the start
  double force_noise = 1e-2;       // N sqrt(s): what pushes besides the motor and the friction
  double parameter_deviation = 1;  // of ln(parameter) at the start: 1 is a factor of e either way
  double parameter_drift = 0.1;    // of ln(parameter) in one second
};

/// Extended Kalman filter over  x = (position, velocity, state of the law, ln of P of its parameters)  of
///   M vdot = u - D v - f(z, v; theta),   measured: position.
/// The prediction is one step of the law's own react() with tau = h, its derivatives are dual numbers through the same step. A
/// parameter the motion does not excite is forgotten at the rate of its drift, but never beyond what was believed at the start.
template <class Law, int P>
requires MadeOfNumbers<Law, Dual<1>>
class FrictionTracker {
 public:
  static constexpr int states = state_size(Law{});
  static constexpr int size = 2 + states + P;
  using Row = std::array<double, size>;

  /// std::invalid_argument for a name the law does not have, or a parameter that is not a positive number.
  FrictionTracker(const Law& law, const std::array<std::string_view, P>& names, const TrackerSettings& settings)
      : law_(law), settings_(settings) {
    for (std::size_t j = 0; j < P; ++j) {
      int next = 0;
      bool found = false;
      law_.describe([&](std::string_view name, auto& value, std::string_view, const Range&, std::string_view) {
        each_number(
            [&](double number) {
              if (name == names[j] && !found) {
                if (!(number > 0)) throw std::invalid_argument(std::string(name) + ": must be > 0 to be tracked");
                found = true;
                where_[j] = next;
                x_[first_parameter + j] = std::log(number);
              }
              ++next;
            },
            value);
      });
      if (!found) throw std::invalid_argument(std::string(names[j]) + ": no parameter of " + std::string(Law::about.name));
      covariance_[first_parameter + j][first_parameter + j] = forgotten();
    }
    typename Law::State z = law_.start();
    std::size_t i = 2;
    each_state<Law>([&](double number) { x_[i++] = number; }, z);
    covariance_[0][0] = square(settings_.position_noise);
    covariance_[1][1] = square(settings_.velocity_deviation);
    at_start_ = x_;
  }

  /// Where the machine is at the start.
  void place(double position) noexcept { x_[0] = position; }

  /// One sample of length h: the motor pushed with u, then the position was measured.
  void update(double u, double measured, double h) noexcept {
    predict(u, h);
    correct(measured);
  }

  double position() const noexcept { return x_[0]; }
  double velocity() const noexcept { return x_[1]; }
  /// The friction force of the last sample.
  double force() const noexcept { return force_; }
  double parameter(int j) const noexcept { return std::exp(x_[first_parameter + static_cast<std::size_t>(j)]); }
  /// Its standard deviation, to first order.
  double deviation(int j) const noexcept {
    const std::size_t i = first_parameter + static_cast<std::size_t>(j);
    return parameter(j) * std::sqrt(covariance_[i][i]);
  }
  /// The law with the parameters as they are known now.
  Law law() const noexcept {
    Law known = law_;
    place_parameters(known, [&](std::size_t j) { return std::exp(x_[first_parameter + j]); });
    return known;
  }

 private:
  using Number = Dual<size>;
  static constexpr std::size_t first_parameter = 2 + states;

  static constexpr double square(double x) noexcept { return x * x; }
  double forgotten() const noexcept { return square(settings_.parameter_deviation); }

  template <class AnyLaw, class Value>
  void place_parameters(AnyLaw& law, Value&& value) const noexcept {
    int next = 0;
    each_parameter(law, [&](auto& number) {
      for (std::size_t j = 0; j < P; ++j)
        if (where_[j] == next) number = value(j);
      ++next;
    });
  }

  void predict(double u, double h) noexcept {
    std::array<Number, size> x;
    for (std::size_t i = 0; i < size; ++i) x[i] = Number::variable(x_[i], i);

    auto law = over<Number>(law_);
    using DualLaw = decltype(law);
    place_parameters(law, [&](std::size_t j) { return exp(x[first_parameter + j]); });
    typename DualLaw::State z = law.start();
    std::size_t i = 2;
    each_state<DualLaw>([&](Number& number) { number = x[i++]; }, z);

    const Number f = step(law, z, typename DualLaw::Input{x[1]}, Number(h));
    force_ = f.a;
    x[1] = x[1] + Number(h / settings_.mass) * (Number(u) - Number(settings_.viscous) * x[1] - f);
    x[0] = x[0] + Number(h) * x[1];
    i = 2;
    each_state<DualLaw>([&](const Number& number) { x[i++] = number; }, z);

    // P <- A P A^T + Q
    std::array<Row, size> product{};
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c)
        for (std::size_t k = 0; k < size; ++k) product[r][c] += x[r].v[k] * covariance_[k][c];
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c <= r; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < size; ++k) sum += product[r][k] * x[c].v[k];
        covariance_[r][c] = covariance_[c][r] = sum;
      }
    covariance_[1][1] += square(settings_.force_noise / settings_.mass) * h;
    for (std::size_t j = first_parameter; j < size; ++j)
      covariance_[j][j] += square(settings_.parameter_drift) * h * std::fmax(0, 1 - covariance_[j][j] / forgotten());
    for (std::size_t k = 0; k < size; ++k) x_[k] = x[k].a;
  }

  /// One measured number: no matrix to invert. (I - g H) P (I - g H)^T + g R g^T, which stays a covariance whatever the rounding.
  void correct(double measured) noexcept {
    const double noise = square(settings_.position_noise), innovation = measured - x_[0];
    if (!std::isfinite(innovation)) return;  // a lost sample: the prediction stands
    const double spread = covariance_[0][0] + noise;
    Row gain, first = covariance_[0];
    for (std::size_t i = 0; i < size; ++i) gain[i] = first[i] / spread;
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c <= r; ++c)
        covariance_[r][c] = covariance_[c][r] =
            covariance_[r][c] - gain[r] * first[c] - first[r] * gain[c] + gain[r] * spread * gain[c];
    for (std::size_t i = 0; i < size; ++i) x_[i] += gain[i] * innovation;
    // ln(parameter) far below its start would have no influence left, and never find back.
    const double reach = 4 * settings_.parameter_deviation;
    for (std::size_t j = first_parameter; j < size; ++j)
      x_[j] = std::fmin(std::fmax(x_[j], at_start_[j] - reach), at_start_[j] + reach);
  }

  Law law_;
  TrackerSettings settings_;
  std::array<int, P> where_{};
  Row x_{}, at_start_{};
  std::array<Row, size> covariance_{};
  double force_ = 0;
};

}  // namespace asperity
