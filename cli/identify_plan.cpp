#include "identify_plan.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "asperity/csv.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/identify/plan.hpp"
#include "asperity/identify/study.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

identify::PlanRequest request_of(const PlanCommand& typed, Problems& problems) {
  identify::PlanRequest request;
  request.dash = "--";
  request.law = typed.laws;
  const auto read = [&](const char* option, const std::string& text, const char* unit, double& target, bool is_needed) {
    if (text.empty()) {
      if (is_needed) problems.push_back(fmt::format("{}: must be given with --plan, in {}", option, unit));
      return;
    }
    std::string why;
    if (const auto value = read_quantity(text, unit, why)) target = *value;
    else problems.push_back(fmt::format("{} {}: {}", option, text, why));
  };
  identify::Machine& machine = request.machine;
  read("--mass", typed.mass, "kg", machine.mass, true);
  read("--stroke", typed.stroke, "m", machine.stroke, true);
  read("--top-speed", typed.speed, "m/s", machine.speed, true);
  read("--top-force", typed.force, "N", machine.force, true);
  read("--position-noise", typed.position_noise, "m", machine.position_noise, true);
  read("--force-noise", typed.force_noise, "N", machine.force_noise, true);
  read("--rate", typed.rate, "1/s", machine.rate, true);
  read("--duration", typed.duration, "s", request.duration, false);
  if (!typed.elements.empty()) {
    const auto elements = parse_number(typed.elements);
    if (!elements || !(*elements >= 1 && *elements <= 50) || *elements != std::round(*elements))
      problems.push_back(fmt::format("--elements {}: must be a whole number between 1 and 50", typed.elements));
    else request.elements = static_cast<int>(*elements);
  }
  for (const std::string& text : typed.guess) {
    const std::size_t equals = text.rfind('=');
    const auto value = equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
    if (!value || !std::isfinite(*value))
      problems.push_back(fmt::format("--guess {}: must be NAME=VALUE with a finite value in SI units", text));
    else request.guess.emplace_back(text.substr(0, equals), *value);
  }
  return request;
}

}  // namespace

int run_plan(const PlanCommand& typed) {
  Problems problems;
  identify::PlanRequest request = request_of(typed, problems);
  if (!typed.folder.empty())
    for (std::string& line : identify::plan_objections(typed.folder)) problems.push_back(std::move(line));
  const auto refuse = [&](const Problems& lines) {
    report("identify", lines);
    if (typed.json) print("identify", identify::refusal_facts(lines));
    return bad_input;
  };
  if (!problems.empty()) return refuse(problems);
  identify::ExcitationPlan found;
  {
    LongCall call(!typed.json);
    request.hooks = call.hooks();
    found = plan(request);
  }
  if (stop_signal() != 0) return interrupted("identify");
  if (!found.problems.empty()) return refuse(found.problems);
  if (!typed.folder.empty())
    if (auto problem = write_plan(typed.folder, found)) {
      report("identify", {*problem});
      return run_failed;
    }
  const std::string wrote =
      typed.folder.empty() ? "" : fmt::format("Wrote {0}.csv and {0}.h\n", (std::filesystem::path(typed.folder) / "plan").string());
  return print("identify", typed.json ? plan_facts(found) : plan_text(found) + wrote) ? fine : run_failed;
}

}  // namespace asperity::cli
