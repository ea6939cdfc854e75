// The restitution of the linear compliance without gravity, in closed form (reference.md 8).
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>

namespace asperity::testing {

struct Restitution {
  double e;     // speed after over speed before
  double time;  // in touch, s
};

/// With omega = sqrt(K/M), b = omega beta, r = alpha/beta and the roots s_i of r b s^3 + s^2 + b s + 1,
/// c_i = (s_j + s_k)/((s_i - s_j)(s_i - s_k)): the force is sum c_i s_i^2 exp(s_i omega t), t_c its first zero, and
/// e = |sum c_i s_i exp(s_i omega t_c)|.
inline Restitution restitution(double M, double K, double alpha, double beta) {
  using Complex = std::complex<double>;
  const double omega = std::sqrt(K / M), b = omega * beta, r = alpha / beta;
  std::array<Complex, 3> s{Complex(.4, .9), Complex(-.65, .72), Complex(-1, -.3)};
  for (int round = 0; round < 500; ++round)  // Durand and Kerner
    for (std::size_t i = 0; i < 3; ++i) {
      const Complex z = s[i], p = ((z + 1 / (r * b)) * z + 1 / r) * z + 1 / (r * b);
      s[i] -= p / ((z - s[(i + 1) % 3]) * (z - s[(i + 2) % 3]));
    }
  const auto sum = [&](int power, double t) {
    Complex total = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Complex j = s[(i + 1) % 3], k = s[(i + 2) % 3];
      total += (j + k) / ((s[i] - j) * (s[i] - k)) * std::pow(s[i], power) * std::exp(s[i] * t);
    }
    return total.real();
  };
  const double sign = sum(2, 1e-3);
  double low = 1e-3, high = low;
  while (sum(2, high) * sign > 0) low = high, high += 1e-2;
  for (int k = 0; k < 60; ++k) (sum(2, (low + high) / 2) * sign > 0 ? low : high) = (low + high) / 2;
  return {std::abs(sum(1, low)), low / omega};
}

}  // namespace asperity::testing
