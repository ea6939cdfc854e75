#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "asperity/quantity_text.hpp"
#include "asperity/rules/friction.hpp"
#include "asperity/rules/stability.hpp"
#include "design.hpp"
#include "wish.hpp"

namespace asperity::cli {
namespace {

using design::FrictionDesign;
using design::FrictionRun;
using design::FrictionWish;

/// As typed.
struct Typed {
  std::optional<std::string> limit, mass, step, displacement, shake, mean;
  std::string method = "rk4";
  bool json = false;
};

FrictionWish read(const Typed& typed, Problems& problems) {
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
  const auto in_reach = [&](const char* name, double value, const char* unit) {
    if (problems.empty() && value > 0 && !(value >= 1e-30 && value <= 1e30))
      problems.push_back(fmt::format("{} = {:g} {}: must be between 1e-30 and 1e+30", name, value, unit));
  };
  in_reach("--limit", wish.limit, "N");
  in_reach("--mass", wish.mass, "kg");
  in_reach("--step", wish.step, "s");
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

/// What cannot be had, and what would have to change.
Problems shortfalls(const FrictionWish& wish, const FrictionDesign& made) {
  const auto up = [](double x, std::string_view unit) { return quantity_text(rounded_up(x, 3), unit); };
  const auto down = [](double x, std::string_view unit) { return quantity_text(rounded_down(x, 3), unit); };
  Problems list;
  if (!made.still_enough)
    list.push_back(fmt::format("--hold-displacement = {}: a step of {} allows {} on {}; use --step {} or --mass {}",
                               quantity_text(*wish.displacement, "m"), quantity_text(wish.step, "s"), up(made.displacement, "m"),
                               quantity_text(wish.mass, "kg"), down(made.step_for_displacement, "s"),
                               up(made.mass_for_displacement, "kg")));
  if (made.holds) return list;
  const auto& load = *wish.shake;
  const std::string what = fmt::format("--shake = {} at {:g} rad/s around {}", quantity_text(load.amplitude, "N"), load.frequency,
                                       quantity_text(load.mean, "N"));
  const double peak = std::abs(load.mean) + load.amplitude;
  if (peak >= wish.limit) {
    list.push_back(fmt::format("{}: goes up to {}: --limit = {} cannot hold it; use --limit {}", what, quantity_text(peak, "N"),
                               quantity_text(wish.limit, "N"), up(std::max(made.limit_to_hold, 1.02 * peak), "N")));
    return list;
  }
  std::string text = made.limit_to_hold > 0 ? fmt::format("{}: answered by {}, too near to --limit = {}", what,
                                                          quantity_text(made.force, "N"), quantity_text(wish.limit, "N"))
                                            : fmt::format("{}: a cycle takes less than twenty steps", what);
  if (made.step_to_hold > 0) text += fmt::format("; use --step {}", down(made.step_to_hold, "s"));
  if (made.limit_to_hold > 0) text += fmt::format(" or --limit {}", up(made.limit_to_hold, "N"));
  list.push_back(text);
  return list;
}

/// The run has the last word.
bool slips(const FrictionRun& run) { return run.shaken && run.shaken->slip > 0; }

std::string as_text(const Typed& typed, const FrictionWish& wish, const FrictionDesign& made, const FrictionRun& run) {
  const auto q = [](double x, std::string_view unit) { return known_quantity(x, unit); };
  std::string text = fmt::format("single_state: holds {} with {}, {} steps of {}\n\n", q(wish.mass, "kg"), q(wish.limit, "N"),
                                 typed.method, q(wish.step, "s"));
  text += aligned({{"F", short_number(wish.limit), "N", "sliding friction"},
                   {"K", short_number(made.K), "N/m", "asperity stiffness"},
                   {"beta", short_number(made.beta), "s", "asperity damping time"},
                   {"B", short_number(made.K * made.beta), "N s/m", "the same as damping, K beta"}},
                  "<><<");
  std::vector<Promise> list{{"displacement at the limit", wish.displacement ? "<= " + q(*wish.displacement, "m") : "",
                             q(made.displacement, "m"), q(run.displacement, "m")},
                            {"a knock is gone after", "", q(made.settling, "s"), q(run.settling, "s")}};
  if (wish.shake) {
    const bool ran = run.shaken && run.shaken->cycles > 0;
    list.push_back({"force when shaken", "< " + q(wish.limit, "N"), q(made.force, "N"), ran ? q(run.shaken->force, "N") : ""});
    list.push_back({"slip when shaken", q(0, "m"), q(0, "m"), ran ? q(run.shaken->slip, "m") : ""});
  }
  text += "\n" + promises(list);
  return text + (made.room < design::most_room ? fmt::format("\nstable up to {:.2f} times this K\n", made.room)
                                               : fmt::format("\nstable up to at least {:g} times this K\n", design::most_room));
}

nlohmann::ordered_json as_json(const Typed& typed, const FrictionWish& wish, const FrictionDesign& made, const FrictionRun& run) {
  using Json = nlohmann::ordered_json;
  const auto or_null = [](double x) { return x > 0 ? Json(x) : Json(); };
  Json json{{"law", "single_state"},
            {"method", typed.method},
            {"mass", wish.mass},
            {"step", wish.step},
            {"parameters", {{"F", wish.limit}, {"K", made.K}, {"beta", made.beta}}},
            {"B", made.K * made.beta},
            {"delivers", made.delivers() && !slips(run)},
            {"room", made.room},
            {"predicted", {{"displacement", made.displacement}, {"settling", made.settling}}},
            {"simulated", {{"displacement", run.displacement}, {"settling", run.settling}}}};
  if (wish.shake) {
    json["predicted"]["force"] = made.force;
    json["predicted"]["holds"] = made.holds;
    const bool ran = run.shaken && run.shaken->cycles > 0;
    json["simulated"]["force"] = ran ? Json(run.shaken->force) : Json();
    json["simulated"]["slip"] = ran ? Json(run.shaken->slip) : Json();
  }
  json["instead"] = {{"step_for_displacement", or_null(made.step_for_displacement)},
                     {"mass_for_displacement", or_null(made.mass_for_displacement)},
                     {"step_to_hold", or_null(made.step_to_hold)},
                     {"limit_to_hold", or_null(made.limit_to_hold)}};
  return json;
}

int run_design_friction(const Typed& typed) {
  Problems problems;
  const FrictionWish wish = read(typed, problems);
  if (!problems.empty()) {
    report("design friction", problems);
    return bad_input;
  }
  const FrictionDesign made = design_friction(wish);
  const Problems cannot = shortfalls(wish, made);
  report("design friction", cannot);
  if (!cannot.empty() && !typed.json) return bad_input;
  const FrictionRun run = simulate(wish, made);
  const std::string text = typed.json ? as_json(typed, wish, made, run).dump(2) + "\n" : as_text(typed, wish, made, run);
  if (!print("design friction", text)) return run_failed;
  if (!cannot.empty()) return bad_input;
  if (!slips(run)) return fine;
  report("design friction", {fmt::format("the check run slips by {}: use a larger --limit or a shorter --step",
                                         quantity_text(run.shaken->slip, "m"))});
  return run_failed;
}

}  // namespace

Command add_design_friction(CLI::App& design) {
  const auto typed = std::make_shared<Typed>();
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
      "Numbers may have units: --mass \"500 g\" --step \"0.1 ms\". What cannot be had is refused with what would do.\n\n"
      "Examples\n"
      "  asperity design friction --limit 5 --mass 1 --step 1e-3\n"
      "  asperity design friction --limit 5 --mass 1 --step 1e-4 --hold-displacement \"10 um\" --shake 2:50 --mean 1");
  return {&command, [typed] { return run_design_friction(*typed); }};
}

}  // namespace asperity::cli
