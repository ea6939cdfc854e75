#include "asperity/identify/effects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <numbers>

#include "asperity/formula/units.hpp"
#include "asperity/parameters.hpp"

namespace asperity::identify {
namespace {

/// A column as a formula names it, and the mean of its finite values.
struct Named {
  std::string name;
  double mean = 0;
};

std::optional<Named> column_with_mean(const Table& table, const std::string& name) {
  const Table::Column* column = table.find(name);
  if (!column) return std::nullopt;
  Named found{name};
  double count = 0;
  for (const double x : column->values)
    if (std::isfinite(x)) found.mean += x, ++count;
  if (count > 0) found.mean /= count;
  return found;
}

constexpr std::array<const char*, 5> effect_kinds{"direction", "bent", "load", "periodic", "temperature"};

}  // namespace

std::optional<Effect> read_effect(const std::string& text, const Table& table, const std::string& dash,
                                  std::vector<std::string>& problems) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon), of = colon == std::string::npos ? "" : text.substr(colon + 1);
  Effect effect{text, {}};
  const auto problem = [&](const std::string& why) {
    problems.push_back(fmt::format("{}effect {}: {}", dash, text, why));
    return std::nullopt;
  };
  if (kind == "direction" || kind == "bent") {
    if (!of.empty()) return problem("takes nothing behind a colon");
    if (kind == "direction") effect.choices = {{"abs(v)"}};
    else effect.choices = {{"sign(v)*abs(v)^0.5"}, {"sign(v)*abs(v)^1.5"}, {"sign(v)*v^2"}};
    return effect;
  }
  if (kind == "load" || kind == "temperature") {
    const auto column = column_with_mean(table, of);
    std::vector<std::string> names;
    for (const Table::Column& one : table.columns) names.push_back(one.quantity.name);
    if (!column) return problem(fmt::format("must be {}:COLUMN; the columns are {}", kind, fmt::join(names, ", ")));
    if (kind == "load") effect.choices = {{fmt::format("sign(v)*abs({})", of)}};
    else
      effect.choices = {{fmt::format("sign(v)*({} - {:.6g})", of, column->mean), fmt::format("v*({} - {:.6g})", of, column->mean)}};
    return effect;
  }
  if (kind == "periodic") {
    std::string why;
    auto period = read_quantity(of, "m", why);
    if (!period) period = read_quantity(of, "rad", why);
    if (!period || !(*period > 0 && std::isfinite(*period)))
      return problem("must be periodic:PERIOD with a length or an angle > 0");
    std::vector<std::string> terms;
    for (int k = 1; k <= 3; ++k)
      for (const char* function : {"sin", "cos"})
        terms.push_back(fmt::format("{}({:.9g}*q)", function, 2 * std::numbers::pi * k / *period));
    effect.choices = {std::move(terms)};
    return effect;
  }
  const auto meant = nearest(kind, {effect_kinds.begin(), effect_kinds.end()});
  return problem(meant ? fmt::format("did you mean {}?", *meant) : fmt::format("there are {}", fmt::join(effect_kinds, ", ")));
}

}  // namespace asperity::identify
