#include "implicit_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/integrate/jacobian.hpp"

namespace asperity::detail {
namespace {

constexpr std::size_t lanes = 8;
constexpr int most_iterations = 40;
constexpr int most_relaxations = 40;
constexpr int free_iterations = 1;    // before rounding is looked at
constexpr int most_trials = 30;       // along one direction
constexpr double rest = 1e-4;         // m/s: speeds are told apart to 1e-9 of this
constexpr double small_rest = 1e-12;  // residual that is as good as none, of the speed
constexpr double small_move = 1e-9;   // last move of a Newton method that has arrived, of the speed,
constexpr double rest_there = 1e-6;   // and the residual that it may leave
constexpr double roundings = 8;       // of the positions that a residual is made of

std::vector<std::size_t> sizes_of(const std::vector<std::vector<std::size_t>>& groups) {
  std::vector<std::size_t> sizes;
  for (const auto& group : groups) sizes.push_back(group.size());
  return sizes;
}

}  // namespace

StageSolver::StageSolver(StepModel& model, std::size_t states)
    : model_(model), first_{0}, lu_(sizes_of(model.groups), model.links), dual_x_(states), dual_rate_(states) {
  for (const auto& group : model.groups) {
    entry_.insert(entry_.end(), group.begin(), group.end());
    first_.push_back(entry_.size());
  }
  // Unknowns that no rate depends on together share a direction of the dual numbers.
  PatternMaker maker(entry_.size());
  std::vector<std::size_t> rows, columns;
  const auto unknowns = [&](std::size_t group, std::vector<std::size_t>& list) {
    list.clear();
    for (std::size_t i = first_[group]; i < first_[group + 1]; ++i) list.push_back(i);
  };
  lu_.each_block([&](std::size_t row, std::size_t column, std::size_t) {
    unknowns(row, rows);
    unknowns(column, columns);
    maker.add(rows, columns);
  });
  lane_ = colours_of(maker.make());
  const std::size_t all = lane_.empty() ? 0 : *std::max_element(lane_.begin(), lane_.end()) + 1;
  entries_.resize((all + lanes - 1) / lanes);
  lu_.each_block([&](std::size_t row, std::size_t column, std::size_t place) {
    const std::size_t width = first_[column + 1] - first_[column];
    for (std::size_t i = first_[row]; i < first_[row + 1]; ++i)
      for (std::size_t j = first_[column]; j < first_[column + 1]; ++j)
        entries_[lane_[j] / lanes].push_back(
            {entry_[i], lane_[j] % lanes, place + (i - first_[row]) * width + (j - first_[column]), i == j});
  });
  std::vector<bool> is_position(states);
  for (const std::size_t i : model.positions) is_position[i] = true;
  for (std::size_t i = 0; i < states; ++i)
    if (!is_position[i]) driven_.push_back(i);
  v_.resize(entry_.size());
  try_ = residual_ = direction_ = unsure_ = guess_ = v_;
  searches_.resize(lu_.components().size());
  factored_.resize(searches_.size());
}

/// The state at the end of the stage as far as v says it: velocities, positions; element states as at its start.
void StageSolver::place(const Stage& stage, std::span<const double> v, std::span<double> x, std::span<double> xdot) const {
  std::copy(stage.base.begin(), stage.base.end(), x.begin());
  for (const std::size_t i : model_.positions) x[i] = stage.turn[i];
  for (std::size_t k = 0; k < v.size(); ++k) x[entry_[k]] = v[k];
  model_.kinematics(std::span<const double>(x), xdot);
  for (const std::size_t i : model_.positions) x[i] = stage.base[i] + stage.h * xdot[i];
  model_.tidy(x);
}

void StageSolver::evaluate(const Stage& stage, std::span<const double> v, std::span<double> x, std::span<double> xdot) {
  ++evaluations;
  place(stage, v, x, xdot);
  model_.rate(stage.t, x, tau(stage.h), xdot);
  take_residual(stage, v, xdot);
}

void StageSolver::take_residual(const Stage& stage, std::span<const double> v, std::span<const double> xdot) {
  for (std::size_t k = 0; k < v.size(); ++k) residual_[k] = v[k] - stage.base[entry_[k]] - stage.h * xdot[entry_[k]];
}

/// Residual and matrix at v_.
void StageSolver::linearise(const Stage& stage, std::span<double> x, std::span<double> xdot) {
  ++jacobians;
  lu_.clear_fill();
  for (std::size_t c = 0; c < searches_.size(); ++c)
    if (searches_[c].active) factored_[c] = Factored::no;
  if (v_.empty()) return evaluate(stage, v_, x, xdot);  // only prescribed bodies: nothing to solve for, but states of elements
  if (!model_.has_derivatives()) return linearise_by_differences(stage, x, xdot);
  const std::span<double> values = lu_.values();
  for (std::size_t pass = 0; pass < entries_.size(); ++pass) {
    for (std::size_t i = 0; i < dual_x_.size(); ++i) dual_x_[i] = Dual8(stage.base[i]);
    for (const std::size_t i : model_.positions) dual_x_[i] = Dual8(stage.turn[i]);
    for (std::size_t k = 0; k < v_.size(); ++k)
      dual_x_[entry_[k]] = lane_[k] / lanes == pass ? Dual8::variable(v_[k], lane_[k] % lanes) : Dual8(v_[k]);
    model_.kinematics(std::span<const Dual8>(dual_x_), std::span<Dual8>(dual_rate_));
    for (const std::size_t i : model_.positions) dual_x_[i] = stage.base[i] + stage.h * dual_rate_[i];
    model_.tidy(std::span<Dual8>(dual_x_));
    model_.rate(stage.t, std::span<const Dual8>(dual_x_), tau(stage.h), std::span<Dual8>(dual_rate_));
    for (const Entry& entry : entries_[pass])
      values[entry.place] = double(entry.diagonal) - stage.h * dual_rate_[entry.row].v[entry.lane];
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = dual_x_[i].a, xdot[i] = dual_rate_[i].a;
  take_residual(stage, v_, xdot);
}

void StageSolver::linearise_by_differences(const Stage& stage, std::span<double> x, std::span<double> xdot) {
  changed_x_.resize(x.size());
  changed_rate_.resize(x.size());
  const auto nudge = [&](std::size_t k) { return 1e-8 * std::max(1.0, std::abs(v_[k])); };
  for (std::size_t pass = 0; pass < entries_.size(); ++pass)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t k = 0; k < v_.size(); ++k) try_[k] = v_[k] + (lane_[k] == pass * lanes + lane ? nudge(k) : 0);
      evaluate(stage, try_, changed_x_, changed_rate_);
      if (pass + lane == 0) evaluate(stage, v_, x, xdot);
      for (const Entry& entry : entries_[pass]) {
        if (entry.lane != lane) continue;
        // Which unknown this column is does not matter: those of one direction share no row.
        lu_.values()[entry.place] = (changed_rate_[entry.row] - xdot[entry.row]);
      }
    }
  lu_.each_block([&](std::size_t row, std::size_t column, std::size_t place) {
    const std::size_t width = first_[column + 1] - first_[column];
    for (std::size_t i = first_[row]; i < first_[row + 1]; ++i)
      for (std::size_t j = first_[column]; j < first_[column + 1]; ++j) {
        double& value = lu_.values()[place + (i - first_[row]) * width + (j - first_[column])];
        value = double(i == j) - stage.h * value / nudge(j);
      }
  });
  take_residual(stage, v_, xdot);
}

/// Positions x are known to eps x: what that makes of the residual, from the rows of the matrix before it is factored.
void StageSolver::find_rounding(const Stage& stage, std::span<const double> x) {
  for (std::size_t g = 0; g + 1 < first_.size(); ++g) {
    double place = 0;
    for (std::size_t i = model_.first_position[g]; i < model_.first_position[g + 1]; ++i)
      place = std::max(place, std::abs(x[model_.positions[i]]));
    for (std::size_t k = first_[g]; k < first_[g + 1]; ++k) {
      unsure_[k] = roundings * std::numeric_limits<double>::epsilon() * (std::abs(v_[k]) + place / stage.h);
      try_[k] = 0;
    }
  }
  lu_.each_block([&](std::size_t row, std::size_t column, std::size_t place) {
    for (std::size_t i = first_[row]; i < first_[row + 1]; ++i)
      for (std::size_t j = first_[column]; j < first_[column + 1]; ++j) try_[i] += std::abs(lu_.values()[place++]) * unsure_[j];
  });
  for (std::size_t c = 0; c < searches_.size(); ++c) {
    searches_[c].rounding = 0;
    each_unknown(lu_.components()[c], [&](std::size_t k) { searches_[c].rounding += model_.masses[k] * try_[k] * try_[k]; });
  }
}

/// Newton directions of the components that have not arrived; false if all have.
bool StageSolver::choose_directions() {
  bool any = false;
  for (std::size_t c = 0; c < searches_.size(); ++c) {
    Search& line = searches_[c];
    if (!line.active) continue;
    const BlockLu::Component& component = lu_.components()[c];
    double square = 0;
    each_unknown(component, [&](std::size_t k) { square += model_.masses[k] * residual_[k] * residual_[k]; });
    if (square <= small_rest * small_rest * line.scale) {
      line.active = false;
      continue;
    }
    any = true;
    each_unknown(component, [&](std::size_t k) { direction_[k] = -residual_[k]; });
    if (factored_[c] == Factored::no) {
      const int sign = lu_.factor(component);
      factored_[c] = sign > 0 ? Factored::yes : sign < 0 ? Factored::beyond_a_fold : Factored::singular;
    }
    const bool regular = factored_[c] != Factored::singular;
    if (regular) lu_.solve(component, direction_);
    double slope = 0;
    each_unknown(component, [&](std::size_t k) { slope += model_.masses[k] * residual_[k] * direction_[k]; });
    if (!regular) {  // downhill, at least
      each_unknown(component, [&](std::size_t k) { direction_[k] = -residual_[k]; });
      slope = -square;
    }
    line.convex = slope < 0;
    line.last = 0;
    line.square = square;
    line.slope = line.slope_low = line.true_slope_low = slope;
    line.low = 0;
    line.high = line.slope_high = line.true_slope_high = std::numeric_limits<double>::infinity();
    line.s = 1;
    line.open = true;
  }
  return any;
}

/// Moves every open component along its direction until each is content. All end at the point that was evaluated last.
bool StageSolver::search(const Stage& stage, std::span<double> x, std::span<double> xdot, int trials) {
  for (int trial = 0; trial < trials; ++trial) {
    try_ = v_;
    for (std::size_t c = 0; c < searches_.size(); ++c)
      if (searches_[c].open)
        each_unknown(lu_.components()[c], [&](std::size_t k) { try_[k] = v_[k] + searches_[c].s * direction_[k]; });
    evaluate(stage, try_, x, xdot);
    bool open = false;
    for (std::size_t c = 0; c < searches_.size(); ++c) {
      if (!searches_[c].open) continue;
      judge(searches_[c], lu_.components()[c]);
      if (searches_[c].open) open = true;
      else each_unknown(lu_.components()[c], [&](std::size_t k) { v_[k] = try_[k]; });
    }
    if (!open) return true;
  }
  return false;
}

/// A small move tells nothing where the search made it small or the matrix is of another stage; and the residual has to be small,
/// too. What is left of rounding alone is taken when it does not fall any more.
bool StageSolver::has_arrived(const Search& line, double square, double move, bool by_newton) {
  const bool rounded = square <= line.rounding;
  return square <= small_rest * small_rest * line.scale ||
         (by_newton && move <= small_move * small_move * line.scale &&
          (rounded || square <= rest_there * rest_there * line.scale)) ||
         (rounded && square > line.square / 4);
}

void StageSolver::judge(Search& line, const BlockLu::Component& component) {
  double square = 0, slope = 0, move = 0;
  each_unknown(component, [&](std::size_t k) {
    square += model_.masses[k] * residual_[k] * residual_[k];
    slope += model_.masses[k] * residual_[k] * direction_[k];
    move += model_.masses[k] * direction_[k] * direction_[k];
  });
  const bool whole = line.s == 1;
  const bool arrived = has_arrived(line, square, move, whole && trusted_);
  const bool smaller = square <= (1 - 2e-4 * line.s) * line.square;
  const bool level = std::abs(slope) <= 0.1 * std::abs(line.slope);
  // The function has fallen for sure: its slope grows, from that at `low` to that at s.
  const bool lower = slope > 0 && line.low * line.true_slope_low + (line.s - line.low) * slope < 0;
  if (arrived || level || (line.convex ? (whole && slope <= 0) || lower : smaller)) {
    line.open = false;
    line.active = !arrived;
    line.fast = arrived || (whole && square <= 1e-4 * line.square);
    return;
  }
  if (!std::isfinite(square) || !line.convex) {
    line.s /= std::isfinite(square) ? 2 : 8;
    return;
  }
  // Where a stiff contact closes the slope has a kink, and beyond it a line: from two points there comes its root. Else the rule
  // of false position, with the slope of an end that stays halved (Illinois), so that both ends come closer.
  const bool high = slope > 0;
  if (high) {
    const double root = line.s - slope * (line.high - line.s) / (line.true_slope_high - slope);
    line.high = line.s, line.slope_high = line.true_slope_high = slope;
    if (root > line.low && root < line.s && line.last <= 0) {
      line.last = 1;
      line.s = root;
      return;
    }
  } else {
    line.low = line.s, line.slope_low = line.true_slope_low = slope;
  }
  if (line.last == (high ? 1 : -1)) (high ? line.slope_low : line.slope_high) /= 2;
  line.last = high ? 1 : -1;
  const double root = -line.slope_low / (line.slope_high - line.slope_low);
  line.s = line.low + std::clamp(root, 1e-3, 1 - 1e-3) * (line.high - line.low);
}

std::vector<std::size_t> StageSolver::component_of_groups() const {
  std::vector<std::size_t> list(lu_.order().size());
  for (std::size_t c = 0; c < lu_.components().size(); ++c)
    for (std::size_t k = lu_.components()[c].first; k < lu_.components()[c].last; ++k) list[lu_.order()[k]] = c;
  return list;
}

bool StageSolver::solve(double t, double h, std::span<const double> base, std::span<const double> turn,
                        std::span<const double> free, std::span<double> x, std::span<double> xdot, bool same_matrix,
                        std::span<const char> which) {
  const Stage stage{t, h, base, turn};
  for (std::size_t k = 0; k < v_.size(); ++k) guess_[k] = v_[k] = x[entry_[k]];
  for (std::size_t c = 0; c < searches_.size(); ++c) {
    double before = 0, fallen = 0, least = 0;
    each_unknown(lu_.components()[c], [&](std::size_t k) {
      const double m = model_.masses[k], v0 = base[entry_[k]], dv = h * free[entry_[k]];
      before += m * v0 * v0;
      fallen += m * dv * dv;
      least += m * rest * rest;
    });
    searches_[c] = {};
    searches_[c].scale = std::max({before, fallen, least});
    if (which.empty() || which[c]) continue;
    searches_[c].active = false;
    factored_[c] = Factored::no;
  }
  if (!iterate(stage, x, xdot, same_matrix)) {
    for (std::size_t c = 0; c < searches_.size(); ++c)
      if (searches_[c].active) each_unknown(lu_.components()[c], [&](std::size_t k) { v_[k] = guess_[k]; });
    if (!relax(stage, x, xdot)) return false;
  }
  if (std::any_of(factored_.begin(), factored_.end(), [](Factored c) { return c == Factored::beyond_a_fold; })) return false;
  place(stage, v_, x, xdot);
  for (const std::size_t i : driven_) x[i] = base[i] + h * xdot[i];
  return true;
}

/// Newton's method with a search along its directions. The residual is that of v_ when it returns.
bool StageSolver::iterate(const Stage& stage, std::span<double> x, std::span<double> xdot, bool same_matrix) {
  bool old = same_matrix;  // of another point: good as long as the residual falls to a hundredth
  trusted_ = !old;
  if (old) evaluate(stage, v_, x, xdot);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!old) {
      linearise(stage, x, xdot);
      if (iteration >= free_iterations) find_rounding(stage, x);
      trusted_ = true;
    }
    if (!choose_directions()) return true;
    ++iterations;
    const bool found = search(stage, x, xdot, old ? 1 : most_trials);
    if (!found && !old) return false;
    if (found && !any_active()) return true;
    old = found && std::all_of(searches_.begin(), searches_.end(), [](const Search& line) { return line.fast; });
    trusted_ = trusted_ || old;
  }
  return false;
}

/// The root by following the motion dv/ds = -R(v), to which it is the rest, by linearly implicit steps: (R' + 1/ds) d = -R. What
/// counts is not that |R| falls but that the step sees what the linear model told, R(v + d) = -d/ds, in R or in v; where it does,
/// the next is longer, up to those of Newton's method.
bool StageSolver::relax(const Stage& stage, std::span<double> x, std::span<double> xdot) {
  for (int iteration = 0;; ++iteration) {
    linearise(stage, x, xdot);
    find_rounding(stage, x);
    bool any = false;
    for (std::size_t c = 0; c < searches_.size(); ++c) {
      Search& line = searches_[c];
      if (!line.active) continue;
      const BlockLu::Component& component = lu_.components()[c];
      line.square = 0;
      each_unknown(component, [&](std::size_t k) {
        line.square += model_.masses[k] * residual_[k] * residual_[k];
        direction_[k] = -residual_[k];
      });
      if (line.arrived) {
        const int sign = lu_.factor(component);
        factored_[c] = sign > 0 ? Factored::yes : sign < 0 ? Factored::beyond_a_fold : Factored::singular;
        line.active = false;
        continue;
      }
      any = true;
      lu_.add_to_diagonal(component, line.slowness);
      if (lu_.factor(component) != 0) lu_.solve(component, direction_);
    }
    if (!any) return true;
    if (iteration == most_relaxations) break;
    ++iterations;
    try_ = v_;
    for (std::size_t c = 0; c < searches_.size(); ++c)
      if (searches_[c].active) each_unknown(lu_.components()[c], [&](std::size_t k) { try_[k] += direction_[k]; });
    evaluate(stage, try_, x, xdot);
    for (std::size_t c = 0; c < searches_.size(); ++c) {
      Search& line = searches_[c];
      if (!line.active) continue;
      double square = 0, off = 0, missed = 0, move = 0;
      each_unknown(lu_.components()[c], [&](std::size_t k) {
        square += model_.masses[k] * residual_[k] * residual_[k];
        residual_[k] += line.slowness * direction_[k];
        off += model_.masses[k] * residual_[k] * residual_[k];
      });
      lu_.solve(lu_.components()[c], residual_);
      each_unknown(lu_.components()[c], [&](std::size_t k) {
        missed += model_.masses[k] * residual_[k] * residual_[k];
        move += model_.masses[k] * direction_[k] * direction_[k];
      });
      if (has_arrived(line, square, move, line.slowness == 0)) line.arrived = true;
      if (line.arrived || off <= 0.25 * line.square || missed <= 0.25 * move) {
        each_unknown(lu_.components()[c], [&](std::size_t k) { v_[k] = try_[k]; });
        line.slowness = line.slowness > 1e-2 ? line.slowness / 8 : 0;
      } else {
        line.slowness = std::max(1.0, 8 * line.slowness);
      }
    }
  }
  double most = 0;  // the unknown that is furthest from its equation, as an energy
  for (std::size_t c = 0; c < searches_.size(); ++c)
    if (searches_[c].active)
      each_unknown(lu_.components()[c], [&](std::size_t k) {
        const double energy = model_.masses[k] * residual_[k] * residual_[k];
        if (energy >= most) most = energy, worst = entry_[k];
      });
  return false;
}

}  // namespace asperity::detail
