// The facts of a run: what summary.json holds, --json prints, and the summary on the terminal says in words.
// docs/guides/run-a-scene.md lists the entries.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "asperity/run/verify.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity::cli {

using Facts = nlohmann::ordered_json;

/// What the run itself does not know.
struct Circumstances {
  bool finished = false;
  double wall_seconds = 0;
  std::optional<Verification> verification{};
  std::vector<std::string> notes{};  // of the method `auto`, of the energy account
  std::string trouble{};             // why it stopped, if not by the run's own failure: a full disk
  std::string data_file = "data.csv";
};

Facts facts_of(const Scene& scene, const Run& run, const Circumstances& circumstances);
std::string to_text(const Facts& facts);

/// Of the folder of a run; otherwise nothing, and a problem.
std::optional<Facts> read_facts(const std::string& path, std::vector<std::string>& problems);

/// The run's own findings and those of its verification.
std::vector<Finding> findings_of(const Run& run, const Circumstances& circumstances);

/// What is doubtful, and what a verification confirmed.
std::string doubts_of(const Facts& facts);
/// "WRONG", "doubtful" or "remark", of a finding.
std::string_view word_of(const Facts& finding);

/// What happened, the final state, the energy account.
std::string summary_of(const Facts& facts);

}  // namespace asperity::cli
