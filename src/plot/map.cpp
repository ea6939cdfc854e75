// Maps: cells as an embedded picture, contour lines, a colour bar.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "canvas.hpp"

namespace asperity::plot {
namespace {

struct Colour {
  double red, green, blue;
};
constexpr Colour colours[] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                              {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};

Colour colour_at(double fraction) {
  constexpr auto last = static_cast<double>(std::size(colours) - 1);
  const double place = (fraction > 0 ? std::min(fraction, 1.0) : 0.0) * last;
  const auto i = static_cast<std::size_t>(std::min(place, last - 1));
  const double part = place - static_cast<double>(i);
  const auto mixed = [&](double Colour::*channel) {
    return std::round(colours[i].*channel + part * (colours[i + 1].*channel - colours[i].*channel));
  };
  return {mixed(&Colour::red), mixed(&Colour::green), mixed(&Colour::blue)};
}

// --- a picture of cells -------------------------------------------------------------------------------------------------------

using Bytes = std::string;

void add_number(Bytes& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
}

/// The check sum of PNG and of its zlib stream.                                        [W3C, PNG, annex D; RFC 1950, section 8.2]
std::uint32_t crc(std::string_view bytes) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}
std::uint32_t adler(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) a = (a + static_cast<unsigned char>(c)) % 65521, b = (b + a) % 65521;
  return b << 16 | a;
}

void add_chunk(Bytes& png, std::string_view type, std::string_view data) {
  add_number(png, static_cast<std::uint32_t>(data.size()));
  const Bytes body = Bytes(type) + Bytes(data);
  png += body;
  add_number(png, crc(body));
}

constexpr unsigned shades = 255;
constexpr char blank = static_cast<char>(shades);  // the colour after the last: transparent

/// A PNG of palette colours, stored without compression: rows from the top, a byte a pixel.
Bytes png_of(std::size_t width, std::size_t height, const Bytes& pixels) {
  Bytes header, palette_bytes, raw, stream("\x78\x01", 2);
  add_number(header, static_cast<std::uint32_t>(width));
  add_number(header, static_cast<std::uint32_t>(height));
  header += Bytes("\x08\x03\x00\x00\x00", 5);  // 8 bits, palette
  for (unsigned i = 0; i <= shades; ++i) {
    const Colour c = colour_at(std::min(1.0, i / double(shades - 1)));
    for (const double channel : {c.red, c.green, c.blue}) palette_bytes += static_cast<char>(static_cast<unsigned char>(channel));
  }
  Bytes opacity(shades, '\xff');
  opacity += '\0';
  for (std::size_t row = 0; row < height; ++row) raw += '\0' + pixels.substr(row * width, width);
  constexpr std::size_t longest = 65535;
  for (std::size_t begin = 0; begin < raw.size(); begin += longest) {
    const std::size_t size = std::min(longest, raw.size() - begin);
    stream += static_cast<char>(begin + size == raw.size());
    for (const std::size_t number : {size, ~size})
      stream += static_cast<char>(number & 0xffU), stream += static_cast<char>(number >> 8 & 0xffU);
    stream += raw.substr(begin, size);
  }
  add_number(stream, adler(raw));

  Bytes png("\x89PNG\r\n\x1a\n", 8);
  add_chunk(png, "IHDR", header);
  add_chunk(png, "PLTE", palette_bytes);
  add_chunk(png, "tRNS", opacity);
  add_chunk(png, "IDAT", stream);
  add_chunk(png, "IEND", "");
  return png;
}

std::string base64(const Bytes& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = i; j < i + 3; ++j) three = three << 8 | (j < bytes.size() ? static_cast<unsigned char>(bytes[j]) : 0U);
    for (int part = 0; part < 4; ++part)
      text += i + static_cast<std::size_t>(part) > bytes.size() ? '=' : letters[three >> (18 - 6 * part) & 63U];
  }
  return text;
}

// --- where cells lie ----------------------------------------------------------------------------------------------------------

/// Cells reach half-way to their neighbours, on a logarithmic axis in the logarithm.
class Cells {
 public:
  Cells(const std::vector<double>& middles, bool log) : log_(log) {
    for (const double m : middles) places_.push_back(log ? std::log(m) : m);
    const std::size_t n = places_.size();
    low_ = places_[0] - (places_[1] - places_[0]) / 2;
    high_ = places_[n - 1] + (places_[n - 1] - places_[n - 2]) / 2;
    for (std::size_t i = 1; i < n; ++i)
      even_ = even_ && std::abs(places_[i] - places_[i - 1] - (high_ - low_) / double(n)) < 1e-6 * (high_ - low_) / double(n);
  }
  std::pair<double, double> range() const { return log_ ? std::pair(std::exp(low_), std::exp(high_)) : std::pair(low_, high_); }

  /// One pixel a cell if they are even, but no more than a screen shows.
  std::size_t pixels() const { return even_ && places_.size() <= most ? places_.size() : most; }
  /// The cell under a pixel.
  std::size_t at(std::size_t pixel) const {
    const double place = low_ + (high_ - low_) * (double(pixel) + 0.5) / double(pixels());
    const auto after = std::upper_bound(places_.begin(), places_.end(), place);
    if (after == places_.begin()) return 0;
    const auto i = static_cast<std::size_t>(after - places_.begin());
    return i == places_.size() || place - places_[i - 1] < places_[i] - place ? i - 1 : i;
  }
  /// From the middle of one cell to that of the next.
  double between(std::size_t i, double part) const {
    const double place = places_[i] + (part == 0 ? 0 : part * (places_[i + 1] - places_[i]));
    return (place - low_) / (high_ - low_);
  }

 private:
  static constexpr std::size_t most = 400;
  std::vector<double> places_;
  double low_, high_;
  bool log_, even_ = true;
};

// --- contour lines ------------------------------------------------------------------------------------------------------------

struct Segment {
  Point from, to;
};

/// Marching squares over the middles of the cells; a saddle is decided by the mean of its corners.
std::vector<Segment> contour(const Map& map, const Cells& xs, const Cells& ys, const Box& box, double level) {
  std::vector<Segment> segments;
  const std::size_t width = map.xs.size();
  for (std::size_t row = 0; row + 1 < map.ys.size(); ++row)
    for (std::size_t column = 0; column + 1 < width; ++column) {
      // Around the square: (0, 0), (1, 0), (1, 1), (0, 1).
      const double* const low = &map.values[row * width + column];
      const double corner[] = {low[0] - level, low[1] - level, low[width + 1] - level, low[width] - level};
      const double mean = (corner[0] + corner[1] + corner[2] + corner[3]) / 4;
      if (!std::isfinite(mean)) continue;
      std::vector<Point> crossings;
      for (std::size_t i = 0; i < 4; ++i) {
        const double a = corner[i], b = corner[(i + 1) % 4];
        if ((a >= 0) == (b >= 0)) continue;
        const double part = a / (a - b);
        const double x[] = {part, 1, 1 - part, 0}, y[] = {0, part, 1, 1 - part};
        crossings.emplace_back(box.left + xs.between(column, x[i]) * box.width(),
                               box.bottom - ys.between(row, y[i]) * box.height());
      }
      const auto is_far = [](const Point& p) { return !std::isfinite(p.first) || !std::isfinite(p.second); };
      if (std::any_of(crossings.begin(), crossings.end(), is_far)) continue;
      if (crossings.size() == 2) segments.push_back({crossings[0], crossings[1]});
      if (crossings.size() < 4) continue;
      // Crossing i lies on the side after corner i; the corners that differ from the middle are cut off.
      const std::size_t shift = (corner[0] >= 0) == (mean >= 0) ? 0 : 3;
      segments.push_back({crossings[shift % 4], crossings[(shift + 1) % 4]});
      segments.push_back({crossings[(shift + 2) % 4], crossings[(shift + 3) % 4]});
    }
  return segments;
}

}  // namespace

std::string map_colour(double fraction) {
  const Colour c = colour_at(fraction);
  return fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(c.red), static_cast<int>(c.green), static_cast<int>(c.blue));
}

void draw_map(Canvas& canvas, const Map& map, double left, double top, const Figure& figure, std::size_t number) {
  const Cells xs(map.xs, map.x.log), ys(map.ys, map.y.log);
  Axis x_axis = map.x, y_axis = map.y, value_axis = map.value;
  x_axis.range = xs.range(), y_axis.range = ys.range();
  if (!value_axis.range) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double v : map.values)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    if (low < high) value_axis.range = {low, high};
  }
  const Scale y = scale_of(y_axis, {}, 6), value = scale_of(value_axis, {&map.values}, 7);
  const double bar = 16, bar_room = 30 + bar + widest(value.tick_labels) + 22;
  const Box box{left + widest(y.tick_labels) + 42, top + (map.title.empty() ? 10 : 30), left + figure.panel_width - bar_room,
                top + figure.panel_height - 46};
  const Scale x = scale_that_fits(x_axis, {}, box.width());

  Bytes pixels;
  for (std::size_t row = ys.pixels(); row-- > 0;)
    for (std::size_t column = 0; column < xs.pixels(); ++column) {
      const double v = map.values[ys.at(row) * map.xs.size() + xs.at(column)];
      const double shade = std::clamp(value.fraction(v), 0.0, 1.0) * (shades - 1);
      pixels +=
          std::isfinite(v) && std::isfinite(shade) ? static_cast<char>(static_cast<unsigned char>(std::lround(shade))) : blank;
    }
  canvas.add(
      R"(<image x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{}"/>)",
      box.left, box.top, box.width(), box.height(), base64(png_of(xs.pixels(), ys.pixels(), pixels)));

  const Box bar_box{box.right + 18, box.top, box.right + 18 + bar, box.bottom};
  canvas.add(R"(<linearGradient id="bar{}" x1="0" y1="1" x2="0" y2="0">)", number);
  for (std::size_t i = 0; i < std::size(colours); ++i) {
    const double fraction = double(i) / double(std::size(colours) - 1);
    canvas.add(R"(<stop offset="{:.3f}" stop-color="{}"/>)", fraction, map_colour(fraction));
  }
  canvas.add("</linearGradient>");
  canvas.add(R"svg(<rect class="frame" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" style="fill:url(#bar{})"/>)svg",
             bar_box.left, bar_box.top, bar_box.width(), bar_box.height(), number);
  for (std::size_t i = 0; i < value.ticks.size(); ++i) {
    const double at = bar_box.y(value, value.ticks[i]);
    canvas.add(R"(<path class="contour" d="M{:.1f} {:.1f}H{:.1f}"/>)", bar_box.left + 1, at, bar_box.right - 1);
    canvas.label(bar_box.right + 6, at + 4.3, value.tick_labels[i], "small", "start");

    const std::vector<Segment> segments = contour(map, xs, ys, box, value.ticks[i]);
    if (segments.empty()) continue;
    std::string path;
    for (const auto& [from, to] : segments)
      fmt::format_to(std::back_inserter(path), "M{:.1f} {:.1f}L{:.1f} {:.1f}", from.first, from.second, to.first, to.second);
    canvas.add(R"(<path class="contour" d="{}"/>)", path);
    // Its value, where the line is farthest from the frame.
    const auto room = [&](const Segment& s) {
      return std::min({s.from.first - box.left, box.right - s.from.first, s.from.second - box.top, box.bottom - s.from.second});
    };
    const Segment& best =
        *std::max_element(segments.begin(), segments.end(), [&](const auto& a, const auto& b) { return room(a) < room(b); });
    if (room(best) > 20) canvas.label(best.from.first, best.from.second + 4, value.tick_labels[i], "level");
  }
  draw_frame(canvas, box, x, y, left);
  canvas.upright_label(left + figure.panel_width - 10, 0.5 * (box.top + box.bottom), value.label);
  if (!map.title.empty()) canvas.label(box.left, box.top - 9, map.title, "panel", "start");
}

}  // namespace asperity::plot
