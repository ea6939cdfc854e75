// Formulas in other languages.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "asperity/scene/formula.hpp"

namespace asperity::algebra {

/// p1x -> p_{1x}, mu -> \mu; with a dot if its rate is meant.
std::string latex_name(const std::string& name, bool rate = false);
std::string to_latex(const Node& node);

/// C++ over any scalar S of asperity/scalar. After text() of all formulas it knows what they need.
class CppWriter {
 public:
  std::string text(const Node& node);
  static std::string number(double value);
  /// A name of the user; one that C++ keeps for itself gets a _.
  static std::string name(const std::string& word);

  std::function<std::optional<std::string>(const Node&)> words;  // other words than their own for some names
  std::set<std::string> used;                                    // names
  std::set<std::string> functions;                               // of std
  bool needs_scalar = false;                                     // S

 private:
  Node written(const Node& node);
  Node condition(const Node& node);
  Node call(const char* function, std::vector<Node> arguments);
  Node scalar(Node node);
};

}  // namespace asperity::algebra
