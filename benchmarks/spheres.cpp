// Compiled several times with other options, see CMakeLists.txt; ASPERITY_RK4 is the name of the function.
#include "spheres.hpp"

#include <algorithm>
#include <cmath>

namespace handwritten {
namespace {

constexpr std::size_t width = 64, columns = Spheres::columns;
struct Block {
  alignas(64) double at[columns][width];
};

// Not inlined: g++ forgets what does not overlap, and then vectorizes nothing.
[[gnu::noinline]] void rates(const Spheres& p, const double (*__restrict s)[width], double (*__restrict k)[width]) {
  const auto [mass, radius, gravity, normal_K, alpha, beta, mu, K, beta_t] = p;
  const double inertia = 0.4 * mass * radius * radius, G = K * beta_t;
  for (std::size_t j = 0; j < width; ++j) {
    const double qw = s[3][j], qx = s[4][j], qy = s[5][j], qz = s[6][j];
    const double vx = s[7][j], vy = s[8][j], vz = s[9][j], wx = s[10][j], wy = s[11][j], wz = s[12][j];
    const double e = s[13][j], ax = s[14][j], ay = s[15][j];
    const double push = -(s[2][j] - radius + e) / alpha, relax = -e / beta;
    const double pressed = e + beta * push, N = pressed > 0 ? normal_K * pressed : 0.0;
    const double slip_x = vx - radius * wy, slip_y = vy + radius * wx;
    const double ux = K * ax + G * slip_x, uy = K * ay + G * slip_y, length = std::sqrt(ux * ux + uy * uy), limit = mu * N;
    const double share = length > limit ? limit / length : 1.0;
    const double fx = share * ux, fy = share * uy;
    k[0][j] = vx;
    k[1][j] = vy;
    k[2][j] = vz;
    k[3][j] = -0.5 * (wx * qx + wy * qy + wz * qz);
    k[4][j] = 0.5 * (qw * wx + wy * qz - wz * qy);
    k[5][j] = 0.5 * (qw * wy + wz * qx - wx * qz);
    k[6][j] = 0.5 * (qw * wz + wx * qy - wy * qx);
    k[7][j] = -fx / mass;
    k[8][j] = -fy / mass;
    k[9][j] = N / mass - gravity;
    k[10][j] = -radius * fy / inertia;
    k[11][j] = radius * fx / inertia;
    k[12][j] = 0;
    k[13][j] = relax > push ? relax : push;
    k[14][j] = (fx - K * ax) / G;
    k[15][j] = (fy - K * ay) / G;
  }
}

}  // namespace

void Spheres::ASPERITY_RK4(std::size_t n, double h, double* x) const {
  Block from, rate, total, trial;
  auto* __restrict s = from.at, * __restrict k = rate.at, * __restrict sum = total.at, * __restrict stage = trial.at;
  const double ahead[] = {h / 2, h / 2, h};
  for (std::size_t first = 0; first < n; first += width) {
    const std::size_t count = std::min(width, n - first);
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t j = 0; j < width; ++j) s[c][j] = x[c * n + first + (j < count ? j : count - 1)];
    rates(*this, s, k);
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t j = 0; j < width; ++j) sum[c][j] = k[c][j], stage[c][j] = s[c][j] + ahead[0] * k[c][j];
    for (int m = 1; m < 3; ++m) {
      rates(*this, stage, k);
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t j = 0; j < width; ++j) sum[c][j] += 2 * k[c][j], stage[c][j] = s[c][j] + ahead[m] * k[c][j];
    }
    rates(*this, stage, k);
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t j = 0; j < width; ++j) s[c][j] += h / 6 * (sum[c][j] + k[c][j]);
    for (std::size_t j = 0; j < width; ++j) {
      const double size = std::sqrt(s[3][j] * s[3][j] + s[4][j] * s[4][j] + s[5][j] * s[5][j] + s[6][j] * s[6][j]);
      for (std::size_t c = 3; c < 7; ++c) s[c][j] /= size;
    }
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t j = 0; j < count; ++j) x[c * n + first + j] = s[c][j];
  }
}

}  // namespace handwritten
