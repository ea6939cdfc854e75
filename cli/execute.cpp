#include "execute.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <iterator>

#include "commands.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}; }

}  // namespace

std::unique_ptr<Scene> scene_of(const std::string& path, const std::vector<std::string>& settings,
                                std::vector<std::string>& problems) {
  std::vector<SceneProblem> found;
  auto scene =
      path == "-" ? read_scene(standard_input(), "standard input", settings, found) : read_scene_file(path, settings, found);
  for (const SceneProblem& problem : found) problems.push_back(to_text(problem));
  return scene;
}

void print_warnings(std::string_view command, const std::vector<Warning>& warnings) {
  std::vector<std::string> lines;
  for (const Warning& warning : warnings) lines.push_back(fmt::format("{}: {}", warning.severity(), warning.text));
  report(command, lines);
}

std::string default_folder(const std::string& scene_file) {
  return (std::filesystem::path("out") / (scene_file == "-" ? "stdin" : std::filesystem::path(scene_file).stem())).string();
}

JobOptions on_terminal(const std::string& command, bool bar, bool resumed) {
  JobOptions options;
  const auto shown = std::make_shared<std::unique_ptr<ProgressBar>>();
  options.begun = [=](const Run& run) {
    if (resumed && bar) report(command, {fmt::format("continues from t = {:g} s", run.time())});
    print_warnings(command, run.warnings());
    listen_to_signals();
    *shown = std::make_unique<ProgressBar>(bar, run.time(), command);
  };
  options.hooks.progress = [=](const Progress& now) { (*shown)->show(now.done, now.all, now.seconds); };
  options.hooks.stop = [] { return stop_signal() != 0; };
  return options;
}

int finish(const std::string& command, const std::string& folder, const JobOutcome& outcome) {
  using End = JobOutcome::End;
  Problems problems = outcome.problems;
  const std::string again = fmt::format("asperity run --resume {}", folder);
  if (outcome.end == End::failed && outcome.can_resume)
    problems.insert(problems.begin() + 1,
                    fmt::format("stopped at t = {:g} s; once that is fixed, continue with: {}", outcome.facts->run.time, again));
  else if (outcome.end == End::stopped)
    problems.insert(problems.begin(), fmt::format("interrupted at t = {:g} s; continue with: {}", outcome.facts->run.time, again));
  report(command, problems);
  if (outcome.end == End::refused) return bad_input;
  if (outcome.end == End::stopped) return 128 + stop_signal();
  return problems.empty() ? fine : run_failed;
}

}  // namespace asperity::cli
