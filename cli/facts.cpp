#include "facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "asperity/quantity_text.hpp"
#include "run_folder.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

Facts columns_of(const std::vector<Quantity>& columns) {
  Facts list = Facts::array();
  for (const Quantity& column : columns) list.push_back({{"name", column.name}, {"unit", column.unit}});
  return list;
}

}  // namespace

std::vector<Finding> findings_of(const Run& run, const Circumstances& circumstances) {
  std::vector<Finding> list = run.findings();
  if (const auto& found = circumstances.verification) list.insert(list.end(), found->findings.begin(), found->findings.end());
  return list;
}

Facts facts_of(const Scene& scene, const Run& run, const Circumstances& circumstances) {
  const Statistics statistics = run.statistics();
  Facts facts;
  facts["asperity"] = ASPERITY_VERSION;
  facts["title"] = scene.title;
  facts["cite"] = scene.cite;
  facts["scene"] = scene.file;
  facts["run"] = {{"duration", scene.run.duration},
                  {"step", scene.run.step},
                  {"method", scene.run.method},
                  {"finished", circumstances.finished},
                  {"time", run.time()},
                  {"steps", statistics.steps},
                  {"evaluations", statistics.evaluations},
                  {"rejected", statistics.rejected},
                  {"iterations", statistics.iterations},
                  {"retries", statistics.retries},
                  {"substeps", statistics.substeps},
                  {"absorbed", statistics.absorbed},
                  {"wall_seconds", circumstances.wall_seconds}};
  facts["failure"] = nullptr;
  if (run.failure())
    facts["failure"] = {{"time", run.failure()->time}, {"component", run.failure()->component}, {"text", run.failure()->text}};
  else if (!circumstances.trouble.empty())
    facts["failure"] = {{"time", run.time()}, {"component", ""}, {"text", circumstances.trouble}};

  facts["warnings"] = Facts::array();
  for (const Warning& warning : run.warnings())
    facts["warnings"].push_back({{"component", warning.component},
                                 {"severity", warning.severity()},
                                 {"kind", to_text(warning.kind)},
                                 {"value", warning.value},
                                 {"limit", warning.limit},
                                 {"text", warning.text},
                                 {"alike", warning.alike}});
  facts["notes"] = circumstances.notes;
  const std::vector<Finding> findings = findings_of(run, circumstances);
  facts["verdict"] = to_text(std::max(run.verdict(), verdict_of(findings)));
  facts["findings"] = Facts::array();
  for (const Finding& finding : findings)
    facts["findings"].push_back({{"severity", to_text(finding.severity)},
                                 {"kind", to_text(finding.kind)},
                                 {"component", finding.component},
                                 {"value", finding.value},
                                 {"limit", finding.limit},
                                 {"text", finding.text}});
  facts["verification"] = nullptr;
  if (const auto& found = circumstances.verification) {
    Facts columns = Facts::array();
    for (const Verification::Column& column : found->columns)
      columns.push_back({{"name", column.quantity.name},
                         {"unit", column.quantity.unit},
                         {"difference", column.difference},
                         {"time", column.time},
                         {"digits", column.digits()}});
    facts["verification"] = {{"by", found->by},
                             {"failure", found->failure},
                             {"verdict", to_text(found->verdict)},
                             {"events", found->events},
                             {"columns", std::move(columns)}};
  }

  Facts events = Facts::array();
  for (const Event& event : run.events())
    events.push_back({{"time", event.time}, {"kind", to_text(event.kind)}, {"element", event.element}, {"speed", event.speed}});
  facts["events"] = {{"count", run.event_count()}, {"list", std::move(events)}};
  facts["impacts"] = Facts::array();
  for (const Impact& impact : run.impacts())
    facts["impacts"].push_back({{"element", impact.element},
                                {"touch", impact.touch},
                                {"release", impact.release},
                                {"impact_speed", impact.impact_speed},
                                {"separation_speed", impact.separation_speed},
                                {"restitution", impact.restitution()}});

  facts["final"] = Facts::array();
  const std::vector<double> values = run.values();
  for (std::size_t i = 1; i < values.size(); ++i)  // time is the first
    facts["final"].push_back({{"name", run.columns()[i].name}, {"unit", run.columns()[i].unit}, {"value", values[i]}});
  const EnergyAccount energy = run.energy();
  Facts elements = Facts::array();
  for (const auto& [name, energy_lost] : run.dissipated()) elements.push_back({{"name", name}, {"dissipated", energy_lost}});
  facts["energy"] = {{"work_in", energy.work_in},      {"kinetic", energy.kinetic},       {"potential", energy.potential},
                     {"stored", energy.stored},        {"dissipated", energy.dissipated}, {"closing_error", energy.closing_error},
                     {"elements", std::move(elements)}};

  facts["parameters"] = Facts::array();
  for (const SceneParameter& p : scene.parameters)
    facts["parameters"].push_back(
        {{"component", p.component}, {"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"meaning", p.meaning}});
  facts["bodies"] = Facts::array();
  for (const SceneBody& body : scene.bodies)
    facts["bodies"].push_back(
        {{"name", body.name}, {"kind", body.kind}, {"dimension", body.dimension}, {"shape", body.shape}, {"size", body.size}});
  facts["elements"] = Facts::array();
  for (const SceneElement& element : scene.elements)
    facts["elements"].push_back({{"name", element.name},
                                 {"law", element.law},
                                 {"kind", element.kind},
                                 {"between", element.between},
                                 {"normal", element.normal},
                                 {"offset", element.offset},
                                 {"point_a", element.point_a},
                                 {"point_b", element.point_b}});
  facts["columns"] = columns_of(run.columns());
  facts["files"] = {{"data", circumstances.data_file}, {"scene", "scene.toml"}, {"report", "report.html"}};
  return facts;
}

std::string to_text(const Facts& facts) { return facts.dump(2, ' ', false, Facts::error_handler_t::replace) + "\n"; }

namespace {

/// What every reader of the facts relies on; the first entry of a list stands for all. Where a number was not finite there is null.
const Facts& form_of_facts() {
  static const Facts form = Facts::parse(R"({
    "asperity": "", "title": "", "cite": "", "scene": "",
    "run": {"duration": 0, "step": 0, "method": "", "finished": true, "time": 0, "steps": 0, "evaluations": 0, "rejected": 0,
            "wall_seconds": 0},
    "warnings": [{"component": "", "kind": "", "text": ""}], "notes": [""],
    "events": {"count": 0, "list": [{"time": 0, "kind": "", "element": "", "speed": 0}]},
    "impacts": [{"element": "", "touch": 0, "release": 0, "restitution": 0}], "final": [{"name": "", "unit": "", "value": 0}],
    "energy": {"work_in": 0, "kinetic": 0, "potential": 0, "stored": 0, "dissipated": 0, "closing_error": 0},
    "columns": [{"name": "", "unit": ""}], "files": {"data": "", "scene": ""}})");
  return form;
}

/// The first thing that is not as it should be; empty if there is none.
std::string misfit(const Facts& facts, const Facts& form, const std::string& place) {
  const bool fits = form.is_number() ? facts.is_number() || facts.is_null() : facts.type() == form.type();
  if (!fits)
    return fmt::format("{} must be {}", place.empty() ? "it" : place,
                       form.is_object()    ? "an object"
                       : form.is_array()   ? "a list"
                       : form.is_string()  ? "a text"
                       : form.is_boolean() ? "true or false"
                                           : "a number");
  if (form.is_object())
    for (const auto& [key, inner] : form.items()) {
      const std::string here = place.empty() ? key : place + "." + key;
      if (!facts.contains(key)) return here + " is missing";
      if (std::string text = misfit(facts[key], inner, here); !text.empty()) return text;
    }
  if (form.is_array())
    for (std::size_t i = 0; i < facts.size(); ++i)
      if (std::string text = misfit(facts[i], form[0], fmt::format("{}[{}]", place, i)); !text.empty()) return text;
  return "";
}

bool is_count(const Facts& number) { return number.is_number_unsigned(); }

}  // namespace

std::optional<Facts> read_facts(const std::string& path, std::vector<std::string>& problems) {
  std::string text;
  if (auto problem = read_whole(path, text)) {
    problems.push_back(*problem);
    return std::nullopt;
  }
  const auto refuse = [&](const std::string& why) {
    problems.push_back(fmt::format("{}: not the facts of a run: {}", path, why));
    return std::nullopt;
  };
  Facts facts = Facts::parse(text, nullptr, false);
  if (facts.is_discarded()) return refuse("it is not JSON, or it was cut");
  if (const std::string why = misfit(facts, form_of_facts(), ""); !why.empty()) return refuse(why);
  for (const char* key : {"steps", "rejected", "evaluations"})
    if (!is_count(facts["run"][key])) return refuse(fmt::format("run.{} must be a whole number >= 0", key));
  for (const char* key : {"iterations", "retries", "substeps", "absorbed"})
    if (facts["run"].contains(key) && !is_count(facts["run"][key]))
      return refuse(fmt::format("run.{} must be a whole number >= 0", key));
  if (!is_count(facts["events"]["count"])) return refuse("events.count must be a whole number >= 0");
  // They are read and written in the folder, nowhere else.
  for (const char* key : {"data", "scene"}) {
    const auto name = facts["files"][key].get<std::string>();
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
      return refuse(fmt::format("files.{} = \"{}\": must be the name of a file in the same folder", key, name));
  }
  return facts;
}

// --- in words --------------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t most_lines = 10;

double number(const Facts& facts) { return facts.is_number() ? facts.get<double>() : std::nan(""); }

/// As many digits as tell events apart.
std::string moment(double t, double duration) {
  const double power = std::log10(std::isfinite(duration) ? std::max(duration, 1e-9) : 1.0);
  const int decimals = std::clamp(4 - static_cast<int>(std::floor(power)), 0, 12);
  return fmt::format("{:.{}f} s", t, decimals);
}

std::string what_happened(const Facts& facts) {
  const auto& events = facts["events"]["list"];
  const auto& impacts = facts["impacts"];
  const double duration = number(facts["run"]["duration"]);
  const auto count = facts["events"]["count"].get<std::uint64_t>();
  if (count == 0) return "nothing slipped, stuck, touched or let go\n";
  std::vector<std::vector<std::string>> rows;
  std::size_t next_impact = 0;
  for (const auto& event : events) {
    if (rows.size() == most_lines) break;
    const auto kind = event["kind"].get<std::string>();
    std::string words = kind == "slip" ? "slips" : kind == "stick" ? "sticks" : kind == "touch" ? "touches" : "lets go";
    if (kind == "touch") words += " at " + quantity_text(number(event["speed"]), "m/s");
    if (kind == "release") {
      while (next_impact < impacts.size() && number(impacts[next_impact]["release"]) < number(event["time"])) ++next_impact;
      words += " at " + quantity_text(number(event["speed"]), "m/s");
      for (std::size_t i = next_impact; i < impacts.size() && number(impacts[i]["release"]) == number(event["time"]); ++i)
        if (impacts[i]["element"] == event["element"])
          words += fmt::format(", restitution {:.3f}", number(impacts[i]["restitution"]));
    }
    rows.push_back({moment(number(event["time"]), duration), event["element"].get<std::string>(), words});
  }
  std::string text = "what happened\n" + aligned(rows, "><<");
  if (count > rows.size()) text += fmt::format("  and {} more, see the report\n", count - rows.size());
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
  struct Entry {
    std::string name, unit;
    std::vector<double> values;  // of a vector several
  };
  std::vector<Entry> entries;
  for (const bool main : {true, false}) {  // a scene may record others only
    if (!entries.empty()) break;
    for (const auto& entry : facts["final"]) {
      auto name = entry["name"].get<std::string>();
      auto unit = entry["unit"].get<std::string>();
      if (main && !is_main(name)) continue;
      const bool component = name.size() > 2 && name[name.size() - 2] == '.' && std::string_view("wxyz").find(name.back()) < 4;
      const std::string stem = component ? name.substr(0, name.size() - 2) : name;
      if (component && !entries.empty() && entries.back().name == stem) entries.back().values.push_back(number(entry["value"]));
      else entries.push_back({stem, std::move(unit), {number(entry["value"])}});
    }
  }
  if (entries.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const Entry& entry : entries)
    if (rows.size() < most_lines + 2) rows.push_back({entry.name, quantity_text(entry.values, entry.unit, 6)});
  std::string text = fmt::format("state at {:g} s\n", number(facts["run"]["time"])) + aligned(rows, "<<");
  if (entries.size() > rows.size()) text += fmt::format("  and {} more, see the report\n", entries.size() - rows.size());
  return text;
}

std::string energy_account(const Facts& facts) {
  const auto& energy = facts["energy"];
  if (facts["failure"].is_null() && std::isnan(number(energy["work_in"])))
    return "energy is not known: masses and forces of an inclusion have no names\n";
  std::vector<std::vector<std::string>> rows;
  double largest = 0;
  for (const auto& [key, label] :
       {std::pair("work_in", "work in"), std::pair("kinetic", "kinetic"), std::pair("potential", "potential"),
        std::pair("stored", "stored"), std::pair("dissipated", "dissipated")}) {
    const double value = number(energy[key]);
    largest = std::max(largest, std::abs(value));
    if (value != 0) rows.push_back({label, known_quantity(value, "J")});
  }
  const double error = number(energy["closing_error"]);
  std::string share;
  if (error != 0 && std::isfinite(error) && largest > 0)
    share = fmt::format(" ({:.2g} of the largest above)", std::abs(error) / largest);
  rows.push_back({"numerical damping", known_quantity(error, "J", 2) + share});
  return "energy\n" + aligned(rows, "<<");
}

/// Which digits a second run confirms.
std::string verification(const Facts& facts) {
  const auto& found = facts.value("verification", Facts());
  if (!found.is_object()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const auto& column : found["columns"]) {
    if (!is_main(column["name"].get<std::string>()) || rows.size() == most_lines + 2) continue;
    const int digits = column["digits"].get<int>();
    const double difference = number(column["difference"]);
    rows.push_back({column["name"].get<std::string>(), fmt::format("{} digit{} sure", digits, digits == 1 ? "" : "s"),
                    difference == 0
                        ? "equal"
                        : fmt::format("differs by up to {}", quantity_text(difference, column["unit"].get<std::string>()))});
  }
  const auto events = found["events"].get<std::uint64_t>(), here = facts["events"]["count"].get<std::uint64_t>();
  return fmt::format("verified by a run with {}: {}, {} event{}{}\n", found["by"].get<std::string>(),
                     found["verdict"].get<std::string>(), events, events == 1 ? "" : "s",
                     events == here ? "" : fmt::format(" instead of {}", here)) +
         aligned(rows, "<><");
}

}  // namespace

std::string_view word_of(const Facts& finding) {
  const std::string severity = finding.value("severity", "");
  return severity == "failure" ? "WRONG" : severity == "remark" ? "remark" : "doubtful";
}

namespace {

/// What the run says of its own numbers.
std::string findings(const Facts& facts) {
  std::string text;
  for (const auto& finding : facts["findings"])
    text += fmt::format("{}: {}\n", word_of(finding), finding["text"].get<std::string>());
  return text;
}

}  // namespace

std::string doubts_of(const Facts& facts) { return findings(facts) + verification(facts); }

std::string summary_of(const Facts& facts) {
  const auto& run = facts["run"];
  const auto method = run["method"].get<std::string>();
  const auto steps = run["steps"].get<long>();
  std::string text = facts["title"].get<std::string>();
  if (text.empty()) text = facts["scene"].get<std::string>();
  if (const auto cite = facts["cite"].get<std::string>(); !cite.empty()) text += fmt::format(" ({})", cite);
  text += fmt::format("\n{:g} s in {} step{}, {}", number(run["time"]), steps, steps == 1 ? "" : "s", method);
  if (const long rejected = run["rejected"].get<long>()) text += fmt::format(", {} rejected", rejected);
  if (const long iterations = run.value("iterations", 0L); iterations > 0) {
    text += fmt::format(", {} Newton iteration{}", iterations, iterations == 1 ? "" : "s");
    if (const long retries = run.value("retries", 0L)) text += fmt::format(", {} retr{}", retries, retries == 1 ? "y" : "ies");
    if (const long substeps = run.value("substeps", 0L))
      text += fmt::format(", {} shorter step{}", substeps, substeps == 1 ? "" : "s");
    if (const long absorbed = run.value("absorbed", 0L))
      text += fmt::format(", {} impact{} absorbed within one step", absorbed, absorbed == 1 ? "" : "s");
  }
  text += "\n" + findings(facts) + "\n" + what_happened(facts) + final_state(facts) + verification(facts) + energy_account(facts);
  for (const auto& note : facts["notes"]) text += fmt::format("note: {}\n", note.get<std::string>());
  std::size_t set_up_notes = 0;
  for (const auto& warning : facts["warnings"]) set_up_notes += warning.value("severity", "warning") == "note";
  if (const std::string doubts = counted(facts["warnings"].size() - set_up_notes, set_up_notes); !doubts.empty())
    text += doubts + ", see the report\n";
  return text;
}

}  // namespace asperity::cli
