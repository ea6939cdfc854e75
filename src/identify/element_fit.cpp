#include "element_fit.hpp"

namespace asperity::identify::search {
namespace {

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

}  // namespace

bool has_loose_elements(const std::vector<Coordinate>& coordinates, int elements) {
  return !Slots(coordinates, elements).loose.empty();
}

Point fit_elements(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings, Search& search,
                   int& evaluations) {
  ElementFit elements(model, samples, rows, settings, search);
  Point best = elements.run();
  evaluations = elements.evaluations();
  return best;
}

}  // namespace asperity::identify::search
