// The dimension scalar refuses N + m/s.
#define METRE_PLUS_NEWTON
#include "must_not_compile/law_to_break.hpp"
#include "scalars/dimension.hpp"

using namespace asperity::testing;
static_assert(dimensionally_consistent<LawToBreak<Dimensioned>>());
