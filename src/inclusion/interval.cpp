#include "interval.hpp"

#include <algorithm>
#include <numbers>

namespace asperity {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval everything{};
constexpr Interval truth{0, 1};
constexpr Interval nonnegative_numbers{0, infinity};
constexpr Interval zero{0, 0};

Interval ordered(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? everything : Interval{std::min(a, b), std::max(a, b)};
}
Interval negated(const Interval& x) { return {-x.high, -x.low}; }

Interval sum(const Interval& x, const Interval& y) { return ordered(x.low + y.low, x.high + y.high); }

Interval product(const Interval& x, const Interval& y) {
  const auto times = [](double a, double b) { return a == 0 || b == 0 ? 0 : a * b; };
  const auto [low, high] = std::minmax({times(x.low, y.low), times(x.low, y.high), times(x.high, y.low), times(x.high, y.high)});
  return {low, high};
}

/// x^2, |x|^p: of the size only.
Interval size(const Interval& x) {
  return {x.low > 0 ? x.low : x.high < 0 ? -x.high : 0.0, std::max(std::abs(x.low), std::abs(x.high))};
}

Interval reciprocal(const Interval& x) {
  if (x.low < 0 && x.high > 0) return everything;
  if (x.low >= 0) return {1 / x.high, x.low == 0 ? infinity : 1 / x.low};
  return {x.high == 0 ? -infinity : 1 / x.high, 1 / x.low};
}

template <class F>
Interval rising(const Interval& x, F&& f) {
  return ordered(f(x.low), f(x.high));
}

Interval power(const Interval& x, const Interval& p) {
  if (p.low == p.high && std::isfinite(p.low)) {
    const bool whole = p.low == std::floor(p.low), even = whole && std::fmod(p.low, 2) == 0;
    const auto raise = [&](double base) { return std::pow(base, std::abs(p.low)); };
    // A broken power of a negative number is no number at all.
    const Interval raised =
        whole && !even ? rising(x, raise) : rising(even ? size(x) : Interval{std::max(0.0, x.low), x.high}, raise);
    return p.low < 0 ? reciprocal(raised) : raised;
  }
  return x.low >= 0 ? nonnegative_numbers : everything;
}

Interval smaller(const Interval& x, const Interval& y) { return {std::min(x.low, y.low), std::min(x.high, y.high)}; }
Interval larger(const Interval& x, const Interval& y) { return {std::max(x.low, y.low), std::max(x.high, y.high)}; }

}  // namespace

Interval interval_of(const Node& node, const std::function<Interval(const Node&)>& leaf) {
  const auto part = [&](std::size_t i) { return interval_of(node.parts[i], leaf); };
  switch (node.op) {
    case Op::number:
    case Op::constant:
      return {node.number, node.number};
    case Op::name:
    case Op::other:
      return leaf(node);
    case Op::minus:
      return negated(part(0));
    case Op::add:
      return sum(part(0), part(1));
    case Op::subtract:
      return sum(part(0), negated(part(1)));
    case Op::multiply:
      return node.parts[0] == node.parts[1] ? power(part(0), {2, 2}) : product(part(0), part(1));
    case Op::divide:
      return product(part(0), reciprocal(part(1)));
    case Op::square:
      return power(part(0), {2, 2});
    case Op::power:
    case Op::pow:
      return power(part(0), part(1));
    case Op::sin:
    case Op::cos:
    case Op::sign:
      return {-1, 1};
    case Op::asin:
      return {-std::numbers::pi / 2, std::numbers::pi / 2};
    case Op::acos:
      return {0, std::numbers::pi};
    case Op::atan2:
      return {-std::numbers::pi, std::numbers::pi};
    case Op::atan:
      return rising(part(0), [](double x) { return std::atan(x); });
    case Op::sinh:
      return rising(part(0), [](double x) { return std::sinh(x); });
    case Op::tanh:
      return rising(part(0), [](double x) { return std::tanh(x); });
    case Op::exp:
      return rising(part(0), [](double x) { return std::exp(x); });
    case Op::cosh:
      return rising(size(part(0)), [](double x) { return std::cosh(x); });
    case Op::log:
      return rising(larger(part(0), zero), [](double x) { return std::log(x); });
    case Op::log10:
      return rising(larger(part(0), zero), [](double x) { return std::log10(x); });
    case Op::sqrt:
      return rising(larger(part(0), zero), [](double x) { return std::sqrt(x); });
    case Op::floor:
      return rising(part(0), [](double x) { return std::floor(x); });
    case Op::ceil:
      return rising(part(0), [](double x) { return std::ceil(x); });
    case Op::abs:
      return size(part(0));
    case Op::hypot:
      return nonnegative_numbers;
    case Op::mod: {
      const Interval by = part(1);
      return by.low > 0 ? Interval{0, by.high} : everything;
    }
    case Op::sat: {
      const Interval limit = part(0);
      return larger(negated(limit), smaller(limit, part(1)));
    }
    case Op::min:
    case Op::max: {
      Interval all = part(0);
      for (std::size_t i = 1; i < node.parts.size(); ++i) all = node.op == Op::min ? smaller(all, part(i)) : larger(all, part(i));
      return all;
    }
    case Op::choose: {
      const Interval yes = part(1), no = part(2);
      return {std::min(yes.low, no.low), std::max(yes.high, no.high)};
    }
    case Op::not_:
    case Op::step:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::and_:
    case Op::or_:
      return truth;
    default:
      return everything;
  }
}

}  // namespace asperity
