// Formulas in other languages.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "asperity/formula/formula.hpp"

namespace asperity::algebra {

/// p1x -> p_{1x}, mu -> \mu; with a dot if its rate is meant.
std::string latex_name(const std::string& name, bool rate = false);
std::string to_latex(const Node& node);

/// C++ over any scalar S of asperity/scalar. After text() of all formulas it knows what they need.
class CppWriter {
 public:
  std::string text(const Node& node);
  static std::string number(double value);
  /// Words that C++ does not know; the others get a _, and words are still told apart.
  void claim(const std::vector<std::string>& all);
  std::string name(const std::string& word);
  /// Of the function itself.
  static std::string function_name(const std::string& word);

  std::function<std::optional<std::string>(const Node&)> words;  // other words than their own for some names
  std::set<std::string> used;                                    // names
  std::set<std::string> functions;                               // of std
  bool needs_scalar = false;                                     // S

 private:
  std::map<std::string, std::string> names_;
  Node written(const Node& node);
  Node condition(const Node& node);
  Node call(const char* function, std::vector<Node> arguments);
  Node scalar(Node node);
};

}  // namespace asperity::algebra
