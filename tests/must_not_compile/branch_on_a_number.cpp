// The archetype refuses `if (v > limit)`: comparisons of a law's scalar are masks.
#define BRANCH
#include "must_not_compile/law_to_break.hpp"
#include "scalars/archetype.hpp"

using Law = asperity::testing::LawToBreak<asperity::testing::Archetype>;
auto answer(const Law& law) { return law.react({}, {}, asperity::testing::Archetype(0.0)); }
