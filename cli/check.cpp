#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/inclusion/text.hpp"
#include "asperity/quantity_text.hpp"
#include "commands.hpp"
#include "execute.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

constexpr std::size_t most_names = 8;

template <class List, class Text>
std::string listed(const List& list, Text&& text) {
  std::vector<std::string> names;
  for (const auto& item : list)
    if (names.size() < most_names) names.push_back(text(item));
  if (list.size() > names.size()) names.push_back(fmt::format("and {} more", list.size() - names.size()));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string contents(const Scene& scene, const Run& run) {
  const asperity::RunOptions& how = scene.run;
  const bool own_steps = is_adaptive(how.method);
  std::vector<std::vector<std::string>> rows;
  if (!scene.inclusion)
    rows.push_back({"bodies", std::to_string(scene.bodies.size()),
                    listed(scene.bodies, [](const SceneBody& body) { return fmt::format("{} ({})", body.name, body.kind); })});
  rows.push_back({"elements", std::to_string(scene.elements.size()), listed(scene.elements, [](const SceneElement& element) {
                    if (element.between[0].empty()) return fmt::format("{} ({})", element.name, element.law);
                    return fmt::format("{} ({}: {} - {})", element.name, element.law, element.between[0], element.between[1]);
                  })});
  rows.push_back({"states", std::to_string(run.state().size()), ""});
  rows.push_back({"steps", own_steps ? "" : fmt::format("{:.0f}", how.duration / how.step),
                  own_steps ? fmt::format("{} chooses them, {:g} s", how.method, how.duration)
                            : fmt::format("{} of {}, {:g} s", how.method, quantity_text(how.step, "s"), how.duration)});
  rows.push_back({"columns", std::to_string(run.columns().size()),
                  how.record.every > 0 ? fmt::format("every {}", quantity_text(how.record.every, "s")) : "after every step"});
  return aligned(rows, "<><");
}

/// Runs it, and a second time beside it with half the step; what the two say.
struct Deep {
  std::optional<Verification> verification;
  std::vector<Finding> findings;
  bool failed = false;
};
Deep look_deep(Run& run, VerifyingSink& verifying, Problems& problems) {
  Deep found;
  listen_to_signals();
  while (stop_signal() == 0 && run.step()) {
  }
  if (stop_signal() != 0) problems.push_back(fmt::format("interrupted at t = {:g} s", run.time()));
  if (run.failure()) problems.push_back("failed: " + run.failure()->text);
  found.verification = verifying.verification(run);
  found.findings = findings_of(run, {.verification = found.verification});
  found.failed = run.failure().has_value();
  for (const Finding& finding : found.findings) found.failed = found.failed || finding.severity == Finding::Severity::failure;
  return found;
}

/// The same keys whatever is found.
std::string as_json(const CheckCommand& typed, const Scene* scene, const Run* run, const Deep& deep, const Problems& problems) {
  Facts facts;
  facts["asperity"] = ASPERITY_VERSION;
  facts["scene"] = typed.scene;
  facts["problems"] = problems;
  if (scene && run) {
    const Facts all = facts_of(*scene, *run, {.verification = deep.verification});
    for (const char* key :
         {"title", "verdict", "findings", "verification", "warnings", "bodies", "elements", "parameters", "columns"})
      facts[key] = all[key];
    facts["states"] = run->state().size();
    facts["steps"] = is_adaptive(scene->run.method) ? Facts() : Facts(std::llround(scene->run.duration / scene->run.step));
  } else {
    facts["title"] = scene ? scene->title : "";
    facts["verdict"] = "";
    facts["verification"] = nullptr;
    for (const char* key : {"findings", "warnings", "bodies", "elements", "parameters", "columns"}) facts[key] = Facts::array();
    facts["states"] = nullptr;
    facts["steps"] = nullptr;
  }
  return to_text(facts);
}

}  // namespace

int run_check(const CheckCommand& typed) {
  Problems problems;
  const auto scene = scene_of(typed.scene, typed.set, problems);
  std::unique_ptr<Run> run;
  std::unique_ptr<Verifying> verifying;
  if (scene) {
    asperity::RunOptions options = scene->run;
    options.strict = options.strict || typed.strict;
    if (options.record.columns.empty()) options.record.columns = {"*"};
    if (typed.deep) verifying = verify(*scene, nullptr, options, problems);
    if (verifying) options.record.sink = verifying->sink;
    else options.record.sink = std::make_shared<MemorySink>();  // never started: nothing is run
    if (problems.empty()) run = make_run(*scene, options, problems);
  }
  Deep deep;
  if (run && verifying) deep = look_deep(*run, *verifying->sink, problems);
  const bool strict = typed.strict || (scene && scene->run.strict);
  const int code = !run ? bad_input : deep.failed || !problems.empty() || (strict && !deep.findings.empty()) ? run_failed : fine;
  if (typed.json) return print("check", as_json(typed, scene.get(), run.get(), deep, problems)) ? code : run_failed;
  report("check", problems);
  if (!run) return code;
  if (scene->inclusion) report("check", scene->inclusion->notes());
  print_warnings("check", run->warnings());
  const auto notes = std::size_t(
      std::count_if(run->warnings().begin(), run->warnings().end(), [](const Warning& warning) { return warning.note; }));
  const std::string doubts = counted(run->warnings().size() - notes + deep.findings.size(), notes);
  const std::string verdict = deep.failed ? "failed" : doubts.empty() ? "fine" : doubts;
  std::string text = fmt::format("{}: {}\n", typed.scene, verdict);
  if (typed.deep) text += doubts_of(facts_of(*scene, *run, {.verification = deep.verification}));
  return print("check", text + contents(*scene, *run)) ? code : run_failed;
}

}  // namespace asperity::cli
