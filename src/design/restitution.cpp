#include "asperity/design/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/design/impact.hpp"
#include "pools/threads.hpp"

namespace asperity::design {
namespace {

/// The parameters of a law by name.
class Numbers {
 public:
  explicit Numbers(const AnyLaw& law) : parameters_(law.parameters()) {}
  double operator[](std::string_view name) const {
    return std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == name; })->values[0];
  }

 private:
  std::vector<Parameter> parameters_;
};

/// kelvin_voigt, which pulls until the surface is back, in the units of ImpactShape: half a swing,
///   t_c = pi/sqrt(1 - zeta^2),  restitution exp(-zeta t_c);  from zeta = 1 on it never lets go.
ImpactShape gluing_impact(double zeta) {
  ImpactShape shape = kelvin_voigt_impact(zeta);  // the same until the force is zero
  shape.contact_time = zeta < 1 ? std::numbers::pi / std::sqrt(1 - zeta * zeta) : std::numeric_limits<double>::infinity();
  shape.restitution = zeta < 1 ? std::exp(-zeta * shape.contact_time) : 0;
  shape.residual = 0;
  return shape;
}

Rebound in_si(const ImpactShape& shape, double omega, double mass, double speed) {
  const double length = speed / omega;
  return {shape.restitution, shape.contact_time / omega, shape.deepest * length, shape.residual * length,
          shape.peak_force * mass * speed * omega};
}

/// Of a law that has a closed form; NaN for what has none.
Rebound exact_rebound(const AnyLaw& law, double mass, double speed) {
  const std::string_view name = law.about().name;
  const Numbers number(law);
  const double K = number["K"], omega = std::sqrt(K / mass);
  if (name == "linear_compliance")
    return in_si(linear_impact(number["alpha"] / number["beta"], omega * number["beta"]), omega, mass, speed);
  if (name == "kelvin_voigt") return in_si(gluing_impact(number["B"] / (2 * mass * omega)), omega, mass, speed);
  if (name == "kelvin_voigt_clamped") return in_si(kelvin_voigt_impact(number["B"] / (2 * mass * omega)), omega, mass, speed);

  const double lambda = number["lambda"], length = std::pow(mass * speed * speed / K, 1 / (lambda + 1));
  if (name == "hertz") {
    const double deepest = hertz_deepest(lambda) * length;
    return {1, hertz_contact_time(lambda) * length / speed, deepest, 0, K * std::pow(deepest, lambda)};
  }
  const double D = number["b2"] * speed, unknown = std::numeric_limits<double>::quiet_NaN();
  return {hunt_crossley_restitution(D), unknown, hunt_crossley_deepest(D, lambda) * length, 0, unknown};
}

}  // namespace

bool has_closed_form(std::string_view law) {
  for (const std::string_view known : {"linear_compliance", "kelvin_voigt", "kelvin_voigt_clamped", "hertz", "hunt_crossley"})
    if (law == known) return true;
  return false;
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
  std::vector<double> found(n);
  const std::string_view name = law.about().name;
  std::vector<std::vector<double>> values(sweeps.size());
  for (std::size_t which = 0; which < sweeps.size(); ++which)
    for (std::size_t i = 0; i < sweeps[which].count; ++i) values[which].push_back(sweeps[which].at(i));
  const auto value = [&](std::size_t which, std::size_t cell) {
    return values[which][which == 0 ? cell % sweeps[0].count : cell / sweeps[0].count];
  };

  if (has_closed_form(name)) {
    in_chunks(settings.threads, n, 64, [&](std::size_t begin, std::size_t end) {
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
  in_chunks(settings.threads, n, block, [&](std::size_t begin, std::size_t end) {
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
                       pointers[parameters.size() + 1], {&found[first]}, {settings.tolerance, settings.isa, 1});
    }
  });
  return found;
}

}  // namespace asperity::design
