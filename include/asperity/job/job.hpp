// A scene, run: into a folder (data, facts, resolved scene, report, and a checkpoint until it is finished), or in memory.
//
//   const JobOutcome done = run_job(*scene, {.folder = "out/held"});
//   if (done.ok()) std::cout << summary_of(*done.facts);
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/facts/facts.hpp"
#include "asperity/hooks.hpp"
#include "asperity/run/table.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity {

struct JobOptions {
  std::string folder{};          // empty: the rows are kept in memory
  std::string format = "csv";    // of the data in the folder; or "hdf5"
  bool strict = false;           // warnings refuse the run, findings are problems
  std::optional<int> threads{};  // instead of the scene's; the numbers do not depend on it
  Hooks hooks{};
  std::function<void(const Run&)> begun{};  // once, before the first step: its warnings, its time
};

struct JobOutcome {
  enum class End : std::uint8_t {
    refused,  // nothing was run: the problems say why
    failed,   // it could not go on
    stopped,  // as the hook asked for
    finished
  };
  End end = End::refused;
  bool can_resume = false;              // the folder has what resume_job() needs
  std::vector<std::string> problems{};  // one line each; failed findings, and strict ones, included
  std::optional<Facts> facts{};         // of what there is; nothing if it did not begin
  std::vector<Hold> held{};             // what each element does at the end
  Table data{};                         // of a run in memory: all rows
  std::exception_ptr thrown{};          // by a hook, or by an input that is a function

  bool ok() const noexcept { return end == End::finished && problems.empty(); }
};

/// The same rows and facts in a folder and in memory, bit for bit. A run that is stopped or fails leaves everything up to there.
JobOutcome run_job(const Scene& scene, const JobOptions& options = {});

/// Why a new run may not take this folder: it holds something else than the files of a former run, or the scene itself. Writes
/// nothing.
std::vector<std::string> folder_objections(const std::string& folder, const std::string& scene_file);

/// A run in memory, written as run_job() writes it into a folder; the problem, if there is one.
std::optional<std::string> save_job(const Scene& scene, const JobOutcome& outcome, const std::string& folder);

/// report.html, from the facts and the data in a folder; the problem, if there is one.
std::optional<std::string> write_report(const std::string& folder, const Facts& facts);

/// What is in the folder of a run.
struct FormerJob {
  std::string folder{};
  Facts facts{};
  std::unique_ptr<Scene> scene{};  // null if it is finished, or cannot go on
  std::string scene_text{};
};
/// Nothing if there are no facts. Problems say why it cannot go on; one that is finished has none.
std::optional<FormerJob> read_job(const std::string& folder, std::vector<std::string>& problems);
/// Goes on to the end that an uninterrupted run would have come to, bit for bit. Folder and format are those it has.
JobOutcome resume_job(const FormerJob& former, const JobOptions& options = {});
/// The same; a run that is finished stays as it is.
JobOutcome resume_job(const std::string& folder, const JobOptions& options = {});

}  // namespace asperity
