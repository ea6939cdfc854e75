#include "asperity/design/tell.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/design/impact.hpp"
#include "asperity/quantity_text.hpp"
#include "json_text.hpp"
#include "wording.hpp"

namespace asperity::design {
namespace {

using Json = nlohmann::ordered_json;

/// What was asked for, what the rule predicts, and what the law itself does; empty cells are dashes.
struct Promise {
  std::string what, asked, predicted, simulated;
};
std::string promises(const std::vector<Promise>& list) {
  const auto cell = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
  std::vector<std::vector<std::string>> rows{{"", "asked", "predicted", "simulated"}};
  for (const Promise& one : list) rows.push_back({one.what, cell(one.asked), cell(one.predicted), cell(one.simulated)});
  return aligned(rows, "<>>>");
}

/// What was left to choose.
std::string choice(const ContactWish& wish, const ContactDesign& design) {
  if (const auto* law = std::get_if<LinearCompliance<>>(&design.law)) {
    const double ratio = law->alpha / law->beta;
    return fmt::format("alpha/beta = {:.4g}{}: restitutions down to {:.4g} are feasible with it\n", ratio,
                       wish.ratio ? "" : ", chosen", design::least_linear_restitution(ratio).restitution);
  }
  if (std::holds_alternative<NonlinearCompliance<>>(design.law) && wish.bounces.size() == 1)
    return fmt::format("beta2 = 0{}: the restitution at a second speed would set it\n", wish.gamma ? "" : " and gamma, chosen");
  return "";
}

Json json_of(const Rebound& rebound) {
  return {{"restitution", rebound.restitution},
          {"penetration", rebound.deepest},
          {"residual", rebound.residual},
          {"contact_time", rebound.contact_time},
          {"peak_force", rebound.peak_force}};
}

std::string_view method_name(Method method) {
  for (const char* name : {"euler", "step", "rk4", "rk4-lookahead"})
    if (fixed_step(name) == method) return name;
  return "";
}

}  // namespace

// --- contact ---------------------------------------------------------------------------------------------------------------------

std::vector<Parameter> parameters_of_design(const ContactDesign& design) {
  return std::visit([](const auto& law) { return parameters_of(law); }, design.law);
}

std::string to_text(const ContactWish& wish, const ContactDesign& design) {
  const Bounce& first = wish.bounces.front();
  std::string text = fmt::format("{}: {} at {}\n\n", wish.law, quantity_text(wish.mass, "kg"), quantity_text(first.speed, "m/s"));
  std::vector<std::vector<std::string>> rows;
  for (const Parameter& p : parameters_of_design(design))
    rows.push_back({p.name, short_number(p.values.front()), p.unit, p.meaning});
  text += aligned(rows, "<><<") + choice(wish, design) + "\n";

  const auto quantity = [](double x, std::string_view unit) { return known_quantity(x, unit); };
  const auto promise = [&](const char* what, double Rebound::*fact, std::string_view unit, std::optional<double> asked) {
    return Promise{what, asked ? quantity(*asked, unit) : "", quantity(design.predicted.*fact, unit),
                   quantity(design.simulated.*fact, unit)};
  };
  const auto asked = [&](Scale scale) { return wish.scale == scale ? std::optional(wish.size) : std::nullopt; };
  text += promises({promise("restitution", &Rebound::restitution, "1", first.restitution),
                    promise("penetration", &Rebound::deepest, "m", asked(Scale::penetration)),
                    promise("indentation at release", &Rebound::residual, "m", std::nullopt),
                    promise("contact time", &Rebound::contact_time, "s", asked(Scale::contact_time)),
                    promise("peak force", &Rebound::peak_force, "N", std::nullopt)});
  if (wish.bounces.size() > 1) {
    const auto off = [](double x) { return std::abs(x) < 5e-5 ? "0" : fmt::format("{:+.4f}", x); };
    rows = {{"speed", "asked", "predicted", "off"}};
    for (std::size_t i = 0; i < wish.bounces.size(); ++i) {
      const Bounce& bounce = wish.bounces[i];
      rows.push_back({quantity(bounce.speed, "m/s"), fmt::format("{:.4g}", bounce.restitution),
                      fmt::format("{:.4f}", design.restitutions[i]), off(design.restitutions[i] - bounce.restitution)});
    }
    text += "\n" + aligned(rows, ">>>>");
  }
  text += "\nsteps of rk4\n" +
          aligned({{"largest stable", quantity(design.largest_step, "s")}, {"recommended", quantity(design.recommended_step, "s")}},
                  "<>");
  return text + fmt::format("simulated with {}, for the worst phase of the touch within a step\n", quantity(design.step, "s"));
}

std::string to_json(const ContactWish& wish, const ContactDesign& design) {
  Json json{{"law", wish.law}, {"parameters", Json::object()}};
  for (const Parameter& p : parameters_of_design(design)) json["parameters"][p.name] = p.values.front();
  json["mass"] = wish.mass;
  json["bounces"] = Json::array();
  for (std::size_t i = 0; i < wish.bounces.size(); ++i)
    json["bounces"].push_back(
        {{"speed", wish.bounces[i].speed}, {"asked", wish.bounces[i].restitution}, {"predicted", design.restitutions[i]}});
  json["predicted"] = json_of(design.predicted);
  json["simulated"] = json_of(design.simulated);
  json["largest_stable_step"] = design.largest_step;
  json["recommended_step"] = design.recommended_step;
  json["simulated_step"] = design.step;
  return json_text(std::move(json));
}

// --- friction --------------------------------------------------------------------------------------------------------------------

std::vector<std::string> problems_of(const FrictionWish& wish, std::string_view dash) {
  std::vector<std::string> problems;
  const auto in_reach = [&](const char* name, double value, const char* unit) {
    if (!(value >= 1e-30 && value <= 1e30))
      problems.push_back(fmt::format("{}{} = {:g} {}: must be between 1e-30 and 1e+30", dash, name, value, unit));
  };
  in_reach("limit", wish.limit, "N");
  in_reach("mass", wish.mass, "kg");
  in_reach("step", wish.step, "s");
  const auto positive = [&](const char* name, double value, const char* unit) {
    if (!(value > 0) || !std::isfinite(value))
      problems.push_back(fmt::format("{}{} = {:g} {}: must be > 0", dash, name, value, unit));
  };
  if (wish.displacement) positive("hold-displacement", *wish.displacement, "m");
  if (wish.shake) {
    positive("shake, amplitude", wish.shake->amplitude, "N");
    positive("shake, frequency", wish.shake->frequency, "rad/s");
    if (!std::isfinite(wish.shake->mean))
      problems.push_back(fmt::format("{}mean = {:g} N: must be a finite number", dash, wish.shake->mean));
  }
  return problems;
}

HeldFriction hold(const FrictionWish& wish, const Hooks& hooks) {
  HeldFriction held{design_friction(wish), {}};
  held.run = simulate(wish, held.design, hooks);
  return held;
}

std::vector<std::string> shortfalls(const FrictionWish& wish, const FrictionDesign& made, std::string_view dash) {
  const auto up = [](double x, std::string_view unit) { return quantity_text(rounded_up(x, 3), unit); };
  const auto down = [](double x, std::string_view unit) { return quantity_text(rounded_down(x, 3), unit); };
  std::vector<std::string> list;
  if (!made.still_enough)
    list.push_back(fmt::format("{0}hold-displacement = {1}: a step of {2} allows {3} on {4}; use {0}step {5} or {0}mass {6}", dash,
                               quantity_text(*wish.displacement, "m"), quantity_text(wish.step, "s"), up(made.displacement, "m"),
                               quantity_text(wish.mass, "kg"), down(made.step_for_displacement, "s"),
                               up(made.mass_for_displacement, "kg")));
  if (made.holds) return list;
  const auto& load = *wish.shake;
  const std::string what = fmt::format("{}shake = {} at {:g} rad/s around {}", dash, quantity_text(load.amplitude, "N"),
                                       load.frequency, quantity_text(load.mean, "N"));
  const double peak = std::abs(load.mean) + load.amplitude;
  if (peak >= wish.limit) {
    list.push_back(fmt::format("{1}: goes up to {2}: {0}limit = {3} cannot hold it; use {0}limit {4}", dash, what,
                               quantity_text(peak, "N"), quantity_text(wish.limit, "N"),
                               up(std::max(made.limit_to_hold, 1.02 * peak), "N")));
    return list;
  }
  std::string text = made.limit_to_hold > 0 ? fmt::format("{1}: answered by {2}, too near to {0}limit = {3}", dash, what,
                                                          quantity_text(made.force, "N"), quantity_text(wish.limit, "N"))
                                            : fmt::format("{}: a cycle takes less than twenty steps", what);
  if (made.step_to_hold > 0) text += fmt::format("; use {}step {}", dash, down(made.step_to_hold, "s"));
  if (made.limit_to_hold > 0) text += fmt::format(" or {}limit {}", dash, up(made.limit_to_hold, "N"));
  list.push_back(text);
  return list;
}

std::string to_text(const FrictionWish& wish, const HeldFriction& held) {
  const auto& [made, run] = held;
  const auto q = [](double x, std::string_view unit) { return known_quantity(x, unit); };
  std::string text = fmt::format("single_state: holds {} with {}, {} steps of {}\n\n", q(wish.mass, "kg"), q(wish.limit, "N"),
                                 method_name(wish.method), q(wish.step, "s"));
  text += aligned({{"F", short_number(wish.limit), "N", "sliding friction"},
                   {"K", short_number(made.K), "N/m", "asperity stiffness"},
                   {"beta", short_number(made.beta), "s", "asperity damping time"},
                   {"B", short_number(made.K * made.beta), "N s/m", "the same as damping, K beta"}},
                  "<><<");
  std::vector<Promise> list{{"displacement at the limit", wish.displacement ? "<= " + q(*wish.displacement, "m") : "",
                             q(made.displacement, "m"), q(run.displacement, "m")},
                            {"a disturbance decays in", "", q(made.settling, "s"), q(run.settling, "s")}};
  if (wish.shake) {
    const bool ran = run.shaken && run.shaken->cycles > 0;
    list.push_back({"force when shaken", "< " + q(wish.limit, "N"), q(made.force, "N"), ran ? q(run.shaken->force, "N") : ""});
    list.push_back({"slip when shaken", q(0, "m"), q(0, "m"), ran ? q(run.shaken->slip, "m") : ""});
  }
  text += "\n" + promises(list);
  return text + (made.room < design::most_room ? fmt::format("\nstable up to {:.2f} times this K\n", made.room)
                                               : fmt::format("\nstable up to at least {:g} times this K\n", design::most_room));
}

std::string to_json(const FrictionWish& wish, const HeldFriction& held) {
  const auto& [made, run] = held;
  const auto or_null = [](double x) { return x > 0 ? Json(x) : Json(); };
  Json json{{"law", "single_state"},
            {"method", method_name(wish.method)},
            {"mass", wish.mass},
            {"step", wish.step},
            {"parameters", {{"F", wish.limit}, {"K", made.K}, {"beta", made.beta}}},
            {"B", made.K * made.beta},
            {"delivers", held.delivers()},
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
  return json_text(std::move(json));
}

// --- scenes ----------------------------------------------------------------------------------------------------------------------

std::string to_text(const SceneDesign& made) {
  std::string text;
  for (const ElementAdvice& element : made.elements) {
    text += fmt::format("{}{}: {}", element.element, element.part.empty() ? "" : "." + element.part, element.law);
    if (std::isfinite(element.mass)) text += fmt::format(" on {}", quantity_text(element.mass, element.turns ? "kg m^2" : "kg"));
    if (element.longest_step > 0 && std::isfinite(element.longest_step) && element.why == "fine as it is")
      text += fmt::format(", stable up to steps of {}", quantity_text(element.longest_step, "s"));
    text += "\n";
    std::vector<std::vector<std::string>> rows;
    for (const ParameterAdvice& p : element.parameters)
      rows.push_back({p.name, p.there, p.recommended ? short_number(*p.recommended) : "", p.unit});
    if (!rows.empty()) {
      rows.insert(rows.begin(), {"", "there", "recommended", ""});
      text += aligned(rows, "<>><");
    }
    text += fmt::format("  {}\n", element.why);
  }
  return text;
}

std::string to_json(const SceneDesign& made) {
  Json json{{"elements", Json::array()},
            {"share", made.share},
            {"settings", made.settings},
            {"left_out", made.left_out},
            {"warnings", Json::array()}};
  for (const ElementAdvice& element : made.elements) {
    Json parameters = Json::array();
    for (const ParameterAdvice& p : element.parameters)
      parameters.push_back(
          {{"name", p.name}, {"unit", p.unit}, {"there", p.there}, {"recommended", p.recommended ? Json(*p.recommended) : Json()}});
    const auto finite = [](double x) { return std::isfinite(x) && x > 0 ? Json(x) : Json(); };
    json["elements"].push_back({{"element", element.element},
                                {"part", element.part},
                                {"law", element.law},
                                {"mass", finite(element.mass)},
                                {"longest_step", finite(element.longest_step)},
                                {"parameters", parameters},
                                {"why", element.why}});
  }
  for (const Warning& warning : made.left) json["warnings"].push_back(warning.text);
  return json_text(std::move(json));
}

}  // namespace asperity::design
