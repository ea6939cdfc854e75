#include "asperity/identify/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

#include "asperity/identify/signal.hpp"
#include "nnls.hpp"

namespace asperity::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Where a search is: the coordinates of the law, the terms beside it, and the sum of squares there.
struct Point {
  std::vector<double> q{};
  VectorXd beside{};
  double cost = std::numeric_limits<double>::infinity();
};

/// Uniform in [0, 1), the same with every library.
double drawn(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// A gain of less than this part of the cost ends the last descent.
constexpr double last_tolerance = 1e-7;

double between(double low, double high, double part) { return low * std::pow(high / low, part); }

MatrixXd gram(const MatrixXd& A) {
  MatrixXd G = MatrixXd::Zero(A.cols(), A.cols());
  G.selfadjointView<Eigen::Lower>().rankUpdate(A.transpose());
  return G.selfadjointView<Eigen::Lower>();
}

/// The residual of one model over one set of rows, and two ways to make it smaller: exactly in what is linear, downhill in the
/// rest.
class Search {
 public:
  Search(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings,
         std::vector<Coordinate> coordinates)
      : model_(model), samples_(samples), rows_(rows), coordinates_(std::move(coordinates)), stop_(settings.stop) {
    count_ = rows.back() + 1;
    const bool viscous = settings.viscous && !model.has_own_viscosity();
    const Index m = static_cast<Index>(rows.size());
    beside_.resize(m, Index(!settings.mass) + Index(viscous) + Index(settings.offset));
    measured_.resize(m);
    weight_ = VectorXd::Ones(m);
    for (Index i = 0; i < m; ++i) {
      const std::size_t k = rows[std::size_t(i)];
      Index column = 0;
      if (!settings.mass) beside_(i, column++) = samples.acceleration[k];
      if (viscous) beside_(i, column++) = samples.velocity[k];
      if (settings.offset) beside_(i, column++) = 1;
      measured_[i] = samples.force[k] - settings.mass.value_or(0) * samples.acceleration[k];
      if (!viscous && !model.has_own_viscosity()) measured_[i] -= settings.viscous_value * samples.velocity[k];
      if (!settings.offset) measured_[i] -= settings.offset_value;
    }
    signs_.assign(std::size_t(beside_.cols()), true);
    if (settings.offset) signs_.back() = false;
    group();
  }

  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
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
    for (Index i = 0; i < m; ++i) force_[i] = all_force_[rows_[std::size_t(i)]];
    for (Index d = 0; d < n; ++d) {
      const double* column = all_slopes_.data() + std::size_t(d) * count_;
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

std::vector<char> none_frozen(const Search& search) { return std::vector<char>(search.coordinates().size(), false); }

Point start_at(const std::vector<Coordinate>& coordinates, const std::function<double(const Coordinate&)>& value) {
  Point point;
  for (const Coordinate& c : coordinates) point.q.push_back(c.is_free ? value(c) : c.fixed);
  return point;
}

Point guessed(const std::vector<Coordinate>& coordinates, const FitSettings& settings) {
  return start_at(coordinates, [&](const Coordinate& c) {
    for (const auto& [name, value] : settings.guess)
      if (name == c.name) return std::clamp(value, c.low, c.high);
    return std::sqrt(c.from * c.to);
  });
}

/// The guess, and so many for each start that is wanted.
std::vector<Point> drawn_starts(const std::vector<Coordinate>& coordinates, const FitSettings& settings, int each) {
  std::vector<Point> points{guessed(coordinates, settings)};
  std::mt19937_64 random(settings.seed);
  for (int i = 0; i < each * settings.starts; ++i)
    points.push_back(start_at(coordinates, [&](const Coordinate& c) { return between(c.from, c.to, drawn(random)); }));
  return points;
}

/// The best few of many points.
std::vector<Point> best_starts(Search& search, std::vector<Point> points, std::size_t keep) {
  for (Point& point : points) search.rescale(point);
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.cost < b.cost; });
  points.resize(std::min(points.size(), std::max<std::size_t>(1, keep)));
  return points;
}

Point best_of(Search& search, std::vector<Point> starts, const std::vector<char>& is_frozen, int steps) {
  Point best;
  for (Point& point : starts) {
    search.descend(point, is_frozen, steps);
    if (point.cost < best.cost || best.q.empty()) best = std::move(point);
  }
  return best;
}

/// Whether two points are one in every coordinate, but for a tenth.
bool are_alike(const Point& a, const Point& b) {
  for (std::size_t i = 0; i < a.q.size(); ++i)
    if (std::abs(std::log(a.q[i] / b.q[i])) > 0.1) return false;
  return true;
}

/// The same to the end: one that comes to where another has ended is not followed further, it would end there, too.
Point best_end_of(Search& search, const std::vector<Point>& starts, const std::vector<char>& is_frozen, int steps) {
  constexpr int few = 4;
  std::vector<Point> ends;
  for (Point point : starts) {
    const auto was_here = [&](const Point& end) { return are_alike(point, end); };
    for (int s = 0; s < steps && std::none_of(ends.begin(), ends.end(), was_here); s += few)
      if (search.descend(point, is_frozen, few, 1e-4)) break;
    ends.push_back(std::move(point));
  }
  return *std::min_element(ends.begin(), ends.end(), [](const Point& a, const Point& b) { return a.cost < b.cost; });
}

// --- laws made of elements -------------------------------------------------------------------------------------------------------

/// Element i breaks away at the distance F/kappa.
struct Element {
  double F, kappa;
  double distance() const { return F / kappa; }
};

/// Where the elements are among the coordinates. Those of which the user has fixed or bounded a number keep their place; the others
/// are loose: the data may place them anywhere.
struct Slots {
  std::size_t shared, count;
  std::vector<std::size_t> loose;

  Slots(const std::vector<Coordinate>& coordinates, int elements)
      : shared(coordinates.size() - 2 * std::size_t(elements)), count(std::size_t(elements)) {
    for (std::size_t i = 0; i < count; ++i) {
      const Coordinate &F = coordinates[shared + i], &kappa = coordinates[shared + count + i];
      if (F.is_free && kappa.is_free && !F.is_bounded && !kappa.is_bounded) loose.push_back(i);
    }
  }
  std::size_t F(std::size_t i) const { return shared + i; }
  std::size_t kappa(std::size_t i) const { return shared + count + i; }

  /// The loose elements that carry something, the first to break away first.
  std::vector<Element> read(const std::vector<double>& q) const {
    std::vector<Element> list;
    double most = 0;
    for (const std::size_t i : loose) most = std::max(most, q[F(i)]);
    for (const std::size_t i : loose)
      if (q[F(i)] > 1e-6 * most) list.push_back({q[F(i)], q[kappa(i)]});
    std::sort(list.begin(), list.end(), [](const Element& a, const Element& b) { return a.distance() < b.distance(); });
    return list;
  }
  /// As many as are loose.
  void write(std::vector<double>& q, const std::vector<Element>& list) const {
    for (std::size_t i = 0; i < loose.size(); ++i) q[F(loose[i])] = list[i].F, q[kappa(loose[i])] = list[i].kappa;
  }
};

/// Two neighbours become one that carries and gives as much: the pair whose loss is least.
void merge_closest(std::vector<Element>& list) {
  std::size_t at = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    const double loss = std::min(list[i].F, list[i + 1].F) * std::log(list[i + 1].distance() / list[i].distance());
    if (loss < least) least = loss, at = i;
  }
  list[at] = {list[at].F + list[at + 1].F, list[at].kappa + list[at + 1].kappa};
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

void split_largest(std::vector<Element>& list) {
  const auto largest = std::max_element(list.begin(), list.end(), [](const Element& a, const Element& b) { return a.F < b.F; });
  const Element e = *largest;
  *largest = {e.F / 2, e.kappa / 2 * 1.2};
  list.insert(largest + 1, {e.F / 2, e.kappa / 2 / 1.2});
}

/// Elements of equal weight whose break-away distances are evenly spaced in their logarithm.
std::vector<Element> spread(double force, double shortest, double longest, std::size_t count) {
  std::vector<Element> list;
  const double F = force / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i)
    list.push_back({F, F / between(shortest, longest, static_cast<double>(i) / static_cast<double>(count - 1))});
  return list;
}

class ElementFit {
 public:
  ElementFit(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings, Search& search)
      : model_(model), samples_(samples), rows_(rows), settings_(settings), scales_(scales_of(samples, rows)), search_(search) {}

  Point run() {
    const Slots slots(search_.coordinates(), settings_.elements);
    const std::size_t wanted = slots.loose.size();
    const std::size_t grid = std::max<std::size_t>(16, 2 * wanted);
    // Break-away distances are those of a grid, then of a grid where elements were found.
    FitSettings with_grid = settings_;
    with_grid.elements = static_cast<int>(slots.count - wanted + grid);
    std::vector<std::string> problems;
    Search coarse(model_, samples_, rows_, with_grid, coordinates_for(model_, scales_, with_grid, problems));
    const Slots grid_slots(coarse.coordinates(), with_grid.elements);
    double shortest = std::max(1e-4 * scales_.travel, 0.3 * scales_.increment), longest = scales_.travel;
    Point best = over_grid(coarse, grid_slots, drawn_starts(coarse.coordinates(), settings_, 5),
                           spread(scales_.force, shortest, longest, grid));
    auto found = grid_slots.read(best.q);
    if (!found.empty()) shortest = found.front().distance() / 1.5, longest = found.back().distance() * 1.5;
    best = over_grid(coarse, grid_slots, {best}, spread(scales_.force, shortest, longest, grid));
    if (auto again = grid_slots.read(best.q); !again.empty()) found = std::move(again);
    if (found.empty()) found = {{scales_.force, scales_.force / scales_.travel}};
    while (found.size() > wanted) merge_closest(found);
    while (found.size() < wanted) split_largest(found);
    // All is free.
    Point all{with_nothing_loose(best.q, grid_slots, slots)};
    slots.write(all.q, found);
    search_.rescale(all);
    search_.descend(all, none_frozen(search_), 20);
    const auto candidates = spread(scales_.force, shortest, longest, 60);
    for (int round = 0; round < 20 && exchange(all, slots, candidates); ++round) {
    }
    evaluations_ = coarse.evaluations();
    return all;
  }
  int evaluations() const { return evaluations_; }

 private:
  /// The shared coordinates and the elements that have their place, for another number of loose ones.
  static std::vector<double> with_nothing_loose(const std::vector<double>& q, const Slots& of, const Slots& wanted) {
    std::vector<double> next(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(wanted.kappa(0)));
    for (std::size_t i = 0; i < wanted.count; ++i) next.push_back(q[of.kappa(i)]);
    return next;
  }

  /// The data choose the weights of these elements; the few other coordinates are searched for.
  Point over_grid(Search& search, const Slots& slots, std::vector<Point> points, const std::vector<Element>& grid) const {
    std::vector<char> is_frozen(search.coordinates().size(), false);
    for (const std::size_t i : slots.loose) is_frozen[slots.F(i)] = is_frozen[slots.kappa(i)] = true;
    for (Point& point : points) slots.write(point.q, grid);
    return best_of(search, best_starts(search, std::move(points), std::size_t(settings_.starts)), is_frozen, 12);
  }

  /// A point to go on from, and the cost it promises.
  struct Move {
    double cost;
    Point to;
  };

  /// Each loose element in turn is taken out, and one is put in where the data want it most; what is left moves along. The cost is
  /// that of the linearised problem, so that all pairs together take one pass through the data: with the columns that are kept, H,
  /// b and what is left unexplained eliminated, a further column c gains (c.r)^2/(c.c), c and r being what H leaves of them.
  std::vector<Move> moves_from(const Point& point, const Slots& slots, const std::vector<Element>& candidates) {
    const auto directions = search_.directions_at(point, none_frozen(search_));
    const MatrixXd A = search_.linearised(point, directions);
    const Index free = static_cast<Index>(directions.size()), n = A.cols() - 1, m = static_cast<Index>(candidates.size());
    MatrixXd columns(A.rows(), n + m + 1);
    columns << A.leftCols(n), forces_of(candidates, point, slots), A.col(n);
    const MatrixXd G = gram(columns);
    std::vector<Move> moves;
    for (const std::size_t slot : slots.loose) {
      VectorXd unexplained = VectorXd::Unit(G.cols(), n + m);  // the residual, and the force of the element that is taken out
      std::vector<Index> kept;
      for (Index d = 0; d < n; ++d) {
        const bool is_out = d < free && (directions[std::size_t(d)].front() == slots.F(slot) ||
                                         directions[std::size_t(d)].front() == slots.kappa(slot));
        if (is_out) unexplained[d] = 1;
        else kept.push_back(d);
      }
      MatrixXd H = G(kept, kept);
      H.diagonal() *= 1 + 1e-6;
      H.diagonal().array() += 1e-13 * H.diagonal().maxCoeff();
      const VectorXd right = G * unexplained, b = right(kept);
      const Eigen::LDLT<MatrixXd> solver(H);
      const VectorXd without = solver.solve(b);
      const MatrixXd cross = G(kept, Eigen::seqN(n, m)), instead = solver.solve(cross);
      Move best{std::numeric_limits<double>::infinity(), point};
      for (Index c = 0; c < m; ++c) {
        const double slope = right[n + c] - cross.col(c).dot(without);
        const double curvature = G(n + c, n + c) * (1 + 1e-9) - cross.col(c).dot(instead.col(c));
        const Element& put_in = candidates[std::size_t(c)];
        if (!(slope > 0) || !(curvature > 0) || is_where(put_in, point, slots, slot)) continue;
        const double cost = unexplained.dot(right) - b.dot(without) - slope * slope / curvature;
        if (!(cost < best.cost)) continue;
        best = {cost, point};
        const double weight = slope / curvature;
        const VectorXd step = without - weight * instead.col(c);
        for (std::size_t k = 0; k < kept.size(); ++k)
          if (kept[k] < free)
            search_.move(best.to, directions[std::size_t(kept[k])].front(), std::clamp(step[Index(k)], -1.0, 1.0));
        best.to.q[slots.F(slot)] = weight * put_in.F, best.to.q[slots.kappa(slot)] = weight * put_in.kappa;
      }
      if (std::isfinite(best.cost)) moves.push_back(std::move(best));
    }
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.cost < b.cost; });
    return moves;
  }

  /// The force of each element alone, in a column.
  MatrixXd forces_of(const std::vector<Element>& list, const Point& point, const Slots& slots) {
    std::vector<double> q(point.q.begin(), point.q.begin() + static_cast<std::ptrdiff_t>(slots.shared));
    for (const Element& e : list) q.push_back(e.F);
    for (const Element& e : list) q.push_back(e.kappa);
    std::vector<Direction> whole;
    for (std::size_t i = 0; i < list.size(); ++i) whole.push_back({slots.shared + i, slots.shared + list.size() + i});
    return search_.slopes_at(q, whole);
  }

  /// To put in what was taken out is no move.
  bool is_where(const Element& put_in, const Point& point, const Slots& slots, std::size_t slot) const {
    const Element out{point.q[slots.F(slot)], point.q[slots.kappa(slot)]};
    return !search_.is_gone(point.q, slots.F(slot)) && std::abs(std::log(put_in.distance() / out.distance())) < 0.1;
  }

  /// Elements can be caught: two as one that is not needed, one as two that are. The moves that promise most are followed downhill;
  /// false if none of them leads to a lower cost than this.
  bool exchange(Point& best, const Slots& slots, const std::vector<Element>& candidates) {
    constexpr std::size_t tried = 5;
    constexpr double worth_it = 1e-4, worth_going_on = 1e-3;  // of the cost
    auto moves = moves_from(best, slots, candidates);
    moves.resize(std::min(tried, moves.size()));
    for (Move& move : moves) {
      Point& trial = move.to;
      search_.rescale(trial);
      search_.descend(trial, none_frozen(search_), 4);
      if (trial.cost < best.cost * (1 + worth_going_on)) search_.descend(trial, none_frozen(search_), 16);
      if (trial.cost < best.cost * (1 - worth_it)) {
        best = std::move(trial);
        return true;
      }
    }
    return false;
  }

  const Model& model_;
  const Samples& samples_;
  const Rows& rows_;
  const FitSettings& settings_;
  Scales scales_;
  Search& search_;
  int evaluations_ = 0;
};

Fit finished(const Model& model, const FitSettings& settings, const Search& search, const Point& point, bool converged) {
  Fit fit;
  fit.coordinates = search.coordinates();
  fit.q = point.q;
  fit.parameters = model.parameters(point.q);
  for (std::size_t i = 0; i < fit.q.size(); ++i) fit.is_gone.push_back(search.is_gone(point.q, i));
  Index column = 0;
  fit.mass_is_free = !settings.mass;
  fit.viscous_is_free = settings.viscous && !model.has_own_viscosity();
  fit.offset_is_free = settings.offset;
  fit.mass = settings.mass ? *settings.mass : point.beside[column++];
  if (!model.has_own_viscosity()) fit.viscous = fit.viscous_is_free ? point.beside[column++] : settings.viscous_value;
  fit.offset = fit.offset_is_free ? point.beside[column++] : settings.offset_value;
  fit.cost = point.cost;
  fit.converged = converged;
  fit.weight.assign(search.weight().data(), search.weight().data() + search.weight().size());
  fit.evaluations = search.evaluations();
  return fit;
}

}  // namespace

std::vector<Coordinate> coordinates_for(const Model& model, const Scales& scales, const FitSettings& settings,
                                        std::vector<std::string>& problems) {
  auto all = model.coordinates(scales, settings.elements);
  std::vector<std::string> names;
  for (const Coordinate& c : all) names.push_back(c.name);
  const auto find = [&](const std::string& name) -> Coordinate* {
    for (Coordinate& c : all)
      if (c.name == name) return &c;
    const auto meant = nearest(name, names);
    problems.push_back(fmt::format("{} has no coordinate \"{}\"; {}", model.about().name, name,
                                   meant ? "did you mean " + *meant + "?" : fmt::format("they are: {}", fmt::join(names, ", "))));
    return nullptr;
  };
  if (model.has_own_viscosity() && !settings.viscous)
    for (Coordinate& c : all)
      if (c.group == 1) c.is_free = false, c.fixed = settings.viscous_value, c.is_given = settings.viscous_value != 0;
  for (const Bound& bound : settings.bounds)
    if (Coordinate* c = find(bound.name)) {
      c->low = c->from = bound.low, c->high = c->to = bound.high;
      c->is_free = c->is_bounded = true;
    }
  for (const auto& [name, value] : settings.fixed)
    if (Coordinate* c = find(name)) c->is_free = false, c->fixed = value, c->is_given = true;
  for (const auto& [name, value] : settings.guess) find(name);
  return all;
}

Fit fit(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings) {
  std::vector<std::string> problems;
  Search search(model, samples, rows, settings, coordinates_for(model, scales_of(samples, rows), settings, problems));
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "\n")));
  const auto& coordinates = search.coordinates();
  Point best;
  int evaluations = 0;
  if (model.has_elements() && !Slots(coordinates, settings.elements).loose.empty()) {
    ElementFit elements(model, samples, rows, settings, search);
    best = elements.run();
    evaluations = elements.evaluations();
  } else {
    const auto starts = best_starts(search, drawn_starts(coordinates, settings, 8), std::size_t(settings.starts));
    best = best_end_of(search, starts, none_frozen(search), 60);
  }
  bool converged = search.descend(best, none_frozen(search), settings.steps, last_tolerance);
  for (int round = 0; settings.robust && round < 8; ++round) {
    search.reweigh(best);
    search.rescale(best);
    converged = search.descend(best, none_frozen(search), settings.steps, last_tolerance);
  }
  Fit found = finished(model, settings, search, best, converged);
  found.evaluations += evaluations;
  return found;
}

std::vector<double> predicted_force(const Model& model, const Fit& fit, const Samples& samples, std::size_t count) {
  std::vector<double> f(count);
  model.force(samples, count, fit.q, f);
  for (std::size_t k = 0; k < count; ++k)
    f[k] += fit.mass * samples.acceleration[k] + fit.viscous * samples.velocity[k] + fit.offset;
  return f;
}

double rms_residual(const Samples& samples, const std::vector<double>& predicted, const Rows& rows) {
  double sum = 0;
  for (const std::size_t k : rows) sum += (samples.force[k] - predicted[k]) * (samples.force[k] - predicted[k]);
  return std::sqrt(sum / static_cast<double>(rows.size()));
}

}  // namespace asperity::identify
