#include "asperity/identify/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "asperity/csv.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/identify/compensator.hpp"
#include "asperity/identify/tables.hpp"
#include "commands.hpp"
#include "identify_plan.hpp"
#include "identify_stick_slip.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;
using identify::Request;
using identify::TableKind;
using identify::Window;

struct TypedIdentify {
  std::vector<std::string> data;
  std::string laws, map;
  std::string mass = "0", viscous = "0", offset = "0", train, test, validate, filter, elements, folder;
  std::vector<std::string> fix, bound, with, effect;
  std::string separate;
  std::string delay = "0", compensator;
  bool robust = false, json = false;
};

/// What was typed, as a request.
class IdentifyReader {
 public:
  explicit IdentifyReader(const TypedIdentify& typed) : typed_(typed) {
    request.dash = "--";
    request.laws = comma_list(typed.laws);
    request.map = identify::read_map(typed.map, problems);
    if (!typed.filter.empty())
      if (const auto read = identify::read_filter(typed.filter, problems)) request.filter = *read;
    read_settings();
    kind = identify::kind_of(request.map);
    const bool has_laws = kind == TableKind::series || kind == TableKind::steady;
    // What is wrong with laws comes first.
    Problems found = has_laws ? problems_of(request) : Problems{};
    const auto others =
        std::stable_partition(found.begin(), found.end(), [](const std::string& line) { return line.starts_with("--law"); });
    problems.insert(problems.begin(), found.begin(), others);
    problems.insert(problems.end(), others, found.end());
    request.train = window("--train", typed.train), request.test = window("--test", typed.test);
    if (!typed.test.empty() && !typed.validate.empty()) problems.emplace_back("--test and --validate: must be one of them");
    if (kind != TableKind::series) refuse_what_needs_time(has_laws);
    if (!problems.empty()) return;
    std::vector<identify::Source> sources;
    for (const std::string& path : typed.data)
      if (auto source = identify::read_source(path, problems)) sources.push_back(std::move(*source));
    if (!typed.validate.empty())
      if (auto source = identify::read_source(typed.validate, problems)) request.validate = std::move(*source);
    if (!problems.empty()) return;
    if (auto all = identify::joined(std::move(sources), request.map, problems)) request.data = std::move(*all);
  }

  Problems problems;
  Request request;
  TableKind kind = TableKind::series;

 private:
  void refuse_what_needs_time(bool has_laws) {
    const auto refuse = [&](const char* option, bool is_given) {
      if (is_given) problems.push_back(fmt::format("{}: needs time in the --map", option));
    };
    refuse("--mass", typed_.mass != "0"), refuse("--train", !typed_.train.empty()), refuse("--test", !typed_.test.empty());
    refuse("--validate", !typed_.validate.empty()), refuse("--filter", !typed_.filter.empty()),
        refuse("--with", !typed_.with.empty());
    refuse("--effect", !typed_.effect.empty()), refuse("--separate", !typed_.separate.empty());
    refuse("--delay", typed_.delay != "0"), refuse("--robust", typed_.robust), refuse("--compensator", !typed_.compensator.empty());
    refuse("-o", !typed_.folder.empty());
    if (typed_.data.size() > 1) problems.emplace_back("DATA: a table without time must be one file");
    if (!has_laws && !typed_.laws.empty())
      problems.emplace_back("--law: is for pairs of velocity and force, and for data with time");
  }

  std::optional<double> quantity(const std::string& what, const std::string& text, const char* unit) {
    std::string why;
    const auto value = read_quantity(text, unit, why);
    if (!value) problems.push_back(fmt::format("{} {}: {}", what, text, why));
    return value;
  }

  void read_settings() {
    identify::FitSettings& settings = request.settings;
    if (typed_.mass == "free") {
      settings.mass.reset();
    } else if (const auto mass = quantity("--mass", typed_.mass, "kg")) {
      if (*mass >= 0 && std::isfinite(*mass)) settings.mass = *mass;
      else problems.push_back(fmt::format("--mass {}: must be >= 0, or free", typed_.mass));
    }
    for (const auto& [option, text, target] :
         {std::tuple("--viscous", &typed_.viscous, &settings.viscous), std::tuple("--offset", &typed_.offset, &settings.offset)}) {
      *target = *text == "free";
      if (*text != "free" && *text != "0") problems.push_back(fmt::format("{} {}: must be free, or 0", option, *text));
    }
    const auto elements = typed_.elements.empty() ? 10.0 : parse_number(typed_.elements);
    if (!elements || !(*elements >= 1 && *elements <= 50) || *elements != std::round(*elements))
      problems.push_back(fmt::format("--elements {}: must be a whole number between 1 and 50", typed_.elements));
    else settings.elements = static_cast<int>(*elements);
    settings.robust = typed_.robust;
    request.options.with = typed_.with;
    request.effects = typed_.effect;
    if (!typed_.separate.empty()) request.separate = comma_list(typed_.separate);
    if (const auto delay = quantity("--delay", typed_.delay, "s")) {
      if (std::isfinite(*delay)) request.options.delay = *delay;
      else problems.push_back(fmt::format("--delay {}: must be finite", typed_.delay));
    }
    for (const std::string& text : typed_.fix) {
      const std::size_t equals = text.rfind('=');
      const auto value = equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
      if (!value || !std::isfinite(*value))
        problems.push_back(fmt::format("--fix {}: must be NAME=VALUE with a finite value in SI units", text));
      else settings.fixed.emplace_back(text.substr(0, equals), *value);
    }
    for (const std::string& text : typed_.bound) {
      const std::size_t equals = text.rfind('='), colon = text.rfind(':');
      const bool cut = equals != std::string::npos && colon != std::string::npos && colon > equals;
      const auto low = cut ? parse_number(text.substr(equals + 1, colon - equals - 1)) : std::nullopt;
      const auto high = cut ? parse_number(text.substr(colon + 1)) : std::nullopt;
      if (!low || !high || !(*low > 0 && *high > *low && std::isfinite(*high)))
        problems.push_back(fmt::format("--bound {}: must be NAME=LOW:HIGH with 0 < LOW < HIGH, in SI units", text));
      else settings.bounds.push_back({text.substr(0, equals), *low, *high});
    }
  }

  std::optional<Window> window(const char* option, const std::string& text) {
    if (text.empty()) return std::nullopt;
    const std::size_t colon = text.find(':');
    Window w;
    w.text = text;
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

  const TypedIdentify& typed_;
};

/// Rows without time.
int run_table(const TypedIdentify& typed, const Request& read) {
  identify::TableRequest request;
  request.laws = read.laws, request.data = read.data, request.map = read.map, request.settings = read.settings;
  request.dash = read.dash;
  identify::TableStudy found;
  {
    LongCall call(!typed.json);
    request.hooks = call.hooks();
    found = run(request);
  }
  if (stop_signal() != 0) return interrupted("identify");
  if (!found.problems.empty()) {
    report("identify", found.problems);
    if (typed.json) print("identify", identify::refusal_facts(found.problems));
    return bad_input;
  }
  return print("identify", typed.json ? table_facts(found) : table_text(found)) ? fine : run_failed;
}

int run_identify(const TypedIdentify& typed) {
  IdentifyReader reader(typed);
  Request& request = reader.request;
  Problems objections;
  if (!typed.folder.empty()) objections = identify::folder_objections(typed.folder, request.laws);
  if (!typed.compensator.empty() && !identify::compensator_name(typed.compensator))
    objections.push_back(
        fmt::format("--compensator {}: the name of the file must be one in C, letters, digits and _: axis1.h", typed.compensator));
  const auto refuse = [&](Problems problems) {
    problems.insert(problems.end(), objections.begin(), objections.end());
    report("identify", problems);
    if (typed.json) print("identify", identify::refusal_facts(problems));
    return bad_input;
  };
  if (!reader.problems.empty()) return refuse(reader.problems);
  if (reader.kind != TableKind::series) return run_table(typed, request);
  identify::Outcome found;
  {
    LongCall call(!typed.json);
    request.hooks = call.hooks();
    if (!objections.empty()) request.hooks.stop = [] { return true; };  // what is wrong with the data is said, too
    found = run(request);
  }
  if (stop_signal() != 0) return interrupted("identify");
  if (!objections.empty()) return refuse(found.stopped ? Problems{} : found.problems);
  if (!found.problems.empty()) return refuse(found.problems);
  if (!typed.folder.empty())
    if (auto problem = write_folder(typed.folder, found)) {
      report("identify", {*problem});
      return run_failed;
    }
  if (!typed.compensator.empty())
    if (auto problem = identify::write_compensator(typed.compensator, *found.study)) {
      report("identify", {*problem});
      return run_failed;
    }
  std::string opened = typed.folder.empty() ? "" : fmt::format("Open {}\n", (fs::path(typed.folder) / "report.html").string());
  if (!typed.compensator.empty())
    opened += fmt::format("Wrote {}: the compensator of {}\n", typed.compensator, recommended(found.study->laws).law);
  return print("identify", typed.json ? study_facts(*found.study) : study_text(*found.study) + opened) ? fine : run_failed;
}

}  // namespace

Command add_identify(CLI::App& app) {
  auto typed = std::make_shared<TypedIdentify>();
  auto pulled = std::make_shared<StickSlipCommand>();
  auto planned = std::make_shared<PlanCommand>();
  CLI::App& command =
      *app.add_subcommand("identify", "Fit friction laws to measured motion and force; judge them on data they have not seen");
  command
      .add_option("DATA", typed->data,
                  "tables of numbers, as instruments write them; several with the same columns are fitted together")
      ->type_name("");
  command.add_option("--law", typed->laws, "one or more, separated by commas")->type_name("LAW,LAW");
  command
      .add_option(
          "--map", typed->map,
          "which column is what: \"time=t, position=x [mm], force=-Friction [uN]\"; without time: velocity, rest or load with "
          "force, or before and after")
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
  command
      .add_option("--with", typed->with,
                  "a term that enters the force linearly: cos(q), a column, or an expression over q, v, a and columns. Repeatable")
      ->allow_extra_args(false)
      ->type_name("EXPRESSION")
      ->group(model);
  command
      .add_option("--effect", typed->effect,
                  "tried beside the recommended law and taken if it lowers the error on unseen data: direction, bent, load:COLUMN, "
                  "periodic:PERIOD, temperature:COLUMN. Repeatable")
      ->allow_extra_args(false)
      ->type_name("EFFECT")
      ->group(model);
  command.add_option("--separate", typed->separate, "of several files: what differs from file to file: mass, viscous, offset")
      ->type_name("NAME,NAME")
      ->group(model);
  command.add_option("--delay", typed->delay, "how much later than the motion the force was recorded, s")
      ->type_name("TIME")
      ->group(data);
  command.add_option("--train", typed->train, "fit to this time, s; the first two thirds by default")
      ->type_name("FROM:TO")
      ->group(data);
  command.add_option("--test", typed->test, "judge on this time, s; the rest by default")->type_name("FROM:TO")->group(data);
  command.add_option("--validate", typed->validate, "judge on another file with the same columns")->type_name("FILE")->group(data);
  command
      .add_option("--filter", typed->filter,
                  "of the motion: butter:ORDER:HERTZ, none, or auto, by default: order 4 where its noise becomes stronger than it")
      ->type_name("FILTER")
      ->group(data);
  command.add_flag("--robust", typed->robust, "impulsive noise counts little")->group(data);
  command.add_option("-o,--output", typed->folder, "a folder for the page, the facts and a scene of each law")
      ->type_name("FOLDER")
      ->group(output);
  command
      .add_option("--compensator", typed->compensator,
                  "a header of C that compensates the recommended law: NAME_step(&state, v_ref), NAME being that of the file")
      ->type_name("NAME.h")
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
  for (const char* name : {"--viscous", "--offset", "--elements", "--bound", "--train", "--test", "--filter", "--robust", "--with",
                           "--delay", "--compensator", "--effect", "--separate"})
    stiffness->excludes(command.get_option(name));
  const std::string experiment = "Before the experiment: a motion that determines the parameters, and the intervals to expect";
  CLI::Option* before =
      command.add_flag("--plan", planned->wanted, "no data yet: propose the motion for one --law, on a machine with this --mass")
          ->group(experiment);
  const auto of_plan = [&](const char* name, std::string& target, const char* type, const char* help) {
    command.add_option(name, target, help)->type_name(type)->group(experiment)->needs(before);
  };
  of_plan("--stroke", planned->stroke, "LENGTH", "from end to end, m");
  of_plan("--top-speed", planned->speed, "V", "m/s");
  of_plan("--top-force", planned->force, "FORCE", "N");
  of_plan("--position-noise", planned->position_noise, "LENGTH",
          "standard deviation of a sample, m; of an encoder 0.29 of its resolution");
  of_plan("--force-noise", planned->force_noise, "FORCE", "standard deviation of a sample, N");
  of_plan("--rate", planned->rate, "RATE", "samples per second");
  of_plan("--duration", planned->duration, "TIME", "about, s; 20 by default");
  command.add_option("--guess", planned->guess, "a parameter that is known roughly: F_c=5; Fv or offset, too. Repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->group(experiment)
      ->needs(before);
  for (const char* name : {"DATA", "--map", "--viscous", "--offset", "--fix", "--bound", "--with", "--delay", "--train", "--test",
                           "--validate", "--filter", "--robust", "--compensator", "--effect", "--separate", "--spring"})
    before->excludes(command.get_option(name));
  command.callback([typed, planned] {
    Problems ignored;
    const TableKind kind = identify::kind_of(identify::read_map(typed->map, ignored));
    if (typed->data.empty() && !planned->wanted) throw CLI::RequiredError("DATA");
    if (typed->laws.empty() && (kind == TableKind::series || kind == TableKind::steady)) throw CLI::RequiredError("--law");
    if (typed->map.empty() && !planned->wanted) throw CLI::RequiredError("--map");
  });
  command.footer(
      fmt::format("Laws\n  {}\n\nExample\n  asperity identify data.csv --law single_state,multistate --map \"time=t, position=x "
                  "[mm], force=F\" --mass free -o out/identify",
                  fmt::join(identify::law_choices(), ", ")));
  return {&command, [typed, pulled, planned] {
            if (planned->wanted) {
              planned->laws = typed->laws, planned->mass = typed->mass == "0" ? "" : typed->mass;
              planned->elements = typed->elements, planned->folder = typed->folder, planned->json = typed->json;
              return run_plan(*planned);
            }
            if (pulled->spring.empty()) return run_identify(*typed);
            pulled->data = typed->data.front(), pulled->laws = typed->laws, pulled->map = typed->map, pulled->fix = typed->fix;
            pulled->mass = typed->mass == "0" ? "" : typed->mass, pulled->validate = typed->validate;
            pulled->folder = typed->folder, pulled->json = typed->json;
            return run_stick_slip(*pulled);
          }};
}

}  // namespace asperity::cli
