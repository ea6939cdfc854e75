// While a run goes on: the bar on the terminal, the clock, the signals.
#pragma once

#include <chrono>
#include <string>

namespace asperity::cli {

/// The signal that asked to stop, or 0. A second one ends the program at once.
int stop_signal() noexcept;
void listen_to_signals();

/// Looks at the clock so rarely that it costs nothing: about fifty times a second.
class Ticker {
 public:
  /// Called after every step; true now and then.
  bool tick();
  /// Since the start, s.
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  long steps_ = 0, steps_between_ = 1;
};

/// " 42 %  4.2 s of 10 s  [########            ]  0:12 left, 3.4 times real time"; drawn over itself, on a terminal only.
class ProgressBar {
 public:
  ProgressBar(bool wanted, double from, double duration);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// At most five times a second.
  void show(double time, double seconds);
  void show(const std::string& line, double seconds);
  void clear();

 private:
  bool on_;
  bool drawn_ = false;
  double from_, duration_, last_ = 0;
};

/// "[########            ]"
std::string bar_of(double share);

/// The line that the bar shows; `done` since `from` took so many seconds.
std::string progress_line(double from, double time, double duration, double seconds);

}  // namespace asperity::cli
