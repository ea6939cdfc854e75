// Inputs and prescribed motions that jump, or that change faster than the steps.
#include <cmath>

#include "check_rules.hpp"
#include "check_words.hpp"

namespace asperity {

using namespace words;

/// A prescribed position that jumps: friction, which sees velocities, does not feel it, and a spring takes up an energy that no
/// force at any velocity has brought.
void check_jumps(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  constexpr int most_corners = 1000;
  std::vector<double> low(network.given.size()), high(network.given.size());
  for (const BodyPool* pool : network.bodies)
    for (std::size_t i = 0; pool->is_given && i < pool->names.size(); ++i) {
      bool told = false;
      for (const Timed& timed : network.timed) {
        double t = 0;
        for (int k = 0; timed.name == pool->names[i] && k < most_corners && t < options.duration && !told; ++k) {
          const Corner next = timed.outline.corner(t, options.duration);
          if (!(next.after <= options.duration)) break;
          t = next.after;
          if (next.before == next.after) continue;
          pool->place(next.before, low.data());
          pool->place(next.after, high.data());
          const std::size_t velocities = pool->velocity_column(0);
          double jump = 0, moved = 0, largest = 0;
          for (std::size_t c = 0; c < velocities; ++c) {
            const std::size_t at = pool->motion.at(c, i);
            jump = std::max(jump, std::abs(high[at] - low[at]));
            largest = std::max({largest, std::abs(high[at]), std::abs(low[at])});
          }
          for (std::size_t c = velocities; c < pool->motion_numbers(); ++c)
            for (const auto* numbers : {&low, &high})
              moved = std::max(moved, std::abs((*numbers)[pool->motion.at(c, i)]) * (next.after - next.before));
          if (!(jump > 2 * moved + 1e-9 * largest)) continue;
          told = true;
          list.push_back(
              {timed.name, Warning::Kind::jump, jump, 0,
               fmt::format("{}: its prescribed position jumps by {} {} at t = {:.6g} s: friction does not feel that, and "
                           "the work of it is not in the energy account; give it a ramp",
                           timed.name, plain(jump, 3), pool->turns ? "rad" : "m", next.after)});
        }
      }
    }
}

/// A pulse of an input between the steps of a fixed grid: two corners of it within a step, or a value that none of the steps shows.
void check_pulses(const Network& network, const CheckOptions& options, std::vector<Warning>& list) {
  constexpr int most_corners = 1000;
  const int most_windows = std::max(100, int(20000 / std::max<std::size_t>(1, network.timed.size())));
  const double step = options.step;
  const auto tell = [&](const std::string& name, double from, double enough, const std::string& what) {
    list.push_back({name, Warning::Kind::input, enough, step,
                    fmt::format("{} at t = {:.6g} s, which a step of {} may miss; {} or an adaptive method", what, from,
                                time_text(step, false), enough > 0 ? use_step(enough) : "use a much shorter step")});
  };
  // When an input does something between two steps of a length that neither of them shows; infinity: never. Longer windows first:
  // what they show, steps within them show, too.
  const auto hidden = [&](const Timed& timed, double h) {
    constexpr int most_steps = 40;  // in each of the longer windows
    const auto shown_by = [&](double from) {
      const double to = std::min(options.duration, from + h);
      // A jump between two steps is a corner, not a pulse.
      if (const Corner next = timed.outline.corner(from, to); next.after <= to && next.before != next.after) return infinity;
      return timed.outline.stray(from, to);
    };
    if (options.duration / h <= most_windows) {
      for (int i = 0; i * h < options.duration; ++i)
        if (const double stray = shown_by(i * h); stray < options.duration) return stray;
      return infinity;
    }
    const int windows = std::max(10, most_windows / (2 * most_steps));
    const double window = options.duration / windows;
    for (int i = 0; i < windows; ++i) {
      const double end = (i + 1) * window, first = timed.outline.stray(i * window, end);
      if (!(first < end)) continue;
      const double from = std::floor(std::max(i * window, first - h) / h);
      for (int k = 0; k < most_steps && (from + k) * h < end; ++k)
        if (const double stray = shown_by((from + k) * h); stray < options.duration) return stray;
    }
    return infinity;
  };
  for (const Timed& timed : network.timed) {
    if (!timed.exact) continue;
    bool told = false;
    double before = -infinity, t = 0;
    for (int i = 0; i < most_corners && t < options.duration && !told; ++i) {
      const Corner next = timed.outline.corner(t, options.duration);
      if (!(next.after <= options.duration)) break;
      t = next.after;
      if (next.before == next.after) continue;
      const double width = t - before;
      told = width < (1 - 1e-6) * step && width > 64 * std::numeric_limits<double>::epsilon() * t;
      if (told)
        tell(timed.name, before, width / 4,
             fmt::format("{}: an input or prescribed motion changes twice within {}", timed.name, time_text(width, true)));
      before = t;
    }
    if (told) continue;
    const double first = hidden(timed, step);
    if (!(first < infinity)) continue;
    double enough = step;
    int round = 0;
    while (round < 16 && hidden(timed, enough) < infinity) enough /= 2, ++round;
    tell(timed.name, first, round < 16 ? enough / 2 : 0,
         fmt::format("{}: an input or prescribed motion has a pulse, or oscillates,", timed.name));
  }
}

}  // namespace asperity
