#include "interval.hpp"

#include <algorithm>
#include <numbers>

#include "algebra.hpp"

namespace asperity {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval everything{};
constexpr Interval truth{0, 1}, always{1, 1}, never{0, 0};
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

/// x < y
Interval below(const Interval& x, const Interval& y) { return x.high < y.low ? always : x.low >= y.high ? never : truth; }
Interval opposite(const Interval& x) { return {1 - x.high, 1 - x.low}; }

Interval compared(Op op, const Interval& x, const Interval& y) {
  switch (op) {
    case Op::less:
      return below(x, y);
    case Op::greater:
      return below(y, x);
    case Op::less_equal:
      return opposite(below(y, x));
    case Op::greater_equal:
      return opposite(below(x, y));
    default:
      return truth;
  }
}

using Leaf = std::function<Interval(const Node&)>;

bool is_order(Op op) { return op >= Op::less && op <= Op::greater_equal; }

/// A choice by a comparison: both sides of it, worked out once.
struct Sides {
  Interval left, right;
};

/// What is known where a comparison holds, or where it does not.
Leaf where(const Node& condition, bool holds, const Sides& sides, const Leaf& leaf) {
  if (!is_order(condition.op)) return leaf;
  const bool less = condition.op == Op::less || condition.op == Op::less_equal;
  const bool left_is_low = less == holds;
  const Node& low = condition.parts[left_is_low ? 0 : 1];
  const Node& high = condition.parts[left_is_low ? 1 : 0];
  const double most = (left_is_low ? sides.right : sides.left).high, least = (left_is_low ? sides.left : sides.right).low;
  return [&low, &high, &leaf, most, least](const Node& node) {
    Interval known = leaf(node);
    if (node == low) known.high = std::min(known.high, most);
    if (node == high) known.low = std::max(known.low, least);
    return known;
  };
}

Interval smaller(const Interval& x, const Interval& y) { return {std::min(x.low, y.low), std::min(x.high, y.high)}; }
Interval larger(const Interval& x, const Interval& y) { return {std::max(x.low, y.low), std::max(x.high, y.high)}; }

Sides sides_of(const Node& condition, const Leaf& leaf) {
  if (!is_order(condition.op)) return {};
  return {interval_of(condition.parts[0], leaf), interval_of(condition.parts[1], leaf)};
}
Interval truth_of(const Node& condition, const Sides& sides, const Leaf& leaf) {
  return is_order(condition.op) ? compared(condition.op, sides.left, sides.right) : interval_of(condition, leaf);
}

bool excludes_zero(const Interval& x) { return x.low > 0 || x.high < 0; }
bool is_point(const Interval& x) { return x.low == x.high; }
bool has_no_pole_of_tan(const Interval& x) { return x.low > -std::numbers::pi / 2 && x.high < std::numbers::pi / 2; }

/// From its parts.
Interval worked_out(const Node& node, const Leaf& leaf) {
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
    case Op::tan: {
      const Interval angle = part(0);
      return has_no_pole_of_tan(angle) ? rising(angle, [](double x) { return std::tan(x); }) : everything;
    }
    case Op::choose: {
      const Sides sides = sides_of(node.parts[0], leaf);
      const Interval condition = truth_of(node.parts[0], sides, leaf);
      const Interval yes = interval_of(node.parts[1], where(node.parts[0], true, sides, leaf));
      const Interval no = interval_of(node.parts[2], where(node.parts[0], false, sides, leaf));
      if (condition.low > 0) return yes;
      if (condition.low == 0 && condition.high == 0) return no;
      return {std::min(yes.low, no.low), std::max(yes.high, no.high)};
    }
    case Op::step:
      return truth;
    default:
      if (!algebra::is_condition(node.op)) return everything;
      return node.op == Op::not_ ? truth : compared(node.op, part(0), part(1));
  }
}

}  // namespace

Interval interval_of(const Node& node, const std::function<Interval(const Node&)>& leaf) {
  const Interval own = worked_out(node, leaf);
  if (node.parts.empty() || node.op == Op::other) return own;
  // A comparison around it may know more: abs(w) > G.
  const Interval known = leaf(node);
  const Interval both{std::max(own.low, known.low), std::min(own.high, known.high)};
  return both.low <= both.high ? both : own;
}

bool may_jump(const Node& node, const std::function<Interval(const Node&)>& leaf) {
  const auto any = [&](std::size_t from) {
    return std::any_of(node.parts.begin() + std::ptrdiff_t(from), node.parts.end(),
                       [&](const Node& part) { return may_jump(part, leaf); });
  };
  switch (node.op) {
    case Op::sign:
    case Op::step:
    case Op::floor:
    case Op::ceil:
    case Op::mod:
      return !is_point(interval_of(node, leaf));
    case Op::atan2:  // where y changes its sign, unless x > 0
      return any(0) || !(interval_of(node.parts[1], leaf).low > 0);
    case Op::divide:  // to infinity and back
      return any(0) || !excludes_zero(interval_of(node.parts[1], leaf));
    case Op::power:
    case Op::pow: {
      const Interval exponent = interval_of(node.parts[1], leaf);
      const bool rises = exponent.low > 0 || (is_point(exponent) && exponent.low == 0);
      return any(0) || !(rises || excludes_zero(interval_of(node.parts[0], leaf)));
    }
    case Op::log:
    case Op::log10:
      return any(0) || !(interval_of(node.parts[0], leaf).low > 0);
    case Op::tan:
      return any(0) || !has_no_pole_of_tan(interval_of(node.parts[0], leaf));
    case Op::choose:
      break;
    default:
      return algebra::is_condition(node.op) ? !is_point(interval_of(node, leaf)) : any(0);
  }
  // A choice is continuous if both sides of its comparison and both branches are, and the branches meet where the sides do: with
  // one side in place of the other they are the same, or the same number.
  const Node& condition = node.parts[0];
  const Sides sides = sides_of(condition, leaf);
  if (is_point(truth_of(condition, sides, leaf))) return any(1);
  if (!is_order(condition.op)) return true;
  if (may_jump(condition.parts[0], leaf) || may_jump(condition.parts[1], leaf)) return true;
  // Each branch where it is chosen.
  if (may_jump(node.parts[1], where(condition, true, sides, leaf))) return true;
  if (may_jump(node.parts[2], where(condition, false, sides, leaf))) return true;
  const auto meet = [&](const Node& from, const Node& to) {
    const auto put = [&](const Node& branch) {
      return algebra::replaced(branch, [&](const Node& n) { return n == from ? &to : nullptr; });
    };
    const Node yes = put(node.parts[1]), no = put(node.parts[2]);
    if (yes == no) return true;
    const Interval x = interval_of(yes, leaf), y = interval_of(no, leaf);
    return is_point(x) && is_point(y) && std::abs(x.low - y.low) <= 1e-12 * std::max(std::abs(x.low), std::abs(y.low));
  };
  return !meet(condition.parts[0], condition.parts[1]) && !meet(condition.parts[1], condition.parts[0]);
}

}  // namespace asperity
