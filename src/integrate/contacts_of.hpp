// The contacts of a world, one after the other.
#pragma once

#include "asperity/system/world.hpp"

namespace asperity {

inline bool is_contact(const ElementPool& pool) {
  return pool.about().kind == Kind::contact || pool.about().kind == Kind::composite;
}

/// Calls f(pool, item, number of the contact).
template <class F>
void each_contact(const World& world, F&& f) {
  std::size_t contact = 0;
  world.pools().each_element_pool([&](const ElementPool& pool) {
    for (std::size_t i = 0; i < pool.count() && is_contact(pool); ++i) f(pool, i, contact++);
  });
}

}  // namespace asperity
