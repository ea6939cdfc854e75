// A world cut into independent parts. Each part is a World of its own, made of some items of every pool, with kernels of its own.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "asperity/pools/kernels.hpp"
#include "threads.hpp"

namespace asperity {
namespace {

/// Sets that grow together.
class Islands {
 public:
  explicit Islands(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t(0)); }
  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The smaller number stands for both, so that islands keep the order of their first bodies.
  void join(std::size_t i, std::size_t j) {
    i = of(i), j = of(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// The items of one pool that make a part.
using Items = std::vector<std::uint32_t>;

}  // namespace

struct Parts::Part {
  /// Numbers that stand side by side, in the whole and in the part.
  struct Stretch {
    std::size_t whole, part, length;
  };
  World world;
  std::optional<Workspace> work;
  std::size_t size = 0;  // of its state
  std::vector<Stretch> stretches;

  void map(const Columns& whole, const Items& items, const Columns& part, std::size_t numbers) {
    for (std::size_t c = 0; c < numbers; ++c)
      for (std::size_t i = 0; i < items.size(); ++i) {
        const std::size_t from = whole.at(c, items[i]), to = part.at(c, i);
        if (!stretches.empty() && stretches.back().whole + stretches.back().length == from &&
            stretches.back().part + stretches.back().length == to)
          ++stretches.back().length;
        else stretches.push_back({from, to, 1});
      }
  }
};

namespace {

struct PushFunction {
  BodyId body;
  std::size_t coordinate;
  std::function<double(double)> force;
};
struct Whole {
  std::vector<const BodyPool*> bodies;
  std::vector<const ElementPool*> elements;
  std::vector<PushFunction> pushes;

  explicit Whole(const World& world) {
    world.pools().each_body_pool([&](const BodyPool& pool) { bodies.push_back(&pool); });
    world.pools().each_element_pool([&](const ElementPool& pool) { elements.push_back(&pool); });
    world.each_push_function([&](BodyId body, std::size_t coordinate, const auto& force) {
      pushes.push_back({body, coordinate, force});
    });
  }
};

}  // namespace

Parts::Parts(const World& world, Method method, const Speed& speed) : method_(method), speed_(speed) {
  if (!world.feedbacks().empty() || !world.controllers().empty())
    throw std::invalid_argument("Parts: a world with feedback has no parts of its own");
  const Whole whole(world);
  // Bodies on a given course connect nothing: they are in every part that sees them.
  std::map<const BodyPool*, std::size_t> first;
  std::size_t bodies = 0;
  for (const BodyPool* pool : whole.bodies) {
    first[pool] = bodies;
    bodies += pool->count();
  }
  const auto number = [&](const End& end, std::size_t i) { return first[end.bodies] + end.index[i]; };
  const auto moves = [](const End& end) { return end.bodies && !end.bodies->is_given; };
  Islands islands(bodies);
  for (const BodyPool* pool : whole.bodies)
    if (pool->in_one_piece())
      for (std::size_t i = 1; i < pool->count(); ++i) islands.join(first[pool], first[pool] + i);
  for (const ElementPool* pool : whole.elements)
    if (moves(pool->a) && moves(pool->b))
      for (std::size_t i = 0; i < pool->count(); ++i) islands.join(number(pool->a, i), number(pool->b, i));

  // Islands in the order of their first bodies, gathered until a part is large enough; in multiples of the smallest pool, so that
  // equal islands fill whole lanes. An element without a body that moves goes with the first part.
  std::vector<std::size_t> size(bodies, 0), part_of(bodies, 0);
  for (const BodyPool* pool : whole.bodies)
    if (!pool->is_given)
      for (std::size_t i = 0; i < pool->count(); ++i) size[islands.of(first[pool] + i)] += pool->motion_numbers();
  const auto island_of_element = [&](const ElementPool& pool, std::size_t i) {
    return moves(pool.a) ? islands.of(number(pool.a, i)) : moves(pool.b) ? islands.of(number(pool.b, i)) : std::size_t(0);
  };
  for (const ElementPool* pool : whole.elements)
    for (std::size_t i = 0; i < pool->count(); ++i)
      if (moves(pool->a) || moves(pool->b)) size[island_of_element(*pool, i)] += pool->state_numbers();
  std::size_t parts = 1, filled = 0, gathered = 0;
  for (std::size_t island = 0; island < bodies; ++island) {
    if (islands.of(island) != island || size[island] == 0) continue;
    if (filled >= speed.part_numbers && gathered % speed.smallest_pool == 0) ++parts, filled = gathered = 0;
    part_of[island] = parts - 1;
    filled += size[island];
    ++gathered;
  }
  const auto part_of_element = [&](const ElementPool& pool, std::size_t i) {
    return moves(pool.a) || moves(pool.b) ? part_of[island_of_element(pool, i)] : std::size_t(0);
  };

  // What each part takes from each pool.
  std::vector<std::map<const BodyPool*, Items>> bodies_of(parts);
  std::vector<std::map<const ElementPool*, Items>> elements_of(parts);
  for (const BodyPool* pool : whole.bodies)
    if (!pool->is_given)
      for (std::uint32_t i = 0; i < pool->count(); ++i) bodies_of[part_of[islands.of(first[pool] + i)]][pool].push_back(i);
  for (const ElementPool* pool : whole.elements)
    for (std::uint32_t i = 0; i < pool->count(); ++i) {
      const std::size_t part = part_of_element(*pool, i);
      elements_of[part][pool].push_back(i);
      for (const End* end : {&pool->a, &pool->b})
        if (end->bodies && end->bodies->is_given) bodies_of[part][end->bodies].push_back(end->index[i]);
    }

  constexpr std::uint32_t absent = ~std::uint32_t(0);
  std::map<const BodyPool*, Items> place;  // of each body in its part; of given bodies in the part that is being made
  for (const BodyPool* pool : whole.bodies) place[pool].assign(pool->count(), absent);
  std::vector<std::map<const BodyPool*, BodyPool*>> pool_in(parts);
  const auto kernels = lane_kernels({speed.isa, 1, speed.smallest_pool, speed.chunk, speed.part_numbers});
  for (std::size_t p = 0; p < parts; ++p) {
    auto part = std::make_unique<Part>();
    Pools pools;
    std::vector<ElementPool*> new_elements;
    // In the order of the whole: forces are added in the order of the pools.
    for (const BodyPool* pool : whole.bodies) {
      const auto found = bodies_of[p].find(pool);
      if (found == bodies_of[p].end()) continue;
      Items& items = found->second;
      if (pool->is_given) {
        std::sort(items.begin(), items.end());
        items.erase(std::unique(items.begin(), items.end()), items.end());
      }
      pool_in[p][pool] = &pools.adopt(pool->pick(items));
      for (const std::uint32_t i : items) pool_in[p][pool]->names.push_back(pool->names[i]);
      for (std::uint32_t i = 0; i < items.size(); ++i) place[pool][items[i]] = i;
    }
    for (const ElementPool* pool : whole.elements) {
      const auto found = elements_of[p].find(pool);
      if (found == elements_of[p].end()) continue;
      ElementPool& some = pools.adopt(pool->pick(found->second));
      new_elements.push_back(&some);
      const auto connect = [&](const End& from, End& to) {
        to.bodies = from.bodies ? pool_in[p][from.bodies] : nullptr;
        for (const std::uint32_t i : found->second) to.index.push_back(from.bodies ? place[from.bodies][from.index[i]] : 0);
      };
      connect(pool->a, some.a);
      connect(pool->b, some.b);
    }
    part->world = World(std::move(pools));
    for (const PushFunction& push : whole.pushes) {
      const std::size_t body = first[push.body.pool] + push.body.index;
      if (push.body.pool->is_given || part_of[islands.of(body)] != p) continue;
      part->world.push({pool_in[p][push.body.pool], place[push.body.pool][push.body.index]}, push.coordinate, push.force);
    }
    part->size = part->world.size();
    part->work.emplace(part->world, kernels);
    for (const auto& [pool, items] : bodies_of[p])
      if (!pool->is_given) part->map(pool->motion, items, pool_in[p][pool]->motion, pool->motion_numbers());
    auto next = new_elements.begin();
    for (const ElementPool* pool : whole.elements)
      if (const auto found = elements_of[p].find(pool); found != elements_of[p].end())
        part->map(pool->state, found->second, (*next++)->state, pool->state_numbers());
    parts_.push_back(std::move(part));
  }
}

Parts::~Parts() = default;

std::size_t Parts::count() const noexcept { return parts_.size(); }

void Parts::advance(std::int64_t first, std::int64_t steps, double h, std::span<double> x) {
  std::size_t longest = 0;
  for (const auto& part : parts_) longest = std::max(longest, part->size);
  const LaneSums sums({speed_.isa, 1, speed_.smallest_pool, speed_.chunk, speed_.part_numbers});
  // A few parts at a time: they share the working arrays, which stay in the cache.
  in_chunks(speed_.threads, parts_.size(), 4, [&](std::size_t begin, std::size_t end) {
    RungeKutta method(method_, longest);
    std::vector<double> state(longest);
    for (std::size_t p = begin; p < end; ++p) {
      Part& part = *parts_[p];
      const std::span<double> own(state.data(), part.size);
      for (const Part::Stretch& s : part.stretches) std::copy_n(x.data() + s.whole, s.length, own.data() + s.part);
      const auto rate = [&](double t, std::span<const double> y, double tau, std::span<double> ydot) {
        part.work->rate(t, y, tau, ydot);
      };
      for (std::int64_t k = first; k < first + steps; ++k) {
        method.step(rate, double(k) * h, h, own, sums);
        part.work->between_steps(double(k + 1) * h, own);
      }
      for (const Part::Stretch& s : part.stretches) std::copy_n(own.data() + s.part, s.length, x.data() + s.whole);
    }
  });
}

}  // namespace asperity
