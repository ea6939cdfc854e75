// The border along which a yes/no measure changes, refined where it runs and nowhere else.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "asperity/plot.hpp"
#include "asperity/study/study.hpp"

namespace asperity::study {

/// Begins with the grid of the plan; then cells whose corners differ are cut in four (intervals in two), level by level, until they
/// are as small as the resolution asks for.
class BorderSearch {
 public:
  explicit BorderSearch(const Plan& plan);

  /// The points to be run next, one value for each axis; none: it is done.
  std::vector<double> next();
  /// What came out of them, in their order: 1, 0, or NaN where it is not known.
  void answer(const std::vector<double>& answers);

  /// Where the measure changes: places on edges of the smallest cells, each with the ends of its edge.
  struct Crossing {
    std::vector<double> at, from, to;  // one number for each axis; `from` has the answer 1
  };
  std::vector<Crossing> crossings() const;
  /// Pieces of the line, two places of two axes each.
  std::vector<std::vector<double>> segments() const;
  /// A full grid of the same resolution would have.
  double full_grid() const;
  std::size_t unknown() const noexcept { return unknown_; }

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;
  struct Cell {
    Place low;
    std::int64_t width, height;  // in places; height 0: over one axis
  };
  double value(std::size_t axis, double place) const;
  std::vector<Place> corners(const Cell& cell) const;
  bool differs(const Cell& cell) const;
  bool differs_on_edges(const Cell& cell) const;
  /// True if that makes it smaller.
  static bool cut(const Cell& cell, std::vector<Cell>& into);
  int state(const Place& place) const;
  Crossing crossing(const Place& a, const Place& b) const;

  const Plan& plan_;
  std::size_t axes_;
  std::int64_t fine_[2] = {1, 1};    // places between two values of the grid
  std::vector<Cell> cells_, quiet_;  // quiet: whose corners agree
  std::map<Place, double> known_;
  std::vector<Place> asked_;
  std::size_t unknown_ = 0;
};

/// The picture: the line, and the points that were run; `answers` as BorderSearch takes them. Over one axis, the answers over it.
plot::Figure border_figure(const Plan& plan, const BorderSearch& search, const std::vector<double>& values,
                           const std::vector<double>& answers);

}  // namespace asperity::study
