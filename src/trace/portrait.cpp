#include "asperity/trace/portrait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/trace.hpp"
#include "law_scale.hpp"

namespace asperity {
namespace {

Trace trace_of(const AnyLaw& law, Drive drive, double duration, double steps) {
  return run_trace(law, drive, {.step = duration / steps, .steps = static_cast<std::int64_t>(steps)});
}

TimeFunction constant(double value) {
  return [value](double) { return value; };
}

// The slow curve below, broad, the fast one above it, narrow: where they agree both are seen.
constexpr double thick = 3.0, thin = 1.2;

plot::Line curve(std::string label, const Trace& trace, std::string_view x, std::string_view y, double width = thick) {
  return {std::move(label), trace.find(x)->values, trace.find(y)->values, plot::Stroke::solid, width};
}

// --- friction ----------------------------------------------------------------------------------------------------------------

/// A slow triangle with an inner loop on its way back: memory, drift and hysteresis show.
Trace slow_triangle(const AnyLaw& law, const FrictionScale& scale, double speed, std::unique_ptr<Course> gap) {
  const double a = 3 * scale.give, inner = 1.2 * scale.give;
  const std::vector<double> points{0, a, -a, a, a - inner, a - 0.25 * inner, a - inner, -a};
  const auto times = times_at_speed(points, speed);
  // The path is 76 times a quarter of the inner loop: samples fall on the corners.
  const double steps = 76 * std::ceil(std::clamp(times.back() * speed / (0.02 * scale.fine), 2000.0, 60000.0) / 76);
  Drive drive;
  drive.slip = course_through(times, points);
  drive.gap = std::move(gap);
  return trace_of(law, std::move(drive), times.back(), steps);
}

/// From -v to v and back, twice: the first time to forget the start.
Trace velocity_sweep(const AnyLaw& law, const FrictionScale& scale, double reversal, std::unique_ptr<Course> gap) {
  // The law turns over while the velocity passes through `reversal` times its highest.
  const double period = 16 * scale.give / (reversal * reversal * scale.velocity);
  const double v = scale.velocity, path = v * period;
  Drive drive;
  drive.slip = course_of_velocity([v, period](double t) { return v * std::sin(2 * 3.14159265358979323846 * t / period); }, 0);
  drive.gap = std::move(gap);
  Trace trace = trace_of(law, std::move(drive), 1.5 * period, std::clamp(path / (0.05 * scale.fine), 3000.0, 150000.0));
  for (Column& column : trace.columns)
    column.values.erase(column.values.begin(), column.values.begin() + static_cast<std::ptrdiff_t>(column.values.size() / 3));
  return trace;
}

plot::Figure friction_figure(const AnyLaw& law) {
  const FrictionScale scale = friction_scale(law, 1);
  const double slow = scale.velocity / 30, fast = 10 * slow;
  const plot::Axis force{"friction force", "N"};
  plot::Figure figure;
  figure.panels = {{"path back and forth", {"position", "m"}, force, {}}, {"velocity sweep", {"velocity", "m/s"}, force, {}}};
  figure.panels[0].lines = {curve("slow", slow_triangle(law, scale, slow, nullptr), "position", "force"),
                            curve("ten times faster", slow_triangle(law, scale, fast, nullptr), "position", "force", thin)};
  figure.panels[1].lines = {curve("slow", velocity_sweep(law, scale, 0.06, nullptr), "velocity", "force"),
                            curve("25 times faster", velocity_sweep(law, scale, 0.3, nullptr), "velocity", "force", thin)};
  return figure;
}

// --- contact -----------------------------------------------------------------------------------------------------------------

constexpr double demo_load = 100;  // N

Trace indentation(const AnyLaw& law, double depth, double duration) {
  Drive drive;
  drive.gap = course_of_position(
      [depth, duration](double t) { return depth * (0.3 - 0.65 * (1 - std::cos(2 * 3.14159265358979323846 * t / duration))); },
      duration * 1e-6);
  Trace trace = trace_of(law, std::move(drive), duration, 4000);
  for (Column& column : trace.columns)
    if (column.name.starts_with("gap"))
      for (double& v : column.values) v = -v;
  return trace;
}

plot::Figure contact_figure(const AnyLaw& law) {
  const auto [depth, time] = contact_scale(law, demo_load);
  const Trace slow = indentation(law, depth, 50 * time), fast = indentation(law, depth, 2.5 * time);
  const plot::Axis force{"contact force", "N"};
  plot::Figure figure;
  figure.panels = {{"in and out", {"indentation", "m"}, force, {}}, {"over the rate", {"indentation rate", "m/s"}, force, {}}};
  for (std::size_t i = 0; i < 2; ++i)
    figure.panels[i].lines = {curve("slow", slow, i == 0 ? "gap" : "gap_rate", "force"),
                              curve("20 times faster", fast, i == 0 ? "gap" : "gap_rate", "force", thin)};
  return figure;
}

// --- both --------------------------------------------------------------------------------------------------------------------

plot::Figure composite_figure(const AnyLaw& law) {
  const plot::Axis force{"tangential force", "N"};
  plot::Figure figure;
  figure.panels = {{"path back and forth", {"position", "m"}, force, {}}, {"velocity sweep", {"velocity", "m/s"}, force, {}}};
  const FrictionScale scale = friction_scale(law, demo_load);
  for (const double load : {demo_load, demo_load / 2}) {
    const double gap = -contact_scale(law, load).depth;
    const auto held = [&] { return course_of_position(constant(gap), 1); };
    const double width = load == demo_load ? thick : thin;
    const std::string label = fmt::format("load {:g} N", load);
    figure.panels[0].lines.push_back(
        curve(label, slow_triangle(law, scale, scale.velocity / 30, held()), "position", "tangential_force", width));
    figure.panels[1].lines.push_back(curve(label, velocity_sweep(law, scale, 0.1, held()), "velocity", "tangential_force", width));
  }
  return figure;
}

}  // namespace

plot::Figure portrait(const AnyLaw& law) {
  plot::Figure figure = law.about().kind == Kind::friction  ? friction_figure(law)
                        : law.about().kind == Kind::contact ? contact_figure(law)
                                                            : composite_figure(law);
  figure.title = std::string(law.about().name);
  figure.subtitle = std::string(law.about().title);
  return figure;
}

std::vector<Portrait> portraits(const Hooks& hooks) {
  std::vector<Portrait> list;
  const auto names = law_names();
  StepWatch watch(hooks, double(names.size()));
  for (const std::string& name : names) {
    if (watch.stops(double(list.size()), name)) break;
    std::shared_ptr<const AnyLaw> law = make_law(name);
    list.push_back({law, plot::to_svg(portrait(*law))});
  }
  return list;
}

}  // namespace asperity
