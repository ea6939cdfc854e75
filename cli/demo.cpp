#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "asperity/plot.hpp"
#include "asperity/trace.hpp"
#include "commands.hpp"
#include "demo_page.hpp"
#include "output_file.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

// --- how large, how fast: read from the units of the parameters, so that a new law needs no line here -------------------------

struct Span {
  double least = 0, most = 0;
};

/// Smallest and largest default among the parameters with this unit; zero if there is none.
Span span_of(const AnyLaw& law, std::string_view unit) {
  Span span;
  for (const Parameter& p : law.parameters()) {
    if (p.unit != unit || (law.about().kind == Kind::composite && p.name.starts_with("normal."))) continue;
    for (const double v : p.values) {
      span.most = std::max(span.most, v);
      span.least = span.least == 0 ? v : std::min(span.least, v);
    }
  }
  return span;
}

/// Largest number of values in one parameter: the number of elements.
double element_count(const AnyLaw& law) {
  std::size_t count = 1;
  for (const Parameter& p : law.parameters()) count = std::max(count, p.values.size());
  return static_cast<double>(count);
}

struct FrictionScale {
  double give;      // m: deflection at which it yields altogether
  double fine;      // m: deflection at which the first element yields
  double velocity;  // m/s: well into sliding
};

FrictionScale friction_scale(const AnyLaw& law, double load) {
  const double force =
      (law.about().kind == Kind::composite ? span_of(law, "1").most * load : span_of(law, "N").most) / element_count(law);
  const Span stiffness = span_of(law, "N/m"), velocity = span_of(law, "m/s"), time = span_of(law, "s");
  FrictionScale scale{};
  if (stiffness.most > 0) {
    scale.give = force / stiffness.least;
    scale.fine = force / stiffness.most;
    scale.velocity = velocity.most > 0 ? 6 * velocity.most : scale.give / (time.most > 0 ? time.most : 1e-3);
  } else {
    scale.velocity = 6 * velocity.most;
    scale.give = scale.fine = velocity.most * (time.most > 0 ? time.most : 0.1);
  }
  return scale;
}

Trace traced(const AnyLaw& law, Drive drive, double duration, double steps) {
  return run_trace(law, drive, {.step = duration / steps, .steps = static_cast<std::int64_t>(steps)});
}

TimeFunction constant(double value) {
  return [value](double) { return value; };
}

plot::Line curve(std::string label, const Trace& trace, std::string_view x, std::string_view y,
                 plot::Stroke stroke = plot::Stroke::solid) {
  return {std::move(label), trace.find(x)->values, trace.find(y)->values, stroke};
}

// --- friction ----------------------------------------------------------------------------------------------------------------

/// A slow triangle with an inner loop on its way back: memory, drift and hysteresis show.
Trace slow_triangle(const AnyLaw& law, const FrictionScale& scale, double speed, std::unique_ptr<Course> gap) {
  const double a = 3 * scale.give, inner = 1.2 * scale.give;
  const std::vector<double> points{0, a, -a, a, a - inner, a - 0.25 * inner, a - inner, -a};
  const auto times = times_at_speed(points, speed);
  const double path = times.back() * speed;
  Drive drive;
  drive.slip = course_through(times, points);
  drive.gap = std::move(gap);
  return traced(law, std::move(drive), times.back(), std::clamp(path / (0.02 * scale.fine), 2000.0, 60000.0));
}

/// From -v to v and back, twice: the first time to forget the start.
Trace velocity_sweep(const AnyLaw& law, const FrictionScale& scale, double reversal, std::unique_ptr<Course> gap) {
  // The law turns over while the velocity passes through `reversal` times its highest.
  const double period = 16 * scale.give / (reversal * reversal * scale.velocity);
  const double v = scale.velocity, path = v * period;
  Drive drive;
  drive.slip = course_of_velocity([v, period](double t) { return v * std::sin(2 * 3.14159265358979323846 * t / period); }, 0);
  drive.gap = std::move(gap);
  Trace trace = traced(law, std::move(drive), 1.5 * period, std::clamp(path / (0.05 * scale.fine), 3000.0, 150000.0));
  for (Column& column : trace.columns)
    column.values.erase(column.values.begin(), column.values.begin() + static_cast<std::ptrdiff_t>(column.values.size() / 3));
  return trace;
}

plot::Figure friction_figure(const AnyLaw& law) {
  const FrictionScale scale = friction_scale(law, 1);
  const double slow = scale.velocity / 30, fast = 10 * slow;
  const plot::Axis force{"friction force", "N"};
  plot::Figure figure;
  figure.panels = {{"triangle", {"position", "m"}, force, {}}, {"velocity sweep", {"velocity", "m/s"}, force, {}}};
  figure.panels[0].lines = {
      curve("slow", slow_triangle(law, scale, slow, nullptr), "position", "force"),
      curve("ten times faster", slow_triangle(law, scale, fast, nullptr), "position", "force", plot::Stroke::dashed)};
  figure.panels[1].lines = {curve("slow", velocity_sweep(law, scale, 0.03, nullptr), "velocity", "force"),
                            curve("fast", velocity_sweep(law, scale, 0.3, nullptr), "velocity", "force", plot::Stroke::dashed)};
  return figure;
}

// --- contact -----------------------------------------------------------------------------------------------------------------

constexpr double demo_load = 100;  // N

/// Force of a contact held at an indentation until nothing moves any more.
double resting_force(const AnyLaw& law, double depth) {
  std::vector<double> state = law.start(), rate(state.size());
  double force = 0;
  for (int i = 0; i < 100; ++i) {
    force = law.react(state, {.gap = -depth}, 1.0, rate).normal;
    for (std::size_t j = 0; j < state.size(); ++j) state[j] += rate[j];
  }
  return force;
}

double depth_under(const AnyLaw& law, double force) {
  double low = 1e-12, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (resting_force(law, middle) < force ? low : high) = middle;
  }
  return high;
}

/// The time over which the damping of a contact acts.
double contact_time(const AnyLaw& law, double depth) {
  const double stiffness = span_of(law, "N/m").most;
  const double damping = stiffness > 0 ? span_of(law, "N s/m").most / stiffness : 0;
  const double time = std::max({span_of(law, "s").most, damping, span_of(law, "s/m").most * depth});
  return time > 0 ? time : 1e-2;
}

Trace indentation(const AnyLaw& law, double depth, double duration) {
  Drive drive;
  drive.gap = course_of_position(
      [depth, duration](double t) { return depth * (0.3 - 0.65 * (1 - std::cos(2 * 3.14159265358979323846 * t / duration))); },
      duration * 1e-6);
  Trace trace = traced(law, std::move(drive), duration, 4000);
  for (Column& column : trace.columns)
    if (column.name.starts_with("gap"))
      for (double& v : column.values) v = -v;
  return trace;
}

plot::Figure contact_figure(const AnyLaw& law) {
  const double depth = depth_under(law, demo_load), time = contact_time(law, depth);
  const Trace slow = indentation(law, depth, 60 * time), fast = indentation(law, depth, 12 * time);
  const plot::Axis force{"contact force", "N"};
  plot::Figure figure;
  figure.panels = {{"in and out", {"indentation", "m"}, force, {}}, {"in and out", {"indentation rate", "m/s"}, force, {}}};
  for (std::size_t i = 0; i < 2; ++i)
    figure.panels[i].lines = {curve("slow", slow, i == 0 ? "gap" : "gap_rate", "force"),
                              curve("five times faster", fast, i == 0 ? "gap" : "gap_rate", "force", plot::Stroke::dashed)};
  return figure;
}

// --- both --------------------------------------------------------------------------------------------------------------------

plot::Figure composite_figure(const AnyLaw& law) {
  const plot::Axis force{"tangential force", "N"};
  plot::Figure figure;
  figure.panels = {{"triangle", {"position", "m"}, force, {}}, {"velocity sweep", {"velocity", "m/s"}, force, {}}};
  const FrictionScale scale = friction_scale(law, demo_load);
  for (const double load : {demo_load, demo_load / 2}) {
    const double gap = -depth_under(law, load);
    const auto held = [&] { return course_of_position(constant(gap), 1); };
    const auto stroke = load == demo_load ? plot::Stroke::solid : plot::Stroke::dashed;
    const std::string label = fmt::format("pressed with {:g} N", load);
    figure.panels[0].lines.push_back(
        curve(label, slow_triangle(law, scale, scale.velocity / 30, held()), "position", "tangential_force", stroke));
    figure.panels[1].lines.push_back(curve(label, velocity_sweep(law, scale, 0.1, held()), "velocity", "tangential_force", stroke));
  }
  return figure;
}

plot::Figure figure_of(const AnyLaw& law) {
  plot::Figure figure = law.about().kind == Kind::friction  ? friction_figure(law)
                        : law.about().kind == Kind::contact ? contact_figure(law)
                                                            : composite_figure(law);
  figure.title = std::string(law.about().name);
  figure.subtitle = std::string(law.about().title);
  return figure;
}

std::optional<std::string> write(const std::filesystem::path& path, const std::string& text) {
  OutputFile file;
  if (auto problem = file.open(path.string())) return problem;
  file.stream() << text;
  return file.commit();
}

}  // namespace

int run_demo(const DemoOptions& options) {
  const std::filesystem::path folder(options.folder);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    report("demo", {fmt::format("{}: cannot write: {}", options.folder, error.message())});
    return bad_input;
  }

  std::vector<std::unique_ptr<AnyLaw>> laws;
  std::vector<DemoPicture> pictures;
  for (const std::string& name : law_names()) {
    laws.push_back(make_law(name));
    pictures.push_back({laws.back().get(), plot::to_svg(figure_of(*laws.back()))});
    if (auto problem = write(folder / (name + ".svg"), pictures.back().svg)) {
      report("demo", {*problem});
      return bad_input;
    }
  }
  if (auto problem = write(folder / "index.html", demo_page(pictures))) {
    report("demo", {*problem});
    return bad_input;
  }
  return print("demo", fmt::format("{} laws drawn. Open {}\nOne picture a law: {}\n", pictures.size(),
                                   (folder / "index.html").string(), (folder / "LAW.svg").string()))
             ? fine
             : run_failed;
}

}  // namespace asperity::cli
