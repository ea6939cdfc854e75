#include "scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "asperity/quantity_text.hpp"

namespace asperity::plot {
namespace {

struct Prefix {
  int exponent;
  std::string_view sign;
};
constexpr Prefix prefixes[] = {{-12, "p"}, {-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}, {3, "k"}, {6, "M"}, {9, "G"}};

/// A prefix belongs to the first symbol: not to kg, which has one, nor to one that is raised to a power.
bool takes_prefix(std::string_view unit) {
  if (unit.empty() || unit == "1" || unit.starts_with("kg") || unit.starts_with("1/")) return false;
  const std::size_t end = unit.find_first_of(" /^");
  return end == std::string_view::npos || unit[end] != '^';
}

std::string superscript(int number) {
  static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
  return text;
}

/// The power of ten of a number > 0; 0 for all else.
double power_of(double value) { return value > 0 && std::isfinite(value) ? std::log10(value) : 0; }

std::string tick_label(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-power_of(step) - 1e-9)), 0, 9);
  std::string text = fmt::format("{:.{}f}", std::abs(value) < 1e-9 * step ? 0.0 : value, decimals);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

/// Nobody says kiloseconds.
int largest_exponent(std::string_view unit) { return unit == "s" ? 0 : 9; }

const Prefix* prefix_of(int exponent) {
  const auto* found =
      std::find_if(std::begin(prefixes), std::end(prefixes), [&](const Prefix& p) { return p.exponent == exponent; });
  return found == std::end(prefixes) ? nullptr : found;
}

// Beyond these numbers a difference or a quotient of two may overflow or vanish; they are drawn at the edge.
constexpr double largest = 1e300, smallest = 1e-290;

/// Powers of ten, with their 2 and 5 times where there is room, every so many where there is not.
std::vector<double> log_ticks(double low, double high, int count) {
  const double decades = std::log10(high / low);
  if (decades < 0.7) return nice_ticks(low, high, count);
  const auto stride = static_cast<int>(std::ceil(decades / std::max(1, count)));
  const bool between = 3 * decades <= 1.5 * count;
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::log10(high) + 1e-9; ++power)
    for (const double nice : {1.0, 2.0, 5.0}) {
      const double tick = nice * std::pow(10.0, power);
      if ((nice == 1 ? power % stride == 0 : between) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
        ticks.push_back(tick);
    }
  return ticks;
}

/// "0.02", "5", "200"; "2·10⁻⁶" where that is too long.
std::string log_tick_label(double value) {
  if (value > 0.9e-3 && value < 0.9e5) return fmt::format("{:g}", value);
  const int power = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  const double factor = value / std::pow(10.0, power);
  return (std::abs(factor - 1) < 1e-6 ? "10" : fmt::format("{:g}·10", factor)) + superscript(power);
}

Scale log_scale_of(const Axis& axis, const std::vector<const std::vector<double>*>& data, int tick_count) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  if (axis.range) {
    std::tie(low, high) = *axis.range;
  } else {
    for (const auto* values : data)
      for (const double v : *values)
        if (std::isfinite(v) && v > 0) low = std::min(low, v), high = std::max(high, v);
    if (!(high > 0)) low = high = 1;
    high = std::clamp(high, smallest, largest), low = std::clamp(low, high * smallest, high);
    const double margin = high > low ? std::pow(high / low, 0.03) : 2;
    low /= margin, high *= margin;
  }
  if (!(low >= 1e-300 && low < high && high <= 1e307 && high / low <= largest)) low = 1, high = 10;
  Scale scale{low, high, 1, axis.label, log_ticks(low, high, tick_count), {}, true};
  if (!axis.unit.empty() && axis.unit != "1") scale.label += fmt::format(" [{}]", axis.unit);
  for (const double tick : scale.ticks) scale.tick_labels.push_back(log_tick_label(tick));
  return scale;
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * decade >= 0.6 * rough) {
      step = nice * decade;
      break;
    }
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (int k = 0; k < 1000; ++k) {
    const double tick = (first + k) * step;
    // Where the numbers are too close to each other to be told apart there is nothing between them.
    if (!(tick <= high + 1e-9 * step) || (!ticks.empty() && tick <= ticks.back())) break;
    ticks.push_back(tick);
  }
  return ticks;
}

Scale scale_of(const Axis& axis, const std::vector<const std::vector<double>*>& data, int tick_count) {
  if (axis.log) return log_scale_of(axis, data, tick_count);
  double low = 0, high = 0;
  if (axis.range) {
    std::tie(low, high) = *axis.range;
    if (!(high - low > smallest && high - low < 4 * largest)) low = -1, high = 1;
  } else {
    bool first = true;
    for (const auto* values : data)
      for (double v : *values) {
        if (!std::isfinite(v)) continue;
        v = std::abs(v) < smallest ? 0 : std::clamp(v, -largest, largest);
        low = first ? v : std::min(low, v);
        high = first ? v : std::max(high, v);
        first = false;
      }
    // A range that nearly touches zero is read from zero.
    if (low > 0 && low < 0.2 * high) low = 0;
    if (high < 0 && high > 0.2 * low) high = 0;
    const double size = std::max(std::abs(low), std::abs(high));
    if (high - low <= 1e-9 * size || high == low) {
      const double room = size > 0 ? 0.1 * size : 1;
      low -= room, high += room;
    }
    const double margin = 0.05 * (high - low);
    low -= margin;
    high += margin;
  }

  const double size = std::max(std::abs(low), std::abs(high));
  const bool prefixed = takes_prefix(axis.unit);
  // 0.4 .. 1 of the larger unit reads better than 400 .. 1000 of the smaller
  int exponent = static_cast<int>(std::floor(power_of(size / 0.4) / 3)) * 3;
  if (!prefixed && size >= 0.01 && size < 1e4) exponent = 0;
  if (prefixed) exponent = std::clamp(exponent, -12, largest_exponent(axis.unit));

  Scale scale{low, high, std::pow(10.0, -exponent), axis.label, nice_ticks(low, high, tick_count), {}};
  const bool unitless = axis.unit.empty() || axis.unit == "1";
  if (prefixed) {
    scale.label += fmt::format(" [{}{}]", prefix_of(exponent)->sign, axis.unit);
  } else if (exponent != 0) {
    scale.label += fmt::format(" [10{}{}{}]", superscript(exponent), unitless ? "" : " ", unitless ? "" : axis.unit);
  } else if (!unitless) {
    scale.label += fmt::format(" [{}]", axis.unit);
  }
  const double step = scale.ticks.size() > 1 ? scale.ticks[1] - scale.ticks[0] : 1;
  for (const double tick : scale.ticks) scale.tick_labels.push_back(tick_label(tick * scale.factor, step * scale.factor));
  return scale;
}

}  // namespace asperity::plot

std::string asperity::quantity_text(double value, std::string_view unit, int digits) {
  return quantity_text(std::span(&value, 1), unit, digits);
}

std::string asperity::quantity_text(std::span<const double> values, std::string_view unit, int digits) {
  double largest = 0;
  for (const double value : values) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  // Rounded first: 999.99 is 1.000 of the next prefix.
  const std::string rounded = fmt::format("{:.{}e}", largest, digits - 1);
  const int power = std::stoi(rounded.substr(rounded.find('e') + 1));
  int exponent = (power >= 0 ? power / 3 : -((2 - power) / 3)) * 3;
  if (exponent > plot::largest_exponent(unit)) exponent = 0;
  const auto* prefix = plot::takes_prefix(unit) ? plot::prefix_of(exponent) : nullptr;
  if (largest == 0 || !prefix) exponent = 0, prefix = nullptr;
  // The last digit that counts is that of the largest one.
  const double last = std::pow(10.0, power - exponent - digits + 1);
  std::string text;
  for (const double value : values) {
    const double cut = std::round(value * std::pow(10.0, -exponent) / last) * last;
    const double shown = std::isfinite(cut) ? cut : value;  // numbers near the smallest and the largest there are
    std::string number = fmt::format("{:.{}g}", shown == 0 ? 0.0 : shown, std::max(digits, 6));
    if (const std::size_t e = number.find('e'); e != std::string::npos)
      number = number.substr(0, e + 1) + std::to_string(std::stoi(number.substr(e + 1)));
    text += (text.empty() ? "" : ", ") + number;
  }
  if (unit.empty() || unit == "1") return text;
  return fmt::format("{} {}{}", text, prefix ? prefix->sign : "", unit);
}
