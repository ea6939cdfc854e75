#include "writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "algebra.hpp"
#include "asperity/parameters.hpp"

namespace asperity::algebra {

// --- LaTeX ----------------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::array<std::string_view, 24> greek{"alpha", "beta",  "gamma",   "delta", "epsilon", "zeta", "eta",   "theta",
                                                 "iota",  "kappa", "lambda",  "mu",    "nu",      "xi",   "pi",    "rho",
                                                 "sigma", "tau",   "upsilon", "phi",   "chi",     "psi",  "omega", "Omega"};

enum Tightness { loosest, sum_level, product_level, sign_level, power_level, tightest };

Tightness tightness_of(const Node& node) {
  switch (node.op) {
    case Op::add:
    case Op::subtract:
      return sum_level;
    case Op::multiply:
      return product_level;
    case Op::minus:
    case Op::not_:
      return sign_level;
    case Op::power:
      return power_level;
    default:
      return is_condition(node.op) ? loosest : tightest;
  }
}

/// 1.5e-05 -> 1.5 \cdot 10^{-5}
std::string latex_number(double value) {
  const std::string text = to_text(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string_view latex_operator(Op op) {
  switch (op) {
    case Op::less_equal:
      return "\\le";
    case Op::greater_equal:
      return "\\ge";
    case Op::equal:
      return "=";
    case Op::not_equal:
      return "\\ne";
    case Op::and_:
      return "\\wedge";
    case Op::or_:
      return "\\vee";
    default:
      return spelling(op);
  }
}

std::string latex(const Node& node, Tightness least) {
  const Tightness own = tightness_of(node);
  if (own < least) return "\\left(" + latex(node, loosest) + "\\right)";
  const auto part = [&](std::size_t i, Tightness t) { return latex(node.parts[i], t); };
  switch (node.op) {
    case Op::number:
      return latex_number(node.number);
    case Op::constant:
    case Op::name:
      return node.word == "e" ? "\\mathrm{e}" : latex_name(node.word);
    case Op::minus:
      return "-" + part(0, sign_level);
    case Op::not_:
      return "\\neg " + part(0, sign_level);
    case Op::add:
      return part(0, sum_level) + " + " + part(1, product_level);
    case Op::subtract:
      return part(0, sum_level) + " - " + part(1, product_level);
    case Op::multiply: {
      const bool digits =
          node.parts[1].op == Op::number || (node.parts[1].op == Op::multiply && node.parts[1].parts[0].op == Op::number);
      return part(0, product_level) + (digits ? " \\cdot " : " \\, ") + part(1, sign_level);
    }
    case Op::divide:
      return "\\frac{" + part(0, loosest) + "}{" + part(1, loosest) + "}";
    case Op::power:
    case Op::pow:
      return "{" + part(0, tightest) + "}^{" + part(1, loosest) + "}";
    case Op::sqrt:
      return "\\sqrt{" + part(0, loosest) + "}";
    case Op::abs:
      return "\\left|" + part(0, loosest) + "\\right|";
    case Op::floor:
      return "\\left\\lfloor " + part(0, loosest) + " \\right\\rfloor";
    case Op::ceil:
      return "\\left\\lceil " + part(0, loosest) + " \\right\\rceil";
    case Op::choose:
      return "\\begin{cases} " + part(1, loosest) + " & " + part(0, loosest) + " \\\\ " + part(2, loosest) +
             " & \\text{else} \\end{cases}";
    default:
      break;
  }
  if (own == loosest) return fmt::format("{} {} {}", part(0, sum_level), latex_operator(node.op), part(1, sum_level));
  std::vector<std::string> arguments;
  for (const Node& one : node.parts) arguments.push_back(latex(one, loosest));
  const std::string word(node.op == Op::other ? std::string_view(node.word) : spelling(node.op));
  constexpr std::array<std::string_view, 10> known{"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "min", "max"};
  const bool plain = std::find(known.begin(), known.end(), word) != known.end();
  const std::string function = word.empty() ? "" : plain ? fmt::format("\\{}", word) : fmt::format("\\operatorname{{{}}}", word);
  return fmt::format("{}\\left({}\\right)", function, fmt::join(arguments, ", "));
}

}  // namespace

std::string latex_name(const std::string& name, bool rate) {
  // The longest Greek word at its start, or one letter; the rest is an index.
  std::string base = name.substr(0, 1), rest = name.substr(1);
  for (const std::string_view word : greek)
    if (name.starts_with(word) && (name.size() == word.size() || !std::isalpha(static_cast<unsigned char>(name[word.size()])))) {
      base = fmt::format("\\{}", word);
      rest = name.substr(word.size());
    }
  if (rate) base = "\\dot{" + base + "}";
  while (rest.starts_with('_')) rest.erase(0, 1);
  std::replace(rest.begin(), rest.end(), '_', ',');
  return rest.empty() ? base : base + "_{" + rest + "}";
}

std::string to_latex(const Node& node) { return latex(node, loosest); }

// --- C++ ------------------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::array<std::string_view, 110> kept{
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char8_t",
    "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue",
    "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union",
    "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
    // and what the function itself says
    "S", "Dio", "Sgn", "VecN", "std", "inclusion", "asperity", "select", "array", "dio", "errno", "NULL", "EOF", "assert",
    "INFINITY", "NAN"};

/// Macros of <cmath> and of compilers.
constexpr std::array<std::string_view, 5> kept_beginnings{"M_", "FP_", "HUGE_VAL", "MATH_", "__"};

bool is_kept(const std::string& word) {
  const auto functions = formula_functions();
  return std::find(kept.begin(), kept.end(), word) != kept.end() ||
         std::any_of(kept_beginnings.begin(), kept_beginnings.end(), [&](std::string_view b) { return word.starts_with(b); }) ||
         std::any_of(functions.begin(), functions.end(), [&](const FunctionWord& f) { return f.word == word; });
}

}  // namespace

std::string CppWriter::function_name(const std::string& word) { return is_kept(word) ? word + "_" : word; }

void CppWriter::claim(const std::vector<std::string>& all) {
  std::set<std::string> taken;
  for (const std::string& word : all)
    if (!is_kept(word)) names_[word] = word, taken.insert(word);
  for (const std::string& word : all) {
    if (!is_kept(word)) continue;
    std::string other = word;
    do other += '_';
    while (!taken.insert(other).second);
    names_[word] = other;
  }
}

std::string CppWriter::name(const std::string& word) {
  const auto found = names_.find(word);
  return found == names_.end() ? word : found->second;
}

std::string CppWriter::number(double value) {
  const std::string text = to_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string CppWriter::text(const Node& node) { return text_of(written(node)); }

Node CppWriter::call(const char* function, std::vector<Node> arguments) {
  return {Op::other, 0, function, std::move(arguments), 0};
}
Node CppWriter::scalar(Node node) {
  needs_scalar = true;
  return call("S", {std::move(node)});
}

/// What is a bool in C++.
Node CppWriter::condition(const Node& node) {
  if (!is_condition(node.op)) return {Op::not_equal, 0, {}, {written(node), written(number_node(0))}, 0};
  Node copy{node.op, 0, {}, {}, 0};
  const bool logic = node.op == Op::not_ || node.op == Op::and_ || node.op == Op::or_;
  for (const Node& part : node.parts) {
    Node inner = logic ? condition(part) : written(part);
    // Right as it is, but compilers like it better so.
    if (node.op == Op::or_ && inner.op == Op::and_) inner = call("", {std::move(inner)});
    copy.parts.push_back(std::move(inner));
  }
  return copy;
}

Node CppWriter::written(const Node& node) {
  const auto part = [&](std::size_t i) { return written(node.parts[i]); };
  if (node.op == Op::number || node.op == Op::constant) return name_node(number(node.number));
  if (node.op == Op::name) {
    used.insert(node.word);
    const auto other = words ? words(node) : std::nullopt;
    return name_node(other ? *other : name(node.word));
  }
  if (is_condition(node.op))
    return call("select", {condition(node), scalar(written(number_node(1))), scalar(written(number_node(0)))});
  switch (node.op) {
    case Op::choose:
      return call("select", {condition(node.parts[0]), scalar(part(1)), scalar(part(2))});
    case Op::step:
      return call("select", {Node{Op::greater_equal, 0, {}, {part(0), written(number_node(0))}, 0}, scalar(written(number_node(1))),
                             scalar(written(number_node(0)))});
    case Op::sat:
      return call("sat", {scalar(part(0)), scalar(part(1))});
    case Op::sign:
      return call("sign", {scalar(part(0))});
    case Op::min:
    case Op::max: {
      Node all = part(0);
      for (std::size_t i = 1; i < node.parts.size(); ++i)
        all = call(node.op == Op::min ? "min" : "max", {scalar(std::move(all)), scalar(part(i))});
      return all;
    }
    case Op::mod: {
      functions.insert("floor");
      const Node quotient_of{Op::divide, 0, {}, {part(0), part(1)}, 0};
      const Node whole{Op::multiply, 0, {}, {part(1), call("floor", {quotient_of})}, 0};
      return {Op::subtract, 0, {}, {part(0), whole}, 0};
    }
    case Op::power:
      // As formulas do it.
      if (node.parts[1].op == Op::number && node.parts[1].number == 2) return {Op::multiply, 0, {}, {part(0), part(0)}, 0};
      return call("pow", {part(0), part(1)});
    case Op::minus:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide: {
      Node copy{node.op, 0, {}, {}, 0};
      for (std::size_t i = 0; i < node.parts.size(); ++i) copy.parts.push_back(part(i));
      return copy;
    }
    default: {
      const std::string function(spelling(node.op));
      constexpr std::array<std::string_view, 7> words_of_laws{"abs", "exp", "pow", "sin", "sqrt", "tanh", ""};
      if (std::find(words_of_laws.begin(), words_of_laws.end(), function) == words_of_laws.end()) functions.insert(function);
      std::vector<Node> arguments;
      for (std::size_t i = 0; i < node.parts.size(); ++i) arguments.push_back(part(i));
      return call(function.c_str(), std::move(arguments));
    }
  }
}

}  // namespace asperity::algebra
