#include "sgn_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace asperity::algebra {
namespace {

auto find_same(std::vector<Node>& list, const Node& node) {
  return std::find_if(list.begin(), list.end(), [&](const Node& other) { return same(other, node); });
}

}  // namespace

std::vector<Node> constants_of(const std::vector<Factor>& factors) {
  std::vector<Node> list;
  for (const Factor& f : factors)
    if (f.constant && !f.divides) list.push_back(f.node);
  return list;
}
std::vector<Factor> varying_of(const std::vector<Factor>& factors) {
  std::vector<Factor> list;
  std::copy_if(factors.begin(), factors.end(), std::back_inserter(list), [](const Factor& f) { return !f.constant; });
  return list;
}
std::string key_of(const std::vector<Factor>& factors) {
  std::vector<std::string> keys;
  for (const Factor& f : factors) keys.push_back((f.divides ? "/" : "*") + key_of(f.node));
  std::sort(keys.begin(), keys.end());
  return fmt::format("{}", fmt::join(keys, ""));
}
std::vector<Node> shared(const std::vector<Node>& from, std::vector<Node> list, std::vector<Node>* left) {
  std::vector<Node> both;
  for (const Node& node : from) {
    const auto found = find_same(list, node);
    if (found == list.end()) {
      if (left) left->push_back(node);
      continue;
    }
    both.push_back(node);
    list.erase(found);
  }
  return both;
}
bool has_name(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node& n) { return any_of(n, [](const Node& m) { return m.op == Op::name; }); });
}

std::vector<Unsigned> arguments_of(const Node& sgn) {
  std::vector<Unsigned> list;
  for (const Node& part : sgn.parts) list.push_back(without_sign(part));
  return list;
}
std::string key_of(const std::vector<Unsigned>& arguments) {
  std::vector<std::string> texts;
  for (const Unsigned& argument : arguments) texts.push_back(argument.text);
  std::sort(texts.begin(), texts.end());
  return fmt::format("{}", fmt::join(texts, ";"));
}
SgnGroup::Member member_of(const std::vector<Unsigned>& theta, const Unsigned& first) {
  const auto found = std::find_if(theta.begin(), theta.end(), [&](const Unsigned& u) { return u.text == first.text; });
  return {0, std::size_t(found - theta.begin()), found->negative != first.negative};
}

Node times(Node left, const std::vector<Node>& nodes) {
  for (const Node& node : nodes) left = product(std::move(left), node);
  return left;
}
Node one() { return {Op::number, 1, {}, {}, 0}; }

Node chi_of(const SgnGroup& group) {
  std::vector<Node> left = group.common;
  Node chi = one();
  for (const Factor& f : group.factors) {
    if (f.divides) continue;
    const auto common = find_same(left, f.node);
    if (f.constant && common == left.end()) continue;
    if (f.constant) left.erase(common);
    chi = product(std::move(chi), f.node);
  }
  for (const Factor& f : group.factors)
    if (f.divides && !f.constant) chi = quotient(std::move(chi), f.node);
  return chi;
}
Node term_of(const SgnGroup& group) {
  Node sgn{Op::other, 0, group.theta.size() == 1 ? "sgn" : fmt::format("sgn{}", group.theta.size()), group.theta, 0};
  return product(chi_of(group), std::move(sgn));
}

}  // namespace asperity::algebra
