#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "asperity/design/contact.hpp"
#include "asperity/design/impact.hpp"
#include "asperity/quantity_text.hpp"
#include "design.hpp"
#include "wish.hpp"

namespace asperity::cli {
namespace {

using design::Bounce;
using design::ContactDesign;
using design::ContactWish;
using design::Rebound;
using design::Scale;

/// As typed.
struct Typed {
  std::optional<std::string> restitution, mass, speed, penetration, contact_time, stiffness, law, step, ratio, gamma, lambda;
  std::vector<std::string> at;
  bool json = false;
};

/// "5 m/s:0.6"
std::optional<Bounce> read_bounce(const std::string& text, Problems& problems) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    problems.push_back(fmt::format("--at = \"{}\": must be SPEED:RESTITUTION, for instance 5:0.6", text));
    return std::nullopt;
  }
  const auto speed = read_wish("--at, speed", text.substr(0, colon), "m/s", {}, problems);
  const auto restitution = read_wish("--at, restitution", text.substr(colon + 1), "1", {}, problems);
  if (!speed || !restitution) return std::nullopt;
  return Bounce{*speed, *restitution};
}

/// Ranges are the design's to check: here is only read what was typed.
ContactWish read(const Typed& typed, Problems& problems) {
  ContactWish wish;
  const auto number = [&](const char* option, const std::optional<std::string>& text, std::string_view unit) {
    return text ? read_wish(option, *text, unit, {}, problems) : std::nullopt;
  };
  const auto missing = [&](const char* what) { problems.push_back(fmt::format("no {}", what)); };
  wish.law = typed.law.value_or(typed.at.empty() ? "linear_compliance" : "nonlinear_compliance");
  wish.lambda = number("--lambda", typed.lambda, "1").value_or(wish.lambda);
  if (!typed.mass) missing("--mass given: what hits, in kg");
  wish.mass = number("--mass", typed.mass, "kg").value_or(wish.mass);

  wish.bounces.clear();
  const auto speed = number("--speed", typed.speed, "m/s"), restitution = number("--restitution", typed.restitution, "1");
  const bool first = typed.at.empty() || typed.restitution || typed.speed;
  if (first) wish.bounces.push_back({speed.value_or(Bounce().speed), restitution.value_or(Bounce().restitution)});
  for (const std::string& text : typed.at)
    if (const auto bounce = read_bounce(text, problems)) wish.bounces.push_back(*bounce);
  if (first) {
    if (!typed.restitution) missing("--restitution given: speed after the impact over speed before");
    if (!typed.speed) missing("--speed given: of the impact, in m/s");
  }

  const bool curved = design::is_curved(wish.law);
  const auto stiffness_unit = curved ? fmt::format("N/m^{:g}", wish.lambda) : "N/m";
  const auto laws = design::contact_design_laws();
  if (typed.lambda && !curved && std::find(laws.begin(), laws.end(), wish.law) != laws.end())
    problems.push_back(fmt::format("lambda = {}: {} has none", *typed.lambda, wish.law));
  int scales = 0;
  const auto scale = [&](const char* option, const std::optional<std::string>& text, std::string_view unit, Scale kind) {
    if (!text) return;
    ++scales;
    wish.scale = kind;
    wish.size = number(option, text, unit).value_or(wish.size);
  };
  scale("--penetration", typed.penetration, "m", Scale::penetration);
  scale("--contact-time", typed.contact_time, "s", Scale::contact_time);
  scale("--stiffness", typed.stiffness, stiffness_unit, Scale::stiffness);
  if (scales == 0) missing("--penetration, --contact-time or --stiffness given: how deep, how long or how stiff");
  if (scales > 1) problems.emplace_back("--penetration, --contact-time, --stiffness: each gives the others; give one");

  wish.step = number("--step", typed.step, "s");
  wish.ratio = number("--ratio", typed.ratio, "1");
  wish.gamma = number("--gamma", typed.gamma, "1/s");
  return wish;
}

std::vector<Parameter> parameters(const ContactDesign& design) {
  return std::visit([](const auto& law) { return parameters_of(law); }, design.law);
}

/// What was left to choose.
std::string choice(const ContactWish& wish, const ContactDesign& design) {
  if (const auto* law = std::get_if<LinearCompliance<>>(&design.law)) {
    const double ratio = law->alpha / law->beta;
    return fmt::format("alpha/beta = {:.4g}{}: with it a restitution down to {:.4g} can be had\n", ratio,
                       wish.ratio ? "" : ", chosen", design::least_linear_restitution(ratio).restitution);
  }
  if (std::holds_alternative<NonlinearCompliance<>>(design.law) && wish.bounces.size() == 1)
    return fmt::format("beta2 = 0{}: --at V:E, a second speed, would set it\n", wish.gamma ? "" : " and gamma, chosen");
  return "";
}

std::string as_text(const ContactWish& wish, const ContactDesign& design) {
  const Bounce& first = wish.bounces.front();
  std::string text = fmt::format("{}: {} at {}\n\n", wish.law, quantity_text(wish.mass, "kg"), quantity_text(first.speed, "m/s"));
  std::vector<std::vector<std::string>> rows;
  for (const Parameter& p : parameters(design)) rows.push_back({p.name, short_number(p.values.front()), p.unit, p.meaning});
  text += aligned(rows, "<><<") + choice(wish, design) + "\n";

  const auto quantity = [](double x, std::string_view unit) { return known_quantity(x, unit); };
  const auto promise = [&](const char* what, double Rebound::*fact, std::string_view unit, std::optional<double> asked) {
    return Promise{what, asked ? quantity(*asked, unit) : "", quantity(design.predicted.*fact, unit),
                   quantity(design.simulated.*fact, unit)};
  };
  const auto asked = [&](Scale scale) { return wish.scale == scale ? std::optional(wish.size) : std::nullopt; };
  text += promises({promise("restitution", &Rebound::restitution, "1", first.restitution),
                    promise("penetration", &Rebound::deepest, "m", asked(Scale::penetration)),
                    promise("left when it lets go", &Rebound::residual, "m", std::nullopt),
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
  return text + fmt::format("simulated with {}, where on the grid of steps it comes out worst\n", quantity(design.step, "s"));
}

nlohmann::ordered_json to_json(const Rebound& rebound) {
  return {{"restitution", rebound.restitution},
          {"penetration", rebound.deepest},
          {"residual", rebound.residual},
          {"contact_time", rebound.contact_time},
          {"peak_force", rebound.peak_force}};
}

std::string as_json(const ContactWish& wish, const ContactDesign& design) {
  nlohmann::ordered_json json{{"law", wish.law}, {"parameters", nlohmann::ordered_json::object()}};
  for (const Parameter& p : parameters(design)) json["parameters"][p.name] = p.values.front();
  json["mass"] = wish.mass;
  json["bounces"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < wish.bounces.size(); ++i)
    json["bounces"].push_back(
        {{"speed", wish.bounces[i].speed}, {"asked", wish.bounces[i].restitution}, {"predicted", design.restitutions[i]}});
  json["predicted"] = to_json(design.predicted);
  json["simulated"] = to_json(design.simulated);
  json["largest_stable_step"] = design.largest_step;
  json["recommended_step"] = design.recommended_step;
  json["simulated_step"] = design.step;
  return json.dump(2) + "\n";
}

int run_design_contact(const Typed& typed) {
  Problems problems;
  const ContactWish wish = read(typed, problems);
  for (const std::string& problem : problems_of(wish)) problems.push_back(problem);
  const auto design = problems.empty() ? design_contact(wish, problems) : std::nullopt;
  if (!design) {
    report("design contact", problems);
    return bad_input;
  }
  return print("design contact", typed.json ? as_json(wish, *design) : as_text(wish, *design)) ? fine : run_failed;
}

}  // namespace

Command add_design_contact(CLI::App& design) {
  const auto typed = std::make_shared<Typed>();
  CLI::App& command = *design.add_subcommand("contact", "A contact that bounces as wanted");
  const auto option = [&](const char* name, std::optional<std::string>& target, const char* help, const char* placeholder) {
    return command
        .add_option_function<std::string>(
            name, [&target](const std::string& value) { target = value; }, help)
        ->type_name(placeholder);
  };
  const std::string impact = "The impact", size = "Its size, one of these", more = "More";
  option("--restitution", typed->restitution, "speed after over speed before", "E")->group(impact);
  option("--mass", typed->mass, "kg", "M")->group(impact);
  option("--speed", typed->speed, "m/s", "V")->group(impact);
  command.add_option("--at", typed->at, "another speed and its restitution: 5:0.6. Repeatable; more than two are fitted")
      ->allow_extra_args(false)
      ->type_name("V:E")
      ->group(impact);
  option("--penetration", typed->penetration, "at its deepest, m", "P")->group(size);
  option("--contact-time", typed->contact_time, "s", "T")->group(size);
  option("--stiffness", typed->stiffness, "K, N/m or N/m^lambda", "K")->group(size);
  option("--law", typed->law,
         "linear_compliance (by default), nonlinear_compliance (with --at), hunt_crossley or kelvin_voigt_clamped", "NAME")
      ->group(more);
  option("--step", typed->step, "to be respected, s", "H")->group(more);
  option("--ratio", typed->ratio, "alpha/beta of linear_compliance; e/(9 - 8 e) by default", "R")->group(more);
  option("--gamma", typed->gamma, "of nonlinear_compliance, 1/s; 50 v/L, L = (m v^2/K)^(1/(lambda + 1)), by default", "G")
      ->group(more);
  option("--lambda", typed->lambda, "exponent of the curved laws; 1.5 by default", "X")->group(more);
  command.add_flag("--json", typed->json, "for programs")->group(more);
  command.footer(
      "Numbers may have units: --mass \"500 g\" --penetration \"1 mm\". What cannot be had is refused with what can.\n\n"
      "Examples\n"
      "  asperity design contact --restitution 0.5 --mass 1 --speed 1 --penetration \"1 mm\"\n"
      "  asperity design contact --mass 1 --stiffness 1e4 --gamma 2e3 --at 1:0.8 --at 5:0.6");
  return {&command, [typed] { return run_design_contact(*typed); }};
}

}  // namespace asperity::cli
