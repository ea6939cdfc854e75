#include "asperity/design/impact.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <complex>

#include "zero_between.hpp"

namespace asperity::design {
namespace {

using Complex = std::complex<double>;

/// The roots of r b s^3 + s^2 + b s + 1: a real one, by bracketing, and two that may be complex, by division.
std::array<Complex, 3> roots_of(double r, double b) {
  const double c2 = 1 / (r * b), c1 = 1 / r, c0 = c2;
  const auto q = [&](double s) { return ((s + c2) * s + c1) * s + c0; };
  // q(-1/b) > 0 and all roots lie below; q < 0 at -c2: (-c2) c1 + c0 = c2 (1 - 1/r) <= 0.
  double s = r == 1 ? -1 / b : zero_between(q, -c2, -1 / b);
  for (int k = 0; k < 2; ++k) {
    const double slope = (3 * s + 2 * c2) * s + c1;
    if (slope != 0 && std::abs(q(s) / slope) < 1e-8 * std::abs(s)) s -= q(s) / slope;
  }
  // What is left, s^2 + p1 s + p0: from the end at which nothing cancels.
  const bool largest = -s * s * s > c0;
  const double p0 = largest ? -c0 / s : c1 + s * (c2 + s), p1 = largest ? (p0 - c1) / s : c2 + s;
  const Complex root = std::sqrt(Complex(p1 * p1 / 4 - p0));
  return {Complex(s), -p1 / 2 + root, -p1 / 2 - root};
}

/// Divided differences of exp(s t) over two and three points.
Complex exp2(Complex a, Complex b, double t) {
  const Complex half = (a - b) * (t / 2), square = half * half;
  if (std::abs(half) > 1) return (std::exp(a * t) - std::exp(b * t)) / (a - b);
  const Complex sinh_over = std::abs(half) > 1e-3 ? std::sinh(half) / half : 1.0 + square / 6.0 * (1.0 + square / 20.0);
  return std::exp((a + b) * (t / 2)) * sinh_over * t;
}
Complex exp3(std::array<Complex, 3> s, double t) {
  const Complex mean = (s[0] + s[1] + s[2]) / 3.0;
  const double spread = std::max({std::abs(s[0] - mean), std::abs(s[1] - mean), std::abs(s[2] - mean)}) * t;
  if (spread > 1) {  // the two that are farthest apart end up in the denominator
    if (std::abs(s[0] - s[1]) > std::abs(s[0] - s[2])) std::swap(s[1], s[2]);
    if (std::abs(s[1] - s[2]) > std::abs(s[0] - s[2])) std::swap(s[0], s[1]);
    return (exp2(s[0], s[1], t) - exp2(s[1], s[2], t)) / (s[0] - s[2]);
  }
  // sum over k of h_k(s - mean) t^(k + 2)/(k + 2)!, h_k the complete symmetric polynomials.
  std::array<Complex, 3> d;
  for (std::size_t i = 0; i < 3; ++i) d[i] = (s[i] - mean) * t;
  Complex sum = 0, h1 = 1, h2 = 1, h3 = 1;  // of the first, the first two, all three
  double factor = .5;
  for (int k = 0; k < 30; ++k) {
    sum += h3 * factor;
    factor /= k + 3;
    h1 *= d[0];
    h2 = h2 * d[1] + h1;
    h3 = h3 * d[2] + h2;
  }
  return sum * std::exp(mean * t) * (t * t);
}

/// The motion during contact.
class Solid {
 public:
  Solid(double r, double b) : r_(r), b_(b), s_(roots_of(r, b)) {}
  struct At {
    double d, v, f;
  };
  At at(double t) const {
    // (s g)[1, 2, 3] = s1 g[1, 2, 3] + g[2, 3]
    const Complex E = exp3(s_, t), pair = exp2(s_[1], s_[2], t), E1 = s_[0] * E + pair;
    const Complex E2 = s_[0] * E1 + s_[1] * pair + std::exp(s_[2] * t);
    return {(E1 + E / (r_ * b_)).real(), (E2 + E1 / (r_ * b_)).real(), ((E1 + E / b_) / r_).real()};
  }

 private:
  double r_, b_;
  std::array<Complex, 3> s_;
};

/// When the force is back at zero.
double end_of(const Solid& solid, double r) {
  // The stiffest that it can be is K/r; half a swing lasts at least pi sqrt(r). No second zero follows within a tenth of the time.
  double low = 0, high = 3 * std::sqrt(r);
  for (int round = 0; round < 20'000 && solid.at(high).f > 0; ++round) low = high, high *= 1.1;
  return zero_between([&](double t) { return solid.at(t).f; }, low, high);
}

/// Whether the memory is so fast that it leaves no trace in ten digits: its root -1/(r b) would drown the other two.
bool is_kelvin_voigt(double r, double b) { return r < 1e-11 && r * b * std::max(1.0, b) < 1e-11; }

double linear_restitution(double r, double b) {
  if (is_kelvin_voigt(r, b)) return kelvin_voigt_impact(b / 2).restitution;
  const Solid solid(r, b);
  return -solid.at(end_of(solid, r)).v;
}

}  // namespace

ImpactShape linear_impact(double r, double b) {
  if (is_kelvin_voigt(r, b)) return kelvin_voigt_impact(b / 2);
  const Solid solid(r, b);
  const double end = end_of(solid, r);
  const double turn = zero_between([&](double t) { return solid.at(t).v; }, 0, end);
  const auto [peak_time, peak] = boost::math::tools::brent_find_minima([&](double t) { return -solid.at(t).f; }, 0.0, turn, 40);
  const auto last = solid.at(end);
  return {-last.v, end, solid.at(turn).d, last.d, -peak};
}

LeastRestitution least_linear_restitution(double r) {
  if (r >= 1) return {1, 1};
  // b is .51/sqrt(r) for small r and .9 for r = 1. Half of the digits: a minimum has no more.
  const auto [log_b, e] = boost::math::tools::brent_find_minima([&](double x) { return linear_restitution(r, std::exp(x)); },
                                                                std::log(.4 / std::sqrt(r)), std::log(1 + .6 / std::sqrt(r)), 26);
  return {std::exp(log_b), e};
}

std::optional<double> linear_b_of(double r, double restitution) {
  const auto least = least_linear_restitution(r);
  if (!(restitution >= least.restitution) || restitution >= 1) return std::nullopt;
  double low = least.b;
  while (low > 0 && linear_restitution(r, low) < restitution) low *= .5;
  if (low == least.b) return low;
  return zero_between([&](double b) { return linear_restitution(r, b) - restitution; }, low, std::min(2 * low, least.b));
}

ImpactShape kelvin_voigt_impact(double zeta) {
  // theta/sin(theta) with zeta = cos(theta), and the same beyond 1; 1 + x/3 near it.
  const double x = 1 - zeta, root = std::sqrt(std::abs(1 - zeta * zeta));
  const double half = std::abs(x) < 1e-7 ? 1 + x / 3 : (zeta < 1 ? std::acos(zeta) : std::acosh(zeta)) / root;
  const double end = 2 * half, e = std::exp(-zeta * end);
  // v = 0 half-way: d there is sqrt(e), and d = v sin/... at the end of the force 2 zeta e.
  const double peak_at = zeta >= .5 ? 0 : std::atan2((1 - 4 * zeta * zeta) * root, zeta * (3 - 4 * zeta * zeta)) / root;
  const double peak = zeta >= .5 ? 2 * zeta : std::exp(-zeta * peak_at);
  return {e, end, std::exp(-zeta * half), 2 * zeta * e, peak};
}

double kelvin_voigt_zeta_of(double restitution) {
  double high = 1;
  while (high < 1e300 && kelvin_voigt_impact(high).restitution > restitution) high *= 2;
  return zero_between([&](double zeta) { return kelvin_voigt_impact(zeta).restitution - restitution; }, 0, high);
}

double hunt_crossley_restitution(double D) {
  if (D < 1e-4) return 1 - 2 * D / 3 + 4 * D * D / 9;  // the logarithms cancel
  const double left = D - std::log1p(D);
  // D e = 1 - exp(-u), so that D e may come as near to 1 as it likes: u + exp(-u) - 1 grows from 0 to beyond `left` at left + 1.
  return -std::expm1(-zero_between([&](double u) { return u + std::expm1(-u) - left; }, 0, left + 1)) / D;
}

double hunt_crossley_D_of(double restitution) {
  double high = 1;
  while (high < 1e300 && hunt_crossley_restitution(high) > restitution) high *= 2;
  return zero_between([&](double D) { return hunt_crossley_restitution(D) - restitution; }, 0, high);
}

double hunt_crossley_deepest(double D, double lambda) {
  // int_0^1 u/(1 + D u) du = (D - ln(1 + D))/D^2
  const double work = D < 1e-3 ? .5 - D / 3 + D * D / 4 : (D - std::log1p(D)) / (D * D);
  return std::pow((lambda + 1) * work, 1 / (lambda + 1));
}

double hertz_deepest(double lambda) { return std::pow((lambda + 1) / 2, 1 / (lambda + 1)); }

double hertz_contact_time(double lambda) {
  // 2 p int_0^1 dx/sqrt(1 - x^(n)), n = lambda + 1: 2 p sqrt(pi) Gamma(1 + 1/n)/Gamma(1/2 + 1/n)
  const double n = lambda + 1;
  return 2 * hertz_deepest(lambda) * std::sqrt(std::acos(-1.0)) * std::tgamma(1 + 1 / n) / std::tgamma(.5 + 1 / n);
}

}  // namespace asperity::design
