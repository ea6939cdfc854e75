// Sampled signals: smoothing without delay, differences, outliers. Samples are evenly spaced.
#pragma once

#include <cstddef>
#include <vector>

namespace asperity::identify {

/// Butterworth low-pass of this order, run forwards and backwards: no phase, the gain squared, 1/2 at the cut-off. The cut-off and
/// the sampling rate are in the same unit; cutoff < rate/2. Ends are continued by point reflection, so that a ramp passes
/// unchanged.
std::vector<double> zero_phase_butterworth(const std::vector<double>& x, int order, double cutoff, double rate);

/// Of second order, central but at the ends; at least three samples.
std::vector<double> differences(const std::vector<double>& x, double step);
/// Of sixth order, for what is smooth; of second order with less than seven samples.
std::vector<double> differentiated(const std::vector<double>& x, double step);

/// The middle one of at least one value; of an even number the upper.
double median(std::vector<double> values);

/// Of each sample and `reach` neighbours to each side; fewer at the ends.
std::vector<double> running_median(const std::vector<double>& x, std::size_t reach = 5);

/// Samples that stand out of their neighbours: more than 6 robust standard deviations from the median of the 11 around (Hampel
/// 1974). The deviation is that of the 11, or what it is in most places if that is more: few samples can lie close together by
/// chance.
std::vector<char> outliers(const std::vector<double>& x);

/// Replaces outliers by the median around; returns how many there were.
std::size_t replace_outliers(std::vector<double>& x);

}  // namespace asperity::identify
