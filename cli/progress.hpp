// While a run goes on: the bar on the terminal, the clock, the signals.
#pragma once

#include <string>

#include "asperity/hooks.hpp"

namespace asperity::cli {

/// "3:05", "1:00:00".
std::string clock_text(double seconds);

/// The signal that asked to stop, or 0. A second one ends the program at once.
int stop_signal() noexcept;
void listen_to_signals();

/// " 42 %  4.2 s of 10 s  [########            ]  0:12 left, 3.4 times real time"; drawn over itself, on a terminal only. A run of
/// `command` that shows none says once, early, if it will take long.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted, double from = 0, std::string command = "");
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// At most five times a second.
  void show(double time, double duration, double seconds);
  void show(const std::string& line, double seconds);
  void clear();

 private:
  bool on_;
  bool drawn_ = false;
  double from_, last_ = 0;
  std::string command_;  // empty: nothing more to say
};

/// A long call: a bar on the terminal, and the first signal asks it to stop. Afterwards a signal ends the program as usual.
class LongCall {
 public:
  explicit LongCall(bool bar = true);
  ~LongCall();
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;
  /// They refer to this.
  Hooks hooks();

 private:
  ProgressBar bar_;
};

/// Says that a command was interrupted; the exit code.
int interrupted(const std::string& command);

/// "[########            ]"
std::string bar_of(double share);

/// The line that the bar shows; `done` since `from` took so many seconds.
std::string progress_line(double from, double time, double duration, double seconds);

}  // namespace asperity::cli
