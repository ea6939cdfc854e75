#include "wish.hpp"

#include <fmt/format.h>

#include "asperity/formula/units.hpp"
#include "asperity/parameters.hpp"

namespace asperity::cli {

std::optional<double> read_wish(std::string_view option, const std::string& text, std::string_view unit, const Range& range,
                                Problems& problems) {
  std::string why;
  const auto x = read_quantity(text, unit, why);
  if (!x) {
    problems.push_back(fmt::format("{} = \"{}\": {}", option, text, why));
    return std::nullopt;
  }
  const auto lines = range_problems({std::string(option), std::string(unit), "", range, false, {*x}});
  problems.insert(problems.end(), lines.begin(), lines.end());
  return lines.empty() ? x : std::nullopt;
}

std::string promises(const std::vector<Promise>& list) {
  const auto cell = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
  std::vector<std::vector<std::string>> rows{{"", "asked", "predicted", "simulated"}};
  for (const Promise& one : list) rows.push_back({one.what, cell(one.asked), cell(one.predicted), cell(one.simulated)});
  return aligned(rows, "<>>>");
}

}  // namespace asperity::cli
