#include "asperity/trace/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "wording.hpp"

namespace asperity {
namespace {

constexpr double most_rows = 1e7;
constexpr int most_elements = 1000;
constexpr double default_gap = -1e-4;  // m: a composite is in contact unless the request says otherwise

using MakeCourse = std::function<std::unique_ptr<Course>()>;

std::vector<std::string_view> comma_parts(std::string_view list) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = list.find(',', begin);
    items.push_back(list.substr(begin, comma - begin));
    if (comma == std::string_view::npos) return items;
    begin = comma + 1;
  }
}

/// Turns a request into a law, a motion and a grid, and notes everything that is wrong with it on the way.
class TraceReader {
 public:
  TraceReader(const TraceRequest& request, std::string_view dash, Problems& problems)
      : asked_(request), dash_(dash), problems_(problems) {
    read_law();
    read_method();
    read_grid();
    read_motion();
    check_grid();
  }

  PreparedTrace prepared() {
    std::string asked = motion_;
    for (const auto& [name, value] :
         {std::pair("speed", &asked_.speed), std::pair("load", &asked_.load), std::pair("gap", &asked_.gap)})
      if (*value) asked += fmt::format(" {} {}", option(name), **value);
    if (!asked_.set.empty()) asked += fmt::format("   with {}", fmt::join(asked_.set, ", "));
    const auto drive = [slip = slip_, gap = gap_, load = load_] {
      Drive made;
      if (slip) made.slip = slip();
      if (gap) made.gap = gap();
      made.load = load;
      return made;
    };
    return {std::move(law_), drive, settings_, asked_.method, std::move(asked)};
  }

 private:
  // --- pieces of input ---------------------------------------------------------------------------------------------

  std::string option(std::string_view name) const { return fmt::format("{}{}", dash_, name); }

  template <class... Words>
  void problem(fmt::format_string<Words...> text, Words&&... words) {
    problems_.push_back(fmt::format(text, std::forward<Words>(words)...));
  }

  std::optional<double> number(std::string_view name, const std::optional<std::string>& text, std::string_view unit, Range range) {
    if (!text) return std::nullopt;
    const auto value = parse_number(*text);
    if (!value) {
      problem("{} = \"{}\": must be a number", option(name), *text);
      return std::nullopt;
    }
    if (range.contains(*value)) return value;
    problem("{} = {:g} {}: must be {}", option(name), *value, unit, std::isfinite(*value) ? to_text(range) : "a finite number");
    return std::nullopt;
  }

  std::optional<std::vector<double>> numbers(std::string_view place, std::string_view list) {
    std::vector<double> values;
    for (const std::string_view item : comma_parts(list)) {
      if (const auto value = parse_number(item)) {
        values.push_back(*value);
      } else {
        problem("{}: \"{}\" is not a number", place, item);
        return std::nullopt;
      }
    }
    return values;
  }

  // --- the law -----------------------------------------------------------------------------------------------------

  void read_law() {
    law_ = find_law(asked_.law, problems_);
    if (asked_.elements) {
      const auto n = parse_number(*asked_.elements);
      if (!n || *n != std::floor(*n) || *n < 1 || *n > most_elements)
        problem("{} = {}: must be a whole number between 1 and {}", option("elements"), *asked_.elements, most_elements);
      else if (law_ && !law_->has_elements())
        problem("{} = {}: {} is not made of elements", option("elements"), *asked_.elements, asked_.law);
      else if (law_) law_->set_elements(static_cast<int>(*n));
    }
    for (const std::string& setting : asked_.set) {
      const std::string place = option("set") + " ";
      const std::size_t equals = setting.find('=');
      if (equals == std::string::npos || equals == 0) {
        problem("{}{}: must be NAME=VALUE, for instance K=1e5", place, setting);
        continue;
      }
      const auto values = numbers(place + setting, std::string_view(setting).substr(equals + 1));
      if (!values || !law_) continue;
      if (auto found = law_->set(setting.substr(0, equals), *values)) problems_.push_back(place + *found);
    }
    if (law_)
      for (std::string& found : law_->problems()) problems_.push_back(std::move(found));
  }

  void read_method() {
    if (asked_.method == "rk4") settings_.method = TraceMethod::rk4;
    else if (asked_.method == "euler") settings_.method = TraceMethod::euler;
    else if (asked_.method == "implicit") settings_.method = TraceMethod::implicit;
    else if (asked_.method == "implicit2") settings_.method = TraceMethod::implicit2;
    else if (asked_.method != "step")
      problem("{} {}: must be step, rk4, euler, implicit or implicit2", option("method"), asked_.method);
    if (settings_.method != TraceMethod::step && law_ && law_->about().discrete)
      problem("{0} {1}: {2} exists in sampled time only; use {0} step", option("method"), asked_.method, asked_.law);
  }

  // --- time --------------------------------------------------------------------------------------------------------

  void read_grid() {
    duration_ = number("duration", asked_.duration, "s", positive);
    step_ = number("step", asked_.step, "s", positive);
    if (step_) settings_.step = *step_;
  }

  /// After the motion, which may have a duration of its own.
  void check_grid() {
    if (!asked_.step && !step_ && motion_given_) problem("no {} given: the time between rows, in s", option("step"));
    if (!asked_.duration && !duration_ && motion_given_ && !has_own_duration_)
      problem("no {} given: how long to trace, in s", option("duration"));
    if (!step_ || !duration_) return;
    settings_.step = *step_;
    if (*step_ > *duration_ * (1 + 1e-12)) {
      problem("{} = {:g} s: must be <= the duration = {:g} s", option("step"), *step_, *duration_);
      return;
    }
    const double ratio = *duration_ / *step_;
    if (ratio + 1 > most_rows) {
      problem("{} = {:g} s: makes {:g} rows in {:g} s: must be <= {:g} rows", option("step"), *step_, ratio + 1, *duration_,
              most_rows);
      return;
    }
    const double whole = std::round(ratio);
    const bool even = std::abs(ratio - whole) < 1e-6;
    settings_.steps = static_cast<std::int64_t>(even ? whole : (to_its_end_ ? std::ceil(ratio) : std::floor(ratio)));
  }

  // --- motion ------------------------------------------------------------------------------------------------------

  void read_motion() {
    std::vector<std::string> given;
    for (const auto& [name, value] : {std::pair("velocity", &asked_.velocity), std::pair("position", &asked_.position),
                                      std::pair("waypoints", &asked_.waypoints), std::pair("input", &asked_.input)})
      if (*value) {
        given.push_back(option(name));
        motion_ = fmt::format("{} {}", option(name), **value);
      }
    motion_given_ = !given.empty();
    if (given.empty()) problem("no motion given: use {0}velocity, {0}position, {0}waypoints with {0}speed, or {0}input", dash_);
    if (given.size() > 1) problem("{} given: must be one motion only", fmt::join(given, " and "));
    if (asked_.speed && !asked_.waypoints) problem("{} {}: needs {}", option("speed"), *asked_.speed, option("waypoints"));

    const double from = number("from", asked_.from, "m", Range{}).value_or(0);
    if (asked_.from && !asked_.velocity && !asked_.input)
      problem("{} {}: needs a motion given by its velocity", option("from"), *asked_.from);

    MakeCourse course;
    if (asked_.velocity)
      if (auto f = time_function(option("velocity"), *asked_.velocity, problems_))
        course = [f = std::move(*f), from] { return course_of_velocity(f, from); };
    if (asked_.position) course = position_course("position", *asked_.position);
    if (asked_.waypoints) course = waypoint_course();
    if (asked_.input) course = file_course(from);
    read_load();

    const bool composite = law_ && law_->about().kind == Kind::composite;
    if (asked_.gap && law_ && law_->about().kind == Kind::contact)
      problem("{0}gap {1}: {2} takes its gap from {0}position, {0}velocity, {0}waypoints or {0}input", dash_, *asked_.gap,
              asked_.law);
    else if (asked_.gap && law_ && !composite) problem("{} {}: {} has no gap", option("gap"), *asked_.gap, asked_.law);
    if (asked_.gap && gap_) problem("{} {}: {} has a gap already", option("gap"), *asked_.gap, *asked_.input);
    if (composite && asked_.gap) gap_ = position_course("gap", *asked_.gap);
    if (composite && !gap_)
      gap_ = [width = settings_.step] { return course_of_position([](double) { return default_gap; }, width); };
    (law_ && law_->about().kind == Kind::contact ? gap_ : slip_) = std::move(course);
  }

  MakeCourse position_course(std::string_view name, const std::string& formula) {
    auto f = time_function(option(name), formula, problems_);
    if (!f) return {};
    return [f = std::move(*f), width = settings_.step / 512] { return course_of_position(f, width); };
  }

  MakeCourse waypoint_course() {
    has_own_duration_ = true;
    const auto speed = number("speed", asked_.speed, "m/s", positive);
    if (!asked_.speed) problem("{}: needs {}, in m/s", option("waypoints"), option("speed"));
    auto points = numbers(option("waypoints"), *asked_.waypoints);
    if (!points) return {};
    for (const double p : *points)
      if (!std::isfinite(p)) {
        problem("{}: {} m: must be a finite number", option("waypoints"), p);
        return {};
      }
    points->erase(std::unique(points->begin(), points->end()), points->end());
    if (points->size() < 2) {
      problem("{} {}: must have two different positions at least", option("waypoints"), *asked_.waypoints);
      return {};
    }
    if (!speed) return {};
    auto times = times_at_speed(*points, *speed);
    take_duration(times.back());
    return [times = std::move(times), points = std::move(*points)] { return course_through(times, points); };
  }

  MakeCourse file_course(double from) {
    const Kind kind = law_ ? law_->about().kind : Kind::friction;
    std::vector<std::string> wanted{"position", "velocity", "load"};
    if (kind != Kind::friction) wanted = {"position", "velocity", "gap", "gap_rate"};
    auto read = asperity::read_motion(*asked_.input, wanted, problems_);
    if (!read) {
      has_own_duration_ = true, step_ = step_ ? step_ : 1;  // not to be asked for on top
      return {};
    }
    const auto file = std::make_shared<const MotionFile>(std::move(*read));
    const double length = file->t.back() - file->t.front();
    if (duration_ && *duration_ > length * (1 + 1e-9))
      problem("{} = {:g} s: must be <= {:g} s, the length of {}", option("duration"), *duration_, length, *asked_.input);
    take_duration(length);
    settings_.start = file->t.front();
    if (!asked_.step) take_step(file->t);

    if (kind == Kind::friction && file->find("load")) load_ = sampled_function(file->t, file->find("load")->values);
    if (kind == Kind::composite) gap_ = sampled(file, "gap", "gap_rate", default_gap);
    if (asked_.from && (file->find("position") || (kind == Kind::contact && file->find("gap"))))
      problem("{} {}: {} has positions of its own", option("from"), *asked_.from, *asked_.input);
    MakeCourse course;
    if (kind == Kind::contact) course = sampled(file, "gap", "gap_rate", from);
    if (!course) course = sampled(file, "position", "velocity", from);
    if (!course && law_)
      problem("{}:1: no column {}; the columns are: {}", *asked_.input,
              kind == Kind::contact ? "\"gap\" or \"gap_rate\"" : "\"position\" or \"velocity\"", fmt::join(file->header, ", "));
    return course;
  }

  static MakeCourse sampled(const std::shared_ptr<const MotionFile>& file, std::string_view position, std::string_view velocity,
                            double from) {
    const Column *p = file->find(position), *v = file->find(velocity);
    if (v) return [=] { return course_of_samples(file->t, p ? p->values : std::vector<double>{}, v->values, from); };
    if (p) return [=] { return course_through(file->t, p->values); };
    return {};
  }

  void take_duration(double own) {
    has_own_duration_ = true;
    to_its_end_ = !asked_.duration;
    if (!asked_.duration) duration_ = own;
  }

  /// Of a file with evenly spaced rows.
  void take_step(const std::vector<double>& t) {
    const double mean = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
    for (std::size_t i = 1; i < t.size(); ++i)
      if (std::abs(t[i] - t[i - 1] - mean) > 1e-6 * mean) return;
    step_ = settings_.step = mean;
  }

  void read_load() {
    if (!asked_.load) return;
    const std::string place = fmt::format("{} {}", option("load"), *asked_.load);
    auto f = time_function(option("load"), *asked_.load, problems_);
    if (load_) problem("{}: {} has a load already", place, *asked_.input);
    if (law_ && law_->about().kind == Kind::contact) problem("{}: {} takes no load", place, asked_.law);
    if (law_ && law_->about().kind == Kind::composite)
      problem("{}: the load of {} is its normal force; use {}", place, asked_.law, option("gap"));
    if (f) load_ = std::move(*f);
  }

  const TraceRequest& asked_;
  std::string_view dash_;
  Problems& problems_;
  std::unique_ptr<AnyLaw> law_;
  MakeCourse slip_, gap_;
  TimeFunction load_;
  TraceSettings settings_;
  std::string motion_;  // as it was asked for: `--velocity "sin(t)"`
  std::optional<double> duration_, step_;
  bool motion_given_ = false, has_own_duration_ = false, to_its_end_ = false;
};

constexpr std::int64_t most_finer = 2000000;  // steps
constexpr std::int64_t finest_parts = 16;     // parts of a step that are looked at

}  // namespace

std::optional<PreparedTrace> prepare_trace(const TraceRequest& request, Problems& problems, std::string_view dash) {
  Problems found;
  TraceReader reader(request, dash, found);
  problems.insert(problems.end(), found.begin(), found.end());
  return found.empty() ? std::optional(reader.prepared()) : std::nullopt;
}

TraceAnswer carry_out(const PreparedTrace& prepared, const Hooks& hooks) {
  // The same trace with shorter steps, as far as it costs little.
  TraceSettings finer = prepared.settings;
  const std::int64_t times = std::clamp<std::int64_t>(most_finer / std::max<std::int64_t>(1, finer.steps), 2, finest_parts);
  finer.step /= double(times);
  finer.steps = std::min(finer.steps * times, most_finer);

  TraceAnswer answer{prepared.law, prepared.settings, prepared.method, prepared.asked};
  const Ticker clock;
  const double own = double(prepared.settings.steps), all = own + double(finer.steps);
  TraceSettings settings = prepared.settings;
  settings.hooks = part_of(hooks, clock, 0, own, all);
  answer.trace = run_trace(*prepared.law, prepared.drive(), settings);
  if (answer.trace.stop) {
    answer.stopped = answer.trace.stop->cause == TraceStop::Cause::asked;
    return answer;
  }
  finer.hooks = part_of(hooks, clock, own, all, all);
  const Trace compared = run_trace(*prepared.law, prepared.drive(), finer);
  answer.stopped = compared.stop && compared.stop->cause == TraceStop::Cause::asked;
  if (answer.stopped) return answer;
  answer.findings = check_trace(*prepared.law, answer.trace, prepared.settings, compared, int(times));
  answer.checked_until = finer.start + double(finer.steps) * finer.step;
  return answer;
}

Verdict TraceAnswer::verdict() const {
  const bool wrong = std::any_of(findings.begin(), findings.end(), [](const TraceFinding& one) { return one.failed; });
  return trace.stop || wrong ? Verdict::failed : findings.empty() ? Verdict::fine : Verdict::doubtful;
}

}  // namespace asperity
