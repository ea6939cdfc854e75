// What panels and maps are drawn with.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asperity/plot.hpp"
#include "scale.hpp"

namespace asperity::plot {

using Point = std::pair<double, double>;

constexpr double font_size = 12.5;

/// Of text in the font above: good enough to keep labels apart.
double text_width(std::string_view text, double size);
double widest(const std::vector<std::string>& labels);

class Canvas {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void label(double x, double y, std::string_view text, std::string_view style, std::string_view anchor = "middle") {
    add(R"(<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", style, x, y, anchor, escaped(text));
  }
  /// Read from below.
  void upright_label(double x, double y, std::string_view text) {
    add(R"svg(<text class="axis" transform="translate({:.1f} {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)svg", x, y,
        escaped(text));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

struct Box {
  double left, top, right, bottom;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  double x(const Scale& scale, double value) const { return left + scale.fraction(value) * width(); }
  double y(const Scale& scale, double value) const { return bottom - scale.fraction(value) * height(); }
};

/// As many ticks as have room for their labels.
Scale scale_that_fits(const Axis& axis, const std::vector<const std::vector<double>*>& data, double width);

/// A frame and the names of its axes; `left` is where the room of the y axis begins.
void draw_frame(Canvas& canvas, const Box& box, const Scale& x, const Scale& y, double left);

void draw_map(Canvas& canvas, const Map& map, double left, double top, const Figure& figure, std::size_t number);

}  // namespace asperity::plot
