#include "asperity/identify/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "asperity/friction/threshold.hpp"
#include "asperity/identify/motion.hpp"
#include "asperity/identify/names.hpp"
#include "asperity/utf8.hpp"
#include "files/own_files.hpp"
#include "wording.hpp"

namespace asperity::identify {
namespace {

namespace fs = std::filesystem;

constexpr double forever = std::numeric_limits<double>::infinity();

std::string said_of_one_way(const std::string& when) {
  return fmt::format(
      "the motion has only one direction in {}: constant friction cannot be distinguished from an offset of the force", when);
}

std::string text_of(const std::optional<Window>& window) {
  if (!window) return "";
  return window->text.empty() ? fmt::format("{:g}:{:g}", window->from, window->to) : window->text;
}

constexpr const char* baseline = "coulomb";

/// The names that `all` and the baseline stand for.
std::vector<std::string> spelled_out(const std::vector<std::string>& laws) {
  if (laws != std::vector<std::string>{"all"}) return laws;
  auto names = model_names();
  names.emplace_back(baseline);
  return names;
}

/// The laws asked for, with settings that name their own coordinates.
std::vector<Translated> laws_of(const Request& request, std::vector<std::string>& problems) {
  const std::string& dash = request.dash;
  const auto known = law_choices();
  std::vector<std::unique_ptr<Model>> models;
  std::vector<std::string> asked;
  for (const std::string& name : spelled_out(request.laws)) {
    auto model = make_model(name == baseline ? std::string(Threshold<>::about.name) : name);
    if (!model) {
      const auto meant = nearest(name, known);
      problems.push_back(fmt::format("{}law: no law \"{}\" can be identified; {}", dash, name,
                                     meant ? "did you mean " + *meant + "?" : fmt::format("there are {}", fmt::join(known, ", "))));
    } else if (std::find(asked.begin(), asked.end(), name) != asked.end()) {
      problems.push_back(fmt::format("{}law: {} is given twice", dash, name));
    } else {
      models.push_back(std::move(model));
      asked.push_back(name);
    }
  }
  if (request.laws.empty()) problems.push_back(fmt::format("{}law: which? there are {}", dash, fmt::join(known, ", ")));

  // A name must belong to one of the laws at least, and may be said once; it is set where it belongs.
  const FitSettings& settings = request.settings;
  if (!(settings.elements >= 1 && settings.elements <= 50))
    problems.push_back(fmt::format("{}elements {}: must be a whole number between 1 and 50", dash, settings.elements));
  if (settings.mass && !(*settings.mass >= 0 && std::isfinite(*settings.mass)))
    problems.push_back(fmt::format("{}mass {:g}: must be >= 0, or free", dash, *settings.mass));
  std::vector<std::string> names, said;
  for (const auto& model : models)
    for (std::string& name : names_of(*model, std::clamp(settings.elements, 1, 50)))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  if (settings.mass != 0.0) said.emplace_back("M");
  if (settings.viscous) said.emplace_back("Fv");
  if (settings.offset) said.emplace_back("offset");
  const auto check = [&](const char* option, const std::string& name) {
    if (std::find(said.begin(), said.end(), name) != said.end())
      problems.push_back(fmt::format("{}{} {}: is given twice", dash, option, name));
    said.push_back(name);
    if (models.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    const auto meant = nearest(name, names);
    problems.push_back(
        fmt::format("{}{} {}: {}", dash, option, name,
                    meant ? "did you mean " + *meant + "?" : fmt::format("the laws have {}", fmt::join(names, ", "))));
  };
  for (const auto& [name, value] : settings.fixed) check("fix", name);
  for (const Bound& bound : settings.bounds) {
    if (!(bound.low > 0 && bound.high > bound.low && std::isfinite(bound.high)))
      problems.push_back(fmt::format("{}bound {}={:g}:{:g}: must be NAME=LOW:HIGH with 0 < LOW < HIGH, in SI units", dash,
                                     bound.name, bound.low, bound.high));
    check("bound", bound.name);
  }
  std::vector<Translated> laws;
  for (std::size_t i = 0; i < models.size(); ++i) {
    laws.push_back(translated(std::move(models[i]), settings, problems));
    laws.back().name = asked[i];
  }
  return laws;
}

/// Noise around standing still is no reversal.
bool never_reverses(const Samples& s, const Rows& chosen) {
  double there = 0, back = 0;
  for (const std::size_t k : chosen) (s.velocity[k] > 0 ? there : back) += std::abs(s.velocity[k]) * s.step[k];
  return std::min(there, back) < 1e-3 * std::max(there, back);
}

std::string span(const Samples& s, const Rows& chosen) {
  return chosen.empty() ? "nothing" : fmt::format("{:.6g} .. {:.6g} s", s.t[chosen.front()], s.t[chosen.back()]);
}

/// Which rows are fitted, which are judged, and what that says about them.
struct Split {
  double seen = 0;  // part of the judged rows that is fitted, too
  std::string fitted, judged;
  bool is_one_way = false;  // the motion never reverses where it is fitted
};

/// Windows that touch share a row, which is fitted. Others may overlap, to fit all that there is; but that is said.
void mark_seen(Outcome& outcome, Split& split, bool is_apart) {
  Rows shared, rest;
  const Rows &rows = outcome.fitted, &judged = outcome.judged;
  std::set_intersection(rows.begin(), rows.end(), judged.begin(), judged.end(), std::back_inserter(shared));
  std::set_difference(judged.begin(), judged.end(), rows.begin(), rows.end(), std::back_inserter(rest));
  if (is_apart) outcome.judged = std::move(rest);
  else if (!shared.empty()) split.seen = static_cast<double>(shared.size()) / static_cast<double>(judged.size());
}

/// Where files begin: joined() leaves a long gap before each but the first. Nothing, if there are other gaps as long.
std::vector<std::size_t> begins_of_files(const Request& request, const Samples& s) {
  std::vector<std::size_t> begins{0};
  for (std::size_t k = 2; k < s.size(); ++k)
    if (s.step[k] > 500 * s.step[1]) begins.push_back(k);
  begins.push_back(s.size());
  return begins.size() == request.data.files.size() + 2 ? begins : std::vector<std::size_t>{};
}

/// The first two thirds of each file, or the rest.
void split_files(const std::vector<std::size_t>& begins, const Rows& all, Rows& fitted, Rows& judged) {
  fitted.clear(), judged.clear();
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    Rows own;
    for (const std::size_t k : all)
      if (k >= begins[i] && k < begins[i + 1]) own.push_back(k);
    for (std::size_t n = 0; n < own.size(); ++n) (3 * n < 2 * own.size() ? fitted : judged).push_back(own[n]);
  }
}

/// Without windows the first two thirds are fitted and the last third is unseen; with one, the rest is the other.
Split choose_rows(const Request& request, Outcome& outcome) {
  Split split;
  std::vector<std::string>& problems = outcome.problems;
  const Samples& s = outcome.data.samples;
  const std::string& name = request.data.name;
  const auto &train = request.train, &test = request.test;
  const Rows all = rows_between(s, -forever, forever);
  if (all.empty()) {
    problems.push_back(fmt::format("{}: no row is left once the ends are cut off", name));
    return split;
  }
  const auto without = [&](const Window& w) {
    Rows rest;
    for (const std::size_t k : all)
      if (s.t[k] < w.from || s.t[k] > w.to) rest.push_back(k);
    return rest;
  };
  const double cut = s.t[all[2 * all.size() / 3]];
  const Samples* const other = outcome.other ? &outcome.other->samples : nullptr;
  outcome.fitted = train   ? rows_between(s, train->from, train->to)
                   : test  ? without(*test)
                   : other ? all
                           : rows_between(s, -forever, cut);
  outcome.judged = other   ? rows_between(*other, -forever, forever)
                   : test  ? rows_between(s, test->from, test->to)
                   : train ? without(*train)
                           : rows_between(s, std::nextafter(cut, forever), forever);
  const auto begins = begins_of_files(request, s);
  const bool is_by_file = !request.data.files.empty() && !begins.empty() && !train && !test && !other;
  if (is_by_file) split_files(begins, all, outcome.fitted, outcome.judged);
  const bool is_apart = train && test && (train->to <= test->from || test->to <= train->from);
  // A copy under another name is not unseen either.
  if (!other || (s.t == other->t && s.force == other->force)) mark_seen(outcome, split, is_apart);
  split.fitted = span(s, outcome.fitted);
  split.judged = other ? request.validate->name : span(s, outcome.judged);
  if (is_by_file) split.fitted = "the first two thirds of each file", split.judged = "the rest of each file";
  if (outcome.fitted.size() < 20)
    problems.push_back(fmt::format("{}train {}: {} samples: must be 20 at least; the data are {}", request.dash, text_of(train),
                                   outcome.fitted.size(), span(s, all)));
  if (outcome.judged.empty())
    problems.push_back(fmt::format("{}test {}: no samples; the data are {}", request.dash, text_of(test), span(s, all)));
  if (!problems.empty()) return split;
  const Scales scales = scales_of(s, outcome.fitted);
  split.is_one_way = never_reverses(s, outcome.fitted);
  if (!(scales.velocity > 0) || !(scales.travel > 0))
    problems.push_back(fmt::format("{}: nothing moves in {}: friction cannot be identified", name, split.fitted));
  else if (split.is_one_way && !(scales.force > 0)) problems.push_back(fmt::format("{}: {}", name, said_of_one_way(split.fitted)));
  else if (!(scales.force > 0))
    problems.push_back(fmt::format("{}: the {}{} does not change in {}: nothing can be identified", name,
                                   outcome.data.is_rotary ? "torque" : "force", outcome.data.has_load ? " over the load" : "",
                                   split.fitted));
  return split;
}

void set_scale(Study& study, const Samples& samples, const Rows& rows) {
  double low = forever, high = -forever;
  study.load = 0;
  for (const std::size_t k : rows) {
    low = std::min(low, samples.force[k]), high = std::max(high, samples.force[k]);
    study.load += samples.load[k] / static_cast<double>(rows.size());
  }
  study.range = high - low;
}

std::vector<std::string> unidentified(const Study& study, bool is_one_way) {
  if (is_one_way) return {said_of_one_way(study.fitted) + "; not identifiable"};
  std::vector<std::string> lines;
  for (const Judged& j : study.laws)
    lines.push_back(fmt::format("{}: not identifiable in {}: {}", j.law, study.fitted, why_not(study, j)));
  for (const std::string& note : study.notes) lines.push_back("note: " + note);
  return lines;
}

/// The baseline is a sign, but for the noise of standing still.
void settle_baseline(Translated& law, double velocity) {
  if (law.name != baseline) return;
  law.settings.viscous = true;
  law.settings.fixed.emplace_back("V", 3e-3 * velocity);
}

/// The laws one after another, until a hook says stop.
void judge_all(const Request& request, std::vector<Translated>& laws, Outcome& outcome) {
  Ticker ticker;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const auto& model = laws[i].model;
    FitSettings& settings = laws[i].settings;
    const std::string& name = laws[i].name;
    settle_baseline(laws[i], scales_of(outcome.data.samples, outcome.fitted).velocity);
    const auto tell = [&] {
      if (request.hooks.progress) request.hooks.progress({double(i), double(laws.size()), ticker.seconds(), name});
    };
    tell();
    settings.stop = [&] {
      if (ticker.tick()) tell();
      return request.hooks.stopped();
    };
    try {
      outcome.study->laws.push_back(judge(*model, outcome.data.samples, outcome.fitted, outcome.unseen(), settings));
      outcome.study->laws.back().law = name;
    } catch (const Stopped&) {
      outcome.stopped = true;
      return;
    }
  }
}

/// Terms by which the later files differ from the first.
std::vector<std::string> separate_terms(const Request& request, std::vector<std::string>& problems) {
  std::vector<std::string> terms;
  for (const std::string& what : request.separate) {
    const char* factor = what == "offset" ? "" : what == "viscous" ? "*v" : what == "mass" ? "*a" : nullptr;
    if (!factor) problems.push_back(fmt::format("{}separate {}: must be mass, viscous or offset", request.dash, what));
    else if (request.data.files.empty()) problems.push_back(fmt::format("{}separate {}: needs several files", request.dash, what));
    else if ((what == "offset" && !request.settings.offset) || (what == "viscous" && !request.settings.viscous) ||
             (what == "mass" && request.settings.mass))
      problems.push_back(fmt::format("{0}separate {1}: needs {0}{1} free", request.dash, what));
    else
      for (std::size_t i = 0; i < request.data.files.size(); ++i) terms.push_back(fmt::format("file_{}{}", i + 2, factor));
  }
  return terms;
}

/// Effects beside the recommended law, the one that lowers the error on unseen data most first, as long as it does by more than a
/// hundredth.
class EffectTrial {
 public:
  EffectTrial(const Request& request, std::vector<Translated>& laws, const std::vector<Effect>& effects, Outcome& outcome,
              std::vector<Term> terms, std::vector<Term> other_terms)
      : effects_(effects), outcome_(outcome), terms_(std::move(terms)), other_terms_(std::move(other_terms)) {
    const std::string name = recommended(outcome.study->laws).law;
    law_ = &*std::find_if(laws.begin(), laws.end(), [&](const Translated& one) { return one.name == name; });
    law_->settings.stop = [&request] { return request.hooks.stopped(); };
  }

  void run() {
    Study& study = *outcome_.study;
    study.effects_on = law_->name;
    std::vector<char> is_done(effects_.size(), false);
    double now = unseen_rms();
    for (std::size_t round = 0; round < effects_.size(); ++round) {
      std::vector<TriedEffect> tried;
      std::vector<std::size_t> which;
      for (std::size_t i = 0; i < effects_.size(); ++i)
        if (!is_done[i]) tried.push_back(best_choice(effects_[i], now)), which.push_back(i);
      const auto best = std::min_element(tried.begin(), tried.end(),
                                         [](const TriedEffect& a, const TriedEffect& b) { return a.unseen_rms < b.unseen_rms; });
      if (!(best->unseen_rms < 0.99 * now)) {
        study.effects.insert(study.effects.end(), tried.begin(), tried.end());
        break;
      }
      best->is_taken = true;
      now = best->unseen_rms;
      taken_.insert(taken_.end(), best->terms.begin(), best->terms.end());
      is_done[which[std::size_t(best - tried.begin())]] = true;
      study.effects.push_back(*best);
    }
    use(taken_);
    if (taken_.empty()) return;
    Judged& old = *std::find_if(study.laws.begin(), study.laws.end(), [&](const Judged& j) { return j.law == law_->name; });
    old = judge(*law_->model, outcome_.data.samples, outcome_.fitted, outcome_.unseen(), law_->settings);
    old.law = law_->name;
  }

 private:
  TriedEffect best_choice(const Effect& effect, double before) {
    TriedEffect best{effect.name, {}, before, std::numeric_limits<double>::infinity(), false};
    for (const auto& choice : effect.choices) {
      auto terms = taken_;
      terms.insert(terms.end(), choice.begin(), choice.end());
      use(terms);
      if (const double rms = unseen_rms(); rms < best.unseen_rms) best.unseen_rms = rms, best.terms = choice;
    }
    use(taken_);
    return best;
  }

  double unseen_rms() const {
    const Unseen unseen = outcome_.unseen();
    const Fit found = fit(*law_->model, outcome_.data.samples, outcome_.fitted, law_->settings);
    return rms_residual(*unseen.samples, predicted_force(*law_->model, found, *unseen.samples, unseen.samples->size()),
                        unseen.rows);
  }

  /// Behind the terms of the user.
  void use(const std::vector<std::string>& names) {
    const auto put = [&](Samples& samples, const std::vector<Term>& all) {
      samples.terms.resize(samples.terms.size() - in_use_);
      for (const std::string& name : names)
        samples.terms.push_back(*std::find_if(all.begin(), all.end(), [&](const Term& term) { return term.name == name; }));
    };
    put(outcome_.data.samples, terms_);
    if (outcome_.other) put(outcome_.other->samples, other_terms_);
    in_use_ = names.size();
  }

  const std::vector<Effect>& effects_;
  Outcome& outcome_;
  std::vector<Term> terms_, other_terms_;
  Translated* law_ = nullptr;
  std::vector<std::string> taken_;
  std::size_t in_use_ = 0;
};

}  // namespace

std::vector<std::string> law_choices() {
  auto names = model_names();
  names.emplace_back(baseline);
  names.emplace_back("all");
  return names;
}

std::vector<Translated> translated_laws(const Request& request, double velocity, std::vector<std::string>& problems) {
  auto laws = laws_of(request, problems);
  for (Translated& law : laws) settle_baseline(law, velocity);
  return laws;
}

std::vector<std::string> problems_of(const Request& request) {
  std::vector<std::string> problems;
  laws_of(request, problems);
  return problems;
}

Outcome run(const Request& request) {
  Outcome outcome;
  std::vector<std::string>& problems = outcome.problems;
  std::vector<Translated> laws = laws_of(request, problems);
  if (request.test && request.validate)
    problems.push_back(fmt::format("{0}test and {0}validate: must be one of them", request.dash));
  if (!problems.empty()) return outcome;
  const bool robust = request.settings.robust;
  DataOptions options = request.options;
  for (std::string& term : separate_terms(request, problems)) options.with.push_back(std::move(term));
  const std::size_t own_terms = options.with.size();
  std::vector<Effect> effects;
  for (const std::string& text : request.effects)
    if (auto effect = read_effect(text, request.data.table, request.dash, problems)) {
      for (const auto& choice : effect->choices)
        for (const std::string& term : choice)
          if (std::find(options.with.begin(), options.with.end(), term) == options.with.end()) options.with.push_back(term);
      effects.push_back(std::move(*effect));
    }
  if (!problems.empty()) return outcome;
  const auto read = [&](const Source& source) {
    return measured(source.name, source.table, request.map, request.filter, robust, problems, options);
  };
  if (auto data = read(request.data)) outcome.data = std::move(*data);
  if (request.validate) outcome.other = read(*request.validate);
  if (!problems.empty()) return outcome;
  const std::vector<Term> all_terms = outcome.data.samples.terms;
  const std::vector<Term> other_terms = outcome.other ? outcome.other->samples.terms : std::vector<Term>{};
  outcome.data.samples.terms.resize(own_terms);
  if (outcome.other) outcome.other->samples.terms.resize(own_terms);
  const Split split = choose_rows(request, outcome);
  if (!problems.empty()) return outcome;

  const Samples& samples = outcome.data.samples;
  Study& study = outcome.study.emplace();
  study.data = one_line(fs::path(request.data.name).filename().string());
  study.fitted = split.fitted, study.judged = one_line(split.judged);
  study.notes = outcome.data.notes;
  for (const Source* source : {request.validate ? &*request.validate : nullptr, &request.data})
    if (source && !source->understood.empty()) study.notes.insert(study.notes.begin(), source->understood);
  for (const std::string& file : request.data.files) study.data += ", " + one_line(fs::path(file).filename().string());
  study.is_rotary = outcome.data.is_rotary, study.has_load = outcome.data.has_load, study.is_robust = robust;
  study.step = samples.step[1];
  study.seen = split.seen;
  if (split.is_one_way) study.notes.push_back(said_of_one_way(study.fitted));
  outcome.fitted = thinned(samples, outcome.fitted);
  judge_all(request, laws, outcome);
  if (study.laws.empty()) {
    outcome.study.reset();
    problems.emplace_back("stopped before the first law was fitted");
    return outcome;
  }
  if (robust) {
    Unseen unseen = outcome.unseen();
    for (std::string& note : leave_out_spikes(study.laws, samples, outcome.fitted, unseen)) study.notes.push_back(std::move(note));
    outcome.judged = std::move(unseen.rows);
  }
  rank(study.laws);
  if (!effects.empty() && !outcome.stopped) {
    try {
      EffectTrial(request, laws, effects, outcome, all_terms, other_terms).run();
      rank(study.laws);
    } catch (const Stopped&) {
      outcome.stopped = true;
    }
  }
  set_scale(study, samples, outcome.fitted);
  if (std::none_of(study.laws.begin(), study.laws.end(), [](const Judged& j) { return j.is_identified(); }))
    problems = unidentified(study, split.is_one_way);
  if (outcome.stopped) study.notes.push_back(fmt::format("stopped: {} of {} laws were fitted", study.laws.size(), laws.size()));
  return outcome;
}

std::unique_ptr<AnyLaw> law_of(const Judged& judged) {
  auto law = make_law(judged.catalogue);
  for (const Parameter& p : judged.fit.parameters)
    if (p.is_list && law->has_elements()) law->set_elements(static_cast<int>(p.values.size()));
  for (const Parameter& p : judged.fit.parameters) law->set(p.name, p.values);
  return law;
}

// --- told ------------------------------------------------------------------------------------------------------------------------

namespace {

std::string quantity_of(const Study& study, const Finding& f) { return known_quantity(f.value, unit_in(study, f.name, f.unit), 5); }

}  // namespace

std::string study_text(const Study& study) {
  std::string text;
  for (const std::string& note : study.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("fitted on {}, judged on {}\n\nlaws by their error on {}\n", study.fitted, study.judged, kind_of_data(study));
  const bool simulated = std::any_of(study.laws.begin(), study.laws.end(), [](const Judged& j) { return j.fit.mass > 0; });
  const char* judged = study.seen == 0 ? "unseen rms" : "judged rms";
  std::vector<std::vector<std::string>> table{
      {"law", judged, "of range", "fitted rms", "of range", "parameters", "states", "a sample"}};
  if (simulated) table[0].emplace_back("simulated position");
  const auto part = [&](double rms) { return fmt::format("{:.2f} %", 100 * rms / study.range); };
  for (const Judged& j : study.laws) {
    table.push_back({j.law, known_quantity(j.unseen_rms, force_unit(study)), part(j.unseen_rms),
                     known_quantity(j.rms, force_unit(study)), part(j.rms), std::to_string(j.uncertainty.parameters),
                     std::to_string(j.states), fmt::format("{:.0f} ns", j.nanoseconds)});
    if (simulated) table.back().push_back(known_quantity(j.position_rms, length_unit(study)));
  }
  text += aligned(table, simulated ? "<>>>>>>>>" : "<>>>>>>>") + "\n";
  if (!study.effects.empty()) {
    text += fmt::format("effects beside {}, by the error on {}\n", study.effects_on, kind_of_data(study));
    std::vector<std::vector<std::string>> rows;
    for (const TriedEffect& e : study.effects)
      rows.push_back({e.name, fmt::format("{}", fmt::join(e.terms, ", ")), known_quantity(e.before, force_unit(study)), "->",
                      known_quantity(e.unseen_rms, force_unit(study)), e.is_taken ? "taken" : "not taken"});
    text += aligned(rows, "<<>>><") + "\n";
  }
  for (const Judged& j : study.laws) {
    text += j.is_identified() ? j.law + "\n" : fmt::format("{}: not identified, {}\n", j.law, why_not(study, j));
    std::vector<std::vector<std::string>> rows;
    for (const Finding& f : j.uncertainty.findings) {
      const std::string unit = unit_in(study, f.name, f.unit);
      rows.push_back({f.name, quantity_of(study, f), f.remark.empty() ? "+- " + known_quantity(f.error, unit, 2) : f.remark,
                      f.remark.empty() && std::isfinite(f.error)
                          ? fmt::format("95 %: {} .. {}", known_quantity(f.low, unit, 4), known_quantity(f.high, unit, 4))
                          : ""});
    }
    text += aligned(rows, "<><<");
    if (const Uncertainty& u = j.uncertainty; j.fit.mass > 0 && u.noisy_acceleration > 1e-3)
      text += fmt::format(
          "  noise is {:.2g} % of the acceleration and {:.2g} % of the velocity (variances, where forces are compared); "
          "what it takes off the numbers is put back\n",
          100 * u.noisy_acceleration, 100 * u.noisy_velocity);
    for (const std::string& line : doubts(study, j)) text += fmt::format("  not identifiable: {}\n", line);
    if (!j.fit.converged) text += "  warning: the fit was still improving when its steps were used up\n";
    if (!j.uncertainty.is_white)
      text +=
          fmt::format("  warning: residuals are not white (neighbours correlate by {:.3f}); errors count {:.3g} samples as one\n",
                      j.uncertainty.correlation, j.uncertainty.runs);
    text += "\n";
  }
  return text + advice(study) + "\n";
}

std::vector<std::string> folder_objections(const std::string& folder, const std::vector<std::string>& laws) {
  std::vector<std::string> names{"identify.json", "report.html"};
  for (const std::string& law : spelled_out(laws)) names.push_back(law + ".toml");
  return files::OwnFiles(folder).objections(names);
}

std::optional<std::string> write_folder(const std::string& folder, const Outcome& outcome) {
  const Study& study = *outcome.study;
  std::vector<std::pair<std::string, std::string>> texts;
  for (const Judged& j : study.laws) texts.emplace_back(j.law + ".toml", study_scene(study, j));
  texts.emplace_back("identify.json", study_facts(study));
  texts.emplace_back("report.html", study_page(study, outcome.unseen()));
  return files::OwnFiles(folder).write(texts);
}

}  // namespace asperity::identify
