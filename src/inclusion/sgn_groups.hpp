// Terms chi sgn(theta) of an inclusion: which of those that are written are one.
#pragma once

#include <string>
#include <vector>

#include "algebra.hpp"
#include "asperity/inclusion/text.hpp"

namespace asperity::algebra {

/// All sgn with one theta and one chi.
struct SgnGroup {
  struct Member {
    std::size_t occurrence, component;
    bool opposite;
  };
  std::vector<Node> theta;
  std::vector<Unsigned> arguments;  // the same
  std::vector<Factor> factors;      // of the first one: their order is the order of chi
  std::vector<Factor> varying;      // those that are no constants
  std::string varying_key;          // the same
  std::vector<Node> common;         // constants that are part of chi
  std::vector<Member> members;
  Relaxation by;
};

std::vector<Node> constants_of(const std::vector<Factor>& factors);
std::vector<Factor> varying_of(const std::vector<Factor>& factors);
/// The same for all products of the same factors.
std::string key_of(const std::vector<Factor>& factors);
/// Those of `from` that are in `list` too, as often as they are in both; `left` are the others.
std::vector<Node> shared(const std::vector<Node>& from, std::vector<Node> list, std::vector<Node>* left = nullptr);
bool has_name(const std::vector<Node>& nodes);

std::vector<Unsigned> arguments_of(const Node& sgn);
/// The same for all sgn whose arguments are the same but for their order and signs.
std::string key_of(const std::vector<Unsigned>& arguments);
/// Which component of `theta` the first of the same arguments is.
SgnGroup::Member member_of(const std::vector<Unsigned>& theta, const Unsigned& first);

Node one();
Node times(Node left, const std::vector<Node>& nodes);
/// chi, with dio as it was written.
Node chi_of(const SgnGroup& group);
Node term_of(const SgnGroup& group);

}  // namespace asperity::algebra
