#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "asperity/design/tell.hpp"
#include "design.hpp"
#include "progress.hpp"
#include "wish.hpp"

namespace asperity::cli {
namespace {

using design::Bounce;
using design::ContactWish;
using design::Scale;

/// As typed.
struct TypedContact {
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
ContactWish read_contact(const TypedContact& typed, Problems& problems) {
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

int run_design_contact(const TypedContact& typed) {
  Problems problems;
  const ContactWish wish = read_contact(typed, problems);
  for (const std::string& problem : problems_of(wish)) problems.push_back(problem);
  std::optional<design::ContactDesign> design;
  if (LongCall call; problems.empty()) design = design_contact(wish, problems, call.hooks());
  if (stop_signal() != 0) return interrupted("design contact");
  if (!design) {
    report("design contact", problems);
    return bad_input;
  }
  return print("design contact", typed.json ? to_json(wish, *design) : to_text(wish, *design)) ? fine : run_failed;
}

}  // namespace

Command add_design_contact(CLI::App& design) {
  const auto typed = std::make_shared<TypedContact>();
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
      "Numbers may have units: --mass \"500 g\" --penetration \"1 mm\". An infeasible requirement is refused, with the nearest "
      "feasible value.\n\n"
      "Examples\n"
      "  asperity design contact --restitution 0.5 --mass 1 --speed 1 --penetration \"1 mm\"\n"
      "  asperity design contact --mass 1 --stiffness 1e4 --gamma 2e3 --at 1:0.8 --at 5:0.6");
  return {&command, [typed] { return run_design_contact(*typed); }};
}

}  // namespace asperity::cli
