#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>

#include "asperity/csv.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/identify/data.hpp"
#include "asperity/identify/names.hpp"
#include "asperity/identify/study.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/report/report.hpp"
#include "asperity/utf8.hpp"
#include "commands.hpp"
#include "files/own_files.hpp"
#include "identify_stick_slip.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;
using namespace identify;
using identify::Finding;

struct Typed {
  std::string data, laws, map;
  std::string mass = "0", viscous = "0", offset = "0", train, test, validate, filter, elements = "10", folder;
  std::vector<std::string> fix, bound;
  bool robust = false, json = false;
};

constexpr double forever = std::numeric_limits<double>::infinity();

/// From .. to, in seconds; either end may be left out.
struct Window {
  double from = -forever, to = forever;
};

std::string said_of_one_way(const std::string& when) {
  return fmt::format("the motion has only one direction in {}: constant friction cannot be told from an offset of the force", when);
}

/// What was asked for, checked as a whole.
class Request {
 public:
  explicit Request(const Typed& typed) : typed_(typed) {
    read_laws();
    const auto map = read_map(typed.map, problems);
    Filter filter;
    if (!typed.filter.empty())
      if (const auto read = read_filter(typed.filter, problems)) filter = *read;
    read_settings();
    const auto train = window("--train", typed.train), test = window("--test", typed.test);
    if (!typed.test.empty() && !typed.validate.empty()) problems.emplace_back("--test and --validate: must be one of them");
    if (!problems.empty()) return;
    data = measurement(typed.data, map, filter);
    if (!typed.validate.empty()) other = measurement(typed.validate, map, filter);
    if (!problems.empty()) return;
    choose_rows(train, test);
  }

  Problems problems;
  std::vector<Translated> laws;
  std::optional<Measurement> data, other;
  Rows rows;
  Unseen unseen;
  double seen = 0;  // part of them that is fitted, too
  std::string fitted, judged;
  bool is_one_way = false;  // the motion never reverses where it is fitted

 private:
  void read_laws() {
    const auto known = model_names();
    for (const std::string& name : comma_list(typed_.laws)) {
      auto model = make_model(name);
      if (!model) {
        const auto meant = nearest(name, known);
        problems.push_back(
            fmt::format("--law: no law \"{}\" can be identified; {}", name,
                        meant ? "did you mean " + *meant + "?" : fmt::format("there are {}", fmt::join(known, ", "))));
      } else if (std::any_of(models_.begin(), models_.end(), [&](const auto& m) { return m->about().name == name; })) {
        problems.push_back(fmt::format("--law: {} is given twice", name));
      } else {
        models_.push_back(std::move(model));
      }
    }
  }

  std::optional<double> quantity(const std::string& what, const std::string& text, const char* unit) {
    std::string why;
    const auto value = read_quantity(text, unit, why);
    if (!value) problems.push_back(fmt::format("{} {}: {}", what, text, why));
    return value;
  }

  void read_settings() {
    if (typed_.mass == "free") {
      settings_.mass.reset();
    } else if (const auto mass = quantity("--mass", typed_.mass, "kg")) {
      settings_.mass = *mass;
      if (!(*mass >= 0) || !std::isfinite(*mass)) problems.push_back(fmt::format("--mass {}: must be >= 0, or free", typed_.mass));
    }
    for (const auto& [option, text, target] : {std::tuple("--viscous", &typed_.viscous, &settings_.viscous),
                                               std::tuple("--offset", &typed_.offset, &settings_.offset)}) {
      *target = *text == "free";
      if (*text != "free" && *text != "0") problems.push_back(fmt::format("{} {}: must be free, or 0", option, *text));
    }
    const auto elements = parse_number(typed_.elements);
    if (!elements || !(*elements >= 1 && *elements <= 50) || *elements != std::round(*elements))
      problems.push_back(fmt::format("--elements {}: must be a whole number between 1 and 50", typed_.elements));
    else settings_.elements = static_cast<int>(*elements);
    settings_.robust = typed_.robust;
    for (const std::string& text : typed_.fix) {
      const std::size_t equals = text.rfind('=');
      const auto value = equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
      if (!value || !std::isfinite(*value))
        problems.push_back(fmt::format("--fix {}: must be NAME=VALUE with a finite value in SI units", text));
      else settings_.fixed.emplace_back(text.substr(0, equals), *value);
    }
    for (const std::string& text : typed_.bound) {
      const std::size_t equals = text.rfind('='), colon = text.rfind(':');
      const bool cut = equals != std::string::npos && colon != std::string::npos && colon > equals;
      const auto low = cut ? parse_number(text.substr(equals + 1, colon - equals - 1)) : std::nullopt;
      const auto high = cut ? parse_number(text.substr(colon + 1)) : std::nullopt;
      if (!low || !high || !(*low > 0 && *high > *low && std::isfinite(*high)))
        problems.push_back(fmt::format("--bound {}: must be NAME=LOW:HIGH with 0 < LOW < HIGH, in SI units", text));
      else settings_.bounds.push_back({text.substr(0, equals), *low, *high});
    }
    check_names();
  }

  /// A name must belong to one of the laws at least, and may be said once; it is set where it belongs.
  void check_names() {
    std::vector<std::string> known, said;
    for (const auto& model : models_)
      for (std::string& name : names_of(*model, settings_.elements))
        if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(std::move(name));
    for (const auto& [name, text] :
         {std::pair("M", &typed_.mass), std::pair("Fv", &typed_.viscous), std::pair("offset", &typed_.offset)})
      if (*text != "0") said.emplace_back(name);
    const auto check = [&](const char* option, const std::string& name) {
      if (std::find(said.begin(), said.end(), name) != said.end())
        problems.push_back(fmt::format("{} {}: is given twice", option, name));
      said.push_back(name);
      if (models_.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
      const auto meant = nearest(name, known);
      problems.push_back(
          fmt::format("{} {}: {}", option, name,
                      meant ? "did you mean " + *meant + "?" : fmt::format("the laws have {}", fmt::join(known, ", "))));
    };
    for (const auto& [name, value] : settings_.fixed) check("--fix", name);
    for (const Bound& bound : settings_.bounds) check("--bound", bound.name);
    for (auto& model : models_) laws.push_back(translated(std::move(model), settings_, problems));
  }

  std::optional<Window> window(const char* option, const std::string& text) {
    if (text.empty()) return std::nullopt;
    const std::size_t colon = text.find(':');
    Window w;
    bool good = colon != std::string::npos;
    if (good) {
      const auto end = [&](const std::string& part, double& target) {
        if (part.empty()) return;
        const auto value = parse_number(part);
        good = good && value && std::isfinite(*value);
        if (value) target = *value;
      };
      end(text.substr(0, colon), w.from);
      end(text.substr(colon + 1), w.to);
    }
    if (!good || !(w.from < w.to)) problems.push_back(fmt::format("{} {}: must be FROM:TO in seconds, FROM < TO", option, text));
    return w;
  }

  std::optional<Measurement> measurement(const std::string& path, const std::vector<Channel>& map, const Filter& filter) {
    const auto table = read_table(path, problems);
    return table ? measured(path, *table, map, filter, typed_.robust, problems) : std::nullopt;
  }

  static std::string span(const Samples& s, const Rows& chosen) {
    return chosen.empty() ? "nothing" : fmt::format("{:.6g} .. {:.6g} s", s.t[chosen.front()], s.t[chosen.back()]);
  }

  /// A copy under another name is not unseen either.
  static bool is_same(const Samples& a, const Samples& b) { return a.t == b.t && a.force == b.force; }

  /// Windows that touch share a row, which is fitted. Others may overlap, to fit all that there is; but that is said.
  void mark_seen(bool is_apart) {
    Rows shared, rest;
    std::set_intersection(rows.begin(), rows.end(), unseen.rows.begin(), unseen.rows.end(), std::back_inserter(shared));
    std::set_difference(unseen.rows.begin(), unseen.rows.end(), rows.begin(), rows.end(), std::back_inserter(rest));
    if (is_apart) unseen.rows = std::move(rest);
    else if (!shared.empty()) seen = static_cast<double>(shared.size()) / static_cast<double>(unseen.rows.size());
  }

  /// Without windows the first two thirds are fitted and the last third is unseen; with one, the rest is the other.
  void choose_rows(const std::optional<Window>& train, const std::optional<Window>& test) {
    const Samples& s = data->samples;
    const Rows all = rows_between(s, -forever, forever);
    if (all.empty()) {
      problems.push_back(fmt::format("{}: no row is left once the ends are cut off", typed_.data));
      return;
    }
    const auto without = [&](const Window& w) {
      Rows rest;
      for (const std::size_t k : all)
        if (s.t[k] < w.from || s.t[k] > w.to) rest.push_back(k);
      return rest;
    };
    const double cut = s.t[all[2 * all.size() / 3]];
    const bool elsewhere = other.has_value();
    rows = train       ? rows_between(s, train->from, train->to)
           : test      ? without(*test)
           : elsewhere ? all
                       : rows_between(s, -forever, cut);
    unseen.samples = elsewhere ? &other->samples : &s;
    unseen.rows = elsewhere ? rows_between(other->samples, -forever, forever)
                  : test    ? rows_between(s, test->from, test->to)
                  : train   ? without(*train)
                            : rows_between(s, std::nextafter(cut, forever), forever);
    const bool is_apart = train && test && (train->to <= test->from || test->to <= train->from);
    if (!elsewhere || is_same(s, other->samples)) mark_seen(is_apart);
    fitted = span(s, rows);
    judged = elsewhere ? typed_.validate : span(s, unseen.rows);
    if (rows.size() < 20)
      problems.push_back(
          fmt::format("--train {}: {} samples: must be 20 at least; the data are {}", typed_.train, rows.size(), span(s, all)));
    if (unseen.rows.empty()) problems.push_back(fmt::format("--test {}: no samples; the data are {}", typed_.test, span(s, all)));
    if (!problems.empty()) return;
    const Scales scales = scales_of(s, rows);
    is_one_way = never_reverses(s, rows);
    if (!(scales.velocity > 0) || !(scales.travel > 0))
      problems.push_back(fmt::format("{}: nothing moves in {}: friction cannot be identified", typed_.data, fitted));
    else if (is_one_way && !(scales.force > 0)) problems.push_back(fmt::format("{}: {}", typed_.data, said_of_one_way(fitted)));
    else if (!(scales.force > 0))
      problems.push_back(fmt::format("{}: the {}{} does not change in {}: nothing can be identified", typed_.data,
                                     data->is_rotary ? "torque" : "force", data->has_load ? " over the load" : "", fitted));
  }

  /// Noise around standing still is no reversal.
  static bool never_reverses(const Samples& s, const Rows& chosen) {
    double there = 0, back = 0;
    for (const std::size_t k : chosen) (s.velocity[k] > 0 ? there : back) += std::abs(s.velocity[k]) * s.step[k];
    return std::min(there, back) < 1e-3 * std::max(there, back);
  }

  const Typed& typed_;
  std::vector<std::unique_ptr<Model>> models_;
  FitSettings settings_;
};

std::string quantity_of(const Study& study, const Finding& f) { return known_quantity(f.value, unit_in(study, f.name, f.unit), 5); }

std::string told(const Study& study) {
  std::string text;
  for (const std::string& note : study.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("fitted on {}, judged on {}\n\nlaws by their error on {}\n", study.fitted, study.judged, kind_of_data(study));
  const bool simulated = std::any_of(study.laws.begin(), study.laws.end(), [](const Judged& j) { return j.fit.mass > 0; });
  const char* judged = study.seen == 0 ? "unseen rms" : "judged rms";
  std::vector<std::vector<std::string>> table{
      {"law", judged, "of range", "fitted rms", "of range", "parameters", "states", "a sample"}};
  if (simulated) table[0].emplace_back("simulated position");
  const auto part = [&](double rms) { return fmt::format("{:.2f} %", 100 * rms / study.range); };
  for (const Judged& j : study.laws) {
    table.push_back({j.law, known_quantity(j.unseen_rms, force_unit(study)), part(j.unseen_rms),
                     known_quantity(j.rms, force_unit(study)), part(j.rms), std::to_string(j.uncertainty.parameters),
                     std::to_string(j.states), fmt::format("{:.0f} ns", j.nanoseconds)});
    if (simulated) table.back().push_back(known_quantity(j.position_rms, length_unit(study)));
  }
  text += aligned(table, simulated ? "<>>>>>>>>" : "<>>>>>>>") + "\n";
  for (const Judged& j : study.laws) {
    text += j.is_identified() ? j.law + "\n" : fmt::format("{}: not identified, {}\n", j.law, why_not(study, j));
    std::vector<std::vector<std::string>> rows;
    for (const Finding& f : j.uncertainty.findings) {
      const std::string unit = unit_in(study, f.name, f.unit);
      rows.push_back({f.name, quantity_of(study, f), f.remark.empty() ? "+- " + known_quantity(f.error, unit, 2) : f.remark,
                      f.remark.empty() && std::isfinite(f.error)
                          ? fmt::format("95 %: {} .. {}", known_quantity(f.low, unit, 4), known_quantity(f.high, unit, 4))
                          : ""});
    }
    text += aligned(rows, "<><<");
    for (const std::string& line : doubts(study, j)) text += fmt::format("  not told by the data: {}\n", line);
    if (!j.fit.converged) text += "  warning: the fit was still improving when its steps were used up\n";
    if (!j.uncertainty.is_white)
      text +=
          fmt::format("  warning: residuals are not white (neighbours correlate by {:.3f}); errors count {:.3g} samples as one\n",
                      j.uncertainty.correlation, j.uncertainty.runs);
    text += "\n";
  }
  return text + advice(study) + "\n";
}

/// A scene for each law, the facts, the page.
std::optional<std::string> write_folder(const fs::path& folder, const Study& study, const Unseen& unseen) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const Judged& j : study.laws) files.emplace_back(j.law + ".toml", study_scene(study, j));
  files.emplace_back("identify.json", study_facts(study));
  files.emplace_back("report.html", study_page(study, unseen));
  return files::OwnFiles(folder).write(files);
}

Problems objections(const Typed& typed) {
  std::vector<std::string> names{"identify.json", "report.html"};
  for (const std::string& law : comma_list(typed.laws)) names.push_back(law + ".toml");
  return files::OwnFiles(typed.folder).objections(names);
}

Problems unidentified(const Study& study, bool is_one_way) {
  if (is_one_way) return {said_of_one_way(study.fitted) + "; not identifiable"};
  Problems lines;
  for (const Judged& j : study.laws)
    lines.push_back(fmt::format("{}: not identifiable in {}: {}", j.law, study.fitted, why_not(study, j)));
  for (const std::string& note : study.notes) lines.push_back("note: " + note);
  return lines;
}

void set_scale(Study& study, const Samples& samples, const Rows& rows) {
  double low = forever, high = -forever;
  study.load = 0;
  for (const std::size_t k : rows) {
    low = std::min(low, samples.force[k]), high = std::max(high, samples.force[k]);
    study.load += samples.load[k] / static_cast<double>(rows.size());
  }
  study.range = high - low;
}

int run_identify(const Typed& typed) {
  Request request(typed);
  if (!typed.folder.empty())
    for (std::string& problem : objections(typed)) request.problems.push_back(std::move(problem));
  if (!request.problems.empty()) {
    report("identify", request.problems);
    return bad_input;
  }
  const Samples& samples = request.data->samples;
  Study study;
  study.data = one_line(fs::path(typed.data).filename().string());
  study.fitted = request.fitted, study.judged = one_line(request.judged);
  study.notes = request.data->notes;
  study.is_rotary = request.data->is_rotary, study.has_load = request.data->has_load, study.is_robust = typed.robust;
  study.step = samples.step[1];
  study.seen = request.seen;
  if (request.is_one_way) study.notes.push_back(said_of_one_way(study.fitted));
  for (const auto& [model, settings] : request.laws)
    study.laws.push_back(judge(*model, samples, request.rows, request.unseen, settings));
  if (typed.robust)
    for (std::string& note : leave_out_spikes(study.laws, samples, request.rows, request.unseen))
      study.notes.push_back(std::move(note));
  rank(study.laws);
  set_scale(study, samples, request.rows);
  if (std::none_of(study.laws.begin(), study.laws.end(), [](const Judged& j) { return j.is_identified(); })) {
    report("identify", unidentified(study, request.is_one_way));
    return bad_input;
  }
  if (!typed.folder.empty())
    if (auto problem = write_folder(typed.folder, study, request.unseen)) {
      report("identify", {*problem});
      return run_failed;
    }
  const std::string opened =
      typed.folder.empty() ? "" : fmt::format("Open {}\n", (fs::path(typed.folder) / "report.html").string());
  return print("identify", typed.json ? study_facts(study) : told(study) + opened) ? fine : run_failed;
}

}  // namespace

Command add_identify(CLI::App& app) {
  auto typed = std::make_shared<Typed>();
  auto pulled = std::make_shared<StickSlipCommand>();
  CLI::App& command =
      *app.add_subcommand("identify", "Fit friction laws to measured motion and force; judge them on data they have not seen");
  command.add_option("DATA", typed->data, "a table of numbers: commas or tabs, a header")->required()->type_name("");
  command.add_option("--law", typed->laws, "one or more, separated by commas")->required()->type_name("LAW,LAW");
  command.add_option("--map", typed->map, "which column is what: \"time=t, position=x [mm], force=-Friction [uN]\"")
      ->required()
      ->type_name("MAP");
  const std::string model = "Model: force = M a + law(v) + Fv v + offset", data = "Data", output = "Output";
  command.add_option("--mass", typed->mass, "free, or a number; 0 by default")->type_name("M")->group(model);
  command.add_option("--viscous", typed->viscous, "free: with viscous friction")->type_name("free")->group(model);
  command.add_option("--offset", typed->offset, "free: with a constant force")->type_name("free")->group(model);
  command.add_option("--elements", typed->elements, "of laws made of elements, at most; 10 by default")
      ->type_name("N")
      ->group(model);
  command.add_option("--fix", typed->fix, "a parameter that is known: v_s=1e-3; M, Fv or offset, too. Repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->group(model);
  command.add_option("--bound", typed->bound, "where a parameter is looked for: alpha=0.5:3. Repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=LOW:HIGH")
      ->group(model);
  command.add_option("--train", typed->train, "fit to this time, s; the first two thirds by default")
      ->type_name("FROM:TO")
      ->group(data);
  command.add_option("--test", typed->test, "judge on this time, s; the rest by default")->type_name("FROM:TO")->group(data);
  command.add_option("--validate", typed->validate, "judge on another file with the same columns")->type_name("FILE")->group(data);
  command
      .add_option("--filter", typed->filter,
                  "of the motion: butter:ORDER:HERTZ or none; order 4 at a tenth of the sampling rate by default")
      ->type_name("FILTER")
      ->group(data);
  command.add_flag("--robust", typed->robust, "impulsive noise counts little")->group(data);
  command.add_option("-o,--output", typed->folder, "a folder for the page, the facts and a scene of each law")
      ->type_name("FOLDER")
      ->group(output);
  command.add_flag("--json", typed->json, "for programs")->group(output);
  const std::string spring = "Stick-slip of a sled that is pulled through a spring; the force is that of the spring";
  CLI::Option* stiffness = command.add_option("--spring", pulled->spring, "its stiffness, N/m")->type_name("K")->group(spring);
  const auto of_spring = [&](const char* name, std::string& target, const char* type, const char* help) {
    command.add_option(name, target, help)->type_name(type)->group(spring)->needs(stiffness);
  };
  of_spring("--pull", pulled->pull, "V", "how fast its far end goes, m/s");
  of_spring("--load", pulled->load, "N", "the force is over this load, N; free: read off the rise of the force while it sticks");
  of_spring("--slip", pulled->slip, "FORCE", "falls by more than this are slips; a tenth of the range by default");
  of_spring("--predict", pulled->predict, "K", "what the laws say about another spring, N/m; --validate: data of that spring");
  for (const char* name : {"--viscous", "--offset", "--elements", "--bound", "--train", "--test", "--filter", "--robust"})
    stiffness->excludes(command.get_option(name));
  command.footer(
      fmt::format("Laws\n  {}\n\nExample\n  asperity identify data.csv --law single_state,multistate --map \"time=t, position=x "
                  "[mm], force=F\" --mass free -o out/identify",
                  fmt::join(model_names(), ", ")));
  return {&command, [typed, pulled] {
            if (pulled->spring.empty()) return run_identify(*typed);
            pulled->data = typed->data, pulled->laws = typed->laws, pulled->map = typed->map, pulled->fix = typed->fix;
            pulled->mass = typed->mass == "0" ? "" : typed->mass, pulled->validate = typed->validate;
            pulled->folder = typed->folder, pulled->json = typed->json;
            return run_stick_slip(*pulled);
          }};
}

}  // namespace asperity::cli
