// A study as JSON, as a page and as a scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "asperity/identify/study.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/run/table.hpp"
#include "json_text.hpp"
#include "page.hpp"
#include "panels.hpp"

namespace asperity::identify {
namespace {

using report::Json;

/// Units of laws where lengths are angles and forces are moments.
const std::map<std::string, std::string> turned{{"N", "N m"},     {"m", "rad"},     {"N/m", "N m/rad"}, {"N s/m", "N m s/rad"},
                                                {"m/s", "rad/s"}, {"N/s", "N m/s"}, {"kg", "kg m^2"}};

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json facts_of(const Study& study, const Judged& j) {
  Json found = Json::array();
  for (const Finding& f : j.uncertainty.findings)
    found.push_back({{"name", f.name},
                     {"value", f.value},
                     {"unit", unit_in(study, f.name, f.unit)},
                     {"error", finite(f.error)},
                     {"low", finite(f.low)},
                     {"high", finite(f.high)},
                     {"remark", f.remark}});
  const double per_cent = study.range > 0 ? 100 / study.range : 0;
  return {{"law", j.law},
          {"identified", j.is_identified()},
          {"why_not", why_not(study, j)},
          {"explained", j.explained},
          {"converged", j.fit.converged},
          {"parameters_free", j.uncertainty.parameters},
          {"states", j.states},
          {"nanoseconds_per_sample", j.nanoseconds},
          {"fitted_rms", j.rms},
          {"fitted_rms_per_cent_of_range", j.rms * per_cent},
          {"judged_rms", j.unseen_rms},
          {"judged_rms_per_cent_of_range", j.unseen_rms * per_cent},
          {"simulated_position_rms", j.fit.mass > 0 ? finite(j.position_rms) : Json()},
          {"parameters", found},
          {"not_told", doubts(study, j)},
          {"delay", j.delay},
          {"noise_of_acceleration", j.uncertainty.noisy_acceleration},
          {"noise_of_velocity", j.uncertainty.noisy_velocity},
          {"singular_values", j.uncertainty.singular_values},
          {"residuals",
           {{"deviation", j.uncertainty.deviation},
            {"neighbour_correlation", j.uncertainty.correlation},
            {"samples_that_count_as_one", j.uncertainty.runs},
            {"white", j.uncertainty.is_white}}}};
}

Json facts_of(const Study& study) {
  Json laws = Json::array();
  for (const Judged& j : study.laws) laws.push_back(facts_of(study, j));
  Json effects = Json::array();
  for (const TriedEffect& e : study.effects)
    effects.push_back({{"name", e.name},
                       {"terms", e.terms},
                       {"judged_rms_before", e.before},
                       {"judged_rms", e.unseen_rms},
                       {"taken", e.is_taken}});
  return {{"data", study.data},
          {"fitted", study.fitted},
          {"judged", study.judged},
          {"judged_on", kind_of_data(study)},
          {"judged_part_that_was_fitted", study.seen},
          {"notes", study.notes},
          {"robust", study.is_robust},
          {"force_unit", force_unit(study)},
          {"length_unit", length_unit(study)},
          {"force_range", study.range},
          {"advice", advice(study)},
          {"recommended", recommended(study.laws).law},
          {"effects", effects},
          {"effects_on", study.effects_on},
          {"laws", laws}};
}

Table::Column column(std::string name, std::string unit) { return {{std::move(name), std::move(unit)}, {}}; }

/// What is left of a force without the inertia that a law was identified with.
std::string friction_of(const std::string& law) { return "friction " + law; }

/// The unseen rows: motion, measured force, and what each law says; of the law that is advised also the friction alone.
Table table_of(const Study& study, const Unseen& unseen, const Judged& taken) {
  const std::string length = length_unit(study), force = force_unit(study);
  Table table;
  table.columns = {column("time", "s"), column("position", length), column("velocity", length + "/s"), column("measured", force)};
  for (const Judged& j : study.laws) table.columns.push_back(column(j.law, force));
  for (const Judged& j : study.laws) table.columns.push_back(column("residual " + j.law, force));
  for (const std::string& name : {std::string("measured"), taken.law}) table.columns.push_back(column(friction_of(name), force));
  for (const std::size_t k : unseen.rows) {
    const Samples& s = *unseen.samples;
    std::vector<double> row{s.t[k], s.position[k], s.velocity[k], s.force[k]};
    for (const Judged& j : study.laws) row.push_back(j.unseen_force[k]);
    for (const Judged& j : study.laws) row.push_back(s.force[k] - j.unseen_force[k]);
    const double inertia = taken.fit.mass > 0 ? taken.fit.mass * s.acceleration[k] : 0;
    row.push_back(s.force[k] - inertia);
    row.push_back(taken.unseen_force[k] - inertia);
    for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].values.push_back(row[c]);
  }
  return table;
}

/// One panel: all of `y` are forces. `quantity` names its axis.
Json panels_of(const Table& shown, const std::string& x, const std::vector<std::string>& y, const std::string& title,
               const std::string& quantity) {
  Json list = Json::array();
  for (report::Panel& panel : report::panels_over(shown, x, y)) {
    panel.title = title;
    panel.y.label = quantity + panel.y.label.substr(std::min(panel.y.label.size(), panel.y.label.rfind(" [")));
    list.push_back(report::to_json(panel));
  }
  if (!report::has_uplot()) report::add_pictures(list, {{"", &shown}});
  return list;
}

void append(Json& list, const Json& more) {
  for (const Json& one : more) list.push_back(one);
}

}  // namespace

std::string unit_in(const Study& study, const std::string& name, const std::string& unit) {
  if (study.has_load && unit == "N" && name.starts_with("F")) return study.is_rotary ? "m" : "1";
  const auto found = turned.find(unit);
  return !study.is_rotary || found == turned.end() ? unit : found->second;
}

std::vector<std::string> doubts(const Study& study, const Judged& law) {
  std::vector<std::string> lines = law.uncertainty.weak;
  if (study.is_rotary)
    for (std::string& line : lines)
      for (const auto& [unit, of_angles] : turned)
        if (line.ends_with(" " + unit)) {
          line.replace(line.size() - unit.size(), unit.size(), of_angles);
          break;
        }
  if (law.delay != 0)
    lines.push_back(
        fmt::format("whether the {0} was recorded {1} {2} than the motion: it would fit better, and stiffness and damping be "
                    "others; --delay {3:.3g}",
                    study.is_rotary ? "torque" : "force", quantity_text(std::abs(law.delay), "s"),
                    law.delay > 0 ? "later" : "earlier", law.delay));
  return lines;
}

std::string refusal_facts(const std::vector<std::string>& problems) {
  return json_text({{"identified", false}, {"problems", problems}});
}

std::string force_unit(const Study& study) { return study.is_rotary ? "N m" : "N"; }
std::string length_unit(const Study& study) { return study.is_rotary ? "rad" : "m"; }

std::string study_facts(const Study& study) { return json_text(facts_of(study)); }

std::string study_page(const Study& study, const Unseen& unseen) {
  const Judged& taken = recommended(study.laws);
  const Table shown = report::for_page(table_of(study, unseen, taken));
  std::vector<std::string> forces{"measured"}, residuals;
  for (std::size_t i = 0; i < std::min<std::size_t>(study.laws.size(), 5); ++i) {  // as many as there are colours
    forces.push_back(study.laws[i].law);
    residuals.push_back("residual " + study.laws[i].law);
  }
  const std::string force = study.is_rotary ? "torque" : "force";
  Json over_time = panels_of(shown, "time", forces, "Measured and predicted", force);
  append(over_time, panels_of(shown, "time", residuals, "Residuals", "residual"));
  const std::vector<std::string> best{friction_of("measured"), friction_of(taken.law)}, residual{"residual " + taken.law};
  const std::string without =
      taken.fit.mass > 0 ? fmt::format(", without the inertia of {}", quantity_text(taken.fit.mass, unit_in(study, "M", "kg")))
                         : "";
  Json phases = panels_of(shown, "position", best, "Friction over displacement" + without, "friction " + force);
  append(phases, panels_of(shown, "velocity", best, "Friction over velocity" + without, "friction " + force));
  append(phases, panels_of(shown, "position", residual, "Residuals over displacement", "residual"));
  append(phases, panels_of(shown, "velocity", residual, "Residuals over velocity", "residual"));
  const Json content{{"kind", "identify"},       {"title", "Identified from " + study.data},
                     {"facts", facts_of(study)}, {"scene_text", study_scene(study, taken)},
                     {"panels", over_time},      {"phases", phases},
                     {"zero", Json::array()},    {"rows", {{"shown", shown.rows()}, {"recorded", unseen.rows.size()}}}};
  return report::page(content["title"], content, "[" + report::columns_json(shown) + "]");
}

std::string study_scene(const Study& study, const Judged& law) {
  const Fit& fit = law.fit;
  const double mass = fit.mass > 0 ? fit.mass : 1;
  std::string text = fmt::format("# {} as identified from {}, {}\n", law.law, study.data, study.fitted);
  text += fmt::format("# residual {}, on {} ({}) {}\n", quantity_text(law.rms, force_unit(study)), kind_of_data(study),
                      study.judged, quantity_text(law.unseen_rms, force_unit(study)));
  for (const std::string& line : doubts(study, law)) text += fmt::format("# uncertain: {}\n", line);
  if (study.is_rotary) text += "# lengths are angles, forces are moments, the mass is an inertia\n";
  text += "\n[run]\nduration = 1.0\nmethod   = \"auto\"      # stiff where it has to be\n";
  text += fmt::format("\n[[body]]\nname     = \"body\"\nkind     = \"mass\"\nmass     = {}{}\n", to_text(mass),
                      fit.mass > 0 ? "" : fmt::format("      # {}: not identified", unit_in(study, "M", "kg")));
  text += fmt::format("\n[[element]]\nname    = \"friction\"\nbetween = [\"body\", \"ground\"]\nlaw     = \"{}\"\n", law.catalogue);
  if (study.has_load) text += fmt::format("load    = {}      # N, the mean\n", to_text(study.load));
  for (const Parameter& p : fit.parameters) text += fmt::format("{} = {}\n", p.name, to_text(p));
  if (fit.viscous > 0)
    text +=
        fmt::format("\n[[element]]\nname    = \"viscous\"\nbetween = [\"body\", \"ground\"]\nlaw     = \"spring\"\nK = 0\nB = {}\n",
                    to_text(fit.viscous));
  for (const Finding& f : law.uncertainty.findings)
    if (f.unit.empty()) text += fmt::format("\n# not in this scene: the force {} * ({})\n", to_text(f.value), f.name);
  if (fit.offset != 0)
    text += fmt::format("\n[[input]]\non    = \"body\"\nforce = {}      # what the force is off by\n", to_text(-fit.offset));
  double limit = 0;
  for (const double f : law.unseen_force) limit = std::max(limit, std::abs(f));
  text += fmt::format("\n[[input]]\non    = \"body\"\nforce = \"{} * sin(2*pi*t)\"      # {}: yours to choose\n", to_text(limit),
                      force_unit(study));
  return text;
}

}  // namespace asperity::identify
