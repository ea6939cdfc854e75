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
  std::vector<Finding> findings;                      // the law's parameters, then M, Fv and offset
  std::vector<double> singular_values;                // of the slopes by relative changes, N; the largest first
  std::vector<std::string> weak;                      // what the data cannot tell, one line each
  int parameters = 0;                                 // that were free
  double noisy_acceleration = 0, noisy_velocity = 0;  // part of their variance, in these rows, that is noise
};

/// What noise of the motion does to a fit: it makes masses, viscosities and stiffnesses too small. The noise is added once more,
/// and the optimum moves again by as much as it has moved already, to first order (SIMEX: Cook and Stefanski 1994). What the filter
/// takes off the motion is taken off once more in the same way.
struct NoiseBias {
  struct Move {
    std::string name;
    bool is_beside = false;  // M, Fv, a term, offset; else a coordinate of the law
    double shift = 0;        // of its logarithm; of a term or the offset, over its scale
    double error = 0;        // of the shift: noise is drawn a few times only
    double scale = 1;
  };
  std::vector<Move> moves{};
  bool is_taken_back = false;  // with a filter; without one it is part of the error only
  double acceleration = 0;     // part of the variance of the acceleration that is noise, of the velocity
  double velocity = 0;
};
NoiseBias noise_bias(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows);
/// Takes it back. What has moved by more than half is beyond that.
void correct(const Model& model, Fit& fit, const NoiseBias& bias);

/// By how much later than the motion the force seems to have been recorded, s: the shift with which the linearised fit is best, if
/// it takes a tenth of the squares away; 0 otherwise.
double delay_of(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows);

/// Covariance runs s^2 (J^T J)^-1 of the logarithms at the optimum: errors of correlated residuals are not averaged away as quickly
/// as those of white noise. A coordinate at the end of where it was looked for is not known to be there: what hangs on it has no
/// interval. Nor has a number that would be another one if the law were driven through these samples at half the step.
Uncertainty uncertainty(const Model& model, const Fit& fit, const Samples& samples, const Rows& rows, const NoiseBias& bias = {});

}  // namespace asperity::identify
