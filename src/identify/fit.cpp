#include "asperity/identify/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "nnls.hpp"

namespace asperity::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Where a search is: the coordinates of the law, the terms beside it, and the sum of squares there.
struct Point {
  std::vector<double> q;
  VectorXd beside;
  double cost = std::numeric_limits<double>::infinity();
};

/// Uniform in [0, 1), the same with every library.
double drawn(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

double between(double low, double high, double part) { return low * std::pow(high / low, part); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The residual of one model over one set of rows, and two ways to make it smaller: exactly in what is linear, downhill in the
/// rest.
class Search {
 public:
  Search(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings,
         std::vector<Coordinate> coordinates)
      : model_(model), samples_(samples), rows_(rows), coordinates_(std::move(coordinates)) {
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
  std::size_t group_count() const { return groups_.size(); }
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

  /// Levenberg-Marquardt in the logarithms of the coordinates that are free and not frozen; after every step the linear part is
  /// solved for anew (variable projection, Kaufman's form: Golub and Pereyra 2003).
  void descend(Point& point, const std::vector<char>& is_frozen, int most_steps) {
    double damping = 1e-2;
    int idle = 0;
    for (int s = 0; s < most_steps && idle < 3; ++s) {
      std::vector<Direction> directions;
      for (std::size_t i = 0; i < coordinates_.size(); ++i)
        if (coordinates_[i].is_free && !is_frozen[i] && !is_gone(point.q, i)) directions.push_back({i});
      if (directions.empty()) return;
      const Index n = static_cast<Index>(directions.size()), e = beside_.cols();
      const MatrixXd slopes = slopes_at(point.q, directions);
      MatrixXd A(slopes.rows(), n + e + 1);
      A.leftCols(n) = slopes;
      A.middleCols(n, e) = weight_.asDiagonal() * beside_;
      A.col(n + e) = weight_.cwiseProduct(measured_ - force_ - beside_ * point.beside);
      MatrixXd G = gram(A);
      for (Index d = 0; d < n; ++d) {  // against a bound nothing moves
        const std::size_t i = directions[std::size_t(d)].front();
        const double g = G(d, n + e);
        if ((point.q[i] <= coordinates_[i].low && g < 0) || (point.q[i] >= coordinates_[i].high && g > 0))
          G.row(d).setZero(), G.col(d).setZero();
      }
      const double before = point.cost;
      bool has_moved = false;
      for (int attempt = 0; attempt < 10 && !has_moved; ++attempt) {
        MatrixXd H = G.topLeftCorner(n + e, n + e);
        const double most = H.diagonal().maxCoeff();
        H.diagonal().head(n) *= 1 + damping;
        H.diagonal().array() += 1e-13 * most;
        const VectorXd step = H.ldlt().solve(G.col(n + e).head(n + e));
        Point trial = point;
        for (Index d = 0; d < n; ++d) {
          const std::size_t i = directions[std::size_t(d)].front();
          const Coordinate& c = coordinates_[i];
          trial.q[i] *= std::exp(std::clamp(step[d], -1.5, 1.5));
          if (trial.q[i] < c.low || trial.q[i] > c.high) trial.q[i] = std::clamp(trial.q[i], c.low, c.high);
        }
        rescale(trial);
        if (trial.cost < point.cost) {
          point = std::move(trial);
          damping = std::max(damping / 6, 1e-9);
          has_moved = true;
        } else {
          damping *= 5;
        }
      }
      if (!has_moved) return;
      idle = point.cost > before * (1 - 1e-6) ? idle + 1 : 0;
    }
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

  /// The force, in force_, and its weighted slopes over the rows.
  MatrixXd slopes_at(const std::vector<double>& q, const std::vector<Direction>& directions) {
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

  static MatrixXd gram(const MatrixXd& A) {
    MatrixXd G = MatrixXd::Zero(A.cols(), A.cols());
    G.selfadjointView<Eigen::Lower>().rankUpdate(A.transpose());
    return G.selfadjointView<Eigen::Lower>();
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

// --- laws made of elements -------------------------------------------------------------------------------------------------------

/// Element i breaks away at the distance F/kappa.
struct Element {
  double F, kappa;
  double distance() const { return F / kappa; }
};

std::vector<Element> elements_of(const std::vector<double>& q, std::size_t shared) {
  std::vector<Element> list;
  const std::size_t n = (q.size() - shared) / 2;
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, q[shared + i]);
  for (std::size_t i = 0; i < n; ++i)
    if (q[shared + i] > 1e-6 * most) list.push_back({q[shared + i], q[shared + n + i]});
  std::sort(list.begin(), list.end(), [](const Element& a, const Element& b) { return a.distance() < b.distance(); });
  return list;
}

std::vector<double> with_elements(const std::vector<double>& q, std::size_t shared, const std::vector<Element>& list) {
  std::vector<double> next(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(shared));
  for (const Element& e : list) next.push_back(e.F);
  for (const Element& e : list) next.push_back(e.kappa);
  return next;
}

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

void split(std::vector<Element>& list, std::size_t at) {
  const Element e = list[at];
  list[at] = {e.F / 2, e.kappa / 2 * 1.2};
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, {e.F / 2, e.kappa / 2 / 1.2});
}

class ElementFit {
 public:
  ElementFit(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings)
      : model_(model), samples_(samples), rows_(rows), settings_(settings), scales_(scales_of(samples, rows)) {}

  Point run() {
    std::vector<std::string> none;
    const std::size_t wanted = static_cast<std::size_t>(settings_.elements);
    const std::size_t grid = std::max<std::size_t>(16, 2 * wanted);
    double shortest = std::max(1e-4 * scales_.travel, 0.3 * scales_.increment), longest = scales_.travel;
    Point best = over_grid(grid, shortest, longest, {}, settings_.starts);
    // The grid again, where elements were found.
    auto found = elements_of(best.q, shared_);
    if (found.empty()) found = {{scales_.force, scales_.force / scales_.travel}};
    best = over_grid(grid, found.front().distance() / 1.5, found.back().distance() * 1.5, best.q, 1);
    if (auto again = elements_of(best.q, shared_); !again.empty()) found = std::move(again);
    while (found.size() > wanted) merge_closest(found);
    while (found.size() < wanted) {
      std::size_t largest = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].F > found[largest].F) largest = i;
      split(found, largest);
    }
    Search search = searching(wanted);
    best.q = with_elements(best.q, shared_, found);
    search.rescale(best);
    search.descend(best, none_frozen(search), 60);
    return best;
  }

  Search searching(std::size_t elements) const {
    FitSettings settings = settings_;
    settings.elements = static_cast<int>(elements);
    std::vector<std::string> problems;
    return Search(model_, samples_, rows_, settings, coordinates_for(model_, scales_, settings, problems));
  }
  std::size_t shared() const { return shared_; }

 private:
  /// Break-away distances are those of the grid; the data choose the weights, and the few other coordinates are searched for.
  Point over_grid(std::size_t count, double shortest, double longest, const std::vector<double>& from, int keep) {
    Search search = searching(count);
    const auto& coordinates = search.coordinates();
    shared_ = coordinates.size() - 2 * count;
    std::vector<char> is_frozen(coordinates.size(), false);
    std::fill(is_frozen.begin() + static_cast<std::ptrdiff_t>(shared_), is_frozen.end(), true);
    std::vector<Element> list;
    for (std::size_t i = 0; i < count; ++i) {
      const double F = scales_.force / static_cast<double>(count);
      list.push_back({F, F / between(shortest, longest, static_cast<double>(i) / static_cast<double>(count - 1))});
    }
    std::vector<Point> points;
    const auto add = [&](Point point) {
      point.q = with_elements(point.q, shared_, list);
      points.push_back(std::move(point));
    };
    if (!from.empty()) {
      Point point;
      point.q = from;
      add(std::move(point));
    } else {
      add(guessed(coordinates, settings_));
      std::mt19937_64 random(settings_.seed);
      for (int i = 0; i < 5 * keep; ++i)
        add(start_at(coordinates, [&](const Coordinate& c) { return between(c.from, c.to, drawn(random)); }));
    }
    return best_of(search, best_starts(search, std::move(points), std::size_t(keep)), is_frozen, 12);
  }

  const Model& model_;
  const Samples& samples_;
  const Rows& rows_;
  const FitSettings& settings_;
  Scales scales_;
  std::size_t shared_ = 0;
};

Fit finished(const Model& model, const FitSettings& settings, const Search& search, const Point& point) {
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
  return all;
}

Fit fit(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings) {
  std::vector<std::string> problems;
  std::optional<Search> search;
  Point best;
  if (model.has_elements()) {
    ElementFit elements(model, samples, rows, settings);
    best = elements.run();
    search.emplace(elements.searching(static_cast<std::size_t>(settings.elements)));
  } else {
    search.emplace(model, samples, rows, settings, coordinates_for(model, scales_of(samples, rows), settings, problems));
    const auto& coordinates = search->coordinates();
    std::vector<Point> points{guessed(coordinates, settings)};
    std::mt19937_64 random(settings.seed);
    for (int i = 0; i < 8 * settings.starts; ++i)
      points.push_back(start_at(coordinates, [&](const Coordinate& c) { return between(c.from, c.to, drawn(random)); }));
    best = best_of(*search, best_starts(*search, std::move(points), std::size_t(settings.starts)), none_frozen(*search), 60);
  }
  for (int round = 0; settings.robust && round < 8; ++round) {
    search->reweigh(best);
    search->rescale(best);
    search->descend(best, none_frozen(*search), 30);
  }
  return finished(model, settings, *search, best);
}

Fit fit_from_guess_only(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings) {
  std::vector<std::string> problems;
  auto coordinates = coordinates_for(model, scales_of(samples, rows), settings, problems);
  for (Coordinate& c : coordinates) c.is_bounded = true;  // no group scales
  Search search(model, samples, rows, settings, std::move(coordinates));
  Point point = guessed(search.coordinates(), settings);
  search.rescale(point);
  search.descend(point, none_frozen(search), 200);
  return finished(model, settings, search, point);
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
