// Stick-slip from a table to what the laws say about it: read, fitted, predicted, told.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "asperity/identify/fit.hpp"
#include "asperity/identify/signal.hpp"
#include "asperity/identify/stick_slip.hpp"
#include "files/own_files.hpp"
#include "json_text.hpp"
#include "wording.hpp"

namespace asperity::identify {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double gravity = 9.81;                                  // m/s^2
constexpr const char* pulled_end = "velocity of the pulled end";  // the motion is that of it

void read_recorded(SlipStudy& study, SlipStudy::Recorded& recorded, const Source& source, const SlipRequest& request) {
  std::vector<Channel> map = request.map;
  Channel& velocity = map.emplace_back();
  velocity.what = "velocity", velocity.column = pulled_end;
  Table table = source.table;
  table.columns.push_back({{pulled_end, "m/s"}, std::vector<double>(table.rows(), request.pull)});
  Filter none;
  none.is_on = false;
  auto data = measured(source.name, table, map, none, false, study.problems);
  if (!data) return;
  recorded.name = fs::path(source.name).filename().string();
  recorded.t = std::move(data->samples.t), recorded.force = std::move(data->samples.force), recorded.notes = data->notes;
  if (study.least == 0) study.least = request.least ? *request.least : usual_least(recorded.force);
  for (std::string& note : recorded.notes)  // what a fit would do
    if (const std::string advice = "a robust fit leaves them out"; note.ends_with(advice))
      note.replace(note.size() - advice.size(), advice.size(), "the running median passes over them");
  const double noise = noise_of_force(recorded.force);
  const std::size_t reach = reach_against_noise(noise, study.least);
  if (reach > most_reach) {
    study.problems.push_back(
        fmt::format("{}: noise of {:.3g} a sample hides slips of {:.3g}: must be {:.3g} at most; {}slip counts larger ones only",
                    source.name, noise, study.least, study.least * std::sqrt(2.0 * most_reach) / 12.5, request.dash));
    return;
  }
  if (reach > 5)
    recorded.notes.push_back(fmt::format("noise of {:.3g} a sample: slips are read off the median of {} samples, {} together",
                                         noise, 2 * reach + 1,
                                         known_quantity(static_cast<double>(2 * reach + 1) * data->samples.step[1], "s", 2)));
  recorded.tooth = saw_tooth(recorded.t, recorded.force, study.least);
  if (recorded.tooth.cycles < 3)
    study.problems.push_back(
        fmt::format("{}: {} whole cycles with slips of more than {:.3g}: must be 3 at least; {}slip counts smaller ones",
                    source.name, recorded.tooth.cycles, study.least, request.dash));
}

}  // namespace

std::vector<std::string> problems_of(const SlipRequest& request) {
  const std::string& dash = request.dash;
  std::vector<std::string> problems, laws;
  const auto known = slip_laws();
  for (const std::string& name : request.laws) {
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      laws.push_back(name);
      continue;
    }
    const auto meant = nearest(name, known);
    problems.push_back(fmt::format("{}law {}: has no static friction above the kinetic one, which stick-slip needs; {}", dash, name,
                                   meant ? "did you mean " + *meant + "?" : fmt::format("there are {}", fmt::join(known, ", "))));
  }
  for (const std::string& law : laws)
    for (const std::string& line : problems_of_fixed(law, request.fixed))
      problems.push_back(fmt::format("{}fix, {}: {}", dash, law, line));
  const auto positive = [&](const char* name, std::optional<double> value) {
    if (value && (!(*value > 0) || !std::isfinite(*value)))
      problems.push_back(fmt::format("{}{} {:g}: must be > 0", dash, name, *value));
  };
  positive("spring", request.spring);
  positive("pull", request.pull);
  positive("load", request.load);
  positive("mass", request.mass);
  positive("slip", request.least);
  if (request.predicted_spring != 0) positive("predict", request.predicted_spring);
  if (!request.mass && !request.load && !request.load_is_free)
    problems.push_back(fmt::format("{0}mass: must be given, or a {0}load whose weight it is", dash));
  if (request.other && request.predicted_spring == 0)
    problems.push_back(fmt::format("{0}validate: {0}predict must say which spring that was", dash));
  for (const Channel& c : request.map)
    if (c.what != "time" && c.what != "force")
      problems.push_back(fmt::format("{0}map: {1}: only time and force are of use with {0}spring", dash, c.what));
  return problems;
}

SlipStudy run(const SlipRequest& request) {
  SlipStudy study;
  study.problems = problems_of(request);
  if (!study.problems.empty()) return study;
  study.pulled.spring = request.spring, study.pulled.speed = request.pull;
  study.predicted_spring = request.predicted_spring;
  study.load_is_read_off = request.load_is_free, study.mass_is_weight = !request.mass;
  read_recorded(study, study.own, request.data, request);
  if (request.other) read_recorded(study, study.other.emplace(), *request.other, request);
  if (!study.problems.empty()) return study;
  Pulled& pulled = study.pulled;
  pulled.load = request.load ? *request.load : request.load_is_free ? pulled.spring * pulled.speed / study.own.tooth.rise : 1;
  pulled.mass = request.mass ? *request.mass : pulled.load / gravity;

  Ticker ticker;
  for (std::size_t i = 0; i < request.laws.size(); ++i) {
    const std::string& law = request.laws[i];
    const auto tell = [&] {
      if (request.hooks.progress) request.hooks.progress({double(i), double(request.laws.size()), ticker.seconds(), law});
    };
    tell();
    const std::function<bool()> stop = [&] {
      if (ticker.tick()) tell();
      return request.hooks.stopped();
    };
    try {
      SlipStudy::Told t{fit_slips(law, pulled, study.own.tooth, study.least, request.fixed, stop), {}};
      if (study.predicted_spring > 0) t.predicted = simulated_tooth(t.fit.law, study.at_other_spring(), study.least, stop);
      study.laws.push_back(std::move(t));
    } catch (const Stopped&) {
      study.stopped = true;
      break;
    }
  }
  if (study.stopped && study.laws.empty()) study.problems.emplace_back("stopped before the first law was fitted");
  else if (std::none_of(study.laws.begin(), study.laws.end(), [](const SlipStudy::Told& t) { return t.fit.slips; }))
    study.problems.push_back(fmt::format(
        "none of the laws sticks and slips as the data do: check {0}mass, {0}spring, {0}pull and {0}fix", request.dash));
  return study;
}

namespace {

// --- In words

std::string of_force(const SlipStudy& study, double force, int digits = 3) {
  return study.pulled.load == 1 ? known_quantity(force, "N", digits) : fmt::format("{:.{}g}", force, digits);
}

std::string with_spread(const std::string& value, const std::string& deviation) { return value + " +- " + deviation; }

using Lines = std::vector<std::vector<std::string>>;

const std::vector<std::string> head{"", "period", "drop", "peak", "fall, 10 to 90 %"};

std::vector<std::string> measured_row(const SlipStudy& study, const SawTooth& tooth) {
  return {"measured", with_spread(known_quantity(tooth.period.mean, "s", 3), known_quantity(tooth.period.deviation, "s", 2)),
          with_spread(of_force(study, tooth.drop.mean), of_force(study, tooth.drop.deviation, 2)),
          with_spread(of_force(study, tooth.peak.mean), of_force(study, tooth.peak.deviation, 2)),
          fmt::format("{} ({} .. {})", known_quantity(tooth.fall, "s", 3), known_quantity(tooth.fastest, "s", 3),
                      known_quantity(tooth.slowest, "s", 3))};
}

std::vector<std::string> simulated_row(const SlipStudy& study, const std::string& law, const SawTooth& tooth) {
  if (tooth.cycles == 0) return {law, "no stick-slip", "", "", ""};
  return {law, known_quantity(tooth.period.mean, "s", 3), of_force(study, tooth.drop.mean), of_force(study, tooth.peak.mean),
          known_quantity(tooth.fall, "s", 3)};
}

constexpr double reading = 0.05;  // what slips can be read to, as a part

/// How far from the measured mean, in its deviations from slip to slip.
double off(double predicted, const Spread& measured) { return std::abs(predicted - measured.mean) / measured.deviation; }
bool agrees(double predicted, const Spread& measured) {
  return off(predicted, measured) <= 2 || std::abs(predicted / measured.mean - 1) <= reading;
}

bool explains_at(const SlipStudy::Told& told, const SawTooth& measured) {
  return told.predicted.cycles > 0 && agrees(told.predicted.period.mean, measured.period) &&
         agrees(told.predicted.drop.mean, measured.drop);
}

std::string verdict(const SlipStudy& study) {
  const SawTooth& measured = study.other->tooth;
  std::vector<std::string> good;
  double least = std::numeric_limits<double>::infinity();
  for (const SlipStudy::Told& told : study.laws) {
    if (explains_at(told, measured)) good.push_back(told.fit.law.law);
    if (told.predicted.cycles > 0) least = std::min(least, off(told.predicted.drop.mean, measured.drop));
  }
  if (!good.empty())
    return fmt::format("Period and drop at both springs within twice their spread, or {:.0f} %: {}.", 100 * reading,
                       fmt::join(good, ", "));
  return fmt::format(
      "None of these laws explains both springs: drop or period is more than twice its spread off, the drop by {:.1f} times at "
      "least.",
      least);
}

std::string ageing_text(const SlipStudy& study) {
  const SawTooth &own = study.own.tooth, &other = study.other->tooth;
  const auto slope = [&](const Ageing& a) {
    return with_spread(fmt::format("{:+.2g}", a.slope), fmt::format("{:.1g} per decade of rest", a.error));
  };
  std::string text = "static friction against time at rest (contacts that age: positive)\n";
  text += aligned({{"from slip to slip, " + study.own.name, slope(ageing_within(own))},
                   {"from slip to slip, " + study.other->name, slope(ageing_within(other))},
                   {fmt::format("between the springs, rest {} and {}, peak", known_quantity(own.rest.mean, "s", 3),
                                known_quantity(other.rest.mean, "s", 3)),
                    slope(ageing_between(own, other, false))},
                   {"    what it is above kinetic friction, drop/2", slope(ageing_between(own, other, true))}},
                  "<<");
  const Ageing above = ageing_between(own, other, true);
  if (std::abs(other.drop.mean / own.drop.mean - 1) <= reading) return text;
  bool rises = false, falls = false;
  for (const Ageing& a : {ageing_within(own), ageing_within(other), ageing_between(own, other, false), above})
    rises = rises || a.slope > 2 * a.error, falls = falls || a.slope < -2 * a.error;
  if (rises && falls)
    text += "These rows contradict each other: the data do not show whether static friction grows with the time at rest.\n";
  else if (above.slope < -2 * above.error)
    text += "Longer rest goes with less static friction: ageing, which adds to it, does not explain that.\n";
  else if (above.slope > 2 * above.error) text += "Longer rest goes with more static friction, as ageing has it.\n";
  return text;
}

std::string told_of(const SlipStudy& study) {
  const Pulled& p = study.pulled;
  const SawTooth& own = study.own.tooth;
  std::string text;
  for (const std::string& note : study.own.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("{}: {} slips by more than {}, pulled at {} through {}\n", study.own.name, own.cycles,
                      of_force(study, study.least, 2), known_quantity(p.speed, "m/s"), known_quantity(p.spring, "N/m"));
  const double rise = p.spring * p.speed / p.load;
  text += fmt::format(
      "while it sticks the force rises by {:.3g} per s; spring and pull say {:.3g}{}; mass {}{}\n", own.rise, rise,
      study.load_is_read_off ? fmt::format(" with a load of {}, which is read off it", known_quantity(p.load, "N", 3)) : "",
      known_quantity(p.mass, "kg", 3), study.mass_is_weight ? ", the weight of the load" : "");
  if (std::abs(own.rise / rise - 1) > 0.1) text += "warning: these differ by more than 10 %: check spring, pull and load\n";
  text += "\nidentified\n";
  Lines found{{"law", "F_s", "F_c", "v_s"}};
  for (const SlipStudy::Told& t : study.laws) {
    const SlipLaw& law = t.fit.law;
    const std::string v_s = t.fit.v_s_is_given      ? known_quantity(law.v_s, "m/s", 3) + ", given"
                            : !t.fit.slips          ? ""
                            : t.fit.largest_v_s > 0 ? "below " + known_quantity(t.fit.largest_v_s, "m/s", 2)
                                                    : "not identifiable";
    found.push_back(t.fit.slips ? std::vector<std::string>{law.law, of_force(study, law.F_s), of_force(study, law.F_c), v_s}
                                : std::vector<std::string>{law.law, "does not have these slips", "", v_s});
  }
  found.push_back(
      {"from slip to slip", "+- " + of_force(study, own.peak.deviation, 2), "+- " + of_force(study, own.middle.deviation, 2), ""});
  text += aligned(found, "<<<<") + fmt::format("\n{}, {}\n", study.own.name, known_quantity(p.spring, "N/m"));
  Lines rows{head, measured_row(study, own)};
  for (const SlipStudy::Told& t : study.laws) rows.push_back(simulated_row(study, t.fit.law.law, t.fit.tooth));
  text += aligned(rows, "<<<<<");
  if (study.predicted_spring == 0) return text;

  text += fmt::format("\npredicted for {}{}\n", known_quantity(study.predicted_spring, "N/m"),
                      study.other ? ", " + study.other->name : "");
  rows = {head};
  if (study.other)
    rows[0].insert(rows[0].end(), {"error of period", "of drop"}), rows.push_back(measured_row(study, study.other->tooth));
  for (const SlipStudy::Told& t : study.laws) {
    rows.push_back(simulated_row(study, t.fit.law.law, t.predicted));
    if (study.other && t.predicted.cycles > 0)
      rows.back().insert(rows.back().end(),
                         {fmt::format("{:+.0f} %", 100 * (t.predicted.period.mean / study.other->tooth.period.mean - 1)),
                          fmt::format("{:+.0f} %", 100 * (t.predicted.drop.mean / study.other->tooth.drop.mean - 1))});
  }
  for (auto& row : rows) row.resize(rows[0].size());
  text += aligned(rows, "<<<<<>>");
  if (study.other) text += "\n" + ageing_text(study) + "\n" + verdict(study) + "\n";
  return text;
}

// --- For programs

Json facts_of(const Spread& s) { return {{"mean", s.mean}, {"deviation", s.deviation}, {"error_of_mean", s.error}}; }

Json facts_of(const SawTooth& tooth) {
  if (tooth.cycles == 0) return {{"cycles", 0}};
  return {{"cycles", tooth.cycles},           {"period_s", facts_of(tooth.period)},
          {"drop", facts_of(tooth.drop)},     {"peak", facts_of(tooth.peak)},
          {"middle", facts_of(tooth.middle)}, {"rest_s", facts_of(tooth.rest)},
          {"rise_per_s", tooth.rise},         {"fall_s", {{"median", tooth.fall}, {"quartiles", {tooth.fastest, tooth.slowest}}}}};
}

Json facts_of(const Ageing& a) { return {{"slope_per_decade", a.slope}, {"error", a.error}}; }

std::string facts_text(const SlipStudy& study) {
  const Pulled& p = study.pulled;
  Json facts{
      {"data", study.own.name}, {"notes", study.own.notes}, {"spring", p.spring},        {"pull", p.speed},
      {"mass", p.mass},         {"load", p.load},           {"least_slip", study.least}, {"measured", facts_of(study.own.tooth)}};
  if (study.predicted_spring > 0) facts["predicted_spring"] = study.predicted_spring;
  if (study.other) {
    facts["measured_there"] = facts_of(study.other->tooth);
    facts["ageing"] = {{"peak", facts_of(ageing_between(study.own.tooth, study.other->tooth, false))},
                       {"above_kinetic", facts_of(ageing_between(study.own.tooth, study.other->tooth, true))}};
  }
  for (const SlipStudy::Told& t : study.laws) {
    Json law{
        {"law", t.fit.law.law}, {"slips", t.fit.slips}, {"F_s", t.fit.law.F_s}, {"F_c", t.fit.law.F_c}, {"v_s", t.fit.law.v_s}};
    if (t.fit.largest_v_s > 0) law["v_s_below"] = t.fit.largest_v_s;
    law["simulated"] = facts_of(t.fit.tooth);
    if (study.predicted_spring > 0) law["predicted"] = facts_of(t.predicted);
    if (study.other) law["explains_both"] = explains_at(t, study.other->tooth);
    facts["laws"].push_back(law);
  }
  return json_text(facts);
}

// --- In a picture

/// A part of the data from its first slip on, and the laws with their slips put there.
plot::Panel time_panel(const SlipStudy& study, const SlipStudy::Recorded* recorded, const Pulled& pulled, double span) {
  plot::Panel panel;
  panel.title = fmt::format("spring of {}{}", known_quantity(pulled.spring, "N/m"), recorded ? "" : ": predicted");
  panel.x = {"time", "s"},
  panel.y = {study.pulled.load == 1 ? "spring force" : "spring force over load", study.pulled.load == 1 ? "N" : ""};
  const auto first_fall = [&](const std::vector<double>& t, const std::vector<double>& f) {
    double high = f.front();
    for (std::size_t i = 0; i < f.size(); ++i) {
      high = std::max(high, f[i]);
      if (f[i] < high - study.least) return t[i];
    }
    return t.front();
  };
  double start = 0;
  if (recorded) {
    const auto& [name, t, f, notes, tooth] = *recorded;
    const auto smooth = running_median(f);
    start = t.front();
    plot::Line line{.label = "measured", .width = 1};
    for (std::size_t i = 0; i < t.size() && t[i] - start <= span; ++i) line.x.push_back(t[i] - start), line.y.push_back(smooth[i]);
    start = first_fall(line.x, line.y);
    panel.lines.push_back(std::move(line));
  }
  for (const SlipStudy::Told& told : study.laws) {
    if (!told.fit.slips) continue;
    const Pull pull = simulated_pull(told.fit.law, pulled, span * 1.3);
    const double shift = recorded ? start - first_fall(pull.t, pull.force) : 0;
    plot::Line line{.label = told.fit.law.law, .width = 1.3};
    for (std::size_t i = 0; i < pull.t.size(); ++i)
      if (pull.t[i] + shift >= 0 && pull.t[i] + shift <= span) line.x.push_back(pull.t[i] + shift), line.y.push_back(pull.force[i]);
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

/// One short stroke for each slip.
plot::Line strokes(const SlipStudy::Recorded& recorded, const std::string& label, bool above_kinetic) {
  plot::Line line{.label = label, .width = 4};
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < recorded.tooth.rests.size(); ++i) {
    const double x = recorded.tooth.rests[i], y = above_kinetic ? recorded.tooth.drops[i] / 2 : recorded.tooth.peaks[i];
    line.x.insert(line.x.end(), {0.985 * x, 1.015 * x, none}), line.y.insert(line.y.end(), {y, y, none});
  }
  return line;
}

plot::Figure picture_of(const SlipStudy& study) {
  plot::Figure figure;
  figure.title = "Stick-slip: measured and simulated";
  figure.subtitle = fmt::format("identified from {}", study.own.name);
  const double own_span = 8 * study.own.tooth.period.mean;
  figure.panels.push_back(time_panel(study, &study.own, study.pulled, own_span));
  if (study.predicted_spring > 0) {
    const double span = study.other ? 8 * study.other->tooth.period.mean : own_span * study.pulled.spring / study.predicted_spring;
    figure.panels.push_back(time_panel(study, study.other ? &*study.other : nullptr, study.at_other_spring(), span));
  }
  if (study.other)
    for (const bool above_kinetic : {false, true}) {
      plot::Panel panel;
      panel.title = above_kinetic ? "static above kinetic friction, drop/2" : "static friction, peak";
      panel.x = {"time at rest before the slip", "s", {}, true};
      panel.y = {above_kinetic ? "drop/2" : "peak", study.pulled.load == 1 ? "N" : ""};
      panel.lines = {strokes(study.own, known_quantity(study.pulled.spring, "N/m"), above_kinetic),
                     strokes(*study.other, known_quantity(study.predicted_spring, "N/m"), above_kinetic)};
      figure.panels.push_back(std::move(panel));
    }
  return figure;
}

}  // namespace

bool explains(const SlipStudy& study, const SlipStudy::Told& law) { return study.other && explains_at(law, study.other->tooth); }
std::string slip_text(const SlipStudy& study) { return told_of(study); }
std::string slip_facts(const SlipStudy& study) { return facts_text(study); }
plot::Figure slip_figure(const SlipStudy& study) { return picture_of(study); }

std::vector<std::string> slip_folder_objections(const std::string& folder, const std::vector<std::string>& laws) {
  std::vector<std::string> names{"stick_slip.json", "stick_slip.svg"};
  for (const std::string& law : laws) names.push_back(law + ".toml");
  return files::OwnFiles(folder).objections(names);
}

std::optional<std::string> write_folder(const std::string& folder, const SlipStudy& study) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const SlipStudy::Told& t : study.laws)
    if (t.fit.slips)
      texts.emplace_back(t.fit.law.law + ".toml", pulled_scene(t.fit.law, study.pulled, 10 * t.fit.tooth.period.mean));
  texts.emplace_back("stick_slip.json", slip_facts(study));
  texts.emplace_back("stick_slip.svg", plot::to_svg(slip_figure(study)));
  return files::OwnFiles(folder).write(texts);
}

}  // namespace asperity::identify
