#include "asperity/hooks.hpp"

#include <algorithm>

namespace asperity {

bool Ticker::tick() {
  if (++steps_ < steps_between_) return false;
  steps_ = 0;
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  // Steps may suddenly become slow: grow carefully, shrink at once.
  if (passed < 0.01) steps_between_ = std::min(2 * steps_between_, 1L << 20U);
  else if (passed > 0.04) steps_between_ = std::max(1L, static_cast<long>(static_cast<double>(steps_between_) * 0.02 / passed));
  return true;
}

double Ticker::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool StepWatch::stops(double done, std::string_view what) {
  if (ticker_.tick() && hooks_.progress) hooks_.progress({done, all_, ticker_.seconds(), what});
  return hooks_.stopped();
}

Hooks part_of(const Hooks& whole, const Ticker& clock, double from, double to, double all) {
  Hooks part{.progress = {}, .stop = whole.stop};
  if (whole.progress)
    part.progress = [&whole, &clock, from, to, all](const Progress& now) {
      const double share = now.all > 0 ? now.done / now.all : 0;
      whole.progress({from + share * (to - from), all, clock.seconds(), now.what});
    };
  return part;
}

}  // namespace asperity
