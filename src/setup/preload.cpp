#include "asperity/setup/preload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "equilibrium.hpp"

namespace asperity {
namespace {

constexpr int most_rounds = 80;

/// What is true of many is said once.
std::vector<Warning> said_once(std::vector<Warning> all) {
  std::vector<Warning> list;
  std::map<std::string, std::size_t> known;
  for (Warning& note : all) {
    const auto [at, is_new] = known.try_emplace(note.text.substr(note.component.size()), list.size());
    if (is_new) list.push_back(std::move(note));
    else list[at->second].alike.push_back(std::move(note.component));
  }
  for (Warning& note : list)
    if (!note.alike.empty()) note.text += fmt::format(" (and {} more like it)", note.alike.size());
  return list;
}

}  // namespace

Preload Equilibrium::find() {
  Preload found;
  choose();
  say_what_strikes(found);
  if (held_.empty()) return found;
  group();
  scale();
  std::vector<double> best = net_.state;
  std::vector<Held> best_held = held_;
  double least = infinity;
  for (int since = 0; found.rounds < most_rounds; ++found.rounds) {
    place();
    const double left = measure();
    if (!(left < infinity)) break;
    const bool nearer = come_nearer();
    if (left < 0.5 * least || nearer) since = 0;
    else ++since;
    if (left < least || (within_ && nearer)) least = std::min(least, left), best = net_.state, best_held = held_;
    if (left == 0 || steps_ >= most_in_all || since >= (least <= 1e-12 ? 3 : within_ ? 6 : 25)) break;
    step();
  }
  net_.state = best;
  net_.set_up();
  held_ = best_held;
  place();
  measure();
  verify(found);
  say_what_moves(found);
  rest();
  return found;
}

Preload preload(Network& network) {
  Preload found = Equilibrium(network).find();
  found.notes = said_once(std::move(found.notes));
  for (Warning& note : found.notes) note.note = true;
  return found;
}

Preload preload(const World& world, std::span<double> x) {
  Network network(world, x);
  Preload found = preload(network);
  std::copy(network.state.begin(), network.state.end(), x.begin());
  return found;
}

}  // namespace asperity
