#include "ceres_descent.hpp"

#include <ceres/ceres.h>

#include <cmath>

namespace asperity::identify {
namespace {

class Residual final : public ceres::CostFunction {
 public:
  Residual(const Model& model, const Samples& samples, const Rows& rows, std::vector<double> q, std::vector<Direction> free)
      : model_(model), samples_(samples), rows_(rows), q_(std::move(q)), free_(std::move(free)) {
    set_num_residuals(static_cast<int>(rows.size()));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(free_.size()));
  }
  bool Evaluate(const double* const* logarithms, double* residual, double** slopes) const override {
    auto q = q_;
    for (std::size_t d = 0; d < free_.size(); ++d) q[free_[d].front()] = std::exp(logarithms[0][d]);
    const std::size_t count = rows_.back() + 1, n = free_.size();
    std::vector<double> force(count), by(slopes ? count * n : 0);
    if (slopes) model_.slopes(samples_, count, q, free_, force, by);
    else model_.force(samples_, count, q, force);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t k = rows_[i];
      residual[i] = force[k] - samples_.force[k];
      if (slopes)
        for (std::size_t d = 0; d < n; ++d) slopes[0][i * n + d] = by[d * count + k];
    }
    return true;
  }

 private:
  const Model& model_;
  const Samples& samples_;
  const Rows& rows_;
  std::vector<double> q_;
  std::vector<Direction> free_;
};

}  // namespace

Descent ceres_descent(const Model& model, const Samples& samples, const Rows& rows, const std::vector<Coordinate>& coordinates,
                      std::vector<double> q, double tolerance) {
  std::vector<Direction> free;
  std::vector<double> logarithms;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (coordinates[i].is_free) free.push_back({i}), logarithms.push_back(std::log(q[i]));
  ceres::Problem problem;
  problem.AddResidualBlock(new Residual(model, samples, rows, q, free), nullptr, logarithms.data());
  for (std::size_t d = 0; d < free.size(); ++d) {
    problem.SetParameterLowerBound(logarithms.data(), static_cast<int>(d),
                                   std::min(logarithms[d], std::log(coordinates[free[d].front()].low)));
    problem.SetParameterUpperBound(logarithms.data(), static_cast<int>(d),
                                   std::max(logarithms[d], std::log(coordinates[free[d].front()].high)));
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.max_num_iterations = 500;
  options.function_tolerance = tolerance;
  options.parameter_tolerance = std::min(options.parameter_tolerance, tolerance);
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  for (std::size_t d = 0; d < free.size(); ++d) q[free[d].front()] = std::exp(logarithms[d]);
  return {std::move(q), 2 * summary.final_cost, summary.termination_type == ceres::CONVERGENCE};
}

}  // namespace asperity::identify
