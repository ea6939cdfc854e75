// Several ways to do the same work, timed beside each other.
#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

inline double nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return 1e9 * double(now.tv_sec) + double(now.tv_nsec);
}

/// A way to do some work; `result` proves that all ways of one contest do the same, and that the work was done.
struct Contender {
  std::string name;
  std::function<double()> work;
  double target = 0;  // of the ratio to the first contender; 0 if there is none
  double best = 1e300;
  double result = 0;
};

struct Contest {
  std::string name;
  double items;   // of which the time of one is reported
  bool speed_up;  // the ratio is first/this, and the target a minimum; otherwise this/first, and a maximum
  std::vector<Contender> contenders;
  int rounds = 200;
  bool threads = false;  // some contenders use several: the time on the wall counts

  /// Round after round, so that a machine that slows down slows all of them; the best of each counts. The time is that of the
  /// processor: while other programs have it, none passes.
  void run() {
    const clockid_t clock = threads ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    for (int round = 0; round < rounds; ++round) {
      for (Contender& contender : contenders) {
        const double begin = nanoseconds(clock);
        contender.result = contender.work();
        contender.best = std::min(contender.best, nanoseconds(clock) - begin);
      }
    }
  }
  double time(const Contender& contender) const { return contender.best / items; }
  double ratio(const Contender& contender) const {
    return speed_up ? contenders[0].best / contender.best : contender.best / contenders[0].best;
  }
  bool met(const Contender& contender) const {
    return speed_up ? ratio(contender) >= contender.target : ratio(contender) <= contender.target;
  }
  bool same_results() const {
    return std::all_of(contenders.begin(), contenders.end(), [&](const Contender& c) {
      return std::abs(c.result - contenders[0].result) <= 1e-9 * std::abs(contenders[0].result);
    });
  }
};
