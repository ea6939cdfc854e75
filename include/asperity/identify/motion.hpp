// Noise of a measured motion: how much there is, up to where the motion stands above it, and what it does to a fit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asperity/identify/samples.hpp"

namespace asperity::identify {

/// The noise of a channel that is differentiated, from its spectrum.
struct ChannelNoise {
  double deviation = 0;  // of a sample, as white noise
  double cutoff = 0;     // 1/s: below it what is there is stronger than the noise; half the sampling rate if it is so everywhere
};
/// `differences`: how many times it is to be differentiated, 2 for a position. The spectrum of the derivative falls as long as it
/// is motion and rises once it is noise, white or not; the cut-off is at its lowest, near which the low-pass leaves the least error
/// in the derivative (Wiener's: signal and noise are equal there).
ChannelNoise noise_of(const std::vector<double>& x, double step, int differences);

/// The same motion with noise added once more, as much as it has; the force is left as it is.
Samples with_noise(const Samples& samples, std::uint64_t seed);

/// The same motion behind a filter that takes away once more what the filter has taken away: a motion with kinks loses as the
/// inverse cube of the cut-off. Without a filter: what lies in the last octave that the samples can show.
Samples smoothed_more(const Samples& samples);

/// Leaves of a series, one value for each of the first samples, what lies in the band of the samples.
void keep_band(const Samples& samples, std::span<double> series);
/// As many samples as a series must have so that keep_band() is right in these rows.
std::size_t reach_of(const Samples& samples, const Rows& rows);
/// How many rows to keep so that their residuals, within the band, are nearly independent; at least 200.
Rows thinned(const Samples& samples, const Rows& rows);

}  // namespace asperity::identify
