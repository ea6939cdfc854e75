// Many systems of one law, driven by samples as a control loop has them, in SIMD lanes.
#pragma once

#include "asperity/batch.hpp"

namespace asperity {

/// n systems of one law: step() for one sample after the other, each of length h, with the same parameters for all. The columns of
/// inputs and forces hold n times `samples` numbers, system by system; an input that is null is what `usual` says. The states move
/// along. Throws as react_batch() does. It knows no switches: not for hybrid laws.
void follow_batch(Isa isa, std::string_view law, std::size_t n, std::size_t samples, std::span<const double> parameters,
                  MutableColumnList states, ColumnList inputs, std::span<const double> usual, double h, MutableColumnList force);

}  // namespace asperity
