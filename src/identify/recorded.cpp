#include "identify/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace asperity::identify {
namespace {

/// A constant of C that is this double, to the last bit.
std::string literal(double value) {
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return value < 0 ? "(" + text + ")" : text;
}

bool is_comparison(std::string_view text) {
  return text.find_first_of("<>") != std::string_view::npos || text == "{0} == {1}" || text == "{0} != {1}";
}

}  // namespace

int Recording::add(Operation operation) {
  const auto key = std::tuple(std::string(operation.text), operation.a, operation.b, operation.c, operation.value);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const int node = given(std::move(operation));
  known_.emplace(key, node);
  return node;
}

std::string Recording::named(int node) const {
  const Operation& o = operations_[std::size_t(node)];
  if (o.text == constant_text) return literal(o.value);
  return o.name.empty() ? fmt::format("t{}", node) : o.name;
}

std::string Recording::in_c(const std::vector<std::pair<int, std::string>>& results) const {
  // What nothing depends on is not written.
  std::vector<char> is_needed(operations_.size(), false);
  for (const auto& [node, text] : results) is_needed[std::size_t(node)] = true;
  for (std::size_t i = operations_.size(); i-- > 0;)
    if (is_needed[i])
      for (const int from : {operations_[i].a, operations_[i].b, operations_[i].c})
        if (from >= 0) is_needed[std::size_t(from)] = true;
  std::string given, statements;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    if (!is_needed[i] || o.text == constant_text) continue;
    if (o.text == input_text) {
      if (!o.about.empty()) given += fmt::format("  const double {} = {};\n", o.name, o.about);
      continue;
    }
    if (o.text == parameter_text) {
      given += fmt::format("  const double {} = {}; /* {} */\n", o.name, literal(o.value), o.about);
      continue;
    }
    std::array<std::string, 3> from;
    for (std::size_t k = 0; k < 3; ++k)
      if (const int at = std::array{o.a, o.b, o.c}[k]; at >= 0) from[k] = named(at);
    statements += fmt::format("  const {} t{} = {};\n", is_comparison(o.text) ? "int" : "double", i,
                              fmt::format(fmt::runtime(o.text), from[0], from[1], from[2]));
  }
  for (const auto& [node, text] : results) statements += "  " + fmt::format(fmt::runtime(text), named(node)) + "\n";
  return given + statements;
}

}  // namespace asperity::identify
