#include "asperity/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include "asperity/facts/facts.hpp"
#include "border.hpp"
#include "chunk.hpp"
#include "files/whole.hpp"
#include "page.hpp"
#include "plan_text.hpp"
#include "point.hpp"
#include "pools/threads.hpp"
#include "table.hpp"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using End = StudyOutcome::End;

constexpr std::size_t most_examples = 5;

/// A folder that is being worked on has chunks; one that is finished has a table and no chunks.
class StudyFolder {
 public:
  explicit StudyFolder(fs::path path) : path_(std::move(path)) {}

  std::string file(std::string_view name) const { return (path_ / name).string(); }
  std::string chunk(std::uint64_t number) const { return (path_ / "chunks" / fmt::format("{:06}", number)).string(); }
  bool has(std::string_view name) const {
    std::error_code none;
    return fs::exists(path_ / name, none);
  }
  bool is_begun() const { return has("study.toml") && has("scene.toml"); }
  bool is_finished() const { return is_begun() && has("table.csv") && !has("chunks"); }

  /// Why a study may not be carried out there. Writes nothing.
  std::optional<std::string> objection(const Plan& plan, const StudyOptions& options) const {
    std::error_code none;
    const std::string name = path_.string();
    const fs::file_status status = fs::status(path_, none);
    if (fs::exists(status) && !fs::is_directory(status)) return fmt::format("{}: must be a folder", name);
    const bool joins = options.joins(), beside = options.shards > 1 || options.claim;
    if (!is_begun()) {
      if (options.resume || options.merge) return fmt::format("{}: there is no study to continue", name);
      for (const auto& entry : fs::directory_iterator(path_, none))
        if (!beside || !is_of_a_beginning(entry.path(), plan))
          return fmt::format("{}: holds other files; choose another folder with -o", name);
      return std::nullopt;
    }
    std::string scene, study;
    files::read_whole(file("scene.toml"), scene);
    files::read_whole(file("study.toml"), study);
    const bool same = scene == plan.scene_text && study == to_toml(plan);
    if (joins && !same)
      return fmt::format("{}: holds {} study; {}", name, study.find("asperity = ") == std::string::npos ? "no" : "another",
                         "start this one in another folder with -o, or continue that one: asperity study --resume " + name);
    if (!joins && !is_finished())
      return fmt::format("{}: holds a study that is not finished; continue it: asperity study --resume {}; or remove the folder",
                         name, name);
    return std::nullopt;
  }

  /// Shards begin at the same time: what one of them has written before its study.toml is there.
  static bool is_of_a_beginning(const fs::path& path, const Plan& plan) {
    std::string text;
    if (path.filename() == "chunks" || path.extension() == ".partial" || path.filename() == "study.toml") return true;
    return path.filename() == "scene.toml" && !files::read_whole(path.string(), text) && text == plan.scene_text;
  }

  /// Makes it ready for chunks; the problem, if there is one.
  std::optional<std::string> begin(const Plan& plan, bool anew) const {
    std::error_code error;
    fs::create_directories(path_, error);
    if (!error && anew)
      for (const char* name : {"table.csv", "table.h5", "report.html", "sensitivity.csv", "border.csv", "border.svg"})
        fs::remove(path_ / name, error);
    if (!error) fs::create_directory(path_ / "chunks", error);
    if (error) return fmt::format("{}: cannot write: {}", path_.string(), error.message());
    if (auto problem = files::write_whole(file("scene.toml"), plan.scene_text)) return problem;
    return files::write_whole(file("study.toml"), to_toml(plan));
  }

  /// After the tables: by one rename, so that no half of the chunks is ever taken for work that is left.
  void drop_chunks() const {
    std::error_code ignored;
    const fs::path away = path_ / "chunks.done";
    fs::remove_all(away, ignored);
    fs::rename(path_ / "chunks", away, ignored);
    fs::remove_all(away, ignored);
    // What a process that was killed had begun to write.
    for (const auto& entry : fs::directory_iterator(path_, ignored))
      if (entry.path().extension() == ".partial") fs::remove(entry.path(), ignored);
  }

 private:
  fs::path path_;
};

/// Everything that one call does.
class Study {
 public:
  Study(const Plan& plan, const StudyOptions& options)
      : plan_(plan),
        options_(options),
        folder_(options.folder),
        points_(plan),
        chunk_(chunk_size(plan)),
        identity_(identity_of(plan)) {
    outcome_.points = points_.count();
    chunks_ = (outcome_.points + chunk_ - 1) / chunk_;
  }

  StudyOutcome open(std::vector<std::uint64_t>& chunks) {
    if (plan_.border) refuse("a border cannot be cut into chunks: where it runs next depends on what came out before");
    else if (prepare()) {
      chunks = wanted_;
      outcome_.end = End::part;
    }
    return std::move(outcome_);
  }

  StudyOutcome go() {
    if (!prepare()) return std::move(outcome_);
    if (plan_.border) return go_along_the_border();
    run_chunks();
    outcome_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    finish();
    return std::move(outcome_);
  }

 private:
  bool in_memory() const { return options_.folder.empty(); }
  bool refuse(std::string problem, End end = End::refused) {
    outcome_.end = end;
    outcome_.problems.push_back(std::move(problem));
    return false;
  }
  std::uint64_t size_of(std::uint64_t chunk) const { return std::min(chunk_, outcome_.points - chunk * chunk_); }
  bool is_mine(std::uint64_t chunk) const { return chunk % options_.shards == options_.shard - 1; }

  bool prepare() {
    for (std::string& problem : problems_of(plan_)) outcome_.problems.push_back(std::move(problem));
    if (options_.shards < 1 || options_.shard < 1 || options_.shard > options_.shards)
      outcome_.problems.push_back(fmt::format("shard {}/{}: must be 1/N ... N/N", options_.shard, options_.shards));
    const bool is_shared = options_.shards > 1 || options_.claim;
    if (is_shared && in_memory()) outcome_.problems.emplace_back("a shard needs a folder");
    if (is_shared && plan_.border)
      outcome_.problems.emplace_back("a border cannot be cut into shards: where it runs next depends on what came out before");
    if (options_.merge && plan_.border) outcome_.problems.emplace_back("a border has no shards to join; continue with --resume");
    if (!outcome_.problems.empty()) return false;
    const auto scene = sample_scene(plan_, outcome_.problems);
    if (!scene) return false;
    measures_ = Measures::read(plan_.measures, scene->world, plan_.axes, outcome_.problems);
    if (!measures_) return false;
    if (in_memory()) {
      if (plan_.border) return true;
      first_ = std::min(options_.first, outcome_.points);
      outcome_.points = std::min(options_.count, outcome_.points - first_);
      chunks_ = (outcome_.points + chunk_ - 1) / chunk_;
      outcome_.results.resize(outcome_.points);
      for (std::uint64_t chunk = 0; chunk < chunks_; ++chunk) wanted_.push_back(chunk);
      return true;
    }
    if (auto problem = folder_.objection(plan_, options_)) return refuse(*problem);
    const bool joins = options_.joins();
    if (joins && folder_.is_finished()) {
      outcome_.notes.emplace_back("this study is finished: there is nothing to continue");
      outcome_.done = outcome_.points;
      outcome_.end = End::finished;
      return false;
    }
    if (auto problem = folder_.begin(plan_, !joins)) return refuse(*problem, End::failed);
    if (plan_.border) return true;
    std::uint64_t missing = 0;
    for (std::uint64_t chunk = 0; chunk < chunks_; ++chunk) {
      const bool there = joins && read_chunk(folder_.chunk(chunk), identity_, chunk).has_value();
      if (there) done_ += size_of(chunk);
      else if (std::error_code none; joins && fs::exists(folder_.chunk(chunk), none)) ++damaged_;
      if (!there) ++missing;
      if (!there && is_mine(chunk)) wanted_.push_back(chunk);
    }
    if (damaged_ > 0)
      outcome_.notes.push_back(
          fmt::format("{} of the chunks that were there are damaged or of another study, and are run again", damaged_));
    if (options_.merge && missing > 0)
      return refuse(fmt::format("{}: {} of {} chunks are missing; run their shards, or everything that is left with --resume",
                                options_.folder, missing, chunks_));
    return true;
  }

  bool is_stopped() {
    if (stop_.load(std::memory_order_relaxed)) return true;
    if (!options_.hooks.stop) return false;
    const std::unique_lock lock(hooks_, std::try_to_lock);
    if (lock && options_.hooks.stopped()) stop_ = true;
    return stop_;
  }

  void tell() {
    if (!options_.hooks.progress) return;
    const std::unique_lock lock(hooks_, std::try_to_lock);
    if (!lock) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (seconds - told_ < 0.02) return;
    told_ = seconds;
    options_.hooks.progress({double(done_.load()), double(outcome_.points), seconds, {}});
  }

  void run_chunks() {
    start_ = Clock::now();
    const auto work = [&](std::size_t begin, std::size_t end) {
      try {
        for (std::size_t i = begin; i < end && !is_stopped(); ++i) run_chunk(wanted_[i]);
      } catch (...) {
        const std::lock_guard lock(failing_);
        if (!thrown_) thrown_ = std::current_exception();
        stop_ = true;
      }
    };
    const auto threads = threads_of(options_.threads);
    if (options_.claim) in_chunks(threads, std::size_t(threads), 1, [&](std::size_t, std::size_t) { run_claimed(work); });
    else in_chunks(threads, wanted_.size(), 1, work);
    if (!thrown_) return;
    try {
      std::rethrow_exception(thrown_);
    } catch (const std::exception& error) {
      refuse(error.what(), End::failed);
    }
  }

  /// One chunk after the other, as they are given out; those that were there before are not run.
  template <class Work>
  void run_claimed(const Work& work) {
    while (!is_stopped()) {
      std::optional<std::uint64_t> chunk;
      try {
        const std::lock_guard lock(claiming_);
        chunk = options_.claim(chunks_);
      } catch (...) {
        const std::lock_guard lock(failing_);
        if (!thrown_) thrown_ = std::current_exception();
        stop_ = true;
        return;
      }
      if (!chunk) return;
      const auto at = std::lower_bound(wanted_.begin(), wanted_.end(), *chunk);
      if (at == wanted_.end() || *at != *chunk) continue;
      const auto i = std::size_t(at - wanted_.begin());
      work(i, i + 1);
    }
  }

  /// False if it was stopped on the way. Its own measures: one workspace a thread.
  template <class At>
  bool run_points(std::span<Result> results, At&& at) {
    PointRunner runner(plan_, points_, *measures_);
    std::vector<double> values(plan_.axes.size());
    const std::function<bool()> stop = [&] { return is_stopped(); };
    for (std::uint64_t i = 0; i < results.size(); ++i) {
      at(i, values);
      if (!runner.run(values, stop, results[i])) {
        done_ -= i;
        ran_ -= i;
        return false;
      }
      ++done_;
      ++ran_;
      tell();
    }
    return true;
  }

  void run_chunk(std::uint64_t number) {
    Chunk chunk{identity_, number, {}};
    chunk.results.resize(size_of(number));
    if (!run_points(chunk.results,
                    [&](std::uint64_t i, std::vector<double>& values) { points_.at(first_ + number * chunk_ + i, values); }))
      return;
    if (in_memory())
      std::move(chunk.results.begin(), chunk.results.end(), outcome_.results.begin() + std::ptrdiff_t(number * chunk_));
    else if (auto problem = write_chunk(folder_.chunk(number), chunk)) throw std::runtime_error(*problem);
  }

  /// Level by level; what a level asks for depends on those before, so that a study that goes on finds its chunks again.
  StudyOutcome go_along_the_border() {
    start_ = Clock::now();
    BorderSearch search(plan_);
    const auto measure = std::size_t(std::find_if(plan_.measures.begin(), plan_.measures.end(),
                                                  [&](const Measure& m) { return m.name == plan_.border->measure; }) -
                                     plan_.measures.begin());
    const std::size_t axes = plan_.axes.size();
    constexpr std::size_t together = 16;  // points of a chunk
    std::vector<double> all;
    std::vector<Result> results;
    std::uint64_t number = 0;
    for (std::vector<double> asked = search.next(); !asked.empty(); asked = search.next()) {
      const std::size_t count = asked.size() / axes, before = results.size(), chunks = (count + together - 1) / together;
      results.resize(before + count);
      all.insert(all.end(), asked.begin(), asked.end());
      outcome_.points = results.size();
      const auto work = [&](std::size_t begin, std::size_t end) {
        try {
          for (std::size_t c = begin; c < end && !is_stopped(); ++c) {
            const std::span<Result> part(results.data() + before + c * together, std::min(together, count - c * together));
            const std::string path = in_memory() ? "" : folder_.chunk(number + c);
            if (const auto known = in_memory() ? std::nullopt : read_chunk(path, identity_, number + c);
                known && known->results.size() == part.size()) {
              std::copy(known->results.begin(), known->results.end(), part.begin());
              done_ += part.size();
              continue;
            }
            const auto at = [&](std::uint64_t i, std::vector<double>& values) {
              std::copy_n(asked.begin() + std::ptrdiff_t((c * together + i) * axes), axes, values.begin());
            };
            if (!run_points(part, at)) return;
            if (in_memory()) continue;
            if (auto problem = write_chunk(path, {identity_, number + c, {part.begin(), part.end()}}))
              throw std::runtime_error(*problem);
          }
        } catch (...) {
          const std::lock_guard lock(failing_);
          if (!thrown_) thrown_ = std::current_exception();
          stop_ = true;
        }
      };
      in_chunks(threads_of(options_.threads), chunks, 1, work);
      if (stop_) break;
      number += chunks;
      std::vector<double> answers;
      for (std::size_t i = before; i < results.size(); ++i) answers.push_back(answer_of(results[i], measure));
      search.answer(answers);
    }
    outcome_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    outcome_.done = done_;
    outcome_.run_now = ran_;
    if (stop_) {
      if (!thrown_) outcome_.end = End::stopped;
      else {
        try {
          std::rethrow_exception(thrown_);
        } catch (const std::exception& error) {
          refuse(error.what(), End::failed);
        }
      }
      return std::move(outcome_);
    }
    count(0, results);
    try {
      tell_border(search, all, results, measure);
      outcome_.end = End::finished;
    } catch (const std::exception& error) {
      refuse(error.what(), End::failed);
    }
    if (in_memory()) outcome_.results = std::move(results), outcome_.values = std::move(all);
    return std::move(outcome_);
  }

  /// 1, 0, or not known.
  static double answer_of(const Result& result, std::size_t measure) {
    return result.trust == Trust::failed ? std::numeric_limits<double>::quiet_NaN() : result.measures[measure];
  }

  void tell_border(const BorderSearch& search, const std::vector<double>& values, std::span<const Result> results,
                   std::size_t measure) {
    const auto crossings = search.crossings();
    const std::string& name = plan_.border->measure;
    for (const auto& crossing : crossings)
      outcome_.crossings.insert(outcome_.crossings.end(), crossing.at.begin(), crossing.at.end());
    outcome_.summary = fmt::format("{} points; a full grid of this resolution has {:.0f}\n", results.size(), search.full_grid());
    if (crossings.empty()) outcome_.summary += fmt::format("{} is the same everywhere on the grid: there is no border\n", name);
    if (search.unknown() > 0)
      outcome_.notes.push_back(
          fmt::format("{} is not known at {} points: a border against these is not drawn", name, search.unknown()));
    std::string csv;
    for (const Axis& axis : plan_.axes) csv += fmt::format("{}{}", csv.empty() ? "" : ",", axis.path);
    for (const char* end : {"yes", "no"})
      for (const Axis& axis : plan_.axes) csv += fmt::format(",{}.{}", axis.path, end);
    csv += "\n";
    for (const auto& crossing : crossings) {
      std::string line;
      for (const auto* list : {&crossing.at, &crossing.from, &crossing.to})
        for (const double x : *list) line += fmt::format("{}{}", line.empty() ? "" : ",", x);
      csv += line + "\n";
      if (plan_.axes.size() == 1)
        outcome_.summary += fmt::format("{} changes at {} = {:.9g}, between {:.9g} ({}) and {:.9g} (not)\n", name,
                                        plan_.axes[0].path, crossing.at[0], crossing.from[0], name, crossing.to[0]);
    }
    if (plan_.axes.size() > 1 && !crossings.empty())
      outcome_.summary += fmt::format("{} crossings of the border in border.csv\n", crossings.size());
    if (in_memory()) return;
    const auto put = [&](const char* file, const std::string& text) {
      if (auto problem = files::write_whole(folder_.file(file), text)) throw std::runtime_error(*problem);
      outcome_.files.emplace_back(file);
    };
    put("border.csv", csv);
    std::vector<double> answers;
    for (const Result& result : results) answers.push_back(answer_of(result, measure));
    const plot::Figure picture = border_figure(plan_, search, values, answers);
    put("border.svg", plot::to_svg(picture));
    if (options_.page) put("report.html", border_page(plan_, outcome_, picture, crossings));
    const auto hdf5 = hdf5_table(plan_, folder_.file("table.h5"), results.size());
    if (hdf5) hdf5->add(0, values, results), hdf5->commit(), outcome_.files.emplace_back("table.h5");
    const auto csv_file = csv_table(plan_, folder_.file("table.csv"));
    csv_file->add(0, values, results);
    csv_file->commit();
    outcome_.files.emplace_back("table.csv");
    outcome_.files.emplace_back("study.toml");
    outcome_.files.emplace_back("scene.toml");
    folder_.drop_chunks();
  }

  void finish() {
    outcome_.done = done_;
    outcome_.run_now = ran_;
    if (thrown_) return;
    if (stop_) return void(outcome_.end = End::stopped);
    try {
      if (in_memory()) count(first_, outcome_.results);
      else if (!merge()) return void(outcome_.end = End::part);
      outcome_.end = End::finished;
    } catch (const std::exception& error) {
      refuse(error.what(), End::failed);
    }
  }

  void count(std::uint64_t first, std::span<const Result> results) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Result& result = results[i];
      ++outcome_.trust[std::size_t(result.trust)];
      if (result.trust != Trust::fine && outcome_.examples.size() < most_examples)
        outcome_.examples.push_back(fmt::format("point {}: {}: {}", first + i, to_text(result.trust), result.problem));
    }
  }

  /// False if chunks of other shards are not there yet.
  bool merge() {
    if (options_.shards > 1 || options_.claim) return false;  // others may be writing, too: a call without a shard joins them
    const auto csv = csv_table(plan_, folder_.file("table.csv"));
    const auto hdf5 = hdf5_table(plan_, folder_.file("table.h5"), outcome_.points);
    std::vector<double> values;
    const std::size_t axes = plan_.axes.size();
    Whole whole;
    const bool keeps = options_.page || plan_.sensitivity != Sensitivity::none;
    if (keeps) {
      whole.values.resize(axes);
      whole.measures.resize(plan_.measures.size());
      for (auto& column : whole.values) column.reserve(outcome_.points);
      for (auto& column : whole.measures) column.reserve(outcome_.points);
    }
    for (std::uint64_t number = 0; number < chunks_; ++number) {
      const auto chunk = read_chunk(folder_.chunk(number), identity_, number);
      if (!chunk)
        throw std::runtime_error(
            fmt::format("{}: was removed or damaged while the study ran; continue with --resume", folder_.chunk(number)));
      values.resize(chunk->results.size() * axes);
      for (std::size_t i = 0; i < chunk->results.size(); ++i) points_.at(number * chunk_ + i, {values.data() + i * axes, axes});
      csv->add(number * chunk_, values, chunk->results);
      if (hdf5) hdf5->add(number * chunk_, values, chunk->results);
      count(number * chunk_, chunk->results);
      for (std::size_t i = 0; i < chunk->results.size() && keeps; ++i) {
        const Result& result = chunk->results[i];
        for (std::size_t a = 0; a < axes; ++a) whole.values[a].push_back(values[i * axes + a]);
        for (std::size_t m = 0; m < whole.measures.size(); ++m)
          whole.measures[m].push_back(result.trust >= Trust::failed ? std::numeric_limits<double>::quiet_NaN()
                                                                    : result.measures[m]);
      }
    }
    const auto put = [&](const char* file, const std::string& text) {
      if (auto problem = files::write_whole(folder_.file(file), text)) throw std::runtime_error(*problem);
      outcome_.files.emplace_back(file);
    };
    if (options_.page) put("report.html", page_of(plan_, points_, whole, outcome_));
    if (plan_.sensitivity != Sensitivity::none) {
      put("sensitivity.csv", sensitivity_csv(plan_, points_, whole));
      outcome_.summary = sensitivity_text(plan_, points_, whole);
    }
    if (hdf5) hdf5->commit(), outcome_.files.emplace_back("table.h5");
    csv->commit();  // the last one: it says that the study is finished
    outcome_.files.emplace_back("table.csv");
    if (!hdf5) outcome_.notes.emplace_back("no table.h5: HDF5 is not built in (package libhdf5-dev)");
    outcome_.files.emplace_back("study.toml");
    outcome_.files.emplace_back("scene.toml");
    folder_.drop_chunks();
    return true;
  }

  const Plan& plan_;
  const StudyOptions& options_;
  StudyFolder folder_;
  Points points_;
  std::uint64_t chunk_, chunks_ = 0, identity_, damaged_ = 0, first_ = 0;
  std::optional<Measures> measures_;
  std::vector<std::uint64_t> wanted_;
  StudyOutcome outcome_;
  Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> done_ = 0, ran_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex hooks_, failing_, claiming_;
  std::exception_ptr thrown_;
  double told_ = 0;
};

/// As a shell takes it.
std::string in_quotes(const std::string& word) {
  const bool plain =
      !word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+-:,") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string_view to_text(Trust trust) noexcept {
  return std::array<std::string_view, trust_levels>{"fine", "doubtful", "incomplete", "failed", "refused"}[std::size_t(trust)];
}

std::uint64_t chunk_size(const Plan& plan) noexcept {
  constexpr std::uint64_t chunks = 256, most = 4096;
  return std::clamp<std::uint64_t>(plan.points() / chunks, 1, most);
}

StudyOutcome run_study(const Plan& plan, const StudyOptions& options) { return Study(plan, options).go(); }

StudyOutcome open_study(const Plan& plan, const StudyOptions& options, std::vector<std::uint64_t>& chunks) {
  return Study(plan, options).open(chunks);
}

std::optional<std::string> put_chunk(const Plan& plan, const std::string& folder, std::uint64_t number,
                                     std::vector<Result> results) {
  return write_chunk(StudyFolder(folder).chunk(number), {identity_of(plan), number, std::move(results)});
}

std::optional<std::string> write_table(const Plan& plan, const std::string& path, std::span<const std::uint64_t> points,
                                       std::span<const double> values, std::span<const Result> results) {
  const std::size_t axes = plan.axes.size();
  try {
    const auto table = csv_table(plan, path);
    for (std::size_t i = 0; i < points.size(); ++i) table->add(points[i], values.subspan(i * axes, axes), results.subspan(i, 1));
    table->commit();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return std::nullopt;
}

std::optional<Plan> read_study(const std::string& folder, std::vector<std::string>& problems) {
  const StudyFolder found(folder);
  if (!found.is_begun()) {
    problems.push_back(fmt::format("{}: there is no study to continue: no study.toml and scene.toml", folder));
    return std::nullopt;
  }
  auto plan = read_plan(found.file("study.toml"), {}, problems);
  if (plan && plan->version != version()) {
    problems.push_back(
        fmt::format("{}: was started with asperity {}; this is {}: results of two versions cannot be combined in one table", folder,
                    plan->version, version()));
    return std::nullopt;
  }
  return plan;
}

Result run_point(const Plan& plan, std::span<const double> values) {
  Result result;
  std::vector<std::string> problems;
  const auto scene = sample_scene(plan, problems);
  const auto measures = scene ? Measures::read(plan.measures, scene->world, plan.axes, problems) : std::nullopt;
  if (!measures) {
    result.trust = Trust::refused;
    result.problem = problems.empty() ? "" : problems.front();
    return result;
  }
  const Points points(plan);
  PointRunner(plan, points, *measures).run(values, {}, result);
  return result;
}

std::string command_of(const Plan& plan, std::span<const double> values) {
  std::string text = "asperity run " + in_quotes(plan.scene_file);
  for (const std::string& setting : plan.settings) text += " --set " + in_quotes(setting);
  for (std::size_t i = 0; i < plan.axes.size(); ++i) text += " --set " + in_quotes(plan.axes[i].setting(values[i]));
  return text;
}

}  // namespace asperity::study
