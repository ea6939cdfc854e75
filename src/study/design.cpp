#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "asperity/parameters.hpp"
#include "asperity/study/plan.hpp"

namespace asperity::study {
namespace {

/// A number that depends on all of these and on nothing else: the same on every machine, from any thread. [splitmix64, Steele et
/// al., 2014]
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}
std::uint64_t hash_of(std::uint64_t seed, std::uint64_t a, std::uint64_t b) { return mixed(mixed(mixed(seed) ^ a) ^ b); }

/// Between 0 and 1, neither of them.
double fraction(std::uint64_t bits) { return (double(bits >> 12U) + 0.5) * 0x1p-52; }

double normal_share(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }
double normal_quantile(double u) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * u); }

/// A permutation of 0 ... n - 1.
std::vector<std::uint32_t> shuffled(std::size_t n, std::uint64_t seed, std::uint64_t which) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[hash_of(seed, ~which, i) % i]);
  return order;
}

}  // namespace

double Distribution::quantile(double u) const {
  switch (kind) {
    case Kind::uniform:
      return a + u * (b - a);
    case Kind::loguniform:
      return a * std::pow(b / a, u);
    case Kind::normal:
    case Kind::lognormal: {
      const bool log = kind == Kind::lognormal;
      const double middle = log ? std::log(a) : a;
      const auto z_of = [&](double x) {
        return ((log ? (x > 0 ? std::log(x) : -std::numeric_limits<double>::infinity()) : x) - middle) / b;
      };
      const double from = normal_share(z_of(low)), to = normal_share(z_of(high));
      const double z = middle + b * normal_quantile(from + u * (to - from));
      return std::clamp(log ? std::exp(z) : z, low, high);
    }
  }
  return a;
}

std::string Axis::setting(double value) const {
  if (words.empty()) return path + "=" + asperity::to_text(value);
  return path + "=" + words[std::size_t(value)];
}

std::size_t Plan::grid_axes() const noexcept {
  return std::size_t(std::count_if(axes.begin(), axes.end(), [](const Axis& axis) { return !axis.random; }));
}

std::uint64_t Plan::grid_points() const noexcept {
  std::uint64_t product = 1;
  for (const Axis& axis : axes)
    if (!axis.random) product *= axis.values.size();
  return product;
}

std::uint64_t Plan::points() const noexcept {
  const std::uint64_t random = axes.size() - grid_axes();
  if (random == 0) return grid_points();
  const std::uint64_t each = sensitivity == Sensitivity::sobol ? random + 2 : sensitivity == Sensitivity::morris ? random + 1 : 1;
  return grid_points() * samples * each;
}

std::string Plan::total() const {
  std::vector<std::string> factors;
  for (const Axis& axis : axes)
    if (!axis.random) factors.push_back(fmt::format("{}", axis.values.size()));
  if (is_random()) {
    factors.push_back(fmt::format("{} {}", samples,
                                  sensitivity == Sensitivity::morris ? "trajectories"
                                  : samples == 1                     ? "sample"
                                                                     : "samples"));
    const std::size_t random = axes.size() - grid_axes();
    if (sensitivity != Sensitivity::none)
      factors.push_back(fmt::format("({} + {})", random, sensitivity == Sensitivity::sobol ? 2 : 1));
  }
  const std::string all = fmt::format("{} {}", points(), points() == 1 ? "point" : "points");
  return factors.size() < 2 ? all : fmt::format("{} = {}", fmt::join(factors, " x "), all);
}

/// Numbers between 0 and 1: sample s, dimension d.
struct Points::Sequence {
  static constexpr std::size_t bits = 40;  // samples at most 2^40

  std::uint64_t seed;
  Design design;
  std::uint64_t samples;
  std::vector<std::array<std::uint64_t, bits>> directions;  // of Sobol's sequence
  std::vector<std::uint64_t> shift;
  std::vector<std::vector<std::uint32_t>> order;  // of a Latin hypercube

  Sequence(const Plan& plan, std::size_t dimensions) : seed(plan.seed), design(plan.design), samples(plan.samples) {
    if (plan.sensitivity == Sensitivity::sobol) design = Design::sobol;
    if (design == Design::sobol) {
      // Sample 2^(j + 1) - 1 of the sequence in the order of Gray's code is its direction number j; the library leaves out sample
      // 0, which is 0. [direction numbers: Joe and Kuo, 2008]
      directions.resize(dimensions);
      boost::random::sobol engine(dimensions);
      for (std::size_t j = 0; j < bits; ++j) {
        engine.seed((std::uint64_t(1) << (j + 1)) - 2);
        for (auto& of : directions) of[j] = engine();
      }
      for (std::size_t d = 0; d < dimensions; ++d) shift.push_back(seed == 0 ? 0 : hash_of(seed, d, 0));
    }
    for (std::size_t d = 0; design == Design::latin && d < dimensions; ++d) order.push_back(shuffled(samples, seed, d));
  }

  double at(std::uint64_t s, std::size_t d) const {
    if (design == Design::random) return fraction(hash_of(seed, s, d));
    if (design == Design::latin) return (double(order[d][s]) + fraction(hash_of(seed, s, d))) / double(samples);
    std::uint64_t x = shift[d];
    for (std::uint64_t gray = s ^ (s >> 1U), j = 0; gray != 0; gray >>= 1U, ++j)
      if (gray & 1U) x ^= directions[d][j];
    return fraction(x);
  }
};

Points::Points(const Plan& plan) : plan_(plan), count_(plan.points()), grid_axes_(plan.grid_axes()) {
  const std::size_t random = plan.axes.size() - grid_axes_;
  if (random == 0 || count_ == 0) return;
  if (plan.sensitivity == Sensitivity::morris) return;
  sequence_ = std::make_unique<Sequence>(plan, plan.sensitivity == Sensitivity::sobol ? 2 * random : random);
}
Points::~Points() = default;

double Points::unit(std::uint64_t number, std::size_t d) const {
  const std::size_t k = plan_.axes.size() - grid_axes_;
  if (plan_.sensitivity == Sensitivity::none) return sequence_->at(number, d);
  if (plan_.sensitivity == Sensitivity::sobol) {
    // Blocks of k + 2: A; A with column i from B, for each i; B. A and B are the halves of one sequence.
    const std::uint64_t s = number / (k + 2), j = number % (k + 2);
    return sequence_->at(s, j == k + 1 || j == d + 1 ? d + k : d);
  }
  // A trajectory: from a corner of the lowest cell one coordinate after the other moves by half of its distribution, up or down.
  const std::uint64_t trajectory = number / (k + 1), step = number % (k + 1);
  const auto order = shuffled(k, plan_.seed, trajectory);
  const std::uint64_t chance = hash_of(plan_.seed, trajectory, d);
  const bool moved = std::uint64_t(std::find(order.begin(), order.end(), d) - order.begin()) < step, up = chance & 2U;
  return (chance & 1U ? 0.375 : 0.125) + (moved == up ? 0.5 : 0);
}

void Points::at(std::uint64_t point, std::span<double> values) const {
  const std::uint64_t grid = plan_.grid_points(), each = count_ / std::max<std::uint64_t>(grid, 1);
  std::uint64_t cell = point / each;
  for (std::size_t i = grid_axes_; i-- > 0;) {
    const auto& list = plan_.axes[i].values;
    values[i] = list[cell % list.size()];
    cell /= list.size();
  }
  for (std::size_t i = grid_axes_; i < plan_.axes.size(); ++i)
    values[i] = plan_.axes[i].random->quantile(unit(point % each, i - grid_axes_));
}

double Points::share(std::uint64_t point, std::size_t axis) const {
  return unit(point % (count_ / std::max<std::uint64_t>(plan_.grid_points(), 1)), axis - grid_axes_);
}

std::vector<std::string> Points::settings(std::span<const double> values) const {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) list.push_back(plan_.axes[i].setting(values[i]));
  return list;
}

}  // namespace asperity::study
