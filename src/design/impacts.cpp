#include <fmt/format.h>

#include <stdexcept>

#include "asperity/catalogue.hpp"
#include "asperity/design/restitution.hpp"
#include "collision.hpp"
#include "kernels.hpp"
#include "pools/threads.hpp"

namespace asperity::design {
namespace {

simd::ImpactKernels kernels(Isa isa) {
  if (!supported(isa)) throw std::invalid_argument(fmt::format("this machine or this build has no {}", name(isa)));
#ifdef ASPERITY_IMPACT_X86
  if (isa == Isa::avx2) return simd::Avx2_impacts;
  if (isa == Isa::avx512) return simd::Avx512_impacts;
#endif
  return simd::Baseline_impacts;
}

}  // namespace

std::vector<std::string> impact_laws() {
  std::vector<std::string> names;
  Catalogue<double>::each([&]<class Law>() {
    if (impact::has_impacts<Law>) names.emplace_back(Law::about.name);
  });
  return names;
}

void simulate_impacts(std::string_view law, std::size_t n, ColumnList parameters, const double* mass, const double* speed,
                      const ReboundColumns& out, const ImpactSettings& settings) {
  simd::ImpactKernel kernel = nullptr;
  std::size_t index = 0, wanted = 0;
  Catalogue<double>::each([&]<class Law>() {
    if (Law::about.name == law) {
      kernel = kernels(settings.isa)[index];
      wanted = static_cast<std::size_t>(parameter_count(Law{}));
    }
    ++index;
  });
  if (!kernel) throw std::invalid_argument(fmt::format("{}: no contact law in continuous time", law));
  if (parameters.size() != wanted)
    throw std::invalid_argument(fmt::format("{}: {} columns of parameters: must be {}", law, parameters.size(), wanted));
  in_chunks(settings.threads, n, 256, [&](std::size_t begin, std::size_t end) {
    kernel({begin, end, parameters.data(), mass, speed, out, settings.tolerance});
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
