// A law over SIMD lanes: the kernel that every law has. For files that are compiled once for each instruction set.
#pragma once

#include "asperity/statics.hpp"
#include "batch/block.hpp"
#include "batch/rows.hpp"

namespace asperity::simd {
namespace {

template <bool whole>
struct Block : LaneBlock<whole> {
  using LaneBlock<whole>::load;
  using LaneBlock<whole>::store;

  template <class Law>
  Law law(const double* const* columns, std::size_t offset = 0, const bool* same = nullptr) const noexcept {
    Law law;
    each_parameter(law, [&](Lanes& number) {
      number = same && *same++ ? Lanes(**columns) : load(*columns + offset);
      ++columns;
    });
    return law;
  }
  template <class Law>
  typename Law::State state(const Law& law, const double* const* columns, std::size_t offset = 0) const noexcept {
    auto z = law.start();
    each_state<Law>([&](Lanes& number) { number = load(*columns++ + offset); }, z);
    return z;
  }
  template <class Law>
  void store_state(double* const* columns, const typename Law::State& z, std::size_t offset = 0) const noexcept {
    each_state<Law>([&](const Lanes& number) { store(*columns++ + offset, number); }, z);
  }
  template <class Law>
  typename Law::Input input(const double* const* columns) const noexcept {
    const auto next = [&] { return load(*columns++); };
    typename Law::Input in;
    if constexpr (Law::about.kind == Kind::composite) {
      in.gap = next(), in.rate = next();
      each_number([&](Lanes& number) { number = next(); }, in.v);
    } else if constexpr (Law::about.kind == Kind::friction) {
      each_number([&](Lanes& number) { number = next(); }, in.v);
      in.load = next();
    } else {
      const Lanes position = next(), velocity = next();
      in = {position, velocity};
    }
    return in;
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
  const auto react_in = [&](auto block, const Law& law) {
    const auto reaction = law.react(block.state(law, call.states, call.offset), block.template input<Law>(call.inputs), tau);
    double* const* force = call.force;
    each_push([&](const Lanes& number) { block.store(*force++, number); }, reaction.f);
    block.template store_state<Law>(call.rate, reaction.rate, call.offset);
  };
  if (call.all_same) {
    const Law law = Block<true>{{0, Lanes::size}}.template law<Law>(call.parameters, 0, call.same);
    each_block(call.n, [&](auto block) { react_in(block, law); });
  } else {
    each_block(call.n, [&](auto block) { react_in(block, block.template law<Law>(call.parameters, call.offset, call.same)); });
  }
}

template <class Law>
constexpr rows::batch::Entry entry_of() {
  constexpr bool composite = Law::about.kind == Kind::composite;
  return {.name = Law::about.name.data(),
          .name_size = Law::about.name.size(),
          .with = nullptr,
          .with_size = 0,
          .dimension = Law::dimension,
          .parameters = sizeof(Law) / sizeof(Lanes),
          .states = std::is_empty_v<typename Law::State> ? 0 : sizeof(typename Law::State) / sizeof(Lanes),
          .inputs = Law::dimension + (composite ? 2U : 1U),
          .forces = Law::dimension + (composite ? 1U : 0U),
          .react = react<Law>,
          .rk4_mass = nullptr};
}

}  // namespace
}  // namespace asperity::simd
