// Steps of a preload: forces at a virtual displacement, Newton's method, and the bodies that follow.
#include <algorithm>
#include <cmath>

#include "equilibrium.hpp"

namespace asperity {
namespace {

using Part = Network::Part;
constexpr int most_steps = 60, most_halvings = 12, most_leaps = 12;

}  // namespace

double Equilibrium::closing(std::size_t row, const std::vector<double>& w) const {
  double sum = 0;
  rows_[row].each([&](std::size_t e) { sum -= entries_[e].seen * w[entries_[e].unknown]; });
  return sum;
}

double Equilibrium::deflection(const Held& held, std::size_t k, const std::vector<double>& w) const {
  return closing(held.row + k, w) + held.course[k] * islands_[held.island].time2;
}

double Equilibrium::limit(const Held& held, const Forces& at) const {
  return held.part().hold * (held.part().under_normal ? at.N[held.normal] : 1.0);
}

void Equilibrium::react(const std::vector<double>& w, bool displaced, Forces& at) const {
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

std::vector<double> Equilibrium::total(const Forces& at) const {
  std::vector<double> sum = others_;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (at.f[r] != 0) rows_[r].each([&](std::size_t e) { sum[entries_[e].unknown] += entries_[e].push * at.f[r]; });
  return sum;
}

std::vector<double> Equilibrium::accelerations(const std::vector<double>& forces) {
  for (std::size_t k = 0; k < force_at_.size(); ++k) force_[force_at_[k]] = forces[k];
  net_.accelerate(force_, motion_);
  std::vector<double> a(forces.size());
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = motion_[velocity_at_[k]] + turning_[velocity_at_[k]];
  return a;
}

void Equilibrium::residual(const std::vector<double>& w, Residual& left) {
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

void Equilibrium::step() {
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

void Equilibrium::assemble(const std::vector<double>& w, const Residual& now, bool guess) {
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

void Equilibrium::follow(const std::vector<double>& w, const Forces& at, const std::vector<bool>& stuck) {
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

std::vector<double> Equilibrium::smallest(const std::vector<Wanted>& wanted) const {
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

void Equilibrium::move(const std::vector<double>& u) {
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

}  // namespace asperity
