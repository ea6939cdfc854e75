#include "nnls.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace asperity::identify {
namespace {

/// The conditions of Karush, Kuhn and Tucker: where x > 0 the slope is 0, where x = 0 it points outwards.
TEST(NonnegativeLeastSquares, IsOptimal) {
  Noise noise(7);
  int zeros = 0;
  for (int round = 0; round < 200; ++round) {
    const Eigen::Index n = 1 + round % 12;
    Eigen::MatrixXd A(40, n);
    Eigen::VectorXd y(40);
    for (Eigen::Index i = 0; i < 40; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) A(i, j) = noise.normal() * std::pow(10.0, double(j % 4));
      y[i] = noise.normal();
    }
    std::vector<char> signs(static_cast<std::size_t>(n), true);
    if (round % 3 == 0) signs.back() = false;
    const Eigen::MatrixXd G = A.transpose() * A;
    const Eigen::VectorXd b = A.transpose() * y, x = nonnegative_least_squares(G, b, signs), slope = b - G * x;
    for (Eigen::Index j = 0; j < n; ++j) {
      const double size = 1e-9 * std::sqrt(G(j, j));
      if (x[j] == 0 && signs[static_cast<std::size_t>(j)]) {
        ASSERT_LE(slope[j], size);
        ++zeros;
      } else {
        ASSERT_NEAR(slope[j], 0, size);
        ASSERT_TRUE(x[j] >= 0 || !signs[static_cast<std::size_t>(j)]);
      }
    }
  }
  EXPECT_GT(zeros, 100);
}

}  // namespace
}  // namespace asperity::identify
