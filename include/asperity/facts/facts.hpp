// The facts of a run, as types: what happened, how far to trust it, the final state, the energy account. summary.json in the folder
// of a run is their JSON; docs/guides/run-a-scene.md lists its entries. The summary on the terminal and the report are made of
// them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/facts/motion.hpp"
#include "asperity/run/verify.hpp"
#include "asperity/scene/scene.hpp"
#include "asperity/version.hpp"

namespace asperity {

/// A second run with half the step, beside this one.
struct VerifiedFacts {
  struct Column {
    Quantity quantity{};
    double difference = 0, time = 0;  // the largest, and when
    int digits = 0;                   // that both runs agree in, of the range of the values
  };
  std::string by{};       // "half the step, 0.5 ms"
  std::string failure{};  // of the second run; empty: none
  Verdict verdict{};      // of the second run
  std::uint64_t events = 0;
  std::vector<Column> columns{};
};

/// Numbers that are not known are NaN, in JSON null.
struct Facts {
  struct Course {
    double duration = 0, step = 0;  // s, as asked for
    std::string method{};
    bool finished = false;  // it got to its end
    double time = 0;        // s, that it got to
    Statistics statistics{};
    double wall_seconds = 0;
  };
  struct Value {
    Quantity quantity{};
    double value = 0;
  };
  struct Loss {
    std::string name{};     // of an element, or of a body that rubs
    double dissipated = 0;  // J
  };
  using Verified = VerifiedFacts;
  /// Entries of long lists that are not kept: the scene beside has them all.
  struct LeftOut {
    std::size_t parameters = 0, bodies = 0, elements = 0;
    std::size_t losses = 0;  // the smallest ones
    std::size_t motions = 0;
  };
  struct Files {  // names in the folder of the run
    std::string data = "data.csv", scene = "scene.toml", report = "report.html";
  };

  std::string asperity{};                // the version that ran it
  std::string title{}, cite{}, scene{};  // scene: its file
  Course run{};
  std::optional<Failure> failure{};  // of the run itself, or, without a component, of what surrounds it: a full disk
  std::vector<Warning> warnings{};   // of the set-up checks
  std::vector<std::string> notes{};  // what the method `auto` decided; what was done to an inclusion
  Verdict verdict{};
  std::vector<BodyMotion> motions{};  // what each body does at the end, against what it is in contact with
  std::vector<Finding> findings{};    // its own, then those of the verification
  std::optional<Verified> verification{};
  std::uint64_t event_count = 0;  // more than there are in the list if there were very many
  std::vector<Event> events{};
  std::vector<Impact> impacts{};
  std::vector<Value> final{};  // what is recorded, at the end; without the time
  EnergyAccount energy{};
  std::vector<Loss> losses{};
  std::vector<SceneParameter> parameters{};
  std::vector<SceneBody> bodies{};
  std::vector<SceneElement> elements{};
  LeftOut left_out{};
  std::vector<Quantity> columns{};  // of the data, time first
  Files files{};
};

/// What a run itself does not know.
struct Circumstances {
  bool finished = false;
  double wall_seconds = 0;
  std::optional<Verification> verification{};
  std::vector<std::string> notes{};
  std::string trouble{};  // why it stopped, if not by its own failure: a full disk
  std::string data_file = "data.csv";
};
Facts facts_of(const Scene& scene, const Run& run, const Circumstances& circumstances);
/// The run's own findings and those of its verification.
std::vector<Finding> findings_of(const Run& run, const std::optional<Verification>& verification);

/// JSON text, indented by two.
std::string to_json(const Facts& facts);
/// Nothing, and why, if the text is not the facts of a run. Numbers read back to themselves; entries that came later than a file
/// was written are empty.
std::optional<Facts> facts_from_json(std::string_view text, std::string& why);
/// Of the folder of a run, or of a file summary.json; otherwise nothing, and a problem that names the file.
std::optional<Facts> read_facts(const std::string& path, std::vector<std::string>& problems);

// --- in words

/// Events of one element, or of all elements of one name, that follow each other: "sticks and slips 1982 times".
struct EventGroup {
  std::string element{};  // "floor.3"; of several "floor"
  std::size_t elements = 1;
  double from = 0, to = 0;                             // s
  std::array<std::uint64_t, 4> counts{};               // by Event::Kind
  double speed = 0;                                    // m/s, of the fastest touch; of a single release: its own
  double least_restitution = 0, most_restitution = 0;  // of the impacts among them; 0: there is none

  std::uint64_t count() const noexcept { return counts[0] + counts[1] + counts[2] + counts[3]; }
};
/// In the order of their start. A few events are groups of one; where there are more than `most`, those of an element that repeat
/// are folded, and then those of elements of one name.
std::vector<EventGroup> folded_events(const Facts& facts, std::size_t most);
/// "sticks and slips 1982 times between 2.1 and 2.4 s", without the name.
std::string to_text(const EventGroup& group, double duration);
/// "2.4000 s", with as many digits as tell events of a run apart.
std::string moment_text(double time, double duration);
/// One line for each motion; those of many bodies are counted by kind.
std::vector<std::string> motion_lines(const Facts& facts);

/// What happened, the final state, the energy account: several lines.
std::string summary_of(const Facts& facts);
/// What is doubtful, and what a verification confirmed; empty if there is nothing to say.
std::string doubts_of(const Facts& facts);
/// "WRONG", "doubtful" or "remark"
std::string_view word_of(Finding::Severity severity) noexcept;

/// What an element does at the time that a run has got to.
struct Hold {
  std::string element{};
  Mode mode{};       // open, touching, held or slipping
  double since = 0;  // s, of its last event; 0: there was none
};
/// Of each element that tells it; see Mode. In a world with thousands of numbers, of those that are recorded.
std::vector<Hold> held_in(const Run& run);

}  // namespace asperity
