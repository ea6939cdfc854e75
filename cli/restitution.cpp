#include "asperity/design/restitution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "asperity/csv.hpp"
#include "asperity/design/impact.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/plot.hpp"
#include "asperity/quantity_text.hpp"
#include "commands.hpp"
#include "output_file.hpp"
#include "text.hpp"
#include "wish.hpp"

namespace asperity::cli {
namespace {

using design::Rebound;
using design::Sweep;
using Json = nlohmann::ordered_json;

constexpr double most_cells = 1e7;
constexpr const char* map_form = "must be NAME=LOW:HIGH:COUNT or NAME=LOW:HIGH:COUNT:log, one or two of them, separated by a comma";

/// As typed.
struct Typed {
  std::string law;
  std::vector<std::string> set;
  std::optional<std::string> mass, speed, map, tolerance, threads, output;
  bool json = false;
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

/// What was asked for, and everything that is wrong with it.
class Request {
 public:
  explicit Request(const Typed& typed) : typed_(typed) {
    read_law();
    if (typed.map && law) read_map();
    const auto swept = [&](std::string_view name) {
      return std::any_of(sweeps.begin(), sweeps.end(), [&](const Sweep& s) { return s.name == name; });
    };
    const auto read = [&](std::string_view option, std::string_view name, const std::optional<std::string>& text,
                          std::string_view unit, double& value) {
      if (text && swept(name)) problems.push_back(fmt::format("{} {}: {} is swept by --map", option, *text, name));
      else if (text) value = read_size(option, *text, unit);
      return text || swept(name);
    };
    if (!read("--mass", "mass", typed.mass, "kg", mass)) problems.emplace_back("no --mass given: the mass that hits, in kg");
    has_speed = read("--speed", "v0", typed.speed, "m/s", speed);
    if (typed.tolerance && law && design::has_closed_form(typed.law))
      problems.push_back(fmt::format("--tolerance {}: {} has a closed form, nothing is simulated", *typed.tolerance, typed.law));
    if (sweeps.empty()) settings.tolerance = 1e-10;
    if (typed.tolerance)
      settings.tolerance = read_wish("--tolerance", *typed.tolerance, "1", between(1e-12, 1e-2), problems).value_or(1e-6);
    settings.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    if (typed.threads) {
      const auto n = parse_number(*typed.threads);
      if (!n || *n != std::floor(*n) || *n < 1 || *n > 1024)
        problems.push_back(fmt::format("--threads {}: must be a whole number between 1 and 1024", *typed.threads));
      else settings.threads = static_cast<int>(*n);
    }
    // Over the speed unless something else is asked for; a map without a speed has it at 1 m/s, unless the law minds.
    if (!sweeps.empty() && !has_speed && !speed_does_not_matter())
      problems.emplace_back("no --speed given: the speed of the impact, in m/s; or sweep v0");
    if (typed.output) read_output();
  }

  /// The restitution of the linear laws is the same at every speed.
  bool speed_does_not_matter() const { return !design::minds_the_speed(law->about().name); }
  bool is_single() const { return has_speed && sweeps.empty(); }
  std::string method() const {
    if (design::has_closed_form(typed_.law)) return "closed form";
    return fmt::format("simulation, to {}", short_number(settings.tolerance));
  }
  Rebound rebound_at(double v) const {
    return design::has_closed_form(typed_.law) ? design::rebound(*law, mass, v)
                                               : design::simulated_rebound(*law, mass, v, settings.tolerance);
  }
  std::string unit_of(std::string_view name) const {
    if (name == "mass") return "kg";
    if (name == "v0") return "m/s";
    for (const Parameter& p : law->parameters())
      if (p.name == name) return p.unit;
    return "";
  }

  Problems problems;
  std::unique_ptr<AnyLaw> law;
  double mass = 1, speed = 1;
  bool has_speed = false;
  std::vector<Sweep> sweeps;
  design::ImpactSettings settings{.tolerance = 1e-6};

 private:
  double read_size(std::string_view option, const std::string& text, std::string_view unit) {
    const auto size = read_wish(option, text, unit, positive, problems);
    return size ? read_wish(option, text, unit, design::impact_size, problems).value_or(1) : 1;
  }
  /// N/m^lambda: the exponent has a name.
  std::vector<std::pair<std::string, double>> exponents() const {
    std::vector<std::pair<std::string, double>> named;
    for (const Parameter& p : law->parameters())
      if (p.unit == "1") named.emplace_back(p.name, p.values[0]);
    return named;
  }

  void read_law() {
    law = find_law(typed_.law, problems);
    if (!law) return;
    const auto known = design::impact_laws();
    if (std::find(known.begin(), known.end(), typed_.law) == known.end()) {
      problems.push_back(
          fmt::format("{}: is {}; laws with impacts: {}", typed_.law,
                      law->about().kind == Kind::contact ? "a contact law of sampled time, for step() only" : "no contact law",
                      fmt::join(known, ", ")));
      law.reset();
      return;
    }
    for (const std::string& setting : typed_.set) {
      const std::size_t equals = setting.find('=');
      const std::string name = setting.substr(0, equals);
      if (equals == std::string::npos || equals == 0) {
        problems.push_back(fmt::format("--set {}: must be NAME=VALUE, for instance K=1e5", setting));
        continue;
      }
      std::string why;
      const auto value = read_quantity(setting.substr(equals + 1), unit_or_number(name), why, exponents());
      if (!value && known_parameter(name)) problems.push_back(fmt::format("--set {}: {}", setting, why));
      else if (auto problem = law->set(name, {value.value_or(1)})) problems.push_back("--set " + *problem);
    }
    for (std::string& problem : law->problems()) problems.push_back(std::move(problem));
  }
  bool known_parameter(const std::string& name) const { return !unit_of(name).empty(); }
  std::string unit_or_number(const std::string& name) const { return known_parameter(name) ? unit_of(name) : "1"; }

  void read_map() {
    const auto axes = split(*typed_.map, ',');
    if (axes.size() > 2) return problems.push_back(fmt::format("--map {}: {} axes: {}", *typed_.map, axes.size(), map_form));
    for (const std::string& axis : axes) read_axis(axis);
    if (sweeps.size() < axes.size()) return sweeps.clear();
    if (sweeps.size() == 2 && sweeps[0].name == sweeps[1].name)
      problems.push_back(fmt::format("--map {}: {} twice", *typed_.map, sweeps[0].name));
    double cells = 1;
    for (const Sweep& sweep : sweeps) cells *= static_cast<double>(sweep.count);
    if (cells > most_cells)
      problems.push_back(fmt::format("--map {}: makes {:g} cells: must be <= {:g}", *typed_.map, cells, most_cells));
    if (problems.empty()) check_corners();
  }

  void read_axis(const std::string& axis) {
    const auto place = fmt::format("--map {}", axis);
    const std::size_t equals = axis.find('=');
    const std::string name = axis.substr(0, equals);
    const auto parts = equals == std::string::npos ? std::vector<std::string>{} : split(axis.substr(equals + 1), ':');
    if (parts.size() < 3 || parts.size() > 4 || (parts.size() == 4 && parts[3] != "log"))
      return problems.push_back(fmt::format("{}: {}", place, map_form));
    std::vector<std::string> names{"mass", "v0"};
    Range range = positive;
    for (const Parameter& p : law->parameters()) {
      names.push_back(p.name);
      if (p.name == name) range = p.range;
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const auto meant = nearest(name, names);
      return problems.push_back(
          fmt::format("{}: unknown name \"{}\"; {}", place, name,
                      meant ? "did you mean " + *meant + "?" : fmt::format("known: {}", fmt::join(names, " "))));
    }
    const std::size_t before = problems.size();
    Sweep sweep{name, 0, 0, 0, parts.size() == 4};
    for (const bool high : {false, true}) {
      std::string why;
      const auto value = read_quantity(parts[high ? 1 : 0], unit_of(name), why, exponents());
      if (!value) problems.push_back(fmt::format("{}: \"{}\": {}", place, parts[high ? 1 : 0], why));
      else if (const auto lines = range_problems({name, unit_of(name), "", range, false, {*value}}); !lines.empty())
        problems.push_back(fmt::format("{}: {}", place, lines[0]));
      else if ((name == "mass" || name == "v0") && !design::impact_size.contains(*value))
        problems.push_back(
            fmt::format("{}: {}", place, range_problems({name, unit_of(name), "", design::impact_size, false, {*value}})[0]));
      (high ? sweep.high : sweep.low) = value.value_or(1);
    }
    const auto count = parse_number(parts[2]);
    if (!count || *count != std::floor(*count) || *count < 2 || *count > most_cells)
      problems.push_back(fmt::format("{}: \"{}\" values: must be a whole number between 2 and {:g}", place, parts[2], most_cells));
    if (problems.size() > before) return;
    if (!(sweep.low < sweep.high))
      return problems.push_back(fmt::format("{}: from {:g} to {:g}: must grow", place, sweep.low, sweep.high));
    if (sweep.log && !(sweep.low > 0))
      return problems.push_back(fmt::format("{}: from {:g}: must be > 0 on a logarithmic axis", place, sweep.low));
    sweep.count = static_cast<std::size_t>(*count);
    sweeps.push_back(std::move(sweep));
  }

  /// Relations between parameters are straight: what holds in the corners holds between them.
  void check_corners() {
    for (unsigned corner = 0; corner < 1U << sweeps.size(); ++corner) {
      const auto at = law->clone();
      std::string where;
      for (std::size_t i = 0; i < sweeps.size(); ++i) {
        const double value = (corner >> i & 1U) != 0 ? sweeps[i].high : sweeps[i].low;
        if (sweeps[i].name != "mass" && sweeps[i].name != "v0") at->set(sweeps[i].name, {value});
        where += fmt::format("{}{} = {:g}", i == 0 ? "" : ", ", sweeps[i].name, value);
      }
      for (const std::string& problem : at->problems())
        return problems.push_back(fmt::format("--map {}: at {}: {}", *typed_.map, where, problem));
    }
  }

  void read_output() {
    if (!typed_.output->ends_with(".csv") && !typed_.output->ends_with(".svg"))
      problems.push_back(fmt::format("-o {}: must end in .csv or .svg", *typed_.output));
    if (has_speed && !typed_.map)
      problems.push_back(fmt::format("-o {}: one impact is no file; leave out --speed for a curve, or add --map", *typed_.output));
  }

  const Typed& typed_;
};

// --- what comes out ----------------------------------------------------------------------------------------------------

/// What is not swept: "K 1e4 N/m, alpha 0.002 s".
std::string heading(const Request& request, bool units = true) {
  std::vector<std::string> settings;
  for (const Parameter& p : request.law->parameters())
    if (std::none_of(request.sweeps.begin(), request.sweeps.end(), [&](const Sweep& s) { return s.name == p.name; }))
      settings.push_back(fmt::format("{} {}{}", p.name, short_number(p.values[0]), p.unit == "1" || !units ? "" : " " + p.unit));
  return fmt::format("{}", fmt::join(settings, ", "));
}
std::string circumstances(const Request& request) {
  std::string text;
  const auto swept = [&](std::string_view name) {
    return std::any_of(request.sweeps.begin(), request.sweeps.end(), [&](const Sweep& s) { return s.name == name; });
  };
  if (!swept("mass")) text += quantity_text(request.mass, "kg") + " ";
  if (request.has_speed && !swept("v0")) text += "at " + quantity_text(request.speed, "m/s") + " ";
  return text + fmt::format("without gravity; {}", request.method());
}

Json facts_of(const Request& request) {
  Json facts{{"law", request.law->about().name}};
  for (const Parameter& p : request.law->parameters()) facts["parameters"][p.name] = p.values[0];
  for (const Sweep& sweep : request.sweeps) facts["parameters"].erase(sweep.name);
  facts["method"] = request.method();
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

/// A law that stores no energy by construction may give some out.
void warn(const Request& request, double highest) {
  if (highest > 1 + 1e-6)
    report("restitution", {fmt::format("warning: restitution up to {:.6g}: {} gives out energy with these parameters", highest,
                                       request.law->about().name)});
}

/// Impacts that did not come to an end; says so.
std::size_t failures(const Request& request, const std::vector<double>& restitutions) {
  const auto failed = std::size_t(std::count_if(restitutions.begin(), restitutions.end(), [](double e) { return std::isnan(e); }));
  if (failed > 0 && design::has_closed_form(request.law->about().name))
    report("restitution", {fmt::format("{} of {} impacts could not be worked out: powers of these numbers are beyond 1e308; use "
                                       "parameters between {:g} and {:g}",
                                       failed, restitutions.size(), design::impact_size.low, design::impact_size.high)});
  else if (failed > 0)
    report("restitution",
           {fmt::format("{} of {} impacts could not be simulated to {}: the memory of the material is too fast beside the "
                        "impact; a smaller gamma or a larger --tolerance may do",
                        failed, restitutions.size(), short_number(request.settings.tolerance))});
  return failed;
}

bool print_single(const Request& request, const Typed& typed) {
  const Rebound one = request.rebound_at(request.speed);
  if (failures(request, {one.restitution}) > 0) return false;
  warn(request, one.restitution);
  if (typed.json) {
    Json facts = facts_of(request);
    facts["mass"] = request.mass;
    add_rebound(facts, request.speed, one);
    return print("restitution", facts.dump(2) + "\n");
  }
  return print("restitution",
               fmt::format("{}: {}\n{}\n", request.law->about().name, heading(request), circumstances(request)) +
                   aligned({{"restitution", fmt::format("{:.6f}", one.restitution)},
                            {"deepest indentation", known_quantity(one.deepest, "m", 6)},
                            {"residual indentation", known_quantity(one.residual, "m", 6)},
                            {"contact time", std::isinf(one.contact_time) ? "for ever" : known_quantity(one.contact_time, "s", 6)},
                            {"peak force", known_quantity(one.peak_force, "N", 6)}},
                           "<<"));
}

std::optional<std::string> write(const Typed& typed, const std::string& text) {
  OutputFile file;
  if (auto problem = file.open(*typed.output)) return problem;
  file.stream() << text;
  return file.commit();
}

plot::Figure figure_of(const Request& request) {
  plot::Figure figure;
  figure.title = "Restitution of " + std::string(request.law->about().name);
  figure.subtitle = heading(request, false) + "; " + circumstances(request);
  figure.columns = 1;
  figure.panel_width = 680, figure.panel_height = 480;
  return figure;
}
plot::Axis axis_of(const Request& request, const Sweep& sweep) {
  return {sweep.name == "v0" ? "impact speed v0" : sweep.name, request.unit_of(sweep.name), {}, sweep.log};
}

int finish(const Typed& typed, const std::string& printed, const std::string& svg, const std::string& csv) {
  if (typed.output) {
    if (auto problem = write(typed, typed.output->ends_with(".svg") ? svg : csv)) {
      report("restitution", {*problem});
      return bad_input;
    }
  }
  return print("restitution", printed) ? fine : run_failed;
}

/// Over the speed, with all facts.
int run_curve(const Request& request, const Typed& typed) {
  const Sweep speeds{"v0", 0.01, 10, 31, true};
  std::vector<std::vector<std::string>> rows{{"speed", "restitution", "deepest", "residual", "contact time", "peak force"}};
  std::string csv = "v0,restitution,deepest_indentation,residual_indentation,contact_time,peak_force\n";
  Json facts = facts_of(request);
  facts["mass"] = request.mass;
  std::vector<double> x, y;
  for (std::size_t i = 0; i < speeds.count; ++i) {
    const Rebound one = request.rebound_at(speeds.at(i));
    x.push_back(speeds.at(i)), y.push_back(one.restitution);
    rows.push_back({quantity_text(x.back(), "m/s", 3), fmt::format("{:.6f}", one.restitution), known_quantity(one.deepest, "m"),
                    known_quantity(one.residual, "m"),
                    std::isinf(one.contact_time) ? "for ever" : known_quantity(one.contact_time, "s"),
                    known_quantity(one.peak_force, "N")});
    csv +=
        fmt::format("{},{},{},{},{},{}\n", x.back(), one.restitution, one.deepest, one.residual, one.contact_time, one.peak_force);
    add_rebound(facts["curve"].emplace_back(), x.back(), one);
  }
  if (failures(request, y) > 0) return run_failed;
  warn(request, *std::max_element(y.begin(), y.end()));
  plot::Figure figure = figure_of(request);
  figure.panels = {{"", axis_of(request, speeds), {"restitution", "1"}, {{"", x, y}}}};
  const std::string text = typed.json ? facts.dump(2) + "\n"
                           : typed.output
                               ? fmt::format("wrote {}\n", *typed.output)
                               : fmt::format("{}: {}\n{}\n", request.law->about().name, heading(request), circumstances(request)) +
                                     aligned(rows, ">>>>>>");
  return finish(typed, text, plot::to_svg(figure), csv);
}

int run_map(const Request& request, const Typed& typed) {
  const auto& sweeps = request.sweeps;
  const std::vector<double> cells = design::restitutions(*request.law, request.mass, request.speed, sweeps, request.settings);
  double lowest = 2, highest = 0;
  for (const double e : cells)
    if (std::isfinite(e)) lowest = std::min(lowest, e), highest = std::max(highest, e);
  if (failures(request, cells) == cells.size()) return run_failed;
  warn(request, highest);

  std::vector<std::vector<double>> values(sweeps.size());
  for (std::size_t i = 0; i < sweeps.size(); ++i)
    for (std::size_t k = 0; k < sweeps[i].count; ++k) values[i].push_back(sweeps[i].at(k));
  const std::size_t width = sweeps[0].count;

  if (typed.output && typed.output->ends_with(".svg") && !typed.json) {
    plot::Figure figure = figure_of(request);
    const plot::Axis restitution{"restitution", "1"};
    if (sweeps.size() == 1) figure.panels = {{"", axis_of(request, sweeps[0]), restitution, {{"", values[0], cells}}}};
    else figure.maps = {{"", axis_of(request, sweeps[0]), axis_of(request, sweeps[1]), restitution, values[0], values[1], cells}};
    return finish(typed,
                  fmt::format("{} cells, restitution {:.6f} to {:.6f}; wrote {}\n", cells.size(), lowest, highest, *typed.output),
                  plot::to_svg(figure), "");
  }
  if (typed.json) {
    Json facts = facts_of(request);
    const char* const names[] = {"x", "y"};
    for (std::size_t i = 0; i < sweeps.size(); ++i)
      facts[names[i]] = {{"name", sweeps[i].name}, {"unit", request.unit_of(sweeps[i].name)}, {"values", values[i]}};
    for (std::size_t row = 0; row < cells.size() / width; ++row) {
      const auto first = cells.begin() + static_cast<std::ptrdiff_t>(row * width);
      facts["restitution"].push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(width)));
    }
    if (sweeps.size() == 1) facts["restitution"] = cells;
    return finish(typed, facts.dump() + "\n", "", "");
  }
  std::string csv = sweeps[0].name + (sweeps.size() > 1 ? "," + sweeps[1].name : "") + ",restitution\n";
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    csv += fmt::format("{},", values[0][cell % width]);
    if (sweeps.size() > 1) csv += fmt::format("{},", values[1][cell / width]);
    csv += fmt::format("{}\n", cells[cell]);
  }
  return finish(
      typed,
      typed.output ? fmt::format("{} cells, restitution {:.6f} to {:.6f}; wrote {}\n", cells.size(), lowest, highest, *typed.output)
                   : csv,
      "", csv);
}

int run_restitution(const Typed& typed) {
  const Request request(typed);
  if (!request.problems.empty()) {
    report("restitution", request.problems);
    return bad_input;
  }
  if (request.is_single()) return print_single(request, typed) ? fine : run_failed;
  return request.sweeps.empty() ? run_curve(request, typed) : run_map(request, typed);
}

constexpr const char* notes =
    R"help(A mass hits a contact law, without gravity. With --speed one impact, with --map a map over one or two of
the law's parameters, mass and v0; otherwise a curve over the speed. By closed form where the law has
one, by simulation otherwise; the answer says which. Quantities may have units: --mass "20 g".

Examples
  asperity restitution nonlinear_compliance --mass 1 --speed 2
  asperity restitution linear_compliance --set alpha=1e-3 --set beta=1e-2 --mass 1 --speed 1 --json
  asperity restitution hunt_crossley --mass 1 -o curve.svg
  asperity restitution nonlinear_compliance --mass 1 --map beta1=0:6e-3:61,v0=0.1:10:61:log -o map.svg

Exit codes: 0 fine, 1 the run failed, 2 bad usage or bad input.)help";

}  // namespace

Command add_restitution(CLI::App& app) {
  const auto typed = std::make_shared<Typed>();
  CLI::App& command = *app.add_subcommand("restitution", "How a mass comes back from a contact law: a number, a curve, a map");
  const auto text = [&](const char* name, std::optional<std::string> Typed::*member, const char* help, const char* placeholder) {
    command
        .add_option_function<std::string>(
            name, [typed, member](const std::string& value) { (*typed).*member = value; }, help)
        ->type_name(placeholder);
  };
  command.add_option("LAW", typed->law, "a contact law of `asperity laws`")->required()->type_name("");
  command.add_option("--set", typed->set, "change a parameter: K=\"5 N/mm\". Repeatable")
      ->allow_extra_args(false)  // otherwise it would swallow the law
      ->type_name("NAME=VALUE");
  text("--mass", &Typed::mass, "that hits, kg", "M");
  text("--speed", &Typed::speed, "of the impact, m/s; a curve over it if not given", "V");
  text("--map", &Typed::map, "NAME=LOW:HIGH:COUNT[:log], of one or two parameters, mass or v0", "AXIS,AXIS");
  text("--tolerance", &Typed::tolerance, "error of a simulation; 1e-10 by default, 1e-6 in a map", "E");
  text("--threads", &Typed::threads, "as many as there are cores by default; the numbers are the same", "N");
  text("-o,--output", &Typed::output, "a table or a picture, instead of standard output", "FILE.csv|.svg");
  command.add_flag("--json", typed->json, "for programs");
  command.footer(notes);
  return {&command, [typed] { return run_restitution(*typed); }};
}

}  // namespace asperity::cli
