#include "asperity/system/preload.hpp"

#include <cmath>
#include <set>

namespace asperity {
namespace {

using Part = Network::Part;

class Equilibrium {
 public:
  explicit Equilibrium(Network& network) : net_(network) {}

  Preload find() {
    Preload found;
    double before = std::numeric_limits<double>::infinity();
    f_.assign(net_.numbers, 0.0);
    choose();
    for (found.rounds = 1; found.rounds <= 50; ++found.rounds) {
      balance(false);
      const double missed = compress();
      if (missed == 0 || (missed < 1e-8 && missed > before / 2)) break;  // what is left is rounding
      before = missed;
    }
    // The compression is what rounding made of it; friction balances the rest.
    balance(true);
    for (const std::size_t p : solved_) {
      const Part& part = net_.parts[p];
      std::size_t first = part.number - part.first;
      part.pool->rest(net_.still(), part.index, &f_[first], net_.state.data());
      if (holds(part)) found.residual = std::max(found.residual, left_over(part));
    }
    return found;
  }

 private:
  double load_on(const Part& part) const { return part.under_normal ? f_[part.number - part.first] : 1.0; }
  bool holds(const Part& part) const {
    double length = 0;
    for (std::size_t k = 0; k < part.count; ++k) length = std::hypot(length, f_[part.number + k]);
    return part.unilateral ? length > 0 : length < part.hold * load_on(part) * (1 - 1e-9);
  }
  /// Relative acceleration under the forces as they are.
  const std::vector<double>& acceleration(const Part& part) {
    net_.accelerate_ends(*part.pool, part.index, force_, motion_);
    seen_.resize(part.pool->force_numbers());
    part.pool->relative(net_.seen(motion_), part.index, seen_.data());
    return seen_;
  }
  double left_over(const Part& part) {
    const std::vector<double>& a = acceleration(part);
    double length = 0;
    for (std::size_t k = 0; k < part.count; ++k) length = std::hypot(length, a[part.first + k]);
    return length;
  }

  /// The parts whose force is looked for: friction that holds, contacts that touch or nearly do.
  void choose() {
    motion_ = net_.state;
    force_.assign(net_.force_numbers, 0.0);
    net_.add_pushes(0, force_);
    net_.accelerate(force_, motion_);
    const auto hardest = [&](const End& end, std::size_t i) {
      double most = 0;
      if (end.bodies && !end.bodies->is_given)
        for (std::size_t c = end.bodies->velocity_column(0); c < end.bodies->motion_numbers(); ++c)
          most = std::max(most, std::abs(motion_[end.bodies->motion.at(c, end.index[i])]));
      return most;
    };
    const auto near = [&](const Part& part) {
      const double press = part.mass * (hardest(part.pool->a, part.index) + hardest(part.pool->b, part.index));
      return part.pool->gap(net_.still(), part.index) <= 2 * part.pool->indentation(part.index, press);
    };
    bool touching = true;
    for (std::size_t p = 0; p < net_.parts.size(); ++p) {
      const Part& part = net_.parts[p];
      if (part.mass == std::numeric_limits<double>::infinity()) continue;
      if (part.unilateral) {
        touching = near(part);
        if (touching) solved_.push_back(p);
      } else if (part.under_normal ? touching : part.hold > 0) {
        solved_.push_back(p);
      }
    }
  }

  /// What acts besides the forces that are looked for: inputs, springs, friction that cannot hold.
  void act_of_others() {
    force_.assign(net_.force_numbers, 0.0);
    net_.add_pushes(0, force_);
    std::vector<double> unloaded(net_.still().state, net_.still().state + net_.state.size()), unused(net_.state.size());
    std::set<const ElementPool*> contacts;
    for (const Part& part : net_.parts) {
      if (part.unilateral) contacts.insert(part.pool);
      else if (part.hold > 0 && part.index == 0) part.pool->write_start(unloaded.data());
    }
    for (const ElementPool* pool : net_.elements)
      if (!contacts.contains(pool) && !pool->about().discrete)
        pool->react({unloaded.data(), net_.still().given}, 0, force_.data(), unused.data());
  }

  /// Projected Gauss-Seidel: each part in turn takes the force that stops its relative acceleration, within its limit.
  void balance(bool normals_are_known) {
    act_of_others();
    motion_ = still();
    std::vector<double> slip;
    for (const std::size_t p : solved_) {
      const Part& part = net_.parts[p];
      if (part.unilateral) f_[part.number] = part.pool->resting_force(net_.still(), part.index);
    }
    std::size_t first = 0;
    for (const ElementPool* pool : net_.elements)
      for (std::size_t i = 0; i < pool->count(); ++i, first += pool->force_numbers())
        pool->push(net_.still(), i, &f_[first], force_.data());
    for (int sweep = 0; sweep < 20000; ++sweep) {
      double change = 0, size = 0;
      for (const std::size_t p : solved_) {
        const Part& part = net_.parts[p];
        if (part.unilateral && normals_are_known) continue;
        const std::vector<double>& a = acceleration(part);
        change_.assign(part.pool->force_numbers(), 0.0);
        double length = 0, speed = 0;
        slip.assign(part.pool->force_numbers(), 0.0);
        part.pool->relative(net_.moving(), part.index, slip.data());
        for (std::size_t k = part.first; k < part.first + part.count; ++k) {
          change_[k] = f_[part.number - part.first + k] + part.mass * a[k];
          length = std::hypot(length, change_[k]);
          speed = std::hypot(speed, slip[k]);
        }
        if (part.unilateral) {
          change_[part.first] = std::max(0.0, change_[part.first]);
        } else if (speed > 0) {
          for (std::size_t k = part.first; k < part.first + part.count; ++k)
            change_[k] = part.slide * load_on(part) * slip[k] / speed;
        } else if (const double limit = part.hold * load_on(part); length > limit) {
          for (std::size_t k = part.first; k < part.first + part.count; ++k) change_[k] *= limit / length;
        }
        for (std::size_t k = part.first; k < part.first + part.count; ++k) {
          double& f = f_[part.number - part.first + k];
          const double next = change_[k];
          change_[k] = next - f;
          f = next;
          change = std::max(change, std::abs(change_[k]));
          size = std::max(size, std::abs(f));
        }
        part.pool->push(net_.still(), part.index, change_.data(), force_.data());
      }
      if (change <= 1e-14 * size) break;
    }
  }

  struct Contact {
    const Part* part;
    double K, missing;  // what it carries over its indentation, how much deeper it has to go
  };

  /// Moves the bodies so that contacts are indented by what they carry. Of several contacts that could share a load in many ways
  /// the indentations decide: the contacts are springs under the resultant of their forces. One that would have to pull opens, and
  /// the next round balances without it. Returns how far they were from what they should carry, in units of the largest force.
  double compress() {
    std::vector<Contact> contacts;
    double largest = 0, missed = 0;
    for (const std::size_t p : solved_)
      if (net_.parts[p].unilateral) largest = std::max(largest, f_[net_.parts[p].number]);
    for (const std::size_t p : solved_) {
      const Part& part = net_.parts[p];
      if (!part.unilateral) continue;
      const double N = f_[part.number];
      missed = std::max(missed, std::abs(N - part.pool->resting_force(net_.still(), part.index)));
      if (!(N > 1e-9 * largest)) continue;
      const double depth = part.pool->indentation(part.index, N);
      contacts.push_back({&part, N / depth, depth + part.pool->gap(net_.still(), part.index)});
    }
    if (missed == 0 || contacts.empty()) return 0;
    move(shift(contacts));
    return missed / largest;
  }

  /// How much a motion closes a contact.
  double closing(const Contact& c, const std::vector<double>& motion) {
    seen_.resize(c.part->pool->force_numbers());
    c.part->pool->relative(net_.seen(motion), c.part->index, seen_.data());
    return seen_[0];
  }

  template <class F>
  void each_velocity(F&& f) const {
    for (const BodyPool* pool : net_.bodies)
      for (std::size_t c = 0; !pool->is_given && c < pool->force_numbers(); ++c)
        for (std::size_t i = 0; i < pool->count(); ++i) f(pool->motion.at(pool->velocity_column(c), i), pool->force.at(c, i));
  }

  /// The motion q, in the place of velocities, with J^T K J q = J^T K missing: by conjugate gradients, with the bodies' own M^-1 in
  /// front, which keep q as small as masses allow.
  std::vector<double> shift(const std::vector<Contact>& contacts) {
    std::vector<double> q = still(), p = q, z = q, g(net_.force_numbers), e, Jp(contacts.size());
    for (const Contact& c : contacts) e.push_back(c.K * c.missing);
    double rho = 0, first_rho = 0;
    for (std::size_t round = 0; round <= 10 * contacts.size() + 20; ++round) {
      g.assign(g.size(), 0.0);
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        change_.assign(contacts[i].part->pool->force_numbers(), 0.0);
        change_[0] = e[i];
        contacts[i].part->pool->push(net_.still(), contacts[i].part->index, change_.data(), g.data());
      }
      net_.accelerate(g, z);
      net_.subtract_idle(z);
      const double last = rho;
      rho = 0;
      each_velocity([&](std::size_t v, std::size_t f) { rho += g[f] * z[v]; });
      if (round == 0) first_rho = rho;
      if (!(rho > 1e-30 * first_rho)) break;
      // A push acts against the motion that it is conjugate to.
      each_velocity([&](std::size_t v, std::size_t) { p[v] = -z[v] + (round ? rho / last * p[v] : 0); });
      double curvature = 0;
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        Jp[i] = closing(contacts[i], p);
        curvature += contacts[i].K * Jp[i] * Jp[i];
      }
      if (!(curvature > 0)) break;
      const double length = rho / curvature;
      each_velocity([&](std::size_t v, std::size_t) { q[v] += length * p[v]; });
      for (std::size_t i = 0; i < contacts.size(); ++i) e[i] -= length * contacts[i].K * Jp[i];
    }
    return q;
  }

  /// The bodies' own rate of position under the velocity q, for one second.
  void move(const std::vector<double>& moving) {
    std::vector<double> xdot(net_.state.size()), none(net_.force_numbers);
    for (const BodyPool* pool : net_.bodies) {
      if (pool->is_given) continue;
      pool->rate(moving.data(), none.data(), xdot.data());
      for (std::size_t c = 0; c < pool->velocity_column(0); ++c)
        for (std::size_t i = 0; i < pool->count(); ++i) net_.state[pool->motion.at(c, i)] += xdot[pool->motion.at(c, i)];
      pool->tidy(net_.state.data());
    }
    net_.set_up();
  }

  std::vector<double> still() const { return {net_.still().state, net_.still().state + net_.state.size()}; }

  Network& net_;
  std::vector<std::size_t> solved_;  // parts
  std::vector<double> f_;            // forces of the elements, number by number
  std::vector<double> force_, motion_, seen_, change_;
};

}  // namespace

Preload preload(Network& network) { return Equilibrium(network).find(); }

}  // namespace asperity
