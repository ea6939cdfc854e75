// The experiments of the papers: what is run, what is measured, what is expected, what is drawn.
//
// An experiment works through scenes of scenes/papers, read and run as any user's scene is; facts are computed from what the run
// recorded. A file for each chapter of a paper lists its experiments; experiments() is all of them.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/plot.hpp"
#include "asperity/run/run.hpp"
#include "asperity/run/table.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity::reproduce {

/// Where an expected number comes from.
enum class Source { closed_form, converged_run, same_step, paper, second_way };
std::string_view to_text(Source source) noexcept;

struct Expectation {
  double value;
  double tolerance;  // absolute: |measured - value| <= tolerance
  Source source;
  std::string from;  // "(2/7) v0/(mu g)", "independent implementation, refined", "Fig. 4.6"
};

/// One measured number. Without an expectation it is shown as measured, neither passed nor failed.
struct Fact {
  std::string name, unit;
  double value;
  std::optional<Expectation> expected{};
  std::string at{};  // how it was computed where several are shown: "step 1e-3 s, as in the paper", "converged, 1e-5 s"
};

/// "passed", "failed" or, without an expectation, "measured".
std::string_view verdict(const Fact& fact) noexcept;

/// One picture: a figure of lines, or of maps, in the paper's layout.
struct Picture {
  std::string caption;
  plot::Figure figure{};
};

/// What a run says of its own numbers.
struct Doubt {
  std::string run;  // scene and settings
  Finding::Severity severity{};
  std::string text;
  std::string line() const { return run + ": " + text; }
};
std::vector<std::string> lines_of(const std::vector<Doubt>& doubts);

/// The runs that may doubt themselves, by a part of their names, and how much.
struct Excuse {
  std::string of_runs;
  Finding::Severity worst = Finding::Severity::note;
  bool covers(const Doubt& doubt) const { return doubt.severity <= worst && doubt.run.find(of_runs) != std::string::npos; }
};

struct Findings {
  std::vector<Fact> facts;
  std::vector<Picture> pictures;
  std::vector<SceneParameter> parameters;  // of the scene, for the table
  std::string differs{};                   // a sentence where the paper and the numbers differ
  std::vector<Doubt> doubts{};             // of the runs, added by carry_out()
  std::string doubted{};                   // why they doubt themselves, and why the facts hold all the same
  std::vector<Excuse> excused{};           // for which of them that is said

  /// The first doubt that nothing is said about; null: none.
  const Doubt* unexplained() const noexcept;
};

/// What the runs of this thread have said of their numbers since it was last asked.
std::vector<Doubt> take_doubts();
/// Runs of this thread end with std::runtime_error within a step once it is true; null: they do not.
void end_when(const std::atomic<bool>* stop) noexcept;

/// A scene that was run.
struct Outcome {
  std::unique_ptr<Scene> scene;
  std::unique_ptr<Run> run;  // events, impacts, energy, values at the end
  Table data;                // what it recorded

  const std::vector<double>& operator[](std::string_view column) const;  // std::invalid_argument names the nearest one
};
/// A scene of scenes/papers by its name without ".toml", with settings as after --set, run to the end. std::runtime_error with the
/// scene's own words if it cannot be read or fails on the way.
Outcome run_scene(std::string_view name, const std::vector<std::string>& settings = {});

struct Experiment {
  std::string id;     // "xiong2013-fig-3.4"
  std::string paper;  // key of docs/references.bib: "xiong2013"
  std::string where;  // "Fig. 3.4", "Example II"
  std::string title;  // "Held by friction under an oscillating load"
  std::string about;  // one or two sentences: what is shown, and why it matters
  std::vector<std::string> scenes;
  std::function<Findings()> carry_out;
  double cost = 1;  // seconds, roughly: long ones start first
};

// A chapter a file.
std::vector<Experiment> xiong2013_inclusions();  // chapter 3, with xiong2012
std::vector<Experiment> xiong2013_multistate();  // chapter 4
std::vector<Experiment> xiong2013_contact();     // chapter 5
std::vector<Experiment> specker2014();
std::vector<Experiment> kikuuwe_fujimoto();
std::vector<Experiment> kikuuwe_yamamoto();

const std::vector<Experiment>& experiments();

}  // namespace asperity::reproduce
