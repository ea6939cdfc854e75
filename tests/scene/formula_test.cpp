// Formulas: values against arithmetic done here, derivatives against theirs, text that reads back, and what is said of bad ones.
#include "asperity/formula/formula.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace asperity::formula_test {
namespace {

Formula read(const std::string& text, const std::vector<std::string>& other_functions = {}) {
  FormulaProblem problem;
  auto formula = Formula::read(text, problem, other_functions);
  if (!formula) throw std::runtime_error(text + ": " + to_text(problem));
  return *formula;
}

std::string problem_of(const std::string& text, const std::vector<std::string>& other_functions = {}) {
  FormulaProblem problem;
  return Formula::read(text, problem, other_functions) ? "fine" : to_text(problem);
}

double value(const std::string& text, const std::vector<double>& values = {}) { return read(text).value<double>(values); }

TEST(Formula, BindsAsInMathematics) {
  EXPECT_EQ(value("2 + 3*4"), 14);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("24/4/3"), 2);
  EXPECT_EQ(value("2*6/3*4"), 16);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("t^2", {0.3}), 0.3 * 0.3);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("--3 - +2"), 1);
  EXPECT_EQ(value("(2 + 3)*4"), 20);
  EXPECT_EQ(value(".5e1 + 1E-1"), 5.1);
  EXPECT_EQ(value("1 + 1 < 3 && 2 > 1 || 0"), 1);
  EXPECT_EQ(value("0 && 0 || 1"), 1);
  EXPECT_EQ(value("1 || 1 && 0"), 1);
  EXPECT_EQ(value("!0 + 1"), 2);
  EXPECT_EQ(value("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(value("0 ? 2 : 0 ? 3 : 4"), 4);
  EXPECT_EQ(value("1 + (2 <= 2) + (3 >= 4) + (1 == 1) + (1 != 1)"), 3);
}

TEST(Formula, FunctionsAreThoseOfTheLibrary) {
  const double x = 0.3, y = -1.7;
  const std::vector<std::pair<std::string, double>> cases{
      {"sin(x)", std::sin(x)},
      {"cos(x)", std::cos(x)},
      {"tan(x)", std::tan(x)},
      {"asin(x)", std::asin(x)},
      {"acos(x)", std::acos(x)},
      {"atan(x)", std::atan(x)},
      {"sinh(x)", std::sinh(x)},
      {"cosh(x)", std::cosh(x)},
      {"tanh(x)", std::tanh(x)},
      {"exp(x)", std::exp(x)},
      {"log(x)", std::log(x)},
      {"log10(x)", std::log10(x)},
      {"sqrt(x)", std::sqrt(x)},
      {"abs(0*x - 1.7)", 1.7},
      {"sign(0*x - 1.7)", -1},
      {"sign(0*x)", 0},
      {"step(0*x)", 1},
      {"step(-x)", 0},
      {"floor(-x)", -1},
      {"ceil(-x)", 0},
      {"atan2(x, -1.7)", std::atan2(x, y)},
      {"mod(0*x - 1.7, 0.5)", 0.3},
      {"mod(1.7, 0*x + 0.5)", 0.2},
      {"sat(0.2, x)", 0.2},
      {"sat(0.2, -x)", -0.2},
      {"sat(2, x)", x},
      {"pow(x, -1.7)", std::pow(x, y)},
      {"hypot(x, -1.7)", std::hypot(x, y)},
      {"min(x, 2, 0.1)", 0.1},
      {"max(x, 2, 0.1)", 2},
      {"x*pi + e", x * 3.141592653589793 + 2.718281828459045},
  };
  for (const auto& [text, expected] : cases) {
    const Formula formula = read(text);
    EXPECT_NEAR(formula.value<double>(std::vector<double>(formula.names().size(), x)), expected, 1e-15) << text;
    // with the number in place everything is worked out once, to the same bits
    EXPECT_EQ(formula.with({{"x", x}}).value<double>({}), formula.value<double>(std::vector<double>(formula.names().size(), x)));
  }
}

TEST(Formula, EveryFunctionIsCalled) {
  for (const FunctionWord& f : formula_functions()) {
    std::string arguments = "0.4";
    for (std::size_t i = 1; i < f.least; ++i) arguments += ", 0.7";
    EXPECT_TRUE(std::isfinite(value(std::string(f.word) + "(" + arguments + ")"))) << f.word;
    EXPECT_EQ(spelling(f.op), f.word);
  }
}

TEST(Formula, OnlyTheChosenSideCounts) {
  const std::string force = "t < 2 ? min(0.55, 0.5*t) : 0.35 + 0.15*cos(100*t)";
  for (const double t : {0.0, 0.5, 1.99, 2.0, 3.3})
    EXPECT_EQ(value(force, {t}), t < 2 ? std::min(0.55, 0.5 * t) : 0.35 + 0.15 * std::cos(100 * t));
  EXPECT_EQ(value("t > 0 ? 1/t : 7", {0}), 7);
  EXPECT_EQ(value("(t > 1 ? 10 : 20) + (t > 2 ? t > 3 ? 1 : 2 : 3)", {2.5}), 12);
}

TEST(Formula, NamesInTheOrderOfTheirUse) {
  const Formula formula = read("b*a + b*pi - c/e");
  EXPECT_EQ(formula.names(), (std::vector<std::string>{"b", "a", "c"}));
  const Formula known = formula.with({{"b", 2}, {"unused", 1}});
  EXPECT_EQ(known.names(), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(known.value<double>(std::array{3.0, 0.0}), 2 * 3 + 2 * 3.141592653589793);
  EXPECT_FALSE(known.is_constant());
  EXPECT_TRUE(known.with({{"a", 1}, {"c", 1}}).is_constant());
  EXPECT_THROW(formula.value<double>(std::array{1.0}), std::logic_error);
}

TEST(Formula, TheRateOfAPositionIsExact) {
  const auto rate = [](const std::string& text, double t) {
    return read(text).value<Dual<1>>(std::array{Dual<1>::variable(t, 0)}).v[0];
  };
  const double t = 0.7;
  EXPECT_DOUBLE_EQ(rate("3*t^2 - t", t), 6 * t - 1);
  EXPECT_DOUBLE_EQ(rate("1e-3*sin(2*pi*t)", t), 2e-3 * M_PI * std::cos(2 * M_PI * t));
  EXPECT_DOUBLE_EQ(rate("exp(-t)/(1 + t)", t), -std::exp(-t) * (2 + t) / ((1 + t) * (1 + t)));
  EXPECT_DOUBLE_EQ(rate("t < 1 ? t : 1", t), 1);
  EXPECT_DOUBLE_EQ(rate("t < 0.5 ? t : 1", t), 0);
  EXPECT_DOUBLE_EQ(rate("tan(t)", t), 1 / (std::cos(t) * std::cos(t)));
  EXPECT_DOUBLE_EQ(rate("asin(t)", t), 1 / std::sqrt(1 - t * t));
  EXPECT_DOUBLE_EQ(rate("acos(t)", t), -1 / std::sqrt(1 - t * t));
  EXPECT_DOUBLE_EQ(rate("atan(t)", t), 1 / (1 + t * t));
  EXPECT_DOUBLE_EQ(rate("atan2(t, 2)", t), 2 / (4 + t * t));
  EXPECT_DOUBLE_EQ(rate("atan2(2, t)", t), -2 / (4 + t * t));
  EXPECT_DOUBLE_EQ(rate("hypot(t, 2)", t), t / std::hypot(t, 2));
  EXPECT_DOUBLE_EQ(rate("sinh(t) + cosh(2*t)", t), std::cosh(t) + 2 * std::sinh(2 * t));
  EXPECT_DOUBLE_EQ(rate("log(t)", t), 1 / t);
  EXPECT_DOUBLE_EQ(rate("log10(t)", t), 1 / (t * std::log(10)));
  EXPECT_DOUBLE_EQ(rate("sqrt(t)", t), 0.5 / std::sqrt(t));
  EXPECT_DOUBLE_EQ(rate("floor(t) + ceil(t) + sign(t) + step(t)", t), 0);
  EXPECT_DOUBLE_EQ(rate("mod(3*t, 1)", t), 3);
  EXPECT_DOUBLE_EQ(rate("sat(0.5, t) + sat(1, t)", t), 1);
  EXPECT_DOUBLE_EQ(rate("2^t", t), std::log(2) * std::pow(2, t));
}

/// Two numbers at once. Comparisons are masks, so that nothing can be skipped.
struct Pair {
  double x = 0, y = 0;
  struct Mask {
    bool x, y;
  };
  Pair() = default;
  explicit Pair(double both) : x(both), y(both) {}
  Pair(double first, double second) : x(first), y(second) {}

  template <class F>
  static Pair each(F f, const Pair& a) {
    return {f(a.x), f(a.y)};
  }
  template <class F>
  static Pair each(F f, const Pair& a, const Pair& b) {
    return {f(a.x, b.x), f(a.y, b.y)};
  }

  friend Pair operator-(const Pair& a) { return {-a.x, -a.y}; }
  friend Pair operator+(const Pair& a, const Pair& b) { return {a.x + b.x, a.y + b.y}; }
  friend Pair operator-(const Pair& a, const Pair& b) { return {a.x - b.x, a.y - b.y}; }
  friend Pair operator*(const Pair& a, const Pair& b) { return {a.x * b.x, a.y * b.y}; }
  friend Pair operator/(const Pair& a, const Pair& b) { return {a.x / b.x, a.y / b.y}; }
  friend Mask operator<(const Pair& a, const Pair& b) { return {a.x < b.x, a.y < b.y}; }
  friend Mask operator>(const Pair& a, const Pair& b) { return {a.x > b.x, a.y > b.y}; }
  friend Mask operator<=(const Pair& a, const Pair& b) { return {a.x <= b.x, a.y <= b.y}; }
  friend Mask operator>=(const Pair& a, const Pair& b) { return {a.x >= b.x, a.y >= b.y}; }
  friend Mask operator==(const Pair& a, const Pair& b) { return {a.x == b.x, a.y == b.y}; }
  friend Pair select(const Mask& m, const Pair& a, const Pair& b) { return {m.x ? a.x : b.x, m.y ? a.y : b.y}; }
};

#define OF_EACH(f)                                            \
  Pair f(const Pair& a) {                                     \
    return Pair::each([](double x) { return std::f(x); }, a); \
  }
#define OF_EACH_TWO(f)                                                        \
  Pair f(const Pair& a, const Pair& b) {                                      \
    return Pair::each([](double x, double y) { return std::f(x, y); }, a, b); \
  }
OF_EACH(sin)
OF_EACH(cos)
OF_EACH(tan)
OF_EACH(asin)
OF_EACH(acos)
OF_EACH(atan)
OF_EACH(sinh)
OF_EACH(cosh)
OF_EACH(tanh)
OF_EACH(exp)
OF_EACH(log)
OF_EACH(log10)
OF_EACH(sqrt)
OF_EACH(abs)
OF_EACH(floor)
OF_EACH(ceil)
OF_EACH_TWO(atan2)
OF_EACH_TWO(pow)
OF_EACH_TWO(hypot)

TEST(Formula, ScalarsThatCannotSkipChoose) {
  for (const char* text :
       {"t < 2 ? min(0.55, 0.5*t)*sqrt(t) : t^2/tanh(t) - sat(0.5, sin(t))",
        "(t > 1 ? 10 : 20) + (t > 2 ? t > 3 ? 1 : 2 : 3)*sign(t - 2)", "t > 1 && t < 2.6 || !(t - 0.3) ? 1/t : mod(t, 0.2)"})
    for (const double t : {0.3, 1.4, 2.5, 3.5}) {
      const Pair pair = read(text).value<Pair>(std::array{Pair(t, 0.7)});
      EXPECT_EQ(pair.x, value(text, {t})) << text;
      EXPECT_EQ(pair.y, value(text, {0.7})) << text;
    }
  // two values wait for every choice inside a choice
  std::string pieces = "199";
  for (int i = 198; i >= 0; --i) pieces = "t < " + std::to_string(i + 1) + " ? " + std::to_string(i) + " : " + pieces;
  const Pair pair = read(pieces).value<Pair>(std::array{Pair(150.5, 20.5)});
  EXPECT_EQ(pair.x, 150);
  EXPECT_EQ(pair.y, 20);
}

TEST(Formula, LooksInside) {
  const Formula formula = read("-mu*dio(p1x)*sgn(v1y - v2y)", {"dio", "sgn"});
  const Node& product = formula.root();
  ASSERT_EQ(product.op, Op::multiply);
  EXPECT_EQ(product.parts[1].op, Op::other);
  EXPECT_EQ(product.parts[1].word, "sgn");
  EXPECT_EQ(product.parts[1].position, 14U);
  EXPECT_EQ(Formula(product.parts[1].parts[0]).text(), "v1y - v2y");
  EXPECT_EQ(formula.names(), (std::vector<std::string>{"mu", "p1x", "v1y", "v2y"}));
  EXPECT_EQ(formula.text(), "-mu*dio(p1x)*sgn(v1y - v2y)");
  EXPECT_THROW(formula.value<double>(std::array{1.0, 1.0, 1.0, 1.0}), std::logic_error);
}

TEST(Formula, PrintsWithFewParentheses) {
  for (const char* text : {"a - (b - c)",
                           "a - b - c",
                           "a/(b*c)",
                           "(a + b)*c",
                           "-(a + b)",
                           "-a^b",
                           "(-a)^b",
                           "a^-b",
                           "a^b^c",
                           "(a^b)^c",
                           "(a < b) == (c < d)",
                           "a || b && c",
                           "(a || b) && c",
                           "!(a && b)",
                           "(a ? b : c) ? d : e",
                           "a ? b : c ? d : e",
                           "(a ? b : c) + 1",
                           "-(a*b)",
                           "-a*b",
                           "atan2(a, b ? c : d)",
                           "1e-05 + 1e+300*pi"})
    EXPECT_EQ(read(text).text(), text);
  EXPECT_EQ(read("a").with({{"a", -0.1}}).text(), "-0.1");
  EXPECT_EQ(read("a^2 - a").with({{"a", -3}}).text(), "(-3)^2 - -3");
}

TEST(Formula, SaysWhatIsWrong) {
  EXPECT_EQ(problem_of(""), "the formula is empty");
  EXPECT_EQ(problem_of(" \t\n"), "the formula is empty");
  EXPECT_EQ(problem_of("2+*3"), "position 3: unexpected \"*\"");
  EXPECT_EQ(problem_of("2**3"), "position 3: unexpected \"*\"; for a power, write ^");
  EXPECT_EQ(problem_of("sin("), "position 5: unexpected end");
  EXPECT_EQ(problem_of("sin(t"), "position 6: a closing parenthesis is missing");
  EXPECT_EQ(problem_of("(1 + 2"), "position 7: a closing parenthesis is missing");
  EXPECT_EQ(problem_of("1 + 2)"), "position 6: unexpected \")\"");
  EXPECT_EQ(problem_of("t = 3"), "position 3: unexpected \"=\"; to compare, write ==");
  EXPECT_EQ(problem_of("t < = 3"), "position 5: unexpected \"=\"; to compare, write ==");
  EXPECT_EQ(problem_of("0 < t < 2"), "position 7: unexpected \"<\"; to compare twice, write a < b && b < c");
  EXPECT_EQ(problem_of("0,5*t"), "position 2: unexpected \",\"; the decimal sign is a point");
  EXPECT_EQ(problem_of("2t"), "position 2: unexpected \"t\"; to multiply, write *");
  EXPECT_EQ(problem_of("2 (t)"), "position 3: unexpected \"(\"; to multiply, write *");
  EXPECT_EQ(problem_of("a and b"), "position 3: unexpected \"and\"; write &&");
  EXPECT_EQ(problem_of("a & b"), "position 3: unexpected \"&\"; write &&");
  EXPECT_EQ(problem_of("5 % 2"), "position 3: unexpected \"%\"; write mod(x, y)");
  EXPECT_EQ(problem_of("a ? b"), "position 6: the : that belongs to the ? at position 3 is missing");
  EXPECT_EQ(problem_of("sine(t)"), "position 1: unknown function \"sine\"; did you mean sin?");
  EXPECT_EQ(problem_of("2*frobnicate(t)"),
            "position 3: unknown function \"frobnicate\"; known are sin, cos, exp, sqrt, abs, min, max, ...");
  EXPECT_EQ(problem_of("dioo(t)", {"dio"}), "position 1: unknown function \"dioo\"; did you mean dio?");
  EXPECT_EQ(problem_of("sin*2"), "position 1: sin needs arguments: sin(...)");
  EXPECT_EQ(problem_of("sin()"), "position 1: sin has 0 arguments: must be 1");
  EXPECT_EQ(problem_of("2 + atan2(1)"), "position 5: atan2 has 1 argument: must be 2");
  EXPECT_EQ(problem_of("sin(1, 2)"), "position 1: sin has 2 arguments: must be 1");
  EXPECT_EQ(problem_of("min(1)"), "position 1: min has 1 argument: must be >= 2");
  EXPECT_EQ(problem_of("1e999"), "position 1: 1e999 is out of the range of numbers");
  EXPECT_EQ(problem_of("2 × 3"), "position 3: unexpected \"×\"");
  EXPECT_EQ(problem_of("2 \xFF 3"), "position 3: unexpected character \\xFF");
  EXPECT_EQ(problem_of(std::string("2\0", 2)), "position 2: unexpected character \\x00");
  EXPECT_EQ(problem_of("."), "position 1: unexpected \".\"");
}

TEST(Formula, NamesTheUnknown) {
  const auto unknown = read("2*omga*t + x").unknown_names({"t", "omega"});
  ASSERT_EQ(unknown.size(), 2U);
  EXPECT_EQ(to_text(unknown[0]), "position 3: unknown name \"omga\"; did you mean omega?");
  EXPECT_EQ(to_text(unknown[1]),
            "position 12: unknown name \"x\"; known are t, omega, pi, e, sin, cos, exp, sqrt, abs, min, max, ...");
  EXPECT_TRUE(read("sin(2*pi*t)").unknown_names({"t"}).empty());
}

std::string repeated(const std::string& text, std::size_t n) {
  std::string out;
  while (n-- > 0) out += text;
  return out;
}

TEST(Formula, NoInputIsTooMuch) {
  EXPECT_EQ(value(repeated("(", 200) + "1" + repeated(")", 200)), 1);
  EXPECT_EQ(problem_of(repeated("(", 201) + "1" + repeated(")", 201)), "position 202: nested more than 200 times");
  EXPECT_EQ(problem_of(repeated("(", 60000)), "position 202: nested more than 200 times");
  EXPECT_EQ(problem_of(repeated("-", 60000)), "position 202: nested more than 200 times");
  EXPECT_EQ(problem_of(repeated("2^", 30000)), "position 403: nested more than 200 times");
  EXPECT_EQ(problem_of(repeated("1?1:", 15000) + "1"), "position 803: nested more than 200 times");
  EXPECT_EQ(problem_of(repeated("sin(", 15000)), "position 805: nested more than 200 times");
  EXPECT_EQ(value("1" + repeated("+1", 1999)), 2000);
  EXPECT_EQ(problem_of("1" + repeated("+1", 2000)), "position 4000: more than 2000 operations in a chain");
  EXPECT_EQ(problem_of(repeated("1", 70000)), "70000 characters: must be <= 65536");
  EXPECT_EQ(value("min(1" + repeated(",2", 30000) + ")"), 1);
  const std::string waits = "1 || 1 && 1 < 1 + 1*2^(";
  EXPECT_EQ(problem_of(repeated(waits, 95) + "t" + repeated(")", 95)), "more than 512 values wait for an operation");
  // more values wait than fit into the small stack
  EXPECT_EQ(value(repeated("1 + (", 100) + "t" + repeated(")", 100), {1}), 101);
}

/// A random tree, and its value worked out by hand.
struct Grown {
  Node node;
  double value;
};

Grown grow(int levels, double t) {
  const int kind = levels == 0 ? *rc::gen::inRange(0, 2) : *rc::gen::inRange(0, 12);
  const auto part = [&] { return grow(levels - 1, t); };
  const auto made = [](Op op, double value, std::vector<Node> parts) { return Grown{{op, 0, {}, std::move(parts), 0}, value}; };
  if (kind == 0) {
    const double number = *rc::gen::arbitrary<double>();
    return {number_node(number), number};
  }
  if (kind == 1) return {{Op::name, 0, "t", {}, 0}, t};
  const Grown a = part();
  if (kind == 2) return made(Op::minus, -a.value, {a.node});
  if (kind == 3) return made(Op::not_, a.value == 0 ? 1 : 0, {a.node});
  if (kind == 4) return made(Op::sin, std::sin(a.value), {a.node});
  const Grown b = part();
  if (kind == 5) return made(Op::add, a.value + b.value, {a.node, b.node});
  if (kind == 6) return made(Op::subtract, a.value - b.value, {a.node, b.node});
  if (kind == 7) return made(Op::divide, a.value / b.value, {a.node, b.node});
  if (kind == 8) return made(Op::power, b.value == 2 ? a.value * a.value : std::pow(a.value, b.value), {a.node, b.node});
  if (kind == 9) return made(Op::less, a.value < b.value ? 1 : 0, {a.node, b.node});
  if (kind == 10) return made(Op::or_, a.value != 0 || b.value != 0 ? 1 : 0, {a.node, b.node});
  const Grown c = part();
  return made(Op::choose, a.value != 0 ? b.value : c.value, {a.node, b.node, c.node});
}

RC_GTEST_PROP(FormulaProperty, TextReadsBackAndValueIsRight, ()) {
  const double t = *rc::gen::arbitrary<double>();
  const Grown grown = grow(*rc::gen::inRange(0, 5), t);
  const Formula formula(grown.node);
  const Formula again = read(formula.text());
  RC_ASSERT(again.root() == formula.root());
  RC_ASSERT(again.text() == formula.text());
  const std::vector<double> values(formula.names().size(), t);
  const double got = formula.value<double>(values);
  RC_ASSERT(got == grown.value || (std::isnan(got) && std::isnan(grown.value)));
  const double dual = formula.value<Dual<1>>(std::vector<Dual<1>>(values.size(), Dual<1>(t))).a;
  RC_ASSERT(got == dual || (std::isnan(got) && std::isnan(dual)));
}

}  // namespace
}  // namespace asperity::formula_test
