// The equations of a preload: bodies, masses, rows of J, lengths and times.
#include <algorithm>
#include <cmath>

#include "equilibrium.hpp"

namespace asperity {
namespace {

using Part = Network::Part;

}  // namespace

void Equilibrium::group() {
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

void Equilibrium::weigh() {
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

std::vector<double> Equilibrium::inverted(std::size_t n, std::vector<double> a) {
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

void Equilibrium::place() {
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

void Equilibrium::see_by_springs() {
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

std::vector<double> Equilibrium::product(std::size_t n, const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) c[i] += a[i * n + j] * b[j];
  return c;
}

double Equilibrium::dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

bool Equilibrium::moves(const Held& held) { return held.kind == Held::Kind::contact || held.kind == Held::Kind::joint; }

void Equilibrium::scale() {
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

double Equilibrium::heaviest(const Row& row) const {
  double most = 0;
  for (const Row::End& end : row.ends)
    if (const double light = lightness(end); light > 0) most = std::max(most, 1 / light);
  return most;
}

double Equilibrium::lightness(const Row::End& end) const {
  double sum = 0;
  for (std::size_t i = end.first; i < end.last; ++i)
    for (std::size_t j = end.first; j < end.last; ++j) {
      const Group& at = groups_[end.group];
      sum += entries_[i].push * at.inverse[(entries_[i].unknown - at.first) * at.size + entries_[j].unknown - at.first] *
             entries_[j].push;
    }
  return sum;
}

}  // namespace asperity
