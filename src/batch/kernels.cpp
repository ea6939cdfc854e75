// The kernels of one instruction set: every law of the catalogue over SIMD lanes. Compiled once for each set, see CMakeLists.txt.
#include "kernels.hpp"

#include "asperity/catalogue.hpp"
#include "batch/block.hpp"
#include "rk4_mass.hpp"

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
constexpr LawKernels kernels_of() {
  if constexpr (Law::about.kind == Kind::friction && !Law::about.discrete) return {react<Law>, rk4_mass<Law>};
  else return {react<Law>, nullptr};
}

template <class List>
struct Table;
template <class... Laws>
struct Table<LawList<Laws...>> {
  static constexpr LawKernels laws[] = {kernels_of<Laws>()...};
};

}  // namespace

#define ASPERITY_JOINED(a, b) a##b
#define ASPERITY_KERNELS(arch) ASPERITY_JOINED(arch, _kernels)
const Kernels ASPERITY_KERNELS(ASPERITY_ARCH) = {Lanes::size, Table<Catalogue<Lanes>>::laws};

}  // namespace asperity::simd
