#include "asperity/setup/checks.hpp"

#include <array>
#include <cmath>
#include <map>

#include "asperity/integrate/integrator.hpp"
#include "asperity/rules/stability.hpp"
#include "check_rules.hpp"
#include "check_words.hpp"
#include "outlook.hpp"
#include "unread.hpp"

namespace asperity {
namespace {

using namespace words;

/// Of warnings that differ in the component only, the first, which names how many others there are.
std::vector<Warning> gathered(std::vector<Warning> list) {
  const auto said = [](const Warning& w) { return w.text.starts_with(w.component) ? w.text.substr(w.component.size()) : w.text; };
  std::vector<Warning> short_list;
  std::map<std::pair<Warning::Kind, std::string>, std::size_t> known;
  for (Warning& warning : list) {
    const auto [found, is_new] = known.try_emplace({warning.kind, said(warning)}, short_list.size());
    if (is_new) short_list.push_back(std::move(warning));
    else short_list[found->second].alike.push_back(std::move(warning.component));
  }
  for (Warning& warning : short_list)
    if (!warning.alike.empty()) warning.text += fmt::format(" (and {} more like it)", warning.alike.size());
  return short_list;
}

/// A stiffness that is no number makes nonsense of every rule: it is named, and not looked at any further.
void leave_out_what_is_no_number(Network& network, std::vector<Warning>& list) {
  std::erase_if(network.parts, [&](const Part& part) {
    const char* what = !std::isfinite(part.K)                                              ? "stiffness"
                       : !std::isfinite(part.B)                                            ? "damping"
                       : std::isnan(part.memory) || !std::isfinite(part.alpha + part.beta) ? "time constant"
                       : part.alpha > 0 && !std::isfinite(part.K * part.beta / part.alpha) ? "stiffness at an impact"
                                                                                           : nullptr;
    if (what)
      list.push_back(
          {part.name(), Warning::Kind::stability, infinity, 0,
           fmt::format("{}: its {} is not a finite number at the start: its parameters, or its position, are out of range",
                       part.name(), what)});
    return what != nullptr;
  });
}

std::string lines(const std::vector<Warning>& list) {
  std::string text;
  for (const Warning& warning : list) text += (text.empty() ? "" : "\n") + warning.text;
  return text;
}

}  // namespace

std::string_view to_text(Warning::Kind kind) {
  return std::array{"stability", "speed", "accuracy", "holding", "preload", "method",
                    "duration",  "depth", "support",  "start",   "input",   "jump"}[static_cast<std::size_t>(kind)];
}

SetUpError::SetUpError(std::vector<Warning> list) : std::runtime_error(lines(list)), warnings(std::move(list)) {}

namespace {
thread_local int unread = 0;
}  // namespace

WarningsUnread::WarningsUnread() noexcept { ++unread; }
WarningsUnread::~WarningsUnread() { --unread; }
bool WarningsUnread::in_effect() noexcept { return unread > 0; }

std::vector<Warning> check(Network& network, const CheckOptions& options) {
  std::vector<Warning> list;
  leave_out_what_is_no_number(network, list);
  check_methods(network, options, list);
  const bool knows_energy =
      std::all_of(network.bodies.begin(), network.bodies.end(), [](const BodyPool* pool) { return pool->knows_energy(); });
  if (WarningsUnread::in_effect() && !options.strict && knows_energy) {
    if (options.duration < infinity) check_jumps(network, options, list);
    return gathered(std::move(list));
  }
  std::vector<Warning> loaded;
  check_preload(network, options.preloaded, loaded);
  if (!is_adaptive(options.method)) {
    if (options.step > options.duration)
      list.push_back({"step", Warning::Kind::duration, options.step, options.duration,
                      fmt::format("step {} is longer than the run of {}", time_text(options.step, false),
                                  time_text(options.duration, false))});
    check_pulses(network, options, list);
  }
  check_feedback(network, options, list);
  if (options.duration < infinity) check_jumps(network, options, list);
  if (const auto method = design::fixed_step(options.method)) check_steps(network, *method, options, list);
  if (is_implicit(options.method)) check_strikes(network, options, list);
  if (!is_adaptive(options.method)) {
    check_closed_forms(network, options, list);
    check_swings(network, options, list);
    check_spins(network, options, list);
  }
  list.insert(list.end(), loaded.begin(), loaded.end());
  check_holding(network, options, list);
  check_depths(network, list);
  check_support(network, options, list);
  list = gathered(std::move(list));
  if (options.strict) {
    std::vector<Warning> errors;
    std::copy_if(list.begin(), list.end(), std::back_inserter(errors), [](const Warning& w) { return !w.note; });
    if (!errors.empty()) throw SetUpError(std::move(errors));
  }
  return list;
}

std::vector<Warning> check(const World& world, std::span<const double> x, const CheckOptions& options) {
  Network network(world, x);
  return check(network, options);
}

}  // namespace asperity
