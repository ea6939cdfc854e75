#include "asperity/identify/uncertainty.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <span>

#include "asperity/identify/motion.hpp"

namespace asperity::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double normal_95 = 1.959963984540054;
/// A direction that is not known to this part of its value is one the data cannot tell.
constexpr double too_vague = 0.3;
/// An interval from a thousandth to a thousand times the value says nothing.
const double widest = std::log(1e3);
constexpr const char* not_told = "not identifiable from the data";
constexpr const char* too_coarse = "sampled too coarsely";
/// Half the step takes away half of an error of first order, at reversals, and three quarters of one of second order. A number that
/// moves by this part of its standard error is so off by 0.7 to 1 of them: its interval of 95 % would cover the truth in 83 to 90
/// %.
constexpr double moves_at_half_step = 0.5;
/// Without noise the standard error vanishes, and whatever is left of the step is more than it. A number that moves by no more than
/// this part of itself is known nevertheless: to what is left of an error of first order, twice the move.
constexpr double small_move = 0.01;
/// Noise of the motion that has moved a number by more than this part of it has not left it a number.
constexpr double lost_to_noise = 0.3;
/// What is taken back is known to about this part: second order, and noise that is not quite white.
constexpr double known_bias = 0.25;
constexpr const char* lost = "lost in the noise of the motion";

/// Of residuals: that of neighbours, and 1 + 2 sum of the correlations up to the first that is lost in noise (Geyer 1992).
void correlate(const VectorXd& r, Uncertainty& u) {
  const double square = r.squaredNorm();
  const Index m = r.size();
  if (!(square > 0)) return;
  const auto at = [&](Index lag) { return r.head(m - lag).dot(r.tail(m - lag)) / square; };
  u.correlation = at(1);
  const double noise = 2.576 / std::sqrt(static_cast<double>(m));  // 99 % of white noise stays below
  u.is_white = u.correlation < noise;                              // neighbours that alternate make errors smaller, if anything
  for (Index lag = 1; lag < m / 4; ++lag) {
    const double rho = at(lag);
    if (rho < noise) break;
    u.runs += 2 * rho;
  }
}

/// How long the motion keeps its direction, s: the mean over the rows. Noise around standing still is no reversal.
double time_between_reversals(const Samples& samples, const Rows& rows) {
  double most = 0, time = 0;
  for (const std::size_t k : rows) most = std::max(most, std::abs(samples.velocity[k]));
  int reversals = 0, before = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double v = samples.velocity[rows[i]];
    if (i > 0) time += samples.t[rows[i]] - samples.t[rows[i - 1]];
    const int now = v > 0.05 * most ? 1 : v < -0.05 * most ? -1 : before;
    reversals += before != 0 && now != before;
    before = now;
  }
  return time / (reversals + 1);
}

std::string in_words(const std::string& name) { return name == "F_s/F_c - 1" ? "F_s - F_c" : name; }

std::string joined(std::vector<std::string> names) {
  constexpr std::size_t most = 6;
  if (names.size() > most)
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string quantity(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}", value, unit == "1" ? "" : " " + unit);
}

// --- the fit, linearised where it ended ------------------------------------------------------------------------------------------

struct Unknown {
  std::string name;
  Index coordinate = -1;  // -1: a term beside the law
  double scale = 1;       // of a term beside the law: what counts as a change by all of it
  int term = -1;          // of the samples
};

/// Residuals change by -J dx: x are logarithms of coordinates, and the terms beside the law over their scale.
struct Linearised {
  std::vector<Unknown> unknowns;  // those of the law first
  std::vector<std::size_t> ends;  // coordinates at the end of where they were looked for: no unknowns, but not known either
  MatrixXd J, by_end;             // slopes by the unknowns, and by what is at an end
  VectorXd residual;

  Index size() const { return static_cast<Index>(unknowns.size()); }
  bool is_finite() const { return J.allFinite() && by_end.allFinite() && residual.allFinite(); }
};

bool is_at_end(const Coordinate& c, double value) {
  constexpr double near = 1e-9;
  return value <= c.low * (1 + near) || value >= c.high * (1 - near);
}

double column_beside(const Unknown& unknown, const Samples& samples, std::size_t k) {
  if (unknown.term >= 0) return samples.terms[std::size_t(unknown.term)].values[k];
  return unknown.name == "M" ? samples.acceleration[k] : unknown.name == "Fv" ? samples.velocity[k] : 1;
}

Linearised linearised(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows) {
  Linearised at;
  std::vector<Direction> directions;
  for (std::size_t i = 0; i < fit.q.size(); ++i) {
    if (!fit.coordinates[i].is_free || fit.is_gone[i]) continue;
    if (is_at_end(fit.coordinates[i], fit.q[i])) at.ends.push_back(i);
    else at.unknowns.push_back({fit.coordinates[i].name, static_cast<Index>(i), 1});
  }
  for (const Unknown& unknown : at.unknowns) directions.push_back({static_cast<std::size_t>(unknown.coordinate)});
  for (const std::size_t i : at.ends) directions.push_back({i});

  const std::size_t count = reach_of(samples, rows);
  std::vector<double> force(count), slopes(count * directions.size()), series(count);
  model.slopes(samples, count, fit.q, directions, force, slopes);
  const Index of_law = at.size(), of_ends = static_cast<Index>(at.ends.size()), m = static_cast<Index>(rows.size());
  double force_scale = 0;
  for (const std::size_t k : rows) force_scale = std::max(force_scale, std::abs(samples.force[k]));
  if (fit.mass_is_free && fit.mass > 0) at.unknowns.push_back({"M", -1, fit.mass});
  if (fit.viscous_is_free && fit.viscous > 0) at.unknowns.push_back({"Fv", -1, fit.viscous});
  for (std::size_t i = 0; i < fit.terms.size(); ++i) {
    double most = 0;
    for (const std::size_t k : rows) most = std::max(most, std::abs(samples.terms[i].values[k]));
    at.unknowns.push_back({samples.terms[i].name, -1, most > 0 ? force_scale / most : 1, static_cast<int>(i)});
  }
  if (fit.offset_is_free) at.unknowns.push_back({"offset", -1, force_scale});

  at.J.resize(m, at.size()), at.by_end.resize(m, of_ends), at.residual.resize(m);
  const auto take = [&](std::span<double> all, auto&& column) {  // within the band, where rows are, weighted
    keep_band(samples, all);
    for (Index i = 0; i < m; ++i) column[i] = fit.weight[std::size_t(i)] * all[rows[std::size_t(i)]];
  };
  for (Index d = 0; d < of_law; ++d) take({slopes.data() + std::size_t(d) * count, count}, at.J.col(d));
  for (Index d = 0; d < of_ends; ++d) take({slopes.data() + std::size_t(of_law + d) * count, count}, at.by_end.col(d));
  for (Index d = of_law; d < at.size(); ++d) {
    const Unknown& beside = at.unknowns[std::size_t(d)];
    for (std::size_t k = 0; k < count; ++k) series[k] = column_beside(beside, samples, k) * beside.scale;
    take(series, at.J.col(d));
  }
  for (std::size_t k = 0; k < count; ++k) series[k] = samples.force[k] - force[k] - force_beside(fit, samples, k);
  take(series, at.residual);
  return at;
}

// --- the same samples at half the step -------------------------------------------------------------------------------------------

/// What was not measured lies on the cubic through the positions with the velocities at both ends, the mean velocity of a step with
/// it. Across a gap nothing is known of the motion: it stays one step.
struct Halved {
  Samples samples;
  Rows old;  // where the samples are that there were before

  Halved(const Samples& s, std::size_t count, double step) {
    for (std::size_t k = 0; k < count; ++k) {
      const double h = s.step[k];
      const bool is_halved = k > 0 && h > 0 && h < 2 * step;
      if (is_halved) {
        const double v0 = s.velocity[k - 1], v1 = s.velocity[k], travel = s.position[k] - s.position[k - 1];
        add(s.t[k] - h / 2, h / 2, s.position[k - 1] + travel / 2 + h / 8 * (v0 - v1), 1.5 * travel / h - (v0 + v1) / 4,
            (s.load[k - 1] + s.load[k]) / 2);
      }
      old.push_back(samples.size());
      add(s.t[k], is_halved ? h / 2 : h, s.position[k], s.velocity[k], s.load[k]);
    }
  }

 private:
  void add(double t, double h, double x, double v, double load) {
    samples.t.push_back(t), samples.step.push_back(h);
    samples.position.push_back(x), samples.velocity.push_back(v), samples.load.push_back(load);
  }
};

/// How far the optimum moves when the law is driven at half the step: (J^T J)^-1 J^T of what the force changes by.
VectorXd at_half_step(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows, const Linearised& at,
                      const MatrixXd& inverse) {
  const std::size_t count = reach_of(samples, rows);
  const Halved halved(samples, count, scales_of(samples, rows).step);
  std::vector<double> whole(count), half(halved.samples.size());
  model.force(samples, count, fit.q, whole);
  model.force(halved.samples, half.size(), fit.q, half);
  for (std::size_t k = 0; k < count; ++k) whole[k] = half[halved.old[k]] - whole[k];
  keep_band(samples, whole);
  VectorXd change(at.residual.size());
  for (Index i = 0; i < change.size(); ++i) change[i] = fit.weight[std::size_t(i)] * whole[rows[std::size_t(i)]];
  return -inverse * (at.J.transpose() * change);
}

// --- how far the unknowns may be off ---------------------------------------------------------------------------------------------

/// Of J^T residual: its covariance as the residuals themselves show it, neighbours included (Newey and West 1987). Where a law is
/// wrong at a few samples, reversals say, and a parameter is told by just these, it is larger than that of evenly large residuals.
MatrixXd scatter(const MatrixXd& J, const VectorXd& residual) {
  const Index m = J.rows(), reach = static_cast<Index>(4 * std::pow(0.01 * static_cast<double>(m), 2.0 / 9));
  const MatrixXd score = residual.asDiagonal() * J;
  MatrixXd sum = score.transpose() * score;
  for (Index lag = 1; lag <= reach && lag < m; ++lag) {
    const MatrixXd at_lag = score.topRows(m - lag).transpose() * score.bottomRows(m - lag);
    sum += (1 - static_cast<double>(lag) / static_cast<double>(reach + 1)) * (at_lag + at_lag.transpose());
  }
  return sum * (static_cast<double>(m) / static_cast<double>(std::max<Index>(1, m - J.cols())));
}

/// Singular values and right singular vectors of J, from J^T J: what is lost below 1e-8 of the largest is lost to the data, too.
struct ParameterSpread {
  MatrixXd directions;  // columns; the best known first
  VectorXd singular;
  Index known = 0;      // as many of them the data tell anything about
  MatrixXd inverse;     // of J^T J, over the directions that are known
  MatrixXd covariance;  // with evenly large residuals
  MatrixXd sandwich;    // with the residuals where they are
  MatrixXd shift;       // how the optimum moves with the logarithm of each coordinate at an end

  ParameterSpread(const Linearised& at, double noise) {
    const Index n = at.size();
    inverse = covariance = sandwich = MatrixXd::Zero(n, n), shift = MatrixXd::Zero(n, at.by_end.cols());
    if (n == 0) return;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(at.J.transpose() * at.J);
    directions = eigen.eigenvectors().rowwise().reverse();
    singular = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
    while (known < n && singular[known] > 1e-8 * singular[0]) ++known;
    const MatrixXd told = directions.leftCols(known);
    inverse = told * singular.head(known).cwiseAbs2().cwiseInverse().asDiagonal() * told.transpose();
    covariance = noise * noise * inverse;
    shift = -inverse * at.J.transpose() * at.by_end;
    sandwich = inverse * scatter(at.J, at.residual) * inverse;
  }

  /// Standard error of a number that changes by `row` with the unknowns.
  double error(const VectorXd& row) const {
    if ((directions.rightCols(directions.cols() - known).transpose() * row).squaredNorm() > 1e-6 * row.squaredNorm())
      return infinity;
    return std::sqrt(std::max({0.0, row.dot(covariance * row), row.dot(sandwich * row)}));
  }
};

/// Directions in which the unknowns may change together without being noticed.
void tell_weak_directions(const Linearised& at, const ParameterSpread& spread, Uncertainty& u) {
  for (Index d = 0; d < at.size(); ++d) {
    const double vague = spread.error(spread.directions.col(d));
    if (vague < too_vague) continue;
    const VectorXd parts = spread.directions.col(d).cwiseAbs();
    std::vector<std::string> names;
    for (Index i = 0; i < at.size(); ++i)
      if (parts[i] > 0.35 * parts.maxCoeff()) names.push_back(in_words(at.unknowns[std::size_t(i)].name));
    const std::string how = vague > 20 ? "has no finite error" : fmt::format("has a relative error of {:.0f} %", 100 * vague);
    u.weak.push_back(names.size() == 1
                         ? fmt::format("{} is not identifiable ({})", names[0], how)
                         : fmt::format("only a combination of {} is identifiable; each alone {}", joined(names), how));
  }
}

void tell_ends(const Linearised& at, const Fit& fit, Uncertainty& u) {
  for (const std::size_t i : at.ends) {
    const Coordinate& c = fit.coordinates[i];
    const bool is_low = fit.q[i] < std::sqrt(c.low * c.high);
    u.weak.push_back(
        fmt::format("{} is at the {} end of its search range, {}", c.name, is_low ? "lower" : "upper", quantity(fit.q[i], c.unit)));
  }
}

// --- the numbers of the user -----------------------------------------------------------------------------------------------------

/// From the unknowns to the law's parameters and the terms beside it.
class Findings {
 public:
  /// `moves`: how far the unknowns go at half the step.
  Findings(const Model& model, const Fit& fit, const Linearised& at, const ParameterSpread& spread, const VectorXd& moves,
           const NoiseBias& bias, double longest_time, bool is_finite)
      : fit_(fit), at_(at), spread_(spread), moves_(moves), longest_time_(longest_time), is_finite_(is_finite) {
    noise_shift_ = noise_error_ = VectorXd::Zero(at.size());
    for (Index d = 0; d < at.size(); ++d)
      for (const NoiseBias::Move& move : bias.moves)
        if (const Unknown& unknown = at.unknowns[std::size_t(d)];
            move.name == unknown.name && move.is_beside == (unknown.coordinate < 0))
          noise_shift_[d] = move.shift, noise_error_[d] = bias.is_taken_back ? move.error : std::hypot(move.error, move.shift);
    const auto slopes = model.parameter_slopes(fit.q);
    std::size_t p = 0;
    for (const Parameter& parameter : model.parameters(fit.q))
      for (std::size_t i = 0; i < parameter.values.size(); ++i, ++p) {
        const std::string name = parameter.name + (parameter.is_list ? fmt::format("[{}]", i + 1) : "");
        add_of_law({name, parameter.unit, parameter.values[i]}, {slopes.data() + p * fit.q.size(), fit.q.size()});
      }
    add_beside({"M", "kg", fit.mass}, fit.mass_is_free, true);
    add_beside({"Fv", "N s/m", fit.viscous}, fit.viscous_is_free, true);
    for (const Unknown& unknown : at.unknowns)
      if (unknown.term >= 0) add_beside({unknown.name, "", fit.terms[std::size_t(unknown.term)]}, true, false);
    add_beside({"offset", "N", fit.offset}, fit.offset_is_free, false);
    spread_coarseness();
  }

  std::vector<Finding> list;
  std::vector<std::string> coarse, by;  // names of what is sampled too coarsely, and what they move by at half the step
  std::vector<std::string> with;        // names of what is told only together with these

 private:
  /// `slopes`: by the logarithm of each coordinate.
  void add_of_law(Finding f, std::span<const double> slopes) {
    VectorXd row = VectorXd::Zero(at_.size()), end = VectorXd::Zero(static_cast<Index>(at_.ends.size()));
    bool is_gone = false, is_of_gone = false, is_given = false;
    for (std::size_t c = 0; c < slopes.size(); ++c) {
      is_given = is_given || (fit_.coordinates[c].is_given && (slopes[c] != 0 || fit_.coordinates[c].name == f.name));
      is_gone = is_gone || (fit_.is_gone[c] && slopes[c] != 0);
      is_of_gone = is_of_gone || (fit_.is_gone[c] && slopes[c] > 0.5 * f.value);  // proportional to it, lambda[i] nearly so
    }
    for (Index d = 0; d < row.size(); ++d)
      if (const Index c = at_.unknowns[std::size_t(d)].coordinate; c >= 0) row[d] = slopes[std::size_t(c)];
    for (Index d = 0; d < end.size(); ++d) end[d] = slopes[at_.ends[std::size_t(d)]];
    for (std::size_t c = 0; c < slopes.size(); ++c)
      if (fit_.coordinates[c].unit == "s" && fit_.coordinates[c].name == f.name && fit_.coordinates[c].is_free &&
          f.value > longest_time_ && !row.isZero(0)) {
        f.remark =
            fmt::format("longer than the motion keeps its direction ({:.2g} s): it acts as a velocity threshold", longest_time_);
        list.push_back(std::move(f));
        return;
      }
    if (is_of_gone || (is_gone && row.isZero(0))) f.remark = is_viscosity(f.name) ? "at its limit 0" : "not needed";
    else if (row.isZero(0) && end.isZero(0)) f.remark = is_given ? "given" : fmt::format("taken as {:.4g}", f.value);
    else judge(f, row, end, true, f.value);
    list.push_back(std::move(f));
  }

  void add_beside(Finding f, bool is_free, bool is_positive) {
    if (!is_free && f.value == 0) return;
    if (!is_free) {
      f.remark = "given";
    } else if (is_positive && !(f.value > 0)) {
      f.remark = "at its limit 0";
    } else {
      VectorXd row = VectorXd::Zero(at_.size());
      for (Index d = 0; d < row.size(); ++d)
        if (const Unknown& unknown = at_.unknowns[std::size_t(d)]; unknown.coordinate < 0 && unknown.name == f.name)
          row[d] = unknown.scale;
      judge(f, row, VectorXd::Zero(static_cast<Index>(at_.ends.size())), false, row.cwiseAbs().maxCoeff());
    }
    list.push_back(std::move(f));
  }

  /// Far from the optimum of the finer step slopes say little: what is told only together with a number that is sampled too
  /// coarsely, moving by as much of its standard error when that one moves by all of its own, is not known either.
  void spread_coarseness() {
    const MatrixXd& C = spread_.covariance;
    const auto correlation = [&](const VectorXd& a, const VectorXd& b) {
      return std::abs(a.dot(C * b)) / std::sqrt(a.dot(C * a) * b.dot(C * b));
    };
    for (const auto& [i, row] : told_)
      if (std::any_of(coarse_rows_.begin(), coarse_rows_.end(),
                      [&, &own = row](const VectorXd& other) { return correlation(own, other) > moves_at_half_step; })) {
        with.push_back(list[i].name);
        Finding without{list[i].name, list[i].unit, list[i].value};
        without.remark = too_coarse;
        list[i] = std::move(without);
      }
  }

  bool is_viscosity(const std::string& name) const {
    return std::any_of(fit_.coordinates.begin(), fit_.coordinates.end(),
                       [&](const Coordinate& c) { return c.group == 1 && c.name == name && c.unit == "N s/m"; });
  }

  /// The coordinates at an end that this number would follow by more than its standard error if the end were moved by a factor e.
  std::vector<std::string> limits_it_hangs_on(const VectorXd& row, const VectorXd& end, double error) const {
    std::vector<std::string> names;
    for (Index d = 0; d < end.size(); ++d)
      if (end[d] != 0 || std::abs(row.dot(spread_.shift.col(d))) > error)
        names.push_back(fit_.coordinates[at_.ends[std::size_t(d)]].name);
    return names;
  }

  /// `size`: what counts as all of it.
  void judge(Finding& f, const VectorXd& row, const VectorXd& end, bool is_positive, double size) {
    if (!is_finite_) {
      f.remark = not_told;
      return;
    }
    const double shift = std::abs(row.dot(noise_shift_));
    double error = std::hypot(spread_.error(row), known_bias * shift, row.cwiseProduct(noise_error_).norm());
    if (const auto limits = limits_it_hangs_on(row, end, error); !limits.empty()) {
      const bool is_itself = limits.size() == 1 && limits[0] == f.name;
      f.remark = is_itself ? "at its limit"
                           : fmt::format("depends on {}, which {} at {} bound", joined(limits), limits.size() > 1 ? "are" : "is",
                                         limits.size() > 1 ? "their" : "its");
      return;
    }
    double ratio = normal_95 * error / f.value;  // a positive number has a positive interval
    if (!std::isfinite(error) || (is_positive && !(ratio < widest))) {
      f.remark = not_told;
      return;
    }
    if (shift > lost_to_noise * size) {
      f.remark = lost;
      return;
    }
    if (const double moves = std::abs(row.dot(moves_)); moves > moves_at_half_step * error && moves <= small_move * size) {
      error = std::hypot(error, 2 * moves);
      ratio = normal_95 * error / f.value;
    } else if (!(moves <= moves_at_half_step * error)) {
      f.remark = too_coarse;
      coarse.push_back(f.name);
      coarse_rows_.push_back(row);
      by.push_back(is_positive ? fmt::format("{:.2g} %", 100 * moves / f.value) : quantity(moves, f.unit));
      return;
    }
    told_.emplace_back(list.size(), row);
    f.error = error;
    f.low = is_positive ? f.value * std::exp(-ratio) : f.value - normal_95 * error;
    f.high = is_positive ? f.value * std::exp(ratio) : f.value + normal_95 * error;
  }

  const Fit& fit_;
  const Linearised& at_;
  const ParameterSpread& spread_;
  const VectorXd& moves_;
  VectorXd noise_shift_, noise_error_;  // of the unknowns
  double longest_time_;                 // s, that the motion can show
  std::vector<VectorXd> coarse_rows_;
  std::vector<std::pair<std::size_t, VectorXd>> told_;  // findings with an interval
  bool is_finite_;
};

}  // namespace

NoiseBias noise_bias(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows) {
  NoiseBias bias;
  if (!(samples.noise.position > 0) && !(samples.noise.velocity > 0)) return bias;
  const Linearised at = linearised(model, fit, samples, rows);
  const Index n = at.size();
  if (n == 0 || !at.is_finite()) return bias;
  Uncertainty u;
  correlate(at.residual, u);
  const double spread = u.runs * at.residual.squaredNorm() / static_cast<double>(std::max<Index>(1, at.residual.size() - n));
  // What the data do not tell stays where it is: nothing is known to a factor of e beforehand.
  const auto step = [&](const Linearised& there) -> VectorXd {
    MatrixXd G = there.J.transpose() * there.J;
    G.diagonal().array() += spread;
    return G.ldlt().solve(there.J.transpose() * there.residual);
  };
  bias.is_taken_back = samples.noise.filter.order > 0;
  const VectorXd own = step(at);
  constexpr int draws = 8;
  MatrixXd moved(n, draws);
  const std::size_t count = reach_of(samples, rows);
  const auto part = [&](const std::vector<double>& clean, const std::vector<double>& noisy) {
    std::vector<double> whole(clean.begin(), clean.begin() + std::ptrdiff_t(count)), added(count);
    for (std::size_t k = 0; k < count; ++k) added[k] = noisy[k] - clean[k];
    keep_band(samples, whole), keep_band(samples, added);
    double all = 0, random = 0;
    for (const std::size_t k : rows) all += whole[k] * whole[k], random += added[k] * added[k];
    return all > 0 ? random / all : 0;
  };
  for (int draw = 0; draw < draws; ++draw) {
    const Samples noisy = with_noise(samples, std::uint64_t(draw) + 1);
    const Linearised there = linearised(model, fit, noisy, rows);
    if (!there.is_finite() || there.size() != n) return {};
    moved.col(draw) = step(there) - own;
    bias.acceleration += part(samples.acceleration, noisy.acceleration) / draws;
    bias.velocity += part(samples.velocity, noisy.velocity) / draws;
  }
  const Linearised smoother = linearised(model, fit, smoothed_more(samples), rows);
  const VectorXd smooth = smoother.is_finite() ? VectorXd(step(smoother) - own) : VectorXd::Zero(n);
  for (Index d = 0; d < n; ++d) {
    double mean = moved.row(d).mean();
    const double square = (moved.row(d).array() - mean).square().sum(), error = std::sqrt(square / (draws - 1) / draws);
    if (std::abs(mean) < 2 * error) mean = 0;
    const Unknown& unknown = at.unknowns[std::size_t(d)];
    // Without a filter nothing is taken back: how much it could be is part of the error.
    const bool is_filtered = samples.noise.filter.order > 0;
    bias.moves.push_back({unknown.name, unknown.coordinate < 0, mean + (is_filtered ? smooth[d] : 0.0),
                          std::hypot(error, is_filtered ? 0.5 * smooth[d] : smooth[d]), unknown.scale});
  }
  return bias;
}

void correct(const Model& model, Fit& fit, const NoiseBias& bias) {
  if (!bias.is_taken_back) return;
  for (const NoiseBias::Move& move : bias.moves) {
    if (std::abs(move.shift) > 0.5) continue;
    const double factor = std::exp(-move.shift);
    if (move.is_beside) {
      if (move.name == "M") fit.mass *= factor;
      else if (move.name == "Fv") fit.viscous *= factor;
      else if (move.name == "offset") fit.offset -= move.shift * move.scale;
      continue;
    }
    for (std::size_t i = 0; i < fit.q.size(); ++i)
      if (fit.coordinates[i].name == move.name)
        fit.q[i] = std::clamp(fit.q[i] * factor, fit.coordinates[i].low, fit.coordinates[i].high);
  }
  fit.parameters = model.parameters(fit.q);
}

double delay_of(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows) {
  const Linearised at = linearised(model, fit, samples, rows);
  const Index m = at.residual.size(), n = at.size();
  if (n == 0 || !at.is_finite() || !(at.residual.squaredNorm() > 0)) return 0;
  MatrixXd G = at.J.transpose() * at.J;
  G.diagonal().array() += 1e-10 * G.diagonal().maxCoeff();
  const Eigen::LDLT<MatrixXd> solver(G);
  // The measured force, shifted by `lag` samples, less what the model says.
  std::vector<double> force(samples.force.begin(), samples.force.begin() + std::ptrdiff_t(reach_of(samples, rows)));
  keep_band(samples, force);
  const auto measured = [&](std::size_t k, double lag) {
    const double place = std::clamp(static_cast<double>(k) + lag, 0.0, static_cast<double>(force.size()) - 1.001);
    const auto low = static_cast<std::size_t>(place);
    return force[low] + (place - static_cast<double>(low)) * (force[low + 1] - force[low]);
  };
  const auto cost = [&](double lag) {
    VectorXd residual(m);
    for (Index i = 0; i < m; ++i) {
      const std::size_t k = rows[std::size_t(i)];
      residual[i] = at.residual[i] + fit.weight[std::size_t(i)] * (measured(k, lag) - force[k]);
    }
    const VectorXd b = at.J.transpose() * residual;
    return residual.squaredNorm() - b.dot(solver.solve(b));
  };
  constexpr double most = 30, fine = 0.25;  // samples
  double best = 0, least = cost(0);
  const double own = least;
  for (double lag = -most; lag <= most; lag += 1)
    if (const double there = cost(lag); there < least) least = there, best = lag;
  for (double lag = best - 1; lag <= best + 1; lag += fine)
    if (const double there = cost(lag); there < least) least = there, best = lag;
  return least < 0.9 * own && std::abs(best) >= 1 ? best * samples.step[1] : 0;
}

Uncertainty uncertainty(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows, const NoiseBias& bias) {
  Uncertainty u;
  u.noisy_acceleration = bias.acceleration, u.noisy_velocity = bias.velocity;
  Linearised at = linearised(model, fit, samples, rows);
  const Index m = at.residual.size(), n = at.size();
  u.parameters = static_cast<int>(n + static_cast<Index>(at.ends.size()));
  const bool is_finite = at.is_finite();
  if (is_finite) {
    correlate(at.residual, u);
    u.deviation = std::sqrt(at.residual.squaredNorm() / static_cast<double>(std::max<Index>(1, m - n)));
  } else {
    u.deviation = infinity, u.is_white = false;
    at.J.setZero(), at.by_end.setZero(), at.residual.setZero();
    u.weak.emplace_back("anything: the force of this law is not finite here");
  }
  const ParameterSpread spread(at, u.deviation * std::sqrt(u.runs));
  if (is_finite) {
    u.singular_values.assign(spread.singular.data(), spread.singular.data() + n);
    tell_weak_directions(at, spread, u);
    tell_ends(at, fit, u);
  }
  VectorXd moves = VectorXd::Zero(n);
  if (is_finite && n > 0) moves = at_half_step(model, fit, samples, rows, at, spread.inverse);
  Findings findings(model, fit, at, spread, moves, bias, time_between_reversals(samples, rows), is_finite);
  if (!findings.coarse.empty())
    u.weak.push_back(fmt::format("the data are sampled too coarsely for {}: at half the step {} by {}{}", joined(findings.coarse),
                                 findings.coarse.size() == 1 ? "it moves" : "they move", joined(findings.by),
                                 findings.with.empty() ? "" : ", and " + joined(findings.with) + " with them"));
  u.findings = std::move(findings.list);
  return u;
}

}  // namespace asperity::identify
