// Which parameters a measure depends on: Sobol's indices from Saltelli's design, elementary effects from Morris's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asperity/study/plan.hpp"

namespace asperity::study {

/// An estimate, and where it would lie in 95 of 100 studies of this size, by the bootstrap.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

struct SobolIndices {
  std::vector<Estimate> first, total;  // of each parameter: share of the variance by itself; with everything it acts in
  double variance = 0;
  std::uint64_t used = 0, left_out = 0;  // samples; those in which a measure is not known
};
/// `values` block by block of k + 2: A, A with column i of B for each i, B. First order as [Saltelli et al. 2010, (b) of table 2],
/// total order as [Jansen 1999]; the bootstrap draws samples, with the seed. [Archer et al. 1997]
SobolIndices sobol_indices(std::span<const double> values, std::size_t k, std::uint64_t seed, int draws = 400);

struct MorrisEffects {
  struct Effect {
    double mean = 0, mean_size = 0, deviation = 0;  // of the change of the measure over the width of the distribution
  };
  std::vector<Effect> effects;
  std::uint64_t used = 0, left_out = 0;  // trajectories
};
/// `values` trajectory by trajectory of k + 1 points; `moved` is the parameter that changes to the next point, and by what share of
/// its distribution.
struct MorrisStep {
  std::size_t parameter;
  double by;
};
MorrisEffects morris_effects(std::span<const double> values, std::span<const MorrisStep> steps, std::size_t k);
/// The same of a plan whose sensitivity is morris: one value for each of its points.
MorrisEffects morris_effects(const Plan& plan, const Points& points, std::span<const double> values);

}  // namespace asperity::study
