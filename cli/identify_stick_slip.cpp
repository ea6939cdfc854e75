#include "identify_stick_slip.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "asperity/csv.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/identify/data.hpp"
#include "asperity/identify/signal.hpp"
#include "asperity/identify/stick_slip.hpp"
#include "asperity/plot.hpp"
#include "commands.hpp"
#include "files/own_files.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;
using namespace identify;

constexpr double gravity = 9.81;  // m/s^2

struct Recorded {
  std::string name;
  std::vector<double> t, force;
  std::vector<std::string> notes;
  SawTooth tooth;
};

/// A law, and what it says about the other spring.
struct Told {
  SlipFit fit;
  SawTooth predicted;
};

struct Answer {
  Recorded own;
  std::optional<Recorded> other;
  Pulled pulled;
  bool load_is_read_off = false, mass_is_weight = false;
  double least = 0;
  double predicted_spring = 0;  // N/m; 0: none
  std::vector<Told> laws;

  Pulled at_other_spring() const {
    Pulled there = pulled;
    there.spring = predicted_spring;
    return there;
  }
};

// --- What was typed

class Reader {
 public:
  Reader(const StickSlipCommand& typed, Problems& problems) : typed_(typed), problems_(problems) {}

  std::optional<Answer> read() {
    read_laws();
    answer_.pulled.spring = quantity("--spring", typed_.spring, "N/m").value_or(1);
    answer_.pulled.speed = quantity("--pull", typed_.pull, "m/s").value_or(1);
    if (typed_.pull.empty()) problems_.emplace_back("--pull: must be given with --spring: how fast its far end is pulled");
    const auto load = typed_.load == "free" ? std::nullopt : quantity("--load", typed_.load, "N");
    const auto mass = quantity("--mass", typed_.mass, "kg");
    const auto least = quantity("--slip", typed_.slip, "N");
    answer_.predicted_spring = quantity("--predict", typed_.predict, "N/m").value_or(0);
    answer_.load_is_read_off = typed_.load == "free", answer_.mass_is_weight = typed_.mass.empty();
    if (typed_.mass.empty() && typed_.load.empty()) problems_.emplace_back("--mass: must be given, or a --load whose weight it is");
    if (!typed_.validate.empty() && typed_.predict.empty())
      problems_.emplace_back("--validate: --predict must say which spring that was");
    const auto map = with_velocity(read_map(typed_.map, problems_));
    if (!problems_.empty()) return std::nullopt;
    read_recorded(answer_.own, typed_.data, map, least);
    if (!typed_.validate.empty()) read_recorded(answer_.other.emplace(), typed_.validate, map, least);
    if (!problems_.empty()) return std::nullopt;
    Pulled& pulled = answer_.pulled;
    pulled.load = load ? *load : answer_.load_is_read_off ? pulled.spring * pulled.speed / answer_.own.tooth.rise : 1;
    pulled.mass = mass ? *mass : pulled.load / gravity;
    return std::move(answer_);
  }

  std::vector<std::string> laws;
  std::vector<std::pair<std::string, double>> fixed;

 private:
  std::optional<double> quantity(const char* option, const std::string& text, const char* unit) {
    if (text.empty()) return std::nullopt;
    std::string why;
    const auto value = read_quantity(text, unit, why);
    if (!value) problems_.push_back(fmt::format("{} {}: {}", option, text, why));
    else if (!(*value > 0) || !std::isfinite(*value)) problems_.push_back(fmt::format("{} {}: must be > 0", option, text));
    return value;
  }

  void read_laws() {
    const auto known = slip_laws();
    for (const std::string& name : comma_list(typed_.laws)) {
      if (std::find(known.begin(), known.end(), name) != known.end()) {
        laws.push_back(name);
        continue;
      }
      const auto meant = nearest(name, known);
      problems_.push_back(
          fmt::format("--law {}: has no static friction above the kinetic one, which stick-slip needs; {}", name,
                      meant ? "did you mean " + *meant + "?" : fmt::format("there are {}", fmt::join(known, ", "))));
    }
    for (const std::string& text : typed_.fix) {
      const std::size_t equals = text.rfind('=');
      const auto value = equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
      if (!value) problems_.push_back(fmt::format("--fix {}: must be NAME=VALUE, in SI units", text));
      else fixed.emplace_back(text.substr(0, equals), *value);
    }
    for (const std::string& law : laws)
      for (const std::string& line : problems_of_fixed(law, fixed)) problems_.push_back(fmt::format("--fix, {}: {}", law, line));
  }

  /// The motion is that of the pulled end.
  static constexpr const char* pulled_end = "velocity of the pulled end";
  std::vector<Channel> with_velocity(std::vector<Channel> map) {
    for (const Channel& c : map)
      if (c.what != "time" && c.what != "force")
        problems_.push_back(fmt::format("--map: {}: only time and force are of use with --spring", c.what));
    Channel& velocity = map.emplace_back();
    velocity.what = "velocity", velocity.column = pulled_end;
    return map;
  }

  void read_recorded(Recorded& recorded, const std::string& path, const std::vector<Channel>& map, std::optional<double> least) {
    auto table = read_table(path, problems_);
    if (!table) return;
    table->columns.push_back({{pulled_end, "m/s"}, std::vector<double>(table->rows(), answer_.pulled.speed)});
    Filter none;
    none.is_on = false;
    auto data = measured(path, *table, map, none, false, problems_);
    if (!data) return;
    recorded.name = fs::path(path).filename().string();
    recorded.t = std::move(data->samples.t), recorded.force = std::move(data->samples.force), recorded.notes = data->notes;
    if (answer_.least == 0) answer_.least = least ? *least : usual_least(recorded.force);
    recorded.tooth = saw_tooth(recorded.t, recorded.force, answer_.least);
    if (recorded.tooth.cycles < 3)
      problems_.push_back(
          fmt::format("{}: {} whole cycles with slips of more than {:.3g}: must be 3 at least; --slip counts smaller ones", path,
                      recorded.tooth.cycles, answer_.least));
  }

  const StickSlipCommand& typed_;
  Problems& problems_;
  Answer answer_;
};

// --- In words

std::string of_force(const Answer& answer, double force, int digits = 3) {
  return answer.pulled.load == 1 ? known_quantity(force, "N", digits) : fmt::format("{:.{}g}", force, digits);
}

std::string with_spread(const std::string& value, const std::string& deviation) { return value + " +- " + deviation; }

using Rows = std::vector<std::vector<std::string>>;

const std::vector<std::string> head{"", "period", "drop", "peak", "fall, 10 to 90 %"};

std::vector<std::string> measured_row(const Answer& answer, const SawTooth& tooth) {
  return {"measured", with_spread(known_quantity(tooth.period.mean, "s", 3), known_quantity(tooth.period.deviation, "s", 2)),
          with_spread(of_force(answer, tooth.drop.mean), of_force(answer, tooth.drop.deviation, 2)),
          with_spread(of_force(answer, tooth.peak.mean), of_force(answer, tooth.peak.deviation, 2)),
          fmt::format("{} ({} .. {})", known_quantity(tooth.fall, "s", 3), known_quantity(tooth.fastest, "s", 3),
                      known_quantity(tooth.slowest, "s", 3))};
}

std::vector<std::string> simulated_row(const Answer& answer, const std::string& law, const SawTooth& tooth) {
  if (tooth.cycles == 0) return {law, "no stick-slip", "", "", ""};
  return {law, known_quantity(tooth.period.mean, "s", 3), of_force(answer, tooth.drop.mean), of_force(answer, tooth.peak.mean),
          known_quantity(tooth.fall, "s", 3)};
}

constexpr double reading = 0.05;  // what slips can be read to, as a part

/// How far from the measured mean, in its deviations from slip to slip.
double off(double predicted, const Spread& measured) { return std::abs(predicted - measured.mean) / measured.deviation; }
bool agrees(double predicted, const Spread& measured) {
  return off(predicted, measured) <= 2 || std::abs(predicted / measured.mean - 1) <= reading;
}

bool explains(const Told& told, const SawTooth& measured) {
  return told.predicted.cycles > 0 && agrees(told.predicted.period.mean, measured.period) &&
         agrees(told.predicted.drop.mean, measured.drop);
}

std::string verdict(const Answer& answer) {
  const SawTooth& measured = answer.other->tooth;
  std::vector<std::string> good;
  double least = std::numeric_limits<double>::infinity();
  for (const Told& told : answer.laws) {
    if (explains(told, measured)) good.push_back(told.fit.law.law);
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

std::string ageing_text(const Answer& answer) {
  const SawTooth &own = answer.own.tooth, &other = answer.other->tooth;
  const auto slope = [&](const Ageing& a) {
    return with_spread(fmt::format("{:+.2g}", a.slope), fmt::format("{:.1g} per decade of rest", a.error));
  };
  std::string text = "static friction against time at rest (contacts that age: positive)\n";
  text += aligned({{"from slip to slip, " + answer.own.name, slope(ageing_within(own))},
                   {"from slip to slip, " + answer.other->name, slope(ageing_within(other))},
                   {fmt::format("between the springs, rest {} and {}, peak", known_quantity(own.rest.mean, "s", 3),
                                known_quantity(other.rest.mean, "s", 3)),
                    slope(ageing_between(own, other, false))},
                   {"    what it is above kinetic friction, drop/2", slope(ageing_between(own, other, true))}},
                  "<<");
  const Ageing above = ageing_between(own, other, true);
  if (std::abs(other.drop.mean / own.drop.mean - 1) <= reading) return text;
  if (above.slope < -2 * above.error)
    text += "Longer rest goes with less static friction: ageing, which adds to it, does not explain that.\n";
  else if (above.slope > 2 * above.error) text += "Longer rest goes with more static friction, as ageing has it.\n";
  return text;
}

std::string told(const Answer& answer) {
  const Pulled& p = answer.pulled;
  const SawTooth& own = answer.own.tooth;
  std::string text;
  for (const std::string& note : answer.own.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("{}: {} slips by more than {}, pulled at {} through {}\n", answer.own.name, own.cycles,
                      of_force(answer, answer.least, 2), known_quantity(p.speed, "m/s"), known_quantity(p.spring, "N/m"));
  const double rise = p.spring * p.speed / p.load;
  text += fmt::format(
      "while it sticks the force rises by {:.3g} per s; spring and pull say {:.3g}{}; mass {}{}\n", own.rise, rise,
      answer.load_is_read_off ? fmt::format(" with a load of {}, which is read off it", known_quantity(p.load, "N", 3)) : "",
      known_quantity(p.mass, "kg", 3), answer.mass_is_weight ? ", the weight of the load" : "");
  if (std::abs(own.rise / rise - 1) > 0.1) text += "warning: these differ by more than 10 %: check --spring, --pull and --load\n";
  text += "\nidentified\n";
  Rows found{{"law", "F_s", "F_c", "v_s"}};
  for (const Told& t : answer.laws) {
    const SlipLaw& law = t.fit.law;
    const std::string v_s = t.fit.v_s_is_given      ? known_quantity(law.v_s, "m/s", 3) + ", given"
                            : !t.fit.slips          ? ""
                            : t.fit.largest_v_s > 0 ? "below " + known_quantity(t.fit.largest_v_s, "m/s", 2)
                                                    : "not told";
    found.push_back(t.fit.slips ? std::vector<std::string>{law.law, of_force(answer, law.F_s), of_force(answer, law.F_c), v_s}
                                : std::vector<std::string>{law.law, "does not have these slips", "", v_s});
  }
  found.push_back({"from slip to slip", "+- " + of_force(answer, own.peak.deviation, 2),
                   "+- " + of_force(answer, own.middle.deviation, 2), ""});
  text += aligned(found, "<<<<") + fmt::format("\n{}, {}\n", answer.own.name, known_quantity(p.spring, "N/m"));
  Rows rows{head, measured_row(answer, own)};
  for (const Told& t : answer.laws) rows.push_back(simulated_row(answer, t.fit.law.law, t.fit.tooth));
  text += aligned(rows, "<<<<<");
  if (answer.predicted_spring == 0) return text;

  text += fmt::format("\npredicted for {}{}\n", known_quantity(answer.predicted_spring, "N/m"),
                      answer.other ? ", " + answer.other->name : "");
  rows = {head};
  if (answer.other)
    rows[0].insert(rows[0].end(), {"error of period", "of drop"}), rows.push_back(measured_row(answer, answer.other->tooth));
  for (const Told& t : answer.laws) {
    rows.push_back(simulated_row(answer, t.fit.law.law, t.predicted));
    if (answer.other && t.predicted.cycles > 0)
      rows.back().insert(rows.back().end(),
                         {fmt::format("{:+.0f} %", 100 * (t.predicted.period.mean / answer.other->tooth.period.mean - 1)),
                          fmt::format("{:+.0f} %", 100 * (t.predicted.drop.mean / answer.other->tooth.drop.mean - 1))});
  }
  for (auto& row : rows) row.resize(rows[0].size());
  text += aligned(rows, "<<<<<>>");
  if (answer.other) text += "\n" + ageing_text(answer) + "\n" + verdict(answer) + "\n";
  return text;
}

// --- For programs

using Facts = nlohmann::ordered_json;

Facts facts_of(const Spread& s) { return {{"mean", s.mean}, {"deviation", s.deviation}, {"error_of_mean", s.error}}; }

Facts facts_of(const SawTooth& tooth) {
  if (tooth.cycles == 0) return {{"cycles", 0}};
  return {{"cycles", tooth.cycles},           {"period_s", facts_of(tooth.period)},
          {"drop", facts_of(tooth.drop)},     {"peak", facts_of(tooth.peak)},
          {"middle", facts_of(tooth.middle)}, {"rest_s", facts_of(tooth.rest)},
          {"rise_per_s", tooth.rise},         {"fall_s", {{"median", tooth.fall}, {"quartiles", {tooth.fastest, tooth.slowest}}}}};
}

Facts facts_of(const Ageing& a) { return {{"slope_per_decade", a.slope}, {"error", a.error}}; }

std::string facts_text(const Answer& answer) {
  const Pulled& p = answer.pulled;
  Facts facts{{"data", answer.own.name},
              {"notes", answer.own.notes},
              {"spring", p.spring},
              {"pull", p.speed},
              {"mass", p.mass},
              {"load", p.load},
              {"least_slip", answer.least},
              {"measured", facts_of(answer.own.tooth)}};
  if (answer.predicted_spring > 0) facts["predicted_spring"] = answer.predicted_spring;
  if (answer.other) {
    facts["measured_there"] = facts_of(answer.other->tooth);
    facts["ageing"] = {{"peak", facts_of(ageing_between(answer.own.tooth, answer.other->tooth, false))},
                       {"above_kinetic", facts_of(ageing_between(answer.own.tooth, answer.other->tooth, true))}};
  }
  for (const Told& t : answer.laws) {
    Facts law{
        {"law", t.fit.law.law}, {"slips", t.fit.slips}, {"F_s", t.fit.law.F_s}, {"F_c", t.fit.law.F_c}, {"v_s", t.fit.law.v_s}};
    if (t.fit.largest_v_s > 0) law["v_s_below"] = t.fit.largest_v_s;
    law["simulated"] = facts_of(t.fit.tooth);
    if (answer.predicted_spring > 0) law["predicted"] = facts_of(t.predicted);
    if (answer.other) law["explains_both"] = explains(t, answer.other->tooth);
    facts["laws"].push_back(law);
  }
  return facts.dump(2, ' ', false, Facts::error_handler_t::replace) + "\n";
}

// --- In a picture

/// A part of the data from its first slip on, and the laws with their slips put there.
plot::Panel time_panel(const Answer& answer, const Recorded* recorded, const Pulled& pulled, double span) {
  plot::Panel panel;
  panel.title = fmt::format("spring of {}{}", known_quantity(pulled.spring, "N/m"), recorded ? "" : ": predicted");
  panel.x = {"time", "s"},
  panel.y = {answer.pulled.load == 1 ? "spring force" : "spring force over load", answer.pulled.load == 1 ? "N" : ""};
  const auto first_fall = [&](const std::vector<double>& t, const std::vector<double>& f) {
    double high = f.front();
    for (std::size_t i = 0; i < f.size(); ++i) {
      high = std::max(high, f[i]);
      if (f[i] < high - answer.least) return t[i];
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
  for (const Told& told : answer.laws) {
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
plot::Line strokes(const Recorded& recorded, const std::string& label, bool above_kinetic) {
  plot::Line line{.label = label, .width = 4};
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < recorded.tooth.rests.size(); ++i) {
    const double x = recorded.tooth.rests[i], y = above_kinetic ? recorded.tooth.drops[i] / 2 : recorded.tooth.peaks[i];
    line.x.insert(line.x.end(), {0.985 * x, 1.015 * x, none}), line.y.insert(line.y.end(), {y, y, none});
  }
  return line;
}

std::string picture(const Answer& answer) {
  plot::Figure figure;
  figure.title = "Stick-slip: measured and simulated";
  figure.subtitle = fmt::format("identified from {}", answer.own.name);
  const double own_span = 8 * answer.own.tooth.period.mean;
  figure.panels.push_back(time_panel(answer, &answer.own, answer.pulled, own_span));
  if (answer.predicted_spring > 0) {
    const double span =
        answer.other ? 8 * answer.other->tooth.period.mean : own_span * answer.pulled.spring / answer.predicted_spring;
    figure.panels.push_back(time_panel(answer, answer.other ? &*answer.other : nullptr, answer.at_other_spring(), span));
  }
  if (answer.other)
    for (const bool above_kinetic : {false, true}) {
      plot::Panel panel;
      panel.title = above_kinetic ? "static above kinetic friction, drop/2" : "static friction, peak";
      panel.x = {"time at rest before the slip", "s", {}, true};
      panel.y = {above_kinetic ? "drop/2" : "peak", answer.pulled.load == 1 ? "N" : ""};
      panel.lines = {strokes(answer.own, known_quantity(answer.pulled.spring, "N/m"), above_kinetic),
                     strokes(*answer.other, known_quantity(answer.predicted_spring, "N/m"), above_kinetic)};
      figure.panels.push_back(std::move(panel));
    }
  return plot::to_svg(figure);
}

std::optional<std::string> write_folder(const fs::path& folder, const Answer& answer) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const Told& t : answer.laws)
    if (t.fit.slips)
      files.emplace_back(t.fit.law.law + ".toml", pulled_scene(t.fit.law, answer.pulled, 10 * t.fit.tooth.period.mean));
  files.emplace_back("stick_slip.json", facts_text(answer));
  files.emplace_back("stick_slip.svg", picture(answer));
  return files::OwnFiles(folder).write(files);
}

}  // namespace

int run_stick_slip(const StickSlipCommand& typed) {
  Problems problems;
  Reader reader(typed, problems);
  auto answer = reader.read();
  if (!typed.folder.empty()) {
    std::vector<std::string> names{"stick_slip.json", "stick_slip.svg"};
    for (const std::string& law : reader.laws) names.push_back(law + ".toml");
    for (std::string& problem : files::OwnFiles(typed.folder).objections(names)) problems.push_back(std::move(problem));
  }
  if (!answer || !problems.empty()) {
    report("identify", problems);
    return bad_input;
  }
  for (const std::string& law : reader.laws) {
    Told t{fit_slips(law, answer->pulled, answer->own.tooth, answer->least, reader.fixed), {}};
    if (answer->predicted_spring > 0) t.predicted = simulated_tooth(t.fit.law, answer->at_other_spring(), answer->least);
    answer->laws.push_back(std::move(t));
  }
  if (std::none_of(answer->laws.begin(), answer->laws.end(), [](const Told& t) { return t.fit.slips; })) {
    report("identify", {"none of the laws sticks and slips as the data do: check --mass, --spring, --pull and --fix"});
    return bad_input;
  }
  if (!typed.folder.empty())
    if (auto problem = write_folder(typed.folder, *answer)) {
      report("identify", {*problem});
      return run_failed;
    }
  const std::string opened =
      typed.folder.empty() ? "" : fmt::format("Open {}\n", (fs::path(typed.folder) / "stick_slip.svg").string());
  return print("identify", typed.json ? facts_text(*answer) : told(*answer) + opened) ? fine : run_failed;
}

}  // namespace asperity::cli
