// The kernels of one instruction set: pools over SIMD lanes. Compiled once for each set, see CMakeLists.txt. The equations are
// those of the connections and the bodies (those of the laws are in batch/row.hpp); here are only loads and stores.
#include "kernels.hpp"

#include <bit>

#include "asperity/spring.hpp"
#include "asperity/system/connection_pool.hpp"
#include "batch/law_lanes.hpp"
#include "kinds.hpp"

namespace asperity::simd {
namespace {

/// Not inlined: there are up to 26 in a kernel.
[[gnu::noinline]] Lanes gathered(const double* column, const std::uint32_t* index, std::size_t count) noexcept {
#ifdef __AVX512F__
  if (count == Lanes::size)
    return Lanes(_mm512_i32gather_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(index)), column, sizeof(double)));
#endif
  alignas(Lanes) double found[Lanes::size];
  for (std::size_t i = 0; i < Lanes::size; ++i) found[i] = column[index[i < count ? i : count - 1]];
  return Lanes::load_aligned(found);
}

template <bool whole>
struct PoolBlock : LaneBlock<whole> {
  using LaneBlock<whole>::first;
  using LaneBlock<whole>::count;
  using LaneBlock<whole>::load;
  using LaneBlock<whole>::store;

  Lanes gather(const double* column, const std::uint32_t* index) const noexcept {
    return gathered(column, index + first, whole ? Lanes::size : count);
  }
  /// As the corners of a box are.
  bool on_one_body(const std::uint32_t* index) const noexcept {
    bool same = true;
    for (std::size_t i = 1; i < (whole ? Lanes::size : count); ++i) same = same && index[first + i] == index[first];
    return same;
  }
  /// The same items in columns that begin with item `begin`.
  PoolBlock from(std::size_t begin) const noexcept { return {{first - begin, count}}; }
  /// An item is nothing but its numbers: the lanes take the place of the doubles.
  template <class Item>
  Item item(const ParameterArrays& parameters) const noexcept {
    if constexpr (std::is_empty_v<Item>) {
      return {};
    } else {
      static_assert(sizeof(Item) % sizeof(Lanes) == 0);
      std::array<Lanes, sizeof(Item) / sizeof(Lanes)> numbers;
      for (std::size_t c = 0; c < numbers.size(); ++c)
        numbers[c] = parameters.same[c] ? Lanes(*parameters.columns[c]) : load(parameters.columns[c]);
      return std::bit_cast<Item>(numbers);
    }
  }
  template <class T>
  T parts_at(const double* column, std::size_t stride) const noexcept {
    T value{};
    each_part([&](Lanes& x) { x = load(column), column += stride; }, value);
    return value;
  }
  template <class Motion>
  Motion motion(const EndArrays& end) const noexcept {
    Motion value{};
    if (!end.motion) return value;
    if (!end.index) return parts_at<Motion>(end.motion, end.count);
    const double* column = end.motion;
    if (on_one_body(end.index)) {
      column += end.index[first];
      each_part([&](Lanes& x) { x = Lanes(*column), column += end.count; }, value);
    } else {
      each_part([&](Lanes& x) { x = gather(column, end.index), column += end.count; }, value);
    }
    return value;
  }
  template <class Force>
  void give(const EndArrays& end, std::size_t elements, const Force& force) const noexcept {
    if (double* column = end.force)
      each_part([&](const Lanes& f) { store(column, load(column) + f), column += end.force_count; }, force);
    else if (double* apart = end.aside) each_part([&](const Lanes& f) { store(apart, f), apart += elements; }, force);
  }
};

template <class Work>
void each_block(std::size_t begin, std::size_t end, Work work) noexcept {
  for (; begin + Lanes::size <= end; begin += Lanes::size) work(PoolBlock<true>{{begin, Lanes::size}});
  if (begin < end) work(PoolBlock<false>{{begin, end - begin}});
}

/// Calls work(block, item); items that are all the same are loaded once.
template <class Item, class Work>
void each_item(const auto& call, Work work) noexcept {
  if (call.parameters.all_same) {
    const Item item = PoolBlock<true>{{0, Lanes::size}}.template item<Item>(call.parameters);
    each_block(call.begin, call.end, [&](auto block) { work(block, item); });
  } else {
    each_block(call.begin, call.end, [&](auto block) { work(block, block.template item<Item>(call.parameters)); });
  }
}

template <class Connection>
ASPERITY_FLATTEN void gather(const ConnectionCall& call) noexcept {
  each_item<Connection>(call, [&](auto block, const Connection& connection) {
    auto relative = connection.motion(block.template motion<typename Connection::A>(call.a),
                                      block.template motion<typename Connection::B>(call.b));
    double* to = call.seen;
    const auto here = block.from(call.begin);
    each_seen([&](const Lanes& number) { here.store(to, number), to += call.stride; }, relative);
  });
}
template <class Connection>
ASPERITY_FLATTEN void scatter(const ConnectionCall& call) noexcept {
  each_item<Connection>(call, [&](auto block, const Connection& connection) {
    Lanes push[most_pushed];
    const double* from = call.push;
    const auto here = block.from(call.begin);
    for (std::size_t c = 0; c < pushed_numbers<Connection>(); ++c) push[c] = here.load(from), from += call.stride;
    const auto on = end_forces(connection, block.template motion<typename Connection::A>(call.a),
                               block.template motion<typename Connection::B>(call.b), push, 1);
    block.give(call.a, call.count, on.a);
    block.give(call.b, call.count, on.b);
  });
}

template <class Body>
ASPERITY_FLATTEN void rate(const BodyCall& call) noexcept {
  each_item<Body>(call, [&](auto block, const Body& body) {
    const auto r = body.rate(block.template parts_at<typename Body::State>(call.state, call.count),
                             block.template parts_at<typename Body::Force>(call.force, call.count));
    double* to = call.rate;
    each_part([&](const Lanes& number) { block.store(to, number), to += call.count; }, r);
  });
}
template <class Body>
ASPERITY_FLATTEN void tidy(const BodyCall& call) noexcept {
  each_item<Body>(call, [&](auto block, const Body& body) {
    const auto z = body.tidy(block.template parts_at<typename Body::State>(call.state, call.count));
    double* to = call.rate;
    each_part([&](const Lanes& number) { block.store(to, number), to += call.count; }, z);
  });
}
template <class Body>
constexpr BodyFunctions body_functions() {
  if constexpr (requires(Body body, typename Body::State z) { body.tidy(z); }) return {rate<Body>, tidy<Body>};
  else return {rate<Body>, nullptr};
}

void move(std::size_t n, double h, const double* k, double* x) noexcept {
  each_block(0, n, [&](auto block) { block.store(x, block.load(x) + Lanes(h) * block.load(k)); });
}
void first(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) noexcept {
  each_block(0, n, [&](auto block) {
    const Lanes rate = block.load(k);
    block.store(sum, rate);
    block.store(stage, block.load(x) + Lanes(ahead) * rate);
  });
}
void next(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) noexcept {
  each_block(0, n, [&](auto block) {
    const Lanes rate = block.load(k);
    block.store(sum, block.load(sum) + Lanes(2.0) * rate);
    block.store(stage, block.load(x) + Lanes(ahead) * rate);
  });
}
void last(std::size_t n, double weight, const double* k, const double* sum, double* x) noexcept {
  each_block(0, n, [&](auto block) { block.store(x, block.load(x) + Lanes(weight) * (block.load(sum) + block.load(k))); });
}

constexpr rows::batch::Entry spring = entry_of<Spring<Lanes>>();

template <class Kinds>
struct Tables;
template <class... T>
struct Tables<KindList<T...>> {
  static constexpr ConnectionFunctions connections[] = {{gather<T>, scatter<T>}...};
};
template <class Kinds>
struct BodyTables;
template <class... T>
struct BodyTables<KindList<T...>> {
  static constexpr BodyFunctions bodies[] = {body_functions<T>()...};
};

}  // namespace

#define ASPERITY_JOINED(a, b) a##b
#define ASPERITY_POOLS(arch) ASPERITY_JOINED(arch, _pools)
const PoolFunctions ASPERITY_POOLS(ASPERITY_ARCH) = {
    Tables<ConnectionKinds<Lanes>>::connections, BodyTables<BodyKinds<Lanes>>::bodies, &spring, {move, first, next, last}};

}  // namespace asperity::simd
