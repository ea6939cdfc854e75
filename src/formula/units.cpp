#include "asperity/formula/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "asperity/parameters.hpp"
#include "letters.hpp"

namespace asperity {
namespace {

/// Exponents of kilogram, metre, second and ampere. Angles are numbers.
using Dimension = std::array<double, 4>;

struct UnitWord {
  std::string_view word;
  Dimension dimension;
  int ten = 0;        // the unit is 10^ten times `factor` of the SI unit
  double factor = 1;  // exactly 1 for all but angles and minutes
  bool prefixes = true;
};

// No hertz: ten of them are 10/s or 20 pi rad/s, and the text does not say which.
constexpr std::array<UnitWord, 19> units{{
    {"1", {}, 0, 1, false},
    {"m", {0, 1, 0, 0}},
    {"g", {1, 0, 0, 0}, -3},
    {"s", {0, 0, 1, 0}},
    {"A", {0, 0, 0, 1}},
    {"N", {1, 1, -2, 0}},
    {"Nm", {1, 2, -2, 0}},
    {"Ns", {1, 1, -1, 0}},
    {"J", {1, 2, -2, 0}},
    {"W", {1, 2, -3, 0}},
    {"Pa", {1, -1, -2, 0}},
    {"V", {1, 2, -3, -1}},
    {"bar", {1, -1, -2, 0}, 5},
    {"rad", {}},
    {"deg", {}, 0, std::numbers::pi / 180, false},
    {"rpm", {0, 0, -1, 0}, 0, std::numbers::pi / 30, false},
    {"min", {0, 0, 1, 0}, 0, 60, false},
    {"h", {0, 0, 1, 0}, 0, 3600, false},
    {"%", {}, -2, 1, false},
}};

struct Prefix {
  char letter;
  int ten;
};
constexpr std::array<Prefix, 11> prefixes{
    {{'f', -15}, {'p', -12}, {'n', -9}, {'u', -6}, {'m', -3}, {'c', -2}, {'d', -1}, {'h', 2}, {'k', 3}, {'M', 6}, {'G', 9}}};

struct DimensionWord {
  std::string_view what, unit;
  Dimension dimension;
};
constexpr std::array<DimensionWord, 22> dimensions{{
    {"a pure number or an angle", "", {}},
    {"a length", "m", {0, 1, 0, 0}},
    {"an area", "m^2", {0, 2, 0, 0}},
    {"a volume", "m^3", {0, 3, 0, 0}},
    {"a time", "s", {0, 0, 1, 0}},
    {"a rate", "1/s", {0, 0, -1, 0}},
    {"a velocity", "m/s", {0, 1, -1, 0}},
    {"an acceleration", "m/s^2", {0, 1, -2, 0}},
    {"a mass", "kg", {1, 0, 0, 0}},
    {"a density", "kg/m^3", {1, -3, 0, 0}},
    {"a moment of inertia", "kg m^2", {1, 2, 0, 0}},
    {"a force", "N", {1, 1, -2, 0}},
    {"a momentum", "N s", {1, 1, -1, 0}},
    {"a moment or an energy", "N m", {1, 2, -2, 0}},
    {"a power", "W", {1, 2, -3, 0}},
    {"a pressure", "Pa", {1, -1, -2, 0}},
    {"a stiffness", "N/m", {1, 0, -2, 0}},
    {"a damping", "N s/m", {1, 0, -1, 0}},
    {"an angular damping", "N m s", {1, 2, -1, 0}},
    {"a reciprocal length", "1/m", {0, -1, 0, 0}},
    {"a current", "A", {0, 0, 0, 1}},
    {"a voltage", "V", {1, 2, -3, -1}},
}};

/// A unit worked out.
struct Unit {
  Dimension dimension{};
  double ten = 0;
  double factor = 1;

  bool has_dimension_of(const Dimension& other) const {
    return std::equal(dimension.begin(), dimension.end(), other.begin(), [](double a, double b) { return std::abs(a - b) < 1e-9; });
  }
};

const UnitWord* find_unit(std::string_view word) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const UnitWord& u) { return u.word == word; });
  return found == units.end() ? nullptr : &*found;
}

/// A unit with or without a prefix; `min` is a minute, as whole words go first.
const UnitWord* find_unit(std::string_view word, int& ten) {
  ten = 0;
  if (const UnitWord* unit = find_unit(word)) return unit;
  const auto prefix =
      std::find_if(prefixes.begin(), prefixes.end(), [&](const Prefix& p) { return !word.empty() && p.letter == word[0]; });
  if (prefix == prefixes.end()) return nullptr;
  ten = prefix->ten;
  const UnitWord* unit = find_unit(word.substr(1));
  return unit && unit->prefixes ? unit : nullptr;
}

std::string unknown_unit(std::string_view word) {
  std::string text = fmt::format("unknown unit \"{}\"", word);
  if (word == "Hz") return text + "; write 1/s, or rad/s or rpm";
  int ten = 0;
  for (std::size_t i = 1; i < word.size(); ++i)
    if (find_unit(word.substr(0, i), ten) && find_unit(word.substr(i), ten))
      return text + fmt::format("; did you mean \"{} {}\"?", word.substr(0, i), word.substr(i));
  std::vector<std::string> known;
  for (const UnitWord& unit : units) known.emplace_back(unit.word);
  const auto suggestion = nearest(word, known);
  return text + (suggestion ? "; did you mean " + *suggestion + "?" : "; known are m, kg, s, N, J, W, Pa, rad, deg, ...");
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

/// `factors {"/" factors}`: factors that follow a slash divide.
class UnitReader {
 public:
  UnitReader(std::string_view text, const std::vector<std::pair<std::string, double>>& exponents, std::string& problem)
      : text_(text), exponents_(exponents), problem_(problem) {}

  std::optional<Unit> read() {
    bool divides = false, wants_factor = true;
    for (skip_blanks(); !text_.empty(); skip_blanks()) {
      const char c = text_.front();
      if ((c == '/' || c == '*') && !wants_factor) {
        if (c == '*' && divides) return fail("* after /: write all that divides last, as in N s/m");
        divides = divides || c == '/';
        wants_factor = true;
        text_.remove_prefix(1);
      } else if (!factor(divides)) {
        return std::nullopt;
      } else {
        wants_factor = false;
      }
    }
    if (wants_factor) return fail("the unit ends too early");
    return unit_;
  }

 private:
  std::nullopt_t fail(std::string text) {
    problem_ = std::move(text);
    return std::nullopt;
  }
  void skip_blanks() {
    while (!text_.empty() && is_space(text_.front())) text_.remove_prefix(1);
  }
  template <class Accepts>
  std::string_view take(Accepts accepts) {
    const auto end = std::find_if_not(text_.begin(), text_.end(), accepts);
    const std::string_view taken = text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
    text_.remove_prefix(taken.size());
    return taken;
  }

  bool factor(bool divides) {
    std::string_view word = take(is_letter);
    if (word.empty() && (text_.front() == '%' || (text_.front() == '1' && (text_.size() == 1 || !is_digit(text_[1]))))) {
      word = text_.substr(0, 1);
      text_.remove_prefix(1);
    }
    if (word.empty()) {
      const auto byte = static_cast<unsigned char>(text_.front());
      fail(byte >= 0x20 && byte < 0x7F ? fmt::format("unexpected \"{}\" in the unit", text_.front())
                                       : fmt::format("unexpected character \\x{:02X} in the unit", byte));
      return false;
    }
    int ten = 0;
    const UnitWord* known = find_unit(word, ten);
    if (!known) {
      fail(unknown_unit(word));
      return false;
    }
    auto power = exponent();
    if (!power) return false;
    if (divides) *power = -*power;
    for (std::size_t i = 0; i < unit_.dimension.size(); ++i) unit_.dimension[i] += *power * known->dimension[i];
    unit_.ten += *power * (known->ten + ten);
    unit_.factor *= std::pow(known->factor, *power);
    return true;
  }

  /// "^2", "^-1", "^1.5", "^lambda", or "2" alone as in m/s2.
  std::optional<double> exponent() {
    const bool hat = !text_.empty() && text_.front() == '^';
    if (hat) text_.remove_prefix(1);
    if (hat && !text_.empty() && is_letter(text_.front())) {
      const std::string_view name = take([](char c) { return is_letter(c) || is_digit(c); });
      for (const auto& [known, value] : exponents_)
        if (known == name) return value;
      return fail(fmt::format("unknown exponent \"{}\" in the unit", name));
    }
    const std::string_view digits = hat ? take([](char c) { return is_digit(c) || c == '-' || c == '.'; }) : take(is_digit);
    if (digits.empty() && !hat) return 1;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      return fail(fmt::format("exponent \"{}\" in the unit: must be a number", digits));
    if (!(std::abs(value) <= 9)) return fail(fmt::format("exponent {} in the unit: must be between -9 and 9", digits));
    return value;
  }

  std::string_view text_;
  const std::vector<std::pair<std::string, double>>& exponents_;
  std::string& problem_;
  Unit unit_;
};

/// Signs of print in the letters of a keyboard.
std::string plain(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> signs{{{"\u00B5", "u"},
                                                                                {"\u03BC", "u"},
                                                                                {"\u00B7", "*"},
                                                                                {"\u22C5", "*"},
                                                                                {"\u00B2", "^2"},
                                                                                {"\u00B3", "^3"},
                                                                                {"\u00B0", "deg"},
                                                                                {"\u00A0", " "}}};
  std::string out;
  while (!text.empty()) {
    const auto sign = std::find_if(signs.begin(), signs.end(), [&](const auto& s) { return text.starts_with(s.first); });
    if (sign == signs.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += sign->second;
      text.remove_prefix(sign->first.size());
    }
  }
  return out;
}

/// `a length (m)`, or base units where there is no word.
std::string described(const Unit& unit) {
  for (const DimensionWord& known : dimensions)
    if (unit.has_dimension_of(known.dimension))
      return known.unit.empty() ? std::string(known.what) : fmt::format("{} ({})", known.what, known.unit);
  constexpr std::array<std::string_view, 4> base{"kg", "m", "s", "A"};
  std::string text;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double exponent = unit.dimension[i];
    if (std::abs(exponent) < 1e-9) continue;
    text += text.empty() ? "" : " ";
    text += exponent == 1 ? std::string(base[i]) : fmt::format("{}^{:g}", base[i], exponent);
  }
  return text;
}

/// The sign, digits and exponent at the beginning.
std::string_view number_of(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - from;
  };
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  std::size_t found = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    found += digits();
  }
  if (found == 0) return {};
  const std::size_t mantissa = i;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) i = mantissa;
  }
  return text.substr(0, i);
}

/// The number times 10^ten, rounded once: "5 um" is 5e-6 to the last bit.
std::optional<double> shifted(std::string_view number, int ten) {
  if (number.front() == '+') number.remove_prefix(1);
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  int exponent = 0;
  if (e < number.size()) {
    std::string_view digits = number.substr(e + 1);
    if (digits.front() == '+') digits.remove_prefix(1);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc() || std::abs(exponent) > 10000)
      return std::nullopt;
  }
  const std::string text = fmt::format("{}e{}", number.substr(0, e), exponent + ten);
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

constexpr std::size_t longest = 200;

}  // namespace

bool is_quantity(std::string_view text) {
  const std::string words = plain(text.substr(0, longest));
  std::string_view rest = words;
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  const std::size_t number = number_of(rest).size();
  rest.remove_prefix(number);
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  return number > 0 && !rest.empty() && (is_letter(rest.front()) || is_digit(rest.front()) || rest.front() == '%');
}

std::optional<double> read_quantity(std::string_view text, std::string_view wanted_unit, std::string& problem,
                                    const std::vector<std::pair<std::string, double>>& exponents) {
  const auto fail = [&](std::string why) {
    problem = std::move(why);
    return std::nullopt;
  };
  if (text.size() > longest) return fail(fmt::format("{} characters: must be <= {}", text.size(), longest));
  const std::string words = plain(text);
  std::string_view rest = words;
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  const std::string_view number = number_of(rest);
  const std::string must = wanted_unit == "1" ? "a number" : fmt::format("a number, or a number and a unit of {}", wanted_unit);
  if (number.empty()) return fail("must be " + must);
  rest.remove_prefix(number.size());
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);

  Unit scale;
  if (!rest.empty()) {
    const auto given = UnitReader(rest, exponents, problem).read();
    if (!given) return std::nullopt;
    const auto wanted = UnitReader(wanted_unit, exponents, problem).read();
    if (!wanted) return std::nullopt;
    if (!given->has_dimension_of(wanted->dimension)) {
      const std::string unit = wanted_unit == "1" ? "a number without a unit" : std::string(wanted_unit);
      return fail(fmt::format("is {}: must be {}", described(*given), unit));
    }
    scale.ten = given->ten - wanted->ten;
    scale.factor = given->factor / wanted->factor;
  }
  const double whole = std::round(scale.ten);
  auto value = shifted(number, static_cast<int>(whole));
  if (value) *value *= scale.factor * std::pow(10, scale.ten - whole);
  if (!value || !std::isfinite(*value)) return fail("is out of the range of numbers");
  return value;
}

}  // namespace asperity
