// What an adaptive method has to know of a function of time before it steps over a part of it: where its corners are, and when it
// leaves what a few samples show of it; and what bounds the values of a function of the motion.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace asperity {

/// Between them lies every value of something.
struct ValueRange {
  double low = 0, high = 0;
};

/// Where a function of time jumps or bends: the last time before and the first behind. Both infinite: nowhere.
struct Corner {
  double before = std::numeric_limits<double>::infinity();
  double after = std::numeric_limits<double>::infinity();
};

/// Of an input or a prescribed motion.
struct Outline {
  /// The first corner behind t, if it is not after `until`. A time without a corner, before = after, says how far was looked.
  std::function<Corner(double t, double until)> corner;
  /// The time up to which a step from t may go, at most `until`, so that its ends show the function: no pulse of a tenth of its
  /// variation is between them. Infinite: until.
  std::function<double(double t, double until)> stray;
};

/// Something that depends on time, and what is known of it.
struct Timed {
  std::string name;  // of the body that is moved by it
  Outline outline;
  bool exact = true;  // not by samples
};

namespace outline {

/// The first of two neighbouring times between which a class of times changes.
template <class Class>
Corner between(double low, double high, Class&& of) {
  const auto was = of(low);
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) return {low, high};
    (of(middle) == was ? low : high) = middle;
  }
}

/// How far a step from t may go so that its ends show a function: nowhere between them is it farther from what the ends show than a
/// tenth of its variation around here. `leaves` finds the first time at which it leaves a band.
template <class F, class Leaves>
double stray(const F& f, double t, double until, double variation, const Leaves& leaves) {
  const double most = 0.1 * variation, first = f(t);
  double end = until;
  for (int halvings = 0; halvings < 50; ++halvings) {
    const double last = f(end);
    bool shown = true;
    for (int i = 1; i < 8 && shown; ++i) shown = !(std::abs(f(t + (end - t) * i / 8) - (first + (last - first) * i / 8)) > most);
    if (!shown) {
      end = t + (end - t) / 2;
      continue;
    }
    return std::min(leaves(end, std::min(first, last) - most, std::max(first, last) + most),
                    end < until ? end : std::numeric_limits<double>::infinity());
  }
  return end;
}
/// Where the variation of a function is looked for: many steps before and behind.
struct Around {
  double from, to;
  Around(double t, double until) : from(t - 64 * (until - t)), to(t + 64 * (until - t)) {
    if (t >= 0) from = std::max(0.0, from);  // runs start at 0
  }
  double at(int i, int parts) const noexcept { return from + (to - from) * i / parts; }
};

/// Of a function that can only be asked for its values: by samples, so that a pulse shorter than 1/32 of a step may be missed.
inline Outline sampled(const std::function<double(double)>& f) {
  constexpr int samples = 32;
  const auto corner = [f](double t, double until) -> Corner {
    std::array<double, samples + 1> value{};
    const auto at = [&](int i) { return i == samples ? until : t + (until - t) * i / samples; };
    for (int i = 0; i <= samples; ++i) value[std::size_t(i)] = f(at(i));
    const auto [low, high] = std::minmax_element(value.begin(), value.end());
    for (int i = 0; i<samples&& * high> * low; ++i) {
      double a = at(i), b = at(i + 1), fa = value[std::size_t(i)], fb = value[std::size_t(i) + 1];
      const double rise = std::abs(fb - fa);
      if (!(rise > 0.05 * (*high - *low))) continue;
      // A jump stays as large however close one looks.
      for (int round = 0; round < 30; ++round) {
        const double m = a + (b - a) / 2, fm = f(m);
        if (std::abs(fm - fa) > std::abs(fb - fm)) b = m, fb = fm;
        else a = m, fa = fm;
      }
      if (std::abs(fb - fa) > 0.5 * rise)
        return between(a, b, [&, fa, fb](double s) { return std::abs(f(s) - fa) < std::abs(f(s) - fb); });
    }
    return {};
  };
  const auto shown = [f](double t, double until) {
    const Around around(t, until);
    double low = f(t), high = low;
    for (int i = 0; i <= samples; ++i)
      for (const double s : {t + (until - t) * i / samples, around.at(i, samples)})
        low = std::min(low, f(s)), high = std::max(high, f(s));
    return stray(f, t, until, high - low, [&](double end, double least, double most) {
      const auto within = [&](double s) { return !(f(s) < least || f(s) > most); };
      double before = t;
      for (int i = 1; i < samples; ++i) {
        const double here = t + (end - t) * i / samples;
        if (!within(here)) return between(before, here, within).after;
        before = here;
      }
      return std::numeric_limits<double>::infinity();
    });
  };
  return {corner, shown};
}

}  // namespace outline
}  // namespace asperity
