// The search for the parameters of a law: exact in what is linear, downhill in the rest.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "asperity/identify/fit.hpp"
#include "asperity/identify/motion.hpp"
#include "asperity/identify/signal.hpp"
#include "nnls.hpp"

namespace asperity::identify::search {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Where a search is: the coordinates of the law, the terms beside it, and the sum of squares there.
struct Point {
  std::vector<double> q{};
  VectorXd beside{};
  double cost = std::numeric_limits<double>::infinity();
};

/// A gain of less than this part of the cost ends the last descent.
inline constexpr double last_tolerance = 1e-7;

/// On a logarithmic axis.
inline double between(double low, double high, double part) { return low * std::pow(high / low, part); }

MatrixXd gram(const MatrixXd& A);

/// The residual of one model over one set of rows, and two ways to make it smaller: exactly in what is linear, downhill in the
/// rest.
class Search {
 public:
  Search(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings,
         std::vector<Coordinate> coordinates)
      : model_(model), samples_(samples), rows_(rows), coordinates_(std::move(coordinates)), stop_(settings.stop) {
    count_ = reach_of(samples, rows);
    const bool viscous = settings.viscous && !model.has_own_viscosity();
    const Index m = static_cast<Index>(rows.size());
    const auto terms = static_cast<Index>(samples.terms.size());
    beside_.resize(m, Index(!settings.mass) + Index(viscous) + terms + Index(settings.offset));
    weight_ = VectorXd::Ones(m);
    Index column = 0;
    if (!settings.mass) beside_.col(column++) = in_rows([&](std::size_t k) { return samples.acceleration[k]; });
    if (viscous) beside_.col(column++) = in_rows([&](std::size_t k) { return samples.velocity[k]; });
    signs_.assign(std::size_t(column), true);
    for (const Term& term : samples.terms) beside_.col(column++) = in_rows([&](std::size_t k) { return term.values[k]; });
    if (settings.offset) beside_.col(column++).setOnes();
    signs_.resize(std::size_t(column), false);
    measured_ = in_rows([&](std::size_t k) {
      double force = samples.force[k] - settings.mass.value_or(0) * samples.acceleration[k];
      if (!viscous && !model.has_own_viscosity()) force -= settings.viscous_value * samples.velocity[k];
      if (!settings.offset) force -= settings.offset_value;
      return force;
    });
    group();
  }

  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  std::size_t terms() const { return samples_.terms.size(); }
  int evaluations() const { return evaluations_; }
  const VectorXd& weight() const { return weight_; }

  /// A group that the data do not want has been scaled to nothing.
  bool is_gone(const std::vector<double>& q, std::size_t i) const {
    const int g = coordinates_[i].group;
    if (g < 0) return false;
    const std::size_t first = first_of_[std::size_t(g)];
    const Coordinate& force = coordinates_[first];  // with bounds of the user nothing vanishes
    return force.is_free && !force.is_bounded && q[first] <= 2 * force.low;
  }

  /// The best scale of every group and the best terms beside the law, all at once: the residual is linear in them.
  void rescale(Point& point) {
    const Index n = static_cast<Index>(groups_.size()), e = beside_.cols();
    const MatrixXd slopes = slopes_at(point.q, groups_);
    VectorXd rest = weight_.cwiseProduct(measured_ - force_);
    for (Index g = 0; g < n; ++g) rest += slopes.col(g);
    MatrixXd A(rest.size(), n + e + 1);
    A.leftCols(n) = slopes;
    A.middleCols(n, e) = weight_.asDiagonal() * beside_;
    A.col(n + e) = rest;
    const MatrixXd G = gram(A);
    std::vector<char> signs(std::size_t(n), true);
    signs.insert(signs.end(), signs_.begin(), signs_.end());
    const MatrixXd left = G.topLeftCorner(n + e, n + e);
    const VectorXd right = G.col(n + e).head(n + e);
    const VectorXd x = nonnegative_least_squares(left, right, signs);
    point.cost = (A.leftCols(n + e) * x - rest).squaredNorm();
    if (!std::isfinite(point.cost)) point.cost = std::numeric_limits<double>::infinity();
    point.beside = x.tail(e);
    for (Index g = 0; g < n; ++g) {
      const Direction& members = groups_[std::size_t(g)];
      const double floor = coordinates_[members.front()].low / point.q[members.front()];
      for (const std::size_t i : members) point.q[i] *= std::max(x[g], floor);
    }
  }

  /// The force, in force_, and its weighted slopes over the rows.
  MatrixXd slopes_at(const std::vector<double>& q, const std::vector<Direction>& directions) {
    if (stop_ && stop_()) throw Stopped();
    ++evaluations_;
    all_force_.resize(count_);
    all_slopes_.resize(count_ * directions.size());
    model_.slopes(samples_, count_, q, directions, all_force_, all_slopes_);
    const Index m = static_cast<Index>(rows_.size()), n = static_cast<Index>(directions.size());
    MatrixXd slopes(m, n);
    force_.resize(m);
    keep_band(samples_, all_force_);
    for (Index i = 0; i < m; ++i) force_[i] = all_force_[rows_[std::size_t(i)]];
    for (Index d = 0; d < n; ++d) {
      double* column = all_slopes_.data() + std::size_t(d) * count_;
      keep_band(samples_, {column, count_});
      for (Index i = 0; i < m; ++i) slopes(i, d) = weight_[i] * column[rows_[std::size_t(i)]];
    }
    return slopes;
  }

  /// What a descent moves: the coordinates that are free, not frozen and not gone.
  std::vector<Direction> directions_at(const Point& point, const std::vector<char>& is_frozen) const {
    std::vector<Direction> directions;
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      if (coordinates_[i].is_free && !is_frozen[i] && !is_gone(point.q, i)) directions.push_back({i});
    return directions;
  }

  /// The linearised problem at a point, one weighted column each: slopes of the force, terms beside the law, residual.
  MatrixXd linearised(const Point& point, const std::vector<Direction>& directions) {
    const Index n = static_cast<Index>(directions.size()), e = beside_.cols();
    MatrixXd A(measured_.size(), n + e + 1);
    A.leftCols(n) = slopes_at(point.q, directions);
    A.middleCols(n, e) = weight_.asDiagonal() * beside_;
    A.col(n + e) = weight_.cwiseProduct(measured_ - force_ - beside_ * point.beside);
    return A;
  }

  /// Levenberg-Marquardt in the logarithms of the coordinates; after every step the linear part is solved for anew (variable
  /// projection, Kaufman's form: Golub and Pereyra 2003). It has converged when three steps in a row gain no more than this part of
  /// the cost each; false if it was still gaining when its steps were used up.
  bool descend(Point& point, const std::vector<char>& is_frozen, int most_steps, double tolerance = 1e-6) {
    double damping = 1e-2;
    int idle = 0;
    for (int s = 0; s < most_steps && idle < 3; ++s) {
      const auto directions = directions_at(point, is_frozen);
      const Index n = static_cast<Index>(directions.size()), e = beside_.cols();
      if (n == 0) return true;
      MatrixXd G = gram(linearised(point, directions));
      for (Index d = 0; d < n; ++d) {  // against a bound nothing moves
        const std::size_t i = directions[std::size_t(d)].front();
        const double g = G(d, n + e);
        if ((point.q[i] <= coordinates_[i].low && g < 0) || (point.q[i] >= coordinates_[i].high && g > 0))
          G.row(d).setZero(), G.col(d).setZero();
      }
      const double before = point.cost;
      for (int attempt = 0; attempt < 10 && point.cost == before; ++attempt) {
        MatrixXd H = G.topLeftCorner(n + e, n + e);
        const double most = H.diagonal().maxCoeff();
        H.diagonal().head(n) *= 1 + damping;
        H.diagonal().array() += 1e-13 * most;
        const VectorXd step = H.ldlt().solve(G.col(n + e).head(n + e));
        Point trial = point;
        for (Index d = 0; d < n; ++d) move(trial, directions[std::size_t(d)].front(), std::clamp(step[d], -1.5, 1.5));
        rescale(trial);
        if (trial.cost < point.cost) {
          point = std::move(trial);
          damping = std::max(damping / 6, 1e-9);
        } else {
          damping *= 5;
        }
      }
      if (point.cost == before) return true;  // however small the step, nothing lower is near
      idle = point.cost > before * (1 - tolerance) ? idle + 1 : 0;
    }
    return idle == 3;
  }

  /// One coordinate, by a step of its logarithm, within its limits; a group that was scaled may be beyond them already.
  void move(Point& point, std::size_t i, double step) const {
    const double low = std::min(coordinates_[i].low, point.q[i]), high = std::max(coordinates_[i].high, point.q[i]);
    point.q[i] = std::clamp(point.q[i] * std::exp(step), low, high);
  }

  /// Cauchy's weights, 95 % efficient on normal noise; the scale is the median of the residuals.
  void reweigh(const Point& point) {
    slopes_at(point.q, {});
    const VectorXd residual = measured_ - force_ - beside_ * point.beside;
    std::vector<double> size(residual.data(), residual.data() + residual.size());
    for (double& r : size) r = std::abs(r);
    const double scale = 2.385 * 1.4826 * median(size);
    if (scale > 0) weight_ = (1 + (residual.array() / scale).square()).rsqrt();
  }

 private:
  /// What value(k) is at the rows, within the band.
  template <class Value>
  VectorXd in_rows(Value value) const {
    std::vector<double> series(count_);
    for (std::size_t k = 0; k < count_; ++k) series[k] = value(k);
    keep_band(samples_, series);
    VectorXd kept(static_cast<Index>(rows_.size()));
    for (Index i = 0; i < kept.size(); ++i) kept[i] = series[rows_[std::size_t(i)]];
    return kept;
  }

  void group() {
    int most = -1;
    for (const Coordinate& c : coordinates_) most = std::max(most, c.group);
    std::vector<Direction> members(std::size_t(most + 1));
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      if (coordinates_[i].group >= 0) members[std::size_t(coordinates_[i].group)].push_back(i);
    for (const Direction& list : members) {
      first_of_.push_back(list.front());
      const bool scales = std::all_of(list.begin(), list.end(),
                                      [&](std::size_t i) { return coordinates_[i].is_free && !coordinates_[i].is_bounded; });
      if (scales) groups_.push_back(list);
    }
  }

  const Model& model_;
  const Samples& samples_;
  const Rows& rows_;
  std::vector<Coordinate> coordinates_;
  std::vector<Direction> groups_;      // those that may scale
  std::vector<std::size_t> first_of_;  // the force of each group
  std::size_t count_ = 0;
  MatrixXd beside_;
  VectorXd measured_, weight_, force_;
  std::vector<char> signs_;
  std::vector<double> all_force_, all_slopes_;
  std::function<bool()> stop_;
  int evaluations_ = 0;
};

std::vector<char> none_frozen(const Search& search);
/// The guess, and so many for each start that is wanted.
std::vector<Point> drawn_starts(const std::vector<Coordinate>& coordinates, const FitSettings& settings, int each);
/// The best few of many points, and the best in each part of the speeds.
std::vector<Point> best_starts(Search& search, std::vector<Point> points, std::size_t keep);
Point best_of(Search& search, std::vector<Point> starts, const std::vector<char>& is_frozen, int steps);
/// The same to the end: one that comes to where another has ended is not followed further, it would end there, too.
Point best_end_of(Search& search, const std::vector<Point>& starts, const std::vector<char>& is_frozen, int steps);

}  // namespace asperity::identify::search
