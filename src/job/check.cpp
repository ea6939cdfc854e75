#include "asperity/job/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "asperity/inclusion/text.hpp"
#include "asperity/quantity_text.hpp"
#include "facts/json.hpp"
#include "prepare.hpp"
#include "wording.hpp"

namespace asperity {
namespace {

using facts::Json;

constexpr std::size_t most_names = 8;

template <class List, class Text>
std::string listed(const List& list, std::size_t left_out, Text&& text) {
  std::vector<std::string> names;
  for (const auto& item : list)
    if (names.size() < most_names) names.push_back(text(item));
  if (const std::size_t more = list.size() - names.size() + left_out) names.push_back(fmt::format("and {} more", more));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string contents(const SceneCheck& check) {
  const Facts& facts = *check.facts;
  const Facts::Course& how = facts.run;
  std::vector<std::vector<std::string>> rows;
  if (!check.is_inclusion)
    rows.push_back({"bodies", std::to_string(facts.bodies.size() + facts.left_out.bodies),
                    listed(facts.bodies, facts.left_out.bodies,
                           [](const SceneBody& body) { return fmt::format("{} ({})", body.name, body.kind); })});
  rows.push_back({"elements", std::to_string(facts.elements.size() + facts.left_out.elements),
                  listed(facts.elements, facts.left_out.elements, [](const SceneElement& element) {
                    if (element.between[0].empty()) return fmt::format("{} ({})", element.name, element.law);
                    return fmt::format("{} ({}: {} - {})", element.name, element.law, element.between[0], element.between[1]);
                  })});
  rows.push_back({"states", std::to_string(check.states), ""});
  rows.push_back({"steps", !check.steps ? "" : fmt::format("{:.0f}", how.duration / how.step),
                  !check.steps ? fmt::format("{} chooses them, {:g} s", how.method, how.duration)
                               : fmt::format("{} of {}, {:g} s", how.method, quantity_text(how.step, "s"), how.duration)});
  rows.push_back({"columns", std::to_string(facts.columns.size()),
                  check.every > 0 ? fmt::format("every {}", quantity_text(check.every, "s")) : "after every step"});
  return aligned(rows, "<><");
}

/// Runs it, and a second time beside it with half the step.
void look_deep(Run& run, SceneCheck& check, const Hooks& hooks) {
  Ticker ticker;
  bool stopped = false;
  while (!(stopped = hooks.stopped()) && run.step())
    if (ticker.tick() && hooks.progress) hooks.progress({run.time(), check.facts->run.duration, ticker.seconds(), {}});
  if (stopped) check.problems.push_back(fmt::format("interrupted at t = {:g} s", run.time()));
  if (run.failure()) check.problems.push_back("failed: " + run.failure()->text);
}

}  // namespace

SceneCheck check_scene(const Scene& scene, const SceneCheckOptions& options) {
  SceneCheck check;
  check.file = scene.file;
  check.title = scene.title;
  check.is_strict = options.strict || scene.run.strict;
  check.is_deep = options.deep;
  check.is_inclusion = scene.inclusion != nullptr;
  if (scene.inclusion) check.notes = scene.inclusion->notes();
  check.every = scene.run.record.every;
  RunOptions how = scene.run;
  how.strict = check.is_strict;
  if (how.record.columns.empty()) how.record.columns = {"*"};
  const auto verifying = options.deep ? job::verify(scene, nullptr, how, check.problems) : nullptr;
  if (verifying) how.record.sink = verifying;
  else how.record.sink = std::make_shared<MemorySink>();  // never started: nothing is run
  const auto run = check.problems.empty() ? job::make_run(scene, how, check.problems) : nullptr;
  if (!run) return check;
  check.states = run->state().size();
  if (!is_adaptive(scene.run.method)) check.steps = static_cast<std::uint64_t>(std::llround(scene.run.duration / scene.run.step));
  check.facts = facts_of(scene, *run, {});
  if (!verifying) return check;

  look_deep(*run, check, options.hooks);
  check.facts = facts_of(scene, *run, {.verification = verifying->verification(*run)});
  check.has_failed = run->failure() || std::any_of(check.facts->findings.begin(), check.facts->findings.end(),
                                                   [](const Finding& one) { return one.severity == Finding::Severity::failure; });
  return check;
}

SceneCheck check_scene_file(const std::string& path, const std::vector<std::string>& settings, const SceneCheckOptions& options) {
  std::vector<SceneProblem> found;
  const auto scene = read_scene_file(path, settings, found);
  SceneCheck check;
  if (scene) check = check_scene(*scene, options);
  check.file = path;
  for (const SceneProblem& problem : found) check.problems.push_back(to_text(problem));
  return check;
}

std::string to_json(const SceneCheck& check) {
  Json json;
  json["asperity"] = version();
  json["scene"] = check.file;
  json["problems"] = check.problems;
  const Json all = check.facts ? facts::json_of(*check.facts) : Json();
  json["title"] = check.title;
  json["verdict"] = check.facts ? all["verdict"] : Json("");
  for (const char* key : {"findings", "verification", "warnings", "bodies", "elements", "parameters", "columns"})
    json[key] = check.facts ? all[key] : key == std::string_view("verification") ? Json() : Json::array();
  json["states"] = check.facts ? Json(check.states) : Json();
  json["steps"] = check.facts && check.steps ? Json(*check.steps) : Json();
  return facts::text_of(json);
}

std::string to_text(const SceneCheck& check) {
  if (!check.facts) return "";
  const auto& warnings = check.facts->warnings;
  const auto notes = static_cast<std::size_t>(
      std::count_if(warnings.begin(), warnings.end(), [](const Warning& warning) { return warning.note; }));
  const auto& found = check.facts->findings;
  const auto findings = static_cast<std::size_t>(std::count_if(
      found.begin(), found.end(), [&](const Finding& one) { return check.is_deep && one.severity != Finding::Severity::remark; }));
  const std::string doubts = counted(warnings.size() - notes + findings, notes);
  const std::string verdict = check.has_failed ? "failed" : doubts.empty() ? "fine" : doubts;
  return fmt::format("{}: {}\n", check.file, verdict) + (check.is_deep ? doubts_of(*check.facts) : "") + contents(check);
}

}  // namespace asperity
