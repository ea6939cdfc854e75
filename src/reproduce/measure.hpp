// What the experiments measure on recorded columns, and how they and their facts are written down.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/reproduce/experiment.hpp"

namespace asperity::reproduce {

using Column = std::vector<double>;

inline constexpr double um = 1e-6, mm = 1e-3;  // m

// --- Experiments

/// `where` is its place in the paper, `name` the same in the id.
inline Experiment experiment(const std::string& paper, const std::string& name, std::string where, std::string title,
                             std::string about, std::vector<std::string> scenes, Findings (*carry_out)(), double cost) {
  return {paper + "-" + name, paper, std::move(where), std::move(title), std::move(about), std::move(scenes), carry_out, cost};
}
inline Experiment figure(const std::string& paper, const std::string& number, std::string title, std::string about,
                         std::string scene, Findings (*carry_out)(), double cost) {
  return experiment(paper, "fig-" + number, "Fig. " + number, std::move(title), std::move(about), {std::move(scene)}, carry_out,
                    cost);
}

// --- Facts

inline Fact measured(std::string name, std::string unit, double value, std::string at = {}) {
  return {std::move(name), std::move(unit), value, std::nullopt, std::move(at)};
}
inline Fact against_formula(std::string name, std::string unit, double value, double expected, double tolerance,
                            std::string formula, std::string at = {}) {
  return {std::move(name), std::move(unit), value, Expectation{expected, tolerance, Source::closed_form, std::move(formula)},
          std::move(at)};
}
inline Fact against_converged(std::string name, std::string unit, double value, double expected, double tolerance,
                              std::string at = {}) {
  return {std::move(name), std::move(unit), value,
          Expectation{expected, tolerance, Source::converged_run, "independent implementation, refined until the digits stood"},
          std::move(at)};
}
/// A number that belongs to its step: the same equations, stepped by another implementation.
inline Fact against_independent(std::string name, std::string unit, double value, double expected, double tolerance,
                                std::string at = {}) {
  return {std::move(name), std::move(unit), value,
          Expectation{expected, tolerance, Source::same_step, "independent implementation with the same step"}, std::move(at)};
}
inline Fact against_paper(std::string name, std::string unit, double value, double expected, double tolerance, std::string place,
                          std::string at = {}) {
  return {std::move(name), std::move(unit), value, Expectation{expected, tolerance, Source::paper, std::move(place)},
          std::move(at)};
}
/// Two ways through the program that share laws or solvers: they can differ, and so fail, but they do not prove one another.
inline Fact against_second_way(std::string name, std::string unit, double difference, double tolerance, std::string way,
                               std::string at = {}) {
  return {std::move(name), std::move(unit), difference, Expectation{0, tolerance, Source::second_way, std::move(way)},
          std::move(at)};
}

// --- Columns

inline double largest(const Column& y) { return *std::max_element(y.begin(), y.end()); }
inline double smallest(const Column& y) { return *std::min_element(y.begin(), y.end()); }
inline double largest_size(const Column& y) { return std::max(largest(y), -smallest(y)); }

/// f of each number, or of each pair of two columns.
template <class F>
Column mapped(const Column& x, F&& f) {
  Column y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), f);
  return y;
}
template <class F>
Column mapped(const Column& x, const Column& y, F&& f) {
  Column z(x.size());
  std::transform(x.begin(), x.end(), y.begin(), z.begin(), f);
  return z;
}
inline Column negative(const Column& x) {
  return mapped(x, [](double value) { return -value; });
}
inline Column lengths(const Column& x, const Column& y) {
  return mapped(x, y, [](double a, double b) { return std::hypot(a, b); });
}

/// A column at a time, straight between its rows.
inline double at(const Column& time, const Column& y, double t) {
  const std::size_t above = std::size_t(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  if (above == 0) return y.front();
  if (above == time.size()) return y.back();
  const double share = (t - time[above - 1]) / (time[above] - time[above - 1]);
  return share == 1 ? y[above] : y[above - 1] + share * (y[above] - y[above - 1]);
}

/// The row nearest to a time.
inline std::size_t row(const Column& time, double t) {
  const std::size_t above = std::size_t(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  if (above == time.size()) return above - 1;
  return above > 0 && t - time[above - 1] < time[above] - t ? above - 1 : above;
}

/// Rows of a column between two times, both included.
inline Column between(const Column& time, const Column& y, double from, double to) {
  return {y.begin() + std::ptrdiff_t(row(time, from)), y.begin() + std::ptrdiff_t(row(time, to)) + 1};
}

/// Times at which a column passes through a level downwards.
inline Column falls_through(const Column& time, const Column& y, double level) {
  Column times;
  for (std::size_t i = 1; i < y.size(); ++i)
    if (y[i - 1] > level && y[i] <= level)
      times.push_back(time[i - 1] + (time[i] - time[i - 1]) * (y[i - 1] - level) / (y[i - 1] - y[i]));
  return times;
}

/// Of the closed curve y over x, clockwise: the work of a force y over a way x.
inline double loop_area(const Column& x, const Column& y) {
  double sum = 0;
  for (std::size_t i = 1; i < x.size(); ++i) sum += (y[i] + y[i - 1]) / 2 * (x[i] - x[i - 1]);
  return sum;
}

/// What a first-order lag makes of a function of time:  integral over s > 0 of  exp(-s) f(t - s lag),  by Simpson's rule.
template <class F>
double lagged(F&& f, double lag, double t) {
  constexpr int intervals = 8000;
  constexpr double end = 40;  // exp(-40) is nothing
  double sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double s = end * i / intervals;
    sum += (i == 0 || i == intervals ? 1 : i % 2 ? 4 : 2) * std::exp(-s) * f(t - s * lag);
  }
  return sum * end / intervals / 3;
}

}  // namespace asperity::reproduce
