// Line plots and maps as SVG text: axes with nice ticks and SI prefixes, colours that colour-blind readers and printers keep apart.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asperity::plot {

/// Okabe and Ito's palette, dark ones first.
inline constexpr std::array<std::string_view, 6> palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"};

/// Text that may stand in SVG and HTML, in attributes too.
std::string escaped(std::string_view text);

enum class Stroke { solid, dashed, dotted };

struct Line {
  std::string label{};  // empty: not in the legend
  std::vector<double> x{}, y{};
  Stroke stroke = Stroke::solid;
  double width = 1.7;           // px
  std::optional<int> colour{};  // index into the palette; the number of the line otherwise
};

struct Axis {
  std::string label{};
  std::string unit{};  // "m", "N s/m"; a prefix is put in front of it where the numbers ask for one
  std::optional<std::pair<double, double>> range{};
  bool log = false;  // all numbers must be positive
};

struct Panel {
  std::string title{};
  Axis x{}, y{};
  std::vector<Line> lines{};
};

/// A number over a plane: cells coloured by value, row by row from the lowest y, with contour lines where the colour bar has its
/// ticks. xs and ys are the middles of the cells, two at least, growing. What is not finite is left white.
struct Map {
  std::string title{};
  Axis x{}, y{}, value{};
  std::vector<double> xs{}, ys{}, values{};
};

/// Panels in rows, left to right, then maps. The same figure gives the same text, byte for byte.
struct Figure {
  std::string title{}, subtitle{};
  std::vector<Panel> panels{};
  std::vector<Map> maps{};
  int columns = 2;
  double panel_width = 440, panel_height = 340;  // px, with labels
};

std::string to_svg(const Figure& figure);

/// The colours of maps, "#rrggbb" for a fraction between 0 and 1: perceptually uniform and safe for colour-blind readers.
/// [viridis: van der Walt and Smith, 2015]
std::string map_colour(double fraction);

/// The points a reader can tell apart, in order, never losing a turning point; tolerance in the unit of x and y.
std::vector<std::pair<double, double>> simplified(const std::vector<std::pair<double, double>>& points, double tolerance);

/// Round tick values within [low, high], about `count` of them.
std::vector<double> nice_ticks(double low, double high, int count);

}  // namespace asperity::plot
