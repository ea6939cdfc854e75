// A scalar that carries metre, kilogram and second instead of a value. It executes the unit strings of describe() and states():
// m + N throws, which in a constant expression means that it does not compile.
#pragma once

#include <stdexcept>
#include <string_view>

#include "asperity/law.hpp"

namespace asperity::testing {

struct Unit {
  double m = 0, kg = 0, s = 0;

  friend constexpr Unit operator*(const Unit& a, const Unit& b) { return {a.m + b.m, a.kg + b.kg, a.s + b.s}; }
  friend constexpr Unit operator/(const Unit& a, const Unit& b) { return {a.m - b.m, a.kg - b.kg, a.s - b.s}; }
  constexpr Unit power(double n) const { return {n * m, n * kg, n * s}; }
  friend constexpr bool operator==(const Unit&, const Unit&) = default;
};
inline constexpr Unit dimensionless{};
inline constexpr Unit newton{1, 1, -2};
inline constexpr Unit joule{2, 1, -2};
inline constexpr Unit second{0, 0, 1};
inline constexpr Unit metre{1, 0, 0};

struct DimensionMask {};

class Dimensioned {
 public:
  constexpr Dimensioned() = default;  // a zero
  explicit constexpr Dimensioned(double literal) : value_(literal), zero_(literal == 0), known_(true) {}
  explicit constexpr Dimensioned(const Unit& unit) : unit_(unit), zero_(false) {}

  /// A parameter keeps its value, so that it can be an exponent.
  constexpr void set_unit(const Unit& unit) {
    unit_ = unit;
    zero_ = false;
  }
  constexpr double value() const { return value_; }
  constexpr bool is(const Unit& unit) const { return zero_ || unit_ == unit; }

  friend constexpr Dimensioned operator+(const Dimensioned& a, const Dimensioned& b) { return common(a, b); }
  friend constexpr Dimensioned operator-(const Dimensioned& a, const Dimensioned& b) { return common(a, b); }
  friend constexpr Dimensioned operator-(const Dimensioned& a) { return a.computed(a.unit_); }
  friend constexpr Dimensioned operator*(const Dimensioned& a, const Dimensioned& b) {
    return a.zero_ || b.zero_ ? Dimensioned() : Dimensioned(a.unit_ * b.unit_);
  }
  friend constexpr Dimensioned operator/(const Dimensioned& a, const Dimensioned& b) {
    return a.zero_ ? Dimensioned() : Dimensioned(a.unit_ / b.unit_);
  }
  friend constexpr DimensionMask operator<(const Dimensioned& a, const Dimensioned& b) { return common(a, b), DimensionMask(); }
  friend constexpr DimensionMask operator>(const Dimensioned& a, const Dimensioned& b) { return a < b; }
  friend constexpr DimensionMask operator<=(const Dimensioned& a, const Dimensioned& b) { return a < b; }
  friend constexpr DimensionMask operator>=(const Dimensioned& a, const Dimensioned& b) { return a < b; }
  friend constexpr DimensionMask operator==(const Dimensioned& a, const Dimensioned& b) { return a < b; }
  friend constexpr Dimensioned select(DimensionMask, const Dimensioned& a, const Dimensioned& b) { return common(a, b); }

  friend constexpr Dimensioned abs(const Dimensioned& a) { return a; }
  friend constexpr Dimensioned sqrt(const Dimensioned& a) { return a.computed(a.unit_.power(0.5)); }
  friend constexpr Dimensioned exp(const Dimensioned& a) { return pure(a); }
  friend constexpr Dimensioned sin(const Dimensioned& a) { return pure(a); }
  friend constexpr Dimensioned tanh(const Dimensioned& a) { return pure(a); }
  friend constexpr Dimensioned pow(const Dimensioned& a, const Dimensioned& exponent) {
    if (!exponent.is(dimensionless)) throw std::logic_error("an exponent with a dimension");
    if (!exponent.known_ && !a.is(dimensionless)) throw std::logic_error("a computed exponent on a dimension");
    return a.computed(a.unit_.power(exponent.value_));
  }

 private:
  constexpr Dimensioned computed(const Unit& unit) const { return zero_ ? Dimensioned() : Dimensioned(unit); }
  static constexpr Dimensioned pure(const Dimensioned& a) {
    if (!a.is(dimensionless)) throw std::logic_error("a function of a number with a dimension");
    return Dimensioned(dimensionless);
  }
  /// Sum, difference, comparison, choice: one dimension, or zero, which has every dimension.
  static constexpr Dimensioned common(const Dimensioned& a, const Dimensioned& b) {
    if (!a.zero_ && !b.zero_ && !(a.unit_ == b.unit_)) throw std::logic_error("two dimensions meet");
    return a.zero_ ? b.computed(b.unit_) : a.computed(a.unit_);
  }

  Unit unit_{};
  double value_ = 0;
  bool zero_ = true;    // zero fits every dimension
  bool known_ = false;  // a literal or a parameter: may be an exponent
};

}  // namespace asperity::testing

namespace asperity {
template <>
constexpr testing::Dimensioned seconds<testing::Dimensioned>(double) noexcept {
  return testing::Dimensioned(testing::second);
}
}  // namespace asperity

namespace asperity::testing {

/// "N s/m", "N/m^lambda", "1/s": factors separated by blanks; all that follows a slash divides. `lambda` is the exponent so named.
constexpr Unit parse_unit(std::string_view text, double lambda) {
  Unit unit;
  bool divides = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == '/') {
      divides = divides || text[i] == '/';
      ++i;
      continue;
    }
    const std::size_t from = i;
    while (i < text.size() && text[i] != ' ' && text[i] != '/' && text[i] != '^') ++i;
    const std::string_view symbol = text.substr(from, i - from);
    double exponent = 1;
    if (i < text.size() && text[i] == '^') {
      const std::size_t power = ++i;
      while (i < text.size() && text[i] != ' ' && text[i] != '/') ++i;
      const std::string_view digits = text.substr(power, i - power);
      exponent = digits == "lambda" ? lambda : digits[0] - '0';
    }
    const Unit base = symbol == "N"    ? newton
                      : symbol == "m"  ? metre
                      : symbol == "s"  ? second
                      : symbol == "kg" ? Unit{0, 1, 0}
                      : symbol == "1"  ? dimensionless
                                       : throw std::logic_error("unknown unit");
    unit = unit * base.power(divides ? -exponent : exponent);
  }
  return unit;
}

template <class T>
constexpr void expect_unit(const T& quantity, const Unit& unit) {
  each_number([&](const Dimensioned& x) { return x.is(unit) ? void() : throw std::logic_error("a result of the wrong dimension"); },
              quantity);
}

template <class T>
constexpr void give_unit(T& quantity, const Unit& unit) {
  each_number([&](Dimensioned& x) { x.set_unit(unit); }, quantity);
}

/// Runs react, energy, bound and the switches of Law<Dimensioned> on quantities with the declared units and checks those of the
/// answers.
template <class Law>
constexpr bool dimensionally_consistent() {
  Law law{};
  double lambda = 1;
  law.describe([&](std::string_view name, auto& value, std::string_view, const Range&, std::string_view) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, Dimensioned>)
      if (name == "lambda" || name == "normal.lambda") lambda = value.value();
  });
  law.describe([&](std::string_view, auto& value, std::string_view unit, const Range&, std::string_view) {
    give_unit(value, parse_unit(unit, lambda));
  });

  auto z = law.start();
  Law::states([&](std::string_view, std::string_view unit, std::string_view, auto& x) { give_unit(x, parse_unit(unit, lambda)); },
              z);

  typename Law::Input in{};
  if constexpr (requires { in.gap; }) {
    give_unit(in.gap, metre);
    give_unit(in.rate, metre / second);
  }
  if constexpr (requires { in.v; }) give_unit(in.v, metre / second);
  if constexpr (requires { in.load; }) give_unit(in.load, dimensionless);

  const Dimensioned tau(second);
  const auto reaction = law.react(z, in, tau);
  if constexpr (requires { reaction.f.normal; }) {
    expect_unit(reaction.f.normal, newton);
    expect_unit(reaction.f.tangential, newton);
    expect_unit(law.bound(z, in, tau).tangential, newton);
  } else {
    expect_unit(reaction.f, newton);
    expect_unit(law.bound(z, in, tau), newton);
  }
  expect_unit(law.energy(z, in), joule);
  if constexpr (Hybrid<Law>) law.transit(z, in);
  Law::states(
      [&](std::string_view, std::string_view unit, std::string_view, auto& x, auto& rate) {
        expect_unit(x, parse_unit(unit, lambda));
        expect_unit(rate, parse_unit(unit, lambda) / second);
      },
      z, reaction.rate);
  return true;
}

}  // namespace asperity::testing
