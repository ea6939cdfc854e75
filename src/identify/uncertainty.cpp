#include "asperity/identify/uncertainty.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double normal_95 = 1.959963984540054;
/// A direction that is not known to this part of its value is one the data cannot tell.
constexpr double too_vague = 0.3;

/// Of residuals: that of neighbours, and 1 + 2 sum of the correlations up to the first that is lost in noise (Geyer 1992).
void correlate(const VectorXd& r, Uncertainty& u) {
  const double square = r.squaredNorm();
  const Index m = r.size();
  if (!(square > 0)) return;
  const auto at = [&](Index lag) { return r.head(m - lag).dot(r.tail(m - lag)) / square; };
  u.correlation = at(1);
  const double noise = 2.576 / std::sqrt(static_cast<double>(m));  // 99 % of white noise stays below
  u.is_white = std::abs(u.correlation) < noise;
  for (Index lag = 1; lag < m / 4; ++lag) {
    const double rho = at(lag);
    if (rho < noise) break;
    u.runs += 2 * rho;
  }
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

/// One unknown of the linearised problem.
struct Unknown {
  std::string name;
  Index coordinate = -1;  // -1: a term beside the law
  double scale = 1;       // of a term beside the law: what counts as a change by all of it
};

}  // namespace

Uncertainty uncertainty(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows) {
  Uncertainty u;
  const std::size_t count = rows.back() + 1;
  const Index m = static_cast<Index>(rows.size());

  std::vector<Unknown> unknowns;
  std::vector<Direction> directions;
  std::vector<std::string> ends;
  std::vector<char> is_at_end(fit.q.size(), false);
  for (std::size_t i = 0; i < fit.q.size(); ++i) {
    const Coordinate& c = fit.coordinates[i];
    if (!c.is_free || fit.is_gone[i]) continue;
    if (fit.q[i] <= c.low || fit.q[i] >= c.high) {
      is_at_end[i] = true;
      ends.push_back(fmt::format("{} is at the {} end of where it was looked for, {:.4g}{}", c.name,
                                 fit.q[i] <= c.low ? "lower" : "upper", fit.q[i], c.unit == "1" ? "" : " " + c.unit));
      continue;
    }
    unknowns.push_back({c.name, static_cast<Index>(i), 1});
    directions.push_back({i});
  }
  const Index n_law = static_cast<Index>(unknowns.size());
  std::vector<double> force(count), slopes(count * directions.size());
  model.slopes(samples, count, fit.q, directions, force, slopes);
  double force_scale = 0;
  for (const std::size_t k : rows) force_scale = std::max(force_scale, std::abs(samples.force[k]));
  if (fit.mass_is_free && fit.mass > 0) unknowns.push_back({"M", -1, fit.mass});
  if (fit.viscous_is_free && fit.viscous > 0) unknowns.push_back({"Fv", -1, fit.viscous});
  if (fit.offset_is_free) unknowns.push_back({"offset", -1, force_scale});

  const Index n = static_cast<Index>(unknowns.size());
  MatrixXd J(m, n);
  VectorXd residual(m);
  for (Index i = 0; i < m; ++i) {
    const std::size_t k = rows[std::size_t(i)];
    const double weight = fit.weight[std::size_t(i)];
    for (Index d = 0; d < n_law; ++d) J(i, d) = weight * slopes[std::size_t(d) * count + k];
    for (Index d = n_law; d < n; ++d) {
      const Unknown& beside = unknowns[std::size_t(d)];
      const double by = beside.name == "M" ? samples.acceleration[k] : beside.name == "Fv" ? samples.velocity[k] : 1;
      J(i, d) = weight * by * beside.scale;
    }
    residual[i] = weight * (samples.force[k] - force[k] - fit.mass * samples.acceleration[k] - fit.viscous * samples.velocity[k] -
                            fit.offset);
  }
  correlate(residual, u);
  u.parameters = static_cast<int>(n + static_cast<Index>(ends.size()));
  u.deviation = std::sqrt(residual.squaredNorm() / static_cast<double>(std::max<Index>(1, m - n)));

  // Singular values of J from J^T J: what is lost below 1e-8 of the largest is lost to the data, too.
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(J.transpose() * J);
  const double noise = u.deviation * std::sqrt(u.runs);
  MatrixXd covariance = MatrixXd::Zero(n, n);
  VectorXd is_lost = VectorXd::Zero(n);
  const double largest = n > 0 ? std::sqrt(std::max(0.0, eigen.eigenvalues()[n - 1])) : 0;
  for (Index d = n - 1; d >= 0; --d) {
    const double s = std::sqrt(std::max(0.0, eigen.eigenvalues()[d]));
    u.singular_values.push_back(s);
    const VectorXd direction = eigen.eigenvectors().col(d);
    const bool lost = !(s > 1e-8 * largest);
    const double vague = lost ? infinity : noise / s;
    if (lost) is_lost += direction.cwiseAbs2();
    else covariance += vague * vague * direction * direction.transpose();
    if (vague < too_vague) continue;
    const double most = direction.cwiseAbs().maxCoeff();
    std::vector<std::string> names;
    for (Index i = 0; i < n; ++i)
      if (std::abs(direction[i]) > 0.35 * most) names.push_back(in_words(unknowns[std::size_t(i)].name));
    const std::string how = lost || vague > 20 ? "not at all" : fmt::format("to {:.2g} %", 100 * vague);
    u.weak.push_back(names.size() == 1 ? fmt::format("{} is told {}", names[0], how)
                                       : fmt::format("{} are told only together: apart {}", joined(names), how));
  }
  for (std::string& line : ends) u.weak.push_back(std::move(line));

  // From logarithms of coordinates to the parameters of the law.
  const auto parameters = model.parameters(fit.q);
  const auto by = model.parameter_slopes(fit.q);
  std::size_t p = 0;
  for (const Parameter& parameter : parameters)
    for (std::size_t i = 0; i < parameter.values.size(); ++i, ++p) {
      Finding f{
          parameter.name + (parameter.is_list ? fmt::format("[{}]", i + 1) : ""), parameter.unit, parameter.values[i], 0, 0, 0, ""};
      VectorXd row = VectorXd::Zero(n);
      bool depends = false, gone = false, at_end = false;
      for (std::size_t c = 0; c < fit.q.size(); ++c) {
        const double slope = by[p * fit.q.size() + c];
        if (slope == 0) continue;
        gone = gone || fit.is_gone[c];
        at_end = at_end || is_at_end[c];
        for (Index d = 0; d < n_law; ++d)
          if (unknowns[std::size_t(d)].coordinate == static_cast<Index>(c)) row[d] = slope, depends = true;
      }
      f.error = std::sqrt(std::max(0.0, row.dot(covariance * row)));
      if ((row.cwiseAbs2().array() * is_lost.array()).sum() > 1e-6 * row.squaredNorm()) f.error = infinity;
      if (!depends) f.remark = gone ? "not needed" : at_end ? "at the end of its range" : "given";
      const double ratio = normal_95 * f.error / f.value;  // a positive number has a positive interval
      f.low = f.value > 0 ? f.value * std::exp(-ratio) : f.value;
      f.high = f.value > 0 ? f.value * std::exp(ratio) : f.value;
      u.findings.push_back(std::move(f));
    }
  const auto beside = [&](const char* name, const char* unit, double value, bool is_free) {
    if (!is_free && value == 0) return;
    Finding f{name, unit, value, 0, value, value, is_free ? "" : "given"};
    for (Index d = n_law; d < n; ++d)
      if (unknowns[std::size_t(d)].name == name) f.error = std::sqrt(covariance(d, d)) * unknowns[std::size_t(d)].scale;
    f.low = value - normal_95 * f.error, f.high = value + normal_95 * f.error;
    u.findings.push_back(std::move(f));
  };
  beside("M", "kg", fit.mass, fit.mass_is_free);
  beside("Fv", "N s/m", fit.viscous, fit.viscous_is_free);
  beside("offset", "N", fit.offset, fit.offset_is_free);
  return u;
}

}  // namespace asperity::identify
