// The kernels of one instruction set: impacts on every contact law over SIMD lanes. Compiled once for each set.
#include "kernels.hpp"

#include "asperity/catalogue.hpp"
#include "batch/block.hpp"
#include "collision.hpp"

namespace asperity::simd {
namespace {

template <class Law>
ASPERITY_FLATTEN void impacts(const ImpactCall& call) noexcept {
  for (std::size_t first = call.begin; first < call.end; first += Lanes::size) {
    // Loading is nothing beside the steps: whole blocks need no code of their own.
    const LaneBlock<false> block{first, std::min(Lanes::size, call.end - first)};
    Law law;
    const double* const* column = call.parameters;
    each_parameter(law, [&](Lanes& number) { number = block.load(*column++); });
    const bool all_facts = call.out.deepest != nullptr;
    const auto outcome = impact::Collision<Law>(law, block.load(call.mass), block.load(call.speed)).run(call.tolerance, all_facts);
    block.store(call.out.restitution, outcome.restitution);
    if (!all_facts) continue;
    block.store(call.out.contact_time, outcome.contact_time);
    block.store(call.out.deepest, outcome.deepest);
    block.store(call.out.residual, outcome.residual);
    block.store(call.out.peak_force, outcome.peak_force);
  }
}

template <class Law>
constexpr ImpactKernel kernel_of() {
  if constexpr (impact::has_impacts<Law>) return impacts<Law>;
  else return nullptr;
}

template <class List>
struct Table;
template <class... Laws>
struct Table<LawList<Laws...>> {
  static constexpr ImpactKernel laws[] = {kernel_of<Laws>()...};
};

}  // namespace

#define ASPERITY_JOINED(a, b) a##b
#define ASPERITY_IMPACTS(arch) ASPERITY_JOINED(arch, _impacts)
const ImpactKernels ASPERITY_IMPACTS(ASPERITY_ARCH) = Table<Catalogue<Lanes>>::laws;

}  // namespace asperity::simd
