// A trace as users ask for it, in numbers and formulas as they write them; its judgement; the answer in words, as JSON and as a
// picture.
//
//   Problems problems;
//   const auto prepared = prepare_trace({.law = name, .velocity = "sin(t)", .duration = "6.3", .step = "1e-2"}, problems);
//   if (prepared) std::puts(to_json(carry_out(*prepared)).c_str());
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/hooks.hpp"
#include "asperity/plot.hpp"
#include "asperity/run/finding.hpp"
#include "asperity/trace.hpp"

namespace asperity {

/// One of velocity, position, waypoints with speed, and input is the motion; of a contact law it is that of the gap.
struct TraceRequest {
  std::string law{};
  std::vector<std::string> set{};                     // "K=1e5", "F=1,2,3"
  std::optional<std::string> elements{};              // of laws made of elements
  std::optional<std::string> velocity{}, position{};  // formulas in t
  std::optional<std::string> waypoints{}, speed{};    // "0,1e-3,-1e-3", m; m/s
  std::optional<std::string> input{};                 // a file of measured motion
  std::optional<std::string> load{}, gap{};           // formulas in t; a gap is that of a composite
  std::optional<std::string> from{};                  // m: where a motion given by its velocity starts
  std::optional<std::string> duration{}, step{};      // s; waypoints and files have a duration of their own
  std::string method = "step";                        // or rk4, euler, implicit, implicit2
};

/// A law, its motion and the grid of times, as often as it is to be traced.
struct PreparedTrace {
  std::shared_ptr<const AnyLaw> law{};
  std::function<Drive()> drive{};  // from the start each time: a course remembers where it was
  TraceSettings settings{};
  std::string method{}, asked{};  // as it was asked for, in one line
};

/// Nothing, and every problem, if something is wrong. `dash` stands in front of names: "--" where they are options.
std::optional<PreparedTrace> prepare_trace(const TraceRequest& request, Problems& problems, std::string_view dash = "");

struct TraceAnswer {
  std::shared_ptr<const AnyLaw> law{};
  TraceSettings settings{};
  std::string method{}, asked{};
  Trace trace{};
  std::vector<TraceFinding> findings{};  // against the same trace with shorter steps
  double checked_until = 0;              // s; shorter steps are taken as far as they cost little
  bool stopped = false;                  // as the hook asked for: not all rows are there, or they are not checked

  Verdict verdict() const;
};
TraceAnswer carry_out(const PreparedTrace& prepared, const Hooks& hooks = {});

/// Why it ended early, and what to do; it must have.
std::string stop_text(const TraceAnswer& answer, std::string_view dash = "");
/// Rows, ranges of forces, work. There must be a row.
std::string to_text(const TraceAnswer& answer);
std::string to_json(const TraceAnswer& answer);
/// The loop, the curve over velocity, and both against time. There must be a row.
plot::Figure figure_of(const TraceAnswer& answer);

}  // namespace asperity
