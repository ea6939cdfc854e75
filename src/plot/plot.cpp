#include "asperity/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "asperity/utf8.hpp"
#include "canvas.hpp"

namespace asperity::plot {

std::string escaped(std::string_view text) {
  std::string out;
  each_character(text, [&](std::string_view letter, unsigned code) {
    if (code == '&') out += "&amp;";
    else if (code == '<') out += "&lt;";
    else if (code == '>') out += "&gt;";
    else if (code == '"') out += "&quot;";
    // What XML has no place for: control characters, and two codes that are none.
    else if ((code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code < 0xA0) || code == 0xFFFE || code == 0xFFFF)
      out += "\uFFFD";
    else out += letter;
  });
  return out;
}

double text_width(std::string_view text, double size) {
  const auto letters =
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return 0.56 * size * static_cast<double>(letters);
}

double widest(const std::vector<std::string>& labels) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, text_width(label, font_size));
  return width;
}

Scale scale_that_fits(const Axis& axis, const std::vector<const std::vector<double>*>& data, double width) {
  for (int count = 6;; --count) {
    Scale scale = scale_of(axis, data, count);
    const double distance =
        scale.ticks.size() < 2 ? width : width * (scale.fraction(scale.ticks[1]) - scale.fraction(scale.ticks[0]));
    if (count == 1 || widest(scale.tick_labels) + 10 < distance) return scale;
  }
}

void draw_frame(Canvas& canvas, const Box& box, const Scale& x, const Scale& y, double left) {
  for (std::size_t i = 0; i < x.ticks.size(); ++i) canvas.label(box.x(x, x.ticks[i]), box.bottom + 17, x.tick_labels[i], "small");
  for (std::size_t i = 0; i < y.ticks.size(); ++i)
    canvas.label(box.left - 7, box.y(y, y.ticks[i]) + 4.3, y.tick_labels[i], "small", "end");
  canvas.add(R"(<rect class="frame" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)", box.left, box.top, box.width(),
             box.height());
  canvas.label(0.5 * (box.left + box.right), box.bottom + 37, x.label, "axis");
  canvas.upright_label(left + 17, 0.5 * (box.top + box.bottom), y.label);
}

namespace {

std::string_view dashes(Stroke stroke) {
  switch (stroke) {
    case Stroke::dashed:
      return R"( stroke-dasharray="6 3.5")";
    case Stroke::dotted:
      return R"( stroke-dasharray="1.5 3")";
    default:
      return "";
  }
}

std::string_view colour_of(const Line& line, std::size_t number) {
  return palette[static_cast<std::size_t>(line.colour.value_or(static_cast<int>(number))) % palette.size()];
}

std::string path_of(const std::vector<Point>& points) {
  std::string path;
  for (std::size_t i = 0; i < points.size(); ++i)
    fmt::format_to(std::back_inserter(path), "{}{:.2f} {:.2f}", i == 0 ? "M" : (i == 1 ? "L" : " "), points[i].first,
                   points[i].second);
  return path;
}

void draw_line(Canvas& canvas, const Line& line, std::string_view colour, const Scale& x, const Scale& y, const Box& box) {
  std::vector<Point> points;
  std::string path;
  const auto finish = [&] {
    if (!points.empty()) path += path_of(simplified(points, 0.08));
    points.clear();
  };
  for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
    const double px = box.x(x, line.x[i]), py = box.y(y, line.y[i]);
    if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i]) || std::isnan(px) || std::isnan(py)) {
      finish();
      continue;
    }
    constexpr double far = 1e6;  // px, where nothing is seen any more
    points.emplace_back(std::clamp(px, -far, far), std::clamp(py, -far, far));
  }
  finish();
  canvas.add(R"(<path class="curve" d="{}" stroke="{}" stroke-width="{:.1f}"{}/>)", path, colour, line.width, dashes(line.stroke));
}

constexpr double sample = 26, apart = 14, row_height = 17;  // px: the stroke before a label, the gap after it, a row of them

/// Lines with a label, in rows that are no wider than the frame.
struct LegendRow {
  std::vector<std::size_t> lines;
  double width = -apart;
};
std::vector<LegendRow> legend_rows(const Panel& panel, double room) {
  std::vector<LegendRow> rows;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    if (panel.lines[i].label.empty()) continue;
    const double width = sample + text_width(panel.lines[i].label, font_size) + apart;
    if (rows.empty() || (rows.back().width + width > room && !rows.back().lines.empty())) rows.emplace_back();
    rows.back().lines.push_back(i);
    rows.back().width += width;
  }
  return rows;
}

/// Above the frame, so that it never hides a curve.
void draw_legend(Canvas& canvas, const Panel& panel, const LegendRow& row, const Box& box, double baseline) {
  double x = std::max(box.left, box.right - row.width);
  for (const std::size_t i : row.lines) {
    const Line& line = panel.lines[i];
    canvas.add(R"(<path class="curve" d="M{:.1f} {:.1f}h20" stroke="{}" stroke-width="{:.1f}"{}/>)", x, baseline - 4,
               colour_of(line, i), line.width, dashes(line.stroke));
    canvas.label(x + sample, baseline, line.label, "small", "start");
    x += sample + text_width(line.label, font_size) + apart;
  }
}

void draw_panel(Canvas& canvas, const Panel& panel, double left, double top, const Figure& figure, std::size_t number) {
  std::vector<const std::vector<double>*> xs, ys;
  for (const Line& line : panel.lines) xs.push_back(&line.x), ys.push_back(&line.y);
  const Scale y = scale_of(panel.y, ys, 6);
  const double tick_width = widest(y.tick_labels);
  const double room = figure.panel_width - tick_width - 58;
  const auto legend = legend_rows(panel, room);
  const bool stacked = !legend.empty() && !panel.title.empty() &&
                       (legend.size() > 1 || text_width(panel.title, font_size) * 1.1 + 20 + legend.front().width > room);
  const double rows = static_cast<double>(std::max<std::size_t>(legend.size() + (stacked ? 1 : 0), panel.title.empty() ? 0 : 1));
  const double heading = rows == 0 ? 10 : 13 + row_height * rows;
  const Box box{left + tick_width + 42, top + heading, left + figure.panel_width - 16, top + figure.panel_height - 46};
  const Scale x = scale_that_fits(panel.x, xs, box.width());
  const auto grid = [](const Scale& scale, double tick) {
    return !scale.log && std::abs(tick) < 1e-12 * (scale.high - scale.low) ? "zero" : "grid";
  };
  for (const double tick : x.ticks)
    canvas.add(R"(<path class="{}" d="M{:.1f} {:.1f}V{:.1f}"/>)", grid(x, tick), box.x(x, tick), box.top, box.bottom);
  for (const double tick : y.ticks)
    canvas.add(R"(<path class="{}" d="M{:.1f} {:.1f}H{:.1f}"/>)", grid(y, tick), box.left, box.y(y, tick), box.right);
  canvas.add(R"(<clipPath id="panel{0}"><rect x="{1:.1f}" y="{2:.1f}" width="{3:.1f}" height="{4:.1f}"/></clipPath>)", number,
             box.left, box.top, box.width(), box.height());
  canvas.add(R"svg(<g clip-path="url(#panel{})">)svg", number);
  for (std::size_t i = 0; i < panel.lines.size(); ++i) draw_line(canvas, panel.lines[i], colour_of(panel.lines[i], i), x, y, box);
  canvas.add("</g>");
  draw_frame(canvas, box, x, y, left);
  if (!panel.title.empty())
    canvas.label(box.left, box.top - 9 - row_height * (stacked ? rows - 1 : 0), panel.title, "panel", "start");
  for (std::size_t i = 0; i < legend.size(); ++i)
    draw_legend(canvas, panel, legend[i], box, box.top - 9 - row_height * static_cast<double>(legend.size() - 1 - i));
}

/// Where x only grows and points crowd: of each narrow strip the first, lowest, highest and last point.
std::vector<Point> thinned(const std::vector<Point>& points, double width) {
  std::vector<Point> kept;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin, lowest = begin, highest = begin;
    while (end < points.size() && points[end].first < points[begin].first + width) {
      if (points[end].second < points[lowest].second) lowest = end;
      if (points[end].second > points[highest].second) highest = end;
      ++end;
    }
    end = std::max(end, begin + 1);
    std::array<std::size_t, 4> order{begin, std::min(lowest, highest), std::max(lowest, highest), end - 1};
    std::size_t last = points.size();
    for (const std::size_t i : order) {
      if (i != last) kept.push_back(points[i]);
      last = i;
    }
    begin = end;
  }
  return kept;
}

}  // namespace

std::vector<Point> simplified(const std::vector<Point>& all, double tolerance) {
  const bool function = std::is_sorted(all.begin(), all.end(), [](const Point& a, const Point& b) { return a.first < b.first; });
  std::vector<Point> points = function && all.size() > 1000 ? thinned(all, 4 * tolerance) : all;
  if (points.size() < 3) return points;

  // From each kept point a cone of directions within the tolerance of every point passed; the point before the one that leaves
  // the cone, or turns back in it, is kept next.
  std::vector<Point> kept{points.front()};
  Point anchor = points.front(), previous = anchor;
  double middle = 0, low = 0, high = 0, farthest = 0;
  bool open = false;
  const auto start_cone = [&](const Point& p) {
    const double dx = p.first - anchor.first, dy = p.second - anchor.second, distance = std::hypot(dx, dy);
    open = distance > tolerance;
    farthest = distance;
    if (!open) return;
    middle = std::atan2(dy, dx);
    high = std::asin(tolerance / distance);
    low = -high;
  };
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point& p = points[i];
    const double dx = p.first - anchor.first, dy = p.second - anchor.second, distance = std::hypot(dx, dy);
    if (!open) {
      start_cone(p);
    } else {
      const double angle = std::remainder(std::atan2(dy, dx) - middle, 6.283185307179586);
      if (angle < low || angle > high || distance < farthest - 1e-9) {
        anchor = previous;
        kept.push_back(anchor);
        start_cone(p);
      } else {
        const double half = std::asin(std::min(1.0, tolerance / distance));
        low = std::max(low, angle - half), high = std::min(high, angle + half), farthest = distance;
      }
    }
    previous = p;
  }
  kept.push_back(points.back());
  return kept;
}

std::string to_svg(const Figure& figure) {
  constexpr std::string_view map_style =
      ".contour{stroke:#fff;stroke-opacity:.75;stroke-width:1;stroke-linecap:round;fill:none}"
      ".level{font-size:11px;fill:#fff;stroke:#000;stroke-opacity:.45;stroke-width:2.5px;paint-order:stroke;stroke-linejoin:round}"
      "\n";
  const std::size_t parts = figure.panels.size() + figure.maps.size();
  const int columns = std::clamp(figure.columns, 1, std::max(1, static_cast<int>(parts)));
  const auto rows = (parts + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
  const double head = figure.title.empty() ? 8 : (figure.subtitle.empty() ? 40 : 60);
  const double width = columns * figure.panel_width + 16, height = head + static_cast<double>(rows) * (figure.panel_height + 6) + 4;

  Canvas canvas;
  canvas.add(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img">)",
      width, height);
  canvas.add("<title>{}</title>", escaped(figure.title));
  canvas.add(
      "<style>\n"
      "text{{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;font-size:{}px;fill:#222}}\n"
      ".title{{font-size:17px;font-weight:bold}}.subtitle{{fill:#555}}.panel{{font-weight:bold}}.small{{font-size:12px;fill:#333}}"
      "\n"
      ".grid{{stroke:#e4e4e4;stroke-width:.8;fill:none}}.zero{{stroke:#aaa;stroke-width:1;fill:none}}\n"
      ".frame{{stroke:#777;stroke-width:1;fill:none}}.curve{{stroke-linejoin:round;stroke-linecap:butt;fill:none}}"
      "\n"
      "{}</style>",
      font_size, figure.maps.empty() ? "" : map_style);
  canvas.add(R"(<rect width="{:.0f}" height="{:.0f}" fill="#fff"/>)", width, height);
  if (!figure.title.empty()) canvas.label(18, 27, figure.title, "title", "start");
  if (!figure.subtitle.empty()) canvas.label(18, 47, figure.subtitle, "subtitle", "start");
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t row = i / static_cast<std::size_t>(columns), column = i % static_cast<std::size_t>(columns);
    const double left = 8 + static_cast<double>(column) * figure.panel_width,
                 top = head + static_cast<double>(row) * (figure.panel_height + 6);
    if (i < figure.panels.size()) draw_panel(canvas, figure.panels[i], left, top, figure, i);
    else draw_map(canvas, figure.maps[i - figure.panels.size()], left, top, figure, i);
  }
  canvas.add("</svg>");
  return canvas.take();
}

}  // namespace asperity::plot
