// A scalar that writes down what is done with it. A law called with symbols answers with its own equation, so that an explanation
// prints the law itself and not a copy of it.
#pragma once

#include "algebra.hpp"

namespace asperity::algebra {

class Symbol {
 public:
  Symbol() : node(number_node(0)) {}
  Symbol(double value) : node(number_node(value)) {}  // NOLINT(google-explicit-constructor): a constant is a number
  explicit Symbol(Node tree) : node(std::move(tree)) {}
  explicit Symbol(const std::string& name) : node(name_node(name)) {}

  friend Symbol operator-(const Symbol& x) { return Symbol(negative(x.node)); }
  friend Symbol operator+(const Symbol& x, const Symbol& y) { return Symbol(sum(x.node, y.node)); }
  friend Symbol operator-(const Symbol& x, const Symbol& y) { return Symbol(difference(x.node, y.node)); }
  friend Symbol operator*(const Symbol& x, const Symbol& y) {
    return x.is_number() && y.is_number() ? Symbol(x.node.number * y.node.number) : Symbol(product(x.node, y.node));
  }
  friend Symbol operator/(const Symbol& x, const Symbol& y) {
    return x.is_number() && y.is_number() ? Symbol(x.node.number / y.node.number) : Symbol(quotient(x.node, y.node));
  }
  friend Symbol abs(const Symbol& x) { return Symbol(Node{Op::abs, 0, {}, {x.node}, 0}); }
  friend Symbol max(const Symbol& x, const Symbol& y) { return Symbol(Node{Op::max, 0, {}, {x.node, y.node}, 0}); }
  /// Of a vector too: then its name stands for all of it.
  friend Symbol sat(const Symbol& limit, const Symbol& x) { return Symbol(Node{Op::sat, 0, {}, {limit.node, x.node}, 0}); }

  bool is_number() const { return node.op == Op::number; }
  Node node;
};

}  // namespace asperity::algebra
