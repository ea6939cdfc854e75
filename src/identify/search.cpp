#include "search.hpp"

namespace asperity::identify::search {
namespace {

/// Uniform in [0, 1), the same with every library.
double drawn(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

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

/// Whether two points are one in every coordinate, but for a tenth.
bool are_alike(const Point& a, const Point& b) {
  for (std::size_t i = 0; i < a.q.size(); ++i)
    if (std::abs(std::log(a.q[i] / b.q[i])) > 0.1) return false;
  return true;
}

}  // namespace

MatrixXd gram(const MatrixXd& A) {
  MatrixXd G = MatrixXd::Zero(A.cols(), A.cols());
  G.selfadjointView<Eigen::Lower>().rankUpdate(A.transpose());
  return G.selfadjointView<Eigen::Lower>();
}

std::vector<char> none_frozen(const Search& search) { return std::vector<char>(search.coordinates().size(), false); }

std::vector<Point> drawn_starts(const std::vector<Coordinate>& coordinates, const FitSettings& settings, int each) {
  std::vector<Point> points{guessed(coordinates, settings)};
  std::mt19937_64 random(settings.seed);
  for (int i = 0; i < each * settings.starts; ++i)
    points.push_back(start_at(coordinates, [&](const Coordinate& c) { return between(c.from, c.to, drawn(random)); }));
  return points;
}

std::vector<Point> best_starts(Search& search, std::vector<Point> points, std::size_t keep) {
  for (Point& point : points) search.rescale(point);
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.cost < b.cost; });
  const std::size_t first = std::min(points.size(), std::max<std::size_t>(1, keep));
  std::vector<char> is_kept(points.size(), false);
  std::fill_n(is_kept.begin(), first, true);
  // A curve over the speed has optima of its own for low, high and still higher speeds: each of these starts somewhere.
  for (std::size_t i = 0; i < search.coordinates().size(); ++i)
    if (const Coordinate& c = search.coordinates()[i]; c.is_free && c.unit == "m/s")
      for (int part = 0; part < 4; ++part) {
        const double low = between(c.from, c.to, 0.25 * part), high = between(c.from, c.to, 0.25 * (part + 1));
        for (std::size_t k = 0; k < points.size(); ++k)
          if (points[k].q[i] >= low && points[k].q[i] <= high) {
            is_kept[k] = true;
            break;
          }
      }
  std::vector<Point> kept;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (is_kept[k]) kept.push_back(std::move(points[k]));
  return kept;
}

Point best_of(Search& search, std::vector<Point> starts, const std::vector<char>& is_frozen, int steps) {
  Point best;
  for (Point& point : starts) {
    search.descend(point, is_frozen, steps);
    if (point.cost < best.cost || best.q.empty()) best = std::move(point);
  }
  return best;
}

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

}  // namespace asperity::identify::search
