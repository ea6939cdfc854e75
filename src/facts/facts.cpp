#include "asperity/facts/facts.hpp"

#include <algorithm>
#include <unordered_map>

namespace asperity {
namespace {

/// What a reader still reads, and a page still shows: of more, the first ones are kept. Every command reads these lists again.
constexpr std::size_t most_listed = 2000;

template <class T>
std::vector<T> first_of(const std::vector<T>& list, std::size_t& left_out) {
  const std::size_t kept = std::min(list.size(), most_listed);
  left_out = list.size() - kept;
  return {list.begin(), list.begin() + std::ptrdiff_t(kept)};
}

}  // namespace

std::vector<Finding> findings_of(const Run& run, const std::optional<Verification>& verification) {
  std::vector<Finding> list = run.findings();
  if (verification) list.insert(list.end(), verification->findings.begin(), verification->findings.end());
  return list;
}

Facts facts_of(const Scene& scene, const Run& run, const Circumstances& circumstances) {
  Facts facts;
  facts.asperity = version();
  facts.title = scene.title;
  facts.cite = scene.cite;
  facts.scene = scene.file;
  facts.run = {scene.run.duration, scene.run.step,   scene.run.method,          circumstances.finished,
               run.time(),         run.statistics(), circumstances.wall_seconds};
  facts.failure = run.failure();
  if (!facts.failure && !circumstances.trouble.empty()) facts.failure = Failure{run.time(), "", circumstances.trouble};
  facts.warnings = run.warnings();
  facts.notes = circumstances.notes;
  facts.findings = findings_of(run, circumstances.verification);
  facts.verdict = std::max(run.verdict(), verdict_of(facts.findings));
  if (const auto& found = circumstances.verification) {
    Facts::Verified& verified = facts.verification.emplace();
    verified = {found->by, found->failure, found->verdict, found->events, {}};
    for (const Verification::Column& column : found->columns)
      verified.columns.push_back({column.quantity, column.difference, column.time, column.digits()});
  }
  facts.event_count = run.event_count();
  facts.events = run.events();
  facts.impacts = run.impacts();
  const std::vector<double> values = run.values();
  for (std::size_t i = 1; i < values.size(); ++i) facts.final.push_back({run.columns()[i], values[i]});  // time is the first
  facts.energy = run.energy();
  for (auto& [name, dissipated] : run.dissipated()) facts.losses.push_back({name, dissipated});
  Facts::LeftOut& left_out = facts.left_out;
  if (facts.losses.size() > most_listed)
    std::stable_sort(facts.losses.begin(), facts.losses.end(),
                     [](const Facts::Loss& a, const Facts::Loss& b) { return a.dissipated > b.dissipated; });
  facts.losses = first_of(facts.losses, left_out.losses);
  facts.parameters = first_of(scene.parameters, left_out.parameters);
  facts.bodies = first_of(scene.bodies, left_out.bodies);
  facts.elements = first_of(scene.elements, left_out.elements);
  facts.columns = run.columns();
  facts.files.data = circumstances.data_file;
  return facts;
}

std::vector<Hold> held_in(const Run& run) {
  constexpr std::size_t most_by_name = 2000;  // each is looked for among all
  std::unordered_map<std::string, std::size_t> recorded;
  for (std::size_t i = 0; i < run.columns().size(); ++i) recorded.emplace(run.columns()[i].name, i);
  const std::vector<double> values = run.values();
  const std::vector<Quantity> all = run.quantities();

  std::vector<Hold> list;
  std::unordered_map<std::string, std::size_t> place;
  for (const Quantity& quantity : all) {
    const std::size_t dot = quantity.name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string element = quantity.name.substr(0, dot), what = quantity.name.substr(dot + 1);
    if (what != "touching" && what != "slipping") continue;
    const auto at = recorded.find(quantity.name);
    if (at == recorded.end() && all.size() > most_by_name) continue;
    const bool is_so = (at != recorded.end() ? values[at->second] : run.value(quantity.name)) != 0;
    const auto [entry, is_new] = place.emplace(element, list.size());
    if (is_new) list.push_back({element, Mode::held});
    Mode& mode = list[entry->second].mode;
    if (what == "touching") mode = is_so ? Mode::touching : Mode::open;
    else if (mode != Mode::open) mode = is_so ? Mode::slipping : Mode::held;
  }
  for (const Event& event : run.events())
    if (const auto entry = place.find(event.element); entry != place.end()) list[entry->second].since = event.time;
  return list;
}

}  // namespace asperity
