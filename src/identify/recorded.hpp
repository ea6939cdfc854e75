// A number that remembers how it was computed. A law runs on it as it stands; what it did is then written as statements of C.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "asperity/scalar/words.hpp"

namespace asperity::identify {

/// The operations of a computation in their order, each on results of earlier ones; equal ones are there once.
class Recording {
 public:
  /// How an operation is written in C: "{0} + {1}", "exp({0})". The text is a literal.
  struct Operation {
    const char* text;
    int a = -1, b = -1, c = -1;
    double value = 0;     // of a constant, of a parameter
    std::string name{};   // of what is given
    std::string about{};  // of a parameter: what it is; of an input: where it comes from
  };

  int constant(double value) { return add({constant_text, -1, -1, -1, value}); }
  /// A name; `from` is the expression of C that gives it its value, empty if it is an argument.
  int input(std::string name, std::string from = "") {
    return given({input_text, -1, -1, -1, 0, std::move(name), std::move(from)});
  }
  int parameter(std::string name, double value, std::string about) {
    return given({parameter_text, -1, -1, -1, value, std::move(name), std::move(about)});
  }
  int add(Operation operation);

  /// Nothing, unless it is a parameter.
  const double* value_of(int node) const {
    const Operation& o = operations_[std::size_t(node)];
    return o.text == parameter_text ? &o.value : nullptr;
  }

  /// Statements that compute these results and then do with them as the second text says: "s->z[0] = {};".
  std::string in_c(const std::vector<std::pair<int, std::string>>& results) const;

  static constexpr const char *constant_text = "constant", *input_text = "input", *parameter_text = "parameter";

 private:
  int given(Operation operation) {
    operations_.push_back(std::move(operation));
    return static_cast<int>(operations_.size()) - 1;
  }
  std::string named(int node) const;

  std::vector<Operation> operations_;
  std::map<std::tuple<std::string, int, int, int, double>, int> known_;
};

/// One node of a recording, or a constant that belongs to none yet.
struct Recorded {
  Recording* in = nullptr;
  int node = -1;
  double value = 0;

  /// The answer of a comparison.
  struct Mask {
    Recording* in = nullptr;
    int node = -1;
    bool value = false;
  };

  Recorded() = default;
  Recorded(double constant) noexcept : value(constant) {}  // NOLINT(google-explicit-constructor): a constant is a number
  Recorded(Recording& recording, int at) noexcept : in(&recording), node(at) {}

  Recorded& operator+=(const Recorded& y) { return *this = *this + y; }
  Recorded& operator-=(const Recorded& y) { return *this = *this - y; }

  friend Recorded operator+(const Recorded& x) { return x; }
  friend Recorded operator-(const Recorded& x) { return x.in ? unary("-{0}", x) : Recorded(-x.value); }
  friend Recorded operator+(const Recorded& x, const Recorded& y) { return binary("{0} + {1}", x, y, x.value + y.value); }
  friend Recorded operator-(const Recorded& x, const Recorded& y) { return binary("{0} - {1}", x, y, x.value - y.value); }
  friend Recorded operator*(const Recorded& x, const Recorded& y) {
    if (!x.in && x.value == 1) return y;
    if (!y.in && y.value == 1) return x;
    return binary("{0} * {1}", x, y, x.value * y.value);
  }
  friend Recorded operator/(const Recorded& x, const Recorded& y) { return binary("{0} / {1}", x, y, x.value / y.value); }

  friend Mask operator<(const Recorded& x, const Recorded& y) { return compared("{0} < {1}", x, y, x.value < y.value); }
  friend Mask operator>(const Recorded& x, const Recorded& y) { return compared("{0} > {1}", x, y, x.value > y.value); }
  friend Mask operator<=(const Recorded& x, const Recorded& y) { return compared("{0} <= {1}", x, y, x.value <= y.value); }
  friend Mask operator>=(const Recorded& x, const Recorded& y) { return compared("{0} >= {1}", x, y, x.value >= y.value); }
  friend Mask operator==(const Recorded& x, const Recorded& y) { return compared("{0} == {1}", x, y, x.value == y.value); }
  friend Mask operator!=(const Recorded& x, const Recorded& y) { return compared("{0} != {1}", x, y, x.value != y.value); }

  friend Recorded select(const Mask& is, const Recorded& yes, const Recorded& no) {
    if (!is.in) return is.value ? yes : no;
    return {*is.in, is.in->add({"{0} ? {1} : {2}", is.node, yes.placed(*is.in), no.placed(*is.in)})};
  }
  friend Recorded abs(const Recorded& x) { return x.in ? unary("fabs({0})", x) : Recorded(std::fabs(x.value)); }
  friend Recorded exp(const Recorded& x) { return x.in ? unary("exp({0})", x) : Recorded(std::exp(x.value)); }
  friend Recorded sqrt(const Recorded& x) { return x.in ? unary("sqrt({0})", x) : Recorded(std::sqrt(x.value)); }
  friend Recorded sin(const Recorded& x) { return x.in ? unary("sin({0})", x) : Recorded(std::sin(x.value)); }
  friend Recorded tanh(const Recorded& x) { return x.in ? unary("tanh({0})", x) : Recorded(std::tanh(x.value)); }
  /// The exponents that the words of laws compute without pow() are known when this is recorded.
  friend Recorded pow(const Recorded& x, const Recorded& y) {
    if (!x.in && !y.in) return asperity::pow(x.value, y.value);
    const double* known = y.in ? y.in->value_of(y.node) : &y.value;
    if (known && *known == 2.0) return x * x;
    if (known && *known == 1.5) return x * sqrt(x);
    if (known && *known == 1.0) return x;
    return binary("pow({0}, {1})", x, y, 0);
  }

 private:
  int placed(Recording& recording) const { return in ? node : recording.constant(value); }
  static Recorded unary(const char* text, const Recorded& x) { return {*x.in, x.in->add({text, x.node})}; }
  static Recorded binary(const char* text, const Recorded& x, const Recorded& y, double of_constants) {
    Recording* const recording = x.in ? x.in : y.in;
    if (!recording) return of_constants;
    return {*recording, recording->add({text, x.placed(*recording), y.placed(*recording)})};
  }
  static Mask compared(const char* text, const Recorded& x, const Recorded& y, bool of_constants) {
    Recording* const recording = x.in ? x.in : y.in;
    if (!recording) return {nullptr, -1, of_constants};
    return {recording, recording->add({text, x.placed(*recording), y.placed(*recording)})};
  }
};

}  // namespace asperity::identify
