#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <utility>

#include "text.hpp"

namespace asperity::cli {
namespace {

std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free);

// A run is told to be long if this much is left after that, s.
constexpr double long_run = 20, seconds_to_judge = 2;

}  // namespace

std::string clock_text(double seconds) {
  if (!(seconds < 360000)) return "100 h or more";
  const auto s = static_cast<long>(std::ceil(seconds));
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60) : fmt::format("{}:{:02}", s / 60, s % 60);
}

int stop_signal() noexcept { return caught.load(std::memory_order_relaxed); }

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { caught.store(signal, std::memory_order_relaxed); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

LongCall::LongCall(bool bar) : bar_(bar) { listen_to_signals(); }

LongCall::~LongCall() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

Hooks LongCall::hooks() {
  return {.progress =
              [this](const Progress& now) {
                const double share = now.all > 0 ? std::clamp(now.done / now.all, 0.0, 1.0) : 0;
                bar_.show(fmt::format("{:3.0f} % {} {}", std::floor(100 * share), bar_of(share), now.what), now.seconds);
              },
          .stop = [] { return stop_signal() != 0; }};
}

int interrupted(const std::string& command) {
  report(command, {"interrupted; nothing was written"});
  return 128 + stop_signal();
}

std::string bar_of(double share) {
  constexpr int width = 24;
  const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * width);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(width - full, ' '));
}

std::string progress_line(double from, double time, double duration, double seconds) {
  const double share = duration > 0 ? std::clamp(time / duration, 0.0, 1.0) : 1;
  const double pace = seconds > 0 ? (time - from) / seconds : 0;
  const std::string left = pace > 0 ? clock_text((duration - time) / pace) + " left" : "";
  return fmt::format("{:3.0f} % {} {:.4g} s of {:g} s  {}  {:.3g} times real time", std::floor(100 * share), bar_of(share), time,
                     duration, left, pace);
}

ProgressBar::ProgressBar(bool wanted, double from, std::string command)
    : on_(wanted && isatty(STDERR_FILENO) == 1), from_(from), command_(std::move(command)) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(double time, double duration, double seconds) {
  if (!on_ && !command_.empty() && seconds > seconds_to_judge) {
    const double left = (duration - time) * seconds / std::max(time - from_, 1e-300);
    if (left > long_run)
      report(command_, {fmt::format("note: about {} left at this pace, t = {:.3g} s of {:g} s; Ctrl-C stops it", clock_text(left),
                                    time, duration)});
    command_.clear();
  }
  show(progress_line(from_, time, duration, seconds), seconds);
}

void ProgressBar::show(const std::string& line, double seconds) {
  if (!on_ || seconds - last_ < 0.2) return;
  last_ = seconds;
  drawn_ = true;
  say_aside(fmt::format("\r{}\033[K", line));
}

void ProgressBar::clear() {
  if (!drawn_) return;
  drawn_ = false;
  say_aside("\r\033[K");
}

}  // namespace asperity::cli
