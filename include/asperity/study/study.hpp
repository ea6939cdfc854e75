// A study carried out: every point of a plan is run, on all threads, and measured. In a folder its chunks are files that appear
// whole or not at all, so that it can go on after any interruption, and be shared between machines.
//
//   const StudyOutcome done = study::run_study(*plan, {.folder = "out/map"});
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/hooks.hpp"
#include "asperity/study/plan.hpp"

namespace asperity::study {

/// How far to trust a point.
enum class Trust : std::uint8_t {
  fine,
  doubtful,    // the run doubts its own numbers
  incomplete,  // a measure is not a number there
  failed,      // the run could not go on, or its numbers are wrong
  refused      // there is no such scene, or it cannot be run
};
inline constexpr std::size_t trust_levels = 5;
std::string_view to_text(Trust trust) noexcept;

/// Of one point; measures that are not known are NaN.
struct Result {
  std::vector<double> measures{};
  Trust trust{};
  std::string problem{};  // one line; empty if it is fine
};

struct StudyOptions {
  std::string folder{};                 // empty: results are kept in memory
  int threads = 0;                      // 0: as many as the machine has; no number depends on it
  bool resume = false;                  // go on with what is there
  bool merge = false;                   // run nothing: join the chunks that are there
  bool page = true;                     // report.html
  std::uint64_t shard = 1, shards = 1;  // of the chunks, this part only: shard 1 ... shards
  std::uint64_t first = 0, count = std::numeric_limits<std::uint64_t>::max();  // in memory: of the points, these only
  /// The next chunk that nobody has taken; nothing: all are taken. Several processes share a folder so, as shards do. From one
  /// thread at a time.
  std::function<std::optional<std::uint64_t>(std::uint64_t chunks)> claim{};
  Hooks hooks{};  // progress counts points; called from one thread at a time

  /// Of a folder that others work on, too, or have worked on.
  bool joins() const { return resume || merge || shards > 1 || claim; }
};

struct StudyOutcome {
  enum class End : std::uint8_t {
    refused,  // nothing was run: the problems say why
    failed,   // it could not be written
    stopped,  // as the hook asked for
    part,     // the chunks of its shard are there, others are not
    finished
  };
  End end = End::refused;
  std::vector<std::string> problems{};
  std::vector<std::string> notes{};
  std::uint64_t points = 0, done = 0;  // of the plan; there are results of
  std::uint64_t run_now = 0;           // by this call
  std::array<std::uint64_t, trust_levels> trust{};
  std::vector<std::string> examples{};  // the first problems, with their points
  double seconds = 0;
  std::vector<std::string> files{};  // written, names in the folder
  std::vector<Result> results{};     // of a study in memory
  std::vector<double> values{};      // of a border in memory: those of the axes, point by point
  std::vector<double> crossings{};   // of a border: where it is, values of the axes
  std::string summary{};             // what was found, in words: sensitivities, a border
};

StudyOutcome run_study(const Plan& plan, const StudyOptions& options = {});

/// For engines that carry chunks to other machines: begins the folder, or continues it, and says which chunks are to be run, each
/// of them the points from number * chunk_size(plan). What they are is put there; then run_study joins them, with `merge`.
StudyOutcome open_study(const Plan& plan, const StudyOptions& options, std::vector<std::uint64_t>& chunks);
/// The problem, if there is one.
std::optional<std::string> put_chunk(const Plan& plan, const std::string& folder, std::uint64_t number,
                                     std::vector<Result> results);

/// table.csv of these points, one row each; `values` point by point. The problem, if there is one.
std::optional<std::string> write_table(const Plan& plan, const std::string& path, std::span<const std::uint64_t> points,
                                       std::span<const double> values, std::span<const Result> results);

/// The plan in the folder of a study that was begun; nothing, and why, if there is none.
std::optional<Plan> read_study(const std::string& folder, std::vector<std::string>& problems);

/// One point, as the study runs it.
Result run_point(const Plan& plan, std::span<const double> values);

/// The command that runs one point alone, with everything it writes.
std::string command_of(const Plan& plan, std::span<const double> values);

/// Points that are worked on and written together.
std::uint64_t chunk_size(const Plan& plan) noexcept;

}  // namespace asperity::study
