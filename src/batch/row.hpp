// The kernels of one instruction set for the laws of a row: over SIMD lanes. Compiled once for each set, see cmake/kernels.cmake.
#include "batch/block.hpp"
#include "batch/rk4_mass.hpp"
#include "batch/rows.hpp"
#include "row_names.hpp"

namespace asperity::simd {
namespace {

template <bool whole>
struct Block : LaneBlock<whole> {
  using LaneBlock<whole>::load;
  using LaneBlock<whole>::store;

  template <class Law>
  Law law(const double* const* columns) const noexcept {
    Law law;
    each_parameter(law, [&](Lanes& number) { number = load(*columns++); });
    return law;
  }
  template <class Law>
  typename Law::State state(const Law& law, const double* const* columns) const noexcept {
    auto z = law.start();
    each_state<Law>([&](Lanes& number) { number = load(*columns++); }, z);
    return z;
  }
  template <class Law>
  void store_state(double* const* columns, const typename Law::State& z) const noexcept {
    each_state<Law>([&](const Lanes& number) { store(*columns++, number); }, z);
  }
};

template <class Work>
void each_block(std::size_t n, Work work) noexcept {
  std::size_t first = 0;
  for (; first + Lanes::size <= n; first += Lanes::size) work(Block<true>{{first, Lanes::size}});
  if (first < n) work(Block<false>{{first, n - first}});
}

template <class Law>
ASPERITY_FLATTEN void react(const ReactCall& call) noexcept {
  const Lanes tau(call.tau);
  each_block(call.n, [&](auto block) {
    const Law law = block.template law<Law>(call.parameters);
    const auto input = [&](int i) { return block.load(call.inputs[i]); };
    typename Law::Input in;
    if constexpr (Law::about.kind == Kind::composite) {
      in = {input(0), input(1), input(2)};
    } else {
      in = {input(0), input(1)};
    }
    const auto reaction = law.react(block.state(law, call.states), in, tau);
    if constexpr (Law::about.kind == Kind::composite) {
      block.store(call.force[0], reaction.f.normal);
      block.store(call.force[1], reaction.f.tangential);
    } else {
      block.store(call.force[0], reaction.f);
    }
    block.template store_state<Law>(call.rate, reaction.rate);
  });
}

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

template <class Law>
constexpr rows::batch::Entry entry_of() {
  constexpr bool composite = Law::about.kind == Kind::composite, mass = Law::about.kind == Kind::friction && !Law::about.discrete;
  rows::batch::Entry entry{.name = Law::about.name.data(),
                           .name_size = Law::about.name.size(),
                           .parameters = sizeof(Law) / sizeof(Lanes),
                           .states = std::is_empty_v<typename Law::State> ? 0 : sizeof(typename Law::State) / sizeof(Lanes),
                           .inputs = composite ? 3U : 2U,
                           .forces = composite ? 2U : 1U,
                           .react = react<Law>,
                           .rk4_mass = nullptr};
  if constexpr (mass) entry.rk4_mass = rk4_mass<Law>;
  return entry;
}

template <class List>
struct Entries;
template <class... Laws>
struct Entries<LawList<Laws...>> {
  static constexpr rows::batch::Entry all[] = {entry_of<Laws>()...};
};

}  // namespace
}  // namespace asperity::simd

namespace asperity::rows::batch {

#define ASPERITY_ROW ASPERITY_JOIN(row_, ASPERITY_ARCH, ASPERITY_ROW_NAME)
extern const Row ASPERITY_ROW;
const Row ASPERITY_ROW{simd::Entries<RowLaws<simd::Lanes, 1, default_elements>>::all,
                       RowLaws<simd::Lanes, 1, default_elements>::size, simd::Lanes::size};

}  // namespace asperity::rows::batch
