#include "asperity/facts/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "asperity/quantity_text.hpp"
#include "stem.hpp"

namespace asperity {
namespace {

using facts::stem_of;

constexpr std::size_t most_pairs = 500;
constexpr std::size_t fewest_rows = 16;     // to see whether something drifts
constexpr double at_its_limit = 0.98;       // this share of it
constexpr double loaded = 1e-3;             // a smaller share of the limit is no load
constexpr double still = 1e-6;              // of the deflection at the limit: a law without a threshold that moves less is held
constexpr double still_contact = 1e-2;      // of the indentation: a contact without friction that moves less is at rest
constexpr double elastic = 2.2;             // deflections at the limit that a held body may go back and forth: twice, and rounding
constexpr double rolling = 0.1;             // of the speed of a body: its contact is slower
constexpr double impacts_long = 3;          // contact times after an impact: longer is no impact
constexpr std::size_t fewest_cycles = 3;    // of stick-slip
constexpr double periods_to_the_end = 2;    // stick-slip lasts if it was seen so shortly before the end
constexpr double regular = 1.5;             // the longest of these cycles against the shortest
constexpr std::size_t cycles_of_mean = 10;  // of the period

/// An element of a pair at the end of the run.
struct Member {
  Readings::Item item;
  Mode mode = Mode::none;
  bool is_contact = false, has_friction = false;
  bool keeps = true;          // bears its limit for ever
  bool under_normal = false;  // its limit is a share of the normal force
  double hold = 0;            // the limit, or the share
  double deflection = 0;      // at its limit
  double depth = 0;
  double speed = 0;  // of what it touches, along the surface
  bool at_limit = false;

  bool is_open() const { return mode == Mode::open; }
  bool has_threshold() const { return mode == Mode::held || mode == Mode::slipping; }
};

struct Pair {
  Readings::Body body{};
  std::optional<Readings::Body> other{};  // nothing: the ground
  std::vector<Member> members{};
};

double length(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

/// A law without presliding does not say its limit at rest: what it has at a high speed.
constexpr double high_speed = 1e3;

/// A world at the end of a run, and the same with fast bodies.
struct Instants {
  Instant now, fast;
};

std::optional<Member> member_of(const Readings::Item& item, const Instants& at, double tau) {
  Member member{.item = item};
  const ElementPool& pool = *item.pool;
  const auto kind = pool.about().kind;
  const double gap = pool.gap(at.now, item.index);
  member.is_contact = std::isfinite(gap);
  member.mode = pool.watch(at.now, tau, item.index).mode;
  if (member.is_open()) return member;  // most pairs of a large world: only what happened before counts
  member.depth = member.is_contact ? std::max(0.0, -gap) : 0;
  const double normal = member.is_contact ? pool.resting_force(at.now, item.index) : 0;
  double sliding = 0, slide = 0, drag = 0;
  const auto parts = pool.stiffness(at.now, item.index);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Stiffness& part = parts[p];
    if (part.joint) return std::nullopt;  // its parts are relative to each other
    if (part.unilateral || (kind != Kind::friction && kind != Kind::composite)) continue;
    const double limit = part.hold > 0 ? part.hold : pool.stiffness(at.fast, item.index)[p].sliding;
    if (!(limit > 0)) continue;
    const double force = part.under_normal ? normal : 1;
    member.has_friction = true;
    member.under_normal = part.under_normal;
    member.keeps = part.hold > 0 && part.keeps;
    member.hold = limit;
    member.deflection = part.hold > 0 && part.K > 0 ? limit * force / part.K : 0;
    sliding = part.sliding * force, drag = part.drag;
    slide = (part.hold > 0 ? std::min(limit, part.slide) : limit) * force;
  }
  if (!member.is_contact && !member.has_friction) return std::nullopt;
  std::vector<double> v(pool.force_numbers());
  pool.relative(at.now, item.index, v.data());
  member.speed = length(std::span<const double>(v).subspan(member.is_contact && !v.empty() ? 1 : 0));
  const double force = pool.friction_force(at.now, item.index);
  member.at_limit = force > 0 && force >= at_its_limit * (sliding + drag) && force >= at_its_limit * slide;
  return member;
}

/// Pairs of bodies with the elements between them, in the order of the world.
std::vector<Pair> pairs_of(const Readings& readings, const Instants& at_end, double tau) {
  std::vector<Pair> pairs;
  using Key = std::pair<const void*, std::size_t>;
  std::map<std::pair<Key, Key>, std::size_t> place;
  for (const Readings::Item& item : readings.elements()) {
    const auto at = [&](const End& end) -> Key { return {end.bodies, end.bodies ? std::size_t(end.index[item.index]) : 0}; };
    const auto moves = [](const End& end) { return end.bodies && !end.bodies->is_given; };
    const End *first = &item.pool->a, *second = &item.pool->b;
    if (!moves(*first)) std::swap(first, second);
    if (!moves(*first)) continue;
    const auto member = member_of(item, at_end, tau);
    if (!member) continue;
    const Key a = at(*first), b = at(*second);
    if (first->bodies->names[a.second].empty()) continue;
    auto entry = place.find({a, b});
    if (entry == place.end()) entry = place.find({b, a});
    if (entry == place.end()) {
      entry = place.emplace(std::pair(a, b), pairs.size()).first;
      Pair pair{.body = {first->bodies, a.second}};
      if (second->bodies) pair.other = Readings::Body{second->bodies, b.second};
      pairs.push_back(std::move(pair));
    }
    pairs[entry->second].members.push_back(*member);
  }
  return pairs;
}

std::string names_of(const Pair& pair) {
  std::vector<std::string> stems;
  const std::string body = pair.body.name(), other = pair.other ? pair.other->name() : "ground";
  // Contacts that shapes find for themselves are named by both: the counterpart says it better.
  const auto name_of = [&](const Member& member) {
    const std::string stem = stem_of(member.item.name());
    return stem == body + "-" + other || stem == other + "-" + body ? other : stem;
  };
  for (const Member& member : pair.members)
    if (std::string stem = name_of(member); std::find(stems.begin(), stems.end(), stem) == stems.end())
      stems.push_back(std::move(stem));
  constexpr std::size_t most = 3;
  const std::size_t more = stems.size() > most ? stems.size() - most : 0;
  stems.resize(stems.size() - more);
  return fmt::format("{}{}", fmt::join(stems, ", "), more ? fmt::format(" and {} more", more) : "");
}

/// The rows by name.
class Rows {
 public:
  explicit Rows(const Table& table) : table_(table) {
    for (const Table::Column& column : table.columns) by_name_.emplace(column.quantity.name, &column.values);
  }
  const std::vector<double>* find(const std::string& name) const {
    const auto entry = by_name_.find(name);
    return entry == by_name_.end() ? nullptr : entry->second;
  }
  /// A number or a vector.
  std::vector<const std::vector<double>*> vector(const std::string& name) const {
    std::vector<const std::vector<double>*> list;
    for (const char* part : {"", ".x", ".y", ".z"})
      if (const auto* values = find(name + part)) list.push_back(values);
    return list;
  }
  const std::vector<double>& time() const { return table_.columns.front().values; }
  std::size_t first_at(double t) const { return std::size_t(std::lower_bound(time().begin(), time().end(), t) - time().begin()); }

 private:
  const Table& table_;
  std::unordered_map<std::string, const std::vector<double>*> by_name_;
};

/// Where a body is against its counterpart: its position, and its rotation by how far that moves its surface.
class Path {
 public:
  Path(const Rows& rows, const Pair& pair, double reach, Workspace& work) {
    const auto quantities = pair.body.pool->quantities();
    is_known_ = !quantities.empty();
    for (const Quantity& quantity : quantities) {
      const bool place = quantity.name.starts_with("position"), turn = quantity.name.starts_with("rotation");
      if (!place && !(turn && reach > 0)) continue;
      if (place) unit_ = quantity.unit;
      turns_ = turns_ || turn;
      const auto* own = rows.find(pair.body.name() + "." + quantity.name);
      const std::vector<double>* other = nullptr;
      if (place && pair.other) {
        other = rows.find(pair.other->name() + "." + quantity.name);
        if (!other && pair.other->pool->is_given)
          other = prescribed(*pair.other, std::size_t(&quantity - quantities.data()), rows, work);
        is_known_ = is_known_ && other;
      }
      is_known_ = is_known_ && own;
      numbers_.push_back({own, other, turn ? 2 * reach : 1});  // a quaternion has half of the angle
    }
    is_known_ = is_known_ && !numbers_.empty() && (unit_ == "m" || unit_ == "rad");
  }

  bool is_known() const { return is_known_; }
  bool turns() const { return turns_; }
  const std::string& unit() const { return unit_; }
  std::size_t size() const { return numbers_.size(); }
  double at(std::size_t row, std::size_t i) const {
    const Number& number = numbers_[i];
    return number.scale * ((*number.own)[row] - (number.other ? (*number.other)[row] : 0));
  }
  double distance(std::size_t from, std::size_t to) const {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i) sum += (at(to, i) - at(from, i)) * (at(to, i) - at(from, i));
    return std::sqrt(sum);
  }

 private:
  /// A number of a prescribed motion that was not recorded, at the times of the rows.
  const std::vector<double>* prescribed(const Readings::Body& body, std::size_t column, const Rows& rows, Workspace& work) {
    if (column >= body.pool->motion_numbers()) return nullptr;
    const std::vector<double> anywhere(work.world().start());
    auto values = std::make_unique<std::vector<double>>();
    for (const double t : rows.time())
      values->push_back(body.pool->motions(work.instant(t, anywhere))[body.pool->motion.at(column, body.index)]);
    return prescribed_.emplace_back(std::move(values)).get();
  }

  struct Number {
    const std::vector<double>*own, *other;
    double scale;
  };
  std::vector<Number> numbers_;
  std::vector<std::unique_ptr<std::vector<double>>> prescribed_;
  std::string unit_ = "m";
  bool is_known_ = false, turns_ = false;
};

struct Drift {
  bool is_seen = false;    // there were rows enough
  double since = 0;        // s
  double moved = 0;        // from there to the end, without what goes back and forth
  double range = 0;        // with it
  double speed = 0;        // of the drift
  bool is_steady = false;  // in one direction, at about one speed
};

/// In the second half of the time since the last event: what a start or an impact left has decayed. Its quarters are compared by
/// the middle between the lowest and the highest value of each number: a load that goes back and forth does not count.
Drift drift_of(const Path& path, const Rows& rows, double from, double to) {
  constexpr std::size_t quarters = 4;
  Drift drift;
  const double middle = from + (to - from) / 2;
  const std::size_t all = rows.first_at(from), first = rows.first_at(middle), end = rows.time().size();
  if (end - first < fewest_rows) {
    drift.since = all < end ? rows.time()[all] : to;
    if (end - all >= 2) drift.moved = drift.range = path.distance(all, end - 1);
    for (std::size_t row = all; row < end; ++row) drift.range = std::max(drift.range, path.distance(all, row));
    return drift;
  }
  drift.since = middle;
  std::array<std::vector<double>, quarters> centre;
  std::vector<double> spans;
  for (std::size_t i = 0; i < path.size(); ++i) {
    double low_of_all = HUGE_VAL, high_of_all = -HUGE_VAL;
    for (std::size_t q = 0; q < quarters; ++q) {
      const double t0 = middle + (to - middle) * double(q) / quarters, t1 = middle + (to - middle) * double(q + 1) / quarters;
      const std::size_t begin = rows.first_at(t0), stop = q + 1 == quarters ? end : rows.first_at(t1);
      if (begin >= stop) return drift;
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (std::size_t row = begin; row < stop; ++row) low = std::min(low, path.at(row, i)), high = std::max(high, path.at(row, i));
      centre[q].push_back(low + (high - low) / 2);
      low_of_all = std::min(low_of_all, low), high_of_all = std::max(high_of_all, high);
    }
    spans.push_back(high_of_all - low_of_all);
  }
  drift.is_seen = true;
  drift.range = length(spans);
  std::vector<double> whole(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) whole[i] = centre[quarters - 1][i] - centre[0][i];
  const double net = length(whole), step = net / (quarters - 1);
  drift.moved = net * quarters / (quarters - 1);
  drift.speed = to > middle ? drift.moved / (to - middle) : 0;
  drift.is_steady = net > 0;
  for (std::size_t q = 0; q + 1 < quarters; ++q) {
    double along = 0;
    for (std::size_t i = 0; i < path.size(); ++i) along += (centre[q + 1][i] - centre[q][i]) * whole[i] / net;
    drift.is_steady = drift.is_steady && along > step / 2 && along < 2 * step;
  }
  return drift;
}

/// The largest share of its limit that the friction of a pair had in some time; NaN if that was not recorded.
double load_of(const Pair& pair, const Rows& rows, double from) {
  double most = BodyMotion::unknown;
  for (const Member& member : pair.members) {
    if (!member.has_friction || member.is_open() || !std::isfinite(member.hold)) continue;
    const auto force = rows.vector(member.item.name() + (member.under_normal ? ".tangential_force" : ".force"));
    const auto* normal = rows.find(member.item.name() + ".normal_force");
    if (force.empty() || (member.under_normal && !normal)) continue;
    for (std::size_t row = rows.first_at(from); row < rows.time().size(); ++row) {
      double sum = 0;
      for (const auto* values : force) sum += (*values)[row] * (*values)[row];
      const double limit = member.hold * (member.under_normal ? (*normal)[row] : 1);
      if (limit > 0) most = std::max(std::isnan(most) ? 0 : most, std::sqrt(sum) / limit);
    }
  }
  return most;
}

/// What the events of a run say of a pair.
struct History {
  double last = 0;         // s, of the last event
  double last_touch = -1;  // s; -1: none
  bool happened = false;
  bool sticks_slips = false;            // to the end
  double period = BodyMotion::unknown;  // if its cycles are of about one length
};

History history_of(const Pair& pair, const std::unordered_map<std::string, std::vector<const Event*>>& events, const Run& run) {
  History history;
  for (const Member& member : pair.members) {
    const auto own = events.find(member.item.name());
    if (own == events.end()) continue;
    std::vector<double> slips;
    for (const Event* event : own->second) {
      history.happened = true;
      history.last = std::max(history.last, event->time);
      if (event->kind == Event::Kind::touch) history.last_touch = std::max(history.last_touch, event->time);
      if (event->kind == Event::Kind::slip) slips.push_back(event->time);
    }
    if (slips.size() < fewest_cycles) continue;
    const std::size_t cycles = std::min(slips.size() - 1, cycles_of_mean);
    const double period = (slips.back() - slips[slips.size() - 1 - cycles]) / double(cycles);
    const bool is_cut = run.event_count() > run.events().size();  // later ones were only counted
    if (!is_cut && run.time() - own->second.back()->time > periods_to_the_end * period) continue;
    history.sticks_slips = true;
    double shortest = HUGE_VAL, longest = 0;
    for (std::size_t i = slips.size() - cycles; i < slips.size(); ++i) {
      shortest = std::min(shortest, slips[i] - slips[i - 1]);
      longest = std::max(longest, slips[i] - slips[i - 1]);
    }
    if (longest <= regular * shortest) history.period = period;
  }
  return history;
}

void count_impacts(const Pair& pair, const std::unordered_map<std::string, std::vector<const Impact*>>& impacts, BodyMotion& motion,
                   double& longest) {
  double fastest = 0;
  for (const Member& member : pair.members) {
    const auto own = impacts.find(member.item.name());
    if (own == impacts.end()) continue;
    for (const Impact* impact : own->second) {
      const double e = impact->restitution();
      ++motion.impacts;
      longest = std::max(longest, impact->release - impact->touch);
      motion.least_restitution = std::isnan(motion.least_restitution) ? e : std::min(motion.least_restitution, e);
      motion.most_restitution = std::isnan(motion.most_restitution) ? e : std::max(motion.most_restitution, e);
      if (impact->impact_speed > fastest) fastest = impact->impact_speed, motion.restitution = e;
    }
  }
}

/// The word for a pair in contact of which the rows show how it moves.
BodyMotion::Kind kind_of(const Pair& pair, const Drift& drift, double load, bool turns) {
  bool friction = false, keeps = true, thresholds = true, slips = false, all_at_limit = true;
  double deflection = 0, depth = 0, contact_speed = 0;
  for (const Member& member : pair.members) {
    if (member.is_open()) continue;
    depth = std::max(depth, member.depth);
    contact_speed = std::max(contact_speed, member.speed);
    if (!member.has_friction) continue;
    friction = true;
    keeps = keeps && member.keeps;
    thresholds = thresholds && member.has_threshold();
    slips = slips || member.mode == Mode::slipping;
    all_at_limit = all_at_limit && member.at_limit;
    deflection = std::max(deflection, member.deflection);
  }
  const bool went = drift.range > elastic * deflection && drift.range > still_contact * depth;
  if (!friction) {
    if (drift.range <= still_contact * depth) return BodyMotion::Kind::rests;
    return drift.is_steady && contact_speed > 0 ? BodyMotion::Kind::slides
           : drift.is_steady                    ? BodyMotion::Kind::moves
                                                : BodyMotion::Kind::oscillates;
  }
  if (slips && (went || !drift.is_seen)) return BodyMotion::Kind::slides;
  if (went && turns && contact_speed < rolling * drift.speed) return BodyMotion::Kind::rolls;
  if (went && !thresholds && all_at_limit && drift.is_steady) return BodyMotion::Kind::slides;
  if (went && !drift.is_steady)
    return drift.is_seen && drift.moved < drift.range / 2 ? BodyMotion::Kind::oscillates : BodyMotion::Kind::moves;
  const bool is_still = drift.moved <= (thresholds && !slips ? deflection : still * deflection);
  if (is_still && !went && !(load > loaded)) return BodyMotion::Kind::rests;
  if (is_still && !went && keeps) return BodyMotion::Kind::held;
  if (!thresholds && drift.is_steady) return BodyMotion::Kind::creeps;
  return went ? BodyMotion::Kind::moves : BodyMotion::Kind::oscillates;
}

/// From the centre of a body to its surface.
double reach_of(const Scene& scene, const std::string& name) {
  for (const SceneBody& body : scene.bodies)
    if (body.name == name) {
      if (body.shape == "box") return length(body.size) / 2;
      double sum = 0;
      for (const double size : body.size) sum += size;
      return sum;
    }
  return 0;
}

std::optional<BodyMotion> judge(const Scene& scene, const Pair& pair, const Rows& rows, const History& history, BodyMotion motion,
                                Workspace& work, double longest_impact) {
  const bool open = std::all_of(pair.members.begin(), pair.members.end(), [](const Member& m) { return m.is_open(); });
  motion.since = history.last;
  if (open && !history.happened) return std::nullopt;  // never in contact, or out of it from the start
  const bool in_impact = motion.impacts > 0 && history.last_touch >= 0 &&
                         motion.until - history.last_touch < impacts_long * longest_impact && motion.until > history.last_touch;
  if (open || in_impact) {
    motion.kind = motion.impacts > 0 ? BodyMotion::Kind::bounces : BodyMotion::Kind::released;
    return motion;
  }
  const Path path(rows, pair, reach_of(scene, pair.body.name()), work);
  if (history.sticks_slips) {
    motion.kind = BodyMotion::Kind::sticks_slips;
    motion.period = history.period;
    if (path.is_known()) {
      const Drift drift = drift_of(path, rows, 0, motion.until);  // over all its cycles
      motion.since = drift.since;
      motion.moved = drift.moved, motion.range = drift.range;
      motion.unit = path.unit();
    }
    return motion;
  }
  if (!path.is_known() || rows.time().empty()) {
    const auto slipping =
        std::find_if(pair.members.begin(), pair.members.end(), [](const Member& m) { return m.mode == Mode::slipping; });
    if (slipping == pair.members.end()) return std::nullopt;
    motion.kind = BodyMotion::Kind::slides;
    motion.speed = slipping->speed;
    return motion;
  }
  const Drift drift = drift_of(path, rows, history.last, motion.until);
  motion.since = drift.since;
  motion.moved = drift.moved, motion.range = drift.range;
  motion.unit = path.unit();
  motion.load = load_of(pair, rows, drift.since);
  motion.kind = kind_of(pair, drift, motion.load, path.turns());
  if (const std::size_t first = rows.first_at(drift.since); first < rows.time().size()) motion.before = path.distance(0, first);
  for (const Member& member : pair.members)
    if (!member.is_open()) motion.deflection = std::max(motion.deflection, member.deflection);
  motion.speed = drift.speed;
  if (motion.kind == BodyMotion::Kind::slides) {
    motion.speed = 0;
    for (const Member& member : pair.members)
      if (!member.is_open()) motion.speed = std::max(motion.speed, member.speed);
  }
  return motion;
}

}  // namespace

std::vector<BodyMotion> motions_of(const Scene& scene, const Run& run, const Table& table, std::size_t& left_out) {
  left_out = 0;
  std::vector<BodyMotion> list;
  if (run.failure() || table.rows() == 0) return list;
  Workspace work(scene.world);
  const Readings readings(scene.world);
  const AboutMethod* method = find_method(scene.run.method);
  const double tau = method ? method->look_ahead * scene.run.step : 0;
  std::vector<double> fast(run.state().begin(), run.state().end());
  for (const Readings::Body& body : readings.bodies())
    for (std::size_t i = 0; !body.pool->is_given && i < body.pool->force_numbers(); ++i)
      fast[body.pool->motion.at(body.pool->velocity_column(i), body.index)] += high_speed;
  Workspace work_of_fast(scene.world);
  const std::vector<Pair> pairs =
      pairs_of(readings, {work.instant(run.time(), run.state()), work_of_fast.instant(run.time(), fast)}, tau);

  std::unordered_map<std::string, std::vector<const Event*>> events;
  for (const Event& event : run.events()) events[event.element].push_back(&event);
  std::unordered_map<std::string, std::vector<const Impact*>> impacts;
  for (const Impact& impact : run.impacts()) impacts[impact.element].push_back(&impact);

  const Rows rows(table);
  for (const Pair& pair : pairs) {
    if (list.size() == most_pairs) {
      ++left_out;
      continue;
    }
    BodyMotion motion;
    motion.body = pair.body.name();
    motion.against = pair.other ? pair.other->name() : "ground";
    motion.by = names_of(pair);
    motion.until = run.time();
    double longest_impact = 0;
    count_impacts(pair, impacts, motion, longest_impact);
    if (auto judged = judge(scene, pair, rows, history_of(pair, events, run), std::move(motion), work, longest_impact))
      list.push_back(std::move(*judged));
  }
  return list;
}

std::string_view to_text(BodyMotion::Kind kind) noexcept {
  return std::array<std::string_view, 10>{"held",  "rests",      "creeps", "slides",  "sticks and slips",
                                          "rolls", "oscillates", "moves",  "bounces", "released"}[std::size_t(kind)];
}

std::string to_text(const BodyMotion& motion) {
  const std::string rate = motion.unit + "/s";
  const std::string in_time = fmt::format(" in {}", quantity_text(motion.until - motion.since, "s", 2));
  const std::string moved = fmt::format("moved {}", quantity_text(motion.moved, motion.unit, 2)) + in_time;
  // The points of a contact of several hand over to each other: what one gets another gives back.
  const bool is_restitution = motion.most_restitution <= 1 + 1e-3;
  const std::string number = is_restitution ? fmt::format("{:.3g}", motion.restitution) : "";
  const std::string load =
      motion.load > loaded ? fmt::format("loaded to {:.{}f} % of its limit", 100 * motion.load, motion.load < 0.1 ? 1 : 0) : "";
  std::string text = motion.body + ": ";
  switch (motion.kind) {
    case BodyMotion::Kind::held:
      text += fmt::format("held by {}: {}{}", motion.by, moved, load.empty() ? "" : " while " + load);
      break;
    case BodyMotion::Kind::rests:
      text += fmt::format("rests on {}: {}", motion.by, moved);
      break;
    case BodyMotion::Kind::creeps:
      text += fmt::format("creeps at {} on {}{}", quantity_text(motion.speed, rate, 3), motion.by, load.empty() ? "" : ", " + load);
      break;
    case BodyMotion::Kind::slides:
      text += fmt::format("slides at {} on {}", quantity_text(motion.speed, rate, 3), motion.by);
      break;
    case BodyMotion::Kind::sticks_slips:
      text += "sticks and slips on " + motion.by;
      if (std::isfinite(motion.period)) text += fmt::format(" with a period of {}", quantity_text(motion.period, "s", 3));
      else if (std::isfinite(motion.moved)) text += ": " + moved;
      break;
    case BodyMotion::Kind::rolls:
      text += fmt::format("rolls at {} on {}", quantity_text(motion.speed, rate, 3), motion.by);
      break;
    case BodyMotion::Kind::oscillates:
      text += fmt::format("moves back and forth by {} on {}{}", quantity_text(motion.range, motion.unit, 2), motion.by, in_time);
      break;
    case BodyMotion::Kind::moves:
      text += fmt::format("moves on {}: {}", motion.by, moved);
      break;
    case BodyMotion::Kind::bounces:
      text += motion.impacts == 1 ? fmt::format("bounced off {} once", motion.by) : fmt::format("bounces off {}", motion.by);
      if (is_restitution) text += fmt::format("{} with restitution {}", motion.impacts == 1 ? "," : "", number);
      if (motion.impacts > 1) text += fmt::format(" ({} impacts)", motion.impacts);
      return text;
    case BodyMotion::Kind::released:
      text += fmt::format("released from {} at {}", motion.by, quantity_text(motion.since, "s", 4));
      return text;
  }
  if (motion.impacts > 0) {
    text += fmt::format(", after {} impact{}", motion.impacts, motion.impacts == 1 ? "" : "s");
    if (is_restitution) text += fmt::format("{} with restitution {}", motion.impacts == 1 ? "" : ", the fastest", number);
  } else if (motion.before > 10 * std::max(motion.range, motion.deflection) &&
             (motion.kind == BodyMotion::Kind::held || motion.kind == BodyMotion::Kind::rests))
    text += fmt::format(", after it had moved {}", quantity_text(motion.before, motion.unit, 3));
  return text;
}

}  // namespace asperity
