// Which bodies elements connect, directly or through others.
#pragma once

#include <map>
#include <numeric>
#include <vector>

#include "asperity/setup/network.hpp"

namespace asperity {

/// Bodies that move, by number; an arm is one. Those that elements connect have one representative.
class Connected {
 public:
  explicit Connected(const Network& network) {
    std::size_t count = 0;
    for (const BodyPool* pool : network.bodies) {
      if (pool->is_given) continue;
      first_[pool] = count;
      count += pool->in_one_piece() ? 1 : pool->count();
    }
    above_.resize(count);
    std::iota(above_.begin(), above_.end(), std::size_t(0));
    for (const ElementPool* pool : network.elements)
      for (std::size_t i = 0; i < pool->count() && moves(pool->a) && moves(pool->b); ++i)
        above_[top(pool->a.bodies, pool->a.index[i])] = top(pool->b.bodies, pool->b.index[i]);
  }

  static bool moves(const End& end) { return end.bodies && !end.bodies->is_given; }
  std::size_t size() const { return above_.size(); }
  std::size_t top(const BodyPool* pool, std::size_t i) {
    std::size_t body = first_.at(pool) + (pool->in_one_piece() ? 0 : i);
    while (above_[body] != body) body = above_[body] = above_[above_[body]];
    return body;
  }

 private:
  std::map<const BodyPool*, std::size_t> first_;
  std::vector<std::size_t> above_;
};

}  // namespace asperity
