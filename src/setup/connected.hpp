// Which bodies elements connect, directly or through others.
#pragma once

#include <map>
#include <vector>

#include "asperity/setup/network.hpp"

namespace asperity {

/// Bodies that move, by number; an arm is one. Those that elements connect have one representative.
class Connected {
 public:
  explicit Connected(const Network& network) {
    for (const BodyPool* pool : network.bodies) add(*pool);
    for (const ElementPool* pool : network.elements) join(*pool);
  }
  template <class Pools>
  explicit Connected(const Pools& pools) {
    pools.each_body_pool([&](const BodyPool& pool) { add(pool); });
    pools.each_element_pool([&](const ElementPool& pool) { join(pool); });
  }

  static bool moves(const End& end) { return end.bodies && !end.bodies->is_given; }
  std::size_t size() const { return above_.size(); }
  std::size_t top(const BodyPool* pool, std::size_t i) const {
    std::size_t body = first_.at(pool) + (pool->in_one_piece() ? 0 : i);
    while (above_[body] != body) body = above_[body] = above_[above_[body]];
    return body;
  }

 private:
  void add(const BodyPool& pool) {
    if (pool.is_given) return;
    first_[&pool] = above_.size();
    for (std::size_t i = 0; i < (pool.in_one_piece() ? 1 : pool.count()); ++i) above_.push_back(above_.size());
  }
  void join(const ElementPool& pool) {
    for (std::size_t i = 0; i < pool.count() && moves(pool.a) && moves(pool.b); ++i)
      above_[top(pool.a.bodies, pool.a.index[i])] = top(pool.b.bodies, pool.b.index[i]);
  }
  std::map<const BodyPool*, std::size_t> first_;
  mutable std::vector<std::size_t> above_;  // shortened while asked
};

}  // namespace asperity
