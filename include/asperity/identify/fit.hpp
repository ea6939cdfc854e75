// Finds the parameters with which a law explains measured samples:  force = M a + law(v) + D v + terms + offset.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/hooks.hpp"
#include "asperity/identify/model.hpp"

namespace asperity::identify {

struct Bound {
  std::string name;
  double low = 0, high = 0;
};

struct FitSettings {
  int elements = 10;               // of laws made of elements: that many at most
  std::optional<double> mass = 0;  // kg; nothing: to be found
  bool viscous = false;            // Fv v is to be found: the law's own viscosity if it has one, beside it otherwise
  bool offset = false;
  double viscous_value = 0, offset_value = 0;         // N s/m, N: where they are not to be found
  bool robust = false;                                // impulsive noise counts little
  std::vector<std::pair<std::string, double>> fixed;  // coordinates by name
  std::vector<Bound> bounds;
  std::vector<std::pair<std::string, double>> guess;  // tried beside the starts that are drawn
  int starts = 6;                                     // searches to the end, from the best of many points drawn
  int steps = 200;                                    // of the last descent, at most
  std::uint64_t seed = 1;
  std::function<bool()> stop{};  // asked before every pass through the data: true ends the fit with Stopped
};

using asperity::Stopped;

/// The coordinates that a law has, with settings applied; problems are one line each.
std::vector<Coordinate> coordinates_for(const Model& model, const Scales& scales, const FitSettings& settings,
                                        std::vector<std::string>& problems);

struct Fit {
  std::vector<Coordinate> coordinates;
  std::vector<double> q;                     // their values
  std::vector<Parameter> parameters;         // what they are in the law
  std::vector<char> is_gone;                 // the data do not want the group it belongs to
  double mass = 0, viscous = 0, offset = 0;  // beside the law
  std::vector<double> terms;                 // factors of those of the samples
  bool mass_is_free = false, viscous_is_free = false, offset_is_free = false;
  double cost = 0;             // sum of the squared residuals, weighted if robust
  std::vector<double> weight;  // of each row
  bool converged = false;      // the last descent found nothing lower; if not, its steps were used up
  int evaluations = 0;         // passes through the data with slopes
};

/// Throws std::invalid_argument if settings name a coordinate that the law does not have.
Fit fit(const Model& model, const Samples& samples, const Rows& rows, const FitSettings& settings);

/// The force of all that stands beside the law, at sample k.
double force_beside(const Fit& fit, const Samples& samples, std::size_t k);
/// The whole force of the model at the first `count` samples.
std::vector<double> predicted_force(const Model& model, const Fit& fit, const Samples& samples, std::size_t count);

/// Root mean square of measured - predicted over these rows, within the band of the samples, N.
double rms_residual(const Samples& samples, const std::vector<double>& predicted, const Rows& rows);

}  // namespace asperity::identify
