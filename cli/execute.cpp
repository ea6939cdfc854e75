#include "execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "asperity/inclusion/world.hpp"
#include "asperity/report/report.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_between_checkpoints = 1;
constexpr std::size_t most_notes = 20;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string data_of(const std::string& folder, const Facts& facts) {
  return (fs::path(folder) / facts["files"]["data"].get<std::string>()).string();
}

/// Of the method `auto`: the first ones, and how many more.
class Notes {
 public:
  void add(std::string_view text) {
    if (++count_ <= most_notes) list_.emplace_back(text);
  }
  std::vector<std::string> list() const {
    std::vector<std::string> all = list_;
    if (count_ > most_notes) all.push_back(fmt::format("and {} more", count_ - most_notes));
    return all;
  }

 private:
  std::vector<std::string> list_;
  std::size_t count_ = 0;
};

std::shared_ptr<Sink> sink_for(const std::string& path, const Scene& scene) {
  if (path.ends_with(".h5")) return make_hdf5_sink(path, scene.title, scene.file);
  return std::make_shared<CsvSink>(path);
}

/// Steps to the end, or until a signal; saves a checkpoint now and then.
class Stepping {
 public:
  Stepping(Run& run, double duration, std::string checkpoint, bool bar)
      : run_(run), checkpoint_(std::move(checkpoint)), bar_(bar, run.time(), duration) {}

  void go() {
    bool due = false;
    while (stop_signal() == 0) {
      if (!run_.step()) {
        at_end_ = !run_.failure();
        return;
      }
      if (ticker_.tick()) {
        const double now = ticker_.seconds();
        bar_.show(run_.time(), now);
        due = now - saved_ > wait_;
      }
      if (due && run_.can_save_quietly()) {
        due = false;
        save();
      }
    }
    if (run_.can_save_quietly()) run_.save(checkpoint_);  // otherwise the one before is good, and the way from there the same
  }

  bool at_end() const noexcept { return at_end_; }
  double seconds() const { return ticker_.seconds(); }

 private:
  void save() {
    const double before = ticker_.seconds();
    run_.save(checkpoint_);
    saved_ = ticker_.seconds();
    wait_ = std::max(seconds_between_checkpoints, 20 * (saved_ - before));
  }

  Run& run_;
  std::string checkpoint_;
  Ticker ticker_;
  ProgressBar bar_;
  double saved_ = 0, wait_ = seconds_between_checkpoints;
  bool at_end_ = false;
};

}  // namespace

std::unique_ptr<Scene> scene_of(const std::string& path, const std::vector<std::string>& settings,
                                std::vector<std::string>& problems) {
  std::vector<SceneProblem> found;
  auto scene = read_scene_file(path, settings, found);
  for (const SceneProblem& problem : found) problems.push_back(to_text(problem));
  return scene;
}

std::unique_ptr<Run> make_run(Scene& scene, const asperity::RunOptions& options, std::vector<std::string>& problems) {
  try {
    return std::make_unique<Run>(scene.world, options);
  } catch (const std::invalid_argument& error) {
    for (const std::string& line : lines_of(error.what())) problems.push_back(fmt::format("{}: {}", scene.file, line));
  } catch (const SetUpError& error) {
    for (const Warning& warning : error.warnings) problems.push_back(fmt::format("{}: {}", scene.file, warning.text));
  }
  return nullptr;
}

std::unique_ptr<Verifying> verify(const Scene& scene, const std::shared_ptr<Sink>& sink, const asperity::RunOptions& options,
                                  std::vector<std::string>& problems) {
  std::vector<SceneProblem> found;
  auto both = std::make_unique<Verifying>();
  both->again = read_scene(scene.resolved, scene.file, {}, found);
  for (const SceneProblem& problem : found) problems.push_back(to_text(problem));
  if (!both->again) return nullptr;
  if (scene.finer) both->again->world = make_world(scene.finer);  // relaxed as half the step would have it
  try {
    both->sink = std::make_shared<VerifyingSink>(sink, both->again->world, options);
  } catch (const std::exception& error) {
    for (const std::string& line : lines_of(error.what())) problems.push_back(fmt::format("{}: verify: {}", scene.file, line));
    return nullptr;
  }
  return both;
}

void print_warnings(std::string_view command, const std::vector<Warning>& warnings) {
  std::vector<std::string> lines;
  for (const Warning& warning : warnings) lines.push_back(fmt::format("{}: {}", warning.severity(), warning.text));
  report(command, lines);
}

std::string default_folder(const std::string& scene_file) { return (fs::path("out") / fs::path(scene_file).stem()).string(); }

std::optional<std::string> write_report(const RunFolder& folder, const Facts& facts) {
  const std::string data = data_of(folder.path().string(), facts);
  std::vector<std::string> problems;
  const auto table = read_table_to_draw(data, problems);
  if (!table) return problems.front();
  std::string scene;
  if (auto problem = read_whole(folder.file(facts["files"]["scene"].get<std::string>()), scene)) return problem;
  try {
    return write_whole(folder.file("report.html"), report_page(to_text(facts), *table, scene));
  } catch (const std::invalid_argument& wrong) {
    return fmt::format("{}: no report: {}", folder.path().string(), wrong.what());
  } catch (const Facts::exception&) {
    return fmt::format("{}: no report: its summary.json does not have the form of the facts of a run", folder.path().string());
  } catch (const std::bad_alloc&) {
    return fmt::format("{}: no report: not enough memory", folder.path().string());
  }
}

Outcome execute(Scene& scene, RunFolder& folder, const Execution& how) {
  const auto fail = [&](int code, const std::vector<std::string>& problems) {
    report(how.command, problems);
    return Outcome{code};
  };
  Notes notes;
  asperity::RunOptions options = scene.run;
  options.strict = options.strict || how.strict;
  options.identity = how.identity.empty() ? scene.resolved : how.identity;
  options.say = [&](std::string_view text) { notes.add(text); };
  if (scene.inclusion)
    for (const std::string& note : scene.inclusion->notes()) notes.add(note);
  if (options.record.columns.empty()) options.record.columns = {"*"};
  const std::string data = folder.file(how.data), checkpoint = folder.file("checkpoint");
  const auto sink = sink_for(how.resume ? data : folder.starting(how.data), scene);
  options.record.sink = sink;
  std::vector<std::string> problems;
  const auto verifying = scene.verify ? verify(scene, sink, options, problems) : nullptr;
  if (!problems.empty()) return fail(bad_input, problems);
  if (verifying) options.record.sink = verifying->sink;
  const auto run = make_run(scene, options, problems);
  if (!run) return fail(bad_input, problems);
  Circumstances circumstances{.wall_seconds = how.seconds, .data_file = how.data};

  if (how.resume) {
    if (auto problem = folder.lock()) return fail(bad_input, {*problem});
    try {
      run->resume(checkpoint);
    } catch (const std::runtime_error& error) {
      return fail(bad_input, {error.what()});
    }
    if (how.bar) report(how.command, {fmt::format("goes on from t = {:g} s", run->time())});
  }
  print_warnings(how.command, run->warnings());
  listen_to_signals();
  if (!how.resume) {
    if (auto problem = folder.prepare()) return fail(bad_input, {*problem});
    try {
      run->save(folder.starting("checkpoint"));
    } catch (const std::runtime_error& error) {
      return fail(run_failed, {error.what()});
    }
    for (const auto& [name, text] :
         {std::pair("scene.toml", scene.resolved), std::pair("summary.json", to_text(facts_of(scene, *run, circumstances)))})
      if (auto problem = write_whole(folder.starting(name), text)) return fail(run_failed, {*problem});
    if (auto problem = folder.replace_former()) return fail(run_failed, {*problem});
    sink->moved_to(data);
  }

  Stepping stepping(*run, options.duration, checkpoint, how.bar);
  const auto without_trouble = [&](auto&& action) {
    try {
      action();
    } catch (const std::runtime_error& error) {
      if (circumstances.trouble.empty()) circumstances.trouble = error.what();
    }
  };
  without_trouble([&] { stepping.go(); });
  without_trouble([&] { sink->close(); });
  circumstances.finished = stepping.at_end() && circumstances.trouble.empty();
  circumstances.wall_seconds += stepping.seconds();
  circumstances.notes = notes.list();
  if (verifying) circumstances.verification = verifying->sink->verification(*run);

  Outcome outcome{fine, std::make_unique<Facts>(facts_of(scene, *run, circumstances))};
  const std::string again = fmt::format("asperity run --resume {}", folder.path().string());
  if (run->failure()) {
    problems.push_back(run->failure()->text);
  } else if (!circumstances.trouble.empty()) {
    problems.push_back(circumstances.trouble);
    problems.push_back(fmt::format("stopped at t = {:g} s; when that is mended, go on with: {}", run->time(), again));
  } else if (!circumstances.finished) {
    problems.push_back(fmt::format("interrupted at t = {:g} s; go on with: {}", run->time(), again));
    outcome.exit_code = 128 + stop_signal();
  }
  for (const Finding& finding : findings_of(*run, circumstances))
    if (finding.severity == Finding::Severity::failure) problems.push_back("failed: " + finding.text);
    else if (options.strict) problems.push_back("strict: " + finding.text);
  if (auto problem = write_whole(folder.file("summary.json"), to_text(*outcome.facts))) problems.push_back(*problem);
  else if (std::error_code ignored; circumstances.finished) fs::remove(checkpoint, ignored);
  if (auto problem = write_report(folder, *outcome.facts)) problems.push_back(*problem);
  if (outcome.exit_code == fine && !problems.empty()) outcome.exit_code = run_failed;
  report(how.command, problems);
  return outcome;
}

}  // namespace asperity::cli
