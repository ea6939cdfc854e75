// The kernels of one instruction set for the laws of a row: over SIMD lanes. Compiled once for each set, see cmake/kernels.cmake.
#include "asperity/arithmetic.hpp"
#include "batch/law_lanes.hpp"
#include "batch/rk4_mass.hpp"
#include "catalogue/frictional_pairs.hpp"
#include "row_names.hpp"

namespace asperity::simd {
namespace {

template <class Law>
ASPERITY_FLATTEN void rk4_mass(const MassCall& call) noexcept {
  const Lanes h(call.h);
  each_block(call.n, [&](auto block) {
    const Law law = block.template law<Law>(call.parameters);
    const Lanes mass = block.load(call.drive.mass), mean = block.load(call.drive.mean),
                amplitude = block.load(call.drive.amplitude), omega = block.load(call.drive.omega),
                phase = block.load(call.drive.phase);
    const auto force = [&](double step) { return mean + amplitude * sin(omega * Lanes(step * call.h) + phase); };

    MassOnLaw<Law> body{block.load(call.state[0]), block.load(call.state[1]), block.state(law, call.state + 2)};
    Lanes begin = force(static_cast<double>(call.first));
    for (std::int64_t k = call.first; k < call.first + call.steps; ++k) {
      const auto step = static_cast<double>(k);
      const Lanes end = force(step + 1);
      body.step(law, mass, begin, force(step + 0.5), end, h);
      begin = end;
    }
    block.store(call.state[0], body.x);
    block.store(call.state[1], body.v);
    block.template store_state<Law>(call.state + 2, body.z);
  });
}

/// A law over another scalar, over lanes.
template <class Law>
using OverLanes = typename OverScalar<Law, Lanes, Arithmetic>::type;

template <class Law>
constexpr rows::batch::Entry entry_of_line() {
  rows::batch::Entry entry = entry_of<Law>();
  if constexpr (Law::about.kind == Kind::friction && !Law::about.discrete) entry.rk4_mass = rk4_mass<Law>;
  return entry;
}

/// What runs take beside the laws along a line: laws whose numbers are those of the plain loop.
struct Others {
  rows::batch::Entry all[64];
  std::size_t count;
};
template <int D>
constexpr void add_others(Others& others) {
  using Laws = RowLaws<Arithmetic, D, default_elements>;
  Laws::each([&]<class Law>() {
    if constexpr (Law::about.kind == Kind::friction && !Law::about.discrete && Law::dimension == D && MadeOfArithmetic<Law>)
      others.all[others.count++] = entry_of<OverLanes<Law>>();
  });
  each_frictional_pair<Laws, Arithmetic, D>([&]<class Law>() {
    if constexpr (MadeOfArithmetic<Law>) {
      rows::batch::Entry& entry = others.all[others.count++] = entry_of<OverLanes<Law>>();
      entry.name = normal_name<Law>.data(), entry.name_size = normal_name<Law>.size();
      entry.with = friction_name<Law>.data(), entry.with_size = friction_name<Law>.size();
      entry.states = std::size_t(state_size(Law{}));  // a part without a state takes room, too
    }
  });
}
constexpr Others others = [] {
  Others list{};
  add_others<2>(list);
  add_others<3>(list);
  return list;
}();

template <class List>
struct Entries;
template <class... Laws>
struct Entries<LawList<Laws...>> {
  static constexpr rows::batch::Entry all[] = {entry_of_line<Laws>()...};
};

}  // namespace
}  // namespace asperity::simd

namespace asperity::rows::batch {

#define ASPERITY_ROW ASPERITY_JOIN(row_, ASPERITY_ARCH, ASPERITY_ROW_NAME)
extern const Row ASPERITY_ROW;
const Row ASPERITY_ROW{simd::Entries<RowLaws<simd::Lanes, 1, default_elements>>::all,
                       RowLaws<simd::Lanes, 1, default_elements>::size, simd::others.all, simd::others.count, simd::Lanes::size};

}  // namespace asperity::rows::batch
