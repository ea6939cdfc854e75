// The implicit methods. Both are made of implicit Euler stages, each solved by StageSolver with the look-ahead tau of its length:
//   implicit   one stage over h
//   implicit2  two stages of length g h, g = 1 - 1/sqrt 2: X1 = x + g h k1,  X2 = x + (1 - g) h k1 + g h k2,  x+ = X2
//              (SDIRK of order 2, L-stable, stiffly accurate: alexander1977)
// While an element sticks, its state and its bodies move by the same sums of the same velocities: the held point stays.
#include <algorithm>
#include <array>
#include <utility>

#include "asperity/integrate/stage.hpp"
#include "implicit_solver.hpp"
#include "on_grid.hpp"

namespace asperity::detail {
namespace {

constexpr double gamma = implicit2_stage;
constexpr int most_halvings = 20;
constexpr double gain_share = 0.1;  // of the kinetic energy, and of what gravity and pushes give in a part, that a part may gain
constexpr int most_for_energy = 6;  // halvings of a part that gains more; what gains still is a property of the law
/// Iterations of a step that lead nowhere, at most: a second or so of a few bodies.
long most_lost(std::size_t unknowns) { return 2000 + 400000 / long(20 + unknowns); }
/// Parts of steps at once, at most: the more unknowns, the longer one takes.
long most_parts(std::size_t unknowns) { return 10000 + long(2e6 / (10 + double(unknowns) * double(unknowns))); }
/// And on average in each step: where impacts would take more, they are not resolved, and counted.
long parts_of_a_step(std::size_t unknowns) { return std::max(16L, long(1024 * std::min(1.0, 36 / std::pow(double(unknowns), 2)))); }
/// The same over many steps: a step may lead nowhere at times, not always.
constexpr long lost_per_step = 50;
constexpr long steps_of_loss = 4;
// Strikes of implicit2:
constexpr int finest_impact = 16;        // halvings of the step, at most
constexpr double missed_share = 5e-4;    // of the speed of a strike, that the stages of a part may differ by
constexpr double turned_share = 0.25;    // of it, that a part may change: on longer ones the stages may agree by chance
constexpr double slowest_strike = 1e-3;  // m/s
constexpr double standing = 1e-9;        // m/s

/// Any rate: all of the state is solved for, and the elements do not look ahead.
class PlainModel final : public StepModel {
 public:
  PlainModel(RateFunction rate, std::size_t states) : rate_(std::move(rate)) {
    groups.emplace_back();
    first_position = {0, 0};
    for (std::size_t i = 0; i < states; ++i) groups.back().push_back(i);
    masses.assign(states, 1.0);
    group_of.assign(states, 0);
    look_ahead = false;
  }
  void rate(double t, std::span<const double> x, double tau, std::span<double> xdot) override { rate_(t, x, tau, xdot); }
  void rate(double, std::span<const Dual8>, double, std::span<Dual8>) override {}
  bool has_derivatives() const override { return false; }
  void free_rate(double, std::span<const double>, std::span<double> xdot) override { std::fill(xdot.begin(), xdot.end(), 0.0); }
  void kinematics(std::span<const double>, std::span<double>) const override {}
  void kinematics(std::span<const Dual8>, std::span<Dual8>) const override {}
  void tidy(std::span<double>) const override {}
  void tidy(std::span<Dual8>) const override {}

 private:
  RateFunction rate_;
};

class Implicit final : public OnGrid {
 public:
  Implicit(int order, RateFunction rate, IntegratorOptions options) : OnGrid(std::move(rate), std::move(options)), order_(order) {}

  std::string_view method() const noexcept override { return order_ == 1 ? "implicit" : "implicit2"; }

  std::span<const double> knots() const noexcept override { return knot_times_; }

  std::vector<double> kept() const override { return {double(parts_left_), double(lost_before_)}; }
  void keep(std::span<const double> kept) override {
    if (kept.size() == 2) parts_left_ = long(kept[0]), lost_before_ = long(kept[1]);
  }

  /// Positions by a cubic through the velocities, all else on a straight line: a stiff rate at the ends says nothing about between.
  /// A rate that has no positions is believed.
  void interpolate(double t, std::span<double> x) override {
    if (t_ == t_before_) return void(std::copy(x_.begin(), x_.end(), x.begin()));
    const Piece piece = piece_at(t);
    for (std::size_t i = 0; i < x_.size(); ++i) x[i] = curved_[i] ? curved(piece, i) : straight(piece, i);
  }
  void interpolate(double t, std::span<const std::size_t> entries, std::span<double> x) override {
    if (t_ == t_before_) return void(std::copy(x_.begin(), x_.end(), x.begin()));
    const Piece piece = piece_at(t);
    for (const std::size_t i : entries) x[i] = curved_[i] ? curved(piece, i) : straight(piece, i);
  }

 protected:
  void prepare() override {
    model_ = options_.step_model ? options_.step_model() : std::make_unique<PlainModel>(rate_, x_.size());
    solver_ = std::make_unique<StageSolver>(*model_, x_.size());
    for (auto* list : {&base_, &turn_, &next_, &k1_, &k2_, &free_, &rate_before_, &rate_end_, &first_stage_})
      list->assign(x_.size(), 0.0);
    find_stages();
    std::vector<bool> moves(x_.size());
    for (const auto& group : model_->groups)
      for (const std::size_t i : group) moves[i] = true;
    most_lost_ = most_lost(model_->masses.size());
    lost_before_ = 0;
    parts_left_ = most_parts_ = most_parts(model_->masses.size());
    parts_per_step_ = parts_of_a_step(model_->masses.size());
    for (const std::size_t i : model_->positions) moves[i] = true;
    own_states_.clear();
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (!moves[i]) own_states_.push_back(i);
    for (auto* list : {&gap_before_, &gap_, &speed_before_, &speed_, &missed_, &brake_, &early_, &fall_, &speed_of_strike_})
      list->assign(model_->contacts, 0.0);
    // As many as a strike takes, unless the world is large.
    knot_times_.reserve(512);
    knots_.reserve(x_.size() * std::min<std::size_t>(512, 1000000 / std::max<std::size_t>(1, x_.size())));
    knot_times_.clear();
    knots_.clear();
    have_end_rates_ = false;
    curved_.assign(x_.size(), !model_->look_ahead);
    for (const std::size_t i : model_->positions) curved_[i] = true;
  }

  /// In parts of h/2^k: cut where Newton's method does not converge and where a contact is hit, doubled again after that.
  void move(double h) override {
    have_end_rates_ = false;
    knot_times_.clear();
    knots_.clear();
    parts_left_ = std::min(most_parts_, parts_left_ + parts_per_step_);
    lost_before_ = std::max(0L, lost_before_ - lost_per_step);
    double done = 0;  // in units of h; exact
    int halvings = 0;
    int gained_at = -1;  // halvings of the part that first gained energy here
    long lost = 0;       // iterations
    while (done < 1) {
      const double part = std::ldexp(1.0, -halvings), t = t_ + done * h;
      const long before = solver_->iterations;
      const auto cut = [&] {
        ++statistics_.rejected;
        ++statistics_.retries;
        lost += solver_->iterations - before;
        // By four: a run with half the step, which is there to compare, never takes the same parts.
        halvings += 2;
        if (halvings > most_halvings || lost > most_lost_ || lost_before_ + lost > steps_of_loss * most_lost_)
          throw NoConvergence(method(), t, part * h, solver_->worst);
      };
      if (!take(t, part * h)) {
        name_a_bad_rate(t, part * h);
        cut();
        continue;
      }
      const Strikes strikes = !all_in_one_ && model_->contacts > 0 ? strikes_in(t, part * h, h) : Strikes{};
      if (strikes.error > 1 && halvings < finest_impact) {
        ++statistics_.rejected;
        // The error is of second order in the length of the part.
        halvings = std::min(finest_impact, halvings + std::max(1, int(std::ceil(std::log2(strikes.error) / 2))));
        continue;
      }
      // Between two stages an unresolved impact is thrown back by (1 - g)/g of itself: one stage absorbs it.
      bool one_stage = all_in_one_ || strikes.unresolved;
      if (strikes.unresolved && !take_one_stage(t, part * h)) {
        cut();
        continue;
      }
      // A part of two stages that gains energy is taken in one, which does not; what still does is halved.
      if (gains_energy(t, part * h, one_stage)) {
        const bool again = one_stage || !take_one_stage(t, part * h) || gains_energy(t, part * h, true);
        if (gained_at < 0) gained_at = halvings;
        if (again && halvings < gained_at + most_for_energy) {
          cut();
          continue;
        }
        one_stage = true;
      }
      gained_at = -1;
      statistics_.absorbed += strikes.absorbed;
      if (options_.on_part) report(t, part * h, one_stage);
      x_.swap(next_);
      done += part;
      if (halvings > 0) ++statistics_.substeps, --parts_left_;
      if (done < 1) {
        knot_times_.push_back(t_ + done * h);
        knots_.insert(knots_.end(), x_.begin(), x_.end());
      }
      // A longer part only where the grid of longer parts begins.
      if (halvings > 0 && strikes.error < 0.2 && std::fmod(done, std::ldexp(2.0, -halvings)) == 0) --halvings;
    }
    lost_before_ += lost;
    statistics_.evaluations += std::exchange(solver_->evaluations, 0);
    statistics_.jacobians += std::exchange(solver_->jacobians, 0);
    statistics_.iterations += std::exchange(solver_->iterations, 0);
    if (const std::size_t bad = first_non_finite(x_); bad != x_.size()) throw NonFinite(t_ + h, bad, false);
  }

 private:
  /// The part of the last step in which a time lies, and where in it.
  struct Piece {
    std::span<const double> before, after;
    double s;
    Cubic cubic;
  };
  Piece piece_at(double t) {
    // A step in one piece has no knots.
    const std::size_t n = x_.size();
    const std::size_t part = std::size_t(std::upper_bound(knot_times_.begin(), knot_times_.end(), t) - knot_times_.begin());
    const auto knot = [&](std::size_t k) { return std::span<const double>(knots_).subspan(k * n, n); };
    const bool first = part == 0, last = part == knot_times_.size();
    const double from = first ? t_before_ : knot_times_[part - 1], h = (last ? t_ : knot_times_[part]) - from;
    const std::span<const double> before = first ? std::span<const double>(before_) : knot(part - 1);
    const std::span<const double> after = last ? std::span<const double>(end()) : knot(part);
    if (!have_end_rates_ || part != part_of_rates_) {
      if (model_->look_ahead) {
        model_->kinematics(before, rate_before_);
        model_->kinematics(after, rate_end_);
      } else {
        evaluate(from, before, 0, rate_before_);
        evaluate(from + h, after, 0, rate_end_);
      }
      have_end_rates_ = true;
      part_of_rates_ = part;
    }
    const double s = (t - from) / h;
    return {before, after, s, Cubic(s, h)};
  }
  static double straight(const Piece& piece, std::size_t i) { return (1 - piece.s) * piece.before[i] + piece.s * piece.after[i]; }
  double curved(const Piece& piece, std::size_t i) const {
    return piece.cubic(piece.before[i], rate_before_[i], piece.after[i], rate_end_[i]);
  }

  /// Which parts of the world, that nothing connects, are taken in one stage.
  void find_stages() {
    const std::vector<std::size_t> component = solver_->component_of_groups();
    const std::size_t none = model_->groups.size();
    parts_in_one_.assign(solver_->components() + 1, order_ == 1);  // the last: elements on no body that moves
    const auto part = [&](std::size_t group) { return group == none ? solver_->components() : component[group]; };
    for (const std::size_t group : model_->jumping) parts_in_one_[part(group)] = true;
    parts_in_two_.clear();
    for (const char one : parts_in_one_) parts_in_two_.push_back(!one);
    in_one_.clear();
    for (const std::size_t group : model_->group_of) in_one_.push_back(parts_in_one_[part(group)]);
    all_in_one_ = std::find(in_one_.begin(), in_one_.end(), false) == in_one_.end();
    any_in_one_ = std::find(in_one_.begin(), in_one_.end(), true) != in_one_.end();
    in_one_.push_back(parts_in_one_.back());
    in_two_.clear();
    for (const char one : in_one_) in_two_.push_back(!one);
    contact_in_one_.clear();
    for (const std::size_t group : model_->group_of_contact) contact_in_one_.push_back(parts_in_one_[part(group)]);
  }

  /// Throws if a step had no chance because the rate is not finite where it starts or at its end.
  void name_a_bad_rate(double t, double h) {
    for (const double at : {t, t + h}) {
      evaluate(at, x_, model_->look_ahead ? h : 0.0, k1_);
      if (const std::size_t bad = first_non_finite(k1_); bad != x_.size()) throw NonFinite(at, bad, true);
    }
  }

  /// Whether the part from x_ to next_ ends with more energy than it started with and was given by the pushes. A step of order 1
  /// cannot while stored energies are convex; two stages can, where the force of a law jumps. Looked at only where the bodies have
  /// become faster.
  bool gains_energy(double t, double h, bool one_stage) {
    if (!model_->knows_energy) return false;
    double before = 0, after = 0, fallen = 0;
    std::size_t k = 0;
    for (const auto& group : model_->groups)
      for (const std::size_t i : group) {
        const double m = model_->masses[k++] / 2, dv = h * free_[i];
        before += m * x_[i] * x_[i];
        after += m * next_[i] * next_[i];
        fallen += m * dv * dv;
      }
    const double small = gain_share * (before + fallen);
    if (after - before <= small) return false;
    double work = 0;
    if (one_stage) {
      work = h * model_->power_in(t + h, next_, next_);
    } else {
      // Velocities of parts in one stage count at the end alone. The forces are those of the stages.
      for (std::size_t i = 0; i < x_.size(); ++i) base_[i] = in_one_[i] ? 0 : (1 - gamma) * (x_[i] + gamma * h * k1_[i]);
      for (std::size_t i = 0; i < x_.size(); ++i) first_stage_[i] = x_[i] + gamma * h * k1_[i];
      work = h * model_->power_in(t + gamma * h, first_stage_, base_);
      for (std::size_t i = 0; i < x_.size(); ++i) base_[i] = in_one_[i] ? next_[i] : gamma * next_[i];
      work += h * model_->power_in(t + h, next_, base_);
    }
    return model_->energy(t + h, next_) - model_->energy(t, x_) - work > small;
  }

  /// The part from x_ to next_, by its stages.
  void report(double t, double h, bool one_stage) {
    const auto tau = [&](double length) { return model_->look_ahead ? length : 0.0; };
    std::array<StepPart::Stage, 3> stages;
    std::size_t count = one_stage ? 1 : 2;
    last_stage_ = next_;
    for (const std::size_t i : own_states_) last_stage_[i] = x_[i];
    if (one_stage) {
      stages[0] = {t + h, h, tau(h), last_stage_};
    } else {
      first_stage_ = x_;
      for (const auto& group : model_->groups)
        for (const std::size_t i : group) first_stage_[i] += gamma * h * k1_[i];
      for (const std::size_t i : model_->positions) first_stage_[i] += gamma * h * k1_[i];
      model_->tidy(first_stage_);
      for (const std::size_t i : own_states_)
        if (!in_one_[i]) last_stage_[i] += (1 - gamma) * h * k1_[i];
      stages[0] = {t + gamma * h, (1 - gamma) * h, tau(gamma * h), first_stage_};
      stages[1] = {t + h, gamma * h, tau(gamma * h), last_stage_};
      if (any_in_one_) {
        stages[0].of = stages[1].of = in_two_;
        stages[count++] = {t + h, h, tau(h), last_stage_, in_one_};
      }
    }
    options_.on_part({t, t + h, x_, next_, std::span(stages).first(count)});
  }

  struct Strikes {
    double error = 0;         // above 1: to be resolved by shorter parts
    bool unresolved = false;  // one that will not be
    long absorbed = 0;        // of these, those that begin here
  };
  /// How badly a part from x_ to next_ resolves the strikes in it: the difference of the two stages, g h (k2 - k1), seen along the
  /// normal, over the share of the strike's speed that may be lost. The speed of a strike: at its deepest the gap stands still, but
  /// a d of acceleration and indentation, of which it is the square, is still in it. What is slower than what gravity and the
  /// pushes do in two steps, or than a millimetre a second, will not be resolved.
  Strikes strikes_in(double t, double h, double whole) {
    model_->look_at_contacts(t, x_, gap_before_, speed_before_);
    model_->look_at_contacts(t + h, next_, gap_, speed_);
    const auto touches = [&](std::size_t i) {
      return !contact_in_one_[i] && std::min({gap_before_[i], gap_[i], gap_before_[i] - h * speed_before_[i]}) < 0;
    };
    bool any = false;
    for (std::size_t i = 0; i < gap_.size() && !any; ++i) any = touches(i);
    if (!any) return {};
    model_->project_on_contacts(t + h, next_, k2_, brake_);
    any = false;
    for (std::size_t i = 0; i < gap_.size(); ++i) {
      const double still = std::max(0.0, brake_[i] * gap_[i]);  // both negative in the depth of a strike
      speed_of_strike_[i] =
          touches(i) ? std::sqrt(std::max(speed_[i] * speed_[i], speed_before_[i] * speed_before_[i]) + still) : 0;
      any = any || speed_of_strike_[i] > standing;
    }
    if (!any) return {};
    for (std::size_t i = 0; i < x_.size(); ++i) base_[i] = gamma * h * (k2_[i] - k1_[i]);
    model_->project_on_contacts(t + h, next_, base_, missed_);
    model_->project_on_contacts(t + h, next_, free_, fall_);
    evaluate(t, x_, gamma * h, base_);
    for (std::size_t i = 0; i < x_.size(); ++i) base_[i] -= k1_[i];
    model_->project_on_contacts(t, x_, base_, early_);
    Strikes strikes;
    for (std::size_t i = 0; i < gap_.size(); ++i) {
      const double speed = speed_of_strike_[i], turned = std::abs(speed_[i] - speed_before_[i]);
      if (speed <= standing) continue;
      // What the stages do not see: a contact that lets go before the first of them.
      const double until = speed_before_[i] < 0 ? std::clamp(gap_before_[i] / speed_before_[i], 0.0, h) : h;
      const double missed = std::max(std::abs(missed_[i]), gamma * until * std::abs(early_[i]));
      const bool slow = speed <= slowest_strike + 2 * whole * std::abs(fall_[i]);
      if (options_.subdivide && !slow && parts_left_ > 0)
        strikes.error = std::max({strikes.error, missed / (missed_share * speed), turned / (turned_share * speed)});
      else if (h * speed_before_[i] > -gap_before_[i] && turned > turned_share * speed) {
        strikes.unresolved = true;
        strikes.absorbed += gap_before_[i] >= 0;
      }
    }
    return strikes;
  }

  /// next_ = the state at t + h.
  bool take(double t, double h) {
    model_->free_rate(t, x_, free_);
    if (all_in_one_) return take_one_stage(t, h);
    turn_ = next_ = x_;
    model_->kinematics(std::span<const double>(x_), k2_);
    for (const std::size_t i : model_->positions) turn_[i] += gamma * h * k2_[i];
    if (!solver_->solve(t + gamma * h, gamma * h, x_, turn_, free_, next_, k1_, false, parts_in_two_)) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (in_one_[i]) k1_[i] = 0, next_[i] = x_[i];
      turn_[i] = x_[i] + h * k1_[i];
      base_[i] = x_[i] + (1 - gamma) * h * k1_[i];
    }
    if (!solver_->solve(t + h, gamma * h, base_, turn_, free_, next_, k2_, true, parts_in_two_)) return false;
    if (!any_in_one_) return true;
    base_ = x_;
    if (!solver_->solve(t + h, h, x_, x_, free_, base_, turn_, false, parts_in_one_)) return false;
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (in_one_[i]) next_[i] = base_[i], k1_[i] = k2_[i] = turn_[i];
    return true;
  }
  bool take_one_stage(double t, double h) {
    next_ = x_;
    if (order_ == 1) model_->carry_from(h, x_);
    return solver_->solve(t + h, h, x_, x_, free_, next_, k1_);
  }

  int order_;
  bool all_in_one_ = true, any_in_one_ = false;                                       // of the entries of the state
  std::vector<char> parts_in_one_, parts_in_two_, in_one_, in_two_, contact_in_one_;  // stages: of parts, entries, contacts
  long most_lost_ = 0;
  long lost_before_ = 0;                                       // in steps before, less what steps may lose
  long parts_left_ = 0, most_parts_ = 0, parts_per_step_ = 0;  // of steps that are subdivided
  std::unique_ptr<StepModel> model_;
  std::unique_ptr<StageSolver> solver_;
  std::vector<std::size_t> own_states_;           // entries of the elements
  std::vector<char> curved_;                      // entries that are interpolated by a cubic
  std::vector<double> first_stage_, last_stage_;  // of the last part, as the rate saw them
  std::vector<double> base_, turn_, next_, k1_, k2_, free_, rate_before_, rate_end_;
  std::vector<double> gap_before_, gap_, speed_before_, speed_, missed_, brake_, early_, fall_,
      speed_of_strike_;                     // of each contact
  std::vector<double> knot_times_, knots_;  // between the parts of the last step: times, and states one after the other
  std::size_t part_of_rates_ = 0;           // to which rate_before_ and rate_end_ belong
  bool have_end_rates_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_implicit(int order, RateFunction rate, IntegratorOptions options) {
  return std::make_unique<Implicit>(order, std::move(rate), std::move(options));
}

}  // namespace asperity::detail
