// How a long call says how far it has come, and how it is told to stop.
//
//   bool stop = false;
//   Hooks hooks{.progress = [](const Progress& now) { ... }, .stop = [&] { return stop; }};
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <string_view>

namespace asperity {

struct Progress {
  double done = 0, all = 1;  // of a run: s of its time; otherwise parts of the work
  double seconds = 0;        // since the call began
  std::string_view what{};   // being worked on: the name of a law; empty: there is only one thing
};

/// Both may be empty. What they throw ends the call.
struct Hooks {
  std::function<void(const Progress&)> progress{};  // now and then: at most about fifty times a second
  std::function<bool()> stop{};                     // after every step: true ends the call there, with what there is so far

  bool stopped() const { return stop && stop(); }
};

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

/// A call that was asked to stop, and has nothing to show.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

/// The hooks as a long call uses them: asked after every step of its work.
class StepWatch {
 public:
  /// The hooks outlive it.
  StepWatch(const Hooks& hooks, double all) : hooks_(hooks), all_(all) {}
  /// Reports now and then how far the work has come; true if it shall stop.
  bool stops(double done, std::string_view what = {});
  /// The same; throws Stopped.
  void look(double done, std::string_view what = {}) {
    if (stops(done, what)) throw Stopped();
  }

 private:
  const Hooks& hooks_;
  double all_;
  Ticker ticker_;
};

/// Hooks for a part of a longer call, which began with `clock`: its work is that from `from` to `to` of `all`. `whole` and `clock`
/// outlive them.
Hooks part_of(const Hooks& whole, const Ticker& clock, double from, double to, double all);

}  // namespace asperity
