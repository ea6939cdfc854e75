// Words and small helpers that the set-up checks share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "asperity/quantity_text.hpp"
#include "asperity/setup/checks.hpp"
#include "infinity.hpp"

namespace asperity::words {

using Part = Network::Part;

/// "5e5", "120", "0.22": as people write them.
inline std::string plain(double x, int digits) {
  if (std::isinf(x)) return x > 0 ? "more than 1e308" : "less than -1e308";
  std::string text = fmt::format("{:.{}g}", x, digits);
  if (const auto e = text.find('e'); e != std::string::npos) {
    std::size_t from = e + 1;
    if (text[from] == '+') text.erase(from, 1);
    else ++from;
    while (from + 1 < text.size() && text[from] == '0') text.erase(from, 1);
  }
  return text;
}
/// Two numbers of which one is beyond the other, with as many digits as it takes to see that: "2.50 > 1.00".
inline std::string compared(double value, std::string_view sign, double limit) {
  const auto fits = [](double x) { return x == 0 || (std::abs(x) >= 0.01 && std::abs(x) < 1e6); };
  if (const std::string a = fmt::format("{:.2f}", value), b = fmt::format("{:.2f}", limit); fits(value) && fits(limit) && a != b)
    return fmt::format("{} {} {}", a, sign, b);
  int digits = 3;
  while (digits < 15 && plain(value, digits) == plain(limit, digits)) ++digits;
  return fmt::format("{} {} {}", plain(value, digits), sign, plain(limit, digits));
}
inline std::string time_text(double s, bool two_digits) {
  const auto [unit, name] = s >= 1                                  ? std::pair{1.0, "s"}
                            : s >= 1e-3 * (1 - 1e-12) || s > 9.9e-5 ? std::pair{1e-3, "ms"}
                                                                    : std::pair{1e-6, "us"};
  if (!two_digits) return plain(s / unit, 3) + " " + name;
  const double x = s / unit;
  const int decimals = std::max(0, 1 - int(std::floor(std::log10(x) + 1e-12)));
  return fmt::format("{:.{}f} {}", x, decimals, name);
}
inline std::string stiffness_text(const Part& part, double K, int digits = 3) {
  return plain(K, digits) + (part.turns ? " N m/rad" : " N/m");
}
inline std::string mass_text(const Part& part) { return plain(part.mass, 3) + (part.turns ? " kg m^2" : " kg"); }
inline std::string force_text(const Part& part, double f) { return plain(f, 3) + (part.turns ? " N m" : " N"); }
inline std::string speed_text(const Part& part, double v) { return plain(v, 3) + (part.turns ? " rad/s" : " m/s"); }

/// Where the stiffness of a curved part is the one that is named.
inline std::string where_text(const Part& part) {
  if (!part.curved) return "";
  return part.depth > 0 ? fmt::format(" (hit, {} m deep)", plain(part.depth, 3)) : " (here)";
}

inline Warning note(Warning warning) {
  warning.note = true;
  return warning;
}

/// The longest step not above `step` for which `good` holds; 0 if none is found.
template <class Good>
double longest_step(double step, int rounds, Good&& good) {
  double low = step, high = step;
  while (!good(low)) {
    high = low;
    low /= 2;
    if (low < 1e-9 * step) return 0;
  }
  for (int round = 0; round < rounds && low < high; ++round) {
    const double middle = (low + high) / 2;
    (good(middle) ? low : high) = middle;
  }
  return low;
}
/// What lives in sampled time has methods of its own: rk4 is no advice where there is such a thing.
inline bool takes_rk4(const Network& network) {
  return std::none_of(network.elements.begin(), network.elements.end(),
                      [](const ElementPool* pool) { return pool->about().discrete; }) &&
         std::none_of(network.bodies.begin(), network.bodies.end(), [](const BodyPool* pool) { return pool->rubs(); });
}
inline std::string use_step(double longest) {
  return longest > 0 ? fmt::format("use step <= {}", time_text(rounded_down(longest), true)) : "no step is short enough";
}

}  // namespace asperity::words
