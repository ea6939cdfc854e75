#include "asperity/identify/motion.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

#include "asperity/identify/signal.hpp"

namespace asperity::identify {
namespace {

using Complex = std::complex<double>;

/// In place, of 2^n values (Cooley and Tukey 1965).
void transform(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1U;
    for (; j & bit; bit >>= 1U) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    std::vector<Complex> turn(length / 2);
    for (std::size_t k = 0; k < turn.size(); ++k) turn[k] = std::polar(1.0, -2 * std::numbers::pi * double(k) / double(length));
    for (std::size_t at = 0; at < n; at += length)
      for (std::size_t k = 0; k < turn.size(); ++k) {
        const Complex a = x[at + k], b = turn[k] * x[at + k + turn.size()];
        x[at + k] = a + b, x[at + k + turn.size()] = a - b;
      }
  }
}

struct Spectrum {
  std::vector<double> power;  // at k/(2 (size - 1)) of the sampling rate; that of white noise is its variance everywhere
  double parts = 0;           // that it is the mean of
};

/// Mean over parts that overlap by half, under a Hann window (Welch 1967).
Spectrum spectrum_of(const std::vector<double>& x, std::size_t length) {
  std::vector<double> window(length);
  double energy = 0;
  for (std::size_t i = 0; i < length; ++i) {
    window[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (double(i) + 0.5) / double(length));
    energy += window[i] * window[i];
  }
  Spectrum s;
  s.power.assign(length / 2 + 1, 0.0);
  std::vector<Complex> part(length);
  for (std::size_t at = 0; at + length <= x.size(); at += length / 2, ++s.parts) {
    for (std::size_t i = 0; i < length; ++i) part[i] = window[i] * x[at + i];
    transform(part);
    for (std::size_t k = 0; k < s.power.size(); ++k) s.power[k] += std::norm(part[k]) / energy;
  }
  for (double& p : s.power) p /= s.parts;
  return s;
}

/// The same numbers with every library.
double normal(std::mt19937_64& random) {
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace

ChannelNoise noise_of(const std::vector<double>& x, double step, int differences) {
  // Differences first: what is left is nearly as strong everywhere, so that nothing leaks into the weak end of the spectrum.
  std::vector<double> d = x;
  for (int i = 0; i < differences; ++i) {
    for (std::size_t k = 0; k + 1 < d.size(); ++k) d[k] = d[k + 1] - d[k];
    d.pop_back();
  }
  constexpr std::size_t shortest = 64, longest = std::size_t(1) << 16U;
  ChannelNoise noise;
  noise.cutoff = 0.5 / step;
  if (d.size() < shortest) return noise;
  std::size_t length = shortest;
  while (length * 4 <= d.size() && length < longest) length *= 2;
  const Spectrum s = spectrum_of(d, length);
  const auto gain = [&](std::size_t k) {
    return std::pow(2 * std::sin(std::numbers::pi * double(k) / double(length)), 2 * differences);
  };
  const auto level = [&](std::size_t from, std::size_t to) {  // of the noise between these bins
    std::vector<double> part;
    for (std::size_t k = std::max<std::size_t>(1, from); k < std::min(to, s.power.size()); ++k)
      part.push_back(s.power[k] / gain(k));
    // The median of a mean of n squares is below its mean (Wilson and Hilferty 1931).
    const double n = std::max(1.0, 0.75 * s.parts);
    return std::sqrt(median(part) / std::pow(1 - 1 / (9 * n), 3));
  };
  noise.deviation = level(3 * length / 10, length / 2);
  // Above three times the frequencies that have all but 1e-4 of the energy, harmonics of friction lie there, ...
  std::vector<double> energy{0};
  for (std::size_t k = 1; k < s.power.size(); ++k) energy.push_back(energy.back() + s.power[k] / gain(k));
  const auto first =
      static_cast<std::size_t>(std::lower_bound(energy.begin(), energy.end(), 0.9999 * energy.back()) - energy.begin());
  // ... the spectrum of the derivative falls as long as it is motion, and rises once it is noise: the longest rise, between means
  // over sixths of an octave.
  double lowest = std::numeric_limits<double>::infinity(),
         rise = 4;  // less is none, and less than the power 2.5 of the frequency, too
  std::size_t lowest_at = 0, best = 0;
  for (double low = std::max<double>(4, 3 * double(first)); low < double(s.power.size());) {
    const double high = std::max(low + 1, low * std::exp2(1.0 / 6));
    double mean = 0, count = 0;
    for (auto k = static_cast<std::size_t>(low); k < std::min(static_cast<std::size_t>(high), s.power.size()); ++k)
      mean += s.power[k], ++count;
    if (count > 0) {
      mean /= count;
      if (mean < lowest) lowest = mean, lowest_at = static_cast<std::size_t>(std::sqrt(low * high));
      if (mean > rise * lowest && mean > lowest * std::pow(low / double(lowest_at), 2.5)) rise = mean / lowest, best = lowest_at;
    }
    low = high;
  }
  if (best == 0) return noise;
  noise.cutoff = double(best) / (double(length) * step);
  // Noise of a coarse encoder is not white: what counts is how strong it is next to the band.
  noise.deviation = level(3 * best / 2, std::max(3 * best, 3 * best / 2 + 8));
  return noise;
}

Samples with_noise(const Samples& samples, std::uint64_t seed) {
  Samples s = samples;
  const MotionNoise& noise = samples.noise;
  const double h = samples.step[1];
  std::mt19937_64 random(seed);
  const auto drawn = [&](double deviation) {
    std::vector<double> x(s.size());
    for (double& value : x) value = deviation * normal(random);
    return noise.filter.order > 0 ? zero_phase_butterworth(x, noise.filter.order, noise.filter.cutoff, 1 / h) : x;
  };
  const auto add = [](std::vector<double>& to, const std::vector<double>& x) {
    for (std::size_t k = 0; k < x.size(); ++k) to[k] += x[k];
  };
  std::vector<double> x = drawn(noise.position), v = noise.has_velocity ? drawn(noise.velocity) : differentiated(x, h);
  if (noise.position == 0)  // it was integrated
    for (std::size_t k = 1; k < x.size(); ++k) x[k] = x[k - 1] + 0.5 * s.step[k] * (v[k - 1] + v[k]);
  add(s.position, x), add(s.velocity, v);
  if (!noise.has_acceleration) add(s.acceleration, differentiated(v, h));
  return s;
}

Samples smoothed_more(const Samples& samples) {
  Samples s = samples;
  const double rate = 1 / samples.step[1];
  const Band& filter = samples.noise.filter;
  const Band more = filter.order > 0 ? Band{filter.order, filter.cutoff / std::cbrt(2.0)} : Band{4, 0.2 * rate};
  for (std::vector<double>* series : {&s.position, &s.velocity, &s.acceleration})
    *series = zero_phase_butterworth(*series, more.order, more.cutoff, rate);
  return s;
}

void keep_band(const Samples& samples, std::span<double> series) {
  if (samples.band.order == 0) return;
  const auto kept =
      zero_phase_butterworth({series.begin(), series.end()}, samples.band.order, samples.band.cutoff, 1 / samples.step[1]);
  std::copy(kept.begin(), kept.end(), series.begin());
}

std::size_t reach_of(const Samples& samples, const Rows& rows) {
  const std::size_t last = rows.back() + 1;
  if (samples.band.order == 0) return last;
  const double beyond = std::ceil(2 / (samples.band.cutoff * samples.step[1]));  // two periods
  return beyond < double(samples.size() - last) ? last + static_cast<std::size_t>(beyond) : samples.size();
}

Rows thinned(const Samples& samples, const Rows& rows) {
  if (samples.band.order == 0) return rows;
  const auto apart = static_cast<std::size_t>(std::min(0.5 / (samples.band.cutoff * samples.step[1]), double(rows.size()) / 200));
  Rows kept;
  for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(1, apart)) kept.push_back(rows[i]);
  return kept;
}

}  // namespace asperity::identify
