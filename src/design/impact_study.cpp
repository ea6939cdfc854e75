#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "asperity/design/impact.hpp"
#include "asperity/design/impacts.hpp"
#include "asperity/quantity_text.hpp"
#include "json_text.hpp"
#include "wording.hpp"

namespace asperity::design {
namespace {

using Json = nlohmann::ordered_json;

std::string unit_of(const AnyLaw& law, std::string_view name) {
  if (name == "mass") return "kg";
  if (name == "v0") return "m/s";
  for (const Parameter& p : law.parameters())
    if (p.name == name) return p.unit;
  return "";
}

bool sweeps_over(const std::vector<Sweep>& sweeps, std::string_view name) {
  return std::any_of(sweeps.begin(), sweeps.end(), [&](const Sweep& s) { return s.name == name; });
}

void add(std::vector<std::string>& problems, std::vector<std::string> more) {
  for (std::string& problem : more) problems.push_back(std::move(problem));
}

std::vector<double> values_of(const Sweep& sweep) {
  std::vector<double> values;
  for (std::size_t i = 0; i < sweep.count; ++i) values.push_back(sweep.at(i));
  return values;
}

}  // namespace

// --- asked -----------------------------------------------------------------------------------------------------------------------

std::vector<double> usual_speeds() { return values_of({"v0", 0.01, 10, 31, true}); }

std::vector<std::string> problems_of(const AnyLaw& law, const Sweep& sweep, std::string_view place) {
  std::vector<std::string> problems, names{"mass", "v0"};
  Range range = positive;
  for (const Parameter& p : law.parameters()) {
    names.push_back(p.name);
    if (p.name == sweep.name) range = p.range;
  }
  if (std::find(names.begin(), names.end(), sweep.name) == names.end()) {
    const auto meant = nearest(sweep.name, names);
    return {fmt::format("{}: unknown name \"{}\"; {}", place, sweep.name,
                        meant ? "did you mean " + *meant + "?" : fmt::format("known: {}", fmt::join(names, " ")))};
  }
  for (const double end : {sweep.low, sweep.high}) {
    const auto within = [&](const Range& allowed) {
      const auto lines = range_problems({sweep.name, unit_of(law, sweep.name), "", allowed, false, {end}});
      if (!lines.empty()) problems.push_back(fmt::format("{}: {}", place, lines[0]));
      return lines.empty();
    };
    if (within(range) && (sweep.name == "mass" || sweep.name == "v0")) within(impact_size);
  }
  if (sweep.count < 2 || static_cast<double>(sweep.count) > most_cells)
    problems.push_back(fmt::format("{}: \"{}\" values: must be a whole number between 2 and {:g}", place, sweep.count, most_cells));
  if (!problems.empty()) return problems;
  if (!(sweep.low < sweep.high)) return {fmt::format("{}: from {:g} to {:g}: must grow", place, sweep.low, sweep.high)};
  if (sweep.log && !(sweep.low > 0)) return {fmt::format("{}: from {:g}: must be > 0 on a logarithmic axis", place, sweep.low)};
  return {};
}

std::vector<std::string> problems_of(const AnyLaw& law, const std::vector<Sweep>& sweeps, std::string_view place) {
  std::vector<std::string> problems;
  if (sweeps.size() == 2 && sweeps[0].name == sweeps[1].name)
    problems.push_back(fmt::format("{}: {} twice", place, sweeps[0].name));
  double cells = 1;
  for (const Sweep& sweep : sweeps) cells *= static_cast<double>(sweep.count);
  if (cells > most_cells) problems.push_back(fmt::format("{}: makes {:g} cells: must be <= {:g}", place, cells, most_cells));
  // Relations between parameters are straight: what holds in the corners holds between them.
  for (unsigned corner = 0; problems.empty() && corner < 1U << sweeps.size(); ++corner) {
    const auto at = law.clone();
    std::string where;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
      const double value = (corner >> i & 1U) != 0 ? sweeps[i].high : sweeps[i].low;
      if (sweeps[i].name != "mass" && sweeps[i].name != "v0") at->set(sweeps[i].name, {value});
      where += fmt::format("{}{} = {:g}", i == 0 ? "" : ", ", sweeps[i].name, value);
    }
    for (const std::string& problem : at->problems()) return {fmt::format("{}: at {}: {}", place, where, problem)};
  }
  return problems;
}

std::vector<std::string> problems_of(const ImpactRequest& request) {
  if (!request.law) return {"no law given"};
  const AnyLaw& law = *request.law;
  const std::string name(law.about().name);
  const auto known = impact_laws();
  if (std::find(known.begin(), known.end(), name) == known.end())
    return {fmt::format("{}: is {}; laws with impacts: {}", name,
                        law.about().kind == Kind::contact ? "a contact law of sampled time, for step() only" : "no contact law",
                        fmt::join(known, ", "))};
  std::vector<std::string> problems = law.problems();
  add(problems, range_problems({"mass", "kg", "", impact_size, false, {request.mass}}));
  for (const double speed : request.speeds) {
    add(problems, range_problems({"speed", "m/s", "", impact_size, false, {speed}}));
    if (!problems.empty()) break;
  }
  if (request.sweeps.size() > 2) problems.push_back(fmt::format("{} axes: must be one or two", request.sweeps.size()));
  for (const Sweep& sweep : request.sweeps) add(problems, problems_of(law, sweep, sweep.name));
  if (problems.empty() && !request.sweeps.empty()) {
    add(problems, problems_of(law, request.sweeps, "map"));
    const bool has_speed = sweeps_over(request.sweeps, "v0") || request.speeds.size() == 1;
    if (request.speeds.size() > 1) problems.emplace_back("a map has one speed; sweep v0 for more");
    else if (!has_speed && minds_the_speed(name)) problems.emplace_back("no speed given: of the impact, in m/s; or sweep v0");
  }
  if (request.tolerance) {
    if (has_closed_form(name))
      problems.push_back(fmt::format("tolerance {:g}: {} has a closed form, nothing is simulated", *request.tolerance, name));
    add(problems, range_problems({"tolerance", "1", "", between(1e-12, 1e-2), false, {*request.tolerance}}));
  }
  if (request.threads < 0 || request.threads > 1024)
    problems.push_back(fmt::format("threads {}: must be a whole number between 1 and 1024", request.threads));
  return problems;
}

// --- worked out ------------------------------------------------------------------------------------------------------------------

ImpactAnswer impacts(const ImpactRequest& request) {
  const AnyLaw& law = *request.law;
  const std::string name(law.about().name);
  const bool closed = has_closed_form(name), map = !request.sweeps.empty();
  const double tolerance = request.tolerance.value_or(map ? 1e-6 : 1e-10);
  ImpactAnswer answer;
  answer.law = name;
  answer.method = closed ? "closed form" : fmt::format("simulation, to {}", short_number(tolerance));
  for (const Parameter& p : law.parameters())
    if (!sweeps_over(request.sweeps, p.name)) answer.parameters.push_back(p);
  if (!sweeps_over(request.sweeps, "mass")) answer.mass = request.mass;
  if (request.speeds.size() == 1 && !sweeps_over(request.sweeps, "v0")) answer.speed = request.speeds[0];

  if (map) {
    answer.sweeps = request.sweeps;
    for (const Sweep& sweep : request.sweeps) answer.units.push_back(unit_of(law, sweep.name));
    const int threads = request.threads > 0 ? request.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    ImpactSettings settings{.tolerance = tolerance, .threads = threads, .hooks = request.hooks};
    answer.restitutions = restitutions(law, request.mass, answer.speed.value_or(1), request.sweeps, settings);
  } else {
    answer.speeds = request.speeds.empty() ? usual_speeds() : request.speeds;
    Ticker ticker;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < answer.speeds.size(); ++i) {
      answer.stopped = answer.stopped || request.hooks.stopped();
      answer.rebounds.push_back(answer.stopped ? Rebound{none, none, none, none, none}
                                : closed       ? rebound(law, request.mass, answer.speeds[i])
                                               : simulated_rebound(law, request.mass, answer.speeds[i], tolerance));
      answer.restitutions.push_back(answer.rebounds.back().restitution);
      if (ticker.tick() && request.hooks.progress)
        request.hooks.progress({double(i + 1), double(answer.speeds.size()), ticker.seconds(), {}});
    }
  }
  answer.stopped = answer.stopped || request.hooks.stopped();
  answer.lowest = 2, answer.highest = 0;
  for (const double e : answer.restitutions) {
    if (std::isfinite(e)) answer.lowest = std::min(answer.lowest, e), answer.highest = std::max(answer.highest, e);
    answer.failed += std::isnan(e);
  }
  const std::size_t all = answer.restitutions.size();
  if (answer.failed > 0 && answer.stopped)
    answer.problems.push_back(fmt::format("stopped: {} of {} impacts were not computed", answer.failed, all));
  else if (answer.failed > 0 && closed)
    answer.problems.push_back(
        fmt::format("{} of {} impacts could not be computed: powers of these numbers are beyond 1e308; use "
                    "parameters between {:g} and {:g}",
                    answer.failed, all, impact_size.low, impact_size.high));
  else if (answer.failed > 0)
    answer.problems.push_back(
        fmt::format("{} of {} impacts could not be simulated to {}: the memory of the material is too fast "
                    "beside the impact; a smaller gamma or a larger tolerance may do",
                    answer.failed, all, short_number(tolerance)));
  // A law that stores no energy by construction may give some out.
  if (answer.highest > 1 + 1e-6)
    answer.warnings.push_back(
        fmt::format("restitution up to {:.6g}: {} generates energy with these parameters", answer.highest, answer.law));
  return answer;
}

// --- told ------------------------------------------------------------------------------------------------------------------------

namespace {

/// What is not swept: "K 1e4 N/m, alpha 0.002 s".
std::string heading(const ImpactAnswer& answer, bool units = true) {
  std::vector<std::string> settings;
  for (const Parameter& p : answer.parameters)
    settings.push_back(fmt::format("{} {}{}", p.name, short_number(p.values[0]), p.unit == "1" || !units ? "" : " " + p.unit));
  return fmt::format("{}", fmt::join(settings, ", "));
}

std::string circumstances(const ImpactAnswer& answer) {
  std::string text;
  if (answer.mass) text += quantity_text(*answer.mass, "kg") + " ";
  if (answer.speed) text += "at " + quantity_text(*answer.speed, "m/s") + " ";
  return text + fmt::format("without gravity; {}", answer.method);
}

std::string contact_time(const Rebound& one, int digits) {
  return std::isinf(one.contact_time) ? "infinite" : known_quantity(one.contact_time, "s", digits);
}

Json facts_of(const ImpactAnswer& answer) {
  Json facts{{"law", answer.law}};
  facts["parameters"] = Json::object();
  for (const Parameter& p : answer.parameters) facts["parameters"][p.name] = p.values[0];
  facts["method"] = answer.method;
  return facts;
}

void add_rebound(Json& facts, double speed, const Rebound& rebound) {
  facts["speed"] = speed;
  facts["restitution"] = rebound.restitution;
  facts["deepest_indentation"] = rebound.deepest;
  facts["residual_indentation"] = rebound.residual;
  facts["contact_time"] = rebound.contact_time;
  facts["peak_force"] = rebound.peak_force;
}

plot::Axis axis_of(const Sweep& sweep, const std::string& unit) {
  return {sweep.name == "v0" ? "impact speed v0" : sweep.name, unit, {}, sweep.log};
}

}  // namespace

std::string to_text(const ImpactAnswer& answer) {
  if (answer.is_map()) return to_csv(answer);
  const std::string head = fmt::format("{}: {}\n{}\n", answer.law, heading(answer), circumstances(answer));
  if (answer.speed) {
    const Rebound& one = answer.rebounds[0];
    return head + aligned({{"restitution", fmt::format("{:.6f}", one.restitution)},
                           {"deepest indentation", known_quantity(one.deepest, "m", 6)},
                           {"residual indentation", known_quantity(one.residual, "m", 6)},
                           {"contact time", contact_time(one, 6)},
                           {"peak force", known_quantity(one.peak_force, "N", 6)}},
                          "<<");
  }
  std::vector<std::vector<std::string>> rows{{"speed", "restitution", "deepest", "residual", "contact time", "peak force"}};
  for (std::size_t i = 0; i < answer.speeds.size(); ++i) {
    const Rebound& one = answer.rebounds[i];
    rows.push_back({quantity_text(answer.speeds[i], "m/s", 3), fmt::format("{:.6f}", one.restitution),
                    known_quantity(one.deepest, "m"), known_quantity(one.residual, "m"), contact_time(one, 4),
                    known_quantity(one.peak_force, "N")});
  }
  return head + aligned(rows, ">>>>>>");
}

std::string to_json(const ImpactAnswer& answer) {
  Json facts = facts_of(answer);
  if (!answer.is_map()) {
    facts["mass"] = *answer.mass;
    if (answer.speed) add_rebound(facts, *answer.speed, answer.rebounds[0]);
    else
      for (std::size_t i = 0; i < answer.speeds.size(); ++i)
        add_rebound(facts["curve"].emplace_back(), answer.speeds[i], answer.rebounds[i]);
    return json_text(std::move(facts));
  }
  const char* const names[] = {"x", "y"};
  for (std::size_t i = 0; i < answer.sweeps.size(); ++i)
    facts[names[i]] = {{"name", answer.sweeps[i].name}, {"unit", answer.units[i]}, {"values", values_of(answer.sweeps[i])}};
  const auto& cells = answer.restitutions;
  const std::size_t width = answer.sweeps[0].count;
  for (std::size_t row = 0; row < cells.size() / width; ++row) {
    const auto first = cells.begin() + static_cast<std::ptrdiff_t>(row * width);
    facts["restitution"].push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(width)));
  }
  if (answer.sweeps.size() == 1) facts["restitution"] = cells;
  return json_text(std::move(facts), -1);
}

std::string to_csv(const ImpactAnswer& answer) {
  std::string csv;
  if (!answer.is_map()) {
    csv = "v0,restitution,deepest_indentation,residual_indentation,contact_time,peak_force\n";
    for (std::size_t i = 0; i < answer.speeds.size(); ++i) {
      const Rebound& one = answer.rebounds[i];
      csv += fmt::format("{},{},{},{},{},{}\n", answer.speeds[i], one.restitution, one.deepest, one.residual, one.contact_time,
                         one.peak_force);
    }
    return csv;
  }
  const auto& sweeps = answer.sweeps;
  std::vector<std::vector<double>> values;
  for (const Sweep& sweep : sweeps) values.push_back(values_of(sweep));
  const std::size_t width = sweeps[0].count;
  csv = sweeps[0].name + (sweeps.size() > 1 ? "," + sweeps[1].name : "") + ",restitution\n";
  for (std::size_t cell = 0; cell < answer.restitutions.size(); ++cell) {
    csv += fmt::format("{},", values[0][cell % width]);
    if (sweeps.size() > 1) csv += fmt::format("{},", values[1][cell / width]);
    csv += fmt::format("{}\n", answer.restitutions[cell]);
  }
  return csv;
}

plot::Figure figure_of(const ImpactAnswer& answer) {
  plot::Figure figure;
  figure.title = "Restitution of " + answer.law;
  figure.subtitle = heading(answer, false) + "; " + circumstances(answer);
  figure.columns = 1;
  figure.panel_width = 680, figure.panel_height = 480;
  const plot::Axis restitution{"restitution", "1"};
  const auto& sweeps = answer.sweeps;
  if (answer.is_map() && sweeps.size() == 2)
    figure.maps = {{"", axis_of(sweeps[0], answer.units[0]), axis_of(sweeps[1], answer.units[1]), restitution, values_of(sweeps[0]),
                    values_of(sweeps[1]), answer.restitutions}};
  else if (answer.is_map())
    figure.panels = {{"", axis_of(sweeps[0], answer.units[0]), restitution, {{"", values_of(sweeps[0]), answer.restitutions}}}};
  else figure.panels = {{"", {"impact speed v0", "m/s", {}, true}, restitution, {{"", answer.speeds, answer.restitutions}}}};
  return figure;
}

}  // namespace asperity::design
