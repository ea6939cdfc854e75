// What a body shows of its motion.
#pragma once

#include "asperity/scalar/vec.hpp"

namespace asperity {

/// What an element sees of a body that moves in D dimensions.
template <class S, int D>
struct Port {
  Vec<S, D> p{};  // m
  Vec<S, D> v{};  // m/s
};

}  // namespace asperity
