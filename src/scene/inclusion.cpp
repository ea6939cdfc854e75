#include "inclusion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "asperity/inclusion/world.hpp"
#include "asperity/quantity_text.hpp"

namespace asperity::scene {
namespace {

class InclusionTable {
 public:
  InclusionTable(Reading& reading, const Value& table, Scene& scene, Value& out)
      : reading_(reading), table_(table), scene_(scene), out_(out) {}

  void read() {
    Fields fields(reading_, &table_, inclusion_keys, "inclusion", table_.origin, out_);
    fields.only_known();
    const std::size_t before = reading_.problems.count();
    if (scene_.run.step > 0) text_.step = scene_.run.step;  // else it has been said to be wrong
    text_.preload = scene_.run.preload;
    for (const std::string& name : reading_.all_names) {
      const auto found = reading_.names.find(name);
      text_.let.emplace_back(name, found != reading_.names.end() ? found->second : 1);  // else it has been said to be wrong
    }
    if (const Value* states = part("state", true))
      for (const auto& [name, value] : states->entries)
        text_.state.emplace_back(name, reading_.number(value, "inclusion.state." + name, "", Range{}).value_or(0));
    if (const Value* rates = part("rate", true))
      for (const auto& [name, value] : rates->entries) {
        if (value.is(Value::Type::text)) text_.rate.emplace_back(name, value.text);
        else if (value.is(Value::Type::number)) text_.rate.emplace_back(name, asperity::to_text(value.number));
        else wrong(value, "rate." + name, "must be a formula");
      }
    const bool readable = reading_.problems.count() == before;
    if (const Value* terms = part("regularise", false))
      for (const auto& [name, value] : terms->entries) {
        if (!value.is(Value::Type::table)) {
          wrong(value, "regularise." + name, "must be a table, { K = ..., beta = ... }");
          continue;
        }
        std::vector<std::string> chosen;
        const Relaxation by = relaxation(value, "inclusion.regularise." + name, chosen);
        if (name == "default") {
          text_.usual = by;
        } else {
          text_.regularise.emplace_back(name, by);
          chosen_.push_back(std::move(chosen));
        }
      }
    if (!readable) return;

    std::vector<InclusionProblem> problems;
    const auto model = TextInclusion::read(text_, problems);
    for (const InclusionProblem& problem : problems) report(problem);
    if (!model) return;
    scene_.inclusion = model;
    scene_.world = make_world(model);
    if (InclusionText finer = text_; leave_out_what_was_chosen(*model, finer)) {
      finer.step /= 2;
      scene_.finer = TextInclusion::read(finer, problems);
      scene_.finer_world = std::make_unique<World>(make_world(scene_.finer));
      scene_.run.finer.world = scene_.finer_world.get();
      scene_.run.finer.remedy =
          fmt::format("its terms are relaxed as suits a step of {}; use a shorter step{}, or give K in [inclusion.regularise]",
                      quantity_text(text_.step, "s"), is_adaptive(scene_.run.method) ? " and a smaller rtol" : "");
    }
    write(*model);
  }

 private:
  const Value* part(const char* name, bool required) {
    const Value* value = table_.find(name);
    if (value && value->is(Value::Type::table)) return value;
    if (value) wrong(*value, name, "must be a table");
    else if (required)
      reading_.problems.add(table_.origin, fmt::format("inclusion: {} is missing: {}", name, inclusion_keys.at(name).meaning));
    return nullptr;
  }
  void wrong(const Value& value, const std::string& place, const std::string& text) {
    reading_.problems.add(value.origin, fmt::format("inclusion.{} = {}: {}", place, shown(value), text));
  }

  Relaxation relaxation(const Value& value, const std::string& place, std::vector<std::string>& chosen) {
    Value ignored;
    const std::size_t parameters = reading_.parameters.size();
    Fields fields(reading_, &value, relaxation_keys, place, value.origin, ignored);
    fields.only_known();
    Relaxation by;
    by.K = fields.number("K");
    by.beta = fields.number("beta");
    by.alpha = fields.number("alpha");
    by.nonnegative = fields.flag("nonnegative");
    by.name = fields.text("name").value_or("");
    chosen = fields.texts("chosen").value_or(std::vector<std::string>());
    reading_.parameters.resize(parameters);  // they are listed with the terms
    return by;
  }

  /// The scene of a run has every parameter; which of them had been left out it says. Whether there are any.
  bool leave_out_what_was_chosen(const TextInclusion& model, InclusionText& text) const {
    bool any = false;
    for (const auto& term : model.dios()) any = any || !term.chosen.empty();
    for (const auto& term : model.sgns()) any = any || !term.chosen.empty();
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      Relaxation& by = text.regularise[i].second;
      for (const auto& [name, parameter] : {std::pair("K", &by.K), std::pair("beta", &by.beta), std::pair("alpha", &by.alpha)})
        if (std::find(chosen_[i].begin(), chosen_[i].end(), name) != chosen_[i].end()) any = true, parameter->reset();
    }
    return any;
  }

  /// With the line where it stands.
  void report(const InclusionProblem& problem) {
    const std::size_t dot = problem.place.find('.');
    const Value* at = table_.find(problem.place.substr(0, dot));
    const Value* exact = at && dot != std::string::npos ? at->find(problem.place.substr(dot + 1)) : nullptr;
    const FormulaProblem why{problem.position, problem.text};
    if (exact && exact->is(Value::Type::text)) return wrong(*exact, problem.place, asperity::to_text(why));
    reading_.problems.add(exact ? exact->origin : at ? at->origin : table_.origin, "inclusion." + asperity::to_text(problem));
  }

  /// What the step decided on, in this reading or before the scene of a run was written.
  void say_chosen(Value& entry, const std::string& text, std::vector<std::string> names) const {
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (text_.regularise[i].first == text) names.insert(names.end(), chosen_[i].begin(), chosen_[i].end());
    if (!names.empty()) entry.set("chosen", Value(names));
  }

  /// As it was understood: every number, and every parameter of every term.
  void write(const TextInclusion& model) {
    Value let, state, rate, terms;
    const auto note = [&](const std::string& component, const char* name, double value) {
      const Key& key = relaxation_keys.at(name);
      reading_.parameters.push_back({component, name, asperity::to_text(value), std::string(key.unit), std::string(key.meaning)});
    };
    for (const auto& [name, value] : text_.let) {
      let.set(name, Value(value));
      reading_.parameters.push_back({"let", name, asperity::to_text(value), "", ""});
    }
    for (const auto& [name, value] : text_.state) state.set(name, Value(value));
    for (const auto& [name, formula] : text_.rate) rate.set(name, Value(formula));
    const auto term = [&](const std::string& name, const std::string& text, const About& about, double K, double beta) -> Value& {
      scene_.elements.push_back(
          {name, std::string(about.name), about.kind == Kind::contact ? "contact" : "friction", {}, {}, 0, {}, {}});
      Value& entry = terms.set(text, Value());
      entry.set("K", Value(K));
      entry.set("beta", Value(beta));
      note(name, "K", K);
      note(name, "beta", beta);
      return entry;
    };
    for (const auto& one : model.dios()) {
      Value& entry = term(one.name, one.text, LinearCompliance<>::about, one.by.K, one.by.beta);
      entry.set("alpha", Value(one.by.alpha));
      entry.set("name", Value(one.name));
      say_chosen(entry, one.text, one.chosen);
      note(one.name, "alpha", one.by.alpha);
    }
    for (const auto& one : model.sgns()) {
      Value& entry = term(one.name, one.key(), SingleState<>::about, one.by.K, one.by.beta);
      entry.set("name", Value(one.name));
      say_chosen(entry, one.key(), one.chosen);
      if (one.asserted) entry.set("nonnegative", Value(true));
    }
    for (auto& [name, value] :
         {std::pair<const char*, Value&>("let", let), {"state", state}, {"rate", rate}, {"regularise", terms}})
      if (!value.entries.empty()) out_.set(name, value);
  }

  Reading& reading_;
  const Value& table_;
  Scene& scene_;
  Value& out_;
  InclusionText text_;
  std::vector<std::vector<std::string>> chosen_;  // of each of text_.regularise
};

}  // namespace

void read_inclusion(Reading& reading, const Value& table, Scene& scene, Value& out) {
  InclusionTable(reading, table, scene, out).read();
}

}  // namespace asperity::scene
