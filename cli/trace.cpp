#include "asperity/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "asperity/plot.hpp"
#include "commands.hpp"
#include "facts/json.hpp"
#include "files/output_file.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

constexpr double most_rows = 1e7;
constexpr int most_elements = 1000;
constexpr double default_gap = -1e-4;  // m: a composite is in touch unless told otherwise

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = list.find(',', begin);
    items.push_back(list.substr(begin, comma - begin));
    if (comma == std::string_view::npos) return items;
    begin = comma + 1;
  }
}

/// Turns what was typed into a law, a motion and a grid, and notes everything that is wrong with it on the way.
class TraceRequest {
 public:
  explicit TraceRequest(const TraceOptions& typed) : typed_(typed) {
    read_law();
    read_method();
    read_grid();
    read_motion();
    check_grid();
  }

  Problems problems;
  std::unique_ptr<AnyLaw> law;
  Drive drive;
  TraceSettings settings;
  std::string motion;  // as typed: `--velocity "sin(t)"`

 private:
  // --- pieces of input ---------------------------------------------------------------------------------------------

  std::optional<double> number(std::string_view option, const std::optional<std::string>& text, std::string_view unit,
                               Range range) {
    if (!text) return std::nullopt;
    const auto value = parse_number(*text);
    if (!value) {
      problems.push_back(fmt::format("{} = \"{}\": must be a number", option, *text));
      return std::nullopt;
    }
    if (range.contains(*value)) return value;
    problems.push_back(
        fmt::format("{} = {:g} {}: must be {}", option, *value, unit, std::isfinite(*value) ? to_text(range) : "a finite number"));
    return std::nullopt;
  }

  std::optional<std::vector<double>> numbers(std::string_view place, std::string_view list) {
    std::vector<double> values;
    for (const std::string_view item : split(list)) {
      if (const auto value = parse_number(item)) {
        values.push_back(*value);
      } else {
        problems.push_back(fmt::format("{}: \"{}\" is not a number", place, item));
        return std::nullopt;
      }
    }
    return values;
  }

  // --- the law -----------------------------------------------------------------------------------------------------

  void read_law() {
    law = find_law(typed_.law, problems);
    if (typed_.elements) {
      const auto n = parse_number(*typed_.elements);
      if (!n || *n != std::floor(*n) || *n < 1 || *n > most_elements) {
        problems.push_back(
            fmt::format("--elements = {}: must be a whole number between 1 and {}", *typed_.elements, most_elements));
      } else if (law && !law->has_elements()) {
        problems.push_back(fmt::format("--elements = {}: {} is not made of elements", *typed_.elements, typed_.law));
      } else if (law) {
        law->set_elements(static_cast<int>(*n));
      }
    }
    for (const std::string& setting : typed_.set) {
      const std::size_t equals = setting.find('=');
      if (equals == std::string::npos || equals == 0) {
        problems.push_back(fmt::format("--set {}: must be NAME=VALUE, for instance K=1e5", setting));
        continue;
      }
      const auto values = numbers("--set " + setting, std::string_view(setting).substr(equals + 1));
      if (!values || !law) continue;
      if (auto problem = law->set(setting.substr(0, equals), *values)) problems.push_back("--set " + *problem);
    }
    if (law)
      for (std::string& problem : law->problems()) problems.push_back(std::move(problem));
  }

  void read_method() {
    if (typed_.method == "rk4") settings.method = TraceMethod::rk4;
    else if (typed_.method == "euler") settings.method = TraceMethod::euler;
    else if (typed_.method == "implicit") settings.method = TraceMethod::implicit;
    else if (typed_.method == "implicit2") settings.method = TraceMethod::implicit2;
    else if (typed_.method != "step")
      problems.push_back(fmt::format("--method {}: must be step, rk4, euler, implicit or implicit2", typed_.method));
    if (settings.method != TraceMethod::step && law && law->about().discrete)
      problems.push_back(fmt::format("--method {}: {} exists in sampled time only; use --method step", typed_.method, typed_.law));
  }

  // --- time --------------------------------------------------------------------------------------------------------

  void read_grid() {
    duration_ = number("--duration", typed_.duration, "s", positive);
    step_ = number("--step", typed_.step, "s", positive);
    if (step_) settings.step = *step_;
  }

  /// After the motion, which may have a duration of its own.
  void check_grid() {
    if (!typed_.step && !step_ && motion_given_) problems.emplace_back("no --step given: the time between rows, in s");
    if (!typed_.duration && !duration_ && motion_given_ && !has_own_duration_)
      problems.emplace_back("no --duration given: how long to trace, in s");
    if (!step_ || !duration_) return;
    settings.step = *step_;
    if (*step_ > *duration_ * (1 + 1e-12)) {
      problems.push_back(fmt::format("--step = {:g} s: must be <= the duration = {:g} s", *step_, *duration_));
      return;
    }
    const double ratio = *duration_ / *step_;
    if (ratio + 1 > most_rows) {
      problems.push_back(fmt::format("--step = {:g} s: makes {:g} rows in {:g} s: must be <= {:g} rows", *step_, ratio + 1,
                                     *duration_, most_rows));
      return;
    }
    const double whole = std::round(ratio);
    const bool even = std::abs(ratio - whole) < 1e-6;
    settings.steps = static_cast<std::int64_t>(even ? whole : (to_its_end_ ? std::ceil(ratio) : std::floor(ratio)));
  }

  // --- motion ------------------------------------------------------------------------------------------------------

  void read_motion() {
    std::vector<std::string> given;
    for (const auto& [name, option] : {std::pair("--velocity", &typed_.velocity), std::pair("--position", &typed_.position),
                                       std::pair("--waypoints", &typed_.waypoints), std::pair("--input", &typed_.input)})
      if (*option) {
        given.emplace_back(name);
        motion = fmt::format("{} {}", name, **option);
      }
    motion_given_ = !given.empty();
    if (given.empty()) problems.emplace_back("no motion given: use --velocity, --position, --waypoints with --speed, or --input");
    if (given.size() > 1) problems.push_back(fmt::format("{} given: must be one motion only", fmt::join(given, " and ")));
    if (typed_.speed && !typed_.waypoints) problems.push_back(fmt::format("--speed {}: needs --waypoints", *typed_.speed));

    const double from = number("--from", typed_.from, "m", Range{}).value_or(0);
    if (typed_.from && !typed_.velocity && !typed_.input)
      problems.push_back(fmt::format("--from {}: needs a motion given by its velocity", *typed_.from));

    std::unique_ptr<Course> course;
    if (typed_.velocity)
      if (auto f = time_function("--velocity", *typed_.velocity, problems)) course = course_of_velocity(std::move(*f), from);
    if (typed_.position) course = position_course("--position", *typed_.position);
    if (typed_.waypoints) course = waypoint_course();
    if (typed_.input) course = file_course(from);
    read_load();

    const bool composite = law && law->about().kind == Kind::composite;
    if (typed_.gap && law && !composite)
      problems.push_back(law->about().kind == Kind::contact
                             ? fmt::format("--gap {}: {} takes its gap from --position, --velocity, --waypoints or --input",
                                           *typed_.gap, typed_.law)
                             : fmt::format("--gap {}: {} has no gap", *typed_.gap, typed_.law));
    if (typed_.gap && drive.gap) problems.push_back(fmt::format("--gap {}: {} has a gap already", *typed_.gap, *typed_.input));
    if (composite && typed_.gap) drive.gap = position_course("--gap", *typed_.gap);
    if (composite && !drive.gap) drive.gap = course_of_position([](double) { return default_gap; }, settings.step);
    (law && law->about().kind == Kind::contact ? drive.gap : drive.slip) = std::move(course);
  }

  std::unique_ptr<Course> position_course(std::string_view option, const std::string& formula) {
    auto f = time_function(option, formula, problems);
    return f ? course_of_position(std::move(*f), settings.step / 512) : nullptr;
  }

  std::unique_ptr<Course> waypoint_course() {
    has_own_duration_ = true;
    const auto speed = number("--speed", typed_.speed, "m/s", positive);
    if (!typed_.speed) problems.emplace_back("--waypoints: needs --speed, in m/s");
    auto points = numbers("--waypoints", *typed_.waypoints);
    if (!points) return nullptr;
    for (const double p : *points)
      if (!std::isfinite(p)) {
        problems.push_back(fmt::format("--waypoints: {} m: must be a finite number", p));
        return nullptr;
      }
    points->erase(std::unique(points->begin(), points->end()), points->end());
    if (points->size() < 2) {
      problems.push_back(fmt::format("--waypoints {}: must have two different positions at least", *typed_.waypoints));
      return nullptr;
    }
    if (!speed) return nullptr;
    auto times = times_at_speed(*points, *speed);
    take_duration(times.back());
    return course_through(std::move(times), std::move(*points));
  }

  std::unique_ptr<Course> file_course(double from) {
    const Kind kind = law ? law->about().kind : Kind::friction;
    std::vector<std::string> wanted{"position", "velocity", "load"};
    if (kind != Kind::friction) wanted = {"position", "velocity", "gap", "gap_rate"};
    auto file = asperity::read_motion(*typed_.input, wanted, problems);
    if (!file) {
      has_own_duration_ = true, step_ = step_ ? step_ : 1;  // not to be asked for on top
      return nullptr;
    }
    const double length = file->t.back() - file->t.front();
    if (duration_ && *duration_ > length * (1 + 1e-9))
      problems.push_back(
          fmt::format("--duration = {:g} s: must be <= {:g} s, the length of {}", *duration_, length, *typed_.input));
    take_duration(length);
    settings.start = file->t.front();
    if (!typed_.step) take_step(file->t);

    if (kind == Kind::friction && file->find("load")) drive.load = sampled_function(file->t, file->find("load")->values);
    if (kind == Kind::composite) drive.gap = sampled(*file, "gap", "gap_rate", default_gap);
    if (typed_.from && (file->find("position") || (kind == Kind::contact && file->find("gap"))))
      problems.push_back(fmt::format("--from {}: {} has positions of its own", *typed_.from, *typed_.input));
    std::unique_ptr<Course> course;
    if (kind == Kind::contact) course = sampled(*file, "gap", "gap_rate", from);
    if (!course) course = sampled(*file, "position", "velocity", from);
    if (!course && law)
      problems.push_back(fmt::format("{}:1: no column {}; the columns are: {}", *typed_.input,
                                     kind == Kind::contact ? "\"gap\" or \"gap_rate\"" : "\"position\" or \"velocity\"",
                                     fmt::join(file->header, ", ")));
    return course;
  }

  static std::unique_ptr<Course> sampled(const MotionFile& file, std::string_view position, std::string_view velocity,
                                         double from) {
    const Column *p = file.find(position), *v = file.find(velocity);
    if (v) return course_of_samples(file.t, p ? p->values : std::vector<double>{}, v->values, from);
    if (p) return course_through(file.t, p->values);
    return nullptr;
  }

  void take_duration(double own) {
    has_own_duration_ = true;
    to_its_end_ = !typed_.duration;
    if (!typed_.duration) duration_ = own;
  }

  /// Of a file with evenly spaced rows.
  void take_step(const std::vector<double>& t) {
    const double mean = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
    for (std::size_t i = 1; i < t.size(); ++i)
      if (std::abs(t[i] - t[i - 1] - mean) > 1e-6 * mean) return;
    step_ = settings.step = mean;
  }

  void read_load() {
    if (!typed_.load) return;
    auto f = time_function("--load", *typed_.load, problems);
    if (drive.load) problems.push_back(fmt::format("--load {}: {} has a load already", *typed_.load, *typed_.input));
    if (law && law->about().kind == Kind::contact)
      problems.push_back(fmt::format("--load {}: {} takes no load", *typed_.load, typed_.law));
    if (law && law->about().kind == Kind::composite)
      problems.push_back(fmt::format("--load {}: the load of {} is its normal force; use --gap", *typed_.load, typed_.law));
    if (f) drive.load = std::move(*f);
  }

  const TraceOptions& typed_;
  std::optional<double> duration_, step_;
  bool motion_given_ = false, has_own_duration_ = false, to_its_end_ = false;
};

// --- what comes out ----------------------------------------------------------------------------------------------------

std::vector<double> negated(std::vector<double> values) {
  for (double& v : values) v = -v;
  return values;
}

/// The loop, the curve over velocity, and both against time.
plot::Figure picture_of(const AnyLaw& law, const Trace& trace, const TraceOptions& typed, const std::string& motion) {
  const bool contact = law.about().kind == Kind::contact, composite = law.about().kind == Kind::composite;
  const auto values = [&](std::string_view name) { return trace.find(name)->values; };
  const auto place = contact ? negated(values("gap")) : values("position");
  const auto speed = contact ? negated(values("gap_rate")) : values("velocity");
  const auto force = values(composite ? "tangential_force" : "force");
  const auto t = values("t");
  const plot::Axis place_axis{contact ? "indentation" : "position", "m"},
      speed_axis{contact ? "indentation rate" : "velocity", "m/s"};
  const plot::Axis force_axis{composite ? "tangential force" : (contact ? "contact force" : "friction force"), "N"},
      time_axis{"time", "s"};

  plot::Figure figure;
  figure.title = std::string(law.about().name);
  figure.subtitle = motion;
  for (const auto& [option, value] :
       {std::pair("--speed", &typed.speed), std::pair("--load", &typed.load), std::pair("--gap", &typed.gap)})
    if (*value) figure.subtitle += fmt::format(" {} {}", option, **value);
  if (!typed.set.empty()) figure.subtitle += fmt::format("   with {}", fmt::join(typed.set, ", "));
  figure.panels = {{"", place_axis, force_axis, {{"", place, force}}},
                   {"", speed_axis, force_axis, {{"", speed, force}}},
                   {"", time_axis, force_axis, {{"", t, force}}},
                   {"", time_axis, place_axis, {{"", t, place}}}};
  if (composite) {
    figure.panels[2].y.label = "force";
    figure.panels[2].lines[0].label = "tangential";
    figure.panels[2].lines.push_back({"normal", t, values("normal_force"), plot::Stroke::dashed});
  }
  return figure;
}

std::string summary(const AnyLaw& law, const Trace& trace, const TraceSettings& settings, const TraceOptions& typed) {
  const auto& t = trace.find("t")->values;
  std::string text = fmt::format("{}: {} rows, t = {:g} .. {:g} s, step {:g} s, method {}\n", law.about().name, trace.rows(),
                                 t.front(), t.back(), settings.step, typed.method);
  for (const char* name : {"force", "tangential_force", "normal_force"})
    if (const Column* column = trace.find(name)) {
      const auto [low, high] = std::minmax_element(column->values.begin(), column->values.end());
      std::string label = name;
      std::replace(label.begin(), label.end(), '_', ' ');
      text += fmt::format("{} {:.6g} .. {:.6g} N\n", label, *low, *high);
    }
  text += fmt::format("work in {:.6g} J, dissipated {:.6g} J{}\n", trace.find("work_in")->values.back(),
                      trace.find("energy_dissipated")->values.back(),
                      law.about().stores ? "" : " (no stored energy is declared: right over closed cycles)");
  std::vector<std::string> files;
  for (const auto& path : {typed.output, typed.plot})
    if (path) files.push_back(*path);
  return text + fmt::format("wrote {}\n", fmt::join(files, ", "));
}

std::string likely_cause(const TraceSettings& settings) {
  return settings.method == TraceMethod::step
             ? "the parameters or the motion are extreme"
             : "the step is probably too long for this method: try a smaller --step, or --method step";
}

constexpr std::int64_t most_finer = 2000000;  // steps
constexpr std::int64_t finest_parts = 16;     // parts of a step that are looked at

/// The same trace with shorter steps, as far as it costs little.
struct Checked {
  std::vector<TraceFinding> findings;
  double until = 0;  // s
};
Checked held_against_finer(const TraceOptions& typed, const TraceRequest& request, const Trace& trace) {
  TraceRequest again(typed);  // a course remembers where it was
  TraceSettings finer = again.settings;
  const std::int64_t times = std::clamp<std::int64_t>(most_finer / std::max<std::int64_t>(1, finer.steps), 2, finest_parts);
  finer.step /= double(times);
  finer.steps = std::min(finer.steps * times, most_finer);
  return {check_trace(*request.law, trace, request.settings, run_trace(*again.law, again.drive, finer), int(times)),
          finer.start + double(finer.steps) * finer.step};
}

std::string trace_json(const AnyLaw& law, const Trace& trace, const TraceOptions& typed, const TraceSettings& settings,
                       const Checked& checked) {
  facts::Json json;
  json["asperity"] = version();
  json["law"] = law.about().name;
  json["method"] = typed.method;
  json["step"] = settings.step;
  json["rows"] = trace.rows();
  for (const Column& column : trace.columns) {
    if (column.values.empty()) continue;
    const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
    json["columns"][column.name] = {{"unit", column.unit}, {"low", *low}, {"high", *high}, {"last", column.values.back()}};
  }
  const bool wrong = std::any_of(checked.findings.begin(), checked.findings.end(), [](const auto& one) { return one.failed; });
  json["verdict"] = trace.stop || wrong ? "failed" : checked.findings.empty() ? "fine" : "doubtful";
  json["failure"] = trace.stop ? facts::Json{{"time", trace.stop->time}, {"text", trace.stop->what}} : facts::Json();
  json["findings"] = facts::Json::array();
  for (const TraceFinding& one : checked.findings)
    json["findings"].push_back(
        {{"severity", one.failed ? "failure" : "note"}, {"value", one.value}, {"limit", one.limit}, {"text", one.text}});
  json["checked_until"] = checked.until;
  return facts::text_of(json);
}

int fail(ExitCode code, const Problems& problems) {
  report("trace", problems);
  return code;
}

}  // namespace

int run_trace_command(const TraceOptions& typed) {
  TraceRequest request(typed);
  files::OutputFile csv, picture;
  if (typed.output)
    if (auto problem = csv.open(*typed.output)) request.problems.push_back(std::move(*problem));
  const auto is_input = [&](const std::optional<std::string>& path) {
    std::error_code none;
    return path && typed.input && std::filesystem::equivalent(*path, *typed.input, none);
  };
  if (is_input(typed.output))
    request.problems.push_back(fmt::format("-o {}: must not be the file that --input reads", *typed.output));
  if (is_input(typed.plot))
    request.problems.push_back(fmt::format("--plot {}: must not be the file that --input reads", *typed.plot));
  if (typed.plot && typed.plot == typed.output) {
    request.problems.push_back(fmt::format("{}: cannot hold both the table (-o) and the picture (--plot)", *typed.plot));
  } else if (typed.plot) {
    if (auto problem = picture.open(*typed.plot)) request.problems.push_back(std::move(*problem));
  }
  if (!request.problems.empty()) return fail(bad_input, request.problems);

  const Trace trace = run_trace(*request.law, request.drive, request.settings);
  if (trace.stop && trace.stop->cause == TraceStop::Cause::motion)
    return fail(bad_input, {fmt::format("at t = {:g} s: {}", trace.stop->time, trace.stop->what)});

  errno = 0;
  if (typed.output) {
    write_csv(csv.stream(), trace);
    if (auto problem = csv.commit()) return fail(run_failed, {*problem});
  } else if (!typed.json) {
    write_csv(std::cout, trace);
    if (!std::cout.flush()) return fail(run_failed, {fmt::format("standard output: {}", std::strerror(errno))});
  }
  if (typed.plot && trace.rows() > 0) {
    picture.stream() << plot::to_svg(picture_of(*request.law, trace, typed, request.motion));
    if (auto problem = picture.commit()) return fail(run_failed, {*problem});
  }
  if ((typed.output || typed.plot) && trace.rows() > 0 && !typed.json)
    say_aside(summary(*request.law, trace, request.settings, typed));
  const Checked checked = trace.stop ? Checked{} : held_against_finer(typed, request, trace);
  if (typed.json && !print("trace", trace_json(*request.law, trace, typed, request.settings, checked))) return run_failed;
  Problems doubts;
  bool wrong = false;
  for (const TraceFinding& one : checked.findings) {
    doubts.push_back(fmt::format("{}: {}", one.failed ? "failed" : "warning", one.text));
    wrong = wrong || one.failed;
  }
  report("trace", doubts);
  if (trace.stop)
    return fail(run_failed,
                {fmt::format("stopped at t = {:g} s: {}; {}", trace.stop->time, trace.stop->what, likely_cause(request.settings))});
  return wrong || (typed.strict && !doubts.empty()) ? run_failed : fine;
}

}  // namespace asperity::cli
