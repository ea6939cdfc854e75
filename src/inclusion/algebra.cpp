#include "algebra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace asperity::algebra {
namespace {

bool is_number(const Node& node, double value) { return node.op == Op::number && node.number == value; }

Node operation(Op op, Node x, Node y) {
  Node node{op, 0, {}, {}, std::min(x.position, y.position)};
  node.parts.push_back(std::move(x));
  node.parts.push_back(std::move(y));
  return node;
}

/// Starts with a sign that can be taken off.
bool has_minus(const Node& node) {
  return node.op == Op::minus || ((node.op == Op::multiply || node.op == Op::divide) && has_minus(node.parts[0]));
}

std::size_t arguments_of(std::string_view word) { return word == "sgn2" ? 2 : word == "sgn3" ? 3 : 1; }

std::string count_text(std::size_t n) { return fmt::format("{} argument{}", n, n == 1 ? "" : "s"); }

/// What a node is to the sgn inside it.
std::string_view holder(const Node& node) {
  if (node.op == Op::choose) return "a choice";
  if (node.op == Op::power) return "a power";
  return node.op == Op::other ? std::string_view(node.word) : spelling(node.op);
}

std::string signed_text(const Unsigned& x) { return x.negative ? "-" + x.text : x.text; }

/// How often each addend is added, less how often it is taken away.
void count_addends(const Node& node, bool negative, std::map<std::string, int>& into) {
  if (node.op == Op::minus) return count_addends(node.parts[0], !negative, into);
  if (node.op == Op::add || node.op == Op::subtract) {
    count_addends(node.parts[0], negative, into);
    return count_addends(node.parts[1], node.op == Op::subtract ? !negative : negative, into);
  }
  Unsigned addend = without_sign(node);
  into[std::move(addend.text)] += addend.negative == negative ? 1 : -1;
}
Unsigned sum_without_sign(const Node& node) {
  std::map<std::string, int> addends;
  count_addends(node, false, addends);
  std::erase_if(addends, [](const auto& one) { return one.second == 0 || one.first == "0"; });
  if (addends.empty()) return {"0"};
  Unsigned all{"", addends.begin()->second < 0};
  if (addends.size() == 1 && std::abs(addends.begin()->second) == 1) {
    all.text = addends.begin()->first;
    return all;
  }
  for (const auto& [text, count] : addends) all.text += fmt::format("{:+d}*{}", all.negative ? -count : count, text);
  all.text = "(" + all.text + ")";
  return all;
}

void list_factors(const Node& node, bool divides, std::vector<std::string>& into, bool& negative) {
  if (node.op == Op::multiply || node.op == Op::divide) {
    list_factors(node.parts[0], divides, into, negative);
    return list_factors(node.parts[1], node.op == Op::divide ? !divides : divides, into, negative);
  }
  if (node.op == Op::minus) {
    negative = !negative;
    return list_factors(node.parts[0], divides, into, negative);
  }
  if (is_number(node, 1)) return;
  const Unsigned factor = without_sign(node);
  if (factor.negative) negative = !negative;
  into.push_back((divides ? "/" : "*") + factor.text);
}
Unsigned product_without_sign(const Node& node) {
  std::vector<std::string> factors;
  Unsigned all;
  list_factors(node, false, factors, all.negative);
  std::sort(factors.begin(), factors.end());
  if (factors.empty()) all.text = "1";
  else all.text = factors.size() == 1 && factors[0][0] == '*' ? factors[0].substr(1) : fmt::format("({})", fmt::join(factors, ""));
  return all;
}

Unsigned call_without_sign(const Node& node) {
  constexpr std::array odd{Op::sin, Op::tan, Op::asin, Op::atan, Op::sinh, Op::tanh, Op::sign};
  constexpr std::array even{Op::cos, Op::cosh, Op::abs, Op::square, Op::hypot};
  constexpr std::array any_order{Op::min, Op::max, Op::hypot};
  const auto is_among = [&](const auto& list) { return std::find(list.begin(), list.end(), node.op) != list.end(); };
  const bool even_power = node.op == Op::power && node.parts[1].op == Op::number && std::fmod(node.parts[1].number, 2) == 0;
  Unsigned all;
  std::vector<std::string> arguments;
  for (const Node& part : node.parts) {
    Unsigned argument = without_sign(part);
    if (is_among(odd)) all.negative = std::exchange(argument.negative, false);
    if (is_among(even) || even_power) argument.negative = false;
    arguments.push_back(signed_text(argument));
  }
  if (is_among(any_order)) std::sort(arguments.begin(), arguments.end());
  all.text = fmt::format("{}{}({})", spelling(node.op), node.word, fmt::join(arguments, ","));
  return all;
}

class Places {
 public:
  explicit Places(const Report& report) : report_(report) {}

  /// `linear`: a sgn may stand here. `outer`: the dio or sgn around it.
  void check(const Node& node, bool linear, const Node* outer, const Node* around) {
    if (node.op == Op::other) return check_call(node, linear, outer, around);
    const bool sums = node.op == Op::add || node.op == Op::subtract || node.op == Op::minus;
    if (node.op == Op::multiply && any_of(node.parts[0], is_sgn) && any_of(node.parts[1], is_sgn)) {
      report_(node.position, fmt::format("{}: a product of two sgn; what multiplies a sgn must be continuous", excerpt(node)));
      return;
    }
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool stays = sums || node.op == Op::multiply || (node.op == Op::divide && i == 0);
      check(node.parts[i], linear && stays, outer, linear && !stays ? &node : around);
    }
  }

 private:
  void check_call(const Node& node, bool linear, const Node* outer, const Node* around) {
    const std::size_t wanted = arguments_of(node.word);
    if (node.parts.size() != wanted)
      return report_(node.position, fmt::format("{} has {}: must be {}", node.word, count_text(node.parts.size()), wanted));
    if (is_dio(node) && outer && is_dio(*outer))
      return report_(node.position, fmt::format("{}: dio inside the argument of dio", excerpt(*outer)));
    if (is_sgn(node) && outer)
      return report_(node.position, fmt::format("{}: sgn inside the argument of {}", excerpt(*outer), outer->word));
    if (is_sgn(node) && !linear)
      return report_(node.position,
                     around->op == Op::divide
                         ? fmt::format("{}: sgn in a divisor; it may stand in sums, products and numerators only", excerpt(*around))
                         : fmt::format("{}: sgn inside {}; it may stand in sums, products and numerators only", excerpt(*around),
                                       holder(*around)));
    for (const Node& part : node.parts) check(part, false, &node, &node);
  }

  const Report& report_;
};

}  // namespace

bool is_condition(Op op) { return op == Op::not_ || (op >= Op::less && op <= Op::or_); }
bool is_dio(const Node& node) { return node.op == Op::other && node.word == "dio"; }
bool is_sgn(const Node& node) { return node.op == Op::other && node.word != "dio"; }

bool any_of(const Node& node, const std::function<bool(const Node&)>& wanted) {
  return wanted(node) || std::any_of(node.parts.begin(), node.parts.end(), [&](const Node& part) { return any_of(part, wanted); });
}
void each(const Node& node, const std::function<void(const Node&)>& f) {
  f(node);
  for (const Node& part : node.parts) each(part, f);
}
std::size_t size_of(const Node& node) {
  std::size_t n = 0;
  each(node, [&](const Node&) { ++n; });
  return n;
}

std::string text_of(const Node& node) { return Formula(node).text(); }
std::string excerpt(const Node& node) {
  std::string text = text_of(node);
  constexpr std::size_t longest = 80;
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}
Node name_node(std::string word) { return {Op::name, 0, std::move(word), {}, 0}; }

Node negative(Node x) {
  // A sign stands in front of a product; the difference of two numbers changes its sign exactly with their order.
  if (x.op == Op::minus) return Node(x.parts[0]);
  if (x.op == Op::multiply || x.op == Op::divide) return operation(x.op, negative(Node(x.parts[0])), Node(x.parts[1]));
  if (x.op == Op::subtract)
    return has_minus(x.parts[0]) ? sum(negative(Node(x.parts[0])), Node(x.parts[1])) : difference(x.parts[1], x.parts[0]);
  Node node{Op::minus, 0, {}, {}, x.position};
  node.parts.push_back(std::move(x));
  return node;
}
Node sum(Node x, Node y) {
  if (is_number(x, 0)) return y;
  if (is_number(y, 0)) return x;
  if (has_minus(y)) return operation(Op::subtract, std::move(x), negative(std::move(y)));
  return operation(Op::add, std::move(x), std::move(y));
}
Node difference(Node x, Node y) {
  if (is_number(y, 0)) return x;
  if (is_number(x, 0)) return negative(std::move(y));
  if (has_minus(y)) return operation(Op::add, std::move(x), negative(std::move(y)));
  return operation(Op::subtract, std::move(x), std::move(y));
}
Node product(Node x, Node y) {
  if (is_number(x, 1)) return y;
  if (is_number(y, 1)) return x;
  if (has_minus(y)) return negative(product(std::move(x), negative(std::move(y))));
  return operation(Op::multiply, std::move(x), std::move(y));
}
Node quotient(Node x, Node y) {
  if (is_number(y, 1)) return x;
  return operation(Op::divide, std::move(x), std::move(y));
}

Node replaced(const Node& node, const std::function<const Node*(const Node&)>& swap) {
  if (const Node* other = swap(node)) return *other;
  Node copy{node.op, node.number, node.word, {}, node.position};
  for (const Node& part : node.parts) copy.parts.push_back(replaced(part, swap));
  return copy;
}

Unsigned without_sign(const Node& node) {
  switch (node.op) {
    case Op::minus:
    case Op::add:
    case Op::subtract:
      return sum_without_sign(node);
    case Op::multiply:
    case Op::divide:
      return product_without_sign(node);
    case Op::number:
    case Op::constant:
    case Op::name:
      return {text_of(node)};
    default:
      return call_without_sign(node);
  }
}
std::string key_of(const Node& node) { return signed_text(without_sign(node)); }
bool same(const Node& x, const Node& y) { return x == y || key_of(x) == key_of(y); }

void check_places(const Node& root, const Report& report) { Places(report).check(root, true, nullptr, nullptr); }

Node node_of(const Occurrence& occurrence) {
  Node all{Op::number, 1, {}, {}, occurrence.sgn.position};
  for (const Factor& factor : occurrence.factors)
    if (!factor.divides) all = product(std::move(all), factor.node);
  all = product(std::move(all), occurrence.sgn);
  for (const Factor& factor : occurrence.factors)
    if (factor.divides) all = quotient(std::move(all), factor.node);
  return all;
}

std::optional<Node> Extractor::extract(const Node& root) {
  nodes_ = 0;
  std::vector<Pending> pending;
  Node node = rewrite(root, pending);
  if (nodes_ > most_nodes) return std::nullopt;
  return node;
}

Node Extractor::rewrite(const Node& node, std::vector<Pending>& pending) {
  if (nodes_ > most_nodes) return node;
  if (!any_of(node, is_sgn)) return multiplied(node, pending);
  const auto within = [&](const Node& part, const Node& factor, bool divides, bool left) {
    pending.push_back({factor, divides, left});
    Node inner = rewrite(part, pending);
    pending.pop_back();
    return inner;
  };
  switch (node.op) {
    case Op::minus:
      return negative(rewrite(node.parts[0], pending));
    case Op::add:
    case Op::subtract: {
      Node left = rewrite(node.parts[0], pending);  // first: the terms are found from left to right
      Node right = rewrite(node.parts[1], pending);
      return node.op == Op::add ? sum(std::move(left), std::move(right)) : difference(std::move(left), std::move(right));
    }
    case Op::divide:
      if (constant_(node.parts[1])) return quotient(rewrite(node.parts[0], pending), node.parts[1]);
      return within(node.parts[0], node.parts[1], true, false);
    case Op::multiply: {
      const bool left = !any_of(node.parts[0], is_sgn);
      const Node &factor = node.parts[left ? 0 : 1], &rest = node.parts[left ? 1 : 0];
      // 1/M in front is M behind.
      if (factor.op == Op::divide && is_number(factor.parts[0], 1) && constant_(factor.parts[1]))
        return quotient(rewrite(rest, pending), factor.parts[1]);
      return within(rest, factor, false, left);
    }
    default: {  // the sgn itself
      Occurrence found;
      found.sgn = node;
      for (const Pending& p : pending)
        if (p.left) take_factors(p.node, p.divides, found);
      for (auto p = pending.rbegin(); p != pending.rend(); ++p)
        if (!p->left) take_factors(p->node, p->divides, found);
      occurrences.push_back(std::move(found));
      return name_node(fmt::format("#{}", occurrences.size() - 1));
    }
  }
}

Node Extractor::multiplied(const Node& node, const std::vector<Pending>& pending) {
  Node all = node;
  for (auto p = pending.rbegin(); p != pending.rend(); ++p) {
    nodes_ += size_of(p->node);
    if (nodes_ > most_nodes) return node;
    if (p->divides) all = quotient(std::move(all), p->node);
    else all = p->left ? product(p->node, std::move(all)) : product(std::move(all), p->node);
  }
  return all;
}

void Extractor::take_factors(const Node& node, bool divides, Occurrence& into) {
  nodes_ += size_of(node);
  if (node.op == Op::minus) {
    into.negative = !into.negative;
    return take_factors(node.parts[0], divides, into);
  }
  if (node.op == Op::multiply || node.op == Op::divide) {
    take_factors(node.parts[0], divides, into);
    return take_factors(node.parts[1], node.op == Op::divide ? !divides : divides, into);
  }
  if (is_number(node, 1)) return;
  const auto value = constant_(node);
  if (value && *value < 0) into.negative = !into.negative;
  into.factors.push_back({value && *value < 0 ? negative(node) : node, divides, value.has_value()});
}

}  // namespace asperity::algebra
