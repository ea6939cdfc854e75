#include "asperity/rules/stability.hpp"

#include "asperity/contact/defaults.hpp"
#include "asperity/integrate/integrator.hpp"
#include "infinity.hpp"

namespace asperity::design {
namespace {

/// Columns: a step from each unit vector around an equilibrium of a rate that is linear there, in units of `size`.
template <std::size_t N, class Rate>
Matrix<N> step_of(Method method, double h, const std::array<double, N>& equilibrium, const std::array<double, N>& size,
                  Rate&& rate) {
  RungeKutta integrator(method, N);
  Matrix<N> A{};
  for (std::size_t j = 0; j < N; ++j) {
    std::array<double, N> x = equilibrium;
    x[j] += size[j];
    integrator.step(rate, 0, h, x);
    for (std::size_t i = 0; i < N; ++i) A[i][j] = (x[i] - equilibrium[i]) / size[i];
  }
  return A;
}

/// The part with another stiffness. Where the damping is a time, it goes with the stiffness.
Stiffness stiffened(Stiffness part, double K) {
  if (part.kind == Stiffness::Kind::asperity && part.memory < infinity && part.K > 0) part.B *= K / part.K;
  part.K = K;
  return part;
}

/// What a quick motion feels at first.
double struck(const Stiffness& part, double step) {
  return part.kind == Stiffness::Kind::solid ? part.K * (1 + part.beta / std::max(part.alpha, step)) : part.K;
}

double memory_of(const Stiffness& part) {
  if (part.kind == Stiffness::Kind::solid) return part.alpha > 0 ? part.alpha : infinity;
  return part.memory > 0 ? part.memory : infinity;
}

}  // namespace

std::optional<Method> fixed_step(std::string_view method) {
  const AboutMethod* about = find_method(method);
  return about ? about->tableau : std::nullopt;
}

Matrix<2> stuck_step(double K, double B, bool looks_ahead, double mass, double step, Method method) {
  return step_of<2>(method, step, {0, 0}, {1 / step, 1},
                    [&](double, std::span<const double> x, double tau, std::span<double> xdot) {
                      const double G = B + (looks_ahead ? tau * K : 0);
                      xdot[0] = -(K * x[1] + G * x[0]) / mass;
                      xdot[1] = x[0];
                    });
}

Matrix<3> touching_step(double K, double alpha, double beta, double mass, double step, Method method) {
  // Compressed by 1 m and held there by the force that balances it: the law is linear as long as it touches.
  const LinearCompliance<double> law{K, alpha, beta};
  return step_of<3>(method, step, {0, -1, 1}, {1e-3 / step, 1e-3, 1e-3},
                    [&](double, std::span<const double> x, double tau, std::span<double> xdot) {
                      const auto r = law.react({x[2]}, {x[1], x[0]}, tau);
                      xdot[0] = (r.f - K) / mass;
                      xdot[1] = x[0];
                      xdot[2] = r.rate.e;
                    });
}

double sliding_step(double memory, double step, Method method) {
  return step_of<1>(method, step, {0}, {1}, [&](double, std::span<const double> x, double tau, std::span<double> xdot) {
    xdot[0] = -x[0] / (memory + tau);
  })[0][0];
}

double spectral_radius(const Matrix<2>& A) {
  const double half_trace = (A[0][0] + A[1][1]) / 2, determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  const double square = half_trace * half_trace - determinant;
  // Two equal roots are a square of rounding errors.
  if (square < 1e-15 * half_trace * half_trace) return std::sqrt(std::max(0.0, determinant));
  return std::abs(half_trace) + std::sqrt(square);
}

double spectral_radius(const Matrix<3>& A) {
  // |A^n|^(1/n), n = 2^40, by squaring.
  Matrix<3> power = A;
  double log_size = 0, n = 1;
  for (int round = 0; round < 40; ++round) {
    double size = 0;
    for (const auto& row : power)
      for (const double number : row) {
        if (!std::isfinite(number)) return infinity;
        size = std::max(size, std::abs(number));
      }
    if (!(size > 0)) return 0;
    log_size += std::log(size) / n;
    n *= 2;
    Matrix<3> square{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k) square[i][j] += power[i][k] / size * (power[k][j] / size);
    power = square;
  }
  return std::exp(log_size);
}

double spectral_radius(const Stiffness& part, double mass, double step, Method method) {
  if (part.kind == Stiffness::Kind::solid) return spectral_radius(touching_step(part.K, part.alpha, part.beta, mass, step, method));
  return spectral_radius(stuck_step(part.K, part.B, part.kind != Stiffness::Kind::spring, mass, step, method));
}

bool stable(const Stiffness& part, double mass, double step, Method method) {
  return spectral_radius(part, mass, step, method) <= 1 + 1e-9;
}

double reach(Method method) {
  switch (method) {
    case Method::euler:
      return 2;
    case Method::rk4:
      return 2.785293563405282;  // 1 + z + z^2/2 + z^3/6 + z^4/24 = 1
    default:
      return infinity;  // the memory's own step is implicit
  }
}

double smallest_mass(const Stiffness& part, double step, Method method) {
  const double scale = struck(part, step) * step * step + part.B * step;
  if (!(scale > 0)) return 0;
  double high = 1e5 * scale;
  if (!std::isfinite(high)) return infinity;  // there is no such mass
  if (!stable(part, high, step, method)) return infinity;
  double low = high;
  // The smallest numbers cannot be divided any more.
  for (int round = 0; round < 200 && low > 1e-3 * scale && stable(part, low, step, method); ++round) high = low, low /= 1.1;
  for (int round = 0; round < 50; ++round) {
    const double middle = std::sqrt(low * high);
    (stable(part, middle, step, method) ? high : low) = middle;
  }
  return high;
}

double largest_stiffness(const Stiffness& part, double mass, double step, Method method) {
  const auto good = [&](double K) { return stable(stiffened(part, K), mass, step, method); };
  double low = part.K;
  for (int round = 0; round < 200 && !good(low); ++round) low /= 1.1;
  if (!good(low)) return 0;
  double high = std::min(part.K, low * 1.1);
  for (int round = 0; round < 50; ++round) (good((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

double largest_step(const Stiffness& part, double mass, Method method) {
  const double memory = memory_of(part), longest = reach(method) * memory;
  // The shortest time that the part knows.
  double scale = memory;
  if (part.K > 0) scale = std::min(scale, std::sqrt(mass / struck(part, 0.01 * std::sqrt(mass / part.K))));
  if (part.B > 0) scale = std::min(scale, mass / part.B);
  if (scale == infinity) return longest;
  double low = 1e-2 * scale;
  if (!(low > 0) || !stable(part, mass, low, method)) return 0;
  double high = low;
  while (high < 1e6 * scale && high <= longest && stable(part, mass, high, method)) low = high, high *= 1.05;
  if (high >= 1e6 * scale) return longest;
  for (int round = 0; round < 50; ++round) {
    const double middle = (low + high) / 2;
    (middle <= longest && stable(part, mass, middle, method) ? low : high) = middle;
  }
  return low;
}

}  // namespace asperity::design
