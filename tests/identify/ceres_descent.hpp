// A second party's solver on the same residuals: Ceres, Levenberg-Marquardt in the logarithms of all free coordinates at once.
#pragma once

#include "asperity/identify/fit.hpp"

namespace asperity::identify {

struct Descent {
  std::vector<double> q;
  double cost = 0;         // sum of the squared residuals
  bool converged = false;  // what Ceres says
};

/// Straight downhill from q, until a step gains less than this part of the cost (1e-6 is what Ceres takes if nobody says anything);
/// nothing beside the law.
Descent ceres_descent(const Model& model, const Samples& samples, const Rows& rows, const std::vector<Coordinate>& coordinates,
                      std::vector<double> q, double tolerance = 1e-6);

}  // namespace asperity::identify
