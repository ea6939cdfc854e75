#include "asperity/formula/outline.hpp"

#include <algorithm>
#include <memory>
#include <numbers>

namespace asperity {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_looks = 2000;  // at ranges, in one search
constexpr double finest = 1e-11;  // of what is searched

/// Truth of a comparison of ranges.
enum class Mask { no, yes, maybe };

/// All values of a part of a formula while t is in an interval. A scalar over which formulas can be evaluated.
struct Spread {
  double low = 0, high = 0;
  Spread() = default;
  explicit Spread(double value) : low(value), high(value) {}
  Spread(double from, double to) : low(from), high(to) {
    if (std::isnan(from) || std::isnan(to)) low = -infinity, high = infinity;
  }
  static Spread nothing() {
    Spread none;
    none.low = infinity, none.high = -infinity;
    return none;
  }
  bool empty() const { return low > high; }
};
Spread hull(const Spread& x, const Spread& y) {
  if (x.empty()) return y;
  if (y.empty()) return x;
  return {std::min(x.low, y.low), std::max(x.high, y.high)};
}
Spread select(Mask mask, const Spread& yes, const Spread& no) {
  return mask == Mask::yes ? yes : mask == Mask::no ? no : hull(yes, no);
}
Mask decided(bool yes, bool no) { return yes ? Mask::yes : no ? Mask::no : Mask::maybe; }
Mask operator<(const Spread& x, const Spread& y) { return decided(x.high < y.low, x.low >= y.high); }
Mask operator<=(const Spread& x, const Spread& y) { return decided(x.high <= y.low, x.low > y.high); }
Mask operator>(const Spread& x, const Spread& y) { return y < x; }
Mask operator>=(const Spread& x, const Spread& y) { return y <= x; }
Mask operator==(const Spread& x, const Spread& y) {
  return decided(x.low == x.high && y.low == y.high && x.low == y.low, x.high < y.low || y.high < x.low);
}

Spread operator-(const Spread& x) { return x.empty() ? x : Spread(-x.high, -x.low); }
Spread operator+(const Spread& x, const Spread& y) {
  return x.empty() || y.empty() ? Spread::nothing() : Spread(x.low + y.low, x.high + y.high);
}
Spread operator-(const Spread& x, const Spread& y) { return x + -y; }
Spread abs(const Spread& x);
Spread operator*(const Spread& x, const Spread& y) {
  if (x.empty() || y.empty()) return Spread::nothing();
  if (&x == &y) return {abs(x).low * abs(x).low, abs(x).high * abs(x).high};  // a square
  const auto times = [](double a, double b) { return a == 0 || b == 0 ? 0 : a * b; };
  const auto [low, high] = std::minmax({times(x.low, y.low), times(x.low, y.high), times(x.high, y.low), times(x.high, y.high)});
  return {low, high};
}
Spread operator/(const Spread& x, const Spread& y) {
  if (x.empty() || y.empty()) return Spread::nothing();
  if (y.low < 0 && y.high > 0) return {-infinity, infinity};
  if (y.low == 0 && y.high == 0) return {-infinity, infinity};
  const Spread by =
      y.low >= 0 ? Spread(1 / y.high, y.low == 0 ? infinity : 1 / y.low) : Spread(y.high == 0 ? -infinity : 1 / y.high, 1 / y.low);
  return x * by;
}
template <class F>
Spread rising(const Spread& x, F&& f, double least = -infinity, double most = infinity) {
  if (x.empty() || x.high < least || x.low > most) return Spread::nothing();
  return {f(std::max(x.low, least)), f(std::min(x.high, most))};
}
Spread min(const Spread& x, const Spread& y) {
  return x.empty() || y.empty() ? Spread::nothing() : Spread(std::min(x.low, y.low), std::min(x.high, y.high));
}
Spread max(const Spread& x, const Spread& y) {
  return x.empty() || y.empty() ? Spread::nothing() : Spread(std::max(x.low, y.low), std::max(x.high, y.high));
}
Spread abs(const Spread& x) {
  if (x.empty()) return x;
  return {x.low > 0 ? x.low : x.high < 0 ? -x.high : 0.0, std::max(std::abs(x.low), std::abs(x.high))};
}
Spread sign(const Spread& x) {
  return rising(x, [](double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0; });
}
Spread floor(const Spread& x) {
  return rising(x, [](double a) { return std::floor(a); });
}
Spread ceil(const Spread& x) {
  return rising(x, [](double a) { return std::ceil(a); });
}
Spread exp(const Spread& x) {
  return rising(x, [](double a) { return std::exp(a); });
}
Spread atan(const Spread& x) {
  return rising(x, [](double a) { return std::atan(a); });
}
Spread sinh(const Spread& x) {
  return rising(x, [](double a) { return std::sinh(a); });
}
Spread tanh(const Spread& x) {
  return rising(x, [](double a) { return std::tanh(a); });
}
Spread cosh(const Spread& x) {
  return rising(abs(x), [](double a) { return std::cosh(a); });
}
Spread asin(const Spread& x) {
  return rising(
      x, [](double a) { return std::asin(a); }, -1, 1);
}
Spread acos(const Spread& x) {
  return -rising(
      x, [](double a) { return -std::acos(a); }, -1, 1);
}
Spread log(const Spread& x) {
  return rising(
      x, [](double a) { return std::log(a); }, 0);
}
Spread log10(const Spread& x) {
  return rising(
      x, [](double a) { return std::log10(a); }, 0);
}
Spread sqrt(const Spread& x) {
  return rising(
      x, [](double a) { return std::sqrt(a); }, 0);
}
Spread cos(const Spread& x) {
  if (x.empty()) return x;
  if (!(x.high - x.low < 2 * std::numbers::pi) || std::abs(x.low) > 1e15) return {-1, 1};
  // Whether a multiple of the half turn, even or odd, lies in it: there is a maximum or a minimum.
  const auto holds = [&](double first) {
    const double turn = 2 * std::numbers::pi;
    return std::ceil((x.low - first) / turn) * turn + first <= x.high;
  };
  const double a = std::cos(x.low), b = std::cos(x.high), rounding = 4e-16 * (1 + std::abs(x.low));
  return {holds(std::numbers::pi) ? -1 : std::max(-1.0, std::min(a, b) - rounding),
          holds(0) ? 1 : std::min(1.0, std::max(a, b) + rounding)};
}
Spread sin(const Spread& x) { return cos(x - Spread(std::numbers::pi / 2)); }
Spread tan(const Spread& x) {
  if (x.empty()) return x;
  const double k = std::floor(x.low / std::numbers::pi + 0.5);
  if (std::floor(x.high / std::numbers::pi + 0.5) != k) return {-infinity, infinity};
  return rising(x, [](double a) { return std::tan(a); });
}
Spread atan2(const Spread& y, const Spread& x) {
  if (x.empty() || y.empty()) return Spread::nothing();
  const bool whole_turn = x.low <= 0 && y.low <= 0 && y.high >= 0;  // the origin, or the cut behind it
  if (whole_turn) return {-std::numbers::pi, std::numbers::pi};
  const auto [low, high] =
      std::minmax({std::atan2(y.low, x.low), std::atan2(y.low, x.high), std::atan2(y.high, x.low), std::atan2(y.high, x.high)});
  return {low, high};
}
Spread pow(const Spread& x, const Spread& p) {
  if (x.empty() || p.empty()) return Spread::nothing();
  if (p.low != p.high) {
    if (x.low <= 0) return {-infinity, infinity};
    return exp(p * log(x));
  }
  const double n = std::abs(p.low);
  const bool whole = n == std::floor(n), even = whole && std::fmod(n, 2) == 0;
  const auto raise = [n](double a) { return std::pow(a, n); };
  const Spread raised = even ? rising(abs(x), raise) : whole ? rising(x, raise) : rising(x, raise, 0);
  return p.low < 0 ? Spread(1.0) / raised : raised;
}
Spread hypot(const Spread& x, const Spread& y) { return sqrt(pow(x, Spread(2.0)) + pow(y, Spread(2.0))); }

/// A function of time whose class, the side of zero or the whole number below or above it, decides between branches.
struct Switch {
  enum class Class : std::uint8_t { at_least_zero, above_zero, floor, ceil };
  Formula of;
  Class by;

  double of_value(double value) const {
    switch (by) {
      case Class::at_least_zero:
        return value >= 0 ? 1 : 0;
      case Class::above_zero:
        return value > 0 ? 1 : 0;
      case Class::floor:
        return std::floor(value);
      default:
        return std::ceil(value);
    }
  }
  double at(double t) const { return of_value(of.value<double>(std::span<const double>(&t, 1))); }
  bool is_one(const Spread& r) const { return r.empty() || of_value(r.low) == of_value(r.high); }
};

Spread spread_of(const Formula& formula, double from, double to) {
  const Spread t{from, to};
  return formula.value<Spread>(std::span<const Spread>(&t, 1));
}

/// The first change of the class of a function between two times: everything up to it is seen to be of one class, by its range.
template <class IsOne, class Class>
Corner first_change(double from, double to, IsOne&& is_one, Class&& of) {
  const double least = std::max(finest * (to - from), 4 * std::numeric_limits<double>::epsilon() * std::abs(to));
  double a = from, width = to - from;
  for (int looks = 0; a < to; ++looks) {
    const double b = std::min(a + width, to);
    if (!(b > a)) break;
    if (looks == most_looks) {
      if (a > from + 0.01 * (to - from)) return {a, a};  // so far for now
      // Ranges do not tell: samples.
      constexpr int samples = 256;
      for (int i = 0; i < samples; ++i) {
        const double low = a + (to - a) * i / samples, high = a + (to - a) * (i + 1) / samples;
        if (of(low) != of(high)) return outline::between(low, high, of);
      }
      return {};
    }
    if (is_one(a, b)) {
      a = b, width *= 2;
    } else if (b - a > least) {
      width = (b - a) / 2;
    } else {
      if (of(a) != of(b)) return outline::between(a, b, of);
      a = b, width *= 2;
    }
  }
  return {};
}

/// Collects what switches in a tree, and the largest parts of it that depend on time.
class Collector {
 public:
  std::vector<Switch> switches;
  std::vector<Formula> courses;

  void collect(const Node& node, bool inside = false) {
    const Names names = names_in(node);
    const bool of_time = names.t && !names.others;
    if (of_time && !inside) courses.emplace_back(node);
    if (of_time) add_switches(node);
    if (names.t)
      for (const Node& part : node.parts) collect(part, inside || of_time);
  }

 private:
  struct Names {
    bool t = false, others = false;
  };
  static Names names_in(const Node& node) {
    if (node.op == Op::name) return {node.word == "t", node.word != "t"};
    Names all{false, node.op == Op::other};
    for (const Node& part : node.parts) {
      const Names some = names_in(part);
      all.t = all.t || some.t, all.others = all.others || some.others;
    }
    return all;
  }
  static Node made(Op op, std::vector<Node> parts) {
    Node node;
    node.op = op;
    node.parts = std::move(parts);
    return node;
  }
  void add(Node of, Switch::Class by) {
    if (names_in(of).t) switches.push_back({Formula(std::move(of)), by});
  }
  void add_switches(const Node& node) {
    using enum Switch::Class;
    const auto& part = node.parts;
    switch (node.op) {
      case Op::sign:  // 0 at 0
        add(part[0], above_zero);
        [[fallthrough]];
      case Op::abs:
      case Op::step:
        return add(part[0], at_least_zero);
      case Op::floor:
        return add(part[0], floor);
      case Op::ceil:
        return add(part[0], ceil);
      case Op::mod:
        return add(made(Op::divide, {part[0], part[1]}), floor);
      case Op::less:
      case Op::greater_equal:
        return add(made(Op::subtract, {part[0], part[1]}), at_least_zero);
      case Op::less_equal:
      case Op::greater:
        return add(made(Op::subtract, {part[0], part[1]}), above_zero);
      case Op::sat:
        return add(made(Op::subtract, {made(Op::abs, {part[1]}), part[0]}), above_zero);
      case Op::min:
      case Op::max: {
        Node so_far = part[0];
        for (std::size_t i = 1; i < part.size(); ++i) {
          add(made(Op::subtract, {so_far, part[i]}), at_least_zero);
          so_far = made(node.op, {so_far, part[i]});
        }
        return;
      }
      case Op::tan:
      case Op::divide: {  // to infinity and back
        Node pole = node.op == Op::tan ? made(Op::cos, {part[0]}) : part[1];
        return add(std::move(pole), at_least_zero);
      }
      default:
        return;
    }
  }
};

/// Whether only these names and t occur, and one of these.
bool is_of(const Node& node, std::span<const std::string> names, bool& any) {
  if (node.op == Op::other) return false;
  if (node.op == Op::name && node.word != "t") {
    if (std::find(names.begin(), names.end(), node.word) == names.end()) return false;
    any = true;
  }
  return std::all_of(node.parts.begin(), node.parts.end(), [&](const Node& part) { return is_of(part, names, any); });
}

void add_summands(const Node& node, std::span<const std::string> names, std::vector<Formula>& list) {
  bool any = false;
  if (is_of(node, names, any)) {
    if (any) list.emplace_back(node);
  } else if (node.op == Op::add || node.op == Op::subtract || node.op == Op::minus) {
    for (const Node& part : node.parts) add_summands(part, names, list);
  }
}

}  // namespace

ValueRange bounds_of(const Formula& formula, std::span<const ValueRange> names) {
  std::vector<Spread> ranges;
  for (const ValueRange& one : names) ranges.emplace_back(one.low, one.high);
  const Spread all = formula.value<Spread>(std::span<const Spread>(ranges));
  return {all.low, all.high};
}

std::vector<Formula> summands_of(const Formula& formula, std::span<const std::string> names) {
  std::vector<Formula> list;
  add_summands(formula.root(), names, list);
  return list;
}

Outline outline_of(const Formula& formula) {
  const auto found = std::make_shared<Collector>();
  found->collect(formula.root());
  if (found->courses.empty()) return {};
  const auto corner = [found](double t, double until) {
    Corner first;
    for (const Switch& one : found->switches) {
      const Corner next = first_change(
          t, std::min(until, first.after), [&](double a, double b) { return one.is_one(spread_of(one.of, a, b)); },
          [&](double s) { return one.at(s); });
      if (next.after < first.after) first = next;
    }
    return first;
  };
  const auto stray = [found](double t, double until) {
    double first = infinity;
    for (const Formula& course : found->courses) {
      const auto at = [&](double s) { return course.value<double>(std::span<const double>(&s, 1)); };
      // All values that it may have around here, part by part.
      Spread all = Spread::nothing();
      constexpr int parts = 48;
      const outline::Around around(t, until);
      for (int i = 0; i < parts; ++i) all = hull(all, spread_of(course, around.at(i, parts), around.at(i + 1, parts)));
      if (!std::isfinite(all.high - all.low)) {  // samples, then
        all = Spread(at(t));
        for (int i = 0; i <= parts; ++i)
          if (const double value = at(around.at(i, parts)); std::isfinite(value)) all = hull(all, Spread(value));
      }
      const double variation = all.high - all.low;
      if (!(variation > 0)) continue;
      const auto leaves = [&](double end, double least, double most) {
        const auto within = [&](double a, double b) {
          const Spread values = spread_of(course, a, b);
          return values.empty() || (values.low >= least && values.high <= most);
        };
        return first_change(t, end, within, [&](double s) { return !(at(s) < least || at(s) > most); }).after;
      };
      first = std::min(first, outline::stray(at, t, std::min(until, first), variation, leaves));
    }
    return first;
  };
  return {corner, stray};
}

}  // namespace asperity
