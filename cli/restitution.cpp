#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "asperity/csv.hpp"
#include "asperity/design/impact.hpp"
#include "asperity/design/impacts.hpp"
#include "asperity/formula/units.hpp"
#include "commands.hpp"
#include "files/whole.hpp"
#include "progress.hpp"
#include "text.hpp"
#include "wish.hpp"

namespace asperity::cli {
namespace {

using design::Sweep;

constexpr const char* map_form = "must be NAME=LOW:HIGH:COUNT or NAME=LOW:HIGH:COUNT:log, one or two of them, separated by a comma";

/// As typed.
struct TypedRestitution {
  std::string law;
  std::vector<std::string> set;
  std::optional<std::string> mass, speed, map, tolerance, threads, output;
  bool json = false;
};

std::vector<std::string> split_at(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

/// What was asked for, and everything that is wrong with it.
class RestitutionReader {
 public:
  explicit RestitutionReader(const TypedRestitution& typed) : typed_(typed) {
    read_law();
    if (typed.map && law_) read_map();
    const auto swept = [&](std::string_view name) {
      return std::any_of(request.sweeps.begin(), request.sweeps.end(), [&](const Sweep& s) { return s.name == name; });
    };
    const auto read = [&](std::string_view option, std::string_view name, const std::optional<std::string>& text,
                          std::string_view unit) -> std::optional<double> {
      if (text && swept(name)) problems.push_back(fmt::format("{} {}: {} is swept by --map", option, *text, name));
      else if (text) return read_size(option, *text, unit);
      return std::nullopt;
    };
    request.mass = read("--mass", "mass", typed.mass, "kg").value_or(1);
    if (!typed.mass && !swept("mass")) problems.emplace_back("no --mass given: the mass that hits, in kg");
    if (const auto speed = read("--speed", "v0", typed.speed, "m/s")) request.speeds = {*speed};
    if (typed.tolerance && law_ && design::has_closed_form(typed.law))
      problems.push_back(fmt::format("--tolerance {}: {} has a closed form, nothing is simulated", *typed.tolerance, typed.law));
    if (typed.tolerance) request.tolerance = read_wish("--tolerance", *typed.tolerance, "1", between(1e-12, 1e-2), problems);
    if (typed.threads) {
      const auto n = parse_number(*typed.threads);
      if (!n || *n != std::floor(*n) || *n < 1 || *n > 1024)
        problems.push_back(fmt::format("--threads {}: must be a whole number between 1 and 1024", *typed.threads));
      else request.threads = static_cast<int>(*n);
    }
    // Over the speed unless something else is asked for; a map without a speed has it at 1 m/s, unless the law minds.
    if (!request.sweeps.empty() && !typed.speed && !swept("v0") && design::minds_the_speed(law_->about().name))
      problems.emplace_back("no --speed given: the speed of the impact, in m/s; or sweep v0");
    if (typed.output) read_output(typed.speed || swept("v0"));
    request.law = law_;
    if (problems.empty()) problems = problems_of(request);
  }

  Problems problems;
  design::ImpactRequest request;

 private:
  double read_size(std::string_view option, const std::string& text, std::string_view unit) {
    const auto size = read_wish(option, text, unit, positive, problems);
    return size ? read_wish(option, text, unit, design::impact_size, problems).value_or(1) : 1;
  }
  std::string unit_of(std::string_view name) const {
    if (name == "mass") return "kg";
    if (name == "v0") return "m/s";
    for (const Parameter& p : law_->parameters())
      if (p.name == name) return p.unit;
    return "";
  }
  /// N/m^lambda: the exponent has a name.
  std::vector<std::pair<std::string, double>> exponents() const {
    std::vector<std::pair<std::string, double>> named;
    for (const Parameter& p : law_->parameters())
      if (p.unit == "1") named.emplace_back(p.name, p.values[0]);
    return named;
  }

  void read_law() {
    law_ = find_law(typed_.law, problems);
    if (!law_) return;
    const auto known = design::impact_laws();
    if (std::find(known.begin(), known.end(), typed_.law) == known.end()) {
      problems.push_back(
          fmt::format("{}: is {}; laws with impacts: {}", typed_.law,
                      law_->about().kind == Kind::contact ? "a contact law of sampled time, for step() only" : "no contact law",
                      fmt::join(known, ", ")));
      law_.reset();
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
      else if (auto problem = law_->set(name, {value.value_or(1)})) problems.push_back("--set " + *problem);
    }
    for (std::string& problem : law_->problems()) problems.push_back(std::move(problem));
  }
  bool known_parameter(const std::string& name) const { return !unit_of(name).empty(); }
  std::string unit_or_number(const std::string& name) const { return known_parameter(name) ? unit_of(name) : "1"; }

  void read_map() {
    const auto axes = split_at(*typed_.map, ',');
    if (axes.size() > 2) return problems.push_back(fmt::format("--map {}: {} axes: {}", *typed_.map, axes.size(), map_form));
    for (const std::string& axis : axes) read_axis(axis);
    if (request.sweeps.size() < axes.size()) return request.sweeps.clear();
    const Problems found = design::problems_of(*law_, request.sweeps, fmt::format("--map {}", *typed_.map));
    if (problems.empty()) problems = found;
  }

  void read_axis(const std::string& axis) {
    const auto place = fmt::format("--map {}", axis);
    const std::size_t equals = axis.find('=');
    const std::string name = axis.substr(0, equals);
    const auto parts = equals == std::string::npos ? std::vector<std::string>{} : split_at(axis.substr(equals + 1), ':');
    if (parts.size() < 3 || parts.size() > 4 || (parts.size() == 4 && parts[3] != "log"))
      return problems.push_back(fmt::format("{}: {}", place, map_form));
    const std::size_t before = problems.size();
    Sweep sweep{name, 1, 2, 2, parts.size() == 4};
    const bool is_known = name == "mass" || name == "v0" || known_parameter(name);
    for (const bool high : {false, true}) {
      std::string why;
      const auto value = is_known ? read_quantity(parts[high ? 1 : 0], unit_of(name), why, exponents()) : std::nullopt;
      if (!value && is_known) problems.push_back(fmt::format("{}: \"{}\": {}", place, parts[high ? 1 : 0], why));
      (high ? sweep.high : sweep.low) = value.value_or(1);
    }
    const auto count = parse_number(parts[2]);
    const bool is_count = count && *count == std::floor(*count) && *count >= 2 && *count <= design::most_cells;
    if (is_count) sweep.count = static_cast<std::size_t>(*count);
    if (problems.size() == before)
      for (std::string& problem : design::problems_of(*law_, sweep, place)) problems.push_back(std::move(problem));
    if (!is_count && is_known)
      problems.push_back(
          fmt::format("{}: \"{}\" values: must be a whole number between 2 and {:g}", place, parts[2], design::most_cells));
    if (problems.size() == before) request.sweeps.push_back(std::move(sweep));
  }

  void read_output(bool has_speed) {
    if (!typed_.output->ends_with(".csv") && !typed_.output->ends_with(".svg"))
      problems.push_back(fmt::format("-o {}: must end in .csv or .svg", *typed_.output));
    if (has_speed && !typed_.map)
      problems.push_back(fmt::format("-o {}: one impact is no file; leave out --speed for a curve, or add --map", *typed_.output));
  }

  const TypedRestitution& typed_;
  std::shared_ptr<AnyLaw> law_;
};

int run_restitution(const TypedRestitution& typed) {
  RestitutionReader reader(typed);
  if (!reader.problems.empty()) {
    report("restitution", reader.problems);
    return bad_input;
  }
  design::ImpactAnswer answer;
  {
    LongCall call(!typed.json);
    reader.request.hooks = call.hooks();
    answer = impacts(reader.request);
  }
  if (stop_signal() != 0) return interrupted("restitution");
  report("restitution", answer.problems);
  // Of a map what there is; a curve with a hole is none.
  if (answer.failed > 0 && (!answer.is_map() || answer.failed == answer.restitutions.size())) return run_failed;
  for (const std::string& warning : answer.warnings) report("restitution", {"warning: " + warning});
  if (typed.output) {
    const std::string text = typed.output->ends_with(".svg") ? plot::to_svg(figure_of(answer)) : to_csv(answer);
    if (auto problem = files::write_whole(*typed.output, text)) {
      report("restitution", {*problem});
      return bad_input;
    }
  }
  const std::string wrote = !typed.output ? ""
                            : answer.is_map()
                                ? fmt::format("{} cells, restitution {:.6f} to {:.6f}; wrote {}\n", answer.restitutions.size(),
                                              answer.lowest, answer.highest, *typed.output)
                                : fmt::format("wrote {}\n", *typed.output);
  return print("restitution", typed.json ? to_json(answer) : typed.output ? wrote : to_text(answer)) ? fine : run_failed;
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
  const auto typed = std::make_shared<TypedRestitution>();
  CLI::App& command = *app.add_subcommand("restitution", "How a mass comes back from a contact law: a number, a curve, a map");
  const auto text = [&](const char* name, std::optional<std::string> TypedRestitution::*member, const char* help,
                        const char* placeholder) {
    command
        .add_option_function<std::string>(
            name, [typed, member](const std::string& value) { (*typed).*member = value; }, help)
        ->type_name(placeholder);
  };
  command.add_option("LAW", typed->law, "a contact law of `asperity laws`")->required()->type_name("");
  command.add_option("--set", typed->set, "change a parameter: K=\"5 N/mm\". Repeatable")
      ->allow_extra_args(false)  // otherwise it would swallow the law
      ->type_name("NAME=VALUE");
  text("--mass", &TypedRestitution::mass, "that hits, kg", "M");
  text("--speed", &TypedRestitution::speed, "of the impact, m/s; a curve over it if not given", "V");
  text("--map", &TypedRestitution::map, "NAME=LOW:HIGH:COUNT[:log], of one or two parameters, mass or v0", "AXIS,AXIS");
  text("--tolerance", &TypedRestitution::tolerance, "error of a simulation; 1e-10 by default, 1e-6 in a map", "E");
  text("--threads", &TypedRestitution::threads, "as many as there are cores by default; the numbers are the same", "N");
  text("-o,--output", &TypedRestitution::output, "a table or a picture, instead of standard output", "FILE.csv|.svg");
  command.add_flag("--json", typed->json, "for programs");
  command.footer(notes);
  return {&command, [typed] { return run_restitution(*typed); }};
}

}  // namespace asperity::cli
