#include "asperity/job/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "asperity/inclusion/world.hpp"
#include "asperity/report/report.hpp"
#include "files/whole.hpp"
#include "folder.hpp"
#include "prepare.hpp"

namespace asperity {
namespace {

namespace fs = std::filesystem;
using files::read_whole;
using files::write_whole;
using job::RunFolder;

constexpr double seconds_between_checkpoints = 1;
constexpr std::size_t most_notes = 20;

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

/// Rows in memory, column by column.
class TableSink final : public Sink {
 public:
  Table table;

  void start(const std::vector<Quantity>& columns, std::uint64_t rows) override {
    table.columns.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      table.columns[i].quantity = columns[i];
      table.columns[i].values.resize(rows);
    }
    table.recorded = rows;
  }
  void row(std::span<const double> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].values.push_back(values[i]);
    ++table.recorded;
  }
  void flush() override {}
};

/// report.html in a folder; the problem, if there is one.
std::optional<std::string> report_of(const std::string& folder, const Facts& facts, const Table& rows) {
  const auto file = [&](const std::string& name) { return (fs::path(folder) / name).string(); };
  std::string scene;
  if (auto problem = read_whole(file(facts.files.scene), scene)) return problem;
  try {
    return write_whole(file("report.html"), report_page(facts, rows, scene));
  } catch (const std::invalid_argument& wrong) {
    return fmt::format("{}: no report: {}", folder, wrong.what());
  } catch (const std::bad_alloc&) {
    return fmt::format("{}: no report: not enough memory", folder);
  }
}

/// Where a run goes: everything that a folder needs and memory does not.
struct Place {
  explicit Place(const std::string& path) {
    if (!path.empty()) folder = std::make_unique<RunFolder>(path);
  }
  std::unique_ptr<RunFolder> folder{};  // null: in memory
  std::string data_name = "data.csv";
  bool is_resumed = false;
  double seconds = 0;                        // spent already
  std::string identity{};                    // of the scene that was interrupted: its text as it stood
  std::vector<SceneParameter> parameters{};  // of that scene, as its author wrote them
};

/// One job, from the first look at the scene to the last file.
class Job {
 public:
  Job(const Scene& scene, const JobOptions& options, Place& place) : scene_(scene), asked_(options), place_(place) {}

  JobOutcome go() {
    try {
      if (!prepare() || !begin()) return std::move(outcome_);
    } catch (const std::exception& error) {  // an input that is a function, a hook
      refuse({error.what()});
      outcome_.thrown = std::current_exception();
      return std::move(outcome_);
    }
    step_to_the_end();
    finish();
    return std::move(outcome_);
  }

 private:
  bool refuse(std::vector<std::string> problems, JobOutcome::End end = JobOutcome::End::refused) {
    outcome_.end = end;
    outcome_.problems = std::move(problems);
    return false;
  }

  bool prepare() {
    options_ = scene_.run;
    options_.strict = options_.strict || asked_.strict;
    if (asked_.threads) options_.threads = *asked_.threads;
    options_.identity = place_.identity.empty() ? scene_.resolved : place_.identity;
    options_.say = [this](std::string_view text) { notes_.add(text); };
    if (scene_.inclusion)
      for (const std::string& note : scene_.inclusion->notes()) notes_.add(note);
    if (options_.record.columns.empty()) options_.record.columns = {"*"};
    sink_ = make_sink();
    options_.record.sink = sink_;
    std::vector<std::string> problems;
    verifying_ = scene_.verify ? job::verify(scene_, sink_, options_, problems) : nullptr;
    if (!problems.empty()) return refuse(problems);
    if (verifying_) {
      options_.record.sink = verifying_;
      verifying_->stop_when([this] { return is_told_to_stop(); });
    }
    run_ = job::make_run(scene_, options_, problems);
    return run_ ? true : refuse(problems);
  }

  std::shared_ptr<Sink> make_sink() {
    if (!place_.folder) return table_ = std::make_shared<TableSink>();
    const std::string path = place_.is_resumed ? place_.folder->file(place_.data_name) : place_.folder->starting(place_.data_name);
    if (path.ends_with(".h5")) return make_hdf5_sink(path, scene_.title, scene_.file);
    return std::make_shared<CsvSink>(path);
  }

  bool begin() {
    RunFolder* const folder = place_.folder.get();
    circumstances_ = {.wall_seconds = place_.seconds, .data_file = place_.data_name};
    if (place_.is_resumed) {
      if (auto problem = folder->lock()) return refuse({*problem});
      try {
        run_->resume(folder->file("checkpoint"));
      } catch (const std::runtime_error& error) {
        return refuse({error.what()});
      }
    }
    if (asked_.begun) asked_.begun(*run_);
    if (!folder || place_.is_resumed) return true;

    constexpr auto failed = JobOutcome::End::failed;
    if (auto problem = folder->prepare()) return refuse({*problem});
    try {
      run_->save(folder->starting("checkpoint"));
    } catch (const std::runtime_error& error) {
      return refuse({error.what()}, failed);
    }
    for (const auto& [name, text] :
         {std::pair("scene.toml", scene_.resolved), std::pair("summary.json", to_json(facts_of(scene_, *run_, circumstances_)))})
      if (auto problem = write_whole(folder->starting(name), text)) return refuse({*problem}, failed);
    if (auto problem = folder->replace_former()) return refuse({*problem}, failed);
    sink_->moved_to(folder->file(place_.data_name));
    return true;
  }

  /// Or until it fails or a hook says stop; saves a checkpoint now and then.
  void step_to_the_end() {
    ticker_ = {};
    bool due = false;
    while (!is_told_to_stop()) {
      bool goes_on = false;
      if (!without_trouble([&] { goes_on = run_->step(); })) return;
      if (!goes_on) {
        at_end_ = !run_->failure();
        return;
      }
      if (ticker_.tick()) {
        const double now = ticker_.seconds();
        tell(now);
        due = now - saved_ > wait_;
      }
      if (due && place_.folder && run_->can_save_quietly()) {
        due = false;
        if (!without_trouble([&] { save(); })) return;
      }
    }
    // Otherwise the checkpoint before is good, and the way from there the same.
    if (place_.folder && run_->can_save_quietly()) without_trouble([&] { run_->save(checkpoint()); });
  }

  bool is_told_to_stop() {
    bool stop = false;
    guarded([&] { stop = asked_.hooks.stopped(); });
    return stop || outcome_.thrown;
  }
  void tell(double seconds) {
    if (asked_.hooks.progress) guarded([&] { asked_.hooks.progress({run_->time(), options_.duration, seconds, {}}); });
  }
  template <class Action>
  void guarded(Action&& action) {
    try {
      action();
    } catch (...) {
      outcome_.thrown = std::current_exception();
    }
  }

  /// A full disk, or an input that throws, ends the run; what there is stays.
  template <class Action>
  bool without_trouble(Action&& action) {
    try {
      action();
      return true;
    } catch (const std::runtime_error& error) {
      if (circumstances_.trouble.empty()) circumstances_.trouble = error.what();
    } catch (const std::exception& error) {
      if (circumstances_.trouble.empty()) circumstances_.trouble = error.what();
      outcome_.thrown = std::current_exception();
    } catch (...) {
      if (circumstances_.trouble.empty()) circumstances_.trouble = "an input ended the run";
      outcome_.thrown = std::current_exception();
    }
    return false;
  }

  std::string checkpoint() const { return place_.folder->file("checkpoint"); }
  void save() {
    const double before = ticker_.seconds();
    run_->save(checkpoint());
    saved_ = ticker_.seconds();
    wait_ = std::max(seconds_between_checkpoints, 20 * (saved_ - before));
  }

  void finish() {
    without_trouble([&] { sink_->close(); });
    circumstances_.finished = at_end_ && circumstances_.trouble.empty();
    circumstances_.wall_seconds += ticker_.seconds();
    circumstances_.notes = notes_.list();
    if (verifying_ && (verifying_->compares_rows() || !is_told_to_stop()))
      circumstances_.verification = verifying_->verification(*run_);

    outcome_.facts = facts_of(scene_, *run_, circumstances_);
    if (place_.is_resumed) outcome_.facts->parameters = place_.parameters;
    outcome_.held = held_in(*run_);
    if (table_) outcome_.data = std::move(table_->table);
    std::vector<std::string> unreadable;
    std::optional<Table> rows;  // of the folder, for the verdicts on the motion and for the report
    if (place_.folder) rows = read_table_to_draw(place_.folder->file(place_.data_name), unreadable);
    if (const Table* judged = rows ? &*rows : table_ ? &outcome_.data : nullptr)
      outcome_.facts->motions = motions_of(scene_, *run_, *judged, outcome_.facts->left_out.motions);
    const Facts& facts = *outcome_.facts;
    using End = JobOutcome::End;
    outcome_.end = facts.run.finished ? End::finished : facts.failure ? End::failed : End::stopped;
    outcome_.can_resume = place_.folder && !facts.run.finished && !run_->failure();
    std::vector<std::string>& problems = outcome_.problems;
    if (facts.failure) problems.push_back(facts.failure->text);
    for (const Finding& finding : facts.findings)
      if (finding.severity == Finding::Severity::failure) problems.push_back("failed: " + finding.text);
      else if (options_.strict && finding.severity != Finding::Severity::remark) problems.push_back("strict: " + finding.text);
    if (!place_.folder) return;
    if (auto problem = write_whole(place_.folder->file("summary.json"), to_json(facts))) problems.push_back(*problem);
    else if (std::error_code ignored; facts.run.finished) fs::remove(checkpoint(), ignored);
    const std::string folder = place_.folder->path().string();
    if (auto problem = rows ? report_of(folder, facts, *rows) : unreadable.front()) problems.push_back(*problem);
  }

  const Scene& scene_;
  const JobOptions& asked_;
  Place& place_;
  JobOutcome outcome_{};
  RunOptions options_{};
  Notes notes_{};
  std::shared_ptr<Sink> sink_{};
  std::shared_ptr<TableSink> table_{};
  std::shared_ptr<VerifyingSink> verifying_{};
  std::unique_ptr<Run> run_{};
  Circumstances circumstances_{};
  Ticker ticker_{};
  double saved_ = 0, wait_ = seconds_between_checkpoints;
  bool at_end_ = false;
};

JobOutcome refused(std::vector<std::string> problems) {
  JobOutcome outcome;
  outcome.problems = std::move(problems);
  return outcome;
}

}  // namespace

std::vector<std::string> folder_objections(const std::string& folder, const std::string& scene_file) {
  return RunFolder(folder).objections(scene_file);
}

JobOutcome run_job(const Scene& scene, const JobOptions& options) {
  std::vector<std::string> problems;
  if (options.format != "csv" && options.format != "hdf5")
    problems.push_back(fmt::format("format {}: must be csv or hdf5", options.format));
  if (options.format == "hdf5" && !has_hdf5())
    problems.emplace_back("format hdf5: HDF5 is not built in (package libhdf5-dev); use csv");
  if (!options.folder.empty())
    for (std::string& objection : folder_objections(options.folder, scene.file)) problems.push_back(std::move(objection));
  if (!problems.empty()) return refused(std::move(problems));
  Place place(options.folder);
  if (options.format == "hdf5") place.data_name = "data.h5";
  return Job(scene, options, place).go();
}

std::optional<std::string> save_job(const Scene& scene, const JobOutcome& outcome, const std::string& path) {
  if (!outcome.facts) return fmt::format("{}: there is no run to write", path);
  if (outcome.data.columns.empty()) return fmt::format("{}: the run has no rows in memory", path);
  RunFolder folder(path);
  for (const std::string& objection : folder.objections(scene.file)) return objection;
  if (auto problem = folder.prepare()) return problem;
  try {
    CsvSink sink(folder.starting("data.csv"));
    std::vector<Quantity> columns;
    for (const Table::Column& column : outcome.data.columns) columns.push_back(column.quantity);
    sink.start(columns, 0);
    std::vector<double> row(columns.size());
    for (std::size_t i = 0; i < outcome.data.rows(); ++i) {
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = outcome.data.columns[c].values[i];
      sink.row(row);
    }
    sink.close();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  for (const auto& [name, text] : {std::pair("scene.toml", scene.resolved), std::pair("summary.json", to_json(*outcome.facts)),
                                   std::pair("report.html", report_page(*outcome.facts, outcome.data, scene.resolved))})
    if (auto problem = write_whole(folder.starting(name), text)) return problem;
  return folder.replace_former();
}

std::optional<std::string> write_report(const std::string& folder, const Facts& facts) {
  std::vector<std::string> problems;
  const auto table = read_table_to_draw((fs::path(folder) / facts.files.data).string(), problems);
  return table ? report_of(folder, facts, *table) : problems.front();
}

std::optional<FormerJob> read_job(const std::string& path, std::vector<std::string>& problems) {
  const fs::path folder(path);
  auto facts = read_facts((folder / "summary.json").string(), problems);
  if (!facts) return std::nullopt;
  FormerJob former{path, std::move(*facts)};
  if (former.facts.run.finished) return former;
  if (former.facts.asperity != version())
    problems.push_back(
        fmt::format("{}: was started by asperity {}, this is {}: start it again", path, former.facts.asperity, version()));
  const std::string file = (folder / "scene.toml").string();
  if (auto problem = read_whole(file, former.scene_text)) problems.push_back(*problem);
  std::vector<SceneProblem> found;
  former.scene = read_scene_file(file, {}, found);
  for (const SceneProblem& problem : found) problems.push_back(to_text(problem));
  return former;
}

JobOutcome resume_job(const FormerJob& former, const JobOptions& options) {
  if (former.facts.run.finished) {
    JobOutcome outcome;
    outcome.end = JobOutcome::End::finished;
    outcome.facts = former.facts;
    return outcome;
  }
  if (!former.scene) return refused({fmt::format("{}: has no scene to continue", former.folder)});
  Place place(former.folder);
  place.data_name = former.facts.files.data;
  place.is_resumed = true;
  place.seconds = former.facts.run.wall_seconds > 0 ? former.facts.run.wall_seconds : 0;
  place.identity = former.scene_text;
  place.parameters = former.facts.parameters;
  former.scene->file = former.facts.scene;
  return Job(*former.scene, options, place).go();
}

JobOutcome resume_job(const std::string& folder, const JobOptions& options) {
  std::vector<std::string> problems;
  const auto former = read_job(folder, problems);
  if (!former || !problems.empty()) return refused(std::move(problems));
  return resume_job(*former, options);
}

}  // namespace asperity
