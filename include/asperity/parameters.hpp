// Parameters of a law by name, from its describe(): read, set, check, write. The only place that knows how.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asperity/law.hpp"

namespace asperity {

/// One described parameter; a list for laws made of elements and for vectors, one value otherwise.
struct Parameter {
  std::string name, unit, meaning;
  Range range;
  bool is_list = false;
  std::vector<double> values;
  bool is_vector = false;  // a list of fixed length: a direction, a point
};

/// "5e3", or "[1.0, 2.0]"; reads back to the same number.
std::string to_text(double value);
std::string to_text(const Parameter& parameter);

/// "> 0", ">= 0", "between 1 and 5"
std::string to_text(const Range& range);

/// The candidate nearest to a mistyped name, or nothing if none is near.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

/// One line: `K = -3 N/m: must be > 0`. Empty if the value is fine.
std::vector<std::string> range_problems(const Parameter& parameter);
std::optional<std::string> relation_problem(std::string_view name, double value, std::string_view relation, std::string_view other,
                                            double bound);

/// The numbers of a TOML table, `name = 1.0` or `name = [1.0, 2.0]`; problems are one line each.
struct TomlNumbers {
  std::vector<std::pair<std::string, std::vector<double>>> numbers;
  std::vector<std::string> problems;
};
TomlNumbers numbers_from_toml(std::string_view text);

template <class Law>
std::vector<Parameter> parameters_of(const Law& law) {
  Law copy = law;
  std::vector<Parameter> all;
  copy.describe([&](std::string_view name, auto& value, std::string_view unit, const Range& range, std::string_view meaning) {
    Parameter p{std::string(name), std::string(unit), std::string(meaning), range, false, {}};
    p.is_vector = requires { value.x.size(); };
    p.is_list = p.is_vector || requires { value.size(); };
    each_number([&](double number) { p.values.push_back(number); }, value);
    all.push_back(std::move(p));
  });
  return all;
}

/// Everything that is wrong with the parameters: ranges, list lengths, relations between them.
template <class Law>
std::vector<std::string> problems_of(const Law& law) {
  std::vector<std::string> problems;
  std::optional<std::size_t> length;
  for (const Parameter& p : parameters_of(law)) {
    for (std::string& line : range_problems(p)) problems.push_back(std::move(line));
    if (!p.is_list || p.is_vector) continue;
    if (!length) length = p.values.size();
    if (p.values.size() != *length || p.values.empty())
      problems.push_back(p.name + " has " + std::to_string(p.values.size()) + " values: must have " + std::to_string(*length) +
                         ", one for each element");
  }
  if constexpr (requires { law.relations([](auto&&...) {}); }) {
    law.relations([&](std::string_view name, double value, Comparison relation, std::string_view other, double bound) {
      if (auto line = relation_problem(name, value, relation.text(), other, bound)) problems.push_back(std::move(*line));
    });
  }
  return problems;
}

/// Sets one parameter; a single value fills a list. Says what is wrong with the name or the number of values.
template <class Law>
std::optional<std::string> set_parameter(Law& law, std::string_view name, const std::vector<double>& values) {
  std::optional<std::string> problem = "unknown parameter";
  std::vector<std::string> names;
  law.describe([&](std::string_view known, auto& value, std::string_view, const Range&, std::string_view) {
    names.emplace_back(known);
    if (known != name) return;
    problem.reset();
    if constexpr (requires { value.resize(values.size()); }) {
      if (values.size() == 1) {
        value.assign(value.size(), values[0]);
      } else {
        value = values;
      }
    } else if constexpr (requires { value.size(); }) {
      if (values.size() == value.size() || values.size() == 1) {
        for (std::size_t i = 0; i < value.size(); ++i) value[i] = values[values.size() == 1 ? 0 : i];
      } else {
        problem = std::to_string(values.size()) + " values given: must be 1 or " + std::to_string(value.size());
      }
    } else if constexpr (requires { value.x.size(); }) {
      if (values.size() == value.x.size()) std::copy(values.begin(), values.end(), value.x.begin());
      else problem = std::to_string(values.size()) + " values given: must be " + std::to_string(value.x.size());
    } else if (values.size() == 1) {
      value = values[0];
    } else {
      problem = std::to_string(values.size()) + " values given: must be 1";
    }
  });
  if (!problem) return std::nullopt;
  std::string line = std::string(name) + ": " + *problem;
  if (*problem == "unknown parameter") {
    if (const auto suggestion = nearest(name, names)) {
      line += "; did you mean " + *suggestion + "?";
    } else {
      line += "; known:";
      for (const std::string& known : names) line += " " + known;
    }
  }
  return line;
}

/// The parameters as TOML, one a line.
template <class Law>
std::string to_toml(const Law& law) {
  std::string text;
  for (const Parameter& p : parameters_of(law)) {
    const bool quoted = p.name.find('.') != std::string::npos;
    text += (quoted ? '"' + p.name + '"' : p.name) + " = " + to_text(p) + '\n';
  }
  return text;
}

/// Sets the parameters named in TOML text; returns every problem, and leaves the law untouched if there is one.
template <class Law>
std::vector<std::string> from_toml(Law& law, std::string_view text) {
  TomlNumbers read = numbers_from_toml(text);
  Law changed = law;
  for (const auto& [name, values] : read.numbers)
    if (auto problem = set_parameter(changed, name, values)) read.problems.push_back(std::move(*problem));
  if (read.problems.empty()) read.problems = problems_of(changed);
  if (read.problems.empty()) law = changed;
  return read.problems;
}

}  // namespace asperity
