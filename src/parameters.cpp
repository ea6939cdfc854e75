#include "asperity/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "toml.hpp"

namespace asperity {

std::string to_text(double value) { return fmt::format("{}", value); }

std::string to_text(const Parameter& parameter) {
  if (!parameter.is_list) return to_text(parameter.values.at(0));
  std::string text = "[";
  for (std::size_t i = 0; i < parameter.values.size(); ++i) text += (i ? ", " : "") + to_text(parameter.values[i]);
  return text + "]";
}

std::string to_text(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (low && high) return fmt::format("between {:g} and {:g}", range.low, range.high);
  if (low) return fmt::format("{} {:g}", range.low_open ? ">" : ">=", range.low);
  if (high) return fmt::format("<= {:g}", range.high);
  return "any number";
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) == std::tolower(static_cast<unsigned char>(b[j - 1]));
      const std::size_t replace = corner + (same ? 0 : 1);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && (distance < candidate.size() || name.find(candidate) != std::string_view::npos)) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> range_problems(const Parameter& parameter) {
  std::vector<std::string> problems;
  const std::string unit = parameter.unit == "1" ? "" : " " + parameter.unit;
  for (std::size_t i = 0; i < parameter.values.size(); ++i) {
    const double value = parameter.values[i];
    const bool subnormal = std::fpclassify(value) == FP_SUBNORMAL;  // it has lost its digits, and its inverse is no number
    if (parameter.range.contains(value) && !subnormal) continue;
    const std::string place = parameter.is_list ? fmt::format("{}[{}]", parameter.name, i + 1) : parameter.name;
    const std::string bound = subnormal              ? fmt::format("of size {:.3g} at least", std::numeric_limits<double>::min())
                              : std::isfinite(value) ? to_text(parameter.range)
                                                     : "a finite number";
    problems.push_back(fmt::format("{} = {:g}{}: must be {}", place, value, unit, bound));
  }
  return problems;
}

std::optional<std::string> relation_problem(std::string_view name, double value, std::string_view relation, std::string_view other,
                                            double bound) {
  const bool holds = relation == ">="   ? value >= bound
                     : relation == "<=" ? value <= bound
                     : relation == "<"  ? value < bound
                                        : std::abs(value - bound) <= 1e-9 * std::max(1.0, std::abs(bound));
  if (holds || !std::isfinite(value) || !std::isfinite(bound)) return std::nullopt;
  if (other == to_text(bound) || other == fmt::format("{:g}", bound))
    return fmt::format("{} = {:g}: must be {} {}", name, value, relation, other);
  return fmt::format("{} = {:g}: must be {} {} = {:g}", name, value, relation, other, bound);
}

TomlNumbers numbers_from_toml(std::string_view text) {
  TomlNumbers read;
  TomlProblem problem;
  if (const auto table = parse_toml(text, problem)) {
    for (const auto& [key, node] : *table) {
      const std::string name(key.str());
      std::vector<double> values;
      bool numbers = true;
      const auto take = [&](const toml::node& item) {
        const auto value = item.is_number() ? item.value<double>() : std::nullopt;
        if (value) values.push_back(*value);
        numbers = numbers && value.has_value();
      };
      if (const toml::array* list = node.as_array()) {
        for (const toml::node& item : *list) take(item);
      } else {
        take(node);
      }
      if (numbers) {
        read.numbers.emplace_back(name, std::move(values));
      } else {
        read.problems.push_back(name + ": must be a number or a list of numbers");
      }
    }
  } else {
    read.problems.push_back(fmt::format("line {}: {}", problem.line, problem.text));
  }
  return read;
}

}  // namespace asperity
