#include "asperity/identify/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "asperity/identify/data.hpp"
#include "asperity/identify/motion.hpp"
#include "asperity/identify/names.hpp"
#include "asperity/quantity_text.hpp"
#include "files/own_files.hpp"
#include "json_text.hpp"
#include "page.hpp"
#include "wording.hpp"

namespace asperity::identify {
namespace {

constexpr double pi = std::numbers::pi;
/// Of what the machine can do: the controller needs the rest.
constexpr double reserve = 0.9;
/// Stands for the relative error of what gets no interval.
constexpr double no_interval = 3;
constexpr int repeats = 3;

double smooth(double u) { return u * u * u * (10 + u * (6 * u - 15)); }

double position_in(const Stretch& s, double t) {
  const double u = t / s.duration, near = std::min(u, 1 - u) / 0.1, w = near < 1 ? smooth(std::max(0.0, near)) : 1;
  const double phase = 2 * pi * (s.first * t + (s.last - s.first) * t * t / (2 * s.duration));
  return s.from + (s.to - s.from) * smooth(u) + w * s.amplitude * std::sin(phase);
}

/// The machine with its friction as it is assumed.
struct Assumed {
  std::unique_ptr<Model> model;
  Fit fit;  // as if it had been found, with the true values
  std::vector<std::string> names;
};

Assumed assumed_of(const PlanRequest& request, std::vector<std::string>& problems) {
  const Machine& m = request.machine;
  Assumed found;
  auto model = make_model(request.law);
  if (!model) {
    const auto known = model_names();
    const auto meant = nearest(request.law, known);
    problems.push_back(fmt::format("{}law: no law \"{}\" can be identified; {}", request.dash, request.law,
                                   meant ? "did you mean " + *meant + "?" : fmt::format("there are {}", fmt::join(known, ", "))));
    return found;
  }
  Scales scales;
  scales.force = m.force / 5, scales.travel = m.stroke, scales.velocity = m.speed, scales.step = 1 / m.rate;
  scales.increment = m.speed / m.rate / 2;
  FitSettings settings;
  settings.elements = request.elements, settings.mass.reset(), settings.viscous = settings.offset = true;
  const auto names = names_of(*model, request.elements);
  double viscous = 0.1 * scales.force / m.speed, offset = 0;
  for (const auto& [name, value] : request.guess) {
    if (std::find(names.begin(), names.end(), name) == names.end() || name == "M") {
      const auto meant = nearest(name, names);
      problems.push_back(fmt::format("{}guess {}: {}", request.dash, name,
                                     name == "M" ? "the mass is given by itself"
                                     : meant     ? "did you mean " + *meant + "?"
                                                 : fmt::format("the law has {}", fmt::join(names, ", "))));
    } else if (name == "Fv") {
      viscous = value;
    } else if (name == "offset") {
      offset = value;
    } else {
      settings.fixed.emplace_back(name, value);
    }
  }
  if (!problems.empty()) return found;
  std::vector<std::string> ignored;
  FitSettings without = settings;
  without.fixed.clear();
  const auto own = coordinates_for(*model, scales, without, ignored);
  Translated law = translated(std::move(model), settings, problems);
  if (!problems.empty()) return found;
  found.model = std::move(law.model);
  Fit& fit = found.fit;
  fit.coordinates = coordinates_for(*found.model, scales, law.settings, problems);
  const bool has_own_viscosity = found.model->has_own_viscosity();
  for (std::size_t i = 0; i < fit.coordinates.size(); ++i) {
    Coordinate& c = fit.coordinates[i];
    const bool is_given = c.is_given;
    double value = c.is_free ? c.unit == "N/m" ? c.to : std::sqrt(c.from * c.to) : c.fixed;
    const bool is_viscosity = has_own_viscosity && c.group == 1 && !is_given;
    if (is_viscosity) value = viscous;
    c.is_free = own[i].is_free;
    // Where a fit looks is not known beforehand: nothing ends at a bound.
    c.low = std::min(c.low, 1e-3 * value), c.high = std::max(c.high, 1e3 * value);
    fit.q.push_back(value);
    if (!is_given && c.is_free) found.names.push_back(c.name);
  }
  fit.parameters = found.model->parameters(fit.q);
  fit.is_gone.assign(fit.q.size(), false);
  fit.mass = m.mass, fit.offset = offset, fit.viscous = has_own_viscosity ? 0 : viscous;
  fit.mass_is_free = fit.offset_is_free = true, fit.viscous_is_free = !has_own_viscosity;
  fit.converged = true;
  return found;
}

// --- one experiment --------------------------------------------------------------------------------------------------------------

struct Motions {
  std::vector<double> t, x, v, a;
};

Motions motion_of(const Excitation& excitation, double rate) {
  Motions m;
  const double total = repeats * excitation.duration(), d = 0.05 / rate;
  const auto count = static_cast<std::size_t>(std::floor(total * rate + 1e-9)) + 1;
  const auto at = [&](double t) { return excitation.position(std::clamp(t, 0.0, total)); };
  for (std::size_t k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) / rate, before = at(t - d), here = at(t), after = at(t + d);
    m.t.push_back(t), m.x.push_back(here);
    m.v.push_back((after - before) / (2 * d)), m.a.push_back((after - 2 * here + before) / (d * d));
  }
  return m;
}

/// The force that the motion needs, without noise.
std::vector<double> force_of(const Assumed& assumed, const Motions& m) {
  Samples s;
  s.t = m.t, s.position = m.x, s.velocity = m.v, s.acceleration = m.a;
  s.step.assign(m.t.size(), m.t[1] - m.t[0]), s.step[0] = 0;
  s.load.assign(m.t.size(), 1), s.is_usable.assign(m.t.size(), true);
  return predicted_force(*assumed.model, assumed.fit, s, s.size());
}

double largest(const std::vector<double>& list) {
  double most = 0;
  for (const double x : list) most = std::max(most, std::abs(x));
  return most;
}

/// As it will be measured and read.
std::optional<Samples> measured_of(const Machine& machine, const Motions& m, const std::vector<double>& force,
                                   std::vector<std::string>& problems) {
  std::mt19937_64 random(1);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&] { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * pi * uniform()); };
  Table table;
  table.columns = {{{"t", "s"}, m.t}, {{"x", "m"}, m.x}, {{"F", "N"}, force}};
  for (double& x : table.columns[1].values) x += machine.position_noise * normal();
  for (double& f : table.columns[2].values) f += machine.force_noise * normal();
  const auto map = read_map("time=t, position=x, force=F", problems);
  auto found = measured("plan", table, map, {}, false, problems);
  return found ? std::optional(std::move(found->samples)) : std::nullopt;
}

/// The errors of a fit of the first two thirds, if it ended at the truth.
Uncertainty expected_of(const Assumed& assumed, const Samples& samples, bool with_bias) {
  const double cut = samples.t[2 * samples.size() / 3];
  const Rows rows = thinned(samples, rows_between(samples, 0, cut));
  Fit fit = assumed.fit;
  fit.weight.assign(rows.size(), 1.0);
  return uncertainty(*assumed.model, fit, samples, rows, with_bias ? noise_bias(*assumed.model, fit, samples, rows) : NoiseBias{});
}

double typical_error(const Uncertainty& u, double force_scale) {
  double sum = 0;
  int count = 0;
  for (const Finding& f : u.findings) {
    if (f.remark.starts_with("taken") || f.remark == "given") continue;
    const double size = f.name == "offset" ? force_scale : std::abs(f.value);
    sum += std::log(std::isfinite(f.low) ? std::min(no_interval, f.error / size) : no_interval);
    ++count;
  }
  return count > 0 ? std::exp(sum / count) : no_interval;
}

// --- which ones to try -----------------------------------------------------------------------------------------------------------

struct Candidate {
  Excitation excitation;
  std::string about;
};

/// Whole periods, so many as fit.
Stretch sine(double duration, double amplitude, double frequency, double last = 0) {
  Stretch s;
  s.amplitude = amplitude, s.first = frequency, s.last = last > 0 ? last : frequency;
  const double mean = (s.first + s.last) / 2;
  s.duration = std::max(1.0, std::floor(duration * mean)) / mean;
  return s;
}

class Candidates {
 public:
  Candidates(const Machine& machine, double duration) : m_(machine), duration_(duration), reach_(0.5 * reserve * machine.stroke) {
    for (const double f : {0.3, 1.0, 3.0}) add("sine", {sine(duration, amplitude(f), f)}, fmt::format("{:g} Hz", f));
    for (const double f : {1.0, 3.0, 10.0})
      add("chirp", {sine(duration, amplitude(f), 0.1 * f, f)}, fmt::format("{:g} .. {:g} Hz", 0.1 * f, f));
    for (const double slowest : {0.02, 0.1, 0.3})
      add("waypoints", moves(slowest), fmt::format("from {:g} % of the speed on", 100 * slowest));
    // Large and slow for the curve over speed, fast for the mass, small for what is elastic.
    for (const double part : {1e-4, 1e-3, 1e-2})
      for (const double fast : {2.0, 6.0})
        for (const double share : {0.2, 0.4}) {
          const double small = std::max(part * m_.stroke, 20 * m_.position_noise);
          add("mixed",
              {sine((0.8 - share) * duration, amplitude(slow()), slow()), sine(0.2 * duration, amplitude(fast), fast),
               sine(share * duration, small, 1.0, std::min(10.0, 0.02 * m_.rate))},
              fmt::format("small sine of {}, fast one of {:g} Hz", quantity_text(small, "m", 2), fast));
        }
  }
  std::vector<Candidate> list;

 private:
  double slow() const { return std::max(2 / duration_, 0.15 * m_.speed / (2 * pi * reach_)); }
  double amplitude(double frequency) const { return std::min(reach_, reserve * m_.speed / (2 * pi * frequency)); }
  void add(const char* kind, std::vector<Stretch> stretches, std::string about) {
    list.push_back({{kind, std::move(stretches)}, std::move(about)});
  }

  /// Back and forth, each pair faster than the last.
  std::vector<Stretch> moves(double slowest) const {
    std::vector<Stretch> all;
    double at = 0, spent = 0;
    const int speeds = 5;
    for (double length = reach_; all.empty() || spent > duration_; length *= 0.7) {  // shorter ways if time is short
      all.clear(), spent = 0, at = 0;
      for (int i = 0; i < speeds; ++i) {
        const double speed = reserve * m_.speed * std::pow(slowest, 1 - static_cast<double>(i) / (speeds - 1));
        for (const double to : {length, -length}) {
          Stretch s;
          s.from = at, s.to = to, s.duration = 1.875 * std::abs(to - at) / speed;
          spent += s.duration, at = to;
          all.push_back(s);
        }
      }
      Stretch home;
      home.from = at, home.duration = 1.875 * std::abs(at) / (reserve * m_.speed), spent += home.duration;
      all.push_back(home);
    }
    return all;
  }

  const Machine& m_;
  double duration_, reach_;
};

/// Each stretch with a smaller amplitude, or more slowly, until the machine can do it; false if it cannot.
bool made_feasible(const Assumed& assumed, const Machine& machine, Excitation& excitation) {
  constexpr int most = 25;  // a factor of 11
  for (Stretch& s : excitation.stretches) {
    const auto is_feasible = [&] {
      const Motions m = motion_of({excitation.kind, {s}}, std::max(20 / s.duration, std::min(machine.rate, 1000.0)));
      return largest(m.v) <= machine.speed && largest(force_of(assumed, m)) <= machine.force;
    };
    int rounds = 0;
    for (; rounds < most && !is_feasible(); ++rounds) (s.amplitude > 0 ? s.amplitude /= 1.1 : s.duration *= 1.1);
    if (rounds == most) return false;
  }
  return true;
}

std::vector<std::string> problems_of(const PlanRequest& request) {
  std::vector<std::string> problems;
  const auto positive = [&](const char* name, double value, const char* unit) {
    if (!(value > 0 && std::isfinite(value)))
      problems.push_back(fmt::format("{}{} = {:g} {}: must be > 0", request.dash, name, value, unit));
  };
  const Machine& m = request.machine;
  positive("mass", m.mass, "kg"), positive("stroke", m.stroke, "m"), positive("top-speed", m.speed, "m/s");
  positive("top-force", m.force, "N"), positive("rate", m.rate, "1/s"), positive("duration", request.duration, "s");
  positive("position-noise", m.position_noise, "m"), positive("force-noise", m.force_noise, "N");
  if (problems.empty() && !(request.duration * m.rate >= 500 && request.duration * m.rate <= 2e6))
    problems.push_back(fmt::format("{0}duration {1:g} s at {0}rate {2:g} 1/s: {3:.0f} samples: must be 500 .. 2e6", request.dash,
                                   request.duration, m.rate, request.duration * m.rate));
  return problems;
}

}  // namespace

double Excitation::duration() const {
  double sum = 0;
  for (const Stretch& s : stretches) sum += s.duration;
  return sum;
}

double Excitation::position(double t) const {
  t = std::fmod(t, duration());
  for (const Stretch& s : stretches) {
    if (t <= s.duration) return position_in(s, t);
    t -= s.duration;
  }
  return stretches.back().to;
}

ExcitationPlan plan(const PlanRequest& request) {
  ExcitationPlan result;
  result.law = request.law, result.machine = request.machine;
  result.problems = problems_of(request);
  if (!result.problems.empty()) return result;
  const Assumed assumed = assumed_of(request, result.problems);
  if (!result.problems.empty()) return result;
  result.assumed = assumed.names;
  const Machine& machine = request.machine;
  auto candidates = Candidates(machine, request.duration / repeats).list;
  double best = 2 * no_interval;
  Samples best_samples;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& c = candidates[i];
    if (request.hooks.progress) request.hooks.progress({double(i), double(candidates.size()), 0, c.excitation.kind});
    if (request.hooks.stopped()) {
      result.stopped = true;
      return result;
    }
    if (!made_feasible(assumed, machine, c.excitation)) continue;
    const Motions m = motion_of(c.excitation, machine.rate);
    const auto force = force_of(assumed, m);
    std::vector<std::string> why;
    const auto samples = measured_of(machine, m, force, why);
    if (!samples) continue;
    const double error = typical_error(expected_of(assumed, *samples, false), machine.force / 5);
    result.tried.push_back({c.excitation.kind, c.about, error});
    if (error >= best) continue;
    best = error;
    result.excitation = c.excitation;
    result.t = m.t, result.position = m.x, result.velocity = m.v, result.acceleration = m.a;
    result.peak_speed = largest(m.v), result.peak_force = largest(force);
    best_samples = *samples;
  }
  std::stable_sort(result.tried.begin(), result.tried.end(),
                   [](const TriedExcitation& a, const TriedExcitation& b) { return a.typical_error < b.typical_error; });
  if (result.tried.empty()) {
    result.problems.push_back(
        fmt::format("{}top-force = {}: the assumed friction and the mass need more, however slowly it moves; use a larger force "
                    "or smaller guesses",
                    request.dash, quantity_text(machine.force, "N")));
    return result;
  }
  const Uncertainty u = expected_of(assumed, best_samples, true);
  result.expected = u.findings, result.weak = u.weak;
  return result;
}

// --- told ------------------------------------------------------------------------------------------------------------------------

namespace {

std::string about(const Stretch& s) {
  const std::string took = quantity_text(s.duration, "s", 4);
  if (s.amplitude > 0 && s.first == s.last)
    return fmt::format("sine of {}, {} Hz, {}", quantity_text(s.amplitude, "m", 4), short_number(s.first), took);
  if (s.amplitude > 0)
    return fmt::format("chirp of {}, {} .. {} Hz, {}", quantity_text(s.amplitude, "m", 4), short_number(s.first),
                       short_number(s.last), took);
  return fmt::format("move to {} in {}", quantity_text(s.to, "m", 4), took);
}

}  // namespace

std::string plan_text(const ExcitationPlan& plan) {
  std::string text = fmt::format("{} for {}: {} in all, three times the same\n", plan.excitation.kind, plan.law,
                                 quantity_text(repeats * plan.excitation.duration(), "s", 4));
  for (const Stretch& s : plan.excitation.stretches) text += "  " + about(s) + "\n";
  text += fmt::format("speed up to {} of {}, force up to {} of {}\n", quantity_text(plan.peak_speed, "m/s", 3),
                      quantity_text(plan.machine.speed, "m/s"), quantity_text(plan.peak_force, "N", 3),
                      quantity_text(plan.machine.force, "N"));
  text += "\nto expect from a fit of the first two thirds\n";
  std::vector<std::vector<std::string>> rows;
  for (const Finding& f : plan.expected)
    rows.push_back({f.name, known_quantity(f.value, f.unit, 5),
                    f.remark.empty() ? "+- " + known_quantity(f.error, f.unit, 2) : f.remark,
                    f.remark.empty() && std::isfinite(f.error)
                        ? fmt::format("95 %: {} .. {}", known_quantity(f.low, f.unit, 4), known_quantity(f.high, f.unit, 4))
                        : ""});
  text += aligned(rows, "<><<");
  for (const std::string& line : plan.weak) text += fmt::format("  not identifiable: {}\n", line);
  if (!plan.assumed.empty()) text += fmt::format("  not given, a typical value is assumed: {}\n", fmt::join(plan.assumed, ", "));
  text += "\nrelative error, geometric mean over the parameters (3: no interval)\n";
  std::vector<std::vector<std::string>> tried;
  for (std::size_t i = 0; i < std::min<std::size_t>(plan.tried.size(), 6); ++i)
    tried.push_back({plan.tried[i].kind, plan.tried[i].about, fmt::format("{:.2g}", plan.tried[i].typical_error)});
  return text + aligned(tried, "<<>");
}

std::string plan_facts(const ExcitationPlan& plan) {
  using report::Json;
  const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  Json expected = Json::array(), stretches = Json::array(), tried = Json::array();
  for (const Finding& f : plan.expected)
    expected.push_back({{"name", f.name},
                        {"value", f.value},
                        {"unit", f.unit},
                        {"error", finite(f.error)},
                        {"low", finite(f.low)},
                        {"high", finite(f.high)},
                        {"remark", f.remark}});
  for (const Stretch& s : plan.excitation.stretches)
    stretches.push_back({{"duration", s.duration},
                         {"from", s.from},
                         {"to", s.to},
                         {"amplitude", s.amplitude},
                         {"first_frequency", s.first},
                         {"last_frequency", s.last}});
  for (const TriedExcitation& one : plan.tried)
    tried.push_back({{"kind", one.kind}, {"about", one.about}, {"typical_error", one.typical_error}});
  const Json facts{{"law", plan.law},
                   {"kind", plan.excitation.kind},
                   {"repeats", repeats},
                   {"duration", repeats * plan.excitation.duration()},
                   {"stretches", stretches},
                   {"peak_speed", plan.peak_speed},
                   {"peak_force", plan.peak_force},
                   {"expected", expected},
                   {"not_identifiable", plan.weak},
                   {"assumed", plan.assumed},
                   {"tried", tried}};
  return json_text(facts);
}

std::string plan_csv(const ExcitationPlan& plan) {
  std::string text = "t [s],position [m],velocity [m/s],acceleration [m/s^2]\n";
  for (std::size_t k = 0; k < plan.t.size(); ++k)
    text += fmt::format("{:.9g},{:.12g},{:.9g},{:.9g}\n", plan.t[k], plan.position[k], plan.velocity[k], plan.acceleration[k]);
  return text;
}

std::string plan_header(const ExcitationPlan& plan, const std::string& name) {
  std::string rows;
  for (const Stretch& s : plan.excitation.stretches)
    rows += fmt::format("    {{{}, {}, {}, {}, {}, {}}},\n", s.duration, s.from, s.to, s.amplitude, s.first, s.last);
  std::string guard = name + "_H";
  std::transform(guard.begin(), guard.end(), guard.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(R"(/* Excitation to identify {law} with: {kind}, repeated {repeats} times. SI units. */
#ifndef {guard}
#define {guard}

#include <math.h>

/* Of all repeats, s. */
static const double {name}_duration = {duration};

/* The reference position at the time t, m. At rest before and after. */
static inline double {name}_position(double t) {{
  /* duration, from, to, amplitude, first and last frequency */
  static const double stretches[{count}][6] = {{
{rows}  }};
  const double once = {once};
  int i;
  if (t < 0) t = 0;
  if (t > {name}_duration) t = {name}_duration;
  t = fmod(t, once);
  for (i = 0; i < {count} - 1 && t > stretches[i][0]; ++i) t -= stretches[i][0];
  {{
    const double *s = stretches[i];
    const double u = t < s[0] ? t / s[0] : 1, nearest = (u < 1 - u ? u : 1 - u) / 0.1, n = nearest < 1 ? nearest : 1;
    const double w = n * n * n * (10 + n * (6 * n - 15)), move = u * u * u * (10 + u * (6 * u - 15));
    const double phase = 6.283185307179586 * (s[4] * t + (s[5] - s[4]) * t * t / (2 * s[0]));
    return s[1] + (s[2] - s[1]) * move + w * s[3] * sin(phase);
  }}
}}

#endif /* {guard} */
)",
                     fmt::arg("law", plan.law), fmt::arg("kind", plan.excitation.kind), fmt::arg("repeats", repeats),
                     fmt::arg("guard", guard), fmt::arg("name", name), fmt::arg("duration", repeats * plan.excitation.duration()),
                     fmt::arg("count", plan.excitation.stretches.size()), fmt::arg("rows", rows),
                     fmt::arg("once", plan.excitation.duration()));
}

std::vector<std::string> plan_objections(const std::string& folder) {
  return files::OwnFiles(folder).objections({"plan.csv", "plan.h", "plan.json"});
}

std::optional<std::string> write_plan(const std::string& folder, const ExcitationPlan& plan) {
  return files::OwnFiles(folder).write(
      {{"plan.csv", plan_csv(plan)}, {"plan.h", plan_header(plan, "plan")}, {"plan.json", plan_facts(plan)}});
}

}  // namespace asperity::identify
