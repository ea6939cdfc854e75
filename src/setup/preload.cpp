#include "asperity/setup/preload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "../integrate/implicit_lu.hpp"

namespace asperity {
namespace {

using Part = Network::Part;
using detail::BlockLu;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = std::numeric_limits<double>::epsilon();

constexpr int most_rounds = 80, most_steps = 60, most_in_all = 2000, most_halvings = 12, most_leaps = 12;
/// A balance is one if no more than this share of the forces on a body is left over.
constexpr double balanced = 1e-8;
/// Bodies may move this many times as far as the contacts under them give way.
constexpr double farthest = 10;

std::string amount(double value, std::string_view unit) { return fmt::format("{:.3g} {}", value, unit); }

/// Static equilibrium by implicit steps from rest, each so long that inertia hardly counts:
///   M w/T^2 = F(w)      contacts are springs N(depth + J w), friction yields:  f = limit(N) s/max(1, |s|),  s = (t + J w)/slip
/// The displacement w is virtual. Bodies follow only so far as contacts and joints are deflected by it: the smallest motion, in the
/// norm of the masses, that has the same J w there. What friction has been dragged by, t, is kept. So what is held comes to rest
/// where it is, friction shares its load in proportion to what it can hold, and what cannot be held slides virtually, its friction
/// at the limit against the motion, its contacts carrying what the sliding body leaves them, while it stays in place.
class Equilibrium {
 public:
  explicit Equilibrium(Network& network) : net_(network), start_(network.state) {}

  Preload find() {
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

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// A part whose force is looked for, or a spring that feels the motion.
  struct Held {
    enum class Kind { contact, friction, joint, spring };
    Kind kind{};
    std::size_t part_index = 0;
    Network* net = nullptr;
    std::size_t row = 0;     // its first
    std::size_t normal = 0;  // the contact under friction, in held_
    std::size_t island = 0;
    bool slides = false;                // already at the start
    bool wanted = false;                // a contact that touches at the start, or nearly does
    double press = 0;                   // what may press it at first
    double depth = 0, K = 0;            // of a contact
    double sliding = 0, drag = 0;       // of friction that slides
    std::array<double, 3> way{};        // direction of that
    std::array<double, 3> dragged{};    // of friction that sticks
    std::array<double, 3> given_way{};  // of a joint, since the start
    std::array<double, 3> course{};     // relative acceleration that given bodies bring

    const Part& part() const { return net->parts[part_index]; }
  };
  struct Role {  // of a pool of elements
    bool contact = false, holds = false;
  };
  struct Entry {
    std::size_t unknown;
    double push, seen;  // what a unit force does there, and minus what is seen of a motion
  };
  struct Row {
    struct End {
      std::size_t group = none, first = 0, last = 0;  // in entries_
    };
    std::array<End, 2> ends{};
    template <class F>
    void each(F&& f) const {
      for (const End& end : ends)
        for (std::size_t e = end.first; e < end.last; ++e) f(e);
    }
  };
  struct Group {  // a body, or bodies in one piece
    const BodyPool* pool = nullptr;
    std::size_t body = 0, first = 0, size = 0;
    std::size_t island = 0;
    std::vector<double> mass, inverse;  // size by size
    double load = 0, noise = 0;         // sum of the forces on it; how much of it may be left over
  };
  struct Island {
    double slip = 0;                            // m, over which friction yields
    double time2 = 0;                           // s^2, of a step
    double base = 0;                            // the same at first
    double left = infinity, before = infinity;  // out of balance by, as a share of its forces
    double press = 0;                           // N, all loads together
    double moved_by = infinity;                 // a M a, least so far
    bool first = true;
  };

  // --- what is looked for

  double speed_of_end(const End& end, std::size_t i) const {
    double most = 0;
    if (end.bodies)
      for (std::size_t c = end.bodies->velocity_column(0); c < end.bodies->motion_numbers(); ++c)
        most = std::max(most, std::abs(end.bodies->motions(net_.moving())[end.bodies->motion.at(c, end.index[i])]));
    return most;
  }

  /// Friction that holds, contacts that rest and touch or nearly do, joints.
  void choose() {
    bool any = false;
    for (const Part& part : net_.parts) {
      Role& role = roles_[part.pool];
      role.contact = role.contact || part.unilateral;
      role.holds = role.holds || part.hold > 0;
      any = any || part.hold > 0 || part.joint || (part.unilateral && part.pool->gap(net_.still(), part.index) < infinity);
    }
    if (!any) return;
    courses_ = net_.given_accelerations(0, 1e-5);
    const std::vector<double> later = net_.given_accelerations(0, 2e-5);
    for (std::size_t k = 0; k < courses_.size(); ++k) courses_[k] = 2 * courses_[k] - later[k];
    motion_ = net_.state;
    force_.assign(net_.force_numbers, 0.0);
    act_of_others();
    net_.accelerate(force_, motion_);
    const auto hardest = [&](const End& end, std::size_t i) {
      double most = 0;
      if (end.bodies && !end.bodies->is_given)
        for (std::size_t c = end.bodies->velocity_column(0); c < end.bodies->motion_numbers(); ++c)
          most = std::max(most, std::abs(motion_[end.bodies->motion.at(c, end.index[i])]));
      return most;
    };
    std::vector<double> speed;
    std::size_t contact = 0;
    bool in_touch = true;
    for (std::size_t p = 0; p < net_.parts.size(); ++p) {
      const Part& part = net_.parts[p];
      if (part.mass == infinity) continue;
      Held held;
      held.part_index = p;
      held.net = &net_;
      speed.assign(part.pool->force_numbers(), 0.0);
      part.pool->relative(net_.moving(), part.index, speed.data());
      const double of_ends = std::max(speed_of_end(part.pool->a, part.index), speed_of_end(part.pool->b, part.index));
      if (part.unilateral) {
        const double gap = part.pool->gap(net_.still(), part.index);
        in_touch = false;
        if (!(gap < infinity)) continue;
        held.kind = Held::Kind::contact;
        held.press = part.mass * (hardest(part.pool->a, part.index) + hardest(part.pool->b, part.index));
        if (!(held.press < infinity)) fail_at(part, "the loads on it are no finite numbers");
        const double give = part.pool->indentation(part.index, held.press);
        held.K = give > 0 ? held.press / give : gap < 0 ? part.pool->carried(part.index, -gap) / -gap : part.K;
        held.wanted = gap <= 2 * give;
        // Faster than a hundredth of what would bring it as deep as its load, it is about to strike or to let go.
        const double rate = std::abs(speed[0]);
        if (rate > 1e-9 * of_ends && rate * rate * part.mass > 1e-4 * held.press * give) {
          if (held.wanted) strikes_.push_back(p);
          continue;
        }
        in_touch = true;
        contact = held_.size();
      } else if (part.joint) {
        held.kind = Held::Kind::joint;
        held.K = part.K;
      } else if (part.under_normal ? in_touch : part.hold > 0) {
        held.kind = Held::Kind::friction;
        held.normal = contact;
        double length = 0;
        for (std::size_t k = 0; k < part.count; ++k) length = std::hypot(length, speed[part.first + k]);
        held.slides = length > 1e-9 * of_ends;
        for (std::size_t k = 0; held.slides && k < part.count; ++k) held.way[k] = speed[part.first + k] / length;
        for (const Stiffness& now : part.pool->stiffness(net_.moving(), part.index))
          if (now.part == part.part) held.sliding = now.sliding, held.drag = now.drag;
        if (!held.slides && !(part.hold > 0)) continue;
      } else if (part.kind == Stiffness::Kind::spring && !part.under_normal && part.K > 0) {
        held.kind = Held::Kind::spring;
        held.K = part.K;
      } else {
        continue;
      }
      held_.push_back(held);
    }
    if (std::all_of(held_.begin(), held_.end(), [](const Held& held) { return held.kind == Held::Kind::spring; })) held_.clear();
  }

  /// What acts besides the forces that are looked for: inputs, springs and joints as they are, friction that cannot hold.
  void act_of_others() {
    std::fill(force_.begin(), force_.end(), 0.0);
    net_.add_pushes(0, force_);
    unloaded_.assign(net_.still().state, net_.still().state + net_.state.size());
    unused_.resize(net_.state.size());
    for (const ElementPool* pool : net_.elements) {
      if (pool->count() == 0 || pool->about().discrete) continue;
      const auto role = roles_.find(pool);
      if (role != roles_.end() && role->second.contact) continue;
      if (role == roles_.end() || !role->second.holds) {
        pool->react(net_.moving(), 0, force_.data(), unused_.data());
        continue;
      }
      pool->write_start(unloaded_.data());
      pool->react({unloaded_.data(), net_.still().given}, 0, force_.data(), unused_.data());
    }
  }

  // --- the system of equations

  void group() {
    std::vector<std::size_t> sizes;
    std::map<std::pair<const BodyPool*, std::size_t>, std::size_t> group_of;
    const auto group_at = [&](const End& end, std::size_t i) -> std::size_t {
      if (!end.bodies || end.bodies->is_given) return none;
      const bool whole = end.bodies->in_one_piece();
      const auto [at, is_new] = group_of.try_emplace({end.bodies, whole ? 0 : end.index[i]}, groups_.size());
      if (is_new) {
        Group made;
        made.pool = end.bodies;
        made.body = whole ? 0 : end.index[i];
        made.first = force_at_.size();
        const std::size_t bodies = whole ? end.bodies->count() : 1;
        for (std::size_t b = 0; b < bodies; ++b)
          for (std::size_t c = 0; c < end.bodies->force_numbers(); ++c) {
            force_at_.push_back(end.bodies->force.at(c, made.body + b));
            velocity_at_.push_back(end.bodies->motion.at(end.bodies->velocity_column(c), made.body + b));
          }
        made.size = force_at_.size() - made.first;
        sizes.push_back(made.size);
        groups_.push_back(std::move(made));
      }
      return at->second;
    };
    unknown_of_force_.assign(net_.force_numbers, none);
    std::vector<std::array<std::size_t, 2>> links;
    std::vector<std::size_t> some(held_.size());
    for (std::size_t h = 0; h < held_.size(); ++h) {
      const Part& part = held_[h].part();
      const std::size_t a = group_at(part.pool->a, part.index), b = group_at(part.pool->b, part.index);
      some[h] = a != none ? a : b;
      if (a != none && b != none && a != b) links.push_back({a, b});
    }
    for (std::size_t k = 0; k < force_at_.size(); ++k) unknown_of_force_[force_at_[k]] = k;
    group_of_unknown_.resize(force_at_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t k = 0; k < groups_[g].size; ++k) group_of_unknown_[groups_[g].first + k] = g;
    lu_.emplace(sizes, links);
    islands_.resize(lu_->components().size());
    for (std::size_t c = 0; c < islands_.size(); ++c)
      for (std::size_t k = lu_->components()[c].first; k < lu_->components()[c].last; ++k) groups_[lu_->order()[k]].island = c;
    lu_->each_block([&](std::size_t row, std::size_t column, std::size_t place) { place_of_[{row, column}] = place; });
    for (std::size_t h = 0; h < held_.size(); ++h) held_[h].island = groups_[some[h]].island;
    weigh();
  }

  /// M^-1 of each group by unit forces, so hard that a body that rubs by itself shows its mass; and M.
  void weigh() {
    constexpr double hard = 1e8;
    std::vector<double> without = net_.state, with = net_.state, force(net_.force_numbers, 0.0), rate(net_.state.size());
    for (Group& at : groups_) {
      const std::size_t n = at.size;
      at.inverse.assign(n * n, 0.0);
      const auto accelerate = [&](std::vector<double>& out) {
        at.pool->rate_of(at.body, net_.still().state, force.data(), rate.data());
        for (std::size_t k = 0; k < n; ++k) out[velocity_at_[at.first + k]] = rate[velocity_at_[at.first + k]];
      };
      const bool rubs = at.pool->rubs();
      for (std::size_t j = 0; j < n; ++j) {
        force[force_at_[at.first + j]] = rubs ? hard : 1;
        accelerate(with);
        force[force_at_[at.first + j]] = rubs ? 2 * hard : 0;
        accelerate(without);
        force[force_at_[at.first + j]] = 0;
        for (std::size_t k = 0; k < n; ++k) {
          const std::size_t v = velocity_at_[at.first + k];
          at.inverse[k * n + j] = rubs ? (without[v] - with[v]) / hard : with[v] - without[v];
        }
      }
      at.mass = inverted(n, at.inverse);
    }
    // What moves by itself besides what it does at rest: gyroscopic.
    turning_.assign(net_.state.size(), 0.0);
    std::fill(force.begin(), force.end(), 0.0);
    std::vector<double> still(net_.state.size(), 0.0);
    for (const BodyPool* pool : net_.bodies) {
      if (pool->is_given || pool->rubs()) continue;
      pool->rate(net_.state.data(), force.data(), turning_.data());
      pool->rate(net_.still().state, force.data(), still.data());
    }
    for (std::size_t k = 0; k < still.size(); ++k) turning_[k] -= still[k];
  }

  static std::vector<double> inverted(std::size_t n, std::vector<double> a) {
    std::vector<double> b(n * n, 0.0);
    for (std::size_t k = 0; k < n; ++k) b[k * n + k] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t best = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
      for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[best * n + j]), std::swap(b[k * n + j], b[best * n + j]);
      const double scale = 1 / a[k * n + k];
      for (std::size_t j = 0; j < n; ++j) a[k * n + j] *= scale, b[k * n + j] *= scale;
      for (std::size_t i = 0; i < n; ++i) {
        const double factor = a[i * n + k];
        if (i == k || factor == 0) continue;
        for (std::size_t j = 0; j < n; ++j) a[i * n + j] -= factor * a[k * n + j], b[i * n + j] -= factor * b[k * n + j];
      }
    }
    return b;
  }

  /// What happens to the bodies at the present place: rows of J, depths, other forces.
  void place() {
    act_of_others();
    others_.resize(force_at_.size());
    for (std::size_t k = 0; k < others_.size(); ++k) others_[k] = force_[force_at_[k]];
    rows_.clear();
    entries_.clear();
    std::vector<double> unit;
    scratch_.assign(net_.force_numbers, 0.0);
    for (Held& held : held_) {
      const Part& part = held.part();
      held.row = rows_.size();
      for (std::size_t k = 0; k < part.count; ++k) {
        unit.assign(part.pool->force_numbers(), 0.0);
        unit[part.first + k] = 1;
        part.pool->push(net_.still(), part.index, unit.data(), scratch_.data());
        Row row;
        auto* to = row.ends.begin();
        for (const End* end : {&part.pool->a, &part.pool->b}) {
          if (!end->bodies || end->bodies->is_given) continue;
          to->first = entries_.size();
          for (std::size_t c = 0; c < end->bodies->force_numbers(); ++c) {
            const std::size_t at = end->bodies->force.at(c, end->index[part.index]);
            to->group = group_of_unknown_[unknown_of_force_[at]];
            if (scratch_[at] != 0) entries_.push_back({unknown_of_force_[at], scratch_[at], scratch_[at]});
            scratch_[at] = 0;
          }
          to->last = entries_.size();
          ++to;
        }
        rows_.push_back(row);
      }
      unit.assign(part.pool->force_numbers(), 0.0);
      part.pool->relative({net_.still().state, courses_.data()}, part.index, unit.data());
      for (std::size_t k = 0; k < part.count; ++k) held.course[k] = unit[part.first + k];
      if (held.kind == Held::Kind::contact) held.depth = -part.pool->gap(net_.still(), part.index);
    }
    see_by_springs();
  }

  /// A spring sees of a virtual motion only what contacts and joints allow the body to follow: P = Q Q^T M, where Q, orthonormal in
  /// the norm of the masses, spans the motions M^-1 J^T that they can give it.
  void see_by_springs() {
    std::vector<std::size_t> springs;
    for (std::size_t h = 0; h < held_.size(); ++h)
      if (held_[h].kind == Held::Kind::spring) springs.push_back(h);
    if (springs.empty()) return;
    std::vector<std::vector<std::vector<double>>> spans(groups_.size());
    const auto pushed = [&](const Row::End& end) {
      std::vector<double> push(groups_[end.group].size, 0.0);
      for (std::size_t e = end.first; e < end.last; ++e) push[entries_[e].unknown - groups_[end.group].first] = entries_[e].push;
      return push;
    };
    const auto each_end = [&](const Held& held, auto&& f) {
      for (std::size_t k = 0; k < held.part().count; ++k)
        for (Row::End& end : rows_[held.row + k].ends)
          if (end.group != none) f(end);
    };
    std::vector<bool> wanted(groups_.size(), false);
    for (const std::size_t h : springs) each_end(held_[h], [&](const Row::End& end) { wanted[end.group] = true; });
    for (const Held& held : held_) {
      if (!moves(held)) continue;
      each_end(held, [&](const Row::End& end) {
        const Group& at = groups_[end.group];
        auto& span = spans[end.group];
        if (!wanted[end.group] || span.size() >= at.size) return;
        std::vector<double> v = product(at.size, at.inverse, pushed(end));
        const double before = dot(v, product(at.size, at.mass, v));
        for (int twice = 0; twice < 2; ++twice)
          for (const auto& q : span) {
            const double along = dot(q, product(at.size, at.mass, v));
            for (std::size_t i = 0; i < at.size; ++i) v[i] -= along * q[i];
          }
        const double after = dot(v, product(at.size, at.mass, v));
        if (!(after > 1e-12 * before)) return;
        for (double& number : v) number /= std::sqrt(after);
        span.push_back(std::move(v));
      });
    }
    for (const std::size_t h : springs)
      each_end(held_[h], [&](Row::End& end) {
        const Group& at = groups_[end.group];
        const std::vector<double> push = pushed(end);
        std::vector<double> see(at.size, 0.0);
        for (const auto& q : spans[end.group]) {
          const double along = dot(q, push);
          const std::vector<double> Mq = product(at.size, at.mass, q);
          for (std::size_t i = 0; i < at.size; ++i) see[i] += along * Mq[i];
        }
        end.first = entries_.size();
        for (std::size_t i = 0; i < at.size; ++i)
          if (push[i] != 0 || see[i] != 0) entries_.push_back({at.first + i, push[i], see[i]});
        end.last = entries_.size();
      });
  }
  static std::vector<double> product(std::size_t n, const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> c(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) c[i] += a[i * n + j] * b[j];
    return c;
  }
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  /// Bodies follow what contacts and joints give way by.
  static bool moves(const Held& held) { return held.kind == Held::Kind::contact || held.kind == Held::Kind::joint; }

  /// The lengths and times of each island.
  void scale() {
    place();
    std::vector<double> a = accelerations(others_);
    for (Group& at : groups_) {
      const std::size_t forces = at.size == 6 && !at.pool->in_one_piece() ? 3 : at.size;
      double sum = 0;
      for (std::size_t i = 0; i < forces; ++i) {
        double force = 0;
        for (std::size_t j = 0; j < at.size; ++j) force += at.mass[i * at.size + j] * a[at.first + j];
        sum += std::abs(force);
      }
      at.load = sum;
      islands_[at.island].press += sum;
    }
    for (Held& held : held_) {
      const Part& part = held.part();
      Island& island = islands_[held.island];
      if (held.kind != Held::Kind::contact) continue;
      // Several contacts share the load of a body: each of them feels less of it than its own mass says.
      for (const Row::End& end : rows_[held.row].ends)
        if (end.group != none)
          held.wanted = held.wanted || -held.depth <= part.pool->indentation(part.index, groups_[end.group].load);
      island.slip = std::max(island.slip, 0.01 * std::max(part.pool->indentation(part.index, island.press), held.depth));
    }
    for (const Held& held : held_) {
      Island& island = islands_[held.island];
      const Part& part = held.part();
      if (held.kind == Held::Kind::friction && !part.under_normal && !(island.slip > 0) && part.K > 0)
        island.slip = std::max(island.slip, part.hold / part.K);
    }
    for (const Held& held : held_) {
      Island& island = islands_[held.island];
      const Part& part = held.part();
      if (!(island.slip > 0)) island.slip = 1e-9;
      double K = held.K;
      if (held.kind == Held::Kind::spring) continue;
      if (held.kind == Held::Kind::friction) K = part.hold * (part.under_normal ? held_[held.normal].press : 1.0) / island.slip;
      if (!(K > 0)) continue;
      for (std::size_t k = 0; k < part.count; ++k) island.base = std::max(island.base, 1e3 * heaviest(rows_[held.row + k]) / K);
    }
    // What stands on each other gives way together, and further.
    std::vector<double> heaviest_load(islands_.size(), 0.0);
    for (const Group& at : groups_) heaviest_load[at.island] = std::max(heaviest_load[at.island], at.load);
    for (std::size_t c = 0; c < islands_.size(); ++c) {
      Island& island = islands_[c];
      if (heaviest_load[c] > 0) island.base *= island.press / heaviest_load[c];
      if (!(island.base > 0)) island.base = 1;
      island.time2 = island.base;
    }
  }
  /// Of the two ends of a row, the mass of the one that is heavier to it.
  double heaviest(const Row& row) const {
    double most = 0;
    for (const Row::End& end : row.ends)
      if (const double light = lightness(end); light > 0) most = std::max(most, 1 / light);
    return most;
  }
  /// J M^-1 J^T of one end.
  double lightness(const Row::End& end) const {
    double sum = 0;
    for (std::size_t i = end.first; i < end.last; ++i)
      for (std::size_t j = end.first; j < end.last; ++j) {
        const Group& at = groups_[end.group];
        sum += entries_[i].push * at.inverse[(entries_[i].unknown - at.first) * at.size + entries_[j].unknown - at.first] *
               entries_[j].push;
      }
    return sum;
  }

  // --- forces

  /// Of all parts at a virtual displacement w: by number of rows.
  struct Forces {
    std::vector<double> f;     // of each row
    std::vector<double> N, K;  // of contacts, by held
  };
  double closing(std::size_t row, const std::vector<double>& w) const {
    double sum = 0;
    rows_[row].each([&](std::size_t e) { sum -= entries_[e].seen * w[entries_[e].unknown]; });
    return sum;
  }
  double deflection(const Held& held, std::size_t k, const std::vector<double>& w) const {
    return closing(held.row + k, w) + held.course[k] * islands_[held.island].time2;
  }
  double limit(const Held& held, const Forces& at) const {
    return held.part().hold * (held.part().under_normal ? at.N[held.normal] : 1.0);
  }
  void react(const std::vector<double>& w, bool displaced, Forces& at) const {
    at.f.assign(rows_.size(), 0.0);
    at.N.assign(held_.size(), 0.0);
    at.K.assign(held_.size(), 0.0);
    for (std::size_t h = 0; h < held_.size(); ++h) {
      const Held& held = held_[h];
      const Part& part = held.part();
      const auto moved = [&](std::size_t k) { return displaced ? deflection(held, k, w) : 0.0; };
      switch (held.kind) {
        case Held::Kind::contact: {
          const double depth = held.depth + moved(0);
          if (!held.wanted && held.depth <= 0) break;  // falls on its own
          if (depth > 0) {
            at.N[h] = at.f[held.row] = part.pool->carried(part.index, depth);
            at.K[h] = part.pool->struck_stiffness(part.index, depth).K;
          }
          break;
        }
        case Held::Kind::friction: {
          const double load = part.under_normal ? at.N[held.normal] : 1.0;
          if (held.slides) {
            for (std::size_t k = 0; k < part.count; ++k)
              at.f[held.row + k] = (held.sliding * load + (load > 0 ? held.drag : 0.0)) * held.way[k];
            break;
          }
          const double slip = islands_[held.island].slip;
          double length = 0;
          for (std::size_t k = 0; k < part.count; ++k) {
            at.f[held.row + k] = (held.dragged[k] + moved(k)) / slip;
            length = std::hypot(length, at.f[held.row + k]);
          }
          const double most = part.hold * load / std::max(1.0, length);
          for (std::size_t k = 0; k < part.count; ++k) at.f[held.row + k] *= most;
          break;
        }
        case Held::Kind::joint:
        case Held::Kind::spring:
          for (std::size_t k = 0; k < part.count; ++k) at.f[held.row + k] = held.K * moved(k);
      }
    }
  }
  std::vector<double> total(const Forces& at) const {
    std::vector<double> sum = others_;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (at.f[r] != 0) rows_[r].each([&](std::size_t e) { sum[entries_[e].unknown] += entries_[e].push * at.f[r]; });
    return sum;
  }
  std::vector<double> accelerations(const std::vector<double>& forces) {
    for (std::size_t k = 0; k < force_at_.size(); ++k) force_[force_at_[k]] = forces[k];
    net_.accelerate(force_, motion_);
    std::vector<double> a(forces.size());
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = motion_[velocity_at_[k]] + turning_[velocity_at_[k]];
    return a;
  }

  // --- one step

  /// r = w/T^2 - a and M r, and r M r of each island.
  struct Residual {
    Forces at;
    std::vector<double> force;  // M r
    std::vector<double> merit;
  };
  void residual(const std::vector<double>& w, Residual& left) {
    react(w, true, left.at);
    const std::vector<double> a = accelerations(total(left.at));
    left.force.assign(w.size(), 0.0);
    left.merit.assign(islands_.size(), 0.0);
    for (const Group& at : groups_)
      for (std::size_t i = 0; i < at.size; ++i) {
        double& force = left.force[at.first + i];
        for (std::size_t j = 0; j < at.size; ++j)
          force += at.mass[i * at.size + j] * (w[at.first + j] / islands_[at.island].time2 - a[at.first + j]);
        left.merit[at.island] += force * (w[at.first + i] / islands_[at.island].time2 - a[at.first + i]);
      }
  }

  /// Newton's method, each island by itself; then bodies follow and friction remembers.
  void step() {
    std::vector<double> w(force_at_.size(), 0.0), next, d;
    Residual now, trial;
    residual(w, now);
    const std::size_t n = islands_.size();
    // Down to rounding, or by so much that more is for the next step.
    std::vector<double> enough(n, 0.0);
    for (const Group& at : groups_)
      for (std::size_t k = 0; k < at.size; ++k) enough[at.island] += std::pow(1e-14 * at.load, 2) * at.inverse[k * (at.size + 1)];
    for (std::size_t c = 0; c < n; ++c) enough[c] = std::max(enough[c], 1e-16 * now.merit[c]);
    const std::vector<double> first = now.merit;
    std::vector<bool> done(n, false), stuck(n, false);
    std::vector<double> length(n), best = w, least = first;
    std::vector<int> patience(n, most_leaps);
    const auto island_of = [&](std::size_t k) { return groups_[group_of_unknown_[k]].island; };
    for (int round = 0; round < most_steps && steps_ < most_in_all; ++round, ++steps_) {
      for (std::size_t c = 0; c < n; ++c) done[c] = done[c] || !(now.merit[c] > 1e-28 * first[c]);
      if (std::find(done.begin(), done.end(), false) == done.end()) break;
      assemble(w, now, round == 0);
      d = now.force;
      for (double& number : d) number = -number;
      for (std::size_t c = 0; c < n; ++c) {
        if (done[c]) continue;
        done[c] = lu_->factor(lu_->components()[c]) == 0;
        if (!done[c]) lu_->solve(lu_->components()[c], d);
      }
      // Each island goes as far as takes it down.
      std::vector<bool> settled = done;
      for (std::size_t c = 0; c < n; ++c) length[c] = done[c] ? 0 : 1;
      for (int halving = 0;; ++halving) {
        next = w;
        for (std::size_t k = 0; k < w.size(); ++k)
          if (const double part = length[island_of(k)]; part > 0) next[k] += part * d[k];
        if (std::find(settled.begin(), settled.end(), false) == settled.end()) break;
        residual(next, trial);
        for (std::size_t c = 0; c < n; ++c) {
          if (settled[c]) continue;
          const bool guessed = round == 0 && islands_[c].first && std::isfinite(trial.merit[c]);
          settled[c] = guessed || trial.merit[c] <= (1 - 1e-4 * length[c]) * now.merit[c];
          if (settled[c]) continue;
          length[c] /= 2;
          if (halving < most_halvings) continue;
          // No way down: rounding, or a kink, which is leapt over a few times.
          settled[c] = true;
          done[c] = now.merit[c] <= enough[c] || patience[c]-- == 0;
          length[c] = done[c] ? 0 : 1;
        }
      }
      w = next;
      residual(w, now);
      for (std::size_t k = 0; k < w.size(); ++k)
        if (now.merit[island_of(k)] < least[island_of(k)]) best[k] = w[k];
      for (std::size_t c = 0; c < n; ++c) least[c] = std::min(least[c], now.merit[c]);
    }
    for (std::size_t c = 0; c < n; ++c) stuck[c] = !(least[c] <= enough[c]);
    residual(best, now);
    follow(best, now.at, stuck);
    for (std::size_t c = 0; c < n; ++c) {
      Island& island = islands_[c];
      const bool slow = island.left > 0.1 * island.before && island.left > 1e-12;
      island.before = island.left;
      island.first = island.first && stuck[c];
      if (stuck[c]) island.time2 = std::max(island.time2 / 10, 1e-9 * island.base);
      else if (island.time2 < island.base || slow) island.time2 = std::min(island.time2 * 10, 1e4 * island.base);
    }
  }

  /// The slope of M r.
  void assemble(const std::vector<double>& w, const Residual& now, bool guess) {
    std::span<double> values = lu_->values();
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& at = groups_[g];
      double* const block = &values[place_of_.at({g, g})];
      for (std::size_t k = 0; k < at.size * at.size; ++k) block[k] += at.mass[k] / islands_[at.island].time2;
    }
    const auto add = [&](std::size_t left, std::size_t right, double K) {
      if (K == 0) return;
      for (const Row::End& from : rows_[left].ends)
        for (const Row::End& to : rows_[right].ends) {
          if (from.first == from.last || to.first == to.last) continue;
          const Group &row = groups_[from.group], &column = groups_[to.group];
          double* const block = &values[place_of_.at({from.group, to.group})];
          for (std::size_t i = from.first; i < from.last; ++i)
            for (std::size_t j = to.first; j < to.last; ++j)
              block[(entries_[i].unknown - row.first) * column.size + entries_[j].unknown - column.first] +=
                  entries_[i].push * K * entries_[j].seen;
        }
    };
    const auto slope = [&](std::size_t h) {
      const Held& held = held_[h];
      // At first nothing may touch yet: a contact is as stiff as under its load.
      if (guess && islands_[held.island].first && held.wanted && held.press > now.at.N[h]) return held.K;
      return now.at.K[h];
    };
    for (std::size_t h = 0; h < held_.size(); ++h) {
      const Held& held = held_[h];
      const Part& part = held.part();
      switch (held.kind) {
        case Held::Kind::contact:
          add(held.row, held.row, slope(h));
          break;
        case Held::Kind::joint:
        case Held::Kind::spring:
          for (std::size_t k = 0; k < part.count; ++k) add(held.row + k, held.row + k, held.K);
          break;
        case Held::Kind::friction: {
          const double slip = islands_[held.island].slip;
          const double most = limit(held, now.at);
          std::array<double, 3> s{};
          double length = 0;
          for (std::size_t k = 0; k < part.count; ++k) {
            s[k] = (held.dragged[k] + deflection(held, k, w)) / slip;
            length = std::hypot(length, s[k]);
          }
          for (std::size_t k = 0; k < part.count; ++k) {
            const double share = held.slides ? held.sliding * held.way[k] : part.hold * s[k] / std::max(1.0, length);
            if (part.under_normal) add(held.row + k, held_[held.normal].row, share * slope(held.normal));
            if (held.slides) continue;
            for (std::size_t j = 0; j < part.count; ++j) {
              double K = k == j ? 1 : 0;
              if (length > 1) K = (K - s[k] / length * (s[j] / length)) / length;
              add(held.row + k, held.row + j, most / slip * K);
            }
          }
        }
      }
    }
  }

  /// The smallest motion of the bodies under which contacts and joints give way as under w; friction is dragged. Not where Newton's
  /// method got stuck.
  void follow(const std::vector<double>& w, const Forces& at, const std::vector<bool>& stuck) {
    struct Wanted {
      std::size_t row;
      double by;
    };
    std::vector<Wanted> wanted;
    std::vector<bool> listed(held_.size(), false);
    for (std::size_t h = 0; h < held_.size(); ++h) {
      Held& held = held_[h];
      listed[h] = stuck[held.island];
      if (listed[h]) continue;
      for (std::size_t k = 0; k < held.part().count; ++k)
        if (held.kind == Held::Kind::joint || (held.kind == Held::Kind::contact && at.N[h] > 0))
          wanted.push_back({held.row + k, deflection(held, k, w)}), listed[h] = true;
      if (held.kind != Held::Kind::friction || held.slides) continue;
      double length = 0;
      for (std::size_t k = 0; k < held.part().count; ++k) {
        held.dragged[k] += deflection(held, k, w);
        length = std::hypot(length, held.dragged[k]);
      }
      const double slip = islands_[held.island].slip;
      for (std::size_t k = 0; length > slip && k < held.part().count; ++k) held.dragged[k] *= slip / length;
    }
    std::vector<double> u;
    for (int pass = 0; pass < 4; ++pass) {
      u = smallest(wanted);
      bool more = false;
      for (std::size_t h = 0; h < held_.size(); ++h) {
        const Held& held = held_[h];
        if (held.kind != Held::Kind::contact || listed[h] || at.N[h] > 0) continue;
        const double depth = held.depth + closing(held.row, u);
        // One that opens may not press; one that was open and is not looked for is seen in the next round.
        if (held.depth > 0 ? depth > 1e-9 * held.depth : held.wanted && depth > 1e-3 * islands_[held.island].slip) {
          wanted.push_back({held.row, -held.depth});
          listed[h] = more = true;
        }
      }
      if (!more) break;
    }
    // A rotation is small, or made so.
    for (const Group& g : groups_) {
      if (g.size != 6 || g.pool->in_one_piece()) continue;
      double most = 0;
      for (std::size_t k = 3; k < 6; ++k) most = std::max(most, std::abs(u[g.first + k]));
      if (most > 0.05)
        for (std::size_t k = 0; k < g.size; ++k) u[g.first + k] *= 0.05 / most;
    }
    for (Held& held : held_)
      for (std::size_t k = 0; held.kind == Held::Kind::joint && k < held.part().count; ++k)
        held.given_way[k] += closing(held.row + k, u);
    move(u);
  }

  /// u = M^-1 J^T l with J u = wanted: conjugate gradients on J M^-1 J^T, which has its own diagonal in front.
  template <class Wanted>
  std::vector<double> smallest(const Wanted& wanted) const {
    const std::size_t n = wanted.size();
    std::vector<double> u(force_at_.size(), 0.0), v(u.size()), r(n), z(n), p(n, 0.0), q(n), diagonal(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (const Row::End& end : rows_[wanted[i].row].ends) diagonal[i] += lightness(end);
      r[i] = wanted[i].by;
    }
    double rho = 0, first = 0;
    for (std::size_t round = 0; round < std::min<std::size_t>(4 * n + 20, 2000); ++round) {
      const double before = rho;
      rho = 0;
      for (std::size_t i = 0; i < n; ++i) z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0, rho += z[i] * r[i];
      if (round == 0) first = rho;
      if (!(rho > 1e-24 * first)) break;
      for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + (round ? rho / before * p[i] : 0);
      std::vector<double> push(u.size(), 0.0);
      for (std::size_t i = 0; i < n; ++i)
        rows_[wanted[i].row].each([&](std::size_t e) { push[entries_[e].unknown] -= entries_[e].push * p[i]; });
      for (const Group& g : groups_)
        for (std::size_t i = 0; i < g.size; ++i) {
          v[g.first + i] = 0;
          for (std::size_t j = 0; j < g.size; ++j) v[g.first + i] += g.inverse[i * g.size + j] * push[g.first + j];
        }
      double curvature = 0;
      for (std::size_t i = 0; i < n; ++i) {
        q[i] = 0;
        rows_[wanted[i].row].each([&](std::size_t e) { q[i] -= entries_[e].push * v[entries_[e].unknown]; });
        curvature += p[i] * q[i];
      }
      if (!(curvature > 0)) break;
      const double along = rho / curvature;
      for (std::size_t k = 0; k < u.size(); ++k) u[k] += along * v[k];
      for (std::size_t i = 0; i < n; ++i) r[i] -= along * q[i];
    }
    return u;
  }

  /// The bodies' own rate of position under the velocity u, for one second.
  void move(const std::vector<double>& u) {
    std::vector<double> moving(net_.still().state, net_.still().state + net_.state.size()), xdot(net_.state.size(), 0.0);
    for (std::size_t k = 0; k < u.size(); ++k) moving[velocity_at_[k]] = u[k];
    for (const BodyPool* pool : net_.bodies) {
      if (pool->is_given) continue;
      pool->kinematics(moving.data(), xdot.data());
      for (std::size_t c = 0; c < pool->velocity_column(0); ++c)
        for (std::size_t i = 0; i < pool->count(); ++i) net_.state[pool->motion.at(c, i)] += xdot[pool->motion.at(c, i)];
      pool->tidy(net_.state.data());
    }
    net_.set_up();
  }

  // --- what is left

  struct Left {
    double acceleration = 0, force = 0, load = 0, bound = 0;  // load: of the bodies
    bool holds = false;
  };
  Left left_of(const Held& held, std::size_t h) const {
    const Part& part = held.part();
    Left left;
    if (held.kind == Held::Kind::spring || held.slides) return left;
    std::array<double, 3> rel{}, f{};
    double size = 0, length = 0;
    for (std::size_t k = 0; k < part.count; ++k) {
      rel[k] = closing(held.row + k, acceleration_) + held.course[k];
      f[k] = now_.f[held.row + k];
      size = std::hypot(size, rel[k]);
      length = std::hypot(length, f[k]);
    }
    double reach = 0;
    for (std::size_t k = 0; k < part.count; ++k)
      rows_[held.row + k].each([&](std::size_t e) {
        left.load = std::max(left.load, groups_[group_of_unknown_[entries_[e].unknown]].load);
        reach = std::max(reach, std::abs(entries_[e].push));
      });
    double stiff = held.kind == Held::Kind::contact ? now_.K[h] : held.kind == Held::Kind::joint ? held.K : 0;
    for (const End* end : {&part.pool->a, &part.pool->b})
      for (std::size_t c = 0; end->bodies && c < end->bodies->velocity_column(0); ++c)
        reach = std::max(reach, std::abs(end->bodies->motions(net_.still())[end->bodies->motion.at(c, end->index[part.index])]));
    left.bound = balanced * left.load + 64 * rounding * reach * stiff;
    if (held.kind == Held::Kind::contact) {
      if (!held.wanted && held.depth <= 0) return left;
      if (rel[0] < 0) size = std::min(size, now_.N[h] / part.mass);  // one that opens must carry nothing
      left.holds = true;
    } else if (held.kind == Held::Kind::friction) {
      const double most = limit(held, now_);
      if (!(most > 0)) return left;
      left.holds = length < most * (1 - 1e-9);
      if (!left.holds) {
        double along = 0, across = 0;
        for (std::size_t k = 0; k < part.count; ++k) along += rel[k] * f[k] / length;
        for (std::size_t k = 0; k < part.count; ++k) across = std::hypot(across, rel[k] - std::max(0.0, along) * f[k] / length);
        size = across;
      }
    } else {
      left.holds = true;
    }
    left.acceleration = size;
    left.force = size * part.mass;
    return left;
  }

  /// Forces and accelerations as they are; the largest share of the forces on its bodies that a part is out of balance by.
  double measure() {
    react({}, false, now_);
    const std::vector<double> forces = total(now_);
    acceleration_ = accelerations(forces);
    for (Group& g : groups_) {
      g.load = g.noise = 0;
      const std::size_t numbers = g.size == 6 && !g.pool->in_one_piece() ? 3 : g.size;
      for (std::size_t i = 0; i < numbers; ++i) {
        // Inputs and springs, and weight: what accelerates it at rest but for these.
        double inertia = 0;
        for (std::size_t j = 0; j < g.size; ++j) inertia += g.mass[i * g.size + j] * acceleration_[g.first + j];
        g.load += std::abs(others_[g.first + i]) + std::abs(inertia - forces[g.first + i]);
      }
    }
    for (const Held& held : held_)
      for (std::size_t k = 0; k < held.part().count; ++k)
        for (const Row::End& end : rows_[held.row + k].ends)
          if (end.group != none) groups_[end.group].load += std::abs(now_.f[held.row + k]);
    double most = 0;
    for (Island& island : islands_) island.left = 0;
    within_ = true;
    for (std::size_t h = 0; h < held_.size(); ++h) {
      const Left left = left_of(held_[h], h);
      if (!std::isfinite(left.force)) return infinity;
      const double share = left.load > 0 ? left.force / left.load : left.force > 0 ? 1 : 0;
      within_ = within_ && left.force <= left.bound;
      islands_[held_[h].island].left = std::max(islands_[held_[h].island].left, share);
      for (const Row::End& end : rows_[held_[h].row].ends)
        if (end.group != none) groups_[end.group].noise += left.bound;
      most = std::max(most, share);
    }
    return most;
  }

  /// Whether an island has lost half of what moves it: a M a, which falls to that of what cannot be held.
  bool come_nearer() {
    std::vector<double> sum(islands_.size(), 0.0);
    for (const Group& at : groups_)
      for (std::size_t i = 0; i < at.size; ++i)
        for (std::size_t j = 0; j < at.size; ++j)
          sum[at.island] += acceleration_[at.first + i] * at.mass[i * at.size + j] * acceleration_[at.first + j];
    bool any = false;
    for (std::size_t c = 0; c < islands_.size(); ++c)
      if (sum[c] < 0.5 * islands_[c].moved_by) any = true, islands_[c].moved_by = sum[c];
    return any;
  }

  [[noreturn]] static void fail(const std::string& component, double value, double bound, const std::string& text) {
    throw SetUpError({{component, Warning::Kind::preload, value, bound, text, {}, true}});
  }
  [[noreturn]] static void fail_at(const Part& part, std::string_view what) {
    fail(part.name(), 0, 0, fmt::format("{}: cannot be preloaded: {}", part.name(), what));
  }
  static std::string body_name(const Group& g, std::size_t k = 0) {
    return g.pool->names[g.body + (g.pool->in_one_piece() ? k : 0)];
  }

  void verify(Preload& found) const {
    for (const double number : net_.state)
      if (!std::isfinite(number)) fail("preload", number, 0, "preload: the start is no finite number after it");
    const Held* worst = nullptr;
    Left most;
    for (std::size_t h = 0; h < held_.size(); ++h) {
      const Left left = left_of(held_[h], h);
      if (left.holds) found.residual = std::max(found.residual, left.acceleration);
      if (!(left.force <= left.bound) && (!worst || left.force / left.bound > most.force / most.bound))
        worst = &held_[h], most = left;
    }
    if (worst) {
      const Part& part = worst->part();
      std::string body;
      rows_[worst->row].each([&](std::size_t e) {
        const Group& at = groups_[group_of_unknown_[entries_[e].unknown]];
        if (body.empty()) body = body_name(at, entries_[e].unknown - at.first);
      });
      const std::string unit = part.turns ? "N m" : "N";
      fail(part.name(), most.force, most.bound,
           fmt::format("{}: preload found no balance for {}: {} of its force is left over: must be <= {}; start nearer to rest, or "
                       "without preload",
                       part.name(), body, amount(most.force, unit), amount(most.bound, unit)));
    }
    how_far();
  }

  /// Bodies that were moved farther than what is under them gives way.
  void how_far() const {
    std::vector<double> give(islands_.size(), 0.0);
    std::vector<std::size_t> steps(groups_.size(), none), walk;
    std::vector<std::vector<std::size_t>> beside(groups_.size());
    for (std::size_t h = 0; h < held_.size(); ++h) {
      const Held& held = held_[h];
      if (held.kind == Held::Kind::contact) give[held.island] = std::max(give[held.island], now_.N[h] > 0 ? held.depth : 0);
      else if (held.kind == Held::Kind::joint) {
        double length = 0;
        for (std::size_t k = 0; k < held.part().count; ++k) length = std::hypot(length, held.given_way[k]);
        give[held.island] = std::max(give[held.island], length);
      } else continue;
      const auto [one, other] = rows_[held.row].ends;
      if (other.group == none) {
        if (steps[one.group] == none) steps[one.group] = 1, walk.push_back(one.group);
      } else {
        beside[one.group].push_back(other.group), beside[other.group].push_back(one.group);
      }
    }
    for (std::size_t next = 0; next < walk.size(); ++next)
      for (const std::size_t other : beside[walk[next]])
        if (steps[other] == none) steps[other] = steps[walk[next]] + 1, walk.push_back(other);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& at = groups_[g];
      const std::size_t numbers = at.pool->in_one_piece() ? 1 : at.size == 6 ? 3 : at.size;
      for (std::size_t b = 0; b < (at.pool->in_one_piece() ? at.pool->count() : 1); ++b) {
        double moved = 0, reach = 0;
        for (std::size_t c = 0; c < numbers; ++c) {
          const std::size_t x = at.pool->motion.at(c, at.body + b);
          moved = std::hypot(moved, net_.state[x] - start_[x]);
          reach = std::max(reach, std::abs(start_[x]));
        }
        const double hops = steps[g] == none ? double(walk.size() + 1) : double(steps[g]);
        const double bound = farthest * hops * give[at.island] + 16 * rounding * reach;
        if (moved <= bound) continue;
        const std::string unit = at.pool->turns ? "rad" : "m";
        fail(body_name(at, b), moved, bound,
             fmt::format(
                 "{}: preload would move it by {}, but what is under it gives way by {} only: must be <= {}; start it where its "
                 "contacts just touch",
                 body_name(at, b), amount(moved, unit), amount(give[at.island], unit), amount(bound, unit)));
      }
    }
  }

  /// The states in which the laws have these forces.
  void rest() {
    std::vector<double> f;
    for (std::size_t h = 0; h < held_.size();) {
      const ElementPool* const pool = held_[h].part().pool;
      const std::size_t index = held_[h].part().index;
      f.assign(pool->force_numbers(), 0.0);
      for (; h < held_.size() && held_[h].part().pool == pool && held_[h].part().index == index; ++h) {
        const Held& held = held_[h];
        if (held.kind == Held::Kind::spring || held.kind == Held::Kind::joint) continue;
        for (std::size_t k = 0; k < held.part().count; ++k)
          f[held.part().first + k] = held.slides ? held.sliding * load_on(held) * held.way[k] : now_.f[held.row + k];
      }
      pool->rest(net_.still(), index, f.data(), net_.state.data());
    }
  }
  double load_on(const Held& held) const { return held.part().under_normal ? now_.N[held.normal] : 1.0; }

  // --- what cannot stand still

  void say_what_strikes(Preload& found) const {
    std::vector<double> speed;
    for (const std::size_t p : strikes_) {
      const Part& part = net_.parts[p];
      speed.assign(part.pool->force_numbers(), 0.0);
      part.pool->relative(net_.moving(), part.index, speed.data());
      found.notes.push_back({part.name(), Warning::Kind::start, std::abs(speed[0]), 0,
                             fmt::format("{}: {} at {} at the start: not preloaded", part.name(), speed[0] > 0 ? "closes" : "opens",
                                         amount(std::abs(speed[0]), part.turns ? "rad/s" : "m/s"))});
    }
  }

  void say_what_moves(Preload& found) const {
    struct Seen {
      bool held = false, slides = false, slips = false;
      double hold = 0;
      std::string_view unit = "N";  // of that
    };
    std::vector<Seen> seen(force_at_.size());
    for (const Held& held : held_) {
      if (held.kind == Held::Kind::spring) continue;
      const Part& part = held.part();
      double length = 0;
      for (std::size_t k = 0; k < part.count; ++k) length = std::hypot(length, now_.f[held.row + k]);
      const bool slips = held.kind == Held::Kind::friction && !held.slides && length >= limit(held, now_) * (1 - 1e-9) &&
                         length > 1e-9 * islands_[held.island].press;
      for (const Row::End& end : rows_[held.row].ends)
        if (end.group != none) {
          Seen& of = seen[body_at(groups_[end.group], end.first)];
          const std::size_t normal = held.kind == Held::Kind::contact ? std::size_t(&held - held_.data()) : held.normal;
          of.held = of.held || (!part.unilateral && !part.under_normal) || now_.N[normal] > 0;
          if (slips) of.unit = part.turns ? "N m" : "N";
          of.slides = of.slides || held.slides;
          of.slips = of.slips || slips;
          of.hold += slips ? length : 0;
        }
    }
    const bool shaken = std::any_of(courses_.begin(), courses_.end(), [](double a) { return a != 0; });
    for (const Group& at : groups_) {
      const bool whole = at.pool->in_one_piece();
      const std::size_t bodies = whole ? at.pool->count() : 1, numbers = at.size / bodies;
      for (std::size_t b = 0; b < bodies; ++b) {
        const Seen& of = seen[at.first + b * numbers];
        if (!of.held || (shaken && !of.slides && !of.slips)) continue;
        double centre = 0, turn = 0;
        for (std::size_t k = 0; k < numbers; ++k) {
          double& to = k < 3 ? centre : turn;
          to = std::hypot(to, acceleration_[at.first + b * numbers + k]);
        }
        // More than what rounding and the balance leave over of the forces on it.
        const double least = 1e-6 * at.load + at.noise, light = at.inverse[b * numbers * (at.size + 1)];
        const bool goes = centre > least * light, turns = turn > least * std::sqrt(light * at.inverse.back());
        if (!goes && !(numbers == 6 && turns)) continue;
        const std::string unit = at.pool->turns ? "rad/s^2" : "m/s^2";
        std::string how = goes ? amount(centre, unit) : "";
        if (numbers == 6 && turns) how += (goes ? " and " : "") + amount(turn, "rad/s^2");
        const std::string name = body_name(at, b);
        std::string text;
        if (of.slides) text = fmt::format("slides at the start: its friction starts at its limit, and it accelerates at {}", how);
        else if (of.slips)
          text = fmt::format("cannot be held: its friction starts at its limit, {}, and it accelerates at {}",
                             amount(of.hold, of.unit), how);
        else text = fmt::format("is not held in every direction: it starts to move at {}", how);
        found.notes.push_back({name, Warning::Kind::start, std::max(centre, turn), 0, fmt::format("{}: {}", name, text)});
      }
    }
  }
  /// The first unknown of the body that an entry belongs to.
  std::size_t body_at(const Group& at, std::size_t entry) const {
    const std::size_t numbers = at.pool->in_one_piece() ? at.size / at.pool->count() : at.size;
    return at.first + (entries_[entry].unknown - at.first) / numbers * numbers;
  }

  Network& net_;
  int steps_ = 0;
  bool within_ = false;  // what is left over is below its bound everywhere
  std::vector<double> start_;
  std::map<const ElementPool*, Role> roles_;
  std::vector<Held> held_;
  std::vector<std::size_t> strikes_;  // parts that do not rest
  std::vector<Group> groups_;
  std::vector<Island> islands_;
  std::optional<BlockLu> lu_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> place_of_;
  std::vector<std::size_t> force_at_, velocity_at_, group_of_unknown_, unknown_of_force_;
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
  std::vector<double> others_, courses_, turning_, acceleration_;
  Forces now_;
  std::vector<double> force_, motion_, scratch_, unloaded_, unused_;
};

/// What is true of many is said once.
std::vector<Warning> gathered(std::vector<Warning> all) {
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

Preload preload(Network& network) {
  Preload found = Equilibrium(network).find();
  found.notes = gathered(std::move(found.notes));
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
