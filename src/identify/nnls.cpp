#include "nnls.hpp"

#include <algorithm>
#include <cmath>

namespace asperity::identify {
namespace {

/// Solves for the chosen unknowns; the others are zero.
Eigen::VectorXd solve(const Eigen::MatrixXd& G, const Eigen::VectorXd& b, const std::vector<char>& is_chosen) {
  std::vector<Eigen::Index> at;
  for (std::size_t i = 0; i < is_chosen.size(); ++i)
    if (is_chosen[i]) at.push_back(static_cast<Eigen::Index>(i));
  Eigen::VectorXd x = Eigen::VectorXd::Zero(b.size());
  if (at.empty()) return x;
  Eigen::MatrixXd part = G(at, at);
  part.diagonal().array() += 1e-13;  // columns are of length one
  const Eigen::VectorXd some = part.ldlt().solve(Eigen::VectorXd(b(at)));
  for (std::size_t i = 0; i < at.size(); ++i) x[at[i]] = some[static_cast<Eigen::Index>(i)];
  return x;
}

}  // namespace

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& gram, const Eigen::VectorXd& right,
                                          const std::vector<char>& is_nonnegative) {
  const Eigen::Index n = right.size();
  if (n == 0) return right;
  Eigen::VectorXd length = gram.diagonal().cwiseSqrt();
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(length[i] > 0)) length[i] = 1;
  const Eigen::MatrixXd G = length.cwiseInverse().asDiagonal() * gram * length.cwiseInverse().asDiagonal();
  const Eigen::VectorXd b = right.cwiseQuotient(length);

  std::vector<char> is_in(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < is_in.size(); ++i) is_in[i] = !is_nonnegative[i] && G(Eigen::Index(i), Eigen::Index(i)) > 0;
  Eigen::VectorXd x = solve(G, b, is_in);
  const double enough = 1e-12 * b.cwiseAbs().maxCoeff();
  std::vector<char> stays_out(is_in.size(), false);  // rounding: its slope says come in, its solution says no
  for (Eigen::Index round = 0; round < 3 * n; ++round) {
    const Eigen::VectorXd downhill = b - G * x;
    Eigen::Index steepest = -1;
    for (Eigen::Index i = 0; i < n; ++i)
      if (!is_in[std::size_t(i)] && !stays_out[std::size_t(i)] && downhill[i] > enough &&
          (steepest < 0 || downhill[i] > downhill[steepest]))
        steepest = i;
    if (steepest < 0) break;
    is_in[std::size_t(steepest)] = true;
    Eigen::VectorXd next = solve(G, b, is_in);
    if (next[steepest] <= 0) {
      is_in[std::size_t(steepest)] = false;
      stays_out[std::size_t(steepest)] = true;
      continue;
    }
    std::fill(stays_out.begin(), stays_out.end(), false);
    for (Eigen::Index left = n; left >= 0; --left) {  // back to where the first unknown would change its sign
      double part = 1;
      for (Eigen::Index i = 0; i < n; ++i)
        if (is_in[std::size_t(i)] && is_nonnegative[std::size_t(i)] && next[i] <= 0) part = std::min(part, x[i] / (x[i] - next[i]));
      if (part == 1) break;
      x += part * (next - x);
      for (Eigen::Index i = 0; i < n; ++i)
        if (is_in[std::size_t(i)] && is_nonnegative[std::size_t(i)] && (next[i] <= 0 && x[i] <= 1e-14))
          x[i] = 0, is_in[std::size_t(i)] = false;
      next = solve(G, b, is_in);
    }
    x = next;
  }
  return x.cwiseQuotient(length);
}

}  // namespace asperity::identify
