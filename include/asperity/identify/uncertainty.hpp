// How sure a fit is: standard errors, intervals, and what the data cannot tell.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "asperity/identify/fit.hpp"

namespace asperity::identify {

/// One number that was found. Where there is no interval, the remark says why, and error, low and high are not finite.
struct Finding {
  std::string name, unit;
  double value = 0;
  double error = std::numeric_limits<double>::infinity();  // standard error
  double low = std::numeric_limits<double>::quiet_NaN();   // 95 %
  double high = std::numeric_limits<double>::quiet_NaN();
  std::string remark{};  // "given", "taken as 2", "hangs on v_s, which is at its limit", ...
};

struct Uncertainty {
  double deviation = 0;    // N: standard deviation of a residual
  double correlation = 0;  // of neighbouring residuals; 0 for white noise
  double runs = 1;         // how many neighbouring residuals count as one: the integrated autocorrelation
  bool is_white = true;
  std::vector<Finding> findings;        // the law's parameters, then M, Fv and offset
  std::vector<double> singular_values;  // of the slopes by relative changes, N; the largest first
  std::vector<std::string> weak;        // what the data cannot tell, one line each
  int parameters = 0;                   // that were free
};

/// Covariance runs s^2 (J^T J)^-1 of the logarithms at the optimum: errors of correlated residuals are not averaged away as quickly
/// as those of white noise. A coordinate at the end of where it was looked for is not known to be there: what hangs on it has no
/// interval. Nor has a number that would be another one if the law were driven through these samples at half the step.
Uncertainty uncertainty(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows);

}  // namespace asperity::identify
