// A relation with an operator that does not exist.
#define RELATION
#include "law_to_break.hpp"

static_assert(asperity::relations_are_sound<asperity::testing::LawToBreak<double>>());
