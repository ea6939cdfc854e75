#include "asperity/study/study.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "asperity/csv.hpp"
#include "commands.hpp"
#include "json_text.hpp"
#include "mpi.hpp"
#include "pools/threads.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;
using study::StudyOutcome;

struct TypedStudy {
  std::string file;
  study::PlanOptions plan;
  std::optional<std::string> folder, resume, shard, threads, page;
  bool merge = false, quiet = false, json = false, mpi = false;
};

/// "1/5"
bool read_shard(const std::string& text, study::StudyOptions& options) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return false;
  const double i = parse_number(text.substr(0, slash)).value_or(0), n = parse_number(text.substr(slash + 1)).value_or(0);
  if (i != std::floor(i) || n != std::floor(n) || !(i >= 1) || !(i <= n) || !(n <= 1e6)) return false;
  options.shard = std::uint64_t(i), options.shards = std::uint64_t(n);
  return true;
}

std::string counted_trust(const StudyOutcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < study::trust_levels; ++i)
    if (outcome.trust[i] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", outcome.trust[i], to_text(study::Trust(i)));
  return text;
}

std::string to_json(const study::Plan& plan, const std::string& folder, const StudyOutcome& outcome) {
  nlohmann::ordered_json json;
  constexpr std::array ends{"refused", "failed", "stopped", "part", "finished"};
  json["end"] = ends[std::size_t(outcome.end)];
  json["points"] = outcome.points;
  json["done"] = outcome.done;
  json["run_now"] = outcome.run_now;
  json["seconds"] = outcome.seconds;
  for (std::size_t i = 0; i < study::trust_levels; ++i) json["verdicts"][std::string(to_text(study::Trust(i)))] = outcome.trust[i];
  for (const study::Axis& axis : plan.axes) json["vary"].push_back({{"path", axis.path}, {"unit", axis.unit}});
  for (const study::Measure& measure : plan.measures)
    json["measure"].push_back({{"name", measure.name}, {"formula", measure.formula}});
  json["examples"] = outcome.examples;
  json["folder"] = folder;
  json["files"] = outcome.files;
  return json_text(std::move(json));
}

int tell(const TypedStudy& typed, const study::Plan& plan, const study::StudyOptions& options, const StudyOutcome& outcome) {
  using End = StudyOutcome::End;
  report("study", outcome.problems);
  if (outcome.end == End::refused) return bad_input;
  for (const std::string& note : outcome.notes) report("study", {"note: " + note});
  const std::string again = fmt::format("asperity study --resume {}", options.folder);
  if (outcome.end == End::stopped)
    report("study",
           {fmt::format("interrupted: {} of {} points are there; continue with: {}", outcome.done, outcome.points, again)});
  if (outcome.end == End::failed)
    report("study",
           {fmt::format("{} of {} points are there; once that is fixed, continue with: {}", outcome.done, outcome.points, again)});
  if (typed.json) {
    if (!print("study", to_json(plan, options.folder, outcome))) return run_failed;
  } else if (!typed.quiet && (outcome.end == End::finished || outcome.end == End::part)) {
    std::string text;
    if (outcome.run_now > 0)
      text += fmt::format("{} {} in {:.3g} s, {:.3g} points/s\n", outcome.run_now, outcome.run_now == 1 ? "point" : "points",
                          outcome.seconds, double(outcome.run_now) / std::max(outcome.seconds, 1e-9));
    const std::string trust = counted_trust(outcome);
    if (!trust.empty()) text += fmt::format("{}\n", trust);
    text += outcome.summary;
    for (const std::string& example : outcome.examples) text += fmt::format("  {}\n", example);
    if (outcome.end == End::part)
      text += fmt::format("shard {}/{} is done: {} of {} points are there; join the shards with: asperity study --merge {}\n",
                          options.shard, options.shards, outcome.done, outcome.points, options.folder);
    if (!outcome.files.empty()) {
      std::string files;
      for (const std::string& name : outcome.files) files += (files.empty() ? "" : ", ") + name;
      text += fmt::format("files in {}: {}\n", options.folder, files);
    }
    if (!print("study", text)) return run_failed;
  }
  if (outcome.end == End::stopped) return 128 + stop_signal();
  // A table without a single number to use.
  const bool none =
      outcome.done > 0 &&
      outcome.trust[std::size_t(study::Trust::failed)] + outcome.trust[std::size_t(study::Trust::refused)] == outcome.done;
  return outcome.end == End::failed || none ? run_failed : fine;
}

/// What the ranks have done, joined and told by the first.
int tell_of_ranks(const TypedStudy& typed, const study::Plan& plan, study::StudyOptions options, StudyOutcome outcome, Mpi& mpi) {
  using End = StudyOutcome::End;
  const bool speaks = mpi.rank() == 0;
  // The job is at its end: mpirun ends the other ranks. Chunks that are written are kept.
  if (outcome.end == End::stopped) {
    if (speaks) tell(typed, plan, options, outcome);
    std::fflush(nullptr);
    std::_Exit(128 + stop_signal());
  }
  const bool joined = mpi.sum(outcome.end == End::part ? 1 : 0) == std::uint64_t(mpi.size());
  const std::uint64_t ran = mpi.sum(outcome.run_now);
  if (!speaks) {
    if (outcome.end == End::failed) report("study", outcome.problems);
    return outcome.end == End::failed ? run_failed : outcome.end == End::refused ? bad_input : fine;
  }
  if (!joined) {
    if (outcome.end == End::part) {  // others have said why
      outcome.end = End::failed;
      outcome.problems.emplace_back("a rank could not do its part");
    }
    return tell(typed, plan, options, outcome);
  }
  const double seconds = outcome.seconds;
  options.claim = nullptr;
  options.merge = true;
  outcome = run_study(plan, options);
  outcome.run_now = ran, outcome.seconds = seconds;
  return tell(typed, plan, options, outcome);
}

int run_study_command(const TypedStudy& given) {
  TypedStudy typed = given;
  Problems problems;
  study::StudyOptions options;
  options.merge = typed.merge;
  options.resume = typed.resume.has_value();
  // `--resume map.toml`: the study, not its folder; `--merge out/map`: the folder, not a study.
  if (typed.resume && typed.file.empty() && typed.resume->ends_with(".toml")) std::swap(typed.file, *typed.resume);
  std::error_code none;
  if (typed.merge && !typed.folder && fs::is_directory(typed.file, none)) typed.folder = std::exchange(typed.file, "");
  if (typed.resume && !typed.resume->empty()) {
    if (typed.folder)
      problems.push_back(fmt::format("-o {}: a study continues in its own folder, {}", *typed.folder, *typed.resume));
    typed.folder = *typed.resume;
  }
  if (typed.file.empty() && !typed.folder)
    problems.emplace_back(options.resume ? "--resume: which study? for instance --resume out/brake_map"
                          : typed.merge  ? "--merge: which study? for instance --merge out/brake_map"
                                         : "which study? for instance: asperity study examples/studies/brake_map.toml");
  if (typed.shard && !read_shard(*typed.shard, options))
    problems.push_back(fmt::format("--shard {}: must be I/N with 1 <= I <= N, such as 1/5", *typed.shard));
  if (typed.shard && typed.merge) problems.emplace_back("--shard and --merge: must be one of them");
  if (typed.mpi && (typed.shard || typed.merge))
    problems.emplace_back("--mpi: the ranks share the study; leave --shard and --merge out");
  if (typed.page && *typed.page != "html" && *typed.page != "none")
    problems.push_back(fmt::format("--page {}: must be html or none", *typed.page));
  options.page = typed.page.value_or("html") == "html";
  if (typed.threads) {
    const auto n = parse_number(*typed.threads);
    if (!n || *n != std::floor(*n) || *n < 1 || *n > 1024)
      problems.push_back(fmt::format("--threads {}: must be a whole number between 1 and 1024", *typed.threads));
    else options.threads = int(*n);
  }
  if (!problems.empty()) return report("study", problems), bad_input;

  std::unique_ptr<Mpi> mpi;
  if (typed.mpi) {
    std::string why;
    mpi = Mpi::join(why);
    if (!mpi) return report("study", {"--mpi: " + why}), bad_input;
    if (!typed.threads) options.threads = 1;  // as many ranks as there are cores
  }
  const bool speaks = !mpi || mpi->rank() == 0;
  if (!speaks) typed.quiet = true, typed.json = false;

  const bool changed = !typed.plan.set.empty() || !typed.plan.vary.empty() || !typed.plan.measure.empty() || typed.plan.samples ||
                       typed.plan.design || typed.plan.seed || typed.plan.sensitivity || typed.plan.border || typed.plan.resolution;
  std::optional<study::Plan> plan;
  if (typed.file.empty()) {
    if (changed)
      problems.push_back(fmt::format(
          "a study continues as it was started: {} says what is varied and measured; leave the other options out", *typed.folder));
    else plan = study::read_study(*typed.folder, problems);
  } else {
    plan = study::read_plan(typed.file, typed.plan, problems);
  }
  if (!plan) {
    if (speaks) report("study", problems);
    return bad_input;
  }
  const bool is_scene = plan->scene_file == typed.file;
  options.folder =
      typed.folder.value_or((fs::path("out") / (fs::path(typed.file).stem().string() + (is_scene ? "_study" : ""))).string());
  if (!typed.quiet)
    report("study", {fmt::format("{}{}, {} {}, on {} {}", plan->total(),
                                 plan->border ? fmt::format(" to begin with, then where {} changes", plan->border->measure) : "",
                                 plan->measures.size(), plan->measures.size() == 1 ? "measure" : "measures",
                                 mpi ? mpi->size() * threads_of(options.threads) : threads_of(options.threads),
                                 mpi                                ? "threads of MPI ranks"
                                 : threads_of(options.threads) == 1 ? "thread"
                                                                    : "threads")});
  listen_to_signals();
  ProgressBar bar(!typed.quiet);
  double from = -1;
  std::atomic<std::uint64_t> claimed = 0;  // points, by any rank
  if (mpi)
    options.claim = [&](std::uint64_t chunks) -> std::optional<std::uint64_t> {
      const std::uint64_t next = mpi->claim();
      claimed = std::min(next, chunks) * study::chunk_size(*plan);
      return next < chunks ? std::optional(next) : std::nullopt;
    };
  options.hooks.stop = [] { return stop_signal() != 0; };
  options.hooks.progress = [&](const Progress& own) {
    Progress now = own;
    now.done = std::clamp(double(claimed.load()), now.done, now.all);
    if (from < 0) from = now.done;
    const double rate = now.seconds > 0 ? (now.done - from) / now.seconds : 0, share = now.done / std::max(now.all, 1.0);
    bar.show(fmt::format("{:3.0f} % {} {:.0f} of {:.0f} points  {:.3g} points/s  {}", std::floor(100 * share), bar_of(share),
                         now.done, now.all, rate, rate > 0 ? clock_text((now.all - now.done) / rate) + " left" : ""),
             now.seconds);
  };
  StudyOutcome outcome = run_study(*plan, options);
  bar.clear();
  if (mpi) return tell_of_ranks(typed, *plan, options, outcome, *mpi);
  return tell(typed, *plan, options, outcome);
}

constexpr const char* study_notes =
    R"help(Runs a scene at every point of a grid or of a random design, and measures each run. A study is a file:
  scene = "conveyor_stick_slip.toml"
  [vary]
  "let.v"    = { from = 0.01, to = 1, count = 60, log = true }
  "spring.K" = { from = "100 N/m", to = "10 kN/m", count = 40, log = true }
  [measure]
  amplitude = "max(mass.velocity, t > 2) - min(mass.velocity, t > 2)"
or a scene with --vary and --measure. Distributions: { uniform = [1, 2] }, { normal = 1.5, sd = 0.1, low = 1 },
{ lognormal = 2, sd = 0.3 }, with `samples`; on the command line uniform(1, 2), normal(1.5, 0.1, 1).

In the folder: table.csv and table.h5, one row per point with its parameters, its measures, how far to trust
it (fine, doubtful, incomplete, failed, refused) and why; report.html with maps, curves and histograms; study.toml and scene.toml, from which it can be
repeated. No point is left out. Ctrl-C and kill -9 lose the chunks in flight; --resume goes on to the same table.

Examples
  asperity study examples/studies/brake_map.toml
  asperity study scenes/held_by_friction.toml --vary floor.F=0.3:0.7:41 --measure "end=last(block.position)"
  asperity study --resume out/brake_map
  where a block begins to slide, to 1e-3 of the range:
    asperity study scenes/held_by_friction.toml --vary floor.F=0.3:0.7:5 --measure "held=count(floor.slips) == 0" --border held
  one fifth of it, on each of five machines, then together:
    asperity study map.toml -o /shared/map --shard 1/5
    asperity study --merge /shared/map
  on 8 ranks of MPI, in a folder that all of them see:
    mpirun -n 8 asperity study map.toml -o /shared/map --mpi

Exit codes: 0 fine, 1 it could not be written or every point failed, 2 bad usage or bad input, 130 interrupted, 143 terminated.)help";

}  // namespace

Command add_study(CLI::App& app) {
  const auto typed = std::make_shared<TypedStudy>();
  CLI::App& command = *app.add_subcommand("study", "A scene at many points: grids, random designs; a table of measures");
  const auto text = [&](const char* name, std::optional<std::string>& target, const char* help, const char* placeholder) {
    command
        .add_option_function<std::string>(
            name, [typed, &target](const std::string& value) { target = value; }, help)
        ->type_name(placeholder);
  };
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* help, const char* placeholder) {
    command.add_option(name, target, help)->allow_extra_args(false)->type_name(placeholder);
  };
  command.add_option("FILE", typed->file, "a study, or a scene with --vary and --measure")->type_name("");
  list("--vary", typed->plan.vary,
       "FROM:TO:COUNT[:log], A,B,C, or uniform(A, B), normal(MEAN, SD, LOW, HIGH), lognormal(MEDIAN, SD). Repeatable",
       "PATH=VALUES");
  list("--measure", typed->plan.measure, "such as \"end=last(mass.position)\". Repeatable", "NAME=FORMULA");
  list("--set", typed->plan.set, "change the scene for all points: run.duration=2. Repeatable", "PATH=VALUE");
  text("--samples", typed->plan.samples, "of the random parameters, for every point of the grid", "N");
  text("--design", typed->plan.design, "of the samples: sobol (by default), latin or random", "NAME");
  text("--seed", typed->plan.seed, "of the samples; 1 by default", "N");
  text("--sensitivity", typed->plan.sensitivity,
       "which parameters matter: sobol (indices, samples (k + 2) points) or morris (samples (k + 1))", "NAME");
  text("--border", typed->plan.border, "refine only where this yes/no measure changes, over one or two grids", "NAME");
  text("--resolution", typed->plan.resolution, "of the border, as a part of the range of each axis; 1e-3 by default", "R");
  text("--page", typed->page, "html (report.html, by default) or none", "NAME");
  text("-o,--output", typed->folder, "folder of the study; out/FILE by default", "FOLDER");
  command
      .add_option_function<std::vector<std::string>>(
          "--resume", [typed](const std::vector<std::string>& given) { typed->resume = given.empty() ? "" : given.front(); },
          "continue an interrupted study; without a folder, that of FILE")
      ->expected(0, 1)
      ->type_name("[FOLDER]");
  text("--shard", typed->shard, "work on part I of N of the chunks only", "I/N");
  command.add_flag("--merge", typed->merge, "join the chunks of all shards; run nothing");
  command.add_flag("--mpi", typed->mpi,
                   "share the chunks with the other ranks of an MPI job: mpirun -n 8 asperity study map.toml --mpi");
  text("--threads", typed->threads, "by default all cores; the results do not depend on it", "N");
  command.add_flag("--quiet", typed->quiet, "no summary, no progress; problems only");
  command.add_flag("--json", typed->json, "the facts of the study as JSON, instead of the summary");
  command.footer(study_notes);
  return {&command, [typed] { return run_study_command(*typed); }};
}

}  // namespace asperity::cli
