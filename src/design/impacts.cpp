#include <fmt/format.h>

#include <stdexcept>

#include "asperity/design/restitution.hpp"
#include "design/rows.hpp"
#include "pools/threads.hpp"

namespace asperity::design {
namespace {

const rows::design::Table& kernels(Isa isa) {
  if (!supported(isa)) throw std::invalid_argument(fmt::format("this machine or this build has no {}", name(isa)));
#ifdef ASPERITY_IMPACT_X86
  if (isa == Isa::avx2) return rows::design::tableAvx2;
  if (isa == Isa::avx512) return rows::design::tableAvx512;
#endif
  return rows::design::tableBaseline;
}

/// Calls visit(entry, name) for the laws that have impacts.
template <class Visit>
void each(const rows::design::Table& table, Visit visit) {
  for (std::size_t r = 0; r < table.count; ++r)
    for (std::size_t i = 0; i < table.rows[r]->count; ++i)
      if (const auto& entry = table.rows[r]->laws[i]; entry.impacts) visit(entry, std::string_view(entry.name, entry.name_size));
}

}  // namespace

std::vector<std::string> impact_laws() {
  std::vector<std::string> names;
  each(kernels(Isa::baseline), [&](const auto&, std::string_view law) { names.emplace_back(law); });
  return names;
}

void simulate_impacts(std::string_view law, std::size_t n, ColumnList parameters, const double* mass, const double* speed,
                      const ReboundColumns& out, const ImpactSettings& settings) {
  const rows::design::Entry* kernel = nullptr;
  each(kernels(settings.isa), [&](const auto& entry, std::string_view known) {
    if (known == law) kernel = &entry;
  });
  if (!kernel) throw std::invalid_argument(fmt::format("{}: no contact law in continuous time", law));
  if (parameters.size() != kernel->parameters)
    throw std::invalid_argument(
        fmt::format("{}: {} columns of parameters: must be {}", law, parameters.size(), kernel->parameters));
  in_chunks(settings.threads, n, 256, [&](std::size_t begin, std::size_t end) {
    kernel->impacts({begin, end, parameters.data(), mass, speed, out, settings.tolerance});
  });
}

Rebound simulated_rebound(const AnyLaw& law, double mass, double speed, double tolerance) {
  std::vector<double> numbers;
  for (const Parameter& parameter : law.parameters())
    numbers.insert(numbers.end(), parameter.values.begin(), parameter.values.end());
  std::vector<const double*> columns;
  for (const double& number : numbers) columns.push_back(&number);
  Rebound one{};
  simulate_impacts(law.about().name, 1, columns, &mass, &speed,
                   {&one.restitution, &one.contact_time, &one.deepest, &one.residual, &one.peak_force}, {.tolerance = tolerance});
  return one;
}

}  // namespace asperity::design
