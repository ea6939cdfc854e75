#include "json.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <limits>

#include "files/whole.hpp"
#include "json_text.hpp"

namespace asperity {

using facts::Json;

// --- written ---------------------------------------------------------------------------------------------------------------------

namespace {

template <class List, class Entry>
Json list_of(const List& list, Entry&& entry) {
  Json all = Json::array();
  for (const auto& one : list) all.push_back(entry(one));
  return all;
}

Json json_of(const Quantity& quantity) { return {{"name", quantity.name}, {"unit", quantity.unit}}; }

Json json_of(const Facts::Verified& found) {
  return {{"by", found.by},
          {"failure", found.failure},
          {"verdict", to_text(found.verdict)},
          {"events", found.events},
          {"columns", list_of(found.columns, [](const Facts::Verified::Column& column) -> Json {
             return {{"name", column.quantity.name},
                     {"unit", column.quantity.unit},
                     {"difference", column.difference},
                     {"time", column.time},
                     {"digits", column.digits}};
           })}};
}

}  // namespace

Json facts::json_of(const Facts& facts) {
  const Statistics& statistics = facts.run.statistics;
  Json json;
  json["asperity"] = facts.asperity;
  json["title"] = facts.title;
  json["cite"] = facts.cite;
  json["scene"] = facts.scene;
  json["run"] = {{"duration", facts.run.duration},        {"step", facts.run.step},          {"method", facts.run.method},
                 {"finished", facts.run.finished},        {"time", facts.run.time},          {"steps", statistics.steps},
                 {"evaluations", statistics.evaluations}, {"rejected", statistics.rejected}, {"iterations", statistics.iterations},
                 {"retries", statistics.retries},         {"substeps", statistics.substeps}, {"absorbed", statistics.absorbed},
                 {"wall_seconds", facts.run.wall_seconds}};
  json["failure"] = nullptr;
  if (const auto& failure = facts.failure)
    json["failure"] = {{"time", failure->time}, {"component", failure->component}, {"text", failure->text}};
  json["warnings"] = list_of(facts.warnings, [](const Warning& warning) -> Json {
    return {{"component", warning.component}, {"severity", warning.severity()}, {"kind", to_text(warning.kind)},
            {"value", warning.value},         {"limit", warning.limit},         {"text", warning.text},
            {"alike", warning.alike}};
  });
  json["notes"] = facts.notes;
  json["verdict"] = to_text(facts.verdict);
  json["motions"] = list_of(facts.motions, [](const BodyMotion& motion) -> Json {
    return {{"body", motion.body},
            {"against", motion.against},
            {"by", motion.by},
            {"kind", to_text(motion.kind)},
            {"text", to_text(motion)},
            {"since", motion.since},
            {"until", motion.until},
            {"moved", motion.moved},
            {"unit", motion.unit},
            {"range", motion.range},
            {"speed", motion.speed},
            {"before", motion.before},
            {"deflection", motion.deflection},
            {"load", motion.load},
            {"period", motion.period},
            {"impacts", motion.impacts},
            {"restitution", motion.restitution},
            {"least_restitution", motion.least_restitution},
            {"most_restitution", motion.most_restitution}};
  });
  json["findings"] = list_of(facts.findings, [](const Finding& finding) -> Json {
    return {{"severity", to_text(finding.severity)},
            {"kind", to_text(finding.kind)},
            {"component", finding.component},
            {"value", finding.value},
            {"limit", finding.limit},
            {"text", finding.text}};
  });
  json["verification"] = facts.verification ? asperity::json_of(*facts.verification) : Json();
  json["events"] = {
      {"count", facts.event_count},
      {"list", list_of(facts.events, [](const Event& event) -> Json {
         return {{"time", event.time}, {"kind", to_text(event.kind)}, {"element", event.element}, {"speed", event.speed}};
       })}};
  json["impacts"] = list_of(facts.impacts, [](const Impact& impact) -> Json {
    return {{"element", impact.element},
            {"touch", impact.touch},
            {"release", impact.release},
            {"impact_speed", impact.impact_speed},
            {"separation_speed", impact.separation_speed},
            {"restitution", impact.restitution()}};
  });
  json["final"] = list_of(facts.final, [](const Facts::Value& one) -> Json {
    return {{"name", one.quantity.name}, {"unit", one.quantity.unit}, {"value", one.value}};
  });
  const EnergyAccount& energy = facts.energy;
  json["energy"] = {{"work_in", energy.work_in},
                    {"kinetic", energy.kinetic},
                    {"potential", energy.potential},
                    {"stored", energy.stored},
                    {"dissipated", energy.dissipated},
                    {"closing_error", energy.closing_error},
                    {"elements", list_of(facts.losses, [](const Facts::Loss& loss) -> Json {
                       return {{"name", loss.name}, {"dissipated", loss.dissipated}};
                     })}};
  json["parameters"] = list_of(facts.parameters, [](const SceneParameter& p) -> Json {
    return {{"component", p.component}, {"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"meaning", p.meaning}};
  });
  json["bodies"] = list_of(facts.bodies, [](const SceneBody& body) -> Json {
    return {{"name", body.name}, {"kind", body.kind}, {"dimension", body.dimension}, {"shape", body.shape}, {"size", body.size}};
  });
  json["elements"] = list_of(facts.elements, [](const SceneElement& element) -> Json {
    return {{"name", element.name},     {"law", element.law},       {"kind", element.kind},       {"between", element.between},
            {"normal", element.normal}, {"offset", element.offset}, {"point_a", element.point_a}, {"point_b", element.point_b}};
  });
  const Facts::LeftOut& less = facts.left_out;
  json["left_out"] = {{"parameters", less.parameters},
                      {"bodies", less.bodies},
                      {"elements", less.elements},
                      {"losses", less.losses},
                      {"motions", less.motions}};
  json["columns"] = list_of(facts.columns, [](const Quantity& column) { return asperity::json_of(column); });
  json["files"] = {{"data", facts.files.data}, {"scene", facts.files.scene}, {"report", facts.files.report}};
  return json;
}

std::string facts::text_of(const Json& json) { return json_text(json); }

std::string to_json(const Facts& facts) { return facts::text_of(facts::json_of(facts)); }

// --- read ------------------------------------------------------------------------------------------------------------------------

namespace {

/// What is wrong with an entry: "run.steps must be a whole number >= 0".
struct Misfit {
  std::string why;
};

/// One entry, and its place for messages. What is there must be of the right type; what every file has must be there.
class Entry {
 public:
  Entry(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void refuse(const std::string& must) const {
    throw Misfit{fmt::format("{} must be {}", place_.empty() ? "it" : place_, must)};
  }
  Entry operator[](const char* key) const {
    require_object();
    const std::string place = inside(key);
    if (!json_.contains(key)) throw Misfit{place + " is missing"};
    return {json_[key], place};
  }
  /// f(entry) if it is there.
  template <class F>
  void maybe(const char* key, F&& f) const {
    require_object();
    if (json_.contains(key)) f(Entry(json_[key], inside(key)));
  }
  bool is_null() const { return json_.is_null(); }

  void to(std::string& text) const {
    if (!json_.is_string()) refuse("a text");
    text = json_.get<std::string>();
  }
  void to(bool& flag) const {
    if (!json_.is_boolean()) refuse("true or false");
    flag = json_.get<bool>();
  }
  /// Where a number was not finite there is null.
  void to(double& number) const {
    if (!json_.is_number() && !json_.is_null()) refuse("a number");
    number = json_.is_null() ? std::numeric_limits<double>::quiet_NaN() : json_.get<double>();
  }
  void to(std::uint64_t& count) const { count = whole(); }
  void to(long& count) const { count = static_cast<long>(whole()); }
  void to(int& number) const {
    if (!json_.is_number_integer()) refuse("a whole number");
    number = json_.get<int>();
  }
  /// One of the words of an enumeration, by which it is written.
  template <class E, class All>
  requires std::is_enum_v<E>
  void to(E& one, const All& all) const {
    std::string word;
    to(word);
    for (const E each : all)
      if (to_text(each) == word) {
        one = each;
        return;
      }
    std::string words;
    for (const E each : all) words += fmt::format("{}{}", words.empty() ? "" : ", ", to_text(each));
    refuse(words);
  }
  template <class T>
  void to(std::vector<T>& list) const {
    each([&](const Entry& entry) { entry.to(list.emplace_back()); });
  }
  template <class F>
  void each(F&& f) const {
    if (!json_.is_array()) refuse("a list");
    for (std::size_t i = 0; i < json_.size(); ++i) f(Entry(json_[i], fmt::format("{}[{}]", place_, i)));
  }

 private:
  void require_object() const {
    if (!json_.is_object()) refuse("an object");
  }
  std::string inside(const char* key) const { return place_.empty() ? key : place_ + "." + key; }
  std::uint64_t whole() const {
    if (!json_.is_number()) refuse("a number");
    if (!json_.is_number_unsigned()) refuse("a whole number >= 0");
    return json_.get<std::uint64_t>();
  }

  const Json& json_;
  std::string place_;
};

constexpr auto severities = {Finding::Severity::remark, Finding::Severity::note, Finding::Severity::failure};
constexpr auto verdicts = {Verdict::fine, Verdict::doubtful, Verdict::failed};
constexpr auto event_kinds = {Event::Kind::touch, Event::Kind::release, Event::Kind::slip, Event::Kind::stick};
constexpr auto motion_kinds = {BodyMotion::Kind::held,       BodyMotion::Kind::rests,        BodyMotion::Kind::creeps,
                               BodyMotion::Kind::slides,     BodyMotion::Kind::sticks_slips, BodyMotion::Kind::rolls,
                               BodyMotion::Kind::oscillates, BodyMotion::Kind::moves,        BodyMotion::Kind::bounces,
                               BodyMotion::Kind::released};
using Kind = Warning::Kind;
constexpr auto warning_kinds = {Kind::stability, Kind::speed, Kind::accuracy, Kind::holding, Kind::preload, Kind::method,
                                Kind::duration,  Kind::depth, Kind::support,  Kind::start,   Kind::input,   Kind::jump};

Quantity quantity_in(const Entry& entry) {
  Quantity quantity;
  entry["name"].to(quantity.name);
  entry["unit"].to(quantity.unit);
  return quantity;
}

/// They are read and written in the folder, nowhere else.
void file_in(const Entry& entry, const char* key, std::string& name) {
  entry[key].to(name);
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    throw Misfit{fmt::format("files.{} = \"{}\": must be the name of a file in the same folder", key, name)};
}

void read_run(const Entry& run, Facts::Course& course) {
  run["duration"].to(course.duration);
  run["step"].to(course.step);
  run["method"].to(course.method);
  run["finished"].to(course.finished);
  run["time"].to(course.time);
  Statistics& statistics = course.statistics;
  run["steps"].to(statistics.steps);
  run["evaluations"].to(statistics.evaluations);
  run["rejected"].to(statistics.rejected);
  for (const auto& [key, count] : {std::pair("iterations", &statistics.iterations), std::pair("retries", &statistics.retries),
                                   std::pair("substeps", &statistics.substeps), std::pair("absorbed", &statistics.absorbed)})
    run.maybe(key, [target = count](const Entry& entry) { entry.to(*target); });
  run["wall_seconds"].to(course.wall_seconds);
}

BodyMotion motion_in(const Entry& entry) {
  BodyMotion motion;
  for (const auto& [key, text] : {std::pair("body", &motion.body), std::pair("against", &motion.against),
                                  std::pair("by", &motion.by), std::pair("unit", &motion.unit)})
    entry[key].to(*text);
  entry["kind"].to(motion.kind, motion_kinds);
  for (const auto& [key, number] :
       {std::pair("since", &motion.since), std::pair("until", &motion.until), std::pair("moved", &motion.moved),
        std::pair("range", &motion.range), std::pair("speed", &motion.speed), std::pair("before", &motion.before),
        std::pair("deflection", &motion.deflection), std::pair("load", &motion.load), std::pair("period", &motion.period),
        std::pair("restitution", &motion.restitution), std::pair("least_restitution", &motion.least_restitution),
        std::pair("most_restitution", &motion.most_restitution)})
    entry[key].to(*number);
  entry["impacts"].to(motion.impacts);
  return motion;
}

void read_judgement(const Entry& all, Facts& facts) {
  all.maybe("failure", [&](const Entry& entry) {
    if (entry.is_null()) return;
    Failure& failure = facts.failure.emplace();
    entry["time"].to(failure.time);
    entry["component"].to(failure.component);
    entry["text"].to(failure.text);
  });
  all["warnings"].each([&](const Entry& entry) {
    Warning& warning = facts.warnings.emplace_back();
    entry["component"].to(warning.component);
    entry["kind"].to(warning.kind, warning_kinds);
    entry["text"].to(warning.text);
    entry.maybe("severity", [&](const Entry& one) {
      std::string word;
      one.to(word);
      warning.note = word == "note";
    });
    entry.maybe("value", [&](const Entry& one) { one.to(warning.value); });
    entry.maybe("limit", [&](const Entry& one) { one.to(warning.limit); });
    entry.maybe("alike", [&](const Entry& one) { one.to(warning.alike); });
  });
  all["notes"].to(facts.notes);
  all.maybe("motions",
            [&](const Entry& list) { list.each([&](const Entry& entry) { facts.motions.push_back(motion_in(entry)); }); });
  all.maybe("findings", [&](const Entry& list) {
    list.each([&](const Entry& entry) {
      Finding& finding = facts.findings.emplace_back();
      entry["severity"].to(finding.severity, severities);
      entry["kind"].to(finding.kind, finding_kinds);
      entry["component"].to(finding.component);
      entry["value"].to(finding.value);
      entry["limit"].to(finding.limit);
      entry["text"].to(finding.text);
    });
  });
  facts.verdict = verdict_of(facts.findings);
  all.maybe("verdict", [&](const Entry& entry) { entry.to(facts.verdict, verdicts); });
  all.maybe("verification", [&](const Entry& entry) {
    if (entry.is_null()) return;
    Facts::Verified& found = facts.verification.emplace();
    entry["by"].to(found.by);
    entry["failure"].to(found.failure);
    entry["verdict"].to(found.verdict, verdicts);
    entry["events"].to(found.events);
    entry["columns"].each([&](const Entry& column) {
      Facts::Verified::Column& one = found.columns.emplace_back();
      one.quantity = quantity_in(column);
      column["difference"].to(one.difference);
      column["time"].to(one.time);
      column["digits"].to(one.digits);
    });
  });
}

void read_course(const Entry& all, Facts& facts) {
  all["events"]["count"].to(facts.event_count);
  all["events"]["list"].each([&](const Entry& entry) {
    Event& event = facts.events.emplace_back();
    entry["time"].to(event.time);
    entry["kind"].to(event.kind, event_kinds);
    entry["element"].to(event.element);
    entry["speed"].to(event.speed);
  });
  all["impacts"].each([&](const Entry& entry) {
    Impact& impact = facts.impacts.emplace_back();
    entry["element"].to(impact.element);
    entry["touch"].to(impact.touch);
    entry["release"].to(impact.release);
    entry["impact_speed"].to(impact.impact_speed);
    entry["separation_speed"].to(impact.separation_speed);
  });
  all["final"].each([&](const Entry& entry) {
    Facts::Value& value = facts.final.emplace_back();
    value.quantity = quantity_in(entry);
    entry["value"].to(value.value);
  });
  const Entry energy = all["energy"];
  EnergyAccount& account = facts.energy;
  for (const auto& [key, number] :
       {std::pair("work_in", &account.work_in), std::pair("kinetic", &account.kinetic), std::pair("potential", &account.potential),
        std::pair("stored", &account.stored), std::pair("dissipated", &account.dissipated),
        std::pair("closing_error", &account.closing_error)})
    energy[key].to(*number);
  energy.maybe("elements", [&](const Entry& list) {
    list.each([&](const Entry& entry) {
      Facts::Loss& loss = facts.losses.emplace_back();
      entry["name"].to(loss.name);
      entry["dissipated"].to(loss.dissipated);
    });
  });
}

void read_scene(const Entry& all, Facts& facts) {
  all.maybe("parameters", [&](const Entry& list) {
    list.each([&](const Entry& entry) {
      SceneParameter& p = facts.parameters.emplace_back();
      for (const auto& [key, text] : {std::pair("component", &p.component), std::pair("name", &p.name),
                                      std::pair("value", &p.value), std::pair("unit", &p.unit), std::pair("meaning", &p.meaning)})
        entry[key].to(*text);
    });
  });
  all.maybe("bodies", [&](const Entry& list) {
    list.each([&](const Entry& entry) {
      SceneBody& body = facts.bodies.emplace_back();
      entry["name"].to(body.name);
      entry["kind"].to(body.kind);
      entry["dimension"].to(body.dimension);
      entry["shape"].to(body.shape);
      entry["size"].to(body.size);
    });
  });
  all.maybe("elements", [&](const Entry& list) {
    list.each([&](const Entry& entry) {
      SceneElement& element = facts.elements.emplace_back();
      entry["name"].to(element.name);
      entry["law"].to(element.law);
      entry["kind"].to(element.kind);
      std::vector<std::string> between;
      entry["between"].to(between);
      if (between.size() != 2) entry["between"].refuse("two names");
      element.between = {between[0], between[1]};
      entry["normal"].to(element.normal);
      entry["offset"].to(element.offset);
      entry["point_a"].to(element.point_a);
      entry["point_b"].to(element.point_b);
    });
  });
}

void read_left_out(const Entry& entry, Facts::LeftOut& less) {
  for (const auto& [key, count] : {std::pair("parameters", &less.parameters), std::pair("bodies", &less.bodies),
                                   std::pair("elements", &less.elements), std::pair("losses", &less.losses)})
    entry[key].to(*count);
  entry.maybe("motions", [&](const Entry& count) { count.to(less.motions); });
}

Facts facts_in(const Entry& all) {
  Facts facts;
  all["asperity"].to(facts.asperity);
  all["title"].to(facts.title);
  all["cite"].to(facts.cite);
  all["scene"].to(facts.scene);
  read_run(all["run"], facts.run);
  read_judgement(all, facts);
  read_course(all, facts);
  read_scene(all, facts);
  all.maybe("left_out", [&](const Entry& entry) { read_left_out(entry, facts.left_out); });
  all["columns"].each([&](const Entry& entry) { facts.columns.push_back(quantity_in(entry)); });
  file_in(all["files"], "data", facts.files.data);
  file_in(all["files"], "scene", facts.files.scene);
  return facts;
}

}  // namespace

std::optional<Facts> facts_from_json(std::string_view text, std::string& why) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    why = "it is not JSON, or it was cut";
    return std::nullopt;
  }
  try {
    return facts_in(Entry(json, ""));
  } catch (const Misfit& misfit) {
    why = misfit.why;
    return std::nullopt;
  }
}

std::optional<Facts> read_facts(const std::string& path, std::vector<std::string>& problems) {
  const std::string file = path.ends_with(".json") ? path : (std::filesystem::path(path) / "summary.json").string();
  std::string text, why;
  if (auto problem = files::read_whole(file, text)) {
    problems.push_back(*problem);
    return std::nullopt;
  }
  auto facts = facts_from_json(text, why);
  if (!facts) problems.push_back(fmt::format("{}: not the facts of a run: {}", file, why));
  return facts;
}

}  // namespace asperity
