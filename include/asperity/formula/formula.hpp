// Formulas as users write them: "t < 2 ? min(0.55, 0.5*t) : 0.35 + 0.15*cos(100*t)". Read once into a tree that can be looked into,
// evaluated over any scalar: with dual numbers a formula of time gives its own derivative.
//
//   FormulaProblem problem;
//   const auto force = Formula::read("2*mu*sin(w*t)", problem)->with({{"mu", 0.5}, {"w", 3}});
//   force.names();                                    // {"t"}
//   force.value<double>(std::array{0.1});
//   force.value<Dual<1>>(std::array{Dual<1>::variable(0.1, 0)}).v[0];  // its rate
//
// docs/decisions/formulas.md says why it is our own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asperity/scalar/dual.hpp"
#include "asperity/scalar/words.hpp"

namespace asperity {

/// Where a formula is wrong, counted from 1 (0: as a whole), and why.
struct FormulaProblem {
  std::size_t position = 0;
  std::string text;
};
/// `position 3: unexpected "*"`
std::string to_text(const FormulaProblem& problem);

/// What a node of a formula does with its parts.
enum class Op : std::uint8_t {
  // leaves
  number,
  constant,  // pi, e
  name,
  // of one part
  minus,
  not_,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  step,  // 0 below zero, 1 from zero on
  floor,
  ceil,
  square,  // in programs only: what ^2 becomes
  // of two parts
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  and_,
  or_,
  atan2,
  mod,  // x - y floor(x/y): has the sign of y
  sat,  // sat(limit, x)
  pow,
  hypot,
  min,  // of two or more
  max,  // of two or more
  // of three parts: condition ? yes : no
  choose,
  // a function that only the reader of the tree knows
  other,
  // in programs only
  skip_unless,
  skip,
};
constexpr bool takes_one(Op op) { return op >= Op::minus && op <= Op::square; }

/// A tree of at most Formula::most_levels levels.
struct Node {
  Op op = Op::number;
  double number = 0;         // of a number or a constant; never negative, as -3 is the minus of 3
  std::string word;          // of a constant, a name or another function
  std::vector<Node> parts;   // operands or arguments, in the order of the text
  std::size_t position = 0;  // in the text, from 1; no part of what the node means

  friend bool operator==(const Node& a, const Node& b) {
    return a.op == b.op && a.number == b.number && a.word == b.word && a.parts == b.parts;
  }
};

/// A finite number as a tree.
Node number_node(double value);

/// Comparisons and logic give 0 or 1; what is not 0 is true. `pi` and `e` are no names.
class Formula {
 public:
  static constexpr std::size_t longest = 64 * 1024;  // characters
  static constexpr std::size_t most_nested = 200;    // parentheses, calls, signs, powers inside one another
  static constexpr std::size_t most_levels = 2000;   // terms of a sum

  /// Nothing, and the first problem, if the text is no formula. Calls of `other_functions` become nodes of Op::other with any
  /// number of arguments; a formula that has some cannot be evaluated.
  static std::optional<Formula> read(std::string_view text, FormulaProblem& problem,
                                     const std::vector<std::string>& other_functions = {});
  /// A tree made by hand, within these limits.
  explicit Formula(Node root);

  const Node& root() const { return root_; }
  /// The free names in the order of their first use.
  const std::vector<std::string>& names() const { return names_; }
  bool is_constant() const { return names_.empty(); }
  /// One problem for each free name that is not among the known ones.
  std::vector<FormulaProblem> unknown_names(const std::vector<std::string>& known) const;

  /// Finite numbers in place of some names.
  Formula with(const std::vector<std::pair<std::string, double>>& known) const;

  /// Reads back to the same tree.
  std::string text() const;

  /// What an operation of one or two parts makes of them.
  template <class S>
  static S apply(Op op, const S& x);
  template <class S>
  static S apply(Op op, const S& x, const S& y);

  /// The value at one value for each of names(). Allocates nothing.
  template <class S>
  S value(std::span<const S> values) const {
    if (program_.empty()) throw std::logic_error("Formula::value: a function that is not known");
    if (values.size() != names_.size()) throw std::logic_error("Formula::value: one value for each name");
    return stack_ <= small_stack ? evaluate<S, small_stack>(program_, values) : evaluate<S, large_stack>(program_, values);
  }

 private:
  static constexpr std::size_t small_stack = 16, large_stack = 512;  // values waiting for an operation

  /// One step of a program on a stack: the nodes in the order in which they are worked out.
  struct Step {
    Op op;
    std::uint32_t index;  // of a name; of a skip: how many steps
    double number;
  };

  template <class S, std::size_t size>
  static S evaluate(std::span<const Step> program, std::span<const S> values);
  class Compiler;

  Node root_;
  std::vector<std::string> names_;
  std::vector<Step> program_;
  std::size_t stack_ = 0;
};

/// The least and the most arguments of a function.
struct FunctionWord {
  Op op;
  std::string_view word;
  std::size_t least, most;
};
/// The functions that every formula knows.
std::span<const FunctionWord> formula_functions();
/// "sin", "+", "<="; empty for leaves and other functions, which have words of their own.
std::string_view spelling(Op op);

template <class S>
S Formula::apply(Op op, const S& x) {
  using std::acos, std::asin, std::atan, std::ceil, std::cos, std::cosh, std::floor, std::log, std::log10, std::sinh, std::tan;
  const S zero(0.0), one(1.0);
  switch (op) {
    case Op::minus:
      return -x;
    case Op::not_:
      return select(x == zero, one, zero);
    case Op::sin:
      return sin(x);
    case Op::cos:
      return cos(x);
    case Op::tan:
      return tan(x);
    case Op::asin:
      return asin(x);
    case Op::acos:
      return acos(x);
    case Op::atan:
      return atan(x);
    case Op::sinh:
      return sinh(x);
    case Op::cosh:
      return cosh(x);
    case Op::tanh:
      return tanh(x);
    case Op::exp:
      return exp(x);
    case Op::log:
      return log(x);
    case Op::log10:
      return log10(x);
    case Op::sqrt:
      return sqrt(x);
    case Op::abs:
      return abs(x);
    case Op::sign:
      return sign(x);
    case Op::step:
      return select(x >= zero, one, zero);
    case Op::floor:
      return floor(x);
    case Op::ceil:
      return ceil(x);
    case Op::square:
      return x * x;
    default:
      return x;
  }
}

template <class S>
S Formula::apply(Op op, const S& x, const S& y) {
  using std::atan2, std::floor, std::hypot;
  const S zero(0.0), one(1.0);
  switch (op) {
    case Op::add:
      return x + y;
    case Op::subtract:
      return x - y;
    case Op::multiply:
      return x * y;
    case Op::divide:
      return x / y;
    case Op::less:
      return select(x < y, one, zero);
    case Op::less_equal:
      return select(x <= y, one, zero);
    case Op::greater:
      return select(x > y, one, zero);
    case Op::greater_equal:
      return select(x >= y, one, zero);
    case Op::equal:
      return select(x == y, one, zero);
    case Op::not_equal:
      return select(x == y, zero, one);
    case Op::and_:
      return select(x == zero, zero, select(y == zero, zero, one));
    case Op::or_:
      return select(x == zero, select(y == zero, zero, one), one);
    case Op::power:
    case Op::pow:
      return pow(x, y);
    case Op::atan2:
      return atan2(x, y);
    case Op::hypot:
      return hypot(x, y);
    case Op::min:
      return min(x, y);
    case Op::max:
      return max(x, y);
    case Op::mod:
      return x - y * floor(x / y);
    case Op::sat:
      return sat(x, y);
    default:
      return y;
  }
}

template <class S, std::size_t size>
S Formula::evaluate(std::span<const Step> program, std::span<const S> values) {
  // A scalar whose comparisons are masks cannot skip: it works out both sides and chooses.
  constexpr bool skips = std::same_as<decltype(std::declval<S>() == std::declval<S>()), bool>;
  std::array<S, size> stack;
  S* end = stack.data();  // one past the last value
  for (const Step *step = program.data(), *last = step + program.size(); step != last; ++step) {
    switch (step->op) {
      case Op::number:
        *end++ = S(step->number);
        break;
      case Op::name:
        *end++ = values[step->index];
        break;
      case Op::add:
        --end;
        end[-1] = end[-1] + end[0];
        break;
      case Op::subtract:
        --end;
        end[-1] = end[-1] - end[0];
        break;
      case Op::multiply:
        --end;
        end[-1] = end[-1] * end[0];
        break;
      case Op::divide:
        --end;
        end[-1] = end[-1] / end[0];
        break;
      case Op::skip_unless:
        if constexpr (skips) {
          if (*--end == S(0.0)) step += step->index;
        }
        break;
      case Op::skip:
        if constexpr (skips) step += step->index;
        break;
      case Op::choose:
        if constexpr (!skips) {
          end -= 2;
          end[-1] = select(end[-1] == S(0.0), end[1], end[0]);
        }
        break;
      default:
        if (takes_one(step->op)) {
          end[-1] = apply(step->op, end[-1]);
        } else {
          --end;
          end[-1] = apply(step->op, end[-1], end[0]);
        }
    }
  }
  return end[-1];
}

extern template double Formula::value(std::span<const double>) const;
extern template Dual<1> Formula::value(std::span<const Dual<1>>) const;

}  // namespace asperity
