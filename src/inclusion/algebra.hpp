// The algebra of inclusions: where sgn and dio stand in a formula, and what each sgn is multiplied by.
//
// A sgn may stand in sums, products and numerators only. Its factors are pushed down to it, past the sums: mu*(a + N*sgn(v))/M
// becomes (mu*a + mu*N*sgn(v))/M, so that each occurrence is sign * factors * sgn(theta). Constant divisors stay where they are:
// they are masses, no part of a force.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/formula/formula.hpp"

namespace asperity::algebra {

/// Comparisons and logic: 0 or 1.
bool is_condition(Op op);
bool is_dio(const Node& node);
/// sgn, sgn2, sgn3
bool is_sgn(const Node& node);
/// Among the node and all below it, in the order of the text.
bool any_of(const Node& node, const std::function<bool(const Node&)>& wanted);
void each(const Node& node, const std::function<void(const Node&)>& f);
std::size_t size_of(const Node& node);

std::string text_of(const Node& node);
/// Not more of it than a message can bear.
std::string excerpt(const Node& node);
Node name_node(std::string word);
/// Operations that leave no double signs, ones and zeros behind.
Node negative(Node x);
Node sum(Node x, Node y);
Node difference(Node x, Node y);
Node product(Node x, Node y);
Node quotient(Node x, Node y);

/// Puts trees in place of others: what `swap` returns for a node stands for it.
Node replaced(const Node& node, const std::function<const Node*(const Node&)>& swap);

/// A formula without its sign, in one text for all its spellings: one for v - w + u, u + v - w, w - v - u and -(v - (w - u)).
/// Addends and factors are sorted, and signs are taken out of products and odd functions and left out of even ones; sums are not
/// multiplied out. It is for comparing only.
struct Unsigned {
  std::string text;
  bool negative = false;
};
Unsigned without_sign(const Node& node);
/// With the sign.
std::string key_of(const Node& node);
/// The same but for the order of addends and factors and for where the signs stand.
bool same(const Node& x, const Node& y);

using Report = std::function<void(std::size_t position, std::string text)>;
/// Reports every dio and sgn that stands where it may not.
void check_places(const Node& root, const Report& report);

struct Factor {
  Node node;  // no product, quotient or minus
  bool divides = false;
  bool constant = false;  // of numbers and let names only; then it is >= 0
  bool is_number() const { return node.op == Op::number || node.op == Op::constant; }
};

/// A sgn where it stands.
struct Occurrence {
  Node sgn;
  bool negative = false;
  std::vector<Factor> factors;  // in the order of the text; constant divisors included
};
/// All of it but its sign, as one product.
Node node_of(const Occurrence& occurrence);

/// Takes the sgn out of a formula that check_places() likes: where one stood there is a name, "#0", "#1", ..., for its occurrence.
class Extractor {
 public:
  /// The value of a formula without names that vary; nothing if it has some.
  using Constant = std::function<std::optional<double>(const Node&)>;
  explicit Extractor(Constant constant) : constant_(std::move(constant)) {}

  /// Nothing if the products are too many to be multiplied out.
  std::optional<Node> extract(const Node& root);
  std::vector<Occurrence> occurrences;

 private:
  struct Pending {
    Node node;
    bool divides, left;
  };
  Node rewrite(const Node& node, std::vector<Pending>& pending);
  Node multiplied(const Node& node, const std::vector<Pending>& pending);
  void take_factors(const Node& node, bool divides, Occurrence& into);

  static constexpr std::size_t most_nodes = 100000;
  Constant constant_;
  std::size_t nodes_ = 0;
};

}  // namespace asperity::algebra
