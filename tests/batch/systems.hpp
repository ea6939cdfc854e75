// Random systems of any law as structure of arrays, and the scalar law that the lanes are compared with.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <string_view>
#include <vector>

#include "asperity/catalogue.hpp"

namespace asperity::batch_test {

using Table = std::vector<std::vector<double>>;  // column by column

inline std::vector<const double*> columns(const Table& table) {
  std::vector<const double*> all;
  for (const auto& column : table) all.push_back(column.data());
  return all;
}
inline std::vector<double*> columns(Table& table) {
  std::vector<double*> all;
  for (auto& column : table) all.push_back(column.data());
  return all;
}
inline std::vector<double> row(const Table& table, std::size_t k) {
  std::vector<double> numbers;
  for (const auto& column : table) numbers.push_back(column[k]);
  return numbers;
}

template <class Law>
Law law_with(const std::vector<double>& parameters) {
  Law law;
  std::size_t i = 0;
  each_parameter(law, [&](double& x) { x = parameters[i++]; });
  return law;
}
template <class Law>
typename Law::State state_with(const Law& law, const std::vector<double>& numbers) {
  auto z = law.start();
  std::size_t i = 0;
  each_state<Law>([&](double& x) { x = numbers[i++]; }, z);
  return z;
}

/// The scalar law on flat numbers: the force, then the rates.
template <class Law>
std::vector<double> react(const std::vector<double>& parameters, const std::vector<double>& state, const std::vector<double>& in,
                          double tau) {
  const Law law = law_with<Law>(parameters);
  typename Law::Input input;
  if constexpr (Law::about.kind == Kind::composite) input = {in[0], in[1], in[2]};
  else input = {in[0], in[1]};
  const auto r = law.react(state_with(law, state), input, tau);
  std::vector<double> answer;
  if constexpr (Law::about.kind == Kind::composite) answer = {r.f.normal, r.f.tangential};
  else answer = {r.f};
  each_state<Law>([&](const double& x) { answer.push_back(x); }, r.rate);
  return answer;
}

/// Numbers near those a law meets in use, with the special ones (rest, no load, just touching) among them.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double between(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  double sign() { return between(-1, 1) < 0 ? -1 : 1; }
  /// Any size from low to high, any sign.
  double spread(double low, double high) { return sign() * std::exp(between(std::log(low), std::log(high))); }

  /// Within 10 % of the defaults, which keeps the relations between parameters; somewhere above a default of zero.
  template <class Law>
  std::vector<double> parameters() {
    Law law;
    std::vector<double> numbers;
    each_parameter(law, [&](double& x) { numbers.push_back(x == 0 ? between(0, 1) : x * between(0.9, 1.1)); });
    return numbers;
  }
  template <class Law>
  std::vector<double> state() {
    auto z = Law{}.start();
    std::vector<double> numbers;
    Law::states(
        [&](std::string_view, std::string_view unit, std::string_view, auto& member) {
          each_number(
              [&](double&) {
                if (unit == "1") numbers.push_back(std::round(between(-1.5, 1.5)));  // modes
                else if (unit == "N") numbers.push_back(between(0.5, 2.5));
                else numbers.push_back(spread(1e-8, 1e-4));
              },
              member);
        },
        z);
    return numbers;
  }
  template <class Law>
  std::vector<double> input(std::size_t k) {
    const double velocity = k % 7 == 0 ? 0 : spread(1e-9, 1), load = k % 5 == 0 ? 0 : between(0, 2);
    const double gap = k % 7 == 0 ? 0 : spread(1e-8, 1e-2), rate = k % 5 == 0 ? 0 : spread(1e-6, 1);
    if constexpr (Law::about.kind == Kind::friction) return {velocity, load};
    else if constexpr (Law::about.kind == Kind::contact) return {gap, rate};
    else return {gap, rate, velocity};
  }

 private:
  std::mt19937_64 engine_;
};

template <class Make>
Table table(std::size_t n, Make make) {
  Table all;
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> numbers = make(k);
    all.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) all[i].push_back(numbers[i]);
  }
  return all;
}

}  // namespace asperity::batch_test
