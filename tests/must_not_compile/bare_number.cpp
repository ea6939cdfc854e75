// The archetype refuses `const S half = 0.5`: a number in a law is S(0.5).
#define BARE
#include "must_not_compile/law_to_break.hpp"
#include "scalars/archetype.hpp"

using Law = asperity::testing::LawToBreak<asperity::testing::Archetype>;
auto answer(const Law& law) { return law.react({}, {}, asperity::testing::Archetype(0.0)); }
