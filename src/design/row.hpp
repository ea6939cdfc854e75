// The kernels of one instruction set for the contact laws of a row: impacts over SIMD lanes. Compiled once for each set.
#include "batch/block.hpp"
#include "design/collision.hpp"
#include "design/rows.hpp"
#include "row_names.hpp"

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
constexpr rows::design::Entry entry_of() {
  rows::design::Entry entry{Law::about.name.data(), Law::about.name.size(), sizeof(Law) / sizeof(Lanes), nullptr};
  if constexpr (asperity::impact::has_impacts<Law>) entry.impacts = impacts<Law>;
  return entry;
}

template <class List>
struct Entries;
template <class... Laws>
struct Entries<LawList<Laws...>> {
  static constexpr rows::design::Entry all[] = {entry_of<Laws>()...};
};

}  // namespace
}  // namespace asperity::simd

namespace asperity::rows::design {

#define ASPERITY_ROW ASPERITY_JOIN(row_, ASPERITY_ARCH, ASPERITY_ROW_NAME)
extern const Row ASPERITY_ROW;
const Row ASPERITY_ROW{simd::Entries<RowLaws<simd::Lanes, 1, default_elements>>::all,
                       RowLaws<simd::Lanes, 1, default_elements>::size};

}  // namespace asperity::rows::design
