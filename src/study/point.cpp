#include "point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "asperity/facts/facts.hpp"
#include "job/prepare.hpp"
#include "plan_text.hpp"
#include "setup/unread.hpp"

namespace asperity::study {
namespace {

std::string one_line(std::string text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "; ");
  return text;
}

std::string first_of(const std::vector<std::string>& problems) {
  if (problems.empty()) return "it cannot be run";
  return one_line(problems.front()) + (problems.size() > 1 ? fmt::format(" (and {} more)", problems.size() - 1) : "");
}

}  // namespace

PointRunner::PointRunner(const Plan& plan, const Points& points, const Measures& measures)
    : plan_(plan), points_(points), measures_(measures), measuring_(std::make_shared<Measuring>(measures)) {}

bool PointRunner::run(std::span<const double> values, const std::function<bool()>& stop, Result& result) {
  result.measures.assign(measures_.count(), std::numeric_limits<double>::quiet_NaN());
  result.trust = Trust::refused;
  result.problem.clear();
  std::vector<SceneProblem> found;
  const auto scene = scene_at(plan_, points_.settings(values), found);
  std::vector<std::string> problems;
  for (const SceneProblem& problem : found) problems.push_back(problem.line == 0 ? to_text(problem) : problem.text);
  if (!scene) return result.problem = first_of(problems), true;

  RunOptions options = scene->run;
  options.threads = 1;  // the points are what runs side by side
  options.identity.clear();
  options.record.columns = measures_.columns();
  // Where rows do not change the steps, all of them are looked at: what is between the rows of a file is not missed.
  if (!is_adaptive(options.method)) options.record.every = 0;
  options.record.sink = measuring_;
  measuring_->begin(values);
  std::shared_ptr<VerifyingSink> verifying;
  if (scene->verify) {
    verifying = job::verify(*scene, measuring_, options, problems);
    if (!verifying) return result.problem = first_of(problems), true;
    options.record.sink = verifying;
  }
  std::unique_ptr<Run> run;
  try {
    const WarningsUnread unread;  // only what a run finds of itself is in the table
    run = std::make_unique<Run>(scene->world, options);
  } catch (const std::invalid_argument& error) {
    return result.problem = one_line(error.what()), true;
  } catch (const SetUpError& error) {
    return result.problem = one_line(error.warnings.empty() ? error.what() : error.warnings.front().text), true;
  }
  while (run->step())
    if (stop && stop()) return false;
  std::optional<Verification> verification;
  if (verifying) verification = verifying->verification(*run);
  const auto& failure = run->failure();
  if (failure) {
    result.trust = Trust::failed;
    result.problem = one_line(failure->text);
    return true;  // measures of a part of a run are those of another run
  }
  measuring_->values(*run, result.measures, result.problem);
  result.trust = result.problem.empty() ? Trust::fine : Trust::incomplete;
  const auto findings = findings_of(*run, verification);
  const auto worst = std::max_element(findings.begin(), findings.end(),
                                      [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  if (worst != findings.end() && worst->severity != Finding::Severity::remark) {
    const bool wrong = worst->severity == Finding::Severity::failure;
    if (wrong || result.trust == Trust::fine) {
      result.trust = wrong ? Trust::failed : Trust::doubtful;
      result.problem = one_line(worst->text);
    }
  } else if (run->event_count() > run->events().size() && result.trust == Trust::fine) {
    result.trust = Trust::doubtful;
    result.problem = fmt::format("{} events: only the first {} are measured", run->event_count(), run->events().size());
  }
  return true;
}

}  // namespace asperity::study
