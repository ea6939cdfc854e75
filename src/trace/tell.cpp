#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "asperity/trace/request.hpp"
#include "asperity/version.hpp"
#include "json_text.hpp"

namespace asperity {
namespace {

std::vector<double> negated(std::vector<double> values) {
  for (double& v : values) v = -v;
  return values;
}

}  // namespace

plot::Figure figure_of(const TraceAnswer& answer) {
  const Trace& trace = answer.trace;
  const Kind kind = answer.law->about().kind;
  const bool contact = kind == Kind::contact, composite = kind == Kind::composite;
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
  figure.title = std::string(answer.law->about().name);
  figure.subtitle = answer.asked;
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

std::string to_text(const TraceAnswer& answer) {
  const Trace& trace = answer.trace;
  const auto& t = trace.find("t")->values;
  std::string text = fmt::format("{}: {} rows, t = {:g} .. {:g} s, step {:g} s, method {}\n", answer.law->about().name,
                                 trace.rows(), t.front(), t.back(), answer.settings.step, answer.method);
  for (const char* name : {"force", "tangential_force", "normal_force"})
    if (const Column* column = trace.find(name)) {
      const auto [low, high] = std::minmax_element(column->values.begin(), column->values.end());
      std::string label = name;
      std::replace(label.begin(), label.end(), '_', ' ');
      text += fmt::format("{} {:.6g} .. {:.6g} N\n", label, *low, *high);
    }
  return text + fmt::format("work in {:.6g} J, dissipated {:.6g} J{}\n", trace.find("work_in")->values.back(),
                            trace.find("energy_dissipated")->values.back(),
                            answer.law->about().stores ? "" : " (no stored energy is declared: right over closed cycles)");
}

std::string stop_text(const TraceAnswer& answer, std::string_view dash) {
  const TraceStop& stop = answer.trace.stop.value();
  if (stop.cause == TraceStop::Cause::motion) return fmt::format("at t = {:g} s: {}", stop.time, stop.what);
  if (stop.cause == TraceStop::Cause::asked) return fmt::format("stopped at t = {:g} s", stop.time);
  const std::string cause =
      answer.settings.method == TraceMethod::step
          ? "the parameters or the motion are extreme"
          : fmt::format("the step is probably too long for this method: try a smaller {0}step, or {0}method step", dash);
  return fmt::format("stopped at t = {:g} s: {}; {}", stop.time, stop.what, cause);
}

std::string to_json(const TraceAnswer& answer) {
  using Json = nlohmann::ordered_json;
  const Trace& trace = answer.trace;
  Json json;
  json["asperity"] = version();
  json["law"] = answer.law->about().name;
  json["method"] = answer.method;
  json["step"] = answer.settings.step;
  json["rows"] = trace.rows();
  for (const Column& column : trace.columns) {
    if (column.values.empty()) continue;
    const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
    json["columns"][column.name] = {{"unit", column.unit}, {"low", *low}, {"high", *high}, {"last", column.values.back()}};
  }
  json["verdict"] = to_text(answer.verdict());
  json["failure"] = trace.stop ? Json{{"time", trace.stop->time}, {"text", trace.stop->what}} : Json();
  json["findings"] = Json::array();
  for (const TraceFinding& one : answer.findings)
    json["findings"].push_back(
        {{"severity", one.failed ? "failure" : "note"}, {"value", one.value}, {"limit", one.limit}, {"text", one.text}});
  json["checked_until"] = answer.checked_until;
  return json_text(std::move(json));
}

}  // namespace asperity
