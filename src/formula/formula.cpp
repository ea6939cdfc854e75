#include "asperity/formula/formula.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <numbers>

#include "asperity/parameters.hpp"
#include "letters.hpp"

namespace asperity {
namespace {

constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

constexpr std::array<FunctionWord, 25> functions{{
    {Op::sin, "sin", 1, 1},        {Op::cos, "cos", 1, 1},     {Op::tan, "tan", 1, 1},     {Op::asin, "asin", 1, 1},
    {Op::acos, "acos", 1, 1},      {Op::atan, "atan", 1, 1},   {Op::atan2, "atan2", 2, 2}, {Op::sinh, "sinh", 1, 1},
    {Op::cosh, "cosh", 1, 1},      {Op::tanh, "tanh", 1, 1},   {Op::exp, "exp", 1, 1},     {Op::log, "log", 1, 1},
    {Op::log10, "log10", 1, 1},    {Op::sqrt, "sqrt", 1, 1},   {Op::abs, "abs", 1, 1},     {Op::sign, "sign", 1, 1},
    {Op::step, "step", 1, 1},      {Op::floor, "floor", 1, 1}, {Op::ceil, "ceil", 1, 1},   {Op::mod, "mod", 2, 2},
    {Op::sat, "sat", 2, 2},        {Op::pow, "pow", 2, 2},     {Op::hypot, "hypot", 2, 2}, {Op::min, "min", 2, no_limit},
    {Op::max, "max", 2, no_limit},
}};

/// How tightly an operator binds; a larger number binds first.
enum Tightness { loosest, choice, disjunction, conjunction, comparison, sum, product, sign_of, exponent, leaf };

struct OperatorWord {
  Op op;
  std::string_view word;
  Tightness tightness;
};

/// Longer words before those they begin with.
constexpr std::array<OperatorWord, 13> operators{{
    {Op::or_, "||", disjunction},
    {Op::and_, "&&", conjunction},
    {Op::less_equal, "<=", comparison},
    {Op::greater_equal, ">=", comparison},
    {Op::equal, "==", comparison},
    {Op::not_equal, "!=", comparison},
    {Op::less, "<", comparison},
    {Op::greater, ">", comparison},
    {Op::add, "+", sum},
    {Op::subtract, "-", sum},
    {Op::multiply, "*", product},
    {Op::divide, "/", product},
    {Op::power, "^", exponent},
}};

Tightness tightness_of(Op op) {
  if (op == Op::choose) return choice;
  if (op == Op::minus || op == Op::not_) return sign_of;
  for (const OperatorWord& known : operators)
    if (known.op == op) return known.tightness;
  return leaf;
}

struct Constant {
  std::string_view word;
  double value;
};
constexpr std::array<Constant, 2> constants{{{"pi", std::numbers::pi}, {"e", std::numbers::e}}};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::size_t most_words = 12;         // in a message
constexpr std::size_t most_candidates = 1000;  // among more there is always a near one

std::string some_functions() { return "sin, cos, exp, sqrt, abs, min, max, ..."; }

/// A node and how many levels it has.
struct Tree {
  Node node;
  std::size_t levels = 1;
};

/// Recursive descent:
///   choice  = binary ["?" choice ":" choice]
///   binary  = signed {operator signed}          by tightness; comparisons do not chain
///   signed  = ("-" | "+" | "!") signed | power
///   power   = value ["^" signed]
///   value   = number | name | function "(" choice {"," choice} ")" | "(" choice ")"
/// Each function eats the blanks behind it. After the first problem all return at once.
class Reader {
 public:
  Reader(std::string_view text, const std::vector<std::string>& other_functions, FormulaProblem& problem)
      : text_(text), other_functions_(other_functions), problem_(problem) {}

  std::optional<Node> read() {
    if (text_.size() > Formula::longest)
      return fail(0, fmt::format("{} characters: must be <= {}", text_.size(), Formula::longest));
    take(0);
    if (at_end()) return fail(0, "the formula is empty");
    auto tree = choice();
    if (tree && !at_end()) return no_operator();
    return tree ? std::optional(std::move(tree->node)) : std::nullopt;
  }

 private:
  using Read = std::optional<Tree>;

  bool at_end() const { return at_ == text_.size(); }
  bool sees(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void take(std::size_t length) {
    at_ += length;
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }

  std::nullopt_t fail(std::size_t position, std::string text) {
    problem_ = {position, std::move(text)};
    return std::nullopt;
  }
  std::nullopt_t fail(std::string text) { return fail(at_ + 1, std::move(text)); }

  /// "block.velocity" is one name.
  bool dot_in_a_name(std::size_t at) const { return text_[at] == '.' && at + 1 < text_.size() && is_letter(text_[at + 1]); }
  std::string_view word_here() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || dot_in_a_name(end))) ++end;
    return text_.substr(at_, end - at_);
  }

  const OperatorWord* operator_here() const {
    const auto found = std::find_if(operators.begin(), operators.end(), [&](const OperatorWord& o) { return sees(o.word); });
    return found == operators.end() ? nullptr : &*found;
  }

  /// What stands here: a word, an operator, a character of any alphabet; or a byte that is none.
  std::string quoted_here() const {
    std::string_view shown = word_here();
    if (const OperatorWord* known = operator_here()) shown = known->word;
    if (shown.empty()) {
      const auto byte = [&](std::size_t i) { return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0U; };
      const std::size_t length = byte(0) < 0x80   ? 1
                                 : byte(0) < 0xC2 ? 0
                                 : byte(0) < 0xE0 ? 2
                                 : byte(0) < 0xF0 ? 3
                                 : byte(0) < 0xF5 ? 4
                                                  : 0;
      bool printable = length > 0 && byte(0) >= 0x20 && byte(0) != 0x7F;
      for (std::size_t i = 1; i < length; ++i) printable = printable && (byte(i) & 0xC0U) == 0x80U;
      if (!printable) return fmt::format("character \\x{:02X}", byte(0));
      shown = text_.substr(at_, length);
    }
    return fmt::format("\"{}\"", shown);
  }

  std::nullopt_t no_value() { return fail(at_end() ? "unexpected end" : "unexpected " + quoted_here() + hint()); }

  /// After a value there is something that cannot go on with it.
  std::nullopt_t no_operator() {
    std::string more = hint();
    if (const OperatorWord* known = operator_here(); known && known->tightness == comparison) {
      more = "; to compare twice, write a < b && b < c";
    } else if (sees("(") || !word_here().empty()) {
      more = word_here() == "and" ? "; write &&" : word_here() == "or" ? "; write ||" : "; to multiply, write *";
    }
    return fail("unexpected " + quoted_here() + more);
  }

  std::string hint() const {
    if (sees("=")) return "; to compare, write ==";
    if (sees("&")) return "; write &&";
    if (sees("|")) return "; write ||";
    if (sees("%")) return "; write mod(x, y)";
    if (sees(",")) return "; the decimal sign is a point";
    if (sees("*") && at_ > 0 && text_[at_ - 1] == '*') return "; for a power, write ^";
    return "";
  }

  Read node(Op op, std::size_t position, std::vector<Tree> parts) {
    Tree tree{{op, 0, {}, {}, position}, 0};
    for (Tree& part : parts) {
      tree.levels = std::max(tree.levels, part.levels);
      tree.node.parts.push_back(std::move(part.node));
    }
    if (++tree.levels > Formula::most_levels)
      return fail(position, fmt::format("more than {} operations in a chain", Formula::most_levels));
    return tree;
  }
  template <class... Part>
  Read operation(Op op, std::size_t position, Part... part) {
    std::vector<Tree> parts;
    (parts.push_back(std::move(*part)), ...);
    return node(op, position, std::move(parts));
  }

  /// Reads one level deeper.
  Read nested(Read (Reader::*part)()) {
    if (depth_ == Formula::most_nested) return fail(fmt::format("nested more than {} times", Formula::most_nested));
    ++depth_;
    Read tree = (this->*part)();
    --depth_;
    return tree;
  }

  Read choice() {
    Read condition = binary(disjunction);
    if (!condition || !sees("?")) return condition;
    const std::size_t position = at_ + 1;
    take(1);
    Read yes = nested(&Reader::choice);
    if (!yes) return yes;
    if (!sees(":")) {
      if (!at_end()) return no_operator();
      return fail(fmt::format("the : that belongs to the ? at position {} is missing", position));
    }
    take(1);
    Read no = nested(&Reader::choice);
    if (!no) return no;
    return operation(Op::choose, position, std::move(condition), std::move(yes), std::move(no));
  }

  Read binary(Tightness least) {
    Read left = signed_value();
    bool compared = false;
    while (left) {
      const OperatorWord* next = operator_here();
      if (!next || next->tightness < least) return left;
      if (next->tightness == comparison && compared) return no_operator();
      compared = next->tightness == comparison;
      const std::size_t position = at_ + 1;
      take(next->word.size());
      Read right = binary(static_cast<Tightness>(next->tightness + 1));
      if (!right) return right;
      left = operation(next->op, position, std::move(left), std::move(right));
    }
    return left;
  }

  Read signed_value() {
    const bool minus = sees("-"), no = sees("!") && !sees("!=");
    if (!minus && !no && !sees("+")) return power();
    const std::size_t position = at_ + 1;
    take(1);
    Read x = nested(&Reader::signed_value);
    if (!x || !(minus || no)) return x;
    return operation(minus ? Op::minus : Op::not_, position, std::move(x));
  }

  Read power() {
    Read base = value();
    if (!base || !sees("^")) return base;
    const std::size_t position = at_ + 1;
    take(1);
    Read exponent_of_it = nested(&Reader::signed_value);
    if (!exponent_of_it) return exponent_of_it;
    return operation(Op::power, position, std::move(base), std::move(exponent_of_it));
  }

  Read value() {
    if (at_end()) return no_value();
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return word();
    if (!sees("(")) return no_value();
    take(1);
    Read inside = nested(&Reader::choice);
    if (!inside) return inside;
    if (!sees(")")) return at_end() ? fail("a closing parenthesis is missing") : no_operator();
    take(1);
    return inside;
  }

  Read number() {
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) return no_value();
    const auto length = static_cast<std::size_t>(end - begin);
    if (error != std::errc()) return fail(fmt::format("{} is out of the range of numbers", text_.substr(at_, length)));
    Tree tree{{Op::number, value, {}, {}, at_ + 1}};
    take(length);
    return tree;
  }

  Read word() {
    const std::string name(word_here());
    const std::size_t position = at_ + 1;
    take(name.size());
    const auto function = std::find_if(functions.begin(), functions.end(), [&](const FunctionWord& f) { return f.word == name; });
    const bool other = std::find(other_functions_.begin(), other_functions_.end(), name) != other_functions_.end();
    if (sees("(")) {
      if (function != functions.end()) return call(*function, name, position);
      if (other) return call({Op::other, name, 1, no_limit}, name, position);
      return unknown_function(name, position);
    }
    if (function != functions.end() || other) return fail(position, fmt::format("{} needs arguments: {}(...)", name, name));
    const auto constant = std::find_if(constants.begin(), constants.end(), [&](const Constant& c) { return c.word == name; });
    if (constant != constants.end()) return Tree{{Op::constant, constant->value, name, {}, position}};
    return Tree{{Op::name, 0, name, {}, position}};
  }

  std::nullopt_t unknown_function(const std::string& name, std::size_t position) {
    std::vector<std::string> known = other_functions_;
    for (const FunctionWord& f : functions) known.emplace_back(f.word);
    const auto suggestion = nearest(name, known);
    return fail(position, fmt::format("unknown function \"{}\"; {}", name,
                                      suggestion ? "did you mean " + *suggestion + "?" : "known are " + some_functions()));
  }

  Read call(const FunctionWord& function, const std::string& name, std::size_t position) {
    std::vector<Tree> arguments;
    do {
      take(1);
      if (arguments.empty() && sees(")")) break;
      Read argument = nested(&Reader::choice);
      if (!argument) return argument;
      arguments.push_back(std::move(*argument));
    } while (sees(","));
    if (!sees(")")) return at_end() ? fail("a closing parenthesis is missing") : no_operator();
    take(1);
    const std::size_t given = arguments.size();
    if (given < function.least || given > function.most)
      return fail(position, fmt::format("{} has {} argument{}: must be {}{}", name, given, given == 1 ? "" : "s",
                                        function.most == no_limit ? ">= " : "", function.least));
    Read tree = node(function.op, position, std::move(arguments));
    if (tree && function.op == Op::other) tree->node.word = name;
    return tree;
  }

  std::string_view text_;
  const std::vector<std::string>& other_functions_;
  FormulaProblem& problem_;
  std::size_t at_ = 0, depth_ = 0;
};

void write(std::string& out, const Node& node, Tightness least) {
  const Tightness own = tightness_of(node.op);
  if (own < least) out += '(';
  const auto looser = [](Tightness t) { return static_cast<Tightness>(t + 1); };
  if (own == choice) {
    write(out, node.parts[0], disjunction);
    out += " ? ";
    write(out, node.parts[1], choice);
    out += " : ";
    write(out, node.parts[2], choice);
  } else if (own == sign_of) {
    out += spelling(node.op);
    write(out, node.parts[0], sign_of);
  } else if (own == exponent) {
    write(out, node.parts[0], leaf);
    out += '^';
    write(out, node.parts[1], sign_of);
  } else if (own != leaf) {
    write(out, node.parts[0], own == comparison ? looser(own) : own);
    const std::string_view blank = own == product ? "" : " ";
    out.append(blank).append(spelling(node.op)).append(blank);
    write(out, node.parts[1], looser(own));
  } else if (node.op == Op::number) {
    out += to_text(node.number);
  } else {
    out.append(spelling(node.op)).append(node.word);
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      out += i ? ", " : "(";
      write(out, node.parts[i], choice);
    }
    if (!node.parts.empty()) out += ')';
  }
  if (own < least) out += ')';
}

/// Puts numbers in place of names.
void put(Node& node, const std::map<std::string_view, double>& known) {
  if (node.op == Op::name) {
    if (const auto found = known.find(node.word); found != known.end()) {
      const std::size_t position = node.position;
      node = number_node(found->second);
      node.position = position;
    }
  }
  for (Node& part : node.parts) put(part, known);
}

const Node* first_use(const Node& node, std::string_view name) {
  if (node.op == Op::name && node.word == name) return &node;
  for (const Node& part : node.parts)
    if (const Node* found = first_use(part, name)) return found;
  return nullptr;
}

}  // namespace

/// Turns the tree into a program, works out what needs no name, and counts the stack.
class Formula::Compiler {
 public:
  explicit Compiler(Formula& formula) : formula_(formula) {}

  /// `held`: the values that wait on the stack.
  void compile(const Node& node, std::size_t held) {
    formula_.stack_ = std::max(formula_.stack_, held + 1);
    if (node.op == Op::number || node.op == Op::constant) return add({Op::number, 0, node.number});
    if (node.op == Op::name) return add({Op::name, index_of(node.word), 0});
    if (node.op == Op::choose) return compile_choice(node, held);
    if (node.op == Op::other) can_evaluate_ = false;
    if (node.op == Op::power && node.parts[1].op == Op::number && node.parts[1].number == 2) {
      compile(node.parts[0], held);
      return apply_one(Op::square);
    }
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      compile(node.parts[i], held + std::min<std::size_t>(i, 1));
      if (i > 0) apply_two(node.op);
    }
    if (takes_one(node.op)) apply_one(node.op);
  }

  void finish() {
    if (formula_.stack_ > large_stack) throw std::length_error("Formula: too many values at once");
    if (!can_evaluate_) formula_.program_.clear();
    formula_.program_.shrink_to_fit();
  }

 private:
  std::vector<Step>& program() { return formula_.program_; }
  void add(Step step) { program().push_back(step); }
  bool is_number(std::size_t from_end) {
    return program().size() >= from_end && program()[program().size() - from_end].op == Op::number;
  }

  std::uint32_t index_of(const std::string& name) {
    const auto [found, is_new] = index_.try_emplace(name, static_cast<std::uint32_t>(formula_.names_.size()));
    if (is_new) formula_.names_.push_back(name);
    return found->second;
  }

  void apply_one(Op op) {
    if (!is_number(1)) return add({op, 0, 0});
    program().back().number = apply(op, program().back().number);
  }
  void apply_two(Op op) {
    if (!is_number(1) || !is_number(2)) return add({op, 0, 0});
    const double y = program().back().number;
    program().pop_back();
    program().back().number = apply(op, program().back().number, y);
  }

  void compile_choice(const Node& node, std::size_t held) {
    compile(node.parts[0], held);
    const std::size_t unless = program().size();
    add({Op::skip_unless, 0, 0});
    compile(node.parts[1], held + 1);
    const std::size_t skip = program().size();
    add({Op::skip, 0, 0});
    compile(node.parts[2], held + 2);
    program()[unless].index = static_cast<std::uint32_t>(skip - unless);
    program()[skip].index = static_cast<std::uint32_t>(program().size() - skip);
    add({Op::choose, 0, 0});
  }

  Formula& formula_;
  std::map<std::string_view, std::uint32_t> index_;
  bool can_evaluate_ = true;
};

std::span<const FunctionWord> formula_functions() { return functions; }

std::string_view spelling(Op op) {
  if (op == Op::minus) return "-";
  if (op == Op::not_) return "!";
  for (const OperatorWord& known : operators)
    if (known.op == op) return known.word;
  for (const FunctionWord& known : functions)
    if (known.op == op) return known.word;
  return "";
}

std::string to_text(const FormulaProblem& problem) {
  return problem.position == 0 ? problem.text : fmt::format("position {}: {}", problem.position, problem.text);
}

Node number_node(double value) {
  Node number{Op::number, std::abs(value), {}, {}, 0};
  if (!std::signbit(value)) return number;
  Node minus{Op::minus, 0, {}, {}, 0};
  minus.parts.push_back(std::move(number));
  return minus;
}

Formula::Formula(Node root) : root_(std::move(root)) {
  Compiler compiler(*this);
  compiler.compile(root_, 0);
  compiler.finish();
}

std::optional<Formula> Formula::read(std::string_view text, FormulaProblem& problem,
                                     const std::vector<std::string>& other_functions) {
  auto root = Reader(text, other_functions, problem).read();
  if (!root) return std::nullopt;
  try {
    return Formula(std::move(*root));
  } catch (const std::length_error&) {
    problem = {0, fmt::format("more than {} values wait for an operation", large_stack)};
    return std::nullopt;
  }
}

std::vector<FormulaProblem> Formula::unknown_names(const std::vector<std::string>& known) const {
  std::vector<std::string> words = known;
  for (const Constant& c : constants) words.emplace_back(c.word);
  const auto shown_end = words.begin() + std::ptrdiff_t(std::min(words.size(), most_words));
  const std::string some_words =
      fmt::format("{}{}", fmt::join(words.begin(), shown_end, ", "), shown_end == words.end() ? "" : ", ...");
  std::vector<FormulaProblem> problems;
  for (const std::string& name : names_) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto suggestion = words.size() <= most_candidates ? nearest(name, words) : std::nullopt;
    const std::string advice =
        suggestion ? fmt::format("did you mean {}?", *suggestion) : fmt::format("known are {}, {}", some_words, some_functions());
    problems.push_back({first_use(root_, name)->position, fmt::format("unknown name \"{}\"; {}", name, advice)});
  }
  return problems;
}

Formula Formula::with(const std::vector<std::pair<std::string, double>>& known) const {
  Node root = root_;
  put(root, {known.begin(), known.end()});
  return Formula(std::move(root));
}

std::string Formula::text() const {
  std::string out;
  write(out, root_, choice);
  return out;
}

template double Formula::value(std::span<const double>) const;
template Dual<1> Formula::value(std::span<const Dual<1>>) const;

}  // namespace asperity
