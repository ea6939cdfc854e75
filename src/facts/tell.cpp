// The facts in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "asperity/facts/facts.hpp"
#include "asperity/quantity_text.hpp"
#include "wording.hpp"

namespace asperity {
namespace {

constexpr std::size_t most_lines = 10;

std::string what_happened(const Facts& facts) {
  if (facts.event_count == 0) return "no slip, stick, touch or release\n";
  std::vector<std::vector<std::string>> rows;
  std::uint64_t told = 0;
  for (const EventGroup& group : folded_events(facts, most_lines)) {
    if (rows.size() == most_lines) break;
    rows.push_back({moment_text(group.from, facts.run.duration), group.element, to_text(group, facts.run.duration)});
    told += group.count();
  }
  std::string text = "what happened\n" + aligned(rows, "><<");
  if (facts.event_count > told) text += fmt::format("  and {} more events, see the report\n", facts.event_count - told);
  return text;
}

/// Where things are, how fast, and what acts on them; not states of laws, powers, flags.
bool is_main(std::string_view name) {
  if (name.find('.') == std::string_view::npos) return true;  // a state of an inclusion
  for (const char* part : {".position", ".velocity", ".rotation", ".spin", ".force", ".normal_force", ".tangential_force"})
    if (const std::size_t at = name.find(part); at != std::string_view::npos) {
      const std::size_t end = at + std::strlen(part);
      if (end == name.size() || name[end] == '.') return true;
    }
  return false;
}

std::string final_state(const Facts& facts) {
  struct Line {
    std::string name, unit;
    std::vector<double> values;  // of a vector several
  };
  std::vector<Line> lines;
  for (const bool main : {true, false}) {  // a scene may record others only
    if (!lines.empty()) break;
    for (const auto& [quantity, value] : facts.final) {
      const std::string& name = quantity.name;
      if (main && !is_main(name)) continue;
      const bool component = name.size() > 2 && name[name.size() - 2] == '.' && std::string_view("wxyz").find(name.back()) < 4;
      const std::string stem = component ? name.substr(0, name.size() - 2) : name;
      if (component && !lines.empty() && lines.back().name == stem) lines.back().values.push_back(value);
      else lines.push_back({stem, quantity.unit, {value}});
    }
  }
  if (lines.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const Line& line : lines)
    if (rows.size() < most_lines + 2) rows.push_back({line.name, quantity_text(line.values, line.unit, 6)});
  std::string text = fmt::format("state at {:g} s\n", facts.run.time) + aligned(rows, "<<");
  if (lines.size() > rows.size()) text += fmt::format("  and {} more, see the report\n", lines.size() - rows.size());
  return text;
}

std::string energy_account(const Facts& facts) {
  const EnergyAccount& energy = facts.energy;
  if (!facts.failure && std::isnan(energy.work_in)) return "energy is not known: masses and forces of an inclusion have no names\n";
  std::vector<std::vector<std::string>> rows;
  double largest = 0;
  for (const auto& [label, value] :
       {std::pair("work in", energy.work_in), std::pair("kinetic", energy.kinetic), std::pair("potential", energy.potential),
        std::pair("stored", energy.stored), std::pair("dissipated", energy.dissipated)}) {
    largest = std::max(largest, std::abs(value));
    if (value != 0) rows.push_back({label, known_quantity(value, "J")});
  }
  const double error = energy.closing_error;
  std::string share;
  if (error != 0 && std::isfinite(error) && largest > 0)
    share = fmt::format(" ({:.2g} of the largest above)", std::abs(error) / largest);
  rows.push_back({"numerical damping", known_quantity(error, "J", 2) + share});
  return "energy\n" + aligned(rows, "<<");
}

/// Which digits a second run confirms.
std::string verification(const Facts& facts) {
  if (!facts.verification) return "";
  const Facts::Verified& found = *facts.verification;
  std::vector<std::vector<std::string>> rows;
  for (const auto& [quantity, difference, time, digits] : found.columns) {
    if (!is_main(quantity.name) || rows.size() == most_lines + 2) continue;
    rows.push_back({quantity.name, fmt::format("{} digit{} agree", digits, digits == 1 ? "" : "s"),
                    difference == 0 ? "equal" : fmt::format("differs by up to {}", quantity_text(difference, quantity.unit))});
  }
  return fmt::format("verified by a run with {}: {}, {} event{}{}\n", found.by, to_text(found.verdict), found.events,
                     found.events == 1 ? "" : "s",
                     found.events == facts.event_count ? "" : fmt::format(" instead of {}", facts.event_count)) +
         aligned(rows, "<><");
}

/// What the run says of its own numbers.
std::string findings(const Facts& facts) {
  std::string text;
  for (const Finding& finding : facts.findings) text += fmt::format("{}: {}\n", word_of(finding.severity), finding.text);
  return text;
}

}  // namespace

std::string_view word_of(Finding::Severity severity) noexcept {
  return severity == Finding::Severity::failure ? "WRONG" : severity == Finding::Severity::remark ? "remark" : "doubtful";
}

std::string doubts_of(const Facts& facts) { return findings(facts) + verification(facts); }

std::string summary_of(const Facts& facts) {
  const Statistics& did = facts.run.statistics;
  std::string text = facts.title.empty() ? facts.scene : facts.title;
  if (!facts.cite.empty()) text += fmt::format(" ({})", facts.cite);
  for (const std::string& line : motion_lines(facts)) text += "\n" + line;
  text += fmt::format("\n{:g} s in {} step{}, {}", facts.run.time, did.steps, did.steps == 1 ? "" : "s", facts.run.method);
  if (did.rejected) text += fmt::format(", {} rejected", did.rejected);
  if (did.iterations > 0) {
    text += fmt::format(", {} Newton iteration{}", did.iterations, did.iterations == 1 ? "" : "s");
    if (did.retries) text += fmt::format(", {} retr{}", did.retries, did.retries == 1 ? "y" : "ies");
    if (did.substeps) text += fmt::format(", {} shorter step{}", did.substeps, did.substeps == 1 ? "" : "s");
    if (did.absorbed) text += fmt::format(", {} impact{} absorbed within one step", did.absorbed, did.absorbed == 1 ? "" : "s");
  }
  text += "\n" + findings(facts) + "\n" + what_happened(facts) + final_state(facts) + verification(facts) + energy_account(facts);
  for (const std::string& note : facts.notes) text += fmt::format("note: {}\n", note);
  const auto notes = static_cast<std::size_t>(
      std::count_if(facts.warnings.begin(), facts.warnings.end(), [](const Warning& warning) { return warning.note; }));
  if (const std::string doubts = counted(facts.warnings.size() - notes, notes); !doubts.empty())
    text += doubts + ", see the report\n";
  return text;
}

}  // namespace asperity
