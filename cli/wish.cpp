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

}  // namespace asperity::cli
