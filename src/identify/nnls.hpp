// Least squares with signs.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

namespace asperity::identify {

/// min |A x - y| with x_i >= 0 where asked, from G = A^T A and b = A^T y: the active sets of Lawson and Hanson (1974, ch. 23).
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& G, const Eigen::VectorXd& b,
                                          const std::vector<char>& is_nonnegative);

}  // namespace asperity::identify
