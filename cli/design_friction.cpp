#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "asperity/design/tell.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/rules/stability.hpp"
#include "design.hpp"
#include "progress.hpp"
#include "wish.hpp"

namespace asperity::cli {
namespace {

using design::FrictionWish;
using design::HeldFriction;

/// As typed.
struct TypedFriction {
  std::optional<std::string> limit, mass, step, displacement, shake, mean;
  std::string method = "rk4";
  bool json = false;
};

FrictionWish read_friction(const TypedFriction& typed, Problems& problems) {
  FrictionWish wish;
  const auto number = [&](const char* option, const std::optional<std::string>& text, std::string_view unit, double fallback,
                          const Range& range = positive) {
    return text ? read_wish(option, *text, unit, range, problems).value_or(fallback) : fallback;
  };
  const auto required = [&](const char* option, const std::optional<std::string>& text, const char* what) {
    if (!text) problems.push_back(fmt::format("no {} given: {}", option, what));
  };
  required("--limit", typed.limit, "the force at which it slides, in N");
  required("--mass", typed.mass, "what it holds, in kg");
  required("--step", typed.step, "of the integration, in s");
  wish.limit = number("--limit", typed.limit, "N", wish.limit);
  wish.mass = number("--mass", typed.mass, "kg", wish.mass);
  wish.step = number("--step", typed.step, "s", wish.step);
  if (problems.empty()) problems = problems_of(wish, "--");
  if (typed.displacement) wish.displacement = number("--hold-displacement", typed.displacement, "m", 1);

  const auto method = design::fixed_step(typed.method);
  if (method) wish.method = *method;
  else {
    const auto suggestion = nearest(typed.method, {"euler", "step", "rk4", "rk4-lookahead"});
    problems.push_back(fmt::format("--method = \"{}\": must be rk4, rk4-lookahead, euler or step{}", typed.method,
                                   suggestion ? "; did you mean " + *suggestion + "?" : ""));
  }
  if (typed.mean && !typed.shake)
    problems.emplace_back("--mean without --shake: a load that does not change is held below --limit");
  if (!typed.shake) return wish;
  const std::size_t colon = typed.shake->find(':');
  if (colon == std::string::npos) {
    problems.push_back(
        fmt::format("--shake = \"{}\": must be AMPLITUDE:FREQUENCY, in N and rad/s, for instance 0.5:100", *typed.shake));
    return wish;
  }
  design::Shake shake;
  shake.amplitude = number("--shake, amplitude", typed.shake->substr(0, colon), "N", 1);
  shake.frequency = number("--shake, frequency", typed.shake->substr(colon + 1), "rad/s", 1);
  shake.mean = number("--mean", typed.mean, "N", 0, {});
  wish.shake = shake;
  return wish;
}

int run_design_friction(const TypedFriction& typed) {
  Problems problems;
  const FrictionWish wish = read_friction(typed, problems);
  if (!problems.empty()) {
    report("design friction", problems);
    return bad_input;
  }
  HeldFriction held;
  {
    LongCall call;
    held = design::hold(wish, call.hooks());
  }
  if (stop_signal() != 0) return interrupted("design friction");
  const Problems cannot = shortfalls(wish, held.design, "--");
  report("design friction", cannot);
  if (!cannot.empty() && !typed.json) return bad_input;
  if (!print("design friction", typed.json ? to_json(wish, held) : to_text(wish, held))) return run_failed;
  if (!cannot.empty()) return bad_input;
  if (!held.slips()) return fine;
  report("design friction", {fmt::format("the check run slips by {}: use a larger --limit or a shorter --step",
                                         quantity_text(held.run.shaken->slip, "m"))});
  return run_failed;
}

}  // namespace

Command add_design_friction(CLI::App& design) {
  const auto typed = std::make_shared<TypedFriction>();
  CLI::App& command = *design.add_subcommand("friction", "Friction that holds still: single_state for a mass and a step");
  const auto option = [&](const char* name, std::optional<std::string>& target, const char* help, const char* placeholder) {
    return command
        .add_option_function<std::string>(
            name, [&target](const std::string& value) { target = value; }, help)
        ->type_name(placeholder);
  };
  const std::string what = "What it holds", how = "How still", more = "More";
  option("--limit", typed->limit, "the force at which it slides, N", "F")->group(what);
  option("--mass", typed->mass, "kg; between two bodies the reduced mass", "M")->group(what);
  option("--step", typed->step, "of the integration, s", "H")->group(what);
  option("--hold-displacement", typed->displacement, "at most, at the limit, m; without it as little as the step allows", "D")
      ->group(how);
  option("--shake", typed->shake, "amplitude and frequency of a load that it has to hold, N and rad/s", "A:W")->group(how);
  option("--mean", typed->mean, "of that load, N; 0 by default", "F_M")->group(how);
  command.add_option("--method", typed->method, "rk4 (by default), rk4-lookahead, euler or step")->type_name("NAME")->group(more);
  command.add_flag("--json", typed->json, "for programs")->group(more);
  command.footer(
      "Numbers may have units: --mass \"500 g\" --step \"0.1 ms\". An infeasible requirement is refused, with the nearest feasible "
      "value.\n\n"
      "Examples\n"
      "  asperity design friction --limit 5 --mass 1 --step 1e-3\n"
      "  asperity design friction --limit 5 --mass 1 --step 1e-4 --hold-displacement \"10 um\" --shake 2:50 --mean 1");
  return {&command, [typed] { return run_design_friction(*typed); }};
}

}  // namespace asperity::cli
