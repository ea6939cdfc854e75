#include "border.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace asperity::study {

BorderSearch::BorderSearch(const Plan& plan) : plan_(plan), axes_(plan.axes.size()) {
  const double resolution = plan.border->resolution;
  for (std::size_t a = 0; a < axes_; ++a) {
    const double intervals = double(plan.axes[a].values.size() - 1);
    while (double(fine_[a]) * intervals * resolution < 1) fine_[a] *= 2;
  }
  const auto n = [&](std::size_t a) { return a < axes_ ? std::int64_t(plan.axes[a].values.size()) - 1 : 1; };
  for (std::int64_t i = 0; i < n(0); ++i)
    for (std::int64_t j = 0; j < n(1); ++j)
      cells_.push_back({{i * fine_[0], axes_ > 1 ? j * fine_[1] : 0}, fine_[0], axes_ > 1 ? fine_[1] : 0});
}

/// Between two values of the grid in equal parts; by ratio on an axis that is spaced so.
double BorderSearch::value(std::size_t axis, double place) const {
  const auto& list = plan_.axes[axis].values;
  const double at = place / double(fine_[axis]);
  const auto i = std::min(std::size_t(at), list.size() - 2);
  const double part = at - double(i);
  if (part == 0) return list[i];
  if (part == 1) return list[i + 1];
  if (plan_.axes[axis].log) return list[i] * std::pow(list[i + 1] / list[i], part);
  return list[i] + part * (list[i + 1] - list[i]);
}

std::vector<BorderSearch::Place> BorderSearch::corners(const Cell& cell) const {
  const auto [i, j] = cell.low;
  if (cell.height == 0) return {{i, 0}, {i + cell.width, 0}};
  return {{i, j}, {i + cell.width, j}, {i + cell.width, j + cell.height}, {i, j + cell.height}};
}

/// Yes, no, or not known.
int BorderSearch::state(const Place& place) const {
  const double answer = known_.at(place);
  return std::isnan(answer) ? 2 : answer != 0 ? 1 : 0;
}

bool BorderSearch::differs(const Cell& cell) const {
  const auto all = corners(cell);
  return std::any_of(all.begin(), all.end(), [&](const Place& place) { return state(place) != state(all.front()); });
}

/// Smaller neighbours may know better: the line can come in between two corners that agree.
bool BorderSearch::differs_on_edges(const Cell& cell) const {
  const int own = state(cell.low);
  const auto other = [&](const Place& place) { return known_.contains(place) && state(place) != own; };
  const auto [i, j] = cell.low;
  for (std::int64_t k = 1; k < cell.width; ++k)
    if (other({i + k, j}) || other({i + k, j + cell.height})) return true;
  for (std::int64_t k = 1; k < cell.height; ++k)
    if (other({i, j + k}) || other({i + cell.width, j + k})) return true;
  return false;
}

bool BorderSearch::cut(const Cell& cell, std::vector<Cell>& into) {
  const std::int64_t width = std::max<std::int64_t>(1, cell.width / 2),
                     height = cell.height == 0 ? 0 : std::max<std::int64_t>(1, cell.height / 2);
  for (std::int64_t i = 0; i < cell.width; i += width)
    for (std::int64_t j = 0; j < std::max<std::int64_t>(cell.height, 1); j += std::max<std::int64_t>(height, 1))
      into.push_back({{cell.low.first + i, cell.low.second + j}, width, height});
  return width < cell.width || height < cell.height;
}

std::vector<double> BorderSearch::next() {
  asked_.clear();
  for (;;) {
    std::set<Place> wanted;
    for (const Cell& cell : cells_)
      for (const Place& place : corners(cell))
        if (!known_.contains(place)) wanted.insert(place);
    if (!wanted.empty()) {
      asked_.assign(wanted.begin(), wanted.end());
      break;
    }
    std::vector<Cell> finer, still;
    bool smaller = false;
    for (const Cell& cell : cells_)
      if (differs(cell)) smaller = cut(cell, finer) || smaller;
      else quiet_.push_back(cell);
    for (const Cell& cell : quiet_)
      if (differs_on_edges(cell)) smaller = cut(cell, finer) || smaller;
      else still.push_back(cell);
    cells_ = std::move(finer);
    quiet_ = std::move(still);
    if (!smaller) return {};
  }
  std::vector<double> values;
  for (const auto& [i, j] : asked_) {
    values.push_back(value(0, double(i)));
    if (axes_ > 1) values.push_back(value(1, double(j)));
  }
  return values;
}

void BorderSearch::answer(const std::vector<double>& answers) {
  for (std::size_t k = 0; k < asked_.size(); ++k) {
    known_[asked_[k]] = answers[k];
    if (std::isnan(answers[k])) ++unknown_;
  }
}

BorderSearch::Crossing BorderSearch::crossing(const Place& a, const Place& b) const {
  const Place& yes = state(a) == 1 ? a : b;
  const Place& no = state(a) == 1 ? b : a;
  Crossing found;
  for (std::size_t axis = 0; axis < axes_; ++axis) {
    const auto of = [&](const Place& place) { return double(axis == 0 ? place.first : place.second); };
    found.from.push_back(value(axis, of(yes)));
    found.to.push_back(value(axis, of(no)));
    found.at.push_back(value(axis, (of(yes) + of(no)) / 2));
  }
  return found;
}

std::vector<BorderSearch::Crossing> BorderSearch::crossings() const {
  std::set<std::pair<Place, Place>> edges;
  for (const Cell& cell : cells_) {
    const auto all = corners(cell);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Place &a = all[k], &b = all[(k + 1) % all.size()];
      if (state(a) + state(b) == 1) edges.insert(std::minmax(a, b));  // a yes and a no
    }
  }
  std::vector<Crossing> list;
  for (const auto& [a, b] : edges) list.push_back(crossing(a, b));
  return list;
}

std::vector<std::vector<double>> BorderSearch::segments() const {
  std::vector<std::vector<double>> list;
  if (axes_ < 2) return list;
  for (const Cell& cell : cells_) {
    const auto all = corners(cell);
    std::vector<std::vector<double>> on;
    for (std::size_t k = 0; k < 4; ++k)
      if (state(all[k]) + state(all[(k + 1) % 4]) == 1) on.push_back(crossing(all[k], all[(k + 1) % 4]).at);
    for (std::size_t k = 0; k + 1 < on.size(); k += 2) list.push_back({on[k][0], on[k][1], on[k + 1][0], on[k + 1][1]});
  }
  return list;
}

double BorderSearch::full_grid() const {
  double product = 1;
  for (std::size_t a = 0; a < axes_; ++a) product *= double(fine_[a]) * double(plan_.axes[a].values.size() - 1) + 1;
  return product;
}

plot::Figure border_figure(const Plan& plan, const BorderSearch& search, const std::vector<double>& values,
                           const std::vector<double>& answers) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t axes = plan.axes.size();
  const std::string& name = plan.border->measure;
  const Axis& x = plan.axes[0];
  const auto range = [](const Axis& axis) {
    const auto [low, high] = std::minmax_element(axis.values.begin(), axis.values.end());
    return std::pair(*low, *high);
  };
  const auto [low, high] = range(x);
  const plot::Axis across{x.path, x.unit, range(x), x.log};
  const plot::Axis up = axes > 1 ? plot::Axis{plan.axes[1].path, plan.axes[1].unit, range(plan.axes[1]), plan.axes[1].log}
                                 : plot::Axis{name, "", std::pair(-0.1, 1.1), false};
  plot::Figure figure;
  figure.title = plan.title;
  figure.columns = 1;
  figure.panel_width = 720, figure.panel_height = axes > 1 ? 500 : 260;
  plot::Panel panel{"", across, up, {}};
  plot::Line line{name + " changes", {}, {}, plot::Stroke::solid, 2.4},
      yes{"points with " + name, {}, {}, plot::Stroke::solid, 3.2}, no{"points without", {}, {}, plot::Stroke::solid, 3.2};
  line.colour = 1, yes.colour = 0, no.colour = 4;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (std::isnan(answers[i])) continue;
    plot::Line& dots = answers[i] != 0 ? yes : no;
    const double a = values[i * axes], half = (high - low) / 400;
    for (const double by : {-1.0, 1.0}) {
      dots.x.push_back(x.log ? a * std::pow(high / low, by / 400) : a + by * half);
      dots.y.push_back(axes > 1 ? values[i * axes + 1] : answers[i] != 0 ? 1 : 0);
    }
    dots.x.push_back(nan), dots.y.push_back(nan);
  }
  const auto add = [&](double x0, double y0, double x1, double y1) {
    line.x.insert(line.x.end(), {x0, x1, nan});
    line.y.insert(line.y.end(), {y0, y1, nan});
  };
  for (const auto& piece : search.segments()) add(piece[0], piece[1], piece[2], piece[3]);
  if (axes == 1)
    for (const auto& crossing : search.crossings()) add(crossing.at[0], 0, crossing.at[0], 1);
  panel.lines = {std::move(no), std::move(yes), std::move(line)};
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace asperity::study
