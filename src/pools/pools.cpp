// Kernels of pools: structure-of-arrays copies of the parameters, and the forces of elements brought to their bodies in a fixed
// order.
#include <array>
#include <bit>
#include <stdexcept>

#include "asperity/pools/kernels.hpp"
#include "kernels.hpp"
#include "kinds.hpp"
#include "threads.hpp"

namespace asperity {
namespace {

const simd::PoolFunctions& functions_of(Isa isa) {
#ifdef ASPERITY_POOLS_X86
  if (isa == Isa::avx512) return simd::Avx512_pools;
  if (isa == Isa::avx2) return simd::Avx2_pools;
#endif
  if (isa != Isa::baseline) throw std::invalid_argument("this build has no " + std::string(name(isa)));
  return simd::Baseline_pools;
}

void check(const Speed& speed) {
  if (!supported(speed.isa)) throw std::invalid_argument("this machine or this build has no " + std::string(name(speed.isa)));
  if (speed.threads < 1 || speed.chunk < 1) throw std::invalid_argument("threads and chunk: must be at least 1");
  if (speed.threads > 1 && !threads_available())
    throw std::invalid_argument("this build has no threads: it was configured without oneTBB (package libtbb-dev)");
}

/// The numbers of all items, one array for each; what is the same everywhere is kept once and costs no memory traffic.
class ParameterColumns {
 public:
  explicit ParameterColumns(std::vector<std::vector<double>> columns) : columns_(std::move(columns)) {
    for (auto& column : columns_) {
      bool same = true;
      for (const double x : column) same = same && std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(column[0]);
      if (same) {
        column.resize(1);
        column.shrink_to_fit();
      }
      same_.push_back(same);
      all_same_ = all_same_ && same;
      pointers_.push_back(column.data());
    }
  }
  /// Of items that are nothing but their numbers, in the order in which these stand.
  template <class Item>
  static ParameterColumns of(const std::vector<Item>& items) {
    if constexpr (std::is_empty_v<Item>) {
      return ParameterColumns({});
    } else {
      constexpr std::size_t numbers = sizeof(Item) / sizeof(double);
      static_assert(sizeof(Item) == numbers * sizeof(double), "an item must be nothing but its numbers");
      std::vector<std::vector<double>> columns(numbers);
      for (const Item& item : items) {
        const auto values = std::bit_cast<std::array<double, numbers>>(item);
        for (std::size_t c = 0; c < numbers; ++c) columns[c].push_back(values[c]);
      }
      return ParameterColumns(std::move(columns));
    }
  }
  simd::ParameterArrays arrays() const noexcept {
    return {pointers_.data(), reinterpret_cast<const bool*>(same_.data()), all_same_};
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<const double*> pointers_;
  std::vector<unsigned char> same_;  // a vector<bool> has no array in it
  bool all_same_ = true;
};

/// The numbers of laws, in the order of describe().
std::vector<std::vector<double>> law_numbers(const LawPool& laws) {
  std::vector<std::vector<double>> columns;
  for (std::size_t i = 0; i < laws.count(); ++i) {
    std::size_t c = 0;
    laws.each_parameter_of(i, [&](double number) {
      if (c == columns.size()) columns.emplace_back();
      columns[c++].push_back(number);
    });
  }
  return columns;
}

class LaneBodies final : public BodyKernel {
 public:
  template <class Body>
  LaneBodies(const Bodies<Body>& pool, const simd::BodyFunctions& functions, const Speed& speed)
      : parameters_(ParameterColumns::of(pool.items)),
        motion_(pool.motion),
        force_(pool.force),
        functions_(functions),
        speed_(speed) {}

  void rate(const double* x, const double* force, double* xdot) const noexcept override {
    run(functions_.rate, x + motion_.first, force + force_.first, xdot + motion_.first);
  }
  void tidy(double* x) const noexcept override {
    if (functions_.tidy) run(functions_.tidy, x + motion_.first, nullptr, x + motion_.first);  // else there is no rotation
  }

 private:
  void run(void (*function)(const simd::BodyCall&) noexcept, const double* state, const double* force, double* out) const {
    in_chunks(speed_.threads, motion_.count, speed_.chunk, [&](std::size_t begin, std::size_t end) {
      function({begin, end, motion_.count, parameters_.arrays(), state, force, out});
    });
  }
  ParameterColumns parameters_;
  Columns motion_, force_;
  simd::BodyFunctions functions_;
  Speed speed_;
};

/// The forces that bodies of one pool get from the elements of one pool, body by body: for each body the elements in their order, a
/// before b, as the loop over the elements adds them, whoever works on which body.
class Incoming {
 public:
  void add_ends(const End& end, std::size_t side) { ends_.push_back({&end, side}); }
  void lay_out(const BodyPool& bodies) {
    force_ = bodies.force;
    numbers_ = bodies.force_numbers();
    first_.assign(bodies.count() + 1, 0);
    for (const auto& [end, side] : ends_)
      for (const std::uint32_t body : end->index) ++first_[body + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    entries_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < ends_[0].end->index.size(); ++i)
      for (const auto& [end, side] : ends_) entries_[next[end->index[i]]++] = {static_cast<std::uint32_t>(i), side};
    ends_.clear();
  }
  /// aside[side] holds the forces column by column, `elements` apart.
  void add(const std::array<const double*, 2>& aside, std::size_t elements, double* force, const Speed& speed) const {
    in_chunks(speed.threads, force_.count, speed.chunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t body = begin; body < end; ++body)
        for (std::size_t k = first_[body]; k < first_[body + 1]; ++k) {
          // The numbers of a force are sums of their own: side by side they wait less for each other.
          const double* from = aside[entries_[k].side] + entries_[k].element;
          double* sum = force + force_.at(0, body);
          for (std::size_t c = 0; c < numbers_; ++c, from += elements, sum += force_.count) *sum += *from;
        }
    });
  }

 private:
  struct Source {
    const End* end;
    std::size_t side;
  };
  struct Entry {
    std::uint32_t element;
    std::size_t side;
  };
  std::vector<Source> ends_;
  std::vector<std::size_t> first_;
  std::vector<Entry> entries_;
  Columns force_;
  std::size_t numbers_ = 0;
};

bool in_order(const End& end) {
  for (std::size_t i = 0; i < end.index.size(); ++i)
    if (end.index[i] != i) return false;
  return true;
}

class LaneElements final : public ElementKernel {
 public:
  LaneElements(const JoinedPool& pool, const rows::batch::Entry& law, ParameterColumns connections,
               const simd::ConnectionFunctions& functions, const Speed& speed)
      : law_parameters_(law_numbers(pool.laws())),
        connections_(std::move(connections)),
        state_(pool.state),
        law_(law),
        functions_(functions),
        speed_(speed) {
    const About& about = pool.laws().about();
    pushes_apart_ = about.kind == Kind::contact;
    if (about.kind == Kind::friction) {
      for (std::size_t i = 0; i < pool.count(); ++i) loads_.push_back(pool.laws().load(i));
      // Of a position and a velocity, friction sees the velocity.
      skipped_ = pool.laws().dimension() == 1 ? 1 : 0;
    }
    const std::array<const End*, 2> ends{&pool.a, &pool.b};
    const bool one_pool = pool.a.bodies == pool.b.bodies;
    for (std::size_t side = 0; side < 2; ++side) {
      const End& end = *ends[side];
      if (!end.bodies) continue;
      ends_[side].bodies = end.bodies;
      if (in_order(end)) ends_[side].adds = !one_pool;
      else ends_[side].index = end.index;
      if (!ends_[side].adds) ends_[side].aside.resize(end.bodies->force_numbers() * pool.count());
    }
    const auto collect = [&](std::initializer_list<std::size_t> sides) {
      Incoming incoming;
      for (const std::size_t side : sides) incoming.add_ends(*ends[side], side);
      incoming.lay_out(*ends[*sides.begin()]->bodies);
      incoming_.push_back(std::move(incoming));
    };
    if (one_pool && pool.a.bodies) collect({0, 1});
    if (!one_pool)
      for (const std::size_t side : {0U, 1U})
        if (ends_[side].bodies && !ends_[side].adds) collect({side});
  }

  void react(const Instant& now, double tau, double* force, double* xdot) const noexcept override {
    const simd::EndArrays a = arrays(ends_[0], now, force), b = arrays(ends_[1], now, force);
    in_chunks(speed_.threads, state_.count, speed_.chunk, [&](std::size_t begin, std::size_t end) {
      for (; begin < end; begin += at_once) react_some(begin, std::min(begin + at_once, end), a, b, now, tau, xdot);
    });
    for (const Incoming& incoming : incoming_)
      incoming.add({ends_[0].aside.data(), ends_[1].aside.data()}, state_.count, force, speed_);
  }

 private:
  static constexpr std::size_t at_once = 256;      // what is handed from one function to the next stays in the cache
  static constexpr std::size_t most_states = 128;  // a law with more goes item by item

 public:
  static bool takes(const rows::batch::Entry& law) noexcept { return law.states <= most_states; }

 private:
  void react_some(std::size_t begin, std::size_t end, const simd::EndArrays& a, const simd::EndArrays& b, const Instant& now,
                  double tau, double* xdot) const noexcept {
    alignas(64) double seen[most_seen * at_once], push[most_pushed * at_once];
    const simd::ConnectionCall call{begin, end, state_.count, connections_.arrays(), a, b, seen, push, at_once};
    functions_.gather(call);
    const double* inputs[most_seen + 1];
    for (std::size_t c = 0; c < law_.inputs; ++c) inputs[c] = seen + (skipped_ + c) * at_once;
    if (!loads_.empty()) inputs[law_.inputs - 1] = loads_.data() + begin;
    double* forces[most_pushed];
    for (std::size_t c = 0; c < law_.forces; ++c) forces[c] = push + c * at_once;
    const double* states[most_states];
    double* rates[most_states];
    for (std::size_t c = 0; c < law_.states; ++c) states[c] = now.state + state_.at(c, 0), rates[c] = xdot + state_.at(c, 0);
    const simd::ParameterArrays parameters = law_parameters_.arrays();
    law_.react({.n = end - begin,
                .parameters = parameters.columns,
                .states = states,
                .inputs = inputs,
                .tau = tau,
                .force = forces,
                .rate = rates,
                .offset = begin,
                .same = parameters.same,
                .all_same = parameters.all_same});
    if (pushes_apart_)
      for (std::size_t i = 0; i < end - begin; ++i) push[i] = -push[i];
    functions_.scatter(call);
  }
  struct EndLayout {
    const BodyPool* bodies = nullptr;
    std::vector<std::uint32_t> index{};
    bool adds = false;  // element i to body i: the kernel itself
    mutable std::vector<double> aside{};
  };
  static simd::EndArrays arrays(const EndLayout& end, const Instant& now, double* force) noexcept {
    if (!end.bodies) return {};
    const BodyPool& bodies = *end.bodies;
    return {bodies.motions(now) + bodies.motion.first,      bodies.motion.count,
            end.index.empty() ? nullptr : end.index.data(), end.adds ? force + bodies.force.first : nullptr,
            end.adds ? nullptr : end.aside.data(),          bodies.force.count};
  }

  ParameterColumns law_parameters_, connections_;
  Columns state_;
  const rows::batch::Entry& law_;
  simd::ConnectionFunctions functions_;
  Speed speed_;
  bool pushes_apart_ = false;  // a contact law: its force is conjugate to minus the gap's rate
  std::vector<double> loads_;
  std::size_t skipped_ = 0;  // of what is seen
  std::array<EndLayout, 2> ends_;
  std::vector<Incoming> incoming_;
};

class LaneKernels final : public KernelMaker {
 public:
  explicit LaneKernels(const Speed& speed) : speed_(speed), functions_(functions_of(speed.isa)) {}

  std::shared_ptr<const BodyKernel> kernel_of(const BodyPool& pool) const override {
    return pool.count() < speed_.smallest_pool ? nullptr : body_kernel(pool, BodyKinds<double>{});
  }
  std::shared_ptr<const ElementKernel> kernel_of(const ElementPool& pool) const override {
    const auto* joined = dynamic_cast<const JoinedPool*>(&pool);
    if (!joined || pool.count() < speed_.smallest_pool) return nullptr;
    const LawPool& laws = joined->laws();
    if (speed_.same_bits && !laws.arithmetic()) return nullptr;
    const auto* law =
        laws.about().kind == Kind::spring ? functions_.spring : simd::find_law(speed_.isa, laws.kind(), laws.dimension());
    if (!law || law->states != laws.state_numbers() || law->parameters != law_numbers(laws).size() || !LaneElements::takes(*law))
      return nullptr;
    return element_kernel(*joined, *law, ConnectionKinds<double>{});
  }

 private:
  template <class... Body>
  std::shared_ptr<const BodyKernel> body_kernel(const BodyPool& pool, KindList<Body...>) const {
    std::shared_ptr<const BodyKernel> found;
    std::size_t kind = 0;
    const auto is = [&]<class One>(const Bodies<One>* same) {
      if (same) found = std::make_shared<LaneBodies>(*same, functions_.bodies[kind], speed_);
      ++kind;
    };
    (is(dynamic_cast<const Bodies<Body>*>(&pool)), ...);
    return found;
  }
  template <class... Connection>
  std::shared_ptr<const ElementKernel> element_kernel(const JoinedPool& pool, const rows::batch::Entry& law,
                                                      KindList<Connection...>) const {
    std::shared_ptr<const ElementKernel> found;
    std::size_t kind = 0;
    const auto is = [&]<class One>(const ConnectionsOf<One>* same) {
      if (same)
        found = std::make_shared<LaneElements>(pool, law, ParameterColumns::of(same->items), functions_.connections[kind], speed_);
      ++kind;
    };
    (is(dynamic_cast<const ConnectionsOf<Connection>*>(&pool.connections())), ...);
    return found;
  }
  Speed speed_;
  const simd::PoolFunctions& functions_;
};

}  // namespace

std::shared_ptr<const KernelMaker> lane_kernels(const Speed& speed) {
  check(speed);
  return std::make_shared<LaneKernels>(speed);
}

LaneSums::LaneSums(const Speed& speed) : speed_(speed), functions_(&functions_of(speed.isa).sums) { check(speed); }

template <class Chunk>
void LaneSums::each_chunk(std::size_t n, Chunk chunk) const {
  // A number costs about a tenth of an item.
  in_chunks(speed_.threads, n, 8 * speed_.chunk, [&](std::size_t begin, std::size_t end) { chunk(end - begin, begin); });
}
void LaneSums::move(std::size_t n, double h, const double* k, double* x) const {
  each_chunk(n, [&](std::size_t m, std::size_t i) { functions_->move(m, h, k + i, x + i); });
}
void LaneSums::first(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) const {
  each_chunk(n, [&](std::size_t m, std::size_t i) { functions_->first(m, ahead, x + i, k + i, sum + i, stage + i); });
}
void LaneSums::next(std::size_t n, double ahead, const double* x, const double* k, double* sum, double* stage) const {
  each_chunk(n, [&](std::size_t m, std::size_t i) { functions_->next(m, ahead, x + i, k + i, sum + i, stage + i); });
}
void LaneSums::last(std::size_t n, double weight, const double* k, const double* sum, double* x) const {
  each_chunk(n, [&](std::size_t m, std::size_t i) { functions_->last(m, weight, k + i, sum + i, x + i); });
}

}  // namespace asperity
