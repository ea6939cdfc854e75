#include "asperity/design/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact_impact.hpp"
#include "pools/threads.hpp"

namespace asperity::design {
namespace {

/// Calls found.operator()<Law>() for the law of that name if it has impacts in closed form.
template <class Found>
void with_closed_form(std::string_view name, Found found) {
  ExactImpacts::each([&]<class Law>() {
    if (Law::about.name == name) found.template operator()<Law>();
  });
}

/// Of a law that has a closed form; NaN for what has none.
Rebound exact_rebound(const AnyLaw& any, double mass, double speed) {
  Rebound result{};
  with_closed_form(any.about().name, [&]<class Law>() {
    Law law;
    for (const Parameter& p : any.parameters()) set_parameter(law, p.name, p.values);
    result = ExactImpact<Law>::of(law, mass, speed);
  });
  return result;
}

}  // namespace

bool has_closed_form(std::string_view law) {
  bool has = false;
  with_closed_form(law, [&]<class Law>() { has = true; });
  return has;
}

bool minds_the_speed(std::string_view law) {
  bool minds = true;
  with_closed_form(law, [&]<class Law>() { minds = ExactImpact<Law>::minds_the_speed; });
  return minds;
}

Rebound rebound(const AnyLaw& law, double mass, double speed) {
  if (!has_closed_form(law.about().name)) return simulated_rebound(law, mass, speed);
  Rebound found = exact_rebound(law, mass, speed);
  if (std::isnan(found.contact_time)) {
    const Rebound simulated = simulated_rebound(law, mass, speed);
    found.contact_time = simulated.contact_time;
    found.peak_force = simulated.peak_force;
  }
  return found;
}

double Sweep::at(std::size_t i) const {
  const double part = double(i) / double(count - 1);
  if (i == 0 || i == count - 1) return i == 0 ? low : high;
  return log ? low * std::pow(high / low, part) : low + part * (high - low);
}

std::vector<double> restitutions(const AnyLaw& law, double mass, double speed, const std::vector<Sweep>& sweeps,
                                 const ImpactSettings& settings) {
  std::size_t n = 1;
  for (const Sweep& sweep : sweeps) n *= sweep.count;
  std::vector<double> found(n, std::numeric_limits<double>::quiet_NaN());
  const std::string_view name = law.about().name;
  std::vector<std::vector<double>> values(sweeps.size());
  for (std::size_t which = 0; which < sweeps.size(); ++which)
    for (std::size_t i = 0; i < sweeps[which].count; ++i) values[which].push_back(sweeps[which].at(i));
  const auto value = [&](std::size_t which, std::size_t cell) {
    return values[which][which == 0 ? cell % sweeps[0].count : cell / sweeps[0].count];
  };

  // A part of the cells at a time: hooks are called between parts.
  const auto by_parts = [&](std::size_t block, auto&& work) {
    const std::size_t part = block * 16 * static_cast<std::size_t>(std::max(1, settings.threads));
    Ticker ticker;
    for (std::size_t first = 0; first < n && !settings.hooks.stopped(); first += part) {
      in_chunks(settings.threads, std::min(part, n - first), block,
                [&](std::size_t begin, std::size_t end) { work(first + begin, first + end); });
      if (ticker.tick() && settings.hooks.progress)
        settings.hooks.progress({double(std::min(n, first + part)), double(n), ticker.seconds(), {}});
    }
  };
  if (has_closed_form(name)) {
    by_parts(64, [&](std::size_t begin, std::size_t end) {
      const auto one = law.clone();
      for (std::size_t cell = begin; cell < end; ++cell) {
        double m = mass, v = speed;
        for (std::size_t which = 0; which < sweeps.size(); ++which) {
          const double x = value(which, cell);
          if (sweeps[which].name == "mass") m = x;
          else if (sweeps[which].name == "v0") v = x;
          else one->set(sweeps[which].name, {x});
        }
        found[cell] = exact_rebound(*one, m, v).restitution;
      }
    });
    return found;
  }

  // Columns of a block of cells at a time: what is not swept stays as it was filled in.
  const std::vector<Parameter> parameters = law.parameters();
  constexpr std::size_t block = 1024;
  by_parts(block, [&](std::size_t begin, std::size_t end) {
    std::vector<std::vector<double>> columns;
    for (const Parameter& p : parameters) columns.emplace_back(block, p.values[0]);
    columns.emplace_back(block, mass);
    columns.emplace_back(block, speed);
    std::vector<const double*> pointers;
    for (const auto& column : columns) pointers.push_back(column.data());
    const auto column_of = [&](const std::string& sweep) {
      if (sweep == "mass") return parameters.size();
      if (sweep == "v0") return parameters.size() + 1;
      return static_cast<std::size_t>(
          std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == sweep; }) -
          parameters.begin());
    };
    for (std::size_t first = begin; first < end; first += block) {
      const std::size_t cells = std::min(block, end - first);
      for (std::size_t which = 0; which < sweeps.size(); ++which) {
        std::vector<double>& column = columns[column_of(sweeps[which].name)];
        for (std::size_t i = 0; i < cells; ++i) column[i] = value(which, first + i);
      }
      simulate_impacts(name, cells, ColumnList(pointers.data(), parameters.size()), pointers[parameters.size()],
                       pointers[parameters.size() + 1], {&found[first]}, {settings.tolerance, settings.isa, 1, {}});
    }
  });
  return found;
}

}  // namespace asperity::design
